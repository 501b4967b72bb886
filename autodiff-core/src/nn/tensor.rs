use super::{Module, Path, Visitor, VisitorMut, VisitorWithGrad};
use crate::device::{Backend, Float};
use crate::shape::Shape;
use crate::tensor::Tensor;

impl<S: Shape, T: Float, D: Backend> Module for Tensor<S, T, D> {
    fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
        visitor.param(path, self.raw());
    }
    fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
        visitor.param(path, self.raw_mut());
    }
    fn visit_with_grad<V: VisitorWithGrad>(
        &mut self,
        grad: &Self,
        path: &mut Path,
        visitor: &mut V,
    ) {
        visitor.param(path, self.raw_mut(), grad.raw());
    }
    fn visit_buffers<V: Visitor>(&self, frozen: bool, path: &mut Path, visitor: &mut V) {
        if frozen {
            self.visit(path, visitor);
        }
    }
    fn visit_buffers_mut<V: VisitorMut>(&mut self, frozen: bool, path: &mut Path, visitor: &mut V) {
        if frozen {
            self.visit_mut(path, visitor);
        }
    }
}
