//! Operators: every mix of values, references and scalars; buffers; run-time sizes.

use differentiable::prelude::*;

dim!(Batch, Time);

#[test]
fn values_references_and_scalars() {
    let a: Tensor![2] = tensor([1.0, 2.0]);
    let b: Tensor![2] = tensor([4.0, 8.0]);
    for sum in [
        &a + &b,
        a.clone() + &b,
        &a + b.clone(),
        a.clone() + b.clone(),
    ] {
        assert_eq!(sum.to_vec(), [5.0, 10.0]);
    }
    assert_eq!((&b - &a).to_vec(), [3.0, 6.0]);
    assert_eq!((&b / &a).to_vec(), [4.0, 4.0]);
    assert_eq!((&a * 3.0).to_vec(), [3.0, 6.0]);
    assert_eq!((3.0 - &a).to_vec(), [2.0, 1.0]);
    assert_eq!((8.0 / b.clone()).to_vec(), [2.0, 1.0]);
    assert_eq!((2.0 * a.clone() + 1.0).to_vec(), [3.0, 5.0]);
    assert_eq!((-&a).to_vec(), [-1.0, -2.0]);
    let d: Tensor![f64; 2] = 1.0 / tensor([2.0, 4.0]);
    assert_eq!(d.to_vec(), [0.5, 0.25]);
}

#[test]
fn assignment() {
    let mut a: Tensor![2, 2] = tensor([[1.0, 2.0], [3.0, 4.0]]);
    let before = a.clone();
    a += &tensor([1.0, -1.0]);
    a *= 2.0;
    a -= tensor([[0.0, 1.0], [0.0, 1.0]]);
    a /= tensor([2.0, 1.0]);
    assert_eq!(a.to_vec(), [2.0, 1.0, 4.0, 5.0]);
    assert_eq!(before.to_vec(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn a_sole_owner_lends_its_buffer() {
    // The address of a buffer is known where the host sees it.
    Device::cpu().scope(sole_owner);
}

fn sole_owner() {
    let at = |x: &Tensor![2, 2]| x.raw().as_slice().expect("on the host").as_ptr();
    let a = tensor([[1.0, 2.0], [3.0, 4.0]]);
    let p = at(&a);
    let b = a + tensor([10.0, 20.0]);
    assert_eq!(at(&b), p);
    let shared = b.clone();
    let c = b * &shared;
    assert_ne!(at(&c), p);
    assert_eq!(shared.to_vec(), [11.0, 22.0, 13.0, 24.0]);
    assert_eq!(c.to_vec(), [121.0, 484.0, 169.0, 576.0]);
}

#[test]
#[should_panic(
    expected = "+: the run-time dimension `Batch` is 2 on the left, `Batch` is 3 on the right"
)]
fn same_name_other_size() {
    let x: Tensor![Batch, 4] = Tensor::zeros_with((Batch(2), Sz));
    let y: Tensor![Batch, 4] = Tensor::zeros_with((Batch(3), Sz));
    let _ = x + y;
}

#[test]
fn fallible_operators() {
    let x: Tensor![Batch, Time] = Tensor::zeros_with((Batch(2), Time(5)));
    let y: Tensor![Time] = Tensor::zeros_with((Time(4),));
    let expected = ShapeError::Dimension {
        left: "Time",
        left_size: 5,
        right: "Time",
        right_size: 4,
    };
    assert_eq!(x.try_add(&y).unwrap_err(), expected);
    assert_eq!(x.try_mul(&y).unwrap_err(), expected);
    assert_eq!(x.try_sub(&x).unwrap(), x);
}

// Integers and half precision have methods of the same names, which must not make these ambiguous.
#[test]
fn the_element_may_be_decided_later() {
    let x = Tensor::ones();
    let sums = (x.sum().item(), x.max().item(), x.sum_axis::<1>().to_vec());
    let product = x.matmul(&x);
    let known: Tensor![f64; 2, 2] = x;
    assert_eq!(sums, (4.0, 1.0, vec![2.0; 2]));
    assert_eq!(product, &known * 2.0);
    let counts: Tensor![i64; 3] = Tensor::iota();
    assert_eq!((counts.sum().item(), counts.max().item()), (3, 2));
}

#[allow(dead_code)]
mod letters {
    use differentiable::prelude::*;
    // Every name is free.
    dim!(pub N, K, W, S, T, D, M, R);
}

// Literals are of the element's type, and constants that an operator takes are evaluated once.
#[differentiable]
fn literals(x: &Tensor![6], #[constant] c: &Tensor![6], #[constant] m: &Tensor![bool; 6]) -> f32 {
    let d = c * 2.0;
    let e = c + 1.0;
    let masked = x.masked_fill(&!m, 0.0) * (d + 1.0);
    let padded = x.pad::<-1, 1, 2>(0.5).elu(1.0).leaky_relu(-0.1);
    let loss = x.lerp(&masked, 0.25).mse_loss(&(e * 0.5));
    masked.sum().item() + padded.sum().item() + loss.item()
}

#[test]
fn literals_and_owned_constants() {
    let x = tensor([0.3, -0.4, 0.8, 1.5, -2.0, 0.1]);
    let c: Tensor![6] = Tensor::iota();
    let m = x.gt(0.0);
    let d = literals::grad(&x, &c, &m);
    let (_, t) = literals::jvp((&x, &Tensor::ones()), &c, &m);
    assert!((d.sum().item() - t).abs() < 1e-4, "{d:?} {t}");
    let _ = letters::N(3);
}
