//! The programs of the lectures, line by line.

use crate::bits;
use differentiable::graph::{Feeds, Program, Session};
use differentiable::optim::Sgd;
use differentiable::prelude::*;
use differentiable::tape::Tape;

/// mini_tensorflow: constants, three operations with names, and a session that runs the last.
#[test]
fn mini_tensorflow() {
    let tf = Program::new();
    // Phase 1: constructing the graph
    let a = tf.constant(&tensor(15.0f32));
    let b = tf.constant(&tensor(5.0));
    let prod = &a * &b;
    tf.name("Multiply", &prod);
    let sum = &a + &b;
    tf.name("Add", &sum);
    let res = &prod / &sum;
    tf.name("Divide", &res);
    // Phase 2: running the session
    let mut sess = Session::new(&tf, &Device::cpu());
    let out = sess.run(&res, &Feeds::new()).unwrap();
    assert_eq!(out.item(), 3.75);
    for (name, expected) in [("Multiply", 75.0), ("Add", 20.0), ("Divide", 3.75)] {
        let out: Tensor![] = sess.run_named(name, (), &Feeds::new()).unwrap();
        assert_eq!(out.item(), expected);
    }
}

/// mini_tensorflow_full: the same with placeholders, its gradient, and steps of gradient descent.
#[test]
fn mini_tensorflow_full() {
    let tf = Program::new();
    let a = tf.placeholder::<(), f32>("a", ());
    let b = tf.placeholder::<(), f32>("b", ());
    let res = &(&a * &b) / &(&a + &b);
    let (da, db) = tf.gradients(&res, (&a, &b));
    let mut sess = Session::new(&tf, &Device::cpu());
    let feeds = Feeds::new().with(&a, &tensor(15.0)).with(&b, &tensor(5.0));
    let (res, da, db) = sess.run((&res, &da, &db), &feeds).unwrap();
    // ∂(ab/(a+b))/∂a = b²/(a+b)².
    assert_eq!(res.item(), 3.75);
    assert!((da.item() - 0.0625).abs() < 1e-6 && (db.item() - 0.5625).abs() < 1e-6);

    let tf = Program::new();
    let x = tf.placeholder::<shape![8, 2], f32>("x", Default::default());
    let y = tf.placeholder::<shape![8, 1], f32>("y", Default::default());
    let w = tf.variable("w", &Tensor::<shape![2, 1]>::zeros());
    let loss = (x.matmul(&w) - &y).square().mean();
    let train_step = tf.minimize(&loss, &w, Sgd::new(0.1));
    let mut sess = Session::new(&tf, &Device::cpu());
    let xs: Tensor![8, 2] = Tensor::randn(1);
    let ys = xs.matmul(&tensor([[2.0], [-3.0]]));
    let feeds = Feeds::new().with(&x, &xs).with(&y, &ys);
    for _ in 0..200 {
        sess.run(&train_step, &feeds).unwrap();
    }
    let found = sess.variable(&w).to_vec();
    assert!((found[0] - 2.0).abs() < 1e-2 && (found[1] + 3.0).abs() < 1e-2, "{found:?}");
}

type Drawings = Tensor![100, 784];
type Digits = Tensor![100, 10];

/// Batches of drawings of ten digits: each of 28 × 28 dots of its own, with noise.
fn next_batch(step: u64) -> (Drawings, Digits) {
    let dots: Tensor![10, 784] = Tensor::randn(99);
    let noise: Tensor![100, 784] = Tensor::randn(step);
    let digit = |row: usize| (row * 7 + step as usize) % 10;
    let one_hot: Tensor![100, 10] = Tensor::from_fn(|i| if i % 10 == digit(i / 10) { 1.0 } else { 0.0 });
    (one_hot.matmul(&dots) * 0.2 + noise * 0.2, one_hot)
}

#[differentiable]
fn softmax(x: &Tensor![100, 10]) -> Tensor![100, 10] {
    x.softmax::<-1>()
}

/// tinyflow: logistic regression in the style of TensorFlow 1.
#[test]
fn tinyflow() {
    let tf = Program::new();
    // Create the model
    let x = tf.placeholder::<shape![100, 784], f32>("x", Default::default());
    let w = tf.variable("W", &Tensor::<shape![784, 10]>::zeros());
    let y = tf.tape().call::<softmax, _>((&x.matmul(&w),));
    // Define loss and optimizer
    let y_ = tf.placeholder::<shape![100, 10], f32>("y_", Default::default());
    let cross_entropy = (-(&y_ * y.ln()).sum_axis::<1>()).mean();
    // Update rule
    let learning_rate = 0.5f32;
    let w_grad = tf.gradients(&cross_entropy, &w);
    let train_step = tf.assign(&w, &(&w - &w_grad * learning_rate));
    // Training loop
    let mut sess = Session::new(&tf, &Device::cpu());
    // A debug build takes long for 1000 steps.
    let steps = if cfg!(debug_assertions) { 50 } else { 1000 };
    for i in 0..steps {
        let (batch_xs, batch_ys) = next_batch(i);
        let feed_dict = Feeds::new().with(&x, &batch_xs).with(&y_, &batch_ys);
        sess.run(&train_step, &feed_dict).unwrap();
    }
    let (xs, ys) = next_batch(5000);
    let loss = sess.run(&cross_entropy, &Feeds::new().with(&x, &xs).with(&y_, &ys)).unwrap();
    assert!(loss.item() < 0.2, "{}", loss.item());
}

#[differentiable]
fn two_layers(
    w1: &Tensor![1000, 100],
    w2: &Tensor![100, 10],
    #[constant] x: &Tensor![64, 1000],
    #[constant] y: &Tensor![64, 10],
) -> Tensor![] {
    let h = x.matmul(w1).relu();
    let diff = h.matmul(w2) - y;
    diff.square().sum_axis::<1>().mean()
}

/// The two-layer net with placeholders for its weights: N 64, D 1000, H 100, O 10.
#[test]
fn two_layer_net() {
    let tf = Program::new();
    let x = tf.placeholder::<shape![64, 1000], f32>("x", Default::default());
    let y = tf.placeholder::<shape![64, 10], f32>("y", Default::default());
    let w1 = tf.placeholder::<shape![1000, 100], f32>("w1", Default::default());
    let w2 = tf.placeholder::<shape![100, 10], f32>("w2", Default::default());
    let h = x.matmul(&w1).relu();
    let y_pred = h.matmul(&w2);
    let diff = &y_pred - &y;
    let loss = diff.square().sum_axis::<1>().mean();
    let (grad_w1, grad_w2) = tf.gradients(&loss, (&w1, &w2));
    let mut sess = Session::new(&tf, &Device::cpu());
    let xs: Tensor![64, 1000] = Tensor::randn(1);
    let ys: Tensor![64, 10] = Tensor::randn(2);
    let mut v1: Tensor![1000, 100] = Tensor::randn(3);
    let mut v2: Tensor![100, 10] = Tensor::randn(4);
    let learning_rate = 1e-5f32;
    let mut losses = Vec::new();
    let steps = if cfg!(debug_assertions) { 20 } else { 500 };
    for _ in 0..steps {
        let values = Feeds::new().with(&x, &xs).with(&w1, &v1).with(&w2, &v2).with(&y, &ys);
        let (loss, d1, d2) = sess.run((&loss, &grad_w1, &grad_w2), &values).unwrap();
        losses.push(loss.item());
        // The annotated function gives the same up to rounding: it runs fused.
        if losses.len() == 1 {
            let (value, (by_w1, _)) = two_layers::value_and_grad(&v1, &v2, &xs, &ys);
            assert!((value.item() / loss.item() - 1.0).abs() < 1e-5);
            let (a, b) = (by_w1.to_vec(), d1.to_vec());
            let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            let size = a.iter().fold(0.0, |m: f32, a| m.max(a.abs()));
            assert!(off < 1e-4 * size, "{off} of {size}");
        }
        v1 -= d1 * learning_rate;
        v2 -= d2 * learning_rate;
    }
    assert!(losses.last().unwrap() < &(0.5 * losses[0]), "{losses:?}");
}

/// The same with the tape on its own, define by run: bit for bit.
#[test]
fn define_then_run_is_define_by_run() {
    let x: Tensor![5, 4] = Tensor::randn(1);
    let w: Tensor![4, 3] = Tensor::randn(2);
    let tf = Program::new();
    let rx = tf.placeholder("x", x.shape());
    let rw = tf.placeholder("w", w.shape());
    let loss = rx.matmul(&rw).tanh().square().sum();
    let by_w = tf.gradients(&loss, &rw);
    let mut sess = Session::new(&tf, &Device::cpu());
    let (a, b) = sess.run((&loss, &by_w), &Feeds::new().with(&rx, &x).with(&rw, &w)).unwrap();
    let tape = Tape::new();
    let (ex, ew) = (tape.var(x), tape.var(w));
    let loss = ex.matmul(&ew).tanh().square().sum();
    assert_eq!(bits(&a), bits(loss.value()));
    assert_eq!(bits(&b), bits(&tape.gradient(&loss, &ew)));
}

#[test]
fn gradients_by_what_has_no_part_are_zero() {
    let tf = Program::new();
    let w = tf.variable("w", &tensor([1.0f32, 2.0]));
    let v = tf.variable("v", &tensor([1.0f32, 2.0, 3.0]));
    let loss = w.square().sum();
    let (by_w, by_v) = tf.gradients(&loss, (&w, &v));
    let mut sess = Session::new(&tf, &Device::cpu());
    let (by_w, by_v) = sess.run((&by_w, &by_v), &Feeds::new()).unwrap();
    assert_eq!((by_w.to_vec(), by_v.to_vec()), (vec![2.0, 4.0], vec![0.0; 3]));
}
