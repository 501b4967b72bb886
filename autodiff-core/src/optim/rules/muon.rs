use super::adam::Moments;
use super::norm;
use crate::device::{Backend, BinaryOp, Decay, Dims, Float};
use crate::optim::group::Group;
use crate::optim::{Descent, ParamStep, Slot, UpdateRule, check_fraction};
use crate::tensor::raw::Raw;

/// Muon (Jordan et al. 2024): the momentum of each matrix, made nearly orthogonal. Weight decay is decoupled.
///
/// `b ← μ·b + (1−μ)·g`, and the direction is that of `(1−μ)·g + μ·b` with its singular values brought near 1, by five steps
/// of a Newton–Schulz iteration. `p ← p·(1 − lr·λ) − lr·s·direction`, where [`MuonScale`] says what `s` is.
///
/// Tensors that are not matrices have the update of [`AdamW`](super::AdamW), with the same rate and weight decay unless a
/// group says otherwise. So should embeddings and the last layer: name them with [`adamw`](Descent::adamw).
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::Muon;
///
/// let muon = Muon::new(1e-3).adamw("tokens.**").adamw("out.**").group("**.bias", |g| g.decay(0.0));
/// ```
pub type Muon = Descent<MuonRule>;

/// How long the steps of [`Muon`] are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MuonScale {
    /// Their root mean square is about 0.2 times the rate, as for AdamW: `s = 0.2·√(max(inputs, outputs))` (Liu et al. 2025).
    /// One learning rate serves all parameters.
    #[default]
    AsAdamW,
    /// `s = √(max(1, outputs/inputs))`, as first published. The rate is then about 20 times that of AdamW.
    Original,
}

/// The update rule of [`Muon`].
#[derive(Clone, Debug, PartialEq)]
pub struct MuonRule {
    momentum: f64,
    nesterov: bool,
    iterations: u32,
    scale: MuonScale,
    others: Moments,
}

impl Descent<MuonRule> {
    /// Muon with a momentum of 0.95 and a weight decay of 0.1.
    ///
    /// # Panics
    /// When the learning rate is negative or not finite.
    pub fn new(learning_rate: f64) -> Self {
        let rule = MuonRule {
            momentum: 0.95,
            nesterov: true,
            iterations: 5,
            scale: MuonScale::default(),
            others: Moments::new(1e-8),
        };
        Descent::by(rule, learning_rate).weight_decay(0.1)
    }

    /// The fraction μ of the momentum that each step keeps; 0.95 if not set.
    ///
    /// # Panics
    /// When it is not in `0.0..1.0`.
    pub fn momentum(mut self, momentum: f64) -> Self {
        check_fraction("momentum", momentum);
        self.rule.momentum = momentum;
        self
    }

    /// Takes the direction of the momentum `b` itself.
    pub fn without_nesterov(mut self) -> Self {
        self.rule.nesterov = false;
        self
    }

    /// The steps of the Newton–Schulz iteration; 5 if not set.
    ///
    /// # Panics
    /// When it is 0.
    pub fn iterations(mut self, iterations: u32) -> Self {
        assert!(iterations > 0, "Muon has 0 iterations, expected at least 1");
        self.rule.iterations = iterations;
        self
    }

    /// How long the steps are.
    pub fn scale(mut self, scale: MuonScale) -> Self {
        self.rule.scale = scale;
        self
    }

    /// Updates the matrices by AdamW whose names match a pattern, as [`group`](Descent::group) has them.
    pub fn adamw(self, pattern: impl Into<String>) -> Self {
        self.group(pattern, Group::by_element)
    }

    /// The decay rates of the two moments of AdamW; 0.9 and 0.999 if not set.
    ///
    /// # Panics
    /// When one is not in `0.0..1.0`.
    pub fn betas(mut self, beta1: f64, beta2: f64) -> Self {
        self.rule.others.set_betas(beta1, beta2);
        self
    }

    /// What is added to the denominator of AdamW; 1e-8 if not set.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.rule.others.epsilon = epsilon;
        self
    }
}

impl UpdateRule for MuonRule {
    fn name(&self) -> &'static str {
        "muon"
    }

    fn slots(&self, dims: &Dims, by_element: bool) -> Vec<Slot> {
        match dims.rank() == 2 && !by_element {
            true => vec![Slot::zeros("momentum", dims)],
            false => Moments::slots(dims),
        }
    }

    fn update<T: Float, D: Backend>(
        &self,
        step: &ParamStep,
        param: &mut Raw<T, D>,
        grad: Raw<T, D>,
        slots: &mut [Raw<T, D>],
    ) {
        let [momentum] = slots else {
            return self
                .others
                .update(Decay::Decoupled, step, param, &grad, slots);
        };
        momentum.blend(self.momentum, 1.0 - self.momentum, &grad);
        let mut direction = momentum.clone();
        if self.nesterov {
            direction.blend(self.momentum, 1.0 - self.momentum, &grad);
        }
        // Weights here have a row for each input.
        let [inputs, outputs] = [0, 1].map(|axis| param.dims()[axis] as f64);
        let scale = match self.scale {
            MuonScale::Original => (outputs / inputs).max(1.0).sqrt(),
            MuonScale::AsAdamW => 0.2 * inputs.max(outputs).sqrt(),
        };
        let direction = orthogonalised(direction, self.iterations);
        let keep = 1.0 - step.rate * step.weight_decay;
        param.blend(keep, -step.rate * scale, &direction);
    }
}

/// The coefficients of the quintic `a·x + b·x³ + c·x⁵`, which brings singular values between 0 and 1 near 1 in few steps.
const QUINTIC: [f64; 3] = [3.4445, -4.7750, 2.0315];

/// A matrix with the same singular vectors and singular values near 1.
fn orthogonalised<T: Float, D: Backend>(mut x: Raw<T, D>, iterations: u32) -> Raw<T, D> {
    let [a, b, c] = QUINTIC;
    let length = norm(&x).binary_scalar(BinaryOp::Max, T::lit(1e-7));
    x.apply(BinaryOp::Div, &length);
    // The products are smaller on the shorter side.
    let flip = x.dims()[0] > x.dims()[1];
    if flip {
        x = x.transpose(0, 1);
    }
    for _ in 0..iterations {
        let gram = Raw::matmul(&x, &x.transpose(0, 1));
        let mut inner = Raw::matmul(&gram, &gram);
        inner.blend(c, b, &gram);
        let mut next = Raw::matmul(&inner, &x);
        next.blend(1.0, a, &x);
        x = next;
    }
    if flip { x.transpose(0, 1) } else { x }
}
