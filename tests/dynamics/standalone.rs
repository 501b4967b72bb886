//! Solutions with their pullback, of an annotated right-hand side named as a type.

use differentiable::ode::{Checkpoints, OdeError, Options, dopri5, dopri5_vjp, rk4, rk4_vjp};
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Reaction {
    rates: Vec<f64>,
    inflow: f64,
    #[constant]
    scale: f64,
}

#[differentiable]
fn react(t: f64, y: &[f64], r: &Reaction) -> Vec<f64> {
    let turnover = r.scale * r.rates[0] * y[0] * y[1];
    vec![r.inflow * t.cos() - turnover, turnover - r.rates[1] * y[1]]
}

fn reaction() -> Reaction {
    Reaction {
        rates: vec![0.7, 0.4],
        inflow: 0.3,
        scale: 1.3,
    }
}

#[differentiable]
fn inside(y0: &[f64], r: &Reaction, t0: f64, t1: f64, #[constant] options: &Options) -> Vec<f64> {
    dopri5(|t: f64, y: &[f64]| react(t, y, r), y0, t0, t1, options).unwrap()
}

#[differentiable]
fn inside_fixed(y0: &[f64], r: &Reaction, t0: f64, t1: f64) -> Vec<f64> {
    rk4(|t: f64, y: &[f64]| react(t, y, r), y0, t0, t1, 17)
}

#[test]
fn agree_with_solutions_inside_of_annotated_functions() {
    let (r, y0, ct) = (reaction(), [1.0, 0.5], vec![0.3, -0.8]);
    let options = Options::default();
    let (value, pullback) = inside::vjp(&y0, &r, 0.1, 2.0, &options);
    let (d_y0, d_r, d_t0, d_t1) = pullback(ct.clone());
    let (y, pullback) = dopri5_vjp::<react, _, _>(&y0[..], 0.1, 2.0, &r, &options).unwrap();
    let found = pullback(ct.clone());
    assert_eq!((y, found.y0, found.params.rates), (value, d_y0, d_r.rates));
    assert_eq!(
        (found.params.inflow, found.t0, found.t1),
        (d_r.inflow, d_t0, d_t1)
    );

    let (value, pullback) = inside_fixed::vjp(&y0, &r, 0.1, 2.0);
    let (d_y0, d_r, d_t0, d_t1) = pullback(ct.clone());
    let (y, pullback) = rk4_vjp::<react, _, _>(&y0[..], 0.1, 2.0, &r, 17, Checkpoints::Every(5));
    let again = pullback.clone()(ct.clone());
    assert_eq!((y, again.y0, again.params.rates), (value, d_y0, d_r.rates));
    assert_eq!(
        (again.params.inflow, again.t0, again.t1),
        (d_r.inflow, d_t0, d_t1)
    );
    assert_eq!(pullback(vec![0.0; 2]).params.rates, [0.0, 0.0]);
}

#[differentiable]
fn grow(_t: f64, y: &f64, k: &f64) -> f64 {
    k * y
}

#[test]
fn numbers_and_errors() {
    let (y, pullback) =
        dopri5_vjp::<grow, f64, f64>(&2.0, 0.0, 1.0, &0.5, &Options::default()).unwrap();
    let found = pullback(1.0);
    let e = 0.5f64.exp();
    assert!(
        (y - 2.0 * e).abs() < 1e-6
            && (found.params - 2.0 * e).abs() < 1e-5
            && (found.y0 - e).abs() < 1e-6
    );
    let failed = dopri5_vjp::<grow, f64, f64>(&f64::NAN, 0.0, 1.0, &0.5, &Options::default());
    assert_eq!(failed.err(), Some(OdeError::NotFinite { t: 0.0 }));
}
