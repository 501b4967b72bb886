//! An image file as numbers from 0 to 1, channel by channel.

use super::super::FormatError;
use super::super::guard::guarded;
use crate::data::DataError;
use image::imageops::{FilterType, resize};
use image::{DynamicImage, ImageError, ImageReader};
use std::fs;
use std::io::Cursor;
use std::path::Path;

/// What happens to an image whose size is not the one asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// It is an error.
    Exact,
    /// It is resized.
    Resized,
}

/// The pixels of a file in the order channel, row, column.
pub(super) fn pixels<const C: usize>(
    path: &Path,
    size: Size,
    expected: [usize; 2],
) -> Result<Vec<f32>, DataError> {
    let image = decode(path)?;
    let found = [image.height() as usize, image.width() as usize];
    if size == Size::Exact && found != expected {
        return Err(DataError::format(
            path,
            FormatError::ImageSize { expected, found },
        ));
    }
    let has_colours = image.color().has_color();
    // In floats, so that resizing rounds nothing to the 256 steps of a file.
    let mut image = image.to_rgb32f();
    if found != expected {
        let [height, width] = expected.map(|n| n as u32);
        image = resize(&image, width, height, FilterType::Triangle);
    }
    let interleaved = image.into_raw();
    let (rgb, _) = interleaved.as_chunks::<3>();
    Ok(match (C, has_colours) {
        (1, false) => rgb.iter().map(|p| p[0]).collect(),
        (1, true) => rgb.iter().map(grey).collect(),
        _ => (0..C).flat_map(|c| rgb.iter().map(move |p| p[c])).collect(),
    })
}

/// ITU-R BT.601.
fn grey([r, g, b]: &[f32; 3]) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

fn decode(path: &Path) -> Result<DynamicImage, DataError> {
    let bytes = fs::read(path).map_err(|error| DataError::Open {
        path: path.into(),
        error,
    })?;
    let damaged = |reason: String| {
        let expected = "a PNG or JPEG image";
        DataError::format(path, FormatError::Container { expected, reason })
    };
    if bytes.is_empty() {
        return Err(damaged("the file is empty".into()));
    }
    let reader = ImageReader::new(Cursor::new(&bytes)).with_guessed_format();
    let reader = reader.map_err(|e| damaged(e.to_string()))?;
    let image = guarded(|| reader.decode()).map_err(damaged)?;
    let image = image.map_err(|error| match error {
        ImageError::Unsupported(_) => damaged("the file is of another kind".into()),
        error => damaged(error.to_string().replace('\n', " ")),
    })?;
    match is_cut_off_jpeg(&bytes) {
        true => Err(damaged("the file ends before the image does".into())),
        false => Ok(image),
    }
}

/// Whether a JPEG file has no end-of-image marker behind its pixels. The decoder fills what is missing with grey.
fn is_cut_off_jpeg(bytes: &[u8]) -> bool {
    const START: [u8; 2] = [0xff, 0xd8];
    const SCAN: [u8; 2] = [0xff, 0xda];
    const END: [u8; 2] = [0xff, 0xd9];
    let Some(mut rest) = bytes.strip_prefix(&START) else {
        return false;
    };
    // Segments before the pixels are skipped as a whole: a preview in one has an end of its own.
    while let [0xff, kind, high, low, ..] = *rest
        && [0xff, kind] != SCAN
    {
        let length = 2 + usize::from(u16::from_be_bytes([high, low]));
        match rest.get(length..) {
            Some(next) => rest = next,
            None => return true,
        }
    }
    // Among the pixels, a byte 0xff is followed by zero or by a marker.
    !rest.windows(2).any(|pair| pair == END)
}
