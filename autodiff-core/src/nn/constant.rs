//! Fields marked `#[constant]`, as `#[derive(Module)]` visits them.
//!
//! The derive does not know their types. Those that are modules have the inherent methods below, which rustc prefers;
//! the others, options of any type, have those of [`NotKept`], which do nothing.

use super::{Module, Path, Visitor, VisitorMut};

/// A field.
pub struct Constant<'a, T: ?Sized>(pub &'a T);
/// A field to change.
pub struct ConstantMut<'a, T: ?Sized>(pub &'a mut T);

impl<M: Module> Constant<'_, M> {
    /// Shows its tensors to the visitor.
    pub fn visit<V: Visitor>(self, path: &mut Path, visitor: &mut V) {
        self.0.visit_buffers(true, path, visitor);
    }
}

impl<M: Module> ConstantMut<'_, M> {
    /// Lets the visitor change its tensors.
    pub fn visit_mut<V: VisitorMut>(self, path: &mut Path, visitor: &mut V) {
        self.0.visit_buffers_mut(true, path, visitor);
    }
}

/// Holds no tensors.
pub trait NotKept: Sized {
    /// Does nothing.
    fn visit<V: Visitor>(self, _: &mut Path, _: &mut V) {}
    /// Does nothing.
    fn visit_mut<V: VisitorMut>(self, _: &mut Path, _: &mut V) {}
}
impl<T: ?Sized> NotKept for Constant<'_, T> {}
impl<T: ?Sized> NotKept for ConstantMut<'_, T> {}
