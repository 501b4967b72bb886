//! Functions that run as graphs.

mod arguments;
mod retraced;

pub use arguments::{Argument, Arguments, Function};
pub use retraced::{Retraced, retrace};

use crate::Graph;
use crate::any::{AnyTensor, kind};
use crate::control::Flow;
use crate::execute::{Execution, Placed, begun};
use autodiff_core::device::record::{AnyBuffer, GraphError, Plan, Recorder};
use autodiff_core::device::{DType, Device, Dims};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

/// A function that was recorded once, for arguments of fixed sizes, and runs by a plan: what [`compile`] gives.
///
/// Buffers of values that nobody reads any more are those of the next ones.
#[derive(Debug)]
pub struct Compiled<Y> {
    device: Device,
    graph: Graph,
    plan: Plan,
    /// The inputs, in order, with their types and sizes.
    inputs: Vec<(usize, DType, Dims)>,
    /// The result, recorded.
    out: Y,
    values: Vec<usize>,
    parallel: bool,
    constants: Mutex<HashMap<usize, AnyBuffer>>,
}

/// Records a function for arguments with the types and sizes of these, and gives it back as one that runs by a plan. It works
/// on the device of the arguments.
///
/// The function is an annotated one, its `value_and_grad`, or a closure over tensors; it takes up to six arguments by
/// reference. Modules are arguments as [`Whole(&net)`](crate::Whole). What else it uses must be computed inside of it. `if`s
/// and loops of the function are those of the example; numbers that it draws are the same in each call.
///
/// ```
/// use differentiable::graph::compile;
/// use differentiable::prelude::*;
///
/// #[differentiable]
/// fn loss(w: &Tensor![3], #[constant] x: &Tensor![3]) -> Tensor![] {
///     (w * x).sum().square()
/// }
///
/// let (w, x) = (tensor([1.0, 2.0, 3.0]), tensor([1.0, 0.0, 2.0]));
/// let compiled = compile(loss, (&w, &x));
/// assert_eq!(compiled.call((&w, &x))?.item(), 49.0);
/// let slope = compile(|w: &_, x: &_| loss::value_and_grad(w, x), (&w, &x));
/// let (value, by_w) = slope.call((&w, &x))?;
/// assert_eq!((value.item(), by_w.to_vec()), (49.0, vec![14.0, 0.0, 28.0]));
/// # Ok::<(), differentiable::graph::GraphError>(())
/// ```
///
/// # Panics
/// If the function reads a number that depends on its arguments, or uses a tensor that is neither an argument nor made inside
/// of it.
#[track_caller]
pub fn compile<A, F>(function: F, example: A) -> Compiled<F::Out>
where
    A: Arguments,
    F: Function<A>,
{
    record(&function, &example)
}

#[track_caller]
fn record<A, F>(function: &F, example: &A) -> Compiled<F::Out>
where
    A: Arguments,
    F: Function<A>,
{
    let recorder = Recorder::new();
    let there = Device::Recorder(recorder.clone());
    let (mut inputs, mut device) = (Vec::new(), None);
    let own = example.owned(&mut |x: &mut dyn AnyTensor| {
        device.get_or_insert_with(|| x.device().clone());
        let (dtype, dims) = (x.dtype(), *x.layout().dims());
        let value = x.renew(&recorder, &format!("argument{}", inputs.len()));
        inputs.push((value, dtype, dims));
    });
    let mut out = there.scope(|| function.call(&own));
    let mut values = Vec::new();
    out.__each(&mut |x: &mut dyn AnyTensor| {
        let device = x.device().clone();
        assert!(
            device == there,
            "what the function gives is on {device}, expected a tensor that depends on its arguments or is made inside of it"
        );
        x.lie_alone();
        values.extend(x.value());
    });
    let graph = Graph::new(recorder.graph());
    Compiled {
        device: device.unwrap_or_else(Device::current),
        plan: graph.plan(&values),
        graph,
        inputs,
        out,
        values,
        parallel: false,
        constants: Mutex::default(),
    }
}

impl<Y: Flow> Compiled<Y> {
    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// As [`Session::parallel`](crate::Session::parallel).
    #[must_use]
    pub fn parallel(mut self, parallel: bool) -> Self {
        self.parallel = parallel;
        self
    }

    fn constants(&self) -> MutexGuard<'_, HashMap<usize, AnyBuffer>> {
        // Buffers that are there stay right, whatever happened since.
        self.constants.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// What the function gives for these arguments.
    ///
    /// # Errors
    /// If arguments have other sizes than those that it was recorded for, an index is outside its range, or a matrix cannot
    /// be factorised.
    pub fn call<A: Arguments>(&self, args: A) -> Result<Y, GraphError> {
        let mut given: HashMap<usize, AnyBuffer> = self.constants().clone();
        let (mut at, mut wrong) = (0, None);
        args.owned(&mut |x: &mut dyn AnyTensor| {
            let found = (x.dtype(), *x.layout().dims());
            match self.inputs.get(at) {
                Some(&(value, dtype, dims)) if (dtype, dims) == found => {
                    given.insert(value, x.brought(&self.device));
                }
                expected => {
                    wrong.get_or_insert_with(|| GraphError::Sizes {
                        name: format!("argument{at}"),
                        expected: expected
                            .map_or("no argument".into(), |(_, dtype, dims)| kind(*dtype, dims)),
                        found: kind(found.0, &found.1),
                    });
                }
            }
            at += 1;
        });
        if let Some(error) = wrong {
            return Err(error);
        }
        let placed = Placed::default();
        let execution = Execution {
            graph: &self.graph,
            plan: &self.plan,
            device: &self.device,
            draw: None,
            parallel: self.parallel,
            placed: &placed,
        };
        let mut run = begun((&self.graph, &self.plan), &self.device, None, given);
        execution.run(&mut run)?;
        let mut values = self.values.iter();
        let mut out = self.out.clone();
        out.__each(&mut |x: &mut dyn AnyTensor| {
            let value = values.next().expect("a value for each tensor");
            x.take(&self.device, run.any_buffer(*value));
        });
        let known = self.constants().len();
        let constants: Vec<_> = run.constants().collect();
        if constants.len() > known {
            self.constants().extend(constants);
        }
        Ok(out)
    }
}
