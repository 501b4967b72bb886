//! Recurrent layers against the same steps by products and elementwise operations, and at their edges.

use crate::check::between;
use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;

dim!(Steps, Texts, Inputs, Units);

type X<T> = Tensor<(Steps, Texts, Inputs), T>;
type Y<T> = Tensor<(Steps, Texts, Units), T>;
type State<T> = Tensor<(Texts, Units), T>;
type W<const G: usize, T> = Tensor<(Sz<G>, Units, Inputs), T>;
type U<const G: usize, T> = Tensor<(Sz<G>, Units, Units), T>;
type Bias<const G: usize, T> = Tensor<(Sz<G>, Units), T>;

/// What a gate is applied to: the products of input and state with their weights, and biases.
#[differentiable]
fn gate<const G: usize>(
    x: &Tensor<(Texts, Inputs), f64>,
    h: &State<f64>,
    w: &W<G, f64>,
    u: &U<G, f64>,
    bias: &Bias<G, f64>,
    #[constant] number: usize,
) -> State<f64> {
    let w = w.narrow::<0, _>(number, Sz::<1>).squeeze::<0>();
    let u = u.narrow::<0, _>(number, Sz::<1>).squeeze::<0>();
    let b = bias.narrow::<0, _>(number, Sz::<1>).squeeze::<0>();
    x.matmul(&w.t()) + h.matmul(&u.t()) + b
}

#[differentiable]
#[allow(clippy::too_many_arguments)]
fn composed_lstm(
    x: &X<f64>,
    w: &W<4, f64>,
    u: &U<4, f64>,
    bias: &Bias<4, f64>,
    h0: &State<f64>,
    c0: &State<f64>,
    #[constant] by: &Y<f64>,
    #[constant] last: &State<f64>,
) -> f64 {
    let (mut h, mut c) = (h0 * 1.0, c0 * 1.0);
    let mut sum = 0.0;
    for t in 0..by.dims()[0] {
        let now = x.narrow::<0, _>(t, Sz::<1>).squeeze::<0>();
        let (i, f) = (gate(&now, &h, w, u, bias, 0), gate(&now, &h, w, u, bias, 1));
        let (g, o) = (gate(&now, &h, w, u, bias, 2), gate(&now, &h, w, u, bias, 3));
        c = f.sigmoid() * c + i.sigmoid() * g.tanh();
        h = o.sigmoid() * c.tanh();
        sum += (&h * by.narrow::<0, _>(t, Sz::<1>).squeeze::<0>())
            .sum()
            .item();
    }
    sum + (h * last).sum().item() + (c * (last * 0.5)).sum().item()
}

#[differentiable]
#[allow(clippy::too_many_arguments)]
fn fused_lstm(
    x: &X<f64>,
    w: &W<4, f64>,
    u: &U<4, f64>,
    bias: &Bias<4, f64>,
    h0: &State<f64>,
    c0: &State<f64>,
    #[constant] by: &Y<f64>,
    #[constant] last: &State<f64>,
) -> f64 {
    let (y, h, c) = x.lstm(w, u, bias, h0, c0);
    (y * by).sum().item() + (h * last).sum().item() + (c * (last * 0.5)).sum().item()
}

#[differentiable]
#[allow(clippy::too_many_arguments)]
fn composed_gru(
    x: &X<f64>,
    w: &W<3, f64>,
    u: &U<3, f64>,
    b: &Bias<3, f64>,
    bu: &Bias<3, f64>,
    h0: &State<f64>,
    #[constant] by: &Y<f64>,
    #[constant] last: &State<f64>,
) -> f64 {
    let mut h = h0 * 1.0;
    let mut sum = 0.0;
    let both = b + bu;
    for t in 0..by.dims()[0] {
        let now = x.narrow::<0, _>(t, Sz::<1>).squeeze::<0>();
        let r = gate(&now, &h, w, u, &both, 0).sigmoid();
        let z = gate(&now, &h, w, u, &both, 1).sigmoid();
        let q = gate(&(&now * 0.0), &h, w, u, bu, 2);
        let n = (gate(&now, &(&h * 0.0), w, u, b, 2) + r * q).tanh();
        h = (1.0 - &z) * n + z * h;
        sum += (&h * by.narrow::<0, _>(t, Sz::<1>).squeeze::<0>())
            .sum()
            .item();
    }
    sum + (h * last).sum().item()
}

#[differentiable]
#[allow(clippy::too_many_arguments)]
fn fused_gru(
    x: &X<f64>,
    w: &W<3, f64>,
    u: &U<3, f64>,
    b: &Bias<3, f64>,
    bu: &Bias<3, f64>,
    h0: &State<f64>,
    #[constant] by: &Y<f64>,
    #[constant] last: &State<f64>,
) -> f64 {
    let (y, h) = x.gru(w, u, b, bu, h0);
    (y * by).sum().item() + (h * last).sum().item()
}

#[differentiable]
fn composed_rnn(
    x: &X<f64>,
    w: &W<1, f64>,
    u: &U<1, f64>,
    bias: &Bias<1, f64>,
    h0: &State<f64>,
    #[constant] by: &Y<f64>,
    #[constant] last: &State<f64>,
) -> f64 {
    let mut h = h0 * 1.0;
    let mut sum = 0.0;
    for t in 0..by.dims()[0] {
        let now = x.narrow::<0, _>(t, Sz::<1>).squeeze::<0>();
        h = gate(&now, &h, w, u, bias, 0).tanh();
        sum += (&h * by.narrow::<0, _>(t, Sz::<1>).squeeze::<0>())
            .sum()
            .item();
    }
    sum + (h * last).sum().item()
}

#[differentiable]
fn fused_rnn(
    x: &X<f64>,
    w: &W<1, f64>,
    u: &U<1, f64>,
    bias: &Bias<1, f64>,
    h0: &State<f64>,
    #[constant] by: &Y<f64>,
    #[constant] last: &State<f64>,
) -> f64 {
    let (w, u) = (w.squeeze::<0>(), u.squeeze::<0>());
    let (y, h) = x.rnn(&w, &u, &bias.squeeze::<0>(), h0);
    (y * by).sum().item() + (h * last).sum().item()
}

/// Steps, sequences, inputs, units: one of each, no multiples of vectors, panels and groups, and some; none at all.
const SIZES: [[usize; 4]; 12] = [
    [1, 1, 1, 1],
    [4, 3, 2, 5],
    [1, 7, 3, 16],
    [5, 1, 4, 33],
    [3, 16, 8, 64],
    [2, 19, 5, 70],
    [6, 33, 1, 17],
    [3, 2, 9, 130],
    [2, 37, 40, 48],
    [0, 3, 2, 5],
    [3, 0, 2, 5],
    [3, 2, 0, 5],
];

fn filled<S: Shape>(shape: S, seed: u64) -> Tensor<S, f64> {
    between(shape, seed, -1.0, 1.0)
}

/// Weights that keep the arguments of gates of the order of 1.
fn weights<S: Shape>(shape: S, seed: u64) -> Tensor<S, f64> {
    let dims = shape.dims();
    let scale = 1.0 / (dims[dims.rank() - 1].max(1) as f64).sqrt();
    between(shape, seed, -scale, scale)
}

#[track_caller]
fn same<S: Shape>(what: &str, a: &Tensor<S, f64>, b: &Tensor<S, f64>) {
    let pairs = a.to_vec().into_iter().zip(b.to_vec());
    for (i, (a, b)) in pairs.enumerate() {
        let close = (a - b).abs() <= 1e-11 * (1.0 + a.abs());
        assert!(close, "{what}, entry {i}: {a} composed, {b} in one");
    }
}

macro_rules! compare {
    ($composed:ident $fused:ident $sizes:ident $args:ident [$($i:tt)*]) => {{
        let (a, b) = (
            <$composed as DifferentiableFn<_>>::call(&$args),
            <$fused as DifferentiableFn<_>>::call(&$args),
        );
        assert!((a - b).abs() <= 1e-11 * (1.0 + a.abs()), "{:?}: value {a} composed, {b} in one", $sizes);
        let ga = <$composed as DifferentiableFn<_>>::vjp(&$args, 1.0);
        let gb = <$fused as DifferentiableFn<_>>::vjp(&$args, 1.0);
        $(same(&format!("{:?}, gradient {}", $sizes, stringify!($i)), &ga.$i, &gb.$i);)*
        // Forwards, along the gradient.
        let (_, ta) = <$composed as DifferentiableFn<_>>::jvp(&$args, &ga);
        let (value, tb) = <$fused as DifferentiableFn<_>>::jvp(&$args, &ga);
        assert!((ta - tb).abs() <= 1e-10 * (1.0 + ta.abs()), "{:?}: tangent {ta} composed, {tb} in one", $sizes);
        assert_eq!(value, b);
    }};
}

/// The state to begin with, and what results are multiplied by.
fn around([l, b, _, h]: [usize; 4]) -> (State<f64>, Y<f64>, State<f64>) {
    (
        filled((Texts(b), Units(h)), 5),
        filled((Steps(l), Texts(b), Units(h)), 7),
        filled((Texts(b), Units(h)), 8),
    )
}

#[test]
fn lstm_is_its_steps() {
    for sizes in SIZES {
        let [l, b, i, h] = sizes;
        let (h0, by, last) = around(sizes);
        let args = (
            filled((Steps(l), Texts(b), Inputs(i)), 1),
            weights((Sz, Units(h), Inputs(i)), 2),
            weights((Sz, Units(h), Units(h)), 3),
            filled((Sz, Units(h)), 4),
            h0,
            filled((Texts(b), Units(h)), 6),
            by,
            last,
        );
        compare!(composed_lstm fused_lstm sizes args [0 1 2 3 4 5]);
    }
}

#[test]
fn gru_is_its_steps() {
    for sizes in SIZES {
        let [l, b, i, h] = sizes;
        let (h0, by, last) = around(sizes);
        let args = (
            filled((Steps(l), Texts(b), Inputs(i)), 1),
            weights((Sz, Units(h), Inputs(i)), 2),
            weights((Sz, Units(h), Units(h)), 3),
            filled((Sz, Units(h)), 4),
            filled((Sz, Units(h)), 9),
            h0,
            by,
            last,
        );
        compare!(composed_gru fused_gru sizes args [0 1 2 3 4 5]);
    }
}

#[test]
fn rnn_is_its_steps() {
    for sizes in SIZES {
        let [l, b, i, h] = sizes;
        let (h0, by, last) = around(sizes);
        let args = (
            filled((Steps(l), Texts(b), Inputs(i)), 1),
            weights((Sz, Units(h), Inputs(i)), 2),
            weights((Sz, Units(h), Units(h)), 3),
            filled((Sz, Units(h)), 4),
            h0,
            by,
            last,
        );
        compare!(composed_rnn fused_rnn sizes args [0 1 2 3 4]);
    }
}

type Small<T> = (
    Tensor<shape![3, 5, 2], T>,
    Tensor<shape![4, 7, 2], T>,
    Tensor<shape![4, 7, 7], T>,
    Tensor<shape![4, 7], T>,
    Tensor<shape![5, 7], T>,
);

fn small() -> Small<f64> {
    (
        filled(Default::default(), 1),
        filled(Default::default(), 2),
        filled(Default::default(), 3),
        filled(Default::default(), 4),
        filled(Default::default(), 5),
    )
}

#[differentiable]
fn all(
    x: &Tensor![f64; 3, 5, 2],
    w: &Tensor![f64; 4, 7, 2],
    u: &Tensor![f64; 4, 7, 7],
    b: &Tensor![f64; 4, 7],
    h0: &Tensor![f64; 5, 7],
) -> f64 {
    let (y, _, c) = x.lstm(w, u, b, h0, &(h0 * 0.5));
    y.square().sum().item() + c.sum().item()
}

#[differentiable]
fn all_f32(
    x: &Tensor![3, 5, 2],
    w: &Tensor![4, 7, 2],
    u: &Tensor![4, 7, 7],
    b: &Tensor![4, 7],
    h0: &Tensor![5, 7],
) -> f32 {
    let (y, _, c) = x.lstm(w, u, b, h0, &(h0 * 0.5));
    y.square().sum().item() + c.sum().item()
}

#[differentiable(wrt(x))]
fn of_inputs(
    x: &Tensor![f64; 3, 5, 2],
    w: &Tensor![f64; 4, 7, 2],
    u: &Tensor![f64; 4, 7, 7],
    b: &Tensor![f64; 4, 7],
    h0: &Tensor![f64; 5, 7],
) -> f64 {
    let (y, _, c) = x.lstm(w, u, b, h0, &(h0 * 0.5));
    y.square().sum().item() + c.sum().item()
}

#[differentiable(wrt(u, b))]
fn of_weights(
    x: &Tensor![f64; 3, 5, 2],
    w: &Tensor![f64; 4, 7, 2],
    u: &Tensor![f64; 4, 7, 7],
    b: &Tensor![f64; 4, 7],
    h0: &Tensor![f64; 5, 7],
) -> f64 {
    let (y, _, c) = x.lstm(w, u, b, h0, &(h0 * 0.5));
    y.square().sum().item() + c.sum().item()
}

#[test]
fn a_gradient_does_not_depend_on_which_others_are_wanted() {
    let (x, w, u, b, h0) = small();
    let (value, (dx, _, du, db, _)) = all::value_and_grad(&x, &w, &u, &b, &h0);
    assert_eq!(of_inputs::value_and_grad(&x, &w, &u, &b, &h0), (value, dx));
    assert_eq!(
        of_weights::value_and_grad(&x, &w, &u, &b, &h0),
        (value, (du, db))
    );
}

#[test]
fn single_precision_is_near_double() {
    let (x, w, u, b, h0) = small();
    let (value, exact) = all::value_and_grad(&x, &w, &u, &b, &h0);
    let (found, gradient) =
        all_f32::value_and_grad(&x.cast(), &w.cast(), &u.cast(), &b.cast(), &h0.cast());
    assert!((f64::from(found) - value).abs() < 1e-4 * value.abs());
    let near = |a: Vec<f64>, b: Vec<f32>| {
        let far = |(a, b): (&f64, &f32)| (a - f64::from(*b)).abs() > 1e-5 * (1.0 + a.abs());
        assert!(!a.iter().zip(&b).any(far), "{a:?} and {b:?}");
    };
    near(exact.0.to_vec(), gradient.0.to_vec());
    near(exact.1.to_vec(), gradient.1.to_vec());
    near(exact.2.to_vec(), gradient.2.to_vec());
    near(exact.3.to_vec(), gradient.3.to_vec());
    near(exact.4.to_vec(), gradient.4.to_vec());
}

#[test]
fn operands_may_be_views_and_a_pullback_may_run_twice() {
    let (x, w, u, b, h0) = small();
    let dense = all::value_and_grad(&x, &w, &u, &b, &h0);
    // The same entries, of which neighbours do not lie side by side.
    let (x, w, u) = (
        x.transpose::<0, 2>(),
        w.transpose::<1, 2>(),
        u.transpose::<1, 2>(),
    );
    let (x, w, u) = (&x * 1.0, &w * 1.0, &u * 1.0);
    let (x, w, u) = (
        x.transpose::<0, 2>(),
        w.transpose::<1, 2>(),
        u.transpose::<1, 2>(),
    );
    assert_eq!(all::value_and_grad(&x, &w, &u, &b, &h0), dense);
    let (_, pullback) = all::vjp(&x, &w, &u, &b, &h0);
    let again = pullback.clone();
    assert_eq!(pullback(1.0), dense.1);
    assert_eq!(again(1.0), dense.1);
}

#[test]
fn large_arguments_saturate_and_nan_stays_in_its_sequence() {
    let x =
        Tensor::<shape![2, 3, 1], f64>::from_slice(&[1e4, f64::NAN, -1e4, 1.0, 1.0, 1.0]).unwrap();
    let w: Tensor![f64; 4, 2, 1] = Tensor::ones();
    let (u, b): (Tensor![f64; 4, 2, 2], Tensor![f64; 4, 2]) = (Tensor::ones(), Tensor::zeros());
    let h0: Tensor![f64; 3, 2] = Tensor::zeros();
    let (y, h, c) = x.lstm(&w, &u, &b, &h0, &h0);
    // All gates are 1 and the new entry is 1, or the gates are 0.
    assert_eq!((y[[0, 0, 0]], y[[0, 2, 1]]), (1f64.tanh(), 0.0));
    assert!(h[[1, 0]].is_nan() && c[[1, 1]].is_nan());
    assert!(h[[0, 0]].is_finite() && h[[2, 1]].is_finite());
}

#[test]
#[should_panic(
    expected = "lstm: the run-time dimension `Units` is 3 on the left, `Units` is 4 on the right"
)]
fn units_of_weights_and_state_must_agree() {
    let x: X<f64> = Tensor::zeros_with((Steps(2), Texts(2), Inputs(2)));
    let w: W<4, f64> = Tensor::zeros_with((Sz, Units(3), Inputs(2)));
    let u: U<4, f64> = Tensor::zeros_with((Sz, Units(3), Units(4)));
    let b: Bias<4, f64> = Tensor::zeros_with((Sz, Units(3)));
    let h: State<f64> = Tensor::zeros_with((Texts(2), Units(3)));
    let _ = x.lstm(&w, &u, &b, &h, &h);
}

#[test]
#[should_panic(
    expected = "gru: the run-time dimension `Texts` is 2 on the left, `Texts` is 5 on the right"
)]
fn batches_of_inputs_and_state_must_agree() {
    let x: X<f64> = Tensor::zeros_with((Steps(2), Texts(2), Inputs(2)));
    let w: W<3, f64> = Tensor::zeros_with((Sz, Units(3), Inputs(2)));
    let u: U<3, f64> = Tensor::zeros_with((Sz, Units(3), Units(3)));
    let b: Bias<3, f64> = Tensor::zeros_with((Sz, Units(3)));
    let h: State<f64> = Tensor::zeros_with((Texts(5), Units(3)));
    let _ = x.gru(&w, &u, &b, &b, &h);
}
