//! Types at both ends: what does not fit is an error when the model is loaded, and names what there is.

use super::archive;
use super::networks::{Batch, Time};
use differentiable::onnx::{Model, ModelError, Options};
use differentiable::prelude::*;

/// The message of a load that must fail.
fn message<T>(result: Result<T, ModelError>) -> String {
    result.err().expect("an error").to_string()
}

fn mlp<In: differentiable::onnx::Ends, Out: differentiable::onnx::Ends>()
-> Result<Model<In, Out>, ModelError> {
    Model::load(archive::path("mlp.onnx"))
}

#[test]
fn mismatches_are_told_when_a_model_is_loaded() {
    assert_eq!(
        message(mlp::<(Tensor![Batch, 5],), Tensor![Batch, 3]>()),
        "the input `x` is f32 [batch, 4], expected f32 [Batch, 5]"
    );
    assert_eq!(
        message(mlp::<(Tensor![Batch, 4, 1],), Tensor![Batch, 3]>()),
        "the input `x` is f32 [batch, 4], expected f32 [Batch, 4, 1]"
    );
    assert_eq!(
        message(mlp::<(Tensor![f64; Batch, 4],), Tensor![Batch, 3]>()),
        "the input `x` is f32 [batch, 4], expected f64 [Batch, 4]"
    );
    assert_eq!(
        message(mlp::<(Tensor![Batch, 4],), Tensor![i64; Batch, 3]>()),
        "the output `logits` is f32 [batch, 3], expected i64 [Batch, 3]"
    );
    // The file fixes the size of this axis.
    assert_eq!(
        message(mlp::<(Tensor![Batch, Time],), Tensor![Batch, 3]>()),
        "the input `x` is f32 [batch, 4], expected f32 [Batch, Time]"
    );
    assert_eq!(
        message(mlp::<
            (Tensor![Batch, 4], Tensor![Batch, 4]),
            Tensor![Batch, 3],
        >()),
        "the file has 1 inputs (`x`), expected 2"
    );
    // A size that the file leaves open may be fixed by the program.
    mlp::<(Tensor![2, 4],), Tensor![2, 3]>().unwrap();
    // A single input needs no tuple.
    let one: Model<Tensor![2, 4], Tensor![2, 3]> = mlp().unwrap();
    assert_eq!(one.forward(&Tensor::zeros()).dims().as_slice(), [2, 3]);
}

#[test]
fn inputs_and_outputs_are_chosen_by_name() {
    type Ids = Tensor![i64; Batch, Time];
    let path = archive::path("bert.onnx");
    // The other way round than in the file.
    let turned: Model<(Ids, Ids), Tensor![Batch, 3]> = Options::new()
        .inputs(["mask", "ids"])
        .outputs(["logits"])
        .load(&path)
        .unwrap();
    let model: Model<(Ids, Ids), Tensor![Batch, 3]> = Model::load(&path).unwrap();
    let record = &archive::read("bert.bin")[2];
    let (ids, mask): (Ids, Ids) = (super::get(record, "in:ids"), super::get(record, "in:mask"));
    assert_eq!(
        turned.forward(&mask, &ids).to_vec(),
        model.forward(&ids, &mask).to_vec()
    );
    assert_eq!(model.inputs().collect::<Vec<_>>(), ["ids", "mask"]);
    let wrong = Options::new()
        .inputs(["ids", "masks"])
        .load::<(Ids, Ids), Tensor![Batch, 3]>(&path);
    assert_eq!(
        message(wrong),
        "there is no input `masks`, expected one of: `ids`, `mask`"
    );
    let lacking = Options::new()
        .inputs(["ids"])
        .load::<(Ids,), Tensor![Batch, 3]>(&path);
    assert!(message(lacking).contains("`mask`"));
}

#[test]
fn sizes_of_a_call_are_compared() {
    type Ids = Tensor![i64; Batch, Time];
    let model: Model<(Ids, Ids), Tensor![Batch, 3]> =
        Model::load(archive::path("bert.onnx")).unwrap();
    let ids: Ids = Tensor::zeros_with((Batch(2), Time(5)));
    let long: Ids = Tensor::zeros_with((Batch(2), Time(20)));
    let other: Ids = Tensor::zeros_with((Batch(3), Time(5)));
    model.try_forward(&ids, &ids).unwrap();
    // Twelve positions are in the file: the node that adds them tells it.
    let error = model.try_forward(&long, &long).unwrap_err();
    assert!(matches!(error, ModelError::Node { .. }), "{error}");
    let error = model.try_forward(&ids, &other).unwrap_err();
    assert!(matches!(error, ModelError::Node { .. }), "{error}");
    // An index that is no word.
    let words: Ids = Tensor::full_with((Batch(2), Time(5)), 99);
    let error = model.try_forward(&words, &ids).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("index 99 at position 0 is out of range"),
        "{error}"
    );
}

#[test]
fn weights_are_read_by_name() {
    let model: Model<(Tensor![Batch, 4],), Tensor![Batch, 3]> = mlp().unwrap();
    let w: Tensor![8, 4] = model.weight("hidden.weight", (Sz, Sz)).unwrap();
    assert_eq!(w.dims().as_slice(), [8, 4]);
    let wrong = model.weight::<_, f32>("hidden.weight", (Sz::<4>, Sz::<8>));
    assert_eq!(
        message(wrong),
        "the parameter `hidden.weight` is f32 [8, 4], expected f32 [4, 8]"
    );
    let none = message(model.weight::<_, f32>("hidden", (Sz::<8>,)));
    assert!(none.contains("`hidden.weight`, `hidden.bias`"), "{none}");
}

/// Constants that are chosen are not trained.
#[test]
fn roles_are_chosen() {
    use differentiable::nn::Module;
    let model: Model<(Tensor![Batch, 4],), Tensor![Batch, 3]> = Options::new()
        .constants(["hidden.bias"])
        .load(archive::path("mlp.onnx"))
        .unwrap();
    assert_eq!(
        model.param_names(),
        ["hidden.weight", "out.weight", "out.bias"]
    );
    let wrong = Options::new()
        .constants(["hiden"])
        .load::<(Tensor![Batch, 4],), Tensor![Batch, 3]>(archive::path("mlp.onnx"));
    assert!(message(wrong).starts_with("there is no initialiser `hiden`"));
}
