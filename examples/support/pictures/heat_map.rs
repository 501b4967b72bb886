//! A matrix as a map.

use super::{GLYPH, GRID, INK, width, write, write_text};
use anyhow::{Result, ensure};
use plotters::prelude::*;
use std::path::Path;

/// The side of an entry, in pixels.
const CELL: i32 = 20;

/// Draws a matrix of numbers from 0 to 1, row by row: white is 0, dark blue is 1. Rows and columns have names.
///
/// # Errors
/// If the numbers are not as many as rows times columns, or the file cannot be written.
pub fn heat_map(path: &Path, values: &[f32], rows: &[String], columns: &[String]) -> Result<()> {
    ensure!(
        values.len() == rows.len() * columns.len(),
        "a heat map of {} rows and {} columns has {} values",
        rows.len(),
        columns.len(),
        values.len()
    );
    let longest = |names: &[String]| names.iter().map(|n| width(n)).max().unwrap_or(0);
    let left = longest(rows) + 2 * GLYPH;
    // The names of columns are written downwards.
    let top = longest(columns) + 2 * GLYPH;
    let size = (
        left + CELL * columns.len() as i32 + GLYPH,
        top + CELL * rows.len() as i32 + GLYPH,
    );
    write(path, (size.0 as u32, size.1 as u32), |area| {
        let middle = (CELL - GLYPH) / 2;
        for (r, name) in rows.iter().enumerate() {
            let y = top + CELL * r as i32 + middle;
            write_text(area, name, (left - width(name) - GLYPH, y), &INK)?;
        }
        for (c, name) in columns.iter().enumerate() {
            let x = left + CELL * c as i32 + middle;
            for (i, letter) in name.chars().enumerate() {
                let y = top - GLYPH - width(name) + GLYPH * i as i32;
                write_text(area, &letter.to_string(), (x, y), &INK)?;
            }
        }
        for (i, value) in values.iter().enumerate() {
            let (r, c) = (i / columns.len(), i % columns.len());
            let corner = (left + CELL * c as i32, top + CELL * r as i32);
            let other = (corner.0 + CELL, corner.1 + CELL);
            area.draw(&Rectangle::new([corner, other], blue(*value).filled()))?;
            area.draw(&Rectangle::new([corner, other], GRID))?;
        }
        Ok(())
    })
}

/// From white to dark blue.
fn blue(value: f32) -> RGBColor {
    let part = value.clamp(0.0, 1.0);
    let mix = |dark: f32| (255.0 + part * (dark - 255.0)) as u8;
    RGBColor(mix(8.0), mix(48.0), mix(107.0))
}
