//! Files, shards, and what can be wrong with them.

use super::*;
use differentiable::nn::torch::export;
use std::fs;

#[test]
fn an_index_leads_to_its_shards_and_so_does_its_directory() {
    let mut whole = mlp();
    let report = loaded(
        differentiable::nn::torch::Import::new()
            .ignore("io.*")
            .load(&mut whole, data("mlp.safetensors")),
    );
    assert_eq!(report.loaded.len(), 5);
    for path in ["sharded/model.safetensors.index.json", "sharded"] {
        let mut net = mlp();
        let report = loaded(import(&mut net, data(path)));
        assert_eq!(report.loaded.len(), 5);
        assert!(state(&net) == state(&whole), "{path}");
    }
}

/// The directory of shards, copied.
fn shards(name: &str) -> Folder {
    let folder = Folder::new(name);
    for entry in fs::read_dir(data("sharded")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(
            &path,
            folder.file(path.file_name().unwrap().to_str().unwrap()),
        )
        .unwrap();
    }
    folder
}

#[test]
fn a_shard_that_is_not_there_is_named() {
    let folder = shards("absent");
    fs::remove_file(folder.file("model-00002-of-00002.safetensors")).unwrap();
    let text = refused(&mut mlp(), |net| import(net, &folder.0));
    let end = "model.safetensors.index.json: the shard `model-00002-of-00002.safetensors` is not beside the index, which expects 2 tensors in it";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn an_index_that_says_what_is_not_so_is_refused() {
    let index = "model.safetensors.index.json";
    for (new, part) in [
        ("{", "found no JSON"),
        ("[]", "found JSON without it"),
        (
            r#"{"weight_map": {"fc1.weight": 3}}"#,
            "no name of a file for `fc1.weight`",
        ),
        (
            r#"{"weight_map": {"fc1.weight": "../x.safetensors"}}"#,
            "no name of a file",
        ),
        (
            r#"{"weight_map": {"fc9.weight": "model-00002-of-00002.safetensors"}}"#,
            "model-00002-of-00002.safetensors: expected the tensors that the index says, found a file without `fc9.weight`",
        ),
    ] {
        let folder = shards("index");
        fs::write(folder.file(index), new).unwrap();
        let text = refused(&mut mlp(), |net| import(net, folder.file(index)));
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_damaged_file_is_told_apart() {
    let folder = Folder::new("damage");
    let whole = fs::read(data("mlp.safetensors")).unwrap();
    let path = folder.file("a.safetensors");
    let check = |bytes: &[u8], part: &str| {
        fs::write(&path, bytes).unwrap();
        let text = refused(&mut mlp(), |net| import(net, &path));
        assert!(text.contains(part), "{text}");
    };
    let n = whole.len();
    check(
        &whole[..n - 3],
        &format!("the file is truncated: expected {n} bytes, found {}", n - 3),
    );
    check(&whole[..100], "the file is truncated: expected");
    check(&whole[..5], "found 5 bytes");
    check(
        &[&whole[..], b"xy"].concat(),
        "2 bytes behind the last tensor",
    );
    let mut damaged = whole.clone();
    damaged[8] = b'[';
    check(&damaged, "a damaged header");
    let pickle = folder.file("model.pt");
    fs::write(&pickle, b"PK\x03\x04 and so on, as a zip file has it").unwrap();
    let text = refused(&mut mlp(), |net| import(net, &pickle));
    assert!(text.contains("`safetensors.torch.save_file("), "{text}");
    let text = refused(&mut mlp(), |net| {
        import(net, folder.file("nothing.safetensors"))
    });
    assert!(
        text.ends_with(
            "nothing.safetensors: cannot read it: No such file or directory (os error 2)"
        ),
        "{text}"
    );
}

#[test]
fn a_directory_has_one_file_or_an_index() {
    let folder = Folder::new("directory");
    let text = refused(&mut mlp(), |net| import(net, &folder.0));
    assert!(
        text.ends_with("the directory has no safetensors file"),
        "{text}"
    );
    export(&mlp(), folder.file("b.safetensors")).unwrap();
    loaded(import(&mut mlp(), &folder.0));
    export(&mlp(), folder.file("a.safetensors")).unwrap();
    let text = refused(&mut mlp(), |net| import(net, &folder.0));
    let end = "has a.safetensors, b.safetensors and no index: name the file";
    assert!(text.ends_with(end), "{text}");
    export(&mlp(), folder.file("model.safetensors")).unwrap();
    loaded(import(&mut mlp(), &folder.0));
}

#[test]
fn what_is_exported_is_what_pytorch_wrote() {
    let mut net = mlp();
    let ignoring = differentiable::nn::torch::Import::new().ignore("io.*");
    loaded(ignoring.load(&mut net, data("mlp.safetensors")));
    let folder = Folder::new("export");
    let path = folder.file("mlp.safetensors");
    export(&net, &path).unwrap();
    let mut theirs = tensors_of(&data("mlp.safetensors"));
    theirs.retain(|name, _| !name.starts_with("io."));
    assert_eq!(tensors_of(&path), theirs);
    let error = export(&net, folder.file("no/such.safetensors")).unwrap_err();
    assert!(error.to_string().contains(": cannot write it: "), "{error}");
}

#[test]
fn whole_numbers_are_converted_where_nothing_is_lost() {
    #[module(no_new)]
    struct Counts {
        #[buffer]
        steps: Tensor![],
        mask: Tensor![3],
    }
    let folder = Folder::new("whole");
    let path = folder.file("a.safetensors");
    let fresh = || Counts {
        steps: Tensor::zeros(),
        mask: Tensor::zeros(),
    };
    let mask = ("mask", "BOOL", &[3_usize][..], vec![1, 0, 1]);
    let steps = |n: i64| ("steps", "I64", &[][..], n.to_le_bytes().to_vec());
    write(&path, &[mask.clone(), steps(1_000_000)]);
    let mut net = fresh();
    loaded(import(&mut net, &path));
    assert_eq!(net.steps.item(), 1e6);
    assert_eq!(net.mask.to_vec(), [1.0, 0.0, 1.0]);
    // One more than 2^24: single precision does not have it.
    write(&path, &[mask.clone(), steps((1 << 24) + 1)]);
    let text = refused(&mut fresh(), |net| import(net, &path));
    assert_eq!(text, "tensor `steps` holds 16777217, which is no f32");
    let large = ("steps", "F64", &[][..], 1e300_f64.to_le_bytes().to_vec());
    write(&path, &[mask.clone(), large]);
    let text = refused(&mut fresh(), |net| import(net, &path));
    assert!(text.ends_with("which is no f32"), "{text}");
    write(&path, &[mask, ("steps", "F8_E4M3", &[], vec![0])]);
    let text = refused(&mut fresh(), |net| import(net, &path));
    let part = "`steps` is of the type f8_e4m3, expected floats or integers";
    assert!(text.contains(part), "{text}");
}
