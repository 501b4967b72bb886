//! A graph for TensorBoard. The numbers of the fields are those of `graph.proto`, `node_def.proto`, `attr_value.proto`,
//! `tensor_shape.proto`, `types.proto` and `versions.proto` of `tensorflow/core/framework`, and of `util/event.proto`.

use super::labels::{attributes, cut};
use super::names::Names;
use crate::Graph;
use autodiff_core::device::record::Origin;
use autodiff_core::device::{DType, Dims};
use autodiff_core::io::proto::Message;
use autodiff_core::io::records;
use std::collections::HashSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// Characters of an attribute.
const LONG: usize = 400;

/// The number of a type in `types.proto`; `DT_VARIANT` for numbers that TensorFlow does not have.
fn type_number(dtype: DType) -> u64 {
    match dtype {
        DType::F32 => 1,
        DType::F64 => 2,
        DType::U8 => 4,
        DType::I64 => 9,
        DType::Bool => 10,
        DType::Bf16 => 14,
        DType::F16 => 19,
        DType::U32 => 22,
        DType::MixedBf16 | DType::MixedF16 => 1,
        DType::Dual => 21,
    }
}

/// A node of a `GraphDef`.
struct Node<'n> {
    name: &'n str,
    op: &'n str,
    inputs: Vec<String>,
    /// The type and the sizes of each result.
    results: Vec<(DType, Dims)>,
    attributes: Vec<(&'static str, String)>,
}

impl Node<'_> {
    fn encode(&self) -> Message {
        let (name, op, input, attr) = (1, 2, 3, 5);
        let entry = |key: &str, value: Message| {
            Message::default()
                .bytes(1, key.as_bytes())
                .message(2, value)
        };
        let mut node = Message::default()
            .bytes(name, self.name.as_bytes())
            .bytes(op, self.op.as_bytes());
        for from in &self.inputs {
            node = node.bytes(input, from.as_bytes());
        }
        if let Some((dtype, _)) = self.results.first() {
            let dtype = Message::default().integer(6, type_number(*dtype));
            node = node.message(attr, entry("dtype", dtype));
            let shape = 7;
            let shapes = self
                .results
                .iter()
                .fold(Message::default(), |list, (_, dims)| {
                    let sizes = dims.as_slice().iter();
                    let dims = sizes.fold(Message::default(), |shape, &size| {
                        shape.message(2, Message::default().integer(1, size as u64))
                    });
                    list.message(shape, dims)
                });
            node = node.message(
                attr,
                entry("_output_shapes", Message::default().message(1, shapes)),
            );
        }
        for (name, text) in &self.attributes {
            node = node.message(
                attr,
                entry(name, Message::default().bytes(2, text.as_bytes())),
            );
        }
        node
    }
}

/// Names as TensorFlow allows them, each once.
#[derive(Default)]
struct Unique(HashSet<String>);

impl Unique {
    fn name(&mut self, name: &str) -> String {
        let is_allowed =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '>');
        let mut plain: String = name
            .chars()
            .map(|c| if is_allowed(c) { c } else { '_' })
            .collect();
        if !plain.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.') {
            plain.insert(0, '.');
        }
        let mut unique = plain.clone();
        let mut count = 0;
        while !self.0.insert(unique.clone()) {
            count += 1;
            unique = format!("{plain}_{count}");
        }
        unique
    }
}

impl Graph {
    /// What the outputs need as a `GraphDef` of TensorFlow, for the page "Graphs" of TensorBoard: scopes are groups that open,
    /// and arrows bear types and sizes. The operations are those of this library, so TensorFlow does not run it.
    ///
    /// `TensorBoard::graph` of the logs of a training run writes it beside their curves; [`to_event_file`](
    /// Graph::to_event_file) is a file of its own.
    #[must_use]
    pub fn to_graph_def(&self) -> Vec<u8> {
        let (names, node_names) = (Names::of(self), self.node_names());
        let (mut unique, mut graph) = (Unique::default(), Message::default());
        let mut places: Vec<Option<String>> = vec![None; self.values().len()];
        let mut add = |node: Node<'_>| {
            graph = std::mem::take(&mut graph).message(1, node.encode());
        };
        for (number, value) in names.given(self) {
            let is_input = matches!(value.origin(), Origin::Input(_));
            let name = match is_input {
                true => unique.name(names.value(number)),
                false => unique.name(&format!(
                    "constant{}",
                    names.value(number).replace('%', "_")
                )),
            };
            add(Node {
                name: &name,
                op: if is_input { "Placeholder" } else { "Const" },
                inputs: Vec::new(),
                results: vec![(value.dtype(), *value.dims())],
                attributes: Vec::new(),
            });
            places[number] = Some(name);
        }
        for &number in &names.nodes {
            let node = &self.nodes()[number];
            let name = unique.name(&node_names[number]);
            for (port, result) in node.results().iter().enumerate() {
                places[result.value] = Some(match port {
                    0 => name.clone(),
                    port => format!("{name}:{port}"),
                });
            }
            let mut told = Vec::new();
            let text = attributes(self, node);
            if !text.is_empty() {
                told.push(("attributes", cut(text, LONG)));
            }
            let at = node.location();
            told.push(("location", format!("{}:{}", at.file(), at.line())));
            let results = node.results().iter().map(|r| &self.values()[r.value]);
            add(Node {
                name: &name,
                op: node.operation(),
                inputs: self.reads(node).filter_map(|v| places[v].clone()).collect(),
                results: results.map(|v| (v.dtype(), *v.dims())).collect(),
                attributes: told,
            });
        }
        for output in self.outputs() {
            let value = &self.values()[output.value];
            let name = unique.name(&output.name);
            add(Node {
                name: &name,
                op: "Output",
                inputs: places[output.value].iter().cloned().collect(),
                results: vec![(value.dtype(), *output.layout.dims())],
                attributes: Vec::new(),
            });
        }
        // The version from which on TensorFlow knows all that is in it.
        let versions = Message::default().integer(1, 21);
        graph.message(4, versions).into_bytes()
    }

    /// A file that TensorBoard shows as a graph, if it is in its directory and `tfevents` is in its name.
    ///
    /// ```
    /// use differentiable::graph::Recording;
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![2, 3] = recording.input("x", Default::default());
    /// recording.output("y", &x.tanh());
    /// let folder = std::env::temp_dir().join("a-graph"); // tensorboard --logdir a-graph
    /// std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("events.out.tfevents.1"), recording.graph().to_event_file())?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn to_event_file(&self) -> Vec<u8> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_secs_f64();
        let (time, version, graph) = (1, 3, 4);
        let event = || Message::default().double(time, now);
        let mut file = Vec::new();
        records::frame(
            &event().bytes(version, b"brain.Event:2").into_bytes(),
            &mut file,
        );
        records::frame(
            &event().bytes(graph, &self.to_graph_def()).into_bytes(),
            &mut file,
        );
        file
    }
}
