use crate::dist::{CommError, Reduce};
use core::fmt;
use half::{bf16, f16};

/// Numbers in host memory, of a type that ranks exchange.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Numbers {
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
    /// The upper half of single precision. Sums are computed in single precision.
    Bf16(Vec<bf16>),
    /// Half precision. Sums are computed in single precision.
    F16(Vec<f16>),
    /// Whole numbers.
    I64(Vec<i64>),
    /// Bytes.
    U8(Vec<u8>),
}

/// The type of [`Numbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `bf16`
    Bf16,
    /// `f16`
    F16,
    /// `i64`
    I64,
    /// `u8`
    U8,
}

/// A type of numbers that ranks exchange.
pub trait Number: Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Which one.
    const KIND: Kind;
    /// The numbers without their type.
    fn wrap(numbers: Vec<Self>) -> Numbers;
    /// The numbers, if they are of this type.
    fn unwrap(numbers: Numbers) -> Option<Vec<Self>>;
    /// The numbers, if they are of this type.
    fn slice(numbers: &Numbers) -> Option<&[Self]>;
    /// The sum, the larger or the smaller one; NaN if one is.
    fn reduce(op: Reduce, a: Self, b: Self) -> Self;
    /// `factor · self`.
    fn scaled(self, factor: f64) -> Self;
}

macro_rules! larger {
    ($a:ident $b:ident $op:tt) => {
        // The comparison is false for NaN, which stays.
        if $a != $a || $a $op $b { $a } else { $b }
    };
}

macro_rules! numbers {
    ($($T:ident $V:ident $name:literal |$a:ident, $b:ident| $sum:expr, |$n:ident, $by:ident| $scaled:expr;)*) => {
        $(
            impl Number for $T {
                const KIND: Kind = Kind::$V;
                fn wrap(numbers: Vec<Self>) -> Numbers {
                    Numbers::$V(numbers)
                }
                fn unwrap(numbers: Numbers) -> Option<Vec<Self>> {
                    match numbers {
                        Numbers::$V(x) => Some(x),
                        _ => None,
                    }
                }
                fn slice(numbers: &Numbers) -> Option<&[Self]> {
                    match numbers {
                        Numbers::$V(x) => Some(x),
                        _ => None,
                    }
                }
                #[allow(clippy::eq_op)] // of whole numbers
                fn reduce(op: Reduce, $a: Self, $b: Self) -> Self {
                    match op {
                        Reduce::Sum => $sum,
                        Reduce::Max => larger!($a $b >),
                        Reduce::Min => larger!($a $b <),
                    }
                }
                fn scaled(self, factor: f64) -> Self {
                    let ($n, $by) = (self, factor);
                    $scaled
                }
            }
        )*

        impl Numbers {
            /// How many there are.
            pub fn len(&self) -> usize {
                match self {
                    $(Numbers::$V(x) => x.len(),)*
                }
            }

            /// Their type.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Numbers::$V(_) => Kind::$V,)*
                }
            }

            /// So many zeros.
            pub fn zeros(kind: Kind, len: usize) -> Self {
                match kind {
                    $(Kind::$V => Numbers::$V(vec![$T::default(); len]),)*
                }
            }
        }

        impl fmt::Display for Kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Kind::$V => $name,)*
                })
            }
        }

        /// Does something with numbers of any type: `each!(numbers, x => x.len())`.
        macro_rules! each {
            ($numbers:expr, $x:ident => $do:expr) => {
                match $numbers {
                    $($crate::dist::Numbers::$V($x) => $do,)*
                }
            };
        }
        #[cfg(any(feature = "mpi", feature = "nccl"))]
        pub(crate) use each;

        /// Does the same with two of the same type; `None` if they are of two types.
        macro_rules! both {
            ($one:expr, $other:expr, ($x:ident, $y:ident) => $do:expr) => {
                match ($one, $other) {
                    $(($crate::dist::Numbers::$V($x), $crate::dist::Numbers::$V($y)) => Some($do),)*
                    _ => None,
                }
            };
        }
    };
}
numbers! {
    f32 F32 "f32" |a, b| a + b, |x, by| (f64::from(x) * by) as f32;
    f64 F64 "f64" |a, b| a + b, |x, by| x * by;
    bf16 Bf16 "bf16" |a, b| bf16::from_f32(a.to_f32() + b.to_f32()), |x, by| bf16::from_f64(x.to_f64() * by);
    f16 F16 "f16" |a, b| f16::from_f32(a.to_f32() + b.to_f32()), |x, by| f16::from_f64(x.to_f64() * by);
    i64 I64 "i64" |a, b| a.wrapping_add(b), |x, by| (x as f64 * by) as i64;
    u8 U8 "u8" |a, b| a.wrapping_add(b), |x, by| (f64::from(x) * by) as u8;
}

impl Numbers {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size of what is sent, in bytes.
    pub fn bytes(&self) -> usize {
        self.len() * self.kind().bytes()
    }

    /// The numbers as `T`.
    ///
    /// # Errors
    /// [`CommError::Received`] if they are of another type.
    pub fn of<T: Number>(self) -> Result<Vec<T>, CommError> {
        let (found, found_len) = (self.kind(), self.len());
        T::unwrap(self).ok_or(CommError::Received {
            expected: T::KIND,
            expected_len: found_len,
            found,
            found_len,
        })
    }

    /// `self ← op(self, other)`, entry by entry; `false` if types or lengths differ.
    pub(crate) fn reduce(&mut self, op: Reduce, other: &Numbers) -> bool {
        fn all<T: Number>(op: Reduce, x: &mut [T], y: &[T]) -> bool {
            x.iter_mut()
                .zip(y)
                .for_each(|(x, y)| *x = T::reduce(op, *x, *y));
            x.len() == y.len()
        }
        both!(self, other, (x, y) => all(op, x, y)).unwrap_or(false)
    }

    /// Multiplies all by a factor; by 1 nothing changes.
    pub(crate) fn scale(&mut self, factor: f64) {
        fn all<T: Number>(x: &mut [T], factor: f64) {
            x.iter_mut().for_each(|x| *x = x.scaled(factor));
        }
        if factor != 1.0 {
            each!(self, x => all(x, factor));
        }
    }

    /// Adds others at the end; `false` if the types differ.
    pub(crate) fn append(&mut self, other: &Numbers) -> bool {
        both!(self, other, (x, y) => x.extend_from_slice(y)).is_some()
    }

    /// The part `at..at + len`.
    pub(crate) fn part(&self, at: usize, len: usize) -> Numbers {
        fn of<T: Number>(x: &[T]) -> Numbers {
            T::wrap(x.to_vec())
        }
        each!(self, x => of(&x[at..at + len]))
    }

    /// As one of single precision, for engines that know no half precision.
    #[cfg(feature = "mpi")]
    pub(crate) fn widened(self) -> Numbers {
        match self {
            Numbers::Bf16(x) => Numbers::F32(x.into_iter().map(bf16::to_f32).collect()),
            Numbers::F16(x) => Numbers::F32(x.into_iter().map(f16::to_f32).collect()),
            other => other,
        }
    }

    /// Single precision rounded to a type of half precision; others as they are.
    #[cfg(feature = "mpi")]
    pub(crate) fn rounded(self, kind: Kind) -> Numbers {
        match (self, kind) {
            (Numbers::F32(x), Kind::Bf16) => {
                Numbers::Bf16(x.into_iter().map(bf16::from_f32).collect())
            }
            (Numbers::F32(x), Kind::F16) => {
                Numbers::F16(x.into_iter().map(f16::from_f32).collect())
            }
            (other, _) => other,
        }
    }
}

impl Kind {
    /// All, by their codes in messages.
    #[cfg(any(feature = "mpi", feature = "nccl"))]
    pub(crate) const ALL: [Kind; 6] = [
        Kind::F32,
        Kind::F64,
        Kind::Bf16,
        Kind::F16,
        Kind::I64,
        Kind::U8,
    ];

    /// The size of one number.
    pub fn bytes(self) -> usize {
        match self {
            Kind::F64 | Kind::I64 => 8,
            Kind::F32 => 4,
            Kind::Bf16 | Kind::F16 => 2,
            Kind::U8 => 1,
        }
    }

    #[cfg(any(feature = "mpi", feature = "nccl"))]
    pub(crate) fn code(self) -> u64 {
        let at = Kind::ALL.iter().position(|k| *k == self);
        at.expect("all are listed") as u64
    }

    #[cfg(any(feature = "mpi", feature = "nccl"))]
    pub(crate) fn of_code(code: u64) -> Option<Kind> {
        Kind::ALL.get(usize::try_from(code).ok()?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_wins_and_sums_wrap() {
        assert_eq!(f32::reduce(Reduce::Max, 1.0, 2.0), 2.0);
        assert_eq!(f32::reduce(Reduce::Min, 1.0, 2.0), 1.0);
        for op in [Reduce::Max, Reduce::Min, Reduce::Sum] {
            assert!(f32::reduce(op, f32::NAN, 2.0).is_nan());
            assert!(f32::reduce(op, 2.0, f32::NAN).is_nan());
        }
        assert_eq!(i64::reduce(Reduce::Sum, i64::MAX, 1), i64::MIN);
        assert_eq!(
            bf16::reduce(Reduce::Sum, bf16::ONE, bf16::ONE).to_f32(),
            2.0
        );
    }

    #[test]
    fn other_types_are_named() {
        let error = Numbers::F32(vec![1.0]).of::<f64>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "1 numbers of f32 came, expected 1 of f64"
        );
    }
}
