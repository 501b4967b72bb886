//! The model as the messages of a file: names, types, sizes.

use super::OnnxError;
use super::ir::{Attr, From, Id, Ir, Node};
use crate::proto::{
    AttributeProto, AttributeValue, Dimension, GraphProto, ModelProto, NodeProto, OperatorSetId,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The version of the operators: the first with `LayerNormalization` and `DFT`, and with sums at positions
/// (`ScatterND`, `ScatterElements`), from 2021. All others are older, so that every runtime of today has them.
pub const OPSET: i64 = 17;
/// The version of the format that goes with it.
const FORMAT: i64 = 8;

/// Names, each of which is given once.
struct Names {
    used: HashSet<String>,
    counts: HashMap<String, usize>,
}

impl Names {
    /// A name that nobody has, like this one.
    fn new_like(&mut self, like: &str) -> String {
        let count = self.counts.entry(like.to_owned()).or_default();
        loop {
            let name = match *count {
                0 => like.to_owned(),
                n => format!("{like}_{n}"),
            };
            *count += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

fn attribute((name, value): &(&'static str, Attr)) -> AttributeProto {
    let value = match value {
        Attr::Int(x) => AttributeValue::Int(*x),
        Attr::Ints(x) => AttributeValue::Ints(x.clone()),
        Attr::Float(x) => AttributeValue::Float(*x),
        Attr::Text(x) => AttributeValue::String(x.as_bytes().to_vec()),
    };
    AttributeProto::new(name, value)
}

/// The messages of a model.
pub fn proto(
    ir: &Ir,
    nodes: &[Node],
    inputs: &[Id],
    outputs: &[(Arc<str>, Id)],
    sizes: &HashMap<Id, Vec<Dimension>>,
) -> Result<ModelProto, OnnxError> {
    let mut names = Names {
        used: HashSet::new(),
        counts: HashMap::new(),
    };
    let mut of: HashMap<Id, String> = HashMap::new();
    let take = |names: &mut Names, name: &str, what| match names.used.insert(name.to_owned()) {
        true => Ok(name.to_owned()),
        false => Err(OnnxError::Name {
            what,
            name: name.to_owned(),
        }),
    };
    let mut variables: Vec<Id> = Vec::new();
    let read = nodes
        .iter()
        .flat_map(|n| n.inputs.iter().flatten())
        .copied();
    let read: Vec<Id> = read.chain(outputs.iter().map(|o| o.1)).collect();
    for &id in inputs.iter().chain(&read) {
        let value = &ir.values[id];
        if let From::Input(name) | From::Variable(name, _) = &value.from
            && !of.contains_key(&id)
        {
            of.insert(id, take(&mut names, name, "inputs or variables")?);
            if let From::Variable(..) = value.from {
                variables.push(id);
            }
        }
    }
    // Outputs that are made by nodes bear their names; of others, and of those that are there twice, there are copies.
    let mut copies = Vec::new();
    for (name, id) in outputs {
        let name = take(&mut names, name, "outputs, or an output and an input,")?;
        match ir.values[*id].from {
            From::Node(_) if !of.contains_key(id) => drop(of.insert(*id, name)),
            _ => copies.push((name, *id)),
        }
    }
    let mut initializer = Vec::new();
    let mut stored = |of: &mut HashMap<Id, String>, names: &mut Names, id: Id| {
        let tensor = match &ir.values[id].from {
            From::Variable(_, tensor) => tensor,
            From::Constant(tensor) if !of.contains_key(&id) => {
                of.insert(id, names.new_like("constant"));
                tensor
            }
            _ => return,
        };
        initializer.push(TensorProto {
            name: of[&id].clone(),
            ..(**tensor).clone()
        });
    };
    for &id in variables
        .iter()
        .chain(read.iter().filter(|&&id| ir.known(id).is_some()))
    {
        stored(&mut of, &mut names, id);
    }
    let mut node = Vec::new();
    for n in nodes {
        let path = if n.scope.is_empty() {
            n.operator.to_owned()
        } else {
            format!("{}/{}", n.scope, n.operator)
        };
        let name = names.new_like(&path);
        for (k, id) in n.outputs.iter().enumerate() {
            if let Some(id) = id
                && !of.contains_key(id)
            {
                let name = names.new_like(&format!("{name}_output_{k}"));
                of.insert(*id, name);
            }
        }
        let text = |id: &Option<Id>| id.map_or(String::new(), |id| of[&id].clone());
        node.push(NodeProto {
            input: n.inputs.iter().map(text).collect(),
            output: n.outputs.iter().map(text).collect(),
            name,
            op_type: n.operator.into(),
            attribute: n.attributes.iter().map(attribute).collect(),
            ..NodeProto::default()
        });
    }
    for (name, id) in &copies {
        node.push(NodeProto {
            input: vec![of[id].clone()],
            output: vec![name.clone()],
            name: names.new_like("Identity"),
            op_type: "Identity".into(),
            ..NodeProto::default()
        });
    }
    let info = |name: &str, id: Id| {
        let value = &ir.values[id];
        let dim = match sizes.get(&id) {
            Some(dims) => dims.clone(),
            None => value
                .dims
                .iter()
                .map(|&n| Dimension::Value(n as i64))
                .collect(),
        };
        ValueInfoProto {
            name: name.into(),
            r#type: Some(TypeProto::Tensor {
                elem_type: value.element,
                shape: Some(TensorShapeProto { dim }),
            }),
        }
    };
    let graph = GraphProto {
        node,
        name: "graph".into(),
        initializer,
        input: inputs.iter().map(|&id| info(&of[&id], id)).collect(),
        output: outputs.iter().map(|(name, id)| info(name, *id)).collect(),
        value_info: Vec::new(),
    };
    Ok(ModelProto {
        ir_version: FORMAT,
        opset_import: vec![OperatorSetId {
            domain: String::new(),
            version: OPSET,
        }],
        producer_name: "differentiable".into(),
        producer_version: env!("CARGO_PKG_VERSION").into(),
        graph: Some(graph),
        ..ModelProto::default()
    })
}
