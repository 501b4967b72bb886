//! What control flow passes on.

use crate::any::{AnyTensor, map_tangent};
use crate::tuples::each_tuple;
use autodiff_core::ad::{Differentiable, Tangent};
use autodiff_core::device::Elem;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;
use std::cell::RefCell;
use std::rc::Rc;

/// What [`cond`](fn@super::cond) and [`while_loop`](fn@super::while_loop) give: tensors of any elements, and tuples, arrays
/// and `Vec`s of them.
#[diagnostic::on_unimplemented(
    message = "control flow of a graph does not pass on `{Self}`",
    note = "expected tensors, or tuples, arrays and `Vec`s of tensors; what else a body needs it captures"
)]
pub trait Flow: Differentiable + Clone {
    /// Lets `each` change every tensor.
    #[doc(hidden)]
    fn __each(&mut self, each: &mut dyn FnMut(&mut dyn AnyTensor));
}

impl<S: Shape, T: Elem> Flow for Tensor<S, T>
where
    Tensor<S, T>: Differentiable,
{
    fn __each(&mut self, each: &mut dyn FnMut(&mut dyn AnyTensor)) {
        each(self.raw_mut());
    }
}

impl<V: Flow, const N: usize> Flow for [V; N]
where
    [V; N]: Differentiable,
{
    fn __each(&mut self, each: &mut dyn FnMut(&mut dyn AnyTensor)) {
        self.iter_mut().for_each(|v| v.__each(each));
    }
}

impl<V: Flow> Flow for Vec<V>
where
    Vec<V>: Differentiable,
{
    fn __each(&mut self, each: &mut dyn FnMut(&mut dyn AnyTensor)) {
        self.iter_mut().for_each(|v| v.__each(each));
    }
}

macro_rules! tuple {
    ($($V:ident $i:tt),+) => {
        impl<$($V: Flow),+> Flow for ($($V,)+)
        where
            ($($V,)+): Differentiable,
        {
            fn __each(&mut self, each: &mut dyn FnMut(&mut dyn AnyTensor)) {
                $(self.$i.__each(each);)+
            }
        }
    };
}
each_tuple!(8 tuple);

/// What is done with each tensor.
pub(super) type Each = Rc<RefCell<dyn FnMut(&mut dyn AnyTensor)>>;

/// Something made of tensors.
pub(super) trait Leaves: Sized {
    /// Lets `each` change every tensor, in order.
    fn map(self, each: &Each) -> Self;
}

/// The tensors of values.
#[derive(Clone)]
pub(super) struct Values<V>(pub V);

/// The tensors of a tangent or a cotangent.
#[derive(Clone)]
pub(super) struct Tangents<A>(pub A);

impl<V: Flow> Leaves for Values<V> {
    fn map(mut self, each: &Each) -> Self {
        self.0.__each(&mut *each.borrow_mut());
        self
    }
}

impl<A: Tangent> Leaves for Tangents<A> {
    fn map(self, each: &Each) -> Self {
        let each = Rc::clone(each);
        Tangents(map_tangent(self.0, move |x| (each.borrow_mut())(x)))
    }
}

impl<A: Leaves, B: Leaves> Leaves for (A, B) {
    fn map(self, each: &Each) -> Self {
        (self.0.map(each), self.1.map(each))
    }
}

impl<A: Leaves, B: Leaves, C: Leaves> Leaves for (A, B, C) {
    fn map(self, each: &Each) -> Self {
        (self.0.map(each), self.1.map(each), self.2.map(each))
    }
}

/// Changes every tensor; gives what `each` says of them.
pub(super) fn mapped<L: Leaves, R: 'static>(
    of: L,
    mut each: impl FnMut(usize, &mut dyn AnyTensor) -> R + 'static,
) -> (L, Vec<R>) {
    let all = Rc::new(RefCell::new(Vec::new()));
    let said = Rc::clone(&all);
    let each: Each = Rc::new(RefCell::new(move |x: &mut dyn AnyTensor| {
        let mut said = said.borrow_mut();
        let at = said.len();
        said.push(each(at, x));
    }));
    let of = of.map(&each);
    drop(each);
    (of, all.take())
}
