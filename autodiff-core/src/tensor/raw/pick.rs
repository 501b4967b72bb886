//! Picks along an axis, and writes through views, on untyped tensors.

use super::Raw;
use crate::device::{Backend, Dims, Elem, Float, Index, IndexError, Layout};

impl<T: Elem, D: Backend> Raw<T, D> {
    /// Every `step`-th entry along `axis`, from the first; shares the buffer.
    #[must_use]
    #[track_caller]
    pub fn every(&self, axis: usize, step: usize) -> Self {
        self.with_layout(self.layout().every(axis, step))
    }

    /// Windows of `size` entries along `axis`, `step` apart, whose entries are a new last axis; shares
    /// the buffer.
    #[must_use]
    #[track_caller]
    pub fn windows(&self, axis: usize, size: usize, step: usize) -> Self {
        self.with_layout(self.layout().windows(axis, size, step))
    }

    /// The entries with equal positions on axes `i < j`, along `i`; shares the buffer.
    #[must_use]
    #[track_caller]
    pub fn diagonal(&self, i: usize, j: usize) -> Self {
        self.with_layout(self.layout().diagonal(i, j))
    }

    /// `count` neighbouring axes from `at` on as one; shares the buffer where strides allow it.
    #[must_use]
    #[track_caller]
    pub fn merge(&self, at: usize, count: usize) -> Self {
        match self.layout().merge(at, count) {
            Some(layout) => self.with_layout(layout),
            None => {
                let copy = self.copied();
                let layout = copy.layout().merge(at, count);
                copy.with_layout(layout.expect("neighbouring axes of a dense tensor merge"))
            }
        }
    }

    /// Zero but for `part`, which stands where `place` says.
    #[must_use]
    #[track_caller]
    pub fn placed(part: &Self, dims: Dims, place: impl FnOnce(Layout) -> Layout) -> Self {
        let mut out = Self::zeros(part.device(), dims);
        let device = part.device().clone();
        let mut view = out.view_mut();
        view.layout = place(view.layout);
        assert_eq!(view.layout.dims(), part.dims(), "the part fits its place");
        device.copy(part.view(), view);
        out
    }

    /// The entries `index` along `axis`.
    #[track_caller]
    pub fn select_axis<I: Index>(
        &self,
        axis: usize,
        index: &Raw<I, D>,
    ) -> Result<Self, IndexError> {
        let x = self.clone().contiguous();
        let mut out = Self::unspecified(self.device(), x.dims().with(axis, index.numel()));
        self.device()
            .select_axis(axis, x.view(), index.view(), out.view_mut())?;
        Ok(out)
    }

    /// Along `axis`, one entry for each of `index`, which has the sizes of the result.
    #[track_caller]
    pub fn take_along<I: Index>(&self, axis: usize, index: &Raw<I, D>) -> Result<Self, IndexError> {
        let x = self.clone().contiguous();
        let mut out = Self::unspecified(self.device(), *index.dims());
        self.device()
            .take_along(axis, x.view(), index.view(), out.view_mut())?;
        Ok(out)
    }

    /// Writes `src` where `index` says along `axis`; of several, the last stays.
    #[track_caller]
    pub fn put_along<I: Index>(
        &mut self,
        axis: usize,
        index: &Raw<I, D>,
        src: &Self,
    ) -> Result<(), IndexError> {
        let src = src.clone().contiguous();
        let device = self.device().clone();
        device.put_along(axis, src.view(), index.view(), self.view_mut())
    }

    /// The lower triangle of each matrix, up to the `k`-th diagonal; with `upper`, the upper one.
    #[must_use]
    #[track_caller]
    pub fn triangle(mut self, upper: bool, k: isize) -> Self {
        let device = self.device().clone();
        device.triangle(upper, k, self.view_mut());
        self
    }

    /// Rows of `n` zeros with a one where `index` says, on a new last axis.
    #[track_caller]
    pub fn one_hot<I: Index>(index: &Raw<I, D>, n: usize) -> Result<Self, IndexError> {
        let dims = index.dims();
        let mut out = Self::zeros(index.device(), dims.insert(dims.rank(), n));
        let ones = Self::full(index.device(), dims.insert(dims.rank(), 1), T::ONE);
        out.put_along(dims.rank(), &index.unsqueeze(dims.rank()), &ones)?;
        Ok(out)
    }

    /// The entries along `axis` in reverse.
    #[must_use]
    #[track_caller]
    pub fn flip(&self, axis: usize) -> Self {
        let last = self.dims()[axis];
        let index: Vec<i64> = (0..last as i64).rev().collect();
        self.select_known(axis, &index)
    }

    /// As [`select_axis`](Raw::select_axis), with positions that are known to be inside.
    #[must_use]
    #[track_caller]
    pub fn select_known(&self, axis: usize, index: &[i64]) -> Self {
        let index = Raw::from_slice(self.device(), [index.len()], index);
        self.select_axis(axis, &index)
            .unwrap_or_else(|e| panic!("a position beyond the axis: {e}"))
    }
}

impl<T: Float, D: Backend> Raw<T, D> {
    /// Adds the entries of `src` to the entries `index` along `axis`.
    #[track_caller]
    pub fn add_axis<I: Index>(
        &mut self,
        axis: usize,
        index: &Raw<I, D>,
        src: &Self,
    ) -> Result<(), IndexError> {
        let src = src.clone().contiguous();
        let device = self.device().clone();
        device.add_axis(axis, src.view(), index.view(), self.view_mut())
    }

    /// Adds `src` where `index` says along `axis`.
    #[track_caller]
    pub fn add_along<I: Index>(
        &mut self,
        axis: usize,
        index: &Raw<I, D>,
        src: &Self,
    ) -> Result<(), IndexError> {
        let src = src.clone().contiguous();
        let device = self.device().clone();
        device.add_along(axis, src.view(), index.view(), self.view_mut())
    }
}
