//! `prod var std norm logsumexp`, reductions over several axes, `cumsum`, `cumprod`.

use crate::check::between;
use crate::method;
use differentiable::__rt::{Differentiable, NoGrad, On};
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch);

const INF: f64 = f64::INFINITY;

macro_rules! plain {
    ($x:expr) => {{
        let x = $x;
        method!(x, prod __prod_vjp __prod_jvp []);
        method!(x, prod_axis __prod_axis_vjp __prod_axis_jvp [0]);
        method!(x, norm __norm_vjp __norm_jvp []);
        method!(x, norm_axis __norm_axis_vjp __norm_axis_jvp [-1]);
        method!(x, norm_axis_keepdim __norm_axis_keepdim_vjp __norm_axis_keepdim_jvp [0]);
        method!(x, norm_l1 __norm_l1_vjp __norm_l1_jvp []);
        method!(x, logsumexp __logsumexp_vjp __logsumexp_jvp []);
        method!(x, logsumexp_axis __logsumexp_axis_vjp __logsumexp_axis_jvp [1]);
        method!(x, logsumexp_axis_keepdim __logsumexp_axis_keepdim_vjp __logsumexp_axis_keepdim_jvp [0]);
        method!(x, cumsum __cumsum_vjp __cumsum_jvp [0]);
        method!(x, cumsum __cumsum_vjp __cumsum_jvp [-1]);
        method!(x, cumprod __cumprod_vjp __cumprod_jvp [0]);
        method!(x, cumprod __cumprod_vjp __cumprod_jvp [1]);
    }};
}

#[test]
fn shapes() {
    plain!(between(<shape![3, 5, 7]>::default(), 1, 0.5, 1.5));
    plain!(between(<shape![1, 1]>::default(), 2, -2.0, 2.0));
    plain!(between(<shape![3, 17]>::default(), 3, 0.5, 1.5));
    plain!(between((Batch(4), Sz::<3>), 1, -2.0, 2.0));
    plain!(between(<shape![5, 3, 4]>::default(), 8, 0.5, 1.5).transpose::<0, 2>());
}

#[test]
fn empty() {
    let x = between((Batch(0), Sz::<3>), 1, -2.0, 2.0);
    method!(x, prod_axis __prod_axis_vjp __prod_axis_jvp [0]);
    method!(x, norm __norm_vjp __norm_jvp []);
    method!(x, cumsum __cumsum_vjp __cumsum_jvp [0]);
    method!(x, cumprod __cumprod_vjp __cumprod_jvp [-1]);
    assert_eq!(x.prod().item(), 1.0);
    assert_eq!(x.logsumexp().item(), -INF);
    assert!(x.var(0).item().is_nan());
    assert_eq!(x.logsumexp_axis::<1>().len(), 0);
}

/// The gradient of the sum of a function's results.
macro_rules! gradient {
    (|$x:ident: $ty:ty| $body:expr, $at:expr) => {{
        #[differentiable]
    fn f($x: &$ty) -> Tensor![f64;] {
            ($body).sum()
        }
        let at: $ty = $at;
        let reverse = f::grad(&at);
        // The forward mode gives the same, entry by entry.
        for i in 0..at.len() {
            let t = Tensor::from_fn_with(at.shape(), |j| f64::from(u8::from(i == j)));
            let forward = f::jvp((&at, &t)).1.item();
            let entry = reverse.to_vec()[i];
            assert!(
                forward == entry || forward.is_nan() && entry.is_nan(),
                "{forward} {entry}"
            );
        }
        reverse.to_vec()
    }};
}

#[test]
fn products_with_zeros() {
    type Rows = Tensor![f64; 4, 3];
    let x: Rows = tensor([
        [2.0, 3.0, 4.0],
        [2.0, 0.0, 4.0],
        [0.0, 5.0, 0.0],
        [0.0, 0.0, 0.0],
    ]);
    assert_eq!(x.prod_axis::<1>().to_vec(), [24.0, 0.0, 0.0, 0.0]);
    let d = gradient!(|x: Rows| x.prod_axis::<1>(), x.clone());
    assert_eq!(
        d,
        [12.0, 8.0, 6.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    );
    let d = gradient!(|x: Rows| x.cumprod::<1>(), x.clone());
    // Row 2: 2, 0, 0. Row 3: 0, 0, 0 whose first entry moves only itself and what follows.
    assert_eq!(
        d,
        [
            16.0, 10.0, 6.0, 1.0, 10.0, 0.0, 6.0, 0.0, 0.0, 1.0, 0.0, 0.0
        ]
    );
    let d = gradient!(|x: Rows| x.prod(), Tensor::ones());
    assert_eq!(d, [1.0; 12]);
}

#[test]
fn where_norms_are_zero_their_gradient_is() {
    type Row = Tensor![f64; 3];
    let zero = Row::zeros();
    assert_eq!(gradient!(|x: Row| x.norm(), zero.clone()), [0.0; 3]);
    assert_eq!(gradient!(|x: Row| x.norm_l1(), zero.clone()), [0.0; 3]);
    assert_eq!(gradient!(|x: Row| x.norm_p(3.0), zero.clone()), [0.0; 3]);
    assert_eq!(gradient!(|x: Row| x.std(1), Row::full(7.0)), [0.0; 3]);
    assert_eq!(
        gradient!(|x: Row| x.norm(), tensor([0.0, 3.0, -4.0])),
        [0.0, 0.6, -0.8]
    );
    assert_eq!(
        gradient!(|x: Row| x.norm_l1(), tensor([0.0, 3.0, -4.0])),
        [0.0, 1.0, -1.0]
    );
    let p = gradient!(|x: Row| x.norm_p(1.0), tensor([0.0, 3.0, -4.0]));
    assert_eq!(p, [0.0, 1.0, -1.0]);
}

#[test]
fn log_sum_exp_of_extremes() {
    type Row = Tensor![f64; 2];
    let at = |a: f64, b: f64| -> Row { tensor([a, b]) };
    assert_eq!(at(-INF, -INF).logsumexp().item(), -INF);
    assert_eq!(at(INF, 1.0).logsumexp().item(), INF);
    assert_eq!(at(INF, -INF).logsumexp().item(), INF);
    assert!(at(f64::NAN, INF).logsumexp().item().is_nan());
    assert_eq!(
        at(1000.0, 1000.0).logsumexp().item(),
        1000.0 + core::f64::consts::LN_2
    );
    assert_eq!(
        gradient!(|x: Row| x.logsumexp(), at(-INF, -INF)),
        [0.0, 0.0]
    );
    assert_eq!(gradient!(|x: Row| x.logsumexp(), at(-INF, 3.0)), [0.0, 1.0]);
    assert_eq!(
        gradient!(|x: Row| x.logsumexp(), at(-1000.0, 1000.0)),
        [0.0, 1.0]
    );
    let whole = between(<shape![3, 40]>::default(), 1, -3.0, 3.0);
    let rest = &whole - &whole.logsumexp_axis_keepdim::<1>().expand::<1, _>(Sz::<40>);
    let logs = whole.log_softmax::<1>();
    assert!(
        rest.to_vec()
            .iter()
            .zip(logs.to_vec())
            .all(|(a, b)| (a - b).abs() < 1e-14)
    );
}

#[test]
fn variances() {
    let x: Tensor![f64; 4] = tensor([1.0, 2.0, 4.0, 9.0]);
    assert_eq!(x.var(0).item(), 9.5);
    assert_eq!(x.var(1).item(), 38.0 / 3.0);
    assert_eq!(x.std(0).item(), 9.5f64.sqrt());
    let one: Tensor![f64; 1] = tensor([3.0]);
    assert_eq!(one.var(0).item(), 0.0);
    assert!(one.var(1).item().is_nan(), "nothing is left of one element");
    // Far from 0 the digits stay, as two passes are made.
    let far = &x + 1e9;
    assert_eq!(far.var(0).item(), 9.5);
}

#[test]
fn reductions_follow_simple_sums() {
    for n in [1, 7, 129, 1000, 70_000] {
        let x = between((Batch(n), Sz::<3>), 1, -1.0, 1.0);
        let rows: Vec<f64> = x.to_vec();
        let mean = |c: usize| rows.iter().skip(c).step_by(3).sum::<f64>() / n as f64;
        for c in 0..3 {
            let m = mean(c);
            let var = rows
                .iter()
                .skip(c)
                .step_by(3)
                .map(|x| (x - m).powi(2))
                .sum::<f64>()
                / n as f64;
            assert!((x.var_axis::<0>(0).at([c]) - var).abs() < 1e-12);
        }
        let squares: f64 = rows.iter().map(|x| x * x).sum();
        assert!((x.norm().item() - squares.sqrt()).abs() < 1e-10);
        let lse = rows.iter().map(|x| x.exp()).sum::<f64>().ln();
        assert!((x.logsumexp().item() - lse).abs() < 1e-12);
        assert!((x.transpose::<0, 1>().logsumexp().item() - lse).abs() < 1e-12);
        let total: f64 = rows.iter().sum();
        assert!((x.cumsum::<0>().sum_axis::<1>().at([n - 1]) - total).abs() < 1e-10);
    }
}

#[test]
#[should_panic(expected = "norm_p: the exponent p = 0 is not positive and finite")]
fn a_norm_without_exponent() {
    Tensor::<shape![2], f64>::ones().norm_p(0.0);
}

#[test]
fn parameters() {
    #[differentiable]
    fn f(x: &Tensor![f64; Batch, 3], correction: usize) -> Tensor![f64; Batch] {
        let p = stop_gradient(2.0 * x.at([0, 0]));
        x.norm_p_axis::<1>(p * 0.0 + 2.5) + x.var_axis::<1>(correction) * x.std(correction)
            - x.std_axis_keepdim::<1>(0).squeeze::<1>()
    }
    check_grads::<f, _>(&(between((Batch(5), Sz), 3, 0.5, 2.0), 1)).unwrap();
    let x = between((Batch(2), Sz::<3>), 3, 0.5, 2.0);
    let (y, pull) = x.__var_axis_vjp::<On, On, 1>((On, On), 0);
    let mut d = x.zero_adj(On);
    pull(crate::check::start(y), &x, &mut d, &mut NoGrad);
}

#[test]
fn several_axes() {
    let x = between((Sz::<2>, Batch(3), Sz::<5>, Sz::<1>), 1, -2.0, 2.0);
    let close = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
    assert!(close(
        x.sum_axes::<Axes2<0, 2>>().to_vec(),
        x.sum_axis::<2>().sum_axis::<0>().to_vec()
    ));
    assert!(close(
        x.mean_axes::<Axes3<0, 2, 3>>().to_vec(),
        x.mean_axis::<2>().mean_axis::<0>().to_vec()
    ));
    assert_eq!(
        x.max_axes::<Axes2<-4, -2>>(),
        x.max_axis::<2>().max_axis::<0>()
    );
    let kept: Tensor![f64; 1, Batch, 1, 1] = x.min_axes_keepdim::<Axes2<0, 2>>();
    assert_eq!(kept.to_vec(), x.min_axis::<2>().min_axis::<0>().to_vec());
    assert_eq!(x.sum_axes::<Axes4<0, 1, 2, 3>>().dims().rank(), 0);
    // Ties share the cotangent over all the axes together.
    #[differentiable]
    fn f(x: &Tensor![f64; 2, 2]) -> Tensor![f64;] {
        x.max_axes::<Axes2<0, 1>>()
    }
    assert_eq!(
        f::grad(&tensor([[1.0, 3.0], [3.0, 0.0]])).to_vec(),
        [0.0, 0.5, 0.5, 0.0]
    );
}

#[test]
fn single_precision() {
    let x: Tensor![3, 33] = Tensor::randn(1);
    let wide = x.cast::<f64>();
    let close =
        |a: f32, b: f64| assert!((f64::from(a) - b).abs() < 1e-5 * (1.0 + b.abs()), "{a} {b}");
    close(x.var(1).item(), wide.var(1).item());
    close(x.norm().item(), wide.norm().item());
    close(x.logsumexp().item(), wide.logsumexp().item());
    close(x.norm_p(3.0).item(), wide.norm_p(3.0).item());
    close(x.prod_axis::<0>().at([4]), wide.prod_axis::<0>().at([4]));
    close(x.cumsum::<1>().at([1, 32]), wide.cumsum::<1>().at([1, 32]));
}

// The result of a large offset has lost the digits of the sum; its derivative has not.
#[test]
fn log_sum_exp_of_offset_logits() {
    #[differentiable]
    fn lse(x: &Tensor![2]) -> Tensor![] {
        x.logsumexp()
    }
    #[differentiable]
    fn loss(x: &Tensor![1, 2], #[constant] y: &Tensor![i64; 1]) -> Tensor![] {
        x.cross_entropy(y)
    }
    assert_eq!(lse::grad(&tensor([1e8, 1e8])).to_vec(), [0.5, 0.5]);
    let d = loss::grad(&tensor([[1e7, 1e7 + 1.0]]), &tensor([0])).to_vec();
    assert!(
        (d[0] + 0.731_058_6).abs() < 1e-6 && (d[1] - 0.731_058_6).abs() < 1e-6,
        "{d:?}"
    );
}
