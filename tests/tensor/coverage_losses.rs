//! Losses, quantiles and short names, inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch, Time);

type Ragged = Tensor![f64; Batch, 3];

fn ragged(seed: u64) -> Ragged {
    between((Batch(4), Sz), seed, 0.1, 0.9)
}

fn wide(seed: u64) -> Ragged {
    between((Batch(4), Sz), seed, -3.0, 3.0)
}

fn paragraphs(seed: u64) -> Tensor![f64; Batch, Time, 3] {
    between((Batch(2), Time(5), Sz), seed, -3.0, 3.0)
}

fn words() -> Tensor![i64; Batch, Time] {
    Tensor::from_slice_with((Batch(2), Time(5)), &[1, 2, 0, 1, 0, 2, 2, 1, 0, 0]).unwrap()
}

fn counts(n: [i64; 2]) -> Tensor![i64; Batch] {
    Tensor::from_slice_with((Batch(2),), &n).unwrap()
}

covered! {
    l1_loss at (wide(1), wide(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.l1_loss(t) }
    huber_loss at (wide(1), wide(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.huber_loss(t, 0.7) }
    smooth_l1_loss at (wide(1), wide(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.smooth_l1_loss(t, 0.7) }
    bce_with_logits at (wide(1), ragged(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.bce_with_logits(t) }
    kl_div at (wide(1), ragged(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] {
        x.log_softmax::<-1>().kl_div(&t.softmax::<-1>())
    }
    bce_loss at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], t: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.bce_loss(t) }
    cross_entropy_of_a_sequence at (paragraphs(1), words()) = |x: Tensor![f64; Batch, Time, 3], y: Tensor![i64; Batch, Time]| -> Tensor![f64;] {
        x.cross_entropy(y)
    }
    cross_entropy_with at (paragraphs(1), words()) = |x: Tensor![f64; Batch, Time, 3], y: Tensor![i64; Batch, Time]| -> Tensor![f64;] {
        x.cross_entropy_with(y, Loss::ignore(0).smoothing(0.1)) + x.cross_entropy_with(y, Loss::weights(&[0.3, 1.0, 2.0]).sum())
    }
    nll_loss at (paragraphs(1), words()) = |x: Tensor![f64; Batch, Time, 3], y: Tensor![i64; Batch, Time]| -> Tensor![f64;] {
        x.sin().nll_loss(y)
    }
    nll_loss_with at (paragraphs(1), words()) = |x: Tensor![f64; Batch, Time, 3], y: Tensor![i64; Batch, Time]| -> Tensor![f64;] {
        let options = Loss::new().ignore(0).weights(&[0.3, 1.0, 2.0]);
        x.sin().nll_loss_with(y, options)
    }
    ctc_loss at (between((Time(5), Batch(2), Sz::<3>), 1, -2.0, 2.0), words(), counts([4, 5]), counts([2, 1]))
        = |x: Tensor![f64; Time, Batch, 3], y: Tensor![i64; Batch, Time], frames: Tensor![i64; Batch], labels: Tensor![i64; Batch]| -> Tensor![f64;] {
            x.ctc_loss(y, frames, labels, Ctc::new())
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
