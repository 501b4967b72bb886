//! A line search for the strong conditions of Wolfe.
//!
//! Along a direction the loss is a function of the step length `t`. The search brackets a length with a sufficient fall of
//! the loss and a flat enough slope, and then narrows the bracket by cubic interpolation: algorithms 3.5 and 3.6 of Nocedal &
//! Wright, *Numerical Optimization*, 2006, with the guards against slow progress of Schmidt's minFunc, which PyTorch has too.

use super::vector::Vector;

/// A place on the line.
#[derive(Clone)]
pub(super) struct Point {
    /// The step length.
    pub(super) t: f64,
    pub(super) loss: f64,
    /// The derivative of the loss by `t`.
    pub(super) slope: f64,
    pub(super) grad: Vector,
}

/// The fraction of the first slope by which the loss must fall.
const FALL: f64 = 1e-4;
/// The fraction of the first slope that may be left.
const FLAT: f64 = 0.9;
/// How often the search moves on.
const MOST: usize = 25;

/// A point after `start`, beginning with the length `first`. `scale` is the largest entry of the direction: a bracket that
/// moves no parameter by `tolerance` is narrow enough.
pub(super) fn strong_wolfe(
    start: &Point,
    first: f64,
    scale: f64,
    tolerance: f64,
    evaluate: &mut dyn FnMut(f64) -> Point,
) -> Point {
    let falls = |p: &Point| p.loss <= start.loss + FALL * p.t * start.slope;
    let flat = |p: &Point| p.slope.abs() <= -FLAT * start.slope;
    let mut tries = 0;

    let (mut before, mut now) = (start.clone(), evaluate(first));
    let (mut low, mut high) = loop {
        if tries == MOST {
            break ordered(start.clone(), now);
        }
        if !falls(&now) || (tries > 1 && now.loss >= before.loss) {
            break ordered(before, now);
        }
        if flat(&now) {
            return now;
        }
        if now.slope >= 0.0 {
            break ordered(before, now);
        }
        let least = now.t + 0.01 * (now.t - before.t);
        let t = interpolated(&before, &now, least, 10.0 * now.t);
        (before, now) = (now, evaluate(t));
        tries += 1;
    };

    let mut slow = false;
    while tries < MOST && (high.t - low.t).abs() * scale >= tolerance {
        let (left, right) = (low.t.min(high.t), low.t.max(high.t));
        let mut t = interpolated(&low, &high, left, right);
        let margin = 0.1 * (right - left);
        let near_an_end = (right - t).min(t - left) < margin;
        if near_an_end && (slow || t >= right || t <= left) {
            let at_right = right - t < t - left;
            t = if at_right {
                right - margin
            } else {
                left + margin
            };
            slow = false;
        } else {
            slow = near_an_end;
        }
        let now = evaluate(t);
        tries += 1;
        if !falls(&now) || now.loss >= low.loss {
            (low, high) = ordered(low, now);
            continue;
        }
        if flat(&now) {
            return now;
        }
        if now.slope * (high.t - low.t) >= 0.0 {
            high = low;
        }
        low = now;
    }
    low
}

/// The point with the smaller loss first; a loss that is not a number is the larger.
fn ordered(a: Point, b: Point) -> (Point, Point) {
    if b.loss < a.loss { (b, a) } else { (a, b) }
}

/// The minimum of the cubic polynomial with the values and slopes of two points, between two bounds.
fn interpolated(a: &Point, b: &Point, least: f64, most: f64) -> f64 {
    let (l, r) = if a.t <= b.t { (a, b) } else { (b, a) };
    let d1 = l.slope + r.slope - 3.0 * (l.loss - r.loss) / (l.t - r.t);
    let d2 = (d1 * d1 - l.slope * r.slope).sqrt();
    let t = r.t - (r.t - l.t) * ((r.slope + d2 - d1) / (r.slope - l.slope + 2.0 * d2));
    // No minimum, or a loss that is not finite.
    if t.is_finite() {
        t.clamp(least, most)
    } else {
        (least + most) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(t: f64, f: fn(f64) -> (f64, f64)) -> Point {
        let (loss, slope) = f(t);
        let grad = Vector::none();
        Point {
            t,
            loss,
            slope,
            grad,
        }
    }

    fn search(first: f64, f: fn(f64) -> (f64, f64)) -> Point {
        let start = point(0.0, f);
        let found = strong_wolfe(&start, first, 1.0, 1e-9, &mut |t| point(t, f));
        assert!(found.loss <= start.loss + FALL * found.t * start.slope);
        assert!(found.slope.abs() <= -FLAT * start.slope);
        found
    }

    #[test]
    fn a_cubic_is_met_in_one_interpolation() {
        // (t − 3)² has its minimum at 3.
        let f = |t: f64| ((t - 3.0).powi(2), 2.0 * (t - 3.0));
        let (a, b) = (point(0.0, f), point(1.0, f));
        assert!((interpolated(&a, &b, 0.0, 10.0) - 3.0).abs() < 1e-12);
        assert!((interpolated(&b, &a, 0.0, 2.0) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn lengths_that_are_too_long_and_too_short_are_mended() {
        let f = |t: f64| ((t - 3.0).powi(2), 2.0 * (t - 3.0));
        search(1e-3, f);
        search(100.0, f);
        // A loss that grows beyond all numbers to the right.
        let steep = |t: f64| (t.exp() - 4.0 * t, t.exp() - 4.0);
        let found = search(1e4, steep);
        assert!(found.t < 3.0, "{}", found.t);
        search(1e-6, steep);
    }
}
