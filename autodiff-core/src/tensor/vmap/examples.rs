//! Tensors as batches whose examples are there all at once.

use crate::ad::{Acc, Adj, Ct, Differentiable, Mode, NoGrad};
use crate::device::{Backend, Batch, Elem, Float};
use crate::shape::{Axis, Dim};
use crate::tensor::{Raw, Tensor};

/// The shape of an example.
type Rest<S> = <S as Axis<0>>::Without;

/// What `vmap!(#[batched] ..)` takes examples from: a tensor, along its first axis.
#[diagnostic::on_unimplemented(
    message = "`vmap!(#[batched] ..)` takes tensors, not `{Self}`",
    label = "not a tensor with a first axis",
    note = "leave out `#[batched]` for slices, arrays and `Vec`s: their examples come one after the other"
)]
pub trait Examples {
    /// The dimension of the first axis.
    type Dim: Dim;
    /// An example.
    type Example;
    /// How many there are.
    fn count(&self) -> usize;
    /// The first axis.
    fn dim(&self) -> Self::Dim;
    /// One of them.
    fn one(&self, i: usize) -> Self::Example;
    /// All of them at once; `None` where one comes after the other.
    fn all(&self, batch: Batch) -> Option<Self::Example>;
}

/// Examples in a function with derivatives.
pub trait ExamplesRule: Examples<Example: Differentiable> + Differentiable {
    /// Adds the cotangents of all examples.
    fn collect<M: Mode>(&self, ct: Ct<Self::Example>, batch: Batch, d: &mut Adj<Self, M>);
    /// Adds the cotangents of one example after the other.
    fn collect_each<M: Mode>(&self, cts: Vec<Ct<Self::Example>>, d: &mut Adj<Self, M>);
    /// The tangent of one of them.
    fn one_tangent(t: &Self::Tangent, i: usize) -> <Self::Example as Differentiable>::Tangent;
    /// The tangents of all of them; `None` where one comes after the other.
    fn all_tangents(
        t: &Self::Tangent,
        batch: Batch,
    ) -> Option<<Self::Example as Differentiable>::Tangent>;
}

impl<S: Axis<0>, T: Elem, D: Backend> Examples for Tensor<S, T, D> {
    type Dim = <S as Axis<0>>::Dim;
    type Example = Tensor<Rest<S>, T, D>;
    fn count(&self) -> usize {
        self.batch_examples()
    }
    fn dim(&self) -> Self::Dim {
        self.batch_dim()
    }
    #[track_caller]
    fn one(&self, i: usize) -> Self::Example {
        self.batch_example(i)
    }
    #[track_caller]
    fn all(&self, batch: Batch) -> Option<Self::Example> {
        let examples = self.raw().as_examples(batch)?;
        Some(Tensor::new(self.shape().without(), examples))
    }
}

impl<S: Axis<0>, T: Float, D: Backend> ExamplesRule for Tensor<S, T, D> {
    #[track_caller]
    fn collect<M: Mode>(&self, ct: Ct<Self::Example>, batch: Batch, d: &mut Adj<Self, M>) {
        if let (true, Some(ct)) = (M::ON, ct.raw()) {
            d.acc(Tensor::new(self.shape(), ct.of_examples(batch)).into());
        }
    }
    #[track_caller]
    fn collect_each<M: Mode>(&self, cts: Vec<Ct<Self::Example>>, d: &mut Adj<Self, M>) {
        if !M::ON || cts.iter().all(|ct| ct.raw().is_none()) {
            return;
        }
        let mut all = Raw::zeros(self.device(), self.dims());
        for (i, ct) in cts.iter().enumerate() {
            if let Some(ct) = ct.raw() {
                all.assign_slice(0, i, &ct.unsqueeze(0));
            }
        }
        d.acc(Tensor::new(self.shape(), all).into());
    }
    #[track_caller]
    fn one_tangent(t: &Self, i: usize) -> Self::Example {
        t.one(i)
    }
    #[track_caller]
    fn all_tangents(t: &Self, batch: Batch) -> Option<Self::Example> {
        t.all(batch)
    }
}

macro_rules! discrete {
    ($($t:ident)*) => { $(
        impl<S: Axis<0>, D: Backend> ExamplesRule for Tensor<S, $t, D> {
            fn collect<M: Mode>(&self, _: NoGrad, _: Batch, _: &mut Adj<Self, M>) {}
            fn collect_each<M: Mode>(&self, _: Vec<NoGrad>, _: &mut Adj<Self, M>) {}
            fn one_tangent((): &(), _: usize) {}
            fn all_tangents((): &(), _: Batch) -> Option<()> {
                Some(())
            }
        }
    )* };
}
discrete!(i64 u32 u8 bool);

/// A batch may be lent more than once, as where a variable that is a reference is lent.
impl<X: Examples + ?Sized> Examples for &X {
    type Dim = X::Dim;
    type Example = X::Example;
    fn count(&self) -> usize {
        (**self).count()
    }
    fn dim(&self) -> X::Dim {
        (**self).dim()
    }
    #[track_caller]
    fn one(&self, i: usize) -> X::Example {
        (**self).one(i)
    }
    #[track_caller]
    fn all(&self, batch: Batch) -> Option<X::Example> {
        (**self).all(batch)
    }
}
