//! Which pullbacks are handed out in a box.
//!
//! The type of a pullback contains the types of the pullbacks it calls. Without a cut it grows as the
//! tree of calls does, and with it the time that rustc takes: `autodiff-macros/src/items/cut.rs` has
//! the rule.

use super::pooled::{CallRoom, Pooled};

/// What a function may weigh whose pullback is not in a box.
const LIMIT: usize = 16;

/// Whether a function whose body weighs this much hands out its pullback in a box.
pub const fn is_cut(weight: usize) -> bool {
    weight > LIMIT
}

/// What the function weighs to its callers.
pub const fn weight(of_body: usize) -> usize {
    if is_cut(of_body) { 1 } else { of_body }
}

/// Stands for the choice between a box and none.
#[derive(Debug)]
pub struct Cut<const BOXED: bool>;

/// Asks whether a pullback that is put in a box can be sent to another thread: the method of this type
/// is found where it can be, that of [`MayStay`] elsewhere. Without a box rustc need not look.
#[derive(Debug)]
pub struct Probe<'a, P, const BOXED: bool>(pub &'a P);

impl<const BOXED: bool> Cut<BOXED> {
    /// Asks.
    #[inline(always)]
    pub fn probe<'a, P>(&self, pullback: &'a P) -> Probe<'a, P, BOXED> {
        Probe(pullback)
    }
}

impl<P> Probe<'_, P, false> {
    /// It is not put in a box.
    #[inline(always)]
    pub fn way(&self) -> Stays {
        Stays
    }
}

impl<P: Send> Probe<'_, P, true> {
    /// It can be sent.
    #[inline(always)]
    pub fn way(&self) -> Sends {
        Sends
    }
}

/// The answer of [`Probe`] for all other pullbacks.
pub trait MayStay {
    /// It stays where it is.
    #[inline(always)]
    fn way(&self) -> Stays {
        Stays
    }
}

impl<P, const BOXED: bool> MayStay for Probe<'_, P, BOXED> {}

/// What can be sent to another thread.
#[derive(Debug)]
pub struct Sends;
/// What cannot.
#[derive(Debug)]
pub struct Stays;

/// A pullback in a box, which is called as the function `F`; `clone` makes a second one. What it holds
/// lives for `'h`.
#[derive(Debug)]
pub struct LocalBox<'h, F: ?Sized>(Pooled<'h, F>);

/// A [`LocalBox`] that can be sent to another thread.
#[derive(Debug)]
pub struct SendBox<'h, F: ?Sized>(Pooled<'h, F>);

// SAFETY: a pullback gets into this box by `Sends::hold` alone, which asks that it is `Send`; memory of
// the pool may be given back by any thread.
unsafe impl<F: ?Sized> Send for SendBox<'_, F> {}

impl<F: ?Sized> Clone for LocalBox<'_, F> {
    fn clone(&self) -> Self {
        LocalBox(self.0.clone())
    }
}

impl<F: ?Sized> Clone for SendBox<'_, F> {
    fn clone(&self) -> Self {
        SendBox(self.0.clone())
    }
}

/// A box with a function inside.
pub trait Unboxed<F: ?Sized> {
    /// The function, with room for it. It is called once.
    fn unboxed<'a>(self, room: &'a mut CallRoom) -> &'a mut F
    where
        Self: 'a;
}

impl<F: ?Sized> Unboxed<F> for LocalBox<'_, F> {
    #[inline(always)]
    fn unboxed<'a>(self, room: &'a mut CallRoom) -> &'a mut F
    where
        Self: 'a,
    {
        self.0.function(room)
    }
}

impl<F: ?Sized> Unboxed<F> for SendBox<'_, F> {
    #[inline(always)]
    fn unboxed<'a>(self, room: &'a mut CallRoom) -> &'a mut F
    where
        Self: 'a,
    {
        self.0.function(room)
    }
}

/// Puts a pullback into the box that fits it.
pub trait Hold<'h, P, F: ?Sized> {
    /// The box.
    type Box: Unboxed<F> + Clone;
    /// Puts it in.
    fn hold(pullback: P, open: fn(P) -> Pooled<'h, F>) -> Self::Box;
}

impl<'h, P: Clone + Send + 'h, F: ?Sized + 'h> Hold<'h, P, F> for Sends {
    type Box = SendBox<'h, F>;
    #[inline(always)]
    fn hold(pullback: P, open: fn(P) -> Pooled<'h, F>) -> SendBox<'h, F> {
        SendBox(open(pullback))
    }
}

impl<'h, P: Clone + 'h, F: ?Sized + 'h> Hold<'h, P, F> for Stays {
    type Box = LocalBox<'h, F>;
    #[inline(always)]
    fn hold(pullback: P, open: fn(P) -> Pooled<'h, F>) -> LocalBox<'h, F> {
        LocalBox(open(pullback))
    }
}

/// Hands out a pullback `P`, or a closure `R` that calls it in a box, as the function `F`.
pub trait Finish<'h, P, F: ?Sized, R> {
    /// The box.
    type Box: Unboxed<F>;
    /// What is handed out.
    type Pullback;
    /// Boxes the pullback if that is the choice.
    fn finish(
        self,
        pullback: P,
        open: fn(P) -> Pooled<'h, F>,
        call: impl FnOnce(Self::Box) -> R,
    ) -> Self::Pullback;
}

impl<'h, P, F: ?Sized, R, W: Hold<'h, P, F>> Finish<'h, P, F, R> for (Cut<false>, W) {
    type Box = W::Box;
    type Pullback = P;
    #[inline(always)]
    fn finish(self, pullback: P, _: fn(P) -> Pooled<'h, F>, _: impl FnOnce(W::Box) -> R) -> P {
        pullback
    }
}

impl<'h, P, F: ?Sized, R, W: Hold<'h, P, F>> Finish<'h, P, F, R> for (Cut<true>, W) {
    type Box = W::Box;
    type Pullback = R;
    #[inline(always)]
    fn finish(
        self,
        pullback: P,
        open: fn(P) -> Pooled<'h, F>,
        call: impl FnOnce(W::Box) -> R,
    ) -> R {
        call(W::hold(pullback, open))
    }
}
