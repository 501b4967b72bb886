//! Parameters and gradients of a model as vectors.

use crate::device::{AnyStorage, Backend, Float};
use crate::nn::{HostTensor, Kind, Path, State, Visitor, VisitorMut, VisitorWithGrad};
use crate::optim::group::Groups;
use crate::optim::part::{Part, as_raw, larger};
use crate::tensor::raw::Raw;

/// The tensors of the parameters that are not frozen, in the order of the model.
pub(super) struct Vector(Vec<Box<dyn Part>>);

impl Clone for Vector {
    fn clone(&self) -> Self {
        Vector(self.0.iter().map(|part| (**part).copy()).collect())
    }
}

impl Vector {
    pub(super) fn dot(&self, other: &Vector) -> f64 {
        let parts = self.0.iter().zip(&other.0);
        parts.map(|(a, b)| (**a).dot(&**b)).sum()
    }

    /// The largest absolute value, and the sum of them.
    pub(super) fn sizes(&self) -> [f64; 2] {
        let parts = self.0.iter().map(|part| (**part).sizes());
        parts.fold([0.0, 0.0], |[most, sum], [m, s]| [larger(most, m), sum + s])
    }

    /// `self ← keep·self + by·x`.
    pub(super) fn blend(&mut self, keep: f64, by: f64, x: &Vector) {
        for (part, x) in self.0.iter_mut().zip(&x.0) {
            (**part).blend(keep, by, &**x);
        }
    }

    /// `by · self`.
    pub(super) fn scaled(&self, by: f64) -> Vector {
        let mut scaled = self.clone();
        scaled.blend(by, 0.0, self);
        scaled
    }

    /// Without parameters.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Vector(Vec::new())
    }

    /// Element types and sizes of its tensors.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        self.0.iter().map(|part| (**part).kind()).collect()
    }

    pub(super) fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        let parts = self.0.iter_mut();
        parts.filter_map(|part| (**part).storage()).for_each(each);
    }

    /// Adds its tensors to a state, as `SLOT.PARAMETER`.
    pub(super) fn save(&self, slot: &str, names: &[String], to: &mut State) {
        for (part, name) in self.0.iter().zip(names) {
            to.insert(format!("{slot}.{name}"), (**part).download());
        }
    }
}

/// Collects the parameters, and their names.
pub(super) struct Params<'g> {
    pub(super) groups: &'g mut Groups,
    pub(super) names: Vec<String>,
    pub(super) vector: Vector,
}

impl<'g> Params<'g> {
    pub(super) fn new(groups: &'g mut Groups) -> Self {
        Params {
            groups,
            names: Vec::new(),
            vector: Vector(Vec::new()),
        }
    }
}

impl Visitor for Params<'_> {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
        if !self.groups.of(name.as_str()).frozen {
            self.names.push(name.to_string());
            self.vector.0.push(Box::new(value.clone()));
        }
    }
}

/// Collects the gradient.
pub(super) struct Grads<'g> {
    pub(super) groups: &'g mut Groups,
    pub(super) vector: Vector,
}

impl<'g> Grads<'g> {
    pub(super) fn new(groups: &'g mut Groups) -> Self {
        let vector = Vector(Vec::new());
        Grads { groups, vector }
    }
}

impl VisitorWithGrad for Grads<'_> {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, _: &mut Raw<T, D>, grad: &Raw<T, D>) {
        if !self.groups.of(name.as_str()).frozen {
            self.vector.0.push(Box::new(grad.clone()));
        }
    }
}

/// Sets the parameters to `start + t·direction`.
pub(super) struct Place<'v> {
    pub(super) groups: &'v mut Groups,
    pub(super) start: &'v Vector,
    pub(super) direction: &'v Vector,
    pub(super) t: f64,
    pub(super) at: usize,
}

impl VisitorMut for Place<'_> {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
        if self.groups.of(name.as_str()).frozen {
            return;
        }
        *value = as_raw::<T, D>(&*self.start.0[self.at]).clone();
        value.add_scaled(T::lit(self.t), as_raw(&*self.direction.0[self.at]));
        self.at += 1;
    }
}

/// Reads vectors that were saved, for the parameters of a model.
pub(super) struct Load<'g> {
    pub(super) groups: &'g mut Groups,
    pub(super) slots: Vec<String>,
    pub(super) from: State,
    pub(super) names: Vec<String>,
    pub(super) vectors: Vec<Vector>,
}

impl Visitor for Load<'_> {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
        if self.groups.of(name.as_str()).frozen {
            return;
        }
        self.names.push(name.to_string());
        self.vectors
            .resize_with(self.slots.len(), || Vector(Vec::new()));
        for (slot, vector) in self.slots.iter().zip(&mut self.vectors) {
            let saved: Option<HostTensor> = self.from.remove(&format!("{slot}.{name}"));
            let tensor = saved.and_then(|t| t.upload::<T, D>(value.device()));
            vector
                .0
                .push(Box::new(tensor.expect("names and kinds were checked")));
        }
    }
}
