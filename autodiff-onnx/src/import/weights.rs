//! The parameters of a model, and their gradients.

use super::value::{Array, Number, Storage, Value};
use autodiff_core::ad::{Factor, SquareSum, Tangent};
use autodiff_core::device::{Device, Dims, Elem, Float};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use core::fmt;
use std::sync::Arc;

/// A tensor of floats.
#[derive(Clone)]
pub enum Stored {
    /// Of `f32`.
    F32(Storage<f32>),
    /// Of `f64`.
    F64(Storage<f64>),
}

/// Runs the code for the elements, whatever their type.
macro_rules! stored {
    ($value:expr, $x:ident => $then:expr) => {
        match $value {
            Stored::F32($x) => $then,
            Stored::F64($x) => $then,
        }
    };
}
pub(super) use stored;

/// The same for two tensors of one type.
macro_rules! both {
    ($a:expr, $b:expr, ($x:ident, $y:ident) => $then:expr) => {
        match ($a, $b) {
            (Stored::F32($x), Stored::F32($y)) => $then,
            (Stored::F64($x), Stored::F64($y)) => $then,
            _ => panic!("a gradient of another element type than its parameter"),
        }
    };
}
pub(super) use both;

impl Stored {
    pub fn of(value: Value) -> Option<Self> {
        match value {
            Value::F32(x) => Some(Stored::F32(x.raw)),
            Value::F64(x) => Some(Stored::F64(x.raw)),
            _ => None,
        }
    }

    pub fn value(&self) -> Value {
        match self {
            Stored::F32(x) => Value::F32(Array::plain(x.clone(), false)),
            Stored::F64(x) => Value::F64(Array::plain(x.clone(), false)),
        }
    }

    pub fn dims(&self) -> &Dims {
        stored!(self, x => x.dims())
    }

    pub fn device(&self) -> &Device {
        stored!(self, x => x.device())
    }

    /// Element type and sizes, for messages.
    pub fn kind(&self) -> String {
        let value = self.value();
        format!("{} {:?}", value.kind(), value.dims())
    }

    pub fn zeros_like(&self) -> Self {
        fn zeros<T: Number>(x: &Storage<T>) -> Storage<T> {
            Raw::zeros(x.device(), *x.dims())
        }
        match self {
            Stored::F32(x) => Stored::F32(zeros(x)),
            Stored::F64(x) => Stored::F64(zeros(x)),
        }
    }

    fn map(self, f: impl Each) -> Self {
        match self {
            Stored::F32(x) => Stored::F32(f.of(x)),
            Stored::F64(x) => Stored::F64(f.of(x)),
        }
    }
}

/// What is done with the elements, whatever their type.
trait Each {
    fn of<T: Number>(&self, x: Storage<T>) -> Storage<T>;
}

struct Scale(f64);
impl Each for Scale {
    fn of<T: Number>(&self, x: Storage<T>) -> Storage<T> {
        x.binary_scalar(autodiff_core::device::BinaryOp::Mul, T::lit(self.0))
    }
}

struct ScaleBy<'a, 'b>(&'a Factor<'b>);
impl Each for ScaleBy<'_, '_> {
    fn of<T: Number>(&self, x: Storage<T>) -> Storage<T> {
        x.scale_by(self.0)
    }
}

/// The gradient of a [`Model`](super::Model), or a direction: a tensor for each of its parameters.
#[derive(Clone)]
pub struct Weights {
    pub(super) names: Arc<[String]>,
    pub(super) values: Vec<Stored>,
}

impl Weights {
    /// The names of the parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &name[..])
    }

    /// The part of one parameter; `None` if there is none of this name, element type and shape.
    pub fn tensor<S: Shape, T: Float>(&self, name: &str, shape: S) -> Option<Tensor<S, T>> {
        let at = self.names.iter().position(|n| n == name)?;
        let raw = stored!(&self.values[at], x => {
            (x as &dyn core::any::Any).downcast_ref::<Raw<T, Device>>()
        })?;
        (*raw.dims() == shape.dims()).then(|| Tensor::new(shape, raw.clone()))
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.values.iter().map(Stored::kind);
        f.debug_map().entries(self.names.iter().zip(kinds)).finish()
    }
}

impl Tangent for Weights {
    fn add(mut self, other: Self) -> Self {
        for (a, b) in self.values.iter_mut().zip(&other.values) {
            both!(a, b, (a, b) => a.add_assign(b));
        }
        self
    }
    fn scale(mut self, factor: f64) -> Self {
        let scaled = self.values.into_iter().map(|x| x.map(Scale(factor)));
        self.values = scaled.collect();
        self
    }
    fn dot(&self, other: &Self) -> f64 {
        let pairs = self.values.iter().zip(&other.values);
        let of = |(a, b): (&Stored, &Stored)| -> f64 {
            both!(a, b, (a, b) => {
                a.to_vec().iter().zip(b.to_vec()).map(|(a, b)| a.to_f64() * b.to_f64()).sum()
            })
        };
        pairs.map(of).sum()
    }
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        fn filled<T: Number>(x: &Storage<T>, next: &mut dyn FnMut() -> f64) -> Storage<T> {
            let all: Vec<T> = (0..x.numel()).map(|_| T::lit(next())).collect();
            Raw::from_slice(x.device(), *x.dims(), &all)
        }
        let of = |x: &Stored| match x {
            Stored::F32(x) => Stored::F32(filled(x, next)),
            Stored::F64(x) => Stored::F64(filled(x, next)),
        };
        Weights {
            names: Arc::clone(&self.names),
            values: self.values.iter().map(of).collect(),
        }
    }
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        for x in &self.values {
            stored!(x, x => x.to_vec().iter().for_each(|x| entry(x.to_f64())));
        }
    }
    fn add_squares(&self, to: &mut SquareSum) {
        for x in &self.values {
            stored!(x, x => x.add_squares(to));
        }
    }
    fn scale_by(mut self, factor: &Factor<'_>) -> Self {
        let scaled = self.values.into_iter().map(|x| x.map(ScaleBy(factor)));
        self.values = scaled.collect();
        self
    }
}

/// The cotangent of a model while it is added up; `None` is zero.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct WeightsAcc(pub(super) Vec<Option<Stored>>);

impl WeightsAcc {
    pub(super) fn add(&mut self, other: Vec<Option<Stored>>) {
        if self.0.is_empty() {
            self.0 = other;
            return;
        }
        for (sum, part) in self.0.iter_mut().zip(other) {
            match (sum.as_mut(), part) {
                (_, None) => {}
                (None, part) => *sum = part,
                (Some(sum), Some(part)) => both!(sum, &part, (a, b) => a.add_assign(b)),
            }
        }
    }
}
