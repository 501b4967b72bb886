//! `#[torch(..)]` on fields: what is declared counts, and never a shape.

use super::*;
use differentiable::nn::torch::{Import, export};
use differentiable::nn::*;

/// A file with one square matrix `0, 1, 2, 3`.
fn square(folder: &Folder, name: &str) -> PathBuf {
    let path = folder.file("square.safetensors");
    write(&path, &[(name, "F32", &[2, 2], counted(4))]);
    path
}

#[test]
fn a_square_matrix_is_transposed_where_that_is_declared() {
    #[module(no_new)]
    struct Plain {
        w: Tensor![2, 2],
    }
    #[module(no_new)]
    struct Declared {
        #[torch(transposed(1))]
        w: Tensor![2, 2],
    }
    let folder = Folder::new("square");
    let path = square(&folder, "w");
    let mut plain = Plain { w: Tensor::zeros() };
    loaded(import(&mut plain, &path));
    assert_eq!(plain.w.to_vec(), [0.0, 1.0, 2.0, 3.0]);
    let mut declared = Declared { w: Tensor::zeros() };
    loaded(import(&mut declared, &path));
    assert_eq!(declared.w.to_vec(), [0.0, 2.0, 1.0, 3.0]);
    // A file of another library, which has `[inputs, outputs]` as well.
    loaded(Import::new().transpose("w").load(&mut declared, &path));
    assert_eq!(declared.w.to_vec(), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn layers_that_are_not_trained_have_the_same_form() {
    #[module(no_new)]
    struct Frozen {
        #[constant]
        layer: LinearNoBias<2, 2>,
        #[buffer]
        #[torch(named("kept.w"))]
        own: LinearNoBias<2, 2>,
        #[constant]
        #[torch(transposed(1))]
        matrix: Tensor![2, 2],
    }
    let folder = Folder::new("frozen");
    let path = folder.file("a.safetensors");
    let matrix = |name| (name, "F32", &[2_usize, 2][..], counted(4));
    let names = ["layer.weight", "kept.w.weight", "matrix"];
    write(&path, &names.map(matrix));
    let layer = LinearNoBias::<2, 2>::new(&mut Seeds::new(0));
    let (own, matrix) = (layer.clone(), Tensor::zeros());
    let mut net = Frozen { layer, own, matrix };
    loaded(import(&mut net, &path));
    for w in [net.layer.weight, net.own.weight, net.matrix] {
        assert_eq!(w.to_vec(), [0.0, 2.0, 1.0, 3.0]);
    }
}

#[test]
fn a_variant_and_a_box_have_the_names_that_they_say() {
    #[module]
    enum Step {
        Dense(#[torch(flat())] LinearNoBias<2, 2>),
        Again(#[torch(named("inner"))] Box<Step>),
    }
    #[module(no_new)]
    struct Net {
        steps: Vec<Step>,
    }
    let seeds = &mut Seeds::new(0);
    let mut dense = || Step::Dense(LinearNoBias::new(seeds));
    let steps = vec![dense(), Step::Again(Box::new(dense()))];
    let mut net = Net { steps };
    let folder = Folder::new("variants");
    let path = folder.file("a.safetensors");
    export(&net, &path).unwrap();
    let names: Vec<String> = tensors_of(&path).into_keys().collect();
    assert_eq!(names, ["steps.0.weight", "steps.1.inner.weight"]);
    let before = state(&net);
    loaded(import(&mut net, &path));
    assert!(state(&net) == before);
}

#[test]
fn queries_keys_and_values_may_be_one_tensor_or_three() {
    type Heads = MultiHead<4, 2, 2>;
    let folder = Folder::new("heads");
    let net = Heads::new(&mut Seeds::new(3));
    let path = folder.file("fused.safetensors");
    export(&net, &path).unwrap();
    let fused = tensors_of(&path);
    let names: Vec<&str> = fused.keys().map(String::as_str).collect();
    let expected = [
        "in_proj_bias",
        "in_proj_weight",
        "out_proj.bias",
        "out_proj.weight",
    ];
    assert_eq!(names, expected);
    let bytes = |name: &str| -> Vec<u8> {
        let HostData::F32(x) = fused[name].data() else {
            panic!("f32");
        };
        x.iter().flat_map(|x| x.to_le_bytes()).collect()
    };
    let (w, b) = (bytes("in_proj_weight"), bytes("in_proj_bias"));
    let third = |x: &[u8], k: usize| x[k * x.len() / 3..][..x.len() / 3].to_vec();
    let weight = |name, k| (name, "F32", &[4_usize, 4][..], third(&w, k));
    let bias = |name, k| (name, "F32", &[4_usize][..], third(&b, k));
    let mut apart = vec![
        weight("attention.query.weight", 0),
        bias("attention.query.bias", 0),
        weight("attention.key.weight", 1),
        bias("attention.key.bias", 1),
        weight("attention.value.weight", 2),
        bias("attention.value.bias", 2),
        ("out_proj.weight", "F32", &[4, 4], bytes("out_proj.weight")),
        ("out_proj.bias", "F32", &[4], bytes("out_proj.bias")),
    ];
    let path = folder.file("apart.safetensors");
    write(&path, &apart);
    let import = Import::new()
        .rename("attention.query.{p}", "q_proj.{p}")
        .rename("attention.key.{p}", "k_proj.{p}")
        .rename("attention.value.{p}", "v_proj.{p}");
    let mut other = Heads::new(&mut Seeds::new(4));
    loaded(import.load(&mut other, &path));
    assert!(state(&net) == state(&other));
    // What is missing is named as the whole, with what would do instead.
    apart.retain(|t| !t.0.ends_with("key.weight"));
    write(&path, &apart);
    let text = refused(&mut other, |net| import.load(net, &path));
    let part = "missing `in_proj_weight` [12, 4] (or `k_proj.weight`)";
    assert!(text.contains(part), "{text}");
}

#[test]
fn grouped_heads_and_gated_blocks_have_the_names_of_llama() {
    #[module]
    struct Block {
        self_attn: GroupedMultiHead<4, 2, 3, 2>,
        mlp: GatedMlp<4, 6>,
    }
    let folder = Folder::new("llama");
    let path = folder.file("a.safetensors");
    let net = Block::new(&mut Seeds::new(0));
    export(&net, &path).unwrap();
    let found: Vec<(String, Vec<usize>)> = tensors_of(&path)
        .into_iter()
        .map(|(name, t)| (name, t.dims().to_vec()))
        .collect();
    let expected = [
        ("mlp.down_proj.weight", [4, 6]),
        ("mlp.gate_proj.weight", [6, 4]),
        ("mlp.up_proj.weight", [6, 4]),
        ("self_attn.k_proj.weight", [4, 4]),
        ("self_attn.o_proj.weight", [4, 12]),
        ("self_attn.q_proj.weight", [12, 4]),
        ("self_attn.v_proj.weight", [4, 4]),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(n, d)| (n.to_string(), d.to_vec()))
        .collect();
    assert_eq!(found, expected);
    let mut other = Block::new(&mut Seeds::new(1));
    loaded(import(&mut other, &path));
    assert!(state(&net) == state(&other));
}

#[test]
fn a_form_that_cannot_be_is_an_error() {
    #[module]
    struct OnLayer {
        #[torch(transposed(1))]
        layer: LinearNoBias<2, 2>,
    }
    #[module(no_new)]
    struct Axes {
        #[torch(merged(3))]
        w: Tensor![2, 2],
    }
    #[module(no_new)]
    struct Twice {
        #[torch(named("w"))]
        a: Tensor![2, 2],
        #[torch(named("w"))]
        b: Tensor![2, 2],
    }
    #[module(no_new)]
    struct Half {
        #[torch(named("w").part(1, 2))]
        a: Tensor![2, 2],
    }
    #[module(no_new)]
    struct Nameless {
        #[torch(flat())]
        w: Tensor![2, 2],
    }
    let folder = Folder::new("forms");
    let path = square(&folder, "w");
    let w = Tensor::zeros;
    let text = refused(&mut OnLayer::new(&mut Seeds::new(0)), |n| import(n, &path));
    let start = "`#[torch(..)]` of `layer`: `sum`, `merged`, `transposed`, `part` and `or` are for tensors, and this holds `layer.weight`";
    assert!(text.starts_with(start), "{text}");
    let text = refused(&mut Axes { w: w() }, |net| import(net, &path));
    assert!(
        text.contains("speaks of 3 axes, but the tensor is [2, 2]"),
        "{text}"
    );
    let text = refused(&mut Twice { a: w(), b: w() }, |net| import(net, &path));
    let end = "`#[torch(..)]` of `b`: `a` has the name `w` in PyTorch as well";
    assert_eq!(text, end);
    let text = refused(&mut Nameless { w: w() }, |net| import(net, &path));
    assert!(text.contains("a tensor cannot be `flat`"), "{text}");
    let error = export(&Half { a: w() }, folder.file("half.safetensors")).unwrap_err();
    let part = "`w` has 2 parts, of which the module has 1";
    assert!(error.to_string().contains(part), "{error}");
}
