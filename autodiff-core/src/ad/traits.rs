//! The traits every differentiable value implements.
//!
//! For a value of type `T` three companion types exist:
//!
//! | type | what it is | `f64` | `Vec<f64>` | `struct P { a: f64, n: usize }` |
//! |---|---|---|---|---|
//! | [`Differentiable::Tangent`] | what users see: gradients, directions | `f64` | `Vec<f64>` | `PTangent { a: f64, n: () }` |
//! | [`Ct<T>`] = `Adj<T, On>` | a cotangent inside generated code; may be lazily zero | `f64` | `Vec<f64>` | `PAdj<On> { a: f64, n: NoGrad }` |
//! | [`Differentiable::Proto`] | what a zero cotangent needs to be made from | `()` | `Vec<()>` | `__PProto { a: (), n: () }` |

use super::mode::{Mode, On};
use super::spot::{Part, Seek, Way};
use super::sums::{Factor, SquareSum};

/// The accumulator type of `T` in mode `M`.
pub type Adj<T, M> = <T as Differentiable>::Adj<M>;

/// The cotangent type of `T`.
pub type Ct<T> = <T as Differentiable>::Adj<On>;

/// A value that generated code can carry derivatives for.
///
/// Implemented for `f32`, `f64`, tensors, arrays, slices, `Vec`, tuples, `Option`, `Result` (whose
/// error has no derivative), `Box`, and by `#[derive(Differentiable)]` for structs and enums. Integers, `bool`, `char` and strings implement it
/// with the tangent `()`: they are discrete and have no derivative.
///
/// Not implemented for references, so that blanket methods reach the value through any number of
/// them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry a derivative",
    note = "a value used in a `#[differentiable]` function must be a float, an integer, a tensor, an array, a slice, a `Vec`, a tuple, or a type with `#[derive(Differentiable)]`",
    note = "fields of any type can be `#[constant]` in a type with the derive, which `#[constant]` parameters need too; an expression without a gradient goes into `no_grad!`"
)]
pub trait Differentiable {
    /// A direction in the space of `Self`, and the form gradients are returned in.
    type Tangent: Tangent;
    /// What must be known of a value to make a zero cotangent for it.
    type Proto: Clone;
    /// The accumulator for cotangents in mode `M`.
    type Adj<M: Mode>: Acc<Self> + Clone;
    /// Of what the methods of an `impl` block have gradients: [`On`] of each differentiable argument, [`Off`](super::Off),
    /// as modules have it, of `self` alone and what is marked `#[wrt]`.
    type Others: Mode;

    /// Notes what a zero cotangent needs.
    fn proto(&self) -> Self::Proto;
    /// The zero cotangent of a value with this prototype.
    fn zero_ct(proto: &Self::Proto) -> Ct<Self>;
    /// The accumulator of a value after its first cotangent: the zero cotangent and `ct`, in the memory of `ct` where there
    /// is some.
    #[doc(hidden)]
    #[inline(always)]
    fn first(proto: &Self::Proto, ct: Ct<Self>) -> Ct<Self>
    where
        Ct<Self>: Sized,
    {
        let mut all = Self::zero_ct(proto);
        all.acc(ct);
        all
    }
    /// [`first`](Self::first) of every entry of a sequence.
    #[doc(hidden)]
    #[inline]
    fn first_of_all(protos: &[Self::Proto], cts: Vec<Ct<Self>>) -> Vec<Ct<Self>>
    where
        Self: Sized,
    {
        let mut protos = protos.iter();
        let first = |ct| Self::first(protos.next().expect("as many prototypes as entries"), ct);
        cts.into_iter().map(first).collect()
    }
    /// A zero accumulator for this value in mode `M`.
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M>;
    /// The zero tangent.
    fn zero_tangent(&self) -> Self::Tangent;
    /// Turns a cotangent into the form that users see.
    fn finish(proto: &Self::Proto, ct: Ct<Self>) -> Self::Tangent;
    /// [`finish`](Self::finish) of the cotangent of this value: a value that is at hand needs no prototype.
    #[doc(hidden)]
    #[inline(always)]
    fn finish_here(&self, ct: Ct<Self>) -> Self::Tangent {
        Self::finish(&self.proto(), ct)
    }
    /// [`finish_here`](Self::finish_here) of every entry of a sequence; the identity where that is free.
    #[doc(hidden)]
    #[inline]
    fn finish_all_here(values: &[Self], cts: Vec<Ct<Self>>) -> Vec<Self::Tangent>
    where
        Self: Sized,
    {
        let finish = |(value, ct): (&Self, _)| value.finish_here(ct);
        values.iter().zip(cts).map(finish).collect()
    }
    /// [`finish`](Self::finish) of every entry of a sequence; the identity where that is free.
    #[doc(hidden)]
    #[inline]
    fn finish_all(protos: &[Self::Proto], cts: Vec<Ct<Self>>) -> Vec<Self::Tangent>
    where
        Self: Sized,
    {
        let finish = |(proto, ct)| Self::finish(proto, ct);
        protos.iter().zip(cts).map(finish).collect()
    }
    /// [`finish`](Self::finish) of every entry of an array.
    #[doc(hidden)]
    #[inline(always)]
    fn finish_array<const N: usize>(
        protos: &[Self::Proto; N],
        cts: [Ct<Self>; N],
    ) -> [Self::Tangent; N]
    where
        Self: Sized,
    {
        let mut protos = protos.iter();
        cts.map(|ct| Self::finish(protos.next().expect("as many prototypes as entries"), ct))
    }
    /// Turns a tangent given by a user into a cotangent.
    fn start(tangent: Self::Tangent) -> Ct<Self>;
    /// `self += step · tangent`, entry by entry: a step of gradient descent, a finite difference.
    fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent);
    /// `self - other`, as a direction: what finite differences are made of.
    fn difference(&self, other: &Self) -> Self::Tangent;

    /// Whether the part that `seek` looks for is a field or an entry of the value, or further inside.
    #[doc(hidden)]
    fn __seek(&self, seek: &mut Seek) -> bool
    where
        Self: 'static,
    {
        seek.closed::<Self>()
    }
    /// The part of an accumulator on a way that [`__seek`](Self::__seek) wrote down.
    #[doc(hidden)]
    #[inline(always)]
    fn __adj_part<'a, M: Mode, P: Part + ?Sized>(
        _: &'a mut Self::Adj<M>,
        _: &mut Way<'_>,
    ) -> &'a mut P::Adj<M>
    where
        Self: 'static,
    {
        unreachable!("a way into what has no parts")
    }
    /// The part of a tangent.
    #[doc(hidden)]
    #[inline(always)]
    fn __tangent_part<'a, P: Part + ?Sized>(_: &'a Self::Tangent, _: &mut Way<'_>) -> &'a P::Tangent
    where
        Self: 'static,
    {
        unreachable!("a way into what has no parts")
    }
    /// The part of a tangent, to be written.
    #[doc(hidden)]
    #[inline(always)]
    fn __tangent_part_mut<'a, P: Part + ?Sized>(
        _: &'a mut Self::Tangent,
        _: &mut Way<'_>,
    ) -> &'a mut P::Tangent
    where
        Self: 'static,
    {
        unreachable!("a way into what has no parts")
    }
}

/// A leaf of the structure of accumulators: a scalar or a tensor.
pub trait Leaf: Differentiable {
    /// The accumulator of the leaf when it is active.
    type LeafAdj: Acc<Self> + Clone;
    /// A zero accumulator.
    fn zero_leaf(&self) -> Self::LeafAdj;
}

/// An accumulator for cotangents of `T`.
pub trait Acc<T: Differentiable + ?Sized> {
    /// Whether what is added is kept.
    const ON: bool;
    /// Adds a cotangent.
    fn acc(&mut self, ct: Ct<T>);
}

/// A vector space: tangents can be added, scaled and multiplied with one another.
pub trait Tangent: Clone {
    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `factor · self`.
    fn scale(self, factor: f64) -> Self;
    /// The inner product, accumulated in `f64`.
    fn dot(&self, other: &Self) -> f64;
    /// A tangent of the same structure whose entries come from `next`, in order.
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self;
    /// Shows every entry to `entry`, in the order of [`fill_with`](Self::fill_with).
    fn each(&self, entry: &mut dyn FnMut(f64));
    /// Adds the squares of the entries. Tensors add theirs on the device where they are.
    fn add_squares(&self, to: &mut SquareSum) {
        to.add(self.dot(self));
    }
    /// As [`scale`](Self::scale), by a factor that a device may hold. A type with tensors inside passes it on to each of them:
    /// it is also how [`clip_grad_norm`](crate::optim::clip_grad_norm) and `vmap!(#[batched] ..)` reach them.
    fn scale_by(self, factor: &Factor<'_>) -> Self {
        self.scale(factor.number())
    }
}

/// A tangent that `#[derive(Differentiable)]` wrote.
#[doc(hidden)]
pub trait DerivedTangent: Tangent {}

/// The methods of [`Tangent`] for the tangents of derived types, which the prelude brings along by the name `Tangent`.
///
/// Those of other types would stand in the way of methods of the same names that others gave them, such as `dot` of
/// vectors: for these, import [`ad::Tangent`](Tangent).
pub trait TangentMethods: Sized {
    /// `self + other`, as the operator.
    fn add(self, other: Self) -> Self;
    /// `factor · self`, as the operator.
    fn scale(self, factor: f64) -> Self;
    /// The inner product, accumulated in `f64`.
    fn dot(&self, other: &Self) -> f64;
    /// The root of the inner product with itself.
    fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }
}

impl<T: DerivedTangent> TangentMethods for T {
    #[inline]
    fn add(self, other: Self) -> Self {
        Tangent::add(self, other)
    }
    #[inline]
    fn scale(self, factor: f64) -> Self {
        Tangent::scale(self, factor)
    }
    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        Tangent::dot(self, other)
    }
}
