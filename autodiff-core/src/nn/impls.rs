//! Parameters of leaves and of the containers of the standard library.

use super::tuples::each_tuple;
use super::{Module, Path, Visitor, VisitorMut, VisitorWithGrad};
use crate::ad::{MixedBf16, MixedF16};
use crate::device::{Cpu, Float};
use crate::tensor::raw::Raw;
use core::marker::PhantomData;

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
                *self = raw.item();
            }
            fn visit_with_grad<V: VisitorWithGrad>(&mut self, grad: &$t, path: &mut Path, visitor: &mut V) {
                let mut raw = rank0(*self);
                visitor.param(path, &mut raw, &rank0(*grad));
                *self = raw.item();
            }
        }
    )* };
}
scalar!(f32, f64, MixedBf16, MixedF16);

fn rank0<T: Float>(value: T) -> Raw<T, Cpu> {
    Raw::scalar(&Cpu, value)
}

/// Discrete values hold no parameters.
macro_rules! discrete {
    ($([$($g:tt)*] $t:ty),* $(,)?) => { $(
        impl $($g)* Module for $t {
            fn visit<V: Visitor>(&self, _: &mut Path, _: &mut V) {}
            fn visit_mut<V: VisitorMut>(&mut self, _: &mut Path, _: &mut V) {}
            fn visit_with_grad<V: VisitorWithGrad>(&mut self, _: &(), _: &mut Path, _: &mut V) {}
        }
    )* };
}
discrete! {
    [] u8, [] u16, [] u32, [] u64, [] usize,
    [] i8, [] i16, [] i32, [] i64, [] isize,
    [] bool, [] char, [] (), [] String,
    [<T: ?Sized>] PhantomData<T>,
}

/// The parts of a sequence are named by their position.
macro_rules! sequence {
    ($([$($g:tt)*] $t:ty),*) => { $(
        impl<A: Module, $($g)*> Module for $t {
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
                assert_eq!(self.len(), grad.len(), "parts of a module and of its gradient");
                for (i, (part, grad)) in self.iter_mut().zip(grad).enumerate() {
                    path.enter(i, |path| part.visit_with_grad(grad, path, visitor));
                }
            }
            fn visit_buffers<V: Visitor>(&self, frozen: bool, path: &mut Path, visitor: &mut V) {
                for (i, part) in self.iter().enumerate() {
                    path.enter(i, |path| part.visit_buffers(frozen, path, visitor));
                }
            }
            fn visit_buffers_mut<V: VisitorMut>(&mut self, frozen: bool, path: &mut Path, visitor: &mut V) {
                for (i, part) in self.iter_mut().enumerate() {
                    path.enter(i, |path| part.visit_buffers_mut(frozen, path, visitor));
                }
            }
        }
    )* };
}
sequence!([] Vec<A>, [const N: usize] [A; N]);

/// The parts of a tuple are named by their position.
macro_rules! tuple {
    ($(($($i:tt $A:ident),+))*) => { $(
        impl<$($A: Module),+> Module for ($($A,)+) {
            fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
                $(path.enter($i, |path| self.$i.visit(path, visitor));)+
            }
            fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
                $(path.enter($i, |path| self.$i.visit_mut(path, visitor));)+
            }
            fn visit_with_grad<V: VisitorWithGrad>(
                &mut self,
                grad: &Self::Tangent,
                path: &mut Path,
                visitor: &mut V,
            ) {
                $(path.enter($i, |path| self.$i.visit_with_grad(&grad.$i, path, visitor));)+
            }
            fn visit_buffers<V: Visitor>(&self, frozen: bool, path: &mut Path, visitor: &mut V) {
                $(path.enter($i, |path| self.$i.visit_buffers(frozen, path, visitor));)+
            }
            fn visit_buffers_mut<V: VisitorMut>(&mut self, frozen: bool, path: &mut Path, visitor: &mut V) {
                $(path.enter($i, |path| self.$i.visit_buffers_mut(frozen, path, visitor));)+
            }
        }
    )* };
}
each_tuple!(tuple);

/// A part that may be absent has the name of its field.
impl<A: Module> Module for Option<A> {
    fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
        if let Some(part) = self {
            part.visit(path, visitor);
        }
    }
    fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
        if let Some(part) = self {
            part.visit_mut(path, visitor);
        }
    }
    fn visit_with_grad<V: VisitorWithGrad>(
        &mut self,
        grad: &Self::Tangent,
        path: &mut Path,
        visitor: &mut V,
    ) {
        assert_eq!(
            self.is_some(),
            grad.is_some(),
            "a part of a module and of its gradient"
        );
        if let (Some(part), Some(grad)) = (self, grad) {
            part.visit_with_grad(grad, path, visitor);
        }
    }
    fn visit_buffers<V: Visitor>(&self, frozen: bool, path: &mut Path, visitor: &mut V) {
        if let Some(part) = self {
            part.visit_buffers(frozen, path, visitor);
        }
    }
    fn visit_buffers_mut<V: VisitorMut>(&mut self, frozen: bool, path: &mut Path, visitor: &mut V) {
        if let Some(part) = self {
            part.visit_buffers_mut(frozen, path, visitor);
        }
    }
}

impl<A: Module> Module for Box<A> {
    fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
        (**self).visit(path, visitor);
    }
    fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
        (**self).visit_mut(path, visitor);
    }
    fn visit_with_grad<V: VisitorWithGrad>(
        &mut self,
        grad: &Self::Tangent,
        path: &mut Path,
        visitor: &mut V,
    ) {
        (**self).visit_with_grad(grad, path, visitor);
    }
    fn visit_buffers<V: Visitor>(&self, frozen: bool, path: &mut Path, visitor: &mut V) {
        (**self).visit_buffers(frozen, path, visitor);
    }
    fn visit_buffers_mut<V: VisitorMut>(&mut self, frozen: bool, path: &mut Path, visitor: &mut V) {
        (**self).visit_buffers_mut(frozen, path, visitor);
    }
}
