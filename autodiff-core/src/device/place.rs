//! Values that are brought to a device.

use super::{Device, Elem};
use crate::tensor::raw::Raw;
use core::any::Any;

/// A value whose tensors can be brought to another device: a tensor, a module, an optimiser, and whatever
/// `#[derive(Differentiable)]` is on.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{Linear, Seeds};
///
/// #[derive(Clone, Differentiable, Module)]
/// struct Net {
///     first: Linear<4, 8>,
///     second: Linear<8, 2>,
/// }
///
/// let mut seeds = Seeds::new(1);
/// let net = Net {
///     first: Linear::new(&mut seeds),
///     second: Linear::new(&mut seeds),
/// };
/// let net = net.to(&Device::cpu());
/// assert_eq!(net.first.weight.device(), &Device::cpu());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be brought to a device",
    note = "types with `#[derive(Differentiable)]`, tensors, numbers, `Vec`s, tuples and `Option`s of them can"
)]
pub trait ToDevice {
    /// Lets `each` see and change the storage of every tensor, always in the same order.
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage));

    /// Brings it there.
    fn move_to(&mut self, device: &Device) {
        self.each_storage(&mut |x| x.place(device));
    }

    /// A copy that is there. What is there already is shared.
    #[must_use]
    fn to(&self, device: &Device) -> Self
    where
        Self: Clone,
    {
        let mut there = self.clone();
        there.move_to(device);
        there
    }
}

impl<T: ToDevice + ?Sized> ToDevice for &mut T {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        (**self).each_storage(each);
    }
}

/// The storage of a tensor, whatever its elements are; or a number of the host, which is on no device.
#[doc(hidden)]
pub trait AnyStorage: Any {
    /// Brings it to a device.
    fn place(&mut self, device: &Device);
    /// As what a captured function uses.
    #[cfg(feature = "cuda")]
    fn captive(&mut self) -> &mut dyn super::cuda::Captive;
}

impl<T: Elem> AnyStorage for Raw<T, Device> {
    fn place(&mut self, device: &Device) {
        if self.device() != device {
            *self = self.to(device);
        }
    }

    #[cfg(feature = "cuda")]
    fn captive(&mut self) -> &mut dyn super::cuda::Captive {
        self
    }
}

/// A number of the host, by its bits: the length of a `Vec`, and what decides between variants, are some as well. A function that
/// was captured holds for those that it was captured with.
#[doc(hidden)]
pub struct HostNumber(pub u64);

impl AnyStorage for HostNumber {
    fn place(&mut self, _: &Device) {}

    #[cfg(feature = "cuda")]
    fn captive(&mut self) -> &mut dyn super::cuda::Captive {
        self
    }
}

/// Numbers.
macro_rules! numbers {
    ($($t:ty: $x:ident => $bits:expr),* $(,)?) => { $(
        impl ToDevice for $t {
            fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
                let $x = *self;
                each(&mut HostNumber($bits));
            }
        }
    )* };
}
numbers! {
    f32: x => u64::from(x.to_bits()), f64: x => x.to_bits(),
    u8: x => u64::from(x), u16: x => u64::from(x), u32: x => u64::from(x), u64: x => x, usize: x => x as u64,
    i8: x => x as u64, i16: x => x as u64, i32: x => x as u64, i64: x => x as u64, isize: x => x as u64,
    bool: x => u64::from(x), char: x => u64::from(u32::from(x)),
}

/// Values that are on no device.
macro_rules! nowhere {
    ($([$($g:tt)*] $t:ty),* $(,)?) => { $(
        impl $($g)* ToDevice for $t {
            fn each_storage(&mut self, _: &mut dyn FnMut(&mut dyn AnyStorage)) {}
        }
    )* };
}
nowhere! {
    [] (), [] String, [<T: ?Sized>] core::marker::PhantomData<T>,
}

impl<T: ToDevice> ToDevice for Vec<T> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        each(&mut HostNumber(self.len() as u64));
        self.iter_mut().for_each(|x| x.each_storage(each));
    }
}

impl<T: ToDevice, const N: usize> ToDevice for [T; N] {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        self.iter_mut().for_each(|x| x.each_storage(each));
    }
}

impl<T: ToDevice> ToDevice for Option<T> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        each(&mut HostNumber(u64::from(self.is_some())));
        if let Some(x) = self {
            x.each_storage(each);
        }
    }
}

impl<T: ToDevice, E: ToDevice> ToDevice for Result<T, E> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        each(&mut HostNumber(u64::from(self.is_ok())));
        match self {
            Ok(x) => x.each_storage(each),
            Err(e) => e.each_storage(each),
        }
    }
}

impl<T: ToDevice + ?Sized> ToDevice for Box<T> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        (**self).each_storage(each);
    }
}

macro_rules! tuples {
    ($(($($T:ident $i:tt),+))*) => { $(
        impl<$($T: ToDevice),+> ToDevice for ($($T,)+) {
            fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
                $(self.$i.each_storage(each);)+
            }
        }
    )* };
}
tuples! {
    (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, E 3) (A 0, B 1, C 2, E 3, F 4)
    (A 0, B 1, C 2, E 3, F 4, G 5)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7, J 8)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9, L 10)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7, J 8, K 9, L 10, M 11)
}

/// A field of a derived type. The derive does not know its type: what can be brought to a device has the inherent
/// method, which rustc prefers, and everything else that of [`Stays`].
#[doc(hidden)]
pub struct Moved<'a, T: ?Sized>(pub &'a mut T);

impl<T: ToDevice + ?Sized> Moved<'_, T> {
    /// As [`ToDevice::each_storage`].
    pub fn each_storage(self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        self.0.each_storage(each);
    }
}

/// Holds no tensors that can be moved.
#[doc(hidden)]
pub trait Stays: Sized {
    /// Does nothing.
    fn each_storage(self, _: &mut dyn FnMut(&mut dyn AnyStorage)) {}
}

impl<T: ?Sized> Stays for Moved<'_, T> {}
