//! Constants, ranges, conversions between types.

use super::{Call, Results, array, one, size};
use crate::import::fault::Fault;
use crate::import::tape::Tape;
use crate::import::value::{Array, Entry, Value, each, sizes};
use crate::proto::ElementType;
use autodiff_core::device::{Device, Elem};
use autodiff_core::prelude::{bf16, f16};
use autodiff_core::tensor::Raw;

/// `Constant`: what its attribute holds.
pub fn constant(call: &mut Call<'_>) -> Results {
    let attributes = call.attributes;
    if let Some(value) = attributes.tensor("value") {
        return one(value.clone());
    }
    if let Some(x) = attributes.integer("value_int") {
        return array(Array::host(&[], &[x])?);
    }
    if let Some(x) = attributes.integers("value_ints") {
        return array(Array::host(&[x.len()], x)?);
    }
    if let Some(x) = attributes.float("value_float") {
        return array(Array::host(&[], &[x as f32])?);
    }
    if let Some(x) = attributes.floats("value_floats") {
        return array(Array::host(&[x.len()], x)?);
    }
    Err(attributes.wrong("value", "is missing, or holds texts or a sparse tensor"))
}

/// The only element of a tensor everywhere.
pub fn of_shape(call: &mut Call<'_>) -> Results {
    let dims = call.integers(0)?;
    let dims: Vec<usize> = dims.into_iter().map(size).collect::<Result<_, _>>()?;
    let dims = sizes(&dims)?;
    let zero = Value::F32(Array::host(&[1], &[0.0])?);
    let value = call.attributes.tensor("value").unwrap_or(&zero);
    if value.dims().numel() != 1 {
        return Err(call
            .attributes
            .wrong("value", "has several elements, expected one"));
    }
    // One element that is seen everywhere takes no room.
    one(each!(value, x => Entry::wrap(Array::known(
        x.raw.reshape([1; 0]).expand(dims)
    ))))
}

/// `start`, `start + delta`, … before `limit`.
pub fn range(call: &mut Call<'_>) -> Results {
    fn count(n: f64) -> Result<usize, Fault> {
        let n = n.ceil();
        // Less than none is none.
        match n < 1e15 {
            true => Ok(sizes(&[n as usize])?.numel()),
            false => Err(Fault::Number {
                what: format!("a range of {n} numbers"),
            }),
        }
    }
    fn numbers<T: Entry>(n: usize, of: impl Fn(usize) -> T) -> Results {
        let all: Vec<T> = (0..n).map(of).collect();
        array(Array::host(&[n], &all)?)
    }
    let zero = || Fault::Number {
        what: "a range with a step of 0".into(),
    };
    match call.inputs.first() {
        Some(Some(Value::I64(_))) => {
            let [start, end, step] = [call.integer(0)?, call.integer(1)?, call.integer(2)?];
            if step == 0 {
                return Err(zero());
            }
            let way = (i128::from(end) - i128::from(start)) * i128::from(step.signum());
            let by = i128::from(step).abs();
            let n = (way + by - 1).max(0) / by;
            let n = sizes(&[usize::try_from(n).unwrap_or(usize::MAX)])?.numel();
            numbers(n, |i| start.wrapping_add(step.wrapping_mul(i as i64)))
        }
        first => {
            let double = matches!(first, Some(Some(Value::F64(_))));
            let [start, end, step] = [call.number(0)?, call.number(1)?, call.number(2)?];
            if step == 0.0 {
                return Err(zero());
            }
            let n = count((end - start) / step)?;
            match double {
                true => numbers(n, |i| start + step * i as f64),
                false => numbers(n, |i| start as f32 + step as f32 * i as f32),
            }
        }
    }
}

/// The elements of any value in the type of another one.
pub fn converted<T: Entry>(tape: &Tape, x: &Value, _: &Array<T>) -> Array<T> {
    each!(x, x => tape.cast(x))
}

/// The elements converted to a type of ONNX.
fn to(tape: &Tape, x: &Value, kind: ElementType) -> Results {
    // Whole numbers of a type that has those from `low` to `high`.
    let narrow = |low: i64, high: i64| match x {
        // Truth values fit every type; other numbers would wrap around in narrow ones.
        Value::Bool(_) => Ok(Value::I64(each!(x, x => tape.cast(x)))),
        x if x.is_known() => {
            let fits = each!(x, x => x.raw.read(|x| x.iter().all(|x| {
                (low..=high).contains(&x.to_i64())
            })));
            match fits {
                true => Ok(Value::I64(each!(x, x => tape.cast(x)))),
                false => Err(Fault::Number {
                    what: format!("a number outside of {low} to {high}, the range of {kind}"),
                }),
            }
        }
        x => Err(Fault::unsupported(
            format!("the conversion from {} to {kind}", x.kind()),
            "numbers may wrap around; convert to int64 or int32",
        )),
    };
    // What ONNX holds in 16 bits is an f32 here, rounded to them.
    macro_rules! rounded {
        ($half:ty) => {{
            let wide: Array<f32> = each!(x, x => tape.cast(x));
            let raw = wide.raw.cast::<$half>().cast::<f32>();
            Value::F32(tape.map(raw, &wide, |ct| ct.clone(), |t| t.clone()))
        }};
    }
    one(match kind {
        ElementType::F32 => Value::F32(each!(x, x => tape.cast(x))),
        ElementType::F64 => Value::F64(each!(x, x => tape.cast(x))),
        ElementType::F16 => rounded!(f16),
        ElementType::Bf16 => rounded!(bf16),
        ElementType::Bool => Value::Bool(each!(x, x => tape.cast(x))),
        ElementType::I64 | ElementType::I32 => Value::I64(each!(x, x => tape.cast(x))),
        ElementType::I16 => narrow(i16::MIN.into(), i16::MAX.into())?,
        ElementType::I8 => narrow(i8::MIN.into(), i8::MAX.into())?,
        ElementType::U64 => narrow(0, i64::MAX)?,
        ElementType::U32 => narrow(0, u32::MAX.into())?,
        ElementType::U16 => narrow(0, u16::MAX.into())?,
        ElementType::U8 => narrow(0, u8::MAX.into())?,
        other => {
            return Err(Fault::unsupported(format!("a conversion to {other}"), ""));
        }
    })
}

pub fn cast(call: &mut Call<'_>) -> Results {
    let x = call.operand(0)?;
    let number = call.attributes.integer("to");
    let number = call.attributes.needed("to", number)?;
    to(call.tape, &x, ElementType::from_number(number))
}

pub fn cast_like(call: &mut Call<'_>) -> Results {
    let x = call.operand(0)?;
    let kind = match call.take(1)? {
        Value::F32(_) => ElementType::F32,
        Value::F64(_) => ElementType::F64,
        Value::I64(_) => ElementType::I64,
        Value::Bool(_) => ElementType::Bool,
    };
    to(call.tape, &x, kind)
}

/// Ones on a diagonal of a matrix.
pub fn eye_like(call: &mut Call<'_>) -> Results {
    let x = call.take(0)?;
    let [rows, columns] = x.dims().as_slice()[..] else {
        return Err(Fault::sizes(format!(
            "the sizes {:?}, expected a matrix",
            x.dims()
        )));
    };
    let k = call.attributes.int("k", 0);
    let dims = sizes(&[rows, columns])?;
    let at = |i: usize| ((i / columns) as i64).checked_add(k) == Some((i % columns) as i64);
    let ones: Vec<f32> = (0..dims.numel())
        .map(|i| f32::from(u8::from(at(i))))
        .collect();
    let eye = Value::F32(Array::known(Raw::from_slice(&Device::Cpu, dims, &ones)));
    let kind = match (call.attributes.integer("dtype"), &x) {
        (Some(number), _) => ElementType::from_number(number),
        (None, Value::F32(_)) => ElementType::F32,
        (None, Value::F64(_)) => ElementType::F64,
        (None, Value::I64(_)) => ElementType::I64,
        (None, Value::Bool(_)) => ElementType::Bool,
    };
    to(call.tape, &eye, kind)
}
