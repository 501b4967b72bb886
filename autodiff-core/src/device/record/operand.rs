//! Operands: as a node keeps them, and as it gives them back when it runs.

use super::graph::Argument;
use super::recorder::{Call, Recorder};
use super::run::Run;
use crate::device::*;
use core::marker::PhantomData;
use std::sync::Arc;

/// An operand that a node can keep.
pub(super) trait Keep {
    type Kept: Kept;
    fn keep(self, call: &mut Call<'_>, name: &'static str) -> Self::Kept;
}

/// What a node keeps of an operand.
pub(super) trait Kept: Send + Sync + 'static {
    type Ready: Ready;
    /// Its buffer in a run.
    fn ready(&self, run: &mut Run<'_>) -> Self::Ready;
}

/// An operand of a run.
pub(super) trait Ready {
    /// As the method takes it.
    type Lent<'b>
    where
        Self: 'b;
    fn lend(&mut self) -> Self::Lent<'_>;
    /// Hands results to the run.
    fn settle(self, run: &mut Run<'_>);
}

/// A value that is read.
pub(super) struct Port<T> {
    value: usize,
    layout: Layout,
    of: PhantomData<fn() -> T>,
}

impl<T: Elem> Keep for View<'_, T, Recorder> {
    type Kept = Port<T>;
    fn keep(self, call: &mut Call<'_>, name: &'static str) -> Port<T> {
        let value = self.buf.value();
        call.reads(name, value, self.layout);
        Port {
            value,
            layout: self.layout,
            of: PhantomData,
        }
    }
}

impl<T: Elem> Kept for Port<T> {
    type Ready = (Arc<DeviceBuf<T>>, Layout);
    fn ready(&self, run: &mut Run<'_>) -> Self::Ready {
        (run.buffer(self.value), self.layout)
    }
}

impl<T: Elem> Ready for (Arc<DeviceBuf<T>>, Layout) {
    type Lent<'b> = View<'b, T, Device>;
    fn lend(&mut self) -> View<'_, T, Device> {
        View {
            buf: &self.0,
            layout: self.1,
        }
    }
    fn settle(self, _: &mut Run<'_>) {}
}

/// A value that is written, from the one before it.
pub(super) struct PortMut<T> {
    base: usize,
    value: usize,
    layout: Layout,
    of: PhantomData<fn() -> T>,
}

impl<T: Elem> Keep for ViewMut<'_, T, Recorder> {
    type Kept = PortMut<T>;
    fn keep(self, call: &mut Call<'_>, name: &'static str) -> PortMut<T> {
        let base = self.buf.value();
        let value = call.writes(name, base, self.layout);
        self.buf.becomes(value);
        PortMut {
            base,
            value,
            layout: self.layout,
            of: PhantomData,
        }
    }
}

impl<T: Elem> Kept for PortMut<T> {
    type Ready = Written<T>;
    fn ready(&self, run: &mut Run<'_>) -> Written<T> {
        Written {
            buf: run.owned(self.base),
            value: self.value,
            layout: self.layout,
        }
    }
}

/// A buffer that a node writes.
pub(super) struct Written<T: Elem> {
    buf: DeviceBuf<T>,
    value: usize,
    layout: Layout,
}

impl<T: Elem> Ready for Written<T> {
    type Lent<'b> = ViewMut<'b, T, Device>;
    fn lend(&mut self) -> ViewMut<'_, T, Device> {
        ViewMut {
            buf: &mut self.buf,
            layout: self.layout,
        }
    }
    fn settle(self, run: &mut Run<'_>) {
        run.settle(self.value, Arc::new(self.buf));
    }
}

/// An operand of an elementwise operation.
pub(super) enum OperandPort<V, T> {
    View(V),
    Scalar(T),
    Output,
}

impl<T: Elem> Keep for Operand<'_, T, Recorder> {
    type Kept = OperandPort<Port<T>, T>;
    fn keep(self, call: &mut Call<'_>, name: &'static str) -> Self::Kept {
        match self {
            Operand::View(x) => OperandPort::View(x.keep(call, name)),
            Operand::Scalar(x) => {
                call.number(name, x.to_f64());
                OperandPort::Scalar(x)
            }
            Operand::Output => {
                call.argument(Argument::Output);
                call.accumulates();
                OperandPort::Output
            }
        }
    }
}

impl<T: Elem> Kept for OperandPort<Port<T>, T> {
    type Ready = OperandPort<(Arc<DeviceBuf<T>>, Layout), T>;
    fn ready(&self, run: &mut Run<'_>) -> Self::Ready {
        match self {
            OperandPort::View(x) => OperandPort::View(x.ready(run)),
            OperandPort::Scalar(x) => OperandPort::Scalar(*x),
            OperandPort::Output => OperandPort::Output,
        }
    }
}

impl<T: Elem> Ready for OperandPort<(Arc<DeviceBuf<T>>, Layout), T> {
    type Lent<'b> = Operand<'b, T, Device>;
    fn lend(&mut self) -> Operand<'_, T, Device> {
        match self {
            OperandPort::View(x) => Operand::View(x.lend()),
            OperandPort::Scalar(x) => Operand::Scalar(*x),
            OperandPort::Output => Operand::Output,
        }
    }
    fn settle(self, _: &mut Run<'_>) {}
}

impl<X: Keep> Keep for Option<X> {
    type Kept = Option<X::Kept>;
    fn keep(self, call: &mut Call<'_>, name: &'static str) -> Self::Kept {
        if self.is_none() {
            call.argument(Argument::Absent);
        }
        self.map(|x| x.keep(call, name))
    }
}

impl<K: Kept> Kept for Option<K> {
    type Ready = Option<K::Ready>;
    fn ready(&self, run: &mut Run<'_>) -> Self::Ready {
        self.as_ref().map(|x| x.ready(run))
    }
}

impl<R: Ready> Ready for Option<R> {
    type Lent<'b>
        = Option<R::Lent<'b>>
    where
        Self: 'b;
    fn lend(&mut self) -> Self::Lent<'_> {
        self.as_mut().map(R::lend)
    }
    fn settle(self, run: &mut Run<'_>) {
        if let Some(x) = self {
            x.settle(run);
        }
    }
}

impl<X: Keep, const N: usize> Keep for [X; N] {
    type Kept = [X::Kept; N];
    fn keep(self, call: &mut Call<'_>, name: &'static str) -> Self::Kept {
        self.map(|x| x.keep(call, name))
    }
}

impl<K: Kept, const N: usize> Kept for [K; N] {
    type Ready = [K::Ready; N];
    fn ready(&self, run: &mut Run<'_>) -> Self::Ready {
        self.each_ref().map(|x| x.ready(run))
    }
}

impl<R: Ready, const N: usize> Ready for [R; N] {
    type Lent<'b>
        = [R::Lent<'b>; N]
    where
        Self: 'b;
    fn lend(&mut self) -> Self::Lent<'_> {
        self.each_mut().map(R::lend)
    }
    fn settle(self, run: &mut Run<'_>) {
        for x in self {
            x.settle(run);
        }
    }
}

impl Keep for Write {
    type Kept = Write;
    fn keep(self, call: &mut Call<'_>, _: &'static str) -> Write {
        call.argument(Argument::Write(self));
        if self == Write::Add {
            call.accumulates();
        }
        self
    }
}

impl Kept for Write {
    type Ready = Write;
    fn ready(&self, _: &mut Run<'_>) -> Write {
        *self
    }
}

impl Ready for Write {
    type Lent<'b> = Write;
    fn lend(&mut self) -> Write {
        *self
    }
    fn settle(self, _: &mut Run<'_>) {}
}

/// The axis of [`Backend::region_along`] stands between operands.
impl Keep for usize {
    type Kept = usize;
    fn keep(self, call: &mut Call<'_>, name: &'static str) -> usize {
        call.attribute(name, Arc::new(self));
        self
    }
}

impl Kept for usize {
    type Ready = usize;
    fn ready(&self, _: &mut Run<'_>) -> usize {
        *self
    }
}

impl Ready for usize {
    type Lent<'b> = usize;
    fn lend(&mut self) -> usize {
        *self
    }
    fn settle(self, _: &mut Run<'_>) {}
}

/// Which keys a query sees.
pub(super) enum MaskPort<V, B, L> {
    None,
    Visible(V),
    Bias(B),
    Lengths(L),
}

impl<T: Elem> Keep for AttentionMask<'_, T, Recorder> {
    type Kept = MaskPort<Port<bool>, Port<T>, Port<i64>>;
    fn keep(self, call: &mut Call<'_>, _: &'static str) -> Self::Kept {
        match self {
            AttentionMask::None => {
                call.argument(Argument::Absent);
                MaskPort::None
            }
            AttentionMask::Visible(m) => MaskPort::Visible(m.keep(call, "visible")),
            AttentionMask::Bias(m) => MaskPort::Bias(m.keep(call, "bias")),
            AttentionMask::Lengths(m) => MaskPort::Lengths(m.keep(call, "lengths")),
        }
    }
}

impl<V: Kept, B: Kept, L: Kept> Kept for MaskPort<V, B, L>
where
    MaskPort<V::Ready, B::Ready, L::Ready>: Ready,
{
    type Ready = MaskPort<V::Ready, B::Ready, L::Ready>;
    fn ready(&self, run: &mut Run<'_>) -> Self::Ready {
        match self {
            MaskPort::None => MaskPort::None,
            MaskPort::Visible(m) => MaskPort::Visible(m.ready(run)),
            MaskPort::Bias(m) => MaskPort::Bias(m.ready(run)),
            MaskPort::Lengths(m) => MaskPort::Lengths(m.ready(run)),
        }
    }
}

type Shared<T> = (Arc<DeviceBuf<T>>, Layout);

impl<T: Elem> Ready for MaskPort<Shared<bool>, Shared<T>, Shared<i64>> {
    type Lent<'b> = AttentionMask<'b, T, Device>;
    fn lend(&mut self) -> Self::Lent<'_> {
        match self {
            MaskPort::None => AttentionMask::None,
            MaskPort::Visible(m) => AttentionMask::Visible(m.lend()),
            MaskPort::Bias(m) => AttentionMask::Bias(m.lend()),
            MaskPort::Lengths(m) => AttentionMask::Lengths(m.lend()),
        }
    }
    fn settle(self, _: &mut Run<'_>) {}
}

/// Structs of operands: a struct with a type parameter for each field, of what is kept and of what is ready.
macro_rules! groups {
    ($($Group:ident $Ports:ident { $($kept:ident: $K:ty)?; $($x:ident $X:ident: $V:ty),* })*) => { $(
        pub(super) struct $Ports<$($X),*> {
            $($kept: $K,)?
            $($x: $X,)*
        }
        impl<'a, T: Elem> Keep for $Group<'a, T, Recorder> {
            type Kept = $Ports<$(<$V as Keep>::Kept),*>;
            fn keep(self, call: &mut Call<'_>, _: &'static str) -> Self::Kept {
                $(call.attribute(stringify!($kept), Arc::new(*self.$kept));)?
                $Ports {
                    $($kept: *self.$kept,)?
                    $($x: self.$x.keep(call, stringify!($x)),)*
                }
            }
        }
        impl<$($X: Kept),*> Kept for $Ports<$($X),*>
        where
            $Ports<$($X::Ready),*>: Ready,
        {
            type Ready = $Ports<$($X::Ready),*>;
            fn ready(&self, run: &mut Run<'_>) -> Self::Ready {
                $Ports {
                    $($kept: run.shape(self.$kept),)?
                    $($x: self.$x.ready(run),)*
                }
            }
        }
    )* };
}
groups! {
    AttentionInput AttentionPorts {
        shape: AttentionShape;
        q Q: View<'a, T, Recorder>, k K: View<'a, T, Recorder>, v V: View<'a, T, Recorder>,
        mask M: AttentionMask<'a, T, Recorder>
    }
    AttentionTangents AttentionTangentPorts {
        ; q Q: View<'a, T, Recorder>, k K: View<'a, T, Recorder>, v V: View<'a, T, Recorder>,
        bias B: Option<View<'a, T, Recorder>>
    }
    AttentionGradients AttentionGradientPorts {
        ; q Q: Option<ViewMut<'a, T, Recorder>>, k K: Option<ViewMut<'a, T, Recorder>>,
        v V: Option<ViewMut<'a, T, Recorder>>, bias B: Option<ViewMut<'a, T, Recorder>>
    }
    Recurred RecurredPorts {
        ; memory M: View<'a, T, Recorder>, out O: View<'a, T, Recorder>, h0 H: View<'a, T, Recorder>,
        c0 C: View<'a, T, Recorder>
    }
    RecurrentCotangents RecurrentCotangentPorts {
        ; out O: Option<View<'a, T, Recorder>>, h H: Option<View<'a, T, Recorder>>, c C: Option<View<'a, T, Recorder>>
    }
    RecurrentGradients RecurrentGradientPorts {
        ; slots S: ViewMut<'a, T, Recorder>, bias B: ViewMut<'a, T, Recorder>, h0 H: ViewMut<'a, T, Recorder>,
        c0 C: ViewMut<'a, T, Recorder>
    }
}

/// How a struct of operands is lent: its fields have these types.
macro_rules! lent {
    ($($Group:ident $Ports:ident<$($R:ty),*> { $($kept:ident)?; $($x:ident),* })*) => { $(
        impl<T: Elem> Ready for $Ports<$($R),*> {
            type Lent<'b> = $Group<'b, T, Device>;
            fn lend(&mut self) -> Self::Lent<'_> {
                $Group {
                    $($kept: &self.$kept,)?
                    $($x: self.$x.lend(),)*
                }
            }
            fn settle(self, run: &mut Run<'_>) {
                $(self.$x.settle(run);)*
            }
        }
    )* };
}
lent! {
    AttentionInput
        AttentionPorts<Shared<T>, Shared<T>, Shared<T>, MaskPort<Shared<bool>, Shared<T>, Shared<i64>>> { shape; q, k, v, mask }
    AttentionTangents AttentionTangentPorts<Shared<T>, Shared<T>, Shared<T>, Option<Shared<T>>> { ; q, k, v, bias }
    AttentionGradients
        AttentionGradientPorts<Option<Written<T>>, Option<Written<T>>, Option<Written<T>>, Option<Written<T>>> {
            ; q, k, v, bias
        }
    Recurred RecurredPorts<Shared<T>, Shared<T>, Shared<T>, Shared<T>> { ; memory, out, h0, c0 }
    RecurrentCotangents RecurrentCotangentPorts<Option<Shared<T>>, Option<Shared<T>>, Option<Shared<T>>> { ; out, h, c }
    RecurrentGradients RecurrentGradientPorts<Written<T>, Written<T>, Written<T>, Written<T>> { ; slots, bias, h0, c0 }
}
