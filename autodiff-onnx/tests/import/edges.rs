//! Numbers and sizes at the ends of what operators take.

use super::networks::{Batch, Time};
use super::write::{from_to, node, whole, with};
use super::{archive, get};
use differentiable::nn::Module;
use differentiable::onnx::proto::*;
use differentiable::onnx::{Ends, Model, ModelError};
use differentiable::prelude::*;

/// The model of one node, which reads `x` and initialisers that the host knows.
fn one<In: Ends, Out: Ends>(
    node: NodeProto,
    held: Vec<TensorProto>,
) -> Result<Model<In, Out>, ModelError> {
    let model = from_to(&["x"], &["y"], vec![node], held);
    Model::from_bytes(&model.encode().unwrap())
}

fn number(name: &str, x: i64) -> TensorProto {
    TensorProto::new(name, &[], &[x])
}

dim!(N);

#[test]
fn ranges_of_large_whole_numbers_are_exact() {
    let large = 1i64 << 53;
    let range = |start, end, step| {
        let held = vec![number("s", start), number("e", end), number("d", step)];
        let nodes = vec![
            node("Range", &["s", "e", "d"], &["r"]),
            node("Add", &["r", "x"], &["y"]),
        ];
        let model = from_to(&["x"], &["y"], nodes, held);
        let model: Model<Tensor![i64;], Tensor![i64; N]> =
            Model::from_bytes(&model.encode().unwrap()).unwrap();
        model.forward(&Tensor::zeros()).to_vec()
    };
    assert_eq!(range(large, large + 3, 1), [large, large + 1, large + 2]);
    assert_eq!(range(5, -4, -2), [5, 3, 1, -1, -3]);
    assert_eq!(range(5, -5, -5), [5, 0]);
    assert_eq!(
        range(i64::MIN, i64::MAX, i64::MAX),
        [i64::MIN, -1, i64::MAX - 1]
    );
    assert!(range(3, 3, 1).is_empty() && range(3, 4, -1).is_empty());
}

#[test]
fn a_range_to_no_number_is_an_error() {
    let held = ["s", "d"].map(|name| TensorProto::new(name, &[], &[1.0f32]));
    let model: Model<Tensor![], Tensor![N]> =
        one(node("Range", &["s", "x", "d"], &["y"]), held.to_vec()).unwrap();
    let numbers = model.forward(&Tensor::full(3.5)).to_vec();
    assert_eq!(numbers, [1.0, 2.0, 3.0]);
    for end in [f32::NAN, f32::INFINITY] {
        let error = model.try_forward(&Tensor::full(end)).unwrap_err();
        assert!(error.to_string().contains("a range of"), "{error}");
    }
    assert_eq!(model.forward(&Tensor::full(-7.0)).to_vec().len(), 0);
}

#[test]
fn operands_of_one_number_have_one() {
    let sums = one::<Tensor![3], Tensor![3]>(
        node("CumSum", &["x", "axis"], &["y"]),
        vec![whole("axis", &[0, 0])],
    );
    let error = sums.unwrap().try_forward(&Tensor::ones()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("its input 1 has 2 numbers, expected one"),
        "{error}"
    );
}

#[test]
fn bounds_of_whole_numbers_are_exact() {
    let high = (1 << 53) + 1;
    let clip: Model<Tensor![i64; 3], Tensor![i64; 3]> = one(
        node("Clip", &["x", "low", "high"], &["y"]),
        vec![number("low", i64::MIN + 1), number("high", high)],
    )
    .unwrap();
    let y = clip.forward(&tensor([i64::MIN, 7, i64::MAX]));
    assert_eq!(y.to_vec(), [i64::MIN + 1, 7, high]);
    let above: Model<Tensor![i64; 3], Tensor![i64; 3]> = one(
        node("Clip", &["x", "", "high"], &["y"]),
        vec![number("high", 6)],
    )
    .unwrap();
    assert_eq!(above.forward(&tensor([-1, 6, 7])).to_vec(), [-1, 6, 6]);
}

#[test]
fn the_smallest_whole_number_wraps_around() {
    let x = tensor([i64::MIN, -3]);
    for (op, expected) in [
        ("Neg", [i64::MIN, 3]),
        ("Abs", [i64::MIN, 3]),
        ("Sign", [-1, -1]),
    ] {
        let model: Model<Tensor![i64; 2], Tensor![i64; 2]> =
            one(node(op, &["x"], &["y"]), vec![]).unwrap();
        assert_eq!(model.forward(&x).to_vec(), expected, "{op}");
    }
    for (op, expected) in [("Div", [i64::MIN, 3]), ("Mod", [0, 0])] {
        let model: Model<Tensor![i64; 2], Tensor![i64; 2]> =
            one(node(op, &["x", "d"], &["y"]), vec![number("d", -1)]).unwrap();
        assert_eq!(model.forward(&x).to_vec(), expected, "{op}");
    }
}

/// As the specification has it: backwards, a slice begins with an entry that there is.
#[test]
fn slices_begin_within_the_axis() {
    let slice = |start: i64, end: i64, step: i64| {
        let held = [("s", start), ("e", end), ("a", 0), ("d", step)];
        let held = held.map(|(name, x)| whole(name, &[x])).to_vec();
        let model: Model<Tensor![4], Tensor![N]> =
            one(node("Slice", &["x", "s", "e", "a", "d"], &["y"]), held).unwrap();
        model.forward(&tensor([0.0, 1.0, 2.0, 3.0])).to_vec()
    };
    assert_eq!(slice(i64::MIN, i64::MIN, -1), [0.0]);
    assert_eq!(slice(i64::MAX, i64::MIN, -2), [3.0, 1.0]);
    assert_eq!(slice(i64::MIN, i64::MAX, 3), [0.0, 3.0]);
    assert!(slice(1, 1, -1).is_empty() && slice(9, 12, 1).is_empty());
}

#[test]
fn operators_of_elements_take_numbers_without_axes() {
    let slope = TensorProto::new("w", &[], &[0.5f32]);
    let prelu: Model<Tensor![], Tensor![]> =
        one(node("PRelu", &["x", "w"], &["y"]), vec![slope]).unwrap();
    assert_eq!(prelu.forward(&Tensor::full(-3.0)).item(), -1.5);
    for op in ["Round", "ThresholdedRelu", "IsNaN", "ReduceMax", "Softplus"] {
        let node = node(op, &["x"], &["y"]);
        let ran = match op {
            "IsNaN" => one::<Tensor![], Tensor![bool;]>(node, vec![])
                .unwrap()
                .try_forward(&Tensor::full(2.5))
                .map(|_| ()),
            _ => one::<Tensor![], Tensor![]>(node, vec![])
                .unwrap()
                .try_forward(&Tensor::full(2.5))
                .map(|_| ()),
        };
        ran.unwrap_or_else(|e| panic!("{op}: {e}"));
    }
    let flat: Model<Tensor![], Tensor![1, 1]> = one(
        with(
            node("Flatten", &["x"], &["y"]),
            "axis",
            AttributeValue::Int(0),
        ),
        vec![],
    )
    .unwrap();
    assert_eq!(flat.forward(&Tensor::full(2.0)).to_vec(), [2.0]);
}

/// 10 by 0.7 are 7 in `f32`, and less than 7 as real numbers.
#[test]
fn scales_of_resize_are_those_of_exporters() {
    let scales = TensorProto::new("s", &[3], &[1.0, 1.0, 0.7f32]);
    let model: Model<Tensor![1, 1, 10], Tensor![1, 1, N]> =
        one(node("Resize", &["x", "", "s"], &["y"]), vec![scales]).unwrap();
    assert_eq!(model.forward(&Tensor::zeros()).dims().as_slice(), [1, 1, 7]);
}

#[test]
fn tensors_without_elements_are_tiled() {
    let tile: Model<Tensor![2, 3], Tensor![4, N]> =
        one(node("Tile", &["x", "s"], &["y"]), vec![whole("s", &[2, 0])]).unwrap();
    assert_eq!(tile.forward(&Tensor::ones()).dims().as_slice(), [4, 0]);
}

/// Outputs that are inputs, initialisers, or one another.
#[test]
fn outputs_need_no_nodes() {
    type Out = (Tensor![2], Tensor![2], Tensor![2], Tensor![2]);
    type M = Model<(Tensor![2],), Out>;
    #[differentiable]
    fn loss(model: &M, x: &Tensor![2]) -> Tensor![] {
        let (a, b, c, d) = model.forward(x);
        (a + b * 2.0 + c * 3.0 + d * 4.0).sum()
    }
    let held = vec![TensorProto::new("a/w.1", &[2], &[5.0f32, 6.0])];
    let model = from_to(
        &["x"],
        &["x", "a/w.1", "y", "y"],
        vec![node("Mul", &["x", "a/w.1"], &["y"])],
        held,
    );
    let model = M::from_bytes(&model.encode().unwrap()).unwrap();
    assert_eq!(model.param_names(), ["a/w.1"]);
    let x = tensor([1.0, -2.0]);
    let (a, b, c, d) = model.forward(&x);
    assert_eq!([a.to_vec(), b.to_vec()], [vec![1.0, -2.0], vec![5.0, 6.0]]);
    assert_eq!([c.to_vec(), d.to_vec()], [[5.0, -12.0]; 2].map(Vec::from));
    let (by_w, by_x) = loss::grad(&model, &x);
    assert_eq!(by_x.to_vec(), [1.0 + 7.0 * 5.0, 1.0 + 7.0 * 6.0]);
    let by_w: Tensor![2] = by_w.tensor("a/w.1", (Sz,)).unwrap();
    assert_eq!(by_w.to_vec(), [2.0 + 7.0, 2.0 - 14.0]);
}

/// A batch without examples, through every network.
#[test]
fn a_batch_may_be_empty() {
    fn empty<S: Shape, Out: Ends>(file: &str, x: &Tensor<S>) -> Out
    where
        Tensor<S>: Ends + differentiable::onnx::End,
    {
        let model: Model<(Tensor<S>,), Out> =
            Model::load(archive::path(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        model
            .try_forward(x)
            .unwrap_or_else(|e| panic!("{file}: {e}"))
    }
    let none = Batch(0);
    let y: Tensor![Batch, 3] = empty(
        "mlp.onnx",
        &Tensor::<shape![Batch, 4]>::ones_with((none, Sz)),
    );
    assert_eq!(y.dims().as_slice(), [0, 3]);
    let image: Tensor![Batch, 3, 24, 24] = Tensor::ones_with((none, Sz, Sz, Sz));
    let y: Tensor![Batch, 10] = empty("resnet.onnx", &image);
    assert_eq!(y.dims().as_slice(), [0, 10]);
    let image: Tensor![Batch, 3, 16, 16] = Tensor::ones_with((none, Sz, Sz, Sz));
    let y: Tensor![Batch, 5] = empty("mobilenet.onnx", &image);
    assert_eq!(y.dims().as_slice(), [0, 5]);
    let y: Tensor![Batch, 4] = empty("vgg.onnx", &image);
    assert_eq!(y.dims().as_slice(), [0, 4]);
    let image: Tensor![Batch, 1, 8, 8] = Tensor::ones_with((none, Sz, Sz, Sz));
    let y: Tensor![Batch, 2, 8, 8] = empty("unet.onnx", &image);
    assert_eq!(y.dims().as_slice(), [0, 2, 8, 8]);
    // PyTorch computes a size for `Reshape` here, where 0 stands for that of the operand.
    let x: Tensor![Batch, 5, 8] = Tensor::ones_with((none, Sz, Sz));
    let model: Model<(Tensor![Batch, 5, 8],), Tensor![Batch, 2]> =
        Model::load(archive::path("encoder.onnx")).unwrap();
    let error = model.try_forward(&x).unwrap_err().to_string();
    assert!(error.contains("`Reshape`"), "{error}");
    type Ids = Tensor![i64; Batch, Time];
    let ids: Ids = Tensor::ones_with((none, Time(5)));
    let model: Model<(Ids,), (Tensor![Batch, 3], Tensor![Batch, Time, 4])> =
        Model::load(archive::path("lstm.onnx")).unwrap();
    assert_eq!(model.forward(&ids).0.dims().as_slice(), [0, 3]);
    let model: Model<(Ids,), Tensor![Batch, Time, 20]> =
        Model::load(archive::path("gpt.onnx")).unwrap();
    assert_eq!(model.forward(&ids).dims().as_slice(), [0, 5, 20]);
    let model: Model<(Ids, Ids), Tensor![Batch, 3]> =
        Model::load(archive::path("bert.onnx")).unwrap();
    assert_eq!(model.forward(&ids, &ids).dims().as_slice(), [0, 3]);
}

/// NaN goes through, and into the examples that have it alone.
#[test]
fn no_number_stays_in_its_example() {
    let model: Model<(Tensor![Batch, 3, 24, 24],), Tensor![Batch, 10]> =
        Model::load(archive::path("resnet.onnx")).unwrap();
    let x: Tensor![Batch, 3, 24, 24] = get(&archive::read("resnet.bin")[1], "in:x");
    let good = model.forward(&x).to_vec();
    let mut bad = x.to_vec();
    bad[0] = f32::NAN;
    let bad = Tensor::from_slice_with(x.shape(), &bad).unwrap();
    let found = model.forward(&bad).to_vec();
    assert_eq!(found[10..], good[10..]);
    assert!(found[..10].iter().any(|x| x.is_nan()), "{found:?}");
}
