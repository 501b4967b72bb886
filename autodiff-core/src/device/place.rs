//! Values that are brought to a device.

use super::Device;

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
    /// Brings it there.
    fn move_to(&mut self, device: &Device);

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

/// Values that are on no device.
macro_rules! nowhere {
    ($([$($g:tt)*] $t:ty),* $(,)?) => { $(
        impl $($g)* ToDevice for $t {
            fn move_to(&mut self, _: &Device) {}
        }
    )* };
}
nowhere! {
    [] f32, [] f64, [] u8, [] u16, [] u32, [] u64, [] usize, [] i8, [] i16, [] i32, [] i64, [] isize,
    [] bool, [] char, [] (), [] String, [<T: ?Sized>] core::marker::PhantomData<T>,
}

impl<T: ToDevice> ToDevice for Vec<T> {
    fn move_to(&mut self, device: &Device) {
        self.iter_mut().for_each(|x| x.move_to(device));
    }
}

impl<T: ToDevice, const N: usize> ToDevice for [T; N] {
    fn move_to(&mut self, device: &Device) {
        self.iter_mut().for_each(|x| x.move_to(device));
    }
}

impl<T: ToDevice> ToDevice for Option<T> {
    fn move_to(&mut self, device: &Device) {
        if let Some(x) = self {
            x.move_to(device);
        }
    }
}

impl<T: ToDevice + ?Sized> ToDevice for Box<T> {
    fn move_to(&mut self, device: &Device) {
        (**self).move_to(device);
    }
}

macro_rules! tuples {
    ($(($($T:ident $i:tt),+))*) => { $(
        impl<$($T: ToDevice),+> ToDevice for ($($T,)+) {
            fn move_to(&mut self, device: &Device) {
                $(self.$i.move_to(device);)+
            }
        }
    )* };
}
tuples! {
    (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, E 3) (A 0, B 1, C 2, E 3, F 4) (A 0, B 1, C 2, E 3, F 4, G 5)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6) (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7)
}

/// A field of a derived type. The derive does not know its type: what can be brought to a device has the inherent
/// method, which rustc prefers, and everything else that of [`Stays`].
#[doc(hidden)]
pub struct Moved<'a, T: ?Sized>(pub &'a mut T);

impl<T: ToDevice + ?Sized> Moved<'_, T> {
    /// Brings it there.
    pub fn move_to(self, device: &Device) {
        self.0.move_to(device);
    }
}

/// Holds no tensors that can be moved.
#[doc(hidden)]
pub trait Stays: Sized {
    /// Does nothing.
    fn move_to(self, _: &Device) {}
}

impl<T: ?Sized> Stays for Moved<'_, T> {}
