//! Readers of files.

mod array;
mod bytes;
mod error;
#[cfg(any(feature = "images", feature = "parquet", feature = "tokenizers"))]
mod guard;
mod idx;
#[cfg(feature = "images")]
mod images;
mod labelled_csv;
mod npy;
#[cfg(feature = "npz")]
mod npz;
mod safetensors;
mod table;

pub use self::safetensors::read_safetensors;
pub use array::{Array, ArrayType};
pub use error::FormatError;
pub use idx::read_idx;
#[cfg(feature = "images")]
pub use images::ImageFolder;
pub use labelled_csv::read_labelled_csv;
pub use npy::read_npy;
#[cfg(feature = "npz")]
pub use npz::Npz;
pub use table::{Column, Header, Table};
#[cfg(feature = "tokenizers")]
pub(super) use {bytes::read as read_bytes, guard::guarded};
