//! `std::mem::swap` and `replace` of whole variables: values and cotangents change places, and nothing is copied.

use crate::check;
use differentiable::ad::check_hvp;
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn stencil(x: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut next = u.clone();
    for _ in 0..steps {
        for i in 1..u.len() - 1 {
            next[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v * v).sum()
}

#[differentiable]
fn stencil_with_checkpoints(x: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut next = u.clone();
    #[checkpoint]
    for _ in 0..steps {
        for i in 1..u.len() - 1 {
            next[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v * v).sum()
}

#[differentiable(higher_order)]
fn replaced(x: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut total = 0.0;
    for _ in 0..steps {
        let next: Vec<f64> = u.iter().map(|v| 0.9 * v * v).collect();
        let old = std::mem::replace(&mut u, next);
        total += old[0] * u[1];
    }
    total + u[0]
}

#[differentiable]
fn in_branches(x: &[f64], mut a: f64, mut n: usize) -> f64 {
    let mut b = 2.0;
    let mut rows = vec![x.to_vec(), vec![1.0, a]];
    let mut spare = vec![0.5 * a; 3];
    while n > 0 {
        n -= 1;
        if a > b {
            std::mem::swap(&mut a, &mut b);
            continue;
        }
        b *= rows[0][0];
        std::mem::swap(&mut spare, &mut rows[1]);
        if rows[1].len() == 3 && n == 1 {
            break;
        }
    }
    a * b + rows[1].iter().sum::<f64>() + spare[0] * x[1]
}

#[test]
fn a_stencil_between_two_buffers() {
    let x = [0.3, 1.2, -0.4, 0.8, 0.5];
    for steps in [0, 1, 2, 7] {
        check::<stencil, _>(&(x.to_vec(), steps));
        check_hvp::<stencil, f64, _>(&(x.to_vec(), steps)).unwrap();
        let whole = stencil::value_and_grad(&x, steps);
        assert_eq!(whole, stencil_with_checkpoints::value_and_grad(&x, steps));
    }
}

#[test]
fn a_replaced_value_keeps_its_derivative() {
    let x = [0.7, 1.1, -0.6];
    for steps in [0, 1, 4] {
        check::<replaced, _>(&(x.to_vec(), steps));
        check_hvp::<replaced, f64, _>(&(x.to_vec(), steps)).unwrap();
    }
}

#[test]
fn swaps_in_branches_and_of_entries() {
    for a in [1.5, 2.5] {
        for n in 0..6 {
            check::<in_branches, _>(&(vec![0.9, 1.3], a, n));
        }
    }
}
