//! The operands of an operation for many examples, and for one of them.

use super::super::lens::groups_of_operands;
use super::*;

/// The call of two operands: of whichever has parts.
#[inline(always)]
#[track_caller]
pub(in crate::device) fn joint(a: Option<Batch>, b: Option<Batch>) -> Option<Batch> {
    match (a, b) {
        (Some(a), Some(b)) => {
            assert!(
                a == b,
                "examples of two `#[batched]` calls of `vmap!` meet: a tensor has left the closure that it was computed in"
            );
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

/// What an operation has as an operand.
pub(in crate::device) trait Operands {
    /// The same for one example, or for all.
    type Lent<'l>
    where
        Self: 'l;
    /// Whose examples are among the operands.
    #[inline(always)]
    #[track_caller]
    fn batch(&self) -> Option<Batch> {
        None
    }
    /// Whether the result depends on what it was before.
    fn keeps(&self) -> bool {
        false
    }
    /// The sizes of a result.
    fn target(&self) -> Option<Dims> {
        None
    }
    /// Whether the results have these sizes.
    fn has_sizes(&self, _: &Dims) -> bool {
        true
    }
    /// Whether there is room for a further axis; operands are broadcast to the sizes `to`.
    fn has_room(&self, _to: Option<&Dims>) -> bool {
        true
    }
    /// Gives a result parts that are its own; with `keep`, of what it was before.
    #[track_caller]
    fn widen(&mut self, _device: &Device, _batch: Batch, _keep: bool) {}
    /// The operand of example `i`; results are [wide](Self::widen).
    fn example(&mut self, i: usize) -> Self::Lent<'_>;
    /// The operand of all examples, along a further first axis.
    fn all(&mut self, batch: Batch, to: Option<&Dims>) -> Self::Lent<'_>;
}

/// The sizes that operands are broadcast to: those of the last result.
pub(super) fn result<const N: usize>(targets: [Option<Dims>; N]) -> Option<Dims> {
    targets.into_iter().flatten().last()
}

/// Operands stay as they are.
pub(super) fn own<const N: usize>(_: [Option<Dims>; N]) -> Option<Dims> {
    None
}

impl<'a, T: Elem> Operands for View<'a, T, Device> {
    type Lent<'l>
        = View<'l, T, Device>
    where
        Self: 'l;
    #[inline(always)]
    fn batch(&self) -> Option<Batch> {
        match self.buf {
            DeviceBuf::Examples(x) => Some(x.batch),
            _ => None,
        }
    }
    fn has_room(&self, to: Option<&Dims>) -> bool {
        to.unwrap_or(self.layout.dims()).rank() < MAX_RANK
    }
    fn example(&mut self, i: usize) -> View<'_, T, Device> {
        match self.buf {
            DeviceBuf::Examples(x) => View {
                buf: &x.all,
                layout: self.layout.at(self.layout.offset() + i * x.len),
            },
            _ => *self,
        }
    }
    fn all(&mut self, batch: Batch, to: Option<&Dims>) -> View<'_, T, Device> {
        let layout = match to {
            Some(to) => self.layout.expand(to),
            None => self.layout,
        };
        match self.buf {
            DeviceBuf::Examples(x) => View {
                buf: &x.all,
                layout: layout.outer(batch.examples, x.len),
            },
            _ => View {
                buf: self.buf,
                layout: layout.outer(batch.examples, 0),
            },
        }
    }
}

impl<'a, T: Elem> Operands for ViewMut<'a, T, Device> {
    type Lent<'l>
        = ViewMut<'l, T, Device>
    where
        Self: 'l;
    #[inline(always)]
    fn batch(&self) -> Option<Batch> {
        match &*self.buf {
            DeviceBuf::Examples(x) => Some(x.batch),
            _ => None,
        }
    }
    fn target(&self) -> Option<Dims> {
        Some(*self.layout.dims())
    }
    fn has_sizes(&self, sizes: &Dims) -> bool {
        self.layout.dims() == sizes
    }
    /// Results are dense, so one part follows the other only if the result is all of its buffer.
    fn has_room(&self, _: Option<&Dims>) -> bool {
        let whole = self.layout.is_contiguous()
            && self.layout.offset() == 0
            && self.layout.numel() == Device::len(self.buf);
        whole && self.layout.dims().rank() < MAX_RANK
    }
    fn widen(&mut self, device: &Device, batch: Batch, keep: bool) {
        let own = match self.buf {
            DeviceBuf::Examples(x) => Arc::get_mut(&mut x.all).is_some(),
            _ => false,
        };
        if own {
            return;
        }
        let len = Device::len(self.buf);
        let part = Layout::dense(Dims::new(&[len]));
        let mut all = device.alloc(batch.examples * len);
        if keep {
            let mut old = View {
                buf: &*self.buf,
                layout: part,
            };
            let out = ViewMut {
                buf: &mut all,
                layout: part.outer(batch.examples, len),
            };
            device.copy(old.all(batch, None), out);
        }
        *self.buf = DeviceBuf::Examples(ExamplesBuf {
            all: Arc::new(all),
            batch,
            len,
        });
    }
    fn example(&mut self, i: usize) -> ViewMut<'_, T, Device> {
        let (all, len) = own_parts(self.buf);
        ViewMut {
            buf: all,
            layout: self.layout.at(self.layout.offset() + i * len),
        }
    }
    fn all(&mut self, batch: Batch, _: Option<&Dims>) -> ViewMut<'_, T, Device> {
        let (all, len) = own_parts(self.buf);
        ViewMut {
            buf: all,
            layout: self.layout.outer(batch.examples, len),
        }
    }
}

/// The parts of a result, and how long each is.
fn own_parts<T: Elem>(buf: &mut DeviceBuf<T>) -> (&mut DeviceBuf<T>, usize) {
    let DeviceBuf::Examples(x) = buf else {
        unreachable!("a result without parts");
    };
    let all = Arc::get_mut(&mut x.all).expect("parts that are its own");
    (all, x.len)
}

impl<'a, T: Elem> Operands for Operand<'a, T, Device> {
    type Lent<'l>
        = Operand<'l, T, Device>
    where
        Self: 'l;
    #[inline(always)]
    fn batch(&self) -> Option<Batch> {
        match self {
            Operand::View(x) => x.batch(),
            _ => None,
        }
    }
    fn keeps(&self) -> bool {
        matches!(self, Operand::Output)
    }
    fn has_room(&self, to: Option<&Dims>) -> bool {
        match self {
            Operand::View(x) => x.has_room(to),
            _ => true,
        }
    }
    fn example(&mut self, i: usize) -> Operand<'_, T, Device> {
        match self {
            Operand::View(x) => Operand::View(x.example(i)),
            other => *other,
        }
    }
    fn all(&mut self, batch: Batch, to: Option<&Dims>) -> Operand<'_, T, Device> {
        match self {
            Operand::View(x) => Operand::View(x.all(batch, to)),
            other => *other,
        }
    }
}

impl<'a, T: Elem> Operands for AttentionMask<'a, T, Device> {
    type Lent<'l>
        = AttentionMask<'l, T, Device>
    where
        Self: 'l;
    fn batch(&self) -> Option<Batch> {
        match self {
            AttentionMask::None => None,
            AttentionMask::Visible(m) => m.batch(),
            AttentionMask::Bias(m) => m.batch(),
            AttentionMask::Lengths(m) => m.batch(),
        }
    }
    fn example(&mut self, i: usize) -> AttentionMask<'_, T, Device> {
        match self {
            AttentionMask::None => AttentionMask::None,
            AttentionMask::Visible(m) => AttentionMask::Visible(m.example(i)),
            AttentionMask::Bias(m) => AttentionMask::Bias(m.example(i)),
            AttentionMask::Lengths(m) => AttentionMask::Lengths(m.example(i)),
        }
    }
    fn all(&mut self, _: Batch, _: Option<&Dims>) -> AttentionMask<'_, T, Device> {
        unreachable!("attention takes one example after the other")
    }
}

impl<X: Operands> Operands for Option<X> {
    type Lent<'l>
        = Option<X::Lent<'l>>
    where
        Self: 'l;
    #[inline(always)]
    fn batch(&self) -> Option<Batch> {
        self.as_ref().and_then(X::batch)
    }
    fn keeps(&self) -> bool {
        self.as_ref().is_some_and(X::keeps)
    }
    fn target(&self) -> Option<Dims> {
        self.as_ref().and_then(X::target)
    }
    fn has_sizes(&self, sizes: &Dims) -> bool {
        self.as_ref().is_none_or(|x| x.has_sizes(sizes))
    }
    fn has_room(&self, to: Option<&Dims>) -> bool {
        self.as_ref().is_none_or(|x| x.has_room(to))
    }
    fn widen(&mut self, device: &Device, batch: Batch, keep: bool) {
        if let Some(x) = self {
            x.widen(device, batch, keep);
        }
    }
    fn example(&mut self, i: usize) -> Self::Lent<'_> {
        self.as_mut().map(|x| x.example(i))
    }
    fn all(&mut self, batch: Batch, to: Option<&Dims>) -> Self::Lent<'_> {
        self.as_mut().map(|x| x.all(batch, to))
    }
}

impl<X: Operands, const N: usize> Operands for [X; N] {
    type Lent<'l>
        = [X::Lent<'l>; N]
    where
        Self: 'l;
    #[inline(always)]
    #[track_caller]
    fn batch(&self) -> Option<Batch> {
        let mut batch = None;
        for x in self {
            batch = joint(batch, x.batch());
        }
        batch
    }
    fn keeps(&self) -> bool {
        self.iter().any(X::keeps)
    }
    fn has_sizes(&self, sizes: &Dims) -> bool {
        self.iter().all(|x| x.has_sizes(sizes))
    }
    fn has_room(&self, to: Option<&Dims>) -> bool {
        self.iter().all(|x| x.has_room(to))
    }
    fn widen(&mut self, device: &Device, batch: Batch, keep: bool) {
        for x in self {
            x.widen(device, batch, keep);
        }
    }
    fn example(&mut self, i: usize) -> Self::Lent<'_> {
        self.each_mut().map(|x| x.example(i))
    }
    fn all(&mut self, batch: Batch, to: Option<&Dims>) -> Self::Lent<'_> {
        self.each_mut().map(|x| x.all(batch, to))
    }
}

impl Operands for Write {
    type Lent<'l> = Write;
    fn keeps(&self) -> bool {
        *self == Write::Add
    }
    fn example(&mut self, _: usize) -> Write {
        *self
    }
    fn all(&mut self, _: Batch, _: Option<&Dims>) -> Write {
        *self
    }
}

/// An axis, which the examples stand before.
impl Operands for usize {
    type Lent<'l> = usize;
    fn example(&mut self, _: usize) -> usize {
        *self
    }
    fn all(&mut self, _: Batch, _: Option<&Dims>) -> usize {
        *self + 1
    }
}

/// Structs of operands, of operations that take one example after the other.
macro_rules! groups {
    ($($Group:ident { $($kept:ident),*; $($x:ident),* })*) => { $(
        impl<'a, T: Elem> Operands for $Group<'a, T, Device> {
            type Lent<'l> = $Group<'l, T, Device> where Self: 'l;
            #[track_caller]
            fn batch(&self) -> Option<Batch> {
                let mut batch = None;
                $( batch = joint(batch, self.$x.batch()); )*
                batch
            }
            fn has_room(&self, _: Option<&Dims>) -> bool {
                false
            }
            fn widen(&mut self, device: &Device, batch: Batch, keep: bool) {
                $( self.$x.widen(device, batch, keep); )*
            }
            fn example(&mut self, i: usize) -> Self::Lent<'_> {
                $Group { $($kept: self.$kept,)* $($x: self.$x.example(i)),* }
            }
            fn all(&mut self, _: Batch, _: Option<&Dims>) -> Self::Lent<'_> {
                unreachable!("there is no room for a further axis")
            }
        }
    )* };
}
groups_of_operands!(groups);
