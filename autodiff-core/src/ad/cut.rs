//! Which pullbacks are handed out in a box.
//!
//! The type of a pullback contains the types of the pullbacks it calls. Without a cut it grows as the
//! tree of calls does, and with it the time that rustc takes: `autodiff-macros/src/surface/cut.rs` has
//! the rule.

use core::convert::Infallible;
use core::marker::PhantomData;

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

/// A pullback as the code sees it that puts it into a box that can be sent. Of one that stays there is
/// none, so that this code, which never runs then, compiles all the same.
pub trait Hold<P> {
    /// What holds the pullback.
    type Held: Open<P>;
}

impl<P> Hold<P> for Sends {
    type Held = Whole<P>;
}

impl<P> Hold<P> for Stays {
    type Held = Nothing<P>;
}

/// Hands out the pullback it holds.
pub trait Open<P> {
    /// Hands it out.
    fn open(self) -> P;
}

/// A pullback.
#[derive(Debug)]
pub struct Whole<P>(P);

impl<P> Open<P> for Whole<P> {
    #[inline(always)]
    fn open(self) -> P {
        self.0
    }
}

/// A pullback that is never there.
#[derive(Debug)]
pub struct Nothing<P>(Infallible, PhantomData<fn() -> P>);

impl<P> Open<P> for Nothing<P> {
    fn open(self) -> P {
        match self.0 {}
    }
}

/// Hands out a pullback `P`, the box `S` of it that can be sent, or the box `L` that cannot.
pub trait Finish<P, S, L> {
    /// Which way it is, if it is put in a box.
    type Way: Hold<P>;
    /// What is handed out.
    type Pullback;
    /// Boxes the pullback if that is the choice.
    fn finish(
        self,
        pullback: P,
        sent: impl FnOnce(<Self::Way as Hold<P>>::Held) -> S,
        local: impl FnOnce(P) -> L,
    ) -> Self::Pullback;
}

impl<P, S, L, W: Hold<P>> Finish<P, S, L> for (Cut<false>, W) {
    type Way = W;
    type Pullback = P;
    #[inline(always)]
    fn finish(self, pullback: P, _: impl FnOnce(W::Held) -> S, _: impl FnOnce(P) -> L) -> P {
        pullback
    }
}

impl<P, S, L> Finish<P, S, L> for (Cut<true>, Sends) {
    type Way = Sends;
    type Pullback = S;
    #[inline(always)]
    fn finish(self, pullback: P, sent: impl FnOnce(Whole<P>) -> S, _: impl FnOnce(P) -> L) -> S {
        sent(Whole(pullback))
    }
}

impl<P, S, L> Finish<P, S, L> for (Cut<true>, Stays) {
    type Way = Stays;
    type Pullback = L;
    #[inline(always)]
    fn finish(self, pullback: P, _: impl FnOnce(Nothing<P>) -> S, local: impl FnOnce(P) -> L) -> L {
        local(pullback)
    }
}
