//! Convolutions and pooling of untyped tensors.

use super::Raw;
use crate::device::{ConvShape, Dims, Float, Images, PoolOp, PoolShape, Windows};

/// The last axes as three, the missing ones of size 1.
#[track_caller]
fn spatial(dims: &Dims) -> [usize; 3] {
    let mut out = [1; 3];
    let rank = dims.rank() - 2;
    out[3 - rank..].copy_from_slice(&dims[2..]);
    out
}

/// The sizes of a tensor with the given last axes, of which the `rank` last count.
#[track_caller]
fn sizes(images: usize, channels: usize, last: &[usize; 3], rank: usize) -> Dims {
    let mut dims = vec![images, channels];
    dims.extend_from_slice(&last[3 - rank..]);
    Dims::new(&dims)
}

/// The convolution of an input of sizes `x` with weights of sizes `w`.
///
/// # Panics
/// If the channels do not fit, or the windows do not fit the input.
#[track_caller]
pub fn conv_shape(x: &Dims, w: &Dims, windows: Windows, groups: usize) -> ConvShape {
    let input = spatial(x);
    let output = [0, 1, 2].map(|i| windows.positions(i, input[i]));
    let name = format!("conv{}d", x.rank() - 2);
    assert!(
        x[1] == w[1] * groups,
        "{name}: dimension 1 of the input, the channels, is {}, expected {}: the weight of shape {w:?} takes {} in each of \
         {groups} groups",
        x[1],
        w[1] * groups,
        w[1]
    );
    assert!(
        w[0].is_multiple_of(groups),
        "{name}: dimension 0 of the weight, the output channels, is {}, expected a multiple of the {groups} groups",
        w[0]
    );
    ConvShape {
        images: x[0],
        channels: x[1],
        out_channels: w[0],
        groups,
        windows,
        input,
        output,
    }
}

impl<T: Float, D: Images> Raw<T, D> {
    /// The convolution `out[n, o] = Σ w[o, c] ⋆ self[n, c]`: images, channels, then one to three axes.
    #[must_use]
    #[track_caller]
    pub fn conv(&self, w: &Self, windows: Windows, groups: usize) -> Self {
        let shape = conv_shape(self.dims(), w.dims(), windows, groups);
        let out = sizes(
            shape.images,
            shape.out_channels,
            &shape.output,
            self.dims().rank() - 2,
        );
        let mut out = Raw::unspecified(self.device(), out);
        let (x, w) = (self.clone().contiguous(), w.clone().contiguous());
        self.device()
            .conv(&shape, x.view(), w.view(), out.view_mut());
        out
    }

    /// The cotangent of an input of sizes `x` from that of the output, `self`; also the transposed
    /// convolution.
    #[must_use]
    #[track_caller]
    pub fn conv_input(&self, w: &Self, x: &Dims, windows: Windows, groups: usize) -> Self {
        let shape = conv_shape(x, w.dims(), windows, groups);
        let mut out = Raw::unspecified(self.device(), *x);
        let (ct, w) = (self.clone().contiguous(), w.clone().contiguous());
        self.device()
            .conv_input(&shape, w.view(), ct.view(), out.view_mut());
        out
    }

    /// The cotangent of weights of sizes `w` from that of the output, `self`, and the input.
    #[must_use]
    #[track_caller]
    pub fn conv_weight(&self, x: &Self, w: &Dims, windows: Windows, groups: usize) -> Self {
        let shape = conv_shape(x.dims(), w, windows, groups);
        let mut out = Raw::unspecified(self.device(), *w);
        let (ct, x) = (self.clone().contiguous(), x.clone().contiguous());
        self.device()
            .conv_weight(&shape, x.view(), ct.view(), out.view_mut());
        out
    }

    /// Each window as a column: images, channels times entries of a window, windows.
    #[must_use]
    #[track_caller]
    pub fn unfold_windows(&self, windows: Windows) -> Self {
        let shape = unfolded(self.dims(), windows);
        let rows = shape.channels * windows.volume();
        let mut out = Raw::unspecified(self.device(), [shape.images, rows, shape.output_len()]);
        let x = self.clone().contiguous();
        self.device()
            .unfold_windows(&shape, x.view(), out.view_mut());
        out
    }

    /// The transpose of [`Raw::unfold_windows`] of a tensor of sizes `x`: what overlaps is summed.
    #[must_use]
    #[track_caller]
    pub fn fold_windows(&self, x: &Dims, windows: Windows) -> Self {
        let shape = unfolded(x, windows);
        let mut out = Raw::unspecified(self.device(), *x);
        let matrix = self.clone().contiguous();
        self.device()
            .fold_windows(&shape, matrix.view(), out.view_mut());
        out
    }

    /// Pooling over the axes behind the first two.
    #[must_use]
    #[track_caller]
    pub fn pool(&self, op: PoolOp, how: Pool) -> Self {
        let shape = how.shape(self.dims());
        let mut out = Raw::unspecified(self.device(), how.out(self.dims()));
        let x = self.clone().contiguous();
        self.device().pool(op, &shape, x.view(), out.view_mut());
        out
    }

    /// The cotangent of the input of [`Raw::pool`], `x`, from that of its output, `self`.
    #[must_use]
    #[track_caller]
    pub fn pool_pullback(&self, op: PoolOp, how: Pool, x: &Self) -> Self {
        let shape = how.shape(x.dims());
        let mut out = Raw::unspecified(self.device(), *x.dims());
        let (x, ct) = (x.clone().contiguous(), self.clone().contiguous());
        self.device()
            .pool_pullback(op, &shape, x.view(), ct.view(), out.view_mut());
        out
    }

    /// The tangent of the output of [`Raw::pool`] from that of its input, `t`.
    #[must_use]
    #[track_caller]
    pub fn pool_pushforward(&self, op: PoolOp, how: Pool, t: &Self) -> Self {
        if op == PoolOp::Mean {
            return t.pool(op, how);
        }
        let shape = how.shape(self.dims());
        let mut out = Raw::unspecified(self.device(), how.out(self.dims()));
        let (x, t) = (self.clone().contiguous(), t.clone().contiguous());
        self.device()
            .pool_pushforward(&shape, x.view(), t.view(), out.view_mut());
        out
    }
}

/// An input as that of a convolution without weights.
#[track_caller]
fn unfolded(x: &Dims, windows: Windows) -> ConvShape {
    let input = spatial(x);
    ConvShape {
        images: x[0],
        channels: x[1],
        out_channels: 0,
        groups: 1,
        windows,
        input,
        output: [0, 1, 2].map(|i| windows.positions(i, input[i])),
    }
}

/// Which windows are pooled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// Windows that slide.
    Sliding(Windows),
    /// As many parts of each axis, as even as whole entries allow.
    Parts([usize; 3]),
}

impl Pool {
    fn shape(self, x: &Dims) -> PoolShape {
        let input = spatial(x);
        PoolShape {
            rows: x[0] * x[1],
            windows: match self {
                Pool::Sliding(w) => Some(w),
                Pool::Parts(_) => None,
            },
            input,
            output: self.output(input),
        }
    }

    #[track_caller]
    fn output(self, input: [usize; 3]) -> [usize; 3] {
        match self {
            Pool::Sliding(w) => [0, 1, 2].map(|i| w.positions(i, input[i])),
            Pool::Parts(parts) => parts,
        }
    }

    #[track_caller]
    fn out(self, x: &Dims) -> Dims {
        sizes(x[0], x[1], &self.output(spatial(x)), x.rank() - 2)
    }
}
