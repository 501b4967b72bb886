//! Several steps of optimisers, bit for bit those of one process.

use crate::{bits, threads};
use differentiable::dist::Ranks;
use differentiable::graph::{Feeds, GraphError, Recording, Session, Whole};
use differentiable::nn::*;
use differentiable::optim::*;
use differentiable::prelude::*;

dim!(pub Batch);

#[module]
pub struct Net {
    pub first: Linear<6, 12>,
    pub second: Linear<12, 12>,
    pub out: Linear<12, 3>,
}

#[differentiable]
impl Net {
    pub fn loss(&self, x: &Tensor![Batch, 6], y: &Tensor![i64; Batch]) -> Tensor![] {
        let h = self.second.forward(&self.first.forward(x).relu()).tanh();
        self.out.forward(&h).cross_entropy(y)
    }
}

#[module]
struct Cnn {
    conv: Conv2d<1, 4, 3>,
    out: Linear<36, 3>,
}

#[differentiable]
impl Cnn {
    fn loss(&self, x: &Tensor![Batch, 1, 6, 6], y: &Tensor![i64; Batch]) -> Tensor![] {
        let h = self.conv.forward(x).relu().max_pool::<2, 2>().flatten();
        self.out.forward(&h).cross_entropy(y)
    }
}

fn labels(step: u64) -> Tensor![i64; Batch] {
    Tensor::from_fn_with((Batch(16),), |i| (i as i64 + step as i64) % 3)
}

/// The losses of ten steps, and the parameters then.
macro_rules! trained {
    ($Net:ident, $shape:expr) => {
        |optimizer: &dyn Fn() -> AnyOptimizer, ranks: Option<&Ranks>| -> Result<_, GraphError> {
            let r = Recording::new();
            let net = r.module(&$Net::new(&mut Seeds::new(1)));
            let y = labels(0);
            let (rx, ry) = (r.input("x", $shape), r.input("y", y.shape()));
            let (loss, gradient) = r.scope(|| net.loss_value_and_grad(&rx, &ry));
            let train = r.minimize(&net, &gradient, optimizer());
            let mut session = Session::new(&r, &Device::cpu());
            if let Some(ranks) = ranks {
                session = session.over(ranks);
            }
            let mut losses = Vec::new();
            for step in 0..10 {
                let x = Tensor::randn_with($shape, step);
                let feeds = Feeds::new().with(&rx, &x).with(&ry, &labels(step));
                let (loss, ()) = session.run((&loss, &train), &feeds)?;
                losses.push(bits(&loss)[0]);
            }
            assert_eq!(session.optimizer(&train).steps(), 10);
            let net = session.run(Whole(&net), &Feeds::new())?;
            let mut parameters = Vec::new();
            for tensor in differentiable::nn::state(&net).into_values() {
                parameters.push(format!("{tensor:?}"));
            }
            Ok((losses, parameters))
        }
    };
}

fn same<R: PartialEq + Send + Sync + core::fmt::Debug>(
    run: impl Fn(Option<&Ranks>) -> Result<R, GraphError> + Sync,
) {
    let expected = run(None).unwrap();
    for size in 1..=4 {
        let all = threads(size, |ranks| run(Some(&ranks)).unwrap());
        assert!(all.iter().all(|got| *got == expected), "{size} ranks");
    }
}

#[test]
fn a_network_of_three_layers() {
    let run = trained!(Net, (Batch(16), Sz));
    same(|ranks| run(&|| Sgd::new(0.1).momentum(0.9).into(), ranks));
    same(|ranks| run(&|| AdamW::new(1e-2).weight_decay(0.1).into(), ranks));
    same(|ranks| run(&|| Muon::new(1e-2).into(), ranks));
    let grouped = || {
        let adam = Adam::new(1e-2).schedule(cosine(10, 0.1));
        adam.group("**.bias", |g| g.rate(0.5))
            .freeze("out.bias")
            .into()
    };
    same(|ranks| run(&grouped, ranks));
}

#[test]
fn a_convolution() {
    let run = trained!(Cnn, (Batch(16), Sz, Sz, Sz));
    same(|ranks| run(&|| Adam::new(1e-2).into(), ranks));
}

/// The norm is a sum over ranks, whose last bit may be another one.
#[test]
fn clipped_by_the_norm_of_all_ranks() {
    let run = trained!(Net, (Batch(16), Sz));
    let clipped = || Sgd::new(0.5).clip_norm(0.1).into();
    let (expected, _) = run(&clipped, None).unwrap();
    let (other, _) = run(&|| Sgd::new(0.5).into(), None).unwrap();
    assert_ne!(expected, other);
    for (losses, _) in threads(3, |ranks| run(&clipped, Some(&ranks)).unwrap()) {
        for (got, expected) in losses.into_iter().zip(&expected) {
            let (got, expected) = (f32::from_bits(got), f32::from_bits(*expected));
            assert!((got - expected).abs() < 1e-6, "{got} {expected}");
        }
    }
}

/// A step that fails changes nothing on any rank.
#[test]
fn a_step_that_fails_changes_nothing() {
    threads(2, |ranks| {
        let r = Recording::new();
        let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
        let v: Tensor![2] = r.variable("v", &tensor([5.0, 6.0]));
        let g: Tensor![2] = r.input("g", Default::default());
        let (dw, dv) = (r.on_rank(0, || &g * &w), r.on_rank(1, || &g * &v));
        let schedule = |step| if step < 1 { 1.0 } else { f64::NAN };
        let train = r.minimize(
            &(w.clone(), v.clone()),
            &(dw, dv),
            Sgd::new(1.0).schedule(schedule),
        );
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = Feeds::new().with(&g, &Tensor::ones());
        session.run(&train, &feeds).unwrap();
        let error = session.run(&train, &feeds).unwrap_err();
        assert!(matches!(error, GraphError::Optimizer(_)), "{error}");
        let (w, v) = session.run((&w, &v), &Feeds::new()).unwrap();
        assert_eq!((w.to_vec(), v.to_vec()), (vec![0.0; 2], vec![0.0; 2]));
    });
}
