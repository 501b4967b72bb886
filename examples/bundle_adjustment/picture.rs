//! The image of the middle camera: observations, and where the points are seen before and after.

use super::{Scene, png_file, residual};
use anyhow::Result;
use plotters::prelude::*;
use std::path::Path;

const SIZE: (u32, u32) = (1200, 620);
/// Half of the width of the image that is shown, in pixels of the camera.
const HALF: f64 = 320.0;

/// The left half shows the scene before, the right one after.
pub fn draw(before: &Scene, after: &Scene, path: &Path) -> Result<()> {
    let mut pixels = png_file::pixels(SIZE);
    halves(before, after, &mut pixels)?;
    png_file::write(path, SIZE, &pixels)
}

fn halves(before: &Scene, after: &Scene, pixels: &mut [u8]) -> Result<()> {
    let root = BitMapBackend::with_buffer(pixels, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(SIZE.0 / 2);
    for (area, scene, colour) in [
        (left, before, RGBColor(200, 50, 50)),
        (right, after, RGBColor(30, 110, 180)),
    ] {
        let (width, height) = area.dim_in_pixel();
        let scale = f64::from(width.min(height)) / (2.0 * HALF);
        let place = |[x, y]: [f64; 2]| {
            let at = |x: f64, size: u32| (f64::from(size) / 2.0 + scale * x).round() as i32;
            (at(x, width), at(y, height))
        };
        let middle = scene.cameras.len() / 2;
        for o in scene.observations.iter().filter(|o| o.camera == middle) {
            let image = residual(
                &scene.cameras[middle],
                &scene.points[o.point],
                &[0.0, 0.0],
                1.0,
            );
            let (from, to) = (place(o.seen), place(image));
            let grey = RGBColor(150, 150, 150);
            area.draw(&PathElement::new([from, to], colour))?;
            area.draw(&Circle::new(from, 3, grey))?;
            area.draw(&Circle::new(to, 2, colour.filled()))?;
        }
    }
    root.present()?;
    Ok(())
}
