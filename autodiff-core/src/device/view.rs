//! Operands: parts of buffers.

use super::{Backend, Elem, Layout};

/// A tensor to read.
pub struct View<'a, T: Elem, D: Backend> {
    /// The whole buffer.
    pub buf: &'a D::Buf<T>,
    /// Which of its elements.
    pub layout: Layout,
}

impl<T: Elem, D: Backend> Clone for View<'_, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Elem, D: Backend> Copy for View<'_, T, D> {}

/// A tensor to write.
pub struct ViewMut<'a, T: Elem, D: Backend> {
    /// The whole buffer.
    pub buf: &'a mut D::Buf<T>,
    /// Which of its elements.
    pub layout: Layout,
}

/// An operand of an elementwise operation.
pub enum Operand<'a, T: Elem, D: Backend> {
    /// A tensor, which is broadcast to the output's sizes.
    View(View<'a, T, D>),
    /// One number.
    Scalar(T),
    /// The previous contents of the output: the operation runs in place.
    Output,
}

impl<T: Elem, D: Backend> Clone for Operand<'_, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Elem, D: Backend> Copy for Operand<'_, T, D> {}
