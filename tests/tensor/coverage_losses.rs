//! Losses, quantiles and short names, inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch);

type Ragged = Tensor![f64; Batch, 3];

fn ragged(seed: u64) -> Ragged {
    between((Batch(4), Sz), seed, 0.1, 0.9)
}

fn wide(seed: u64) -> Ragged {
    between((Batch(4), Sz), seed, -3.0, 3.0)
}

covered! {
    l1_loss at (wide(1), wide(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.l1_loss(t) }
    huber_loss at (wide(1), wide(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.huber_loss(t, 0.7) }
    smooth_l1_loss at (wide(1), wide(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.smooth_l1_loss(t, 0.7) }
    bce_with_logits at (wide(1), ragged(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.bce_with_logits(t) }
    kl_div at (wide(1), ragged(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] {
        x.log_softmax::<-1>().kl_div(&t.softmax::<-1>())
    }
    t at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3, Batch] { x.t().sin() }
    expand_as at (tensor([0.3, -0.2, 1.1]), ragged(1)) = |b: Tensor![f64; 3], x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        b.expand_as(x) * x
    }
    clamp_min at (wide(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.clamp_min(0.25) * x }
    clamp_max at (wide(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.clamp_max(0.25) * x }
    quantile_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch] { x.quantile_axis::<-1>(0.3) }
    quantile_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 1, 3] { x.quantile_axis_keepdim::<0>(0.9) }
    median_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3] { x.median_axis::<0>() }
    median_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 1] { x.median_axis_keepdim::<1>() }
    masks at (wide(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] {
        (x.is_finite().select(x, &(x * 2.0)) + x.masked_fill(&x.is_nan(), 0.0)).sum()
            + x.masked_fill(&x.is_infinite(), 1.0).sum()
    }
}
