//! Every operation for all examples at once, as `vmap!(#[batched] ..)` runs it, beside one example after the other.

use crate::check::numbers;
use differentiable::ad::{Differentiable, DifferentiableFn, Tangent, map_tensors};
use differentiable::device::{AnyStorage, Batch, BinaryOp, Elem};
use differentiable::prelude::*;
use differentiable::tensor::Raw;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

const EXAMPLES: usize = 3;

/// Lets `change` change every tensor of an element type.
fn each<T: Elem>(x: &mut impl ToDevice, mut change: impl FnMut(&mut Raw<T, Device>)) {
    x.each_storage(&mut |x: &mut dyn AnyStorage| {
        let x: &mut dyn Any = x;
        if let Some(x) = x.downcast_mut() {
            change(x);
        }
    });
}

fn all(x: &(impl ToDevice + Clone)) -> Vec<Raw<f64, Device>> {
    let mut found = Vec::new();
    each::<f64>(&mut x.clone(), |x| found.push(x.clone()));
    found
}

/// Several values as one whose tensors have a part for each; of those that `shared` names only the first.
fn together<X: ToDevice + Clone>(values: &[X], shared: &[bool], batch: Batch) -> X {
    fn join<T: Elem, X: ToDevice + Clone>(
        whole: &mut X,
        values: &[X],
        shared: &[bool],
        batch: Batch,
    ) {
        let mut parts: Vec<Vec<Raw<T, Device>>> = Vec::new();
        for value in values {
            let mut k = 0;
            each::<T>(&mut value.clone(), |x| {
                parts.resize(parts.len().max(k + 1), Vec::new());
                parts[k].push(x.unsqueeze(0));
                k += 1;
            });
        }
        let mut k = 0;
        each::<T>(whole, |x| {
            if !shared.get(k).is_some_and(|s| *s) {
                let stacked = Raw::concat(0, &parts[k].iter().collect::<Vec<_>>());
                *x = stacked
                    .as_examples(batch)
                    .expect("the device knows examples");
            }
            k += 1;
        });
    }
    let mut whole = values[0].clone();
    join::<f64, X>(&mut whole, values, shared, batch);
    join::<i64, X>(&mut whole, values, &[], batch);
    join::<bool, X>(&mut whole, values, &[], batch);
    whole
}

/// That the tensors of `whole` have these parts.
#[track_caller]
fn same(name: &str, whole: &[Raw<f64, Device>], parts: &[Vec<Raw<f64, Device>>], batch: Batch) {
    for (k, whole) in whole.iter().enumerate() {
        let whole = whole.of_examples(batch);
        for (e, part) in parts.iter().enumerate() {
            let (a, b) = (whole.index(0, e).to_vec(), part[k].to_vec());
            assert_eq!(a.len(), b.len(), "{name}: sizes of tensor {k}");
            for (a, b) in a.iter().zip(&b) {
                let close = (a - b).abs() <= 1e-9 * (1.0 + b.abs()) || a.to_bits() == b.to_bits();
                assert!(
                    close,
                    "{name}: tensor {k} of example {e}: {a} at once, {b} alone"
                );
            }
        }
    }
}

/// What the host asks for where there is no one number.
const UNSEEN: &str = "computes all examples at once";

/// Arguments that examples share: all tensors differ, one is shared, all but one are.
fn patterns(tensors: usize) -> Vec<Vec<bool>> {
    let one = (0..tensors).map(|k| (0..tensors).map(|i| i == k).collect());
    let others = (0..tensors).map(|k| (0..tensors).map(|i| i != k).collect());
    let several = one.chain(others).filter(|_: &Vec<bool>| tensors > 1);
    std::iter::once(vec![false; tensors])
        .chain(several)
        .collect()
}

/// An example of the arguments; the first is as they are.
fn example<Args: ToDevice + Clone>(args: &Args, shared: &[bool], e: usize) -> Args {
    let (mut one, mut k) = (args.clone(), 0);
    each::<f64>(&mut one, |x| {
        if !shared[k] {
            let by = Raw::scalar(x.device(), 1.0 + 0.01 * e as f64);
            *x = Raw::binary(BinaryOp::Mul, x.clone(), by);
        }
        k += 1;
    });
    one
}

/// A direction. A number is the same for all examples, and so is its tangent.
fn direction<A: Tangent>(zero: A, seed: u64) -> A {
    map_tensors(zero.fill_with(&mut numbers(seed)), |x| {
        if let Some(x) = x.downcast_mut::<f64>() {
            *x = 0.3;
        }
    })
}

/// Values, gradients and tangents of a function for all examples at once are those of each, unless it reads a number of one.
#[track_caller]
pub fn check_examples<F, Args>(name: &str, args: &Args)
where
    F: DifferentiableFn<Args, Output: ToDevice + Clone>,
    Args: Differentiable<Tangent: ToDevice> + ToDevice + Clone,
    <F::Output as Differentiable>::Tangent: ToDevice,
{
    for shared in patterns(all(args).len()) {
        let one = |e| example(args, &shared, e);
        let examples: Vec<Args> = (0..EXAMPLES).map(one).collect();
        let values: Vec<_> = examples.iter().map(F::call).collect();
        let seeded = |seeds: std::ops::Range<u64>| values.iter().zip(seeds);
        let cts = seeded(1..9).map(|(x, s)| direction(x.zero_tangent(), s));
        let cts: Vec<_> = cts.collect();
        let ways = examples.iter().zip(11..);
        let ways: Vec<_> = ways.map(|(x, s)| direction(x.zero_tangent(), s)).collect();
        let batch = Batch::new(EXAMPLES);
        let whole = together(&examples, &shared, batch);
        let run = || {
            batch.reverse(|| {
                let grads = F::vjp(&whole, together(&cts, &[], batch));
                let tangent = F::jvp(&whole, &together(&ways, &[], batch)).1;
                (F::call(&whole), grads, tangent)
            })
        };
        let (value, grads, tangent) = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(results) => results,
            Err(e) => {
                let written = e.downcast_ref::<String>().map(String::as_str);
                let message = written.or(e.downcast_ref::<&str>().copied());
                let message = message.unwrap_or("a panic without a message");
                assert!(message.contains(UNSEEN), "{name}: {message}");
                return;
            }
        };
        let of_each =
            |what: &str, whole: &[Raw<f64, Device>], parts: Vec<Vec<Raw<f64, Device>>>| {
                same(&format!("{what} of {name}"), whole, &parts, batch);
            };
        of_each("values", &all(&value), values.iter().map(all).collect());
        let pulled = examples.iter().zip(&cts);
        let pulled = pulled.map(|(x, ct)| all(&F::vjp(x, ct.clone())));
        of_each("gradients", &all(&grads), pulled.collect());
        let pushed = examples
            .iter()
            .zip(&ways)
            .map(|(x, t)| all(&F::jvp(x, t).1));
        of_each("tangents", &all(&tangent), pushed.collect());
    }
}
