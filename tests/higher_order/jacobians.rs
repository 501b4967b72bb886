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
