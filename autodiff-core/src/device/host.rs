//! Operations that a machine does not have: the operands are copied to the host, computed there, and copied back.
//!
//! Correct on every machine and fast on none. `tests/devices` has the list of what still goes this way.

use super::*;

/// An operand that can be copied to the host.
pub trait Staged<D: Backend>: Sized {
    /// The copy.
    type OnHost: OnHost<D>;
    /// Copies it.
    #[track_caller]
    fn stage(self, device: &D) -> Self::OnHost;
}

/// A copy of an operand.
pub trait OnHost<D: Backend>: Sized {
    /// As the host takes it.
    type Lent<'b>
    where
        Self: 'b;
    /// As the host takes it.
    fn lend(&mut self) -> Self::Lent<'_>;
    /// Copies results back to the device.
    #[track_caller]
    fn settle(self, device: &D);
}

/// The elements of a view, dense.
#[derive(Debug)]
pub struct HostView<T: Elem> {
    buf: Buffer<T>,
    layout: Layout,
}

#[track_caller]
fn copied<T: Elem, D: Backend>(x: View<'_, T, D>, device: &D) -> HostView<T> {
    let layout = Layout::dense(*x.layout.dims());
    match device.download(x) {
        Ok(data) => HostView {
            buf: Cpu.upload(&data),
            layout,
        },
        Err(e) => panic!("{e}"),
    }
}

impl<T: Elem, D: Backend> Staged<D> for View<'_, T, D> {
    type OnHost = HostView<T>;
    fn stage(self, device: &D) -> HostView<T> {
        copied(self, device)
    }
}

impl<T: Elem, D: Backend> OnHost<D> for HostView<T> {
    type Lent<'b> = View<'b, T, Cpu>;
    fn lend(&mut self) -> View<'_, T, Cpu> {
        View {
            buf: &self.buf,
            layout: self.layout,
        }
    }
    fn settle(self, _: &D) {}
}

/// The elements of a view that is written, and the view.
pub struct HostViewMut<'a, T: Elem, D: Backend> {
    copy: HostView<T>,
    back: ViewMut<'a, T, D>,
}

impl<'a, T: Elem, D: Backend> Staged<D> for ViewMut<'a, T, D> {
    type OnHost = HostViewMut<'a, T, D>;
    fn stage(self, device: &D) -> HostViewMut<'a, T, D> {
        let view = View {
            buf: &*self.buf,
            layout: self.layout,
        };
        HostViewMut {
            copy: copied(view, device),
            back: self,
        }
    }
}

impl<T: Elem, D: Backend> OnHost<D> for HostViewMut<'_, T, D> {
    type Lent<'b>
        = ViewMut<'b, T, Cpu>
    where
        Self: 'b;
    fn lend(&mut self) -> ViewMut<'_, T, Cpu> {
        ViewMut {
            buf: &mut self.copy.buf,
            layout: self.copy.layout,
        }
    }
    fn settle(self, device: &D) {
        let result = device.upload(&self.copy.buf);
        let view = View {
            buf: &result,
            layout: self.copy.layout,
        };
        device.copy(view, self.back);
    }
}

/// An operand of an elementwise operation.
#[derive(Debug)]
pub enum HostOperand<T: Elem> {
    /// Elements.
    View(HostView<T>),
    /// One number.
    Scalar(T),
    /// What the result held before.
    Output,
}

impl<T: Elem, D: Backend> Staged<D> for Operand<'_, T, D> {
    type OnHost = HostOperand<T>;
    fn stage(self, device: &D) -> HostOperand<T> {
        match self {
            Operand::View(x) => HostOperand::View(x.stage(device)),
            Operand::Scalar(x) => HostOperand::Scalar(x),
            Operand::Output => HostOperand::Output,
        }
    }
}

impl<T: Elem, D: Backend> OnHost<D> for HostOperand<T> {
    type Lent<'b> = Operand<'b, T, Cpu>;
    fn lend(&mut self) -> Operand<'_, T, Cpu> {
        match self {
            HostOperand::View(x) => Operand::View(OnHost::<D>::lend(x)),
            HostOperand::Scalar(x) => Operand::Scalar(*x),
            HostOperand::Output => Operand::Output,
        }
    }
    fn settle(self, _: &D) {}
}

impl<D: Backend, X: Staged<D>> Staged<D> for Option<X> {
    type OnHost = Option<X::OnHost>;
    fn stage(self, device: &D) -> Self::OnHost {
        self.map(|x| x.stage(device))
    }
}

impl<D: Backend, H: OnHost<D>> OnHost<D> for Option<H> {
    type Lent<'b>
        = Option<H::Lent<'b>>
    where
        Self: 'b;
    fn lend(&mut self) -> Self::Lent<'_> {
        self.as_mut().map(H::lend)
    }
    fn settle(self, device: &D) {
        if let Some(x) = self {
            x.settle(device);
        }
    }
}

impl<D: Backend, X: Staged<D>, const N: usize> Staged<D> for [X; N] {
    type OnHost = [X::OnHost; N];
    fn stage(self, device: &D) -> Self::OnHost {
        self.map(|x| x.stage(device))
    }
}

impl<D: Backend, H: OnHost<D>, const N: usize> OnHost<D> for [H; N] {
    type Lent<'b>
        = [H::Lent<'b>; N]
    where
        Self: 'b;
    fn lend(&mut self) -> Self::Lent<'_> {
        self.each_mut().map(H::lend)
    }
    fn settle(self, device: &D) {
        for x in self {
            x.settle(device);
        }
    }
}

/// What is the same everywhere.
macro_rules! same {
    ($($t:ty),*) => { $(
        impl<D: Backend> Staged<D> for $t {
            type OnHost = $t;
            fn stage(self, _: &D) -> $t {
                self
            }
        }
        impl<D: Backend> OnHost<D> for $t {
            type Lent<'b> = $t;
            fn lend(&mut self) -> $t {
                *self
            }
            fn settle(self, _: &D) {}
        }
    )* };
}
same!(Write, usize);

/// Structs of operands: the copy has the same parts.
macro_rules! groups {
    ($($Group:ident $Copy:ident { $($kept:ident: $K:ty),*; $($x:ident: $X:ty),* })*) => { $(
        #[doc = concat!("A copy of [`", stringify!($Group), "`].")]
        pub struct $Copy<'a, T: Elem, D: Backend> {
            $($kept: $K,)*
            $($x: <$X as Staged<D>>::OnHost,)*
        }
        impl<'a, T: Elem, D: Backend> Staged<D> for $Group<'a, T, D> {
            type OnHost = $Copy<'a, T, D>;
            fn stage(self, device: &D) -> Self::OnHost {
                $Copy { $($kept: self.$kept,)* $($x: self.$x.stage(device)),* }
            }
        }
        impl<'a, T: Elem, D: Backend> OnHost<D> for $Copy<'a, T, D> {
            type Lent<'b> = $Group<'b, T, Cpu> where Self: 'b;
            fn lend(&mut self) -> Self::Lent<'_> {
                $Group { $($kept: self.$kept,)* $($x: OnHost::<D>::lend(&mut self.$x)),* }
            }
            fn settle(self, device: &D) {
                $(self.$x.settle(device);)*
            }
        }
    )* };
}
groups! {
    AttentionInput HostAttention {
        shape: &'a AttentionShape;
        q: View<'a, T, D>, k: View<'a, T, D>, v: View<'a, T, D>, mask: AttentionMask<'a, T, D>
    }
    AttentionTangents HostAttentionTangents {
        ; q: View<'a, T, D>, k: View<'a, T, D>, v: View<'a, T, D>, bias: Option<View<'a, T, D>>
    }
    AttentionGradients HostAttentionGradients {
        ; q: Option<ViewMut<'a, T, D>>, k: Option<ViewMut<'a, T, D>>, v: Option<ViewMut<'a, T, D>>,
        bias: Option<ViewMut<'a, T, D>>
    }
    Recurred HostRecurred {
        ; memory: View<'a, T, D>, out: View<'a, T, D>, h0: View<'a, T, D>, c0: View<'a, T, D>
    }
    RecurrentCotangents HostRecurrentCotangents {
        ; out: Option<View<'a, T, D>>, h: Option<View<'a, T, D>>, c: Option<View<'a, T, D>>
    }
    RecurrentGradients HostRecurrentGradients {
        ; slots: ViewMut<'a, T, D>, bias: ViewMut<'a, T, D>, h0: ViewMut<'a, T, D>, c0: ViewMut<'a, T, D>
    }
}

/// A copy of an [`AttentionMask`].
#[derive(Debug)]
pub enum HostMask<T: Elem> {
    /// Nothing.
    None,
    /// Whether the key is seen.
    Visible(HostView<bool>),
    /// What is added.
    Bias(HostView<T>),
    /// How many keys there are.
    Lengths(HostView<i64>),
}

impl<T: Elem, D: Backend> Staged<D> for AttentionMask<'_, T, D> {
    type OnHost = HostMask<T>;
    fn stage(self, device: &D) -> HostMask<T> {
        match self {
            AttentionMask::None => HostMask::None,
            AttentionMask::Visible(m) => HostMask::Visible(m.stage(device)),
            AttentionMask::Bias(m) => HostMask::Bias(m.stage(device)),
            AttentionMask::Lengths(m) => HostMask::Lengths(m.stage(device)),
        }
    }
}

impl<T: Elem, D: Backend> OnHost<D> for HostMask<T> {
    type Lent<'b> = AttentionMask<'b, T, Cpu>;
    fn lend(&mut self) -> Self::Lent<'_> {
        match self {
            HostMask::None => AttentionMask::None,
            HostMask::Visible(m) => AttentionMask::Visible(OnHost::<D>::lend(m)),
            HostMask::Bias(m) => AttentionMask::Bias(OnHost::<D>::lend(m)),
            HostMask::Lengths(m) => AttentionMask::Lengths(OnHost::<D>::lend(m)),
        }
    }
    fn settle(self, _: &D) {}
}
