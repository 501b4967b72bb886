//! Differentiable functions as types.

use super::{Acc, Ct, Differentiable};

/// A differentiable function, taken as a type: `#[differentiable] fn f` declares a type `f` that
/// implements it.
///
/// `Args` is the tuple of the arguments, owned: `&[f64]` stands there as `Vec<f64>`, `&T` as `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a differentiable function of the arguments `{Args}`",
    note = "annotate it with `#[differentiable]`; the arguments are one tuple, `(x,)` for a single one"
)]
pub trait DifferentiableFn<Args: Differentiable> {
    /// For each argument, whether it has a gradient: a `#[constant]` argument has none. Arguments
    /// beyond the end have one.
    const ACTIVE: &'static [bool] = &[];
    /// What the function returns.
    type Output: Differentiable;
    /// The value.
    fn call(args: &Args) -> Self::Output;
    /// The cotangent of the arguments for a cotangent of the value.
    fn vjp(args: &Args, ct: <Self::Output as Differentiable>::Tangent) -> Args::Tangent;
    /// [`vjp`](Self::vjp), made part of its caller: there the compiler sees what the numbers of the arguments have
    /// in common. For small functions that is most of their time.
    #[doc(hidden)]
    #[inline(always)]
    fn vjp_inlined(args: &Args, ct: <Self::Output as Differentiable>::Tangent) -> Args::Tangent {
        Self::vjp(args, ct)
    }
    /// The cotangent as it is accumulated, with what [`finish`](Differentiable::finish) needs to make that of users
    /// of it.
    #[doc(hidden)]
    fn cotangents(
        args: &Args,
        ct: <Self::Output as Differentiable>::Tangent,
    ) -> (Args::Proto, Ct<Args>) {
        (args.proto(), Args::start(Self::vjp(args, ct)))
    }
    /// The value, and its pullback: it adds to the accumulators of the arguments what a cotangent of the value gives, and
    /// takes the same arguments once more, so that it borrows nothing. Of `#[differentiable]` functions it reads what the
    /// run kept; this default runs the function again.
    ///
    /// ```
    /// use differentiable::ad::{Differentiable, DifferentiableFn, On};
    /// use differentiable::prelude::*;
    ///
    /// #[differentiable]
    /// fn area(width: f64, height: f64) -> f64 {
    ///     width * height
    /// }
    ///
    /// let args = (2.0, 3.0);
    /// let (value, pullback) = <area as DifferentiableFn<_>>::pullback(&args);
    /// let mut sums = args.zero_adj(On);
    /// pullback(&args, 1.0, &mut sums);
    /// assert_eq!((value, sums), (6.0, (3.0, 2.0)));
    /// ```
    #[allow(clippy::type_complexity)] // a pullback has the types of all that it takes
    fn pullback(
        args: &Args,
    ) -> (
        Self::Output,
        impl FnOnce(&Args, Ct<Self::Output>, &mut Ct<Args>) + use<Self, Args>,
    ) {
        let value = Self::call(args);
        let proto = value.proto();
        let pullback = move |args: &Args, ct: Ct<Self::Output>, sums: &mut Ct<Args>| {
            let ct = Self::Output::finish(&proto, ct);
            sums.acc(Args::start(Self::vjp(args, ct)));
        };
        (value, pullback)
    }
    /// The value, and its tangent for a tangent of the arguments.
    fn jvp(
        args: &Args,
        tangent: &Args::Tangent,
    ) -> (Self::Output, <Self::Output as Differentiable>::Tangent);
}

/// The type itself, said by a trait: what is known of a parameter `C: Is<This = T>` is not said of `T`.
#[doc(hidden)]
pub trait Is {
    /// The type itself.
    type This;
    /// The same value.
    fn __same(&self) -> &Self::This;
}

impl<T> Is for T {
    type This = T;
    #[inline(always)]
    fn __same(&self) -> &T {
        self
    }
}
