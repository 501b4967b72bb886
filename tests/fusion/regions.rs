//! What regions keep and overwrite, the function itself, operations that are repeated or not read.

use crate::points;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

/// Numbers of both signs.
fn centred<S: Shape>(shape: S, seed: u64) -> Tensor<S, f64> {
    points(shape, seed) - 0.6
}

macro_rules! draw {
    ($($x:ident),*) => {
        let mut seed = 0;
        $( seed += 1; let $x = &centred(Default::default(), seed); )*
        let _ = seed;
    };
}

both! {
    // The pullback of the first layers reads nothing but the value.
    fn deep(x: &Tensor![f64; 6, 5], w: &Tensor![f64; 5, 5], b: &Tensor![f64; 5]) -> Tensor![f64;] {
        let h = (x.matmul(w) + b).relu();
        let h = (h.matmul(w) + b).tanh();
        let h = (h.matmul(w) - b).sigmoid();
        let h = (h.matmul(w) * 2.0 + b).exp();
        (h.matmul(w) + b).sum()
    }
    // What is overwritten is read under another name.
    fn shared(x: &Tensor![f64; 6, 5], w: &Tensor![f64; 5, 5], b: &Tensor![f64; 5]) -> Tensor![f64;] {
        let h = x.matmul(w);
        let kept = h.clone();
        let turned = h.transpose::<0, 1>();
        let y = (h + b).relu();
        let z = (kept * b).exp();
        (y * &z).sum() + (turned.matmul(&z)).sum()
    }
    fn again(x: &Tensor![f64; 6, 5], w: &Tensor![f64; 5, 5], b: &Tensor![f64; 5]) -> Tensor![f64;] {
        let p = x.matmul(w).softmax::<1>();
        let unread = x.matmul(w).tanh() + b;
        let _also = unread.exp();
        let q = x.matmul(w).softmax::<1>();
        let taken = p + b;
        (taken * q + x.exp() * (x.exp() + x.softmax::<0>())).sum()
    }
    fn changing(x: &Tensor![f64; 6, 5], w: &Tensor![f64; 5, 5], b: &Tensor![f64; 5]) -> Tensor![f64;] {
        let mut h = x.matmul(w);
        let first = h.softmax::<1>();
        h = (h + b).tanh();
        let second = h.softmax::<1>();
        for _ in 0..3 {
            let t = h.matmul(w);
            h = (t + &first).sigmoid() - &second;
        }
        (h * first).sum()
    }
    fn early(x: &Tensor![f64; 6, 5], w: &Tensor![f64; 5, 5], b: &Tensor![f64; 5]) -> Tensor![f64;] {
        let y = x.matmul(w) + b;
        if y.sum().item() > 1e3 {
            return (y * 2.0).exp().sum();
        }
        let z = match y.max().item() > 0.0 {
            true => (y * b + 1.0).square(),
            false => y,
        };
        (z * 0.5 - b).mean()
    }
    // Weights used twice: the second product is added to the cotangent of the first.
    fn tied(x: &Tensor![f64; 6, 5], w: &Tensor![f64; 5, 5], b: &Tensor![f64; 5]) -> Tensor![f64;] {
        let h = x.matmul(w).affine(w, b);
        let back = h.matmul(&w.transpose::<0, 1>());
        let outer = back.tensordot::<1, _>(w);
        (outer * x).sum()
    }
}

#[test]
fn values_and_gradients_agree() {
    draw!(x, w, b);
    agree!(deep(x, w, b));
    agree!(shared(x, w, b));
    agree!(again(x, w, b));
    agree!(changing(x, w, b));
    agree!(early(x, w, b));
    agree!(tied(x, w, b));
}

#[differentiable]
fn gate(x: &Tensor![f64; 4, 3], b: &Tensor![f64; 3]) -> Tensor![f64; 4, 3] {
    (x * b - 0.25).tanh()
}

/// The pullback writes over the cotangent that it is given only if nobody else has it.
#[test]
fn a_cotangent_of_the_caller_stays() {
    draw!(x, b, ct);
    let before = ct.to_vec();
    let (_, pullback) = gate::vjp(x, b);
    let first = pullback(ct.clone());
    assert_eq!(ct.to_vec(), before);
    let (_, pullback) = gate::vjp(x, b);
    let second = pullback(ct.clone() * 1.0);
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
    let expected: Vec<f64> = (0..12)
        .map(|i| {
            let (x, b, ct) = (x.to_vec()[i], b.to_vec()[i % 3], before[i]);
            let y = (x * b - 0.25).tanh();
            ct * (1.0 - y * y) * b
        })
        .collect();
    for (a, b) in first.0.to_vec().iter().zip(expected) {
        assert!((a - b).abs() < 1e-14);
    }
}

/// Parameters stay what they are, by reference and by value.
#[test]
fn parameters_are_not_overwritten() {
    #[differentiable]
    fn owned(x: Tensor![f64; 4, 3], b: Tensor![f64; 3]) -> Tensor![f64; 4, 3] {
        (x + &b).relu() * b
    }
    draw!(x, b);
    let (before, also) = (x.to_vec(), b.to_vec());
    let y = owned(x.clone(), b.clone());
    assert_eq!((x.to_vec(), b.to_vec()), (before, also));
    for (i, y) in y.to_vec().into_iter().enumerate() {
        let b = b.to_vec()[i % 3];
        assert!((y - (x.to_vec()[i] + b).max(0.0) * b).abs() < 1e-15);
    }
}

#[derive(Module, Differentiable, Clone, Debug)]
struct Layer<const I: usize, const O: usize> {
    w: Tensor<(Sz<I>, Sz<O>), f64>,
    b: Tensor<(Sz<O>,), f64>,
}

#[differentiable]
impl<const I: usize, const O: usize> Layer<I, O> {
    fn run<B: Dim>(&self, x: &Tensor<(B, Sz<I>), f64>) -> Tensor<(B, Sz<O>), f64> {
        let h = x.matmul(&self.w);
        (h + &self.b).silu() * 2.0
    }
    fn loss(&self, x: &Tensor<(Sz<4>, Sz<I>), f64>) -> Tensor![f64;] {
        (self.run(x) - 1.0).square().mean()
    }
}

/// Methods, generic functions and what calls them run fused too.
#[test]
fn methods_and_generic_functions() {
    draw!(w, b);
    let layer = Layer::<3, 2> {
        w: w.clone(),
        b: b.clone(),
    };
    let x = &centred(Default::default(), 5);
    let by_hand: f64 = (0..4)
        .flat_map(|i| (0..2).map(move |j| (i, j)))
        .map(|(i, j)| {
            let h: f64 = (0..3).map(|k| x[[i, k]] * w[[k, j]]).sum::<f64>() + b[[j]];
            (2.0 * h / (1.0 + (-h).exp()) - 1.0).powi(2) / 8.0
        })
        .sum();
    assert!((layer.loss(x).item() - by_hand).abs() < 1e-14);
    let (y, _) = layer.loss_value_and_grad(x);
    assert!((y.item() - by_hand).abs() < 1e-14);
}

#[differentiable]
fn several(x: &Tensor![f32; 3], k: f32) -> (Tensor![f32; 3], f32, Tensor![f32;]) {
    let y = (x * k + 1.0).exp();
    let total = (&y * x).sum();
    (y, k * 2.0, total)
}

#[test]
fn several_results() {
    let x = tensor([0.1f32, -0.2, 0.3]);
    let (y, k, total) = several(&x, 0.5);
    let expected: Vec<f32> = x.to_vec().iter().map(|x| (x * 0.5 + 1.0).exp()).collect();
    for (a, b) in y.to_vec().iter().zip(&expected) {
        assert!((a - b).abs() < 1e-6);
    }
    let sum: f32 = x.to_vec().iter().zip(&expected).map(|(x, y)| x * y).sum();
    assert!((total.item() - sum).abs() < 1e-6);
    assert_eq!(k, 1.0);
}

/// NaN, infinities and empty tensors go through regions as through their operations.
#[test]
fn special_values() {
    #[differentiable]
    fn fused(x: &Tensor![f64; 6], b: &Tensor![f64; 6]) -> Tensor![f64; 6] {
        ((x + b).relu() * b).tanh()
    }
    #[differentiable(unfused)]
    fn single(x: &Tensor![f64; 6], b: &Tensor![f64; 6]) -> Tensor![f64; 6] {
        ((x + b).relu() * b).tanh()
    }
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let x = tensor([0.0, -0.0, inf, -inf, nan, 1e-310]);
    let b = tensor([0.0, 1.0, -1.0, inf, 2.0, 1e-310]);
    let bits = |t: &Tensor![f64; 6]| format!("{:?}", t.to_vec());
    assert_eq!(bits(&fused(&x, &b)), bits(&single(&x, &b)));
    let ct = tensor([1.0, inf, 1.0, 1.0, 1.0, -0.0]);
    let (f, s) = (fused::vjp(&x, &b).1(ct.clone()), single::vjp(&x, &b).1(ct));
    assert_eq!(bits(&f.0), bits(&s.0));
    assert_eq!(bits(&f.1), bits(&s.1));
}

dim!(Rows);

/// What a region reads is moved before the region stands.
#[differentiable]
fn consumed(v: Tensor![f64; 40]) -> Tensor![f64;] {
    v.square().sum()
}
both! {
    fn moved_on(x: &Tensor![f64; 4, 40], w: &Tensor![f64; 40]) -> Tensor![f64;] {
        let v = w * 2.0;
        let y = x * &v;
        let z = (x + &v).exp();
        let u = v;
        let s = y.sum_axis::<1>();
        (s * u.sum()).sum() + z.sin().sum()
    }
    fn moved_into_a_pair(x: &Tensor![f64; 4, 40], w: &Tensor![f64; 40]) -> Tensor![f64;] {
        let v = w * 2.0;
        let y = x * &v;
        let t = (v, 1.0);
        y.sum() * t.0.sum() * t.1
    }
    fn moved_into_a_call(x: &Tensor![f64; 4, 40], w: &Tensor![f64; 40]) -> Tensor![f64;] {
        let v = w * 2.0;
        let y = x + &v;
        let u = consumed(v);
        y.exp().mean() * u
    }
}

#[test]
fn operands_that_are_moved_meanwhile() {
    let (x, w) = (
        &points(Default::default(), 1),
        &points(Default::default(), 2),
    );
    agree!(moved_on(x, w));
    agree!(moved_into_a_pair(x, w));
    agree!(moved_into_a_call(x, w));
}

#[test]
fn no_rows() {
    #[differentiable]
    fn rows(x: &Tensor![f64; Rows, 3], b: &Tensor![f64; 3]) -> Tensor![f64;] {
        ((x + b).relu() * x).sum()
    }
    let x = centred((Rows(0), Sz), 1);
    let b = tensor([1.0, 2.0, 3.0]);
    let (y, (gx, gb)) = rows::value_and_grad(&x, &b);
    assert_eq!((y.item(), gx.len(), gb.to_vec()), (0.0, 0, vec![0.0; 3]));
    assert_eq!(rows(&x, &b).item(), 0.0);
}
