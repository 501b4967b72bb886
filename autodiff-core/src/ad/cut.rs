//! Which pullbacks are handed out in a box.
//!
//! The type of a pullback contains the types of the pullbacks it calls. Without a cut it grows as the
//! tree of calls does, and with it the time that rustc takes: `autodiff-macros/src/surface/cut.rs` has
//! the rule.

use core::fmt::{self, Debug, Formatter};

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

/// A pullback in a box, as the function `F` that calls it once; `clone` makes a second one. What it
/// holds lives for `'h`.
#[derive(Debug)]
pub struct LocalBox<'h, F: ?Sized>(Box<dyn Held<F, LocalBox<'h, F>> + 'h>);

/// A [`LocalBox`] that can be sent to another thread.
#[derive(Debug)]
pub struct SendBox<'h, F: ?Sized>(Box<dyn Held<F, SendBox<'h, F>> + Send + 'h>);

/// What is in a box `B`.
trait Held<F: ?Sized, B>: Debug {
    /// The function, lent.
    fn lend(&mut self) -> &mut F;
    /// The same in another box.
    fn again(&self) -> B;
}

/// A closure, and how it is lent without its type.
struct Whole<Q, F: ?Sized> {
    closure: Q,
    lend: fn(&mut Q) -> &mut F,
}

impl<Q, F: ?Sized> Debug for Whole<Q, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pullback").finish_non_exhaustive()
    }
}

impl<Q: Clone, F: ?Sized> Whole<Q, F> {
    fn copy(&self) -> Self {
        Whole {
            closure: self.closure.clone(),
            lend: self.lend,
        }
    }
}

macro_rules! boxes {
    ($($name:ident($($send:ident)?))*) => { $(
        impl<'h, Q: Clone $(+ $send)? + 'h, F: ?Sized + 'h> Held<F, $name<'h, F>> for Whole<Q, F> {
            fn lend(&mut self) -> &mut F {
                (self.lend)(&mut self.closure)
            }
            fn again(&self) -> $name<'h, F> {
                $name(Box::new(self.copy()))
            }
        }

        impl<'h, F: ?Sized + 'h> $name<'h, F> {
            /// Puts a closure into a box.
            #[inline]
            pub fn new<Q: Clone $(+ $send)? + 'h>(closure: Q, lend: fn(&mut Q) -> &mut F) -> Self {
                $name(Box::new(Whole { closure, lend }))
            }
        }

        impl<F: ?Sized> Clone for $name<'_, F> {
            fn clone(&self) -> Self {
                self.0.again()
            }
        }

        impl<F: ?Sized> Lend<F> for $name<'_, F> {
            #[inline]
            fn lend(&mut self) -> &mut F {
                self.0.lend()
            }
        }
    )* };
}

boxes!(LocalBox() SendBox(Send));

/// A box with a function inside.
pub trait Lend<F: ?Sized> {
    /// The function.
    fn lend(&mut self) -> &mut F;
}

/// Takes the pullback out that is called now.
#[inline(always)]
pub fn taken<P>(pullback: &mut Option<P>) -> P {
    pullback.take().expect("a pullback in a box is called once")
}

/// Puts a closure into the box that fits it.
pub trait Hold<'h, Q, F: ?Sized> {
    /// The box.
    type Box: Lend<F> + Clone;
    /// Puts it in.
    fn hold(closure: Q, lend: fn(&mut Q) -> &mut F) -> Self::Box;
}

impl<'h, Q: Clone + Send + 'h, F: ?Sized + 'h> Hold<'h, Q, F> for Sends {
    type Box = SendBox<'h, F>;
    #[inline(always)]
    fn hold(closure: Q, lend: fn(&mut Q) -> &mut F) -> SendBox<'h, F> {
        SendBox::new(closure, lend)
    }
}

impl<'h, Q: Clone + 'h, F: ?Sized + 'h> Hold<'h, Q, F> for Stays {
    type Box = LocalBox<'h, F>;
    #[inline(always)]
    fn hold(closure: Q, lend: fn(&mut Q) -> &mut F) -> LocalBox<'h, F> {
        LocalBox::new(closure, lend)
    }
}

/// Hands out a pullback `P`, or a closure `R` that calls it in a box, as the function `F`.
pub trait Finish<'h, P, Q, F: ?Sized, R> {
    /// The box.
    type Box: Lend<F>;
    /// What is handed out.
    type Pullback;
    /// Boxes the pullback if that is the choice: `closure` makes of it what is lent as `F`, and `open`
    /// calls that.
    fn finish(
        self,
        pullback: P,
        closure: impl FnOnce(Option<P>) -> Q,
        lend: fn(&mut Q) -> &mut F,
        open: impl FnOnce(Self::Box) -> R,
    ) -> Self::Pullback;
}

impl<'h, P, Q, F: ?Sized, R, W: Hold<'h, Q, F>> Finish<'h, P, Q, F, R> for (Cut<false>, W) {
    type Box = W::Box;
    type Pullback = P;
    #[inline(always)]
    fn finish(
        self,
        pullback: P,
        _: impl FnOnce(Option<P>) -> Q,
        _: fn(&mut Q) -> &mut F,
        _: impl FnOnce(W::Box) -> R,
    ) -> P {
        pullback
    }
}

impl<'h, P, Q, F: ?Sized, R, W: Hold<'h, Q, F>> Finish<'h, P, Q, F, R> for (Cut<true>, W) {
    type Box = W::Box;
    type Pullback = R;
    #[inline(always)]
    fn finish(
        self,
        pullback: P,
        closure: impl FnOnce(Option<P>) -> Q,
        lend: fn(&mut Q) -> &mut F,
        open: impl FnOnce(W::Box) -> R,
    ) -> R {
        open(W::hold(closure(Some(pullback)), lend))
    }
}
