//! What a region takes, and what it keeps of it.

use crate::ad::{Acc, Adj, Differentiable, Mode};
use crate::device::{Backend, Dims, Float, Operand};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

/// What a region takes: a tensor, or a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be combined with tensors element by element",
    note = "operands are tensors of one element type and device, and numbers of that type"
)]
pub trait RegionInput<T: Float, D: Backend>: Differentiable + Sized {
    /// For reading.
    fn operand(&self) -> Operand<'_, T, D>;
    /// A tangent, for reading.
    fn tangent(t: &Self::Tangent) -> Operand<'_, T, D>;
    /// The sizes, and the names of the run-time dimensions.
    fn extent(&self) -> (Dims, &'static [&'static str]);
    /// The device, if there is one.
    fn device(&self) -> Option<&D>;
    /// What the pullback reads of it.
    fn keep(&self) -> Kept<T, D>;
    /// The sizes of a cotangent.
    fn dims(proto: &Self::Proto) -> Dims;
    /// Adds a cotangent.
    #[track_caller]
    fn give<M: Mode>(proto: &Self::Proto, ct: Raw<T, D>, d: &mut Adj<Self, M>);
    /// The buffer, if nobody else has it and a result of these sizes fits in.
    fn into_buffer(self, dims: &Dims) -> Result<Raw<T, D>, Self>;
}

/// A value that is kept for the pullback; it shares the buffer.
#[derive(Clone, Debug)]
pub enum Kept<T: Float, D: Backend> {
    /// Not read.
    Nothing,
    /// A number.
    Number(T),
    /// The elements of a tensor.
    Elements(Raw<T, D>),
}

impl<T: Float, D: Backend> Kept<T, D> {
    /// For reading.
    pub(super) fn operand(&self) -> Operand<'_, T, D> {
        match self {
            Kept::Nothing => Operand::Scalar(T::ZERO),
            Kept::Number(x) => Operand::Scalar(*x),
            Kept::Elements(x) => x.operand(),
        }
    }
}

impl<S: Shape, T: Float, D: Backend> RegionInput<T, D> for Tensor<S, T, D> {
    #[inline]
    fn operand(&self) -> Operand<'_, T, D> {
        self.raw().operand()
    }
    #[inline]
    fn tangent(t: &Self) -> Operand<'_, T, D> {
        t.raw().operand()
    }
    #[inline]
    fn extent(&self) -> (Dims, &'static [&'static str]) {
        (self.dims(), S::NAMES)
    }
    #[inline]
    fn device(&self) -> Option<&D> {
        Some(self.raw().device())
    }
    #[inline]
    fn keep(&self) -> Kept<T, D> {
        Kept::Elements(self.raw().clone())
    }
    #[inline]
    fn dims((shape, _): &(S, D)) -> Dims {
        shape.dims()
    }
    #[inline]
    #[track_caller]
    fn give<M: Mode>((shape, _): &(S, D), ct: Raw<T, D>, d: &mut Adj<Self, M>) {
        d.acc(Tensor::new(*shape, ct).into());
    }
    #[inline]
    fn into_buffer(self, dims: &Dims) -> Result<Raw<T, D>, Self> {
        let shape = self.shape();
        let mut raw = self.into_raw();
        match raw.dims() == dims && raw.is_reusable() {
            true => Ok(raw),
            false => Err(Tensor::new(shape, raw)),
        }
    }
}

impl<T: Float, D: Backend> RegionInput<T, D> for T {
    #[inline]
    fn operand(&self) -> Operand<'_, T, D> {
        Operand::Scalar(*self)
    }
    #[inline]
    fn tangent(t: &T) -> Operand<'_, T, D> {
        Operand::Scalar(*t)
    }
    #[inline]
    fn extent(&self) -> (Dims, &'static [&'static str]) {
        (Dims::SCALAR, &[])
    }
    #[inline]
    fn device(&self) -> Option<&D> {
        None
    }
    #[inline]
    fn keep(&self) -> Kept<T, D> {
        Kept::Number(*self)
    }
    #[inline]
    fn dims(_: &Self::Proto) -> Dims {
        Dims::SCALAR
    }
    #[inline]
    #[track_caller]
    fn give<M: Mode>(_: &Self::Proto, ct: Raw<T, D>, d: &mut Adj<Self, M>) {
        if let Some(d) = M::same::<T>(d) {
            d.acc(ct.cotangents_of_numbers()[0]);
        }
    }
    #[inline]
    fn into_buffer(self, _: &Dims) -> Result<Raw<T, D>, Self> {
        Err(self)
    }
}

/// An operand as the generated code passes it.
#[derive(Debug)]
pub enum Passed<'a, A> {
    /// It is read later.
    Lent(&'a A),
    /// Nothing reads it after the region: the result may be written in its place. Empty once it is.
    Own(Option<A>),
}

/// Lends an operand.
#[inline]
#[track_caller]
pub fn lent<A>(x: &A) -> Passed<'_, A> {
    Passed::Lent(x)
}

/// Gives an operand up.
#[inline]
#[track_caller]
pub fn own<A>(x: A) -> Passed<'static, A> {
    Passed::Own(Some(x))
}

impl<A> Passed<'_, A> {
    /// The operand.
    #[inline]
    pub(super) fn get(&self) -> &A {
        match self {
            Passed::Lent(x) => x,
            Passed::Own(x) => x.as_ref().expect("its buffer has not been taken"),
        }
    }
    /// As [`RegionInput::into_buffer`], of an operand that is given up.
    #[inline]
    #[track_caller]
    pub(super) fn take_buffer<T: Float, D: Backend>(&mut self, dims: &Dims) -> Option<Raw<T, D>>
    where
        A: RegionInput<T, D>,
    {
        let Passed::Own(x) = self else { return None };
        match x.take()?.into_buffer(dims) {
            Ok(raw) => Some(raw),
            Err(own) => {
                *x = Some(own);
                None
            }
        }
    }
}
