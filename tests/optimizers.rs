//! Optimisers against PyTorch (`data/optimizers/generate.py`), and against the published update rules, worked out in plain
//! Rust.

#[path = "optimizers/groups.rs"]
mod groups;
#[path = "optimizers/lbfgs.rs"]
mod lbfgs;
#[path = "optimizers/saved.rs"]
mod saved;
#[path = "optimizers/schedules.rs"]
mod schedules;
#[path = "optimizers/torch.rs"]
mod torch;

use differentiable::nn::{HostData, load_state, state};
use differentiable::optim::{
    Adam, AdamW, AnyOptimizer, Optimizer, OptimizerStateError, Sgd, clip_grad_norm,
};

/// Five gradients for a model of two numbers, one of them in an array.
const GRADIENTS: [(f64, f64); 5] = [
    (0.5, -2.0),
    (-1.25, 0.75),
    (0.0, 3.0),
    (1e-6, -0.1),
    (2.0, 2.0),
];

fn run(optimizer: impl Into<AnyOptimizer>, steps: usize) -> Vec<(f64, f64)> {
    let mut optimizer = optimizer.into();
    let mut model = (1.0, [-0.5]);
    let steps = GRADIENTS[..steps].iter().map(|&(a, b)| {
        optimizer.step(&mut model, &(a, [b]));
        (model.0, model.1[0])
    });
    steps.collect()
}

fn assert_close(found: &[(f64, f64)], expected: &[(f64, f64)]) {
    assert_eq!(found.len(), expected.len());
    for (step, (f, e)) in found.iter().zip(expected).enumerate() {
        let error = (f.0 - e.0).abs().max((f.1 - e.1).abs());
        assert!(error < 1e-14, "step {step}: found {f:?}, expected {e:?}");
    }
}

/// The trajectory of each of the two numbers under an update rule for one number.
fn expect(mut rule: impl FnMut() -> Box<dyn FnMut(f64, f64) -> f64>) -> Vec<(f64, f64)> {
    let (mut first, mut second) = (rule(), rule());
    let (mut a, mut b) = (1.0, -0.5);
    let steps = GRADIENTS.iter().map(|&(ga, gb)| {
        (a, b) = (first(a, ga), second(b, gb));
        (a, b)
    });
    steps.collect()
}

#[test]
fn plain_descent_by_hand() {
    assert_close(&run(Sgd::new(0.1), 2), &[(0.95, -0.3), (1.075, -0.375)]);
}

#[test]
fn sgd_follows_its_definition() {
    for (mu, nesterov, decay) in [
        (0.0, false, 0.1),
        (0.9, false, 0.0),
        (0.9, true, 0.0),
        (0.5, true, 0.2),
    ] {
        let lr = 0.05;
        let mut sgd = Sgd::new(lr).momentum(mu).weight_decay(decay);
        if nesterov {
            sgd = sgd.nesterov();
        }
        let expected = expect(|| {
            let mut velocity = None;
            Box::new(move |p, g| {
                let g = g + decay * p;
                // PyTorch starts the velocity at the first gradient.
                let v = velocity.map_or(g, |v: f64| mu * v + g);
                velocity = Some(v);
                p - lr * if nesterov { g + mu * v } else { v }
            })
        });
        assert_close(&run(sgd, 5), &expected);
    }
}

/// Algorithm 1 of Kingma & Ba; algorithm 2 of Loshchilov & Hutter with `decoupled`.
fn adam_rule(lr: f64, betas: (f64, f64), decay: f64, decoupled: bool) -> Vec<(f64, f64)> {
    expect(move || {
        let (mut m, mut v, mut t) = (0.0, 0.0, 0);
        Box::new(move |p, g| {
            t += 1;
            let (p, g) = if decoupled {
                (p - lr * decay * p, g)
            } else {
                (p, g + decay * p)
            };
            m = betas.0 * m + (1.0 - betas.0) * g;
            v = betas.1 * v + (1.0 - betas.1) * g * g;
            let m_hat = m / (1.0 - betas.0.powi(t));
            let v_hat: f64 = v / (1.0 - betas.1.powi(t));
            p - lr * m_hat / (v_hat.sqrt() + 1e-8)
        })
    })
}

#[test]
fn adam_follows_its_definition() {
    assert_close(
        &run(Adam::new(0.1), 5),
        &adam_rule(0.1, (0.9, 0.999), 0.0, false),
    );
    let adam = Adam::new(0.01).betas(0.8, 0.95).weight_decay(0.3);
    assert_close(&run(adam, 5), &adam_rule(0.01, (0.8, 0.95), 0.3, false));
}

#[test]
fn adamw_follows_its_definition() {
    assert_close(
        &run(AdamW::new(0.1), 5),
        &adam_rule(0.1, (0.9, 0.999), 0.01, true),
    );
    let adamw = AdamW::new(0.02).betas(0.7, 0.9).weight_decay(0.5);
    assert_close(&run(adamw, 5), &adam_rule(0.02, (0.7, 0.9), 0.5, true));
}

#[test]
fn the_first_step_of_adam_has_the_length_of_the_learning_rate() {
    let found = run(Adam::new(0.1), 1)[0];
    assert!(
        (found.0 - 0.9).abs() < 1e-8 && (found.1 + 0.4).abs() < 1e-8,
        "{found:?}"
    );
}

#[test]
fn single_precision_parameters_stay_single() {
    let mut model = (1.0_f32, 1.0_f64);
    Sgd::new(0.1).step(&mut model, &(1.0, 1.0));
    assert_eq!(model, (1.0_f32 - 0.1_f32, 1.0 - 0.1));
}

#[test]
fn the_learning_rate_can_change() {
    let mut optimizer = AnyOptimizer::from(Sgd::new(0.1));
    let mut x = 1.0;
    optimizer.set_learning_rate(0.5);
    optimizer.step(&mut x, &1.0);
    assert_eq!((x, optimizer.learning_rate()), (0.5, 0.5));
}

#[test]
fn a_restored_optimizer_goes_on_bit_for_bit() {
    let makes: [fn() -> AnyOptimizer; 4] = [
        || Sgd::new(0.1).into(),
        || Sgd::new(0.1).momentum(0.9).nesterov().into(),
        || Adam::new(0.1).into(),
        || AdamW::new(0.1).into(),
    ];
    for make in makes {
        let step = |o: &mut AnyOptimizer, m: &mut (f64, [f64; 1]), (a, b): (f64, f64)| {
            o.step(m, &(a, [b]));
        };
        let (mut straight, mut model) = (make(), (1.0, [-0.5]));
        GRADIENTS[..3]
            .iter()
            .for_each(|&g| step(&mut straight, &mut model, g));
        let (mut resumed, mut copy) = (make(), (0.0, [0.0]));
        load_state(&mut copy, &state(&model)).unwrap();
        resumed.load_state(&copy, straight.state()).unwrap();
        assert_eq!(resumed.state(), straight.state(), "before the next step");
        for &g in &GRADIENTS[3..] {
            step(&mut straight, &mut model, g);
            step(&mut resumed, &mut copy, g);
        }
        assert_eq!(copy, model);
        assert_eq!(resumed.state(), straight.state());
    }
}

#[test]
fn state_is_named_by_slot_and_parameter() {
    let mut adam = Adam::new(0.1);
    adam.step(&mut (1.0, [-0.5_f32]), &(0.5, [2.0]));
    let state = adam.state();
    assert_eq!((state.algorithm.as_str(), state.steps), ("adam", 1));
    let names: Vec<_> = state.tensors.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "first_moment.0",
            "first_moment.1.0",
            "second_moment.0",
            "second_moment.1.0"
        ]
    );
    let HostData::F32(m) = state.tensors["first_moment.1.0"].data() else {
        panic!("not f32")
    };
    assert!((m[0] - 0.2).abs() < 1e-7);
}

#[test]
fn a_state_of_another_optimizer_or_model_is_refused() {
    let (mut adam, mut model) = (Adam::new(0.1), (1.0, [-0.5]));
    adam.step(&mut model, &(0.5, [2.0]));
    let saved = adam.state();
    let message = |e: OptimizerStateError| e.to_string();

    let mut adamw = AdamW::new(0.1);
    assert_eq!(
        message(adamw.load_state(&model, saved.clone()).unwrap_err()),
        "it was saved by the optimiser `adam`, expected `adamw`"
    );
    assert_eq!(
        message(
            Adam::new(0.1)
                .load_state(&(1.0, 2.0), saved.clone())
                .unwrap_err()
        ),
        "tensor `first_moment.1` is missing, expected f64 []"
    );
    assert_eq!(
        message(
            Adam::new(0.1)
                .load_state(&(1.0, [-0.5_f32]), saved.clone())
                .unwrap_err()
        ),
        "tensor `first_moment.1.0` is f64 [], expected f32 []"
    );
    let plain = Sgd::new(0.1).state();
    assert!(
        Sgd::new(0.1)
            .momentum(0.9)
            .load_state(&model, plain)
            .is_ok(),
        "no step done yet"
    );
}

#[test]
fn clipping_shortens_long_gradients_only() {
    let (clipped, norm) = clip_grad_norm((3.0, [4.0_f64]), 2.5);
    assert_eq!((clipped, norm.value()), ((1.5, [2.0]), 5.0));
    let (kept, norm) = clip_grad_norm((3.0, [4.0_f64]), 5.0);
    assert_eq!((kept, f64::from(norm)), ((3.0, [4.0]), 5.0));
    let (kept, norm) = clip_grad_norm((f64::NAN, [4.0_f64]), 1.0);
    assert!(norm.value().is_nan() && kept.0.is_nan() && kept.1 == [4.0]);
}
