//! Runs formulas on symbols until all their paths are known.
//!
//! Symbols are `Copy` and have no room for a recorder, so it stands beside them: one for each thread, with a run for each
//! formula that is being recorded, since named formulas nest.

use super::formula::{Block, End, Formula, NamedFormula, Operation, Order, Step, Value};
use super::sym::Sym;
use std::cell::RefCell;
use std::collections::HashMap;

/// A formula may have so many paths.
pub const MAX_PATHS: usize = 256;

/// What makes two steps the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Number(u64, u64),
    Apply(Operation, Vec<Value>),
    Call(usize, Vec<Value>),
}

#[derive(Clone, Debug)]
enum Event {
    Step(Value, Step),
    Branch(Order, Value, Value),
}

/// One run of a formula.
#[derive(Default)]
struct Run {
    events: Vec<Event>,
    made: HashMap<Key, Value>,
    decided: HashMap<(Order, Value, Value), bool>,
    /// The ways to take at the first comparisons.
    ahead: Vec<bool>,
    /// How many comparisons there were.
    branches: usize,
    next: usize,
}

#[derive(Default)]
struct Recorder {
    runs: Vec<Run>,
    functions: Vec<NamedFormula>,
    /// Their positions by name, parameters and inputs.
    named: HashMap<(&'static str, Vec<u64>, usize), usize>,
}

thread_local!(static RECORDER: RefCell<Recorder> = RefCell::default());

fn current<R>(act: impl FnOnce(&mut Run) -> R) -> R {
    RECORDER.with_borrow_mut(|r| {
        let run = r.runs.last_mut();
        act(run.expect("symbols are numbers of formulas that are being recorded"))
    })
}

fn make(key: Key, step: impl FnOnce() -> Step) -> Value {
    current(|run| {
        if let Some(made) = run.made.get(&key) {
            return *made;
        }
        let value = Value::at(run.next);
        run.next += 1;
        run.made.insert(key, value);
        run.events.push(Event::Step(value, step()));
        value
    })
}

/// A constant.
pub fn number(narrow: f64, wide: f64) -> Value {
    let key = Key::Number(narrow.to_bits(), wide.to_bits());
    make(key, || Step::Number(narrow, wide))
}

/// An operation.
pub fn apply(operation: Operation, operands: &[Value]) -> Value {
    make(Key::Apply(operation, operands.to_vec()), || {
        Step::Apply(operation, operands.to_vec())
    })
}

/// The answer of a comparison on this path.
pub fn decide(order: Order, left: Value, right: Value) -> bool {
    if let (Some(left), Some(right)) = (left.constant(), right.constant()) {
        return order.holds(left, right);
    }
    current(|run| {
        if let Some(decided) = run.decided.get(&(order, left, right)) {
            return *decided;
        }
        let way = run.ahead.get(run.branches).copied().unwrap_or(true);
        run.branches += 1;
        run.decided.insert((order, left, right), way);
        run.events.push(Event::Branch(order, left, right));
        way
    })
}

/// A call of a named formula, which is recorded where it is new.
pub fn call(
    name: &'static str,
    parameters: &[f64],
    operands: &[Value],
    formula: &dyn Fn(&[Sym]) -> Sym,
) -> Value {
    let bits = parameters.iter().map(|p| p.to_bits()).collect();
    let key = (name, bits, operands.len());
    let known = RECORDER.with_borrow(|r| r.named.get(&key).copied());
    let function = known.unwrap_or_else(|| {
        let body = paths(operands.len(), &|inputs| vec![formula(inputs)]);
        RECORDER.with_borrow_mut(|r| {
            r.functions.push(NamedFormula {
                name,
                parameters: parameters.to_vec(),
                inputs: operands.len(),
                body,
            });
            r.named.insert(key, r.functions.len() - 1);
            r.functions.len() - 1
        })
    });
    make(Key::Call(function, operands.to_vec()), || {
        Step::Call(function, operands.to_vec())
    })
}

/// Records a formula.
pub fn formula(name: &str, inputs: usize, formula: &dyn Fn(&[Sym]) -> Vec<Sym>) -> Formula {
    // What a formula records inside of itself is a formula of its own.
    let around = RECORDER.take();
    let body = paths(inputs, formula);
    let functions = RECORDER.replace(around).functions;
    Formula {
        name: name.to_owned(),
        inputs,
        outputs: outputs(&body).unwrap_or_else(|(a, b)| {
            panic!("the formula `{name}` gives {a} values on one path and {b} on another")
        }),
        functions,
        body,
    }
}

fn outputs(block: &Block) -> Result<usize, (usize, usize)> {
    match &block.end {
        End::Give(values) => Ok(values.len()),
        End::If {
            then, otherwise, ..
        } => {
            let (a, b) = (outputs(then)?, outputs(otherwise)?);
            if a == b { Ok(a) } else { Err((a, b)) }
        }
    }
}

fn paths(inputs: usize, formula: &dyn Fn(&[Sym]) -> Vec<Sym>) -> Block {
    let inputs: Vec<Sym> = (0..inputs).map(|k| Sym(Value::at(k))).collect();
    let mut count = 0;
    along(&inputs, formula, Vec::new(), 0, &mut count)
}

/// What follows the first `known` events on the path that takes the ways `ahead`.
fn along(
    inputs: &[Sym],
    formula: &dyn Fn(&[Sym]) -> Vec<Sym>,
    ahead: Vec<bool>,
    known: usize,
    count: &mut usize,
) -> Block {
    assert!(
        *count < MAX_PATHS,
        "a formula has more than {MAX_PATHS} paths: give its parts names by `Real::formula`"
    );
    let begun = Run {
        ahead: ahead.clone(),
        next: inputs.len(),
        ..Run::default()
    };
    RECORDER.with_borrow_mut(|r| r.runs.push(begun));
    let values = formula(inputs);
    let run = RECORDER.with_borrow_mut(|r| r.runs.pop());
    let events = run.expect("the run has begun").events;
    let mut steps = Vec::new();
    for (at, event) in events.into_iter().enumerate().skip(known) {
        match event {
            Event::Step(sym, step) => steps.push((sym, step)),
            Event::Branch(order, left, right) => {
                let mut way = |way| {
                    let ahead = ahead.iter().copied().chain([way]).collect();
                    Box::new(along(inputs, formula, ahead, at + 1, count))
                };
                let (then, otherwise) = (way(true), way(false));
                let end = End::If {
                    order,
                    left,
                    right,
                    then,
                    otherwise,
                };
                return Block { steps, end };
            }
        }
    }
    *count += 1;
    Block {
        steps,
        end: End::Give(values.iter().map(|v| v.0).collect()),
    }
}
