//! Scales and shifts of another size, layers of other features.
use differentiable::prelude::*;

fn norms(x: Tensor![4, 6, 3], two: Tensor![2], six: Tensor![6]) {
    let _ = x.layer_norm(&six, &six, 1e-5);
    let _ = x.rms_norm(&two, 1e-5);
    let _ = x.group_norm::<2>(&two, &two, 1e-5);
    let _ = x.instance_norm(&two, &two, 1e-5);
    let _ = x.batch_norm(&two, &two, 1e-5);
}

fn layers(x: Tensor![4, 6], table: Tensor![10], i: Tensor![i64; 4]) {
    let _ = x.affine(&Tensor::<shape![5, 2]>::zeros(), &Tensor::<shape![2]>::zeros());
    let _ = table.embedding(&i);
}

fn main() {}
