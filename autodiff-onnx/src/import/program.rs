//! The graph of a file, checked and put in order.

use super::attributes::Attributes;
use super::error::ModelError;
use super::nodes::{Names, elements, label, node};
use super::operators::Operator;
use super::roles::roles;
use super::run::Values;
use super::tape::Tape;
use super::value::{Value, limited};
use crate::proto::{GraphProto, ModelProto, NodeProto, TypeProto, ValueInfoProto};
use autodiff_core::device::Device;
use std::collections::{BTreeSet, HashMap};

/// The versions of the operators that are supported.
pub const OPSETS: (i64, i64) = (11, 23);

/// An operation of a program.
pub struct Node {
    pub name: String,
    pub operator: &'static Operator,
    pub attributes: Attributes,
    /// The values that it reads.
    pub inputs: Vec<Option<usize>>,
    /// The values that it makes, as far as somebody reads them.
    pub outputs: Vec<Option<usize>>,
    /// How many results it declares.
    pub declared: usize,
}

/// What a file says of an input or output.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: String,
    /// The element type and the sizes, as far as it says them.
    pub kind: Option<TypeProto>,
    pub value: usize,
}

/// What becomes of an initialiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is trained.
    Parameter,
    /// Statistics: saved and moved with the parameters, not trained.
    Buffer,
    /// The host knows it.
    Constant,
}

/// A program that a file holds.
pub struct Program {
    pub nodes: Vec<Node>,
    /// The number of values.
    pub values: usize,
    pub inputs: Vec<Declared>,
    pub outputs: Vec<Declared>,
    /// The values of the parameters and buffers, in order.
    pub weights: Vec<usize>,
    pub constants: Vec<(usize, Value)>,
    pub opset: i64,
    /// How many elements a value may have.
    pub limit: usize,
}

/// What is chosen of a file.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    pub inputs: Option<Vec<String>>,
    pub outputs: Option<Vec<String>>,
    pub parameters: Vec<String>,
    pub constants: Vec<String>,
    pub limit: Option<usize>,
}

/// The tensors that are trained, or saved with those that are: name, role, elements.
pub type Weights = Vec<(String, Role, Value)>;

/// The names in a line.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    all.join(", ")
}

/// The inputs or outputs that are chosen, in that order; all of them without a choice.
fn chosen<'a>(
    all: &[&'a ValueInfoProto],
    names: Option<&Vec<String>>,
    what: &'static str,
) -> Result<Vec<&'a ValueInfoProto>, ModelError> {
    let Some(names) = names else {
        return Ok(all.to_vec());
    };
    let find = |name: &String| {
        let found = all.iter().find(|v| v.name == *name).copied();
        found.ok_or_else(|| ModelError::Name {
            what,
            name: name.clone(),
            names: list(all.iter().map(|v| &v.name[..])),
        })
    };
    names.iter().map(find).collect()
}

/// The order in which nodes can run.
fn ordered(nodes: &[NodeProto], made_by: &HashMap<&str, usize>) -> Result<Vec<usize>, ModelError> {
    let mut waits = vec![0usize; nodes.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        let before: BTreeSet<usize> = node
            .input
            .iter()
            .filter_map(|name| made_by.get(&name[..]).copied())
            .collect();
        waits[i] = before.len();
        before.iter().for_each(|&b| readers[b].push(i));
    }
    // The order of the file, where it is one.
    let mut ready: BTreeSet<usize> = (0..nodes.len()).filter(|&i| waits[i] == 0).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(i) = ready.pop_first() {
        order.push(i);
        for &reader in &readers[i] {
            waits[reader] -= 1;
            if waits[reader] == 0 {
                ready.insert(reader);
            }
        }
    }
    match waits.iter().position(|&w| w > 0) {
        None => Ok(order),
        Some(i) => Err(ModelError::Cycle {
            node: label(&nodes[i]),
            operator: nodes[i].op_type.clone(),
        }),
    }
}

impl Program {
    /// Checks a model and puts it in order. The parameters and buffers come beside it.
    pub fn new(model: &ModelProto, choice: &Choice) -> Result<(Self, Weights), ModelError> {
        let graph = model.graph.as_ref().ok_or(ModelError::NoGraph)?;
        let opset = match model.opset() {
            Some(v) if (OPSETS.0..=OPSETS.1).contains(&v) => v,
            found => {
                return Err(ModelError::Opset {
                    found,
                    expected: OPSETS,
                });
            }
        };
        let limit = choice.limit.unwrap_or(super::options::LIMIT);
        limited(limit, || Program::checked(graph, choice, opset, limit))
    }

    fn checked(
        graph: &GraphProto,
        choice: &Choice,
        opset: i64,
        limit: usize,
    ) -> Result<(Self, Weights), ModelError> {
        let mut names = Names::default();
        let roles = roles(graph, choice)?;
        // Old files list the initialisers among the inputs.
        let held: BTreeSet<&str> = graph.initializer.iter().map(|t| &t.name[..]).collect();
        let inputs: Vec<&ValueInfoProto> = graph
            .input
            .iter()
            .filter(|v| !held.contains(&v.name[..]))
            .collect();
        let mut declared = Vec::new();
        for v in &inputs {
            let value = names.define(&v.name)?;
            declared.push((v.name.clone(), value));
        }
        let (mut weights, mut constants, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for tensor in &graph.initializer {
            let number = names.define(&tensor.name)?;
            let value = elements(tensor)?;
            let finite = match &value {
                Value::F32(x) => x.raw.read(|x| x.iter().all(|x| x.is_finite())),
                Value::F64(x) => x.raw.read(|x| x.iter().all(|x| x.is_finite())),
                _ => false,
            };
            // What holds an infinity is a mask; a chosen parameter stays one.
            let role = match roles[&tensor.name] {
                Role::Parameter if !finite && !choice.parameters.contains(&tensor.name) => {
                    Role::Constant
                }
                Role::Parameter | Role::Buffer
                    if !matches!(value, Value::F32(_) | Value::F64(_)) =>
                {
                    return Err(ModelError::Mismatch {
                        what: "parameter",
                        name: tensor.name.clone(),
                        expected: "a tensor of floats".into(),
                        found: value.kind().into(),
                    });
                }
                role => role,
            };
            match role {
                Role::Constant => constants.push((number, value)),
                role => {
                    weights.push((tensor.name.clone(), role, value));
                    places.push(number);
                }
            }
        }
        let mut made_by: HashMap<&str, usize> = HashMap::new();
        for (i, node) in graph.node.iter().enumerate() {
            for name in node.output.iter().filter(|n| !n.is_empty()) {
                names.define(name)?;
                made_by.insert(name, i);
            }
        }
        let mut nodes = Vec::with_capacity(graph.node.len());
        for i in ordered(&graph.node, &made_by)? {
            nodes.push(node(&graph.node[i], &names, opset)?);
        }
        let ends = |all: &[&ValueInfoProto], choice, what| -> Result<Vec<Declared>, ModelError> {
            let chosen = chosen(all, choice, what)?;
            let of = |v: &ValueInfoProto| {
                Ok(Declared {
                    name: v.name.clone(),
                    kind: v.r#type.clone(),
                    value: names.read(&v.name, || format!("the output `{}`", v.name))?,
                })
            };
            chosen.into_iter().map(of).collect()
        };
        let outputs: Vec<&ValueInfoProto> = graph.output.iter().collect();
        let mut program = Program {
            inputs: ends(&inputs, choice.inputs.as_ref(), "input")?,
            outputs: ends(&outputs, choice.outputs.as_ref(), "output")?,
            nodes,
            values: names.numbers.len(),
            weights: places,
            constants,
            opset,
            limit,
        };
        program.prune();
        program.every_input_is_given(&declared)?;
        program.fold()?;
        Ok((program, weights))
    }

    /// Leaves out the nodes and results that no output needs.
    fn prune(&mut self) {
        let mut needed = vec![false; self.values];
        self.outputs.iter().for_each(|o| needed[o.value] = true);
        for node in self.nodes.iter_mut().rev() {
            for output in &mut node.outputs {
                *output = output.filter(|&v| needed[v]);
            }
            if node.outputs.iter().any(Option::is_some) {
                node.inputs.iter().flatten().for_each(|&v| needed[v] = true);
            }
        }
        self.nodes
            .retain(|node| node.outputs.iter().any(Option::is_some));
        self.constants.retain(|(v, _)| needed[*v]);
    }

    /// An input that was not chosen must not be needed.
    fn every_input_is_given(&self, declared: &[(String, usize)]) -> Result<(), ModelError> {
        let given: BTreeSet<usize> = self.inputs.iter().map(|i| i.value).collect();
        if given.len() != self.inputs.len() {
            let twice = self
                .inputs
                .iter()
                .enumerate()
                .find(|(i, a)| self.inputs[..*i].iter().any(|b| b.value == a.value));
            return Err(ModelError::Twice {
                value: twice.map(|(_, a)| a.name.clone()).unwrap_or_default(),
            });
        }
        let read: BTreeSet<usize> = self
            .nodes
            .iter()
            .flat_map(|n| n.inputs.iter().flatten().copied())
            .chain(self.outputs.iter().map(|o| o.value))
            .collect();
        let lost = |(_, v): &&(String, usize)| read.contains(v) && !given.contains(v);
        match declared.iter().find(lost) {
            None => Ok(()),
            Some((name, _)) => Err(ModelError::Name {
                what: "chosen input that gives",
                name: name.clone(),
                names: list(self.inputs.iter().map(|i| &i.name[..])),
            }),
        }
    }

    /// Runs the nodes that depend on constants alone.
    fn fold(&mut self) -> Result<(), ModelError> {
        let mut known = Values::new(self);
        self.constants
            .drain(..)
            .for_each(|(v, value)| known.put(v, value));
        let mut rest = Vec::new();
        for node in core::mem::take(&mut self.nodes) {
            match known.are_ready(&node) {
                true => known.run(&node, self.opset, &Tape::default(), &Device::Cpu)?,
                false => rest.push(node),
            }
        }
        self.nodes = rest;
        self.constants = known.rest().collect();
        self.prune();
        Ok(())
    }
}
