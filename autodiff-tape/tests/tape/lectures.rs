//! The engines of the lectures, line by line.

use differentiable::prelude::*;
use differentiable::tape::{Tape, Var, grad, make_vjp};

/// MyTorch: a list of operations, each with its inputs, its output, the gradients to update and a backward function.
///
/// ```text
/// autograd = autograd_engine.Autograd()
/// autograd_engine.add_operation(inputs = [x, W], output = h,
///     gradients_to_update = [None, dW], backward_operation = matmul_backward)
/// autograd_engine.add_operation(inputs = [h, b], output = y,
///     gradients_to_update = [None, db], backward_operation = add_backward)
/// autograd_engine.backward(divergence)
/// ```
#[test]
fn my_torch() {
    type X = Tensor![f64; 4, 3];
    type W = Tensor![f64; 3, 2];
    type B = Tensor![f64; 2];
    type H = Tensor![f64; 4, 2];

    fn matmul_backward(grad_output: H, (a, b): &(X, W)) -> (X, W) {
        (grad_output.matmul(&b.t()), a.t().matmul(&grad_output))
    }
    fn add_backward(grad_output: H, (_, _): &(H, B)) -> (H, B) {
        (grad_output.clone(), grad_output.sum_axis::<0>())
    }

    let (x, w, b): (X, W, B) = (Tensor::randn(1), Tensor::randn(2), Tensor::randn(3));
    let autograd = Tape::new();
    // `None` among the gradients to update is a constant.
    let (x, w, b) = (autograd.constant(x), autograd.var(w), autograd.var(b));
    let h = x.value().matmul(w.value());
    let h = autograd.add_operation("matmul", (&x, &w), h, matmul_backward);
    let y = h.value() + b.value();
    let y = autograd.add_operation("add", (&h, &b), y, add_backward);
    // `operation_list`.
    let operation_list = autograd.operations();
    assert_eq!(operation_list.len(), 2);
    assert_eq!((operation_list[0].operation, operation_list[1].operation), ("matmul", "add"));
    assert_eq!(operation_list[1].inputs, ["%0", "x0"]);

    let gradient_buffer = autograd.gradient_buffer();
    assert!(!gradient_buffer.is_in_memory(&w));
    let divergence: H = Tensor::randn(4);
    autograd.backward_with(&y, divergence.clone());
    // dW and db are updated.
    let (dw, db) = (gradient_buffer.get_param(&w).unwrap(), gradient_buffer.get_param(&b).unwrap());
    assert_eq!(dw.to_vec(), x.value().t().matmul(&divergence).to_vec());
    assert_eq!(db.to_vec(), divergence.sum_axis::<0>().to_vec());
    // `is_in_memory`, `update_param`, `add_spot`, `clear`.
    assert!(gradient_buffer.is_in_memory(&w));
    gradient_buffer.update_param(&b, Tensor::ones());
    assert_eq!(b.grad().unwrap().to_vec(), (db + 1.0).to_vec());
    gradient_buffer.clear();
    assert!(!gradient_buffer.is_in_memory(&b) && w.grad().is_none());
    gradient_buffer.add_spot(&b);
    assert_eq!(gradient_buffer.get_param(&b).unwrap().to_vec(), [0.0, 0.0]);
}

/// Autograd: `make_vjp`, with a zero where the end does not depend on the start.
#[test]
fn autograd_make_vjp() {
    let (vjp, end_value) = make_vjp(|x: Var<f64>| x.ln() + &x * &x, 2.0);
    assert_eq!(end_value, 2f64.ln() + 4.0);
    assert_eq!((vjp(1.0), vjp(2.0)), (4.5, 9.0));
    let (vjp, end_value) = make_vjp(|x: Var<f64>| x.tape().constant(7.0), 2.0);
    assert_eq!((end_value, vjp(1.0)), (7.0, 0.0));
    // `grad(fun, argnum=1)`: the other argument is captured.
    let fun = |x: &Var<f64>, y: &Var<f64>| x.sin() * y;
    let by_y = |x: f64, y: f64| grad(move |y| fun(&y.tape().constant(x), &y))(y);
    assert_eq!(by_y(0.5, 3.0), 0.5f64.sin());
    // The gradient of a gradient, by the tape of the inner one.
    let second = grad(|x: Var<f64>| x.tape().grad(&x.powi(3), &x));
    assert_eq!(second(2.0), 12.0);
}

dim!(In, Out, Batch);

type Params = Vec<(Var<Tensor![f64; In, Out]>, Var<Tensor![f64; Out]>)>;

/// ```text
/// def neural_net_predict(params, inputs):
///     for W, b in params:
///         outputs = np.dot(inputs, W) + b
///         inputs = np.tanh(outputs)
///     return outputs - logsumexp(outputs, axis=1, keepdims=True)
/// ```
fn neural_net_predict(
    params: &Params,
    inputs: &Tensor![f64; Batch, In],
) -> Var<Tensor![f64; Batch, Out]> {
    let mut inputs = params[0].0.tape().constant(inputs.clone());
    let mut outputs = None;
    for (w, b) in params {
        let y = inputs.matmul(w) + b;
        inputs = y.tanh().rename::<shape![Batch, In]>();
        outputs = Some(y);
    }
    let outputs = outputs.expect("a layer");
    let size = outputs.value().shape().1;
    &outputs - outputs.logsumexp_axis_keepdim::<1>().expand::<1, _>(size)
}

/// `log_prior + log_lik`, where `l2_norm(params)` is the sum of the squares of all of them.
fn log_posterior(
    params: &Params,
    inputs: &Tensor![f64; Batch, In],
    targets: &Tensor![f64; Batch, Out],
    l2_reg: f64,
) -> Var<Tensor![f64;]> {
    let norm = params.iter().map(|(w, b)| w.square().sum() + b.square().sum());
    let norm = norm.reduce(|a, b| a + b).expect("a layer");
    let log_lik = (neural_net_predict(params, inputs) * targets).sum();
    norm * -l2_reg + log_lik
}

#[test]
fn autograd_neural_net_predict() {
    let sizes = [6, 11, 7, 3];
    let tape = Tape::new();
    let layers = |nudged: Option<(usize, f64)>| -> Params {
        (0..3)
            .map(|l| {
                let mut w = Tensor::randn_with((In(sizes[l]), Out(sizes[l + 1])), l as u64) * 0.5;
                if let Some((layer, h)) = nudged
                    && layer == l
                {
                    let mut numbers = w.to_vec();
                    numbers[sizes[l + 1] + 2] += h;
                    w = Tensor::from_vec_with(w.shape(), numbers).unwrap();
                }
                let b = Tensor::randn_with((Out(sizes[l + 1]),), 10 + l as u64) * 0.1;
                (tape.var(w), tape.var(b))
            })
            .collect()
    };
    let inputs = Tensor::randn_with((Batch(5), In(6)), 42);
    let one_hot = (0..15).map(|k| f64::from(u8::from(k % 3 == k / 3 % 3))).collect();
    let targets = Tensor::from_vec_with((Batch(5), Out(3)), one_hot).unwrap();
    let params = layers(None);
    let normalised = neural_net_predict(&params, &inputs);
    let total = normalised.value().exp().sum_axis::<1>();
    assert!((total - 1.0).abs().max().item() < 1e-14);

    let objective = -log_posterior(&params, &inputs, &targets, 0.1);
    let all: Vec<&Var<_>> = params.iter().map(|(w, _)| w).collect();
    let gradients = tape.gradient(&objective, &all[..]);
    for (l, gradient) in gradients.iter().enumerate() {
        let at = |h| log_posterior(&layers(Some((l, h))), &inputs, &targets, 0.1).value().item();
        let difference = -(at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((gradient[[1, 2]] - difference).abs() < 1e-8, "layer {l}");
    }
}

/// PyTorch: a function with a backward of its own.
///
/// ```text
/// class MyReLU(torch.autograd.Function):
///     def forward(ctx, x):  ctx.save_for_backward(x); return x.clamp(min=0)
///     def backward(ctx, grad_y):  x, = ctx.saved_tensors; grad_input = grad_y.clone(); grad_input[x < 0] = 0; return grad_input
/// def my_relu(x): return MyReLU.apply(x)
/// ```
fn my_relu(x: &Var<Tensor![64, 100]>) -> Var<Tensor![64, 100]> {
    let tape = x.tape().clone();
    tape.operation("MyReLU", (x,), |(x,): &(Tensor![64, 100],)| {
        let saved = x.clone();
        let backward = move |grad_y: Tensor![64, 100]| (grad_y.masked_fill(&saved.lt(0.0), 0.0),);
        (x.clamp_min(0.0), backward)
    })
}

/// PyTorch's two-layer net, `w1.grad.zero_()` and all, with `MyReLU` and with `relu`.
#[test]
fn pytorch_two_layer_net() {
    let x: Tensor![64, 1000] = Tensor::randn(1);
    let y: Tensor![64, 10] = Tensor::randn(2);
    let tape = Tape::new();
    let train = |relu: &dyn Fn(&Var<Tensor![64, 100]>) -> Var<Tensor![64, 100]>| {
        let mut w1 = Tensor::<shape![1000, 100]>::randn(3);
        let mut w2 = Tensor::<shape![100, 10]>::randn(4);
        let learning_rate = 1e-6;
        let mut losses = Vec::new();
        for _ in 0..3 {
            let (v1, v2) = (tape.var(w1.clone()), tape.var(w2.clone()));
            let y_pred = relu(&tape.constant(x.clone()).matmul(&v1)).matmul(&v2);
            let loss = (y_pred - &y).square().sum();
            loss.backward();
            w1 -= learning_rate * v1.grad().unwrap();
            w2 -= learning_rate * v2.grad().unwrap();
            losses.push(loss.value().item());
            tape.clear();
        }
        losses
    };
    let (mine, theirs) = (train(&my_relu), train(&|h| h.relu()));
    assert_eq!(mine, theirs);
    assert!(mine[2] < mine[1] && mine[1] < mine[0]);
}

/// TensorFlow's `GradientTape`.
///
/// ```text
/// with tf.GradientTape() as tape:
///     h = tf.maximum(tf.matmul(x, w1), 0)
///     y_pred = tf.matmul(h, w2)
///     diff = y_pred - y
///     loss = tf.reduce_mean(tf.reduce_sum(diff ** 2, axis=1))
/// gradients = tape.gradient(loss, [w1, w2])
/// ```
#[test]
fn gradient_tape() {
    let tape = Tape::new();
    let x = tape.constant(Tensor::<shape![64, 20], f64>::randn(1));
    let y = tape.constant(Tensor::<shape![64, 20], f64>::randn(2));
    let w1 = tape.var(Tensor::<shape![20, 30], f64>::randn(3).sigmoid());
    let w2 = tape.var(Tensor::<shape![30, 20], f64>::randn(4).sigmoid());
    let h = x.matmul(&w1).maximum(tape.constant(tensor(0.0)));
    let y_pred = h.matmul(&w2);
    let diff = y_pred - &y;
    let loss = diff.powi(2).sum_axis::<1>().mean();
    let gradients = tape.gradient(&loss, (&w1, &w2));

    #[differentiable]
    fn same(
        w1: &Tensor![f64; 20, 30],
        w2: &Tensor![f64; 30, 20],
        #[constant] x: &Tensor![f64; 64, 20],
        #[constant] y: &Tensor![f64; 64, 20],
    ) -> Tensor![f64;] {
        (x.matmul(w1).relu().matmul(w2) - y).powi(2).sum_axis::<1>().mean()
    }
    let (value, expected) = same::value_and_grad(w1.value(), w2.value(), x.value(), y.value());
    assert!((loss.value().item() / value.item() - 1.0).abs() < 1e-14);
    assert!((gradients.0 - &expected.0).abs().max().item() < 1e-12 * expected.0.abs().max().item());
    assert!((gradients.1 - &expected.1).abs().max().item() < 1e-12 * expected.1.abs().max().item());
}
