//! The list of operations, and its ends.

use crate::arguments::Inputs;
use crate::error::OrPanic;
use crate::node::{Call, Leaf, Node, Place};
use crate::operation::{Active, Called, Operation};
use crate::pass::{self, Pass, Unconnected};
use crate::{Arguments, Loss, TapeError, Var, Wrt};
use autodiff_core::ad::{Differentiable, DifferentiableFn};
use core::cell::{Cell, Ref, RefCell};
use core::fmt;
use std::rc::{Rc, Weak};

/// A list of the operations that a program has run, from which gradients are computed by going through it backwards.
///
/// A clone is the same tape. Constants and what is computed from constants alone are not on the list.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::tape::Tape;
///
/// let tape = Tape::new();
/// let (x1, x2) = (tape.var(2.0), tape.var(5.0));
/// let y = x1.ln() + &x1 * &x2 - x2.sin();
/// let (by_x1, by_x2) = tape.gradient(&y, (&x1, &x2));
/// assert_eq!(by_x1, 5.5);
/// assert_eq!(by_x2, 2.0 - 5f64.cos());
/// ```
#[derive(Clone, Default)]
pub struct Tape(Rc<Inner>);

struct Inner {
    /// In the order in which they ran.
    operations: RefCell<Vec<Rc<dyn Node>>>,
    /// How often the list was cleared.
    generation: Cell<u32>,
    /// Those that are still in use, and some that are not.
    variables: RefCell<Vec<Weak<dyn Node>>>,
    recording: Cell<bool>,
    retain: Cell<bool>,
    /// Whether a pass is running.
    passing: Cell<bool>,
}

impl Default for Inner {
    fn default() -> Self {
        Inner {
            operations: RefCell::default(),
            generation: Cell::new(0),
            variables: RefCell::default(),
            recording: Cell::new(true),
            retain: Cell::new(false),
            passing: Cell::new(false),
        }
    }
}

/// A cell that is set until this is dropped, also where the program panics.
struct Set<'a>(&'a Cell<bool>, bool);

impl<'a> Set<'a> {
    fn to(value: bool, cell: &'a Cell<bool>) -> Self {
        Set(cell, cell.replace(value))
    }
}

impl Drop for Set<'_> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations: Vec<_> = self.nodes().iter().map(|n| n.operation()).collect();
        f.debug_tuple("Tape").field(&operations).finish()
    }
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Self {
        Self::default()
    }

    /// A variable: gradients are taken by it.
    pub fn var<V: Differentiable + Clone + 'static>(&self, value: V) -> Var<V> {
        let leaf: Rc<dyn Node> = Rc::new(Leaf::new(&value));
        self.0.variables.borrow_mut().push(Rc::downgrade(&leaf));
        Var::new(self, Place::Leaf(leaf), value)
    }

    /// A value without a gradient: data, labels, options.
    pub fn constant<V>(&self, value: V) -> Var<V> {
        Var::new(self, Place::Constant, value)
    }

    /// How many operations are on the list.
    pub fn len(&self) -> usize {
        self.nodes().len()
    }

    /// Whether no operation is on the list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether both are the same list.
    pub(crate) fn is(&self, other: &Tape) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn generation(&self) -> u32 {
        self.0.generation.get()
    }

    pub(crate) fn nodes(&self) -> Ref<'_, Vec<Rc<dyn Node>>> {
        self.0.operations.borrow()
    }

    /// Forgets the operations, and frees what they kept. Variables stay, with their gradients. A result from before is a value
    /// still, but an operation on it panics: [`detach`](Var::detach) it.
    pub fn clear(&self) {
        self.0.operations.borrow_mut().clear();
        self.0.generation.set(self.generation() + 1);
        let mut variables = self.0.variables.borrow_mut();
        variables.retain(|v| v.strong_count() > 0);
    }

    /// Sets the gradients of all variables, and of all results on the list, to `None`.
    pub fn zero_grads(&self) {
        for node in self.nodes().iter() {
            node.zero_grad();
        }
        let variables = self.0.variables.borrow();
        for variable in variables.iter().filter_map(Weak::upgrade) {
            variable.zero_grad();
        }
    }

    /// Has [`backward`](Self::backward) keep the gradients of all values from now on, not those of variables alone.
    pub fn retain_grads(&self, retain: bool) {
        self.0.retain.set(retain);
    }

    /// Runs `f` without noting anything: what it computes is constant.
    ///
    /// ```
    /// use differentiable::tape::Tape;
    ///
    /// let tape = Tape::new();
    /// let x = tape.var(3.0);
    /// let y = tape.no_grad(|| &x * &x);
    /// assert!(!y.requires_grad() && tape.is_empty());
    /// ```
    pub fn no_grad<R>(&self, f: impl FnOnce() -> R) -> R {
        self.recording(false, f)
    }

    /// Runs `f` with operations noted or not.
    pub(crate) fn recording<R>(&self, recording: bool, f: impl FnOnce() -> R) -> R {
        let _set = Set::to(recording, &self.0.recording);
        f()
    }

    /// Runs `f`, which notes what it needs itself also under `no_grad`: there that is forgotten afterwards. Nothing on the list
    /// may be in use any more then.
    pub(crate) fn forgetting<R>(&self, f: impl FnOnce() -> R) -> R {
        let noted = self.len();
        let result = f();
        if !self.is_recording() {
            self.0.operations.borrow_mut().truncate(noted);
        }
        result
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.0.recording.get()
    }

    /// Calls an annotated function as one operation: its value is computed by the function itself, its gradient by its
    /// pullback.
    ///
    /// The arguments are a tuple of [`Var`]s or references to them. `&T` in the function is a `Var<T>`, `&[T]` a `Var<Vec<T>>`; a
    /// struct is one value, whose gradient is a struct. An argument that the function marks as `#[constant]` has no gradient.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// use differentiable::tape::Tape;
    ///
    /// #[differentiable]
    /// fn loss(w: &Tensor![3], #[constant] x: &Tensor![3]) -> Tensor![] {
    ///     (w * x).sum().square()
    /// }
    ///
    /// let tape = Tape::new();
    /// let w = tape.var(tensor([1.0, 2.0, 3.0]));
    /// let x = tape.constant(tensor([1.0, 0.0, 2.0]));
    /// let l = tape.call::<loss, _>((&w, &x));
    /// l.backward();
    /// assert_eq!(w.grad().unwrap().to_vec(), loss::grad(w.value(), x.value()).to_vec());
    /// ```
    ///
    /// # Panics
    /// If an argument is of another tape, or was computed before the tape was cleared.
    #[track_caller]
    pub fn call<F, I>(&self, inputs: I) -> Var<F::Output>
    where
        I: Inputs,
        F: DifferentiableFn<I::Values, Output: Clone + 'static> + 'static,
    {
        self.try_call::<F, I>(inputs).or_panic()
    }

    /// As [`call`](Self::call), with an error in place of the panic.
    ///
    /// # Errors
    /// [`TapeError::OtherTape`], [`TapeError::Cleared`].
    pub fn try_call<F, I>(&self, inputs: I) -> Result<Var<F::Output>, TapeError>
    where
        I: Inputs,
        F: DifferentiableFn<I::Values, Output: Clone + 'static> + 'static,
    {
        self.apply(Called::<F>::NEW, inputs)
    }

    /// Runs an operation, and notes it if one of its arguments has a gradient.
    pub(crate) fn apply<O, I>(&self, operation: O, inputs: I) -> Result<Var<O::Output>, TapeError>
    where
        I: Inputs,
        O: Operation<I::Values>,
    {
        let follows = |k| operation.follows(k);
        let (args, places) = inputs.split(self, operation.name(), follows)?;
        Ok(self.note(operation, args, places))
    }

    fn note<O, A>(&self, operation: O, args: A, places: A::Places) -> Var<O::Output>
    where
        A: Arguments,
        O: Operation<A>,
    {
        let active = Active::of(places.as_ref());
        if !active.any() || !self.is_recording() {
            return self.constant(operation.value(&args));
        }
        let (value, pullback) = operation.run(&args, active);
        let node = Call::new(operation, args, places, &value, pullback);
        let at = self.push(Rc::new(node));
        Var::new(self, at, value)
    }

    fn push(&self, node: Rc<dyn Node>) -> Place {
        let operations = self.0.operations.try_borrow_mut();
        let mut operations =
            operations.expect("an operation of the tape ran inside of a pullback of the same tape");
        operations.push(node);
        Place::Operation {
            index: operations.len() - 1,
            generation: self.generation(),
        }
    }

    fn run<V: Differentiable + 'static>(
        &self,
        from: &Place,
        cotangent: V::Tangent,
        pass: Pass<'_>,
    ) {
        assert!(
            !self.0.passing.get(),
            "a gradient of the tape was asked for inside of a pullback of the same tape"
        );
        let _set = Set::to(true, &self.0.passing);
        let retain = self.0.retain.get();
        pass::run::<V>(&self.nodes(), from, V::start(cotangent), pass, retain);
    }

    fn backward_of<V: Differentiable + 'static>(
        &self,
        operation: &'static str,
        y: &Var<V>,
        cotangent: V::Tangent,
    ) -> Result<(), TapeError> {
        let from = y.place_on(self, operation)?;
        if from.is_constant() {
            return Err(TapeError::NoGradient { operation });
        }
        pass::reached(&self.nodes(), from)?;
        self.run::<V>(from, cotangent, Pass::Backward);
        Ok(())
    }

    /// Goes through the list backwards from `loss`, and adds its gradient to that of each variable: see [`Var::grad`].
    ///
    /// An operation frees what it kept for its pullback at the first pass. A later one, from the same value or another, runs the
    /// operation again.
    ///
    /// # Panics
    /// If `loss` is of another tape, was computed before the tape was cleared, or depends on no variable.
    #[track_caller]
    pub fn backward<V: Loss + 'static>(&self, loss: &Var<V>) {
        self.try_backward(loss).or_panic();
    }

    /// As [`backward`](Self::backward), with an error in place of the panic.
    ///
    /// # Errors
    /// All of [`TapeError`] but [`Unconnected`](TapeError::Unconnected).
    pub fn try_backward<V: Loss + 'static>(&self, loss: &Var<V>) -> Result<(), TapeError> {
        self.backward_of("backward", loss, loss.value().one())
    }

    /// [`backward`](Self::backward) from a value that is no scalar, with its cotangent.
    ///
    /// # Panics
    /// As [`backward`](Self::backward).
    #[track_caller]
    pub fn backward_with<V: Differentiable + 'static>(&self, y: &Var<V>, cotangent: V::Tangent) {
        self.backward_of("backward_with", y, cotangent).or_panic();
    }

    /// The gradient of `loss` by variables or results, which stand in a reference, a tuple, an array or a slice.
    /// It changes no [`Var::grad`].
    ///
    /// # Panics
    /// If `loss` does not depend on one of them: [`gradient_or_zero`](Self::gradient_or_zero) gives a zero there. If a value
    /// is of another tape, or was computed before the tape was cleared.
    #[track_caller]
    pub fn gradient<V: Loss + 'static, W: Wrt>(&self, loss: &Var<V>, wrt: W) -> W::Gradient {
        self.try_gradient(loss, wrt).or_panic()
    }

    /// As [`gradient`](Self::gradient), with an error in place of the panic.
    ///
    /// # Errors
    /// Any [`TapeError`].
    pub fn try_gradient<V: Loss + 'static, W: Wrt>(
        &self,
        loss: &Var<V>,
        wrt: W,
    ) -> Result<W::Gradient, TapeError> {
        let one = loss.value().one();
        self.gradient_of("gradient", loss, one, wrt, Unconnected::IsAnError)
    }

    /// [`gradient`](Self::gradient) of a value that is no scalar, with its cotangent: the product of the cotangent with the
    /// Jacobian.
    ///
    /// # Panics
    /// As [`gradient`](Self::gradient).
    #[track_caller]
    pub fn gradient_with<V: Differentiable + 'static, W: Wrt>(
        &self,
        y: &Var<V>,
        cotangent: V::Tangent,
        wrt: W,
    ) -> W::Gradient {
        let gradient = self.gradient_of("gradient_with", y, cotangent, wrt, Unconnected::IsAnError);
        gradient.or_panic()
    }

    fn gradient_of<V: Differentiable + 'static, W: Wrt>(
        &self,
        operation: &'static str,
        y: &Var<V>,
        cotangent: V::Tangent,
        wrt: W,
        unconnected: Unconnected,
    ) -> Result<W::Gradient, TapeError> {
        let places = wrt.places(self, operation)?;
        let from = y.place_on(self, operation)?;
        let nodes = self.nodes();
        let reached = pass::reached(&nodes, from)?;
        if unconnected == Unconnected::IsAnError {
            pass::check_connected(operation, &nodes, &reached, from, &places)?;
        }
        self.run::<V>(from, cotangent, Pass::Only(&places));
        let gradient = wrt.gradient(&nodes);
        pass::forget(&nodes, &places);
        Ok(gradient)
    }

    /// As [`gradient`](Self::gradient), with a zero where `loss` does not depend on what the gradient is taken by.
    ///
    /// # Panics
    /// If a value is of another tape, or was computed before the tape was cleared.
    #[track_caller]
    pub fn gradient_or_zero<V: Loss + 'static, W: Wrt>(
        &self,
        loss: &Var<V>,
        wrt: W,
    ) -> W::Gradient {
        let one = loss.value().one();
        self.gradient_of("gradient_or_zero", loss, one, wrt, Unconnected::IsZero)
            .or_panic()
    }

    /// The same of a value that is no scalar, with its cotangent.
    ///
    /// # Panics
    /// As [`gradient_or_zero`](Self::gradient_or_zero).
    #[track_caller]
    pub fn gradient_with_or_zero<V: Differentiable + 'static, W: Wrt>(
        &self,
        y: &Var<V>,
        cotangent: V::Tangent,
        wrt: W,
    ) -> W::Gradient {
        let operation = "gradient_with_or_zero";
        self.gradient_of(operation, y, cotangent, wrt, Unconnected::IsZero)
            .or_panic()
    }
}
