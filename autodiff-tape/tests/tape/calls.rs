//! Calls of annotated functions: every form of argument, second derivatives, errors.

use differentiable::prelude::*;
use differentiable::tape::{Tape, TapeError, Var};

type W1 = Tensor![f64; 3, 5];
type W2 = Tensor![f64; 5, 2];
type X = Tensor![f64; 4, 3];
type Y = Tensor![f64; 4, 2];

#[differentiable(higher_order)]
fn mlp(
    w1: &Tensor![f64; 3, 5],
    w2: &Tensor![f64; 5, 2],
    #[constant] x: &Tensor![f64; 4, 3],
    #[constant] y: &Tensor![f64; 4, 2],
) -> Tensor![f64;] {
    x.matmul(w1).tanh().matmul(w2).mse_loss(y)
}

fn data() -> (W1, W2, X, Y) {
    (
        Tensor::randn(1),
        Tensor::randn(2),
        Tensor::randn(3),
        Tensor::randn(4),
    )
}

fn near<S: differentiable::shape::Shape>(a: &Tensor<S, f64>, b: &Tensor<S, f64>, tolerance: f64) {
    let (a, b) = (a.to_vec(), b.to_vec());
    let off = a
        .iter()
        .zip(&b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(off < tolerance, "{a:?}\n{b:?}");
}

/// Products with the Hessian: by operators, and by the function with `higher_order`.
#[test]
fn hessian_vector_products_of_a_network() {
    let (w1, w2, x, y) = data();
    let (d1, d2): (W1, W2) = (Tensor::randn(5), Tensor::randn(6));
    let expected = mlp::hvp((&w1, &d1), (&w2, &d2), &x, &y);
    let tape = Tape::new();
    let (v1, v2) = (tape.var(w1.clone()), tape.var(w2.clone()));
    let (cx, cy) = (tape.constant(x), tape.constant(y));
    let by_operators = cx.matmul(&v1).tanh().matmul(&v2).mse_loss(&cy);
    let called = tape.call_twice::<mlp, f64, _>((&v1, &v2, &cx, &cy));
    for loss in [by_operators, called] {
        let (g1, g2) = tape.grad(&loss, (&v1, &v2));
        let along = (&g1 * &d1).sum() + (&g2 * &d2).sum();
        let (h1, h2) = tape.gradient(&along, (&v1, &v2));
        near(&h1, &expected.0, 1e-13);
        near(&h2, &expected.1, 1e-13);
    }
}

#[test]
fn the_third_derivative_by_duals_is_an_error() {
    #[differentiable(higher_order)]
    fn cube(x: f64) -> f64 {
        x.powi(3)
    }
    let tape = Tape::new();
    let x = tape.var(2.0);
    let y = tape.call_twice::<cube, f64, _>((&x,));
    let first = tape.grad(&y, &x);
    let second = tape.grad(&first, &x);
    assert_eq!((*first.value(), *second.value()), (12.0, 12.0));
    let wrong = tape.try_grad(&second, &x).map(|g| *g.value());
    assert!(matches!(
        wrong,
        Err(TapeError::NoSecondDerivative {
            operation: "cube",
            ..
        })
    ));
    assert!(tape.try_gradient(&second, &x).is_err());
    assert!(tape.try_backward(&second).is_err());
    // What does not depend on it is not touched by that.
    assert_eq!(tape.gradient(&x.square(), &x), 4.0);
}

#[test]
fn a_second_derivative_of_a_plain_call_is_an_error() {
    #[differentiable]
    fn plain(x: f64) -> f64 {
        x * x
    }
    let tape = Tape::new();
    let x = tape.var(2.0);
    let y = tape.call::<plain, _>((&x,));
    let e = tape.try_grad(&y, &x).map(|g| *g.value()).unwrap_err();
    assert_eq!(
        e.to_string(),
        "the gradient of `plain` has no derivative on a tape: write it with operations of `Var`, or call it by `tape.call_twice`, which takes functions with `#[differentiable(higher_order)]`"
    );
    assert_eq!(tape.gradient(&y, &x), 4.0);
}

#[differentiable]
fn six(
    a: f64,
    b: &[f64],
    #[constant] n: usize,
    c: &Tensor![f64; 2],
    #[constant] name: &str,
    d: f64,
) -> f64 {
    a * b[n] + c.sum().item() * d + name.len() as f64
}

#[test]
fn six_arguments_of_every_kind() {
    let tape = Tape::new();
    let (a, b, c, d) = (
        tape.var(2.0),
        tape.var(vec![3.0, 4.0]),
        tape.var(tensor([5.0, 6.0])),
        tape.var(7.0),
    );
    let (n, name) = (tape.constant(1usize), tape.constant("abc".to_owned()));
    let y = tape.call::<six, _>((&a, &b, n, &c, name, &d));
    assert_eq!(*y.value(), 8.0 + 77.0 + 3.0);
    let (da, db, dc, dd) = tape.gradient(&y, (&a, &b, &c, &d));
    assert_eq!(
        (da, db, dc.to_vec(), dd),
        (4.0, vec![0.0, 2.0], vec![7.0, 7.0], 11.0)
    );
}

/// A variable that a function takes as a constant has no gradient from it, and `gradient` says so.
#[test]
fn a_variable_in_the_place_of_a_constant() {
    #[differentiable]
    fn scaled(x: f64, #[constant] k: f64) -> f64 {
        x * k
    }
    let tape = Tape::new();
    let (x, k) = (tape.var(2.0), tape.var(3.0).named("k"));
    let y = tape.call::<scaled, _>((&x, &k));
    let e = tape.try_gradient(&y, (&x, &k)).unwrap_err();
    assert_eq!(
        e,
        TapeError::Unconnected {
            operation: "gradient",
            what: "`k`".into()
        }
    );
}

/// A structure as one value, used twice, beside its parts' own gradients by `vjp` of a method.
#[test]
fn structures_and_methods() {
    #[derive(Clone, Differentiable)]
    struct Spring {
        k: f64,
        rest: f64,
    }
    #[differentiable]
    impl Spring {
        fn energy(&self, x: f64) -> f64 {
            0.5 * self.k * (x - self.rest).powi(2)
        }
    }
    #[differentiable]
    fn energy(spring: &Spring, x: f64) -> f64 {
        spring.energy(x)
    }
    let tape = Tape::new();
    let spring = tape.var(Spring { k: 4.0, rest: 1.0 });
    let x = tape.var(1.5);
    let y = tape.call::<energy, _>((&spring, &x)) + tape.call::<energy, _>((&spring, &x)) * 2.0f64;
    let (by_spring, by_x) = tape.gradient(&y, (&spring, &x));
    assert_eq!((by_spring.k, by_spring.rest, by_x), (0.375, -6.0, 6.0));
    // A method, by its `vjp`.
    let z = tape.operation("energy", (&spring, &x), |(spring, x): &(Spring, f64)| {
        spring.energy_vjp(*x)
    });
    let (by_spring, by_x) = tape.gradient(&z, (&spring, &x));
    assert_eq!((by_spring.k, by_spring.rest, by_x), (0.125, -2.0, 2.0));
}

/// A pullback that panics leaves nothing behind.
#[test]
fn after_a_panic() {
    let tape = Tape::new();
    let x = tape.var(2.0f64);
    let y: Var<f64> = tape.operation("broken", (&x,), |(x,): &(f64,)| {
        (*x, |_: f64| -> (f64,) { panic!("broken") })
    });
    let z = y + &x * &x;
    let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| z.backward()));
    assert!(broken.is_err());
    assert_eq!(tape.gradient(&(&x * &x), &x), 4.0);
    assert_eq!(x.grad(), None);
}

/// Two passes cannot share the sums of one tape.
#[test]
fn a_gradient_inside_of_a_pullback() {
    let tape = Tape::new();
    let x = tape.var(2.0f64);
    let square = &x * &x;
    let (inner, seen) = (tape.clone(), (square.clone(), x.clone()));
    let y = tape.operation("nested", (&x,), move |(x,): &(f64,)| {
        let (tape, (square, by)) = (inner.clone(), seen.clone());
        (*x, move |ct: f64| (ct * tape.gradient(&square, &by),))
    });
    let z = y + &square;
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| z.backward()));
    let message = *panic.unwrap_err().downcast::<&str>().unwrap();
    assert_eq!(
        message,
        "a gradient of the tape was asked for inside of a pullback of the same tape"
    );
    assert_eq!((tape.gradient(&square, &x), x.grad()), (4.0, None));
}
