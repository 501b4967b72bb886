//! Each algorithm goes on from a checkpoint bit for bit.

use super::torch::{Params, flat, gradient, start};
use differentiable::io::Checkpoint;
use differentiable::optim::*;

#[test]
fn every_algorithm_goes_on_from_a_checkpoint() {
    let makes: [fn() -> AnyOptimizer; 13] = [
        || Sgd::new(0.1).into(),
        || Sgd::new(0.1).momentum(0.9).nesterov().into(),
        || Adam::new(0.1).weight_decay(0.1).into(),
        || AdamW::new(0.1).schedule(cosine(9, 0.1)).into(),
        || RmsProp::new(0.1).centred().momentum(0.5).into(),
        || Adagrad::new(0.1).rate_decay(0.1).initial(0.2).into(),
        || Adadelta::new(1.0).skip_non_finite().into(),
        || Lion::new(0.1).weight_decay(0.2).into(),
        || Lamb::new(0.1).clip_norm(0.5).into(),
        || Adafactor::new(0.1).clip_value(0.5).into(),
        || Muon::new(0.1).adamw("1").into(),
        || Adam::new(0.1).plateau(Plateau::new(0.5, 1)).into(),
        || {
            Adam::new(0.1)
                .freeze("0")
                .group("1", |g| g.rate(0.5))
                .into()
        },
    ];
    let path = std::env::temp_dir().join(format!("optimizers_{}.safetensors", std::process::id()));
    for make in makes {
        let (mut straight, mut params) = (make(), start());
        let step = |o: &mut AnyOptimizer, p: &mut Params, step: usize| {
            let grad = gradient(p, step);
            o.step(p, &grad);
            o.observe(2.0);
        };
        for i in 0..6 {
            step(&mut straight, &mut params, i);
        }
        let saved = Checkpoint::new()
            .with_model(&params)
            .with_optimizer(&straight);
        saved.save(&path).unwrap();
        let loaded = Checkpoint::load(&path).unwrap();
        let (mut resumed, mut copy) = (make(), start());
        loaded.restore_model(&mut copy).unwrap();
        loaded.restore_optimizer(&copy, &mut resumed).unwrap();
        assert_eq!(resumed.state(), straight.state());
        for i in 6..12 {
            step(&mut straight, &mut params, i);
            step(&mut resumed, &mut copy, i);
        }
        let name = straight.state().algorithm;
        assert_eq!(flat(&copy), flat(&params), "{name}");
        assert_eq!(resumed.state(), straight.state(), "{name}");
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_plateau_needs_its_numbers() {
    let mut with = Sgd::new(0.1).plateau(Plateau::new(0.1, 3));
    assert_eq!(
        with.load_state(&1.0, Sgd::new(0.1).state())
            .unwrap_err()
            .to_string(),
        "the number `plateau.factor` is missing: the optimiser that was saved did not have this setting"
    );
    let mut damaged = with.state();
    damaged.numbers.insert("plateau.best".to_string(), f64::NAN);
    assert_eq!(
        with.load_state(&1.0, damaged).unwrap_err().to_string(),
        "the number `plateau.best` is NaN, expected a loss"
    );
}
