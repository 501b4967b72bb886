//! [`Differentiable`](crate::ad::Differentiable) for matrices: entry by entry.

use super::Real;
use crate::ad::{
    Acc, Adj, Ct, Differentiable, HeapSize, JacobianOutput, Mode, NotBoxed, Tangent, rows_of_units,
};
use crate::interop::rule::Flat;
use core::array::from_fn;
use core::ops::{Index, IndexMut};
use nalgebra::{ArrayStorage, Dim, Dyn, Matrix, SMatrix, VecStorage};

/// The accumulator of a matrix of static size: the entries, column by column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid<A, const R: usize, const C: usize>(pub [[A; R]; C]);

impl<A, const R: usize, const C: usize> Index<(usize, usize)> for Grid<A, R, C> {
    type Output = A;
    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &A {
        &self.0[j][i]
    }
}

impl<A, const R: usize, const C: usize> IndexMut<(usize, usize)> for Grid<A, R, C> {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut A {
        &mut self.0[j][i]
    }
}

impl<A, const R: usize, const C: usize> Index<usize> for Grid<A, R, C> {
    type Output = A;
    #[inline]
    fn index(&self, i: usize) -> &A {
        &self.0.as_flattened()[i]
    }
}

impl<A, const R: usize, const C: usize> IndexMut<usize> for Grid<A, R, C> {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut A {
        &mut self.0.as_flattened_mut()[i]
    }
}

/// A matrix of static size from its columns.
#[inline(always)]
fn matrix<T, const R: usize, const C: usize>(columns: [[T; R]; C]) -> SMatrix<T, R, C> {
    SMatrix::from_array_storage(ArrayStorage(columns))
}

impl<T, const R: usize, const C: usize> NotBoxed for SMatrix<T, R, C> {}

impl<T: Real, const R: usize, const C: usize> HeapSize for SMatrix<T, R, C> {
    fn heap_size(&self) -> usize {
        0
    }
}

impl<T: Real, const R: usize, const C: usize> Differentiable for SMatrix<T, R, C> {
    type Tangent = Self;
    type Proto = ();
    type Adj<M: Mode> = Grid<Adj<T, M>, R, C>;
    type Others = crate::ad::On;

    #[inline(always)]
    fn proto(&self) {}
    #[inline(always)]
    fn zero_ct(_: &()) -> Ct<Self> {
        Grid([[T::zero_ct(&()); R]; C])
    }
    #[inline(always)]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        Grid(from_fn(|j| from_fn(|i| self.data.0[j][i].zero_adj(mode))))
    }
    #[inline(always)]
    fn zero_tangent(&self) -> Self {
        matrix([[T::ZERO; R]; C])
    }
    #[inline(always)]
    fn finish(_: &(), ct: Ct<Self>) -> Self {
        matrix(ct.0.map(|column| column.map(|x| T::finish(&(), x))))
    }
    #[inline(always)]
    fn start(tangent: Self) -> Ct<Self> {
        Grid(tangent.data.0)
    }
    #[inline(always)]
    fn add_scaled(&mut self, step: f64, tangent: &Self) {
        let entries = self.iter_mut().zip(tangent.iter());
        entries.for_each(|(x, t)| x.add_scaled(step, t));
    }
    #[inline(always)]
    fn difference(&self, other: &Self) -> Self {
        self - other
    }
}

impl<T: Real, A: Acc<T>, const R: usize, const C: usize> Acc<SMatrix<T, R, C>> for Grid<A, R, C> {
    const ON: bool = A::ON;
    #[inline(always)]
    fn acc(&mut self, ct: Ct<SMatrix<T, R, C>>) {
        for (column, cts) in self.0.iter_mut().zip(ct.0) {
            for (d, ct) in column.iter_mut().zip(cts) {
                d.acc(ct);
            }
        }
    }
}

impl<T: Real, const R: usize, const C: usize> Flat for SMatrix<T, R, C> {
    #[inline(always)]
    fn flat(ct: Ct<Self>) -> Self {
        matrix(ct.0)
    }
}

impl<T: Real, const R: usize, const C: usize> Tangent for SMatrix<T, R, C> {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self.map(|x| Tangent::scale(x, factor))
    }
    #[inline(always)]
    fn dot(&self, other: &Self) -> f64 {
        let entries = self.iter().zip(other.iter());
        entries.map(|(a, b)| Tangent::dot(a, b)).sum()
    }
    #[inline]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        self.map(|x| Tangent::fill_with(&x, next))
    }
    #[inline]
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        self.iter().for_each(|x| Tangent::each(x, entry));
    }
}

/// A row for each entry, column by column.
impl<'z, F: ?Sized, T: Real + JacobianOutput<'z, F, T>, const R: usize, const C: usize>
    JacobianOutput<'z, F, SMatrix<T, R, C>> for SMatrix<T, R, C>
{
    type Number = T;
    type Rows<G> = [[G; R]; C];
    fn number(x: f64) -> T {
        T::lit(x)
    }
    #[inline]
    fn count(&self) -> usize {
        R * C
    }
    #[inline]
    fn zero(&self) -> Self {
        self.zero_tangent()
    }
    #[inline]
    fn rows<G>(&self, mut pull: impl FnMut(Self) -> G) -> [[G; R]; C] {
        from_fn(|j| {
            from_fn(|i| {
                let mut ct = self.zero_tangent();
                ct[(i, j)] = T::ONE;
                pull(ct)
            })
        })
    }
    #[inline]
    fn place<G>(&self, next: &mut impl FnMut() -> G) -> [[G; R]; C] {
        from_fn(|_| from_fn(|_| next()))
    }
    #[inline]
    fn each_row<G>(rows: &[[G; R]; C], row: &mut impl FnMut(&G)) {
        rows.as_flattened().iter().for_each(row);
    }
}

/// A matrix or a vector whose number of rows is known at run time, and the accumulator of one.
type OnHeap<A, C> = Matrix<A, Dyn, C, VecStorage<A, Dyn, C>>;

#[inline]
fn on_heap<A, C: Dim>(rows: usize, columns: C, entries: Vec<A>) -> OnHeap<A, C> {
    Matrix::from_data(VecStorage::new(Dyn(rows), columns, entries))
}

/// Entries of two matrices of one shape.
#[track_caller]
fn pairs<'a, A, B, C: Dim>(
    a: &'a OnHeap<A, C>,
    b: &'a OnHeap<B, C>,
) -> impl Iterator<Item = (&'a A, &'a B)> {
    assert_eq!(
        a.shape(),
        b.shape(),
        "a tangent has another shape than its value"
    );
    a.data.as_slice().iter().zip(b.data.as_slice())
}

impl<T, C: Dim> NotBoxed for OnHeap<T, C> {}

impl<T: Real, C: Dim> HeapSize for OnHeap<T, C> {
    fn heap_size(&self) -> usize {
        size_of_val(self.data.as_slice())
    }
}

impl<T: Real, C: Dim> Differentiable for OnHeap<T, C> {
    type Tangent = Self;
    /// The shape.
    type Proto = (usize, C);
    type Adj<M: Mode> = OnHeap<Adj<T, M>, C>;
    type Others = crate::ad::On;

    #[inline]
    fn proto(&self) -> (usize, C) {
        (self.nrows(), self.shape_generic().1)
    }
    #[inline]
    fn zero_ct(&(rows, columns): &(usize, C)) -> Ct<Self> {
        on_heap(rows, columns, vec![T::zero_ct(&()); rows * columns.value()])
    }
    #[inline]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        let (rows, columns) = self.proto();
        let entries = self.data.as_slice().iter().map(|x| x.zero_adj(mode));
        on_heap(rows, columns, entries.collect())
    }
    #[inline]
    fn zero_tangent(&self) -> Self {
        let (rows, columns) = self.proto();
        on_heap(rows, columns, vec![T::ZERO; rows * columns.value()])
    }
    #[inline]
    fn finish(_: &Self::Proto, mut ct: Ct<Self>) -> Self {
        for x in ct.data.as_mut_slice() {
            *x = T::finish(&(), *x);
        }
        ct
    }
    #[inline]
    fn start(tangent: Self) -> Ct<Self> {
        tangent
    }
    #[inline]
    #[track_caller]
    fn add_scaled(&mut self, step: f64, tangent: &Self) {
        assert_eq!(
            self.shape(),
            tangent.shape(),
            "a tangent has another shape than its value"
        );
        let entries = self.data.as_mut_slice().iter_mut();
        let entries = entries.zip(tangent.data.as_slice());
        entries.for_each(|(x, t)| x.add_scaled(step, t));
    }
    #[inline]
    #[track_caller]
    fn difference(&self, other: &Self) -> Self {
        let (rows, columns) = self.proto();
        on_heap(
            rows,
            columns,
            pairs(self, other).map(|(a, b)| *a - *b).collect(),
        )
    }
}

impl<T: Real, A: Acc<T>, C: Dim> Acc<OnHeap<T, C>> for OnHeap<A, C> {
    const ON: bool = A::ON;
    #[inline]
    #[track_caller]
    fn acc(&mut self, ct: OnHeap<T, C>) {
        if A::ON {
            assert_eq!(
                self.shape(),
                ct.shape(),
                "a cotangent has another shape than its value"
            );
            let entries = self.data.as_mut_slice().iter_mut();
            entries
                .zip(ct.data.as_slice())
                .for_each(|(d, ct)| d.acc(*ct));
        }
    }
}

impl<T: Real, C: Dim> Flat for OnHeap<T, C> {
    #[inline(always)]
    fn flat(ct: Self) -> Self {
        ct
    }
}

impl<T: Real, C: Dim> Tangent for OnHeap<T, C> {
    #[inline]
    #[track_caller]
    fn add(mut self, other: Self) -> Self {
        self.add_scaled(1.0, &other);
        self
    }
    #[inline]
    fn scale(mut self, factor: f64) -> Self {
        for x in self.data.as_mut_slice() {
            *x = Tangent::scale(*x, factor);
        }
        self
    }
    #[inline]
    #[track_caller]
    fn dot(&self, other: &Self) -> f64 {
        pairs(self, other).map(|(a, b)| Tangent::dot(a, b)).sum()
    }
    #[inline]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        let (rows, columns) = self.proto();
        let entries = self
            .data
            .as_slice()
            .iter()
            .map(|x| Tangent::fill_with(x, next));
        on_heap(rows, columns, entries.collect())
    }
    #[inline]
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        let entries = self.data.as_slice().iter();
        entries.for_each(|x| Tangent::each(x, entry));
    }
}

/// A row for each entry, column by column.
impl<'z, F: ?Sized, T: Real + JacobianOutput<'z, F, T>, C: Dim> JacobianOutput<'z, F, OnHeap<T, C>>
    for OnHeap<T, C>
{
    type Number = T;
    type Rows<G> = Vec<G>;
    fn number(x: f64) -> T {
        T::lit(x)
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn zero(&self) -> Self {
        self.zero_tangent()
    }
    fn rows<G>(&self, pull: impl FnMut(Self) -> G) -> Vec<G> {
        rows_of_units(self.len(), &self.zero_tangent(), pull)
    }
    fn place<G>(&self, next: &mut impl FnMut() -> G) -> Vec<G> {
        (0..self.len()).map(|_| next()).collect()
    }
    fn each_row<G>(rows: &Vec<G>, row: &mut impl FnMut(&G)) {
        rows.iter().for_each(row);
    }
}
