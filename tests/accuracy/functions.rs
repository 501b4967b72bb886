//! The functions of the table: their exact values, where they are swept, and what is promised.

use super::double::{Double, LN_2, PI};
use differentiable::device::UnaryOp;

/// What an error is measured in.
#[derive(Clone, Copy, PartialEq)]
pub enum Unit {
    /// Units in the last place of the value.
    Value,
    /// Units in the last place of the operand: the function subtracts.
    Operand,
}

/// A function for one type of element.
pub struct Row {
    pub name: &'static str,
    pub f32: bool,
    pub op: UnaryOp,
    pub exact: Box<dyn Fn(Double) -> Double + Sync>,
    pub ranges: Vec<(f64, f64)>,
    /// Where the kernel changes its method.
    pub switches: Vec<f64>,
    /// The error is promised to be at most this.
    pub bound: f64,
    pub unit: Unit,
    /// The standard library computes it, so the error is not ours and not always the same.
    pub std: bool,
    /// Values at −0, 0, −∞ and ∞.
    pub special: [f64; 4],
}

type Exact = fn(Double) -> Double;
pub type Ranges<'a> = &'a [(f64, f64)];

const INF: f64 = f64::INFINITY;
pub const NAN: f64 = f64::NAN;
const TINY: (f64, f64) = (1e-37, 1e-300);

pub fn number(x: f64) -> Double {
    x.into()
}

fn gelu(x: Double) -> Double {
    x * (-x / number(2.0).sqrt()).erfc() / number(2.0)
}

fn gelu_tanh(x: Double) -> Double {
    let cubic = number(44_715.0) / number(1e6) * x * x * x;
    x * ((number(8.0) / PI).sqrt() * (x + cubic)).sigmoid()
}

fn elu(x: Double, a: f64) -> Double {
    if x.0 > 0.0 { x } else { number(a) * x.exp_m1() }
}

fn selu(x: Double) -> Double {
    number(1.050_700_987_355_480_5) * elu(x, 1.673_263_242_354_377_2)
}

/// All rows, the functions in order, each for `f32` and `f64`.
pub fn rows() -> Vec<Row> {
    use UnaryOp::*;
    let mut rows = Vec::new();
    let mut both = |name,
                    op,
                    exact: Exact,
                    ranges: [Ranges; 2],
                    switches: &[f64],
                    bounds: [f64; 2],
                    special| {
        for (k, f32) in [true, false].into_iter().enumerate() {
            rows.push(Row {
                name,
                f32,
                op,
                exact: Box::new(exact),
                ranges: ranges[k].to_vec(),
                switches: switches.to_vec(),
                bound: bounds[k],
                unit: Unit::Value,
                std: false,
                special,
            });
        }
    };
    let same = |r: Ranges<'static>| [r, r];
    // Where the value is a normal number.
    let exp = [&[(-87.3, 88.7)][..], &[(-708.3, 709.7)]];
    let turns: Ranges = &[(-4.0, 4.0), (-1e6, 1e6)];
    let far: Ranges = &[(-4.0, 4.0), (-1e6, 1e6), (-3.4e38, 3.4e38)];
    let unit: Ranges = &[(-1.0, 1.0), (-1e-3, 1e-3)];
    let large = (1u64 << 28) as f64;
    let quarter = core::f64::consts::FRAC_PI_4;
    let quarters: Vec<f64> = (1..400)
        .map(|n| n as f64 * quarter)
        .chain([1e6, 999_999.0])
        .collect();

    both(
        "exp",
        Exp,
        Double::exp,
        exp,
        &[0.0],
        [2.0, 2.0],
        [1.0, 1.0, 0.0, INF],
    );
    both(
        "exp_m1",
        ExpM1,
        Double::exp_m1,
        [
            &[(-88.0, 88.7), (-1e-3, 1e-3)],
            &[(-709.0, 709.7), (-1e-3, 1e-3)],
        ],
        &[-0.5, 0.5, -17.0, -37.0],
        [4.0, 4.0],
        [-0.0, 0.0, -1.0, INF],
    );
    both(
        "ln",
        Ln,
        Double::ln,
        [&[(0.0, 4.0), (0.0, 3.4e38)], &[(0.0, 4.0), (0.0, 1.7e308)]],
        &[
            f64::from(f32::MIN_POSITIVE),
            f64::MIN_POSITIVE,
            2.0 / 3.0,
            0.75,
            1.0,
            4.0 / 3.0,
            1.5,
        ],
        [2.0, 3.0],
        [-INF, -INF, NAN, INF],
    );
    both(
        "ln_1p",
        Ln1p,
        Double::ln_1p,
        [
            &[(-1.0, 4.0), (-1e-3, 1e-3), (0.0, 3.4e38)],
            &[(-1.0, 4.0), (-1e-3, 1e-3), (0.0, 1.7e308)],
        ],
        &[-1.0 / 3.0, -0.25, 1.0 / 3.0, 0.5],
        [4.0, 4.0],
        [-0.0, 0.0, NAN, INF],
    );
    both(
        "sin",
        Sin,
        Double::sin,
        [far, turns],
        &quarters,
        [1.5, 2.0],
        [-0.0, 0.0, NAN, NAN],
    );
    both(
        "cos",
        Cos,
        Double::cos,
        [far, turns],
        &quarters,
        [1.5, 2.0],
        [1.0, 1.0, NAN, NAN],
    );
    both(
        "tan",
        Tan,
        Double::tan,
        [far, turns],
        &quarters,
        [3.0, 3.5],
        [-0.0, 0.0, NAN, NAN],
    );
    both(
        "tanh",
        Tanh,
        Double::tanh,
        [&[(-12.0, 12.0), (-1.0, 1.0)], &[(-24.0, 24.0), (-1.0, 1.0)]],
        &[0.625],
        [2.0, 2.0],
        [-0.0, 0.0, -1.0, 1.0],
    );
    both(
        "sigmoid",
        Sigmoid,
        Double::sigmoid,
        [&[(-87.3, 30.0)], &[(-708.3, 50.0)]],
        &[0.0],
        [3.0, 3.0],
        [0.5, 0.5, 0.0, 1.0],
    );
    both(
        "softplus",
        Softplus,
        Double::softplus,
        [&[(-87.3, 100.0)], &[(-708.3, 800.0)]],
        &[0.0],
        [4.0, 4.0],
        [LN_2.0, LN_2.0, 0.0, INF],
    );
    both(
        "log_sigmoid",
        LogSigmoid,
        |x| -(-x).softplus(),
        [&[(-100.0, 87.3)], &[(-800.0, 708.3)]],
        &[0.0],
        [4.0, 4.0],
        [-LN_2.0, -LN_2.0, -INF, -0.0],
    );
    both(
        "erf",
        Erf,
        Double::erf,
        [&[(-5.0, 5.0), (-1e-3, 1e-3)], &[(-6.5, 6.5), (-1e-3, 1e-3)]],
        &[0.921_875, 1.0, 4.0, 6.0],
        [2.0, 2.0],
        [-0.0, 0.0, -1.0, 1.0],
    );
    both(
        "erfc",
        Erfc,
        Double::erfc,
        [&[(-5.0, 9.1)], &[(-6.5, 26.5)]],
        &[0.0, 3.0, 4.0],
        [1.0, 6.0],
        [1.0, 1.0, 2.0, 0.0],
    );
    both(
        "silu",
        Silu,
        |x| x * x.sigmoid(),
        [&[(-87.3, 100.0)], &[(-708.3, 800.0)]],
        &[0.0],
        [4.0, 4.0],
        [-0.0, 0.0, NAN, INF],
    );
    both(
        "mish",
        Mish,
        |x| x * x.softplus().tanh(),
        [&[(-87.3, 100.0)], &[(-708.3, 800.0)]],
        &[0.0],
        [6.0, 6.0],
        [-0.0, 0.0, NAN, INF],
    );
    both(
        "gelu",
        Gelu,
        gelu,
        same(&[(-12.0, 12.0), (-1.0, 1.0)]),
        &[0.0],
        [3.0, 2.0],
        [-0.0, 0.0, NAN, INF],
    );
    both(
        "gelu_tanh",
        GeluTanh,
        gelu_tanh,
        same(&[(-12.0, 12.0), (-1.0, 1.0)]),
        &[0.0],
        [2.0, 2.0],
        [-0.0, 0.0, NAN, INF],
    );
    both(
        "elu(1)",
        Elu(1.0),
        |x| elu(x, 1.0),
        same(&[(-80.0, 10.0)]),
        &[0.0],
        [4.0, 4.0],
        [-0.0, 0.0, -1.0, INF],
    );
    both(
        "selu",
        Selu,
        selu,
        same(&[(-80.0, 10.0)]),
        &[0.0],
        [6.0, 6.0],
        [-0.0, 0.0, -1.758_099_340_847_376_6, INF],
    );
    both(
        "softsign",
        Softsign,
        |x| x / (number(1.0) + x.abs()),
        same(&[(-1e3, 1e3), (-1.0, 1.0)]),
        &[],
        [1.5, 1.5],
        [-0.0, 0.0, NAN, NAN],
    );
    both(
        "sqrt",
        Sqrt,
        Double::sqrt,
        same(&[(0.0, 4.0), (0.0, 1e37)]),
        &[],
        [0.5, 0.5],
        [-0.0, 0.0, NAN, INF],
    );
    both(
        "rsqrt",
        Rsqrt,
        |x| x.sqrt().recip(),
        same(&[(TINY.0, 4.0), (0.1, 1e37)]),
        &[],
        [1.5, 1.5],
        [-INF, INF, NAN, 0.0],
    );
    both(
        "recip",
        Recip,
        Double::recip,
        same(&[(TINY.0, 4.0), (-1e37, 1e37)]),
        &[],
        [0.5, 0.5],
        [-INF, INF, -0.0, 0.0],
    );
    both(
        "powf(2.5)",
        Powf(2.5),
        |x| (x.ln() * number(2.5)).exp(),
        same(&[(1e-15, 1e15), (0.0, 4.0)]),
        &[1.0],
        [0.51, 2.0],
        [0.0, 0.0, INF, INF],
    );
    both(
        "powf(-0.3125)",
        Powf(-0.3125),
        |x| (x.ln() * number(-0.3125)).exp(),
        same(&[(TINY.0, 1e37), (TINY.0, 4.0)]),
        &[1.0],
        [0.51, 2.0],
        [INF, INF, 0.0, 0.0],
    );

    both(
        "asinh",
        Asinh,
        Double::asinh,
        same(&[(-10.0, 10.0), (-1e-3, 1e-3), (-1e37, 1e37)]),
        &[large],
        [5.0, 5.0],
        [-0.0, 0.0, -INF, INF],
    );
    both(
        "acosh",
        Acosh,
        Double::acosh,
        same(&[(1.0, 1.001), (1.0, 10.0), (1.0, 1e37)]),
        &[large, 1.0],
        [5.0, 5.0],
        [NAN, NAN, NAN, INF],
    );
    both(
        "atanh",
        Atanh,
        Double::atanh,
        same(unit),
        &[0.5, 1.0 / 3.0],
        [5.0, 5.0],
        [-0.0, 0.0, NAN, NAN],
    );

    // From here on the standard library computes.
    let mut both = |name, op, exact: Exact, ranges: [Ranges; 2], bounds: [f64; 2], special| {
        for (k, f32) in [true, false].into_iter().enumerate() {
            rows.push(Row {
                name,
                f32,
                op,
                exact: Box::new(exact),
                ranges: ranges[k].to_vec(),
                switches: Vec::new(),
                bound: bounds[k],
                unit: Unit::Value,
                std: true,
                special,
            });
        }
    };
    let hyperbolic = [
        &[(-88.0, 88.0), (-1.0, 1.0)][..],
        &[(-700.0, 700.0), (-1.0, 1.0)],
    ];
    both(
        "exp2",
        Exp2,
        |x| (x * LN_2).exp(),
        [&[(-125.9, 127.9)], &[(-1021.9, 1023.9)]],
        [4.0, 4.0],
        [1.0, 1.0, 0.0, INF],
    );
    both(
        "log2",
        Log2,
        |x| x.ln() / LN_2,
        same(&[(TINY.0, 4.0), (1.0, 1e37)]),
        [4.0, 4.0],
        [-INF, -INF, NAN, INF],
    );
    both(
        "log10",
        Log10,
        |x| x.ln() / number(10.0).ln(),
        same(&[(TINY.0, 4.0), (1.0, 1e37)]),
        [4.0, 4.0],
        [-INF, -INF, NAN, INF],
    );
    both(
        "cbrt",
        Cbrt,
        Double::cbrt,
        same(&[(-4.0, 4.0), (-1e37, 1e37)]),
        [4.0, 4.0],
        [-0.0, 0.0, -INF, INF],
    );
    both(
        "sinh",
        Sinh,
        Double::sinh,
        hyperbolic,
        [4.0, 4.0],
        [-0.0, 0.0, -INF, INF],
    );
    both(
        "cosh",
        Cosh,
        Double::cosh,
        hyperbolic,
        [4.0, 4.0],
        [1.0, 1.0, INF, INF],
    );
    both(
        "asin",
        Asin,
        Double::asin,
        same(unit),
        [4.0, 4.0],
        [-0.0, 0.0, NAN, NAN],
    );
    both(
        "acos",
        Acos,
        Double::acos,
        same(unit),
        [4.0, 4.0],
        [PI.0 / 2.0, PI.0 / 2.0, NAN, NAN],
    );
    both(
        "atan",
        Atan,
        Double::atan,
        same(&[(-10.0, 10.0), (-1e6, 1e6)]),
        [4.0, 4.0],
        [-0.0, 0.0, -PI.0 / 2.0, PI.0 / 2.0],
    );
    for r in &mut rows {
        if matches!(r.op, Gelu | GeluTanh) {
            r.unit = Unit::Operand;
        }
        // The standard library has the power of doubles.
        if matches!(r.op, Powf(_)) && !r.f32 {
            r.std = true;
        }
    }
    rows
}
