//! `#[derive(Differentiable)]` on types that contain themselves or one another.

#![deny(warnings, missing_docs)]

// The derived code names the facade.
extern crate autodiff_core as differentiable;

use autodiff_macros::Differentiable;
use differentiable::ad::{Acc, Differentiable, Off, On, Tangent, Wit};

/// A syntax tree.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Num(f64),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
    /// A product of any length.
    Mul(Vec<Self>),
    /// The negative.
    Neg {
        /// What is negated.
        inner: Option<Box<Self>>,
    },
}

/// A list.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Node {
    value: f64,
    next: Option<Box<Node>>,
    #[constant]
    name: &'static str,
}

/// A list of tuples.
#[derive(Differentiable, Debug)]
pub struct Link(f64, #[constant] pub usize, Vec<Self>);

/// A generic tree whose type names itself with its parameters.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub enum Tree<T, C, const N: usize> {
    /// A value.
    Leaf([T; N]),
    /// Subtrees and what stands beside them.
    Fork(Vec<(Tree<T, C, N>, T)>, #[constant] C),
}

/// A statement of a program, which holds expressions that hold statements.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Stmt {
    value: Term,
    weight: f64,
}

/// The other half.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub enum Term {
    /// A number.
    Num(f64),
    /// A block.
    Block(Vec<Stmt>),
    /// A third type in the circle.
    Call(Box<Call>),
}

/// The third.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub enum Call {
    /// Arguments.
    Of(Term, f64),
    /// None.
    Empty,
}

/// No `Clone`: nothing is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Opaque;

fn num(x: f64) -> Box<Expr> {
    Box::new(Expr::Num(x))
}

fn expr(a: f64, b: f64, c: f64, d: f64) -> Expr {
    let product = Expr::Mul(vec![Expr::Num(b), Expr::Num(c)]);
    let negative = Expr::Neg {
        inner: Some(num(d)),
    };
    let inner = Expr::Add(Box::new(product), Box::new(negative));
    Expr::Add(num(a), Box::new(inner))
}

/// Adds cotangents, steps and takes differences; the tangent counts 1, 2, 3, ….
fn round_trip<T>(value: &T, entries: i32) -> T::Tangent
where
    T: Differentiable + Clone,
    T::Tangent: PartialEq + std::fmt::Debug,
{
    let mut count = 0.0;
    let t = value.zero_tangent().fill_with(&mut || {
        count += 1.0;
        count
    });
    let n = f64::from(entries);
    assert_eq!(t.dot(&t), n * (n + 1.0) * (2.0 * n + 1.0) / 6.0);

    let proto = value.proto();
    let mut d = value.zero_adj(On);
    for _ in 0..2 {
        Acc::<T>::acc(&mut d, T::start(t.clone()));
    }
    assert_eq!(T::finish(&proto, d), t.clone().add(t.clone()));
    let zero = T::finish(&proto, Wit::<T>(proto.clone()).zero());
    assert_eq!(zero, t.clone().scale(0.0));

    let mut moved = value.clone();
    moved.add_scaled(0.5, &t);
    moved.add_scaled(0.5, &t);
    assert_eq!(moved.difference(value), t);
    t
}

#[test]
fn an_enum_contains_itself() {
    let mut value = expr(1.0, 2.0, 3.0, 4.0);
    let t = round_trip(&value, 4);
    assert_eq!(
        format!("{t:?}"),
        "Add(Num(1.0), Add(Mul([Num(2.0), Num(3.0)]), Neg { inner: Some(Num(4.0)) }))"
    );
    value.add_scaled(1.0, &t);
    assert_eq!(value, expr(2.0, 4.0, 6.0, 8.0));
}

#[test]
fn lenses_go_down_a_recursive_enum() {
    let value = expr(1.0, 2.0, 3.0, 4.0);
    let mut d = value.zero_adj(On);
    *d.__adj_Add_0().__adj_Num_0() += 10.0;
    d.__adj_Add_1().__adj_Add_0().__adj_Mul_0()[1] = Expr::start(ExprTangent::Num(5.0));
    let t = Expr::finish(&value.proto(), d);
    assert_eq!(*t.__tan_Add_0().__tan_Num_0(), 10.0);
    assert_eq!(
        t.__tan_Add_1().__tan_Add_0().__tan_Mul_0()[1],
        ExprTangent::Num(5.0)
    );
    assert_eq!(t.dot(&t), 125.0);
    Acc::<Expr>::acc(&mut value.zero_adj(Off), Expr::start(t));
}

#[test]
#[should_panic(expected = "cannot add tangents of different variants: `Expr::Num` and `Expr::Mul`")]
fn different_trees_do_not_mix() {
    let other = ExprTangent::Mul(vec![ExprTangent::Num(1.0)]);
    let _ = ExprTangent::Num(1.0).add(other);
}

#[test]
fn a_struct_contains_itself() {
    let value = [3.0, 2.0, 1.0].into_iter().fold(None, |next, value| {
        let node = Node {
            value,
            next,
            name: "n",
        };
        Some(Box::new(node))
    });
    let value = *value.expect("three nodes");
    let t = round_trip(&value, 3);
    assert_eq!(t.next.as_ref().expect("the second").value, 2.0);
    let mut d = value.zero_adj(On);
    *d.__adj_Node_value() += 1.0;
    *d.__adj_Node_next()
        .as_mut()
        .expect("the second")
        .__adj_Node_value() += 2.0;
    let t = Node::finish(&value.proto(), d);
    assert_eq!((t.dot(&t), *t.__tan_Node_name()), (5.0, ()));
}

#[test]
fn a_tuple_struct_contains_itself() {
    let value = Link(1.0, 7, vec![Link(2.0, 8, vec![]), Link(3.0, 9, vec![])]);
    let mut d = value.zero_adj(On);
    *d.__adj_Link_2()[1].__adj_Link_0() += 4.0;
    let expected = LinkTangent(
        0.0,
        (),
        vec![LinkTangent(0.0, (), vec![]), LinkTangent(4.0, (), vec![])],
    );
    assert_eq!(Link::finish(&value.proto(), d), expected);
}

#[test]
fn a_generic_enum_contains_itself() {
    // `Opaque` is not differentiable and need not be.
    let leaf = |x: f64| Tree::<f64, Opaque, 2>::Leaf([x, x]);
    let fork = Tree::Fork(vec![(leaf(2.0), 3.0)], Opaque);
    let value = Tree::Fork(vec![(leaf(1.0), 2.0), (fork, 4.0)], Opaque);
    let t = round_trip(&value, 7);
    assert_eq!(t.__tan_Fork_0()[0].1, 3.0);
}

#[test]
fn types_contain_one_another() {
    let stmt = |value, weight| Stmt { value, weight };
    let call = Term::Call(Box::new(Call::Of(Term::Num(5.0), 6.0)));
    let block = Term::Block(vec![stmt(Term::Num(1.0), 2.0), stmt(call, 3.0)]);
    let value = stmt(Term::Block(vec![stmt(block, 4.0)]), 1.0);
    let t = round_trip(&value, 7);
    assert_eq!(t, t.clone());
    assert_eq!(t.weight, 7.0);
    assert_eq!(round_trip(&Call::Empty, 0), CallTangent::Empty);
}
