//! `#[derive(Differentiable)]`: the derived types and the vector-space operations on them.

#![deny(warnings, missing_docs)]

// The derived code names the facade.
extern crate autodiff_core as differentiable;

use autodiff_macros::Differentiable;
use differentiable::ad::{Acc, Ct, Differentiable, NoGrad, Off, On, Tangent};
use std::marker::PhantomData;

/// Not differentiable, and implements nothing.
pub struct Opaque;

/// Named fields of every kind.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Point {
    /// A float.
    pub x: f64,
    y: [f32; 2],
    pub(crate) n: usize,
    label: String,
}

/// A tuple struct with a constant.
#[derive(Differentiable)]
pub struct Pair(pub f64, #[constant] Opaque, pub Vec<f64>);

/// A unit struct.
#[derive(Differentiable, Debug)]
pub struct Marker;

/// Constants only.
#[derive(Differentiable)]
pub struct Constants {
    #[constant]
    #[allow(dead_code)]
    inner: Opaque,
}

/// Nested structs.
#[derive(Differentiable)]
pub struct Nested {
    point: Point,
    pairs: Vec<Pair>,
    marker: Marker,
}

/// Generic over a type that is differentiated, one that is constant, and a length.
#[derive(Differentiable)]
pub struct Generic<T, C = Opaque, const N: usize = 2>
where
    C: Sized,
{
    weights: [T; N],
    maybe: Option<Box<T>>,
    #[constant]
    #[allow(dead_code)]
    config: C,
    phantom: PhantomData<T>,
}

/// More fields than a tuple has `Clone` for.
#[derive(Differentiable)]
pub struct Wide {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
    i: f64,
    j: f64,
    k: f64,
    l: f64,
    m: f64,
    n: f64,
}

fn point() -> Point {
    Point {
        x: 1.0,
        y: [2.0, 3.0],
        n: 4,
        label: "p".into(),
    }
}

fn pair(a: f64, v: &[f64]) -> Pair {
    Pair(a, Opaque, v.to_vec())
}

fn counter() -> impl FnMut() -> f64 {
    let mut count = 0.0;
    move || {
        count += 1.0;
        count
    }
}

#[test]
fn a_tangent_has_the_fields_of_the_struct() {
    let tangent: <Point as Differentiable>::Tangent = PointTangent {
        x: 0.5,
        y: [0.25, -1.0],
        n: (),
        label: (),
    };
    let mut moved = point();
    moved.add_scaled(2.0, &tangent);
    assert_eq!(
        moved,
        Point {
            x: 2.0,
            y: [2.5, 1.0],
            n: 4,
            label: "p".into()
        }
    );
    assert_eq!(moved.difference(&point()), tangent.scale(2.0));
    assert_eq!(
        format!("{tangent:?}"),
        "PointTangent { x: 0.5, y: [0.25, -1.0], n: (), label: () }"
    );
    assert_ne!(tangent, point().zero_tangent());
}

#[test]
fn tangents_form_a_vector_space() {
    let a = PairTangent(1.0, (), vec![2.0, 3.0]);
    let b = PairTangent(10.0, (), vec![20.0, 30.0]);
    assert_eq!(a.dot(&b), 10.0 + 40.0 + 90.0);
    assert_eq!(
        a.clone().add(b.clone().scale(0.5)),
        PairTangent(6.0, (), vec![12.0, 18.0])
    );
    assert_eq!(b.fill_with(&mut counter()), a);
}

#[test]
fn accumulators_add_field_by_field() {
    let value = pair(1.0, &[2.0, 3.0]);
    let mut d = value.zero_adj(On);
    for _ in 0..2 {
        let ct = Pair::start(PairTangent(1.0, (), vec![10.0, 20.0]));
        Acc::<Pair>::acc(&mut d, ct);
    }
    d.2[1] += 0.5;
    assert_eq!(
        Pair::finish(&value.proto(), d),
        PairTangent(2.0, (), vec![20.0, 40.5])
    );
}

#[test]
fn an_untouched_accumulator_finishes_as_positive_zero() {
    let value = point();
    let zero = Point::finish(&value.proto(), Point::zero_ct(&value.proto()));
    assert_eq!(zero, value.zero_tangent());
    assert!(zero.x.is_sign_positive() && zero.y.iter().all(|y| y.is_sign_positive()));
}

#[test]
fn an_inactive_struct_costs_nothing() {
    assert_eq!(size_of_val(&point().zero_adj(Off)), 0);
    const { assert!(!<PointAdj<Off> as Acc<Point>>::ON) };
    const { assert!(<PointAdj<On> as Acc<Point>>::ON) };
    let _: Ct<Marker> = NoGrad;
    assert_eq!(size_of::<Ct<Constants>>(), 0);
    assert_eq!(format!("{:?}", Marker.zero_tangent()), "MarkerTangent");
    assert_eq!(
        Constants { inner: Opaque }.zero_tangent(),
        ConstantsTangent { inner: () }
    );
}

#[test]
fn structs_nest() {
    let pairs = vec![pair(1.0, &[]), pair(2.0, &[3.0])];
    let mut value = Nested {
        point: point(),
        pairs,
        marker: Marker,
    };
    let mut t = value.zero_tangent();
    t.point.x = 1.0;
    t.pairs[1].2[0] = 4.0;
    value.add_scaled(0.5, &t);
    assert_eq!((value.point.x, value.pairs[1].2[0]), (1.5, 5.0));
    assert_eq!(t.dot(&t), 17.0);
}

#[test]
fn generics_keep_only_what_has_a_gradient() {
    fn at_zero<T: Differentiable, C, const N: usize>(
        value: &Generic<T, C, N>,
    ) -> GenericTangent<T, N> {
        value.zero_tangent()
    }
    let value: Generic<f64, Opaque, 3> = Generic {
        weights: [1.0, 2.0, 3.0],
        maybe: Some(Box::new(4.0)),
        config: Opaque,
        phantom: PhantomData,
    };
    let expected = GenericTangent {
        weights: [0.0; 3],
        maybe: Some(Box::new(0.0)),
        config: (),
        phantom: (),
    };
    assert_eq!(at_zero(&value), expected);
}

#[test]
fn structs_of_more_than_twelve_fields_work() {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = [0.0; 14];
    let wide = Wide {
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,
        i,
        j,
        k,
        l,
        m,
        n,
    };
    let t = wide.zero_tangent().fill_with(&mut counter());
    let back = Wide::finish(&wide.proto(), Wide::start(t));
    assert_eq!(back, t);
    assert_eq!((back.a, back.g, back.n), (1.0, 7.0, 14.0));
}
