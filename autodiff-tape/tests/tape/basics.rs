//! Values, gradients, what is constant.

use differentiable::prelude::*;
use differentiable::tape::{Tape, TapeError, Var};

/// The example of the lectures, `ln x1 + x1 x2 − sin x2` at (2, 5): each value, and each ∂y/∂v.
#[test]
fn every_intermediate_cotangent() {
    let tape = Tape::new();
    let v1 = tape.var(2.0f64).named("v1");
    let v2 = tape.var(5.0f64).named("v2");
    let v3 = v1.ln().named("v3");
    let v4 = (&v1 * &v2).named("v4");
    let v5 = v2.sin().named("v5");
    let v6 = (&v3 + &v4).named("v6");
    let v7 = (&v6 - &v5).named("v7");
    assert_eq!(*v7.value(), 2f64.ln() + 10.0 - 5f64.sin());
    let all = tape.gradient(&v7, [&v1, &v2, &v3, &v4, &v5, &v6, &v7]);
    let expected = [5.5, 2.0 - 5f64.cos(), 1.0, 1.0, -1.0, 1.0, 1.0];
    assert_eq!(all, expected);
    // The same by `backward`, where all gradients stay.
    tape.retain_grads(true);
    v7.backward();
    let kept = [&v1, &v2, &v3, &v4, &v5, &v6, &v7].map(|v| v.grad().unwrap());
    assert_eq!(kept, expected);
}

#[test]
fn gradients_add_up_as_in_pytorch() {
    let tape = Tape::new();
    let x = tape.var(3.0f64);
    let y = &x * &x;
    assert_eq!(x.grad(), None);
    y.backward();
    assert_eq!(x.grad(), Some(6.0));
    y.backward();
    assert_eq!(x.grad(), Some(12.0));
    assert_eq!(tape.gradient(&y, &x), 6.0);
    assert_eq!(x.grad(), Some(12.0));
    x.zero_grad();
    assert_eq!(x.grad(), None);
    y.backward();
    assert_eq!(x.grad(), Some(6.0));
}

#[test]
fn tensors_and_functions() {
    #[differentiable]
    fn loss(
        w: &Tensor![f64; 3, 2],
        b: &Tensor![f64; 2],
        #[constant] x: &Tensor![f64; 4, 3],
    ) -> Tensor![f64;] {
        (x.matmul(w) + b).tanh().square().mean()
    }
    let (w, b, x) = (Tensor::randn(1), Tensor::randn(2), Tensor::randn(3));
    let tape = Tape::new();
    let (vw, vb, vx) = (
        tape.var(w.clone()),
        tape.var(b.clone()),
        tape.constant(x.clone()),
    );
    let called = tape.call::<loss, _>((&vw, &vb, &vx));
    let (value, (by_w, by_b)) = loss::value_and_grad(&w, &b, &x);
    assert_eq!(called.value().item(), value.item());
    let by_hand = (vx.matmul(&vw) + &vb).tanh().square().mean();
    assert!((by_hand.value().item() - value.item()).abs() < 1e-15);
    let (cw, cb) = tape.gradient(&called, (&vw, &vb));
    assert_eq!((cw.to_vec(), cb.to_vec()), (by_w.to_vec(), by_b.to_vec()));
    let (hw, hb) = tape.gradient(&by_hand, (&vw, &vb));
    assert!((hw - by_w).abs().max().item() < 1e-15 && (hb - by_b).abs().max().item() < 1e-15);
}

#[test]
fn what_is_constant() {
    let tape = Tape::new();
    let x = tape.var(2.0f64);
    let c = tape.constant(3.0f64);
    assert!(x.requires_grad() && x.is_variable() && !c.requires_grad());
    assert!(!(&c * 2.0).requires_grad() && tape.is_empty());
    let y = &x * x.detach();
    assert_eq!(tape.gradient(&y, &x), 2.0);
    let z = tape.no_grad(|| &x * 5.0);
    assert_eq!(
        (*z.value(), z.requires_grad(), tape.len()),
        (10.0, false, 1)
    );
    assert_eq!(
        tape.try_backward(&z),
        Err(TapeError::NoGradient {
            operation: "backward"
        })
    );
    let other = tape.var(1.0);
    let e = tape.try_gradient(&y, (&x, &other)).unwrap_err();
    assert_eq!(
        e.to_string(),
        "`gradient`: the value does not depend on number 2 of what its gradient is taken by: see `gradient_or_zero` for a zero in its place"
    );
    assert_eq!(tape.gradient_or_zero(&y, (&x, &other)), (2.0, 0.0));
}

#[test]
fn cleared_tapes_and_other_tapes() {
    let (tape, other) = (Tape::new(), Tape::new());
    let x = tape.var(2.0f64);
    let y = x.exp();
    y.backward();
    tape.clear();
    assert!(tape.is_empty());
    assert_eq!(x.grad(), Some(2f64.exp()));
    assert!(matches!(
        tape.try_backward(&y),
        Err(TapeError::Cleared { .. })
    ));
    let z = x.exp();
    tape.backward(&z);
    assert_eq!(x.grad(), Some(2.0 * 2f64.exp()));
    assert!(matches!(
        other.try_backward(&z),
        Err(TapeError::OtherTape { .. })
    ));
    let message = std::panic::catch_unwind(|| {
        let (a, b) = (Tape::new(), Tape::new());
        let _ = a.var(1.0) * b.var(2.0);
    });
    let message = *message.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(
        message,
        "`*`: a value of another tape: bring it over by `tape.constant(x.value().clone())`, which has no gradient"
    );
}

/// Also after the tape was cleared, and of variables that no operation reads.
#[test]
fn all_gradients_are_set_back() {
    let tape = Tape::new();
    let (x, unused) = (tape.var(3.0f64), tape.var(1.0f64));
    let y = &x * &x;
    y.retain_grad();
    y.backward();
    tape.gradient_buffer().update_param(&unused, 2.0);
    tape.zero_grads();
    assert_eq!((x.grad(), y.grad(), unused.grad()), (None, None, None));
    y.backward();
    tape.clear();
    assert_eq!(x.grad(), Some(6.0));
    tape.zero_grads();
    assert_eq!(x.grad(), None);
}

/// Under `no_grad` a gradient is a constant too, and the list stays as it is, also where a gradient is that of a composition.
#[test]
fn gradients_under_no_grad() {
    let tape = Tape::new();
    let x = tape.var(tensor([0.5f64, 2.0, -1.0]));
    let row = tensor([1.0, 2.0, 3.0]);
    let targets = tensor([0.0, 1.0, 0.5]);
    for y in [
        (x.softmax::<0>() * &row).sum(),
        (x.sin() * &row).sum(),
        x.mse_loss(tape.constant(targets)),
    ] {
        let noted = tape.len();
        let slope = tape.no_grad(|| tape.grad(&y, &x));
        assert!(!slope.requires_grad());
        assert_eq!(tape.len(), noted);
        let expected = tape.grad(&y, &x);
        assert!(expected.requires_grad());
        assert_eq!(slope.value().to_vec(), expected.value().to_vec());
    }
}

/// A value that is used several times, by one operation and by several.
#[test]
fn values_that_are_used_again() {
    let tape = Tape::new();
    let x = tape.var(3.0f64);
    let square = &x * &x;
    let y = &square * &square + square.softplus() * &x + &x;
    let s = 1.0 / (1.0 + (-9f64).exp());
    let slope = 4.0 * 27.0 + (9.0 + (-9f64).exp().ln_1p()) + 6.0 * s * 3.0 + 1.0;
    for found in [tape.gradient(&y, &x), *tape.grad(&y, &x).value()] {
        assert!((found - slope).abs() < 1e-12, "{found} {slope}");
    }
    // The composition of a softmax is run once for all its uses.
    let z = tape.var(tensor([0.5f64, 2.0, -1.0]));
    let p = z.softmax::<0>();
    let once = (&p * &p + p.sin()).sum();
    let twice = (z.softmax::<0>().square() + z.softmax::<0>().sin()).sum();
    let before = tape.len();
    let found = tape.grad(&once, &z);
    let of_one = tape.len() - before;
    let expected = tape.grad(&twice, &z);
    assert!(of_one < tape.len() - before - of_one);
    assert!((found.value() - expected.value()).abs().max().item() < 1e-14);
}

#[test]
fn higher_orders() {
    let tape = Tape::new();
    let x = tape.var(0.7f64);
    let v = 0.7f64;
    let t = v.tanh();
    let d = |y: &Var<f64>| {
        let first = tape.grad(y, &x);
        let second = tape.grad(&first, &x);
        let third = tape.grad(&second, &x);
        [*first.value(), *second.value(), *third.value()]
    };
    let near = |a: [f64; 3], b: [f64; 3]| {
        assert!(
            a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13),
            "{a:?} {b:?}"
        );
    };
    let s = 1.0 - t * t;
    near(d(&x.tanh()), [s, -2.0 * t * s, s * (6.0 * t * t - 2.0)]);
    near(d(&x.sin()), [v.cos(), -v.sin(), -v.cos()]);
    near(d(&x.powi(4)), [4.0 * v.powi(3), 12.0 * v * v, 24.0 * v]);
    near(
        d(&(&x * &x * &x * &x)),
        [4.0 * v.powi(3), 12.0 * v * v, 24.0 * v],
    );
    near(
        d(&(1.0 / &x)),
        [-v.powi(-2), 2.0 * v.powi(-3), -6.0 * v.powi(-4)],
    );
}
