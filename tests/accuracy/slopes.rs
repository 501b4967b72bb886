//! The derivatives of the table: their exact values, where they are swept, and what is promised of tensors and scalars.

use super::double::{Double, LN_2};
use super::functions::{NAN, Ranges, number};
use differentiable::__rt as ad;
use differentiable::device::UnaryOp;

/// What an error of a derivative is measured in.
#[derive(Clone, Copy, PartialEq)]
pub enum SlopeUnit {
    /// Units in the last place of the derivative.
    Value,
    /// Those of the derivative, or of 1 where it is smaller: it subtracts from 1.
    One,
}

/// The derivative of a function.
pub struct Slope {
    pub name: &'static str,
    pub op: UnaryOp,
    pub exact: fn(Double) -> Double,
    /// For `f32` and `f64`.
    pub ranges: [Vec<(f64, f64)>; 2],
    pub bound: f64,
    pub unit: SlopeUnit,
    /// Of scalars, where they have the function.
    pub f32: Option<fn(f32) -> f32>,
    pub f64: Option<fn(f64) -> f64>,
    /// The standard library has a part in the derivative of a tensor, and of a scalar.
    pub std: [bool; 2],
    /// Derivatives at −0, 0, −∞ and ∞.
    pub special: [f64; 4],
}

const INF: f64 = f64::INFINITY;

/// The rule of scalars, as generated code calls it.
macro_rules! rule {
    ($name:ident) => {
        (
            Some((|x: f32| ad::$name::push(&x, &x.$name(), &1.0)) as fn(f32) -> f32),
            Some((|x: f64| ad::$name::push(&x, &x.$name(), &1.0)) as fn(f64) -> f64),
        )
    };
}

/// All rows, the functions in order.
#[allow(clippy::too_many_lines)] // a table
pub fn slopes() -> Vec<Slope> {
    use SlopeUnit::{One, Value};
    use UnaryOp::*;
    let mut rows = Vec::new();
    let mut row = |name, op, exact, ranges: [Ranges; 2], bound, unit, (f32, f64), std, special| {
        rows.push(Slope {
            name,
            op,
            exact,
            ranges: ranges.map(<[_]>::to_vec),
            bound,
            unit,
            f32,
            f64,
            std,
            special,
        });
    };
    let same = |r: Ranges<'static>| [r, r];
    let exp: [Ranges; 2] = [&[(-87.3, 88.7)], &[(-708.3, 709.7)]];
    let turns = same(&[(-4.0, 4.0), (-1e6, 1e6)]);
    let unit = same(&[(-1.0, 1.0), (0.999, 1.0), (-1.0, -0.999), (-1e-3, 1e-3)]);
    let positive = same(&[(1e-37, 4.0), (1e-37, 1e37)]);
    let none = (None, None);
    let (ours, by_std, all_std) = ([false, false], [false, true], [true, true]);

    row(
        "exp",
        Exp,
        Double::exp,
        exp,
        2.0,
        Value,
        rule!(exp),
        by_std,
        [1.0, 1.0, 0.0, INF],
    );
    row(
        "exp2",
        Exp2,
        |x| (x * LN_2).exp() * LN_2,
        [&[(-125.0, 127.9)], &[(-1021.0, 1023.9)]],
        6.0,
        Value,
        rule!(exp2),
        all_std,
        [LN_2.0, LN_2.0, 0.0, INF],
    );
    row(
        "exp_m1",
        ExpM1,
        Double::exp,
        exp,
        4.0,
        One,
        rule!(exp_m1),
        by_std,
        [1.0, 1.0, 0.0, INF],
    );
    row(
        "sqrt",
        Sqrt,
        |x| number(0.5) / x.sqrt(),
        positive,
        2.0,
        Value,
        rule!(sqrt),
        ours,
        [-INF, INF, NAN, 0.0],
    );
    row(
        "cbrt",
        Cbrt,
        |x| {
            let y = x.cbrt();
            (number(3.0) * y * y).recip()
        },
        same(&[(1e-30, 4.0), (-1e37, -1e-30)]),
        5.0,
        Value,
        rule!(cbrt),
        all_std,
        [INF, INF, 0.0, 0.0],
    );
    row(
        "recip",
        Recip,
        |x| -(x * x).recip(),
        same(&[(-4.0, -1e-10), (1e-10, 1e15)]),
        3.0,
        Value,
        rule!(recip),
        ours,
        [-INF, -INF, -0.0, -0.0],
    );
    row(
        "rsqrt",
        Rsqrt,
        |x| number(-0.5) / (x * x.sqrt()),
        same(&[(1e-20, 4.0), (0.1, 1e20)]),
        7.0,
        Value,
        none,
        ours,
        [INF, -INF, NAN, -0.0],
    );
    row(
        "ln",
        Ln,
        Double::recip,
        same(&[(-1e37, -1e-37), (1e-37, 4.0), (1e-37, 1e37)]),
        0.5,
        Value,
        rule!(ln),
        ours,
        [-INF, INF, -0.0, 0.0],
    );
    row(
        "log2",
        Log2,
        |x| (x * LN_2).recip(),
        positive,
        2.5,
        Value,
        rule!(log2),
        ours,
        [-INF, INF, -0.0, 0.0],
    );
    row(
        "log10",
        Log10,
        |x| (x * number(10.0).ln()).recip(),
        positive,
        2.5,
        Value,
        rule!(log10),
        ours,
        [-INF, INF, -0.0, 0.0],
    );
    row(
        "ln_1p",
        Ln1p,
        |x| (number(1.0) + x).recip(),
        same(&[(-1.0, 4.0), (-1e-3, 1e-3), (0.0, 1e37)]),
        1.5,
        Value,
        rule!(ln_1p),
        ours,
        [1.0, 1.0, -0.0, 0.0],
    );
    row(
        "sin",
        Sin,
        Double::cos,
        turns,
        2.0,
        Value,
        rule!(sin),
        by_std,
        [1.0, 1.0, NAN, NAN],
    );
    row(
        "cos",
        Cos,
        |x| -x.sin(),
        turns,
        2.0,
        Value,
        rule!(cos),
        by_std,
        [0.0, -0.0, NAN, NAN],
    );
    row(
        "tan",
        Tan,
        |x| {
            let y = x.tan();
            number(1.0) + y * y
        },
        turns,
        8.0,
        Value,
        rule!(tan),
        by_std,
        [1.0, 1.0, NAN, NAN],
    );
    row(
        "asin",
        Asin,
        |x| ((number(1.0) - x) * (number(1.0) + x)).sqrt().recip(),
        unit,
        2.5,
        Value,
        rule!(asin),
        ours,
        [1.0, 1.0, NAN, NAN],
    );
    row(
        "acos",
        Acos,
        |x| -((number(1.0) - x) * (number(1.0) + x)).sqrt().recip(),
        unit,
        2.5,
        Value,
        rule!(acos),
        ours,
        [-1.0, -1.0, NAN, NAN],
    );
    row(
        "atan",
        Atan,
        |x| (number(1.0) + x * x).recip(),
        same(&[(-10.0, 10.0), (-1e6, 1e6), (1e6, 1e19), (1e19, 1e37)]),
        2.5,
        Value,
        rule!(atan),
        ours,
        [1.0, 1.0, 0.0, 0.0],
    );
    row(
        "sinh",
        Sinh,
        Double::cosh,
        [&[(-88.0, 88.0)], &[(-700.0, 700.0)]],
        4.0,
        Value,
        rule!(sinh),
        all_std,
        [1.0, 1.0, INF, INF],
    );
    row(
        "cosh",
        Cosh,
        Double::sinh,
        [
            &[(-88.0, 88.0), (-1.0, 1.0)],
            &[(-700.0, 700.0), (-1.0, 1.0)],
        ],
        4.0,
        Value,
        rule!(cosh),
        all_std,
        [-0.0, 0.0, -INF, INF],
    );
    row(
        "tanh",
        Tanh,
        |x| {
            let y = x.tanh();
            number(1.0) - y * y
        },
        [&[(-12.0, 12.0), (-1.0, 1.0)], &[(-24.0, 24.0), (-1.0, 1.0)]],
        2.5,
        One,
        rule!(tanh),
        by_std,
        [1.0, 1.0, 0.0, 0.0],
    );
    row(
        "asinh",
        Asinh,
        |x| (x * x + number(1.0)).sqrt().recip(),
        same(&[(-10.0, 10.0), (-1e-3, 1e-3), (-1e37, 1e37)]),
        2.5,
        Value,
        rule!(asinh),
        ours,
        [1.0, 1.0, 0.0, 0.0],
    );
    row(
        "acosh",
        Acosh,
        |x| ((x - number(1.0)) * (x + number(1.0))).sqrt().recip(),
        same(&[(1.0, 1.001), (1.0, 10.0), (1.0, 1e37)]),
        2.5,
        Value,
        rule!(acosh),
        ours,
        [NAN, NAN, NAN, 0.0],
    );
    row(
        "atanh",
        Atanh,
        |x| ((number(1.0) - x) * (number(1.0) + x)).recip(),
        unit,
        2.5,
        Value,
        rule!(atanh),
        ours,
        [1.0, 1.0, -0.0, -0.0],
    );
    row(
        "abs",
        Abs,
        |x| if x.0 < 0.0 { number(-1.0) } else { number(1.0) },
        same(&[(-1e37, 1e37)]),
        0.5,
        Value,
        rule!(abs),
        ours,
        [0.0, 0.0, -1.0, 1.0],
    );
    row(
        "sigmoid",
        Sigmoid,
        |x| x.sigmoid() * (-x).sigmoid(),
        [&[(-80.0, 30.0)], &[(-700.0, 50.0)]],
        3.0,
        One,
        none,
        ours,
        [0.25, 0.25, 0.0, 0.0],
    );
    row(
        "softplus",
        Softplus,
        Double::sigmoid,
        [&[(-87.3, 30.0)], &[(-708.3, 50.0)]],
        3.0,
        Value,
        none,
        ours,
        [0.5, 0.5, 0.0, 1.0],
    );
    row(
        "log_sigmoid",
        LogSigmoid,
        |x| (-x).sigmoid(),
        [&[(-30.0, 87.3)], &[(-50.0, 708.3)]],
        3.0,
        Value,
        none,
        ours,
        [0.5, 0.5, 1.0, 0.0],
    );
    row(
        "silu",
        Silu,
        |x| {
            let s = x.sigmoid();
            s + x * s * (-x).sigmoid()
        },
        [
            &[(-80.0, 80.0), (-1.0, 1.0)],
            &[(-700.0, 700.0), (-1.0, 1.0)],
        ],
        20.0,
        One,
        none,
        ours,
        [0.5, 0.5, 0.0, 1.0],
    );
    row(
        "gelu",
        Gelu,
        |x| {
            let phi = (-x * x * number(0.5)).exp() / (super::double::PI * number(2.0)).sqrt();
            (-x / number(2.0).sqrt()).erfc() / number(2.0) + x * phi
        },
        same(&[(-12.0, 12.0), (-1.0, 1.0)]),
        4.0,
        One,
        none,
        ours,
        [0.5, 0.5, 0.0, 1.0],
    );
    row(
        "erf",
        Erf,
        |x| number(2.0) / super::double::PI.sqrt() * (-x * x).exp(),
        [&[(-9.0, 9.0), (-1.0, 1.0)], &[(-26.0, 26.0), (-1.0, 1.0)]],
        4.0,
        Value,
        none,
        ours,
        [
            core::f64::consts::FRAC_2_SQRT_PI,
            core::f64::consts::FRAC_2_SQRT_PI,
            0.0,
            0.0,
        ],
    );
    row(
        "elu(1)",
        Elu(1.0),
        |x| if x.0 > 0.0 { number(1.0) } else { x.exp() },
        [&[(-80.0, 10.0)], &[(-700.0, 10.0)]],
        2.0,
        Value,
        none,
        ours,
        [1.0, 1.0, 0.0, 1.0],
    );
    row(
        "selu",
        Selu,
        |x| {
            number(1.050_700_987_355_480_5)
                * if x.0 > 0.0 {
                    number(1.0)
                } else {
                    number(1.673_263_242_354_377_2) * x.exp()
                }
        },
        [&[(-80.0, 10.0)], &[(-700.0, 10.0)]],
        4.0,
        Value,
        none,
        ours,
        [
            1.758_099_340_847_376_6,
            1.758_099_340_847_376_6,
            0.0,
            1.050_700_987_355_480_5,
        ],
    );
    row(
        "softsign",
        Softsign,
        |x| {
            let d = number(1.0) + x.abs();
            (d * d).recip()
        },
        same(&[(-1e3, 1e3), (-1.0, 1.0)]),
        3.5,
        Value,
        none,
        ours,
        [1.0, 1.0, 0.0, 0.0],
    );
    row(
        "powi(3)",
        Powi(3),
        |x| number(3.0) * x * x,
        same(&[(-4.0, 4.0), (-1e12, 1e12)]),
        2.5,
        Value,
        (
            Some(|x| ad::powi::push(&x, 3, &0.0, &1.0)),
            Some(|x| ad::powi::push(&x, 3, &0.0, &1.0)),
        ),
        ours,
        [0.0, 0.0, INF, INF],
    );
    row(
        "powi(-2)",
        Powi(-2),
        |x| number(-2.0) / (x * x * x),
        same(&[(1e-10, 4.0), (-1e12, -1.0)]),
        3.0,
        Value,
        (
            Some(|x| ad::powi::push(&x, -2, &0.0, &1.0)),
            Some(|x| ad::powi::push(&x, -2, &0.0, &1.0)),
        ),
        ours,
        [INF, -INF, 0.0, -0.0],
    );
    row(
        "powf(2.5)",
        Powf(2.5),
        |x| (x.ln() * number(1.5)).exp() * number(2.5),
        same(&[(1e-15, 1e15), (1e-3, 4.0)]),
        4.0,
        Value,
        (
            Some(|x| ad::powf::push_l(&x, &2.5, &0.0, &1.0)),
            Some(|x| ad::powf::push_l(&x, &2.5, &0.0, &1.0)),
        ),
        by_std,
        [0.0, 0.0, INF, INF],
    );
    rows
}
