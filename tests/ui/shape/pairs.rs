//! Pairs of tensors whose sizes do not go together.
use differentiable::prelude::*;

fn elements(x: Tensor![4, 3], y: Tensor![4, 5]) {
    let _ = x.maximum(&y);
    let _ = x.minimum(&y);
    let _ = x.try_add(&y);
    let _ = x.try_sub(&y);
    let _ = x.try_mul(&y);
    let _ = x.try_div(&y);
    let _ = x.eq(&y);
    let _ = x.ne(&y);
    let _ = x.lt(&y);
    let _ = x.le(&y);
    let _ = x.ge(&y);
    let _ = x.try_matmul(&y);
    let _ = x.mse_loss(&y);
}

fn masks(x: Tensor![4, 3], m: Tensor![bool; 4, 3], n: Tensor![bool; 4, 5]) {
    let _ = m.logical_and(&n);
    let _ = m.logical_or(&n);
    let _ = m.logical_xor(&n);
    let _ = x.masked_fill(&n, 0.0);
}

fn ranks(x: Tensor![4, 3], v: Tensor![3]) {
    let _ = x.outer(&v);
    let _ = x.diag();
    let _ = x.diagonal();
    let _ = v.triu(0);
    let _ = x.meshgrid(&v);
    let _ = v.flatten().merge_last();
}

fn main() {}
