//! Dropout: entries are set to 0 at random, with a mask that is a function of a seed.
//!
//! With a mask `m` of zeros and `1/(1 − p)`, both derivatives are `t ↦ m ⊙ t`: `dropout` itself with
//! the same seed. The mask is drawn again and takes no memory. The rate has no derivative; one that
//! depends on a differentiated argument does not compile.

use super::rule::Constant;
use crate::ad::{Acc, Adj, Ct, Mode, NoGrad};
use crate::device::{Backend, Float};
use crate::shape::Shape;
use crate::tensor::Tensor;

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// Each element becomes 0 with probability `p`, and is multiplied by `1/(1 − p)` otherwise, so
    /// that the expected value stays. The same seed gives the same mask: give each step its own.
    ///
    /// In a differentiable function a rate that is an argument or a field is held constant:
    /// `x.dropout(stop_gradient(p), seed)`.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let x: Tensor![f64; 1000] = Tensor::ones();
    /// let y = x.dropout(0.2, 7);
    /// assert!((y.mean().item() - 1.0).abs() < 0.1);
    /// assert_eq!(y, x.dropout(0.2, 7));
    /// ```
    ///
    /// # Panics
    /// If `p` is not in `[0, 1)`.
    #[track_caller]
    pub fn dropout(&self, p: f64, seed: u64) -> Self {
        assert!(
            (0.0..1.0).contains(&p),
            "dropout: the rate p = {p} is not in [0, 1)"
        );
        if p == 0.0 {
            return self.clone();
        }
        Tensor::new(self.shape(), self.raw().clone().dropout(p, seed))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __dropout_vjp<M: Mode, M1: Constant, M2: Mode>(
        &self,
        _: (M, M1, M2),
        p: f64,
        seed: u64,
    ) -> (
        Self,
        impl FnOnce(Ct<Self>, &Self, &mut Adj<Self, M>, &mut Adj<f64, M1>, &mut NoGrad)
        + Clone
        + use<M, M1, M2, S, T, D>,
    ) {
        (self.dropout(p, seed), move |ct, x, d, _, _| {
            if M::ON
                && let Some(ct) = ct.raw()
            {
                let ct = Tensor::new(x.shape(), ct.clone());
                d.acc(ct.dropout(p, seed).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __dropout_jvp(&self, t: &Self, p: f64, _: impl Sized, seed: u64, _: ()) -> (Self, Self) {
        (self.dropout(p, seed), t.dropout(p, seed))
    }
}
