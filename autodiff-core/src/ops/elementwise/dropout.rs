//! Dropout: entries are set to 0 at random, with a mask that is a function of a seed.
//!
//! With a mask `m` of zeros and `1/(1 − p)`, both derivatives are `t ↦ m ⊙ t`: `dropout` itself with
//! the same seed. The mask is drawn again and takes no memory. The rate has no derivative; one that
//! depends on a differentiated argument does not compile.

use crate::ad::Acc;
use crate::device::{Backend, Float};
use crate::ops::rule::Constant;
use crate::shape::Shape;
use crate::tensor::Tensor;
use autodiff_macros::rule;

#[rule]
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
    #[derivative(
        mode p: Constant;
        pull |ct, x, d, _, _| {
            if M0::ON
            && let Some(ct) = ct.raw()
            {
                let ct = Tensor::new(x.shape(), ct.clone());
                d.acc(ct.dropout(p, seed).into());
            }
        };
        push t.dropout(p, seed);
    )]
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
}
