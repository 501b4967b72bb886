//! Files that NumPy, safetensors and the description of IDX wrote (`files/write.py`), and damaged ones.

use crate::support::file;
use differentiable::data::*;
use differentiable::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

dim!(Rows);

fn message<T>(result: Result<T, DataError>) -> String {
    let error = result.err().expect("an error");
    let text = error.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    let folder = format!("{}/", file("").display());
    text.replace(folder.trim_end_matches('/'), "")
        .trim_start_matches('/')
        .into()
}

/// Writes a damaged copy of a file, reads it and removes it. Each copy has a folder of its own: tests run side by side.
fn damaged<T>(
    name: &str,
    damage: impl Fn(&mut Vec<u8>),
    read: impl Fn(PathBuf) -> Result<T, DataError>,
) -> String {
    let mut bytes = std::fs::read(file(name)).unwrap();
    damage(&mut bytes);
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    let copy = COPIES.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("damaged-{}-{copy}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    let text = read(path.clone()).err().expect("an error");
    std::fs::remove_dir_all(&folder).unwrap();
    text.to_string()
        .replace(&format!("{}/", folder.display()), "")
}

const FLOATS: [f64; 6] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25];

#[test]
fn every_element_type_of_numpy() {
    let mut types = Npz::open(file("types.npz")).unwrap();
    let mut float = |name: &str| -> Vec<f64> {
        let x: Tensor![f64; Rows, 3] = types.get(name).unwrap().tensor().unwrap();
        x.to_vec()
    };
    for name in ["f2", "f4", "f8"] {
        assert_eq!(float(name), FLOATS, "{name}");
    }
    for (name, low, high) in [
        ("i1", -128, 127),
        ("i2", -32768, 32767),
        ("i4", -2147483648, 2147483647),
        ("i8", i64::MIN, i64::MAX),
        ("u1", 0, 255),
        ("u2", 0, 65535),
        ("u4", 0, 4294967295),
        ("u8", 0, i64::MAX),
    ] {
        let x: Tensor![i64; 2, 3] = types.get(name).unwrap().tensor().unwrap();
        assert_eq!(x.to_vec(), [low, 1, 2, 3, 4, high], "{name}");
    }
    let mask: Tensor![bool; 2, 3] = types.get("b1").unwrap().tensor().unwrap();
    assert_eq!(mask.to_vec(), [false, true, false, true, false, true]);
}

#[test]
fn archives_name_their_arrays() {
    let mut stored = Npz::open(file("stored.npz")).unwrap();
    assert_eq!(stored.names(), ["a", "b"]);
    let a: Tensor![f32; 2, 3] = stored.get("a").unwrap().tensor().unwrap();
    assert_eq!(a.to_vec(), FLOATS.map(|x| x as f32));
    assert_eq!(
        message(stored.get("c")),
        "stored.npz: expected an array \"c\", found \"a\", \"b\""
    );
    assert_eq!(
        message(stored.get("b").unwrap().tensor::<(Rows,), i64>()),
        "stored.npz/b: expected an array of shape [Rows], found [2, 3]"
    );
}

#[test]
fn orders_versions_and_compression_of_npy() {
    for name in ["rows.npy", "rows.npy.gz", "version2.npy", "version3.npy"] {
        let x: Tensor![f64; 2, 3] = read_npy(file(name)).unwrap().tensor().unwrap();
        assert_eq!(x.to_vec(), FLOATS, "{name}");
    }
    let x: Tensor![i64; 2, 3, 4] = read_npy(file("columns.npy")).unwrap().tensor().unwrap();
    assert_eq!(x.to_vec(), Vec::from_iter(0..24));
    let x: Tensor![i64; 2, 3] = read_npy(file("big.npy")).unwrap().tensor().unwrap();
    assert_eq!(x.to_vec(), [-2147483648, 1, 2, 3, 4, 2147483647]);
    let x: Tensor![f64;] = read_npy(file("scalar.npy")).unwrap().tensor().unwrap();
    assert_eq!(x.item(), 2.5);
}

#[test]
fn what_is_wrong_with_an_npy_file() {
    assert_eq!(
        message(read_npy(file("complex.npy"))),
        "complex.npy: expected elements of type f2, f4, f8, i1 to i8, u1 to u8 or b1, found <c16"
    );
    assert_eq!(
        message(read_npy(file("none.npy"))),
        "none.npy: cannot open the data file: No such file or directory (os error 2)"
    );
    assert_eq!(
        damaged("rows.npy", |b| b.truncate(b.len() - 5), read_npy),
        "rows.npy: expected 24 bytes of elements, found 19"
    );
    assert_eq!(
        damaged("rows.npy", |b| b.truncate(50), read_npy),
        "rows.npy: expected 118 bytes of header, found 40"
    );
    assert_eq!(
        damaged("columns.npy", |b| b.truncate(b.len() - 1), read_npy),
        "columns.npy: expected 96 bytes of elements, found 95"
    );
    let short = damaged("rows.npy.gz", |b| b.truncate(b.len() - 20), read_npy);
    let other = damaged(
        "rows.npy.gz",
        |b| *b.iter_mut().rev().nth(5).unwrap() ^= 1,
        read_npy,
    );
    for said in [short, other] {
        assert!(said.starts_with("rows.npy.gz: cannot read on: "), "{said}");
    }
}

#[test]
fn what_is_wrong_with_an_archive() {
    let open = |path| Npz::open(path).and_then(|mut npz| npz.get("f8"));
    let text = damaged("types.npz", |b| b.truncate(b.len() / 2), open);
    assert!(
        text.starts_with("types.npz: expected a zip archive of arrays, found an error:"),
        "{text}"
    );
    let text = damaged("rows.npy", |_| (), open);
    assert!(
        text.starts_with("rows.npy: expected a zip archive of arrays, found an error:"),
        "{text}"
    );
    // A byte of the compressed data of the first array.
    let read = |path| Npz::open(path).and_then(|mut npz| npz.get("f2"));
    let text = damaged("types.npz", |b| b[60] ^= 0xff, read);
    assert!(text.starts_with("types.npz"), "{text}");
}

#[test]
fn images_and_labels_as_mnist_stores_them() {
    let images: Tensor![Rows, 4, 5] = read_idx(file("images.idx.gz")).unwrap().tensor().unwrap();
    assert_eq!(images.dims().as_slice(), [3, 4, 5]);
    assert_eq!(
        images.to_vec(),
        Vec::from_iter((0..60).map(|i| 4.0 * i as f32))
    );
    let labels = read_idx(file("labels.idx")).unwrap();
    assert_eq!(labels.labels::<Rows>(10).unwrap().to_vec(), [7, 0, 9]);
    assert_eq!(
        message(labels.labels::<Rows>(8)),
        "labels.idx: expected a label from 0 to 7 in row 2, found 9"
    );
    let x: Tensor![f64; Rows] = read_idx(file("doubles.idx")).unwrap().tensor().unwrap();
    assert_eq!(x.to_vec(), [0.5, -1.25e300]);
    let x: Tensor![i64; 1, 2] = read_idx(file("shorts.idx")).unwrap().tensor().unwrap();
    assert_eq!(x.to_vec(), [-2, 300]);
    assert_eq!(
        damaged("labels.idx", |b| b.truncate(10), read_idx),
        "labels.idx: expected 3 bytes of elements, found 2"
    );
}

#[test]
fn arrays_of_safetensors() {
    let arrays = read_safetensors(file("arrays.safetensors")).unwrap();
    assert_eq!(
        arrays.keys().collect::<Vec<_>>(),
        ["half", "ids", "mask", "x"]
    );
    for name in ["x", "half"] {
        let x: Tensor![f64; 2, 3] = arrays[name].tensor().unwrap();
        assert_eq!(x.to_vec(), FLOATS, "{name}");
    }
    let ids: Tensor![i64; Rows, 3] = arrays["ids"].tensor().unwrap();
    assert_eq!(ids.to_vec(), [i64::MIN, 1, 2, 3, 4, i64::MAX]);
    assert_eq!(
        message(arrays["x"].tensor::<(Rows, Sz<3>), i64>()),
        "arrays.safetensors/x: expected elements of type integer or bool, to become i64, found f32"
    );
    let text = damaged(
        "arrays.safetensors",
        |b| b.truncate(b.len() - 1),
        read_safetensors,
    );
    assert!(
        text.starts_with("arrays.safetensors: expected a safetensors file, found an error:"),
        "{text}"
    );
}

#[test]
fn tables_may_be_compressed() {
    let table = Table::read(file("table.csv.gz"), Header::Names).unwrap();
    assert_eq!(table.names(), ["name", "height, m", "age"]);
    assert_eq!(table.texts("name").unwrap(), ["Ada", "Bob \"B.\""]);
    let x: Tensor![Rows, 2] = table.features(["age", "height, m"], Rows).unwrap();
    assert_eq!(x.to_vec(), [36.0, 1.65, 7.0, 0.9]);
    let text = damaged(
        "table.csv.gz",
        |b| b.truncate(b.len() - 12),
        |p| Table::read(p, Header::Names),
    );
    assert!(text.contains(": cannot read on: "), "{text}");
}
