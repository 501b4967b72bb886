//! Each network: values for several batches, gradients by weights and inputs.

use super::{archive, get, near};
use differentiable::nn::{Module, Path, Visitor};
use differentiable::onnx::Model;
use differentiable::prelude::*;
use differentiable::tensor::Raw;
use std::collections::BTreeMap;

dim!(pub Batch, pub Time);

/// The parameters of a gradient by name.
fn named<In, Out>(
    model: &Model<In, Out>,
    gradient: &differentiable::onnx::Weights,
) -> BTreeMap<String, Vec<f32>> {
    struct Collect(BTreeMap<String, Vec<f32>>);
    impl differentiable::nn::VisitorWithGrad for Collect {
        fn param<T: Float, D: Backend>(
            &mut self,
            name: &Path,
            _: &mut Raw<T, D>,
            grad: &Raw<T, D>,
        ) {
            let all = grad.to_vec().iter().map(|x| x.to_f64() as f32).collect();
            self.0.insert(name.to_string(), all);
        }
    }
    let mut collect = Collect(BTreeMap::new());
    model
        .clone()
        .visit_with_grad(gradient, &mut Path::default(), &mut collect);
    collect.0
}

/// Values and, where the archive has them, gradients.
macro_rules! networks {
    ($($name:ident: ($($x:ident: $X:ty),+) -> $Y:ty, $grads:literal;)*) => { $(
        #[test]
        fn $name() {
            type M = Model<($($X,)+), $Y>;

            #[differentiable]
            fn loss(model: &M, $(#[constant] $x: &$X),+) -> Tensor![] {
                let y = model.forward($($x),+);
                y.square().mean()
            }

            let file = stringify!($name);
            let model: M = Model::load(archive::path(&format!("{file}.onnx"))).unwrap();
            let mut compared = 0;
            for record in archive::read(&format!("{file}.bin")) {
                $(let $x: $X = get(&record, concat!("in:", stringify!($x)));)+
                let y = model.forward($(&$x),+);
                let expected: $Y = get(&record, "out:logits");
                assert_eq!(expected.dims(), y.dims(), "{file}");
                near(&format!("{file} {}", record.name), &expected.to_vec(), &y.to_vec(), 1e-5);
                if record.with("grad:").next().is_none() {
                    continue;
                }
                let gradient = loss::grad(&model, $(&$x),+);
                let by_name = named(&model, &gradient);
                for (name, expected) in record.with("grad:") {
                    let archive::Data::F32(expected) = &expected.data else { panic!() };
                    let found = match by_name.get(name) {
                        Some(found) => found,
                        None => continue,
                    };
                    near(&format!("{file}: {name}"), expected, found, 2e-4);
                    compared += 1;
                }
            }
            assert!(compared >= $grads, "{file}: {compared} gradients");
        }
    )* };
}
networks! {
    mlp: (x: Tensor![Batch, 4]) -> Tensor![Batch, 3], 4;
    resnet: (x: Tensor![Batch, 3, 24, 24]) -> Tensor![Batch, 10], 16;
    resnet_dynamo: (x: Tensor![Batch, 3, 24, 24]) -> Tensor![Batch, 10], 0;
    mobilenet: (x: Tensor![Batch, 3, 16, 16]) -> Tensor![Batch, 5], 8;
    vgg: (x: Tensor![Batch, 3, 16, 16]) -> Tensor![Batch, 4], 9;
    unet: (x: Tensor![Batch, 1, 8, 8]) -> Tensor![Batch, 2, 8, 8], 14;
    unet_dynamo: (x: Tensor![Batch, 1, 8, 8]) -> Tensor![Batch, 2, 8, 8], 0;
    bert: (ids: Tensor![i64; Batch, Time], mask: Tensor![i64; Batch, Time]) -> Tensor![Batch, 3], 12;
    bert_dynamo: (ids: Tensor![i64; Batch, Time], mask: Tensor![i64; Batch, Time]) -> Tensor![Batch, 3], 0;
    gpt: (ids: Tensor![i64; Batch, Time]) -> Tensor![Batch, Time, 20], 6;
    gpt_dynamo: (ids: Tensor![i64; Batch, Time]) -> Tensor![Batch, Time, 20], 0;
    encoder: (x: Tensor![Batch, 5, 8]) -> Tensor![Batch, 2], 6;
}

/// The gradient by an input against PyTorch's.
#[test]
fn gradients_by_inputs_are_those_of_pytorch() {
    type M = Model<(Tensor![Batch, 3, 24, 24],), Tensor![Batch, 10]>;
    #[differentiable]
    fn loss(#[constant] model: &M, x: &Tensor![Batch, 3, 24, 24]) -> Tensor![] {
        model.forward(x).square().mean()
    }
    let model: M = Model::load(archive::path("resnet.onnx")).unwrap();
    let records = archive::read("resnet.bin");
    let record = records
        .iter()
        .find(|r| r.with("grad:x").next().is_some())
        .unwrap();
    let x: Tensor![Batch, 3, 24, 24] = get(record, "in:x");
    let expected: Tensor![Batch, 3, 24, 24] = get(record, "grad:x");
    near(
        "x",
        &expected.to_vec(),
        &loss::grad(&model, &x).to_vec(),
        2e-4,
    );
}

/// Two outputs, one of them alone, and gradients through recurrent layers.
#[test]
fn lstm() {
    use differentiable::onnx::Options;
    type Both = (Tensor![Batch, 3], Tensor![Batch, Time, 4]);
    type M = Model<(Tensor![i64; Batch, Time],), Both>;
    #[differentiable]
    fn loss(model: &M, #[constant] ids: &Tensor![i64; Batch, Time]) -> Tensor![] {
        let (logits, _) = model.forward(ids);
        logits.square().mean()
    }
    let path = archive::path("lstm.onnx");
    let model: M = Model::load(&path).unwrap();
    let states: Model<(Tensor![i64; Batch, Time],), Tensor![Batch, Time, 4]> =
        Options::new().outputs(["states"]).load(&path).unwrap();
    for record in archive::read("lstm.bin") {
        let ids: Tensor![i64; Batch, Time] = get(&record, "in:ids");
        let (logits, all) = model.forward(&ids);
        let expected: Tensor![Batch, 3] = get(&record, "out:logits");
        near("logits", &expected.to_vec(), &logits.to_vec(), 1e-5);
        let expected: Tensor![Batch, Time, 4] = get(&record, "out:states");
        near("states", &expected.to_vec(), &all.to_vec(), 1e-5);
        assert_eq!(states.forward(&ids).to_vec(), all.to_vec());
        let gradient = named(&model, &loss::grad(&model, &ids));
        for (name, expected) in record.with("grad:") {
            let archive::Data::F32(expected) = &expected.data else {
                panic!()
            };
            near(name, expected, &gradient[name], 2e-4);
        }
    }
}

/// Forward mode, and both against differences.
#[test]
fn derivatives_agree_with_differences() {
    use differentiable::ad::Tangent as _;
    type M = Model<(Tensor![Batch, 1, 8, 8],), Tensor![Batch, 2, 8, 8]>;
    #[differentiable]
    fn loss(model: &M, x: &Tensor![Batch, 1, 8, 8]) -> Tensor![] {
        model.forward(x).square().sum()
    }
    let model: M = Model::load(archive::path("unet.onnx")).unwrap();
    let x: Tensor![Batch, 1, 8, 8] = Tensor::randn_with((Batch(2), Sz, Sz, Sz), 3);
    let gradient = loss::grad(&model, &x);
    let mut seed = 0.3;
    let t = model.zero_tangent().fill_with(&mut || {
        seed = (seed * 7.77f64 + 0.123).fract();
        seed - 0.5
    });
    let t_x = Tensor::randn_with((Batch(2), Sz, Sz, Sz), 4);
    let (_, along) = loss::jvp((&model, &t), (&x, &t_x));
    let pulled = gradient.0.dot(&t) + gradient.1.dot(&t_x);
    let forward = f64::from(along.item());
    assert!(
        (forward - pulled).abs() < 1e-4 * forward.abs(),
        "{forward} {pulled}"
    );
    let at = |step: f64| {
        let (mut model, mut x) = (model.clone(), x.clone());
        model.add_scaled(step, &t);
        x.add_scaled(step, &t_x);
        f64::from(loss(&model, &x).item())
    };
    let difference = (at(1e-3) - at(-1e-3)) / 2e-3;
    assert!(
        (difference - pulled).abs() < 2e-3 * pulled.abs(),
        "{difference} {pulled}"
    );
}

/// Statistics are buffers, settings and masks are constants.
#[test]
fn weights_have_roles() {
    let model: Model<(Tensor![Batch, 3, 24, 24],), Tensor![Batch, 10]> =
        Model::load(archive::path("resnet.onnx")).unwrap();
    let names = model.param_names();
    assert!(
        names.contains(&"blocks.1.down.1.weight".to_owned()),
        "{names:?}"
    );
    assert!(!names.iter().any(|n| n.contains("running")), "{names:?}");
    struct Buffers(Vec<String>);
    impl Visitor for Buffers {
        fn param<T: Float, D: Backend>(&mut self, name: &Path, _: &Raw<T, D>) {
            self.0.push(name.to_string());
        }
    }
    let mut buffers = Buffers(Vec::new());
    model.visit_buffers(false, &mut Path::default(), &mut buffers);
    assert_eq!(buffers.0.len(), 12, "{:?}", buffers.0);
    assert!(
        buffers.0.iter().all(|n| n.contains("running_")),
        "{:?}",
        buffers.0
    );
    let bert: Model<(Tensor![i64; Batch, Time], Tensor![i64; Batch, Time]), Tensor![Batch, 3]> =
        Model::load(archive::path("bert_dynamo.onnx")).unwrap();
    assert!(
        bert.param_names()
            .iter()
            .all(|n| n.contains("weight") || n.contains("bias") || n.starts_with("val_"))
    );
}
