//! Every operator alone: against onnxruntime, and its derivatives against differences.

#[path = "../../../tests/import/archive.rs"]
#[allow(dead_code)]
mod archive;
mod derivatives;
mod operators;

use super::program::{Choice, Program};
use super::tape::Tape;
use super::value::{Array, Value};
use crate::proto::ModelProto;
use archive::{Data, Entry, Record};
use autodiff_core::device::Device;

/// The program of a record, and its inputs in the order of the program.
fn case(record: &Record) -> (Program, Vec<Value>) {
    let (_, model) = record.with("model").next().expect("a model");
    let Data::Bytes(bytes) = &model.data else {
        panic!("the model is no bytes")
    };
    let model = ModelProto::decode(bytes).unwrap();
    // Initialisers are settings here, all of which the host knows.
    let held = model.graph.iter().flat_map(|g| &g.initializer);
    let choice = Choice {
        constants: held.map(|t| t.name.clone()).collect(),
        ..Choice::default()
    };
    let (program, _) =
        Program::new(&model, &choice).unwrap_or_else(|e| panic!("{}: {e}", record.name));
    let input = |name: &str| {
        let (_, entry) = record
            .with("in:")
            .find(|(n, _)| *n == name)
            .expect("an input");
        value(entry, false)
    };
    let inputs = program.inputs.iter().map(|d| input(&d.name)).collect();
    (program, inputs)
}

fn value(entry: &Entry, known: bool) -> Value {
    fn of<T: super::value::Entry>(dims: &[usize], data: &[T], known: bool) -> Value {
        let mut array = Array::host(dims, data).unwrap();
        array.known = known;
        T::wrap(array)
    }
    match &entry.data {
        Data::F32(x) => of(&entry.dims, x, known),
        Data::F64(x) => of(&entry.dims, x, known),
        Data::I64(x) => of(&entry.dims, x, known),
        Data::Bool(x) => of(&entry.dims, x, known),
        Data::Bytes(_) => panic!("bytes are no value"),
    }
}

/// The elements of a value as `f64`.
fn numbers(value: &Value) -> Vec<f64> {
    use autodiff_core::device::Elem;
    super::value::each!(value, x => x.raw.to_vec().iter().map(|x| x.to_f64()).collect())
}

fn run(program: &Program, inputs: Vec<Value>, tape: &Tape) -> Vec<Value> {
    let outputs = program.run(Vec::new(), inputs, tape, &Device::Cpu);
    outputs.unwrap_or_else(|e| panic!("{e}"))
}
