//! Parameters in single precision: small updates, loss scaling, checkpoints, conversions.

use crate::Batch;
use differentiable::io::Checkpoint;
use differentiable::nn::state;
use differentiable::optim::{AdamW, LossScale, Sgd};
use differentiable::prelude::*;

#[module]
struct Net<T: Float = f32> {
    hidden: Linear<6, 16, T>,
    out: Linear<16, 3, T>,
}

#[differentiable(higher_order)]
impl<T: Float> Net<T> {
    fn loss(&self, #[constant] x: &Tensor![T; Batch, 6], y: &Tensor![i64; Batch]) -> Tensor![T;] {
        self.out
            .forward(&self.hidden.forward(x).tanh())
            .cross_entropy(y)
    }
}

fn batch<T: Float>() -> (Tensor![T; Batch, 6], Tensor![i64; Batch]) {
    let x: Tensor![Batch, 6] = Tensor::randn_with((Batch(12), Sz), 3);
    let y = Tensor::from_slice_with((Batch(12),), &[0, 1, 2, 0, 1, 2, 2, 1, 0, 2, 1, 0]);
    (x.cast(), y.unwrap())
}

/// Steps of 10⁻⁴ of a weight, of which `bf16` has no neighbour nearer than 4·10⁻³.
#[test]
fn small_updates_add_up() {
    #[differentiable]
    fn sum<T: Float>(net: &Linear<4, 1, T>, #[constant] x: &Tensor![T; 4]) -> Tensor![T;] {
        net.forward(x).sum()
    }
    fn trained<T: Float>() -> Vec<f64> {
        let mut net: Linear<4, 1, T> = Linear {
            weight: Tensor::ones(),
            bias: Tensor::ones(),
        };
        let mut sgd = Sgd::new(1e-4);
        for _ in 0..100 {
            let grad = sum::grad(&net, &Tensor::ones());
            sgd.step(&mut net, &grad);
        }
        net.weight.to_vec().into_iter().map(Elem::to_f64).collect()
    }
    let (mixed, plain) = (trained::<Mixed<bf16>>(), trained::<f32>());
    assert_eq!(mixed, plain);
    assert!(mixed.iter().all(|w| (w - 0.99).abs() < 1e-5), "{mixed:?}");
    // A weight of 8 bits would stay where it is.
    let mut weight = bf16::ONE;
    for _ in 0..100 {
        weight = bf16::from_f32(weight.to_f32() - 1e-4);
    }
    assert_eq!(weight, bf16::ONE);
}

#[test]
fn small_gradients_survive_by_scaling_of_the_loss() {
    #[differentiable]
    fn small<T: Float>(
        net: &Net<T>,
        #[constant] x: &Tensor![T; Batch, 6],
        y: &Tensor![i64; Batch],
        by: T,
    ) -> Tensor![T;] {
        // Below the smallest number of `f16`, 6·10⁻⁸.
        net.loss(x, y) * T::lit(1e-8) * by
    }
    let plain = Net::<f32>::new(&mut Seeds::new(1));
    let net = plain.cast::<Mixed<f16>>();
    let (x, y) = batch();
    let (exact, _) = small::grad(&plain, &x.cast(), &y, 1.0);
    let norm = |x: &Tensor![6, 16]| x.square().sum().sqrt().item();
    let exact = exact.hidden.weight;
    // Each product of the pullback has a factor that is rounded to 0.
    let (grad, _) = small::grad(&net, &x, &y, Mixed::new(1.0));
    assert_eq!(norm(&grad.hidden.weight.cast()), 0.0);
    let mut scale = LossScale::new();
    let (grad, _) = small::grad(&net, &x, &y, Mixed::new(scale.factor() as f32));
    let grad = scale.unscale(grad).expect("no overflow");
    let gap = norm(&(grad.hidden.weight.cast::<f32>() - &exact)) / norm(&exact);
    assert!(gap < 1.0 / 100.0, "{gap:e}");
    assert_eq!(scale.skipped(), 0);
}

#[test]
fn a_step_that_overflows_is_skipped_and_counted() {
    #[differentiable]
    fn scaled<T: Float>(
        net: &Net<T>,
        #[constant] x: &Tensor![T; Batch, 6],
        y: &Tensor![i64; Batch],
        by: T,
    ) -> Tensor![T;] {
        net.loss(x, y) * by
    }
    let mut net = Net::<f32>::new(&mut Seeds::new(1)).cast::<Mixed<f16>>();
    let (x, y) = batch();
    let (mut adam, mut scale) = (AdamW::new(3e-2), LossScale::new().initial(2f64.powi(22)));
    let first = net.loss(&x, &y).item().get();
    for _ in 0..60 {
        let before = state(&net);
        let (grad, _) = scaled::grad(&net, &x, &y, Mixed::new(scale.factor() as f32));
        match scale.unscale(grad) {
            Some(grad) => {
                adam.step(&mut net, &grad);
                assert!(state(&net) != before);
            }
            None => assert!(state(&net) == before),
        }
    }
    // Cotangents above 65504 are infinite: the factor is halved until they fit.
    assert!((1..10).contains(&scale.skipped()), "{scale}");
    assert_eq!(scale.factor(), 2f64.powi(22 - scale.skipped() as i32));
    let last = net.loss(&x, &y).item().get();
    assert!(last < 0.5 * first, "{first} {last}");
}

#[test]
fn checkpoints_hold_single_precision() {
    let plain = Net::<f32>::new(&mut Seeds::new(2));
    let mut net = plain.cast::<Mixed<bf16>>();
    assert_eq!(state(&net), state(&plain), "names, types and numbers");
    let (x, y) = batch();
    let mut adam = AdamW::new(1e-2);
    let step = |net: &mut Net<Mixed<bf16>>, adam: &mut AdamW| {
        let grad = net.loss_grad(&x, &y);
        adam.step(net, &grad);
    };
    step(&mut net, &mut adam);
    let folder = std::env::temp_dir().join(format!("mixed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("net.safetensors");
    let checkpoint = Checkpoint::new().with_model(&net).with_optimizer(&adam);
    checkpoint.save(&file).unwrap();
    let found = Checkpoint::load(&file).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    // Into a network of either type; the run goes on as it would have.
    let (mut same, mut in_single) = (Net::<Mixed<bf16>>::new(&mut Seeds::new(3)), plain);
    found.restore_model(&mut same).unwrap();
    found.restore_model(&mut in_single).unwrap();
    assert_eq!(state(&same), state(&net));
    assert_eq!(state(&in_single), state(&net));
    let mut again = AdamW::new(1e-2);
    found.restore_optimizer(&same, &mut again).unwrap();
    step(&mut net, &mut adam);
    step(&mut same, &mut again);
    assert_eq!(state(&same), state(&net));
}

/// What an optimiser remembers is of the type of its parameters; through a checkpoint it goes to another.
#[test]
fn an_optimiser_serves_one_type_of_numbers() {
    let mut plain = Net::<f32>::new(&mut Seeds::new(2));
    let mut mixed = plain.cast::<Mixed<bf16>>();
    let mut adam = AdamW::new(1e-2);
    let (grad, of_mixed) = (plain.zero_tangent(), mixed.zero_tangent());
    adam.step(&mut plain, &grad);
    let error = adam.try_step(&mut mixed, &of_mixed).unwrap_err();
    let expected = "parameter `hidden.weight` is now Mixed<bf16> [6, 16] and was f32 [6, 16]: an optimiser serves one model";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn conversions_have_derivatives() {
    #[differentiable]
    fn f(x: &Tensor![3, 3], w: &Tensor![3, 3]) -> Tensor![] {
        let y = x.cast::<Mixed<bf16>>().matmul(&w.cast::<Mixed<bf16>>());
        y.cast::<f32>().sum()
    }
    let (x, w): (Tensor![3, 3], Tensor![3, 3]) = (Tensor::randn(1), Tensor::randn(2));
    let (d_x, _) = f::grad(&x, &w);
    let rounded = w.cast::<bf16>().cast::<f32>();
    assert_eq!(
        d_x[[1, 2]],
        rounded[[2, 0]] + rounded[[2, 1]] + rounded[[2, 2]]
    );
}

/// Duals over numbers of mixed precision have their products; second derivatives need nothing else.
#[test]
fn second_derivatives_and_forward_mode() {
    let plain = Net::<f32>::new(&mut Seeds::new(4));
    let net = plain.cast::<Mixed<bf16>>();
    let (x, y) = batch::<Mixed<bf16>>();
    let weights = |net: &Tensor![Mixed<bf16>; 6, 16]| net.cast::<f32>();
    let direction = net.loss_grad(&x, &y);
    let curvature = net.loss_hvp(&direction, &x, &y);
    let (_, slope) = net.loss_jvp(&direction, &x, &y);
    let plain_direction = plain.loss_grad(&x.cast(), &y);
    let expected = plain.loss_hvp(&plain_direction, &x.cast(), &y);
    let norm = |x: &Tensor![6, 16]| x.square().sum().sqrt().item();
    let gap = weights(&curvature.hidden.weight) - &expected.hidden.weight;
    let gap = norm(&gap) / norm(&expected.hidden.weight);
    assert!((1e-5..1.0 / 32.0).contains(&gap), "{gap:e}");
    let square = Tangent::dot(&direction, &direction);
    let gap = (f64::from(slope.item()) / square - 1.0).abs();
    assert!(gap < 1.0 / 64.0, "{gap:e}");
}
