//! The gradients of `a² - b²`. The ascent of `b` does not see `a`, so the highest payoff has the gradient `2 a`.

const TOLERANCE: f64 = 1e-5;

type Point = [f64; 2];

/// Both points of the saddle.
pub fn saddle(start: Point) -> [Point; 2] {
    let square = |v: Point| v[0] * v[0] + v[1] * v[1];
    let answer = || descend(start, square, |b| [2.0 * b[0], 2.0 * b[1]]);
    let highest = |a: Point| square(a) - square(answer());
    let a = descend(start, highest, |a| [2.0 * a[0], 2.0 * a[1]]);
    [a, answer()]
}

/// Descent with a step that grows after ten successes and shrinks after a failure.
pub fn descend<const N: usize>(
    start: [f64; N],
    f: impl Fn([f64; N]) -> f64,
    gradient: impl Fn([f64; N]) -> [f64; N],
) -> [f64; N] {
    let length = |v: &[f64; N]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (mut at, mut value, mut slope) = (start, f(start), gradient(start));
    let (mut rate, mut successes) = (1e-5, 0);
    while length(&slope) > TOLERANCE {
        if successes == 10 {
            (rate, successes) = (2.0 * rate, 0);
        }
        if rate * length(&slope) <= TOLERANCE {
            break;
        }
        let next = core::array::from_fn(|i| at[i] - rate * slope[i]);
        let there = f(next);
        if there < value {
            (at, value, slope) = (next, there, gradient(next));
            successes += 1;
        } else {
            (rate, successes) = (0.5 * rate, 0);
        }
    }
    at
}
