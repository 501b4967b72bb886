//! Named numbers as bars, to the right of zero or to its left.

use super::{COLOURS, GLYPH, GRID, INK, width, write, write_text};
use anyhow::{Result, ensure};
use plotters::prelude::*;
use std::path::Path;

/// The height of a bar with the space around it, and the longest bar, in pixels.
const ROW: i32 = 14;
const LONGEST: f64 = 220.0;

/// Draws a bar for each number, one below the other. Positive ones go to the right in one colour, negative ones to the left in
/// another; the names stand on the other side of zero.
///
/// # Errors
/// If there is no bar, a number is not finite, or the file cannot be written.
pub fn bars(path: &Path, bars: &[(String, f64)]) -> Result<()> {
    ensure!(!bars.is_empty(), "a picture of bars has at least one");
    if let Some((name, value)) = bars.iter().find(|(_, value)| !value.is_finite()) {
        anyhow::bail!("the bar `{name}` is {value}, expected a finite number");
    }
    let most = bars
        .iter()
        .map(|(_, value)| value.abs())
        .fold(0.0, f64::max);
    let scale = if most > 0.0 { LONGEST / most } else { 0.0 };
    let names = bars.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let half = (LONGEST as i32).max(names) + 2 * GLYPH;
    let size = (2 * half, ROW * bars.len() as i32 + 2 * GLYPH);
    write(path, (size.0 as u32, size.1 as u32), |area| {
        for (i, (name, value)) in bars.iter().enumerate() {
            let top = GLYPH + ROW * i as i32;
            let tip = half + (scale * value) as i32;
            let colour = COLOURS[usize::from(*value < 0.0)];
            let corners = [(half, top + 2), (tip, top + ROW - 2)];
            area.draw(&Rectangle::new(corners, colour.filled()))?;
            let left = match *value < 0.0 {
                true => half + GLYPH,
                false => half - GLYPH - width(name),
            };
            write_text(area, name, (left, top + (ROW - GLYPH) / 2), &INK)?;
        }
        area.draw(&PathElement::new([(half, 0), (half, size.1)], GRID))?;
        Ok(())
    })
}
