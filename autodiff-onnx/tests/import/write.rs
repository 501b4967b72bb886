//! Models that tests put together.

use differentiable::onnx::proto::*;

pub fn node(op: &str, input: &[&str], output: &[&str]) -> NodeProto {
    NodeProto {
        op_type: op.into(),
        name: format!("{op}_1"),
        input: input.iter().map(|s| (*s).into()).collect(),
        output: output.iter().map(|s| (*s).into()).collect(),
        ..NodeProto::default()
    }
}

/// The node with one more attribute.
pub fn with(mut node: NodeProto, name: &str, value: AttributeValue) -> NodeProto {
    node.attribute.push(AttributeProto::new(name, value));
    node
}

/// A tensor that is an axis of whole numbers.
pub fn whole(name: &str, x: &[i64]) -> TensorProto {
    TensorProto::new(name, &[x.len()], x)
}

/// A model of these nodes, from `inputs` to `outputs`, whose types the file does not say.
pub fn from_to(
    inputs: &[&str],
    outputs: &[&str],
    node: Vec<NodeProto>,
    initializer: Vec<TensorProto>,
) -> ModelProto {
    let end = |name: &&str| ValueInfoProto {
        name: (*name).into(),
        r#type: None,
    };
    let graph = GraphProto {
        node,
        initializer,
        input: inputs.iter().map(end).collect(),
        output: outputs.iter().map(end).collect(),
        ..GraphProto::default()
    };
    ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetId {
            domain: String::new(),
            version: 17,
        }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

/// The bytes of a model from `x` to `y`.
pub fn model(node: Vec<NodeProto>, initializer: Vec<TensorProto>) -> Vec<u8> {
    let model = from_to(&["x"], &["y"], node, initializer);
    model.encode().unwrap()
}
