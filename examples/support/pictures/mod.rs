//! Pictures as PNG, without any font installed: the letters are 8×8 bitmaps.

mod axes;
mod bars;
mod graph;
mod heat_map;
mod images;
mod plot;

pub use axes::{decimals, ticks, width, write_text};
pub use bars::bars;
pub use graph::{Graph, graphs};
pub use heat_map::heat_map;
pub use images::images;
pub use plot::{Line, Plot, Style, plot};

use anyhow::{Context, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// What is drawn on.
pub type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// The side of a letter, in pixels.
pub const GLYPH: i32 = 8;

/// Grey, for letters and axes.
pub const INK: RGBColor = RGBColor(60, 60, 60);

/// Light grey, for lines behind the data.
pub const GRID: RGBColor = RGBColor(220, 220, 220);

/// Colours that most readers can tell apart (Okabe & Ito 2008).
pub const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Draws a picture and writes it.
fn write(path: &Path, size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<()> {
    let mut pixels = crate::png::pixels(size);
    let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
    area.fill(&WHITE)?;
    draw(&area)?;
    area.present()?;
    drop(area);
    crate::png::write(path, size, &pixels)
        .with_context(|| format!("{}: cannot write the picture", path.display()))
}
