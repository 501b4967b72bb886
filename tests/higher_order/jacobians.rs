//! Jacobians by forward and by reverse mode, and `linearize`.

use differentiable::prelude::*;

#[differentiable(higher_order)]
fn many(x: &[f64], k: f64) -> Vec<f64> {
    let mut out = Vec::new();
    let mut s = 1.0;
    for i in 0..x.len() {
        s = (s * x[i] + k).sin();
        out.push(s * s);
    }
    out
}

#[test]
fn both_modes_agree() {
    let x: Vec<f64> = (0..21).map(|i| 0.3 + 0.05 * f64::from(i)).collect();
    let (rows, columns) = (many::jacobian_rev(&x, 0.7), many::jacobian_fwd(&x, 0.7));
    assert_eq!(rows.len(), 21);
    for ((a, da), (b, db)) in rows.iter().zip(&columns) {
        assert!((da - db).abs() < 1e-12);
        assert_eq!(a.len(), 21);
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12));
    }
    assert_eq!(many::jacobian(&x, 0.7), columns);
}

#[differentiable(higher_order)]
fn polar(r: f64, angle: f64) -> [f64; 2] {
    [r * angle.cos(), r * angle.sin()]
}

#[test]
fn layouts() {
    let (s, c) = 0.4_f64.sin_cos();
    assert_eq!(polar::jacobian_fwd(1.5, 0.4), [(c, -1.5 * s), (s, 1.5 * c)]);
    let (value, map) = polar::linearize(1.5, 0.4);
    assert_eq!(value, polar(1.5, 0.4));
    assert_eq!(map(1.0, 0.0), [c, s]);
    assert_eq!(map(0.0, 1.0), [-1.5 * s, 1.5 * c]);
}

#[differentiable(higher_order)]
fn shapes(x: &[f64], #[constant] n: f64) -> (f64, [f64; 2]) {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i] * n;
    }
    (s, [x[0] * s, s.sin()])
}

#[test]
fn chosen_by_shape() {
    // Three rows and forty columns: by reverse mode, whose numbers these are.
    let x: Vec<f64> = (0..40).map(|i| f64::from(i).cos()).collect();
    assert_eq!(shapes::jacobian(&x, 2.0), shapes::jacobian_rev(&x, 2.0));
    let (rev, fwd) = (shapes::jacobian_rev(&x, 2.0), shapes::jacobian_fwd(&x, 2.0));
    for (a, b) in rev
        .1
        .iter()
        .chain([&rev.0])
        .zip(fwd.1.iter().chain([&fwd.0]))
    {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-10));
    }
    // No columns: a row for each output all the same.
    assert_eq!(many::jacobian_fwd(&[], 0.7), []);
}
