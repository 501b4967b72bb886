//! Round numbers at the axes, and letters.

use super::{Area, GLYPH};
use anyhow::Result;
use font8x8::UnicodeFonts;
use plotters::prelude::RGBColor;
use std::ops::Range;

/// About six round numbers in a range, no closer than `finest`.
pub fn ticks(range: &Range<f64>, finest: f64) -> impl Iterator<Item = f64> {
    let step = step(range).max(finest);
    let (first, last) = (
        (range.start / step).ceil() as i64,
        (range.end / step).floor() as i64,
    );
    (first..=last).map(move |i| i as f64 * step)
}

/// 1, 2 or 5 times a power of ten.
fn step(range: &Range<f64>) -> f64 {
    let rough = (range.end - range.start) / 6.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|f| f * power >= rough)
        .unwrap_or(10.0);
    factor * power
}

/// The digits after the point that tell the ticks apart.
pub fn decimals(range: &Range<f64>) -> usize {
    (-step(range).log10().floor()).max(0.0) as usize
}

/// The width of a text in pixels.
pub fn width(text: &str) -> i32 {
    GLYPH * text.chars().count() as i32
}

/// Writes a text to the right of a place.
///
/// # Errors
/// If the backend cannot draw.
pub fn write_text(area: &Area<'_>, text: &str, (x, y): (i32, i32), color: &RGBColor) -> Result<()> {
    for (i, letter) in text.chars().enumerate() {
        let rows = font8x8::BASIC_FONTS.get(letter).unwrap_or_default();
        for (row, bits) in rows.into_iter().enumerate() {
            for column in (0..GLYPH).filter(|c| bits >> c & 1 == 1) {
                area.draw_pixel((x + GLYPH * i as i32 + column, y + row as i32), color)?;
            }
        }
    }
    Ok(())
}
