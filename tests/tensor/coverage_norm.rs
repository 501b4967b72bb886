//! Normalisation inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Rows);

fn filled<S: StaticShape>(seed: u64) -> Tensor<S, f64> {
    between(S::default(), seed, -1.0, 1.0)
}

covered! {
    layer_norm at (between((Rows(3), Sz::<2>, Sz::<5>), 1, -1.0, 1.0), filled::<shape![5]>(2), filled::<shape![5]>(3))
        = |x: Tensor![f64; Rows, 2, 5], scale: Tensor![f64; 5], shift: Tensor![f64; 5]| -> Tensor![f64; Rows, 2, 5] {
            x.layer_norm(scale, shift, 1e-5)
        }
    rms_norm at (filled::<shape![3, 5]>(1), filled::<shape![5]>(2))
        = |x: Tensor![f64; 3, 5], scale: Tensor![f64; 5]| -> Tensor![f64; 3, 5] { x.rms_norm(scale, 1e-6) }
    group_norm at (filled::<shape![3, 4, 2, 3]>(1), filled::<shape![4]>(2), filled::<shape![4]>(3))
        = |x: Tensor![f64; 3, 4, 2, 3], scale: Tensor![f64; 4], shift: Tensor![f64; 4]| -> Tensor![f64; 3, 4, 2, 3] { x.group_norm::<2>(scale, shift, 1e-5) }
    instance_norm at (filled::<shape![3, 4, 2, 3]>(1), filled::<shape![4]>(2), filled::<shape![4]>(3))
        = |x: Tensor![f64; 3, 4, 2, 3], scale: Tensor![f64; 4], shift: Tensor![f64; 4]| -> Tensor![f64; 3, 4, 2, 3] { x.instance_norm(scale, shift, 1e-5) }
    batch_norm at (filled::<shape![3, 4, 2, 3]>(1), filled::<shape![4]>(2), filled::<shape![4]>(3))
        = |x: Tensor![f64; 3, 4, 2, 3], scale: Tensor![f64; 4], shift: Tensor![f64; 4]| -> Tensor![f64; 3, 4, 2, 3] { x.batch_norm(scale, shift, 1e-5) }
    add_channels at (between((Rows(3), Sz::<4>, Sz::<2>), 1, -1.0, 1.0), filled::<shape![4]>(2))
        = |x: Tensor![f64; Rows, 4, 2], bias: Tensor![f64; 4]| -> Tensor![f64; Rows, 4, 2] { x.add_channels(&bias.sin()) * x }
    batch_norm_of_rows at (filled::<shape![7, 4]>(1), filled::<shape![4]>(2), filled::<shape![4]>(3))
        = |x: Tensor![f64; 7, 4], scale: Tensor![f64; 4], shift: Tensor![f64; 4]| -> Tensor![f64; 7, 4] {
            x.batch_norm(scale, shift, 1e-3)
        }
    the_scale_alone at (filled::<shape![5]>(2)) = |scale: Tensor![f64; 5]| -> f64 {
        let x: Tensor![f64; 2, 5] = Tensor::iota();
        let shift: Tensor![f64; 5] = Tensor::zeros();
        let y = x.layer_norm(scale, &shift, 1e-5);
        (&y * &y).sum().item()
    }
}
