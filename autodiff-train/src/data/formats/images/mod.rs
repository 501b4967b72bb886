//! Images in folders: one folder for each class, as most data sets of pictures are handed out.

mod decode;

use super::FormatError;
use crate::data::{DataError, Dataset, InMemory};
use autodiff_nn::shape::{Dim, Sz};
use autodiff_nn::tensor::Tensor;
use decode::Size;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// PNG and JPEG images in folders, one folder for each class: a data set of `[C, H, W]` tensors with values from 0 to 1,
/// and the numbers of their classes. With the feature `images`.
///
/// The classes are the folders in the order of their names, so that `cat`, `dog` are 0 and 1; the images of a class come in
/// the order of theirs. `C` is 1 for grey images and 3 for red, green and blue. A grey file becomes three equal channels;
/// a file with colours becomes grey by `0.299 R + 0.587 G + 0.114 B` (ITU-R BT.601), as Pillow and torchvision do it.
/// Transparency and the orientation in EXIF data are left out.
///
/// An image is read and decoded each time that its row is asked for, by the [workers](crate::data::Loader::workers) of a
/// loader if it has some. [`in_memory`](ImageFolder::in_memory) decodes all of them once, which is faster where they fit.
///
/// ```
/// use differentiable::data::{Dataset, ImageFolder, Loader};
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/files/images");
/// // images/circle/0.png, images/circle/1.png, images/square/0.jpg, ..
/// let images = ImageFolder::<3, 8, 8>::open(folder)?.resized();
/// assert_eq!(images.classes(), ["circle", "square"]);
/// let (train, test) = images.split(0.25, 0)?;
/// for batch in Loader::new(train, 2).shuffle(0).workers(2).stack(Batch).try_epoch(0) {
///     let (x, y): (Tensor![Batch, 3, 8, 8], Tensor![i64; Batch]) = batch?;
/// }
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFolder<const C: usize, const H: usize, const W: usize> {
    classes: Vec<String>,
    files: Vec<(PathBuf, usize)>,
    size: Size,
}

impl<const C: usize, const H: usize, const W: usize> ImageFolder<C, H, W> {
    /// Lists the images of a folder; names that begin with a dot are left out. No image is read before it is asked for.
    ///
    /// # Errors
    /// [`DataError::Open`] for a folder that cannot be read. [`FormatError::Folder`] if there is no class, a class has no
    /// image, or a file stands where it does not belong: beside the folders of the classes, or among the images under a
    /// name that does not end in `.png`, `.jpg` or `.jpeg`.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, DataError> {
        const { assert!(C == 1 || C == 3, "images have 1 channel or 3") };
        let folder = folder.as_ref();
        let (mut classes, mut files) = (Vec::new(), Vec::new());
        for class in entries(folder)? {
            if !class.is_dir() {
                return Err(misplaced(&class, "a folder for each class", "a file"));
            }
            let images = entries(&class)?;
            if images.is_empty() {
                return Err(misplaced(&class, "at least one image of the class", "none"));
            }
            for image in images {
                if image.is_dir() {
                    return Err(misplaced(
                        &image,
                        "images in the folder of a class",
                        "a folder",
                    ));
                }
                if !has_name_of_image(&image) {
                    let expected = "a name that ends in .png, .jpg or .jpeg";
                    return Err(misplaced(&image, expected, "another name"));
                }
                files.push((image, classes.len()));
            }
            let name = class.file_name().unwrap_or_default();
            classes.push(name.to_string_lossy().into_owned());
        }
        if classes.is_empty() {
            return Err(misplaced(folder, "a folder for each class", "none"));
        }
        Ok(ImageFolder {
            classes,
            files,
            size: Size::Exact,
        })
    }

    /// Resizes images of another size to `H × W`, by linear interpolation that averages over as many pixels as one covers
    /// (`BILINEAR` in Pillow). The ratio of the sides is not kept. Without this, an image of another size is an error.
    pub fn resized(self) -> Self {
        ImageFolder {
            size: Size::Resized,
            ..self
        }
    }

    /// The names of the classes, in the order of their numbers.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The class of each image, as [`stratified_rows`](crate::data::stratified_rows) takes it.
    pub fn labels(&self) -> Vec<i64> {
        self.files.iter().map(|file| file.1 as i64).collect()
    }

    /// The files, in the order of the rows.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.0.as_path())
    }

    /// Decodes all images: a data set with the same rows, whose columns are the `[N, C, H, W]` tensor of the images and their
    /// classes. `rows` makes the dimension of the rows.
    ///
    /// # Errors
    /// Those of [`get`](Dataset::get); [`DataError::Size`] if the dimension has a fixed size that is not the number of images.
    pub fn in_memory<R: Dim>(
        &self,
        rows: impl Fn(usize) -> R,
    ) -> Result<InMemory<(Tensor<(R, Sz<C>, Sz<H>, Sz<W>)>, Vec<i64>)>, DataError> {
        let rows = rows(self.files.len());
        if rows.size() != self.files.len() {
            return Err(DataError::Size {
                dim: "of the rows",
                expected: rows.size(),
                found: self.files.len(),
            });
        }
        let mut pixels = Vec::with_capacity(self.files.len() * C * H * W);
        for (path, _) in &self.files {
            pixels.extend(decode::pixels::<C>(path, self.size, [H, W])?);
        }
        let images = Tensor::from_vec_with((rows, Sz, Sz, Sz), pixels);
        InMemory::new((images.map_err(DataError::other)?, self.labels()))
    }
}

impl<const C: usize, const H: usize, const W: usize> Dataset for ImageFolder<C, H, W> {
    type Item = (Tensor<(Sz<C>, Sz<H>, Sz<W>)>, i64);

    fn len(&self) -> usize {
        self.files.len()
    }

    /// Reads and decodes an image. An error names its file: one that cannot be read, is no image or is cut off, or has
    /// another size than `H × W`.
    fn get(&self, index: usize) -> Result<Self::Item, DataError> {
        let rows = self.files.len();
        // The data set that a `Vec` is has a `get` of its own.
        let file = <[_]>::get(&self.files, index);
        let (path, class) = file.ok_or(DataError::NoRow { row: index, rows })?;
        let pixels = decode::pixels::<C>(path, self.size, [H, W])?;
        let image = Tensor::from_vec_with((Sz, Sz, Sz), pixels).map_err(DataError::other)?;
        Ok((image, *class as i64))
    }
}

/// What a folder holds, sorted by name, without hidden files.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    let unreadable = |error| DataError::Open {
        path: folder.into(),
        error,
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn has_name_of_image(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let known = ["png", "jpg", "jpeg"];
    known.iter().any(|k| extension.eq_ignore_ascii_case(k))
}

fn misplaced(path: &Path, expected: &'static str, found: &'static str) -> DataError {
    DataError::format(path, FormatError::Folder { expected, found })
}
