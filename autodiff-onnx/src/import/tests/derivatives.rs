//! Pullbacks and pushforwards against central differences, in `f64`.

use super::archive;
use super::{case, numbers, run};
use crate::import::program::Program;
use crate::import::tape::Tape;
use crate::import::value::{Array, Value};

/// The value with elements of `f64`, if they are floats.
fn double(value: &Value) -> Value {
    match value {
        Value::F32(x) => Value::F64(Array::plain(x.raw.cast(), x.known)),
        other => other.clone(),
    }
}

/// A value with the elements `x + step·t`.
fn moved(value: &Value, t: &[f64], step: f64) -> Value {
    let x = numbers(value);
    let all: Vec<f64> = x.iter().zip(t).map(|(x, t)| x + step * t).collect();
    let mut array = Array::host(value.dims(), &all).unwrap();
    array.known = false;
    Value::F64(array)
}

fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
}

/// `Σ c·y` of the outputs that are floats.
fn weighted(outputs: &[Value], cts: &[Vec<f64>]) -> f64 {
    let pairs = outputs.iter().zip(cts);
    let floats = pairs.filter(|(y, _)| matches!(y, Value::F64(_)));
    floats
        .map(|(y, c)| numbers(y).iter().zip(c).map(|(y, c)| y * c).sum::<f64>())
        .sum()
}

fn check(name: &str, program: &Program, inputs: &[Value]) -> bool {
    let mut seed = 7;
    let tape = Tape::default();
    let mut given = inputs.to_vec();
    let mut slots = Vec::new();
    for value in &mut given {
        if let Value::F64(x) = value {
            x.slot = Some(tape.slot());
            slots.push(x.slot.unwrap());
        }
    }
    let outputs = run(program, given, &tape);
    let followed: Vec<Option<usize>> = outputs.iter().map(Value::slot).collect();
    if slots.is_empty() || followed.iter().all(Option::is_none) {
        return false;
    }
    let steps = tape.finish();
    let draw = |seed: &mut u64, x: &Value| -> Vec<f64> {
        (0..x.dims().numel()).map(|_| random(seed)).collect()
    };
    let floats: Vec<&Value> = inputs
        .iter()
        .filter(|x| matches!(x, Value::F64(_)))
        .collect();
    let ts: Vec<Vec<f64>> = floats.iter().map(|x| draw(&mut seed, x)).collect();
    let cts: Vec<Vec<f64>> = outputs.iter().map(|y| draw(&mut seed, y)).collect();
    // Central differences along the tangent.
    let at = |step: f64| {
        let mut next = ts.iter();
        let moved: Vec<Value> = inputs
            .iter()
            .map(|x| match x {
                Value::F64(_) => moved(x, next.next().unwrap(), step),
                other => other.clone(),
            })
            .collect();
        weighted(&run(program, moved, &Tape::default()), &cts)
    };
    let step = 1e-6;
    let difference = (at(step) - at(-step)) / (2.0 * step);
    // The pushforward.
    let mut tangents = steps.zeros();
    for ((slot, t), x) in slots.iter().zip(&ts).zip(&floats) {
        tangents.add(*slot, Array::host(x.dims(), t).unwrap().raw);
    }
    steps.push(&mut tangents);
    let along: Vec<Value> = followed
        .iter()
        .zip(&outputs)
        .map(|(slot, y)| {
            let t = slot.and_then(|slot| tangents.get_any(slot));
            t.unwrap_or_else(|| moved(y, &vec![0.0; y.dims().numel()], 0.0))
        })
        .collect();
    let along: f64 = along
        .iter()
        .zip(&followed)
        .zip(&cts)
        .filter(|((_, slot), _)| slot.is_some())
        .map(|((t, _), c)| numbers(t).iter().zip(c).map(|(t, c)| t * c).sum::<f64>())
        .sum();
    // The pullback.
    let mut back = steps.zeros();
    for ((slot, ct), y) in followed.iter().zip(&cts).zip(&outputs) {
        if let Some(slot) = slot {
            back.add(*slot, Array::host(y.dims(), ct).unwrap().raw);
        }
    }
    steps.pull(&mut back);
    let pulled: f64 = slots
        .iter()
        .zip(&ts)
        .filter_map(|(slot, t)| {
            let ct = back.take_any(*slot)?;
            Some(numbers(&ct).iter().zip(t).map(|(c, t)| c * t).sum::<f64>())
        })
        .sum();
    let scale = 1.0 + difference.abs();
    assert!(
        (pulled - along).abs() < 1e-10 * scale,
        "{name}: pullback {pulled}, pushforward {along}"
    );
    assert!(
        (pulled - difference).abs() < 2e-7 * scale,
        "{name}: pullback {pulled}, difference {difference}"
    );
    true
}

#[test]
fn every_operator_has_the_derivatives_of_differences() {
    let mut checked = 0;
    for record in archive::read("operators.bin") {
        let (mut program, inputs) = case(&record);
        for (_, value) in &mut program.constants {
            *value = double(value);
        }
        let casts = [
            "Cast",
            "CastLike",
            "Range",
            "ConstantOfShape",
            "EyeLike",
            "OneHot",
            "Constant",
            "Round",
        ];
        if casts.contains(&record.name.split(' ').next().unwrap()) {
            continue;
        }
        let inputs: Vec<Value> = inputs.iter().map(double).collect();
        checked += usize::from(check(&record.name, &program, &inputs));
    }
    assert!(checked > 130, "{checked}");
}
