//! The operations, one by one: gradients against central differences, second and third ones against differences of gradients.

use differentiable::prelude::*;
use differentiable::shape::{Shape, Sz};
use differentiable::tape::{Tape, TapeError, Var};

/// Checks `f` at `x`: `⟨∇f, v⟩` against differences of `f`, and the gradient of `⟨∇f, v⟩` against differences of `∇f`.
fn check<S: Shape>(
    name: &str,
    x: &Tensor<S, f64>,
    f: impl Fn(&Var<Tensor<S, f64>>) -> Var<Tensor![f64;]>,
    orders: usize,
) {
    let tape = Tape::new();
    let directions: Vec<Tensor<S, f64>> = (0..3)
        .map(|k| {
            let mut seed = 17 + k;
            let mut next = || {
                seed = seed * 48_271u64 % 2_147_483_647;
                seed as f64 / 1_073_741_823.0 - 1.0
            };
            differentiable::ad::Tangent::fill_with(&x.zeros_like(), &mut next)
        })
        .collect();
    // The derivative of this order along the directions, and its gradient.
    let at = |h: f64, order: usize| {
        let x = tape.var(x.clone() + directions[order].clone().scaled(h));
        let mut y = f(&x);
        for v in &directions[..order] {
            let g = tape.grad(&y, &x);
            y = g.inner(v);
        }
        let value = y.value().item();
        let gradient = tape.gradient_or_zero(&y, &x);
        tape.clear();
        (value, gradient)
    };
    for order in 0..orders {
        let h = 1e-5;
        let difference = (at(h, order).0 - at(-h, order).0) / (2.0 * h);
        let slope = dot(&at(0.0, order).1, &directions[order]);
        let size = 1.0 + slope.abs();
        assert!(
            (difference - slope).abs() < 2e-7 * size,
            "{name}, order {}: {slope}, by differences {difference}",
            order + 1
        );
    }
}

fn dot<S: Shape>(a: &Tensor<S, f64>, b: &Tensor<S, f64>) -> f64 {
    a.to_vec().iter().zip(b.to_vec()).map(|(a, b)| a * b).sum()
}

trait Helpers<S> {
    fn scaled(self, by: f64) -> Tensor<S, f64>;
}
impl<S: Shape> Helpers<S> for Tensor<S, f64> {
    fn scaled(self, by: f64) -> Tensor<S, f64> {
        self * by
    }
}
trait Inner<S> {
    fn inner(&self, v: &Tensor<S, f64>) -> Var<Tensor![f64;]>;
}
impl<S: Shape> Inner<S> for Var<Tensor<S, f64>> {
    /// `⟨x, v⟩`, as half of the difference of two squared norms: it needs no shapes.
    fn inner(&self, v: &Tensor<S, f64>) -> Var<Tensor![f64;]> {
        let c = self.tape().constant(v.clone());
        let zero = self.tape().constant(v.zeros_like());
        let n = v.to_vec().len() as f64;
        let part = |a: Var<Tensor![f64;]>| a * (n / 2.0);
        part(self.mse_loss(&zero)) + part(c.mse_loss(&zero)) - part(self.mse_loss(&c))
    }
}

macro_rules! elementwise {
    ($($name:ident at $x:expr, $order:literal;)*) => { $(
        let x: Tensor![f64; 2, 3] = tensor($x);
        check(stringify!($name), &x, |x| (x.$name() * tensor([1.0, -2.0, 0.5])).sum(), $order);
        // Floats have the same.
        for v in x.to_vec() {
            let tape = Tape::new();
            let (a, b) = (tape.var(v), tape.var(tensor([v])));
            let (ya, yb) = (a.$name(), b.$name());
            assert!((ya.value() - yb.value()[[0]]).abs() < 1e-14, stringify!($name));
            let (da, db) = (tape.gradient(&ya, &a), tape.gradient_with(&yb, Tensor::ones(), &b)[[0]]);
            assert!((da - db).abs() <= 1e-14 * (1.0 + da.abs()), "{} {v}: {da} {db}", stringify!($name));
            let (sa, sb) = (tape.grad(&ya, &a), tape.grad(&yb.sum(), &b));
            let (sa, sb) = (tape.gradient_or_zero(&sa, &a), tape.gradient_or_zero(&sb.sum(), &b)[[0]]);
            assert!((sa - sb).abs() <= 1e-13 * (1.0 + sa.abs()), "{} {v}: {sa} {sb}", stringify!($name));
        }
    )* };
}

type Three = Sz<3>;

const ANY: [[f64; 3]; 2] = [[-1.7, -0.4, 0.3], [0.8, 1.3, 2.1]];
const POSITIVE: [[f64; 3]; 2] = [[0.4, 0.7, 0.9], [1.3, 2.1, 3.7]];
const SMALL: [[f64; 3]; 2] = [[-0.8, -0.4, 0.3], [0.5, 0.6, 0.7]];

#[test]
fn functions_of_each_element() {
    elementwise! {
        exp at ANY, 3; exp2 at ANY, 3; exp_m1 at ANY, 3; sqrt at POSITIVE, 3; cbrt at POSITIVE, 3; tanh at ANY, 3;
        recip at ANY, 3; ln at POSITIVE, 3; log2 at POSITIVE, 3; log10 at POSITIVE, 3; ln_1p at POSITIVE, 3; sinh at ANY, 3;
        cosh at ANY, 3; asin at SMALL, 3; acos at SMALL, 3; atan at ANY, 3; asinh at ANY, 3; atanh at SMALL, 3; abs at ANY, 2;
        sin at ANY, 3; cos at ANY, 3; tan at SMALL, 3; fract at ANY, 1; sigmoid at ANY, 3; relu at ANY, 2; gelu at ANY, 3;
        silu at ANY, 3; softplus at ANY, 3; rsqrt at POSITIVE, 3; square at ANY, 3; gelu_tanh at ANY, 3; erf at ANY, 3;
        erfc at ANY, 3; mish at ANY, 2; hardswish at ANY, 2; hardsigmoid at ANY, 1; softsign at ANY, 3; log_sigmoid at ANY, 3;
        selu at ANY, 3; lgamma at POSITIVE, 2; floor at ANY, 1; ceil at ANY, 1; round at ANY, 1; trunc at ANY, 1;
        signum at ANY, 1; sign at ANY, 1;
    }
    check(
        "digamma",
        &tensor(POSITIVE),
        |x: &Var<Tensor![f64; 2, 3]>| x.digamma().sum(),
        1,
    );
}

#[test]
fn acosh_is_defined_above_one() {
    let x: Tensor![f64; 3] = tensor([1.2, 2.0, 5.0]);
    check("acosh", &x, |x| x.acosh().sum(), 3);
}

#[test]
fn functions_with_numbers() {
    let x: Tensor![f64; 2, 3] = tensor(ANY);
    let p: Tensor![f64; 2, 3] = tensor(POSITIVE);
    check("powi", &x, |x| x.powi(4).sum(), 3);
    check("powi -2", &x, |x| x.powi(-2).sum(), 3);
    check("powf", &p, |x| x.powf(2.5).sum(), 3);
    check("clamp", &x, |x| (x.clamp(-1.0, 1.0) * x).sum(), 2);
    check("leaky_relu", &x, |x| (x.leaky_relu(0.1) * x).sum(), 2);
    check("elu", &x, |x| x.elu(1.3).sum(), 3);
    check("+ number", &x, |x| (x + 2.0).powi(3).sum(), 3);
    check("number -", &x, |x| (2.0 - x).powi(3).sum(), 3);
    check("number /", &x, |x| (2.0 / x).sum(), 3);
    check("/ number", &x, |x| (x / 2.0).powi(3).sum(), 3);
    check("-", &x, |x| (-x).powi(3).sum(), 3);
}

#[test]
fn operators_of_two() {
    let x: Tensor![f64; 2, 3] = tensor(ANY);
    let row = tensor([0.5, -1.5, 2.0]);
    check("a + b", &x, |x| (x + x.sin()).powi(2).sum(), 3);
    check("a - b", &x, |x| (x.exp() - x).powi(2).sum(), 3);
    check("a * b", &x, |x| (x.exp() * x.sin()).sum(), 3);
    check("a / b", &x, |x| (x.exp() / (x * x + 1.0)).sum(), 3);
    check(
        "tensor on the right",
        &x,
        |x| (x.square() * &row + row.clone() - &row).sin().sum(),
        3,
    );
    check(
        "tensor on the left",
        &x,
        |x| (&row * x.square() / 2.0 - x).sin().sum(),
        3,
    );
    // A row that was repeated gets the sum.
    check(
        "repeated",
        &row,
        |row| (row.sin() * tensor(ANY) + row.exp()).powi(2).sum(),
        3,
    );
    check(
        "repeated divisor",
        &row,
        |row| (tensor(ANY) / row).powi(2).sum(),
        3,
    );
    check("maximum", &x, |x| (x.maximum(-x) * x).sum(), 2);
    check("minimum", &x, |x| (x.minimum(x.square()) * x).sum(), 2);
    check("mse_loss", &x, |x| x.sin().mse_loss(x), 3);
    check("l1_loss", &x, |x| x.sin().l1_loss(x.exp()), 2);
    let p: Tensor![f64; 2, 3] = tensor(POSITIVE);
    check("pow", &p, |x| x.pow(x.sin()).sum(), 1);
}

#[test]
fn reductions() {
    let x: Tensor![f64; 2, 3] = tensor(ANY);
    let (rows, columns) = (tensor([1.0, -2.0]), tensor([0.5, 2.0, -1.0]));
    check("mean", &x, |x| x.powi(3).mean(), 3);
    check(
        "sum_axis",
        &x,
        |x| (x.powi(3).sum_axis::<1>() * &rows).sum(),
        3,
    );
    check(
        "mean_axis",
        &x,
        |x| (x.powi(3).mean_axis::<0>() * &columns).sum(),
        3,
    );
    let batch: Tensor![f64; 2, 3, 2] = Tensor::randn(8);
    check(
        "sum_axes",
        &batch,
        |x| (x.powi(3).sum_axes::<Axes2<0, 2>>() * &columns).sum(),
        3,
    );
    check(
        "mean_axes",
        &batch,
        |x| (x.powi(3).mean_axes::<Axes2<1, 2>>() * &rows).sum(),
        3,
    );
    check(
        "sum_axis_keepdim",
        &x,
        |x| {
            (x.sum_axis_keepdim::<1>().expand::<1, _>(Three::default()) * x)
                .powi(2)
                .sum()
        },
        3,
    );
    check(
        "mean_axis_keepdim",
        &x,
        |x| {
            (x - x.mean_axis_keepdim::<1>().expand::<1, _>(Three::default()))
                .powi(3)
                .sum()
        },
        3,
    );
    check("max", &x, |x| x.powi(3).max(), 2);
    check("min", &x, |x| x.powi(3).min(), 2);
    check(
        "max_axis",
        &x,
        |x| (x.powi(3).max_axis::<0>() * &columns).sum(),
        2,
    );
    check(
        "min_axis",
        &x,
        |x| (x.powi(3).min_axis::<1>() * &rows).sum(),
        2,
    );
    check(
        "max_axis_keepdim",
        &x,
        |x| (x.max_axis_keepdim::<1>().expand::<1, _>(Three::default()) * x).sum(),
        2,
    );
    check(
        "min_axis_keepdim",
        &x,
        |x| (x.min_axis_keepdim::<1>().expand::<1, _>(Three::default()) * x).sum(),
        2,
    );
    check("prod", &x, |x| x.prod(), 1);
    check("norm", &x, |x| x.sin().norm(), 3);
    check(
        "norm_axis",
        &x,
        |x| (x.sin().norm_axis::<1>() * &rows).sum(),
        3,
    );
    check(
        "logsumexp_axis",
        &x,
        |x| (x.square().logsumexp_axis::<1>() * &rows).sum(),
        3,
    );
    check(
        "logsumexp_axis_keepdim",
        &x,
        |x| {
            (x - x
                .logsumexp_axis_keepdim::<1>()
                .expand::<1, _>(Three::default()))
            .powi(3)
            .sum()
        },
        3,
    );
    check("cumsum", &x, |x| x.sin().cumsum::<1>().powi(2).sum(), 3);
    check("softmax", &x, |x| (x.softmax::<-1>() * &columns).sum(), 3);
    check(
        "log_softmax",
        &x,
        |x| (x.log_softmax::<0>() * &columns).sin().sum(),
        3,
    );
}

#[test]
fn shapes_and_products() {
    let x: Tensor![f64; 2, 3] = tensor(ANY);
    let m: Tensor![f64; 3, 4] = Tensor::randn(5);
    check("t", &x, |x| (x.t().matmul(x)).powi(2).sum(), 3);
    check(
        "matmul left",
        &x,
        |x| x.sin().matmul(x.tape().constant(m.clone())).powi(2).sum(),
        3,
    );
    check(
        "matmul right",
        &m,
        |m| m.tape().constant(x.clone()).matmul(m.sin()).powi(2).sum(),
        3,
    );
    let batch: Tensor![f64; 5, 2, 3] = Tensor::randn(6);
    check(
        "batch of matrices",
        &batch,
        |b| b.sin().matmul(b.tape().constant(m.clone())).powi(2).sum(),
        3,
    );
    check(
        "matrix of a batch",
        &m,
        |m| m.tape().constant(batch.clone()).matmul(m).sin().sum(),
        3,
    );
    check(
        "transpose",
        &x,
        |x| (x.transpose::<0, 1>().matmul(x)).sin().sum(),
        2,
    );
    check(
        "reshape",
        &x,
        |x| (x.reshape::<shape![3, 2]>().matmul(x)).sin().sum(),
        2,
    );
    check(
        "flatten",
        &batch,
        |b| b.sin().flatten().sum_axis::<0>().powi(2).sum(),
        2,
    );
    check(
        "split_last",
        &x,
        |x| x.split_last::<3>().sum_axis::<1>().powi(3).sum(),
        2,
    );
    check(
        "merge_last",
        &batch,
        |b| b.merge_last().sum_axis::<0>().powi(3).sum(),
        2,
    );
    check(
        "unsqueeze",
        &x,
        |x| (x.unsqueeze::<0>() * x).powi(2).sum(),
        2,
    );
    check(
        "squeeze",
        &x,
        |x| (x.unsqueeze::<1>().squeeze::<1>() * x).powi(2).sum(),
        2,
    );
    check(
        "slice",
        &x,
        |x| (x.slice::<1, 1, 2>().sin() * x.slice::<1, 0, 2>()).sum(),
        3,
    );
    check(
        "concat",
        &x,
        |x| x.concat::<0, _, _>(x.sin()).sum_axis::<0>().powi(2).sum(),
        3,
    );
    let v: Tensor![f64; 3] = tensor([0.5, -1.0, 2.0]);
    check("dot", &v, |v| v.sin().dot(v).square(), 3);
    check("outer", &v, |v| v.sin().outer(v).powi(2).sum(), 3);
    check(
        "matrix by vector",
        &v,
        |v| v.tape().constant(x.clone()).matmul(v.sin()).powi(2).sum(),
        3,
    );
}

#[test]
fn picked_by_number() {
    let x: Tensor![f64; 4, 3] = Tensor::randn(7);
    let ids = tensor([[0i64, 2], [1, 1], [2, 0], [1, 2]]);
    check(
        "gather",
        &x,
        |x| x.sin().gather::<1, _, _>(&ids).powi(2).sum(),
        3,
    );
    check(
        "index_select",
        &x,
        |x| {
            x.sin()
                .index_select::<0, _, _>(&tensor([2i64, 2, 0]))
                .powi(2)
                .sum()
        },
        3,
    );
    check(
        "embedding",
        &x,
        |x| x.embedding(&tensor([3i64, 1, 3])).powi(3).sum(),
        3,
    );
    let labels = tensor([0i64, 2, 1, 2]);
    check("cross_entropy", &x, |x| x.sin().cross_entropy(&labels), 3);
    check(
        "nll_loss",
        &x,
        |x| x.log_softmax::<-1>().nll_loss(&labels),
        3,
    );
    check("dropout", &x, |x| x.sin().dropout(0.3, 9).powi(2).sum(), 3);
}

/// A gradient that is zero, or an infinite slope, stays what the library says that it is.
#[test]
fn singular_points() {
    let tape = Tape::new();
    let x = tape.var(tensor([0.0f64, 4.0]));
    // √x at 0: an infinite slope, which a zero cotangent does not see.
    let y = (x.sqrt() * tensor([0.0, 1.0])).sum();
    assert_eq!(tape.gradient(&y, &x).to_vec(), [0.0, 0.25]);
    assert_eq!(tape.grad(&y, &x).value().to_vec(), [0.0, 0.25]);
    let y = x.sqrt().sum();
    assert_eq!(tape.grad(&y, &x).value().to_vec(), [f64::INFINITY, 0.25]);
    let n = tape.var(tensor([0.0f64, 0.0]));
    assert_eq!(tape.gradient(&n.norm(), &n).to_vec(), [0.0, 0.0]);
    assert_eq!(tape.grad(&n.norm(), &n).value().to_vec(), [0.0, 0.0]);
    let z = tape.var(0.0f64);
    assert_eq!(*tape.grad(&z.abs(), &z).value(), 0.0);
    assert_eq!(*tape.grad(&z.relu(), &z).value(), 0.0);
}

#[test]
fn what_has_no_second_derivative_says_so() {
    let tape = Tape::new();
    let x = tape.var(tensor([0.5f64, 2.0]));
    let e = tape.try_grad(&x.prod(), &x).map(|_| ()).unwrap_err();
    assert!(matches!(
        e,
        TapeError::NoSecondDerivative {
            operation: "prod",
            ..
        }
    ));
    let y = x.pow(&x).sum();
    assert!(tape.try_grad(&y, &x).is_err());
    assert_eq!(tape.gradient(&y, &x).to_vec().len(), 2);
    assert!(tape.try_grad(&x.digamma().sum(), &x).is_err());
    let slope = tape.grad(&x.lgamma().sum(), &x).sum();
    assert!(tape.try_grad(&slope, &x).is_err());
}

/// Integer powers at 0, where a rule by `xⁿ⁻¹` alone would be NaN in the end.
#[test]
fn powers_of_zero() {
    let tape = Tape::new();
    let (x, t) = (tape.var(0.0f64), tape.var(tensor([0.0f64])));
    for (power, expected) in [(1, [1.0, 0.0, 0.0]), (2, [0.0, 2.0, 0.0])] {
        let (mut real, mut y) = (x.powf(f64::from(power)), x.powi(power));
        let mut all = t.powi(power).sum();
        for slope in expected {
            y = tape.grad_or_zero(&y, &x);
            real = tape.grad_or_zero(&real, &x);
            let by = tape.grad_or_zero(&all, &t);
            assert_eq!([*y.value(), *real.value(), by.value()[[0]]], [slope; 3]);
            all = by.sum();
        }
    }
}

/// Ties share the gradient, also where it is a value of the tape; no elements have no gradient.
#[test]
fn ties_and_empty_tensors() {
    let tape = Tape::new();
    let x = tape.var(tensor([1.0f64, 3.0, 3.0]));
    for y in [x.max(), x.maximum(tape.constant(tensor(3.0))).sum() - 6.0] {
        let slope = tape.gradient(&y, &x).to_vec();
        assert_eq!(slope, [0.0, 0.5, 0.5]);
        assert_eq!(tape.grad(&y, &x).value().to_vec(), slope);
    }
    let none = tape.var(Tensor::<shape![0, 3], f64>::zeros());
    for y in [
        none.exp().sum(),
        none.softmax::<1>().square().sum(),
        (&none * &none).sum(),
    ] {
        assert_eq!(y.value().item(), 0.0);
        assert_eq!(tape.gradient(&y, &none).dims().as_slice(), [0, 3]);
        assert_eq!(tape.grad(&y, &none).value().dims().as_slice(), [0, 3]);
    }
}

/// In single precision, and under names of dimensions.
#[test]
fn single_precision_and_sizes_at_run_time() {
    dim!(Rows);
    let tape = Tape::new();
    let x = tape.var(Tensor::<shape![Rows, 3], f32>::randn_with(
        (Rows(5), Default::default()),
        1,
    ));
    let loss = (x.softmax::<1>() * &x).sum_axis::<0>().mean();
    let slope = tape.gradient(&loss, &x);
    let again = tape.grad(&loss, &x);
    let off = (slope - again.value()).abs().max().item();
    assert!(off < 1e-6, "{off}");
    assert!(
        !tape
            .gradient(&again.square().sum(), &x)
            .to_vec()
            .iter()
            .any(|g| g.is_nan())
    );
}
