//! Generics, traits, associated functions, modules and attributes.

use crate::check;
use differentiable::ad::Scalar;
use differentiable::prelude::*;

#[differentiable]
fn dot<T: Scalar, const N: usize>(x: &[T; N], y: &[T; N]) -> T {
    let mut s = x[0] * y[0];
    for i in 1..N {
        s = s + x[i] * y[i];
    }
    s
}

#[differentiable]
fn of_dot(x: [f64; 3], y: [f64; 2]) -> f64 {
    dot(&x, &x) * dot::<f64, 2>(&y, &y)
}

#[differentiable]
fn longest<'a>(x: &'a [f64], y: &'a [f64], k: f64) -> f64 {
    if x.len() > y.len() {
        return x[0] * k + x[x.len() - 1];
    }
    y[0] * k + y[y.len() - 1]
}

#[differentiable]
fn of_longest(x: &[f64], y: &[f64], k: f64) -> f64 {
    longest(x, y, k) * longest(&x[..1], y, k)
}

#[test]
fn generics_over_types_constants_and_lifetimes() {
    check::<of_dot, _>(&([0.3, 0.7, 1.2], [0.9, 0.4]));
    check::<of_longest, _>(&(vec![0.3, 0.7], vec![0.9], 1.5));
    check::<of_longest, _>(&(vec![0.3], vec![0.9, 0.6], 1.5));
}

#[differentiable]
trait Area {
    fn width(&self) -> f64;
    fn area(&self) -> f64 {
        self.width() * self.width()
    }
    fn scaled(&self, k: f64) -> f64 {
        self.area() * k
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Square(f64);
#[derive(Clone, Debug, Differentiable)]
struct Disc {
    r: f64,
}

#[differentiable]
impl Area for Square {
    fn width(&self) -> f64 {
        self.0
    }
}

#[differentiable]
impl Area for Disc {
    fn width(&self) -> f64 {
        2.0 * self.r
    }
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.r * self.r
    }
}

#[differentiable]
fn total<A, B>(a: &A, b: &B, k: f64) -> f64
where
    A: Area + Differentiable,
    B: Area + Differentiable,
{
    a.scaled(k) * b.scaled(k) + a.area()
}

#[differentiable]
fn of_areas(x: f64, r: f64) -> f64 {
    total(&Square(x), &Disc { r }, x * r)
}

#[test]
fn default_methods_and_where_clauses() {
    check::<of_areas, _>(&(0.8, 0.3));
}

#[derive(Clone, Debug, Differentiable)]
struct Line<T> {
    slope: T,
    offset: T,
}

#[differentiable]
impl<T: Scalar> Line<T> {
    /// Kept, like every attribute.
    #[must_use]
    #[inline]
    fn new(slope: T, offset: T) -> Self {
        Self { slope, offset }
    }
    fn at(&self, x: T) -> T {
        self.slope * x + self.offset
    }
    fn through(x: T, y: T) -> T {
        let line = Self::new(x * y, y);
        line.at(x)
    }
}

#[differentiable]
fn lines(x: f64, y: f64) -> f64 {
    let line = Line::new(x, y * y);
    line.at(x) * Line::<f64>::through(x, y)
}

#[test]
fn associated_functions_of_generic_impls() {
    check::<lines, _>(&(0.8, 0.3));
}

mod physics {
    pub mod springs {
        use differentiable::prelude::*;

        /// Documented, visible to the crate, and with an attribute of its own.
        #[differentiable]
        #[allow(clippy::needless_return)]
        pub(crate) fn energy(k: f64, x: f64) -> f64 {
            return 0.5 * k * x * x;
        }

        #[differentiable]
        pub(in crate::abstraction) fn force(k: f64, x: f64) -> f64 {
            super::super::negated(k * x)
        }
    }
}

#[differentiable]
fn negated(x: f64) -> f64 {
    -x
}

#[differentiable]
fn of_modules(k: f64, x: f64) -> f64 {
    use physics::springs::force;
    physics::springs::energy(k, x) * self::physics::springs::energy(x, k)
        + crate::abstraction::negated(x)
        + force(k, x)
}

#[test]
fn functions_of_other_modules() {
    check::<of_modules, _>(&(0.8, 0.3));
}

// `forward` is annotated in the crate that it comes from.
#[differentiable]
fn of_another_crate(layer: &Linear<2, 3, f64>, x: &Tensor![f64; 4, 2]) -> f64 {
    let y = layer.forward(x);
    (&y * &y).sum().item()
}

#[test]
fn functions_of_other_crates() {
    let layer = Linear::new(&mut Seeds::new(7));
    let x: Tensor![f64; 4, 2] = Tensor::full(0.5);
    check::<of_another_crate, _>(&(layer, x));
}

#[differentiable]
fn countdown(x: f64, n: u32) -> f64 {
    if n == 0 {
        x
    } else {
        countdown(x * 0.999, n - 1) * 1.0001
    }
}

#[test]
fn deep_recursion() {
    let slope = countdown::grad(1.0, 2000);
    assert!((slope - (0.999f64 * 1.0001).powi(2000)).abs() < 1e-12);
}

#[differentiable]
fn closures(x: f64, w: &[f64]) -> f64 {
    let by_reference = |y: f64| y * x + w[0];
    let k = x * x;
    let by_move = move |y: f64| y * k;
    let chained = |y: f64| by_move(by_reference(y));
    chained(x) + passed_on(by_reference, x) + passed_on(|y| by_move(y) * w[1], k)
}

#[differentiable]
fn passed_on(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

#[test]
fn closures_by_reference_by_move_and_passed_on() {
    check::<closures, _>(&(0.8, vec![0.3, 1.2]));
}
