//! Parameters that may be there: masks.

#![allow(clippy::all)] // the language under test is written out

use differentiable::ad::check_grads;
use differentiable::prelude::*;
type M = Tensor![f64; 3, 2];
fn x() -> M {
    Tensor::from_fn(|i| ((i * 7 % 18) as f64 * 0.37).sin() + i as f64 * 0.01)
}
#[differentiable]
fn a1(x: &M, mask: &Option<M>) -> M {
    match mask {
        Some(m) => x * m,
        None => x.sin(),
    }
}
#[differentiable]
fn a2(x: &M, #[constant] mask: &Option<M>) -> M {
    match mask {
        Some(m) => x * m,
        None => x.sin(),
    }
}
#[differentiable]
fn a3(x: &M, mask: &Option<M>) -> M {
    let mut y = x.clone();
    if let Some(m) = mask {
        y = y * m;
    }
    y
}
#[differentiable]
fn a4(x: &M, #[constant] mask: &Option<Tensor![bool; 3, 2]>) -> M {
    if let Some(m) = mask {
        x.masked_fill(m, 0.0)
    } else {
        x * 1.0
    }
}
#[differentiable]
fn a5(x: &M, mask: Option<M>) -> M {
    match mask {
        Some(m) => x * m,
        None => x.sin(),
    }
}
#[differentiable]
fn a6(x: &M, mask: Option<M>) -> M {
    if let Some(m) = &mask {
        return x * m;
    }
    x.sin()
}
#[differentiable]
fn a7(x: &M, m: &M) -> M {
    a1(x, &Some(m.clone())) + a3(x, &None::<M>) + a5(x, Some(m.sin()))
}
#[differentiable]
fn a8(x: &M, mask: &Option<M>) -> M {
    let Some(m) = mask else { return x.clone() };
    x - m
}
#[test]
fn masks() {
    for m in [Some(x() + 0.3), None] {
        check_grads::<a1, _>(&(x(), m.clone())).unwrap();
        check_grads::<a3, _>(&(x(), m.clone())).unwrap();
        check_grads::<a2, _>(&(x(), m.clone())).unwrap();
        check_grads::<a5, _>(&(x(), m.clone())).unwrap();
        check_grads::<a6, _>(&(x(), m.clone())).unwrap();
        check_grads::<a8, _>(&(x(), m.clone())).unwrap();
    }
    check_grads::<a7, _>(&(x(), x())).unwrap();
    check_grads::<a4, _>(&(x(), Some(x().gt(&M::zeros())))).unwrap();
    check_grads::<a4, _>(&(x(), None)).unwrap();
}
#[differentiable]
fn c1(x: &M, #[constant] mask: Option<M>) -> M {
    match mask {
        Some(m) => x * m,
        None => x.sin(),
    }
}
#[differentiable]
fn c2(x: &M, #[constant] mask: &Option<M>) -> M {
    let mut y = x.clone();
    for _ in 0..2 {
        if let Some(m) = mask {
            y = y * m + 1.0;
        }
    }
    y
}
#[test]
fn constants() {
    check_grads::<c1, _>(&(x(), Some(x()))).unwrap();
    check_grads::<c2, _>(&(x(), Some(x()))).unwrap();
}
