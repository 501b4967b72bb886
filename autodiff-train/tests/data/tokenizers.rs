//! Tokenizers that Python's library trained, compared with what it makes of some texts (`files/write_tokenizers.py`).

use crate::support::{Folder, file};
use differentiable::data::Tokenizer;
use serde_json::Value;

#[test]
fn tokens_are_those_of_python() {
    let text = std::fs::read_to_string(file("tokenizers/expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let mut texts = 0;
    for (name, case) in expected.as_object().unwrap() {
        let tokenizer = Tokenizer::read(file(&format!("tokenizers/{name}.json"))).unwrap();
        assert_eq!(
            tokenizer.len() as u64,
            case["size"].as_u64().unwrap(),
            "{name}"
        );
        for row in case["texts"].as_array().unwrap() {
            let ids = |key: &str| -> Vec<i64> {
                let ids = row[key].as_array().unwrap().iter();
                ids.map(|id| id.as_i64().unwrap()).collect()
            };
            let text = row["text"].as_str().unwrap();
            let tokens = tokenizer.encode(text).unwrap();
            assert_eq!(tokens, ids("ids"), "{name}: {text:?}");
            assert_eq!(
                tokenizer.encode_plain(text).unwrap(),
                ids("plain"),
                "{name}: {text:?}"
            );
            let decoded = row["decoded"].as_str().unwrap();
            assert_eq!(tokenizer.decode(&tokens).unwrap(), decoded, "{name}");
            texts += 1;
        }
    }
    assert_eq!(texts, 24);
}

#[test]
fn tokens_have_names() {
    let tokenizer = Tokenizer::read(file("tokenizers/wordpiece.json")).unwrap();
    assert_eq!(tokenizer.find("[CLS]"), Some(2));
    assert_eq!(tokenizer.token(3).as_deref(), Some("[SEP]"));
    assert_eq!(
        (tokenizer.find("no such token"), tokenizer.token(-1)),
        (None, None)
    );
    let size = tokenizer.len() as i64;
    for wrong in [-1, size, i64::MAX] {
        assert_eq!(
            tokenizer.decode(&[2, wrong]).unwrap_err().to_string(),
            format!(
                "expected a token from 0 to {}, found {wrong} at position 1",
                size - 1
            )
        );
    }
}

#[test]
fn files_that_are_no_tokenizers_are_named() {
    let f = Folder::new("tokenizers");
    let whole = std::fs::read(file("tokenizers/bpe.json")).unwrap();
    for bytes in [
        &b""[..],
        b"{}",
        b"{\"a\":1}",
        b"not json",
        &whole[..whole.len() / 2],
    ] {
        let said = f.message(Tokenizer::read(f.write("t.json", bytes)));
        let begin =
            "t.json: expected a tokenizer.json of Hugging Face's tokenizers, found an error: ";
        assert!(said.starts_with(begin), "{said}");
    }
    let said = f.message(Tokenizer::read(f.path().join("none.json")));
    assert_eq!(
        said,
        "none.json: cannot open the data file: No such file or directory (os error 2)"
    );
}
