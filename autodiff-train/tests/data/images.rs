//! Images that Pillow wrote (`files/write_images.py`), compared with what Pillow reads, and damaged ones.

use crate::support::{Folder, file};
use differentiable::data::*;
use differentiable::prelude::*;
use serde_json::Value;
use std::path::Path;

dim!(Batch, Rows);

fn folder() -> std::path::PathBuf {
    file("images")
}

fn expected(path: &Path, what: &str) -> Vec<f32> {
    let text = std::fs::read_to_string(file("images.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let name = path.strip_prefix(folder()).unwrap().to_str().unwrap();
    let values = json[name][what].as_array();
    let values = values.into_iter().flatten();
    values.map(|v| v.as_f64().unwrap() as f32).collect()
}

/// Decoders of JPEG round differently, by a step or two of 256.
fn check(path: &Path, found: &[f32], expected: &[f32]) {
    let is_jpeg = path.extension().is_some_and(|e| e == "jpg" || e == "jpeg");
    let tolerance = if is_jpeg { 2.5 / 255.0 } else { 2e-5 };
    assert_eq!(found.len(), expected.len(), "{}", path.display());
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        let close = (x - y).abs() <= tolerance;
        assert!(close, "{} at {i}: {x}, expected {y}", path.display());
    }
}

#[test]
fn classes_and_rows_come_by_name() {
    let images = ImageFolder::<3, 8, 8>::open(folder()).unwrap();
    assert_eq!(images.classes(), ["circle", "square"]);
    assert_eq!(images.labels(), [0, 0, 0, 0, 1, 1, 1, 1]);
    let names = images.files().map(|f| f.file_name().unwrap().to_str());
    let names: Vec<_> = names.map(Option::unwrap).collect();
    let sorted = [
        "0.png", "1.png", "2.png", "3.PNG", "0.jpg", "1.jpeg", "10.png", "2.jpg",
    ];
    assert_eq!(names, sorted);
}

#[test]
fn pixels_are_those_of_pillow() {
    let colours = ImageFolder::<3, 8, 8>::open(folder()).unwrap();
    let grey = ImageFolder::<1, 8, 8>::open(folder()).unwrap();
    let paths: Vec<_> = colours.files().map(Path::to_path_buf).collect();
    let mut checked = 0;
    for (row, path) in paths.iter().enumerate() {
        let Ok((x, label)) = colours.get(row) else {
            continue; // Another size.
        };
        assert_eq!(label, colours.labels()[row]);
        let (one, _) = grey.get(row).unwrap();
        check(path, &one.to_vec(), &expected(path, "grey"));
        let rgb = match expected(path, "rgb") {
            // Sixteen bits, which Pillow does not convert: three channels that are the grey one.
            none if none.is_empty() => expected(path, "grey").repeat(3),
            rgb => rgb,
        };
        check(path, &x.to_vec(), &rgb);
        checked += 1;
    }
    assert_eq!(checked, 5);
    // Those of another size, each read by its own.
    let wide = ImageFolder::<3, 12, 20>::open(folder()).unwrap();
    let tall = ImageFolder::<1, 20, 12>::open(folder()).unwrap();
    let palette = ImageFolder::<3, 5, 6>::open(folder()).unwrap();
    check(
        &paths[4],
        &wide.get(4).unwrap().0.to_vec(),
        &expected(&paths[4], "rgb"),
    );
    check(
        &paths[5],
        &tall.get(5).unwrap().0.to_vec(),
        &expected(&paths[5], "grey"),
    );
    check(
        &paths[6],
        &palette.get(6).unwrap().0.to_vec(),
        &expected(&paths[6], "rgb"),
    );
}

#[test]
fn resized_images_are_those_of_pillow() {
    let images = ImageFolder::<3, 8, 8>::open(folder()).unwrap().resized();
    let whole = images.in_memory(Rows).unwrap();
    let (pixels, labels) = whole.columns();
    assert_eq!(pixels.dims().as_slice(), [8, 3, 8, 8]);
    assert_eq!(*labels, images.labels());
    for (row, path) in images.files().enumerate() {
        let (x, label) = images.get(row).unwrap();
        let resized = expected(path, "resized");
        if !resized.is_empty() {
            check(path, &x.to_vec(), &resized);
        }
        assert_eq!((x, label), whole.get(row).unwrap());
    }
}

#[test]
fn workers_decode_the_same_batches() {
    let images = ImageFolder::<3, 8, 8>::open(folder()).unwrap().resized();
    let loader = Loader::new(images, 3).shuffle(4).stack(Batch);
    let here: Vec<(Tensor![Batch, 3, 8, 8], Tensor![i64; Batch])> = loader.epoch(1).collect();
    let there: Vec<_> = loader.clone().workers(2).epoch(1).collect();
    assert_eq!(here.len(), 3);
    assert!(here == there);
}

#[test]
fn what_is_wrong_with_a_folder_is_named() {
    let f = Folder::new("image-folders");
    let png = std::fs::read(file("images/circle/0.png")).unwrap();
    let open = || f.message(ImageFolder::<3, 8, 8>::open(f.path()));
    assert_eq!(open(), ".: expected a folder for each class, found none");
    std::fs::create_dir(f.path().join("cat")).unwrap();
    assert_eq!(
        open(),
        "cat: expected at least one image of the class, found none"
    );
    f.write("cat/.hidden", b"");
    assert_eq!(
        open(),
        "cat: expected at least one image of the class, found none"
    );
    f.write("cat/a.png", &png);
    f.write(".hidden", b"");
    assert_eq!(ImageFolder::<3, 8, 8>::open(f.path()).unwrap().len(), 1);
    f.write("cat/b.txt", b"a cat");
    assert_eq!(
        open(),
        "cat/b.txt: expected a name that ends in .png, .jpg or .jpeg, found another name"
    );
    std::fs::remove_file(f.path().join("cat/b.txt")).unwrap();
    f.write("cat/more/a.png", &png);
    assert_eq!(
        open(),
        "cat/more: expected images in the folder of a class, found a folder"
    );
    std::fs::remove_dir_all(f.path().join("cat/more")).unwrap();
    f.write("labels.csv", b"");
    assert_eq!(
        open(),
        "labels.csv: expected a folder for each class, found a file"
    );
    let missing = ImageFolder::<3, 8, 8>::open(f.path().join("none"));
    assert_eq!(
        f.message(missing),
        "none: cannot open the data file: No such file or directory (os error 2)"
    );
}

#[test]
fn what_is_wrong_with_an_image_is_named() {
    let f = Folder::new("images");
    let read = |name: &str, bytes: &[u8]| {
        f.write(name, bytes);
        let found = ImageFolder::<3, 8, 8>::open(f.path()).unwrap().get(0);
        std::fs::remove_dir_all(f.path().join("cat")).unwrap();
        f.message(found)
    };
    let png = std::fs::read(file("images/circle/0.png")).unwrap();
    let jpg = std::fs::read(file("images/square/2.jpg")).unwrap();
    let begin = "expected a PNG or JPEG image, found an error:";
    let error = |name: &str| format!("cat/{name}: {begin}");
    assert_eq!(
        read(
            "cat/0.jpg",
            &std::fs::read(file("images/square/0.jpg")).unwrap()
        ),
        "cat/0.jpg: expected an image of 8 × 8 pixels (height × width), found 12 × 20"
    );
    assert_eq!(
        read("cat/a.png", b""),
        format!("{} the file is empty", error("a.png"))
    );
    assert_eq!(
        read("cat/a.png", b"GIF89a, or a text that somebody renamed"),
        format!("{} the file is of another kind", error("a.png"))
    );
    for end in [4, 20, png.len() / 2, png.len() - 20] {
        let said = read("cat/a.png", &png[..end]);
        assert!(said.starts_with(&error("a.png")), "{said}");
    }
    for end in [4, 20, jpg.len() / 2, jpg.len() - 2] {
        let said = read("cat/a.jpg", &jpg[..end]);
        assert!(said.starts_with(&error("a.jpg")), "{said}");
    }
    let mut flipped = png.clone();
    flipped[png.len() / 2] ^= 4;
    let said = read("cat/a.png", &flipped);
    assert!(said.starts_with(&error("a.png")), "{said}");
    // A loader names the row as well, and what comes behind it is not read.
    f.write("cat/0.png", &png);
    f.write("cat/1.png", &png[..60]);
    f.write("cat/2.png", &png);
    let images = ImageFolder::<3, 8, 8>::open(f.path()).unwrap();
    let loader = Loader::new(images, 1).workers(2).stack(Batch);
    let batches: Vec<_> = loader.try_epoch(0).collect();
    assert_eq!(batches.len(), 2);
    let said = f.message(batches.into_iter().nth(1).unwrap());
    let expected = format!("row 1 of the data set: cat/1.png: {begin}");
    assert!(said.starts_with(&expected), "{said}");
}
