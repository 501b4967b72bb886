//! Sizes and strides of a tensor of any rank up to 6, kept inline.

use core::fmt;
use core::ops::Deref;

/// The largest rank.
pub const MAX_RANK: usize = 6;

/// The sizes of a tensor's axes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dims {
    rank: u8,
    sizes: [usize; MAX_RANK],
}

impl Dims {
    /// The sizes of a scalar: no axes.
    pub const SCALAR: Dims = Dims {
        rank: 0,
        sizes: [0; MAX_RANK],
    };

    /// The given sizes, at most [`MAX_RANK`] of them.
    #[inline]
    pub const fn new(sizes: &[usize]) -> Dims {
        assert!(sizes.len() <= MAX_RANK, "a tensor has at most 6 axes");
        let mut d = Dims {
            rank: sizes.len() as u8,
            sizes: [0; MAX_RANK],
        };
        let mut i = 0;
        while i < sizes.len() {
            d.sizes[i] = sizes[i];
            i += 1;
        }
        d
    }

    /// The number of axes.
    #[inline]
    pub const fn rank(&self) -> usize {
        self.rank as usize
    }

    /// The number of elements.
    ///
    /// # Panics
    /// If there are more than a `usize` counts.
    #[inline]
    pub fn numel(&self) -> usize {
        match self.checked_numel() {
            Some(n) => n,
            None => self.too_many(),
        }
    }

    /// The number of elements, if a `usize` counts them.
    #[inline]
    pub fn checked_numel(&self) -> Option<usize> {
        let product = |n: usize, &size: &usize| n.checked_mul(size);
        match self.iter().try_fold(1, product) {
            None if self.contains(&0) => Some(0),
            n => n,
        }
    }

    #[cold]
    #[inline(never)]
    fn too_many(&self) -> ! {
        panic!("a tensor of shape {self:?} has more elements than a `usize` counts")
    }

    /// The sizes as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[usize] {
        &self.sizes[..self.rank()]
    }

    /// The same sizes with axis `axis` replaced.
    #[must_use]
    pub fn with(mut self, axis: usize, size: usize) -> Dims {
        assert!(axis < self.rank(), "no axis {axis} in {self:?}");
        self.sizes[axis] = size;
        self
    }

    /// The same sizes with one more axis at position `axis`.
    #[must_use]
    pub fn insert(&self, axis: usize, size: usize) -> Dims {
        assert!(
            axis <= self.rank() && self.rank() < MAX_RANK,
            "cannot insert axis {axis} into {self:?}"
        );
        let mut d = *self;
        d.sizes.copy_within(axis..self.rank(), axis + 1);
        d.sizes[axis] = size;
        d.rank += 1;
        d
    }

    /// The same sizes without axis `axis`.
    #[must_use]
    pub fn remove(&self, axis: usize) -> Dims {
        assert!(axis < self.rank(), "no axis {axis} in {self:?}");
        let mut d = *self;
        d.sizes.copy_within(axis + 1.., axis);
        d.rank -= 1;
        let rank = d.rank();
        d.sizes[rank..].fill(0);
        d
    }

    /// The joint shape of two shapes aligned at their last axes; sizes must agree or be 1.
    pub fn broadcast(&self, other: &Dims) -> Option<Dims> {
        let (long, short) = if self.rank() >= other.rank() {
            (self, other)
        } else {
            (other, self)
        };
        let mut d = *long;
        let shift = long.rank() - short.rank();
        for (i, &s) in short.iter().enumerate() {
            let l = &mut d.sizes[i + shift];
            if *l == 1 {
                *l = s;
            } else if s != *l && s != 1 {
                return None;
            }
        }
        Some(d)
    }
}

impl Deref for Dims {
    type Target = [usize];
    #[inline]
    fn deref(&self) -> &[usize] {
        self.as_slice()
    }
}

impl From<&[usize]> for Dims {
    fn from(sizes: &[usize]) -> Self {
        Dims::new(sizes)
    }
}

impl<const N: usize> From<[usize; N]> for Dims {
    fn from(sizes: [usize; N]) -> Self {
        Dims::new(&sizes)
    }
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_slice(), f)
    }
}

/// Where the elements of a tensor lie in its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    dims: Dims,
    strides: [usize; MAX_RANK],
    offset: usize,
}

impl Layout {
    /// Row-major, without gaps, from the start of the buffer.
    #[inline]
    pub fn dense(dims: Dims) -> Layout {
        let mut strides = [0; MAX_RANK];
        let mut step = 1_usize;
        for i in (0..dims.rank()).rev() {
            strides[i] = step;
            // Beside an axis of size 0 the others may be of any size.
            step = step.wrapping_mul(dims[i]);
        }
        Layout {
            dims,
            strides,
            offset: 0,
        }
    }

    /// Sizes.
    #[inline]
    pub fn dims(&self) -> &Dims {
        &self.dims
    }

    /// Steps between neighbours along each axis, in elements; 0 along an expanded axis.
    #[inline]
    pub fn strides(&self) -> &[usize] {
        &self.strides[..self.dims.rank()]
    }

    /// The position of the first element.
    #[inline]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The same steps from another first element.
    #[inline]
    pub(crate) fn at(mut self, offset: usize) -> Layout {
        self.offset = offset;
        self
    }

    /// With a further first axis.
    pub(crate) fn outer(&self, size: usize, stride: usize) -> Layout {
        let mut l = self.unsqueeze(0);
        l.dims = l.dims.with(0, size);
        l.strides[0] = stride;
        if l.numel() == 0 {
            // Nothing is read, and an offset past the buffer's end must not matter.
            l.offset = 0;
        }
        l
    }

    /// The number of elements.
    #[inline]
    pub fn numel(&self) -> usize {
        self.dims.numel()
    }

    /// Whether the elements lie in row-major order without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        let mut step = 1;
        for i in (0..self.dims.rank()).rev() {
            let n = self.dims[i];
            if n == 0 {
                return true;
            }
            if n != 1 && self.strides[i] != step {
                return false;
            }
            step *= n;
        }
        true
    }

    /// One past the last element used, or the offset where there is none.
    pub fn end(&self) -> usize {
        if self.numel() == 0 {
            return self.offset;
        }
        let last: usize = self
            .dims
            .iter()
            .zip(&self.strides)
            .map(|(n, s)| (n - 1) * s)
            .sum();
        self.offset + last + 1
    }

    /// Two axes exchanged.
    #[must_use]
    pub fn transpose(mut self, i: usize, j: usize) -> Layout {
        assert!(
            i < self.dims.rank() && j < self.dims.rank(),
            "no axes {i}, {j} in {:?}",
            self.dims
        );
        self.dims.sizes.swap(i, j);
        self.strides.swap(i, j);
        self
    }

    /// Axis `i` of the result is axis `order[i]`.
    #[must_use]
    pub fn permute(&self, order: &[usize]) -> Layout {
        assert_eq!(order.len(), self.dims.rank(), "one entry for each axis");
        let mut l = *self;
        let mut seen = [false; MAX_RANK];
        for (i, &o) in order.iter().enumerate() {
            assert!(
                !core::mem::replace(&mut seen[o], true),
                "axis {o} twice in a permutation"
            );
            l.dims.sizes[i] = self.dims[o];
            l.strides[i] = self.strides[o];
        }
        l
    }

    /// Entries `start .. start + len` along `axis`.
    #[must_use]
    pub fn slice(mut self, axis: usize, start: usize, len: usize) -> Layout {
        let n = self.dims[axis];
        assert!(
            start <= n && len <= n - start,
            "{start}..{start}+{len} is not within axis {axis} of size {n}"
        );
        self.offset += start * self.strides[axis];
        self.dims.sizes[axis] = len;
        if self.numel() == 0 {
            // Nothing is read, and an offset past the buffer's end must not matter.
            self.offset = 0;
        }
        self
    }

    /// A new axis of size 1 before axis `axis`.
    #[must_use]
    pub fn unsqueeze(&self, axis: usize) -> Layout {
        let mut l = *self;
        l.dims = self.dims.insert(axis, 1);
        l.strides.copy_within(axis..self.dims.rank(), axis + 1);
        l.strides[axis] = 0;
        l
    }

    /// Without axis `axis`, which must have size 1.
    #[must_use]
    pub fn squeeze(&self, axis: usize) -> Layout {
        assert_eq!(
            self.dims[axis], 1,
            "axis {axis} of {:?} is not of size 1",
            self.dims
        );
        let mut l = *self;
        l.dims = self.dims.remove(axis);
        l.strides.copy_within(axis + 1.., axis);
        l
    }

    /// Broadcast to `dims`: missing leading axes and axes of size 1 are repeated, with stride 0.
    #[must_use]
    pub fn expand(&self, dims: &Dims) -> Layout {
        if self.dims == *dims {
            return *self;
        }
        let (r, n) = (self.dims.rank(), dims.rank());
        assert!(r <= n, "cannot expand {:?} to {dims:?}", self.dims);
        let mut l = Layout {
            dims: *dims,
            strides: [0; MAX_RANK],
            offset: self.offset,
        };
        for i in 0..r {
            let (have, want) = (self.dims[i], dims[i + n - r]);
            assert!(
                have == want || have == 1,
                "cannot expand {:?} to {dims:?}",
                self.dims
            );
            l.strides[i + n - r] = if have == want { self.strides[i] } else { 0 };
        }
        l
    }

    /// The same elements in another shape, where strides can express it.
    pub fn reshape(&self, dims: Dims) -> Option<Layout> {
        assert_eq!(
            self.numel(),
            dims.numel(),
            "cannot reshape {:?} to {dims:?}",
            self.dims
        );
        if dims == self.dims {
            return Some(*self);
        }
        if self.is_contiguous() || self.numel() == 0 {
            let mut l = Layout::dense(dims);
            l.offset = self.offset;
            return Some(l);
        }
        self.split_and_merge(dims)
    }

    /// As [`reshape`](Self::reshape), of elements that lie apart. Axes that follow each other without a gap are one run of
    /// elements; the axes of the new shape must divide the runs. Where all entries of an axis are one element there is no such
    /// view.
    fn split_and_merge(&self, dims: Dims) -> Option<Layout> {
        let mut to = Layout::dense(dims);
        to.offset = self.offset;
        // How many elements each run has, and the step from one to the next.
        let (mut runs, mut count) = ([(1, 1); MAX_RANK], 0);
        for (&size, &stride) in self.dims.iter().zip(self.strides()) {
            if size == 1 {
                continue;
            }
            if stride == 0 {
                return None;
            }
            match runs[..count].last_mut() {
                Some(run) if run.1 == stride * size => *run = (run.0 * size, stride),
                _ => {
                    runs[count] = (size, stride);
                    count += 1;
                }
            }
        }
        let (mut left, mut step) = (1, 1);
        for axis in (0..dims.rank()).rev() {
            if left == 1 && count > 0 {
                count -= 1;
                (left, step) = runs[count];
            }
            if left % dims[axis] != 0 {
                return None;
            }
            to.strides[axis] = step;
            step *= dims[axis];
            left /= dims[axis];
        }
        Some(to)
    }
}

// Views that only some operations need.
impl Layout {
    /// Every `step`-th entry along `axis`, from the first.
    #[must_use]
    pub fn every(mut self, axis: usize, step: usize) -> Layout {
        self.dims.sizes[axis] = self.dims[axis].div_ceil(step);
        self.strides[axis] *= step;
        self
    }

    /// Windows of `size` entries along `axis`, each `step` after the last: `axis` counts the windows, and a
    /// new last axis their entries. Windows may overlap, so this is for reading.
    #[must_use]
    pub fn windows(self, axis: usize, size: usize, step: usize) -> Layout {
        let n = self.dims[axis];
        assert!(
            0 < size && size <= n,
            "a window of {size} in an axis of {n}"
        );
        let (stride, last) = (self.strides[axis], self.dims.rank());
        let mut l = self.slice(axis, 0, n - size + 1).every(axis, step);
        l.dims = l.dims.insert(last, size);
        l.strides[last] = stride;
        l
    }

    /// The entries with equal positions on axes `i < j`, along `i`; `j` is removed.
    #[must_use]
    pub fn diagonal(&self, i: usize, j: usize) -> Layout {
        assert!(i < j, "a diagonal of axes {i} and {j}");
        assert_eq!(self.dims[i], self.dims[j], "a diagonal of {:?}", self.dims);
        let mut l = *self;
        l.strides[i] += self.strides[j];
        l.dims = self.dims.remove(j);
        l.strides.copy_within(j + 1.., j);
        l
    }

    /// `count` neighbouring axes from `at` on as one, where strides can express it.
    pub fn merge(&self, at: usize, count: usize) -> Option<Layout> {
        let mut l = *self;
        while l.dims.rank() + count > self.dims.rank() + 1 {
            let (a, b) = (at, at + 1);
            let size = l.dims[b];
            // An axis of size 1 has any stride, one of size 0 is never walked.
            let step = if l.dims[a] == 1 || l.dims[a] == 0 || l.strides[a] == l.strides[b] * size {
                l.strides[b]
            } else if size == 1 {
                l.strides[a]
            } else if size == 0 {
                0
            } else {
                return None;
            };
            l.dims = l.dims.remove(b).with(a, l.dims[a] * size);
            l.strides[a] = step;
            l.strides.copy_within(b + 1.., b);
        }
        Some(l)
    }
}
