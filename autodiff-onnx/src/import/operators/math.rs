//! Functions of one number, arithmetic, the smallest and the largest.

use super::{Call, Results, array, floats, one};
use crate::import::fault::Fault;
use crate::import::rules::elementwise::{binary, compare, integer, number, scalar, select, unary};
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, Value};
use autodiff_core::device::{BinaryOp, CompareOp, Elem, IntegerOp, UnaryOp};

/// A function of one float.
fn of_one(call: &mut Call<'_>, op: UnaryOp) -> Results {
    floats!(call, call.operand(0)?, x => array(unary(call.tape, op, x)))
}

macro_rules! functions {
    ($($name:ident $Op:ident;)*) => { $(
        pub fn $name(call: &mut Call<'_>) -> Results {
            of_one(call, UnaryOp::$Op)
        }
    )* };
}
functions! {
    acos Acos;
    acosh Acosh;
    asin Asin;
    asinh Asinh;
    atan Atan;
    atanh Atanh;
    ceil Ceil;
    cos Cos;
    cosh Cosh;
    erf Erf;
    exp Exp;
    floor Floor;
    hard_swish Hardswish;
    log Ln;
    mish Mish;
    reciprocal Recip;
    relu_of_floats Relu;
    sigmoid Sigmoid;
    sin Sin;
    sinh Sinh;
    softplus Softplus;
    softsign Softsign;
    sqrt Sqrt;
    tan Tan;
    tanh Tanh;
}

/// Whole numbers by the operation with a number on the right or on the left.
fn with_number(op: IntegerOp, x: &Array<i64>, by: i64) -> Results {
    array(integer(op, x, &number(by, x))?)
}

pub fn relu(call: &mut Call<'_>) -> Results {
    match call.operand(0)? {
        Value::I64(x) => with_number(IntegerOp::Max, &x, 0),
        x => {
            call.inputs[0] = Some(x);
            relu_of_floats(call)
        }
    }
}

pub fn neg(call: &mut Call<'_>) -> Results {
    match call.operand(0)? {
        Value::I64(x) => with_number(IntegerOp::Mul, &x, -1),
        x => floats!(call, x, x => array(unary(call.tape, UnaryOp::Neg, x))),
    }
}

pub fn abs(call: &mut Call<'_>) -> Results {
    match call.operand(0)? {
        Value::I64(x) => {
            let minus = integer(IntegerOp::Mul, &x, &number(-1, &x))?;
            array(integer(IntegerOp::Max, &x, &minus)?)
        }
        x => floats!(call, x, x => array(unary(call.tape, UnaryOp::Abs, x))),
    }
}

pub fn sign(call: &mut Call<'_>) -> Results {
    match call.operand(0)? {
        Value::I64(x) => {
            let low = integer(IntegerOp::Max, &x, &number(-1, &x))?;
            with_number(IntegerOp::Min, &low, 1)
        }
        x => floats!(call, x, x => array(unary(call.tape, UnaryOp::Sign, x))),
    }
}

/// To the nearest whole number, of two the even one: `x` less its half rounded twice tells which side it is on.
pub fn round(call: &mut Call<'_>) -> Results {
    fn even<T: Number>(tape: &Tape, x: Array<T>) -> Result<Array<T>, Fault> {
        // Round half away from zero, and take one back where that was half the way to an odd number.
        let away = unary(tape, UnaryOp::Round, x.clone());
        let moved = binary(tape, BinaryOp::Sub, away.clone(), x.clone())?;
        let half = scalar(tape, BinaryOp::Mul, unary(tape, UnaryOp::Abs, moved), 2.0);
        let odd = scalar(tape, BinaryOp::Rem, away.clone(), 2.0);
        let tie = compare(CompareOp::Eq, &half, &number(T::ONE, &x))?;
        let back = select(tape, &tie, &odd, &number(T::ZERO, &x))?;
        binary(tape, BinaryOp::Sub, away, back)
    }
    floats!(call, call.operand(0)?, x => array(even(call.tape, x)?))
}

/// `x` above 0, `alpha·x` below.
pub fn leaky_relu(call: &mut Call<'_>) -> Results {
    of_one(
        call,
        UnaryOp::LeakyRelu(call.attributes.number("alpha", 0.01)),
    )
}

pub fn elu(call: &mut Call<'_>) -> Results {
    of_one(call, UnaryOp::Elu(call.attributes.number("alpha", 1.0)))
}

pub fn celu(call: &mut Call<'_>) -> Results {
    of_one(call, UnaryOp::Celu(call.attributes.number("alpha", 1.0)))
}

pub fn selu(call: &mut Call<'_>) -> Results {
    let alpha = call.attributes.number("alpha", 1.673_263_2);
    let gamma = call.attributes.number("gamma", 1.050_701);
    floats!(call, call.operand(0)?, x => {
        let x = unary(call.tape, UnaryOp::Elu(alpha), x);
        array(scalar(call.tape, BinaryOp::Mul, x, gamma))
    })
}

/// `alpha·x + beta` between 0 and 1.
pub fn hard_sigmoid(call: &mut Call<'_>) -> Results {
    let alpha = call.attributes.number("alpha", 0.2);
    let beta = call.attributes.number("beta", 0.5);
    floats!(call, call.operand(0)?, x => {
        let x = scalar(call.tape, BinaryOp::Mul, x, alpha);
        let x = scalar(call.tape, BinaryOp::Add, x, beta);
        array(unary(call.tape, UnaryOp::Clamp(0.0, 1.0), x))
    })
}

/// `x` above `alpha`, else 0.
pub fn thresholded_relu(call: &mut Call<'_>) -> Results {
    let alpha = call.attributes.number("alpha", 1.0);
    floats!(call, call.operand(0)?, x => {
        let [alpha, zero] = [alpha, 0.0].map(|y| number(Elem::from_f64(y), &x));
        let above = compare(CompareOp::Gt, &x, &alpha)?;
        array(select(call.tape, &above, &x, &zero)?)
    })
}

pub fn gelu(call: &mut Call<'_>) -> Results {
    match call.attributes.text("approximate", "none") {
        "none" => of_one(call, UnaryOp::Gelu),
        "tanh" => of_one(call, UnaryOp::GeluTanh),
        other => Err(call.attributes.wrong(
            "approximate",
            format!("is `{other}`, expected `none` or `tanh`"),
        )),
    }
}

/// `x·sigmoid(alpha·x)`.
pub fn swish(call: &mut Call<'_>) -> Results {
    let alpha = call.attributes.number("alpha", 1.0);
    floats!(call, call.operand(0)?, x => {
        if alpha == 1.0 {
            return array(unary(call.tape, UnaryOp::Silu, x));
        }
        let scaled = scalar(call.tape, BinaryOp::Mul, x.clone(), alpha);
        let gate = unary(call.tape, UnaryOp::Sigmoid, scaled);
        array(binary(call.tape, BinaryOp::Mul, x, gate)?)
    })
}

/// An operation on two tensors of floats of one type, or of whole numbers.
fn of_two(call: &mut Call<'_>, op: BinaryOp, whole: IntegerOp) -> Results {
    pair(call, op, whole, 0, 1)
}

fn pair(call: &mut Call<'_>, op: BinaryOp, whole: IntegerOp, i: usize, j: usize) -> Results {
    Ok(vec![match call.operand(i)? {
        Value::F32(a) => Value::F32(binary(call.tape, op, a, call.array(j)?)?),
        Value::F64(a) => Value::F64(binary(call.tape, op, a, call.array(j)?)?),
        Value::I64(a) => Value::I64(integer(whole, &a, &call.array(j)?)?),
        other => return Err(call.wrong(i, "a number", &other)),
    }])
}

pub fn add(call: &mut Call<'_>) -> Results {
    of_two(call, BinaryOp::Add, IntegerOp::Add)
}

pub fn sub(call: &mut Call<'_>) -> Results {
    of_two(call, BinaryOp::Sub, IntegerOp::Sub)
}

pub fn mul(call: &mut Call<'_>) -> Results {
    of_two(call, BinaryOp::Mul, IntegerOp::Mul)
}

pub fn div(call: &mut Call<'_>) -> Results {
    of_two(call, BinaryOp::Div, IntegerOp::Div)
}

/// All operands joined, two by two.
fn of_all(call: &mut Call<'_>, op: BinaryOp, whole: IntegerOp) -> Results {
    let first = call.operand(0)?;
    let mut sum = first;
    for i in 1..call.inputs.len() {
        call.inputs[0] = Some(sum);
        sum = pair(call, op, whole, 0, i)?.remove(0);
    }
    one(sum)
}

pub fn sum(call: &mut Call<'_>) -> Results {
    of_all(call, BinaryOp::Add, IntegerOp::Add)
}

pub fn max(call: &mut Call<'_>) -> Results {
    of_all(call, BinaryOp::Max, IntegerOp::Max)
}

pub fn min(call: &mut Call<'_>) -> Results {
    of_all(call, BinaryOp::Min, IntegerOp::Min)
}

pub fn mean(call: &mut Call<'_>) -> Results {
    let by = 1.0 / call.inputs.len() as f64;
    let sum = of_all(call, BinaryOp::Add, IntegerOp::Add)?.remove(0);
    floats!(call, sum, x => array(scalar(call.tape, BinaryOp::Mul, x, by)))
}

/// The remainder, of the sign of the divisor; with `fmod` of that of the dividend.
pub fn modulo(call: &mut Call<'_>) -> Results {
    let fmod = call.attributes.is_on("fmod");
    match call.operand(0)? {
        Value::I64(a) => {
            let b = call.array::<i64>(1)?;
            let rest = integer(IntegerOp::Rem, &a, &b)?;
            if fmod {
                return array(rest);
            }
            let moved = integer(IntegerOp::Add, &rest, &b)?;
            array(integer(IntegerOp::Rem, &moved, &b)?)
        }
        other if !fmod => Err(Fault::unsupported(
            format!("`fmod = 0` for {}", other.kind()),
            "floats have `fmod = 1`",
        )),
        a => floats!(call, a, a => {
            let b = call.array(1)?;
            array(binary(call.tape, BinaryOp::Rem, a, b)?)
        }),
    }
}

/// `x^y`. An exponent that is one known number has the derivative of a power; else that of `exp(y·ln x)`.
pub fn pow(call: &mut Call<'_>) -> Results {
    let alone = call.inputs.get(1).and_then(Option::as_ref);
    let alone =
        alone.is_some_and(|y| y.is_known() && y.dims().numel() == 1 && y.dims().rank() == 0);
    let base = call.operand(0)?;
    if let Value::I64(x) = &base {
        let exponents = call.integers_of_any_rank(1)?;
        return powers(x, &exponents);
    }
    if alone {
        let p = call.number(1)?;
        let op = match p {
            2.0 => UnaryOp::Square,
            p if p.fract() == 0.0 && p.abs() <= 64.0 => UnaryOp::Powi(p as i32),
            p => UnaryOp::Powf(p),
        };
        return floats!(call, base, x => array(unary(call.tape, op, x)));
    }
    let exponent = call.operand(1)?;
    floats!(call, base, x => {
        let y = super::constant::converted(call.tape, &exponent, &x);
        array(binary(call.tape, BinaryOp::Powf, x, y)?)
    })
}

/// Powers of whole numbers, with one exponent.
fn powers(x: &Array<i64>, exponents: &[i64]) -> Results {
    let [p] = exponents[..] else {
        let what = "a power of whole numbers with several exponents";
        return Err(Fault::unsupported(what, ""));
    };
    let p = u32::try_from(p).ok().filter(|p| *p <= 64);
    let p = p.ok_or_else(|| Fault::Number {
        what: format!("an exponent of {exponents:?} for whole numbers, expected 0 to 64"),
    })?;
    let mut out = number(1, x);
    for _ in 0..p {
        out = integer(IntegerOp::Mul, &out, x)?;
    }
    if p == 0 {
        let raw = out.raw.expand(*x.dims());
        return array(Array::plain(raw, x.known));
    }
    array(out)
}

/// Between two bounds, each of which may be left out.
pub fn clip(call: &mut Call<'_>) -> Results {
    // Whole numbers beyond 2⁵³ are no `f64`.
    let whole = matches!(call.inputs.first(), Some(Some(Value::I64(_))));
    if !whole && bounds_are_known(call) {
        let mut bound = |input, none: f64| match call.has(input) {
            true => call.number(input),
            false => Ok(none),
        };
        let low = bound(1, f64::NEG_INFINITY)?;
        let high = bound(2, f64::INFINITY)?;
        if low.is_nan() || high.is_nan() {
            let what = "a bound that is no number".into();
            return Err(Fault::Number { what });
        }
        // Where the lower bound is the larger one, the upper bound wins.
        return floats!(call, call.operand(0)?, x => {
            array(unary(call.tape, UnaryOp::Clamp(low.min(high), high), x))
        });
    }
    let mut out = call.operand(0)?;
    for (input, op, whole) in [
        (1, BinaryOp::Max, IntegerOp::Max),
        (2, BinaryOp::Min, IntegerOp::Min),
    ] {
        if call.has(input) {
            call.inputs[0] = Some(out);
            out = pair(call, op, whole, 0, input)?.remove(0);
        }
    }
    one(out)
}

fn bounds_are_known(call: &Call<'_>) -> bool {
    let mut bounds = call.inputs.iter().skip(1).flatten();
    bounds.all(Value::is_known)
}

/// `x` above 0, `slope·x` below.
pub fn prelu(call: &mut Call<'_>) -> Results {
    floats!(call, call.operand(0)?, x => {
        let slope = call.array(1)?;
        let above = compare(CompareOp::Ge, &x, &number(Elem::from_f64(0.0), &x))?;
        let below = binary(call.tape, BinaryOp::Mul, x.clone(), slope)?;
        array(select(call.tape, &above, &x, &below)?)
    })
}
