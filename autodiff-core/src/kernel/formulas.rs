//! The operations of one and two elements as [formulas](crate::device::symbolic), for other machines and for files.

use super::fused::rules as table;
use crate::device::symbolic::{Formula, Sym};
use crate::device::{BinaryOp, Real, Side, UnaryOp};

impl UnaryOp {
    /// The function, `op(x)`.
    pub fn formula(self) -> Formula {
        use UnaryOp::*;
        let op = self;
        let one = |f: &dyn Fn(Sym) -> Sym| Formula::record("unary", |[x]: [Sym; 1]| vec![f(x)]);
        macro_rules! chosen {
        ({} [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]) => {
            match op {
                $($Op => one(&|x| table::$name::value(x)),)*
                Sin => one(&|x| x.sin()),
                Cos => one(&|x| x.cos()),
                Tan => one(&|x| x.tan()),
                Neg => one(&|x| -x),
                Elu(a) => one(&|x| table::elu::value(x, a)),
                Celu(a) => one(&|x| {
                    let a = <Sym as Real>::lit(a);
                    if x > Sym::ZERO { x } else { a * (x / a).exp_m1() }
                }),
                CeluByAlpha(a) => one(&|x| {
                    let z = x / <Sym as Real>::lit(a);
                    if x > Sym::ZERO { Sym::ZERO } else { z.exp_m1() - z * z.exp() }
                }),
                LeakyRelu(s) => one(&|x| table::leaky_relu::value(x, s)),
                Powi(n) => one(&|x| table::powi::value(x, n)),
                Powf(p) => one(&|x| table::powf::value(x, p)),
                Affine(a, b) => one(&|x| <Sym as Real>::lit(a) * x + <Sym as Real>::lit(b)),
                Clamp(low, high) => one(&|x| table::clamp::value(x, low, high)),
            }
        };
    }
        autodiff_vocabulary::functions!(short chosen, {} [numbers shifts activations elements apart flat flat_elements])
    }

    /// The cotangent of the operand, from what [`saves`](UnaryOp::saves) names and the cotangent of the value.
    pub fn pullback_formula(self) -> Formula {
        use UnaryOp::*;
        let op = self;
        let two = |f: &dyn Fn(Sym, Sym) -> Sym| {
            Formula::record("unary_pullback", |[s, c]: [Sym; 2]| vec![f(s, c)])
        };
        let lit = <Sym as Real>::lit;
        macro_rules! chosen {
        ({}
            [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]
            [$($(#[$doc0:meta])* $name0:ident $Op0:tt $Rule0:tt $reads0:ident $costs0:tt $domain0:tt;)*]
        ) => {
            match op {
                $($Op => two(&|s, c| table::$name::pull(s, s, c)),)*
                Sin => two(&|x, c| c * x.cos()),
                Cos => two(&|x, c| -c * x.sin()),
                Tan => two(&|y, c| table::tan::pull::<Sym, false>(y, y, c)),
                Neg => two(&|_, c| -c),
                Fract => two(&|_, c| c),
                Affine(a, _) => two(&|_, c| lit(a) * c),
                Elu(a) => two(&|x, c| table::elu::pull(x, x, c, a)),
                Celu(a) => two(&|x, c| if x > Sym::ZERO { c } else { c * (x / lit(a)).exp() }),
                LeakyRelu(s) => two(&|x, c| table::leaky_relu::pull(x, x, c, s)),
                Powi(n) => two(&|x, c| table::powi::pull(x, x, c, n)),
                Powf(p) => two(&|x, c| table::powf::pull(x, x, c, p)),
                Clamp(low, high) => two(&|x, c| table::clamp::pull(x, x, c, low, high)),
                // They are flat; of a derivative there is no pullback to record.
                CeluByAlpha(_) $(| $Op0)* => two(&|_, _| Sym::ZERO),
            }
        };
    }
        autodiff_vocabulary::functions!(short chosen, {} [numbers activations elements apart] [flat flat_elements])
    }
}

/// What belongs to the first of two numbers, by an order: half on a tie.
fn share(first: bool, tie: bool, ct: Sym) -> Sym {
    if first {
        ct
    } else if tie {
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
        let zero = Sym::ZERO;
        match (self, side) {
            (Add, _) | (Sub | Rem, Left) => of(&|_, _, c| c),
            (Sub, Right) => of(&|_, _, c| -c),
            (Mul, Left) => of(&|_, b, c| c * b),
            (Mul, Right) => of(&|a, _, c| c * a),
            (Div, Left) => of(&|_, b, c| c / b),
            (Div, Right) => of(&|a, b, c| -(c / b) * (a / b)),
            (Powf, Left) => of(&|a, b, c| {
                if b == zero {
                    zero
                } else {
                    c * b * a.powf(b - Sym::ONE)
                }
            }),
            (Powf, Right) => of(&|a, b, c| {
                if a == zero && b >= zero {
                    zero
                } else {
                    c * a.powf(b) * a.ln()
                }
            }),
            (Atan2, Left) => of(&|a, b, c| c * b / (a * a + b * b)),
            (Atan2, Right) => of(&|a, b, c| -(c * a) / (a * a + b * b)),
            (Hypot, Left) => of(&|a, b, c| {
                let h = a.hypot(b);
                if h == zero { zero } else { c * (a / h) }
            }),
            (Hypot, Right) => of(&|a, b, c| {
                let h = a.hypot(b);
                if h == zero { zero } else { c * (b / h) }
            }),
            (Rem, Right) => of(&|a, b, c| -c * (a / b).trunc()),
            (Max, Left) => of(&|a, b, c| share(a > b, a == b, c)),
            (Max, Right) => of(&|a, b, c| share(b > a, a == b, c)),
            (Min, Left) => of(&|a, b, c| share(a < b, a == b, c)),
            (Min, Right) => of(&|a, b, c| share(b < a, a == b, c)),
        }
    }
}
