//! Which outputs have a Jacobian, and its rows.

use super::Differentiable;

/// The output of `F` is made of scalars that can be counted, so that `F::jacobian` exists; `T` is its
/// tangent type.
///
/// A Jacobian has the shape of the output, with a gradient in the place of each scalar: an output
/// `[f64; 2]` has two rows, a `Vec<f64>` as many as it has entries. The lifetime is there for the reason
/// that [`ScalarOutput`](super::ScalarOutput) has one.
#[diagnostic::on_unimplemented(
    message = "the output of `{F}` is not made of scalars that can be counted; use `{F}::vjp`",
    label = "`{Self}` has no rows for a Jacobian",
    note = "scalars have rows, tensors of them, arrays, `Vec`s and tuples of what has rows, values of glam, nalgebra and ndarray, and types with `#[differentiable(higher_order)]`"
)]
pub trait JacobianOutput<'z, F: ?Sized, T> {
    /// The type of the scalars; of a tuple, that of the first part.
    type Number;
    /// A `G` in the place of each scalar.
    type Rows<G>;
    /// The number nearest to `x`.
    fn number(x: f64) -> Self::Number;
    /// How many scalars there are.
    fn count(&self) -> usize;
    /// The zero cotangent.
    fn zero(&self) -> T;
    /// What `pull` makes of the unit cotangents, which are 1 for one scalar and 0 for the others.
    fn rows<G>(&self, pull: impl FnMut(T) -> G) -> Self::Rows<G>;
    /// A `G` for each scalar, in order.
    fn place<G>(&self, next: &mut impl FnMut() -> G) -> Self::Rows<G>;
    /// Shows the `G` of each scalar to `row`, in order.
    fn each_row<G>(rows: &Self::Rows<G>, row: &mut impl FnMut(&G));
}

macro_rules! scalars {
    ($($t:ident)*) => { $(
        impl<F: ?Sized> JacobianOutput<'_, F, $t> for $t {
            type Number = $t;
            type Rows<G> = G;
            #[inline(always)]
            fn number(x: f64) -> $t {
                x as $t
            }
            #[inline(always)]
            fn count(&self) -> usize {
                1
            }
            #[inline(always)]
            fn zero(&self) -> $t {
                0.0
            }
            #[inline(always)]
            fn rows<G>(&self, mut pull: impl FnMut($t) -> G) -> G {
                pull(1.0)
            }
            #[inline(always)]
            fn place<G>(&self, next: &mut impl FnMut() -> G) -> G {
                next()
            }
            #[inline(always)]
            fn each_row<G>(rows: &G, row: &mut impl FnMut(&G)) {
                row(rows);
            }
        }
    )* };
}
scalars!(f32 f64);

impl<'z, F: ?Sized, T, X: JacobianOutput<'z, F, T>, const N: usize> JacobianOutput<'z, F, [T; N]>
    for [X; N]
{
    type Number = X::Number;
    type Rows<G> = [X::Rows<G>; N];
    #[inline(always)]
    fn number(x: f64) -> X::Number {
        X::number(x)
    }
    #[inline(always)]
    fn count(&self) -> usize {
        self.iter().map(X::count).sum()
    }
    #[inline(always)]
    fn zero(&self) -> [T; N] {
        self.each_ref().map(X::zero)
    }
    #[inline(always)]
    fn rows<G>(&self, mut pull: impl FnMut([T; N]) -> G) -> [X::Rows<G>; N] {
        // A loop with one call, into which the pullback is inlined; `from_fn` calls it (1.6 to 1.2 times
        // a Jacobian by hand). An index into `ct` would put it into memory.
        let mut rows = [const { None }; N];
        for (i, (x, row)) in self.iter().zip(&mut rows).enumerate() {
            *row = Some(x.rows(|unit| {
                let (mut ct, mut unit) = (self.zero(), Some(unit));
                for (j, c) in ct.iter_mut().enumerate() {
                    if j == i {
                        unit.take().into_iter().for_each(|unit| *c = unit);
                    }
                }
                pull(ct)
            }));
        }
        rows.map(|row| row.expect("one for each entry"))
    }
    #[inline(always)]
    fn place<G>(&self, next: &mut impl FnMut() -> G) -> [X::Rows<G>; N] {
        self.each_ref().map(|x| x.place(next))
    }
    #[inline(always)]
    fn each_row<G>(rows: &Self::Rows<G>, row: &mut impl FnMut(&G)) {
        rows.iter().for_each(|rows| X::each_row(rows, row));
    }
}

impl<'z, F: ?Sized, T, X: JacobianOutput<'z, F, T>> JacobianOutput<'z, F, Vec<T>> for Vec<X> {
    type Number = X::Number;
    type Rows<G> = Vec<X::Rows<G>>;
    fn number(x: f64) -> X::Number {
        X::number(x)
    }
    fn count(&self) -> usize {
        self.iter().map(X::count).sum()
    }
    fn zero(&self) -> Vec<T> {
        self.iter().map(X::zero).collect()
    }
    fn rows<G>(&self, mut pull: impl FnMut(Vec<T>) -> G) -> Vec<X::Rows<G>> {
        let row = |(i, x): (usize, &X)| {
            x.rows(|unit| {
                let mut ct = self.zero();
                ct[i] = unit;
                pull(ct)
            })
        };
        self.iter().enumerate().map(row).collect()
    }
    fn place<G>(&self, next: &mut impl FnMut() -> G) -> Vec<X::Rows<G>> {
        self.iter().map(|x| x.place(next)).collect()
    }
    fn each_row<G>(rows: &Self::Rows<G>, row: &mut impl FnMut(&G)) {
        rows.iter().for_each(|rows| X::each_row(rows, row));
    }
}

macro_rules! tuples {
    ($(($($T:ident $X:ident $i:tt),*))*) => { $(
        impl<'z, F: ?Sized, $($T, $X: JacobianOutput<'z, F, $T>),*> JacobianOutput<'z, F, ($($T,)*)>
            for ($($X,)*)
        {
            type Number = X0::Number;
            type Rows<G> = ($($X::Rows<G>,)*);
            #[inline(always)]
            fn number(x: f64) -> X0::Number {
                X0::number(x)
            }
            #[inline(always)]
            fn count(&self) -> usize {
                0 $(+ self.$i.count())*
            }
            #[inline(always)]
            fn zero(&self) -> ($($T,)*) {
                ($(self.$i.zero(),)*)
            }
            #[inline(always)]
            fn rows<G>(&self, mut pull: impl FnMut(($($T,)*)) -> G) -> Self::Rows<G> {
                ($(
                    self.$i.rows(|unit| {
                        let mut ct = self.zero();
                        ct.$i = unit;
                        pull(ct)
                    }),
                )*)
            }
            #[inline(always)]
            fn place<G>(&self, next: &mut impl FnMut() -> G) -> Self::Rows<G> {
                ($(self.$i.place(next),)*)
            }
            #[inline(always)]
            fn each_row<G>(rows: &Self::Rows<G>, row: &mut impl FnMut(&G)) {
                $($X::each_row(&rows.$i, row);)*
            }
        }
    )* };
}
tuples! {
    (T0 X0 0)
    (T0 X0 0, T1 X1 1)
    (T0 X0 0, T1 X1 1, T2 X2 2)
    (T0 X0 0, T1 X1 1, T2 X2 2, T3 X3 3)
    (T0 X0 0, T1 X1 1, T2 X2 2, T3 X3 3, T4 X4 4)
    (T0 X0 0, T1 X1 1, T2 X2 2, T3 X3 3, T4 X4 4, T5 X5 5)
}

/// The rows of the Jacobian of a function with this value and this pullback.
#[inline]
pub fn jacobian<'z, F, O, G>(
    value: &O,
    pullback: impl FnOnce(O::Tangent) -> G + Clone,
) -> <O as JacobianOutput<'z, F, O::Tangent>>::Rows<G>
where
    F: ?Sized,
    O: Differentiable + JacobianOutput<'z, F, O::Tangent>,
{
    if !needs_drop(&pullback) {
        return value.rows(|ct| pullback.clone()(ct));
    }
    // It has tapes: the last row takes the pullback itself.
    let (mut left, mut pullback) = (value.count(), Some(pullback));
    value.rows(|ct| {
        left -= 1;
        let pullback = match left {
            0 => pullback.take(),
            _ => pullback.clone(),
        };
        pullback.expect("there are as many rows as were counted")(ct)
    })
}

/// Whether a value holds more than plain numbers.
#[inline(always)]
fn needs_drop<P>(_: &P) -> bool {
    core::mem::needs_drop::<P>()
}
