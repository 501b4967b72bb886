//! Functions whose pullback is in a box because it holds many others.

use crate::check;
use differentiable::ad;
use differentiable::prelude::*;

#[differentiable]
fn leaf(x: f64, y: f64) -> f64 {
    (x * y).sin() + x
}

#[differentiable]
fn four(x: f64, y: f64) -> f64 {
    leaf(x, y) * leaf(y, x) + leaf(x * 0.5, y) * leaf(x, y * 0.5)
}

#[differentiable]
fn twenty(x: f64, y: f64) -> f64 {
    four(x, y) + four(y, 0.3) + four(x * 0.7, y) + four(x, y * 0.2) + four(0.1, x)
}

#[differentiable(inline)]
fn twenty_inline(x: f64, y: f64) -> f64 {
    four(x, y) + four(y, 0.3) + four(x * 0.7, y) + four(x, y * 0.2) + four(0.1, x)
}

#[differentiable]
fn in_a_loop(x: &[f64], y: f64) -> f64 {
    let mut s = 0.0;
    for &v in x {
        s += twenty(v, y) * if v > 0.5 { twenty(y, v) } else { 1.0 };
    }
    s
}

#[test]
fn a_box_holds_many_calls() {
    check::<twenty, _>(&(0.4, 1.1));
    check::<in_a_loop, _>(&(vec![0.2, 0.9, -0.4], 0.8));
    let of_four = size_of_val(&four::vjp(0.4, 1.1).1);
    let of_twenty = size_of_val(&twenty::vjp(0.4, 1.1).1);
    let without = size_of_val(&twenty_inline::vjp(0.4, 1.1).1);
    // Four calls are not in a box: each keeps at least its arguments.
    assert!(of_four >= 64, "{of_four} bytes");
    assert!(
        of_twenty < of_four,
        "{of_twenty} bytes, four calls have {of_four}"
    );
    assert!(without >= 5 * 64, "{without} bytes");
    assert_eq!(twenty::grad(0.4, 1.1), twenty_inline::grad(0.4, 1.1));
}

#[test]
fn a_box_moves_to_another_thread() {
    let (_, pullback) = twenty::vjp(0.4, 1.1);
    let there = std::thread::spawn(move || pullback(1.0)).join().unwrap();
    assert_eq!(there, twenty::grad(0.4, 1.1));
}

#[differentiable]
fn generic_leaf<T: ad::Scalar, const N: usize>(x: [T; N], i: usize) -> T {
    x[i] * x[(i + 1) % N] + x[i].sin()
}

#[differentiable]
fn generic_four<T: ad::Scalar, const N: usize>(x: [T; N]) -> T {
    generic_leaf::<T, N>(x, 0) * generic_leaf(x, 1)
        + generic_leaf(x, 2) / generic_leaf::<_, N>(x, 0)
}

#[differentiable]
fn generic_many<T>(x: [T; 3], y: T) -> T
where
    T: differentiable::ad::Scalar,
{
    let s = generic_four::<T, 3>(x) + generic_four(x) * y;
    s * generic_four(x) + generic_four([y, s, y])
}

#[differentiable]
fn of_generics(x: [f64; 3], y: f64) -> f64 {
    generic_many::<f64>(x, y) * generic_many(x, y * y)
}

#[test]
fn generic_functions() {
    check::<of_generics, _>(&([0.4, 0.9, -0.3], 0.2));
    let (_, pullback) = generic_many::vjp([0.4_f32, 0.9, -0.3], 0.2);
    let there = std::thread::spawn(move || pullback(1.0)).join().unwrap();
    assert_eq!(there, generic_many::grad([0.4_f32, 0.9, -0.3], 0.2));
}

/// A trait of the user whose types may hold references.
#[differentiable]
trait Gain {
    fn gain(&self, x: f64) -> f64;
}

#[derive(Clone, Debug, Differentiable)]
struct Linear {
    slope: f64,
}

#[differentiable]
impl Gain for Linear {
    fn gain(&self, x: f64) -> f64 {
        self.slope * x
    }
}

#[differentiable]
fn of_a_trait<G: Gain + Differentiable>(g: &G, x: f64) -> f64 {
    g.gain(x) * g.gain(x * x) + g.gain(g.gain(x))
}

#[differentiable]
fn of_its_bounds<G: Gain + Differentiable>(g: &G, x: f64) -> f64 {
    of_a_trait::<G>(g, x) + of_a_trait(g, x * 0.5) * of_a_trait(g, 0.1)
}

#[differentiable]
fn of_the_trait(g: &Linear, x: f64) -> f64 {
    of_its_bounds(g, x) * of_its_bounds(g, 0.3) + twenty(x, g.slope)
}

#[test]
fn bounds_of_users_traits() {
    check::<of_the_trait, _>(&(Linear { slope: 0.7 }, 0.4));
}

#[derive(Clone, Debug, Differentiable)]
struct Pair<T> {
    a: T,
    b: T,
}

#[differentiable]
impl<T: ad::Scalar> Pair<T> {
    fn dot(&self, x: T) -> T {
        self.a * x + self.b
    }

    fn many(&self, x: T) -> T {
        self.dot(x) * self.dot(x * x) + self.dot(self.dot(x)).sin() + self.dot(self.a)
    }

    fn step(&mut self, x: T) {
        let a = self.a;
        self.a = a * x + generic_four([a, x, x]) * generic_four([x, a, a]);
    }
}

impl<T: ad::Scalar> Pair<T> {
    #[differentiable]
    fn alone(&self, x: T) -> T {
        self.many(x) * self.many(self.b) - self.dot(x)
    }
}

#[differentiable]
fn of_methods(p: &Pair<f64>, x: f64) -> f64 {
    let mut q = p.clone();
    q.step(x);
    q.step(x * 0.3);
    q.many(x) * p.alone(x) + p.alone(q.a) + twenty(q.b, x)
}

#[test]
fn methods() {
    let p = Pair { a: 0.4, b: -0.2 };
    check::<of_methods, _>(&(p.clone(), 0.6));
    let many = p.many_vjp(0.6).1;
    let there = std::thread::scope(|s| s.spawn(move || many(1.0).1).join().unwrap());
    assert_eq!(there, p.many_grad(0.6).1);
}

#[differentiable]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn of_recursion(x: f64) -> f64 {
    power(x, 3) * power(x, 2) + twenty(power(x, 2), x) * four(x, x)
}

#[differentiable]
fn with_inner_items(x: f64, y: f64) -> f64 {
    #[differentiable]
    fn square(x: f64) -> f64 {
        x * x
    }
    use self::leaf as renamed;
    square(x) * square(y) + renamed(x, y) * twenty(y, x)
}

#[differentiable]
fn changes(x: &mut [f64], y: &mut f64) {
    for v in x.iter_mut() {
        *v = (twenty(*v, *y) + twenty(*y, *v)).sin();
        *y = four(*y, *v).cos();
    }
}

#[differentiable]
fn of_changes(x: &[f64], y: f64) -> f64 {
    let mut z = x.to_vec();
    let mut s = y;
    changes(&mut z, &mut s);
    z[0] * z[1] + s
}

#[test]
fn recursion_inner_items_and_mutable_references() {
    check::<of_recursion, _>(&(0.8,));
    check::<with_inner_items, _>(&(0.3, 0.5));
    check::<of_changes, _>(&(vec![0.3, -0.2], 0.5));
}
