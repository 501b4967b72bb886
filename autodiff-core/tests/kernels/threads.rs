//! Results are the same, bit for bit, for any number of threads.

use super::common::*;
use autodiff_core::device::{
    AdamStep, BinaryOp, Cpu, Decay, Random, ReduceOp, Side, SoftmaxOp, UnaryOp,
};
use autodiff_core::tensor::raw::Raw;

fn everything() -> Vec<Vec<f32>> {
    let x = make_f32(&[700, 611], Lie::Dense, 1, -2.0, 2.0);
    let y = make_f32(&[700, 611], Lie::Transposed, 2, 0.5, 2.0);
    let row = make_f32(&[611], Lie::Dense, 3, 0.5, 2.0);
    let targets = make(&[700], Lie::Dense, |i| (i * 7 % 611) as i64);
    let (loss, lse) = x.cross_entropy(&targets).unwrap();
    let m = x.reduce_keepdim(ReduceOp::Max, &[1]);
    let mut p = x.copied();
    let (mut first, mut second) = (x.copied(), y.copied());
    let step = AdamStep {
        lr: 0.1,
        beta1: 0.9,
        beta2: 0.99,
        eps: 1e-8,
        weight_decay: 0.1,
        decay: Decay::Decoupled,
        step: 3,
    };
    p.adam(&step, &y, &mut first, &mut second);
    [
        x.clone().unary(UnaryOp::Tanh),
        Raw::unary_pullback(UnaryOp::Gelu, &x, y.clone()),
        Raw::binary(BinaryOp::Powf, y.clone(), row.clone()),
        Raw::binary_pullback(BinaryOp::Hypot, Side::Left, &y, &row, x.clone()),
        x.reduce_all(ReduceOp::Sum),
        y.reduce_all(ReduceOp::Sum),
        x.reduce_axis(ReduceOp::Sum, 0),
        x.reduce_axis(ReduceOp::Mean, 1),
        y.reduce_axis(ReduceOp::Sum, 0),
        Raw::extreme_pullback(&x, &m, &m),
        x.softmax(SoftmaxOp::Softmax, 1),
        x.softmax(SoftmaxOp::LogSoftmax, 0),
        Raw::softmax_pullback(SoftmaxOp::Softmax, 1, &y, &x),
        loss,
        x.cross_entropy_pullback(&targets, &lse, &Raw::scalar(&Cpu, 1.0)),
        Raw::matmul(&x, &y.transpose(0, 1)),
        Raw::matmul(&x.transpose(0, 1), &y),
        Raw::random(
            &Cpu,
            [100_003],
            Random::Normal {
                mean: 0.0,
                std: 1.0,
            },
            5,
            0,
        ),
        p,
    ]
    .map(|r| r.to_vec())
    .into()
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let with = |n| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(n)
            .build()
            .unwrap()
            .install(everything)
    };
    let one = with(1);
    for n in [2, 3, 7] {
        for (i, (a, b)) in one.iter().zip(with(n)).enumerate() {
            assert!(
                a.iter().zip(&b).all(|(a, b)| a.to_bits() == b.to_bits()),
                "result {i} differs with {n} threads"
            );
        }
    }
}
