//! What a tape is a list of.

use crate::again::Cotangents;
use crate::arguments::Arguments;
use crate::operation::{Active, Operation};
use crate::slot::Slot;
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::{Ct, Differentiable};
use core::any::{Any, type_name};
use core::cell::{Cell, RefCell};
use std::rc::Rc;

/// Where the gradient of a value belongs.
#[derive(Clone)]
pub enum Place {
    /// Nowhere.
    Constant,
    /// To a variable.
    Leaf(Rc<dyn Node>),
    /// To the result of the operation at this position of the tape, since it was cleared for the `generation`-th time.
    Operation { index: usize, generation: u32 },
}

impl Place {
    pub fn is_constant(&self) -> bool {
        matches!(self, Place::Constant)
    }

    /// What is there.
    pub fn node<'a>(&'a self, nodes: &'a [Rc<dyn Node>]) -> Option<&'a dyn Node> {
        match self {
            Place::Constant => None,
            Place::Leaf(leaf) => Some(&**leaf),
            Place::Operation { index, .. } => Some(&*nodes[*index]),
        }
    }

    /// Whether both are the same variable or result.
    pub fn is(&self, other: &Place) -> bool {
        match (self, other) {
            (Place::Leaf(a), Place::Leaf(b)) => Rc::ptr_eq(a, b),
            (Place::Operation { index: a, .. }, Place::Operation { index: b, .. }) => a == b,
            _ => false,
        }
    }
}

/// A variable, or an operation that was run.
pub trait Node {
    /// The name of the operation.
    fn operation(&self) -> &'static str;
    /// Whether the operation has a derivative.
    fn check(&self) -> Result<(), TapeError> {
        Ok(())
    }
    /// Where its arguments came from.
    fn inputs(&self) -> &[Place];
    /// The type of its value.
    fn type_name(&self) -> &'static str;
    /// A name that the program gave.
    fn name(&self) -> Option<String>;
    fn set_name(&self, name: String);
    /// The [`Slot`] of its value.
    fn slot(&self) -> &dyn Any;
    /// Takes the cotangent of its value back to its arguments; adds it to the gradient first if that is to stay.
    fn pull(&self, nodes: &[Rc<dyn Node>], retain: bool);
    /// The same, where no gradient is to stay.
    fn pull_quietly(&self, nodes: &[Rc<dyn Node>]);
    /// Copies the cotangent that a pass has added up.
    fn keep(&self);
    /// Drops that cotangent.
    fn drop_sum(&self);
    /// Adds that cotangent to the gradient.
    fn settle(&self);
    /// Drops what a pass has left.
    fn forget(&self);
    fn zero_grad(&self);
    /// As [`pull`](Self::pull) with values of the tape, so that the result can be differentiated again.
    fn again(&self, tape: &Tape, at: Place, ct: Cotangents) -> Result<Vec<Cotangents>, TapeError>;
}

/// A variable: a value that gradients are taken by.
pub struct Leaf<V: Differentiable> {
    slot: Slot<V>,
    name: RefCell<Option<String>>,
}

impl<V: Differentiable> Leaf<V> {
    pub fn new(value: &V) -> Self {
        Leaf {
            slot: Slot::new(value, true),
            name: RefCell::new(None),
        }
    }
}

/// The methods that are the same for both kinds.
macro_rules! of_slot {
    ($($V:tt)*) => {
        fn type_name(&self) -> &'static str {
            type_name::<$($V)*>()
        }
        fn name(&self) -> Option<String> {
            self.name.borrow().clone()
        }
        fn set_name(&self, name: String) {
            self.name.replace(Some(name));
        }
        fn slot(&self) -> &dyn Any {
            &self.slot
        }
        fn keep(&self) {
            self.slot.keep();
        }
        fn drop_sum(&self) {
            drop(self.slot.take());
        }
        fn settle(&self) {
            if let Some(ct) = self.slot.take() {
                self.slot.settle(ct);
            }
        }
        fn forget(&self) {
            self.slot.forget();
        }
        fn zero_grad(&self) {
            self.slot.zero_grad();
        }
    };
}

impl<V: Differentiable + 'static> Node for Leaf<V> {
    of_slot!(V);
    fn operation(&self) -> &'static str {
        "variable"
    }
    fn inputs(&self) -> &[Place] {
        &[]
    }
    fn pull(&self, _: &[Rc<dyn Node>], _: bool) {}
    fn pull_quietly(&self, _: &[Rc<dyn Node>]) {}
    fn again(&self, _: &Tape, _: Place, _: Cotangents) -> Result<Vec<Cotangents>, TapeError> {
        Ok(Vec::new())
    }
}

/// An operation that was run on `args`, with the pullback that it left.
pub struct Call<F: Operation<A>, A: Arguments, P> {
    operation: F,
    args: A,
    inputs: A::Places,
    value: F::Output,
    /// `None` from the first time on that it was used: it frees what it has read. Who asks again has the operation run again.
    pullback: Cell<Option<P>>,
    slot: Slot<F::Output>,
    name: RefCell<Option<String>>,
}

impl<F: Operation<A>, A: Arguments, P> Call<F, A, P> {
    pub fn new(operation: F, args: A, inputs: A::Places, value: &F::Output, pullback: P) -> Self {
        Call {
            operation,
            args,
            inputs,
            slot: Slot::new(value, false),
            value: value.clone(),
            pullback: Cell::new(Some(pullback)),
            name: RefCell::new(None),
        }
    }
}

impl<F, A, P> Node for Call<F, A, P>
where
    F: Operation<A>,
    A: Arguments,
    P: FnOnce(&A, Ct<F::Output>, &mut Ct<A>) + 'static,
{
    of_slot!(F::Output);
    fn check(&self) -> Result<(), TapeError> {
        self.operation.check()
    }
    fn operation(&self) -> &'static str {
        self.operation.name()
    }
    fn inputs(&self) -> &[Place] {
        self.inputs.as_ref()
    }
    fn pull(&self, nodes: &[Rc<dyn Node>], retain: bool) {
        let Some(ct) = self.slot.take() else { return };
        if retain || self.slot.retain.get() {
            self.slot.settle(ct.clone());
        }
        self.pulled(ct, nodes);
    }
    fn pull_quietly(&self, nodes: &[Rc<dyn Node>]) {
        if let Some(ct) = self.slot.take() {
            self.pulled(ct, nodes);
        }
    }
    fn again(&self, tape: &Tape, at: Place, ct: Cotangents) -> Result<Vec<Cotangents>, TapeError> {
        let args = self.args.vars(tape, &self.inputs);
        let value = Var::new(tape, at, self.value.clone());
        self.operation.again(tape, &args, &value, ct)
    }
}

impl<F, A, P> Call<F, A, P>
where
    F: Operation<A>,
    A: Arguments,
    P: FnOnce(&A, Ct<F::Output>, &mut Ct<A>),
{
    fn pulled(&self, ct: Ct<F::Output>, nodes: &[Rc<dyn Node>]) {
        let mut sums = self.args.take(&self.inputs, nodes);
        match self.pullback.take() {
            Some(pullback) => pullback(&self.args, ct, &mut sums),
            None => {
                let active = Active::of(self.inputs.as_ref());
                self.operation.run(&self.args, active).1(&self.args, ct, &mut sums);
            }
        }
        A::give(sums, &self.inputs, nodes);
    }
}
