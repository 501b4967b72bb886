//! Functions as graphs of their own.

use super::flow::{Leaves, mapped};
use crate::Graph;
use crate::any::{AnyTensor, kind, typed};
use autodiff_core::device::record::{
    self, AnyBuffer, GraphError, NodeOperand, Output, Plan, Recorder, Run,
};
use autodiff_core::device::{DType, Device, Dims, Layout};
use autodiff_core::tensor::Raw;
use core::fmt;

/// A function that a node of control flow runs: an attribute of nodes `cond`, `while_loop` and of their pullbacks.
///
/// Its values have the numbers that they have in the graph around it.
#[derive(Clone)]
pub struct Subgraph {
    graph: Graph,
    plan: Plan,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    captured: Vec<usize>,
}

impl Subgraph {
    /// What it runs; its outputs are named `result0`, `result1`, ...
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The values that it is called with.
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// The values that it gives.
    pub fn outputs(&self) -> &[usize] {
        &self.outputs
    }

    /// The values and constants of the program around it that it reads: operands of its node.
    pub fn captured(&self) -> &[usize] {
        &self.captured
    }

    /// What it gives for these arguments.
    pub(super) fn run(
        &self,
        run: &Run<'_>,
        args: &[AnyBuffer],
        captured: &[AnyBuffer],
    ) -> Result<Vec<AnyBuffer>, GraphError> {
        let mut inner = run.within(&self.graph, &self.plan);
        let given = self.inputs.iter().zip(args);
        for (&value, buffer) in given.chain(self.captured.iter().zip(captured)) {
            inner.give(value, buffer.clone());
        }
        inner.run()?;
        Ok(self.outputs.iter().map(|&v| inner.any_buffer(v)).collect())
    }

    /// The buffers of what it captures.
    pub(super) fn capture(&self, run: &mut Run<'_>) -> Vec<AnyBuffer> {
        self.captured.iter().map(|&v| run.any_buffer(v)).collect()
    }
}

/// The lines of its graph.
impl fmt::Debug for Subgraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{\n")?;
        for line in self.graph.to_string().lines() {
            writeln!(f, "    {line}")?;
        }
        f.write_str("}")
    }
}

/// A recorded tensor that lies alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leaf {
    pub value: usize,
    pub dtype: DType,
    pub dims: Dims,
}

impl Leaf {
    pub fn kind(&self) -> (DType, Dims) {
        (self.dtype, self.dims)
    }

    pub fn operand(&self, name: &'static str) -> NodeOperand {
        NodeOperand {
            name,
            value: self.value,
            layout: Layout::dense(self.dims),
        }
    }
}

/// The tensors of a value, each alone in a recorded buffer.
///
/// # Panics
/// At one that this recorder did not record.
#[track_caller]
pub(super) fn leaves<L: Leaves>(of: L, recorder: &Recorder, what: &'static str) -> (L, Vec<Leaf>) {
    let own = recorder.clone();
    mapped(of, move |_, x: &mut dyn AnyTensor| {
        let device = x.device().clone();
        assert!(
            matches!(&device, Device::Recorder(r) if *r == own),
            "{what} is on {device}, expected a tensor of the recording"
        );
        x.lie_alone();
        Leaf {
            value: x.value().expect("a tensor on a recorder"),
            dtype: x.dtype(),
            dims: *x.layout().dims(),
        }
    })
}

/// The same value made of new inputs, whose numbers come beside it.
pub(super) fn fresh<L: Leaves>(of: L, recorder: &Recorder, name: &'static str) -> (L, Vec<usize>) {
    let own = recorder.clone();
    mapped(of, move |at, x: &mut dyn AnyTensor| {
        x.renew(&own, &format!("{name}{at}"))
    })
}

/// The same value made of recorded values, in order.
pub(super) fn pointed<L: Leaves>(of: L, recorder: &Recorder, values: &[usize]) -> L {
    let (own, values) = (recorder.clone(), values.to_vec());
    mapped(of, move |at, x: &mut dyn AnyTensor| {
        x.point(&own, values[at]);
    })
    .0
}

/// Records `f` as a graph. It gives what the graph is called with, and what comes out, whose tensors come beside the graph.
#[track_caller]
pub(super) fn subgraph<L: Leaves>(
    recorder: &Recorder,
    operation: &'static str,
    f: impl FnOnce() -> (Vec<usize>, L),
) -> (Subgraph, L, Vec<Leaf>) {
    let device = Device::Recorder(recorder.clone());
    let ((inputs, out, made), inside) = recorder.body(operation, || {
        device.scope(|| {
            let (inputs, out) = f();
            let (out, made) = leaves(out, recorder, "what a body of control flow gives");
            (inputs, out, made)
        })
    });
    let outputs = made.iter().enumerate().map(|(k, leaf)| Output {
        name: format!("result{k}").into(),
        value: leaf.value,
        layout: Layout::dense(leaf.dims),
    });
    let (values, nodes) = (inside.values().to_vec(), inside.nodes().to_vec());
    let graph = record::Graph::of(values, nodes, outputs.collect());
    let values: Vec<usize> = made.iter().map(|leaf| leaf.value).collect();
    let plan = graph.plan(&values);
    let given = plan.given().iter().copied();
    let subgraph = Subgraph {
        captured: given.filter(|v| !inputs.contains(v)).collect(),
        graph: Graph::new(graph),
        plan,
        inputs,
        outputs: values,
    };
    (subgraph, out, made)
}

/// The operands for what bodies capture, each once.
pub(super) fn captures(bodies: &[&Subgraph]) -> Vec<NodeOperand> {
    let mut all: Vec<usize> = bodies
        .iter()
        .flat_map(|b| b.captured.iter().copied())
        .collect();
    all.sort_unstable();
    all.dedup();
    let dims = |value: usize| {
        let of = bodies.iter().find(|b| b.captured.contains(&value));
        *of.expect("one of the bodies").graph.values()[value].dims()
    };
    let operand = |value| NodeOperand {
        name: "captured",
        value,
        layout: Layout::dense(dims(value)),
    };
    all.into_iter().map(operand).collect()
}

/// The truth value in a buffer.
pub(super) fn is_true(
    buffer: AnyBuffer,
    layout: Layout,
    device: &Device,
) -> Result<bool, GraphError> {
    let raw = Raw::from_shared(device, typed::<bool>(buffer), layout);
    let read = raw.try_to_vec().map_err(|error| GraphError::Device {
        device: device.to_string(),
        error: error.to_string(),
    })?;
    Ok(read[0])
}

/// As text: `f32 [2], i64 []`.
pub(super) fn kinds(leaves: &[Leaf]) -> String {
    let kinds = leaves.iter().map(|leaf| kind(leaf.dtype, &leaf.dims));
    kinds.collect::<Vec<_>>().join(", ")
}
