use super::{norm, squared};
use crate::device::{Backend, BinaryOp, Dims, Float, ReduceOp, UnaryOp};
use crate::optim::{Descent, ParamStep, Slot, UpdateRule, check_positive};
use crate::tensor::raw::Raw;

/// Adafactor (Shazeer & Stern 2018), in PyTorch's form: it remembers of the squared gradients of a matrix only the means of
/// rows and columns. Weight decay is decoupled.
///
/// In step `t` the means take the fraction `t^(−0.8)` of the new ones. The estimate of `g²` at row `i` and column `j` is
/// `rᵢ·cⱼ/mean(r)`; tensors of fewer than two axes have it entry by entry, those of more are batches of matrices. With
/// `u = g/√estimate` and the root mean square of a tensor `rms`, `α = max(ε, rms(p))·min(lr, 1/√t)` and
/// `p ← p·(1 − lr·λ) − α·u/max(1, rms(u)/d)`.
pub type Adafactor = Descent<AdafactorRule>;

/// The update rule of [`Adafactor`].
#[derive(Clone, Debug, PartialEq)]
pub struct AdafactorRule {
    decay_power: f64,
    smallest: f64,
    threshold: f64,
}

impl Descent<AdafactorRule> {
    /// Adafactor. PyTorch's learning rate is 0.01.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        let rule = AdafactorRule {
            decay_power: -0.8,
            smallest: 1e-3,
            threshold: 1.0,
        };
        Descent::by(rule, learning_rate)
    }

    /// The power of the step that the new means enter with; −0.8 if not set.
    ///
    /// # Panics
    /// When it is above 0 or not finite.
    pub fn decay_power(mut self, power: f64) -> Self {
        assert!(
            power.is_finite() && power <= 0.0,
            "the power is {power}, expected a finite number of at most 0"
        );
        self.rule.decay_power = power;
        self
    }

    /// The root mean square of a parameter counts as at least this; 1e-3 if not set.
    ///
    /// # Panics
    /// When it is not a finite number above 0.
    pub fn smallest(mut self, rms: f64) -> Self {
        check_positive("the smallest root mean square", rms);
        self.rule.smallest = rms;
        self
    }

    /// The root mean square `d` to which updates are scaled down, if it is larger; 1 if not set.
    ///
    /// # Panics
    /// When it is not a finite number above 0.
    pub fn threshold(mut self, rms: f64) -> Self {
        check_positive("the threshold of updates", rms);
        self.rule.threshold = rms;
        self
    }
}

impl UpdateRule for AdafactorRule {
    fn name(&self) -> &'static str {
        "adafactor"
    }

    fn slots(&self, dims: &Dims, _: bool) -> Vec<Slot> {
        match dims.rank() {
            0 | 1 => vec![Slot::zeros("mean_square", dims)],
            r => vec![
                Slot::zeros("row_mean_square", &dims.with(r - 1, 1)),
                Slot::zeros("column_mean_square", &dims.with(r - 2, 1)),
            ],
        }
    }

    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let t = step.step as f64;
        let fresh = t.powf(self.decay_power);
        // The smallest difference of numbers near 1, as PyTorch has it.
        let epsilon = <T as crate::device::Real>::by_width(f32::EPSILON.into(), f64::EPSILON);
        let size = (param.numel() as f64).sqrt();
        let at_least = |x: Raw<T, D>, least: T| x.binary_scalar(BinaryOp::Max, least);
        let mut rate = at_least(
            norm(param).binary_scalar(BinaryOp::Div, T::lit(size)),
            T::lit(self.smallest),
        );
        rate.apply_scalar(BinaryOp::Mul, step.rate.min(1.0 / t.sqrt()));

        let squares = squared(&grad);
        let estimate = match slots {
            [square] => {
                square.blend(1.0 - fresh, fresh, &squares);
                square.clone()
            }
            [rows, columns] => {
                let r = squares.dims().rank();
                let means = |axis| squares.reduce_keepdim(ReduceOp::Mean, &[axis]);
                rows.blend(1.0 - fresh, fresh, &means(r - 1));
                columns.blend(1.0 - fresh, fresh, &means(r - 2));
                let mean = at_least(rows.reduce_keepdim(ReduceOp::Mean, &[r - 2]), epsilon);
                let product = Raw::binary_ref(BinaryOp::Mul, rows, columns);
                Raw::binary(BinaryOp::Div, product, mean)
            }
            _ => unreachable!("means of rows and columns, or of entries"),
        };
        let mut update = at_least(estimate, epsilon * epsilon).unary(UnaryOp::Rsqrt);
        update.apply(BinaryOp::Mul, &grad);
        let length = norm(&update).binary_scalar(BinaryOp::Div, T::lit(size * self.threshold));
        rate.apply(BinaryOp::Div, &at_least(length, T::ONE));
        update.apply(BinaryOp::Mul, &rate);
        param.blend(1.0 - step.rate * step.weight_decay, -1.0, &update);
    }
}
