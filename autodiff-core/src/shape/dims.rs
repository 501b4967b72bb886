//! The sizes of a tensor as the untyped core sees them.

use core::fmt;
use core::ops::Deref;

/// The highest rank of a tensor.
pub const MAX_RANK: usize = 6;

/// The sizes of up to [`MAX_RANK`] axes, without the heap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dims {
    rank: usize,
    size: [usize; MAX_RANK],
}

impl Dims {
    /// From the sizes, outermost first.
    ///
    /// # Panics
    /// If there are more than [`MAX_RANK`].
    pub fn new(sizes: &[usize]) -> Self {
        let mut size = [1; MAX_RANK];
        size[..sizes.len()].copy_from_slice(sizes);
        Dims {
            rank: sizes.len(),
            size,
        }
    }
    /// The sizes, outermost first.
    pub fn as_slice(&self) -> &[usize] {
        &self.size[..self.rank]
    }
    /// The number of elements.
    pub fn numel(&self) -> usize {
        self.as_slice().iter().product()
    }
}

impl Deref for Dims {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        self.as_slice()
    }
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_slice())
    }
}

impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[")?;
        for (i, n) in self.iter().enumerate() {
            if i > 0 {
                write!(f, " × ")?;
            }
            write!(f, "{n}")?;
        }
        write!(f, "]")
    }
}
