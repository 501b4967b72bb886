//! Lines and points over two axes.

use super::{COLOURS, GLYPH, GRID, INK, decimals, ticks, width, write, write_text};
use anyhow::{Result, ensure};
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

const SIZE: (u32, u32) = (560, 420);
const MARGIN: u32 = 44;
const LEFT_MARGIN: u32 = 64;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line through the points.
    Line,
    /// The points.
    Dots,
}

/// A series of points `(x, y)`.
#[derive(Clone, Debug)]
pub struct Line {
    /// Named in the legend.
    pub name: String,
    /// At least one.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub style: Style,
}

/// A picture of series.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Below the x axis.
    pub x: &'static str,
    /// Above the y axis.
    pub y: &'static str,
    /// In the order in which they are drawn.
    pub series: Vec<Line>,
}

/// Draws series over two axes, each as long as its data.
///
/// # Errors
/// If there is no point, or the file cannot be written.
pub fn plot(path: &Path, plot: &Plot) -> Result<()> {
    let all = || plot.series.iter().flat_map(|s| s.points.iter());
    ensure!(all().next().is_some(), "a plot has at least one point");
    let (xs, ys) = (range(all().map(|p| p.0)), range(all().map(|p| p.1)));
    write(path, SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(MARGIN)
            .margin_left(LEFT_MARGIN)
            .build_cartesian_2d(xs.clone(), ys.clone())?;
        for tick in ticks(&xs, 0.0) {
            let label = format!("{tick:.*}", decimals(&xs));
            chart.draw_series([PathElement::new([(tick, ys.start), (tick, ys.end)], GRID)])?;
            let (px, py) = chart.backend_coord(&(tick, ys.start));
            write_text(area, &label, (px - width(&label) / 2, py + 8), &INK)?;
        }
        for tick in ticks(&ys, 0.0) {
            let label = format!("{tick:.*}", decimals(&ys));
            chart.draw_series([PathElement::new([(xs.start, tick), (xs.end, tick)], GRID)])?;
            let (px, py) = chart.backend_coord(&(xs.start, tick));
            write_text(area, &label, (px - width(&label) - 6, py - GLYPH / 2), &INK)?;
        }
        let mut legend = SIZE.0 as i32 - MARGIN as i32;
        for (series, color) in plot.series.iter().zip(COLOURS.iter().cycle()) {
            let points = series.points.iter().copied();
            match series.style {
                Style::Line => {
                    chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
                }
                Style::Dots => {
                    chart.draw_series(points.map(|p| Circle::new(p, 2, color.filled())))?;
                }
            }
            legend -= width(&series.name) + 2 * GLYPH;
            write_text(area, &series.name, (legend, 20), color)?;
        }
        write_text(area, plot.y, (16, 20), &INK)?;
        let (x, y) = (SIZE.0 as i32 / 2, SIZE.1 as i32 - 16);
        write_text(area, plot.x, (x - width(plot.x) / 2, y), &INK)
    })
}

/// From the least to the greatest, and a little more on both sides.
fn range(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    let margin = if high > low { 0.03 * (high - low) } else { 0.5 };
    low - margin..high + margin
}
