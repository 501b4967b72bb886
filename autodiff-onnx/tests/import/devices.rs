//! On a device far away and in recordings: the bits of the processor.

use super::networks::{Batch, Time};
use super::{archive, get};
use differentiable::graph::{Feeds, Recording, Session};
use differentiable::onnx::{Model, ModelError};
use differentiable::prelude::*;

type Bert = Model<(Tensor![i64; Batch, Time], Tensor![i64; Batch, Time]), Tensor![Batch, 3]>;
type UNet = Model<(Tensor![Batch, 1, 8, 8],), Tensor![Batch, 2, 8, 8]>;
type ResNet = Model<(Tensor![Batch, 3, 24, 24],), Tensor![Batch, 10]>;

#[differentiable]
fn loss(model: &ResNet, x: &Tensor![Batch, 3, 24, 24]) -> Tensor![] {
    model.forward(x).square().mean()
}

/// Everything: the value and the gradient.
#[test]
fn far_away_the_bits_are_the_same() {
    let far = Device::far();
    let model: ResNet = Model::load(archive::path("resnet.onnx")).unwrap();
    let there = model.to(&far);
    let x: Tensor![Batch, 3, 24, 24] = get(&archive::read("resnet.bin")[1], "in:x");
    let here = model.forward(&x);
    assert_eq!(there.forward(&x.to(&far)).to_vec(), here.to_vec());
    let (value, gradient) = loss::value_and_grad(&model, &x);
    let (far_value, far_gradient) = loss::value_and_grad(&there, &x.to(&far));
    assert_eq!(value.item(), far_value.item());
    assert_eq!(gradient.1.to_vec(), far_gradient.1.to_vec());
    let shape = (Sz::<10>, Sz::<8>);
    let name = "fc.weight";
    let [a, b] =
        [gradient, far_gradient].map(|g| g.0.tensor::<_, f32>(name, shape).unwrap().to_vec());
    assert_eq!(a, b);
}

#[test]
fn far_away_shapes_are_computed_on_the_host() {
    let far = Device::far();
    let model: Bert = Model::load(archive::path("bert.onnx")).unwrap();
    for record in archive::read("bert.bin") {
        let ids: Tensor![i64; Batch, Time] = get(&record, "in:ids");
        let mask: Tensor![i64; Batch, Time] = get(&record, "in:mask");
        let there = model.to(&far).forward(&ids.to(&far), &mask.to(&far));
        assert_eq!(there.to_vec(), model.forward(&ids, &mask).to_vec());
    }
}

#[test]
fn a_recording_gives_the_bits_of_the_program() {
    let model: Bert = Model::load(archive::path("bert.onnx")).unwrap();
    let record = &archive::read("bert.bin")[1];
    let ids: Tensor![i64; Batch, Time] = get(record, "in:ids");
    let mask: Tensor![i64; Batch, Time] = get(record, "in:mask");
    let recording = Recording::new();
    let shape = (Batch(3), Time(7));
    let a: Tensor![i64; Batch, Time] = recording.input("ids", shape);
    let b: Tensor![i64; Batch, Time] = recording.input("mask", shape);
    // The weights are constants of the graph, or its variables.
    let constant = recording.scope(|| model.forward(&a, &b));
    let variable = recording.module(&model);
    let trained = recording.scope(|| variable.forward(&a, &b));
    let mut session = Session::new(&recording, &Device::cpu());
    let feeds = Feeds::new().with(&a, &ids).with(&b, &mask);
    let (constant, trained) = session.run((&constant, &trained), &feeds).unwrap();
    let eager = model.forward(&ids, &mask).to_vec();
    assert_eq!(constant.to_vec(), eager);
    assert_eq!(trained.to_vec(), eager);
}

#[test]
fn a_gradient_is_recorded() {
    let model: ResNet = Model::load(archive::path("resnet.onnx")).unwrap();
    let x: Tensor![Batch, 3, 24, 24] = get(&archive::read("resnet.bin")[1], "in:x");
    let recording = Recording::new();
    let input: Tensor![Batch, 3, 24, 24] = recording.input("x", x.shape());
    let variable = recording.module(&model);
    let (_, gradient) = recording.scope(|| loss::value_and_grad(&variable, &input));
    let mut session = Session::new(&recording, &Device::cpu());
    let feeds = Feeds::new().with(&input, &x);
    let (by_x,) = session.run((&gradient.1,), &feeds).unwrap();
    assert_eq!(by_x.to_vec(), loss::grad(&model, &x).1.to_vec());
}

#[test]
fn resizing_is_recorded() {
    let model: UNet = Model::load(archive::path("unet.onnx")).unwrap();
    let x: Tensor![Batch, 1, 8, 8] = get(&archive::read("unet.bin")[1], "in:x");
    let recording = Recording::new();
    let input: Tensor![Batch, 1, 8, 8] = recording.input("x", x.shape());
    let y = recording.scope(|| model.forward(&input));
    let mut session = Session::new(&recording, &Device::cpu());
    let (y,) = session.run((&y,), &Feeds::new().with(&input, &x)).unwrap();
    assert_eq!(y.to_vec(), model.forward(&x).to_vec());
}

#[test]
fn devices_do_not_mix() {
    let model: ResNet = Model::load(archive::path("resnet.onnx")).unwrap();
    let x: Tensor![Batch, 3, 24, 24] = get(&archive::read("resnet.bin")[0], "in:x");
    let error = model.to(&Device::far()).try_forward(&x).unwrap_err();
    assert!(matches!(error, ModelError::Device { .. }), "{error}");
}
