//! What cannot be written is an error that names the operation and the line, and leaves no file.

use crate::models::{Batch, Digits};
use differentiable::graph::{Feeds, Recording, Session};
use differentiable::onnx::{self, OnnxError};
use differentiable::optim::Sgd;
use differentiable::prelude::*;

fn error(program: impl FnOnce(&Recording)) -> OnnxError {
    let recording = Recording::new();
    recording.scope(|| program(&recording));
    onnx::model(&recording).unwrap_err()
}

#[test]
fn what_onnx_cannot_say_is_an_error_that_names_it() {
    let e = error(|r| {
        let x: Tensor![3] = r.input("x", Default::default());
        r.output("y", &x.dropout(0.5, 1));
    });
    let text = e.to_string();
    assert!(
        matches!(e, OnnxError::Operation { ref operation, .. } if operation == "dropout"),
        "{text}"
    );
    assert!(
        text.contains("errors.rs:") && text.contains("Ctx::eval()"),
        "{text}"
    );
    assert!(!text.contains('\n'), "{text}");

    let e = error(|r| {
        let x: Tensor![3, 3] = r.input("x", Default::default());
        r.output("y", &x.cholesky());
    });
    assert!(e.to_string().contains("`cholesky`"), "{e}");

    let e = error(|r| {
        let x: Tensor![3] = r.input("x", Default::default());
        r.output("y", &x.lgamma());
    });
    assert!(e.to_string().contains("gamma function"), "{e}");
}

#[test]
fn a_graph_without_outputs_is_an_error() {
    let e = error(|r| drop(r.input::<shape![3], f32>("x", Default::default())));
    assert!(matches!(e, OnnxError::NoOutputs), "{e}");
}

#[test]
fn a_program_that_does_other_things_for_other_batches_is_an_error() {
    let result = onnx::export(|r, batch| {
        let x: Tensor![Batch, 3] = r.input("x", (Batch(batch), Sz));
        let y = if batch % 3 == 1 { x.sin() } else { x.cos() };
        r.output("y", &y);
    });
    assert!(matches!(result, Err(OnnxError::Batch { .. })));
    let result = onnx::export(|r, batch| {
        let x: Tensor![Batch, 3] = r.input("x", (Batch(batch), Sz));
        r.output("y", &(x * (batch as f32).sqrt()));
    });
    let text = result.unwrap_err().to_string();
    assert!(text.contains("batches of [67, 71, 158]"), "{text}");
}

/// Half of an odd batch, rounded, is a line through odd batches.
#[test]
fn parts_of_the_batch_that_are_rounded_are_errors() {
    dim!(Half);
    let sizes = onnx::export(|r, batch| {
        let x: Tensor![Batch, 3] = r.input("x", (Batch(batch), Sz));
        r.output("y", &x.narrow::<0, _>(0, Half(batch / 2)));
    });
    let numbers = onnx::export(|r, batch| {
        let x: Tensor![Batch, 3] = r.input("x", (Batch(batch), Sz));
        r.output("y", &(x * (batch / 2) as f32));
    });
    for result in [sizes, numbers] {
        assert!(matches!(result, Err(OnnxError::Batch { .. })), "{result:?}");
    }
}

#[test]
fn a_program_that_gives_more_for_some_batches_is_an_error() {
    let result = onnx::export(|r, batch| {
        let x: Tensor![Batch, 3] = r.input("x", (Batch(batch), Sz));
        let y = x.sin();
        r.output("y", &y);
        if batch == 11 || batch == 67 {
            r.output("again", &y);
        }
    });
    assert!(matches!(result, Err(OnnxError::Batch { .. })), "{result:?}");
}

#[test]
fn a_session_gives_its_contents() {
    let net = Digits::new(&mut Seeds::new(0));
    let recording = Recording::new();
    let own = recording.module(&net);
    let x: Tensor![Batch, 64] = recording.input("x", (Batch(4), Sz));
    let y: Tensor![i64; Batch] = recording.input("y", (Batch(4),));
    let (logits, train) = recording.scope(|| {
        let (_, gradient) = own.loss_value_and_grad(&x, &y);
        let mut after = own.clone();
        Sgd::new(0.1).step(&mut after, &gradient);
        (own.forward(&x), recording.assign_all(&own, &after))
    });
    recording.output("logits", &logits);
    let mut session = Session::new(&recording, &Device::cpu());
    let feeds = Feeds::new()
        .with(&x, &Tensor::randn_with((Batch(4), Sz), 1))
        .with(&y, &Tensor::from_fn_with((Batch(4),), |i| i as i64));
    session.run(&train, &feeds).unwrap();
    let weights = |model: onnx::proto::ModelProto| {
        let graph = model.graph.unwrap();
        let named = graph.initializer.into_iter().find(|t| t.name == "out.bias");
        named.unwrap().to_vec::<f32>().unwrap()
    };
    let (before, after) = (
        weights(onnx::model(&recording).unwrap()),
        weights(onnx::model(&session).unwrap()),
    );
    assert_ne!(before, after);
    // Of a graph alone all are inputs.
    let graph = onnx::model(&recording.graph()).unwrap().graph.unwrap();
    assert!(graph.input.iter().any(|i| i.name == "out.bias") && graph.initializer.is_empty());
}

#[test]
fn nodes_have_the_names_of_their_scopes() {
    let recording = Recording::new();
    let x: Tensor![3] = recording.input("x", Default::default());
    let y = recording.named("encoder", || x.sin().relu());
    recording.output("y", &y);
    let graph = onnx::model(&recording).unwrap().graph.unwrap();
    let names: Vec<&str> = graph.node.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["encoder/Sin", "encoder/Relu"]);
    assert_eq!(graph.node[1].output, ["y"]);
}

#[test]
fn a_file_is_written_as_a_whole_or_not_at_all() {
    let recording = Recording::new();
    let x: Tensor![3] = recording.input("x", Default::default());
    recording.output("y", &x.relu());
    let folder = std::env::temp_dir().join(format!("onnx-save-{}", std::process::id()));
    let error = onnx::save(&recording, folder.join("net.onnx")).unwrap_err();
    assert!(error.to_string().contains("net.onnx"), "{error}");
    std::fs::create_dir_all(&folder).unwrap();
    onnx::save(&recording, folder.join("net.onnx")).unwrap();
    let bytes = std::fs::read(folder.join("net.onnx")).unwrap();
    let read = onnx::proto::ModelProto::decode(&bytes).unwrap();
    assert_eq!(read, onnx::model(&recording).unwrap());
    assert_eq!(read.opset(), Some(onnx::OPSET));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}
