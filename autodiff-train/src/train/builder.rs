use super::checkpoint::{Every, Files};
use super::entries::Entries;
use super::log::{LogError, Logger};
use super::metrics::{Metric, Named};
use super::report::{EpochReport, Goal, StepReport};
use super::team::Team;
use super::{Objective, TrainError};
use crate::ad::Differentiable;
use crate::data::{Fingerprint, Source};
use crate::dist::Ranks;
use crate::optim::{Ema, Optimizer};
use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Trains a module on the batches of a source: the methods of [`Fit`] say how, and [`run`](Fit::run) does it.
///
/// ```
/// use differentiable::data::Loader;
/// use differentiable::nn::*;
/// use differentiable::optim::Adam;
/// use differentiable::prelude::*;
/// use differentiable::train::{Objective, fit};
///
/// dim!(Batch);
/// type Points = (Tensor![Batch, 1], Tensor![Batch, 1]);
///
/// /// Points of a parabola, between −1 and 1.
/// fn points() -> Vec<(Tensor![1], Tensor![1])> {
///     let point = |i: i32| Tensor::full(i as f32 / 32.0 - 1.0);
///     (0..64).map(point).map(|x| (x.clone(), &x * &x)).collect()
/// }
///
/// #[module]
/// struct Net { hidden: Linear<1, 16>, out: Linear<16, 1> }
///
/// #[differentiable]
/// impl Objective<Points> for Net {
///     fn loss(&self, batch: &Points, _ctx: &mut Ctx) -> Tensor![] {
///         self.out.forward(&self.hidden.forward(&batch.0).tanh()).mse_loss(&batch.1)
///     }
/// }
///
/// let mut net = Net::new(&mut Seeds::new(0));
/// let points = points();
/// let train = Loader::new(&points, 16).shuffle(1).stack(Batch);
/// let report = fit(&mut net, &mut Adam::new(5e-2), &train)
///     .epochs(30)
///     .validate_loss(&train)
///     .early_stop(5)
///     .run()?;
/// assert!(report.best.is_some_and(|best| best.value < 1e-2), "{report:?}");
/// # Ok::<(), differentiable::train::TrainError>(())
/// ```
pub fn fit<'a, M, O, S>(net: &'a mut M, optimizer: &'a mut O, source: &'a S) -> Fit<'a, M, O, S>
where
    S: Source,
    S::Batch: Differentiable,
    M: Objective<S::Batch>,
    O: Optimizer,
{
    Fit {
        net,
        optimizer,
        source,
        settings: Settings::default(),
        validation: None,
        metrics: Vec::new(),
        average: None,
        loggers: Vec::new(),
        on_step: Vec::new(),
        on_epoch: Vec::new(),
        observers: Vec::new(),
        saved: None,
        fingerprint: Fingerprint::new(),
        ranks: None,
        team: Team::new(&Ranks::alone()),
    }
}

/// How a module is trained; [`fit`] makes it, and [`run`](Fit::run) does the work.
#[must_use = "nothing happens before `run`"]
pub struct Fit<'a, M, O, S: Source> {
    pub(super) net: &'a mut M,
    pub(super) optimizer: &'a mut O,
    pub(super) source: &'a S,
    pub(super) settings: Settings,
    pub(super) validation: Option<Validation<'a, M, S::Batch>>,
    pub(super) metrics: Vec<Box<dyn Metric<M, S::Batch> + 'a>>,
    pub(super) average: Option<Ema<M>>,
    pub(super) loggers: Vec<Box<dyn Logger + 'a>>,
    pub(super) on_step: Vec<Box<dyn FnMut(&StepReport) -> ControlFlow<()> + 'a>>,
    pub(super) on_epoch: Vec<Box<dyn FnMut(&EpochReport) -> ControlFlow<()> + 'a>>,
    pub(super) observers: Vec<Observer<'a, M>>,
    /// Epochs and batches that were done when the checkpoint was saved or loaded.
    pub(super) saved: Option<(u64, usize)>,
    /// Of the training data, if the run has a checkpoint.
    pub(super) fingerprint: Fingerprint,
    /// Those that the program chose.
    pub(super) ranks: Option<Ranks>,
    /// Those of the run that has begun.
    pub(super) team: Team,
}

/// Computes the values of an epoch from a source that the type of [`Fit`] does not name.
pub(super) type Validation<'a, M, B> = Box<
    dyn Fn(&M, &[&dyn Metric<M, B>], u64, &Ranks) -> Result<Vec<(String, f64)>, TrainError> + 'a,
>;

pub(super) type Observer<'a, M> =
    Box<dyn FnMut(&M, &EpochReport, &mut dyn Logger) -> Result<(), LogError> + 'a>;

/// The settings that are plain values.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) epochs: u64,
    pub(super) seed: u64,
    pub(super) accumulate: usize,
    pub(super) patience: Option<u64>,
    pub(super) keep_best: Option<usize>,
    pub(super) watch: Option<(String, Goal)>,
    pub(super) files: Option<Files>,
    pub(super) resume: Resume,
    pub(super) entries: Entries,
    pub(super) progress: bool,
    pub(super) log_steps: Option<u64>,
    pub(super) histograms: bool,
    pub(super) log_waiting: bool,
    pub(super) decay: Option<f64>,
}

/// What a run goes on from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Resume {
    /// Nothing.
    No,
    /// Its own checkpoint, if there is one.
    Own,
    /// A file that has to be there.
    From(PathBuf),
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            epochs: 1,
            seed: 0,
            accumulate: 1,
            patience: None,
            keep_best: None,
            watch: None,
            files: None,
            resume: Resume::No,
            entries: Entries::default(),
            progress: false,
            log_steps: None,
            histograms: false,
            log_waiting: false,
            decay: None,
        }
    }
}

/// What a callback answers: nothing, or whether the run goes on.
pub trait Verdict {
    /// Whether the run goes on.
    fn flow(self) -> ControlFlow<()>;
}

/// The run goes on.
impl Verdict for () {
    fn flow(self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Verdict for ControlFlow<()> {
    fn flow(self) -> ControlFlow<()> {
        self
    }
}

impl<'a, M, O, S> Fit<'a, M, O, S>
where
    S: Source,
    S::Batch: Differentiable,
    M: Objective<S::Batch>,
    O: Optimizer,
{
    /// The number of epochs of the whole run, those before it was resumed included; 1 if not set.
    pub fn epochs(mut self, epochs: u64) -> Self {
        self.settings.epochs = epochs;
        self
    }

    /// Trains by these ranks. If not set, they are those that a launcher has started, as [`dist::init`](crate::dist::init) finds
    /// them: `mpirun -n 4 program` trains by four.
    ///
    /// Each rank computes the loss of its rows of every batch, so the steps are those of one rank, up to the order of sums. What a
    /// layer computes from a whole batch, such as the statistics of batch normalisation, is that of a rank's rows; running
    /// statistics are averaged over the ranks before they are used. Random numbers of layers differ from rank to rank. Rank 0
    /// calls the callbacks, logs and saves, and a checkpoint can be resumed by any number of ranks. When a rank fails, all others
    /// end with an error that names it.
    ///
    /// Ranks that train networks of their own, say so: `.ranks(&Ranks::alone())`.
    pub fn ranks(mut self, ranks: &Ranks) -> Self {
        self.ranks = Some(ranks.clone());
        self
    }

    /// The seed of what is random in the module, such as the masks of dropout; 0 if not set. Each batch has a context of
    /// its own, whose seed is a function of this one and of the batch's place in the run.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Computes `val_loss` and a metric on another source after each epoch, in a context for inference. The metric is a
    /// function `fn(&M, &Batch) -> f64`, averaged over rows under its own name, or one of [`metrics`](super::metrics).
    pub fn validate<V, K>(self, source: &'a V, metric: K) -> Self
    where
        V: Source<Batch = S::Batch>,
        K: Metric<M, S::Batch> + 'a,
    {
        self.validate_loss(source).metric(metric)
    }

    /// As [`validate`](Fit::validate), without a metric. A second call replaces the source.
    pub fn validate_loss<V: Source<Batch = S::Batch>>(mut self, source: &'a V) -> Self {
        self.validation = Some(Box::new(move |net, metrics, epoch, ranks| {
            super::evaluate::each_batch(net, source, metrics, epoch, ranks)
        }));
        self
    }

    /// A further metric of the validation.
    pub fn metric(mut self, metric: impl Metric<M, S::Batch> + 'a) -> Self {
        self.metrics.push(Box::new(metric));
        self
    }

    /// A further metric of the validation: a function under a name, averaged over rows.
    pub fn measure<F>(self, name: &str, function: F) -> Self
    where
        F: Fn(&M, &S::Batch) -> f64 + 'a,
    {
        self.metric(Named {
            name: name.to_string(),
            function,
        })
    }

    /// The value by which epochs are compared, for [`early_stop`](Fit::early_stop) and [`keep_best`](Fit::keep_best). If
    /// not set, it is the lowest `val_loss`, or without validation the lowest `loss`.
    pub fn watch(mut self, name: &str, goal: Goal) -> Self {
        self.settings.watch = Some((name.to_string(), goal));
        self
    }

    /// Ends the run when so many epochs in a row are no better than the best one.
    pub fn early_stop(mut self, patience: u64) -> Self {
        self.settings.patience = Some(patience);
        self
    }

    /// Takes a step of the optimiser with the mean gradient of so many batches, weighted by their rows, as if they were
    /// one batch. An epoch ends with a step in any case.
    pub fn accumulate(mut self, batches: usize) -> Self {
        self.settings.accumulate = batches;
        self
    }

    /// Averages the weights over the steps: `average ← decay · average + (1 − decay) · weights`. The average begins with
    /// the weights of now. Validation and [`keep_best`](Fit::keep_best) take the average, and the module holds it when
    /// the run has ended.
    pub fn ema(mut self, decay: f64) -> Self
    where
        M: Clone,
    {
        self.settings.decay = Some(decay);
        // A decay that makes no sense is an error of the run.
        let is_fine = (0.0..1.0).contains(&decay);
        self.average = is_fine.then(|| Ema::new(self.net, decay));
        self
    }

    /// Adds a log: the values of each epoch, under the number of steps done.
    pub fn log(mut self, logger: impl Logger + 'a) -> Self {
        self.loggers.push(Box::new(logger));
        self
    }

    /// Logs the loss of every `steps`-th step too, as `step_loss`.
    pub fn log_steps(mut self, steps: u64) -> Self {
        self.settings.log_steps = Some(steps);
        self
    }

    /// Logs a histogram of each parameter after each epoch, for logs that can show one.
    pub fn log_histograms(mut self) -> Self {
        self.settings.histograms = true;
        self
    }

    /// Logs after each epoch how many seconds its steps waited for their batches, as `data_wait`:
    /// [`EpochReport::waited`](super::EpochReport::waited). With it, two runs of one seed have different logs.
    pub fn log_waiting(mut self) -> Self {
        self.settings.log_waiting = true;
        self
    }

    /// Shows how far the run is on the standard error stream, if that is a terminal.
    pub fn progress(mut self) -> Self {
        self.settings.progress = true;
        self
    }

    /// Saves the run: `.checkpoint("run.safetensors", every(1))`. The file is complete at every moment. The last state is
    /// saved in any case.
    ///
    /// It holds the module, the average of its weights, the optimiser, the place in the data, what is random, the best
    /// epochs and the history. [`Checkpoint`](crate::io::Checkpoint) reads the module alone.
    pub fn checkpoint(mut self, path: impl Into<PathBuf>, every: Every) -> Self {
        self.settings.files = Some(Files {
            path: path.into(),
            every,
        });
        self
    }

    /// Goes on from the checkpoint, if there is one: what follows is bit for bit what would have followed. Without a
    /// file the run begins anew, so that the same program starts a run and continues it.
    pub fn resume(mut self) -> Self {
        self.settings.resume = Resume::Own;
        self
    }

    /// Goes on from a checkpoint, which has to be there, as [`resume`](Fit::resume) does. It stays as it is, unless the run
    /// saves its own [checkpoint](Fit::checkpoint) in the same place; it need not save one. The files of best epochs beside
    /// another checkpoint stay too: this run [keeps](Fit::keep_best) those of its own epochs.
    pub fn resume_from(mut self, path: impl Into<PathBuf>) -> Self {
        self.settings.resume = Resume::From(path.into());
        self
    }

    /// Saves a setting of the program in the checkpoints, such as the width of a layer or the name of a task, under a name
    /// of its own. A run that goes on from one must have the same settings; if not, [`run`](Fit::run) says which one
    /// differs, and its two values. `Checkpoint::load(path)?.get::<u64>("hidden")` reads one, for a program that takes its
    /// settings from the file.
    ///
    /// Values are compared as texts: a type that is not `Display` can be written by `serde_json::to_string`.
    pub fn setting(mut self, name: &str, value: impl Display) -> Self {
        self.settings.entries.add_setting(name, value.to_string());
        self
    }

    /// Saves a value in the checkpoints, under a name of its own, that may be another one when the run goes on, such as a
    /// learning rate or the version of the program.
    pub fn note(mut self, name: &str, value: impl Display) -> Self {
        self.settings.entries.add_note(name, value.to_string());
        self
    }

    /// Keeps the module of each of the `count` best epochs in a file beside the checkpoint, `run.epoch-0007.safetensors`
    /// for the seventh. [`Report::best_file`](super::Report::best_file) names the best.
    pub fn keep_best(mut self, count: usize) -> Self {
        self.settings.keep_best = Some(count);
        self
    }

    /// Calls a function after each step of the optimiser. It may answer with a [`ControlFlow`]; `Break` ends the run.
    pub fn on_step<R: Verdict>(mut self, mut call: impl FnMut(&StepReport) -> R + 'a) -> Self {
        self.on_step.push(Box::new(move |step| call(step).flow()));
        self
    }

    /// Calls a function after each epoch. It may answer with a [`ControlFlow`]; `Break` ends the run.
    pub fn on_epoch<R: Verdict>(mut self, mut call: impl FnMut(&EpochReport) -> R + 'a) -> Self {
        self.on_epoch
            .push(Box::new(move |epoch| call(epoch).flow()));
        self
    }

    /// Calls a function after each epoch with the module and the logs, for samples, pictures and histograms:
    /// `.observe(|net, epoch, log| log.text("sample", epoch.steps, &net.sample()))`.
    pub fn observe<F>(mut self, call: F) -> Self
    where
        F: FnMut(&M, &EpochReport, &mut dyn Logger) -> Result<(), LogError> + 'a,
    {
        self.observers.push(Box::new(call));
        self
    }
}
