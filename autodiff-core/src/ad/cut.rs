//! Which pullbacks are handed out in a box.
//!
//! The type of a pullback contains the types of the pullbacks it calls. Without a cut it grows as the
//! tree of calls does, and with it the time that rustc takes: `autodiff-macros/src/items/cut.rs` has
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

/// A pullback in a box, which is called as the function `F`; `clone` makes a second one. What it holds
/// lives for `'h`. The call takes a second box: without it the code of each function would be longer,
/// and a chain of functions took rustc an eighth more.
#[derive(Debug)]
pub struct LocalBox<'h, F: ?Sized>(Box<dyn Held<F, LocalBox<'h, F>> + 'h>);

/// A [`LocalBox`] that can be sent to another thread.
#[derive(Debug)]
pub struct SendBox<'h, F: ?Sized>(Box<dyn Held<F, SendBox<'h, F>> + Send + 'h>);

/// What is in a box `B`.
trait Held<F: ?Sized, B>: Debug {
    /// The function.
    fn open(self: Box<Self>) -> Box<F>;
    /// The same in another box.
    fn again(&self) -> B;
}

/// A pullback, and how it becomes a function without its type.
struct Whole<P, F: ?Sized> {
    pullback: P,
    open: fn(P) -> Box<F>,
}

impl<P, F: ?Sized> Debug for Whole<P, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pullback").finish_non_exhaustive()
    }
}

macro_rules! boxes {
    ($($name:ident($($send:ident)?))*) => { $(
        impl<'h, P: Clone $(+ $send)? + 'h, F: ?Sized + 'h> Held<F, $name<'h, F>> for Whole<P, F> {
            fn open(self: Box<Self>) -> Box<F> {
                (self.open)(self.pullback)
            }
            fn again(&self) -> $name<'h, F> {
                $name::new(self.pullback.clone(), self.open)
            }
        }

        impl<'h, F: ?Sized + 'h> $name<'h, F> {
            /// Puts a pullback into a box.
            #[inline]
            pub fn new<P: Clone $(+ $send)? + 'h>(pullback: P, open: fn(P) -> Box<F>) -> Self {
                $name(Box::new(Whole { pullback, open }))
            }
        }

        impl<F: ?Sized> Clone for $name<'_, F> {
            fn clone(&self) -> Self {
                self.0.again()
            }
        }

        impl<F: ?Sized> Unboxed<F> for $name<'_, F> {
            #[inline]
            fn unboxed(self) -> Box<F> {
                self.0.open()
            }
        }
    )* };
}

boxes!(LocalBox() SendBox(Send));

/// A box with a function inside.
pub trait Unboxed<F: ?Sized> {
    /// The function.
    fn unboxed(self) -> Box<F>;
}

/// Puts a pullback into the box that fits it.
pub trait Hold<'h, P, F: ?Sized> {
    /// The box.
    type Box: Unboxed<F> + Clone;
    /// Puts it in.
    fn hold(pullback: P, open: fn(P) -> Box<F>) -> Self::Box;
}

impl<'h, P: Clone + Send + 'h, F: ?Sized + 'h> Hold<'h, P, F> for Sends {
    type Box = SendBox<'h, F>;
    #[inline(always)]
    fn hold(pullback: P, open: fn(P) -> Box<F>) -> SendBox<'h, F> {
        SendBox::new(pullback, open)
    }
}

impl<'h, P: Clone + 'h, F: ?Sized + 'h> Hold<'h, P, F> for Stays {
    type Box = LocalBox<'h, F>;
    #[inline(always)]
    fn hold(pullback: P, open: fn(P) -> Box<F>) -> LocalBox<'h, F> {
        LocalBox::new(pullback, open)
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
        open: fn(P) -> Box<F>,
        call: impl FnOnce(Self::Box) -> R,
    ) -> Self::Pullback;
}

impl<'h, P, F: ?Sized, R, W: Hold<'h, P, F>> Finish<'h, P, F, R> for (Cut<false>, W) {
    type Box = W::Box;
    type Pullback = P;
    #[inline(always)]
    fn finish(self, pullback: P, _: fn(P) -> Box<F>, _: impl FnOnce(W::Box) -> R) -> P {
        pullback
    }
}

impl<'h, P, F: ?Sized, R, W: Hold<'h, P, F>> Finish<'h, P, F, R> for (Cut<true>, W) {
    type Box = W::Box;
    type Pullback = R;
    #[inline(always)]
    fn finish(self, pullback: P, open: fn(P) -> Box<F>, call: impl FnOnce(W::Box) -> R) -> R {
        call(W::hold(pullback, open))
    }
}
