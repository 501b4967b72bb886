//! Loss and accuracy as a PNG, without any font installed: the letters are 8×8 bitmaps.

use crate::history::History;
use crate::png_file;
use anyhow::{Context, Result, ensure};
use differentiable::io::check_writable;
use plotters::prelude::*;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use support::pictures::{Area, GLYPH, GRID, INK, decimals, ticks, width, write_text};

const SIZE: (u32, u32) = (1000, 420);
const LEFT_MARGIN: u32 = 60;
const MARGIN: u32 = 40;

const CANNOT_WRITE: &str = "cannot write the plot";

/// Refuses a path that would fail only after the training. Nothing is drawn or changed yet.
pub fn check(path: &Path) -> Result<()> {
    let is_png = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("png"));
    ensure!(
        is_png,
        "{}: expected a name that ends in .png",
        path.display()
    );
    let mut checked = check_writable(path);
    if checked.is_ok() && path.exists() {
        // The plot is written into a file that is there, which may itself be read-only.
        checked = File::options().write(true).open(path).map(|_| ());
    }
    checked.with_context(|| format!("{}: {CANNOT_WRITE}", path.display()))
}

/// Two panels over the epochs: loss and accuracy.
pub fn draw(history: &History, path: &Path) -> Result<()> {
    let mut pixels = png_file::pixels(SIZE);
    panels(history, &mut pixels)?;
    png_file::write(path, SIZE, &pixels)
        .with_context(|| format!("{}: {CANNOT_WRITE}", path.display()))
}

fn panels(history: &History, pixels: &mut [u8]) -> Result<()> {
    let root = BitMapBackend::with_buffer(pixels, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(SIZE.0 / 2);
    let losses: Vec<f64> = history.epochs.iter().map(|e| e.loss).collect();
    let accuracies: Vec<f64> = history.epochs.iter().map(|e| e.accuracy).collect();
    panel(
        &left,
        "training loss",
        &losses,
        0.0..padded_top(&losses),
        &BLUE,
    )?;
    let lowest = accuracies.iter().copied().fold(1.0, f64::min);
    panel(
        &right,
        "training accuracy",
        &accuracies,
        (lowest - 0.01)..1.0,
        &RED,
    )?;
    root.present()?;
    Ok(())
}

fn padded_top(values: &[f64]) -> f64 {
    let top = values.iter().copied().fold(0.0, f64::max);
    if top > 0.0 { 1.05 * top } else { 1.0 }
}

fn panel(area: &Area, title: &str, values: &[f64], y: Range<f64>, color: &RGBColor) -> Result<()> {
    // A single epoch stands in the middle: a range has to have a length.
    let x = match values.len() {
        0 | 1 => 0.5..1.5,
        epochs => 1.0..epochs as f64,
    };
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_left(LEFT_MARGIN)
        .build_cartesian_2d(x.clone(), y.clone())?;

    let corner = area.get_base_pixel();
    let at = |(px, py): (i32, i32)| (px - corner.0, py - corner.1);
    for tick in ticks(&x, 1.0) {
        let label = format!("{tick}");
        chart.draw_series([PathElement::new([(tick, y.start), (tick, y.end)], GRID)])?;
        let (px, py) = at(chart.backend_coord(&(tick, y.start)));
        write_text(area, &label, (px - width(&label) / 2, py + 8), &INK)?;
    }
    for tick in ticks(&y, 0.0) {
        let label = format!("{:.*}", decimals(&y), tick);
        chart.draw_series([PathElement::new([(x.start, tick), (x.end, tick)], GRID)])?;
        let (px, py) = at(chart.backend_coord(&(x.start, tick)));
        write_text(area, &label, (px - width(&label) - 6, py - GLYPH / 2), &INK)?;
    }
    let points = values.iter().enumerate().map(|(i, &v)| ((i + 1) as f64, v));
    chart.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
    chart.draw_series(points.map(|p| Circle::new(p, 2, color.filled())))?;
    write_text(area, title, (LEFT_MARGIN as i32, 16), color)?;
    let (_, height) = area.dim_in_pixel();
    write_text(
        area,
        "epoch",
        (SIZE.0 as i32 / 4 - width("epoch") / 2, height as i32 - 14),
        &INK,
    )
}
