//! The operations of one and two elements as [formulas](crate::device::symbolic), for other machines and for files.

use super::fused::rules as table;
use crate::ad::rules::formulas::of_elements as formulas;
use crate::device::symbolic::{Formula, Sym};
use crate::device::{BinaryOp, Real, Side, UnaryOp};

impl UnaryOp {
    /// The function, `op(x)`.
    pub fn formula(self) -> Formula {
        Formula::record("unary", |[x]: [Sym; 1]| {
            vec![self.value(x, self.numbers().map(<Sym as Real>::lit))]
        })
    }

    /// The cotangent of the operand, from what [`saves`](UnaryOp::saves) names and the cotangent of the value.
    pub fn pullback_formula(self) -> Formula {
        Formula::record("unary_pullback", |[s, c]: [Sym; 2]| {
            vec![self.pull(s, c, self.numbers().map(<Sym as Real>::lit))]
        })
    }

    /// [`formula`](Self::formula) for all operations of this kind: after its operand it takes the
    /// [`constants`](Self::constants).
    pub fn formula_of_kind(self) -> Formula {
        Formula::record("unary", |[x, a, b]: [Sym; 3]| vec![self.value(x, [a, b])])
    }

    /// [`pullback_formula`](Self::pullback_formula) for all operations of this kind, with the
    /// [`constants`](Self::constants) last.
    pub fn pullback_formula_of_kind(self) -> Formula {
        Formula::record("unary_pullback", |[s, c, a, b]: [Sym; 4]| {
            vec![self.pull(s, c, [a, b])]
        })
    }

    /// Its [`numbers`](Self::numbers), where the formula of its kind takes them. The exponent of `powi` is a part of the
    /// formula: each has a kind.
    pub fn constants(self) -> Option<[f64; 2]> {
        use UnaryOp::*;
        match self {
            Elu(_) | Celu(_) | CeluByAlpha(_) | LeakyRelu(_) | Powf(_) | Affine(..) | Clamp(..) => {
                Some(self.numbers())
            }
            _ => None,
        }
    }

    fn value(self, x: Sym, [a, b]: [Sym; 2]) -> Sym {
        use UnaryOp::*;
        macro_rules! chosen {
        ({} [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]) => {
            match self {
                $($Op => table::$name::value(x),)*
                Sin => x.sin(),
                Cos => x.cos(),
                Tan => x.tan(),
                Neg => -x,
                Elu(_) => table::elu::value_of(x, a),
                Celu(_) => if x > Sym::ZERO { x } else { a * (x / a).exp_m1() },
                CeluByAlpha(_) => {
                    let z = x / a;
                    if x > Sym::ZERO { Sym::ZERO } else { z.exp_m1() - z * z.exp() }
                }
                LeakyRelu(_) => table::leaky_relu::value_of(x, a),
                Powi(n) => table::powi::value(x, n),
                Powf(_) => table::powf::value_of(x, a),
                Affine(..) => a * x + b,
                Clamp(..) => table::clamp::value_of(x, a, b),
            }
        };
    }
        autodiff_vocabulary::functions!(short chosen, {} [numbers shifts activations elements apart flat flat_elements])
    }

    fn pull(self, s: Sym, c: Sym, [a, b]: [Sym; 2]) -> Sym {
        use UnaryOp::*;
        macro_rules! chosen {
        ({}
            [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]
            [$($(#[$doc0:meta])* $name0:ident $Op0:tt $Rule0:tt $reads0:ident $costs0:tt $domain0:tt;)*]
        ) => {
            match self {
                $($Op => table::$name::pull(s, s, c),)*
                Sin => c * s.cos(),
                Cos => -c * s.sin(),
                Tan => table::tan::pull::<Sym, false>(s, s, c),
                Neg => -c,
                Fract => c,
                Affine(..) => a * c,
                Elu(_) => table::elu::pull_of(s, c, a),
                Celu(_) => if s > Sym::ZERO { c } else { c * (s / a).exp() },
                LeakyRelu(_) => table::leaky_relu::pull_of(s, c, a),
                Powi(n) => table::powi::pull(s, s, c, n),
                Powf(_) => table::powf::pull_of(s, c, a),
                Clamp(..) => table::clamp::pull_of(s, c, a, b),
                // They are flat; of a derivative there is no pullback to record.
                CeluByAlpha(_) $(| $Op0)* => Sym::ZERO,
            }
        };
    }
        autodiff_vocabulary::functions!(short chosen, {} [numbers activations elements apart] [flat flat_elements])
    }
}

/// What belongs to the left of two numbers, by whether it comes first: half on a tie, and a NaN loses. Of two, the left gets
/// all, as its value is taken.
fn left_share(first: bool, a: Sym, b: Sym, ct: Sym) -> Sym {
    if first || b.is_nan() {
        ct
    } else if a == b {
        ct * <Sym as Real>::lit(0.5)
    } else {
        Sym::ZERO
    }
}

/// What belongs to the right.
fn right_share(first: bool, a: Sym, b: Sym, ct: Sym) -> Sym {
    if first || a.is_nan() && !b.is_nan() {
        ct
    } else if a == b {
        ct * <Sym as Real>::lit(0.5)
    } else {
        Sym::ZERO
    }
}

impl BinaryOp {
    /// The function, `op(a, b)`.
    pub fn formula(self) -> Formula {
        use BinaryOp::*;
        let of = |f: &dyn Fn(Sym, Sym) -> Sym| {
            Formula::record("binary", |[a, b]: [Sym; 2]| vec![f(a, b)])
        };
        match self {
            Add => of(&|a, b| a + b),
            Sub => of(&|a, b| a - b),
            Mul => of(&|a, b| a * b),
            Div => of(&|a, b| a / b),
            Powf => of(&|a, b| a.powf(b)),
            Atan2 => of(&|a, b| a.atan2(b)),
            Hypot => of(&|a, b| a.hypot(b)),
            Rem => of(&|a, b| a.remainder(b)),
            Max => of(&|a, b| a.maximum(b)),
            Min => of(&|a, b| a.minimum(b)),
        }
    }

    /// The cotangent of the operand on one side, from both operands and the cotangent of the value.
    pub fn pullback_formula(self, side: Side) -> Formula {
        use {BinaryOp::*, Side::*};
        let of = |f: &dyn Fn(Sym, Sym, Sym) -> Sym| {
            Formula::record("binary_pullback", |[a, b, c]: [Sym; 3]| vec![f(a, b, c)])
        };
        match (self, side) {
            (Add, _) | (Sub | Rem, Left) => of(&|_, _, c| c),
            (Sub, Right) => of(&|_, _, c| -c),
            (Mul, Left) => of(&|_, b, c| c * b),
            (Mul, Right) => of(&|a, _, c| c * a),
            (Div, Left) => of(&|_, b, c| c / b),
            (Div, Right) => of(&|a, b, c| formulas::div_right(c, b, a / b)),
            (Powf, Left) => of(&|a, b, c| formulas::powf_base(c, a, b)),
            (Powf, Right) => of(&|a, b, c| formulas::powf_exponent(c, a, b, a.powf(b))),
            (Atan2, Left) => of(&|a, b, c| formulas::atan2_left(c, a, b)),
            (Atan2, Right) => of(&|a, b, c| formulas::atan2_right(c, a, b)),
            (Hypot, Left) => of(&|a, b, c| formulas::hypot(c, a, b)),
            (Hypot, Right) => of(&|a, b, c| formulas::hypot(c, b, a)),
            (Rem, Right) => of(&|a, b, c| formulas::rem_right(c, a, b, a.remainder(b))),
            (Max, Left) => of(&|a, b, c| left_share(a > b, a, b, c)),
            (Max, Right) => of(&|a, b, c| right_share(b > a, a, b, c)),
            (Min, Left) => of(&|a, b, c| left_share(a < b, a, b, c)),
            (Min, Right) => of(&|a, b, c| right_share(b < a, a, b, c)),
        }
    }
}
