//! Windows that slide over one, two or three axes: of convolutions and pooling.

/// The windows over the last axes of a tensor.
///
/// Arrays hold three axes; with fewer, the first ones have size 1 and are not moved over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// Entries of a window along each axis.
    pub size: [usize; 3],
    /// The step from window to window.
    pub stride: [usize; 3],
    /// Entries added at both ends of each axis.
    pub pad: [usize; 3],
    /// The step from entry to entry of a window.
    pub dilation: [usize; 3],
}

impl Windows {
    /// The number of windows along an axis of `n` entries.
    ///
    /// # Panics
    /// If not even one fits, or they have no entries.
    pub fn positions(&self, axis: usize, n: usize) -> usize {
        assert!(self.size[axis] > 0, "a window has at least one entry");
        let (reach, room) = (self.reach(axis), n + 2 * self.pad[axis]);
        assert!(
            reach <= room,
            "a window over {reach} entries does not fit an axis of {n} with padding {}",
            self.pad[axis]
        );
        (room - reach) / self.stride[axis] + 1
    }

    /// The number of entries from the first of a window to its last.
    pub fn reach(&self, axis: usize) -> usize {
        self.dilation[axis] * (self.size[axis] - 1) + 1
    }

    /// The entries of a window.
    pub fn volume(&self) -> usize {
        self.size.iter().product()
    }

    /// Whether each window is one entry and each entry one window.
    pub fn is_identity(&self) -> bool {
        self.size == [1; 3] && self.stride == [1; 3] && self.pad == [0; 3]
    }
}

/// A convolution of `images` inputs of `channels` each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvShape {
    /// The number of inputs.
    pub images: usize,
    /// Channels of an input.
    pub channels: usize,
    /// Channels of an output.
    pub out_channels: usize,
    /// Groups of channels that do not see one another.
    pub groups: usize,
    /// The windows.
    pub windows: Windows,
    /// Sizes of the input along the windows' axes.
    pub input: [usize; 3],
    /// Sizes of the output along the windows' axes.
    pub output: [usize; 3],
}

impl ConvShape {
    /// Entries of one channel of the input.
    pub fn input_len(&self) -> usize {
        self.input.iter().product()
    }

    /// Entries of one channel of the output.
    pub fn output_len(&self) -> usize {
        self.output.iter().product()
    }
}

/// What pooling makes of the entries of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolOp {
    /// The largest, of which the first counts in derivatives; NaN if there is one. What padding adds
    /// is never the largest.
    Max,
    /// The sum divided by the size of the window; padding counts as zeros.
    Mean,
}

/// Pooling of `rows` inputs, each with one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolShape {
    /// The number of inputs times their channels.
    pub rows: usize,
    /// The windows; `None` for those that part the input evenly (adaptive pooling).
    pub windows: Option<Windows>,
    /// Sizes of the input.
    pub input: [usize; 3],
    /// Sizes of the output.
    pub output: [usize; 3],
}
