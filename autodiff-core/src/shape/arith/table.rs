//! The table of sizes: `Sz<N>` as hex digits, and back.

use super::bits::{I, Num, O, Z};
use crate::shape::{StaticDim, Sz};
use core::marker::PhantomData;

/// `Sz<N>` -> digits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is outside the table of sizes for which Rust can do arithmetic in types",
    note = "every size up to 4096 is in the table, then multiples of 8 to 8192, of 64 to 65536, and some known sizes",
    note = "use an operation that states its result instead, such as `.reshape::<shape![..]>()`, which works for every size",
    note = "in a function that is generic over a size, write the where clause, such as `where Sz<M>: Plus<Sz<N>>`"
)]
pub trait Literal {
    type Hex: ToBits;
}

/// digits -> `Sz<N>`.
#[diagnostic::on_unimplemented(
    message = "the size computed here is outside the table of sizes for which Rust can do arithmetic in types",
    note = "every size up to 4096 is in the table, then multiples of 8 to 8192, of 64 to 65536, and some known sizes",
    note = "use an operation that states its result instead, such as `.reshape::<shape![..]>()`, which works for every size"
)]
pub trait Lit {
    type Size: StaticDim;
}

macro_rules! table { ($($n:literal $t:ty),* $(,)?) => { $(
    #[diagnostic::do_not_recommend]
    impl Literal for Sz<$n> { type Hex = $t; }
    #[diagnostic::do_not_recommend]
    impl Lit for $t { type Size = Sz<$n>; }
)* } }
include!("../generated/table.rs");

/// digits -> bits
pub trait ToBits {
    type Bits: Num;
}
impl ToBits for Z {
    type Bits = Z;
}
/// bits -> digits
pub trait ToHex {
    type Hex;
}
impl ToHex for Z {
    type Hex = Z;
}
// Hex digits, least significant first; `T*` is the leading digit.
include!("../generated/digits.rs");

/// A static size for which arithmetic in types exists.
pub trait Known {
    /// The size in bits.
    type Bits: Num;
}
#[diagnostic::do_not_recommend]
impl<const N: usize> Known for Sz<N>
where
    Sz<N>: Literal,
{
    type Bits = <<Sz<N> as Literal>::Hex as ToBits>::Bits;
}

/// Bits that are a size of the table.
pub trait Size {
    /// The size.
    type Size: StaticDim;
}
impl<B: ToHex> Size for B
where
    B::Hex: Lit,
{
    type Size = <B::Hex as Lit>::Size;
}
