//! An optimiser made of an update rule.

use super::group::Group;
use super::part::Part;
use super::rule::{ParamStep, UpdateRule};
use super::schedule::{Plateau, Schedule};
use super::settings::{Change, Clip, Settings};
use super::slots::Slots;
use super::{GradNorm, Optimizer, OptimizerError, OptimizerState, OptimizerStateError};
use crate::device::{AnyStorage, Backend, Dims, Float, ToDevice, draws, together};
use crate::nn::{Kind, Module, Path, VisitorWithGrad, kinds, tagged};
use crate::tensor::raw::Raw;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An optimiser that changes each parameter by an [`UpdateRule`]: [`Adam`](super::Adam), [`Sgd`](super::Sgd) and the others
/// are this with a rule.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::{AdamW, Optimizer, cosine, warmup};
///
/// let adamw = AdamW::new(3e-4)
///     .weight_decay(0.1)
///     .group("**.bias", |g| g.decay(0.0))
///     .group("**.norm*.*", |g| g.decay(0.0))
///     .group("backbone.**", |g| g.rate(0.1))
///     .freeze("backbone.patch.**")
///     .clip_norm(1.0)
///     .schedule(warmup(40).then(cosine(360, 0.1)));
/// assert!((adamw.rate() - 3e-4 / 40.0).abs() < 1e-12);
/// ```
#[derive(Clone)]
pub struct Descent<R> {
    pub(super) rule: R,
    settings: Settings,
}

impl<R: UpdateRule> Descent<R> {
    /// An optimiser by this rule, without weight decay.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn by(rule: R, learning_rate: f64) -> Self {
        let settings = Settings::new(learning_rate, 0.0);
        Descent { rule, settings }
    }

    /// The same settings with another rule.
    pub(super) fn map<S>(self, rule: impl FnOnce(R) -> S) -> Descent<S> {
        Descent {
            rule: rule(self.rule),
            settings: self.settings,
        }
    }

    /// The coefficient λ of weight decay. How it enters the update is in the documentation of the algorithm.
    ///
    /// # Panics
    /// When it is negative or not finite.
    pub fn weight_decay(mut self, weight_decay: f64) -> Self {
        super::check_decay(weight_decay);
        self.settings.weight_decay = weight_decay;
        self
    }

    /// Settings for the parameters whose names match a pattern.
    ///
    /// In a pattern `*` stands for one component of a name, and inside of a component for any part of it; `**` stands
    /// for any number of components, also none: `**.bias`, `blocks.*.norm*.*`. Where several groups set the same thing
    /// for a parameter, the last one counts. A pattern that matches no parameter is an error in the first step.
    pub fn group(mut self, pattern: impl Into<String>, set: impl FnOnce(Group) -> Group) -> Self {
        self.settings.groups.add(pattern, set(Group::default()));
        self
    }

    /// Leaves the parameters as they are whose names match a pattern, as [`group`](Descent::group) has them: no update, no
    /// weight decay, nothing remembered of them, no part in the norm of the gradient.
    pub fn freeze(mut self, pattern: impl Into<String>) -> Self {
        self.settings.freeze(pattern);
        self
    }

    /// Scales the gradient of a step down to this norm, if it is longer; in place of
    /// [`clip_value`](Descent::clip_value). The norm is that of all parameters together that are not frozen.
    ///
    /// # Panics
    /// When it is not above 0.
    pub fn clip_norm(mut self, max_norm: f64) -> Self {
        assert!(
            max_norm > 0.0,
            "the norm to clip to is {max_norm}, expected a number above 0"
        );
        self.settings.clip = Clip::Norm(max_norm);
        self
    }

    /// Brings each entry of the gradient of a step between `−limit` and `limit`; in place of
    /// [`clip_norm`](Descent::clip_norm).
    ///
    /// # Panics
    /// When it is not above 0.
    pub fn clip_value(mut self, limit: f64) -> Self {
        assert!(
            limit > 0.0,
            "the limit of the gradient's entries is {limit}, expected a number above 0"
        );
        self.settings.clip = Clip::Value(limit);
        self
    }

    /// A factor on the learning rate as a function of the step: a [`Curve`](super::Curve) such as
    /// `warmup(40).then(cosine(360, 0.1))`, or a closure.
    pub fn schedule(mut self, schedule: impl Schedule) -> Self {
        self.settings.schedule = Some(Arc::new(schedule));
        self
    }

    /// Lowers the learning rate when the losses that [`observe`](Optimizer::observe) is given no longer fall.
    pub fn plateau(mut self, plateau: Plateau) -> Self {
        self.settings.plateau = Some(plateau);
        self
    }

    /// Skips a step whose gradient has a norm that is infinite or NaN: nothing changes, the step is not counted, and
    /// [`skipped`](Descent::skipped) grows. The host then waits for the norm of each gradient.
    pub fn skip_non_finite(mut self) -> Self {
        self.settings.skipped = Some(0);
        self
    }

    /// The number of steps that were skipped.
    pub fn skipped(&self) -> u64 {
        self.settings.skipped.unwrap_or(0)
    }

    /// The number of steps done.
    pub fn steps(&self) -> u64 {
        self.settings.slots.steps
    }
}

/// Looks at a gradient, and then changes the parameters by it.
///
/// One visitor does both, so that a module is walked by one piece of compiled code for each optimiser.
struct Walk<'o, R> {
    rule: &'o R,
    settings: &'o mut Settings,
    /// The names of the parameters that it looks at.
    owns: &'o dyn Fn(&str) -> bool,
    pass: Pass,
}

enum Pass {
    Look {
        grads: Vec<Box<dyn Part>>,
        error: Option<OptimizerError>,
    },
    Update {
        rate: f64,
        change: Change,
    },
}

impl<R: UpdateRule> VisitorWithGrad for Walk<'_, R> {
    fn param<T: Float, D: Backend>(
        &mut self,
        name: &Path,
        value: &mut Raw<T, D>,
        grad: &Raw<T, D>,
    ) {
        let name = name.as_str();
        if !(self.owns)(name) {
            return;
        }
        let group = self.settings.groups.of(name);
        let (rule, slots) = (self.rule, &mut self.settings.slots);
        match &mut self.pass {
            Pass::Look { grads, error } if !group.frozen && error.is_none() => {
                let wanted = || rule.slots(value.dims(), group.by_element);
                *error = slots.ready(name, value, &wanted).err();
                grads.push(Box::new(grad.clone()));
            }
            Pass::Update { rate, change } if !group.frozen => {
                let weight_decay = group.decay.unwrap_or(self.settings.weight_decay);
                let steps = slots.steps;
                let (tensors, begun) = slots.of(name);
                let step = ParamStep {
                    rate: *rate * group.rate,
                    weight_decay,
                    step: (steps - begun).max(1),
                    by_element: group.by_element,
                };
                rule.update(&step, value, change.of(rule, grad), tensors);
            }
            _ if group.frozen => slots.forget(name),
            _ => {}
        }
    }

    fn variant(&mut self, name: &Path, variant: &'static str) {
        if let Pass::Look { error, .. } = &mut self.pass
            && error.is_none()
        {
            let noted = self.settings.slots.note_variant(name.as_str(), variant);
            *error = noted.err();
        }
    }
}

impl<R: UpdateRule> Descent<R> {
    /// One step with the parameters that `owns` names. With `sum` they are a share of all, and `sum` makes the sum of squares of all
    /// shares out of that of this one.
    fn step_by<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
        owns: &dyn Fn(&str) -> bool,
        sum: Option<&dyn Fn(f64) -> Result<f64, OptimizerError>>,
    ) -> Result<GradNorm, OptimizerError> {
        if draws::is_capturing() {
            return Err(OptimizerError::Captured);
        }
        let rate = self.settings.rate()?;
        let names = || -> Vec<String> {
            let names = kinds(model).into_keys();
            names.filter(|name| tagged(name).is_none()).collect()
        };
        self.settings.groups.check(&names)?;
        let mut walk = Walk {
            rule: &self.rule,
            settings: &mut self.settings,
            owns,
            pass: Pass::Look {
                grads: Vec::new(),
                error: None,
            },
        };
        model.visit_with_grad(grad, &mut Path::default(), &mut walk);
        let Pass::Look { grads, error } = walk.pass else {
            unreachable!("visitors keep the pass")
        };
        error.map_or(Ok(()), Err)?;
        let (change, norm) = self.settings.change(norm_of(grads, sum)?);
        if self.settings.skips(&norm)? {
            return Ok(norm);
        }
        self.settings.slots.count();
        let factor = change.factor(&self.rule);
        let mut walk = Walk {
            rule: &self.rule,
            settings: &mut self.settings,
            owns,
            pass: Pass::Update { rate, change },
        };
        together::steps(factor.as_ref(), || {
            model.visit_with_grad(grad, &mut Path::default(), &mut walk)
        });
        Ok(norm)
    }
}

fn norm_of(
    grads: Vec<Box<dyn Part>>,
    sum: Option<&dyn Fn(f64) -> Result<f64, OptimizerError>>,
) -> Result<GradNorm, OptimizerError> {
    let norm = GradNorm::of(grads);
    match sum {
        None => Ok(norm),
        Some(sum) => {
            let own = norm.try_value()?;
            Ok(GradNorm::known(sum(own * own)?.sqrt()))
        }
    }
}

impl<R: UpdateRule> Optimizer for Descent<R> {
    fn try_step<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
    ) -> Result<GradNorm, OptimizerError> {
        self.step_by(model, grad, &|_| true, None)
    }

    fn try_step_of_some<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
        owns: &dyn Fn(&str) -> bool,
        sum: &dyn Fn(f64) -> Result<f64, OptimizerError>,
    ) -> Result<GradNorm, OptimizerError> {
        let sum = self.settings.reads_norm().then_some(sum);
        self.step_by(model, grad, owns, sum)
    }

    fn try_step_of_share<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
        sum: &dyn Fn(f64) -> Result<f64, OptimizerError>,
    ) -> Result<GradNorm, OptimizerError> {
        match self.rule.is_by_entry() {
            true => self.step_by(model, grad, &|_| true, Some(sum)),
            false => Err(OptimizerError::Whole {
                algorithm: self.rule.name(),
            }),
        }
    }

    fn learning_rate(&self) -> f64 {
        self.settings.base_rate
    }

    fn rate(&self) -> f64 {
        self.settings.rate().unwrap_or_else(|e| panic!("{e}"))
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        super::check_rate(learning_rate);
        self.settings.base_rate = learning_rate;
    }

    fn observe(&mut self, loss: f64) {
        if let Some(plateau) = &mut self.settings.plateau {
            plateau.observe(loss);
        }
    }

    fn state(&self) -> OptimizerState {
        let mut numbers = BTreeMap::new();
        if let Some(plateau) = &self.settings.plateau {
            plateau.save(&mut numbers);
        }
        if let Some(skipped) = self.settings.skipped {
            numbers.insert(SKIPPED.to_string(), skipped as f64);
        }
        let tensors = self.settings.slots.state(&mut numbers);
        OptimizerState {
            algorithm: self.rule.name().to_string(),
            steps: self.settings.slots.steps,
            numbers,
            tensors,
        }
    }

    fn load_state<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        // Before the first step nothing is remembered of the parameters.
        let kinds = match state.steps {
            0 => BTreeMap::new(),
            _ => kinds(model),
        };
        self.load(kinds, state)
    }
}

const SKIPPED: &str = "skipped";

impl<R: UpdateRule> Descent<R> {
    /// [`Optimizer::load_state`] for parameters of these kinds. Compiled once, and not for each module.
    fn load(
        &mut self,
        kinds: BTreeMap<String, Kind>,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        let OptimizerState {
            algorithm,
            steps,
            mut numbers,
            tensors,
        } = state;
        let expected = self.rule.name();
        if algorithm != expected {
            return Err(OptimizerStateError::Algorithm {
                expected,
                found: algorithm,
            });
        }
        let mut settings = self.settings.clone();
        if let Some(plateau) = &mut settings.plateau {
            plateau.load(&mut numbers)?;
        }
        if let Some(skipped) = &mut settings.skipped {
            *skipped = super::take_number(&mut numbers, SKIPPED)? as u64;
        }
        let mut slots = |name: &str, dims: &Dims| {
            let group = settings.groups.of(name);
            (!group.frozen).then(|| self.rule.slots(dims, group.by_element))
        };
        let loaded = Slots::loaded(steps, kinds, &mut slots, tensors, &mut numbers)?;
        settings.slots = loaded;
        super::none_left(&numbers)?;
        self.settings = settings;
        Ok(())
    }
}

impl<R: Clone> ToDevice for Descent<R> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        self.settings.slots.each_storage(each);
    }
}
