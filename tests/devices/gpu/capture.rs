//! `Device::capture`: the same numbers as on the CPU, where a function runs each time.

use super::{close, cuda, gpu};
use differentiable::device::Cuda;
use differentiable::nn::{BatchNorm, Ctx, Dropout, HostData, HostTensor, state};
use differentiable::optim::{Adam, Optimizer, OptimizerError, Sgd, clip_grad_norm};
use differentiable::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

dim!(Rows);

#[derive(Clone, Differentiable, Module)]
struct Net {
    first: Linear<4, 8>,
    norm: BatchNorm<8>,
    drop: Dropout,
    second: Linear<8, 2>,
}

type Batch = (Tensor![Rows, 4], Tensor![Rows, 2]);

#[differentiable]
impl Net {
    fn loss(&self, #[constant] batch: &Batch, ctx: &mut Ctx) -> Tensor![] {
        let h = self.norm.forward(&self.first.forward(&batch.0), ctx).relu();
        let y = self.second.forward(&self.drop.forward(&h, ctx));
        (y - &batch.1).square().mean()
    }
}

fn net() -> Net {
    let mut seeds = Seeds::new(3);
    Net {
        first: Linear::new(&mut seeds),
        norm: BatchNorm::new(&mut seeds),
        drop: Dropout::new(0.3),
        second: Linear::new(&mut seeds),
    }
}

fn batch(rows: usize, seed: u64) -> Batch {
    (
        Tensor::randn_with((Rows(rows), Sz), seed),
        Tensor::randn_with((Rows(rows), Sz), seed + 100),
    )
}

fn step(net: &mut Net, batch: &Batch) -> (Tensor![], <Net as Differentiable>::Tangent) {
    let mut ctx = Ctx::train(net, 5);
    let out = net.loss_value_and_grad(batch, &mut ctx);
    ctx.commit(net);
    out
}

/// Losses and parameters after training in which much goes on between the calls; the number of graphs replayed.
fn train(device: &Device) -> (Vec<f32>, Vec<f32>, u64) {
    let mut net = net().to(device);
    // Biases in front of a normalisation have gradients of rounding errors.
    let mut adam = Adam::new(0.05)
        .epsilon(1e-3)
        .schedule(|k: u64| 1.0 / (1.0 + k as f64));
    let mut step = device.capture(step);
    let (mut losses, mut kept) = (Vec::new(), Vec::new());
    for k in 0..12 {
        // The last batch of an epoch is smaller.
        let rows = if k % 4 == 3 { 5 } else { 6 };
        let (loss, grad) = step.run(&mut net, &batch(rows, k)).unwrap();
        if k == 5 {
            // The model and the gradient of this step stay what they are.
            kept.push((net.clone(), grad.clone()));
        }
        let (grad, _) = clip_grad_norm(grad.clone(), 0.5);
        adam.step(&mut net, &grad);
        losses.push(loss);
    }
    let all = |net: &Net| -> Vec<f32> {
        let numbers = |tensor: &HostTensor| match tensor.data() {
            HostData::F32(numbers) => numbers.clone(),
            other => panic!("{other:?} in a network of f32"),
        };
        state(net).values().flat_map(numbers).collect()
    };
    let mut after = all(&net);
    let (then, grad) = &kept[0];
    after.extend(all(then));
    after.extend(grad.first.weight.to_vec());
    let replays = match device {
        Device::Cuda(cuda) => cuda.gpu().counters().replays,
        _ => 0,
    };
    (losses.iter().map(|x| x.item()).collect(), after, replays)
}

#[test]
fn training_is_that_of_the_cpu() {
    let Some(device) = gpu() else { return };
    let (losses, after, _) = train(&Device::cpu());
    let (losses_there, after_there, replays) = train(&device);
    close(&losses, &losses_there);
    close(&after, &after_there);
    assert_eq!(
        replays, 8,
        "all calls but the first and those of smaller batches"
    );
    assert!(
        cuda(&device).via_host().is_empty(),
        "{:?}",
        cuda(&device).via_host()
    );
}

#[test]
fn a_call_reads_nothing_and_copies_nothing_but_the_batch() {
    let Some(device) = gpu() else { return };
    let mut net = net().to(&device);
    let mut sgd = Sgd::new(0.1).momentum(0.9);
    let mut step = device.capture(step);
    let batch = batch(6, 1).to(&device);
    let mut run = || {
        let (loss, grad) = step.run(&mut net, &batch).unwrap();
        sgd.step(&mut net, grad);
        drop(loss);
        step.is_captured()
    };
    run();
    assert!(run());
    let before = cuda(&device).gpu().counters();
    assert!(run());
    let after = cuda(&device).gpu().counters();
    assert_eq!(after.host_waits, before.host_waits);
    assert_eq!(after.downloads, before.downloads);
    // The shift of the seeds.
    assert_eq!(after.uploads - before.uploads, 1);
}

#[differentiable]
fn energy(w: &Tensor![3], #[constant] x: &Tensor![3]) -> Tensor![] {
    (w * x).sum().square()
}

#[test]
fn results_that_somebody_keeps_stay() {
    let Some(device) = gpu() else { return };
    let mut w: Tensor![3] = tensor([1.0, 2.0, 3.0]).to(&device);
    let mut call =
        device.capture(|w: &mut Tensor![3], x: &Tensor![3]| energy::value_and_grad(w, x));
    let mut all = Vec::new();
    for k in 0..5 {
        let x: Tensor![3] = tensor([1.0, k as f32, 0.0]);
        let (value, grad) = call.run(&mut w, &x).unwrap();
        all.push((value, grad.clone()));
    }
    for (k, (value, grad)) in all.iter().enumerate() {
        let s = 1.0 + 2.0 * k as f32;
        assert_eq!(value.item(), s * s);
        assert_eq!(grad.to_vec(), [2.0 * s, 2.0 * s * k as f32, 0.0]);
    }
}

#[test]
fn a_state_that_lies_elsewhere_is_read_there() {
    let Some(device) = gpu() else { return };
    let mut call =
        device.capture(|w: &mut Tensor![3], x: &Tensor![3]| energy::value_and_grad(w, x));
    let x: Tensor![3] = tensor([1.0, 1.0, 1.0]);
    for k in 0..5 {
        let mut w: Tensor![3] = tensor([k as f32, 0.0, 0.0]).to(&device);
        let (value, _) = call.run(&mut w, &x).unwrap();
        assert_eq!(value.item(), (k * k) as f32);
    }
}

#[test]
fn random_numbers_are_those_of_the_cpu_in_each_call() {
    let Some(device) = gpu() else { return };
    let drawn = |device: &Device| -> Vec<Vec<f32>> {
        let mut call = device.capture(|x: &mut Tensor![16], _: &()| {
            (x.dropout(0.5, 3) + Tensor::<(Sz<16>,)>::randn(4), ())
        });
        let mut x = Tensor::ones_on(device);
        let mut run = |from: u64| {
            call.set_call(from);
            call.run(&mut x, &()).unwrap().0.to_vec()
        };
        (0..4).chain([2]).map(&mut run).collect()
    };
    let (here, there) = (drawn(&Device::cpu()), drawn(&device));
    for (here, there) in here.iter().zip(&there) {
        close(here, there);
    }
    assert_ne!(there[1], there[2]);
    assert_eq!(there[2], there[4]);
}

#[test]
fn what_a_graph_cannot_do_is_an_error() {
    let Some(device) = gpu() else { return };
    let said = |f: &dyn Fn(&Tensor![3]) -> Tensor![]| -> String {
        let mut x: Tensor![3] = Tensor::ones_on(&device);
        let mut call = device.capture(|x: &mut Tensor![3], _: &()| (f(x), ()));
        call.run(&mut x, &()).unwrap();
        let said = catch_unwind(AssertUnwindSafe(|| match call.run(&mut x, &()) {
            Ok(_) => "nothing".to_string(),
            Err(error) => error.to_string(),
        }));
        // The state is what it was.
        assert_eq!(x.to_vec(), [1.0; 3]);
        said.unwrap_or_else(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_default())
    };
    let reads = said(&|x| {
        if x.sum().item() > 1.0 {
            x.sum()
        } else {
            x.max()
        }
    });
    assert!(
        reads.contains("is not possible while a graph is captured"),
        "{reads}"
    );
    let brings = said(&|x| (x * &tensor([1.0, 2.0, 3.0])).sum());
    assert!(
        brings.contains("is not possible while a graph is captured"),
        "{brings}"
    );
}

#[test]
fn the_step_of_an_optimiser_is_not_within() {
    let Some(device) = gpu() else { return };
    let mut w: Tensor![3] = Tensor::ones_on(&device);
    let mut call = device.capture(|w: &mut Tensor![3], x: &Tensor![3]| {
        let (value, grad) = energy::value_and_grad(w, x);
        let taken = Sgd::new(0.1).try_step(w, &grad);
        assert!(matches!(taken, Ok(_) | Err(OptimizerError::Captured)));
        (value, grad)
    });
    let x: Tensor![3] = Tensor::ones_on(&device);
    call.run(&mut w, &x).unwrap();
    let before = w.to_vec();
    call.run(&mut w, &x).unwrap();
    assert_eq!(w.to_vec(), before);
}

#[test]
fn a_state_on_another_device_is_named() {
    let Some(device) = gpu() else { return };
    let mut w: Tensor![3] = Tensor::ones();
    let mut call =
        device.capture(|w: &mut Tensor![3], x: &Tensor![3]| energy::value_and_grad(w, x));
    let x: Tensor![3] = Tensor::ones();
    let said = catch_unwind(AssertUnwindSafe(|| call.run(&mut w, &x).map(|_| ())));
    let said = said.unwrap_err();
    let said = said.downcast_ref::<String>().unwrap();
    assert!(said.contains("is on the cpu: bring it there"), "{said}");
}

#[test]
fn inputs_of_other_sizes_leave_the_graph_as_it_is() {
    #[differentiable]
    fn squares(w: &Tensor![], #[constant] x: &Tensor![Rows]) -> Tensor![] {
        (w * x).square().sum()
    }
    let Some(device) = gpu() else { return };
    let mut w: Tensor![] = Tensor::ones_on(&device);
    let mut call =
        device.capture(|w: &mut Tensor![], x: &Tensor![Rows]| squares::value_and_grad(w, x));
    for (k, rows) in [4, 4, 4, 3, 4, 3, 4].into_iter().enumerate() {
        let x = Tensor::full_with((Rows(rows),), k as f32);
        let (value, grad) = call.run(&mut w, &x).unwrap();
        let expected = (rows * k * k) as f32;
        assert_eq!(
            (value.item(), grad.item()),
            (expected, 2.0 * expected),
            "call {k}"
        );
    }
}

#[derive(Clone, Differentiable)]
struct Two {
    now: Tensor![2],
    before: Tensor![2],
}

#[test]
fn a_new_state_may_be_made_of_the_old_one() {
    let Some(device) = gpu() else { return };
    let states = |device: &Device| {
        let mut state = Two {
            now: tensor([1.0, 2.0]).to(device),
            before: Tensor::zeros_on(device),
        };
        let mut call = device.capture(|s: &mut Two, x: &Tensor![2]| {
            let out = s.now.clone();
            std::mem::swap(&mut s.now, &mut s.before);
            s.now = &s.before + x;
            (out, ())
        });
        let mut all = Vec::new();
        for k in 0..5 {
            let x = tensor([k as f32, 0.5]);
            let (out, ()) = call.run(&mut state, &x).unwrap();
            all.extend([out, state.now.clone(), state.before.clone()].map(|x| x.to_vec()));
        }
        all
    };
    assert_eq!(states(&device), states(&Device::cpu()));
}

#[test]
fn a_copy_of_a_state_that_is_written_stays() {
    let Some(device) = gpu() else { return };
    let mut state: Tensor![2] = Tensor::zeros_on(&device);
    let mut call = device.capture(|s: &mut Tensor![2], x: &Tensor![2]| {
        *s = &*s + x;
        ((), ())
    });
    let x = tensor([1.0, 2.0]);
    for k in 0..5_u8 {
        let copy = state.clone();
        assert_eq!(state.to_vec(), [f32::from(k), 2.0 * f32::from(k)]);
        call.run(&mut state, &x).unwrap();
        assert_eq!(copy.to_vec(), [f32::from(k), 2.0 * f32::from(k)]);
    }
}

#[test]
fn numbers_of_state_and_inputs_are_not_fixed() {
    let Some(device) = gpu() else { return };
    type State = (Tensor![2], f32);
    let mut state: State = (Tensor::ones_on(&device), 1.0);
    let mut call = device.capture(|(w, rate): &mut State, (x, factor): &(Tensor![2], f32)| {
        ((&*w * x * *factor * *rate).sum(), ())
    });
    for k in 0..6 {
        state.1 = if k < 3 { 1.0 } else { 10.0 };
        let factor = if k == 4 { -1.0 } else { 2.0 };
        let (value, ()) = call
            .run(&mut state, &(tensor([k as f32, 1.0]), factor))
            .unwrap();
        assert_eq!(
            value.item(),
            (k as f32 + 1.0) * factor * state.1,
            "call {k}"
        );
    }
}

#[test]
fn a_device_that_is_opened_again_is_the_same() {
    let Some(device) = gpu() else { return };
    let again = Device::Cuda(Cuda::of(cuda(&device).gpu().clone()));
    let mut x: Tensor![64] = Tensor::ones_on(&device);
    let mut call = again.capture(|x: &mut Tensor![64], _: &()| (x.dropout(0.5, 3), ()));
    let masks: Vec<_> = (0..4)
        .map(|_| call.run(&mut x, &()).unwrap().0.to_vec())
        .collect();
    assert_ne!(masks[2], masks[3]);
}
