//! Derivatives of higher order, and Jacobians by columns, from companions over duals.
//!
//! The arguments come lifted: the emitted code knows which of them have a gradient.

use super::{Layout, Lower, pool};
use crate::ad::{
    Batch, Ct, Differentiable, DifferentiableFn, Dual, JacobianOutput, Lift, Matrix, Scalar,
};

/// The value of a function that has a gradient: the scalar itself, or a tensor of rank 0.
pub trait ScalarValue<S: Scalar>: Differentiable<Tangent = Self> {
    /// The value with this number, on the default device.
    fn from_scalar(scalar: S) -> Self;
    /// The number.
    fn scalar(&self) -> S;
}

impl<S: Scalar> ScalarValue<S> for S {
    #[inline(always)]
    fn from_scalar(scalar: S) -> S {
        scalar
    }
    #[inline(always)]
    fn scalar(&self) -> S {
        *self
    }
}

/// The value of a function that has a Hessian: a scalar, or a tuple whose first part is one. The other parts are
/// auxiliary values.
pub trait Loss<S: Scalar>: Differentiable + Sized {
    /// The cotangent that is `ct` for the scalar and 0 for the rest, whose shape the value tells.
    fn cotangent(ct: S, value: impl FnOnce() -> Self) -> Self::Tangent;
}

impl<S: Scalar> Loss<S> for S {
    #[inline(always)]
    fn cotangent(ct: S, _: impl FnOnce() -> S) -> S {
        ct
    }
}

macro_rules! with_auxiliary {
    ($(($($T:ident $i:tt),*))*) => { $(
        impl<S: Scalar, L: ScalarValue<S>, $($T: Differentiable),*> Loss<S> for (L, $($T,)*) {
            #[inline(always)]
            fn cotangent(ct: S, value: impl FnOnce() -> Self) -> Self::Tangent {
                let value = value();
                (L::from_scalar(ct), $(value.$i.zero_tangent(),)*)
            }
        }
    )* };
}
with_auxiliary! {
    (A 1) (A 1, B 2) (A 1, B 2, C 3) (A 1, B 2, C 3, D 4) (A 1, B 2, C 3, D 4, E 5)
    (A 1, B 2, C 3, D 4, E 5, G 6) (A 1, B 2, C 3, D 4, E 5, G 6, H 7)
}

/// The cotangent 1 of the value of a function.
#[inline(always)]
pub fn unit<O: ScalarValue<S>, S: Scalar>() -> Ct<O> {
    O::start(O::from_scalar(S::ONE))
}

/// Gives the scalars of the arguments, in order, unit tangents: to the scalar `first + k` the `k`-th.
#[derive(Debug)]
pub struct Seeds<const K: usize> {
    first: usize,
    count: usize,
}

impl<const K: usize> Seeds<K> {
    /// A scalar with the tangents of its place.
    #[inline(always)]
    pub fn seed<S: Scalar>(&mut self, value: S) -> Dual<S, K> {
        let mut seeded = Dual::constant(value);
        // One that comes earlier wraps around, far beyond `K`.
        let k = self.count.wrapping_sub(self.first);
        if k < K {
            seeded.tangents[k] = S::ONE;
        }
        self.count += 1;
        seeded
    }

    /// How many scalars have a unit tangent, once all arguments are lifted.
    #[inline(always)]
    pub fn width(&self) -> usize {
        K.min(self.count - self.first)
    }

    /// How many scalars there are.
    #[inline(always)]
    pub fn columns(&self) -> usize {
        self.count
    }
}

/// Runs `sweep` with `K` unit tangents at a time, until every scalar had its turn; once if there is none. `lift` gets
/// the arguments of the sweep before, whose constants stay what they are.
pub fn sweeps<const K: usize, L>(
    lift: impl Fn(&mut Seeds<K>, Option<L>) -> L,
    mut sweep: impl FnMut(&L, &Seeds<K>),
) -> usize {
    let (mut first, mut last) = (0, None);
    loop {
        let mut seeds = Seeds { first, count: 0 };
        let args = lift(&mut seeds, last);
        sweep(&args, &seeds);
        first += K;
        if first >= seeds.count {
            return seeds.count;
        }
        last = Some(args);
    }
}

/// Writes the first tangents of a scalar.
#[inline(always)]
fn write<S: Scalar, const K: usize>(to: &mut [S], scalar: &Dual<S, K>) {
    match <&mut [S; K]>::try_from(&mut *to) {
        // A copy of a length that the compiler knows.
        Ok(to) => *to = scalar.tangents,
        Err(_) => to.copy_from_slice(&scalar.tangents[..to.len()]),
    }
}

/// How many scalars an output has.
#[inline]
fn rows<O, S: Scalar, const K: usize>(output: &O::Lifted) -> usize
where
    O: Lift<S, Dual<S, K>>,
{
    let mut rows = 0;
    O::visit(output, &mut |_| rows += 1);
    rows
}

/// The tangents of the outputs, with memory for those of all sweeps; for each sweep those of one output after the other.
#[inline]
fn append<O, S: Scalar, const K: usize>(pieces: &mut Vec<S>, output: &O::Lifted, seeds: &Seeds<K>)
where
    O: Lift<S, Dual<S, K>>,
{
    let rows = rows::<O, S, K>(output);
    let mut at = pieces.len();
    if at == 0 {
        *pieces = pool::take(rows * seeds.columns());
    }
    let width = seeds.width();
    pieces.resize(at + rows * width, S::ZERO);
    O::visit(output, &mut |scalar| {
        write(&mut pieces[at..at + width], &scalar);
        at += width;
    });
}

/// The gradient over duals: with tangents in the arguments, its tangents are a product with the Hessian,
/// plus that of `ct` times the gradient.
#[inline(always)]
pub fn product<F, L, S: Scalar, const K: usize>(args: &L, ct: Dual<S, K>) -> L::Tangent
where
    L: Differentiable,
    F: DifferentiableFn<L, Output: Loss<Dual<S, K>>>,
{
    F::vjp(args, F::Output::cotangent(ct, || F::call(args)))
}

/// The same as it is accumulated, for [`along`](super::along).
pub fn product_open<F, L, S: Scalar, const K: usize>(args: &L, ct: Dual<S, K>) -> (L::Proto, Ct<L>)
where
    L: Differentiable,
    F: DifferentiableFn<L, Output: Loss<Dual<S, K>>>,
{
    F::cotangents(args, F::Output::cotangent(ct, || F::call(args)))
}

/// The same inside of another function, which may take many.
#[inline(always)]
pub fn product_within<F, L, S: Scalar, const K: usize>(args: &L, ct: Dual<S, K>) -> L::Tangent
where
    L: Differentiable,
    F: DifferentiableFn<L, Output: Loss<Dual<S, K>>>,
{
    F::vjp_inlined(args, F::Output::cotangent(ct, || F::call(args)))
}

/// The rows of the Hessian, `K` at a time: `part` takes one out of a gradient over duals.
pub fn hessian<F, L, G, S: Scalar, const K: usize>(
    lift: impl Fn(&mut Seeds<K>, Option<L>) -> L,
    part: impl Fn(&L::Tangent, usize) -> G,
) -> Vec<G>
where
    L: Differentiable,
    F: DifferentiableFn<L, Output: Loss<Dual<S, K>>>,
{
    let mut rows = Vec::new();
    sweeps(lift, |args, seeds| {
        let one = F::Output::cotangent(Dual::constant(S::ONE), || F::call(args));
        let gradient = F::vjp(args, one);
        rows.extend((0..seeds.width()).map(|k| part(&gradient, k)));
    });
    rows
}

/// One row of a Jacobian: its numbers are in as many pieces as there were runs.
#[derive(Debug)]
pub struct Row<'a, S> {
    /// One after the other, a piece of each row for each run.
    pieces: &'a [S],
    rows: usize,
    columns: usize,
    lanes: usize,
    row: usize,
    /// What is left of the piece of the last run that was reached.
    piece: core::slice::Iter<'a, S>,
    /// The first column of the run after that.
    first: usize,
}

impl<'a, S: Scalar> Row<'a, S> {
    fn new(pieces: &'a [S], columns: usize, lanes: usize, row: usize) -> Self {
        Row {
            pieces,
            rows: pieces.len().checked_div(columns).unwrap_or(0),
            columns,
            lanes,
            row,
            piece: [].iter(),
            first: 0,
        }
    }

    /// The next number.
    #[inline(always)]
    pub fn entry(&mut self) -> S {
        match self.piece.next() {
            Some(entry) => *entry,
            None => self.next_piece(),
        }
    }

    #[inline]
    fn next_piece(&mut self) -> S {
        let width = self.lanes.min(self.columns - self.first);
        let at = self.first * self.rows + self.row * width;
        self.piece = self.pieces[at..at + width].iter();
        self.first += width;
        *self.piece.next().expect("an entry for each column")
    }
}

/// The Jacobian by forward mode, `K` columns at a time: `fill` makes a row, in the layout of the gradient,
/// of its numbers.
#[inline]
pub fn jacobian_by_columns<'z, N, F, L, O, G, S: Scalar, const K: usize>(
    lift: impl Fn(&mut Seeds<K>, Option<L>) -> L,
    fill: impl Fn(&mut Row<'_, S>) -> G,
) -> <O as JacobianOutput<'z, N, O::Tangent>>::Rows<G>
where
    N: ?Sized,
    L: Differentiable,
    F: DifferentiableFn<L, Output = O::Lifted>,
    O: Lift<S, Dual<S, K>> + Lower<'z, O::Lifted> + JacobianOutput<'z, N, O::Tangent>,
{
    let (mut pieces, mut value) = (Vec::new(), None);
    let columns = sweeps(lift, |args, seeds| {
        let output = F::call(args);
        append::<O, S, K>(&mut pieces, &output, seeds);
        value.get_or_insert_with(|| O::lower(&output));
    });
    let value = value.expect("the function ran at least once");
    let mut row = 0;
    let rows = value.place(&mut || {
        row += 1;
        fill(&mut Row::new(&pieces, columns, K, row - 1))
    });
    pool::put(pieces);
    rows
}

/// The numbers of a tangent, in order.
pub fn entries_of<S: Scalar, T: Lift<S, S>>(
    tangent: &<T::Lifted as Differentiable>::Tangent,
) -> Vec<S> {
    let mut entries = Vec::new();
    T::read(tangent, &mut |x| entries.push(x));
    entries
}

/// The Jacobian inside of another function, by forward mode: as [`jacobian_by_columns`], over any scalar.
#[inline]
pub fn jacobian_within<F, L, O, G, S: Scalar, const K: usize>(
    lift: impl Fn(&mut Seeds<K>, Option<L>) -> L,
    fill: impl Fn(&mut Row<'_, S>) -> G,
) -> <O::Lifted as Layout>::With<G>
where
    L: Differentiable,
    F: DifferentiableFn<L, Output = O::Lifted>,
    O: Lift<S, Dual<S, K>, Lifted: Layout>,
{
    let (mut pieces, mut value) = (Vec::new(), None);
    let columns = sweeps(lift, |args, seeds| {
        let output = F::call(args);
        append::<O, S, K>(&mut pieces, &output, seeds);
        value.get_or_insert(output);
    });
    let mut row = 0;
    let value = value.expect("the function ran at least once");
    let rows = value.with(&mut || {
        row += 1;
        fill(&mut Row::new(&pieces, columns, K, row - 1))
    });
    pool::put(pieces);
    rows
}

/// The value of a function over duals.
#[inline(always)]
pub fn value_within<F: DifferentiableFn<L>, L: Differentiable>(args: &L) -> F::Output {
    F::call(args)
}

/// The gradient of one of the outputs of a function over duals.
#[inline]
pub fn row_within<F, L, O, S: Scalar>(args: &L, row: usize) -> L::Tangent
where
    L: Differentiable,
    F: DifferentiableFn<L, Output = O::Lifted>,
    O: Lift<S, Dual<S>, Lifted: Lift<Dual<S>, Dual<S>>>,
{
    let mut next = 0..;
    let unit = F::call(args).fill(&mut || match next.next() == Some(row) {
        true => Dual::constant(S::ONE),
        false => Dual::constant(S::ZERO),
    });
    F::vjp_inlined(args, unit)
}

/// The Jacobian by forward mode into a slice, row by row.
///
/// # Panics
/// If the slice has another length than the Jacobian has entries.
#[inline]
pub fn dense_by_columns<F, L, O, S: Scalar, const K: usize>(
    to: &mut [S],
    lift: impl Fn(&mut Seeds<K>, Option<L>) -> L,
    columns: usize,
) where
    L: Differentiable,
    F: DifferentiableFn<L, Output = O::Lifted>,
    O: Lift<S, Dual<S, K>>,
{
    let mut rows = 0;
    sweeps(lift, |args, seeds| {
        rows = write_columns::<O, S, K>(to, &F::call(args), seeds);
    });
    if to.len() != rows * columns {
        wrong_length(to.len(), rows, columns);
    }
}

/// The same as a matrix.
#[inline]
pub fn matrix_by_columns<'z, N, F, L, O, S: Scalar, const K: usize>(
    lift: impl Fn(&mut Seeds<K>, Option<L>) -> L,
) -> Matrix<O::Number>
where
    N: ?Sized,
    L: Differentiable,
    F: DifferentiableFn<L, Output = O::Lifted>,
    O: Lift<S, Dual<S, K>> + JacobianOutput<'z, N, O::Tangent>,
{
    let (mut entries, mut count) = (Vec::new(), 0);
    let columns = sweeps(lift, |args, seeds| {
        let output = F::call(args);
        if entries.is_empty() {
            entries = vec![S::ZERO; rows::<O, S, K>(&output) * seeds.columns()];
        }
        count = write_columns::<O, S, K>(&mut entries, &output, seeds);
    });
    let numbers = entries.into_iter().map(|x| O::number(x.to_f64()));
    Matrix::of(count, columns, numbers.collect())
}

/// Writes the tangents of a sweep into their columns: the number of rows.
#[inline]
fn write_columns<O, S: Scalar, const K: usize>(
    to: &mut [S],
    output: &O::Lifted,
    seeds: &Seeds<K>,
) -> usize
where
    O: Lift<S, Dual<S, K>>,
{
    let (width, columns, mut rows) = (seeds.width(), seeds.columns(), 0);
    O::visit(output, &mut |scalar| {
        let at = rows * columns + seeds.first;
        match to.get_mut(at..at + width) {
            Some(to) => write(to, &scalar),
            None => wrong_length(to.len(), rows, columns),
        }
        rows += 1;
    });
    rows
}

/// The Jacobian by reverse mode into a slice, row by row: `write` appends a row.
///
/// # Panics
/// If the slice has another length than the Jacobian has entries.
#[inline]
pub fn dense_by_rows<'z, N, O, G, S: Scalar>(
    to: &mut [S],
    value: &O,
    pullback: impl FnOnce(O::Tangent) -> G + Clone,
    columns: usize,
    read: impl Fn(&G, &mut core::slice::IterMut<'_, S>),
) where
    N: ?Sized,
    O: Differentiable + JacobianOutput<'z, N, O::Tangent>,
{
    let rows = value.count();
    if to.len() != rows * columns {
        wrong_length(to.len(), rows, columns);
    }
    let mut places = to.iter_mut();
    value.rows(|ct| read(&pullback.clone()(ct), &mut places));
}

/// The Jacobian of an output of `N` scalars by one pullback for all rows, into a slice, row by row. `read` takes
/// the entries out of a gradient.
///
/// # Panics
/// If the slice has another length than the Jacobian has entries.
#[inline(always)]
pub fn dense_at_once<F, L, O, S: Scalar, const N: usize>(
    to: &mut [S],
    args: &L,
    columns: usize,
    read: impl Fn(&L::Tangent, &mut dyn FnMut(Batch<S, N>)),
) where
    L: Differentiable,
    F: DifferentiableFn<L, Output = O>,
    O: Lift<Batch<S, N>, Batch<S, N>> + Default,
{
    if to.len() != N * columns {
        wrong_length(to.len(), N, columns);
    }
    let mut lane = 0;
    let units = O::default().fill(&mut || {
        lane += 1;
        Batch::unit(lane - 1)
    });
    let gradient = F::vjp_inlined(args, units);
    let mut column = 0;
    read(&gradient, &mut |entries| {
        for (row, x) in entries.0.into_iter().enumerate() {
            to[row * columns + column] = x;
        }
        column += 1;
    });
}

#[cold]
fn wrong_length(length: usize, rows: usize, columns: usize) -> ! {
    panic!(
        "a Jacobian of at least {rows} rows and {columns} columns does not go into a slice of {length}"
    )
}

/// Whether a Jacobian by rows, in reverse mode, is less work than one by columns.
///
/// Eight columns cost about as much as three and a half runs of the function, a row about two, and one run
/// comes before the rows.
pub fn reverse_is_shorter(rows: usize, columns: usize) -> bool {
    2 * (1 + 2 * rows) < 7 * columns.div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scalar_has_its_turn() {
        for n in 0..20 {
            let mut seen = Vec::new();
            let lift = |seeds: &mut Seeds<4>, last: Option<Vec<_>>| {
                assert_eq!(last.is_none(), seeds.first == 0);
                (0..n).map(|i| seeds.seed(f64::from(i))).collect::<Vec<_>>()
            };
            let all = sweeps(lift, |args, seeds| {
                for k in 0..seeds.width() {
                    let unit = |d: &Dual<f64, 4>| d.tangents[k] == 1.0;
                    assert_eq!(args.iter().filter(|d| unit(d)).count(), 1);
                    seen.extend(args.iter().position(unit));
                }
            });
            assert_eq!(all, n as usize);
            assert_eq!(seen, (0..n as usize).collect::<Vec<_>>());
        }
    }

    #[test]
    fn few_rows_go_by_reverse_mode() {
        assert!(reverse_is_shorter(1, 100));
        assert!(!reverse_is_shorter(100, 1));
        assert!(!reverse_is_shorter(8, 8));
    }
}
