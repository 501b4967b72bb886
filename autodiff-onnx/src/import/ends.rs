//! What goes into a model and comes out of it, as typed tensors.

use super::error::ModelError;
use super::program::{Declared, list};
use super::value::{Array, Entry, Value};
use crate::proto::{Dimension, ElementType, TypeProto};
use autodiff_core::ad::{Acc, Adj, Ct, Differentiable, Mode};
use autodiff_core::device::{Device, Dims};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;

/// Whether a tensor goes in or comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Side {
    Input,
    Output,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Side::Input => "input",
            Side::Output => "output",
        }
    }
}

/// The sizes of the run-time dimensions that the inputs of a call have, by name.
#[doc(hidden)]
#[derive(Default)]
pub struct Sizes(Vec<(&'static str, usize)>);

mod sealed {
    use autodiff_core::shape::Shape;
    use autodiff_core::tensor::Tensor;

    pub trait Sealed {}
    impl<S: Shape> Sealed for Tensor<S, f32> {}
    impl<S: Shape> Sealed for Tensor<S, f64> {}
    impl<S: Shape> Sealed for Tensor<S, i64> {}
    impl<S: Shape> Sealed for Tensor<S, bool> {}
}

/// An input or output of a model: a tensor of `f32`, `f64`, `i64` or `bool`.
///
/// `f32` stands for what a file holds in 16 bits as well, and `i64` for whole numbers of every width.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no input or output of a model",
    note = "tensors of `f32`, `f64`, `i64` and `bool` are"
)]
#[allow(private_interfaces)]
pub trait End: Differentiable + Clone + sealed::Sealed + Sized + 'static {
    #[doc(hidden)]
    fn check(side: Side, declared: &Declared) -> Result<(), ModelError>;
    #[doc(hidden)]
    fn place(&self) -> Device;
    #[doc(hidden)]
    fn give(&self, declared: &Declared, sizes: &mut Sizes) -> Result<Value, ModelError>;
    #[doc(hidden)]
    fn take(value: Value, declared: &Declared, sizes: &Sizes) -> Result<Self, ModelError>;
    /// The elements of a cotangent; `None` for zero, and for what has no derivative.
    #[doc(hidden)]
    fn cotangent(ct: Ct<Self>) -> Option<Value>;
    #[doc(hidden)]
    fn accumulate<M: Mode>(&self, d: &mut Adj<Self, M>, ct: Value);
    #[doc(hidden)]
    fn tangent(t: &Self::Tangent) -> Option<Value>;
    #[doc(hidden)]
    fn as_tangent(&self, t: Option<Value>) -> Self::Tangent;
}

/// A shape as it is written.
fn spelled<S: Shape>() -> String {
    let axis = |(size, name): (&Option<usize>, &&str)| match size {
        Some(n) => n.to_string(),
        None => (*name).to_owned(),
    };
    let all: Vec<String> = S::STATIC.iter().zip(S::NAMES).map(axis).collect();
    format!("[{}]", all.join(", "))
}

fn mismatch<S: Shape, T: Entry>(
    side: Side,
    declared: &Declared,
    found: impl Into<String>,
) -> ModelError {
    ModelError::Mismatch {
        what: side.name(),
        name: declared.name.clone(),
        expected: format!("{} {}", T::NAME, spelled::<S>()),
        found: found.into(),
    }
}

/// Whether elements of a type of ONNX are of this one here.
fn is_kind(kind: ElementType, name: &str) -> bool {
    use ElementType::*;
    match kind {
        F32 | F16 | Bf16 => name == "f32",
        F64 => name == "f64",
        I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 => name == "i64",
        Bool => name == "bool",
        _ => false,
    }
}

fn check<S: Shape, T: Entry>(side: Side, declared: &Declared) -> Result<(), ModelError> {
    let (kind, shape) = match &declared.kind {
        None => return Ok(()),
        Some(TypeProto::Tensor { elem_type, shape }) => (*elem_type, shape),
        Some(TypeProto::Other) => return Err(mismatch::<S, T>(side, declared, "no tensor")),
    };
    let text = match shape {
        None => kind.to_string(),
        Some(shape) => {
            let axis = |d: &Dimension| match d {
                Dimension::Value(n) => n.to_string(),
                Dimension::Param(name) => name.clone(),
                Dimension::Unknown => "?".to_owned(),
            };
            let all: Vec<String> = shape.dim.iter().map(axis).collect();
            format!("{kind} [{}]", all.join(", "))
        }
    };
    let fits = |(size, d): (&Option<usize>, &Dimension)| match (size, d) {
        (Some(n), Dimension::Value(m)) => i64::try_from(*n) == Ok(*m),
        // A size that the file fixes is no run-time dimension, an output of one alone may be.
        (None, Dimension::Value(_)) => side == Side::Output,
        (_, Dimension::Param(_) | Dimension::Unknown) => true,
    };
    let sizes = shape.as_ref().is_none_or(|shape| {
        shape.dim.len() == S::RANK && S::STATIC.iter().zip(&shape.dim).all(fits)
    });
    match sizes && (is_kind(kind, T::NAME) || kind == ElementType::Other(0)) {
        true => Ok(()),
        false => Err(mismatch::<S, T>(side, declared, text)),
    }
}

fn give<S: Shape, T: Entry>(
    x: &Tensor<S, T>,
    declared: &Declared,
    sizes: &mut Sizes,
) -> Result<Value, ModelError> {
    // Sizes that the file says, where the program knows them at run time only.
    if let Some(TypeProto::Tensor {
        shape: Some(shape), ..
    }) = &declared.kind
    {
        let fits = |(d, n): (&Dimension, &usize)| match d {
            Dimension::Value(m) => i64::try_from(*n) == Ok(*m),
            _ => true,
        };
        if !shape.dim.iter().zip(x.dims().iter()).all(fits) {
            let found = format!("{} {:?} in this call", T::NAME, x.dims());
            return Err(mismatch::<S, T>(Side::Input, declared, found));
        }
    }
    for (name, &n) in S::NAMES.iter().zip(x.dims().iter()) {
        // What is computed of dimensions has no name of its own.
        let is_own = !["", "product", "smaller", "frequencies"].contains(name);
        if is_own && !sizes.0.iter().any(|(known, _)| known == name) {
            sizes.0.push((name, n));
        }
    }
    Ok(T::wrap(Array::plain(x.raw().clone(), false)))
}

fn take<S: Shape, T: Entry>(
    value: Value,
    declared: &Declared,
    sizes: &Sizes,
) -> Result<Tensor<S, T>, ModelError> {
    let found = format!("{} {:?} in this call", value.kind(), value.dims());
    let dims = *value.dims();
    let error = || mismatch::<S, T>(Side::Output, declared, found.clone());
    let raw = T::unwrap(value).ok_or_else(error)?.raw;
    let fixed = |(size, n): (&Option<usize>, &usize)| size.is_none_or(|size| size == *n);
    let same_as_inputs = |(name, n): (&&str, &usize)| {
        let known = sizes.0.iter().find(|(known, _)| known == name);
        known.is_none_or(|(_, size)| size == n)
    };
    let fits = dims.rank() == S::RANK
        && S::STATIC.iter().zip(dims.iter()).all(fixed)
        && S::NAMES.iter().zip(dims.iter()).all(same_as_inputs);
    if !fits {
        return Err(error());
    }
    let shape = shape_of::<S>(&dims).ok_or_else(error)?;
    Ok(Tensor::new(shape, raw))
}

/// The shape of these sizes, if its run-time dimensions are names: of a product of two the sizes alone do not tell them.
fn shape_of<S: Shape>(dims: &Dims) -> Option<S> {
    let run_time = S::STATIC.iter().zip(dims.iter());
    let run_time = run_time.filter(|(size, _)| size.is_none()).map(|(_, n)| *n);
    let shape = S::take(&mut run_time.chain(core::iter::repeat(0)));
    (shape.dims() == *dims).then_some(shape)
}

macro_rules! ends {
    ($S:ident $t:ident) => {
        fn check(side: Side, declared: &Declared) -> Result<(), ModelError> {
            check::<$S, $t>(side, declared)
        }
        fn place(&self) -> Device {
            self.raw().device().clone()
        }
        fn give(&self, declared: &Declared, sizes: &mut Sizes) -> Result<Value, ModelError> {
            give::<$S, $t>(self, declared, sizes)
        }
        fn take(value: Value, declared: &Declared, sizes: &Sizes) -> Result<Self, ModelError> {
            take::<$S, $t>(value, declared, sizes)
        }
    };
}

macro_rules! with_derivative {
    ($($t:ident)*) => { $(
        #[allow(private_interfaces)]
        impl<S: Shape> End for Tensor<S, $t> {
            ends!(S $t);
            fn cotangent(ct: Ct<Self>) -> Option<Value> {
                let raw = ct.into_inner()?.into_raw();
                Some(Entry::wrap(Array::plain(raw, false)))
            }
            fn accumulate<M: Mode>(&self, d: &mut Adj<Self, M>, ct: Value) {
                if let Some(ct) = <$t as Entry>::unwrap(ct) {
                    d.acc(Tensor::new(self.shape(), ct.raw).into());
                }
            }
            fn tangent(t: &Self) -> Option<Value> {
                Some(Entry::wrap(Array::plain(t.raw().clone(), false)))
            }
            fn as_tangent(&self, t: Option<Value>) -> Self {
                match t.and_then(<$t as Entry>::unwrap) {
                    Some(t) => Tensor::new(self.shape(), t.raw.expand(self.dims())),
                    None => self.zero_tangent(),
                }
            }
        }
    )* };
}

macro_rules! without_derivative {
    ($($t:ident)*) => { $(
        #[allow(private_interfaces)]
        impl<S: Shape> End for Tensor<S, $t> {
            ends!(S $t);
            fn cotangent(_: Ct<Self>) -> Option<Value> {
                None
            }
            fn accumulate<M: Mode>(&self, _: &mut Adj<Self, M>, _: Value) {}
            fn tangent(_: &()) -> Option<Value> {
                None
            }
            fn as_tangent(&self, _: Option<Value>) {}
        }
    )* };
}

with_derivative! { f32 f64 }
without_derivative! { i64 bool }

/// All outputs of a model: a tensor, or a tuple of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no inputs or outputs of a model",
    note = "a tensor of `f32`, `f64`, `i64` or `bool` is, and so is a tuple of up to six"
)]
#[allow(private_interfaces)]
pub trait Ends: Differentiable + Clone + Sized + 'static {
    #[doc(hidden)]
    const COUNT: usize;
    #[doc(hidden)]
    fn check(side: Side, declared: &[Declared]) -> Result<(), ModelError>;
    #[doc(hidden)]
    fn take(values: Vec<Value>, declared: &[Declared], sizes: &Sizes) -> Result<Self, ModelError>;
    #[doc(hidden)]
    fn cotangents(ct: Ct<Self>) -> Vec<Option<Value>>;
    #[doc(hidden)]
    fn as_tangents(&self, t: Vec<Option<Value>>) -> Self::Tangent;
}

/// Checks the number of inputs or outputs.
fn count(side: Side, expected: usize, declared: &[Declared]) -> Result<(), ModelError> {
    match declared.len() == expected {
        true => Ok(()),
        false => Err(ModelError::Count {
            what: side.name(),
            expected,
            found: declared.len(),
            names: list(declared.iter().map(|d| &d.name[..])),
        }),
    }
}

macro_rules! one {
    ($($t:ident)*) => { $(
        #[allow(private_interfaces)]
        impl<S: Shape> Ends for Tensor<S, $t> {
            const COUNT: usize = 1;
            fn check(side: Side, declared: &[Declared]) -> Result<(), ModelError> {
                count(side, 1, declared)?;
                <Self as End>::check(side, &declared[0])
            }
            fn take(values: Vec<Value>, declared: &[Declared], sizes: &Sizes) -> Result<Self, ModelError> {
                let value = values.into_iter().next().expect("an output for each that is declared");
                <Self as End>::take(value, &declared[0], sizes)
            }
            fn cotangents(ct: Ct<Self>) -> Vec<Option<Value>> {
                vec![<Self as End>::cotangent(ct)]
            }
            fn as_tangents(&self, t: Vec<Option<Value>>) -> Self::Tangent {
                End::as_tangent(self, t.into_iter().next().flatten())
            }
        }
    )* };
}
one! { f32 f64 i64 bool }

macro_rules! tuples {
    ($($count:literal ($($A:ident $i:tt),+))*) => { $(
        #[allow(private_interfaces)]
        impl<$($A: End),+> Ends for ($($A,)+) {
            const COUNT: usize = $count;
            fn check(side: Side, declared: &[Declared]) -> Result<(), ModelError> {
                count(side, $count, declared)?;
                $(<$A as End>::check(side, &declared[$i])?;)+
                Ok(())
            }
            fn take(values: Vec<Value>, declared: &[Declared], sizes: &Sizes) -> Result<Self, ModelError> {
                let mut values = values.into_iter();
                let mut next = || values.next().expect("an output for each that is declared");
                Ok(($(<$A as End>::take(next(), &declared[$i], sizes)?,)+))
            }
            fn cotangents(ct: Ct<Self>) -> Vec<Option<Value>> {
                vec![$(<$A as End>::cotangent(ct.$i)),+]
            }
            fn as_tangents(&self, t: Vec<Option<Value>>) -> Self::Tangent {
                let mut t = t.into_iter();
                ($(End::as_tangent(&self.$i, t.next().flatten()),)+)
            }
        }
    )* };
}
tuples! {
    1 (A 0)
    2 (A 0, B 1)
    3 (A 0, B 1, C 2)
    4 (A 0, B 1, C 2, D 3)
    5 (A 0, B 1, C 2, D 3, E 4)
    6 (A 0, B 1, C 2, D 3, E 4, F 5)
}
