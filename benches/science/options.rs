//! Black–Scholes: Monte Carlo greeks, implied volatility, second-order greeks.
use crate::Report;
use differentiable::implicit::{ImplicitError, root};
use differentiable::prelude::*;
use std::f64::consts::{FRAC_1_SQRT_2, PI};
use std::hint::black_box;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
enum Kind {
    Call,
    Put,
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Market {
    spot: f64,
    rate: f64,
    vol: f64,
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Contract {
    kind: Kind,
    strike: f64,
    expiry: f64,
}

/// Abramowitz and Stegun have no gradient good enough: W. J. Cody would; a series and a continued fraction will do.
#[differentiable(higher_order)]
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < 2.0 {
        let (mut term, mut sum, mut n) = (x, x, 0);
        while term.abs() > 1e-17 * sum.abs() && n < 200 {
            n += 1;
            term *= -x * x / n as f64;
            sum += term / (2 * n + 1) as f64;
        }
        1.0 - 2.0 / PI.sqrt() * sum
    } else {
        let f = (1..=60).rev().fold(x, |f, k| x + 0.5 * k as f64 / f);
        (-x * x).exp() / (PI.sqrt() * f)
    }
}

#[differentiable(higher_order)]
fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

#[differentiable(higher_order)]
fn price(m: &Market, #[constant] c: &Contract) -> f64 {
    let sd = m.vol * c.expiry.sqrt();
    let d1 = ((m.spot / c.strike).ln() + (m.rate + 0.5 * m.vol * m.vol) * c.expiry) / sd;
    let d2 = d1 - sd;
    let discounted = c.strike * (-m.rate * c.expiry).exp();
    match c.kind {
        Kind::Call => m.spot * cdf(d1) - discounted * cdf(d2),
        Kind::Put => discounted * cdf(-d2) - m.spot * cdf(-d1),
    }
}

#[differentiable]
fn monte_carlo(m: &Market, #[constant] c: &Contract, #[constant] normals: &[f64]) -> f64 {
    let drift = (m.rate - 0.5 * m.vol.powi(2)) * c.expiry;
    let payoff = normals
        .iter()
        .map(|z| m.spot * (drift + m.vol * c.expiry.sqrt() * z).exp())
        .map(|s| match c.kind {
            Kind::Call => (s - c.strike).max(0.0),
            Kind::Put => (c.strike - s).max(0.0),
        })
        .sum::<f64>();
    (-m.rate * c.expiry).exp() * payoff / normals.len() as f64
}

fn bisect(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1e-4, 5.0);
    for _ in 0..80 {
        let mid = 0.5 * (low + high);
        if f(mid) > 0.0 { high = mid } else { low = mid }
    }
    0.5 * (low + high)
}

#[differentiable(higher_order)]
fn implied_vol(
    quote: f64,
    spot: f64,
    rate: f64,
    #[constant] c: &Contract,
) -> Result<f64, ImplicitError> {
    let found = no_grad!(bisect(|vol| price(&Market { spot, rate, vol }, c) - quote));
    root(
        |vol: &f64| {
            price(
                &Market {
                    spot,
                    rate,
                    vol: *vol,
                },
                c,
            ) - quote
        },
        &found,
        1e-9,
    )
}

#[differentiable(higher_order)]
fn vol_or_zero(quote: f64, spot: f64, rate: f64, #[constant] c: &Contract) -> f64 {
    implied_vol(quote, spot, rate, c).unwrap_or(0.0)
}

pub fn measure(report: &mut Report) {
    let c = Contract {
        kind: Kind::Call,
        strike: 105.0,
        expiry: 0.75,
    };
    let m = Market {
        spot: 100.0,
        rate: 0.03,
        vol: 0.25,
    };
    let normals: Vec<f64> = (0..100_000)
        .map(|i| (0.7 * f64::from(i)).sin() * 1.4)
        .collect();
    report.case(
        "options, Monte Carlo with 100 000 paths",
        monte_carlo(&m, &c, &normals),
        || monte_carlo(&m, &c, &normals),
        || monte_carlo::value_and_grad(&m, &c, &normals),
    );
    let put = Contract {
        kind: Kind::Put,
        ..c
    };
    // Numbers that the compiler knows would make a part of the price a constant.
    report.case(
        "options, price of a put",
        price(&m, &put),
        || price(black_box(&m), black_box(&put)),
        || price::value_and_grad(black_box(&m), black_box(&put)),
    );
}
