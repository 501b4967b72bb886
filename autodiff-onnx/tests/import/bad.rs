//! Bad files: each is a typed error, or a model that runs or says why not; none panics or takes much room.

use super::archive;
use super::networks::{Batch, Time};
use super::write::{model, node, whole, with};
use differentiable::onnx::proto::*;
use differentiable::onnx::{Model, ModelError, Options};
use differentiable::prelude::*;

type Mlp = Model<(Tensor![Batch, 4],), Tensor![Batch, 3]>;
type Ids = Tensor![i64; Batch, Time];

fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(archive::path(file)).unwrap()
}

type Any = Model<(Tensor![Batch, 4],), Tensor![Batch, 4]>;

fn load(bytes: &[u8]) -> Result<Any, ModelError> {
    Any::from_bytes(bytes)
}

/// What a load or a call says.
fn refused(bytes: &[u8]) -> String {
    let x = Tensor::ones_with((Batch(2), Sz));
    let error = load(bytes).and_then(|m| m.try_forward(&x)).err();
    error.expect("an error").to_string()
}

#[test]
fn truncated_at_every_length() {
    let all = bytes("mlp.onnx");
    for n in 0..all.len() {
        // Some beginnings are models: of fewer outputs, or without versions.
        if let Ok(model) = Mlp::from_bytes(&all[..n]) {
            let _ = model.try_forward(&Tensor::ones_with((Batch(2), Sz)));
        }
    }
    assert!(Mlp::from_bytes(&all[..all.len() / 2]).is_err());
}

#[test]
fn graphs_are_checked() {
    let twice = vec![node("Relu", &["x"], &["y"]), node("Relu", &["x"], &["y"])];
    assert_eq!(refused(&model(twice, vec![])), "`y` is defined twice");
    let cycle = vec![
        node("Relu", &["b"], &["a"]),
        node("Tanh", &["a"], &["b"]),
        node("Relu", &["b"], &["y"]),
    ];
    assert_eq!(
        refused(&model(cycle, vec![])),
        "node `Relu_1` (`Relu`) depends on its own result"
    );
    let undefined = vec![node("Relu", &["z"], &["y"])];
    assert_eq!(
        refused(&model(undefined, vec![])),
        "node `Relu_1` (`Relu`) reads `z`, which no input, initialiser or node is"
    );
    let none = vec![node("Relu", &["x"], &["z"])];
    assert_eq!(
        refused(&model(none, vec![])),
        "the output `y` reads `y`, which no input, initialiser or node is"
    );
    let unknown = vec![node("Convolve", &["x"], &["y"])];
    assert_eq!(
        refused(&model(unknown, vec![])),
        "node `Convolve_1`: the operator `Convolve` (opset 17) is not supported, the nearest that are: `Conv`, `Concat`, `Constant`; `onnx::operators()` lists all"
    );
    let attribute = with(
        node("Relu", &["x"], &["y"]),
        "alpha",
        AttributeValue::Float(0.5),
    );
    assert_eq!(
        refused(&model(vec![attribute], vec![])),
        "node `Relu_1` (`Relu`, opset 17): the attribute `alpha` is not known, expected none: the operator has no attributes"
    );
    let attribute = with(
        node("Softmax", &["x"], &["y"]),
        "axis",
        AttributeValue::Float(0.5),
    );
    assert_eq!(
        refused(&model(vec![attribute], vec![])),
        "node `Softmax_1` (`Softmax`, opset 17): the attribute `axis` is of type 1, expected a whole number"
    );
    let arity = vec![node("Add", &["x"], &["y"])];
    assert_eq!(
        refused(&model(arity, vec![])),
        "node `Add_1` (`Add`): 1 inputs, expected 2"
    );
    let types = vec![node("And", &["x", "x"], &["y"])];
    assert_eq!(
        refused(&model(types, vec![])),
        "node `And_1` (`And`, opset 17): its input 0 is of f32, expected bool"
    );
    let mut flow = node("If", &["x"], &["y"]);
    flow.domain = "ai.onnx".into();
    assert!(refused(&model(vec![flow], vec![])).contains("the operator `If`"));
    // Nodes in any order are put in one.
    let turned = vec![node("Relu", &["a"], &["y"]), node("Tanh", &["x"], &["a"])];
    load(&model(turned, vec![])).unwrap();
}

#[test]
fn versions_are_checked() {
    let mut all = ModelProto::decode(&bytes("mlp.onnx")).unwrap();
    all.opset_import[0].version = 99;
    let error = Mlp::from_bytes(&all.encode().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the operators have the version 99, expected 11 to 23: export with another `opset_version`"
    );
    all.opset_import.clear();
    let error = Mlp::from_bytes(&all.encode().unwrap()).unwrap_err();
    assert!(
        matches!(error, ModelError::Opset { found: None, .. }),
        "{error}"
    );
}

#[test]
fn huge_tensors_are_refused() {
    // By a file that claims them.
    let mut claim = TensorProto::new("w", &[1], &[1.0f32]);
    claim.dims = vec![1 << 20, 1 << 20];
    assert!(load(&model(vec![node("Add", &["x", "w"], &["y"])], vec![claim])).is_err());
    // By a node.
    let huge = vec![whole("s", &[1 << 40])];
    let of_shape = vec![
        node("ConstantOfShape", &["s"], &["c"]),
        node("Add", &["x", "c"], &["y"]),
    ];
    assert!(
        refused(&model(of_shape, huge.clone()))
            .contains("a tensor of sizes [1099511627776], expected 1073741824 elements at most")
    );
    let wide = vec![node("Expand", &["x", "s"], &["y"])];
    assert!(
        refused(&model(wide, vec![whole("s", &[1 << 20, 1 << 20, 2, 4])]))
            .contains("elements at most")
    );
    let tiles = vec![node("Tile", &["x", "s"], &["y"])];
    assert!(refused(&model(tiles, vec![whole("s", &[1 << 40, 1])])).contains("elements at most"));
    let pads = vec![node("Pad", &["x", "s"], &["y"])];
    assert!(
        refused(&model(pads, vec![whole("s", &[1 << 40, 0, 0, 0])])).contains("elements at most")
    );
    let mut range = node("Range", &["a", "b", "d"], &["y"]);
    range.name = "r".into();
    let number = |name: &str, x: i64| TensorProto::new(name, &[], &[x]);
    let numbers = vec![number("a", 0), number("b", 1 << 40), number("d", 1)];
    assert!(refused(&model(vec![range], numbers)).contains("elements at most"));
    // By what a product repeats: the result is small.
    let product = vec![
        node("Expand", &["row", "s"], &["rows"]),
        node("Expand", &["column", "t"], &["columns"]),
        node("MatMul", &["rows", "columns"], &["z"]),
        node("ReduceSum", &["z"], &["sum"]),
        node("Add", &["x", "sum"], &["y"]),
    ];
    let repeated = |rows: i64| {
        let held = vec![
            TensorProto::new("row", &[1], &[1.0f32]),
            TensorProto::new("column", &[1], &[1.0f32]),
            whole("s", &[1, rows, 512]),
            whole("t", &[256, 512, 1]),
        ];
        let options = Options::new().limit(256 * 512);
        options
            .from_bytes::<(Tensor![Batch, 4],), Tensor![1, Batch, 4]>(&model(product.clone(), held))
    };
    // When it is loaded or when it runs.
    let run = |rows: i64| {
        let model = repeated(rows).map_err(|e| e.to_string())?;
        let y = model.try_forward(&Tensor::ones_with((Batch(1), Sz)));
        y.map(drop).map_err(|e| e.to_string())
    };
    run(1).unwrap();
    let error = run(4).unwrap_err();
    assert!(error.contains("a tensor of sizes [256, 4, 512]"), "{error}");
    // Doubled forty times.
    let mut nodes = Vec::new();
    for i in 0..40 {
        let (from, to) = (format!("v{i}"), format!("v{}", i + 1));
        let concat = node("Concat", &[&from, &from], &[&to]);
        nodes.push(with(concat, "axis", AttributeValue::Int(0)));
    }
    nodes[0].input = vec!["x".into(), "x".into()];
    nodes[39].output = vec!["y".into()];
    let small = Options::new()
        .limit(1 << 16)
        .from_bytes::<(Tensor![Batch, 4],), Tensor![Batch, 4]>(&model(nodes, vec![]));
    let error = small
        .unwrap()
        .try_forward(&Tensor::ones_with((Batch(2), Sz)))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("expected 65536 elements at most"),
        "{error}"
    );
}

/// More axes than tensors have, of which the file says many.
#[test]
fn many_axes_are_refused() {
    let axes: Vec<i64> = (0..300_000).collect();
    let wide = vec![node("Unsqueeze", &["x", "s"], &["y"])];
    let error = refused(&model(wide, vec![whole("s", &axes)]));
    assert!(error.contains("a tensor of 300002 axes"), "{error}");
}

/// A model that loads runs, or says why not.
fn tried<M>(loaded: Result<M, ModelError>, run: impl FnOnce(&M) -> Result<(), ModelError>) -> bool {
    match loaded {
        Ok(model) => run(&model).is_ok(),
        Err(_) => false,
    }
}

/// Bytes of the file changed at random: of the numbers of a model and of its structure.
#[test]
fn mutated_files() {
    let mut seed = 1u64;
    let mut random = |n: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let files = [
        "mlp.onnx",
        "bert_dynamo.onnx",
        "unet.onnx",
        "lstm.onnx",
        "vgg.onnx",
    ]
    .map(bytes);
    let options = Options::new().limit(1 << 20);
    let (x, image): (Tensor![Batch, 4], Tensor![Batch, 1, 8, 8]) = (
        Tensor::ones_with((Batch(2), Sz)),
        Tensor::ones_with((Batch(2), Sz, Sz, Sz)),
    );
    let large: Tensor![Batch, 3, 16, 16] = Tensor::ones_with((Batch(2), Sz, Sz, Sz));
    let ids: Ids = Tensor::ones_with((Batch(2), Time(5)));
    let mut ran = 0;
    for k in 0..1000 {
        let which = k % files.len();
        let mut all = files[which].clone();
        // The graph comes first in the file, then the elements of tensors.
        for _ in 0..1 + random(3) {
            let at = random(all.len());
            match random(3) {
                0 => all[at] = random(256) as u8,
                1 => all[at] ^= 1 << random(8),
                _ => all[at] = all[at].wrapping_add(1),
            }
        }
        ran += usize::from(match which {
            0 => tried(
                options.from_bytes::<(Tensor![Batch, 4],), Tensor![Batch, 3]>(&all),
                |m| m.try_forward(&x).map(|_| ()),
            ),
            1 => tried(
                options.from_bytes::<(Ids, Ids), Tensor![Batch, 3]>(&all),
                |m| m.try_forward(&ids, &ids).map(|_| ()),
            ),
            2 => tried(
                options.from_bytes::<(Tensor![Batch, 1, 8, 8],), Tensor![Batch, 2, 8, 8]>(&all),
                |m| m.try_forward(&image).map(|_| ()),
            ),
            3 => tried(
                options.from_bytes::<(Ids,), (Tensor![Batch, 3], Tensor![Batch, Time, 4])>(&all),
                |m| m.try_forward(&ids).map(|_| ()),
            ),
            _ => tried(
                options.from_bytes::<(Tensor![Batch, 3, 16, 16],), Tensor![Batch, 4]>(&all),
                |m| m.try_forward(&large).map(|_| ()),
            ),
        });
    }
    // Most changes hit the elements of a tensor.
    assert!(ran > 300, "{ran}");
}

/// Numbers of attributes and constants changed, which the operators have to check.
#[test]
fn mutated_settings() {
    let mut seed = 3u64;
    let mut random = |n: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let odd = [
        -1i64,
        0,
        1,
        2,
        3,
        5,
        -3,
        7,
        100,
        i64::MAX,
        i64::MIN,
        1 << 31,
        1 << 40,
        -(1 << 40),
    ];
    let options = Options::new().limit(1 << 18);
    let records = archive::read("operators.bin");
    for record in &records {
        let (_, entry) = record.with("model").next().unwrap();
        let archive::Data::Bytes(all) = &entry.data else {
            panic!()
        };
        let good = ModelProto::decode(all).unwrap();
        for _ in 0..12 {
            let mut model = good.clone();
            let graph = model.graph.as_mut().unwrap();
            let node = &mut graph.node[0];
            let pick = random(node.attribute.len() + graph.initializer.len() + 1);
            if let Some(a) = node.attribute.get_mut(pick) {
                match &mut a.value {
                    AttributeValue::Int(x) => *x = odd[random(odd.len())],
                    AttributeValue::Ints(x) if !x.is_empty() => {
                        let at = random(x.len());
                        x[at] = odd[random(odd.len())];
                    }
                    AttributeValue::Ints(x) => x.push(1),
                    AttributeValue::String(x) => x.push(b'x'),
                    _ => {}
                }
            } else if let Some(t) = graph
                .initializer
                .get_mut(pick - node.attribute.len().min(pick))
                && t.element_type == ElementType::I64
            {
                let mut x: Vec<i64> = t.to_vec().unwrap();
                if !x.is_empty() {
                    let at = random(x.len());
                    x[at] = odd[random(odd.len())];
                }
                *t = TensorProto::new(&t.name.clone(), &t.dims.clone(), &x);
            }
            // All inputs as constants: the node runs when the model is loaded.
            for (name, entry) in record.with("in:") {
                graph.initializer.push(match &entry.data {
                    archive::Data::F32(x) => TensorProto::new(name, &entry.dims, x),
                    archive::Data::F64(x) => TensorProto::new(name, &entry.dims, x),
                    archive::Data::I64(x) => {
                        let mut x = x.clone();
                        if !x.is_empty() && random(3) == 0 {
                            let at = random(x.len());
                            x[at] = odd[random(odd.len())];
                        }
                        TensorProto::new(name, &entry.dims, &x)
                    }
                    archive::Data::Bool(x) => TensorProto::new(name, &entry.dims, x),
                    archive::Data::Bytes(_) => panic!(),
                });
            }
            let names: Vec<String> = graph.initializer.iter().map(|t| t.name.clone()).collect();
            graph.input = vec![ValueInfoProto {
                name: "unread".into(),
                r#type: None,
            }];
            graph.output.truncate(1);
            let bytes = model.encode().unwrap();
            let options = options.clone().constants(names);
            let loaded = options.from_bytes::<(Tensor![Batch, 4],), Tensor![Batch]>(&bytes);
            let x = Tensor::ones_with((Batch(2), Sz));
            let _ = loaded.and_then(|m| m.try_forward(&x).map(|_| ()));
        }
    }
}
