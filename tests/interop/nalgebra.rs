//! Vectors and matrices of nalgebra.

use crate::check;
use differentiable::prelude::*;
use nalgebra::{DMatrix, DVector, Matrix2, Matrix3, SMatrix, SVector, Vector2, Vector3, Vector4};

fn a() -> Vector3<f64> {
    Vector3::new(0.3, -0.8, 1.2)
}

fn b() -> Vector3<f64> {
    Vector3::new(1.1, 0.4, 0.2)
}

fn m() -> Matrix3<f64> {
    Matrix3::new(0.4, 1.1, -0.3, 0.2, -0.7, 0.9, 1.3, 0.5, 0.8)
}

#[differentiable]
fn arithmetic(a: Vector3<f64>, b: Vector3<f64>, k: f64) -> Vector3<f64> {
    let mut c = a + b * k - 2.0 * a / k;
    c += a.component_mul(&b);
    c -= -b;
    c *= k;
    c /= 1.0 + k;
    c.cross(&a) + c.component_div(&b) + c.add_scalar(k) - b.scale(k)
}

#[differentiable]
fn by_reference(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    let c = a + b;
    let d = &c - a * 3.0;
    d.dot(b) * c[0] + d.norm() - c.norm_squared() + a.normalize().sum()
}

#[differentiable]
fn parts(v: Vector3<f64>, m: Matrix3<f64>, i: usize) -> f64 {
    let mut w = v;
    w[0] = v[1] * v[2];
    w[i] += 3.0 * w[0];
    let mut n = m;
    n[(1, 2)] = w[1] * m[(0, 0)];
    n[(i, 0)] *= v[2];
    n[(1, 2)] * n[(2, 0)] + w[2] * n[4]
}

#[differentiable]
fn made(x: f64, y: f64) -> Vector2<f64> {
    let p = Vector2::new(x * y, y) + Vector2::new(1.0, x);
    let q = Vector4::new(x, y, p[0], 2.0);
    let r = Matrix2::new(x, p[1], 1.0, y);
    r * p * q[3] + p * q.dot(&q) * p.perp(&Vector2::new(y, x))
}

#[test]
fn vectors() {
    check::<arithmetic, _>(&(a(), b(), 0.7));
    check::<by_reference, _>(&(a(), b()));
    for i in 0..3 {
        check::<parts, _>(&(a(), m(), i));
    }
    check::<made, _>(&(0.4, 1.3));
    let (by_a, _): (Vector3<f64>, Vector3<f64>) = by_reference::grad(&a(), &b());
    assert!(by_a.iter().all(|x| x.is_finite()));
}

#[differentiable]
fn matrices(m: Matrix3<f64>, n: Matrix3<f64>, v: Vector3<f64>) -> f64 {
    let p = m * n.transpose() - n / 2.0;
    let q = p.try_inverse().unwrap();
    (q * v).dot(&v) + p.determinant() * m.trace() + (m * v).norm() + n.diagonal()[1]
}

#[differentiable]
fn sizes(a: SMatrix<f64, 2, 5>, b: SMatrix<f64, 5, 3>, v: SVector<f64, 3>) -> f64 {
    let w = a * b * v;
    w.norm() * w[0] + a.transpose().sum()
}

#[differentiable]
fn volume(m: SMatrix<f64, 5, 5>) -> f64 {
    m.determinant()
}

#[test]
fn matrices_of_static_size() {
    let n = Matrix3::new(1.4, 0.1, 0.3, -0.2, 0.7, 0.4, 0.3, 0.6, -1.8);
    check::<matrices, _>(&(m(), n, a()));
    let entry = |i: usize, j: usize| ((3 * i + 5 * j) as f64).sin();
    check::<sizes, _>(&(SMatrix::from_fn(entry), SMatrix::from_fn(entry), b()));
    let regular = SMatrix::<f64, 5, 5>::from_fn(|i, j| ((1 + i * i + 7 * j) as f64).sin());
    check::<volume, _>(&(regular,));
    let mut singular = regular;
    singular.set_column(2, &regular.column(0).into_owned());
    check::<volume, _>(&(singular,));
}

#[differentiable]
fn least_squares(x: &DMatrix<f64>, y: &DVector<f64>, w: &DVector<f64>, k: f64) -> f64 {
    let r = x * w - y;
    r.norm_squared() / (2.0 * y.len() as f64) + k * w.norm()
}

#[differentiable]
fn of_run_time(m: DMatrix<f64>, v: DVector<f64>, s: f64) -> DVector<f64> {
    let mut n = &m * m.transpose() + DMatrix::identity(m.nrows(), m.ncols()) * s;
    n[(0, 1)] = v[1] * s;
    let inverse = n.clone().try_inverse().unwrap();
    let mut u = inverse * &v;
    u += v.lerp(&u, s);
    u[0] *= n.determinant() + n.trace();
    u / s - 2.0 * v
}

#[differentiable]
fn accumulated(rows: &[DVector<f64>], w: &[f64]) -> f64 {
    let mut sum = rows[0].clone() * w[0];
    for i in 1..rows.len() {
        sum += &rows[i] * w[i];
    }
    sum.component_mul(&rows[0]).sum() + sum.norm()
}

#[test]
fn matrices_of_run_time_size() {
    let entry = |i: usize, j: usize| ((1 + 3 * i + 5 * j) as f64).sin();
    let (x, y) = (DMatrix::from_fn(4, 3, entry), DVector::from_fn(4, entry));
    let w = DVector::from_vec(vec![0.3, -0.2, 0.9]);
    check::<least_squares, _>(&(x.clone(), y.clone(), w.clone(), 0.3));
    check::<of_run_time, _>(&(DMatrix::from_fn(3, 3, entry), w.clone(), 0.7));
    check::<accumulated, _>(&(
        vec![y.clone(), y.clone() * 2.0, x.column(0).into_owned()],
        vec![0.2, 0.7, -0.3],
    ));
    let (by_x, _, by_w, _) = least_squares::grad(&x, &y, &w, 0.0);
    assert_eq!((by_x.shape(), by_w.len()), ((4, 3), 3));
    let by_hand = x.transpose() * (&x * &w - &y) / 4.0;
    assert!((by_w - by_hand).norm() < 1e-14);
}

#[test]
fn empty_and_of_size_one() {
    let none = DVector::<f64>::zeros(0);
    let (by_x, _, by_w, _) =
        least_squares::grad(&DMatrix::zeros(2, 0), &DVector::zeros(2), &none, 0.5);
    assert_eq!((by_x.shape(), by_w.len()), ((2, 0), 0));
    let one = DMatrix::from_element(1, 1, 0.7);
    check::<least_squares, _>(&(
        one,
        DVector::from_element(1, 0.2),
        DVector::from_element(1, 1.5),
        0.1,
    ));
}

#[derive(Clone, Differentiable)]
struct Body {
    at: Vector3<f64>,
    turn: Matrix3<f64>,
}

#[differentiable]
fn seen(body: &Body, points: &[Vector3<f32>], k: f32) -> f32 {
    let mut total = 0.0;
    for p in points {
        let q = p * k;
        total += q.norm() * p[2];
    }
    total + (body.turn * body.at)[0] as f32
}

#[test]
fn in_structs_and_in_single_precision() {
    let body = Body { at: a(), turn: m() };
    let points = vec![a().cast::<f32>(), b().cast::<f32>()];
    check::<seen, _>(&(body.clone(), points.clone(), 0.6));
    let (by_body, _, _) = seen::grad(&body, &points, 0.6);
    let _: (Vector3<f64>, Matrix3<f64>) = (by_body.at, by_body.turn);
}

#[differentiable]
fn norm(v: Vector3<f64>) -> f64 {
    v.norm()
}

#[test]
fn at_zero() {
    assert_eq!(norm::grad(Vector3::zeros()), Vector3::zeros());
    assert!(norm::grad(Vector3::new(f64::NAN, 0.0, 0.0)).x.is_nan());
}

#[differentiable]
fn repeated(k: f64) -> Vector3<f64> {
    Vector3::repeat(k) + Vector3::from_element(k * k)
}

#[differentiable]
fn repeated_n(k: f64, n: usize) -> f64 {
    let v = DVector::from_element(n, k) + DVector::repeat(n, 2.0 * k);
    let m = DMatrix::from_element(n, 2, k);
    v.dot(&v) + m.sum() + Vector2::from([k, 1.0]).norm()
}

#[test]
fn one_number_for_all_entries() {
    check::<repeated, _>(&(1.3,));
    check::<repeated_n, _>(&(3.0, 2));
}

/// The type of the numbers is that of the signature.
#[differentiable]
fn filled(k: f64) -> f64 {
    let mut v = Vector3::zeros();
    for i in 0..3 {
        v[i] = k * i as f64;
    }
    let mut w = DVector::zeros(2);
    w[0] = k;
    let mut m = DMatrix::zeros(2, 2);
    m[(0, 1)] = k;
    v.dot(&v) + w[0] + (m * w)[0]
}

mod named_alike {
    use differentiable::prelude::*;

    /// A type of one's own with the name of one of another crate.
    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Vector3 {
        x: f64,
        y: f64,
        z: f64,
    }
    impl Vector3 {
        fn zeros() -> Self {
            Vector3 {
                x: 0.0,
                y: 0.0,
                z: 0.0,
            }
        }
    }
    #[differentiable]
    pub fn own(k: f64) -> f64 {
        let mut v = Vector3::zeros();
        for i in 0..3 {
            v.x += k * i as f64;
            v.y += v.x * k;
        }
        v.x * v.y + v.z
    }
}

#[test]
fn filled_from_zero() {
    check::<filled, _>(&(1.2,));
    check::<named_alike::own, _>(&(1.3,));
}
