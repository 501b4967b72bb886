//! The operands of one device as another device sees them, where both have the same buffers underneath.

use super::*;

/// A way from the buffers of one device to those of another.
pub(super) trait Lens {
    /// The device that the operands are on.
    type From: Backend;
    /// The device that computes.
    type To: Backend;
    /// Stops where a buffer is on another device.
    #[inline(always)]
    #[track_caller]
    fn check<T: Elem>(&self, buf: &BufOf<Self::From, T>) {
        self.shared(buf);
    }
    /// A buffer for reading.
    fn shared<'a, T: Elem>(&self, buf: &'a BufOf<Self::From, T>) -> &'a BufOf<Self::To, T>;
    /// A buffer for writing.
    fn owned<'a, T: Elem>(&self, buf: &'a mut BufOf<Self::From, T>) -> &'a mut BufOf<Self::To, T>;
}

type BufOf<D, T> = <D as Backend>::Buf<T>;

/// What can be seen through a lens.
pub(super) trait Seen<L: Lens> {
    /// The same operand of the other device.
    type As;
    /// Stops where it is on another device. Of many operands each is looked at before they are seen, in a closure, which
    /// does not know its caller.
    #[track_caller]
    fn check(&self, lens: &L);
    /// The same operand of the other device.
    fn seen(self, lens: &L) -> Self::As;
}

impl<'a, T: Elem, L: Lens> Seen<L> for View<'a, T, L::From> {
    type As = View<'a, T, L::To>;
    #[inline(always)]
    #[track_caller]
    fn check(&self, lens: &L) {
        lens.check(self.buf);
    }
    #[inline(always)]
    #[track_caller]
    fn seen(self, lens: &L) -> Self::As {
        View {
            buf: lens.shared(self.buf),
            layout: self.layout,
        }
    }
}

impl<'a, T: Elem, L: Lens> Seen<L> for ViewMut<'a, T, L::From> {
    type As = ViewMut<'a, T, L::To>;
    #[inline(always)]
    #[track_caller]
    fn check(&self, lens: &L) {
        lens.check(self.buf);
    }
    #[inline(always)]
    #[track_caller]
    fn seen(self, lens: &L) -> Self::As {
        ViewMut {
            buf: lens.owned(self.buf),
            layout: self.layout,
        }
    }
}

impl<'a, T: Elem, L: Lens> Seen<L> for Operand<'a, T, L::From> {
    type As = Operand<'a, T, L::To>;
    #[inline(always)]
    #[track_caller]
    fn check(&self, lens: &L) {
        if let Operand::View(x) = self {
            x.check(lens);
        }
    }
    #[inline(always)]
    #[track_caller]
    fn seen(self, lens: &L) -> Self::As {
        match self {
            Operand::View(x) => Operand::View(x.seen(lens)),
            Operand::Scalar(x) => Operand::Scalar(x),
            Operand::Output => Operand::Output,
        }
    }
}

impl<'a, T: Elem, L: Lens> Seen<L> for AttentionMask<'a, T, L::From> {
    type As = AttentionMask<'a, T, L::To>;
    #[track_caller]
    fn check(&self, lens: &L) {
        match self {
            AttentionMask::None => {}
            AttentionMask::Visible(m) => m.check(lens),
            AttentionMask::Bias(m) => m.check(lens),
            AttentionMask::Lengths(m) => m.check(lens),
        }
    }
    #[track_caller]
    fn seen(self, lens: &L) -> Self::As {
        match self {
            AttentionMask::None => AttentionMask::None,
            AttentionMask::Visible(m) => AttentionMask::Visible(m.seen(lens)),
            AttentionMask::Bias(m) => AttentionMask::Bias(m.seen(lens)),
            AttentionMask::Lengths(m) => AttentionMask::Lengths(m.seen(lens)),
        }
    }
}

impl<L: Lens, X: Seen<L>> Seen<L> for Option<X> {
    type As = Option<X::As>;
    #[inline(always)]
    #[track_caller]
    fn check(&self, lens: &L) {
        if let Some(x) = self {
            x.check(lens);
        }
    }
    #[inline(always)]
    #[track_caller]
    fn seen(self, lens: &L) -> Self::As {
        match self {
            Some(x) => Some(x.seen(lens)),
            None => None,
        }
    }
}

impl<L: Lens, X: Seen<L>, const N: usize> Seen<L> for [X; N] {
    type As = [X::As; N];
    #[inline(always)]
    #[track_caller]
    fn check(&self, lens: &L) {
        for x in self {
            x.check(lens);
        }
    }
    #[inline(always)]
    #[track_caller]
    fn seen(self, lens: &L) -> Self::As {
        self.check(lens);
        self.map(
            #[inline(always)]
            |x| x.seen(lens),
        )
    }
}

/// What is the same on every device.
macro_rules! same {
    ($($t:ty),*) => { $(
        impl<L: Lens> Seen<L> for $t {
            type As = $t;
            #[inline(always)]
            fn check(&self, _: &L) {}
            #[inline(always)]
            fn seen(self, _: &L) -> $t {
                self
            }
        }
    )* };
}
same!(Write, usize);

/// The structs of operands: what is no operand in them, and the operands.
macro_rules! groups_of_operands {
    ($then:ident) => {
        $then! {
            AttentionInput { shape; q, k, v, mask }
            AttentionTangents { ; q, k, v, bias }
            AttentionGradients { ; q, k, v, bias }
            Recurred { ; memory, out, h0, c0 }
            RecurrentCotangents { ; out, h, c }
            RecurrentGradients { ; slots, bias, h0, c0 }
        }
    };
}
pub(super) use groups_of_operands;

macro_rules! groups {
    ($($Group:ident { $($kept:ident),*; $($x:ident),* })*) => { $(
        impl<'a, T: Elem, L: Lens> Seen<L> for $Group<'a, T, L::From> {
            type As = $Group<'a, T, L::To>;
            #[track_caller]
            fn check(&self, lens: &L) {
                $(self.$x.check(lens);)*
            }
            #[track_caller]
            fn seen(self, lens: &L) -> Self::As {
                $Group { $($kept: self.$kept,)* $($x: self.$x.seen(lens)),* }
            }
        }
    )* };
}
groups_of_operands!(groups);
