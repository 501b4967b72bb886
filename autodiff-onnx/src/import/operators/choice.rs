//! Comparisons, truth values and choices.

use super::{Call, Results, array, one};
use crate::import::rules::elementwise::{choose, compare, number, select};
use crate::import::value::{Array, Number, Value, each};
use autodiff_core::device::CompareOp;

fn compared(call: &mut Call<'_>, op: CompareOp) -> Results {
    let a = call.operand(0)?;
    Ok(vec![Value::Bool(
        each!(a, a => compare(op, &a, &call.array(1)?)?),
    )])
}

macro_rules! comparisons {
    ($($name:ident $Op:ident;)*) => { $(
        pub fn $name(call: &mut Call<'_>) -> Results {
            compared(call, CompareOp::$Op)
        }
    )* };
}
comparisons! {
    equal Eq;
    less Lt;
    less_or_equal Le;
    greater Gt;
    greater_or_equal Ge;
}

pub fn and(call: &mut Call<'_>) -> Results {
    let (a, b) = (call.array::<bool>(0)?, call.array::<bool>(1)?);
    array(choose(&a, &b, &number(false, &a))?)
}

pub fn or(call: &mut Call<'_>) -> Results {
    let (a, b) = (call.array::<bool>(0)?, call.array::<bool>(1)?);
    array(choose(&a, &number(true, &a), &b)?)
}

pub fn xor(call: &mut Call<'_>) -> Results {
    let (a, b) = (call.array::<bool>(0)?, call.array::<bool>(1)?);
    array(compare(CompareOp::Ne, &a, &b)?)
}

pub fn not(call: &mut Call<'_>) -> Results {
    let x = call.array::<bool>(0)?;
    array(Array::plain(x.raw.not(), x.known))
}

pub fn is_nan(call: &mut Call<'_>) -> Results {
    super::floats!(call, call.operand(0)?, x => array(compare(CompareOp::Ne, &x, &x)?))
}

pub fn is_inf(call: &mut Call<'_>) -> Results {
    let signs = ["detect_positive", "detect_negative"].map(|s| call.attributes.int(s, 1) != 0);
    fn of<T: Number>(x: &Array<T>, [up, down]: [bool; 2]) -> Results {
        let at = |bound: f64| compare(CompareOp::Eq, x, &number(T::lit(bound), x));
        let (high, low) = (at(f64::INFINITY)?, at(f64::NEG_INFINITY)?);
        array(match (up, down) {
            (true, true) => choose(&high, &high, &low)?,
            (true, false) => high,
            (false, true) => low,
            (false, false) => compare(CompareOp::Ne, &high, &high)?,
        })
    }
    super::floats!(call, call.operand(0)?, x => of(&x, signs))
}

pub fn choice(call: &mut Call<'_>) -> Results {
    let mask = call.array::<bool>(0)?;
    one(match call.operand(1)? {
        Value::F32(a) => Value::F32(select(call.tape, &mask, &a, &call.array(2)?)?),
        Value::F64(a) => Value::F64(select(call.tape, &mask, &a, &call.array(2)?)?),
        Value::I64(a) => Value::I64(choose(&mask, &a, &call.array(2)?)?),
        Value::Bool(a) => Value::Bool(choose(&mask, &a, &call.array(2)?)?),
    })
}
