//! Methods of `Option` and `Result` that take the value out.

use super::{Acc, Adj, Ct, Differentiable, Mode};

/// The reverse of taking the value: its cotangent goes back into it.
type TakePullback<V, T, M> = fn(Ct<T>, &V, &mut Option<Adj<T, M>>);

/// The reverse of taking the value or another one.
type OrPullback<V, T, M, N> = fn(Ct<T>, &V, &mut Option<Adj<T, M>>, &mut Adj<T, N>);

#[inline(always)]
fn into_value<V, T: Differentiable, M: Mode>(ct: Ct<T>, _: &V, d: &mut Option<Adj<T, M>>) {
    if let Some(d) = d {
        d.acc(ct);
    }
}

#[inline(always)]
fn into_either<V, T: Differentiable, M: Mode, N: Mode>(
    ct: Ct<T>,
    _: &V,
    d: &mut Option<Adj<T, M>>,
    other: &mut Adj<T, N>,
) {
    match d {
        Some(d) => d.acc(ct),
        None => other.acc(ct),
    }
}

/// The value of an `Option` or of a `Result`, if there is one.
#[inline(always)]
pub fn optional<V: OptionMethods>(value: V) -> Option<V::Inner> {
    value.inner().cloned()
}

/// The derivatives of [`optional`](fn@optional).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum optional {}

impl<S> super::Over<S> for optional {
    type Item = optional;
}

/// Its reverse.
type OptionalPullback<T, M> = fn(Option<Ct<T>>, &mut Option<Adj<T, M>>);

impl optional {
    /// Its pullback holds nothing.
    pub const __WEIGHT: usize = 1;
    /// It is one function for all scalars.
    pub const __OVER: bool = true;
    /// The value over any scalar.
    #[inline(always)]
    pub fn __over<V: OptionMethods>(value: V) -> Option<V::Inner> {
        optional(value)
    }
    /// In reverse mode.
    #[inline(always)]
    pub fn __vjp<M: Mode, V: OptionMethods>(
        _: (M,),
        value: V,
    ) -> (Option<V::Inner>, OptionalPullback<V::Inner, M>) {
        (optional(value), |ct, d| {
            if let (Some(ct), Some(d)) = (ct, d) {
                d.acc(ct);
            }
        })
    }
    /// In forward mode.
    #[inline(always)]
    pub fn __jvp<V: OptionMethods, T>(value: V, t: T) -> (Option<V::Inner>, T) {
        (optional(value), t)
    }
}

/// The companions of `unwrap`, `expect`, `unwrap_or` and `unwrap_or_default`.
///
/// The accumulator of a value that is there is `Some`, so it tells which of the two was taken.
pub trait OptionMethods: Sized {
    /// The value that may be there.
    type Inner: Differentiable + Clone;
    /// Its value.
    fn inner(&self) -> Option<&Self::Inner>;
    /// The value, or the panic of `unwrap`.
    fn unwrapped(&self) -> Self::Inner;

    /// `unwrap` in reverse mode.
    #[inline(always)]
    fn __unwrap_vjp<M: Mode>(&self, _: (M,)) -> (Self::Inner, TakePullback<Self, Self::Inner, M>) {
        (self.unwrapped(), into_value::<Self, Self::Inner, M>)
    }
    /// `unwrap` in forward mode.
    #[inline(always)]
    fn __unwrap_jvp(
        &self,
        t: &Option<<Self::Inner as Differentiable>::Tangent>,
    ) -> (Self::Inner, <Self::Inner as Differentiable>::Tangent) {
        let value = self.unwrapped();
        let t = t.clone().unwrap_or_else(|| value.zero_tangent());
        (value, t)
    }
    /// `expect` in reverse mode.
    #[inline(always)]
    #[allow(clippy::type_complexity)]
    fn __expect_vjp<M: Mode, N: Mode>(
        &self,
        _: (M, N),
        message: &str,
    ) -> (
        Self::Inner,
        fn(Ct<Self::Inner>, &Self, &str, &mut Option<Adj<Self::Inner, M>>, &mut Adj<str, N>),
    ) {
        let value = self.inner().cloned().expect(message);
        (value, |ct, this, _, d, _| {
            into_value::<Self, Self::Inner, M>(ct, this, d)
        })
    }
    /// `expect` in forward mode.
    #[inline(always)]
    fn __expect_jvp(
        &self,
        t: &Option<<Self::Inner as Differentiable>::Tangent>,
        message: &str,
        (): &(),
    ) -> (Self::Inner, <Self::Inner as Differentiable>::Tangent) {
        let value = self.inner().cloned().expect(message);
        let t = t.clone().unwrap_or_else(|| value.zero_tangent());
        (value, t)
    }
    /// `unwrap_or_default` in reverse mode.
    #[inline(always)]
    fn __unwrap_or_default_vjp<M: Mode>(
        &self,
        _: (M,),
    ) -> (Self::Inner, TakePullback<Self, Self::Inner, M>)
    where
        Self::Inner: Default,
    {
        let value = self.inner().cloned().unwrap_or_default();
        (value, into_value::<Self, Self::Inner, M>)
    }
    /// `unwrap_or_default` in forward mode.
    #[inline(always)]
    fn __unwrap_or_default_jvp(
        &self,
        t: &Option<<Self::Inner as Differentiable>::Tangent>,
    ) -> (Self::Inner, <Self::Inner as Differentiable>::Tangent)
    where
        Self::Inner: Default,
    {
        let value = self.inner().cloned().unwrap_or_default();
        let t = t.clone().unwrap_or_else(|| value.zero_tangent());
        (value, t)
    }
    /// `unwrap_or` in reverse mode.
    #[inline(always)]
    fn __unwrap_or_vjp<M: Mode, N: Mode>(
        &self,
        _: (M, N),
        other: Self::Inner,
    ) -> (Self::Inner, OrPullback<Self, Self::Inner, M, N>) {
        let value = self.inner().cloned().unwrap_or(other);
        (value, into_either::<Self, Self::Inner, M, N>)
    }
    /// `unwrap_or` in forward mode.
    #[inline(always)]
    fn __unwrap_or_jvp(
        &self,
        t: &Option<<Self::Inner as Differentiable>::Tangent>,
        other: Self::Inner,
        t_other: <Self::Inner as Differentiable>::Tangent,
    ) -> (Self::Inner, <Self::Inner as Differentiable>::Tangent) {
        match self.inner() {
            Some(value) => {
                let t = t.clone().unwrap_or_else(|| value.zero_tangent());
                (value.clone(), t)
            }
            None => (other, t_other),
        }
    }
}

impl<T: Differentiable + Clone> OptionMethods for Option<T> {
    type Inner = T;
    #[inline(always)]
    fn inner(&self) -> Option<&T> {
        self.as_ref()
    }
    #[inline(always)]
    fn unwrapped(&self) -> T {
        self.clone().unwrap()
    }
}

impl<T: Differentiable + Clone, E: core::fmt::Debug> OptionMethods for Result<T, E> {
    type Inner = T;
    #[inline(always)]
    fn inner(&self) -> Option<&T> {
        self.as_ref().ok()
    }
    #[inline(always)]
    fn unwrapped(&self) -> T {
        self.as_ref().unwrap().clone()
    }
}
