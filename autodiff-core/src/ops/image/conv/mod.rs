//! Convolutions, pooling and windows as columns.
//!
//! An input has the axes image, channel and one to three more, over which windows slide; weights have
//! the axes output channel, input channel and those of the window. As everywhere in deep learning a
//! "convolution" is a cross-correlation: the window is not flipped.
//!
//! | module | operations |
//! |---|---|
//! | `forward` | `conv1d conv2d conv3d`, with `_grouped` |
//! | `transposed` | `conv_transpose1d conv_transpose2d conv_transpose3d`, with `_grouped` |
//! | `pool` | `max_pool avg_pool`, with `1d 2d 3d`, `adaptive_max_pool2d adaptive_avg_pool2d` |
//! | `columns` | `unfold2d fold2d` |

mod columns;
mod forward;
mod pool;
mod transposed;

use crate::device::Windows;
use crate::shape::Step;

/// One axis of [`Windows`]: size, stride, padding, dilation.
type AxisOf = [usize; 4];

/// A window of `size` that moves as `W` says.
#[track_caller]
fn axis<W: Step>(size: usize) -> AxisOf {
    [size, W::STRIDE, W::PAD, W::DILATION]
}

/// Windows over the last of three axes.
#[track_caller]
fn windows<const N: usize>(axes: [AxisOf; N]) -> Windows {
    let mut all = [[1, 1, 0, 1]; 3];
    all[3 - N..].copy_from_slice(&axes);
    let part = |k: usize| all.map(|a| a[k]);
    Windows {
        size: part(0),
        stride: part(1),
        pad: part(2),
        dilation: part(3),
    }
}
