//! Vectors of glam.

use crate::check;
use differentiable::prelude::*;
use glam::{DVec2, DVec3, DVec4, Vec2, Vec3, Vec4};

const A: DVec3 = DVec3::new(0.3, -0.8, 1.2);
const B: DVec3 = DVec3::new(1.1, 0.4, 0.2);

#[differentiable]
fn arithmetic(a: DVec3, b: DVec3, k: f64) -> DVec3 {
    let mut c = a + b * k - 2.0 * a / k + k * b;
    c += a * b;
    c -= -b / a;
    c *= b;
    c * 0.5 + k / c + (c - k) * (1.0 + a) - (k - b) + (a + k)
}

#[differentiable]
fn by_reference(a: &DVec3, b: &DVec3) -> f64 {
    let c = a + b;
    let d = &c * b - a / 3.0;
    d.dot(*a) + c.x
}

#[differentiable]
fn methods(a: DVec3, b: DVec3, s: f64) -> f64 {
    let n = a.cross(b).normalize();
    let m = a.lerp(b, s).reflect(n + b);
    m.length() + n.distance(a) * m.length_squared() - b.distance_squared(m * s) + m.element_sum()
}

#[differentiable]
fn made(x: f64, y: f64) -> DVec3 {
    let a = DVec3::new(x, x * y, 1.0) + DVec3::splat(y);
    let [p, q, _] = a.to_array();
    DVec3::from_array([p * q, y, a.z])
        .truncate()
        .extend(x)
        .extend(y)
        .truncate()
}

#[differentiable]
fn parts(a: DVec3, i: usize) -> f64 {
    let mut b = a;
    b.x = a.y * a.z;
    b.y += 3.0 * b.x;
    b[2] *= a[i];
    b.x * b[1] + b.z + a[0]
}

#[test]
fn vectors_of_three() {
    check::<arithmetic, _>(&(A, B, 0.7));
    check::<by_reference, _>(&(A, B));
    check::<methods, _>(&(A, B, 0.3));
    check::<made, _>(&(0.4, 1.3));
    for i in 0..3 {
        check::<parts, _>(&(A, i));
    }
}

#[test]
fn a_gradient_is_of_the_type() {
    let (by_a, by_b): (DVec3, DVec3) = by_reference::grad(&A, &B);
    assert!(by_a.is_finite() && by_b.is_finite());
    let (value, (by_a, _, by_s)) = methods::value_and_grad(A, B, 0.3);
    assert_eq!(value, methods(A, B, 0.3));
    let h = 1e-6;
    let slope = |a: DVec3| methods(a, B, 0.3);
    let by_y = (slope(A + DVec3::Y * h) - slope(A - DVec3::Y * h)) / (2.0 * h);
    assert!((by_a.y - by_y).abs() < 1e-7);
    assert!(by_s.is_finite());
}

#[differentiable]
fn plane(a: DVec2, b: DVec2, angle: f64) -> f64 {
    let turned = DVec2::from_angle(angle).rotate(a) + b.perp();
    turned.perp_dot(b) + turned.length() * a.dot(b) + turned.normalize().x
}

#[differentiable]
fn four(a: DVec4, b: DVec4) -> f64 {
    let c = a.lerp(b, 0.3) * b.truncate().extend(2.0);
    c.dot(a) + c.distance(b) * c.w + c.truncate().x
}

#[test]
fn two_and_four() {
    check::<plane, _>(&(DVec2::new(0.3, 0.9), DVec2::new(-0.4, 0.7), 0.6));
    check::<four, _>(&(
        DVec4::new(0.1, 0.2, -0.3, 0.9),
        DVec4::new(0.5, 1.2, 0.7, -0.2),
    ));
}

#[differentiable]
fn single(a: Vec3, b: Vec2, c: Vec4, k: f32) -> f32 {
    let d = a.cross(Vec3::new(b.x, b.y, k)) / k + c.truncate() * 0.5;
    d.length() + c.dot(Vec4::new(d.x, d.y, d.z, b.y)) * k
}

#[test]
fn single_precision() {
    let c = Vec4::new(0.2, 0.8, -0.3, 0.6);
    check::<single, _>(&(A.as_vec3(), Vec2::new(0.7, -0.4), c, 0.8));
}

/// A ball in a field, with air.
#[derive(Clone, Differentiable)]
struct Ball {
    at: DVec3,
    speed: DVec3,
    drag: f64,
}

#[differentiable]
impl Ball {
    fn flown(&self, wind: DVec3, steps: usize) -> Ball {
        let mut ball = self.clone();
        for _ in 0..steps {
            let through = ball.speed - wind;
            let force = -ball.drag * through.length() * through - DVec3::new(0.0, 0.0, 9.81);
            ball.speed += 0.01 * force;
            ball.at += ball.speed * 0.01;
        }
        ball
    }
}

#[differentiable]
fn miss(ball: &Ball, wind: DVec3, target: DVec3) -> f64 {
    ball.flown(wind, 20).at.distance(target)
}

#[test]
fn in_structs() {
    let ball = Ball {
        at: A,
        speed: DVec3::new(3.0, 1.0, 5.0),
        drag: 0.1,
    };
    check::<miss, _>(&(ball.clone(), B, DVec3::new(2.0, 0.5, 1.0)));
    let (by_ball, _, _) = miss::grad(&ball, B, DVec3::ZERO);
    let _: DVec3 = by_ball.at;
}

#[differentiable]
fn spread(points: &[DVec3], weights: &[f64]) -> f64 {
    let mut centre = DVec3::ZERO;
    for i in 0..points.len() {
        centre += points[i] * weights[i];
    }
    let mut energy = 0.0;
    for p in points {
        if p.x > centre.x {
            energy += p.distance_squared(centre);
        } else {
            energy += (*p - centre).length() * p.z;
        }
    }
    energy
        + points
            .iter()
            .zip(weights)
            .map(|(p, w)| *p * *w)
            .sum::<DVec3>()
            .y
        + points.iter().map(|p| p.dot(centre)).sum::<f64>()
}

#[differentiable]
fn moved(points: &mut [DVec3], by: DVec3, k: f64) {
    for p in points.iter_mut() {
        *p = p.cross(by) + *p * k;
    }
    points[0].z = k;
}

#[test]
fn slices() {
    check::<spread, _>(&(vec![A, B, A + B, 0.3 * A - B], vec![0.2, 0.5, 0.1, 0.9]));
    check::<spread, _>(&(vec![A], vec![0.4]));
    check::<moved, _>(&(vec![A, B], A * 2.0, 0.4));
    let (by_points, by_weights) = spread::grad(&[], &[]);
    assert!(by_points.is_empty() && by_weights.is_empty());
}

#[differentiable]
fn length(a: DVec3) -> f64 {
    a.length()
}

#[differentiable]
fn guarded(a: DVec3, b: DVec3) -> f64 {
    let unit = a / a.length();
    if a.length() > 0.0 { unit.dot(b) } else { b.x }
}

#[test]
fn at_zero() {
    assert_eq!(length::grad(DVec3::ZERO), DVec3::ZERO);
    assert_eq!(guarded::grad(DVec3::ZERO, B), (DVec3::ZERO, DVec3::X));
    assert!(length::grad(DVec3::new(f64::NAN, 0.0, 0.0)).x.is_nan());
}

#[test]
fn rows_of_a_jacobian() {
    let rows = made::jacobian(0.4, 1.3);
    let (_, pullback) = made::vjp(0.4, 1.3);
    assert_eq!(rows.y, pullback(DVec3::Y));
}

#[differentiable]
fn scaled(v: DVec3, k: f64) -> DVec2 {
    DVec2::new(v.x, v.z) * k
}

#[test]
fn a_jacobian_as_a_matrix() {
    let matrix = scaled::jacobian_matrix(DVec3::new(1.0, 2.0, 3.0), 5.0);
    let expected = [[5.0, 0.0, 0.0, 1.0], [0.0, 0.0, 5.0, 3.0]];
    assert_eq!(
        (matrix.shape(), matrix.as_slice()),
        ((2, 4), expected.as_flattened())
    );
}

#[differentiable]
fn centre_of(vs: &[DVec3]) -> DVec3 {
    let all: DVec3 = vs.iter().sum();
    let moved: DVec3 = vs.iter().map(|v| *v * 2.0).sum();
    all / vs.len() as f64 + moved * all.x
}
#[differentiable]
fn total_of(vs: &[DVec3], k: f64) -> DVec3 {
    if k > 0.0 {
        vs.iter().map(|v| *v * k).sum()
    } else {
        vs.iter().copied().sum()
    }
}

/// A sum without a type at its end has that of the `let` or of the result.
#[test]
fn sums() {
    let vs = vec![DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.1, -2.0, 0.3)];
    check::<centre_of, _>(&(vs.clone(),));
    check::<total_of, _>(&(vs.clone(), 0.5));
    check::<total_of, _>(&(vs, -0.5));
    assert_eq!(total_of(&[], 1.0), DVec3::ZERO);
    assert_eq!(total_of::jacobian(&[], 1.0).x, (vec![], 0.0));
}

#[differentiable]
fn longer(v: DVec2, k: f64) -> DVec3 {
    v.extend(k)
}

#[differentiable]
fn longer_local(v: DVec3, k: f64) -> DVec4 {
    let w = v * k;
    w.extend(k)
}

#[differentiable]
fn longer_or_more(v: DVec2, k: f64, mut n: Vec<f64>, more: Vec<f64>) -> f64 {
    n.extend(more);
    let w = if k > 0.0 {
        v.extend(k)
    } else {
        (v * 2.0).extend(k)
    };
    if v.extend(k).length() > 100.0 {
        return 0.0;
    }
    w.dot(v.extend(2.0)) + n[1] * n[2] + DVec4::from((v, k, 1.0)).dot(v.extend(k).extend(k))
}

#[differentiable]
fn from_numbers(x: f64, y: f64) -> DVec3 {
    DVec3::from([x, y, 1.0]) + DVec3::from((x, y, x))
}

#[differentiable]
fn from_a_shorter(v: DVec2, k: f64) -> DVec3 {
    DVec3::from((v, k))
}

#[test]
fn longer_vectors() {
    let v = DVec2::new(1.0, 2.0);
    check::<longer, _>(&(v, 3.0));
    check::<longer_local, _>(&(DVec3::new(1.0, 2.0, 4.0), 3.0));
    check::<from_numbers, _>(&(1.0, 3.0));
    check::<from_a_shorter, _>(&(v, 3.0));
    for k in [3.0, -3.0] {
        check::<longer_or_more, _>(&(v, k, vec![1.0], vec![3.0, 4.0]));
    }
}
