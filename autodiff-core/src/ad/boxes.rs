//! `Box::new(x)` and `*b`.

use super::{Acc, Adj, Ct, Differentiable, Mode};

/// `Box::new`.
#[inline(always)]
pub fn boxed<T>(value: T) -> Box<T> {
    Box::new(value)
}

/// The derivatives of [`boxed`](fn@boxed).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum boxed {}

/// The reverse of putting a value into a box.
type BoxPullback<T, M> = fn(Box<Ct<T>>, &mut Adj<T, M>);

impl boxed {
    /// Its pullback holds nothing.
    pub const __WEIGHT: usize = 1;
    /// In reverse mode.
    #[inline(always)]
    pub fn __vjp<M: Mode, T: Differentiable>(_: (M,), value: T) -> (Box<T>, BoxPullback<T, M>) {
        (Box::new(value), |ct, d| d.acc(*ct))
    }
    /// In forward mode.
    #[inline(always)]
    pub fn __jvp<T: Differentiable>(value: T, t: T::Tangent) -> (Box<T>, Box<T::Tangent>) {
        (Box::new(value), Box::new(t))
    }
}

/// What is in a box, or in the derivative of one.
pub trait Boxed {
    /// What is inside.
    type Inside: ?Sized;
    /// `*b`, read.
    fn __inside(&self) -> &Self::Inside;
    /// `*b`, written.
    fn __inside_mut(&mut self) -> &mut Self::Inside;
}

impl<T: ?Sized> Boxed for Box<T> {
    type Inside = T;
    #[inline(always)]
    fn __inside(&self) -> &T {
        self
    }
    #[inline(always)]
    fn __inside_mut(&mut self) -> &mut T {
        self
    }
}

/// The derivative of a `Box<[T]>` is that of the slice.
impl<T> Boxed for Vec<T> {
    type Inside = Vec<T>;
    #[inline(always)]
    fn __inside(&self) -> &Self {
        self
    }
    #[inline(always)]
    fn __inside_mut(&mut self) -> &mut Self {
        self
    }
}
