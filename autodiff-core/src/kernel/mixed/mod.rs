//! The kernels of numbers of mixed precision, [`Mixed`].
//!
//! A buffer of them is a buffer of `f32`, and their kernels are those of `f32`: they read the same memory ([`plain`]).
//! Products of matrices round their operands first ([`product`]); attention and recurrent layers, which have products
//! inside, are compiled once more where a program uses them.
//!
//! Rounding costs a pass over the operands of a product. Sums are in `f32`, as in the units for products of GPUs.

mod numbers;
mod plain;
mod product;

pub(super) use plain::Plain;
pub(super) use product::{conv, conv_input, conv_weight, gemm};

use super::Src;
use super::fused::Output;
use super::fused::run::BlockOp;
use crate::ad::{Half, Mixed};
use core::array::from_fn;

/// Inputs and outputs of a region.
const MOST: usize = 16;

/// As [`fused::run()`](super::fused::run()), with the blocks of `f32`.
pub(super) fn region<H: Half>(
    dims: &[usize],
    inputs: &[Src<'_, Mixed<H>>],
    outputs: &mut [Output<'_, Mixed<H>>],
    cost: usize,
    op: BlockOp<'_, Mixed<H>>,
) {
    let inputs: Vec<_> = inputs.iter().map(|x| x.plain()).collect();
    let outputs = outputs.iter_mut().map(|o| match o {
        Output::Dense(to) => Output::Dense(plain::numbers_mut(to)),
        Output::Sum(to, layout) => Output::Sum(plain::numbers_mut(to), *layout),
    });
    let mut outputs: Vec<_> = outputs.collect();
    let blocks = |n: usize, x: &[&[f32]], y: &mut [&mut [f32]]| {
        let read: [&[Mixed<H>]; MOST] = from_fn(|k| x.get(k).map_or(&[][..], |x| plain::mixed(x)));
        let (inputs, outputs) = (x.len(), y.len());
        let mut parts = y.iter_mut();
        let mut written: [&mut [Mixed<H>]; MOST] = from_fn(|_| match parts.next() {
            Some(y) => plain::mixed_mut(y),
            None => &mut [],
        });
        op(n, &read[..inputs], &mut written[..outputs]);
    };
    <f32 as super::FloatKernels>::region(dims, &inputs, &mut outputs, cost, &blocks);
}
