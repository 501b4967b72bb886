//! Losses against their definitions, and at their edges.

use crate::check::between;
use differentiable::prelude::*;

dim!(Rows, Other);

fn mean(x: &[f64], t: &[f64], f: impl Fn(f64, f64) -> f64) -> f64 {
    x.iter().zip(t).map(|(&x, &t)| f(x, t)).sum::<f64>() / x.len() as f64
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-13 * (1.0 + b.abs()), "{a} is not {b}");
}

#[test]
fn definitions() {
    fn of<const N: usize>() {
        let x: Tensor<(Rows, Sz<N>), f64> = between((Rows(3), Sz), 1, -4.0, 4.0);
        let t: Tensor<(Rows, Sz<N>), f64> = between((Rows(3), Sz), 2, 0.0, 1.0);
        let (xs, ts) = (x.to_vec(), t.to_vec());
        near(x.l1_loss(&t).item(), mean(&xs, &ts, |x, t| (x - t).abs()));
        let huber = |x: f64, t: f64| {
            let e = (x - t).abs();
            if e <= 0.8 {
                e * e / 2.0
            } else {
                0.8 * (e - 0.4)
            }
        };
        near(x.huber_loss(&t, 0.8).item(), mean(&xs, &ts, huber));
        near(
            x.smooth_l1_loss(&t, 0.8).item(),
            mean(&xs, &ts, huber) / 0.8,
        );
        let bce = |x: f64, t: f64| {
            let p = 1.0 / (1.0 + (-x).exp());
            -t * p.ln() - (1.0 - t) * (1.0 - p).ln()
        };
        near(x.bce_with_logits(&t).item(), mean(&xs, &ts, bce));
        let divergence = mean(&xs, &ts, |x, t| t * (t.ln() - x)) * N as f64;
        near(x.kl_div(&t).item(), divergence);
    }
    of::<1>();
    of::<5>();
    of::<67>();
}

#[test]
fn edges() {
    // Far logits: no overflow, and the slope is that of a line.
    #[differentiable]
    fn bce(x: &Tensor![2], t: &Tensor![2]) -> Tensor![] {
        x.bce_with_logits(t)
    }
    let (loss, (d, _)) = bce::value_and_grad(&tensor([1e30, -1e30]), &tensor([0.0, 1.0]));
    assert_eq!(loss.item(), 1e30);
    assert_eq!(d.to_vec(), [0.5, -0.5]);
    // A probability of 0 has no share, whatever the logarithm.
    #[differentiable]
    fn kl(x: &Tensor![f64; 1, 2], t: &Tensor![f64; 1, 2]) -> Tensor![f64;] {
        x.kl_div(t)
    }
    let (loss, (d, d_t)) = kl::value_and_grad(&tensor([[-700.0, 0.0]]), &tensor([[0.0, 1.0]]));
    assert_eq!((loss.item(), d.to_vec()), (0.0, vec![0.0, -1.0]));
    assert_eq!(d_t.to_vec(), [0.0, 1.0]);
    // At the kinks.
    #[differentiable]
    fn l1(x: &Tensor![f64; 3], t: &Tensor![f64; 3]) -> Tensor![f64;] {
        x.l1_loss(t) * 3.0
    }
    let d = l1::grad(&tensor([1.0, 2.0, 3.0]), &tensor([1.0, 3.0, 2.0]));
    assert_eq!(d.0.to_vec(), [0.0, -1.0, 1.0]);
    assert_eq!(d.1.to_vec(), [0.0, 1.0, -1.0]);
}

#[test]
#[should_panic(expected = "huber_loss: `delta` is -1, expected a number above 0")]
fn a_parameter_out_of_range() {
    let x: Tensor![f64; 2] = Tensor::zeros();
    let _ = x.huber_loss(&x, -1.0);
}

#[test]
#[should_panic(expected = "l1_loss: the run-time dimension `Rows` is 2 on the left")]
fn another_number_of_rows() {
    let x = Tensor::<(Rows,), f64>::zeros_with((Rows(2),));
    let _ = x.l1_loss(&Tensor::zeros_with((Rows(3),)));
}

#[test]
fn short_names() {
    let x: Tensor![f64; 2, 3] = Tensor::iota();
    assert_eq!(x.t(), x.transpose::<0, 1>());
    let b: Tensor![f64; 3] = tensor([1.0, 2.0, 3.0]);
    assert_eq!(b.expand_as(&x).to_vec(), [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let x = tensor([nan, inf, -inf, 0.0, 1e308]);
    assert_eq!(x.is_nan().to_vec(), [true, false, false, false, false]);
    assert_eq!(x.is_finite().to_vec(), [false, false, false, true, true]);
    assert_eq!(x.is_infinite().to_vec(), [false, true, true, false, false]);
    assert_eq!(x.clamp_min(2.0).to_vec()[1..], [inf, 2.0, 2.0, 1e308]);
    assert_eq!(x.clamp_max(2.0).to_vec()[1..], [2.0, -inf, 0.0, 2.0]);
    assert!(x.clamp_min(2.0)[[0]].is_nan());
}
