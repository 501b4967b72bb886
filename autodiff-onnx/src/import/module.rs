//! Models as differentiable values and as modules.

use super::model::Model;
use super::weights::{Stored, Weights, WeightsAcc, both, stored};
use autodiff_core::ad::{self, Acc, Ct, Differentiable, Leaf, Mode};
use autodiff_core::device::{BinaryOp, Device, Dims, Elem, Float};
use autodiff_core::nn::{Module, Path, Visitor, VisitorMut, VisitorWithGrad};
use autodiff_core::tensor::Raw;
use std::sync::Arc;

/// What a zero gradient is made of.
#[derive(Clone)]
#[doc(hidden)]
pub struct WeightsProto {
    names: Arc<[String]>,
    forms: Vec<(bool, Dims, Device)>,
}

impl WeightsProto {
    fn zero(&self, i: usize) -> Stored {
        let (double, dims, device) = &self.forms[i];
        match double {
            true => Stored::F64(Raw::zeros(device, *dims)),
            false => Stored::F32(Raw::zeros(device, *dims)),
        }
    }
}

impl<In, Out> ad::NotBoxed for Model<In, Out> {}

impl<In, Out> ad::HeapSize for Model<In, Out> {
    fn heap_size(&self) -> usize {
        let each = |w: &super::model::Weight| stored!(&w.stored, x => x.numel() * size_of_each(x));
        self.weights.iter().map(each).sum()
    }
}

fn size_of_each<T: Elem>(_: &Raw<T, Device>) -> usize {
    size_of::<T>()
}

impl<In, Out> Differentiable for Model<In, Out> {
    type Tangent = Weights;
    type Proto = WeightsProto;
    type Adj<M: Mode> = M::Leaf<Self>;
    type Others = ad::Off;

    fn proto(&self) -> WeightsProto {
        let trained = self.weights.iter().filter(|w| w.is_trained);
        let form = |w: &super::model::Weight| {
            let double = matches!(w.stored, Stored::F64(_));
            (double, *w.stored.dims(), w.stored.device().clone())
        };
        WeightsProto {
            names: Arc::clone(self.trained()),
            forms: trained.map(form).collect(),
        }
    }
    fn zero_ct(_: &WeightsProto) -> Ct<Self> {
        WeightsAcc::default()
    }
    fn zero_adj<M: Mode>(&self, _: M) -> Self::Adj<M> {
        M::leaf(self)
    }
    fn zero_tangent(&self) -> Weights {
        let trained = self.weights.iter().filter(|w| w.is_trained);
        Weights {
            names: Arc::clone(self.trained()),
            values: trained.map(|w| w.stored.zeros_like()).collect(),
        }
    }
    fn finish(proto: &WeightsProto, ct: Ct<Self>) -> Weights {
        let mut parts = ct.0.into_iter();
        let part = |i| parts.next().flatten().unwrap_or_else(|| proto.zero(i));
        Weights {
            names: Arc::clone(&proto.names),
            values: (0..proto.forms.len()).map(part).collect(),
        }
    }
    fn start(tangent: Weights) -> Ct<Self> {
        WeightsAcc(tangent.values.into_iter().map(Some).collect())
    }
    fn add_scaled(&mut self, step: f64, tangent: &Weights) {
        let trained = self.weights.iter_mut().filter(|w| w.is_trained);
        for (weight, t) in trained.zip(&tangent.values) {
            both!(&mut weight.stored, t, (x, t) => x.add_scaled(Float::lit(step), t));
        }
    }
    fn difference(&self, other: &Self) -> Weights {
        let trained = |m: &Self| -> Vec<Stored> {
            let trained = m.weights.iter().filter(|w| w.is_trained);
            trained.map(|w| w.stored.clone()).collect()
        };
        let pairs = trained(self).into_iter().zip(trained(other));
        let of = |(a, b)| match (a, b) {
            (Stored::F32(a), Stored::F32(b)) => Stored::F32(Raw::binary_ref(BinaryOp::Sub, &a, &b)),
            (Stored::F64(a), Stored::F64(b)) => Stored::F64(Raw::binary_ref(BinaryOp::Sub, &a, &b)),
            _ => panic!("models of different element types"),
        };
        Weights {
            names: Arc::clone(self.trained()),
            values: pairs.map(of).collect(),
        }
    }
}

impl<In, Out> Leaf for Model<In, Out> {
    type LeafAdj = WeightsAcc;
    fn zero_leaf(&self) -> WeightsAcc {
        WeightsAcc::default()
    }
}

impl<In, Out> Acc<Model<In, Out>> for WeightsAcc {
    const ON: bool = true;
    fn acc(&mut self, ct: WeightsAcc) {
        self.add(ct.0);
    }
}

/// Parameters and buffers have the names of the file.
impl<In, Out> Module for Model<In, Out> {
    fn visit<V: Visitor>(&self, path: &mut Path, visitor: &mut V) {
        visitor.module(path, "onnx::Model");
        for weight in self.weights.iter().filter(|w| w.is_trained) {
            path.enter(&weight.name, |path| {
                stored!(&weight.stored, x => visitor.param(path, x));
            });
        }
    }
    fn visit_mut<V: VisitorMut>(&mut self, path: &mut Path, visitor: &mut V) {
        for weight in self.weights.iter_mut().filter(|w| w.is_trained) {
            path.enter(&weight.name, |path| {
                stored!(&mut weight.stored, x => visitor.param(path, x));
            });
        }
    }
    fn visit_with_grad<V: VisitorWithGrad>(
        &mut self,
        grad: &Weights,
        path: &mut Path,
        visitor: &mut V,
    ) {
        let trained = self.weights.iter_mut().filter(|w| w.is_trained);
        for (weight, grad) in trained.zip(&grad.values) {
            path.enter(&weight.name, |path| {
                both!(&mut weight.stored, grad, (x, g) => visitor.param(path, x, g));
            });
        }
    }
    fn visit_buffers<V: Visitor>(&self, frozen: bool, path: &mut Path, visitor: &mut V) {
        for weight in self.weights.iter().filter(|w| frozen || !w.is_trained) {
            path.enter(&weight.name, |path| {
                stored!(&weight.stored, x => visitor.param(path, x));
            });
        }
    }
    fn visit_buffers_mut<V: VisitorMut>(&mut self, frozen: bool, path: &mut Path, visitor: &mut V) {
        for weight in self.weights.iter_mut().filter(|w| frozen || !w.is_trained) {
            path.enter(&weight.name, |path| {
                stored!(&mut weight.stored, x => visitor.param(path, x));
            });
        }
    }
}
