//! Operations with a pullback of the user's.

use crate::again::Cotangents;
use crate::arguments::Inputs;
use crate::error::OrPanic;
use crate::operation::{Active, Operation};
use crate::{Arguments, Tape, TapeError, Var};
use autodiff_core::ad::{Acc, Ct, Differentiable};
use std::rc::Rc;

/// A function that gives its value and its pullback, which takes the arguments once more.
struct Custom<R> {
    name: &'static str,
    run: Rc<R>,
}

impl<R> Clone for Custom<R> {
    fn clone(&self) -> Self {
        Custom {
            name: self.name,
            run: self.run.clone(),
        }
    }
}

impl<R, A, Y, P> Operation<A> for Custom<R>
where
    A: Arguments,
    Y: Differentiable + Clone + 'static,
    R: Fn(&A) -> (Y, P) + 'static,
    P: FnOnce(Y::Tangent, &A) -> A::Tangent + 'static,
{
    type Output = Y;
    fn name(&self) -> &'static str {
        self.name
    }
    fn run(
        &self,
        args: &A,
        _: Active,
    ) -> (Y, impl FnOnce(&A, Ct<Y>, &mut Ct<A>) + use<R, A, Y, P>) {
        let (value, pullback) = (self.run)(args);
        let proto = value.proto();
        let pull = move |args: &A, ct: Ct<Y>, sums: &mut Ct<A>| {
            sums.acc(A::start(pullback(Y::finish(&proto, ct), args)));
        };
        (value, pull)
    }
    fn again(
        &self,
        _: &Tape,
        _: &A::Vars,
        _: &Var<Y>,
        _: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        Err(TapeError::NoSecondDerivative {
            operation: self.name,
            instead: "its pullback is a function of numbers: write the operation with those of `Var`",
        })
    }
}

impl Tape {
    #[track_caller]
    fn custom<I, Y, P, R>(&self, name: &'static str, inputs: I, run: R) -> Var<Y>
    where
        I: Inputs,
        Y: Differentiable + Clone + 'static,
        R: Fn(&I::Values) -> (Y, P) + 'static,
        P: FnOnce(Y::Tangent, &I::Values) -> <I::Values as Differentiable>::Tangent + 'static,
    {
        let run = Rc::new(run);
        let y = self.apply(Custom { name, run }, inputs);
        y.or_panic()
    }

    /// Runs a function of the values of `inputs` that gives its value and its pullback, as `f::vjp` does, and methods with
    /// `_vjp`. The pullback gives a cotangent for each input, as a tuple; that of a constant is dropped.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// use differentiable::tape::Tape;
    ///
    /// let tape = Tape::new();
    /// let x = tape.var(tensor([-1.0, 2.0]));
    /// // `MyReLU`: forward, and backward with what it has saved.
    /// let y = tape.operation("MyReLU", (&x,), |(x,): &(Tensor![2],)| {
    ///     let saved = x.clone();
    ///     (x.clamp_min(0.0), move |ct: Tensor![2]| (saved.gt(0.0).select(&ct, &ct.zeros_like()),))
    /// });
    /// y.sum().backward();
    /// assert_eq!(x.grad().unwrap().to_vec(), [0.0, 1.0]);
    /// ```
    ///
    /// # Panics
    /// If an input is of another tape, or was computed before the tape was cleared.
    #[track_caller]
    pub fn operation<I, Y, P, R>(&self, name: &'static str, inputs: I, run: R) -> Var<Y>
    where
        I: Inputs,
        Y: Differentiable + Clone + 'static,
        R: Fn(&I::Values) -> (Y, P) + 'static,
        P: FnOnce(Y::Tangent) -> <I::Values as Differentiable>::Tangent + 'static,
    {
        self.custom(name, inputs, move |args| {
            let (y, pullback) = run(args);
            (y, move |ct, _: &I::Values| pullback(ct))
        })
    }

    /// Notes an operation that was run elsewhere: its inputs, its output, and the function that takes the cotangent of the
    /// output, with the values of the inputs, to theirs. The gradients to update are those of the inputs that have one.
    ///
    /// This is `add_operation` of engines that are a list. [`operation`](Self::operation) runs the operation too.
    ///
    /// # Panics
    /// If an input is of another tape, or was computed before the tape was cleared.
    #[track_caller]
    pub fn add_operation<I, Y, B>(
        &self,
        name: &'static str,
        inputs: I,
        output: Y,
        backward_operation: B,
    ) -> Var<Y>
    where
        I: Inputs,
        Y: Differentiable + Clone + 'static,
        B: Fn(Y::Tangent, &I::Values) -> <I::Values as Differentiable>::Tangent + 'static,
    {
        let backward = Rc::new(backward_operation);
        self.custom(name, inputs, move |_| {
            let backward = backward.clone();
            let pullback = move |ct, args: &I::Values| backward(ct, args);
            (output.clone(), pullback)
        })
    }
}
