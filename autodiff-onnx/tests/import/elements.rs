//! Element types: models of `f64`, weights in 16 bits, whole numbers of every width.

use super::networks::Batch;
use super::write::{from_to, node, with};
use differentiable::ad::check_grads;
use differentiable::onnx::Model;
use differentiable::onnx::proto::*;
use differentiable::prelude::*;

/// A model of these nodes, from `x` to `y`, both with elements of one type.
fn model(kind: ElementType, node: Vec<NodeProto>, initializer: Vec<TensorProto>) -> Vec<u8> {
    let mut model = from_to(&["x"], &["y"], node, initializer);
    let graph = model.graph.as_mut().unwrap();
    for end in graph.input.iter_mut().chain(&mut graph.output) {
        end.r#type = Some(TypeProto::Tensor {
            elem_type: kind,
            shape: None,
        });
    }
    model.encode().unwrap()
}

type Double = Model<(Tensor![f64; Batch, 3],), Tensor![f64; Batch, 2]>;

#[differentiable]
fn loss(model: &Double, x: &Tensor![f64; Batch, 3]) -> Tensor![f64;] {
    model.forward(x).square().sum()
}

/// Both modes against differences in `f64`, and the adjoint identity.
#[test]
fn models_of_doubles_have_exact_gradients() {
    let w: Vec<f64> = (0..6).map(|i| (f64::from(i) * 0.7).sin()).collect();
    let nodes = vec![
        node("MatMul", &["x", "w"], &["a"]),
        node("Add", &["a", "b"], &["c"]),
        node("Softmax", &["c"], &["d"]),
        node("Mul", &["d", "c"], &["e"]),
        node("Tanh", &["e"], &["y"]),
    ];
    let held = vec![
        TensorProto::new("w", &[3, 2], &w),
        TensorProto::new("b", &[2], &[0.3, -0.2]),
    ];
    let model = Double::from_bytes(&model(ElementType::F64, nodes, held)).unwrap();
    let x: Tensor![f64; Batch, 3] = Tensor::randn_with((Batch(4), Sz), 2);
    check_grads::<loss, _>(&(model, x)).unwrap();
}

#[test]
fn weights_in_sixteen_bits_are_floats() {
    let held = vec![TensorProto::new(
        "w",
        &[2],
        &[f16::from_f64(0.1), f16::from_f64(2.0)],
    )];
    let nodes = vec![
        with(node("Cast", &["w"], &["v"]), "to", AttributeValue::Int(1)),
        node("Mul", &["x", "v"], &["y"]),
    ];
    let all = model(ElementType::F32, nodes, held);
    let model: Model<(Tensor![2],), Tensor![2]> = Model::from_bytes(&all).unwrap();
    let y = model.forward(&tensor([1.0, 1.0]));
    assert_eq!(y.to_vec(), [f16::from_f64(0.1).to_f32(), 2.0]);
    let w: Tensor![2] = model.weight("w", (Sz,)).unwrap();
    assert_eq!(w.to_vec(), y.to_vec());
}

#[test]
fn whole_numbers_are_of_64_bits() {
    let bytes = 5i32.to_le_bytes().to_vec();
    let held = TensorProto {
        name: "w".into(),
        dims: vec![1],
        element_type: ElementType::I32,
        elements: Elements::Bytes(bytes),
    };
    let nodes = vec![node("Add", &["x", "w"], &["y"])];
    let all = model(ElementType::I32, nodes, vec![held]);
    let model: Model<(Tensor![i64; 2],), Tensor![i64; 2]> = Model::from_bytes(&all).unwrap();
    let x = Tensor::from_slice_with((Sz,), &[1, 2]).unwrap();
    assert_eq!(model.forward(&x).to_vec(), [6, 7]);
}
