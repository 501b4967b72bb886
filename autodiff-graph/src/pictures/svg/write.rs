//! Boxes, frames and arrows as SVG.

use super::layout::{Area, LINE, PAD, Placed, SMALL, TITLE, Way, size, text_width};
use crate::pictures::picture::{Drawing, Kind, Line, Shown};
use core::fmt::Write;
use std::collections::BTreeSet;

/// As text of XML; characters that XML does not have are left out.
fn escaped(text: &str) -> String {
    let is_allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(is_allowed) {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
    }
    out
}

/// Around everything.
const MARGIN: f64 = 16.0;
const INK: &str = "#0f172a";
const FAINT: &str = "#64748b";
const LINES: &str = "#475569";

/// A picture with its title, and a legend of the colours in it.
pub(super) fn svg(drawing: &Drawing, placed: &Placed) -> String {
    let mut body = String::new();
    // From the outside in: those inside are drawn over those around them.
    for (frame, area) in drawing.frames.iter().zip(&placed.frames) {
        if let Some(area) = area {
            write_frame(&frame.name, area, &mut body);
        }
    }
    for way in &placed.arrows {
        write_arrow(way, &mut body);
    }
    for (shown, area) in drawing.boxes.iter().zip(&placed.boxes) {
        write_box(shown, area, &mut body);
    }
    for (arrow, way) in drawing.arrows.iter().zip(&placed.arrows) {
        if let Some((x, y)) = way.label {
            let (width, height) = (text_width(&arrow.label, SMALL, false) + 2.0, LINE * SMALL);
            let (left, top) = (x - width / 2.0, y - height / 2.0);
            let _ = writeln!(
                body,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"#ffffff\" \
                 fill-opacity=\"0.85\"/>"
            );
            text(
                &arrow.label,
                x,
                y + 0.35 * SMALL,
                SMALL,
                LINES,
                "middle",
                "",
                &mut body,
            );
        }
    }

    let (left, top, mut right, mut bottom) = bounds(placed);
    let mut above = 0.0;
    let mut head = String::new();
    if let Some(title) = &drawing.title {
        above = 2.0 * TITLE;
        right = right.max(left + text_width(title, 1.2 * TITLE, true));
        let y = top - 0.9 * TITLE;
        text(
            title,
            left,
            y,
            1.2 * TITLE,
            INK,
            "start",
            " font-weight=\"bold\"",
            &mut head,
        );
    }
    let kinds: BTreeSet<Kind> = drawing.boxes.iter().map(|b| b.kind).collect();
    let (width, height) = write_legend(
        &kinds,
        left,
        bottom + MARGIN,
        (right - left).max(420.0),
        &mut head,
    );
    right = right.max(left + width);
    bottom += MARGIN + height;
    let (x, y) = (left - MARGIN, top - above - MARGIN);
    let (width, height) = (
        right - left + 2.0 * MARGIN,
        bottom - top + above + 2.0 * MARGIN,
    );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"{x:.1} {y:.1} {width:.1} \
         {height:.1}\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n<defs><marker id=\"tip\" \
         viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 \
         z\" fill=\"{LINES}\"/></marker></defs>\n<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         fill=\"#ffffff\"/>\n{body}{head}</svg>\n"
    )
}

/// Left, top, right and bottom of all that lies somewhere.
fn bounds(placed: &Placed) -> (f64, f64, f64, f64) {
    let areas = placed.boxes.iter().chain(placed.frames.iter().flatten());
    let corners = areas.map(|a| {
        let (w, h) = (a.width / 2.0, a.height / 2.0);
        (a.x - w, a.y - h, a.x + w, a.y + h)
    });
    let points = placed.arrows.iter().flat_map(|way| &way.points);
    let all = corners.chain(points.map(|&(x, y)| (x, y, x, y)));
    let joined = all.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)));
    joined.unwrap_or_default()
}

#[allow(
    clippy::too_many_arguments,
    reason = "a text has a place, a size, a colour, an anchor and a style"
)]
fn text(
    text: &str,
    x: f64,
    y: f64,
    size: f64,
    colour: &str,
    anchor: &str,
    style: &str,
    out: &mut String,
) {
    let text = escaped(text);
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" fill=\"{colour}\" text-anchor=\"{anchor}\"{style}>{text}</text>"
    );
}

fn write_frame(name: &str, area: &Area, out: &mut String) {
    let (x, y) = (area.x - area.width / 2.0, area.y - area.height / 2.0);
    let _ = writeln!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"10\" fill=\"#94a3b8\" fill-opacity=\"0.10\" \
         stroke=\"#94a3b8\" stroke-dasharray=\"5 3\"/>",
        area.width, area.height
    );
    text(
        name,
        x + 8.0,
        y + 1.3 * SMALL,
        SMALL,
        FAINT,
        "start",
        " font-style=\"italic\"",
        out,
    );
}

fn write_box(shown: &Shown, area: &Area, out: &mut String) {
    let (x, y) = (area.x - area.width / 2.0, area.y - area.height / 2.0);
    let (fill, border, _) = shown.kind.look();
    let round = match shown.kind {
        Kind::Input | Kind::Constant | Kind::Output => (area.height / 2.0).min(18.0),
        _ => 4.0,
    };
    let _ = writeln!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{round:.1}\" fill=\"{fill}\" stroke=\"{border}\" \
         stroke-width=\"1.4\"/>",
        area.width, area.height
    );
    let mut base = y + 0.6 * PAD;
    for line in &shown.lines {
        let size = size(line);
        base += LINE * size;
        let (colour, style) = match line {
            _ if shown.kind == Kind::Output => ("#ffffff", " font-weight=\"bold\""),
            Line::Title(_) => (INK, " font-weight=\"bold\""),
            Line::Detail(_) => (LINES, " font-style=\"italic\""),
            Line::Sizes(_) => (FAINT, ""),
            Line::Value(_) => ("#1d4ed8", " font-weight=\"bold\""),
            Line::Cotangent(_) => ("#be185d", " font-weight=\"bold\""),
        };
        text(
            line.text(),
            area.x,
            base - 0.25 * size,
            size,
            colour,
            "middle",
            style,
            out,
        );
    }
}

/// A smooth line along the points: a uniform cubic B-spline, from the first to the last.
fn write_arrow(way: &Way, out: &mut String) {
    let points = &way.points;
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return;
    };
    let mut path = format!("M{:.1} {:.1}", first.0, first.1);
    if points.len() > 2 {
        let mix =
            |a: (f64, f64), b: (f64, f64), t: f64| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        for k in 1..points.len() - 1 {
            let (a, b, c) = (points[k - 1], points[k], points[k + 1]);
            let end = mix(mix(a, b, 2.0 / 3.0), mix(b, c, 1.0 / 3.0), 0.5);
            if k == 1 {
                let start = mix(a, b, 1.0 / 6.0);
                let _ = write!(path, " L{:.1} {:.1}", start.0, start.1);
            }
            let (one, two) = (mix(a, b, 1.0 / 3.0), mix(a, b, 2.0 / 3.0));
            let mut curve = |one: (f64, f64), two: (f64, f64), end: (f64, f64)| {
                let _ = write!(
                    path,
                    " C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                    one.0, one.1, two.0, two.1, end.0, end.1
                );
            };
            curve(one, two, end);
            if k == points.len() - 2 {
                curve(
                    mix(b, c, 1.0 / 3.0),
                    mix(b, c, 2.0 / 3.0),
                    mix(b, c, 5.0 / 6.0),
                );
            }
        }
    }
    let _ = write!(path, " L{:.1} {:.1}", last.0, last.1);
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{LINES}\" stroke-width=\"1.2\" marker-end=\"url(#tip)\"/>"
    );
}

/// What the colours mean, in rows of at most this width; the width and the height of all.
fn write_legend(
    kinds: &BTreeSet<Kind>,
    left: f64,
    top: f64,
    most: f64,
    out: &mut String,
) -> (f64, f64) {
    const ROW: f64 = 20.0;
    let (mut x, mut row, mut widest) = (0.0, 0.0, 0.0_f64);
    for kind in kinds {
        let (fill, border, name) = kind.look();
        let width = 18.0 + text_width(name, SMALL, false) + 14.0;
        if x > 0.0 && x + width > most {
            (x, row) = (0.0, row + 1.0);
        }
        let y = top + row * ROW;
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"12\" height=\"12\" rx=\"3\" fill=\"{fill}\" stroke=\"{border}\"/>",
            left + x
        );
        text(
            name,
            left + x + 18.0,
            y + 10.0,
            SMALL,
            LINES,
            "start",
            "",
            out,
        );
        x += width;
        widest = widest.max(x);
    }
    (widest, (row + 1.0) * ROW)
}
