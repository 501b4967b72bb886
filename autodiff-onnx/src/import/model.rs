//! Models of files, typed at both ends.

use super::ends::{End, Ends, Side, Sizes};
use super::error::ModelError;
use super::options::Options;
use super::program::{Choice, Program, Role, list};
use super::tape::{Slots, Steps, Tape};
use super::value::Value;
use super::weights::{Stored, Weights, WeightsAcc, stored};
use crate::proto::ModelProto;
use autodiff_core::ad::{Acc, Adj, Ct, Differentiable, Mode};
use autodiff_core::device::{AnyStorage, Device, Elem, Float, ToDevice};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use core::fmt;
use core::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

/// A model that an ONNX file holds, with the types of what goes in and comes out: tensors, or tuples of them.
///
/// It runs on every device and in recordings. It is a [`Module`](autodiff_core::nn::Module): its weights are parameters
/// with the names that they have in the file, so that optimisers and checkpoints work with it, and it can be part of a
/// module of its own. In an annotated function `model.forward(&x)` has a gradient by the weights and by `x`. Layers run as in
/// inference: batch normalisation with the statistics of the file, which are buffers, and without dropout.
///
/// ```
/// use differentiable::onnx::{Model, ModelError};
/// use differentiable::prelude::*;
/// # fn main() -> Result<(), ModelError> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models/mlp.onnx");
///
/// dim!(Batch);
/// let model: Model<Tensor![Batch, 4], Tensor![Batch, 3]> = Model::load(path)?;
/// let x: Tensor![Batch, 4] = Tensor::randn_with((Batch(5), Sz), 1);
/// let y = model.forward(&x);
/// assert_eq!(y.dims().as_slice(), [5, 3]);
/// # Ok(())
/// # }
/// ```
pub struct Model<In, Out> {
    pub(super) weights: Vec<Weight>,
    names: Arc<[String]>,
    program: Arc<Program>,
    ends: PhantomData<fn() -> (In, Out)>,
}

/// A parameter or a buffer.
#[derive(Clone)]
pub(super) struct Weight {
    pub name: Arc<str>,
    pub is_trained: bool,
    pub stored: Stored,
}

impl<In, Out> Clone for Model<In, Out> {
    fn clone(&self) -> Self {
        Model {
            weights: self.weights.clone(),
            names: Arc::clone(&self.names),
            program: Arc::clone(&self.program),
            ends: PhantomData,
        }
    }
}

impl<In, Out> fmt::Debug for Model<In, Out> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |all: &[super::program::Declared]| -> Vec<String> {
            all.iter().map(|d| d.name.clone()).collect()
        };
        f.debug_struct("Model")
            .field("inputs", &names(&self.program.inputs))
            .field("outputs", &names(&self.program.outputs))
            .field("nodes", &self.program.nodes.len())
            .field("weights", &self.weights.len())
            .field("opset", &self.program.opset)
            .finish()
    }
}

impl<In: Ends, Out: Ends> Model<In, Out> {
    /// Loads a file, with all of its inputs and outputs in their order; see [`Options`] for a choice of them.
    ///
    /// # Errors
    /// As [`Options::load`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        Options::new().load(path)
    }

    /// Reads a model from the bytes of a file that has all of its tensors in it.
    ///
    /// # Errors
    /// As [`Options::load`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Options::new().from_bytes(bytes)
    }

    pub(super) fn build(model: &ModelProto, choice: &Choice) -> Result<Self, ModelError> {
        let (program, weights) = Program::new(model, choice)?;
        In::check(Side::Input, &program.inputs)?;
        Out::check(Side::Output, &program.outputs)?;
        let device = Device::current();
        let weight = |(name, role, value): (String, Role, Value)| {
            let mut stored = Stored::of(value)?;
            move_to(&mut stored, &device);
            Some(Weight {
                name: name.into(),
                is_trained: role == Role::Parameter,
                stored,
            })
        };
        let weights: Vec<Weight> = weights.into_iter().filter_map(weight).collect();
        let trained = weights.iter().filter(|w| w.is_trained);
        Ok(Model {
            names: trained.map(|w| w.name.to_string()).collect(),
            weights,
            program: Arc::new(program),
            ends: PhantomData,
        })
    }
}

pub(super) fn move_to(stored: &mut Stored, device: &Device) {
    stored!(stored, x => {
        if x.device() != device {
            *x = x.to(device);
        }
    });
}

/// What a run gives: the outputs, and what the derivatives need.
struct Ran {
    outputs: Vec<Value>,
    tape: Tape,
    /// The numbers of the parameters on the tape.
    weights: Vec<usize>,
    /// Those of the inputs, where they have one.
    inputs: Vec<Option<usize>>,
}

impl<In, Out> Model<In, Out> {
    /// The names of the inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.program.inputs.iter().map(|d| &d.name[..])
    }

    /// The names of the outputs.
    pub fn outputs(&self) -> impl Iterator<Item = &str> {
        self.program.outputs.iter().map(|d| &d.name[..])
    }

    /// The version of the operators of the file.
    pub fn opset(&self) -> i64 {
        self.program.opset
    }

    /// A parameter or buffer by its name in the file.
    ///
    /// # Errors
    /// If there is none of this name, or it is of another type or other sizes.
    pub fn weight<S: Shape, T: Float>(
        &self,
        name: &str,
        shape: S,
    ) -> Result<Tensor<S, T>, ModelError> {
        let weight = self.find(name)?;
        let raw = stored!(&weight.stored, x => {
            (x as &dyn core::any::Any).downcast_ref::<Raw<T, Device>>()
        });
        match raw {
            Some(raw) if *raw.dims() == shape.dims() => Ok(Tensor::new(shape, raw.clone())),
            _ => Err(ModelError::Mismatch {
                what: "parameter",
                name: name.to_owned(),
                expected: format!("{} {:?}", T::DTYPE, shape.dims()),
                found: weight.stored.kind(),
            }),
        }
    }

    fn find(&self, name: &str) -> Result<&Weight, ModelError> {
        let found = self.weights.iter().find(|w| &*w.name == name);
        found.ok_or_else(|| ModelError::Name {
            what: "parameter",
            name: name.to_owned(),
            names: list(self.weights.iter().map(|w| &*w.name)),
        })
    }

    /// The names of what is trained.
    pub(super) fn trained(&self) -> &Arc<[String]> {
        &self.names
    }

    /// Where a run takes place: where its inputs and weights are. What is in the memory of the host goes along with a
    /// recording.
    fn device(&self, inputs: &[Device]) -> Result<Device, ModelError> {
        let weights = self.weights.iter().map(|w| (&*w.name, w.stored.device()));
        let names = self.program.inputs.iter().map(|d| &d.name[..]);
        let all: Vec<(&str, &Device)> = names.zip(inputs).chain(weights).collect();
        let recorder = all.iter().find(|(_, d)| matches!(d, Device::Recorder(_)));
        let Some((_, device)) = recorder.or(all.first()) else {
            return Ok(Device::current());
        };
        let fits = |d: &Device| d == *device || recorder.is_some() && *d == Device::Cpu;
        match all.iter().find(|(_, d)| !fits(d)) {
            None => Ok((*device).clone()),
            Some((name, found)) => Err(ModelError::Device {
                name: (*name).to_owned(),
                found: found.to_string(),
                expected: device.to_string(),
            }),
        }
    }

    /// Runs the program; with derivatives by the weights and by the inputs as `wanted` says.
    fn run(
        &self,
        inputs: Vec<Value>,
        devices: &[Device],
        by_weights: bool,
        by_inputs: &[bool],
    ) -> Result<Ran, ModelError> {
        let device = self.device(devices)?;
        let tape = Tape::default();
        let (mut weights, mut slots) = (Vec::new(), Vec::new());
        for weight in &self.weights {
            let mut stored = weight.stored.clone();
            move_to(&mut stored, &device);
            let mut value = stored.value();
            if weight.is_trained && by_weights {
                slots.push(tape.slot());
                number(&mut value, slots.last().copied());
            }
            weights.push(value);
        }
        let mut given = Vec::new();
        let mut input_slots = Vec::new();
        for (i, value) in inputs.into_iter().enumerate() {
            let mut value = moved(value, &device);
            let is_float = matches!(value, Value::F32(_) | Value::F64(_));
            let slot = (is_float && by_inputs[i]).then(|| tape.slot());
            number(&mut value, slot);
            given.push(value);
            input_slots.push(slot);
        }
        let outputs = self.program.run(weights, given, &tape, &device)?;
        Ok(Ran {
            outputs,
            tape,
            weights: slots,
            inputs: input_slots,
        })
    }
}

/// Gives a value its number on the tape.
fn number(value: &mut Value, slot: Option<usize>) {
    match value {
        Value::F32(x) => x.slot = slot,
        Value::F64(x) => x.slot = slot,
        _ => {}
    }
}

fn moved(value: Value, device: &Device) -> Value {
    fn raw<T: super::value::Entry>(x: super::value::Array<T>, device: &Device) -> Value {
        T::wrap(super::value::Array::plain(x.raw.to(device), false))
    }
    super::value::each!(value, x => raw(x, device))
}

/// The steps of a run, with the numbers of what it is differentiated by.
#[derive(Clone)]
struct Pullback {
    steps: Steps,
    outputs: Vec<Option<usize>>,
    weights: Vec<usize>,
    inputs: Vec<Option<usize>>,
}

impl Pullback {
    fn new(ran: Ran) -> Self {
        Pullback {
            outputs: ran.outputs.iter().map(Value::slot).collect(),
            steps: ran.tape.finish(),
            weights: ran.weights,
            inputs: ran.inputs,
        }
    }

    fn put(slots: &mut Slots, slot: usize, value: Value) {
        match value {
            Value::F32(x) => slots.add(slot, x.raw),
            Value::F64(x) => slots.add(slot, x.raw),
            _ => {}
        }
    }

    /// The cotangents of the weights and of the inputs.
    fn pull(&self, cts: Vec<Option<Value>>) -> (Vec<Option<Stored>>, Vec<Option<Value>>) {
        let mut slots = self.steps.zeros();
        for (slot, ct) in self.outputs.iter().zip(cts) {
            if let (Some(slot), Some(ct)) = (slot, ct) {
                Pullback::put(&mut slots, *slot, ct);
            }
        }
        self.steps.pull(&mut slots);
        let weights = self.weights.iter();
        let weights = weights.map(|&s| slots.take_any(s).and_then(Stored::of));
        let weights = weights.collect();
        let inputs = self.inputs.iter();
        let inputs = inputs.map(|s| slots.take_any((*s)?)).collect();
        (weights, inputs)
    }

    /// The tangents of the outputs.
    fn push(&self, weights: &Weights, inputs: Vec<Option<Value>>) -> Vec<Option<Value>> {
        let mut slots = self.steps.zeros();
        for (slot, t) in self.weights.iter().zip(&weights.values) {
            Pullback::put(&mut slots, *slot, t.value());
        }
        for (slot, t) in self.inputs.iter().zip(inputs) {
            if let (Some(slot), Some(t)) = (slot, t) {
                Pullback::put(&mut slots, *slot, t);
            }
        }
        self.steps.push(&mut slots);
        let outputs = self.outputs.iter();
        outputs.map(|s| slots.get_any((*s)?)).collect()
    }
}

/// `forward` and its companions, for models of one number of inputs.
macro_rules! forward {
    ($([$In:ty] [$($g:ident: $bound:path),+] [$($where:tt)*] $(($x:ident $A:ty, $M:ident $d:ident $t:ident $i:tt))+;)*) => { $(
        impl<$($g: $bound,)+ Out: Ends> Model<$In, Out>
        where
            $($where)*
        {
            /// Runs the model.
            ///
            /// # Panics
            /// With the error of [`try_forward`](Model::try_forward).
            #[track_caller]
            pub fn forward(&self, $($x: &$A),+) -> Out {
                match self.try_forward($($x),+) {
                    Ok(out) => out,
                    Err(e) => panic!("{e}"),
                }
            }

            /// Runs the model.
            ///
            /// # Errors
            /// Inputs whose sizes do not fit the model or one of its nodes, or that are on other devices than the weights;
            /// outputs of other sizes than the program says.
            pub fn try_forward(&self, $($x: &$A),+) -> Result<Out, ModelError> {
                let mut sizes = Sizes::default();
                let inputs = vec![$($x.give(&self.program.inputs[$i], &mut sizes)?),+];
                let ran = self.run(inputs, &[$(End::place($x)),+], false, &[$({ let _ = $i; false }),+])?;
                Out::take(ran.outputs, &self.program.outputs, &sizes)
            }

            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            fn ran(&self, by_weights: bool, by_inputs: &[bool], $($x: &$A),+) -> (Out, Pullback) {
                let run = || {
                    let mut sizes = Sizes::default();
                    let inputs = vec![$($x.give(&self.program.inputs[$i], &mut sizes)?),+];
                    let ran = self.run(inputs, &[$(End::place($x)),+], by_weights, by_inputs)?;
                    let out = Out::take(ran.outputs.clone(), &self.program.outputs, &sizes)?;
                    Ok((out, Pullback::new(ran)))
                };
                run().unwrap_or_else(|e: ModelError| panic!("{e}"))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity, clippy::too_many_arguments)]
            #[track_caller]
            pub fn __forward_vjp<M: Mode, $($M: Mode),+>(
                &self,
                _: (M, $($M),+),
                $($x: &$A),+
            ) -> (
                Out,
                impl FnOnce(Ct<Out>, &Self, $(&$A,)+ &mut Adj<Self, M>, $(&mut Adj<$A, $M>),+) + Clone + use<M, $($M,)+ $($g,)+ Out>,
            ) {
                let (out, pullback) = self.ran(M::ON, &[$($M::ON),+], $($x),+);
                (out, move |ct: Ct<Out>, _: &Self, $($x: &$A,)+ d: &mut Adj<Self, M>, $($d: &mut Adj<$A, $M>),+| {
                    let (weights, inputs) = pullback.pull(Out::cotangents(ct));
                    if M::ON {
                        d.acc(WeightsAcc(weights));
                    }
                    let mut inputs = inputs.into_iter();
                    $(
                        if let Some(Some(ct)) = inputs.next() {
                            $x.accumulate::<$M>($d, ct);
                        }
                    )+
                })
            }

            #[doc(hidden)]
            #[track_caller]
            #[allow(clippy::too_many_arguments)]
            pub fn __forward_jvp(&self, t: &Weights, $($x: &$A, $t: &<$A as Differentiable>::Tangent),+) -> (Out, Out::Tangent) {
                let (out, pullback) = self.ran(true, &[$({ let _ = $i; true }),+], $($x),+);
                let tangents = pullback.push(t, vec![$(<$A as End>::tangent($t)),+]);
                let tangent = out.as_tangents(tangents);
                (out, tangent)
            }
        }
    )* };
}
forward! {
    [Tensor<S, T>] [S: Shape, T: Elem] [Tensor<S, T>: End] (a Tensor<S, T>, MA da ta 0);
    [(A,)] [A: End] [] (a A, MA da ta 0);
    [(A, B)] [A: End, B: End] [] (a A, MA da ta 0) (b B, MB db tb 1);
    [(A, B, C)] [A: End, B: End, C: End] [] (a A, MA da ta 0) (b B, MB db tb 1) (c C, MC dc tc 2);
    [(A, B, C, D)] [A: End, B: End, C: End, D: End] []
        (a A, MA da ta 0) (b B, MB db tb 1) (c C, MC dc tc 2) (e D, MD de te 3);
    [(A, B, C, D, E)] [A: End, B: End, C: End, D: End, E: End] []
        (a A, MA da ta 0) (b B, MB db tb 1) (c C, MC dc tc 2) (e D, MD de te 3) (f E, ME df tf 4);
    [(A, B, C, D, E, F)] [A: End, B: End, C: End, D: End, E: End, F: End] []
        (a A, MA da ta 0) (b B, MB db tb 1) (c C, MC dc tc 2) (e D, MD de te 3) (f E, ME df tf 4) (g F, MF dg tg 5);
}

impl<In, Out> ToDevice for Model<In, Out> {
    fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn AnyStorage)) {
        for weight in &mut self.weights {
            stored!(&mut weight.stored, x => each(x));
        }
    }
}
