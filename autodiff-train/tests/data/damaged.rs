//! Every reader of files with every kind of damage: each is an error on one line, never a panic.

use crate::support::{Folder, file};
use differentiable::data::*;
use differentiable::prelude::*;
use std::path::Path;

dim!(Rows);

type Read = fn(&Path) -> Result<usize, DataError>;

/// Each reader, with a file that it reads; the number is there so that a read is not empty.
const READERS: [(&str, Read); 9] = [
    ("labels.idx", |p| Ok(read_idx(p)?.labels::<Rows>(10)?.len())),
    ("images.idx.gz", |p| {
        let x: Tensor![Rows, 4, 5] = read_idx(p)?.tensor()?;
        Ok(x.len())
    }),
    ("rows.npy", |p| {
        let x: Tensor![f64; 2, 3] = read_npy(p)?.tensor()?;
        Ok(x.len())
    }),
    ("columns.npy", |p| {
        let x: Tensor![i64; 2, 3, 4] = read_npy(p)?.tensor()?;
        Ok(x.len())
    }),
    ("stored.npz", |p| {
        let x: Tensor![f32; 2, 3] = Npz::open(p)?.get("a")?.tensor()?;
        Ok(x.len())
    }),
    ("types.npz", |p| {
        let x: Tensor![f64; 2, 3] = Npz::open(p)?.get("f8")?.tensor()?;
        Ok(x.len())
    }),
    ("table.csv.gz", |p| {
        let table = Table::read(p, Header::Names)?;
        let x: Tensor![Rows, 2] = table.features(["age", "height, m"], Rows)?;
        Ok(x.len())
    }),
    ("arrays.safetensors", |p| {
        let arrays = read_safetensors(p)?;
        let x = arrays
            .get("x")
            .ok_or_else(|| DataError::other("no array x"))?;
        let x: Tensor![f32; 2, 3] = x.tensor()?;
        Ok(x.len())
    }),
    ("tokenizers/unigram.json", |p| Ok(Tokenizer::read(p)?.len())),
];

/// Not every byte of a large file is tried in a debug build.
fn step(file: &[u8]) -> usize {
    match file.len() {
        301.. if cfg!(debug_assertions) => 37,
        _ => 1,
    }
}

fn check(read: Read, path: &Path, place: &str) -> bool {
    match read(path) {
        Ok(_) => true,
        Err(error) => {
            let text = error.to_string();
            assert_eq!(text.lines().count(), 1, "{place}: {text}");
            assert!(text.len() < 600, "{place}: {text}");
            false
        }
    }
}

#[test]
fn a_file_may_be_cut_off_anywhere() {
    let f = Folder::new("cut");
    for (name, read) in READERS {
        let whole = std::fs::read(file(name)).unwrap();
        assert!(read(&file(name)).unwrap() > 0, "{name}");
        let step = step(&whole);
        for end in (0..whole.len()).step_by(step) {
            let path = f.write("cut", &whole[..end]);
            let fine = check(read, &path, &format!("{name} up to {end}"));
            assert!(!fine, "{name} up to {end} is read as if it were whole");
        }
    }
}

#[test]
fn a_bit_may_be_flipped_anywhere() {
    let f = Folder::new("flips");
    for (name, read) in READERS {
        let whole = std::fs::read(file(name)).unwrap();
        let step = step(&whole);
        let mut errors = 0;
        for at in (0..whole.len()).step_by(step) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            let path = f.write("flipped", &bytes);
            errors += usize::from(!check(read, &path, &format!("{name}, byte {at}")));
        }
        assert!(errors > 0, "{name}");
    }
}

#[test]
fn a_folder_or_another_file_is_no_data() {
    let f = Folder::new("kinds");
    let text = f.write("text", b"a text\nthat is no data\n");
    let empty = f.write("empty", b"");
    for (name, read) in READERS {
        let place = f.path().display().to_string();
        for path in [f.path(), &text, &empty, &f.path().join("none")] {
            let error = read(path).expect_err(name).to_string();
            assert!(error.starts_with(&place), "{name}: {error}");
            assert_eq!(error.lines().count(), 1, "{name}: {error}");
        }
    }
}

/// Skipped by root, who may read everything.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let f = Folder::new("permissions");
    let path = f.write("x", b"data");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        eprintln!("skipped: this user may read every file");
        return;
    }
    for (name, read) in READERS {
        let error = f.message(read(&path));
        assert_eq!(
            error, "x: cannot open the data file: Permission denied (os error 13)",
            "{name}"
        );
    }
}
