//! What layers and networks have in common: named parameters.

use super::Path;
use crate::ad::Differentiable;
use crate::device::{Cpu, Device, Dims, Float};
use crate::shape::Shape;
use crate::tensor::{Raw, Tensor};

/// A value with named parameters that can be trained, saved and loaded.
///
/// `#[derive(Differentiable, Module)]` implements it for a struct of layers, tensors, floats,
/// arrays, `Vec`s, tuples and `Option`s of those. A parameter is named by the fields that lead to
/// it: `hidden.weight`, `blocks.3.norm.scale`. Fields of discrete types, and those marked
/// `#[constant]`, are no parameters.
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

    /// The number of trainable numbers.
    fn param_count(&self) -> usize {
        struct Count(usize);
        impl Visitor for Count {
            fn param<T: Float, D: Device>(&mut self, _: &Path, value: &Raw<T, D>) {
                self.0 += value.dims().numel();
            }
        }
        let mut count = Count(0);
        self.visit(&mut Path::default(), &mut count);
        count.0
    }

    /// The names of the parameters.
    fn param_names(&self) -> Vec<String> {
        struct Names(Vec<String>);
        impl Visitor for Names {
            fn param<T: Float, D: Device>(&mut self, name: &Path, _: &Raw<T, D>) {
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
    fn param<T: Float, D: Device>(&mut self, name: &Path, value: &Raw<T, D>);
}

/// Changes the parameters of a [`Module`]; their sizes stay.
pub trait VisitorMut {
    /// Called for each parameter.
    fn param<T: Float, D: Device>(&mut self, name: &Path, value: &mut Raw<T, D>);
}

/// Changes the parameters of a [`Module`] by their gradients.
pub trait VisitorWithGrad {
    /// Called for each parameter; its gradient has the same sizes.
    fn param<T: Float, D: Device>(&mut self, name: &Path, value: &mut Raw<T, D>, grad: &Raw<T, D>);
}

impl<S: Shape, T: Float, D: Device> Module for Tensor<S, T, D> {
    fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
        visitor.param(path, self.raw());
    }
    fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
        visitor.param(path, self.raw_mut());
    }
    fn visit_with_grad<V: VisitorWithGrad>(&mut self, grad: &Self, path: &mut Path, visitor: &mut V) {
        visitor.param(path, self.raw_mut(), grad.raw());
    }
}

/// A scalar is a parameter of rank 0.
macro_rules! scalar {
    ($($t:ty),*) => { $(
        impl Module for $t {
            fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
                visitor.param(path, &rank0(*self));
            }
            fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
                let mut raw = rank0(*self);
                visitor.param(path, &mut raw);
                *self = raw.at(&[]);
            }
            fn visit_with_grad<V: VisitorWithGrad>(&mut self, grad: &$t, path: &mut Path, visitor: &mut V) {
                let mut raw = rank0(*self);
                visitor.param(path, &mut raw, &rank0(*grad));
                *self = raw.at(&[]);
            }
        }
    )* };
}
scalar!(f32, f64);

fn rank0<T: Float>(value: T) -> Raw<T, Cpu> {
    Raw::full(&Cpu, Dims::new(&[]), value)
}

/// Discrete values hold no parameters.
macro_rules! discrete {
    ($($t:ty),*) => { $(
        impl Module for $t {
            fn visit<V: Visitor>(&self, _: &mut Path, _: &mut V) {}
            fn visit_mut<V: VisitorMut>(&mut self, _: &mut Path, _: &mut V) {}
            fn visit_with_grad<V: VisitorWithGrad>(&mut self, _: &(), _: &mut Path, _: &mut V) {}
        }
    )* };
}
discrete!(bool, char, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, String);

/// A sequence of modules: the parts are named by their position.
macro_rules! sequence {
    ($([$($g:tt)*] $t:ty),*) => { $(
        impl<A: Module, $($g)*> Module for $t
        where
            $t: Differentiable<Tangent: AsRef<[A::Tangent]>>,
        {
            fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
                for (i, part) in self.iter().enumerate() {
                    path.enter(i, |path| part.visit(path, visitor));
                }
            }
            fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
                for (i, part) in self.iter_mut().enumerate() {
                    path.enter(i, |path| part.visit_mut(path, visitor));
                }
            }
            fn visit_with_grad<V: VisitorWithGrad>(
                &mut self,
                grad: &Self::Tangent,
                path: &mut Path,
                visitor: &mut V,
            ) {
                for (i, (part, grad)) in self.iter_mut().zip(grad.as_ref()).enumerate() {
                    path.enter(i, |path| part.visit_with_grad(grad, path, visitor));
                }
            }
        }
    )* };
}
sequence!([] Vec<A>, [const N: usize] [A; N]);
