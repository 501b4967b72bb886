use super::layout::Layout;
use super::share::Share;
use crate::device::{Backend, Device, Float};
use crate::dist::flat::{self, Which, leaf, read};
use crate::dist::inner::of_inner;
use crate::dist::{CommError, Kind, Numbers, Ranks, Reduce};
use crate::nn::{Module, Path, Visitor, VisitorWithGrad};
use crate::optim::{GradNorm, Optimizer, OptimizerError, OptimizerState, OptimizerStateError};
use crate::tensor::Raw;
use core::any::Any;
use std::sync::Arc;

/// An optimiser whose state is divided among the ranks, as ZeRO has it: each rank remembers what belongs to its part of the
/// parameters, takes the step there, and gives the new parameters to the others.
///
/// ```
/// use differentiable::dist::{Zero, threads};
/// use differentiable::optim::{AdamW, Optimizer};
/// use differentiable::prelude::*;
///
/// threads(2, |ranks| {
///     let mut x = vec![3.0_f64, -2.0, 1.0];
///     let mut adam = Zero::new(AdamW::new(0.1), &ranks);
///     for _ in 0..300 {
///         let gradient: Vec<f64> = x.iter().map(|x| 2.0 * x).collect(); // of this rank's rows
///         adam.step(&mut x, &gradient);
///     }
///     assert!(x.iter().all(|x| x.abs() < 1e-3));
///     // Two moments of two of the three numbers, and of the third.
///     assert_eq!(adam.remembered(), [4, 2][ranks.rank()]);
/// });
/// ```
///
/// The gradient that it is given is that of this rank's rows: the step takes the mean over all ranks, each of which gets only its part
/// of it. So it stands in the place of both the optimiser and [`DataParallel`](crate::dist::DataParallel), with the same
/// communication: a reduce-scatter and an all-gather are what an all-reduce is made of. ([`fit`] does so too.) Steps with gradients of
/// several batches are taken in two ways:
///
/// - ZeRO-1: [`Accumulate`](crate::optim::Accumulate) adds up whole gradients, and a step divides their mean.
/// - ZeRO-2: [`add`](Zero::add) divides each gradient and keeps this rank's part; [`step_with_added`](Zero::step_with_added) takes the
///   step. A rank never holds more than one whole gradient.
///
/// With [`Sharded`](crate::dist::Sharded) layers the parameters are divided too (ZeRO-3).
///
/// Optimisers whose update of an entry depends on others of its parameter cannot be divided so: LAMB, Adafactor, Muon. Their first
/// step says so. The norm to which gradients are clipped is that of the whole gradient.
///
/// All ranks must call [`state`](Optimizer::state) together: it collects the whole state on every rank, so a checkpoint holds for any
/// number of ranks.
///
/// [`fit`]: https://docs.rs/differentiable
pub struct Zero<O> {
    ranks: Ranks,
    pub(super) optimizer: O,
    pub(super) layout: Option<Arc<Layout>>,
    added: Option<Added>,
}

/// Gradients that wait for a step.
struct Added {
    /// This rank's parts of the sums.
    rows: Vec<(Kind, Numbers)>,
    /// The rows of data that this rank has added.
    weight: f64,
}

impl<O: Optimizer> Zero<O> {
    /// Divides the state of an optimiser that has not begun.
    pub fn new(optimizer: O, ranks: &Ranks) -> Self {
        Zero {
            ranks: ranks.clone(),
            optimizer,
            layout: None,
            added: None,
        }
    }

    /// The ranks.
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// How many numbers this rank remembers between steps.
    pub fn remembered(&self) -> usize {
        let state = self.optimizer.state();
        state.tensors.values().map(|x| x.data().len()).sum()
    }

    /// Adds the mean gradient of so many rows to those that wait for a step, keeping this rank's part.
    ///
    /// # Errors
    /// If a rank ended, did not come in time, or has another model.
    pub fn add<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
        rows: usize,
    ) -> Result<(), CommError> {
        let layout = self.layout(model)?;
        let factor = rows as f64;
        let all = gradients(model, grad)?;
        if !layout.fits(&all) {
            return Err(CommError::OtherModel);
        }
        let begin = |kind| {
            let mut row = layout.row(kind, &all);
            // Without rows there is nothing to add, whatever the gradient is.
            match rows {
                0 => row = Numbers::zeros(kind, row.len()),
                _ => row.scale(factor),
            }
            (kind, self.ranks.reduce_scatter(row, Reduce::Sum))
        };
        let begun: Vec<_> = layout.kinds().map(begin).collect();
        let mut parts = Vec::new();
        for (kind, pending) in begun {
            parts.push((kind, pending.wait()?));
        }
        match &mut self.added {
            None => {
                let (rows, weight) = (parts, factor);
                self.added = Some(Added { rows, weight });
            }
            Some(added) => {
                added.weight += factor;
                for ((_, sum), (_, part)) in added.rows.iter_mut().zip(&parts) {
                    sum.reduce(Reduce::Sum, part);
                }
            }
        }
        Ok(())
    }

    /// Takes a step with the mean of the gradients that were [added](Zero::add), weighted by their rows.
    ///
    /// # Errors
    /// If a rank ended, did not come in time or has another model, if nothing was added, and those of the optimiser.
    pub fn step_with_added<M: Module>(
        &mut self,
        model: &mut M,
    ) -> Result<GradNorm, OptimizerError> {
        let failed = |e: CommError| OptimizerError::Ranks { why: e.to_string() };
        let none = || OptimizerError::Ranks {
            why: "no gradient was added".to_string(),
        };
        let added = self.added.take().ok_or_else(none)?;
        let layout = self.layout(model).map_err(failed)?;
        let total = self.ranks.sum(added.weight).map_err(failed)?;
        let mut rows = added.rows;
        for (_, row) in &mut rows {
            row.scale(if total > 0.0 { 1.0 / total } else { 0.0 });
        }
        let device = device_of(model);
        let mut share = self.share(&layout, model, &device).map_err(failed)?;
        let grad = Share::new(&layout, &rows, &device)
            .map_err(failed)?
            .into_tangent();
        let ranks = self.ranks.clone();
        let norm = self
            .optimizer
            .try_step_of_share(&mut share, &grad, &|own| {
                ranks
                    .sum(own)
                    .map_err(|e| OptimizerError::Ranks { why: e.to_string() })
            })?;
        self.give(&layout, &share, model).map_err(failed)?;
        Ok(norm)
    }

    /// Gives the parameters of the parts to all ranks.
    fn give<M: Module>(
        &self,
        layout: &Layout,
        share: &Share,
        model: &mut M,
    ) -> Result<(), CommError> {
        let begin = |kind| {
            let row = share.row(kind, layout.share(kind))?;
            Ok((kind, self.ranks.all_gather(row)))
        };
        let begun: Result<Vec<_>, CommError> = layout.kinds().map(begin).collect();
        let mut rows = Vec::new();
        for (kind, pending) in begun? {
            rows.push((kind, pending.wait()?));
        }
        flat::set_numbers(model, Which::Parameters, layout.unrow(&rows));
        Ok(())
    }

    /// This rank's parts of the parameters.
    pub(super) fn share<M: Module>(
        &self,
        layout: &Layout,
        model: &M,
        device: &Device,
    ) -> Result<Share, CommError> {
        Share::new(layout, &layout.own(model)?, device)
    }

    /// The layout of the model, which stays the same.
    pub(super) fn layout<M: Module>(&mut self, model: &M) -> Result<Arc<Layout>, CommError> {
        if let Some(layout) = &self.layout {
            return Ok(Arc::clone(layout));
        }
        let layout = Layout::of(model, self.ranks.rank(), self.ranks.size())?;
        Ok(Arc::clone(self.layout.insert(Arc::new(layout))))
    }
}

/// The gradient of each parameter.
fn gradients<M: Module>(model: &mut M, grad: &M::Tangent) -> Result<Vec<Numbers>, CommError> {
    struct Read(Result<Vec<Numbers>, CommError>);
    impl VisitorWithGrad for Read {
        fn param<T: Float, D: Backend>(&mut self, _: &Path, _: &mut Raw<T, D>, grad: &Raw<T, D>) {
            if let Ok(all) = &mut self.0 {
                let index = all.len();
                let found =
                    leaf(grad).map_or(Err(CommError::Elements { index }), |x| read(x, index));
                match found {
                    Ok(x) => all.push(x),
                    Err(error) => self.0 = Err(error),
                }
            }
        }
    }
    let mut all = Read(Ok(Vec::new()));
    model.visit_with_grad(grad, &mut Path::default(), &mut all);
    all.0
}

/// Where the parameters are.
pub(super) fn device_of<M: Module>(model: &M) -> Device {
    struct Find(Option<Device>);
    impl Visitor for Find {
        fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
            if self.0.is_none() {
                let device: &dyn Any = value.device();
                self.0 = device.downcast_ref::<Device>().cloned();
            }
        }
    }
    let mut find = Find(None);
    model.visit(&mut Path::default(), &mut find);
    find.0.unwrap_or_else(Device::current)
}

of_inner!(devices of Zero);

impl<O: Optimizer> Optimizer for Zero<O> {
    /// One step with the mean of the gradients of all ranks, as if each had as many rows.
    fn try_step<M: Module>(
        &mut self,
        model: &mut M,
        grad: &M::Tangent,
    ) -> Result<GradNorm, OptimizerError> {
        let added = self.add(model, grad, 1);
        added.map_err(|e| OptimizerError::Ranks { why: e.to_string() })?;
        self.step_with_added(model)
    }

    fn takes_mean(&self) -> bool {
        true
    }

    of_inner!(settings);

    /// The whole state, which all ranks collect together.
    ///
    /// # Panics
    /// If a rank ended or did not come in time. [`try_state`](Zero::try_state) returns the error.
    fn state(&self) -> OptimizerState {
        self.try_state().unwrap_or_else(|e| panic!("{e}"))
    }

    fn load_state<M: Module>(
        &mut self,
        model: &M,
        state: OptimizerState,
    ) -> Result<(), OptimizerStateError> {
        self.load(model, state)
    }
}
