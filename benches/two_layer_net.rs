//! One training step of a two-layer network (64 examples, 1000 → 100 → 10, ReLU, squared loss, in
//! f32): forward, backward and update, against the same step written by hand on the same matrix
//! product.
//!
//! `cargo bench -p differentiable --bench two_layer_net`; add `-- --quick` to only check that it runs.

mod support;

use differentiable::prelude::*;
use support::{Effort, assert_close, case, compare};

const EXAMPLES: usize = 64;
const INPUTS: usize = 1000;
const HIDDEN: usize = 100;
const OUTPUTS: usize = 10;
const RATE: f32 = 1e-6;

#[differentiable]
fn loss(
    #[constant] x: &Tensor![64, 1000],
    #[constant] y: &Tensor![64, 10],
    w1: &Tensor![1000, 100],
    w2: &Tensor![100, 10],
) -> Tensor![] {
    let hidden = x.matmul(w1).relu();
    let difference = hidden.matmul(w2) - y;
    (&difference * &difference).sum()
}

/// The step by hand, in buffers that are allocated once.
struct ByHand {
    x: Vec<f32>,
    y: Vec<f32>,
    w1: Vec<f32>,
    w2: Vec<f32>,
    hidden: Vec<f32>,
    difference: Vec<f32>,
    d_hidden: Vec<f32>,
    d_w1: Vec<f32>,
    d_w2: Vec<f32>,
}

impl ByHand {
    fn step(&mut self) -> f32 {
        let Self {
            x,
            y,
            w1,
            w2,
            hidden,
            difference,
            d_hidden,
            d_w1,
            d_w2,
        } = self;
        product(
            EXAMPLES,
            INPUTS,
            HIDDEN,
            (x, INPUTS, 1),
            (w1, HIDDEN, 1),
            hidden,
        );
        for value in hidden.iter_mut() {
            *value = value.max(0.0);
        }
        product(
            EXAMPLES,
            HIDDEN,
            OUTPUTS,
            (hidden, HIDDEN, 1),
            (w2, OUTPUTS, 1),
            difference,
        );
        let mut loss = 0.0;
        for (value, target) in difference.iter_mut().zip(y.iter()) {
            let distance = *value - target;
            loss += distance * distance;
            *value = 2.0 * distance;
        }
        product(
            HIDDEN,
            EXAMPLES,
            OUTPUTS,
            (hidden, 1, HIDDEN),
            (difference, OUTPUTS, 1),
            d_w2,
        );
        product(
            EXAMPLES,
            OUTPUTS,
            HIDDEN,
            (difference, OUTPUTS, 1),
            (w2, 1, OUTPUTS),
            d_hidden,
        );
        for (cotangent, value) in d_hidden.iter_mut().zip(hidden.iter()) {
            if *value <= 0.0 {
                *cotangent = 0.0;
            }
        }
        product(
            INPUTS,
            EXAMPLES,
            HIDDEN,
            (x, 1, INPUTS),
            (d_hidden, HIDDEN, 1),
            d_w1,
        );
        descend(w1, d_w1);
        descend(w2, d_w2);
        loss
    }
}

fn descend(weights: &mut [f32], gradient: &[f32]) {
    for (weight, slope) in weights.iter_mut().zip(gradient) {
        *weight -= RATE * slope;
    }
}

/// A matrix in memory: entries, row stride, column stride.
type Matrix<'a> = (&'a [f32], usize, usize);

/// `out = left · right`, where `left` is m×k, `right` is k×n and `out` is row-major.
fn product(m: usize, k: usize, n: usize, left: Matrix<'_>, right: Matrix<'_>, out: &mut [f32]) {
    assert_eq!(
        (left.0.len(), right.0.len(), out.len()),
        (m * k, k * n, m * n)
    );
    // SAFETY: the lengths are checked above and the strides address exactly these entries.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            n as isize,
            false,
            left.0.as_ptr(),
            left.2 as isize,
            left.1 as isize,
            right.0.as_ptr(),
            right.2 as isize,
            right.1 as isize,
            0.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// Values that look random, the same in every run.
fn values(count: usize, scale: f32, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0) as f32 * scale
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn main() -> Result<(), ShapeError> {
    let x_data = values(EXAMPLES * INPUTS, 1.0, 1);
    let y_data = values(EXAMPLES * OUTPUTS, 1.0, 2);
    let w1_data = values(INPUTS * HIDDEN, 0.05, 3);
    let w2_data = values(HIDDEN * OUTPUTS, 0.1, 4);

    let x: Tensor![64, 1000] = Tensor::from_slice(&x_data)?;
    let y: Tensor![64, 10] = Tensor::from_slice(&y_data)?;
    let mut w1: Tensor![1000, 100] = Tensor::from_slice(&w1_data)?;
    let mut w2: Tensor![100, 10] = Tensor::from_slice(&w2_data)?;
    let mut step = || {
        let (value, (d_w1, d_w2)) = loss::value_and_grad(&x, &y, &w1, &w2);
        w1.add_scaled(-f64::from(RATE), &d_w1);
        w2.add_scaled(-f64::from(RATE), &d_w2);
        value.item()
    };

    let mut by_hand = ByHand {
        x: x_data,
        y: y_data,
        w1: w1_data,
        w2: w2_data,
        hidden: vec![0.0; EXAMPLES * HIDDEN],
        difference: vec![0.0; EXAMPLES * OUTPUTS],
        d_hidden: vec![0.0; EXAMPLES * HIDDEN],
        d_w1: vec![0.0; INPUTS * HIDDEN],
        d_w2: vec![0.0; HIDDEN * OUTPUTS],
    };

    let mut losses = [[0.0; 20]; 2];
    for index in 0..20 {
        losses[0][index] = f64::from(step());
        losses[1][index] = f64::from(by_hand.step());
    }
    assert_close("loss of 20 steps", &losses[0], &losses[1], 1e-4);
    assert!(losses[0][19] < losses[0][0], "the loss does not fall");

    compare(
        Effort::from_args(),
        "two-layer network, one step",
        1.15,
        case("by hand", || by_hand.step()),
        vec![case("#[differentiable]", step)],
    );
    Ok(())
}
