//! Curves of the values of a run. No font of the system is needed: a PNG has letters of 8×8 pixels, and an SVG leaves
//! them to its viewer.

use super::{Image, LogError, Logger, Resumed};
use crate::io::write_atomically;
use font8x8::UnicodeFonts;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::path::PathBuf;

/// A picture of all values over the steps, as PNG or SVG by the ending of its name. Losses share a panel, each other
/// value has one of its own.
///
/// The picture is drawn anew when the log is flushed; a run that is resumed draws the epochs before too.
#[derive(Debug)]
pub struct Curves {
    path: PathBuf,
    series: Vec<Series>,
    is_drawn: bool,
}

#[derive(Debug)]
struct Series {
    name: String,
    /// Step and value.
    points: Vec<(f64, f64)>,
}

impl Curves {
    /// A picture in this file, whose name ends in `.png` or `.svg`.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Curves {
            path: path.into(),
            series: Vec::new(),
            is_drawn: true,
        }
    }

    fn format(&self) -> Result<Format, LogError> {
        let extension = self.path.extension().unwrap_or_default();
        match extension.to_ascii_lowercase().to_str() {
            Some("png") => Ok(Format::Png),
            Some("svg") => Ok(Format::Svg),
            _ => Err(self.error("expected a name that ends in .png or .svg".to_string())),
        }
    }

    fn error(&self, reason: String) -> LogError {
        LogError::Draw {
            path: self.path.clone(),
            reason,
        }
    }

    fn draw(&self) -> Result<Vec<u8>, LogError> {
        let panels = panels(&self.series);
        let rows = panels.len().div_ceil(COLUMNS).max(1);
        let columns = panels.len().clamp(1, COLUMNS);
        let size = (WIDTH * columns as u32, HEIGHT * rows as u32);
        let failed = |e: Box<dyn Error>| self.error(e.to_string());
        match self.format()? {
            Format::Svg => {
                let mut text = String::new();
                let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
                draw(&area, (rows, columns), &panels, &svg_text).map_err(failed)?;
                drop(area);
                Ok(text.into_bytes())
            }
            Format::Png => {
                let mut pixels = vec![0; 3 * size.0 as usize * size.1 as usize];
                let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
                draw(&area, (rows, columns), &panels, &bitmap_text).map_err(failed)?;
                drop(area);
                let image = Image::rgb(size.0, size.1, pixels);
                Ok(image.map_err(|e| self.error(e.to_string()))?.png())
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Format {
    Png,
    Svg,
}

impl Logger for Curves {
    fn begin(&mut self, resumed: Option<&Resumed<'_>>) -> Result<(), LogError> {
        self.format()?;
        self.series.clear();
        for epoch in resumed.map_or(&[][..], |r| r.epochs) {
            for (name, value) in &epoch.values {
                self.scalar(name, epoch.steps, *value)?;
            }
        }
        Ok(())
    }

    fn scalar(&mut self, name: &str, step: u64, value: f64) -> Result<(), LogError> {
        self.is_drawn = false;
        // What is not finite leaves a gap that the line bridges.
        if !value.is_finite() {
            return Ok(());
        }
        let point = (step as f64, value);
        match self.series.iter_mut().find(|s| s.name == name) {
            Some(series) => series.points.push(point),
            None => self.series.push(Series {
                name: name.to_string(),
                points: vec![point],
            }),
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), LogError> {
        if self.is_drawn {
            return Ok(());
        }
        let bytes = self.draw()?;
        write_atomically(&self.path, &bytes).map_err(|error| LogError::Write {
            path: self.path.clone(),
            error,
        })?;
        self.is_drawn = true;
        Ok(())
    }
}

const COLUMNS: usize = 3;
const WIDTH: u32 = 480;
const HEIGHT: u32 = 320;
const MARGIN: u32 = 40;
const LEFT_MARGIN: u32 = 80;
const GLYPH: i32 = 8;
const INK: RGBColor = RGBColor(60, 60, 60);
const GRID: RGBColor = RGBColor(220, 220, 220);
const COLORS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(23, 190, 207),
];

/// The series that share a panel: those whose names end in `loss` first.
fn panels(series: &[Series]) -> Vec<Vec<&Series>> {
    let mut panels: BTreeMap<(bool, usize), Vec<&Series>> = BTreeMap::new();
    for (at, series) in series.iter().enumerate() {
        let is_loss = series.name.ends_with("loss");
        let place = if is_loss { 0 } else { at };
        panels.entry((!is_loss, place)).or_default().push(series);
    }
    panels.into_values().collect()
}

type Area<B> = DrawingArea<B, Shift>;
type Drawn = Result<(), Box<dyn Error>>;

/// Writes a text centred at the place, or to the left of it.
type Write<'w, B> = dyn Fn(&Area<B>, &str, (i32, i32), HPos, &RGBColor) -> Drawn + 'w;

fn draw<B>(
    area: &Area<B>,
    grid: (usize, usize),
    panels: &[Vec<&Series>],
    write: &Write<'_, B>,
) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    area.fill(&WHITE)?;
    for (part, series) in area.split_evenly(grid).iter().zip(panels) {
        panel(part, series, write)?;
    }
    area.present()?;
    Ok(())
}

fn panel<B>(area: &Area<B>, series: &[&Series], write: &Write<'_, B>) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    let points = || series.iter().flat_map(|s| s.points.iter().copied());
    let x = range(points().map(|p| p.0), 0.0);
    let y = range(points().map(|p| p.1), 0.05);
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_left(LEFT_MARGIN)
        .build_cartesian_2d(x.clone(), y.clone())?;
    let corner = area.get_base_pixel();
    let at = |(px, py): (i32, i32)| (px - corner.0, py - corner.1);
    for tick in ticks(&x) {
        chart.draw_series([PathElement::new([(tick, y.start), (tick, y.end)], GRID)])?;
        let (px, py) = at(chart.backend_coord(&(tick, y.start)));
        write(area, &tick.to_string(), (px, py + 12), HPos::Center, &INK)?;
    }
    for tick in ticks(&y) {
        chart.draw_series([PathElement::new([(x.start, tick), (x.end, tick)], GRID)])?;
        let (px, py) = at(chart.backend_coord(&(x.start, tick)));
        write(area, &label(tick, &y), (px - 6, py), HPos::Right, &INK)?;
    }
    let mut right = LEFT_MARGIN as i32;
    for (series, color) in series.iter().zip(COLORS.iter().cycle()) {
        let points = series.points.iter().copied();
        chart.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
        if series.points.len() <= 50 {
            chart.draw_series(points.map(|p| Circle::new(p, 2, color.filled())))?;
        }
        write(area, &series.name, (right, 20), HPos::Left, color)?;
        right += GLYPH * (series.name.chars().count() as i32 + 2);
    }
    write(
        area,
        "step",
        (WIDTH as i32 / 2, HEIGHT as i32 - 12),
        HPos::Center,
        &INK,
    )
}

/// From the least to the largest value, widened by a part of the length. A single value stands in the middle.
fn range(values: impl Iterator<Item = f64>, widened: f64) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    match low < high {
        true => low - widened * (high - low)..high + widened * (high - low),
        false if low.is_finite() => {
            low - 0.5 * low.abs().max(1e-6)..low + 0.5 * low.abs().max(1e-6)
        }
        false => 0.0..1.0,
    }
}

/// About six round numbers.
fn ticks(range: &Range<f64>) -> impl Iterator<Item = f64> {
    let step = step(range);
    let (first, last) = ((range.start / step).ceil(), (range.end / step).floor());
    (first as i64..=last as i64).map(move |i| i as f64 * step)
}

/// 1, 2 or 5 times a power of ten.
fn step(range: &Range<f64>) -> f64 {
    let rough = (range.end - range.start) / 6.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let factors = [1.0, 2.0, 5.0].into_iter();
    factors
        .map(|f| f * power)
        .find(|s| *s >= rough)
        .unwrap_or(10.0 * power)
}

/// With the digits that tell the ticks apart.
fn label(tick: f64, range: &Range<f64>) -> String {
    let decimals = (-step(range).log10().floor()).max(0.0) as usize;
    match decimals > 5 || tick.abs() >= 1e6 {
        true => format!("{tick:.1e}"),
        false => format!("{tick:.decimals$}"),
    }
}

fn svg_text<B>(area: &Area<B>, text: &str, at: (i32, i32), side: HPos, color: &RGBColor) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    let style = TextStyle::from(("sans-serif", 13).into_font())
        .color(color)
        .pos(Pos::new(side, VPos::Center));
    area.draw_text(text, &style, at)?;
    Ok(())
}

fn bitmap_text<B>(
    area: &Area<B>,
    text: &str,
    (x, y): (i32, i32),
    side: HPos,
    color: &RGBColor,
) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    let width = GLYPH * text.chars().count() as i32;
    let x = match side {
        HPos::Left => x,
        HPos::Center => x - width / 2,
        HPos::Right => x - width,
    };
    for (i, letter) in text.chars().enumerate() {
        let rows = font8x8::BASIC_FONTS.get(letter).unwrap_or_default();
        for (row, bits) in rows.into_iter().enumerate() {
            for column in (0..GLYPH).filter(|c| bits >> c & 1 == 1) {
                let place = (x + GLYPH * i as i32 + column, y - GLYPH / 2 + row as i32);
                area.draw_pixel(place, color)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::EpochReport;
    use std::time::Duration;

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("curves-{}-{name}", std::process::id()))
    }

    /// Draws a loss from 1 to 0 and an accuracy from 0 to 1.
    fn drawn(name: &str) -> Vec<u8> {
        let path = file(name);
        let mut log = Curves::at(&path);
        let values = |i: u64| {
            let x = i as f64 / 10.0;
            vec![
                ("loss".into(), 1.0 - x),
                ("accuracy".into(), x),
                ("val_loss".into(), f64::NAN),
            ]
        };
        let epoch = |i| EpochReport {
            epoch: i,
            steps: 10 * i,
            values: values(i),
            waited: Duration::ZERO,
            took: Duration::ZERO,
        };
        let past: Vec<EpochReport> = (0..5).map(epoch).collect();
        log.begin(Some(&Resumed {
            steps: 40,
            epochs: &past,
        }))
        .unwrap();
        for i in 5..=10 {
            for (name, value) in values(i) {
                log.scalar(&name, 10 * i, value).unwrap();
            }
        }
        log.flush().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        bytes
    }

    #[test]
    fn a_png_has_the_curves_where_they_belong() {
        let bytes = drawn("a.png");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (2 * WIDTH, HEIGHT));
        // The loss falls and the accuracy rises: the mean height of a curve's pixels at both ends of its panel.
        let height = |columns: Range<u32>| {
            let color = [COLORS[0].0, COLORS[0].1, COLORS[0].2];
            let inside = MARGIN..HEIGHT - MARGIN;
            let all = inside.flat_map(|y| columns.clone().map(move |x| (x, y)));
            let found = all.filter(|(x, y)| {
                let at = 3 * (y * info.width + x) as usize;
                pixels[at..at + 3] == color
            });
            let heights: Vec<f64> = found.map(|(_, y)| f64::from(y)).collect();
            assert!(!heights.is_empty());
            heights.iter().sum::<f64>() / heights.len() as f64
        };
        let (left, right) = (
            LEFT_MARGIN..LEFT_MARGIN + 20,
            WIDTH - MARGIN - 20..WIDTH - MARGIN,
        );
        assert!(height(left.clone()) + 150.0 < height(right.clone()));
        let moved = |r: Range<u32>| r.start + WIDTH..r.end + WIDTH;
        assert!(height(moved(left)) > height(moved(right)) + 150.0);
    }

    #[test]
    fn an_svg_has_texts_and_all_epochs() {
        let text = String::from_utf8(drawn("a.svg")).unwrap();
        assert!(text.trim_end().ends_with("</svg>"), "{text}");
        for name in ["loss", "accuracy", "step"] {
            assert!(text.lines().any(|l| l.trim() == name), "{name} in {text}");
        }
        let dots = text.matches("<circle").count();
        assert_eq!(dots, 2 * 11);
    }

    #[test]
    fn other_endings_are_refused() {
        let error = Curves::at("a.gif").begin(None).unwrap_err();
        let said = "a.gif: cannot draw the curves: expected a name that ends in .png or .svg";
        assert_eq!(error.to_string(), said);
    }

    #[test]
    fn ranges_and_ticks_of_odd_values() {
        for values in [
            vec![],
            vec![3.0],
            vec![0.0, 0.0],
            vec![-1e9, 1e9],
            vec![0.0, 1e-9],
        ] {
            let range = range(values.iter().copied(), 0.05);
            assert!(range.start < range.end, "{values:?}");
            let count = ticks(&range).count();
            assert!((2..=13).contains(&count), "{count} ticks in {range:?}");
        }
    }

    #[test]
    fn the_path_is_the_users() {
        assert_eq!(Curves::at("x/y.SVG").path, PathBuf::from("x/y.SVG"));
        assert!(Curves::at("x/y.SVG").format().is_ok());
    }
}
