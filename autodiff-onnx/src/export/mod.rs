//! Recorded graphs as ONNX models.
//!
//! A model is made in four steps: each operation of the recording becomes operators with sizes (`lower` and `rules`), equal
//! operators are one and constants fold on the way (`ir`, `build`); what nobody needs goes (`tidy`); models of one program with
//! several batches become one for every batch (`batch`); values get names (`model`).
//!
//! | file | what it has |
//! |---|---|
//! | `source` | what is written: graphs, recordings, sessions |
//! | `lower` | operands and results of recorded operations |
//! | `rules` | the operations, in families |
//! | `view` | layouts as `Reshape`, `Slice`, `Transpose` |
//! | `formula` | formulas of single numbers |
//! | `build` | operators of elements, and their sizes |
//! | `shape` | operators that move elements and join them |
//! | `ir` | values and nodes |
//! | `tidy` | unused nodes, `Gemm` |
//! | `batch` | sizes that depend on the batch |
//! | `model` | names, and the messages of the file |

mod batch;
mod build;
mod error;
mod formula;
mod ir;
mod lower;
mod model;
mod rules;
mod shape;
mod source;
mod tidy;
mod view;

pub use error::OnnxError;
pub use source::Source;

use crate::proto::ModelProto;
use autodiff_core::io::write_atomically;
use autodiff_graph::Recording;
use batch::Sample;
use lower::Lower;
use std::collections::HashMap;
use std::path::Path;

/// The version of the operators that models are written in.
pub const OPSET: i64 = model::OPSET;

/// The names of the operations that models can have, and of those that ONNX cannot say, each with the way out.
#[doc(hidden)]
pub fn operations() -> (Vec<&'static str>, &'static [(&'static str, &'static str)]) {
    rules::table()
}

/// A recorded graph as an ONNX model: its inputs and outputs by their names, its variables as what the model holds.
///
/// ```
/// use differentiable::graph::Recording;
/// use differentiable::onnx;
/// use differentiable::prelude::*;
///
/// #[differentiable]
/// fn layer(x: &Tensor![2, 3], w: &Tensor![3, 4], b: &Tensor![4]) -> Tensor![2, 4] {
///     (x.matmul(w) + b).relu()
/// }
///
/// let recording = Recording::new();
/// let x = recording.input("x", Default::default());
/// let w = recording.variable("w", &Tensor::ones());
/// let b = recording.variable("b", &tensor([1.0, 2.0, 3.0, 4.0]));
/// let y = recording.scope(|| layer(&x, &w, &b));
/// recording.output("y", &y);
///
/// let graph = onnx::model(&recording)?.graph.unwrap();
/// let operators: Vec<&str> = graph.node.iter().map(|n| n.op_type.as_str()).collect();
/// assert_eq!(operators, ["Gemm", "Relu"]);
/// assert_eq!(graph.initializer[0].name, "w");
/// # Ok::<(), onnx::OnnxError>(())
/// ```
///
/// # Errors
/// An operation that ONNX cannot say, a graph without outputs, two inputs or outputs of one name.
pub fn model(source: &impl Source) -> Result<ModelProto, OnnxError> {
    let sample = sample(source, 0)?;
    let Sample {
        ir,
        nodes,
        inputs,
        outputs,
        ..
    } = &sample;
    model::proto(ir, nodes, inputs, outputs, &HashMap::new())
}

fn sample(source: &impl Source, batch: usize) -> Result<Sample, OnnxError> {
    let (graph, variables) = source.parts()?;
    if graph.outputs().is_empty() {
        return Err(OnnxError::NoOutputs);
    }
    let (mut ir, inputs, mut outputs) = Lower::run(&graph, &variables)?;
    let mut ids: Vec<_> = outputs.iter().map(|o| o.1).collect();
    tidy::with_axes(&mut ir, &mut ids);
    tidy::with_biases(&mut ir, &ids);
    tidy::with_gemm(&mut ir, &ids);
    for (output, id) in outputs.iter_mut().zip(&ids) {
        output.1 = *id;
    }
    let nodes = tidy::needed(&ir, &ids);
    Ok(Sample {
        batch,
        ir,
        nodes,
        inputs,
        outputs,
    })
}

/// Writes a recorded graph as an ONNX file, as [`model`]. The file is there as a whole or not at all.
///
/// # Errors
/// As [`model`], and what goes wrong when the file is written.
pub fn save(source: &impl Source, path: impl AsRef<Path>) -> Result<(), OnnxError> {
    model(source)?.save(path)
}

/// Batches with which a program is recorded. Other sizes of a program are rarely the same; and what is rounded, such as half of
/// the batch, does not lie on a line through odd and even ones.
const BATCHES: [[usize; 3]; 2] = [[11, 13, 38], [67, 71, 158]];

/// A program as an ONNX model for every batch: `record` records it for the batch that it is given, and is called several times.
/// Sizes that follow the batch become sizes of the model by the name `batch`.
///
/// ```
/// use differentiable::nn::*;
/// use differentiable::onnx;
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[module]
/// struct Net {
///     hidden: Linear<2, 8>,
///     out: Linear<8, 1>,
/// }
///
/// #[differentiable]
/// impl Net {
///     fn forward(&self, x: &Tensor![Batch, 2]) -> Tensor![Batch, 1] {
///         self.out.forward(&self.hidden.forward(x).tanh())
///     }
/// }
///
/// let net = Net::new(&mut Seeds::new(0));
/// let model = onnx::export(|recording, batch| {
///     let net = recording.module(&net);
///     let x = recording.input("x", (Batch(batch), Sz));
///     recording.output("y", &recording.scope(|| net.forward(&x)));
/// })?;
/// let graph = model.graph.as_ref().unwrap();
/// let operators: Vec<&str> = graph.node.iter().map(|n| n.op_type.as_str()).collect();
/// assert_eq!(operators, ["Gemm", "Tanh", "Gemm"]);
/// let names: Vec<&str> = graph.initializer.iter().map(|t| t.name.as_str()).collect();
/// assert_eq!(names, ["hidden.weight", "hidden.bias", "out.weight", "out.bias"]);
/// model.save(std::env::temp_dir().join("net.onnx"))?;
/// # Ok::<(), onnx::OnnxError>(())
/// ```
///
/// # Errors
/// As [`model`]. If a size depends on the batch in another way than `a + b·batch` with whole numbers `a` and `b`, or another
/// number in another way than `a + b·batch` or `a/batch`; if the program does other things for other batches.
pub fn export(mut record: impl FnMut(&Recording, usize)) -> Result<ModelProto, OnnxError> {
    let mut with = |batches: [usize; 3]| -> Result<ModelProto, OnnxError> {
        let mut samples = Vec::new();
        for batch in batches {
            let recording = Recording::new();
            record(&recording, batch);
            samples.push(sample(&recording, batch)?);
        }
        let [a, b, c] = &samples[..] else {
            unreachable!("a sample for each batch")
        };
        let (ir, nodes, sizes) = batch::merge([a, b, c])?;
        model::proto(&ir, &nodes, &a.inputs, &a.outputs, &sizes)
    };
    match with(BATCHES[0]) {
        // A size of the program may be that of the batch by chance.
        Err(OnnxError::Batch { .. }) => with(BATCHES[1]),
        result => result,
    }
}

impl ModelProto {
    /// Writes the file. It is there as a whole or not at all.
    ///
    /// # Errors
    /// A model of more than 2 GiB, and what goes wrong when the file is written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), OnnxError> {
        let path = path.as_ref();
        let written = write_atomically(path, &self.encode()?);
        written.map_err(|error| OnnxError::Write {
            path: path.to_owned(),
            error,
        })
    }
}
