//! Nodes and values.

use super::attr::Attr;
use super::run::{AnyBuffer, GraphError, Run};
use crate::device::{Backend, DType, Device, Dims, Elem, Layout, Write};
use core::any::Any;
use core::fmt;
use core::ops::Range;
use core::panic::Location;
use std::sync::Arc;

/// A recorded program: values, and the nodes that make them, in an order in which they can run.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub(super) values: Vec<Value>,
    pub(super) nodes: Vec<Node>,
    pub(super) outputs: Vec<Output>,
    /// The values that were made in bodies of control flow: the first body is the innermost.
    pub(super) bodies: Vec<Inside>,
}

/// Values of a body, the operation that it belongs to, and the line that asked for it.
pub(super) type Inside = (Range<usize>, &'static str, &'static Location<'static>);

/// A part of a value that the program names.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name.
    pub name: Arc<str>,
    /// The number of the value.
    pub value: usize,
    /// Which of the elements of its buffer.
    pub layout: Layout,
}

/// A buffer as one node, an input or a constant leaves it.
#[derive(Clone, Debug)]
pub struct Value {
    pub(super) dtype: DType,
    pub(super) len: usize,
    /// Of an element.
    pub(super) size: usize,
    pub(super) dims: Dims,
    pub(super) origin: Origin,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It is given to a run, under this name.
    Input(Arc<str>),
    /// It is known.
    Constant(Constant),
    /// A buffer that nobody has written yet.
    Unwritten,
    /// The node of this number.
    Node(usize),
}

/// Numbers that a graph holds.
#[derive(Clone)]
pub struct Constant {
    data: Arc<dyn Any + Send + Sync>,
    same: fn(&Constant, &Constant) -> bool,
    upload: fn(&Constant, &Device) -> AnyBuffer,
}

impl Constant {
    pub(super) fn new<T: Elem>(data: Vec<T>) -> Self {
        Constant {
            data: Arc::new(data),
            same: |a, b| match (a.get::<T>(), b.get::<T>()) {
                (Some(a), Some(b)) => {
                    let sign = |x: &T| x.to_f64().is_sign_negative();
                    let same = |(a, b): (&T, &T)| a == b && sign(a) == sign(b);
                    !T::COMPOSITE && a.len() == b.len() && a.iter().zip(b).all(same)
                }
                _ => false,
            },
            upload: |constant, device| {
                let data = constant.get::<T>();
                let data = data.expect("the type that it was made of");
                Arc::new(device.upload(data))
            },
        }
    }

    /// The elements of the buffer, if they are of this type.
    pub fn get<T: Elem>(&self) -> Option<&[T]> {
        self.data.downcast_ref::<Vec<T>>().map(Vec::as_slice)
    }

    /// Whether another has the same elements, to the last bit; a NaN is like no other.
    pub fn same(&self, other: &Constant) -> bool {
        (self.same)(self, other)
    }

    pub(super) fn on(&self, device: &Device) -> AnyBuffer {
        (self.upload)(self, device)
    }
}

impl fmt::Debug for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// A value that a node reads.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOperand {
    /// Its name in [`Backend`](crate::device::Backend).
    pub name: &'static str,
    /// The number of the value.
    pub value: usize,
    /// Which of the elements of its buffer.
    pub layout: Layout,
}

/// A value that a node makes.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeResult {
    /// Its name in [`Backend`](crate::device::Backend).
    pub name: &'static str,
    /// The number of the value.
    pub value: usize,
    /// The value whose buffer it takes over. Unless it is [`Origin::Unwritten`], what was there stays where the node does
    /// not write, or is read by it.
    pub base: usize,
    /// Which of the elements of its buffer are written.
    pub layout: Layout,
}

/// What a method was given for one of its operands, or for an element of an array or a struct of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    /// The operand of this position in [`Node::operands`].
    Read(usize),
    /// The result of this position in [`Node::results`].
    Written(usize),
    /// A number in place of a tensor.
    Number(f64),
    /// What is in the result: the operation runs in place.
    Output,
    /// Nothing.
    Absent,
    /// What happens to what is in the result.
    Write(Write),
}

/// An operation of the graph: a call of a method of [`Backend`](crate::device::Backend).
#[derive(Clone)]
pub struct Node {
    pub(super) operation: &'static str,
    pub(super) attributes: Vec<Attr>,
    pub(super) operands: Vec<NodeOperand>,
    pub(super) results: Vec<NodeResult>,
    pub(super) arguments: Vec<Argument>,
    pub(super) accumulates: bool,
    pub(super) location: &'static Location<'static>,
    pub(super) scope: Arc<str>,
    pub(super) again: Again,
}

/// How a node runs.
pub(super) type Again = Arc<dyn Fn(&mut Run<'_>) -> Result<(), GraphError> + Send + Sync>;

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("operation", &self.operation)
            .field("attributes", &self.attributes)
            .field("operands", &self.operands)
            .field("results", &self.results)
            .finish_non_exhaustive()
    }
}

impl Node {
    /// The method, such as `gemm`.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// What it is told beside its operands.
    pub fn attributes(&self) -> &[Attr] {
        &self.attributes
    }

    /// One of them by its name and type.
    pub fn attribute<A: Any>(&self, name: &str) -> Option<&A> {
        let named = self.attributes.iter().find(|a| a.name() == name);
        named?.get()
    }

    /// What it reads.
    pub fn operands(&self) -> &[NodeOperand] {
        &self.operands
    }

    /// What it makes.
    pub fn results(&self) -> &[NodeResult] {
        &self.results
    }

    /// What the method was given for each operand, in the order of its parameters.
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// Whether it adds to its results, so that it reads their bases.
    pub fn accumulates(&self) -> bool {
        self.accumulates
    }

    /// The names of the functions and scopes that it was recorded in, as `loss/forward`; empty outside of all.
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// The line of the program that asked for it.
    pub fn location(&self) -> &'static Location<'static> {
        self.location
    }
}

impl Value {
    /// The type of its elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The sizes with which it was made.
    pub fn dims(&self) -> &Dims {
        &self.dims
    }

    /// The number of elements of its buffer.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes of its buffer.
    pub fn bytes(&self) -> usize {
        self.len * self.size
    }

    /// The bytes of an element.
    pub fn element_bytes(&self) -> usize {
        self.size
    }

    /// Whether its buffer has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The type of its elements and its sizes, as text: `f32 [2, 3]`.
    pub fn kind(&self) -> String {
        format!("{} {:?}", self.dtype, self.dims.as_slice())
    }

    /// Where it comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl Graph {
    /// A graph of these nodes, each behind those whose results it reads, and of values that say so.
    pub fn of(values: Vec<Value>, nodes: Vec<Node>, outputs: Vec<Output>) -> Self {
        Graph {
            values,
            nodes,
            outputs,
            bodies: Vec::new(),
        }
    }

    /// The same graph where these values are inputs, whatever else they are: a run is given them instead of computing them.
    #[must_use]
    pub fn given(&self, values: &[usize]) -> Self {
        let mut graph = self.clone();
        for &value in values {
            let value = &mut graph.values[value];
            if !matches!(value.origin, Origin::Input(_)) {
                value.origin = Origin::Input(value.kind().into());
            }
        }
        graph
    }

    /// The nodes, each behind those whose results it reads.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The values, by number.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// What the program names, in the order in which it did.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The values that a node reads: its operands, and what its results keep of the buffers that they take over.
    pub fn reads<'g>(&'g self, node: &'g Node) -> impl Iterator<Item = usize> + 'g {
        let kept = node.results.iter().map(|r| r.base);
        let kept = kept.filter(|&v| !matches!(self.values[v].origin, Origin::Unwritten));
        node.operands.iter().map(|o| o.value).chain(kept)
    }

    /// Which nodes are needed for these values.
    pub(super) fn needed(&self, wanted: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        let mut open: Vec<usize> = wanted.into_iter().collect();
        while let Some(value) = open.pop() {
            if let Origin::Node(node) = self.values[value].origin
                && !core::mem::replace(&mut needed[node], true)
            {
                open.extend(self.reads(&self.nodes[node]));
            }
        }
        needed
    }

    /// The graph without the nodes that its outputs do not need, and those nodes. Values keep their numbers, by which nodes
    /// know them; those that nobody needs are [`Origin::Unwritten`].
    pub fn pruned(&self) -> (Graph, Vec<Node>) {
        let outputs = || self.outputs.iter().map(|o| o.value);
        let needed = self.needed(outputs());
        let mut pruned = Graph {
            values: self.values.clone(),
            nodes: Vec::new(),
            outputs: self.outputs.clone(),
            bodies: self.bodies.clone(),
        };
        let (mut dropped, mut places) = (Vec::new(), Vec::new());
        for (node, needed) in self.nodes.iter().zip(needed) {
            places.push(needed.then_some(pruned.nodes.len()));
            let to = if needed {
                &mut pruned.nodes
            } else {
                &mut dropped
            };
            to.push(node.clone());
        }
        let mut used = vec![false; self.values.len()];
        let made = |node: &Node| Vec::from_iter(node.results.iter().map(|r| r.value));
        let values = pruned
            .nodes
            .iter()
            .flat_map(|n| self.reads(n).chain(made(n)));
        values.chain(outputs()).for_each(|v| used[v] = true);
        for (value, used) in pruned.values.iter_mut().zip(used) {
            value.origin = match &value.origin {
                Origin::Node(node) => places[*node].map_or(Origin::Unwritten, Origin::Node),
                origin if used => origin.clone(),
                _ => Origin::Unwritten,
            };
        }
        (pruned, dropped)
    }

    /// The inputs that a value depends on, by their numbers.
    pub fn inputs_of(&self, value: usize) -> Vec<usize> {
        let needed = self.needed([value]);
        let nodes = self.nodes.iter().zip(needed).filter(|(_, needed)| *needed);
        let mut inputs: Vec<usize> = nodes
            .flat_map(|(node, _)| self.reads(node))
            .chain([value])
            .filter(|&v| matches!(self.values[v].origin, Origin::Input(_)))
            .collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }
}
