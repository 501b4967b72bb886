//! Attention against the same by products and softmax, and at its edges.

use crate::check::{between, numbers};
use differentiable::ad::DifferentiableFn;
use differentiable::ad::Tangent;
use differentiable::prelude::*;

dim!(Heads, Queries, Keys, Width, ValueWidth);

type Q<T> = Tensor<(Heads, Queries, Width), T>;
type K<T> = Tensor<(Heads, Keys, Width), T>;
type V<T> = Tensor<(Heads, Keys, ValueWidth), T>;
type Out<T> = Tensor<(Heads, Queries, ValueWidth), T>;
type Scores<T> = Tensor<(Heads, Queries, Keys), T>;

/// What attention is, with every score in memory. Hidden keys have `shown` 0; rows without others become 0.
#[differentiable]
#[allow(clippy::too_many_arguments)]
fn composed(
    q: &Q<f64>,
    k: &K<f64>,
    v: &V<f64>,
    bias: &Scores<f64>,
    #[constant] shown: &Scores<f64>,
    #[constant] scale: f64,
    #[constant] rate: f64,
    #[constant] seed: u64,
) -> Out<f64> {
    let scores = q.matmul(&k.transpose::<1, 2>()) * scale + bias;
    let weights = (scores + (shown - 1.0) * 1e9).softmax::<-1>() * shown;
    weights.dropout(rate, seed).matmul(v)
}

#[differentiable]
fn plain(q: &Q<f64>, k: &K<f64>, v: &V<f64>, #[constant] how: Attention) -> Out<f64> {
    q.attention(k, v, how)
}

#[differentiable]
fn masked(
    q: &Q<f64>,
    k: &K<f64>,
    v: &V<f64>,
    mask: &Scores<bool>,
    #[constant] how: Attention,
) -> Out<f64> {
    q.attention_masked(k, v, mask, how)
}

#[differentiable]
fn biased(
    q: &Q<f64>,
    k: &K<f64>,
    v: &V<f64>,
    bias: &Scores<f64>,
    #[constant] how: Attention,
) -> Out<f64> {
    q.attention_biased(k, v, bias, how)
}

#[differentiable]
fn padded(
    q: &Q<f64>,
    k: &K<f64>,
    v: &V<f64>,
    lengths: &Tensor<(Heads,), i64>,
    #[constant] how: Attention,
) -> Out<f64> {
    q.attention_padded(k, v, lengths, how)
}

/// No multiples of tiles or vectors, and some; more queries than keys, and one query of a cache; no keys.
const SIZES: [[usize; 5]; 10] = [
    [1, 1, 1, 1, 1],
    [2, 3, 5, 7, 4],
    [3, 65, 65, 16, 16],
    [1, 64, 128, 32, 32],
    [2, 130, 257, 5, 9],
    [5, 67, 33, 8, 3],
    [2, 1, 300, 17, 8],
    [9, 2, 2, 1, 1],
    [1, 300, 1200, 3, 2],
    [2, 3, 0, 4, 5],
];

/// A tensor by the positions of its entries.
pub fn made<S: Shape, T: Elem, const R: usize>(
    shape: S,
    f: impl Fn([usize; R]) -> T,
) -> Tensor<S, T> {
    Tensor::from_fn_with(shape, |mut at| {
        let mut index = [0; R];
        for (i, &n) in index.iter_mut().zip(shape.dims().iter()).rev() {
            (*i, at) = (at % n, at / n);
        }
        f(index)
    })
}

struct Case {
    q: Q<f64>,
    k: K<f64>,
    v: V<f64>,
    bias: Scores<f64>,
    sizes: [usize; 5],
}

fn case(sizes: [usize; 5]) -> Case {
    let [h, n, m, d, u] = sizes;
    Case {
        q: between((Heads(h), Queries(n), Width(d)), 1, -2.0, 2.0),
        k: between((Heads(h), Keys(m), Width(d)), 2, -2.0, 2.0),
        v: between((Heads(h), Keys(m), ValueWidth(u)), 3, -2.0, 2.0),
        bias: between((Heads(h), Queries(n), Keys(m)), 4, -2.0, 2.0),
        sizes,
    }
}

impl Case {
    fn shown(&self, f: impl Fn(usize, usize, usize) -> bool) -> Scores<f64> {
        made(self.bias.shape(), |[h, i, j]| {
            f64::from(u8::from(f(h, i, j)))
        })
    }

    fn causal(&self, query: usize, key: usize) -> bool {
        let [_, n, m, ..] = self.sizes;
        key + n <= query + m
    }
}

#[track_caller]
pub fn close(what: &str, sizes: &[usize], a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{what} {sizes:?}");
    for (a, b) in a.iter().zip(b) {
        let near = (a - b).abs() <= 1e-12 * (1.0 + b.abs());
        assert!(near, "{what} {sizes:?}: {a} is not {b}");
    }
}

/// The value, both derivatives by `q`, `k` and `v`, and by the bias where it is one, are those of the composition.
macro_rules! same {
    ($case:expr, $f:ident ($($extra:expr, $tangent:expr,)?) $how:expr, $bias:expr, $shown:expr, $scale:expr, $rate:expr, $seed:expr, |$g:ident, $expected:ident| $more:block) => {{
        let c = &$case;
        let (q, k, v) = (c.q.clone(), c.k.clone(), c.v.clone());
        let all = (q.clone(), k.clone(), v.clone(), $bias, $shown, $scale, $rate, $seed);
        let args = (q, k, v, $($extra,)? $how);
        let expected = composed::call(&all);
        close("value", &c.sizes, &$f::call(&args).to_vec(), &expected.to_vec());
        let mut next = numbers(9);
        let ct = Tangent::fill_with(&expected, &mut next);
        let $expected = <composed as DifferentiableFn<_>>::vjp(&all, ct.clone());
        let $g = <$f as DifferentiableFn<_>>::vjp(&args, ct);
        close("gradient of q", &c.sizes, &$g.0.to_vec(), &$expected.0.to_vec());
        close("gradient of k", &c.sizes, &$g.1.to_vec(), &$expected.1.to_vec());
        close("gradient of v", &c.sizes, &$g.2.to_vec(), &$expected.2.to_vec());
        $more
        let t = (
            Tangent::fill_with(&all.0, &mut next),
            Tangent::fill_with(&all.1, &mut next),
            Tangent::fill_with(&all.2, &mut next),
        );
        let zero = all.3.zero_tangent();
        let moved = (t.0.clone(), t.1.clone(), t.2.clone(), zero, all.4.zero_tangent(), 0.0, 0.0, ());
        let expected = <composed as DifferentiableFn<_>>::jvp(&all, &moved).1;
        let (value, tangent) = <$f as DifferentiableFn<_>>::jvp(&args, &(t.0, t.1, t.2, $($tangent,)? ()));
        assert_eq!(value.to_vec(), $f::call(&args).to_vec());
        close("tangent", &c.sizes, &tangent.to_vec(), &expected.to_vec());
    }};
}

#[test]
fn plain_and_causal() {
    for sizes in SIZES {
        let c = case(sizes);
        let zero = c.bias.zero_tangent();
        let scale = 1.0 / (sizes[3] as f64).sqrt();
        same!(c, plain() Attention::new(), zero.clone(), c.shown(|_, _, _| true), scale, 0.0, 0, |_g, _e| {});
        same!(c, plain() Attention::new().causal().scale(0.3), zero.clone(), c.shown(|_, i, j| c.causal(i, j)), 0.3, 0.0, 0, |_g, _e| {});
        same!(c, plain() Attention::new().causal().dropout(0.3, 5), zero, c.shown(|_, i, j| c.causal(i, j)), scale, 0.3, 5, |_g, _e| {});
    }
}

#[test]
fn masks_and_rows_that_see_nothing() {
    for sizes in SIZES {
        let c = case(sizes);
        let zero = c.bias.zero_tangent();
        let scale = 1.0 / (sizes[3] as f64).sqrt();
        // Row 2 of each head sees nothing, the others about half of the keys.
        let seen = |h: usize, i: usize, j: usize| i != 2 && (h + 3 * i + 5 * j * j) % 7 < 4;
        let mask = c.shown(seen).gt(0.5);
        same!(c, masked(mask.clone(), (),) Attention::new(), zero.clone(), c.shown(seen), scale, 0.0, 0, |_g, _e| {});
        let both = c.shown(|h, i, j| seen(h, i, j) && c.causal(i, j));
        same!(c, masked(mask, (),) Attention::new().causal().dropout(0.2, 1), zero, both, scale, 0.2, 1, |_g, _e| {});
    }
}

#[test]
fn biases() {
    for sizes in SIZES {
        let c = case(sizes);
        let scale = 1.0 / (sizes[3] as f64).sqrt();
        let shown = c.shown(|_, i, j| c.causal(i, j));
        let zero = c.bias.zero_tangent();
        same!(c, biased(c.bias.clone(), zero,) Attention::new().causal().dropout(0.1, 3), c.bias.clone(), shown, scale, 0.1, 3,
            |g, e| { close("gradient of the bias", &sizes, &g.3.to_vec(), &e.3.to_vec()); } );
        // −∞ hides.
        let shown = c.shown(|h, i, j| (h + i + j) % 3 > 0 && i != 1);
        let hiding = c.bias.masked_fill(&shown.lt(0.5), f64::NEG_INFINITY);
        let zero = c.bias.zero_tangent();
        same!(c, biased(hiding, zero,) Attention::new(), c.bias.clone(), shown, scale, 0.0, 0,
            |g, e| { close("gradient of the bias", &sizes, &g.3.to_vec(), &e.3.to_vec()); } );
    }
}

#[test]
fn padding() {
    for sizes in SIZES {
        let c = case(sizes);
        let zero = c.bias.zero_tangent();
        let scale = 1.0 / (sizes[3] as f64).sqrt();
        let length =
            |h: usize| (sizes[2] * (h + 1)).div_ceil(3).min(sizes[2]) * usize::from(h != 1);
        let lengths = made((Heads(sizes[0]),), |[h]| length(h) as i64);
        let shown = c.shown(|h, _, j| j < length(h));
        same!(c, padded(lengths.clone(), (),) Attention::new(), zero.clone(), shown, scale, 0.0, 0, |_g, _e| {});
        let shown = c.shown(|h, i, j| j < length(h) && c.causal(i, j));
        same!(c, padded(lengths, (),) Attention::new().causal(), zero, shown, scale, 0.0, 0, |_g, _e| {});
    }
}

#[test]
fn tangents_of_a_bias() {
    for sizes in SIZES {
        let c = case(sizes);
        let scale = 1.0 / (sizes[3] as f64).sqrt();
        let shown = c.shown(|_, i, j| c.causal(i, j));
        let t: Scores<f64> = between(c.bias.shape(), 11, -1.0, 1.0);
        let (q, k, v) = (c.q.clone(), c.k.clone(), c.v.clone());
        let (zq, zk, zv) = (q.zero_tangent(), k.zero_tangent(), v.zero_tangent());
        let all = (
            q.clone(),
            k.clone(),
            v.clone(),
            c.bias.clone(),
            shown.clone(),
            scale,
            0.2,
            3,
        );
        let moved = (
            zq.clone(),
            zk.clone(),
            zv.clone(),
            t.clone(),
            shown.zero_tangent(),
            0.0,
            0.0,
            (),
        );
        let expected = <composed as DifferentiableFn<_>>::jvp(&all, &moved).1;
        let args = (
            q,
            k,
            v,
            c.bias.clone(),
            Attention::new().causal().dropout(0.2, 3),
        );
        let (_, tangent) = <biased as DifferentiableFn<_>>::jvp(&args, &(zq, zk, zv, t, ()));
        close("tangent", &sizes, &tangent.to_vec(), &expected.to_vec());
    }
}

/// The same entries, dense.
pub fn copy<S: Shape, T: Elem>(x: &Tensor<S, T>) -> Tensor<S, T> {
    let entries = x.to_vec();
    Tensor::from_fn_with(x.shape(), |i| entries[i])
}

#[test]
fn operands_by_any_strides() {
    // Heads as they come out of one product: split, and moved in front of the positions.
    type X = Tensor![f64; 2, 9, 12];
    #[differentiable]
    fn viewed(x: &X) -> Tensor![f64; 2, 3, 9, 4] {
        let heads = x.split_last::<3>().transpose::<1, 2>();
        heads.attention(&heads, &heads, Attention::new().causal())
    }
    #[differentiable]
    fn turned(x: &Tensor![f64; 9, 12]) -> Tensor![f64; 12, 12] {
        let t = x.transpose::<0, 1>();
        t.attention(&t, &t, Attention::new()).matmul(x)
    }
    let x: X = between(Default::default(), 1, -1.0, 1.0);
    let heads = x.split_last::<3>().transpose::<1, 2>();
    let copied = copy(&heads);
    let expected = copied.attention(&copied, &copied, Attention::new().causal());
    assert_eq!(viewed::call(&(x.clone(),)), expected);
    differentiable::ad::check_grads::<viewed, _>(&(x,)).unwrap();
    let x = between(Default::default(), 1, -1.0, 1.0);
    differentiable::ad::check_grads::<turned, _>(&(x,)).unwrap();
}

type Line<const N: usize, T = f32> = Tensor<(Sz<N>, Sz<1>), T>;

#[test]
fn large_scores_and_infinities() {
    // Scores of ±10⁴, whose exponentials are no numbers of their own.
    fn large<T: Float>() -> Vec<f64> {
        let q = Tensor::<(Sz<2>, Sz<1>), T>::from_fn(|i| T::lit([100.0, -100.0][i]));
        let k = Tensor::<(Sz<200>, Sz<1>), T>::from_fn(|i| {
            T::lit(if i == 150 { 100.0 } else { -100.0 })
        });
        let v = Tensor::<(Sz<200>, Sz<1>), T>::from_fn(|i| T::lit(i as f64));
        let y = q.attention(&k, &v, Attention::new());
        y.to_vec().into_iter().map(Elem::to_f64).collect()
    }
    let mean = (199.0 * 200.0 / 2.0 - 150.0) / 199.0;
    close("f64", &[], &large::<f64>(), &[150.0, mean]);
    for (a, b) in large::<f32>().iter().zip([150.0, mean]) {
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }

    // NaN among the scores, and a score of +∞: the row is NaN, and no other.
    for bad in [f32::NAN, f32::INFINITY] {
        for at in [0, 3, 150] {
            let q: Line<3> = Tensor::ones();
            let k: Line<160> = Tensor::ones();
            let bias: Tensor![3, 160] =
                made(Default::default(), |i| if i == [1, at] { bad } else { 0.0 });
            let y = q.attention_biased(&k, &k, &bias, Attention::new());
            assert!(
                y[[1, 0]].is_nan() && y[[0, 0]] == 1.0 && y[[2, 0]] == 1.0,
                "{y:?}"
            );
        }
    }
}

#[test]
fn what_is_hidden_has_no_gradient() {
    #[differentiable]
    fn f(q: &Line<2, f64>, k: &Line<3, f64>, v: &Line<3, f64>, m: &Tensor![bool; 2, 3]) -> f64 {
        q.attention_masked(k, v, m, Attention::new()).sum().item()
    }
    let q: Line<2, f64> = tensor([[0.5], [-0.5]]);
    let k: Line<3, f64> = tensor([[1.0], [2.0], [3.0]]);
    let none = Tensor::full(false);
    assert_eq!(
        q.attention_masked(&k, &k, &none, Attention::new()),
        Tensor::zeros()
    );
    let (dq, dk, dv) = f::grad(&q, &k, &k, &none);
    assert_eq!(
        (dq, dk, dv),
        (Tensor::zeros(), Tensor::zeros(), Tensor::zeros())
    );
    // The third key is hidden from both, the others from one.
    let some: Tensor![bool; 2, 3] = tensor([[true, true, false], [false, false, false]]);
    let (dq, dk, dv) = f::grad(&q, &k, &k, &some);
    assert_eq!((dq[[1, 0]], dk[[2, 0]], dv[[2, 0]]), (0.0, 0.0, 0.0));
    assert!(dq[[0, 0]] > 0.0 && dk[[0, 0]] < 0.0 && dv[[0, 0]] > 0.0);
}

#[test]
fn padding_is_not_read() {
    let x: Tensor![f64; 2, 5, 3] = between(Default::default(), 1, -1.0, 1.0);
    let broken = made(x.shape(), |[b, i, j]| {
        if b == 0 && i >= 2 {
            f64::NAN
        } else {
            x[[b, i, j]]
        }
    });
    let lengths: Tensor![u32; 2] = tensor([2_u32, 5]);
    let how = Attention::new();
    assert_eq!(
        x.attention_padded(&broken, &broken, &lengths, how),
        x.attention_padded(&x, &x, &lengths, how)
    );
}

#[test]
fn the_future_is_not_seen() {
    // A cache of five keys and two new queries: the first sees four.
    let q: Tensor![f64; 2, 3] = between(Default::default(), 1, -1.0, 1.0);
    let k: Tensor![f64; 5, 3] = between(Default::default(), 2, -1.0, 1.0);
    let other: Tensor![f64; 5, 3] = made(k.shape(), |[i, j]| if i == 4 { 7.0 } else { k[[i, j]] });
    let how = Attention::new().causal();
    let (a, b) = (q.attention(&k, &k, how), q.attention(&other, &other, how));
    assert_eq!(a.slice::<0, 0, 1>(), b.slice::<0, 0, 1>());
    assert_ne!(a.slice::<0, 1, 1>(), b.slice::<0, 1, 1>());
    let four = k.slice::<0, 0, 4>();
    let expected = q
        .slice::<0, 0, 1>()
        .attention(&four, &four, Attention::new());
    close(
        "cache",
        &[],
        &a.slice::<0, 0, 1>().to_vec(),
        &expected.to_vec(),
    );
}

#[test]
fn single_precision() {
    let [q, k, v] = [1, 2, 3]
        .map(|seed| -> Tensor![f64; 4, 200, 32] { between(Default::default(), seed, -1.0, 1.0) });
    let exact = q.attention(&k, &v, Attention::new().causal());
    let found = q
        .cast::<f32>()
        .attention(&k.cast(), &v.cast(), Attention::new().causal());
    for (a, b) in found.to_vec().iter().zip(exact.to_vec()) {
        assert!((f64::from(*a) - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
#[should_panic(expected = "`Keys` is 4 on the left, `Keys` is 5 on the right")]
fn keys_without_values() {
    let c = case([1, 2, 4, 3, 3]);
    let v: V<f64> = Tensor::zeros_with((Heads(1), Keys(5), ValueWidth(3)));
    c.q.attention(&c.k, &v, Attention::new());
}

#[test]
#[should_panic(expected = "`Heads` is 1 on the left, `Heads` is 2 on the right")]
fn different_batches() {
    let c = case([1, 2, 4, 3, 3]);
    let k: K<f64> = Tensor::zeros_with((Heads(2), Keys(4), Width(3)));
    c.q.attention(&k, &c.v, Attention::new());
}

#[test]
#[should_panic(expected = " 5 at position 0 ")] // "the length 5", or "index 5" of a device that answers late
fn a_length_beyond_the_keys() {
    let c = case([1, 2, 4, 3, 3]);
    let lengths = Tensor::full_with((Heads(1),), 5_i64);
    c.q.attention_padded(&c.k, &c.v, &lengths, Attention::new())
        .to_vec();
}

#[test]
#[should_panic(expected = "not in [0, 1)")]
fn a_rate_of_one() {
    let _ = Attention::new().dropout(1.0, 0);
}
