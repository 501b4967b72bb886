//! An exponential moving average of the weights.

use crate::device::{Backend, Float};
use crate::nn::{Module, Path, Visitor, VisitorMut};
use crate::tensor::raw::Raw;
use std::any::Any;

/// `average ← decay · average + (1 − decay) · weights` after each step (Polyak & Juditsky 1992, with exponential weights
/// as in Tarvainen & Valpola 2017). Buffers are those of the module.
pub(super) struct Average<M> {
    pub(super) model: M,
    pub(super) decay: f64,
}

impl<M: Module> Average<M> {
    pub(super) fn update(&mut self, net: &M) {
        let way = net.difference(&self.model);
        self.model.add_scaled(1.0 - self.decay, &way);
        copy_buffers(net, &mut self.model);
    }
}

/// Sets the buffers of a module to those of another one, which has the same.
fn copy_buffers<M: Module>(from: &M, to: &mut M) {
    struct Read(Vec<Box<dyn Any>>);
    impl Visitor for Read {
        fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
            self.0.push(Box::new(value.clone()));
        }
    }
    struct Write(std::vec::IntoIter<Box<dyn Any>>);
    impl VisitorMut for Write {
        fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &mut Raw<T, D>) {
            let read = self.0.next().and_then(|b| b.downcast::<Raw<T, D>>().ok());
            *value = *read.expect("copies of one module have the same buffers");
        }
    }
    let mut read = Read(Vec::new());
    from.visit_buffers(false, &mut Path::default(), &mut read);
    to.visit_buffers_mut(false, &mut Path::default(), &mut Write(read.0.into_iter()));
}
