//! `vmap!`, and `index`, which takes one entry along an axis.

use crate::check::between;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch, Other);

type Weights = Tensor![f64; 3];
type Points = Tensor![f64; Batch, 3];

#[differentiable]
fn loss(w: &Weights, x: &Weights, y: f64) -> f64 {
    let error = w.dot(x).tanh().item() - y;
    error * error
}

fn points(n: usize) -> Points {
    between((Batch(n), Sz), 1, -1.0, 1.0)
}

fn targets(n: usize) -> Tensor![f64; Batch] {
    between((Batch(n),), 2, -1.0, 1.0)
}

fn weights() -> Weights {
    tensor([0.3, -0.7, 1.1])
}

#[test]
fn one_gradient_for_each_example() {
    for n in [1, 2, 7] {
        let (w, xs, ys) = (weights(), points(n), targets(n));
        let losses: Tensor![f64; Batch] = vmap!(|x, y| loss(&w, x, y.item()), &xs, &ys);
        let (by_w, by_x, by_y): (Points, Points, Tensor![f64; Batch]) =
            vmap!(|x, y| loss::grad(&w, x, y.item()), xs, ys);
        for i in 0..n {
            let x = tensor([xs[[i, 0]], xs[[i, 1]], xs[[i, 2]]]);
            assert_eq!(losses[[i]], loss(&w, &x, ys[[i]]));
            let (dw, dx, dy) = loss::grad(&w, &x, ys[[i]]);
            assert_eq!(by_w.index::<0>(i), dw);
            assert_eq!(by_x.index::<0>(i), dx);
            assert_eq!(by_y[[i]], dy);
        }
    }
}

/// The mean of all losses, and the norm of each gradient, as differential privacy bounds it.
#[differentiable]
fn mean_loss(w: &Weights, xs: &Points, ys: &Tensor![f64; Batch]) -> f64 {
    vmap!(|x, y| loss(w, x, y.item()), xs, ys).mean().item()
}

#[test]
fn a_mean_of_losses_has_the_mean_of_the_gradients() {
    let args = (weights(), points(5), targets(5));
    check_grads::<mean_loss, _>(&args).unwrap();
    let (w, xs, ys) = args;
    let whole = mean_loss::grad(&w, &xs, &ys).0;
    let each = vmap!(|x, y| loss::grad(&w, x, y.item()).0, &xs, &ys).mean_axis::<0>();
    for (a, b) in whole.to_vec().iter().zip(each.to_vec()) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
}

/// Tensors of rank 1 and 0 and numbers come out, from a batch of static size; another batch is captured.
#[differentiable]
fn several(xs: &Tensor![f64; 4, 3], w: &Weights, k: f64) -> f64 {
    let (rows, sums, ks) = vmap!(
        |x| {
            let y = (x * w).sin();
            let s = y.sum();
            (y, s, k * x.mean().item())
        },
        xs
    );
    let rows: Tensor![f64; 4, 3] = rows;
    (rows * xs).sum().item() + (&sums * &sums).sum().item() + ks.exp().sum().item()
}

#[test]
fn tuples_come_apart() {
    let xs: Tensor![f64; 4, 3] = between(Default::default(), 3, -1.0, 1.0);
    check_grads::<several, _>(&(xs, weights(), 0.4)).unwrap();
}

/// Batches that are slices, arrays and `Vec`s.
#[differentiable]
fn entries(xs: &[f64], pairs: &[[f64; 2]], lists: &Vec<Vec<f64>>) -> f64 {
    let scaled = vmap!(|x, p| x * p[0] + p[1], xs, pairs);
    let sums = vmap!(|list, s| list.iter().sum::<f64>() * s, lists, &scaled);
    let mut total = 0.0;
    for s in &sums {
        total += s * s;
    }
    total
}

#[test]
fn entries_are_examples() {
    let (xs, pairs) = ([0.5, -1.0], [[1.0, 2.0], [-0.3, 0.8]]);
    let lists = vec![vec![1.0, 2.0], vec![]];
    check_grads::<entries, _>(&(xs.to_vec(), pairs.to_vec(), lists)).unwrap();
    let doubled: Vec<f64> = vmap!(|x| 2.0 * x, xs);
    assert_eq!(doubled, [1.0, -2.0]);
    let none: Vec<f64> = vmap!(|x: &f64| x + 1.0, Vec::new());
    assert!(none.is_empty());
    let texts: Vec<String> = vmap!(|x, i| format!("{i}: {x}"), xs, [1, 2]);
    assert_eq!(texts, ["1: 0.5", "2: -1"]);
}

/// One in the other, and in a loop.
#[differentiable]
fn products(xs: &Points, ys: &Tensor![f64; Other, 3]) -> f64 {
    let mut total = 0.0;
    for k in 0..2 {
        let all: Tensor![f64; Batch, Other] = vmap!(|x| vmap!(|y| x.dot(y).item().powi(2), ys), xs);
        total += all.sum().item() * (k as f64 + 0.5);
    }
    total
}

#[test]
fn batches_nest() {
    let ys = between((Other(2), Sz), 5, -1.0, 1.0);
    check_grads::<products, _>(&(points(3), ys)).unwrap();
}

#[test]
fn labels_have_no_derivative() {
    #[differentiable]
    fn picked(scores: &Points, labels: &Tensor![i64; Batch]) -> f64 {
        let all = vmap!(|s, l| s[[l.item() as usize]], scores, labels);
        all.sum().item()
    }
    let labels = Tensor::<shape![Batch], i64>::from_slice_with((Batch(3),), &[2, 0, 1]).unwrap();
    let gradient = picked::grad(&points(3), &labels);
    assert_eq!(
        gradient.to_vec(),
        [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    );
}

#[test]
fn no_examples() {
    let (w, xs, ys) = (weights(), points(0), targets(0));
    let losses = vmap!(|x, y| loss(&w, x, y.item()), &xs, &ys);
    assert_eq!(losses.dims()[..], [0]);
    assert_eq!(mean_of(&xs).to_vec(), [0.0; 0]);
    fn mean_of(xs: &Points) -> Tensor![f64; Batch] {
        vmap!(|x| x.mean().item(), xs)
    }
}

#[test]
#[should_panic(expected = "vmap!: batches of 2 and of 3 examples")]
fn different_lengths() {
    vmap!(|x, y| x + y, [1.0, 2.0], [1.0, 2.0, 3.0]);
}

#[test]
#[should_panic(expected = "no examples, so the sizes of the results are not known")]
fn no_tensors() {
    let xs = points(0);
    vmap!(|x| x.exp(), xs);
}

/// Every axis, and negative ones; each entry twice.
#[differentiable]
fn indexed(x: &Tensor![f64; 2, Batch, 3]) -> f64 {
    let mut total = 0.0;
    for i in 0..2 {
        total += x.index::<0>(i).sin().sum().item();
    }
    for i in 0..3 {
        let part: Tensor![f64; 2, Batch] = x.index::<-1>(i);
        total += (&part * &part).sum().item();
    }
    total + x.index::<1>(1).exp().sum().item()
}

#[test]
fn entries_along_an_axis() {
    let x = between((Sz, Batch(4), Sz), 7, -1.0, 1.0);
    check_grads::<indexed, _>(&(x,)).unwrap();
}

#[test]
#[should_panic(
    expected = "index: 1 entries from 4 on were asked for along axis 0, but dimension `Batch` is 4"
)]
fn outside() {
    points(4).index::<0>(4);
}

/// Batches without a derivative, from everywhere they can come.
mod constant_batches {
    use super::*;

    #[differentiable]
    fn slices(w: f64, #[constant] xs: &[f64], ids: &[usize]) -> f64 {
        let by_number = vmap!(|x| x * w, xs);
        let by_index = vmap!(|&i, x| (w * x).powi(2) * by_number[i], ids, xs);
        let local = [1.0, 2.0, 0.5];
        let scaled: Vec<f64> = vmap!(|x, y| x * w * y, &local, &by_index);
        let made = vmap!(|k| w * *k as f64, (0..3).collect::<Vec<usize>>());
        scaled.iter().sum::<f64>() + made[2] * w
    }

    #[test]
    fn of_slices() {
        let args = (0.7, vec![0.3, -1.2, 0.8], vec![2, 0, 1]);
        check_grads::<slices, _>(&args).unwrap();
    }

    #[differentiable]
    fn data(
        w: &Weights,
        #[constant] xs: &Points,
        #[constant] ys: &Tensor![f64; Batch],
        ids: &Tensor![i64; Batch],
    ) -> f64 {
        let losses = vmap!(|x, y| loss(w, x, y.item()), xs, ys);
        let picked = vmap!(|i| w[[i.item() as usize]], ids);
        (losses * picked).mean().item()
    }

    #[test]
    fn of_tensors() {
        let ids = Tensor::<shape![Batch], i64>::from_slice_with((Batch(3),), &[2, 0, 1]).unwrap();
        check_grads::<data, _>(&(weights(), points(3), targets(3), ids)).unwrap();
    }

    #[differentiable]
    fn with_numbers(w: f64, xs: &Points) -> f64 {
        let (values, signs): (Tensor![f64; Batch], Tensor![i64; Batch]) = vmap!(
            |x| {
                let s = x.sum().item() * w;
                (s * s, if s > 0.0 { 1i64 } else { -1i64 })
            },
            xs
        );
        (values * signs.cast::<f64>()).sum().item()
    }

    #[test]
    fn integers_beside_numbers() {
        check_grads::<with_numbers, _>(&(0.6, points(4))).unwrap();
    }

    #[derive(Clone, Differentiable)]
    struct Model {
        k: f64,
        #[constant]
        data: Vec<f64>,
    }

    #[differentiable]
    impl Model {
        fn total(&self) -> f64 {
            let all = vmap!(|x| (x * self.k).sin(), no_grad!(self.data.clone()));
            all.iter().sum()
        }
    }

    #[test]
    fn of_a_field() {
        let m = Model {
            k: 0.4,
            data: vec![1.0, -2.0, 0.3],
        };
        let expected: f64 = m.data.iter().map(|x| x * (x * m.k).cos()).sum();
        assert!((m.total_grad().k - expected).abs() < 1e-14);
    }

    #[differentiable]
    fn jumps(c: f64, #[constant] xs: &[f64]) -> f64 {
        let all = vmap!(
            |&x| {
                let mut y = x;
                for _ in 0..3 {
                    y *= c;
                    if y > 4.0 {
                        break;
                    }
                }
                y
            },
            xs
        );
        all.iter().sum()
    }

    #[test]
    fn with_jumps() {
        check_grads::<jumps, _>(&(1.7, vec![0.5, 2.0, 3.0])).unwrap();
    }
}
