//! `#[derive(Differentiable)]` on enums: the derived enums, the operations on them, the access to
//! their fields, and what happens where variants differ.

#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations)]
#![deny(clippy::pedantic, clippy::nursery)]
#![allow(clippy::float_cmp, clippy::redundant_pub_crate)]

// The derived code names the facade.
extern crate autodiff_core as differentiable;

use autodiff_macros::Differentiable;
use differentiable::ad::{
    Acc, Adj, Ct, Differentiable, NoDerivative, NoGrad, Off, On, Tangent, Wit,
};
use std::marker::PhantomData;
use std::panic::catch_unwind;

/// Not differentiable, and implements nothing but `Clone`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque;

/// Variants of every kind.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub enum Shape {
    /// Named.
    Circle {
        /// A float.
        r: f64,
        /// A keyword.
        r#type: usize,
    },
    /// A tuple.
    Rect(f64, #[constant] Opaque, Vec<f64>),
    /// Nothing.
    Empty,
}

/// Unit variants only.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left = 1,
    /// Right.
    Right,
}

/// One variant: there is no other.
#[derive(Differentiable, Debug)]
pub enum One {
    /// The one.
    Only(f64),
}

/// Fields, but none with a derivative.
#[derive(Differentiable, Debug)]
pub enum Constant<C> {
    /// A constant.
    Held {
        /// It.
        #[constant]
        held: C,
    },
    /// Nothing.
    None,
}

/// Fields of discrete types.
#[derive(Differentiable, Debug)]
pub enum Counted {
    /// A count.
    Some(usize),
    /// A side.
    At {
        /// Which.
        side: Side,
    },
}

/// Generic over a type that is differentiated, one that is constant, and a length.
#[derive(Differentiable, Debug)]
pub enum Generic<T, C = Opaque, const N: usize = 2>
where
    C: Sized,
{
    /// An array.
    Weights([T; N]),
    /// Deeper.
    Maybe {
        /// A value.
        maybe: Option<Box<T>>,
        /// A constant.
        #[constant]
        config: C,
        /// Nothing.
        phantom: PhantomData<T>,
    },
}

/// Private, with a private field type.
mod private {
    #[derive(Debug, autodiff_macros::Differentiable)]
    enum Inner {
        Value(f64),
        Nothing,
    }
    #[derive(Debug, autodiff_macros::Differentiable)]
    pub(super) struct Outer {
        inner: Inner,
    }
    impl Outer {
        pub(super) fn at(x: f64) -> Self {
            let inner = if x > 0.0 {
                Inner::Value(x)
            } else {
                Inner::Nothing
            };
            Self { inner }
        }
    }
}

const fn circle(r: f64) -> Shape {
    Shape::Circle { r, r#type: 3 }
}

fn rect(a: f64, v: &[f64]) -> Shape {
    Shape::Rect(a, Opaque, v.to_vec())
}

const fn of_circle(r: f64) -> ShapeTangent {
    ShapeTangent::Circle { r, r#type: () }
}

fn of_rect(a: f64, v: &[f64]) -> ShapeTangent {
    ShapeTangent::Rect(a, (), v.to_vec())
}

fn counter() -> impl FnMut() -> f64 {
    let mut count = 0.0;
    move || {
        count += 1.0;
        count
    }
}

/// The message of the panic.
fn message<R>(run: impl FnOnce() -> R + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(run).err().expect("a panic");
    let text = panic.downcast_ref::<String>().cloned();
    text.unwrap_or_else(|| (*panic.downcast_ref::<&str>().expect("a message")).to_owned())
}

#[test]
fn the_tangent_has_the_variant_of_the_value() {
    assert_eq!(circle(2.0).zero_tangent(), of_circle(0.0));
    assert_eq!(
        rect(2.0, &[1.0, 2.0]).zero_tangent(),
        of_rect(0.0, &[0.0; 2])
    );
    assert_eq!(Shape::Empty.zero_tangent(), ShapeTangent::Empty);
}

#[test]
fn steps_and_differences_keep_the_variant() {
    for (start, end, tangent) in [
        (circle(1.0), circle(4.0), of_circle(1.5)),
        (rect(1.0, &[2.0]), rect(3.0, &[-2.0]), of_rect(1.0, &[-2.0])),
        (Shape::Empty, Shape::Empty, ShapeTangent::Empty),
    ] {
        let mut moved = start.clone();
        moved.add_scaled(2.0, &tangent);
        assert_eq!(moved, end);
        assert_eq!(end.difference(&start), tangent.scale(2.0));
    }
}

#[test]
fn tangents_form_a_vector_space() {
    let (a, b) = (of_rect(1.0, &[2.0, 3.0]), of_rect(10.0, &[20.0, 30.0]));
    assert_eq!(a.dot(&b), 10.0 + 40.0 + 90.0);
    assert_eq!(a.clone().add(b.clone()), of_rect(11.0, &[22.0, 33.0]));
    assert_eq!(b.clone().scale(0.5), of_rect(5.0, &[10.0, 15.0]));
    assert_eq!(b.fill_with(&mut counter()), a);
    assert_eq!(of_circle(3.0).dot(&of_circle(2.0)), 6.0);
    assert_eq!(ShapeTangent::Empty.dot(&ShapeTangent::Empty), 0.0);
    assert_eq!(
        ShapeTangent::Empty.add(ShapeTangent::Empty),
        ShapeTangent::Empty
    );
}

#[test]
fn tangents_compare_and_print_as_enums_do() {
    assert_ne!(of_circle(1.0), of_circle(2.0));
    assert_ne!(of_circle(0.0), ShapeTangent::Empty);
    assert_eq!(
        format!("{:?}", of_circle(1.0)),
        "Circle { r: 1.0, type: () }"
    );
    assert_eq!(
        format!("{:?}", of_rect(1.0, &[2.0])),
        "Rect(1.0, (), [2.0])"
    );
    assert_eq!(format!("{:?}", ShapeTangent::Empty), "Empty");
}

#[test]
fn accumulators_add_field_by_field() {
    for (value, tangent) in [
        (circle(1.0), of_circle(0.25)),
        (rect(1.0, &[2.0, 3.0]), of_rect(1.0, &[10.0, 20.0])),
        (Shape::Empty, ShapeTangent::Empty),
    ] {
        let mut d = value.zero_adj(On);
        for _ in 0..2 {
            Acc::<Shape>::acc(&mut d, Shape::start(tangent.clone()));
        }
        assert_eq!(Shape::finish(&value.proto(), d), tangent.scale(2.0));
    }
}

#[test]
fn a_zero_cotangent_has_the_variant_and_sizes_of_the_value() {
    let value = rect(1.0, &[2.0, 3.0]);
    let proto = value.proto();
    let mut zero = Shape::zero_ct(&proto);
    Acc::<Shape>::acc(&mut zero, Shape::start(of_rect(1.0, &[10.0, 20.0])));
    assert_eq!(Shape::finish(&proto, zero), of_rect(1.0, &[10.0, 20.0]));

    let untouched = Shape::finish(&circle(1.0).proto(), Shape::zero_ct(&circle(1.0).proto()));
    let ShapeTangent::Circle { r, .. } = untouched else {
        panic!("{untouched:?}");
    };
    assert!(r == 0.0 && r.is_sign_positive());
}

#[test]
fn lenses_reach_every_field_of_a_cotangent() {
    let value = circle(1.0);
    let mut d: Ct<Shape> = value.zero_adj(On);
    *d.__adj_Circle_r() += 2.0;
    let _: &mut NoGrad = d.__adj_Circle_type();
    assert_eq!(Shape::finish(&value.proto(), d), of_circle(2.0));

    let value = rect(1.0, &[2.0, 3.0]);
    let mut d = value.zero_adj(On);
    *d.__adj_Rect_0() += 5.0;
    let _: &mut NoGrad = d.__adj_Rect_1();
    d.__adj_Rect_2()[1] += 7.0;
    assert_eq!(Shape::finish(&value.proto(), d), of_rect(5.0, &[0.0, 7.0]));

    let mut off: Adj<Shape, Off> = circle(1.0).zero_adj(Off);
    let _: &mut NoGrad = off.__adj_Circle_r();
    Acc::<f64>::acc(One::Only(1.0).zero_adj(On).__adj_Only_0(), 1.0);
}

#[test]
fn lenses_reach_every_field_of_a_tangent() {
    let mut t = of_rect(1.0, &[2.0, 3.0]);
    *t.__tan_mut_Rect_0() = 4.0;
    t.__tan_mut_Rect_2()[0] = 5.0;
    *t.__tan_mut_Rect_1() = ();
    let _: &() = t.__tan_Rect_1();
    assert_eq!(
        (*t.__tan_Rect_0(), &t.__tan_Rect_2()[..]),
        (4.0, &[5.0, 3.0][..])
    );
    let mut t = of_circle(1.0);
    *t.__tan_mut_Circle_r() += 1.0;
    assert_eq!(*t.__tan_Circle_r(), 2.0);
    let _: &() = t.__tan_Circle_type();
}

#[test]
fn a_lens_of_another_variant_panics() {
    let cotangent = "the cotangent of `Shape` has another variant than the value";
    let tangent = "the tangent of `Shape` has another variant than the value";
    assert_eq!(
        message(|| *circle(1.0).zero_adj(On).__adj_Rect_0() += 1.0),
        cotangent
    );
    assert_eq!(
        message(|| *Shape::Empty.zero_adj(Off).__adj_Circle_r()),
        cotangent
    );
    assert_eq!(message(|| *of_circle(1.0).__tan_Rect_0()), tangent);
    assert_eq!(message(|| *ShapeTangent::Empty.__tan_mut_Rect_0()), tangent);
}

#[test]
fn different_variants_do_not_mix() {
    let both = |action: &str| {
        format!("cannot {action} of different variants: `Shape::Circle` and `Shape::Empty`")
    };
    let empty = || ShapeTangent::Empty;
    assert_eq!(
        message(|| of_circle(1.0).add(empty())),
        both("add tangents")
    );
    assert_eq!(
        message(|| of_circle(1.0).dot(&empty())),
        both("multiply tangents")
    );
    assert_eq!(
        message(|| circle(1.0).difference(&Shape::Empty)),
        both("subtract values")
    );
    assert_eq!(
        message(|| circle(1.0).add_scaled(1.0, &empty())),
        both("add a value and a tangent")
    );
    assert_eq!(
        message(|| {
            let mut d = circle(1.0).zero_adj(On);
            Acc::<Shape>::acc(&mut d, Shape::start(empty()));
        }),
        both("add cotangents")
    );
    assert_eq!(
        message(|| Shape::finish(&circle(1.0).proto(), Shape::start(empty()))),
        both("finish a value's cotangent")
    );
}

#[test]
fn an_inactive_accumulator_keeps_nothing() {
    const { assert!(!<ShapeAdj<Off> as Acc<Shape>>::ON) };
    const { assert!(<ShapeAdj<On> as Acc<Shape>>::ON) };
    const { assert!(!<Adj<Constant<Opaque>, On> as Acc<Constant<Opaque>>>::ON) };
    // Nothing is added, so nothing is compared.
    let mut off = circle(1.0).zero_adj(Off);
    Acc::<Shape>::acc(&mut off, Shape::start(ShapeTangent::Empty));
    assert_eq!(size_of_val(&One::Only(1.0).zero_adj(Off)), 0);
}

#[test]
fn an_enum_without_fields_is_discrete() {
    const fn is_query<T: NoDerivative>() {}
    is_query::<Side>();
    let _: (Ct<Side>, Wit<Side>) = (NoGrad, Wit(()));
    let () = Side::Left.zero_tangent();
    let mut side = Side::Right;
    side.add_scaled(1.0, &());
    assert_eq!(side, Side::Right);
    let () = side.difference(&Side::Left);
}

#[test]
fn an_enum_of_constants_keeps_its_variants() {
    let held = Constant::Held { held: Opaque };
    assert_eq!(held.zero_tangent(), ConstantTangent::Held { held: () });
    assert_eq!(
        Constant::<Opaque>::None.zero_tangent(),
        ConstantTangent::None
    );
    let _: &mut NoGrad = held.zero_adj(On).__adj_Held_held();
    let at = Counted::At { side: Side::Left };
    assert_eq!(at.zero_tangent(), CountedTangent::At { side: () });
    let mut d = Counted::Some(1).zero_adj(On);
    Acc::<Counted>::acc(&mut d, Counted::start(CountedTangent::Some(())));
    let _: &mut NoGrad = d.__adj_Some_0();
}

#[test]
fn generics_keep_only_what_has_a_gradient() {
    fn at_zero<T: Differentiable, C, const N: usize>(
        value: &Generic<T, C, N>,
    ) -> GenericTangent<T, N> {
        value.zero_tangent()
    }
    type Value = Generic<f64, Opaque, 3>;
    let value: Value = Generic::Weights([1.0, 2.0, 3.0]);
    assert_eq!(at_zero(&value), GenericTangent::Weights([0.0; 3]));
    let mut d = value.zero_adj(On);
    d.__adj_Weights_0()[2] += 1.0;
    assert_eq!(
        Value::finish(&value.proto(), d),
        GenericTangent::Weights([0.0, 0.0, 1.0])
    );
    let value: Value = Generic::Maybe {
        maybe: Some(Box::new(4.0)),
        config: Opaque,
        phantom: PhantomData,
    };
    let expected = GenericTangent::Maybe {
        maybe: Some(Box::new(0.0)),
        config: (),
        phantom: (),
    };
    assert_eq!(at_zero(&value), expected);
}

#[test]
fn private_enums_work_inside_structs() {
    let value = private::Outer::at(1.0);
    let t = value.zero_tangent().fill_with(&mut counter());
    assert_eq!(t.dot(&t), 1.0);
    let nothing = private::Outer::at(-1.0).zero_tangent();
    assert_eq!(nothing.fill_with(&mut counter()), nothing);
}
