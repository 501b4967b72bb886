//! Programs that are defined, then run: a tape over a recording.

mod wrt;

pub use wrt::Trained;

use crate::{Recording, Train};
use autodiff_core::ad::Differentiable;
use autodiff_core::device::Elem;
use autodiff_core::nn::Module;
use autodiff_core::optim::Optimizer;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;
use autodiff_tape::{Loss, Tape, Var};
use core::ops::Deref;

/// A program of placeholders, variables and constants, as TensorFlow 1 had it: operations on them are nodes of a graph, so are
/// gradients, and a [`Session`](crate::Session) runs what is asked for. It is a [`Recording`] with a [`Tape`].
///
/// ```
/// use differentiable::graph::{Feeds, Program, Session};
/// use differentiable::prelude::*;
///
/// let tf = Program::new();
/// let x = tf.placeholder::<shape![2], f32>("x", Default::default());
/// let w = tf.variable("w", &tensor([1.0, 2.0]));
/// let loss = (&w * &x).sum().square();
/// let w_grad = tf.gradients(&loss, &w);
/// let train_step = tf.assign(&w, &(&w - &w_grad * 0.1));
///
/// let mut sess = Session::new(&tf, &Device::cpu());
/// let feeds = Feeds::new().with(&x, &tensor([1.0, 0.5]));
/// let (loss, ()) = sess.run((&loss, &train_step), &feeds)?;
/// assert_eq!(loss.item(), 4.0);
/// assert_eq!(sess.variable(&w).to_vec(), [0.6, 1.8]);
/// # Ok::<(), differentiable::graph::GraphError>(())
/// ```
#[derive(Debug, Default)]
pub struct Program {
    recording: Recording,
    tape: Tape,
}

impl Deref for Program {
    type Target = Recording;
    fn deref(&self) -> &Recording {
        &self.recording
    }
}

impl Program {
    /// An empty one.
    pub fn new() -> Self {
        Program {
            recording: Recording::new(),
            tape: Tape::new(),
        }
    }

    /// The tape, for what it has beside operators: calls of annotated functions, gradients that are differentiated again.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// A tensor whose elements each run is given.
    ///
    /// # Panics
    /// As [`Recording::input`].
    #[track_caller]
    pub fn placeholder<S: Shape, T: Elem>(&self, name: &str, shape: S) -> Var<Tensor<S, T>>
    where
        Tensor<S, T>: Differentiable,
    {
        self.tape.var(self.recording.input(name, shape))
    }

    /// A tensor that stays from run to run: it begins as `first`.
    ///
    /// # Panics
    /// As [`Recording::variable`].
    #[track_caller]
    pub fn variable<S: Shape, T: Elem>(&self, name: &str, first: &Tensor<S, T>) -> Var<Tensor<S, T>>
    where
        Tensor<S, T>: Differentiable,
    {
        self.tape.var(self.recording.variable(name, first))
    }

    /// A tensor that is known.
    #[track_caller]
    pub fn constant<S: Shape, T: Elem>(&self, contents: &Tensor<S, T>) -> Var<Tensor<S, T>> {
        self.tape.constant(self.recording.constant(contents))
    }

    /// The gradient of `loss` by placeholders, variables or what is computed from them, in a reference, a tuple, an array or a
    /// slice: new nodes of the graph, which operations may use. It is zero where `loss` does not depend on one of them.
    ///
    /// # Panics
    /// If a value is of another program.
    #[track_caller]
    pub fn gradients<V: Loss + 'static, W: Trained>(&self, loss: &Var<V>, wrt: W) -> W::Vars {
        let (tape, with) = (&self.tape, wrt.clone());
        let gradient = self.scope(|| tape.gradient_or_zero(loss, with));
        wrt.vars(tape, gradient)
    }

    /// The step of an optimiser on variables, by the gradient of `loss`: see [`Recording::minimize`].
    ///
    /// ```
    /// use differentiable::graph::{Feeds, Program, Session};
    /// use differentiable::optim::Adam;
    /// use differentiable::prelude::*;
    ///
    /// let tf = Program::new();
    /// let w = tf.variable("w", &tensor([1.0, -2.0]));
    /// let loss = w.square().sum();
    /// let train = tf.minimize(&loss, &w, Adam::new(0.1));
    /// let mut sess = Session::new(&tf, &Device::cpu());
    /// for _ in 0..100 {
    ///     sess.run(&train, &Feeds::new())?;
    /// }
    /// assert!(sess.run(&loss, &Feeds::new())?.item() < 1e-2);
    /// # Ok::<(), differentiable::graph::GraphError>(())
    /// ```
    ///
    /// # Panics
    /// If one of them is no variable, or of another program.
    #[track_caller]
    pub fn minimize<V, W, O>(&self, loss: &Var<V>, variables: W, optimizer: O) -> Train<W::Net, O>
    where
        V: Loss + 'static,
        W: Trained,
        W::Net: Module<Tangent = W::Gradient> + Clone + Send + Sync + 'static,
        W::Gradient: Send + Sync,
        O: Optimizer + Clone + Send + Sync + 'static,
    {
        let with = variables.clone();
        let gradient = self.scope(|| self.tape.gradient_or_zero(loss, with));
        self.recording
            .minimize(&variables.net(), &gradient, optimizer)
    }
}
