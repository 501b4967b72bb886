//! Files as bytes, plain or compressed.

use crate::data::DataError;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Opens a file that may be compressed by gzip, which its content tells, not its name.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>, DataError> {
    let open = || -> io::Result<Box<dyn BufRead>> {
        const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
        let mut file = BufReader::new(File::open(path)?);
        Ok(match file.fill_buf()?.starts_with(&GZIP_MAGIC) {
            true => Box::new(BufReader::new(MultiGzDecoder::new(file))),
            false => Box::new(file),
        })
    };
    open().map_err(|error| DataError::Open {
        path: path.into(),
        error,
    })
}

/// All bytes of a file, decompressed.
pub(in crate::data) fn read(path: &Path) -> Result<Vec<u8>, DataError> {
    let mut bytes = Vec::new();
    let read = open(path)?.read_to_end(&mut bytes);
    read.map_err(|error| DataError::Bytes {
        path: path.into(),
        error,
    })?;
    Ok(bytes)
}

/// The first bytes, for an error message: as text where they are text.
pub(super) fn shown(bytes: &[u8]) -> String {
    const LONGEST: usize = 8;
    match bytes {
        [] => "an empty file".into(),
        _ => format!("\"{}\"", bytes[..bytes.len().min(LONGEST)].escape_ascii()),
    }
}
