//! What derivatives need of a run: a list of steps, each with the pullback and the pushforward of one operation.
//!
//! The formulas are those of the library: a step calls the derivatives of [`Raw`](autodiff_core::tensor::Raw) and `Backend`
//! that the rules of `autodiff_core::ops` call.

use super::value::{Array, Entry, Number, Storage, Value};
use autodiff_core::device::Elem;
use core::any::Any;
use core::cell::{Cell, RefCell};
use std::sync::Arc;

/// The steps of a run, if derivatives are wanted.
#[derive(Default)]
pub struct Tape {
    steps: RefCell<Vec<Arc<dyn Step>>>,
    slots: Cell<usize>,
}

/// Cotangents or tangents of the values on a tape; `None` is zero.
#[derive(Clone, Default)]
pub struct Slots(Vec<Option<Value>>);

impl Slots {
    /// Takes out what there is of a value.
    pub fn take<T: Number>(&mut self, slot: usize) -> Option<Storage<T>> {
        let value = self.0.get_mut(slot)?.take()?;
        T::unwrap(value).map(|x| x.raw)
    }

    /// Takes out what there is of a value, whatever its type.
    pub fn take_any(&mut self, slot: usize) -> Option<Value> {
        self.0.get_mut(slot)?.take()
    }

    /// What there is of a value, whatever its type.
    pub fn get_any(&self, slot: usize) -> Option<Value> {
        self.0.get(slot)?.clone()
    }

    fn get<T: Number>(&self, slot: usize) -> Option<&Storage<T>> {
        T::of(self.0.get(slot)?.as_ref()?).map(|x| &x.raw)
    }

    /// Adds to a value.
    pub fn add<T: Number>(&mut self, slot: usize, part: Storage<T>) {
        let place = &mut self.0[slot];
        let sum = match place.take().and_then(T::unwrap) {
            None => part,
            Some(mut sum) => {
                sum.raw.add_assign(&part);
                sum.raw
            }
        };
        *place = Some(T::wrap(Array::plain(sum, false)));
    }
}

trait Step: Send + Sync {
    /// Adds to the cotangents of what it read, from those of what it made.
    fn pull(&self, slots: &mut Slots);
    /// The tangents of what it made, from those of what it read.
    fn push(&self, slots: &mut Slots);
}

/// An operation that read `N` values and made `M`, all of one type.
struct Operation<T, P, Q, const N: usize, const M: usize> {
    read: [Option<usize>; N],
    made: [usize; M],
    pull: P,
    push: Q,
    element: core::marker::PhantomData<fn() -> T>,
}

impl<T, P, Q, const N: usize, const M: usize> Step for Operation<T, P, Q, N, M>
where
    T: Number,
    P: Fn([Option<&Storage<T>>; M], [bool; N]) -> [Option<Storage<T>>; N] + Send + Sync,
    Q: Fn([Option<&Storage<T>>; N]) -> [Option<Storage<T>>; M] + Send + Sync,
{
    fn pull(&self, slots: &mut Slots) {
        let cts = self.made.map(|slot| slots.take::<T>(slot));
        if cts.iter().all(Option::is_none) {
            return;
        }
        let wanted = self.read.map(|slot| slot.is_some());
        let parts = (self.pull)(cts.each_ref().map(Option::as_ref), wanted);
        for (slot, part) in self.read.iter().zip(parts) {
            if let (Some(slot), Some(part)) = (slot, part) {
                slots.add(*slot, part);
            }
        }
    }
    fn push(&self, slots: &mut Slots) {
        let read = self.read.map(|slot| slots.get::<T>(slot?).cloned());
        if read.iter().all(Option::is_none) {
            return;
        }
        let tangents = (self.push)(read.each_ref().map(Option::as_ref));
        for (slot, tangent) in self.made.iter().zip(tangents) {
            if let Some(tangent) = tangent {
                slots.add(*slot, tangent);
            }
        }
    }
}

/// A conversion between two types of floats.
struct Cast<T, U> {
    read: usize,
    made: usize,
    elements: core::marker::PhantomData<fn() -> (T, U)>,
}

impl<T: Number, U: Number> Step for Cast<T, U> {
    fn pull(&self, slots: &mut Slots) {
        if let Some(ct) = slots.take::<U>(self.made) {
            slots.add(self.read, ct.cast::<T>());
        }
    }
    fn push(&self, slots: &mut Slots) {
        if let Some(t) = slots.get::<T>(self.read).map(|t| t.cast::<U>()) {
            slots.add(self.made, t);
        }
    }
}

/// A list of steps, for a pullback.
#[derive(Clone)]
pub struct Steps {
    steps: Vec<Arc<dyn Step>>,
    slots: usize,
}

impl Steps {
    /// Zeros.
    pub fn zeros(&self) -> Slots {
        Slots((0..self.slots).map(|_| None).collect())
    }

    /// Carries cotangents from the last step to the first.
    pub fn pull(&self, slots: &mut Slots) {
        self.steps.iter().rev().for_each(|step| step.pull(slots));
    }

    /// Carries tangents from the first step to the last.
    pub fn push(&self, slots: &mut Slots) {
        self.steps.iter().for_each(|step| step.push(slots));
    }
}

impl Tape {
    /// A number for a value that derivatives are taken by.
    pub fn slot(&self) -> usize {
        let slot = self.slots.get();
        self.slots.set(slot + 1);
        slot
    }

    /// What was written down.
    pub fn finish(self) -> Steps {
        Steps {
            slots: self.slots.get(),
            steps: self.steps.into_inner(),
        }
    }

    fn note(&self, step: impl Step + 'static) {
        self.steps.borrow_mut().push(Arc::new(step));
    }

    /// The results of an operation, with its derivatives if an operand has some. `made` comes from `read`; `pull` gives the
    /// cotangents of the operands that are wanted, `push` the tangents of the results.
    pub fn many<T, P, Q, const N: usize, const M: usize>(
        &self,
        made: [Storage<T>; M],
        read: [&Array<T>; N],
        pull: P,
        push: Q,
    ) -> [Array<T>; M]
    where
        T: Number,
        P: Fn([Option<&Storage<T>>; M], [bool; N]) -> [Option<Storage<T>>; N]
            + Send
            + Sync
            + 'static,
        Q: Fn([Option<&Storage<T>>; N]) -> [Option<Storage<T>>; M] + Send + Sync + 'static,
    {
        let known = read.iter().all(|x| x.known);
        if read.iter().all(|x| x.slot.is_none()) {
            return made.map(|raw| Array::plain(raw, known));
        }
        let made = made.map(|raw| Array {
            raw,
            known: false,
            slot: Some(self.slot()),
        });
        self.note(Operation {
            read: read.map(|x| x.slot),
            made: made.each_ref().map(|x| x.slot.expect("a slot")),
            pull,
            push,
            element: core::marker::PhantomData,
        });
        made
    }

    /// The same for one result.
    pub fn one<T, P, Q, const N: usize>(
        &self,
        made: Storage<T>,
        read: [&Array<T>; N],
        pull: P,
        push: Q,
    ) -> Array<T>
    where
        T: Number,
        P: Fn(&Storage<T>, [bool; N]) -> [Option<Storage<T>>; N] + Send + Sync + 'static,
        Q: Fn([Option<&Storage<T>>; N]) -> Storage<T> + Send + Sync + 'static,
    {
        let pull = move |[ct]: [Option<&Storage<T>>; 1], wanted| match ct {
            Some(ct) => pull(ct, wanted),
            None => [const { None }; N],
        };
        let [made] = self.many([made], read, pull, move |t| [Some(push(t))]);
        made
    }

    /// The same for an operation of one operand.
    pub fn map<T: Number>(
        &self,
        made: Storage<T>,
        read: &Array<T>,
        pull: impl Fn(&Storage<T>) -> Storage<T> + Send + Sync + 'static,
        push: impl Fn(&Storage<T>) -> Storage<T> + Send + Sync + 'static,
    ) -> Array<T> {
        let pull = move |ct: &Storage<T>, _| [Some(pull(ct))];
        self.one(made, [read], pull, move |[t]| push(t.expect("a tangent")))
    }

    /// Converts the elements.
    pub fn cast<T: Entry, U: Entry>(&self, x: &Array<T>) -> Array<U> {
        if let Some(same) = (x as &dyn Any).downcast_ref::<Array<U>>() {
            return same.clone();
        }
        let raw = x.raw.cast::<U>();
        let Some(read) = x.slot else {
            return Array::plain(raw, x.known);
        };
        let mut made = Array::plain(raw, false);
        // Whole numbers and truth values have no derivative.
        match (T::DTYPE.is_double(), U::DTYPE.is_double()) {
            (Some(false), Some(true)) => made.slot = Some(self.noted_cast::<f32, f64>(read)),
            (Some(true), Some(false)) => made.slot = Some(self.noted_cast::<f64, f32>(read)),
            _ => {}
        }
        made
    }

    fn noted_cast<T: Number, U: Number>(&self, read: usize) -> usize {
        let made = self.slot();
        self.note(Cast::<T, U> {
            read,
            made,
            elements: core::marker::PhantomData,
        });
        made
    }
}

/// Whether a type of floats has double precision; nothing of other types.
trait Precision {
    fn is_double(&self) -> Option<bool>;
}

impl Precision for autodiff_core::device::DType {
    fn is_double(&self) -> Option<bool> {
        match *self {
            f32::DTYPE => Some(false),
            f64::DTYPE => Some(true),
            _ => None,
        }
    }
}
