//! Nodes and tensors of a file, checked.

use super::attributes::{Attribute, Attributes};
use super::error::ModelError;
use super::fault::Fault;
use super::operators::{AttributeKind, OPERATORS, Operator, find};
use super::program::{Node, list};
use super::value::{Array, Entry, Value, sizes};
use crate::proto::{AttributeValue, ElementType, NodeProto, TensorProto};
use autodiff_core::device::{Device, Elem};
use autodiff_core::nn::edit_distance;
use autodiff_core::tensor::Raw;
use std::collections::HashMap;

/// The elements of a tensor of a file, in the memory of the host.
pub fn elements(tensor: &TensorProto) -> Result<Value, ModelError> {
    fn wrong(tensor: &TensorProto, fault: Fault) -> ModelError {
        let name = tensor.name.clone();
        ModelError::Tensor { name, fault }
    }
    fn of<T: Entry + Elem>(tensor: &TensorProto) -> Result<Value, ModelError> {
        let dims = sizes(&tensor.dims).map_err(|fault| wrong(tensor, fault))?;
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
        I64 | I32 | I16 | I8 | U64 | U32 | U16 | U8 => of::<i64>(tensor),
        Bool => of::<bool>(tensor),
        other => Err(wrong(
            tensor,
            Fault::unsupported(format!("the element type {other}"), ""),
        )),
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
pub fn label(node: &NodeProto) -> String {
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
pub struct Names {
    pub numbers: HashMap<String, usize>,
}

impl Names {
    /// A number for a name.
    pub fn define(&mut self, name: &str) -> Result<usize, ModelError> {
        let number = self.numbers.len();
        match self.numbers.insert(name.to_owned(), number) {
            None => Ok(number),
            Some(_) => Err(ModelError::Twice {
                value: name.to_owned(),
            }),
        }
    }

    /// The number of a name that is read.
    pub fn read(&self, name: &str, reader: impl FnOnce() -> String) -> Result<usize, ModelError> {
        let found = self.numbers.get(name).copied();
        found.ok_or_else(|| ModelError::Undefined {
            reader: reader(),
            value: name.to_owned(),
        })
    }
}

/// A node whose operator, attributes and operands are there.
pub fn node(node: &NodeProto, names: &Names, opset: i64) -> Result<Node, ModelError> {
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
