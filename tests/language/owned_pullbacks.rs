//! A pullback borrows nothing: it outlives the arguments of its function, which may change meanwhile.

use differentiable::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Params {
    k: f64,
    v: Vec<f64>,
}

#[differentiable]
fn of_references(p: &Params, x: &[f64], name: &str, n: &usize) -> f64 {
    p.v[0] * x[0] * p.k * name.len() as f64 * *n as f64
}

/// A pullback in a field, of arguments that are gone.
struct Kept<F>(F);

fn kept() -> Kept<impl FnOnce(f64) -> (ParamsTangent, Vec<f64>) + Clone + Send + 'static> {
    let (p, x) = (
        Params {
            k: 3.0,
            v: vec![2.0],
        },
        vec![5.0],
    );
    let name = String::from("ab");
    let (value, pullback) = of_references::vjp(&p, &x, &name, &7);
    assert_eq!(value, 420.0);
    Kept(pullback)
}

#[test]
fn it_is_returned_and_sent() {
    let kept = kept();
    let again = kept.0.clone();
    let (p, x) = (kept.0)(1.0);
    assert_eq!((p.k, p.v, x), (140.0, vec![210.0], vec![84.0]));
    let sent = std::thread::spawn(move || again(2.0)).join();
    assert_eq!(sent.expect("no panic").1, [168.0]);
}

#[differentiable]
fn scaled(v: &mut Vec<f64>, c: f64) -> f64 {
    for i in 0..v.len() {
        v[i] *= c;
    }
    v[0]
}

#[test]
fn what_it_was_lent_changes() {
    let mut v = vec![1.0, 2.0];
    let (value, pullback) = scaled::vjp(&mut v, 3.0);
    v.push(1.0);
    drop(v);
    assert_eq!(value, 3.0);
    assert_eq!(pullback(1.0, vec![0.0, 1.0]), (vec![3.0, 3.0], 3.0));
}

#[derive(Clone, Differentiable)]
struct Body<T> {
    mass: T,
}

#[differentiable]
impl<T: differentiable::ad::Scalar> Body<T> {
    fn energy(&self, speed: &[T]) -> T {
        self.mass * speed[0] * speed[0]
    }
}

#[differentiable]
trait Shape: Clone {
    fn area(&self, scale: f64) -> f64;
}

#[differentiable]
impl Shape for Params {
    fn area(&self, scale: f64) -> f64 {
        self.k * self.k * scale
    }
}

fn of_any_shape<S: Shape + Differentiable>(shape: S) -> impl FnOnce(f64) -> (S::Tangent, f64) {
    shape.area_vjp(2.0).1
}

/// Not `Clone`: only its pullback for users needs that.
#[derive(Differentiable)]
struct Single {
    a: f64,
}

#[differentiable]
fn of_what_is_not_copied<'a>(s: &'a Single, x: &'a [f64]) -> f64 {
    s.a * s.a * x[0]
}

#[test]
fn of_methods_traits_and_generics() {
    let (value, pullback) = {
        let (body, speed) = (Body { mass: 2.0 }, vec![3.0]);
        body.energy_vjp(&speed)
    };
    let (body, speed) = pullback(1.0);
    assert_eq!((value, body.mass, speed), (18.0, 9.0, vec![12.0]));
    let pullback = of_any_shape(Params {
        k: 3.0,
        v: Vec::new(),
    });
    assert_eq!(pullback(1.0).0.k, 12.0);
    let (s, x) = of_what_is_not_copied::grad(&Single { a: 2.0 }, &[3.0]);
    assert_eq!((s.a, x), (12.0, vec![4.0]));
}
