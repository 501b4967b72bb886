use super::slots::Slots;
use super::{Optimizer, OptimizerState, OptimizerStateError};
use crate::device::{Backend, Device, Float, SgdStep, ToDevice};
use crate::nn::{Module, Path, VisitorWithGrad};
use crate::tensor::raw::Raw;

/// Stochastic gradient descent, with momentum, Nesterov's correction and weight decay (an L2
/// penalty, added to the gradient) on request.
///
/// With the gradient `g` and the penalty's `g ← g + λ·p`: `v ← μ·v + g`, then `p ← p − lr·v`, or
/// with Nesterov's correction `p ← p − lr·(g + μ·v)` (Sutskever et al. 2013; PyTorch's form).
#[derive(Clone)]
pub struct Sgd {
    settings: SgdStep,
    slots: Memory,
}

impl ToDevice for Sgd {
    fn move_to(&mut self, device: &Device) {
        match &mut self.slots {
            Memory::None(slots) => slots.move_to(device),
            Memory::Velocity(slots) => slots.move_to(device),
        }
    }
}

/// Plain descent remembers nothing, which a saved state should show.
#[derive(Clone)]
enum Memory {
    None(Slots<0>),
    Velocity(Slots<1>),
}

const NAME: &str = "sgd";

impl Sgd {
    /// Plain gradient descent.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        super::check_rate(learning_rate);
        let settings = SgdStep {
            lr: learning_rate,
            momentum: 0.0,
            dampening: 0.0,
            weight_decay: 0.0,
            nesterov: false,
        };
        Sgd {
            settings,
            slots: Memory::None(Slots::new(NAME, [])),
        }
    }

    /// Keeps the fraction `momentum` of the velocity in each step.
    ///
    /// # Panics
    /// When it is not in `0.0..1.0`.
    pub fn momentum(mut self, momentum: f64) -> Self {
        super::check_fraction("momentum", momentum);
        self.settings.momentum = momentum;
        self.slots = if momentum == 0.0 {
            Memory::None(Slots::new(NAME, []))
        } else {
            Memory::Velocity(Slots::new(NAME, ["velocity"]))
        };
        self
    }

    /// Looks ahead along the velocity. Has an effect only with momentum.
    pub fn nesterov(mut self) -> Self {
        self.settings.nesterov = true;
        self
    }

    /// Adds `weight_decay · p` to the gradient of each parameter `p`.
    ///
    /// # Panics
    /// When it is negative or not finite.
    pub fn weight_decay(mut self, weight_decay: f64) -> Self {
        super::check_decay(weight_decay);
        self.settings.weight_decay = weight_decay;
        self
    }
}

impl VisitorWithGrad for Sgd {
    fn param<T: Float, D: Backend>(
        &mut self,
        name: &Path,
        value: &mut Raw<T, D>,
        grad: &Raw<T, D>,
    ) {
        let velocity = match &mut self.slots {
            Memory::None(_) => None,
            Memory::Velocity(slots) => {
                let [velocity] = slots.of(name.as_str(), value);
                Some(velocity)
            }
        };
        value.sgd(&self.settings, grad, velocity);
    }
    fn variant(&mut self, name: &Path, variant: &'static str) {
        match &mut self.slots {
            Memory::None(slots) => slots.note_variant(name.as_str(), variant),
            Memory::Velocity(slots) => slots.note_variant(name.as_str(), variant),
        }
    }
}

impl Optimizer for Sgd {
    fn step<M: Module>(&mut self, model: &mut M, grad: &M::Tangent) {
        match &mut self.slots {
            Memory::None(slots) => slots.begin_step(),
            Memory::Velocity(slots) => slots.begin_step(),
        };
        model.visit_with_grad(grad, &mut Path::default(), self);
    }

    fn learning_rate(&self) -> f64 {
        self.settings.lr
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        super::check_rate(learning_rate);
        self.settings.lr = learning_rate;
    }

    fn state(&self) -> OptimizerState {
        match &self.slots {
            Memory::None(slots) => slots.state(),
            Memory::Velocity(slots) => slots.state(),
        }
    }

    fn load_state<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        match &mut self.slots {
            Memory::None(slots) => slots.load(model, state),
            Memory::Velocity(slots) => slots.load(model, state),
        }
    }
}
