//! The operators of ONNX, put together from [`rules`](super::rules).
//!
//! The table is in `table`; a family of operators is a file.

mod choice;
mod constant;
mod image;
mod index;
mod math;
mod norm;
mod pool;
mod product;
mod reduce;
mod resize;
mod sequence;
mod shape;
mod table;

pub use table::{AttributeKind, OPERATORS, Operator, find};

use super::attributes::Attributes;
use super::fault::Fault;
use super::tape::Tape;
use super::value::{Array, Entry, Number, Value};
use autodiff_core::device::{Device, Dims};

/// A node that runs.
pub struct Call<'a> {
    /// What it is told.
    pub attributes: &'a Attributes,
    /// The version of the operators.
    pub opset: i64,
    /// What it reads; each is taken out by the operator.
    pub inputs: Vec<Option<Value>>,
    /// How many results are wanted.
    pub outputs: usize,
    /// How many results the node declares.
    pub declared: usize,
    /// What the derivatives need.
    pub tape: &'a Tape,
    /// Where the model runs.
    pub device: &'a Device,
    /// Whether something that it reads depends on what the model is given. Otherwise it runs on the host.
    pub live: bool,
}

/// The results of a node.
pub type Results = Result<Vec<Value>, Fault>;

impl Call<'_> {
    /// Whether there is an operand.
    pub fn has(&self, input: usize) -> bool {
        matches!(self.inputs.get(input), Some(Some(_)))
    }

    /// The sizes of an operand.
    pub fn dims(&self, input: usize) -> Result<Dims, Fault> {
        match self.inputs.get(input) {
            Some(Some(value)) => Ok(*value.dims()),
            _ => Err(Fault::Missing { input }),
        }
    }

    /// An operand, where it is.
    pub fn take(&mut self, input: usize) -> Result<Value, Fault> {
        let place = self.inputs.get_mut(input);
        place.and_then(Option::take).ok_or(Fault::Missing { input })
    }

    /// An operand, where the node computes.
    pub fn operand(&mut self, input: usize) -> Result<Value, Fault> {
        let value = self.take(input)?;
        Ok(match self.live {
            true => value.on(self.device),
            false => value,
        })
    }

    /// An operand of elements of one type, where the node computes.
    pub fn array<T: Entry>(&mut self, input: usize) -> Result<Array<T>, Fault> {
        let value = self.operand(input)?;
        let found = value.kind();
        T::unwrap(value).ok_or(Fault::Type {
            input,
            expected: T::NAME,
            found,
        })
    }

    /// An operand of elements of one type, if it is there.
    pub fn optional<T: Entry>(&mut self, input: usize) -> Result<Option<Array<T>>, Fault> {
        match self.has(input) {
            true => self.array(input).map(Some),
            false => Ok(None),
        }
    }

    /// The numbers of an operand of whole numbers, on the host.
    pub fn integers(&mut self, input: usize) -> Result<Vec<i64>, Fault> {
        let value = self.take(input)?;
        match &value {
            Value::I64(x) if x.dims().rank() <= 1 => Ok(x.raw.try_to_vec()?),
            Value::I64(x) => Err(Fault::sizes(format!(
                "its input {input} has the sizes {:?}, expected a vector",
                x.dims()
            ))),
            other => Err(Fault::Type {
                input,
                expected: "i64",
                found: other.kind(),
            }),
        }
    }

    /// The same, whatever the sizes.
    pub fn integers_of_any_rank(&mut self, input: usize) -> Result<Vec<i64>, Fault> {
        let value = self.take(input)?;
        match &value {
            Value::I64(x) => Ok(x.raw.try_to_vec()?),
            other => Err(self.wrong(input, "i64", other)),
        }
    }

    /// The only number of an operand of whole numbers, on the host.
    pub fn integer(&mut self, input: usize) -> Result<i64, Fault> {
        let all = self.integers_of_any_rank(input)?;
        only(&all, input)
    }

    /// The numbers of an operand that the host reads, as `f64`.
    pub fn numbers(&mut self, input: usize) -> Result<Vec<f64>, Fault> {
        let value = self.take(input)?;
        Ok(match &value {
            Value::F32(x) => x.raw.try_to_vec()?.into_iter().map(f64::from).collect(),
            Value::F64(x) => x.raw.try_to_vec()?,
            Value::I64(x) => x.raw.try_to_vec()?.into_iter().map(|x| x as f64).collect(),
            Value::Bool(x) => {
                let all = x.raw.try_to_vec()?;
                all.into_iter().map(|x| f64::from(u8::from(x))).collect()
            }
        })
    }

    /// The only number of an operand that the host reads.
    pub fn number(&mut self, input: usize) -> Result<f64, Fault> {
        let all = self.numbers(input)?;
        only(&all, input)
    }

    /// Whole numbers that old versions of an operator have as an attribute and new ones as an operand.
    pub fn either(&mut self, name: &'static str, input: usize) -> Result<Option<Vec<i64>>, Fault> {
        match self.has(input) {
            true => self.integers(input).map(Some),
            false => Ok(self.attributes.integers(name).map(<[i64]>::to_vec)),
        }
    }

    /// An error about the type of an operand.
    pub fn wrong(&self, input: usize, expected: &'static str, value: &Value) -> Fault {
        Fault::Type {
            input,
            expected,
            found: value.kind(),
        }
    }
}

/// The only number of an operand.
fn only<T: Copy>(all: &[T], input: usize) -> Result<T, Fault> {
    match *all {
        [x] => Ok(x),
        _ => Err(Fault::sizes(format!(
            "its input {input} has {} numbers, expected one",
            all.len()
        ))),
    }
}

/// The only result.
pub fn one(value: Value) -> Results {
    Ok(vec![value])
}

/// The only result, of elements of one type.
pub fn array<T: Entry>(array: Array<T>) -> Results {
    one(T::wrap(array))
}

/// A size from a whole number.
pub fn size(n: i64) -> Result<usize, Fault> {
    usize::try_from(n).map_err(|_| Fault::sizes(format!("a size of {n}")))
}

/// Runs the code for a first operand of floats, whatever their type.
macro_rules! floats {
    ($call:ident, $first:expr, $x:ident => $then:expr) => {
        match $first {
            $crate::import::value::Value::F32($x) => $then,
            $crate::import::value::Value::F64($x) => $then,
            other => return Err($call.wrong(0, "f32 or f64", &other)),
        }
    };
}
pub(super) use floats;

/// Ones.
pub fn ones<T: Number>(like: &Array<T>, n: usize) -> Array<T> {
    let raw = autodiff_core::tensor::Raw::full(like.raw.device(), [n], T::ONE);
    Array::plain(raw, like.known)
}
