//! Writes pixels as a PNG.

use anyhow::Result;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Writes rows of pixels, each of which is red, green and blue.
pub fn write(path: &Path, (width, height): (u32, u32), pixels: &[u8]) -> Result<()> {
    let mut image = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
    image.set_color(png::ColorType::Rgb);
    image.set_depth(png::BitDepth::Eight);
    image.set_compression(png::Compression::High);
    // Thin lines on white: filters, made for photographs, cost a third more here.
    image.set_filter(png::Filter::NoFilter);
    let mut image = image.write_header()?;
    image.write_image_data(pixels)?;
    image.finish()?;
    Ok(())
}

/// Memory for the pixels of an image.
pub fn pixels((width, height): (u32, u32)) -> Vec<u8> {
    vec![0; 3 * (width * height) as usize]
}
