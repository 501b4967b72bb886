//! Masks: their laws, and the same ones wherever a derivative runs a function again.

use differentiable::ad::check_grads;
use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch);

#[test]
fn the_mean_stays_and_inference_changes_nothing() {
    let drop = Dropout::new(0.3);
    let x = Tensor::<(Sz<200>, Sz<100>), f64>::ones();
    let y = drop.forward(&x, &mut Ctx::train(&drop, 1)).to_vec();
    let kept = 1.0 / 0.7;
    assert!(y.iter().all(|y| *y == 0.0 || (y - kept).abs() < 1e-15));
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    // The deviation of the mean of 20 000 elements is √(0.3/0.7/20 000).
    assert!(
        (mean - 1.0).abs() < 4.0 * (0.3_f64 / 0.7 / 20_000.0).sqrt(),
        "{mean}"
    );
    assert_eq!(drop.forward(&x, &mut Ctx::eval()), x);
    let none = Dropout::new(0.0);
    assert_eq!(none.forward(&x, &mut Ctx::train(&none, 1)), x);
}

#[test]
fn each_call_draws_another_mask() {
    let drop = Dropout::new(0.5);
    let x = Tensor::<(Sz<64>,), f32>::ones();
    let mut ctx = Ctx::train(&drop, 1);
    let (first, second) = (drop.forward(&x, &mut ctx), drop.forward(&x, &mut ctx));
    assert_ne!(first, second);
    assert_eq!(first, drop.forward(&x, &mut Ctx::train(&drop, 1)));
    assert_ne!(first, drop.forward(&x, &mut Ctx::train(&drop, 2)));
}

/// Whether all numbers of a group are one, and that 0 or `kept`; the groups that are 0.
fn zeros(y: &[f64], group: usize, kept: f64) -> usize {
    let groups = y.chunks(group);
    for g in groups.clone() {
        assert!(g.iter().all(|y| *y == g[0]), "a group is whole: {g:?}");
        assert!(g[0] == 0.0 || (g[0] - kept).abs() < 1e-15);
    }
    groups.filter(|g| g[0] == 0.0).count()
}

#[test]
fn channels_and_examples_are_left_out_whole() {
    let near = |zeros: usize, all: f64, p: f64| {
        let far = (zeros as f64 - all * p).abs();
        assert!(far < 4.0 * (all * p * (1.0 - p)).sqrt(), "{zeros} of {all}");
    };
    let (one, two, three, path) = (
        Dropout1d::new(0.2),
        Dropout2d::new(0.2),
        Dropout3d::new(0.2),
        DropPath::new(0.4),
    );
    let x = Tensor::<(Sz<20>, Sz<50>, Sz<6>), f64>::ones();
    let y = one.forward(&x, &mut Ctx::train(&one, 1));
    near(zeros(&y.to_vec(), 6, 1.25), 1000.0, 0.2);
    let x = Tensor::<(Sz<20>, Sz<50>, Sz<3>, Sz<2>), f64>::ones();
    let y = two.forward(&x, &mut Ctx::train(&two, 1));
    near(zeros(&y.to_vec(), 6, 1.25), 1000.0, 0.2);
    let x = Tensor::<(Sz<20>, Sz<50>, Sz<3>, Sz<1>, Sz<2>), f64>::ones();
    let y = three.forward(&x, &mut Ctx::train(&three, 1));
    near(zeros(&y.to_vec(), 6, 1.25), 1000.0, 0.2);
    let x = Tensor::<(Sz<500>, Sz<3>), f64>::ones();
    let y = path.forward(&x, &mut Ctx::train(&path, 1));
    near(zeros(&y.to_vec(), 3, 1.0 / 0.6), 500.0, 0.4);
    assert_eq!(path.forward(&x, &mut Ctx::eval()), x);
}

#[test]
#[should_panic(expected = "the probability to leave out is 1, not in [0, 1)")]
fn something_must_stay() {
    Dropout::new(1.0);
}

/// Three layers with masks, and a normalisation whose buffers change.
#[module]
struct Net<T: Float = f64> {
    hidden: Linear<3, 6, T>,
    norm: BatchNorm<6, T>,
    #[init(Dropout::new(0.5))]
    drop: Dropout,
    #[init(DropPath::new(0.3))]
    path: DropPath,
    out: Linear<6, 2, T>,
}

#[differentiable(higher_order)]
impl<T: Float> Net<T> {
    fn forward(&self, x: &Tensor![T; Batch, 3], ctx: &mut Ctx) -> Tensor![T; Batch, 2] {
        let h = self.norm.forward(&self.hidden.forward(x), ctx).tanh();
        let h = &h + self.path.forward(&self.drop.forward(&h, ctx), ctx);
        self.out.forward(&h)
    }
    fn loss(&self, x: &Tensor![T; Batch, 3], ctx: &mut Ctx) -> Tensor![T;] {
        self.forward(x, ctx).square().mean()
    }
    fn distance(
        &self,
        #[wrt] x: &Tensor![T; Batch, 3],
        y: &Tensor![T; Batch, 2],
        ctx: &mut Ctx,
    ) -> Tensor![T;] {
        (self.forward(x, ctx) - y).square().mean()
    }
}

fn net_and_data() -> (Net, Tensor![f64; Batch, 3]) {
    (
        Net::new(&mut Seeds::new(4)),
        Tensor::randn_with((Batch(7), Sz), 5),
    )
}

/// The loss from a context of its own, which both modes and every difference begin with.
#[differentiable]
fn loss(net: &Net, x: &Tensor![f64; Batch, 3], ctx: &mut Ctx) -> Tensor![f64;] {
    net.loss(x, ctx)
}

#[differentiable]
#[checkpoint]
fn loss_again(net: &Net, x: &Tensor![f64; Batch, 3], ctx: &mut Ctx) -> Tensor![f64;] {
    net.loss(x, ctx)
}

#[test]
fn differences_see_the_masks_of_the_gradient() {
    let (net, x) = net_and_data();
    let ctx = Ctx::train(&net, 6);
    check_grads::<loss, _>(&(net.clone(), x.clone(), ctx.clone())).unwrap();
    // Masks are there: another seed has another loss.
    let of = |seed| {
        let mut ctx = Ctx::train(&net, seed);
        let loss = net.loss(&x, &mut ctx).item();
        ctx.discard();
        loss
    };
    assert_eq!(of(6), of(6));
    assert_ne!(of(6), of(7));
}

#[test]
fn a_checkpointed_function_draws_its_masks_again() {
    let (net, x) = net_and_data();
    let (mut first, mut second) = (Ctx::train(&net, 6), Ctx::train(&net, 6));
    let (value, (of_net, of_x)) = loss::value_and_grad(&net, &x, &mut first);
    let (again, (of_net_again, of_x_again)) = loss_again::value_and_grad(&net, &x, &mut second);
    assert_eq!((value, &of_x), (again, &of_x_again));
    assert_eq!(of_net.hidden.weight, of_net_again.hidden.weight);
    assert_eq!(of_net.out.weight, of_net_again.out.weight);
    // One draw of each mask and one update of each buffer, though the function ran twice.
    assert_eq!(first.next_seed(), second.next_seed());
    let (mut a, mut b) = (net.clone(), net.clone());
    first.commit(&mut a);
    second.commit(&mut b);
    assert_eq!(a.norm.running_mean, b.norm.running_mean);
    assert_ne!(a.norm.running_mean, net.norm.running_mean);
}

#[test]
fn products_with_the_hessian_see_the_same_masks() {
    let (net, x) = net_and_data();
    let ctx = Ctx::train(&net, 6);
    let grad = |net: &Net| net.loss_grad(&x, &mut ctx.clone());
    let along = grad(&net);
    let product = net.loss_hvp(&along, &x, &ctx);
    let (again, both) = net.loss_grad_and_hvp(&along, &x, &ctx);
    assert_eq!(both.hidden.weight, product.hidden.weight);
    assert_eq!(again.hidden.weight, along.hidden.weight);
    let at = |h: f64| {
        let mut moved = net.clone();
        moved.add_scaled(h, &along);
        grad(&moved)
    };
    let (plus, minus) = (at(1e-5), at(-1e-5));
    for (found, above, below) in [
        (
            product.hidden.weight.to_vec(),
            plus.hidden.weight.to_vec(),
            minus.hidden.weight.to_vec(),
        ),
        (
            product.norm.weight.to_vec(),
            plus.norm.weight.to_vec(),
            minus.norm.weight.to_vec(),
        ),
        (
            product.out.weight.to_vec(),
            plus.out.weight.to_vec(),
            minus.out.weight.to_vec(),
        ),
    ] {
        for ((f, a), b) in found.iter().zip(above).zip(below) {
            assert!((f - (a - b) / 2e-5).abs() < 1e-6, "{f} {}", (a - b) / 2e-5);
        }
    }
}

/// What is marked `#[wrt]` has a gradient beside that of the module, and a direction in products with the Hessian.
#[test]
fn a_marked_parameter_has_a_gradient_too() {
    let (net, x) = net_and_data();
    let y = Tensor::randn_with((x.shape().0, Sz), 9);
    let ctx = Ctx::train(&net, 6);
    let grad = |net: &Net, x: &Tensor![f64; Batch, 3]| net.distance_grad(x, &y, &mut ctx.clone());
    let value = |x: &Tensor![f64; Batch, 3]| {
        let loss = net.distance(x, &y, &mut ctx.clone());
        loss.item()
    };
    let (along, of_x) = grad(&net, &x);
    let v = x.ones_like();
    let slope = (value(&(&x + &v * 1e-5)) - value(&(&x - &v * 1e-5))) / 2e-5;
    assert!((slope - (&of_x * &v).sum().item()).abs() < 1e-8);
    let (product, product_x) = net.distance_hvp(&along, (&x, &v), &y, &ctx);
    let at = |h: f64| {
        let mut moved = net.clone();
        moved.add_scaled(h, &along);
        grad(&moved, &(&x + &v * h))
    };
    let (plus, minus) = (at(1e-5), at(-1e-5));
    let near = |found: Vec<f64>, above: Vec<f64>, below: Vec<f64>| {
        for ((f, a), b) in found.iter().zip(above).zip(below) {
            assert!((f - (a - b) / 2e-5).abs() < 1e-6, "{f} {}", (a - b) / 2e-5);
        }
    };
    near(product_x.to_vec(), plus.1.to_vec(), minus.1.to_vec());
    near(
        product.hidden.weight.to_vec(),
        plus.0.hidden.weight.to_vec(),
        minus.0.hidden.weight.to_vec(),
    );
}
