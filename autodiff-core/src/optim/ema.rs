//! Averages of parameters.

use super::part::{Part, as_raw};
use crate::device::{Backend, Float};
use crate::nn::{Module, Path, Visitor, VisitorMut};
use crate::tensor::raw::Raw;
use std::vec::IntoIter;

/// An exponential moving average of the parameters of a model: often better in evaluation than the model itself (Polyak &
/// Juditsky 1992).
///
/// `average ← decay·average + (1 − decay)·model`, for each parameter; buffers, such as running statistics, are those of the
/// model.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::Ema;
///
/// let mut net = (1.0_f64, [4.0_f64]);
/// let mut ema = Ema::new(&net, 0.75);
/// net = (2.0, [0.0]);
/// ema.update(&net);
/// assert_eq!(*ema.model(), (1.25, [3.0]));
///
/// ema.swap(&mut net); // evaluate, save, and swap again
/// assert_eq!(net, (1.25, [3.0]));
/// ```
///
/// To go on in another run, save [`model`](Ema::model) as any model, and load it into [`model_mut`](Ema::model_mut).
#[derive(Clone, Debug)]
pub struct Ema<M> {
    average: M,
    decay: f64,
}

impl<M: Module> Ema<M> {
    /// Begins with the model as it is.
    ///
    /// # Panics
    /// When the decay is not in `0.0..1.0`.
    pub fn new(model: &M, decay: f64) -> Self
    where
        M: Clone,
    {
        super::check_fraction("the decay of `Ema`", decay);
        let average = model.clone();
        Ema { average, decay }
    }

    /// Takes the parameters after a step into the average.
    ///
    /// # Panics
    /// When the model has other parameters than the one before.
    pub fn update(&mut self, model: &M) {
        let mut all = Collect(Vec::new());
        model.visit(&mut Path::default(), &mut all);
        let params = all.0.len();
        model.visit_buffers(false, &mut Path::default(), &mut all);
        let buffers = all.0.split_off(params);
        let mut blend = Blend {
            from: all.0.into_iter(),
            decay: self.decay,
        };
        self.average.visit_mut(&mut Path::default(), &mut blend);
        let mut missed = blend.from.len();
        // Buffers are copied.
        (blend.from, blend.decay) = (buffers.into_iter(), 0.0);
        let path = &mut Path::default();
        self.average.visit_buffers_mut(false, path, &mut blend);
        missed += blend.from.len();
        assert_eq!(
            missed, 0,
            "tensors of the model that its average does not have"
        );
    }

    /// The model with the averages as parameters.
    pub fn model(&self) -> &M {
        &self.average
    }

    /// The same, to load a saved average.
    pub fn model_mut(&mut self) -> &mut M {
        &mut self.average
    }

    /// The model with the averages as parameters.
    pub fn into_model(self) -> M {
        self.average
    }

    /// Exchanges the model and its average: to evaluate or save, and a second time to go on.
    pub fn swap(&mut self, model: &mut M) {
        std::mem::swap(&mut self.average, model);
    }
}

/// The tensors of a model, which share their memory with it.
struct Collect(Vec<Box<dyn Part>>);

impl Visitor for Collect {
    fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
        self.0.push(Box::new(value.clone()));
    }
}

/// Brings tensors nearer to others.
struct Blend {
    from: IntoIter<Box<dyn Part>>,
    decay: f64,
}

impl VisitorMut for Blend {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
        let Some(part) = self.from.next() else {
            panic!("the model has no tensor for `{name}` of its average")
        };
        let from = as_raw::<T, D>(&*part).to(value.device());
        assert_eq!(
            value.dims(),
            from.dims(),
            "sizes of `{name}` in an average and in its model"
        );
        match self.decay {
            // Of its own: what a captured function writes is not shared.
            0.0 => *value = from.copied(),
            decay => value.blend(decay, 1.0 - decay, &from),
        }
    }
}
