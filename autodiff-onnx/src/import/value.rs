//! Tensors whose element type and sizes are known when the program runs.

use super::fault::Fault;
use autodiff_core::device::{Device, Dims, Elem, Float, MAX_RANK};
use autodiff_core::tensor::Raw;
use core::cell::Cell;

/// The elements of a value.
pub type Storage<T> = Raw<T, Device>;

/// A tensor of elements of one type.
#[derive(Clone)]
pub struct Array<T: Elem> {
    /// The elements.
    pub raw: Storage<T>,
    /// Whether it depends on sizes and constants alone. Then it is in the memory of the host, on every device.
    pub known: bool,
    /// Its number on the tape, if derivatives go through it.
    pub slot: Option<usize>,
}

/// A tensor of one of the element types that models compute with.
#[derive(Clone)]
pub enum Value {
    /// `f32`, and what ONNX stores in 16 bits.
    F32(Array<f32>),
    /// `f64`.
    F64(Array<f64>),
    /// Whole numbers of every width.
    I64(Array<i64>),
    /// Truth values.
    Bool(Array<bool>),
}

/// An element type of values.
pub trait Entry: Elem {
    /// Its name in messages.
    const NAME: &'static str;
    /// The array as a value.
    fn wrap(array: Array<Self>) -> Value;
    /// The array of a value, if it is of this type.
    fn unwrap(value: Value) -> Option<Array<Self>>;
    /// The same, by reference.
    fn of(value: &Value) -> Option<&Array<Self>>;
}

macro_rules! entries {
    ($($t:ident $V:ident;)*) => { $(
        impl Entry for $t {
            const NAME: &'static str = stringify!($t);
            fn wrap(array: Array<Self>) -> Value {
                Value::$V(array)
            }
            fn unwrap(value: Value) -> Option<Array<Self>> {
                match value {
                    Value::$V(array) => Some(array),
                    _ => None,
                }
            }
            fn of(value: &Value) -> Option<&Array<Self>> {
                match value {
                    Value::$V(array) => Some(array),
                    _ => None,
                }
            }
        }
    )* };
}
entries! {
    f32 F32;
    f64 F64;
    i64 I64;
    bool Bool;
}

/// An element type with derivatives.
pub trait Number: Entry + Float {}
impl Number for f32 {}
impl Number for f64 {}

/// Runs the code for the array of a value, whatever its type.
macro_rules! each {
    ($value:expr, $x:ident => $then:expr) => {
        match $value {
            Value::F32($x) => $then,
            Value::F64($x) => $then,
            Value::I64($x) => $then,
            Value::Bool($x) => $then,
        }
    };
}
pub(super) use each;

impl<T: Entry> Array<T> {
    /// A value that does not depend on what the model is given.
    pub fn known(raw: Storage<T>) -> Self {
        Array {
            raw,
            known: true,
            slot: None,
        }
    }

    /// A known value of these elements.
    pub fn host(dims: &[usize], data: &[T]) -> Result<Self, Fault> {
        Ok(Array::known(Raw::from_slice(
            &Device::Cpu,
            sizes(dims)?,
            data,
        )))
    }

    /// Without a derivative, and known if all that it was made of is.
    pub fn plain(raw: Storage<T>, known: bool) -> Self {
        Array {
            raw,
            known,
            slot: None,
        }
    }

    /// Sizes.
    pub fn dims(&self) -> &Dims {
        self.raw.dims()
    }

    /// The same on a device, if it is known; what is not known is there.
    pub fn on(&self, device: &Device) -> Self {
        match self.known {
            true => Array::plain(self.raw.to(device), false),
            false => self.clone(),
        }
    }
}

impl Value {
    /// Sizes.
    pub fn dims(&self) -> &Dims {
        each!(self, x => x.dims())
    }

    /// The name of the element type.
    pub fn kind(&self) -> &'static str {
        fn name<T: Entry>(_: &Array<T>) -> &'static str {
            T::NAME
        }
        each!(self, x => name(x))
    }

    /// Whether it depends on sizes and constants alone.
    pub fn is_known(&self) -> bool {
        each!(self, x => x.known)
    }

    /// The same on a device, if it is known.
    pub fn on(&self, device: &Device) -> Value {
        each!(self, x => Entry::wrap(x.on(device)))
    }

    /// Its number on the tape.
    pub fn slot(&self) -> Option<usize> {
        each!(self, x => x.slot)
    }
}

thread_local! {
    // Every operation asks, and most know nothing of the run that they are in.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs `f`, in which no tensor may have more elements than `limit`.
pub fn limited<R>(limit: usize, f: impl FnOnce() -> R) -> R {
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            LIMIT.set(self.0);
        }
    }
    let _before = Before(LIMIT.replace(limit));
    f()
}

/// Sizes that a tensor can have: at most six, and not more elements than the run allows.
pub fn sizes(dims: &[usize]) -> Result<Dims, Fault> {
    if dims.len() > MAX_RANK {
        return Err(Fault::Rank { found: dims.len() });
    }
    // Eight bytes for an element at most.
    let limit = LIMIT.get().min(isize::MAX as usize / 8);
    // An axis without elements does not excuse the others: strides are products of them.
    let all = dims
        .iter()
        .try_fold(1usize, |n, &d| n.checked_mul(d.max(1)));
    match all {
        Some(n) if n <= limit => Ok(Dims::new(dims)),
        _ => Err(Fault::TooLarge {
            sizes: dims.to_vec(),
            limit,
        }),
    }
}

/// An axis counted from the end if it is negative.
pub fn axis(at: i64, rank: usize) -> Result<usize, Fault> {
    let r = rank as i64;
    match at {
        at if (0..r).contains(&at) => Ok(at as usize),
        at if (-r..0).contains(&at) => Ok((at + r) as usize),
        _ => Err(Fault::Axis { axis: at, rank }),
    }
}
