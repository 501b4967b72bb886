//! Losses of rows of scores whose targets are numbers of classes, with options: `cross_entropy_with nll_loss nll_loss_with`.
//!
//! With `z` the logarithms of probabilities, `k` the target of a row, `w` the weights of classes (1 without), ε the share of
//! smoothed labels and `W = Σ w_k` over the rows that count (1 for the sum),
//!
//! `loss = −1/W · Σ_rows ( (1 − ε)·w_k·z_k + ε/C · Σ_c w_c·z_c )`,
//!
//! which is what PyTorch computes. Its derivative by `z` has a constant, `−w_c·ε/C/W`, in each entry of a row that counts,
//! and `−(1 − ε)·w_k/W` more at the target. The cross entropy is the same with `z = log_softmax(x)`. Rows that are ignored
//! are left out by selection, not by a factor of 0: what they hold may be NaN.

use super::entropy::{flat, rows_of};
use super::options::LossOptions;
use crate::ad::Acc;
use crate::device::{Backend, BinaryOp, CompareOp, Float, Index, IndexError, ReduceOp, SoftmaxOp};
use crate::ops::{OrPanic, scaled};
use crate::shape::{Classes, Shape, TargetsOf, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[track_caller]
fn times<T: Float, D: Backend>(a: &Raw<T, D>, b: &Raw<T, D>) -> Raw<T, D> {
    Raw::binary_ref(BinaryOp::Mul, a, b)
}

/// What targets and options say of the rows of a matrix.
struct Chosen<T: Float, D: Backend> {
    /// The target of each row, as a column; 0 in rows that are ignored.
    index: Raw<i64, D>,
    /// The rows that count, as a column; all if there is nothing.
    counts: Option<Raw<bool, D>>,
    /// The weights of the targets, as a column; 0 in rows that are ignored. All 1 if there is nothing.
    own: Option<Raw<T, D>>,
    /// The weights of the classes, as a row.
    weights: Option<Raw<T, D>>,
    /// The share of the target, `1 − ε`, and of each class, `ε/C`.
    shares: [f64; 2],
    /// `W`, where it is not 1.
    total: Option<Raw<T, D>>,
}

impl<T: Float, D: Backend> Chosen<T, D> {
    #[track_caller]
    fn new<X: Index>(
        name: &str,
        x: &Raw<T, D>,
        targets: &Raw<X, D>,
        options: &LossOptions,
    ) -> Result<Self, IndexError> {
        let [rows, classes] = [x.dims()[0], x.dims()[1]];
        let device = x.device();
        let mut index = flat(targets).cast::<i64>();
        let mut counts = None;
        if let Some(ignored) = options.ignored {
            let is = Raw::compare(CompareOp::Ne, &index, &Raw::scalar(device, ignored));
            index = index.keep_where(&is, 0);
            counts = Some(is);
        }
        let weights = options.weights_of(name, x, classes);
        let mut own = match &weights {
            Some(weights) => Some(weights.gather(&index)?),
            None => counts.as_ref().map(|_| Raw::full(device, [rows], T::ONE)),
        };
        if let (Some(own), Some(counts)) = (&mut own, &counts) {
            *own = own.clone().keep_where(counts, T::ZERO);
        }
        let total = match (&own, options.sum) {
            (_, true) => None,
            (Some(own), false) => Some(own.reduce_all(ReduceOp::Sum)),
            (None, false) => Some(Raw::scalar(device, T::lit(rows as f64))),
        };
        let column = [rows, 1];
        Ok(Chosen {
            index: index.into_reshaped(column),
            counts: counts.map(|counts| counts.into_reshaped(column)),
            own: own.map(|own| own.into_reshaped(column)),
            weights: weights.map(|weights| weights.into_reshaped([1, classes])),
            shares: [1.0 - options.smoothing, options.smoothing / classes as f64],
            total,
        })
    }

    /// Divided by `W`.
    #[track_caller]
    fn share(&self, x: Raw<T, D>) -> Raw<T, D> {
        match &self.total {
            Some(total) => Raw::binary_ref(BinaryOp::Div, &x, total),
            None => x,
        }
    }

    /// 0 in the rows that are ignored.
    #[track_caller]
    fn counting(&self, x: Raw<T, D>) -> Raw<T, D> {
        match &self.counts {
            Some(counts) => x.keep_where(counts, T::ZERO),
            None => x,
        }
    }

    /// The loss of logarithms of probabilities.
    #[track_caller]
    fn loss(&self, z: &Raw<T, D>) -> Result<Raw<T, D>, IndexError> {
        let mut picked = z.take_along(1, &self.index)?;
        if let Some(own) = &self.own {
            picked = times(&picked, own);
        }
        let mut losses = scaled(picked, -self.shares[0]);
        if self.shares[1] > 0.0 {
            let weighted = self.weights.as_ref().map(|w| times(z, w));
            let sum = weighted
                .as_ref()
                .unwrap_or(z)
                .reduce_keepdim(ReduceOp::Sum, &[1]);
            losses.add_scaled(T::lit(-self.shares[1]), &sum);
        }
        Ok(self.share(self.counting(losses).reduce_all(ReduceOp::Sum)))
    }

    /// The cotangent of the logarithms, for that of the loss.
    #[track_caller]
    fn pullback(&self, z: &Raw<T, D>, ct: &Raw<T, D>) -> Raw<T, D> {
        let (device, dims) = (z.device(), *z.dims());
        let mut out = match (self.shares[1] > 0.0, &self.weights) {
            (false, _) => Raw::zeros(device, dims),
            (true, None) => Raw::full(device, dims, T::lit(-self.shares[1])),
            (true, Some(w)) => scaled(w.clone(), -self.shares[1]).expand(dims).copied(),
        };
        let at_target = match &self.own {
            Some(own) => scaled(own.clone(), -self.shares[0]),
            None => Raw::full(device, *self.index.dims(), T::lit(-self.shares[0])),
        };
        let known = out.add_along(1, &self.index, &at_target);
        known.unwrap_or_else(|e| panic!("the forward pass accepted this index: {e}"));
        let ct = self.share(ct.clone());
        self.counting(Raw::binary(BinaryOp::Mul, out, ct))
    }
}

/// Scores with their targets: the value and the derivatives of a loss.
struct Scored<T: Float, D: Backend> {
    /// The operation.
    name: &'static str,
    /// Whether the scores are logits, and not logarithms of probabilities already.
    logits: bool,
    /// The logarithms of probabilities: rows × classes.
    z: Raw<T, D>,
    chosen: Chosen<T, D>,
}

impl<T: Float, D: Backend> Scored<T, D> {
    #[track_caller]
    fn logits<S: Classes, X: Index, R: Shape>(
        x: &Tensor<S, T, D>,
        targets: &Tensor<R, X, D>,
        options: &LossOptions,
    ) -> Self {
        let mut scored = Self::logarithms("cross_entropy_with", x, targets, options);
        scored.z = scored.z.softmax(SoftmaxOp::LogSoftmax, 1);
        scored.logits = true;
        scored
    }

    #[track_caller]
    fn logarithms<S: Classes, X: Index, R: Shape>(
        name: &'static str,
        x: &Tensor<S, T, D>,
        targets: &Tensor<R, X, D>,
        options: &LossOptions,
    ) -> Self {
        check_same(x.shape().targets(), targets.shape()).or_panic(name);
        let z = rows_of(x.raw());
        let chosen = Chosen::new(name, &z, targets.raw(), options).or_panic(name);
        Scored {
            name,
            logits: false,
            z,
            chosen,
        }
    }

    #[track_caller]
    fn value(&self) -> Tensor<(), T, D> {
        Tensor::new((), self.chosen.loss(&self.z).or_panic(self.name))
    }

    /// The cotangent of the scores as rows × classes.
    #[track_caller]
    fn rows(&self, ct: &Raw<T, D>) -> Raw<T, D> {
        let ct = self.chosen.pullback(&self.z, ct);
        if !self.logits {
            return ct;
        }
        let ct = Raw::softmax_pullback(SoftmaxOp::LogSoftmax, 1, &self.z, &ct);
        self.chosen.counting(ct)
    }

    /// The cotangent of the scores `x`.
    #[track_caller]
    fn pullback<S: Shape>(&self, x: &Tensor<S, T, D>, ct: &Raw<T, D>) -> Tensor<S, T, D> {
        Tensor::new(x.shape(), self.rows(ct).into_reshaped(x.dims()))
    }

    /// The value, and its derivative along a tangent of the scores: the gradient times the tangent, as the loss is a scalar.
    #[track_caller]
    fn along(&self, t: &Raw<T, D>) -> (Tensor<(), T, D>, Tensor<(), T, D>) {
        let one = Raw::scalar(t.device(), T::ONE);
        let products = Raw::binary(BinaryOp::Mul, self.rows(&one), rows_of(t));
        let derivative = Tensor::new((), products.reduce_all(ReduceOp::Sum));
        (self.value(), derivative)
    }
}

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// [`cross_entropy`](Tensor::cross_entropy) with options: an ignored target, weights of classes, smoothed labels, the sum.
    /// `logits.cross_entropy_with(&targets, Loss::ignore(0).smoothing(0.1))`.
    ///
    /// The values are those of PyTorch's `cross_entropy`; the mean where all rows are ignored is NaN.
    ///
    /// # Panics
    /// If a target is neither ignored nor below `C`, there are more or fewer weights than classes, or run-time dimensions
    /// differ.
    #[derivative(
        let kept = options.clone();
        value self.cross_entropy_with(targets, options);
        pull |ct, x, targets, d, _, _| {
            let Some(ct) = ct.raw() else { return };
            if M0::ON {
                // Computed again: saving the logarithms would keep a tensor of the size of `x` alive.
                d.acc(Scored::logits(x, targets, &kept).pullback(x, ct).into());
            }
        };
        both Scored::logits(self, targets, &options).along(t.raw());
    )]
    #[track_caller]
    pub fn cross_entropy_with<X: Index, R: Shape>(
        &self,
        targets: &Tensor<R, X, D>,
        options: LossOptions,
    ) -> Tensor<(), T, D>
    where
        S: Classes,
        <S as Classes>::Targets: TargetsOf<R, S>,
    {
        Scored::logits(self, targets, &options).value()
    }

    /// The mean of `−row[target]` over the rows of logarithms of probabilities `[.., C]`. Targets `[..]` are numbers of classes:
    /// `x.log_softmax::<-1>().nll_loss(&targets)` is the cross entropy of `x`.
    ///
    /// # Panics
    /// If a target is not below `C`, or run-time dimensions differ.
    #[derivative(
        pull |ct, x, targets, d, _| {
            let Some(ct) = ct.raw() else { return };
            if M0::ON {
                let scored = Scored::logarithms("nll_loss", x, targets, &LossOptions::default());
                d.acc(scored.pullback(x, ct).into());
            }
        };
        both {
            let scored = Scored::logarithms("nll_loss", self, targets, &LossOptions::default());
            scored.along(t.raw())
        };
    )]
    #[track_caller]
    pub fn nll_loss<X: Index, R: Shape>(&self, targets: &Tensor<R, X, D>) -> Tensor<(), T, D>
    where
        S: Classes,
        <S as Classes>::Targets: TargetsOf<R, S>,
    {
        Scored::logarithms("nll_loss", self, targets, &LossOptions::default()).value()
    }

    /// [`nll_loss`](Tensor::nll_loss) with the options of [`cross_entropy_with`](Tensor::cross_entropy_with).
    ///
    /// # Panics
    /// If a target is neither ignored nor below `C`, there are more or fewer weights than classes, or run-time dimensions
    /// differ.
    #[derivative(
        let kept = options.clone();
        value self.nll_loss_with(targets, options);
        pull |ct, x, targets, d, _, _| {
            let Some(ct) = ct.raw() else { return };
            if M0::ON {
                let scored = Scored::logarithms("nll_loss_with", x, targets, &kept);
                d.acc(scored.pullback(x, ct).into());
            }
        };
        both Scored::logarithms("nll_loss_with", self, targets, &options).along(t.raw());
    )]
    #[track_caller]
    pub fn nll_loss_with<X: Index, R: Shape>(
        &self,
        targets: &Tensor<R, X, D>,
        options: LossOptions,
    ) -> Tensor<(), T, D>
    where
        S: Classes,
        <S as Classes>::Targets: TargetsOf<R, S>,
    {
        Scored::logarithms("nll_loss_with", self, targets, &options).value()
    }
}
