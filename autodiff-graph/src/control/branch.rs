//! One of two functions, which a truth value chooses when the graph runs.

use super::flow::{Flow, Leaves, Values};
use super::subgraph::{Leaf, captures, is_true, kinds, pointed, subgraph};
use autodiff_core::device::record::{Attr, GraphError, NodeOperand, Recorder, Run};
use autodiff_core::device::{DType, Device, DeviceBuf, Dims};
use autodiff_core::tensor::Tensor;
use std::sync::Arc;

/// `then(x)` where `pred` is true, else `otherwise(x)`: when the graph runs, and one of the two only.
///
/// The functions may use other tensors around them. In annotated functions it has a derivative by `x` and by all that the
/// functions capture. Elsewhere than on a recorder it is Rust's `if`.
///
/// ```
/// use differentiable::graph::{Feeds, Recording, Session, cond};
/// use differentiable::prelude::*;
///
/// #[differentiable]
/// fn leaky(x: &Tensor![3], slope: &Tensor![]) -> Tensor![] {
///     let positive = no_grad!(x.sum().gt(0.0));
///     cond(&positive, |x: &Tensor![3]| x.sum(), |x: &Tensor![3]| x.sum() * slope, x)
/// }
///
/// let recording = Recording::new();
/// let x = recording.input("x", Default::default());
/// let slope = recording.input("slope", Default::default());
/// let (value, (by_x, by_slope)) = recording.scope(|| leaky::value_and_grad(&x, &slope));
///
/// let mut session = Session::new(&recording, &Device::cpu());
/// for given in [tensor([1.0, 2.0, 3.0]), tensor([-1.0, -2.0, -3.0])] {
///     let feeds = Feeds::new().with(&x, &given).with(&slope, &tensor(0.5));
///     let (value, by_x, by_slope) = session.run((&value, &by_x, &by_slope), &feeds)?;
///     let (expected, (eager_by_x, eager_by_slope)) = leaky::value_and_grad(&given, &tensor(0.5));
///     assert_eq!(value.item(), expected.item());
///     assert_eq!(by_x.to_vec(), eager_by_x.to_vec());
///     assert_eq!(by_slope.item(), eager_by_slope.item());
/// }
/// # Ok::<(), differentiable::graph::GraphError>(())
/// ```
///
/// # Panics
/// While it is recorded, if the functions give tensors of different sizes, which are known at run time only.
#[track_caller]
pub fn cond<X: ?Sized, Y: Flow>(
    pred: &Tensor<(), bool>,
    then: impl Fn(&X) -> Y,
    otherwise: impl Fn(&X) -> Y,
    x: &X,
) -> Y {
    match pred.device() {
        Device::Recorder(recorder) => {
            let branches = (|| Values(then(x)), || Values(otherwise(x)));
            record(recorder, "cond", pred, branches.0, branches.1).0
        }
        _ if pred.item() => then(x),
        _ => otherwise(x),
    }
}

/// Records it.
#[track_caller]
pub(super) fn record<L: Leaves>(
    recorder: &Recorder,
    operation: &'static str,
    pred: &Tensor<(), bool>,
    then: impl FnOnce() -> L,
    otherwise: impl FnOnce() -> L,
) -> L {
    let (then, out, made) = subgraph(recorder, operation, || (Vec::new(), then()));
    let (otherwise, _, other) = subgraph(recorder, operation, || (Vec::new(), otherwise()));
    let same =
        made.len() == other.len() && made.iter().zip(&other).all(|(a, b)| a.kind() == b.kind());
    assert!(
        same,
        "the functions of `{operation}` give {} and {}, expected tensors of the same sizes",
        kinds(&made),
        kinds(&other)
    );
    let view = pred.raw().view();
    let DeviceBuf::Recorded(buf) = view.buf else {
        unreachable!("the predicate is on a recorder")
    };
    let (pred, layout) = (buf.value(), view.layout);
    let mut operands = vec![NodeOperand {
        name: "pred",
        value: pred,
        layout,
    }];
    operands.extend(captures(&[&then, &otherwise]));
    let results: Vec<(&'static str, DType, Dims)> = made.iter().map(result).collect();
    let (then, otherwise) = (Arc::new(then), Arc::new(otherwise));
    let attributes = vec![
        Attr::new("then", Arc::new((*then).clone())),
        Attr::new("otherwise", Arc::new((*otherwise).clone())),
    ];
    let again = move |run: &mut Run<'_>, made: &[usize]| -> Result<(), GraphError> {
        let device = run.device().clone();
        let taken = match is_true(run.any_buffer(pred), layout, &device)? {
            true => &then,
            false => &otherwise,
        };
        let captured = taken.capture(run);
        let out = taken.run(run, &[], &captured)?;
        for (value, buffer) in made.iter().zip(out) {
            run.settle(*value, buffer);
        }
        Ok(())
    };
    let made = recorder.record(operation, attributes, operands, &results, again);
    pointed(out, recorder, &made)
}

/// A result of a node for a tensor.
pub(super) fn result(leaf: &Leaf) -> (&'static str, DType, Dims) {
    ("out", leaf.dtype, leaf.dims)
}
