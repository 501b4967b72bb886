//! Jacobians, and pullbacks that are called more than once.

use differentiable::ad::Scalar;
use differentiable::prelude::*;

/// Central differences: how the outputs change with one input.
fn slopes<const N: usize>(f: impl Fn(f64) -> [f64; N], x: f64) -> [f64; N] {
    let h = 1e-6;
    let (up, down) = (f(x + h), f(x - h));
    core::array::from_fn(|i| (up[i] - down[i]) / (2.0 * h))
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        let error = (a - b).abs();
        assert!(
            error <= tolerance * (1.0 + b.abs()),
            "{found:?}, {expected:?}"
        );
    }
}

#[differentiable]
fn polar(r: f64, angle: f64) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [r * c, r * s]
}

#[test]
fn of_an_array() {
    let rows = polar::jacobian(1.3, 0.4);
    let (by_r, by_angle) = (
        slopes(|r| polar(r, 0.4), 1.3),
        slopes(|a| polar(1.3, a), 0.4),
    );
    assert_near(&rows.map(|row| row.0), &by_r, 1e-9);
    assert_near(&rows.map(|row| row.1), &by_angle, 1e-9);
    // Forward mode gives the columns.
    let (value, column) = polar::jvp((1.3, 0.0), (0.4, 1.0));
    assert_eq!(value, polar(1.3, 0.4));
    assert_near(&rows.map(|row| row.1), &column, 1e-15);
    // One argument: no tuple.
    assert_eq!(cubes::jacobian(2.0), [1.0, 4.0, 12.0]);
}

#[differentiable]
fn cubes(x: f64) -> [f64; 3] {
    [x, x * x, x * x * x]
}

/// A loop with a tape, of an argument by reference.
#[differentiable]
fn running(x: &[f64], k: f64) -> Vec<f64> {
    let mut out = Vec::new();
    let mut s = 1.0;
    for i in 0..x.len() {
        s = (s * x[i] + k).sin();
        out.push(s * s);
    }
    out
}

/// The same as a loop whose trips are counted.
#[differentiable]
fn counted(x: &[f64], k: f64) -> Vec<f64> {
    let mut out = Vec::new();
    let (mut s, mut i) = (1.0, 0);
    while i < x.len() {
        s = (s * x[i] + k).sin();
        out.push(s * s);
        i += 1;
    }
    out
}

#[test]
fn of_a_vec_with_tapes() {
    let x = vec![0.3, -1.2, 0.8, 2.0];
    let rows = running::jacobian(&x, 0.5);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows, counted::jacobian(&x, 0.5));
    for j in 0..4 {
        let mut along = vec![0.0; 4];
        along[j] = 1.0;
        let (_, column) = running::jvp((&x, &along), (0.5, 0.0));
        let found: Vec<f64> = rows.iter().map(|row| row.0[j]).collect();
        assert_near(&found, &column, 1e-14);
        let moved = |v: f64| {
            let mut x = x.clone();
            x[j] = v;
            running(&x, 0.5).try_into().expect("four")
        };
        assert_near(&found, &slopes::<4>(moved, x[j]), 1e-8);
    }
    let found: Vec<f64> = rows.iter().map(|row| row.1).collect();
    let by_k = slopes::<4>(|k| running(&x, k).try_into().expect("four"), 0.5);
    assert_near(&found, &by_k, 1e-8);
    assert!(running::jacobian(&[], 0.5).is_empty());
}

#[differentiable]
fn parts(x: f32, y: f32) -> (f32, [f32; 2], Vec<[f32; 1]>) {
    (x * y, [x, y * y], vec![[x + y], [x - y]])
}

#[test]
fn of_tuples_and_nested_outputs_in_f32() {
    let (product, pair, list) = parts::jacobian(2.0, 3.0);
    assert_eq!(product, (3.0, 2.0));
    assert_eq!(pair, [(1.0, 0.0), (0.0, 6.0)]);
    assert_eq!(list, [[(1.0, 1.0)], [(1.0, -1.0)]]);
}

#[differentiable]
fn one(x: f64) -> f64 {
    x * x
}

#[derive(Clone, Debug, Differentiable)]
struct Lens {
    focal: f64,
    #[constant]
    centre: [f64; 2],
}

#[differentiable]
impl Lens {
    fn image(&self, p: &[f64; 3]) -> [f64; 2] {
        let near = self.focal / p[2];
        [p[0] * near + self.centre[0], p[1] * near + self.centre[1]]
    }

    fn on_axis(focal: f64, z: f64) -> [f64; 2] {
        [focal / z, focal * z]
    }

    fn twice(&self, p: &[f64; 3]) -> [f64; 2] {
        let [x, y] = self.image(p);
        self.image(&[x, y, p[2]])
    }
}

#[test]
fn of_methods() {
    let lens = Lens {
        focal: 2.0,
        centre: [0.1, 0.2],
    };
    let p = [0.5, -0.3, 4.0];
    let rows = lens.image_jacobian(&p);
    assert_eq!(rows.each_ref().map(|r| r.0.focal), [0.125, -0.075]);
    assert_eq!(rows.each_ref().map(|r| r.1[2]), [-0.0625, 0.0375]);
    assert_eq!(
        Lens::on_axis_jacobian(2.0, 4.0),
        [(0.25, -0.125), (4.0, 2.0)]
    );
    // Two calls of methods: its pullback is in a box.
    let rows = lens.twice_jacobian(&p);
    let by_z = slopes(|z| lens.twice(&[p[0], p[1], z]), p[2]);
    assert_near(&rows.each_ref().map(|r| r.1[2]), &by_z, 1e-9);
}

#[differentiable]
fn generic<T: Scalar, const N: usize>(x: [T; N], #[constant] shift: usize) -> [T; N] {
    let mut y = x;
    for i in 0..N {
        y[i] = x[i] * x[(i + shift) % N];
    }
    y
}

#[test]
fn of_generic_functions() {
    let rows = generic::jacobian([2.0_f64, 3.0, 5.0], 1);
    assert_eq!(rows, [[3.0, 2.0, 0.0], [0.0, 5.0, 3.0], [5.0, 0.0, 2.0]]);
    let rows = generic::jacobian([2.0_f32, 3.0], 1);
    assert_eq!(rows, [[3.0, 2.0], [3.0, 2.0]]);
}

#[differentiable]
fn leaf(x: f64, y: f64) -> f64 {
    (x * y).sin() + x
}

#[differentiable]
fn four(x: f64, y: f64) -> f64 {
    leaf(x, y) * leaf(y, x) + leaf(x * 0.5, y) * leaf(x, y * 0.5)
}

/// Its calls weigh more than the limit.
#[differentiable]
fn heavy(x: f64, y: f64) -> [f64; 2] {
    [
        four(x, y) + four(y, 0.3) + four(x * 0.7, y),
        four(x, y * 0.2) * four(0.1, x),
    ]
}

#[differentiable]
fn power(x: f64, n: usize) -> [f64; 2] {
    if n == 0 {
        [1.0, x]
    } else {
        let [a, b] = power(x, n - 1);
        [a * x, b + a]
    }
}

#[test]
fn of_pullbacks_in_boxes() {
    let rows = heavy::jacobian(0.4, 1.1);
    let by_x = slopes(|x| heavy(x, 1.1), 0.4);
    let by_y = slopes(|y| heavy(0.4, y), 1.1);
    assert_near(&rows.map(|r| r.0), &by_x, 1e-8);
    assert_near(&rows.map(|r| r.1), &by_y, 1e-8);
    assert!(size_of_val(&heavy::vjp(0.4, 1.1).1) < size_of_val(&four::vjp(0.4, 1.1).1));
    // x³, and x + 1 + x + x²
    assert_eq!(power::jacobian(2.0, 3), [12.0, 6.0]);
}

#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * f(2.0 * x)
}

#[differentiable]
fn of_closures(k: f64, x: f64) -> [f64; 2] {
    let y = [k, x].map(|v| v * v * k);
    [apply(|t| (k * t).exp(), x) + y[1], apply(one, x)]
}

#[test]
fn of_functions_that_pass_closures() {
    let rows = of_closures::jacobian(0.3, 0.7);
    let by_k = slopes(|k| of_closures(k, 0.7), 0.3);
    let by_x = slopes(|x| of_closures(0.3, x), 0.7);
    assert_near(&rows.map(|r| r.0), &by_k, 1e-9);
    assert_near(&rows.map(|r| r.1), &by_x, 1e-9);
}

#[test]
fn a_pullback_is_called_again() {
    let x = [0.3, -1.2, 0.8];
    for ct in [[1.0, 0.0, 0.5], [-2.0, 0.25, 3.0]] {
        let (_, back) = counted::vjp(&x, 0.5);
        let first = back.clone()(ct.to_vec());
        let second = back.clone()(ct.to_vec());
        let third = back(ct.to_vec());
        assert_eq!(first, second);
        assert_eq!(first, third);
        assert_eq!(first, counted::vjp(&x, 0.5).1(ct.to_vec()));
    }
    // From one box.
    let (_, back) = heavy::vjp(0.4, 1.1);
    let copy = back.clone();
    assert_eq!(back.clone()([1.0, 0.0]), back([1.0, 0.0]));
    assert_eq!(copy([0.0, 1.0]), heavy::vjp(0.4, 1.1).1([0.0, 1.0]));
    let (_, back) = power::vjp(1.5, 6);
    assert_eq!(back.clone()([1.0, 2.0]), back([1.0, 2.0]));
}

#[test]
fn a_copy_moves_to_another_thread() {
    let (_, back) = heavy::vjp(0.4, 1.1);
    let copy = back.clone();
    let there = std::thread::spawn(move || copy([1.0, 0.0]));
    assert_eq!(back([1.0, 0.0]), there.join().expect("no panic"));
    let (_, back) = counted::vjp(&[0.3, 0.4], 0.5);
    let copy = back.clone();
    let there = std::thread::scope(|s| s.spawn(move || copy(vec![1.0, 1.0])).join());
    assert_eq!(back(vec![1.0, 1.0]), there.expect("no panic"));
}

#[differentiable]
fn of_tensors(x: &Tensor<shape![2], f64>, k: f64) -> Tensor<shape![2], f64> {
    let angle = x * k;
    angle.sin() * angle.cos()
}

#[test]
fn of_a_tensor() {
    let x = Tensor::<shape![2], f64>::from_slice(&[0.3, 0.9]).expect("two");
    let rows = of_tensors::jacobian(&x, 2.0);
    // sin 2kx / 2
    for (i, (of_x, of_k)) in rows.iter().enumerate() {
        let v: f64 = [0.3, 0.9][i];
        let mut expected = [0.0; 2];
        expected[i] = 2.0 * (4.0 * v).cos();
        assert_near(&of_x.to_vec(), &expected, 1e-14);
        assert_near(&[*of_k], &[v * (4.0 * v).cos()], 1e-14);
    }
    assert_eq!(rows.len(), 2);
}

#[differentiable]
fn turned(angle: f64, x: f64) -> f64 {
    let (c, s) = (angle.cos(), angle.sin());
    let again = if x > 0.0 { angle.sin() * x } else { c };
    x * s + c * c - again
}

#[test]
fn sines_and_cosines_of_one_angle() {
    crate::check::<turned, _>(&(0.7, 1.3));
    crate::check::<turned, _>(&(0.7, -1.3));
    let (angle, x) = (0.7_f64, 1.3);
    let expected = x * angle.cos() - 2.0 * angle.cos() * angle.sin() - x * angle.cos();
    assert_near(&[turned::grad(angle, x).0], &[expected], 1e-15);
}
