//! Products against their definition: operands rounded by the crate `half`, sums in double precision.
//!
//! Numbers are multiples of 2⁻⁹ or 2⁻¹² and small, so that all sums of rounded products are exact in single precision too.

use crate::Batch;
use differentiable::ad::{Format, Half};
use differentiable::prelude::*;

/// Numbers that the format does not have, most of them.
fn numbers<H: Half>(n: usize, seed: usize) -> Vec<f32> {
    let mixed_up = |i: usize| (i * 977 + seed * 389 + 131) * 1103 % 2047;
    let one = |i: usize| match (H::FORMAT, mixed_up(i)) {
        (Format::Bf16, k) => (k as f32 - 1023.0) / 512.0,
        (Format::F16, k) => (1.0 + (k / 2) as f32 / 4096.0) * if k % 2 == 0 { 1.0 } else { -1.0 },
    };
    (0..n).map(one).collect()
}

fn tensor_of<S: StaticShape, H: Half>(seed: usize) -> Tensor<S, Mixed<H>> {
    let x = numbers::<H>(S::default().dims().numel(), seed);
    Tensor::from_fn(|i| Mixed::new(x[i]))
}

/// Rounded by another implementation.
trait Reference: Half {
    fn nearest(x: f64) -> f64;
}
impl Reference for bf16 {
    fn nearest(x: f64) -> f64 {
        bf16::from_f32(x as f32).to_f64()
    }
}
impl Reference for f16 {
    fn nearest(x: f64) -> f64 {
        f16::from_f32(x as f32).to_f64()
    }
}

fn wide<S: Shape, H: Half>(x: &Tensor<S, Mixed<H>>) -> Vec<f64> {
    x.to_vec().into_iter().map(f64::from).collect()
}

fn rounded<S: Shape, H: Reference>(x: &Tensor<S, Mixed<H>>) -> Vec<f64> {
    wide(x).into_iter().map(H::nearest).collect()
}

/// `a · b` of dense matrices with these sizes.
fn product(a: &[f64], b: &[f64], [m, k, n]: [usize; 3]) -> Vec<f64> {
    let entry = |at: usize| (0..k).map(|l| a[at / n * k + l] * b[l * n + at % n]).sum();
    (0..m * n).map(entry).collect()
}

fn transposed(x: &[f64], [rows, cols]: [usize; 2]) -> Vec<f64> {
    (0..rows * cols)
        .map(|i| x[i % rows * cols + i / rows])
        .collect()
}

#[differentiable]
fn matmul<T: Float>(a: &Tensor![T; 5, 7], b: &Tensor![T; 7, 3]) -> Tensor![T; 5, 3] {
    a.matmul(b)
}

fn matmul_is_of_rounded_operands<H: Reference>() {
    let (a, b) = (tensor_of::<_, H>(1), tensor_of::<_, H>(2));
    let ct: Tensor![Mixed<H>; 5, 3] = tensor_of(3);
    let y = matmul(&a, &b);
    let (left, right, c) = (rounded(&a), rounded(&b), rounded(&ct));
    assert_ne!(left, wide(&a), "rounding changes the operands");
    assert_eq!(wide(&y), product(&left, &right, [5, 7, 3]));
    let (d_a, d_b) = (matmul::vjp(&a, &b).1)(ct);
    assert_eq!(
        wide(&d_a),
        product(&c, &transposed(&right, [7, 3]), [5, 3, 7])
    );
    assert_eq!(
        wide(&d_b),
        product(&transposed(&left, [5, 7]), &c, [7, 5, 3])
    );
}

#[test]
fn products_of_matrices_round_their_operands() {
    matmul_is_of_rounded_operands::<bf16>();
    matmul_is_of_rounded_operands::<f16>();
}

#[differentiable]
fn layer<T: Float>(net: &Linear<6, 4, T>, x: &Tensor![T; Batch, 6]) -> Tensor![T; Batch, 4] {
    net.forward(x)
}

#[test]
fn a_layer_adds_its_bias_in_single_precision() {
    let net: Linear<6, 4, Mixed<bf16>> = Linear {
        weight: tensor_of(1),
        bias: tensor_of(2),
    };
    let x: Tensor![Mixed<bf16>; 5, 6] = tensor_of(3);
    let x: Tensor![Mixed<bf16>; Batch, 6] =
        Tensor::from_slice_with((Batch(5), Sz), &x.to_vec()).unwrap();
    let ct: Tensor![Mixed<bf16>; 5, 4] = tensor_of(4);
    let ct = Tensor::from_slice_with((Batch(5), Sz), &ct.to_vec()).unwrap();
    let (w, b) = (rounded(&net.weight), wide(&net.bias));
    let expected = product(&rounded(&x), &w, [5, 6, 4]);
    let expected: Vec<f64> = expected
        .iter()
        .enumerate()
        .map(|(i, y)| y + b[i % 4])
        .collect();
    assert_eq!(wide(&layer(&net, &x)), expected);
    let (d_net, d_x) = (layer::vjp(&net, &x).1)(ct.clone());
    let c = rounded(&ct);
    assert_eq!(wide(&d_x), product(&c, &transposed(&w, [6, 4]), [5, 4, 6]));
    assert_eq!(
        wide(&d_net.weight),
        product(&transposed(&rounded(&x), [5, 6]), &c, [6, 5, 4])
    );
    // The sum of the cotangents is no product: nothing is rounded.
    let ct = wide(&ct);
    let sums: Vec<f64> = (0..4)
        .map(|j| (0..5).map(|i| ct[4 * i + j]).sum())
        .collect();
    assert_eq!(wide(&d_net.bias), sums);
}

/// The same products by other names and of views: transposed, broadcast, of a part of a buffer, of batches.
#[test]
fn all_products_of_matrices_are_rounded() {
    type T = Mixed<bf16>;
    let (a, b): (Tensor![T; 7, 5], Tensor![T; 7, 3]) = (tensor_of(1), tensor_of(2));
    let expected = product(&transposed(&rounded(&a), [7, 5]), &rounded(&b), [5, 7, 3]);
    assert_eq!(wide(&a.transpose::<0, 1>().matmul(&b)), expected);
    assert_eq!(wide(&einsum!("ki,kj->ij", &a, &b)), expected);
    assert_eq!(wide(&a.transpose::<0, 1>().tensordot::<1, _>(&b)), expected);
    // One matrix of a large buffer, which is not rounded as a whole.
    let many: Tensor![T; 40, 7, 5] = tensor_of(3);
    let one: Tensor![T; 7, 5] = many.index::<0>(11);
    let column: Tensor![T; 40, 7] = many.index::<2>(2);
    assert_eq!(
        wide(&one.transpose::<0, 1>().matmul(&b)),
        product(&transposed(&rounded(&one), [7, 5]), &rounded(&b), [5, 7, 3])
    );
    assert_eq!(
        wide(&column.matmul(&b)),
        product(&rounded(&column), &rounded(&b), [40, 7, 3])
    );
    let batch = many.transpose::<1, 2>().matmul(&b);
    for i in 0..40 {
        let one: Tensor![T; 7, 5] = many.index::<0>(i);
        let part: Tensor![T; 5, 3] = batch.index::<0>(i);
        let left = transposed(&rounded(&one), [7, 5]);
        assert_eq!(wide(&part), product(&left, &rounded(&b), [5, 7, 3]));
    }
}

#[differentiable]
fn conv<T: Float>(x: &Tensor![T; 2, 2, 5], w: &Tensor![T; 3, 2, 3]) -> Tensor![T; 2, 3, 5] {
    x.conv1d(w, Win::<1, 1>)
}

#[test]
fn convolutions_round_images_weights_and_cotangents() {
    type T = Mixed<bf16>;
    let (x, w): (Tensor![T; 2, 2, 5], Tensor![T; 3, 2, 3]) = (tensor_of(1), tensor_of(2));
    let ct: Tensor![T; 2, 3, 5] = tensor_of(3);
    let (rx, rw, rc) = (rounded(&x), rounded(&w), rounded(&ct));
    let mut y = vec![0.0; 2 * 3 * 5];
    let (mut d_x, mut d_w) = (vec![0.0; rx.len()], vec![0.0; rw.len()]);
    for n in 0..2 {
        for o in 0..3 {
            for i in 0..5_usize {
                for c in 0..2 {
                    for k in 0..3 {
                        let Some(at) = (i + k).checked_sub(1).filter(|at| *at < 5) else {
                            continue;
                        };
                        let (to, from, by) = (
                            (n * 3 + o) * 5 + i,
                            (n * 2 + c) * 5 + at,
                            (o * 2 + c) * 3 + k,
                        );
                        y[to] += rx[from] * rw[by];
                        d_x[from] += rc[to] * rw[by];
                        d_w[by] += rc[to] * rx[from];
                    }
                }
            }
        }
    }
    assert_eq!(wide(&conv(&x, &w)), y);
    let (g_x, g_w) = (conv::vjp(&x, &w).1)(ct);
    assert_eq!((wide(&g_x), wide(&g_w)), (d_x, d_w));
}

#[test]
fn all_else_is_computed_in_single_precision() {
    type T = Mixed<bf16>;
    let x: Tensor![T; 6, 8] = tensor_of(1);
    let plain: Tensor![6, 8] = x.cast();
    macro_rules! same {
        ($($f:expr),* $(,)?) => { $( {
            fn of<U: Float>(x: &Tensor![U; 6, 8]) -> Vec<f64> {
                let f = $f;
                f(x).to_vec().into_iter().map(|x| Float::to_f64(x)).collect()
            }
            assert_eq!(of(&x), of(&plain), stringify!($f));
        } )* };
    }
    // `Float` has no conversion of its own; that of elements does.
    trait Float: differentiable::Float {
        fn to_f64(self) -> f64 {
            differentiable::prelude::Elem::to_f64(self)
        }
    }
    impl<U: differentiable::Float> Float for U {}
    same! {
        |x: &Tensor![U; 6, 8]| x.exp() * x.sin() + x / (x.square() + U::lit(1.0)),
        |x: &Tensor![U; 6, 8]| x.softmax::<1>(),
        |x: &Tensor![U; 6, 8]| x.sum_axis::<0>(),
        |x: &Tensor![U; 6, 8]| x.gelu().cumsum::<1>(),
        |x: &Tensor![U; 6, 8]| x.max_axis::<1>(),
    }
}

#[differentiable]
fn attend<T: Float>(
    q: &Tensor![T; 2, 9, 4],
    k: &Tensor![T; 2, 6, 4],
    v: &Tensor![T; 2, 6, 4],
) -> Tensor![T; 2, 9, 4] {
    q.attention(k, v, no_grad!(Attention::new()))
}

/// `softmax(r(q)·r(k)ᵀ/2)·r(v)`, where the weights before their division are rounded too; with the pullback in which the
/// weights, the slopes of the scores and the cotangent are.
#[test]
fn attention_rounds_what_it_multiplies() {
    type T = Mixed<bf16>;
    let (q, k, v): (
        Tensor![T; 2, 9, 4],
        Tensor![T; 2, 6, 4],
        Tensor![T; 2, 6, 4],
    ) = (tensor_of(1), tensor_of(2), tensor_of(3));
    let ct: Tensor![T; 2, 9, 4] = tensor_of(4);
    let near = bf16::nearest;
    let all: [Vec<f64>; 4] = [rounded(&q), rounded(&k), rounded(&v), rounded(&ct)];
    let exact = wide(&ct);
    let mut expected = [const { Vec::new() }; 4];
    for head in 0..2 {
        let part = |x: &[f64], n: usize| x[head * n..(head + 1) * n].to_vec();
        let (q, k, v, c) = (
            part(&all[0], 36),
            part(&all[1], 24),
            part(&all[2], 24),
            part(&all[3], 36),
        );
        let scores = product(&q, &transposed(&k, [6, 4]), [9, 4, 6]);
        let (mut lifted, mut weights, mut sums) = (vec![], vec![], vec![]);
        for row in scores.chunks(6) {
            let most = row.iter().fold(f64::NEG_INFINITY, |m, x| m.max(x / 2.0));
            let e: Vec<f64> = row.iter().map(|x| (x / 2.0 - most).exp()).collect();
            let sum: f64 = e.iter().sum();
            lifted.extend(e.iter().map(|x| near(*x)));
            weights.extend(e.iter().map(|x| x / sum));
            sums.push(sum);
        }
        let mut out = product(&lifted, &v, [9, 6, 4]);
        out.iter_mut()
            .enumerate()
            .for_each(|(i, x)| *x /= sums[i / 4]);
        let of_weights = product(&c, &transposed(&v, [6, 4]), [9, 4, 6]);
        let ct = part(&exact, 36);
        let delta: Vec<f64> = (0..9)
            .map(|i| (4 * i..4 * i + 4).map(|j| ct[j] * out[j]).sum())
            .collect();
        let slopes: Vec<f64> = (0..54)
            .map(|i| near(weights[i] * (of_weights[i] - delta[i / 6])))
            .collect();
        let weights: Vec<f64> = weights.into_iter().map(near).collect();
        let half = |x: Vec<f64>| x.into_iter().map(|x| x / 2.0).collect::<Vec<_>>();
        expected[0].extend(out);
        expected[1].extend(half(product(&slopes, &k, [9, 6, 4])));
        expected[2].extend(half(product(&transposed(&slopes, [9, 6]), &q, [6, 9, 4])));
        expected[3].extend(product(&transposed(&weights, [9, 6]), &c, [6, 9, 4]));
    }
    let (d_q, d_k, d_v) = (attend::vjp(&q, &k, &v).1)(ct);
    let found = [
        wide(&attend(&q, &k, &v)),
        wide(&d_q),
        wide(&d_k),
        wide(&d_v),
    ];
    for (found, expected) in found.iter().zip(&expected) {
        let gap = |(a, b): (&f64, &f64)| (a - b).abs();
        let gap = found.iter().zip(expected).map(gap).fold(0.0, f64::max);
        assert!(gap < 4e-6, "{gap:e}\n{found:?}\n{expected:?}");
    }
}
