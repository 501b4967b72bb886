//! Convolutions, pooling, interpolation. Images, channels, then one to three axes.

use super::elementwise::sum;
use crate::import::tape::Tape;
use crate::import::value::{Array, Number};
use autodiff_core::device::{Dims, Interpolation, PoolOp, Windows};
use autodiff_core::tensor::Pool;

/// The convolution of `x` with the weights `w`; the sizes are checked by who calls it.
pub fn conv<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    w: &Array<T>,
    windows: Windows,
    groups: usize,
) -> Array<T> {
    let made = x.raw.conv(&w.raw, windows, groups);
    let (a, b) = (x.raw.clone(), w.raw.clone());
    let (a2, b2) = (a.clone(), b.clone());
    tape.one(
        made,
        [x, w],
        move |ct, wanted| {
            [
                wanted[0].then(|| ct.conv_input(&b, a.dims(), windows, groups)),
                wanted[1].then(|| ct.conv_weight(&a, b.dims(), windows, groups)),
            ]
        },
        move |[s, t]| {
            sum([
                s.map(|s| s.conv(&b2, windows, groups)),
                t.map(|t| a2.conv(t, windows, groups)),
            ])
        },
    )
}

/// The transposed convolution of `x` with the weights `w`, of sizes `dims`.
pub fn conv_transpose<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    w: &Array<T>,
    dims: Dims,
    windows: Windows,
    groups: usize,
) -> Array<T> {
    let made = x.raw.conv_input(&w.raw, &dims, windows, groups);
    let (a, b) = (x.raw.clone(), w.raw.clone());
    let (a2, b2) = (a.clone(), b.clone());
    tape.one(
        made,
        [x, w],
        move |ct, wanted| {
            [
                wanted[0].then(|| ct.conv(&b, windows, groups)),
                wanted[1].then(|| a.conv_weight(ct, b.dims(), windows, groups)),
            ]
        },
        move |[s, t]| {
            sum([
                s.map(|s| s.conv_input(&b2, &dims, windows, groups)),
                t.map(|t| a2.conv_input(t, &dims, windows, groups)),
            ])
        },
    )
}

/// Pooling over sliding windows.
pub fn pool<T: Number>(tape: &Tape, op: PoolOp, x: &Array<T>, windows: Windows) -> Array<T> {
    let how = Pool::Sliding(windows);
    let (a, a2) = (x.raw.clone(), x.raw.clone());
    tape.map(
        x.raw.pool(op, how),
        x,
        move |ct| ct.pool_pullback(op, how, &a),
        move |t| a2.pool_pushforward(op, how, t),
    )
}

/// The last `axes` axes, one or two, brought to the sizes `to`.
pub fn resample<T: Number>(
    tape: &Tape,
    by: Interpolation,
    x: &Array<T>,
    to: Dims,
    axes: usize,
) -> Array<T> {
    let from = *x.dims();
    tape.map(
        x.raw.resample(by, to, axes),
        x,
        move |ct| ct.resample_pullback(by, from, axes),
        move |t| t.resample(by, to, axes),
    )
}
