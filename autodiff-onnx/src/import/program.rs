//! The graph of a file, checked and put in order.

use super::attributes::{Attribute, Attributes};
use super::error::ModelError;
use super::fault::Fault;
use super::operators::{AttributeKind, OPERATORS, Operator, find};
use super::value::{Array, Entry, Value, limited, sizes};
use crate::proto::{
    AttributeValue, ElementType, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto,
    ValueInfoProto,
};
use autodiff_core::device::{Device, Elem};
use autodiff_core::nn::edit_distance;
use autodiff_core::tensor::Raw;
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

/// Operands of operators that are settings and no weights.
fn is_setting(operator: &str, input: usize) -> bool {
    match operator {
        "Clip" | "Dropout" | "Resize" | "OneHot" | "Pow" => input > 0,
        "Pad" => input == 2,
        "Range" | "ConstantOfShape" => true,
        _ => false,
    }
}

/// The names in a line.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    all.join(", ")
}

/// The elements of a tensor of a file, in the memory of the host.
fn elements(tensor: &TensorProto) -> Result<Value, ModelError> {
    let wrong = |fault| ModelError::Tensor {
        name: tensor.name.clone(),
        fault,
    };
    fn of<T: Entry + Elem>(tensor: &TensorProto) -> Result<Value, ModelError> {
        let dims = sizes(&tensor.dims).map_err(|fault| ModelError::Tensor {
            name: tensor.name.clone(),
            fault,
        })?;
        let all: Vec<T> = tensor.to_vec()?;
        Ok(T::wrap(Array::known(Raw::from_slice(
            &Device::Cpu,
            dims,
            &all,
        ))))
    }
    use ElementType::*;
    match tensor.element_type {
        F32 | F16 | Bf16 => of::<f32>(tensor),
        F64 => of::<f64>(tensor),
        I64 | I32 | I16 | I8 | U32 | U16 | U8 => of::<i64>(tensor),
        U64 => match tensor.to_vec::<i64>()?.iter().all(|&x| x >= 0) {
            true => of::<i64>(tensor),
            false => Err(wrong(Fault::Number {
                what: "numbers beyond those of i64".into(),
            })),
        },
        Bool => of::<bool>(tensor),
        other => Err(wrong(Fault::unsupported(
            format!("the element type {other}"),
            "",
        ))),
    }
}

fn attributes(
    node: &NodeProto,
    operator: &'static Operator,
    opset: i64,
) -> Result<Attributes, ModelError> {
    let mut all = Attributes::default();
    for given in &node.attribute {
        let error = |expected: String, found: String| ModelError::Attribute {
            node: label(node),
            operator: operator.name,
            opset,
            attribute: given.name.clone(),
            expected,
            found,
        };
        let known = operator.attributes.iter().find(|a| a.0 == given.name);
        let Some((_, kind)) = known else {
            let names = operator.attributes.iter().map(|a| a.0);
            let expected = match operator.attributes {
                [] => "none: the operator has no attributes".to_owned(),
                _ => format!("one of {}", list(names)),
            };
            return Err(error(expected, "not known".into()));
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let value = match (kind, &given.value) {
            (AttributeKind::Int, AttributeValue::Int(x)) => Attribute::Int(*x),
            (AttributeKind::Float, AttributeValue::Float(x)) => Attribute::Float(*x),
            (AttributeKind::Text, AttributeValue::String(x)) => Attribute::Text(text(x)),
            (AttributeKind::Ints, AttributeValue::Ints(x)) => Attribute::Ints(x.clone()),
            (AttributeKind::Floats, AttributeValue::Floats(x)) => Attribute::Floats(x.clone()),
            (AttributeKind::Texts, AttributeValue::Strings(x)) => {
                Attribute::Texts(x.iter().map(|x| text(x)).collect())
            }
            (AttributeKind::Tensor, AttributeValue::Tensor(x)) => Attribute::Tensor(elements(x)?),
            (kind, found) => {
                return Err(error(kind.to_string(), format!("of type {}", found.kind())));
            }
        };
        all.0.insert(given.name.clone(), value);
    }
    Ok(all)
}

/// The name of a node, or what it makes.
fn label(node: &NodeProto) -> String {
    match (&node.name[..], node.output.first()) {
        ("", Some(output)) => output.clone(),
        (name, _) => name.to_owned(),
    }
}

fn operator(node: &NodeProto, opset: i64) -> Result<&'static Operator, ModelError> {
    let own = ["", "ai.onnx"].contains(&&node.domain[..]);
    let found = if own { find(&node.op_type) } else { None };
    found.ok_or_else(|| {
        let mut nearest: Vec<(usize, &str)> = OPERATORS
            .iter()
            .map(|o| (edit_distance(&node.op_type, o.name, |_| false), o.name))
            .collect();
        nearest.sort_unstable();
        ModelError::Operator {
            node: label(node),
            operator: match own {
                true => node.op_type.clone(),
                false => format!("{}::{}", node.domain, node.op_type),
            },
            opset,
            nearest: list(nearest.iter().take(3).map(|n| n.1)),
        }
    })
}

/// The values by their names.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, usize>,
}

impl Names {
    fn define(&mut self, name: &str) -> Result<usize, ModelError> {
        let number = self.numbers.len();
        match self.numbers.insert(name.to_owned(), number) {
            None => Ok(number),
            Some(_) => Err(ModelError::Twice {
                value: name.to_owned(),
            }),
        }
    }

    fn read(&self, name: &str, reader: impl FnOnce() -> String) -> Result<usize, ModelError> {
        let found = self.numbers.get(name).copied();
        found.ok_or_else(|| ModelError::Undefined {
            reader: reader(),
            value: name.to_owned(),
        })
    }
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

/// What becomes of the initialisers, by their names.
fn roles(graph: &GraphProto, choice: &Choice) -> Result<HashMap<String, Role>, ModelError> {
    let mut roles = HashMap::new();
    for tensor in &graph.initializer {
        let floats = [
            ElementType::F32,
            ElementType::F64,
            ElementType::F16,
            ElementType::Bf16,
        ];
        let is_float = floats.contains(&tensor.element_type);
        let role = match is_float && !tensor.dims.is_empty() {
            true => Role::Parameter,
            false => Role::Constant,
        };
        roles.insert(tensor.name.clone(), role);
    }
    // Exporters pass one tensor on by other names.
    let mut same: HashMap<&str, &str> = HashMap::new();
    for node in graph.node.iter().filter(|n| n.op_type == "Identity") {
        if let ([from], [to]) = (&node.input[..], &node.output[..]) {
            same.insert(to, same.get(&from[..]).copied().unwrap_or(from));
        }
    }
    let mut weight: BTreeSet<&str> = BTreeSet::new();
    for node in graph.node.iter().filter(|n| n.op_type != "Identity") {
        for (i, name) in node.input.iter().enumerate() {
            let name = same.get(&name[..]).copied().unwrap_or(name);
            if node.op_type == "BatchNormalization" && i >= 3 {
                if let Some(role @ Role::Parameter) = roles.get_mut(name) {
                    *role = Role::Buffer;
                }
            } else if !is_setting(&node.op_type, i) {
                weight.insert(name);
            }
        }
    }
    let outputs = graph.output.iter().map(|o| &o.name[..]);
    let outputs: BTreeSet<&str> = outputs.map(|o| same.get(o).copied().unwrap_or(o)).collect();
    for (name, role) in &mut roles {
        let read = weight.contains(&name[..]) || outputs.contains(&name[..]);
        if *role == Role::Parameter && !read {
            *role = Role::Constant;
        }
    }
    for (names, role) in [
        (&choice.parameters, Role::Parameter),
        (&choice.constants, Role::Constant),
    ] {
        for name in names {
            let all = graph.initializer.iter();
            let is_float = |t: &&TensorProto| t.name == *name;
            let found = all.clone().find(is_float).is_some();
            match roles.get_mut(name).filter(|_| found) {
                Some(place) => *place = role,
                None => {
                    return Err(ModelError::Name {
                        what: "initialiser",
                        name: name.clone(),
                        names: list(all.map(|t| &t.name[..])),
                    });
                }
            }
        }
    }
    Ok(roles)
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
        let mut known: HashMap<usize, Value> = self.constants.drain(..).collect();
        let mut rest = Vec::new();
        for node in core::mem::take(&mut self.nodes) {
            let inputs = node.inputs.iter().map(|v| match v {
                None => Some(None),
                Some(v) => known.get(v).cloned().map(Some),
            });
            let Some(inputs) = inputs.collect::<Option<Vec<_>>>() else {
                rest.push(node);
                continue;
            };
            let made = node.run(
                self.opset,
                inputs,
                &super::tape::Tape::default(),
                &Device::Cpu,
            )?;
            let pairs = node.outputs.iter().zip(made);
            known.extend(pairs.filter_map(|(v, value)| Some(((*v)?, value))));
        }
        self.nodes = rest;
        self.constants = known.into_iter().collect();
        self.prune();
        Ok(())
    }
}

fn node(node: &NodeProto, names: &Names, opset: i64) -> Result<Node, ModelError> {
    let operator = operator(node, opset)?;
    let [low, high] = operator.inputs;
    let given = node
        .input
        .iter()
        .rposition(|n| !n.is_empty())
        .map_or(0, |i| i + 1);
    if !(low..=high).contains(&given) {
        return Err(ModelError::Arity {
            node: label(node),
            operator: operator.name,
            found: given,
            expected: match high {
                usize::MAX => format!("at least {low}"),
                high if high == low => low.to_string(),
                high => format!("{low} to {high}"),
            },
        });
    }
    let value = |name: &String| match name.is_empty() {
        true => Ok(None),
        false => {
            let reader = || format!("node `{}` (`{}`)", label(node), operator.name);
            names.read(name, reader).map(Some)
        }
    };
    Ok(Node {
        name: label(node),
        attributes: attributes(node, operator, opset)?,
        inputs: node
            .input
            .iter()
            .take(given)
            .map(value)
            .collect::<Result<_, _>>()?,
        outputs: node.output.iter().map(value).collect::<Result<_, _>>()?,
        declared: node.output.len(),
        operator,
    })
}
