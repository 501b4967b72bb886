//! Methods of integers whose names other types have too: they carry no derivative, where the receiver is an integer
//! that the macro cannot tell from other values, such as a field.

use super::NoGrad;

/// Adds nothing: an integer has no cotangent.
pub type ToIntegers<T, C = NoGrad> = fn(C, &T, &mut NoGrad);
/// The same of a method with an argument.
pub type ToIntegersOfTwo<T> = fn(NoGrad, &T, &mut NoGrad, &mut NoGrad);

/// The companions of the methods.
pub trait IntegerMethods: Sized {
    /// Its bytes.
    type Bytes;
    /// Their cotangent.
    type NoGrads;
    /// Their tangent.
    type UnitBytes;
    /// `pow` in reverse mode.
    fn __pow_vjp<M>(&self, modes: M, exponent: u32) -> (Self, ToIntegersOfTwo<Self>);
    /// `pow` in forward mode.
    fn __pow_jvp(&self, _: &(), exponent: u32, _: ()) -> (Self, ());
    /// `rotate_left` in reverse mode.
    fn __rotate_left_vjp<M>(&self, modes: M, by: u32) -> (Self, ToIntegersOfTwo<Self>);
    /// `rotate_left` in forward mode.
    fn __rotate_left_jvp(&self, _: &(), by: u32, _: ()) -> (Self, ());
    /// `rotate_right` in reverse mode.
    fn __rotate_right_vjp<M>(&self, modes: M, by: u32) -> (Self, ToIntegersOfTwo<Self>);
    /// `rotate_right` in forward mode.
    fn __rotate_right_jvp(&self, _: &(), by: u32, _: ()) -> (Self, ());
    /// `to_le_bytes` in reverse mode.
    fn __to_le_bytes_vjp<M>(&self, modes: M) -> (Self::Bytes, ToIntegers<Self, Self::NoGrads>);
    /// `to_le_bytes` in forward mode.
    fn __to_le_bytes_jvp(&self, _: &()) -> (Self::Bytes, Self::UnitBytes);
    /// `to_be_bytes` in reverse mode.
    fn __to_be_bytes_vjp<M>(&self, modes: M) -> (Self::Bytes, ToIntegers<Self, Self::NoGrads>);
    /// `to_be_bytes` in forward mode.
    fn __to_be_bytes_jvp(&self, _: &()) -> (Self::Bytes, Self::UnitBytes);
    /// `to_ne_bytes` in reverse mode.
    fn __to_ne_bytes_vjp<M>(&self, modes: M) -> (Self::Bytes, ToIntegers<Self, Self::NoGrads>);
    /// `to_ne_bytes` in forward mode.
    fn __to_ne_bytes_jvp(&self, _: &()) -> (Self::Bytes, Self::UnitBytes);
}

macro_rules! by_a_number {
    ($t:ident $name:ident $vjp:ident $jvp:ident) => {
        #[inline(always)]
        fn $vjp<M>(&self, _: M, by: u32) -> ($t, ToIntegersOfTwo<$t>) {
            (self.$name(by), |_, _, _, _| {})
        }
        #[inline(always)]
        fn $jvp(&self, _: &(), by: u32, _: ()) -> ($t, ()) {
            (self.$name(by), ())
        }
    };
}

macro_rules! bytes {
    ($t:ident $name:ident $vjp:ident $jvp:ident) => {
        #[inline(always)]
        fn $vjp<M>(&self, _: M) -> (Self::Bytes, ToIntegers<$t, Self::NoGrads>) {
            (self.$name(), |_, _, _| {})
        }
        #[inline(always)]
        fn $jvp(&self, _: &()) -> (Self::Bytes, Self::UnitBytes) {
            (self.$name(), [(); size_of::<$t>()])
        }
    };
}

macro_rules! integers {
    ($($t:ident)*) => { $(
        impl IntegerMethods for $t {
            type Bytes = [u8; size_of::<$t>()];
            type NoGrads = [NoGrad; size_of::<$t>()];
            type UnitBytes = [(); size_of::<$t>()];
            by_a_number!($t pow __pow_vjp __pow_jvp);
            by_a_number!($t rotate_left __rotate_left_vjp __rotate_left_jvp);
            by_a_number!($t rotate_right __rotate_right_vjp __rotate_right_jvp);
            bytes!($t to_le_bytes __to_le_bytes_vjp __to_le_bytes_jvp);
            bytes!($t to_be_bytes __to_be_bytes_vjp __to_be_bytes_jvp);
            bytes!($t to_ne_bytes __to_ne_bytes_vjp __to_ne_bytes_jvp);
        }
    )* };
}
with_integers!(integers);
