//! Data sets, readers of files, and mini-batches.
//!
//! A [`Dataset`] has rows that are read by number; [`InMemory`] takes them from tensors. A [`Loader`] reads them in
//! mini-batches, shuffled anew in each epoch, if asked in threads of its own. `#[batch]` on a struct makes its rows batches
//! with named columns, [`pad`] joins sequences of different lengths.
//!
//! | to read | |
//! |---|---|
//! | `.csv`, `.tsv` | [`Table`], with columns by name; [`read_labelled_csv`] for numbers and a class |
//! | `.parquet` | `Table::read_parquet`, with the feature `parquet` |
//! | folders of `.png` and `.jpg` | `ImageFolder`, with the feature `images` |
//! | `.npy`, `.npz` | [`read_npy`], and `Npz` with the feature `npz` |
//! | `.idx`, such as MNIST | [`read_idx`] |
//! | `.safetensors` | [`read_safetensors`] |
//!
//! Text files, NPY, IDX and safetensors files may be compressed by gzip. [`Batches`] deals in row numbers only.
//!
//! [`CharVocab`], [`Bpe`] and, with the feature `tokenizers`, `Tokenizer` make texts numbers, and [`Categorical`] draws the
//! next one from the logits of a model.

// Reading and writing a file dwarfs the move of an error.
#![allow(clippy::result_large_err)]

mod batches;
mod collate;
mod dataset;
mod error;
mod fingerprint;
mod formats;
mod labelled;
mod loader;
mod pad;
mod sample;
mod source;
mod stack;
mod tokens;
mod transform;

pub use crate::dist::Share;
pub use batches::{Batches, Epoch};
pub use collate::{ByRow, Collate, Collated, Collator, Digested, Stacked};
pub use dataset::{
    Augment, Chain, Columns, Dataset, InMemory, LabelsBelow, Map, Subset, TryAugment, TryMap,
    k_folds, split_rows, stratified_rows,
};
pub use error::DataError;
pub use fingerprint::{Difference, Digest, Fingerprint};
#[cfg(feature = "images")]
pub use formats::ImageFolder;
#[cfg(feature = "npz")]
pub use formats::Npz;
pub use formats::{
    Array, ArrayType, Column, FormatError, Header, Table, read_idx, read_labelled_csv, read_npy,
    read_safetensors,
};
pub use labelled::{Labelled, Split};
pub use loader::{Fetch, InPlace, Job, Loader, OnDevice, Workers};
pub use pad::pad;
pub use sample::Categorical;
pub use source::Source;
pub use stack::Stack;
#[cfg(feature = "tokenizers")]
pub use tokens::Tokenizer;
pub use tokens::{Bpe, CharVocab, TokenError};
pub use transform::{Normalize, one_hot, random_crop, random_flip, random_shift};
