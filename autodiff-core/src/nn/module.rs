//! What layers and networks have in common: named parameters.

use super::{Path, Summary, TorchForm};
use crate::ad::Differentiable;
use crate::device::{Backend, Float};
use crate::tensor::raw::Raw;

/// A value with named parameters that can be trained, saved and loaded.
///
/// `#[derive(Differentiable, Module)]` implements it for a struct or an enum of layers, tensors, floats,
/// arrays, `Vec`s, tuples and `Option`s of those. A parameter is named by the fields that lead to
/// it: `hidden.weight`, `blocks.3.norm.scale`. An enum has the parameters of its variant; checkpoints keep which it
/// is, and a model with another one does not load them. Fields of discrete types, and those marked
/// `#[constant]`, are no parameters. Tensors in fields marked `#[constant]`, running statistics for example,
/// are *buffers*: optimisers do not see them, checkpoints hold them under their names. Numbers there are options,
/// which the program sets.
///
/// The three visiting methods are for code that works on every model, as optimisers do; see
/// [`state`](super::state) and [`load_state`](super::load_state) for reading and writing parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no named parameters",
    note = "add `#[derive(Differentiable, Module)]` to the type, or mark the field `#[constant]`"
)]
pub trait Module: Differentiable {
    /// Shows every parameter to the visitor, in the order of the fields.
    fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V);

    /// Lets the visitor change every parameter.
    fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V);

    /// Lets the visitor change every parameter, knowing its gradient.
    fn visit_with_grad<V: VisitorWithGrad>(
        &mut self,
        grad: &Self::Tangent,
        path: &mut Path,
        visitor: &mut V,
    );

    /// Shows every buffer to the visitor; with `frozen` the value is in a field marked `#[constant]`, and all
    /// its tensors are buffers.
    fn visit_buffers<V: Visitor>(&self, frozen: bool, path: &mut Path, visitor: &mut V) {
        let _ = (frozen, path, visitor);
    }

    /// Lets the visitor change every buffer.
    fn visit_buffers_mut<V: VisitorMut>(&mut self, frozen: bool, path: &mut Path, visitor: &mut V) {
        let _ = (frozen, path, visitor);
    }

    /// The number of trainable numbers.
    fn num_params(&self) -> usize {
        struct Count(usize);
        impl Visitor for Count {
            fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
                self.0 += value.dims().numel();
            }
        }
        let mut count = Count(0);
        self.visit(&mut Path::default(), &mut count);
        count.0
    }

    /// A table of the layers, their shapes and the number of their parameters, to print.
    ///
    /// ```
    /// use differentiable::prelude::*;
    ///
    /// #[module]
    /// struct Net { hidden: Linear<4, 8>, out: Linear<8, 2> }
    ///
    /// let table = Net::new(&mut Seeds::new(0)).summary().to_string();
    /// assert!(table.contains("Linear<4, 8>"), "{table}");
    /// assert!(table.contains("58 parameters"), "{table}");
    /// ```
    fn summary(&self) -> Summary
    where
        Self: Sized,
    {
        Summary::of(self)
    }

    /// The names of the parameters.
    fn param_names(&self) -> Vec<String> {
        struct Names(Vec<String>);
        impl Visitor for Names {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, _: &Raw<T, D>) {
                self.0.push(name.to_string());
            }
        }
        let mut names = Names(Vec::new());
        self.visit(&mut Path::default(), &mut names);
        names.0
    }
}

/// Is shown the parameters of a [`Module`].
pub trait Visitor {
    /// Called for each parameter.
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>);

    /// Called for each enum, before its parameters: the name of the value and that of its variant.
    fn variant(&mut self, name: &Path, variant: &'static str) {
        let _ = (name, variant);
    }

    /// Called for each value that derives `Module`, before its parameters: its name and its type.
    fn module(&mut self, name: &Path, ty: &'static str) {
        let _ = (name, ty);
    }

    /// Called for each field with `#[torch(..)]`, before its parameters: its name and how PyTorch stores it.
    fn torch(&mut self, name: &Path, form: &'static TorchForm) {
        let _ = (name, form);
    }
}

/// Changes the parameters of a [`Module`]; their sizes stay.
pub trait VisitorMut {
    /// Called for each parameter.
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>);

    /// Called for each enum, before its parameters.
    fn variant(&mut self, name: &Path, variant: &'static str) {
        let _ = (name, variant);
    }
}

/// Changes the parameters of a [`Module`] by their gradients.
pub trait VisitorWithGrad {
    /// Called for each parameter; its gradient has the same sizes.
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>, grad: &Raw<T, D>);

    /// Called for each enum, before its parameters.
    fn variant(&mut self, name: &Path, variant: &'static str) {
        let _ = (name, variant);
    }
}
