//! `vmap!(#[batched] ..)`: one run for all examples, beside one after the other.

use crate::check::between;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch, Other);

type Row = Tensor![f64; 3];
type Rows = Tensor![f64; Batch, 3];
type Numbers = Tensor![f64; Batch];

fn rows(n: usize, seed: u64) -> Rows {
    between((Batch(n), Sz), seed, -1.0, 1.0)
}

fn numbers(n: usize) -> Numbers {
    between((Batch(n),), 2, -1.0, 1.0)
}

fn row() -> Row {
    tensor([0.3, -0.7, 1.1])
}

/// That the numbers agree, up to the order of sums.
#[track_caller]
fn same<S: Shape>(a: &Tensor<S, f64>, b: &Tensor<S, f64>) {
    assert_eq!(a.dims(), b.dims());
    for (a, b) in a.to_vec().into_iter().zip(b.to_vec()) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} {b}");
    }
}

#[differentiable]
fn loss(w: &Row, x: &Row, y: &Tensor![f64;]) -> Tensor![f64;] {
    let error = w.dot(x).tanh() - y;
    &error * &error
}

#[test]
fn one_gradient_for_each_example() {
    for n in [0, 1, 2, 7] {
        let (w, xs, ys) = (row(), rows(n, 1), numbers(n));
        let losses: Numbers = vmap!(
            #[batched]
            |x, y| loss(&w, x, y),
            &xs,
            &ys
        );
        let (by_w, by_x, by_y): (Rows, Rows, Numbers) = vmap!(
            #[batched]
            |x, y| loss::grad(&w, x, y),
            xs,
            ys
        );
        assert_eq!(losses.dims()[..], [n]);
        if n > 0 {
            same(&losses, &vmap!(|x, y| loss(&w, x, y), &xs, &ys));
            let each = vmap!(|x, y| loss::grad(&w, x, y), &xs, &ys);
            same(&by_w, &each.0);
            same(&by_x, &each.1);
            same(&by_y, &each.2);
        }
    }
}

/// What is captured is shared: a tensor, what depends on it alone, a number, a struct with a field that is not used.
#[derive(Clone, Differentiable)]
struct Model {
    w: Row,
    unused: Row,
    bias: f64,
}

#[differentiable]
fn mean(m: &Model, k: f64, xs: &Rows, ys: &Numbers) -> f64 {
    let v = m.w.sin();
    let all = vmap!(
        #[batched]
        |x, y| (loss(&v, x, y) * k + m.w.sum()).exp() + m.bias,
        xs,
        ys
    );
    all.mean().item() * m.bias
}

#[differentiable]
fn mean_of_each(m: &Model, k: f64, xs: &Rows, ys: &Numbers) -> f64 {
    let v = m.w.sin();
    let all = vmap!(
        |x, y| (loss(&v, x, y) * k + m.w.sum()).exp() + m.bias,
        xs,
        ys
    );
    all.mean().item() * m.bias
}

fn model() -> Model {
    Model {
        w: row(),
        unused: row(),
        bias: 0.4,
    }
}

#[test]
fn cotangents_of_what_is_captured_are_summed() {
    for n in [1, 5] {
        let args = (model(), 0.7, rows(n, 1), numbers(n));
        check_grads::<mean, _>(&args).unwrap();
        let (m, k, xs, ys) = args;
        let (a, b) = (
            mean::grad(&m, k, &xs, &ys),
            mean_of_each::grad(&m, k, &xs, &ys),
        );
        same(&a.0.w, &b.0.w);
        assert_eq!(a.0.unused.to_vec(), [0.0; 3]);
        assert!((a.0.bias - b.0.bias).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-12);
        same(&a.2, &b.2);
        same(&a.3, &b.3);
    }
}

/// Products with a matrix that all examples share, on either side, and with one of each.
#[differentiable]
fn products(
    w: &Tensor![f64; 3, 4],
    a: &Tensor![f64; Batch, 2, 3],
    b: &Tensor![f64; Batch, 4, 2],
) -> f64 {
    let all = vmap!(
        #[batched]
        |a, b| {
            let left: Tensor![f64; 2, 4] = a.matmul(w);
            let right: Tensor![f64; 3, 2] = w.matmul(b);
            let both: Tensor![f64; 2, 2] = left.tanh().matmul(b);
            let turned: Tensor![f64; 2, 2] = a.matmul(&right).transpose::<0, 1>();
            (both * turned).sum()
        },
        a,
        b
    );
    (&all * &all).sum().item()
}

#[test]
fn shared_matrices() {
    for n in [1, 4] {
        let w = between((Sz, Sz), 1, -1.0, 1.0);
        let a = between((Batch(n), Sz, Sz), 2, -1.0, 1.0);
        let b = between((Batch(n), Sz, Sz), 3, -1.0, 1.0);
        check_grads::<products, _>(&(w, a, b)).unwrap();
    }
}

/// Several results, of which one is the same for all examples, beside labels.
#[differentiable]
fn several(xs: &Rows, labels: &Tensor![i64; Batch, 1], w: &Row) -> f64 {
    let (rows, shared, picked, largest) = vmap!(
        #[batched]
        |x, label| {
            let y = (x * w).sin();
            let picked = y.index_select::<0, Sz<1>, _>(label).sum();
            (y, w.exp(), picked, x.argmax::<0>())
        },
        xs,
        labels
    );
    let rows: Rows = rows;
    let shared: Rows = shared;
    let largest: Tensor![i64; Batch] = largest;
    let weights = largest.cast::<f64>() + 1.0;
    (rows * shared).sum().item() + (picked * weights).sum().item()
}

#[test]
fn tuples_and_labels() {
    let labels =
        Tensor::<shape![Batch, 1], i64>::from_slice_with((Batch(3), Sz), &[2, 0, 1]).unwrap();
    check_grads::<several, _>(&(rows(3, 4), labels, row())).unwrap();
}

/// A batch of a batch: the inner one takes its examples one after the other.
#[differentiable]
fn nested(xs: &Rows, ys: &Tensor![f64; Other, 3]) -> f64 {
    let all: Tensor![f64; Batch, Other] = vmap!(
        #[batched]
        |x| vmap!(
            #[batched]
            |y| x.dot(y).powi(2),
            ys
        ),
        xs
    );
    let after: Tensor![f64; Batch, Other] = vmap!(
        |x| vmap!(
            #[batched]
            |y| x.dot(y),
            ys
        ),
        xs
    );
    (all * after).sum().item()
}

#[test]
fn batches_nest() {
    let ys = between((Other(2), Sz), 5, -1.0, 1.0);
    check_grads::<nested, _>(&(rows(3, 1), ys)).unwrap();
}

/// Places that change, loops, and a batch without a derivative.
#[differentiable]
fn steps(w: &Row, #[constant] xs: &Rows, k: f64) -> f64 {
    let ends = vmap!(
        #[batched]
        |x| {
            let mut y = x.clone();
            for _ in 0..3 {
                y = (&y * w + x).tanh();
                y *= k;
                y += x;
            }
            y.sum()
        },
        xs
    );
    (&ends * &ends).mean().item()
}

#[test]
fn loops_in_the_closure() {
    check_grads::<steps, _>(&(row(), rows(4, 6), 0.8)).unwrap();
}

/// Of a module, with its layers.
#[test]
fn gradients_of_a_network_for_each_example() {
    let layer = Linear::<3, 2, f64> {
        weight: between(Default::default(), 1, -1.0, 1.0),
        bias: between(Default::default(), 2, -1.0, 1.0),
    };
    #[differentiable]
    fn network(layer: &Linear<3, 2, f64>, x: &Row) -> Tensor![f64;] {
        let x: Tensor![f64; 1, 3] = x.unsqueeze::<0>();
        layer.forward(&x).tanh().sum()
    }
    let xs = rows(5, 8);
    let each = vmap!(|x| network::grad(&layer, x).1, &xs);
    let once = vmap!(
        #[batched]
        |x| network::grad(&layer, x).1,
        &xs
    );
    same(&once, &each);
    let weights = |x: &Row| network::grad(&layer, x).0.weight;
    same(
        &vmap!(
            #[batched]
            |x| weights(x),
            &xs
        ),
        &vmap!(|x| weights(x), &xs),
    );
}

#[test]
#[should_panic(expected = "cannot read a number of one of them")]
fn a_number_of_one_example() {
    let xs = rows(3, 1);
    let _: Numbers = vmap!(
        #[batched]
        |x| x * x.sum().item(),
        &xs
    )
    .sum_axis::<1>();
}

#[test]
#[should_panic(expected = "cannot read a number of one of them")]
fn the_derivative_by_a_number_for_each_example() {
    #[differentiable]
    fn scaled(k: f64, x: &Row) -> Tensor![f64;] {
        (x * k).sum()
    }
    let xs = rows(3, 1);
    let _ = vmap!(
        #[batched]
        |x| scaled::grad(0.5, x).1,
        &xs
    );
}

#[test]
#[should_panic(expected = "vmap!: batches of 2 and of 3 examples")]
fn different_lengths() {
    let (xs, ys) = (rows(2, 1), rows(3, 2));
    let _ = vmap!(
        #[batched]
        |x, y| x + y,
        &xs,
        &ys
    );
}

#[test]
#[should_panic(expected = "meet: a tensor has left the closure")]
fn a_tensor_that_left() {
    let (xs, mut kept) = (rows(2, 1), None);
    let _ = vmap!(
        #[batched]
        |x| {
            kept = Some(x.clone());
            x * 2.0
        },
        &xs
    );
    let kept = kept.unwrap();
    let _ = vmap!(
        #[batched]
        |x| x + &kept,
        &xs
    );
}

/// A number of a tensor that all examples share, beside the tensor itself.
#[test]
#[should_panic(expected = "does not follow the derivative of a number")]
fn the_derivative_of_a_number_that_examples_share() {
    #[differentiable]
    fn scaled(w: &Row, xs: &Rows) -> f64 {
        let all = vmap!(
            #[batched]
            |x| x.dot(w) / w.square().sum().item(),
            xs
        );
        all.sum().item()
    }
    let _ = scaled::grad(&row(), &rows(3, 1));
}

#[test]
fn a_view_of_no_example() {
    let xs = rows(0, 1);
    let ends: Numbers = vmap!(
        #[batched]
        |x| x.index::<0>(2),
        &xs
    );
    assert_eq!(ends.to_vec(), [0.0; 0]);
}

/// Numbers of tensors that examples share, where no derivative is taken over the examples.
#[test]
fn numbers_without_a_reverse_pass_over_the_examples() {
    #[differentiable]
    fn norm(w: &Row) -> f64 {
        w.square().sum().item().sqrt() * w[[0]]
    }
    let (w, xs) = (row(), rows(3, 1));
    let once = vmap!(
        #[batched]
        |x| x * norm::grad(&w) * w[[1]],
        &xs
    );
    same(&once, &vmap!(|x| x * norm::grad(&w) * w[[1]], &xs));
}

/// The largest rank, of an example and of what is captured: there is no room for a further axis.
#[differentiable]
fn of_rank_six(x: &Tensor![f64; Batch, 1, 2, 1, 2, 1], w: &Tensor![f64; 1, 1, 2, 1, 2, 1]) -> f64 {
    let all = vmap!(
        #[batched]
        |x| {
            let x: Tensor![f64; 1, 1, 2, 1, 2, 1] = x.unsqueeze::<0>();
            (x * w).exp().sum()
        },
        x
    );
    (&all * &all).sum().item()
}

#[test]
fn no_room_for_an_axis() {
    let x = between((Batch(3), Sz, Sz, Sz, Sz, Sz), 1, -1.0, 1.0);
    let w = between(Default::default(), 2, -1.0, 1.0);
    check_grads::<of_rank_six, _>(&(x, w)).unwrap();
}

/// Batches as variables come: one that hides a parameter, a reference, a field, made in place, and an example that is
/// taken out of its reference.
#[differentiable]
fn variables(xs: &Rows, ys: &Numbers, #[constant] ks: &Numbers, w: &Row) -> f64 {
    let zs = &xs.exp();
    let ys = ys * 2.0;
    let pair = (ys.sin(), 3.0);
    let all = vmap!(
        #[batched]
        |&x, y, k| (x * w).sum() * y + k,
        zs,
        ys,
        ks
    );
    let made = vmap!(
        #[batched]
        |y, z| y * z,
        &ys.cos(),
        pair.0
    );
    let hidden = vmap!(
        #[batched]
        |x, k| x.sum() * k,
        xs,
        &ks
    );
    (all * made + hidden).sum().item() * pair.1
}

#[test]
fn batches_of_every_kind() {
    let args = (rows(3, 1), numbers(3), numbers(3) + 0.5, row());
    check_grads::<variables, _>(&args).unwrap();
}

/// A loop over what all examples share, whose results are numbers.
#[differentiable]
fn numbers_of_a_slice(xs: &Rows, ks: &[f64]) -> f64 {
    let all = vmap!(
        #[batched]
        |x| {
            let mut y = x.clone();
            for k in ks {
                y = y.sin() * *k + k.cos();
            }
            y.sum()
        },
        xs
    );
    (&all * &all).sum().item()
}

#[test]
fn numbers_that_examples_share() {
    check_grads::<numbers_of_a_slice, _>(&(rows(3, 1), vec![0.4, -1.3, 0.8])).unwrap();
}

#[test]
fn what_has_a_value_for_each_example_is_shown_as_that() {
    let xs = rows(2, 1);
    let mut shown = String::new();
    let _ = vmap!(
        #[batched]
        |x| {
            shown = format!("{x:?}");
            x * 2.0
        },
        &xs
    );
    assert!(shown.contains("a value for each example"), "{shown}");
}

#[test]
#[should_panic(expected = "is called inside another such call")]
fn a_pullback_inside_another_call() {
    #[differentiable]
    fn inner(xs: &Rows) -> Numbers {
        vmap!(
            #[batched]
            |x| x.sum(),
            xs
        )
    }
    let xs = rows(2, 1);
    let (_, pullback) = inner::vjp(&xs);
    let cts: Tensor![f64; Other, Batch] = between((Other(3), Batch(2)), 3, -1.0, 1.0);
    let _ = vmap!(
        #[batched]
        |ct| pullback.clone()(ct.clone()),
        &cts
    );
}

#[test]
#[should_panic(expected = "a buffer has one value")]
fn a_buffer_that_would_differ_between_examples() {
    let mut norm = differentiable::nn::BatchNorm::<3, f64>::new(&mut Seeds::new(0));
    let mut ctx = Ctx::train(&norm, 1);
    let xs: Tensor![f64; Other, Batch, 3] = between((Other(2), Batch(4), Sz), 1, -1.0, 1.0);
    let _ = vmap!(
        #[batched]
        |x| norm.forward(x, &mut ctx),
        &xs
    );
    ctx.commit(&mut norm);
}
