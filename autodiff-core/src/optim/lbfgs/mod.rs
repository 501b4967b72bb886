//! L-BFGS.

mod saved;
mod search;
mod vector;

use super::group::Groups;
use super::{OptimizerError, OptimizerState, OptimizerStateError, check_positive};
use crate::device::{AnyStorage, ToDevice};
use crate::nn::{Module, Path, kinds, tagged};
use search::{Point, strong_wolfe};
use std::collections::VecDeque;
use vector::{Grads, Load, Params, Place, Vector};

/// L-BFGS (Liu & Nocedal 1989) with a line search for the strong conditions of Wolfe, as PyTorch's
/// `LBFGS(line_search_fn="strong_wolfe")`: for losses without noise, of all examples at once.
///
/// A step evaluates the loss and its gradient several times, so it takes a function that does. What it remembers is on the
/// device of the model; where that is brought to another one, so must this be, by [`to`](ToDevice::to).
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::Lbfgs;
///
/// // Rosenbrock's function.
/// let mut point = (-1.2_f64, 1.0_f64);
/// let mut lbfgs = Lbfgs::new();
/// for _ in 0..3 {
///     lbfgs.step(&mut point, |&(x, y)| {
///         let loss = (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2);
///         let grad = (-2.0 * (1.0 - x) - 400.0 * x * (y - x * x), 200.0 * (y - x * x));
///         (loss, grad)
///     });
/// }
/// assert!((point.0 - 1.0).abs() < 1e-4 && (point.1 - 1.0).abs() < 1e-4);
/// ```
#[derive(Clone)]
pub struct Lbfgs {
    rate: f64,
    iterations: usize,
    evaluations: usize,
    tolerance_grad: f64,
    tolerance_change: f64,
    history: usize,
    groups: Groups,
    memory: Memory,
}

/// What is remembered between iterations.
#[derive(Clone)]
struct Memory {
    /// The iterations so far.
    count: u64,
    names: Vec<String>,
    /// Changes of the gradient and the parameters; the oldest first.
    pairs: VecDeque<Pair>,
    /// The curvature along the last change, `y·s / y·y`.
    scale: f64,
    /// The last direction, its length, and the gradient before.
    last: Option<Last>,
}

#[derive(Clone)]
struct Pair {
    y: Vector,
    s: Vector,
    /// `y·s`
    product: f64,
}

#[derive(Clone)]
struct Last {
    direction: Vector,
    t: f64,
    grad: Vector,
}

/// What a step of [`Lbfgs`] did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LbfgsStep {
    /// The loss before the step.
    pub loss_before: f64,
    /// The loss after it.
    pub loss: f64,
    /// The largest entry of the gradient after it, without its sign.
    pub largest_grad: f64,
    /// The iterations done.
    pub iterations: usize,
    /// How often the loss was evaluated.
    pub evaluations: usize,
    /// Whether the step ended because gradient or changes were below their tolerances.
    pub converged: bool,
}

const NAME: &str = "lbfgs";

impl Default for Lbfgs {
    fn default() -> Self {
        Lbfgs::new()
    }
}

impl Lbfgs {
    /// Up to 20 iterations and 25 evaluations a step, a history of 100 changes.
    pub fn new() -> Self {
        Lbfgs {
            rate: 1.0,
            iterations: 20,
            evaluations: 25,
            tolerance_grad: 1e-7,
            tolerance_change: 1e-9,
            history: 100,
            groups: Groups::default(),
            memory: Memory::new(),
        }
    }

    /// The length that the line search tries first, in directions; 1 if not set.
    ///
    /// # Panics
    /// When it is not a finite number above 0.
    pub fn rate(mut self, rate: f64) -> Self {
        check_positive("the first length", rate);
        self.rate = rate;
        self
    }

    /// The most iterations of a step, and evaluations after which no other iteration begins: five for four iterations.
    ///
    /// # Panics
    /// When it is 0.
    pub fn iterations(mut self, most: usize) -> Self {
        assert!(most > 0, "0 iterations a step, expected at least 1");
        (self.iterations, self.evaluations) = (most, most * 5 / 4);
        self
    }

    /// A step ends when no entry of the gradient is larger than the first, or an iteration changes no parameter by more
    /// than the second or the loss by less; 1e-7 and 1e-9 if not set.
    ///
    /// # Panics
    /// When one is negative or not finite.
    pub fn tolerances(mut self, grad: f64, change: f64) -> Self {
        super::check_rate(grad);
        super::check_rate(change);
        (self.tolerance_grad, self.tolerance_change) = (grad, change);
        self
    }

    /// The number of changes that are remembered; 100 if not set.
    ///
    /// # Panics
    /// When it is 0.
    pub fn history(mut self, changes: usize) -> Self {
        assert!(changes > 0, "a history of 0 changes, expected at least 1");
        self.history = changes;
        self
    }

    /// Leaves the parameters as they are whose names match a pattern, as [`Descent::freeze`](super::Descent::freeze).
    pub fn freeze(mut self, pattern: impl Into<String>) -> Self {
        let frozen = super::Group::default().frozen(true);
        self.groups.add(pattern, frozen);
        self
    }

    /// One step. `evaluate` gives the loss of the model and its gradient.
    ///
    /// # Panics
    /// With the error of [`try_step`](Lbfgs::try_step).
    #[track_caller]
    pub fn step<M: Module>(
        &mut self,
        model: &mut M,
        evaluate: impl FnMut(&M) -> (f64, M::Tangent),
    ) -> LbfgsStep {
        match self.try_step(model, evaluate) {
            Ok(step) => step,
            Err(e) => panic!("{e}"),
        }
    }

    /// As [`step`](Lbfgs::step), with an error where the pattern of what is frozen matches no parameter, or the model has
    /// other parameters than before. The model is then as it was.
    pub fn try_step<M: Module>(
        &mut self,
        model: &mut M,
        mut evaluate: impl FnMut(&M) -> (f64, M::Tangent),
    ) -> Result<LbfgsStep, OptimizerError> {
        let names = || -> Vec<String> {
            let names = kinds(model).into_keys();
            names.filter(|name| tagged(name).is_none()).collect()
        };
        self.groups.check(&names)?;
        let mut groups = self.groups.clone();
        let mut params = Params::new(&mut groups);
        model.visit(&mut Path::default(), &mut params);
        let (names, mut start) = (params.names, params.vector);
        self.memory.check(&names, &start)?;
        self.memory.names = names;

        let mut evaluations = 0;
        // The loss and the gradient at `start + t·direction`.
        let mut at = |start: &Vector, direction: &Vector, t: f64| {
            let mut place = Place {
                groups: &mut groups,
                start,
                direction,
                t,
                at: 0,
            };
            model.visit_mut(&mut Path::default(), &mut place);
            let (loss, grad) = evaluate(model);
            evaluations += 1;
            let mut grads = Grads::new(&mut groups);
            model.visit_with_grad(&grad, &mut Path::default(), &mut grads);
            (loss, grads.vector)
        };
        let (loss_before, mut grad) = at(&start, &start, 0.0);
        let [mut largest_grad, _] = grad.sizes();
        let (mut loss, mut iterations) = (loss_before, 0);
        let mut converged = largest_grad <= self.tolerance_grad;
        let mut spent = 1;
        while !converged && iterations < self.iterations && spent < self.evaluations.max(2) {
            iterations += 1;
            let direction = self.memory.direction(&grad, self.history);
            let slope = grad.dot(&direction);
            let first = match self.memory.count {
                1 => (1.0 / grad.sizes()[1]).min(1.0) * self.rate,
                _ => self.rate,
            };
            let [scale, _] = direction.sizes();
            if slope > -self.tolerance_change || slope.is_nan() {
                self.memory.last = Some(Last {
                    direction,
                    t: 0.0,
                    grad: grad.clone(),
                });
                converged = slope.is_finite();
                break;
            }
            let from = Point {
                t: 0.0,
                loss,
                slope,
                grad: grad.clone(),
            };
            let found = strong_wolfe(&from, first, scale, self.tolerance_change, &mut |t| {
                let (loss, grad) = at(&start, &direction, t);
                spent += 1;
                let slope = grad.dot(&direction);
                Point {
                    t,
                    loss,
                    slope,
                    grad,
                }
            });
            start.blend(1.0, found.t, &direction);
            let change = (found.loss - loss).abs();
            let last = Last {
                direction,
                t: found.t,
                grad: std::mem::replace(&mut grad, found.grad),
            };
            self.memory.last = Some(last);
            loss = found.loss;
            [largest_grad, _] = grad.sizes();
            converged = largest_grad <= self.tolerance_grad
                || scale * found.t <= self.tolerance_change
                || change < self.tolerance_change;
        }
        // The last evaluation need not have been at the best point.
        let mut place = Place {
            groups: &mut groups,
            start: &start,
            direction: &start,
            t: 0.0,
            at: 0,
        };
        model.visit_mut(&mut Path::default(), &mut place);
        Ok(LbfgsStep {
            loss_before,
            loss,
            largest_grad,
            iterations,
            evaluations,
            converged,
        })
    }

    /// A copy of what is remembered between steps.
    pub fn state(&self) -> OptimizerState {
        self.memory.state()
    }

    /// Goes on from a saved state: the next step is bit for bit the one that would have followed.
    ///
    /// The state must be of L-BFGS and fit the model; if not, nothing is changed.
    pub fn load_state<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        let mut groups = self.groups.clone();
        let (slots, numbers) = Memory::checked(&mut groups, &|| kinds(model), &state)?;
        let mut load = Load {
            groups: &mut groups,
            slots,
            from: state.tensors,
            names: Vec::new(),
            vectors: Vec::new(),
        };
        if state.steps > 0 {
            model.visit(&mut Path::default(), &mut load);
        }
        let (names, vectors) = (load.names, load.vectors);
        self.memory = Memory::loaded(state.steps, names, vectors, numbers);
        Ok(())
    }
}

impl ToDevice for Lbfgs {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        for pair in &mut self.memory.pairs {
            pair.y.each_storage(each);
            pair.s.each_storage(each);
        }
        if let Some(last) = &mut self.memory.last {
            last.direction.each_storage(each);
            last.grad.each_storage(each);
        }
    }
}

impl Memory {
    fn new() -> Self {
        Memory {
            count: 0,
            names: Vec::new(),
            pairs: VecDeque::new(),
            scale: 1.0,
            last: None,
        }
    }

    /// The direction of descent at a point with this gradient: the two loops of Nocedal & Wright, algorithm 7.4.
    fn direction(&mut self, grad: &Vector, history: usize) -> Vector {
        self.count += 1;
        if let Some(last) = self.last.take() {
            let mut y = grad.clone();
            y.blend(1.0, -1.0, &last.grad);
            let s = last.direction.scaled(last.t);
            let product = y.dot(&s);
            if product > 1e-10 {
                self.scale = product / y.dot(&y);
                self.pairs.push_back(Pair { y, s, product });
            }
        }
        while self.pairs.len() > history {
            self.pairs.pop_front();
        }
        let mut q = grad.scaled(-1.0);
        let mut weights = Vec::with_capacity(self.pairs.len());
        for pair in self.pairs.iter().rev() {
            let weight = pair.s.dot(&q) / pair.product;
            q.blend(1.0, -weight, &pair.y);
            weights.push(weight);
        }
        let mut direction = q.scaled(self.scale);
        for (pair, weight) in self.pairs.iter().zip(weights.iter().rev()) {
            let other = pair.y.dot(&direction) / pair.product;
            direction.blend(1.0, weight - other, &pair.s);
        }
        direction
    }

    /// An error if the model has other parameters than those that are remembered.
    fn check(&self, names: &[String], params: &Vector) -> Result<(), OptimizerError> {
        let Some(last) = &self.last else {
            return Ok(());
        };
        let found = params.kinds();
        let expected = last.grad.kinds();
        let both = expected.iter().zip(&found).zip(names);
        let mut changed = both.filter(|((expected, found), _)| expected != found);
        if let Some(((expected, found), name)) = changed.next() {
            return Err(OptimizerError::Changed {
                name: name.clone(),
                expected: expected.clone(),
                found: found.clone(),
            });
        }
        if self.names != names {
            let here = |name: &&String| !self.names.contains(name);
            let gone = |name: &&String| !names.contains(name);
            let new = names.iter().find(here);
            let name = new.or_else(|| self.names.iter().find(gone));
            return Err(OptimizerError::Parameters {
                name: name.cloned().unwrap_or_default(),
            });
        }
        Ok(())
    }
}
