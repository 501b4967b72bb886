//! Normalisation.

use super::elementwise::sum;
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, Storage};
use autodiff_core::device::{BinaryOp, NormShape, UnaryOp};
use autodiff_core::tensor::Raw;

/// `(x − centre)·factor + shift` with numbers for each channel, which is axis 1.
pub fn channels<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    centre: &Array<T>,
    factor: &Array<T>,
    shift: &Array<T>,
) -> Array<T> {
    let made = x.raw.channel_affine(&centre.raw, &factor.raw, &shift.raw);
    let [a, m, f] = [x, centre, factor].map(|x| x.raw.clone());
    let [a2, m2, f2] = [a.clone(), m.clone(), f.clone()];
    let zero = |like: &Storage<T>| Raw::zeros(like.device(), *like.dims());
    tape.one(
        made,
        [x, centre, factor, shift],
        move |ct, wanted| {
            let none = zero(&f);
            let sums = (wanted[1] || wanted[3]).then(|| ct.channel_sums());
            let by_centre =
                |sums: &Storage<T>| Raw::binary_ref(BinaryOp::Mul, sums, &f).unary(UnaryOp::Neg);
            [
                wanted[0].then(|| ct.channel_affine(&none, &f, &none)),
                sums.as_ref().filter(|_| wanted[1]).map(by_centre),
                wanted[2].then(|| a.channel_moments(&m, ct)),
                sums.clone().filter(|_| wanted[3]),
            ]
        },
        move |[t, t_centre, t_factor, t_shift]| {
            let (none, still) = (zero(&f2), zero(&a2));
            let channel = |x: Option<&Storage<T>>| x.unwrap_or(&none).clone();
            let moved = t_centre.is_some() || t_shift.is_some() || t.is_some();
            sum([
                moved.then(|| {
                    let t = t.unwrap_or(&still);
                    t.channel_affine(&channel(t_centre), &f2, &channel(t_shift))
                }),
                t_factor.map(|t| a2.channel_affine(&m2, t, &none)),
            ])
        },
    )
}

/// Rows normalised, as `shape` describes them, then scaled and shifted for each channel.
pub fn rows<T: Number>(
    tape: &Tape,
    shape: NormShape,
    x: &Array<T>,
    scale: &Array<T>,
    shift: &Array<T>,
) -> Array<T> {
    let (made, run) = x.raw.normalise(shape, &scale.raw, &shift.raw);
    let (again, g, dims) = (run.clone(), scale.raw.clone(), *x.dims());
    let g2 = g.clone();
    tape.one(
        made,
        [x, scale, shift],
        move |ct, wanted| {
            let mut wanted = wanted.into_iter();
            run.pullback(&g, ct)
                .map(|part| wanted.next().and_then(|on| on.then_some(part)))
        },
        move |[t, t_scale, t_shift]| {
            let none = Raw::zeros(g2.device(), *g2.dims());
            let still = t.is_none().then(|| Raw::zeros(g2.device(), dims));
            let t = t.or(still.as_ref()).expect("one of the two");
            let [s, b] = [t_scale, t_shift].map(|t| t.unwrap_or(&none));
            again.pushforward(&g2, t, s, b)
        },
    )
}
