//! What all optimisers of this library share, apart from their update rules.

use super::clip::Limit;
use super::group::{Group, Groups};
use super::schedule::{Plateau, Schedule};
use super::slots::Slots;
use super::{GradNorm, OptimizerError, UpdateRule};
use crate::ad::Factor;
use crate::device::{Backend, BinaryOp, Device, Float, UnaryOp, together};
use crate::tensor::raw::Raw;
use std::sync::Arc;

/// Settings and what they remember.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) base_rate: f64,
    pub(super) weight_decay: f64,
    pub(super) groups: Groups,
    pub(super) clip: Clip,
    pub(super) schedule: Option<Arc<dyn Schedule>>,
    pub(super) plateau: Option<Plateau>,
    /// The steps that were skipped, if those with gradients that are not finite are.
    pub(super) skipped: Option<u64>,
    pub(super) slots: Slots,
}

/// How gradients are clipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clip {
    None,
    Norm(f64),
    Value(f64),
}

/// What happens to each tensor of a gradient in a step.
pub(super) enum Change {
    Norm(Limit),
    Value(f64),
}

impl Change {
    /// What the rule multiplies gradients by on the device, in place of [`of`](Change::of).
    pub(super) fn factor(&self, rule: &impl UpdateRule) -> Option<Raw<f64, Device>> {
        match self {
            Change::Norm(Limit::OnDevice(by)) if rule.takes_factor() => Some(by.clone()),
            _ => None,
        }
    }

    /// What a rule is given for a gradient.
    pub(super) fn of<T: Float, D: Backend>(
        &self,
        rule: &impl UpdateRule,
        grad: &Raw<T, D>,
    ) -> Raw<T, D> {
        let grad = grad.clone();
        match self {
            Change::Norm(Limit::OnDevice(by))
                if rule.takes_factor() && together::takes_factor(by, grad.device()) =>
            {
                grad
            }
            Change::Norm(Limit::None) => grad,
            Change::Norm(Limit::Factor(by)) => grad.binary_scalar(BinaryOp::Mul, T::lit(*by)),
            Change::Norm(Limit::OnDevice(by)) => grad.scale_by(&Factor {
                host: &|| by.item(),
                on_device: by,
            }),
            Change::Value(limit) => grad.unary(UnaryOp::Clamp(-limit, *limit)),
        }
    }
}

impl Settings {
    pub(super) fn new(base_rate: f64, weight_decay: f64) -> Self {
        super::check_rate(base_rate);
        super::check_decay(weight_decay);
        Settings {
            base_rate,
            weight_decay,
            groups: Groups::default(),
            clip: Clip::None,
            schedule: None,
            plateau: None,
            skipped: None,
            slots: Slots::default(),
        }
    }

    /// The rate of the next step.
    pub(super) fn rate(&self) -> Result<f64, OptimizerError> {
        let step = self.slots.steps;
        let found = self.schedule.as_ref().map_or(1.0, |s| s.factor(step));
        if !(found.is_finite() && found >= 0.0) {
            return Err(OptimizerError::Factor { step, found });
        }
        let plateau = self.plateau.as_ref().map_or(1.0, |p| p.factor);
        Ok(self.base_rate * found * plateau)
    }

    /// What clipping does to a gradient, and its norm.
    pub(super) fn change(&self, norm: GradNorm) -> (Change, GradNorm) {
        let norm = match self.skipped {
            Some(_) => norm.computed(),
            None => norm,
        };
        match self.clip {
            Clip::None => (Change::Norm(Limit::None), norm),
            Clip::Value(limit) => (Change::Value(limit), norm),
            Clip::Norm(most) => {
                let norm = norm.computed();
                (Change::Norm(norm.limit(most)), norm)
            }
        }
    }

    /// Whether a step depends on the norm of the whole gradient.
    pub(super) fn reads_norm(&self) -> bool {
        matches!(self.clip, Clip::Norm(_)) || self.skipped.is_some()
    }

    /// Whether a step with a gradient of this norm is skipped, and counted as such.
    pub(super) fn skips(&mut self, norm: &GradNorm) -> Result<bool, OptimizerError> {
        let Some(skipped) = &mut self.skipped else {
            return Ok(false);
        };
        let skips = !norm.try_value()?.is_finite();
        *skipped += u64::from(skips);
        Ok(skips)
    }

    pub(super) fn freeze(&mut self, pattern: impl Into<String>) {
        self.groups.add(pattern, Group::default().frozen(true));
    }
}
