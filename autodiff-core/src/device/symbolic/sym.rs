//! The number that records.

use super::formula::{Operation, Order, Value};
use super::record;
use crate::device::Real;
use crate::device::float::Normal;
use crate::device::float::Trig;
use core::cmp::Ordering;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A number of a formula that is being recorded.
///
/// Outside of [`Formula::record`](super::Formula::record) its operations and comparisons panic.
#[derive(Clone, Copy, Debug)]
pub struct Sym(pub(super) Value);

macro_rules! operators {
    ($($Op:ident $op:ident),*) => { $(
        impl $Op for Sym {
            type Output = Sym;
            fn $op(self, other: Sym) -> Sym {
                Sym(record::apply(Operation::$Op, &[self.0, other.0]))
            }
        }
    )* };
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Sym {
    type Output = Sym;
    fn neg(self) -> Sym {
        Sym(record::apply(Operation::Neg, &[self.0]))
    }
}

macro_rules! comparisons {
    ($($f:ident $Order:ident),*) => { $(
        fn $f(&self, other: &Sym) -> bool {
            record::decide(Order::$Order, self.0, other.0)
        }
    )* };
}

// `a != b` is the other way of `a == b`, also for NaN.
impl PartialEq for Sym {
    comparisons!(eq Eq);
}

impl PartialOrd for Sym {
    comparisons!(lt Lt, le Le, gt Gt, ge Ge);
    fn partial_cmp(&self, other: &Sym) -> Option<Ordering> {
        if self < other {
            Some(Ordering::Less)
        } else if self > other {
            Some(Ordering::Greater)
        } else if self == other {
            Some(Ordering::Equal)
        } else {
            None
        }
    }
}

impl Normal for Sym {
    fn normal(self) -> (Sym, Sym) {
        let of = |operation| Sym(record::apply(operation, &[self.0]));
        (of(Operation::NormalCdf), of(Operation::NormalDensity))
    }
}

/// Other machines have one sine for all arguments.
impl Trig for Sym {
    const NEAR: Sym = Sym(Value::INFINITY);
    fn near_sin(self) -> Sym {
        self.sin()
    }
    fn near_cos(self) -> Sym {
        self.cos()
    }
    fn near_tan(self) -> Sym {
        self.tan()
    }
}

macro_rules! methods {
    ($($f:ident($($arg:ident)?);)*) => {
        impl Real for Sym {
            const ZERO: Sym = Sym(Value::ZERO);
            const ONE: Sym = Sym(Value::ONE);
            const NAN: Sym = Sym(Value::NAN);
            const INFINITY: Sym = Sym(Value::INFINITY);
            fn lit(x: f64) -> Sym {
                Sym(record::number(x, x))
            }
            fn by_width(narrow: f64, wide: f64) -> Sym {
                Sym(record::number(narrow, wide))
            }
            fn stays_zero(self) -> bool {
                record::decide(Order::Still, self.0, Value::ZERO)
            }
            fn is_nan(self) -> bool {
                record::decide(Order::Ne, self.0, self.0)
            }
            fn powi(self, n: i32) -> Sym {
                Sym(record::apply(Operation::Powi(n), &[self.0]))
            }
            fn formula<const N: usize>(
                name: &'static str,
                parameters: &[f64],
                x: [Sym; N],
                formula: impl Fn([Sym; N]) -> Sym,
            ) -> Sym {
                let of = |x: &[Sym]| formula(x.try_into().expect("as many inputs"));
                Sym(record::call(name, parameters, &x.map(|x| x.0), &of))
            }
            $(
                fn $f(self $(, $arg: Sym)?) -> Sym {
                    Sym(record::apply(Operation::Method(stringify!($f)), &[self.0 $(, $arg.0)?]))
                }
            )*
        }
    };
}

crate::device::float::real_methods!(methods);
