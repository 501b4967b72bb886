//! What does not fit is named, all at once, and changes nothing.

use super::*;
use differentiable::nn::torch::Import;
use differentiable::nn::{Lstm, LstmState};

#[module]
struct Other {
    fc1: Linear<6, 5>,
    middle: Linear<5, 5>,
    output: LinearNoBias<5, 3>,
}

#[test]
fn missing_and_unused_names_come_together_with_the_nearest() {
    let mut net = Other::new(&mut Seeds::new(0));
    let load = |net: &mut Other| {
        let import = Import::new().ignore("io.*").rename("fc2.{p}", "midle.{p}");
        import.load(net, data("mlp.safetensors"))
    };
    let text = refused(&mut net, load);
    let expected = "\
tests/data/torch/mlp.safetensors: the tensors are not those of the module: 3 missing, 3 unused
  missing `middle.weight` [5, 5], nearest unused `fc2.weight`, `head.weight`
  missing `middle.bias` [5], nearest unused `fc2.bias`, `fc2.weight`
  missing `output.weight` [3, 5], nearest unused `head.weight`, `fc2.weight`
  unused `head.weight` f32 [3, 5], nearest missing `output.weight`, `middle.weight`
  unused `fc2.bias` f32 [5], renamed `midle.bias`, nearest missing `middle.bias`, `middle.weight`
  unused `fc2.weight` f32 [5, 5], renamed `midle.weight`, nearest missing `middle.weight`, `middle.bias`
  cures: `Import::new()` with `.rename(\"theirs\", \"ours\")`; `.ignore(\"theirs\")` leaves a tensor of the file out; \
`.partial()` keeps what is missing as it is";
    assert_eq!(text, expected);
    let renamed = Import::new()
        .ignore("io.*")
        .rename("fc2.{p}", "middle.{p}")
        .rename("head.{p}", "output.{p}");
    loaded(renamed.load(&mut net, data("mlp.safetensors")));
}

#[test]
fn other_shapes_are_named_with_both() {
    #[module]
    struct Wider {
        fc1: Linear<7, 5>,
        fc2: Linear<5, 5>,
        head: LinearNoBias<5, 4>,
    }
    let mut net = Wider::new(&mut Seeds::new(0));
    let load = |net: &mut Wider| {
        let import = Import::new().ignore("io.*");
        import.load(net, data("mlp.safetensors"))
    };
    let text = refused(&mut net, load);
    let expected = "\
tests/data/torch/mlp.safetensors: the tensors are not those of the module: 2 of another shape
  `fc1.weight` has the shape [5, 6], expected [5, 7] for `fc1.weight`
  `head.weight` has the shape [3, 5], expected [4, 5] for `head.weight`";
    assert_eq!(text, expected);
}

#[test]
fn a_part_may_stay_as_it_is() {
    #[module]
    struct WithHead {
        fc1: Linear<6, 5>,
        fc2: Linear<5, 5>,
        scores: Linear<5, 9>,
    }
    let mut net = WithHead::new(&mut Seeds::new(0));
    let scores = net.scores.clone();
    let path = data("mlp.safetensors");
    let import = Import::new().ignore("io.*").ignore("head.**").partial();
    let report = loaded(import.load(&mut net, path));
    assert_eq!(report.kept, ["scores.weight", "scores.bias"]);
    assert_eq!(report.skipped, ["head.weight", "io.x", "io.y"]);
    let text = "4 loaded, 2 kept as they were (scores.weight, scores.bias), 3 of the file skipped (head.weight, io.x, io.y)";
    assert_eq!(report.to_string(), text);
    assert_eq!(net.scores.weight, scores.weight);
}

#[test]
fn one_term_of_a_sum_is_not_enough_even_for_a_part() {
    let folder = Folder::new("half");
    let path = folder.file("lstm.safetensors");
    write(
        &path,
        &[
            ("weight_ih_l0", "F32", &[8, 1], counted(8)),
            ("weight_hh_l0", "F32", &[8, 2], counted(16)),
            ("bias_ih_l0", "F32", &[8], counted(8)),
        ],
    );
    let mut net = Lstm::<1, 2>::new(&mut Seeds::new(0));
    let load = |net: &mut Lstm<1, 2>| Import::new().partial().load(net, &path);
    let text = refused(&mut net, load);
    assert!(
        text.contains("1 missing\n  missing `bias_hh_l0` [8]"),
        "{text}"
    );
    let all = [
        ("weight_ih_l0", "F32", &[8, 1][..], counted(8)),
        ("weight_hh_l0", "F32", &[8, 2], counted(16)),
    ];
    write(&path, &all);
    let report = loaded(Import::new().partial().load(&mut net, &path));
    assert_eq!(report.kept, ["bias"]);
    let y = net.step(&Tensor::<(Sz<1>, Sz<1>)>::ones(), &mut LstmState::zeros());
    assert!(y.to_vec().iter().all(|y| y.is_finite()));
}

#[test]
fn patterns_that_are_none_or_fit_nothing_are_errors() {
    let path = data("mlp.safetensors");
    let check = |import: Import, expected: &str| {
        let text = refused(&mut mlp(), |net| import.ignore("io.*").load(net, &path));
        assert_eq!(text, expected);
    };
    check(
        Import::new().rename("encoder.{i}.{p}", "blocks.{i}.{p}"),
        "the pattern `encoder.{i}.{p}`: it fits no tensor of the file",
    );
    check(
        Import::new().rename("fc{i.weight", "a"),
        "the pattern `fc{i.weight`: a brace without its partner",
    );
    check(
        Import::new().transpose("conv.weight"),
        "the pattern `conv.weight`: it fits no tensor of the file",
    );
    check(
        Import::new().transpose("fc1.bias"),
        "the pattern `fc1.bias`: `fc1.bias` [5] is no matrix",
    );
    check(
        Import::new().ignore("{}"),
        "the pattern `{}`: `{}` is no placeholder: `{name}` stands for text without dots, `{name..}` for any text",
    );
    let rename = Import::new().rename("fc{i}.{p}", "fc1.{p}");
    let text = refused(&mut mlp(), |net| rename.ignore("io.*").load(net, &path));
    let part = "\n  `fc1.weight` and `fc2.weight` are both renamed `fc1.weight`";
    assert!(text.contains(part), "{text}");
}
