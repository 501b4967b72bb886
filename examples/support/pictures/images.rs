//! Small images side by side.

use super::{INK, write, write_text};
use anyhow::{Result, ensure};
use plotters::prelude::*;
use std::path::Path;

/// The side of a pixel of an image, and the space between images, in pixels of the picture.
const SCALE: usize = 6;
const GAP: usize = 6;
/// What the names need below the images.
const LETTERS: usize = 12;

/// Draws square images of grey pixels, from 0, white, to 1, black, `columns` in a row. Names stand below them, or there
/// are no names.
///
/// # Errors
/// If the pixels don't fill images, if there are names for some images only, or if the file cannot be written.
pub fn images(
    path: &Path,
    pixels: &[f32],
    side: usize,
    columns: usize,
    names: &[String],
) -> Result<()> {
    let count = pixels.len() / (side * side);
    ensure!(
        count > 0 && pixels.len() == count * side * side,
        "found {} pixels, expected images of {side} by {side}",
        pixels.len()
    );
    ensure!(
        names.is_empty() || names.len() == count,
        "found {} names, expected one for each of {count} images",
        names.len()
    );
    let letters = if names.is_empty() { 0 } else { LETTERS };
    let (across, down) = (side * SCALE + GAP, side * SCALE + GAP + letters);
    let size = (
        (GAP + columns * across) as u32,
        (GAP + count.div_ceil(columns) * down) as u32,
    );
    write(path, size, |area| {
        for (i, image) in pixels.chunks(side * side).enumerate() {
            let (left, top) = (GAP + i % columns * across, GAP + i / columns * down);
            for (p, value) in image.iter().enumerate() {
                let grey = (255.0 * (1.0 - value.clamp(0.0, 1.0))) as u8;
                let x = (left + p % side * SCALE) as i32;
                let y = (top + p / side * SCALE) as i32;
                let corners = [(x, y), (x + SCALE as i32, y + SCALE as i32)];
                area.draw(&Rectangle::new(
                    corners,
                    RGBColor(grey, grey, grey).filled(),
                ))?;
            }
            if let Some(name) = names.get(i) {
                let y = top + side * SCALE + 3;
                write_text(area, name, (left as i32, y as i32), &INK)?;
            }
        }
        Ok(())
    })
}
