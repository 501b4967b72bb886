//! Connectionist temporal classification: `ctc_loss`.
//!
//! The algorithm and its source are in [`kernel::ctc`](crate::kernel::ctc). The derivative is that of the loss by the
//! logarithms that it is given. PyTorch gives another one, to which it adds `exp(x)`: it holds behind a `log_softmax` only,
//! where both lead to the same derivative of the logits.

use crate::ad::Acc;
use crate::device::{Backend, BinaryOp, CompareOp, Float, Index, ReduceOp};
use crate::ops::OrPanic;
use crate::shape::{Dim, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// Options of [`ctc_loss`](crate::tensor::Tensor::ctc_loss).
///
/// ```
/// use differentiable::prelude::*;
/// let options = Ctc::new().blank(27).zero_infinity();
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ctc {
    blank: usize,
    sum: bool,
    zero_infinity: bool,
}

impl Ctc {
    /// The blank is class 0; the mean over the examples of the losses for one label.
    pub const fn new() -> Self {
        Ctc {
            blank: 0,
            sum: false,
            zero_infinity: false,
        }
    }

    /// The class that stands for no label.
    pub const fn blank(mut self, class: usize) -> Self {
        self.blank = class;
        self
    }

    /// The sum of the losses of the examples in place of the mean.
    pub const fn sum(mut self) -> Self {
        self.sum = true;
        self
    }

    /// An example that cannot be aligned, whose loss is infinite, has loss and derivative 0.
    pub const fn zero_infinity(mut self) -> Self {
        self.zero_infinity = true;
        self
    }
}

crate::__setting!(Ctc);

/// What the loss reads besides the logarithms.
#[derive(Clone)]
struct Labelled<T: Float, D: Backend> {
    options: Ctc,
    labels: Raw<i64, D>,
    /// 2 × examples.
    lengths: Raw<i64, D>,
    /// What each example counts.
    shares: Raw<T, D>,
}

/// The lengths, all of them between 0 and `most`.
#[track_caller]
fn within<D: Backend>(what: &str, lengths: &Raw<i64, D>, most: usize) -> Vec<i64> {
    let lengths = lengths.to_vec();
    for (i, &n) in lengths.iter().enumerate() {
        assert!(
            (0..=most as i64).contains(&n),
            "ctc_loss: example {i} has {n} {what}, not between 0 and {most}"
        );
    }
    lengths
}

impl<T: Float, D: Backend> Labelled<T, D> {
    #[track_caller]
    fn new<X: Index>(
        x: &Raw<T, D>,
        targets: &Raw<X, D>,
        frames: &Raw<i64, D>,
        labels: &Raw<i64, D>,
        options: Ctc,
    ) -> Self {
        let [steps, examples, classes] = [x.dims()[0], x.dims()[1], x.dims()[2]];
        let places = targets.dims()[1];
        let blank = options.blank;
        assert!(
            blank < classes,
            "ctc_loss: the blank is class {blank} of {classes}"
        );
        let mut lengths = within("frames", frames, steps);
        let counts = within("labels", labels, places);
        let targets = targets.cast::<i64>();
        let known = targets.to_vec();
        for (i, &count) in counts.iter().enumerate() {
            for (at, &label) in known[i * places..][..count as usize].iter().enumerate() {
                assert!(
                    label != blank as i64,
                    "ctc_loss: label {at} of example {i} is {label}, the blank"
                );
                assert!(
                    (0..classes as i64).contains(&label),
                    "ctc_loss: label {at} of example {i} is {label}, there are {classes} classes"
                );
            }
        }
        let share = |&count: &i64| match options.sum {
            true => T::ONE,
            false => T::lit(1.0 / (examples as f64 * count.max(1) as f64)),
        };
        let shares: Vec<T> = counts.iter().map(share).collect();
        lengths.extend(counts);
        Labelled {
            options,
            labels: targets,
            lengths: Raw::from_slice(x.device(), [2, examples], &lengths),
            shares: Raw::from_slice(x.device(), [examples], &shares),
        }
    }

    /// The examples whose loss is finite, where only those count.
    #[track_caller]
    fn finite(&self, losses: &Raw<T, D>) -> Option<Raw<bool, D>> {
        let infinity = Raw::scalar(losses.device(), T::INFINITY);
        self.options
            .zero_infinity
            .then(|| Raw::compare(CompareOp::Ne, losses, &infinity))
    }

    /// The loss, and that of each example.
    #[track_caller]
    fn losses(&self, x: &Raw<T, D>) -> (Tensor<(), T, D>, Raw<T, D>) {
        let each = x.ctc(self.options.blank, &self.labels, &self.lengths);
        let mut counted = each.clone();
        if let Some(finite) = self.finite(&each) {
            counted = counted.keep_where(&finite, T::ZERO);
        }
        let products = Raw::binary_ref(BinaryOp::Mul, &counted, &self.shares);
        // The mean of no examples is NaN, as other means.
        let mut loss = products.reduce_all(ReduceOp::Sum);
        if each.numel() == 0 && !self.options.sum {
            loss = Raw::scalar(x.device(), T::NAN);
        }
        (Tensor::new((), loss), each)
    }

    /// The cotangent of the logarithms.
    #[track_caller]
    fn pullback(&self, x: &Raw<T, D>, each: &Raw<T, D>, ct: &Raw<T, D>) -> Raw<T, D> {
        let ct = Raw::binary_ref(BinaryOp::Mul, &self.shares, ct);
        let out = x.ctc_pullback(self.options.blank, &self.labels, &self.lengths, &ct);
        match self.finite(each) {
            Some(finite) => out.keep_where(&finite.unsqueeze(1), T::ZERO),
            None => out,
        }
    }
}

#[rule]
impl<L: Dim, B: Dim, C: Dim, T: Float, D: Backend> Tensor<(L, B, C), T, D> {
    /// The connectionist temporal classification of logarithms of probabilities `[frames, batch, classes]` (Graves et al.
    /// 2006): `−ln` of the probability of the labels of each example, over all their alignments to its frames. Example `i`
    /// has the first `frames[i]` frames and the first `labels[i]` of its targets.
    ///
    /// Each loss is divided by the number of labels (at least 1), and the mean of these is returned, as by PyTorch. An
    /// example that cannot be aligned has an infinite loss, whose derivative is NaN, but for
    /// [`zero_infinity`](Ctc::zero_infinity).
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// let logits: Tensor![f64; 6, 2, 4] = Tensor::randn(0); // 6 frames, 2 examples, the blank and 3 labels
    /// let targets = tensor([[1_i64, 2, 2], [3, 0, 0]]);
    /// let (frames, labels) = (tensor([6_i64, 4]), tensor([3_i64, 1]));
    /// let loss = logits.log_softmax::<-1>().ctc_loss(&targets, &frames, &labels, Ctc::new());
    /// assert!(loss.item() > 0.0);
    /// ```
    ///
    /// # Panics
    /// If a length is beyond what is there, a label is the blank or no class, or run-time dimensions differ.
    #[derivative(
        let read = self.labelled(targets, frames, labels, options);
        let (loss, each) = read.losses(self.raw());
        value loss;
        pull |ct, x, targets, frames, labels, d, _, _, _, _| {
            let Some(ct) = ct.raw() else { return };
            if M0::ON {
                d.acc(Tensor::new(x.shape(), read.pullback(x.raw(), &each, ct)).into());
            }
        };
        both {
            let read = self.labelled(targets, frames, labels, options);
            let (loss, each) = read.losses(self.raw());
            let gradient = read.pullback(self.raw(), &each, &Raw::scalar(self.device(), T::ONE));
            let products = Raw::binary(BinaryOp::Mul, gradient, t.raw().clone());
            (loss, Tensor::new((), products.reduce_all(ReduceOp::Sum)))
        };
    )]
    #[track_caller]
    pub fn ctc_loss<X: Index, M: Dim>(
        &self,
        targets: &Tensor<(B, M), X, D>,
        frames: &Tensor<(B,), i64, D>,
        labels: &Tensor<(B,), i64, D>,
        options: Ctc,
    ) -> Tensor<(), T, D> {
        let read = self.labelled(targets, frames, labels, options);
        read.losses(self.raw()).0
    }

    #[track_caller]
    fn labelled<X: Index, M: Dim>(
        &self,
        targets: &Tensor<(B, M), X, D>,
        frames: &Tensor<(B,), i64, D>,
        labels: &Tensor<(B,), i64, D>,
        options: Ctc,
    ) -> Labelled<T, D> {
        let batch = (self.shape().1,);
        for other in [(targets.shape().0,), frames.shape(), labels.shape()] {
            check_same(batch, other).or_panic("ctc_loss");
        }
        let (x, labels) = (self.raw(), labels.raw());
        Labelled::new(x, targets.raw(), frames.raw(), labels, options)
    }
}
