//! The lectures' programs that are defined first and run later: mini_tensorflow, the gradients of a two-layer network with
//! placeholders, and tinyflow's logistic regression, in the style of TensorFlow 1.

use differentiable::graph::{Feeds, GraphError, Program, Session};
use differentiable::prelude::*;

type Drawings = Tensor![100, 64];
type Digits = Tensor![100, 10];

/// (15 · 5) / (15 + 5).
fn mini_tensorflow() -> Result<(), GraphError> {
    let tf = Program::new();
    // Phase 1: constructing the graph
    let a = tf.constant(&tensor(15.0f32));
    let b = tf.constant(&tensor(5.0f32));
    let prod = &a * &b;
    tf.name("Multiply", &prod);
    let sum = &a + &b;
    tf.name("Add", &sum);
    tf.name("Divide", &(&prod / &sum));
    // Phase 2: running the session
    let mut sess = Session::new(&tf, &Device::cpu());
    for name in ["Multiply", "Add", "Divide"] {
        let out: Tensor![] = sess.run_named(name, (), &Feeds::new())?;
        println!("{name:8} {}", out.item());
    }
    Ok(())
}

/// Two layers whose weights are placeholders: N, D, H = 64, 1000, 100.
fn two_layer_net() -> Result<(), GraphError> {
    let tf = Program::new();
    let x = tf.placeholder::<shape![64, 1000], f32>("x", Default::default());
    let y = tf.placeholder::<shape![64, 1000], f32>("y", Default::default());
    let w1 = tf.placeholder::<shape![1000, 100], f32>("w1", Default::default());
    let w2 = tf.placeholder::<shape![100, 1000], f32>("w2", Default::default());
    let h = x.matmul(&w1).relu();
    let y_pred = h.matmul(&w2);
    let diff = &y_pred - &y;
    let loss = diff.square().sum_axis::<1>().mean();
    let (grad_w1, grad_w2) = tf.gradients(&loss, (&w1, &w2));

    let mut sess = Session::new(&tf, &Device::cpu());
    let values = Feeds::new()
        .with(&x, &Tensor::randn(1))
        .with(&y, &Tensor::randn(2))
        .with(&w1, &Tensor::randn(3))
        .with(&w2, &Tensor::randn(4));
    let (loss, by_w1, by_w2) = sess.run((&loss, &grad_w1, &grad_w2), &values)?;
    println!(
        "two layers: loss {:.0}, gradients {:?} and {:?}",
        loss.item(),
        by_w1.dims().as_slice(),
        by_w2.dims().as_slice()
    );
    Ok(())
}

#[differentiable]
fn softmax(x: &Tensor![100, 10]) -> Tensor![100, 10] {
    x.softmax::<-1>()
}

/// Drawings of ten digits, 8 × 8 dots each, with noise.
fn next_batch(step: u64) -> (Drawings, Digits) {
    let dots: Tensor![10, 64] = Tensor::randn(99);
    let noise: Drawings = Tensor::randn(step);
    let digit = |row: usize| (row * 7 + step as usize) % 10;
    let labels: Digits = Tensor::from_fn(|i| f32::from(u8::from(i % 10 == digit(i / 10))));
    (labels.matmul(&dots) + noise * 0.5, labels)
}

/// Logistic regression, 1000 steps of 100 drawings.
fn tinyflow() -> Result<(), GraphError> {
    let tf = Program::new();
    // Create the model
    let x = tf.placeholder::<shape![100, 64], f32>("x", Default::default());
    let w = tf.variable("W", &Tensor::<shape![64, 10]>::zeros());
    let y = tf.tape().call::<softmax, _>((&x.matmul(&w),));
    // Define loss and optimizer
    let y_ = tf.placeholder::<shape![100, 10], f32>("y_", Default::default());
    let cross_entropy = (-(&y_ * y.ln()).sum_axis::<1>()).mean();
    // Update rule
    let learning_rate = 0.05f32;
    let w_grad = tf.gradients(&cross_entropy, &w);
    let train_step = tf.assign(&w, &(&w - &w_grad * learning_rate));
    // Training loop
    let mut sess = Session::new(&tf, &Device::cpu());
    for i in 0..1000 {
        let (batch_xs, batch_ys) = next_batch(i);
        let feeds = Feeds::new().with(&x, &batch_xs).with(&y_, &batch_ys);
        let (loss, ()) = sess.run((&cross_entropy, &train_step), &feeds)?;
        if i % 250 == 0 || i == 999 {
            println!("step {i:4}: cross-entropy {:.4}", loss.item());
        }
    }
    Ok(())
}

fn main() -> Result<(), GraphError> {
    mini_tensorflow()?;
    two_layer_net()?;
    tinyflow()
}
