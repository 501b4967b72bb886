//! A loop whose number of trips is known when the graph runs.

use super::branch::result;
use super::flow::{Flow, Leaves, Values, mapped};
use super::subgraph::{Leaf, Subgraph, captures, fresh, is_true, kinds, leaves, pointed, subgraph};
use crate::any::{Stack, by_dtype};
use autodiff_core::device::record::{AnyBuffer, Attr, GraphError, NodeOperand, Recorder, Run};
use autodiff_core::device::{DType, Device, Dims, Elem, Layout};
use autodiff_core::tensor::{Raw, Tensor};
use std::sync::Arc;

/// `body` applied to the state as long as `condition` of the state is true: when the graph runs, as often as it is then.
///
/// The functions may use other tensors around them. In annotated functions it has a derivative by `init` and by all that
/// `body` captures; it keeps the state before each trip. Elsewhere than on a recorder it is Rust's `while`.
///
/// ```
/// use differentiable::graph::{Feeds, Recording, Session, while_loop};
/// use differentiable::prelude::*;
///
/// /// Doubles until the sum is at least 100.
/// #[differentiable]
/// fn doubled(x: &Tensor![2], factor: &Tensor![]) -> Tensor![] {
///     let end = while_loop(
///         |x: &Tensor![2]| no_grad!(x.sum().lt(100.0)),
///         |x: &Tensor![2]| x * factor,
///         x,
///     );
///     end.sum()
/// }
///
/// let recording = Recording::new();
/// let x = recording.input("x", Default::default());
/// let factor = recording.input("factor", Default::default());
/// let (value, (by_x, _)) = recording.scope(|| doubled::value_and_grad(&x, &factor));
/// let mut session = Session::new(&recording, &Device::cpu());
/// let feeds = Feeds::new().with(&x, &tensor([1.0, 2.0])).with(&factor, &tensor(2.0));
/// let (value, by_x) = session.run((&value, &by_x), &feeds)?;
/// assert_eq!(value.item(), 192.0);
/// assert_eq!(by_x.to_vec(), [64.0, 64.0]); // six trips
/// # Ok::<(), differentiable::graph::GraphError>(())
/// ```
///
/// # Panics
/// While it is recorded, if `body` gives tensors of other sizes than its state has, which are known at run time only.
#[track_caller]
pub fn while_loop<X: Flow>(
    condition: impl Fn(&X) -> Tensor<(), bool>,
    body: impl Fn(&X) -> X,
    init: &X,
) -> X {
    match recorder_of(init) {
        Some(recorder) => {
            let condition = |x: &Values<X>| condition(&x.0);
            let body = |x: Values<X>| Values(body(&x.0));
            let init = Values(init.clone());
            record(&recorder, condition, body, init, false).0.0
        }
        None => {
            let mut x = init.clone();
            while condition(&x).item() {
                x = body(&x);
            }
            x
        }
    }
}

/// The recorder that a state is on.
pub(super) fn recorder_of<X: Flow>(x: &X) -> Option<Recorder> {
    let (_, devices) = mapped(Values(x.clone()), |_, x| x.device().clone());
    devices.into_iter().find_map(|device| match device {
        Device::Recorder(recorder) => Some(recorder),
        _ => None,
    })
}

/// The name of what a loop keeps for its derivative.
const STATES: &str = "states";

/// Whether a value is what a loop keeps for its derivative, which stays where the loop runs.
#[cfg(feature = "dist")]
pub(crate) fn is_states(graph: &crate::Graph, value: usize) -> bool {
    use autodiff_core::device::record::Origin;
    let Origin::Node(node) = *graph.values()[value].origin() else {
        return false;
    };
    let mut results = graph.nodes()[node].results().iter();
    results.any(|result| result.value == value && result.name == STATES)
}

/// What a recorded loop keeps: the value that holds its states.
pub(super) type States = Option<usize>;

/// Records it. With `keeps` the states are a value too.
#[track_caller]
pub(super) fn record<L: Leaves + Clone>(
    recorder: &Recorder,
    condition: impl FnOnce(&L) -> Tensor<(), bool>,
    body: impl FnOnce(L) -> L,
    init: L,
    keeps: bool,
) -> (L, States) {
    const NAME: &str = "while_loop";
    let (init, first) = leaves(init, recorder, "the state of `while_loop`");
    let (condition, _, _) = subgraph(recorder, NAME, || {
        let (state, inputs) = fresh(init.clone(), recorder, "state");
        (inputs, Values(condition(&state)))
    });
    let (body, _, made) = subgraph(recorder, NAME, || {
        let (state, inputs) = fresh(init.clone(), recorder, "state");
        (inputs, body(state))
    });
    let same =
        made.len() == first.len() && made.iter().zip(&first).all(|(a, b)| a.kind() == b.kind());
    assert!(
        same,
        "the body of `while_loop` makes {} of {}, expected a state of the same sizes",
        kinds(&made),
        kinds(&first)
    );
    let mut operands: Vec<NodeOperand> = first.iter().map(|leaf| leaf.operand("init")).collect();
    operands.extend(captures(&[&condition, &body]));
    let mut results: Vec<(&'static str, DType, Dims)> = first.iter().map(result).collect();
    if keeps {
        results.push((STATES, DType::U8, Dims::new(&[0])));
    }
    let attributes = vec![
        Attr::new("condition", Arc::new(condition.clone())),
        Attr::new("body", Arc::new(body.clone())),
    ];
    let init_values: Vec<usize> = first.iter().map(|leaf| leaf.value).collect();
    let leaf_kinds: Vec<(DType, Dims)> = first.iter().map(Leaf::kind).collect();
    let again = move |run: &mut Run<'_>, made: &[usize]| -> Result<(), GraphError> {
        let device = run.device().clone();
        let mut state: Vec<AnyBuffer> = init_values.iter().map(|&v| run.any_buffer(v)).collect();
        let (looks, goes) = (condition.capture(run), body.capture(run));
        let mut trips = Vec::new();
        loop {
            let pred = condition.run(run, &state, &looks)?.swap_remove(0);
            if !is_true(pred, Layout::dense(Dims::SCALAR), &device)? {
                break;
            }
            let next = body.run(run, &state, &goes)?;
            let before = core::mem::replace(&mut state, next);
            if keeps {
                trips.push(before);
            }
        }
        for (value, buffer) in made.iter().zip(state) {
            run.settle(*value, buffer);
        }
        if keeps {
            let kinds = leaf_kinds.clone();
            run.settle(made[leaf_kinds.len()], Arc::new(Stack { kinds, trips }));
        }
        Ok(())
    };
    let made = recorder.record(NAME, attributes, operands, &results, again);
    let states = keeps.then(|| made[first.len()]);
    (pointed(init, recorder, &made[..first.len()]), states)
}

/// Records the way back: `pull` takes a state, the cotangent of the one behind it and the sums for what the body captures,
/// and gives the cotangent of the state and the sums with its share.
#[track_caller]
pub(super) fn record_pullback<X: Leaves + Clone, T: Leaves + Clone, E: Leaves + Clone>(
    recorder: &Recorder,
    states: usize,
    (state, ct, sums): (X, T, E),
    pull: impl FnOnce(X, T, E) -> (T, E),
) -> (T, E) {
    const NAME: &str = "while_loop_pullback";
    let (ct, cts) = leaves(ct, recorder, "the cotangent of `while_loop`");
    let (sums, zeros) = leaves(sums, recorder, "what the body of `while_loop` captures");
    let (body, _, made) = subgraph(recorder, NAME, || {
        let (state, mut inputs) = fresh(state, recorder, "state");
        let (ct, more) = fresh(ct.clone(), recorder, "cotangent");
        inputs.extend(more);
        let (sums, more) = fresh(sums.clone(), recorder, "sum");
        inputs.extend(more);
        (inputs, pull(state, ct, sums))
    });
    assert_eq!(
        made.len(),
        cts.len() + zeros.len(),
        "the cotangents of a trip"
    );
    let mut operands = vec![NodeOperand {
        name: "states",
        value: states,
        layout: Layout::dense(Dims::new(&[0])),
    }];
    operands.extend(cts.iter().map(|leaf| leaf.operand("ct")));
    operands.extend(captures(&[&body]));
    let results: Vec<(&'static str, DType, Dims)> = made.iter().map(result).collect();
    let attributes = vec![Attr::new("body", Arc::new(body.clone()))];
    let ct_values: Vec<usize> = cts.iter().map(|leaf| leaf.value).collect();
    let sum_kinds: Vec<(DType, Dims)> = zeros.iter().map(Leaf::kind).collect();
    let again = move |run: &mut Run<'_>, made: &[usize]| {
        pull_back(run, made, &body, states, &ct_values, &sum_kinds)
    };
    let made = recorder.record(NAME, attributes, operands, &results, again);
    let (first, rest) = made.split_at(cts.len());
    (pointed(ct, recorder, first), pointed(sums, recorder, rest))
}

/// Runs a body over the states of a loop, the last first.
fn pull_back(
    run: &mut Run<'_>,
    made: &[usize],
    body: &Subgraph,
    states: usize,
    cts: &[usize],
    sums: &[(DType, Dims)],
) -> Result<(), GraphError> {
    let device = run.device().clone();
    let kept = run.any_buffer(states);
    let kept = kept.downcast_ref::<Stack>().expect("the states of a loop");
    let captured = body.capture(run);
    let mut out: Vec<AnyBuffer> = cts.iter().map(|&v| run.any_buffer(v)).collect();
    // −0 is the exact identity of addition, so that the first contribution is the sum bit by bit. Without a trip it is 0.
    let zero = if kept.trips.is_empty() { 0.0 } else { -0.0 };
    for kind in sums {
        out.push(filled(*kind, zero, &device)?);
    }
    for state in kept.trips.iter().rev() {
        let mut args = state.clone();
        args.append(&mut out);
        out = body.run(run, &args, &captured)?;
    }
    for (value, buffer) in made.iter().zip(out) {
        run.settle(*value, buffer);
    }
    Ok(())
}

fn filled((dtype, dims): (DType, Dims), x: f64, device: &Device) -> Result<AnyBuffer, GraphError> {
    by_dtype!(dtype, T => Ok(Raw::<T, Device>::full(device, dims, <T as Elem>::from_f64(x)).alone()),
    else Err(GraphError::Device {
        device: device.to_string(),
        error: format!("a loop does not sum up elements of the type {dtype}"),
    }))
}
