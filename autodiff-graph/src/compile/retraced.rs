//! Functions whose arguments have sizes that are known at run time.

use super::{Arguments, Compiled, Function, record};
use crate::any::AnyTensor;
use autodiff_core::device::record::GraphError;
use autodiff_core::device::{DType, Dims};
use core::fmt;

/// A function that is recorded once for each set of sizes of its arguments: what [`retrace`] gives.
pub struct Retraced<F, Y> {
    function: F,
    capacity: usize,
    /// The one that was used last stands last.
    graphs: Vec<(Sizes, Compiled<Y>)>,
    recorded: usize,
}

type Sizes = Vec<(DType, Dims)>;

/// As [`compile`](super::compile), for arguments of any sizes: the function is recorded when it is called with new ones. At most
/// `capacity` graphs are kept, those that were used last.
///
/// ```
/// use differentiable::graph::retrace;
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[differentiable]
/// fn mean(x: &Tensor![Batch, 2]) -> Tensor![] {
///     x.mean()
/// }
///
/// let mut mean = retrace(mean, 4);
/// for n in [3, 5, 3] {
///     let x: Tensor![Batch, 2] = Tensor::ones_with((Batch(n), Sz));
///     assert_eq!(mean.call((&x,))?.item(), 1.0);
/// }
/// assert_eq!(mean.recorded(), 2);
/// # Ok::<(), differentiable::graph::GraphError>(())
/// ```
///
/// # Panics
/// If `capacity` is 0.
#[track_caller]
pub fn retrace<F, Y>(function: F, capacity: usize) -> Retraced<F, Y> {
    assert!(capacity > 0, "the number of graphs is 0, expected at least 1");
    Retraced {
        function,
        capacity,
        graphs: Vec::new(),
        recorded: 0,
    }
}

impl<F, Y> fmt::Debug for Retraced<F, Y> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retraced")
            .field("graphs", &self.graphs.len())
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

impl<F, Y> Retraced<F, Y> {
    /// How often the function was recorded.
    pub fn recorded(&self) -> usize {
        self.recorded
    }

    /// What the function gives for these arguments.
    ///
    /// # Errors
    /// As [`Compiled::call`], but for the sizes.
    ///
    /// # Panics
    /// As [`compile`](super::compile), while the function is recorded.
    #[track_caller]
    pub fn call<A>(&mut self, args: A) -> Result<Y, GraphError>
    where
        A: Arguments,
        F: Function<A, Out = Y>,
        Y: crate::control::Flow,
    {
        let mut sizes = Sizes::new();
        args.owned(&mut |x: &mut dyn AnyTensor| sizes.push((x.dtype(), *x.layout().dims())));
        match self.graphs.iter().position(|(of, _)| *of == sizes) {
            Some(at) => self.graphs[at..].rotate_left(1),
            None => {
                if self.graphs.len() == self.capacity {
                    self.graphs.remove(0);
                }
                let compiled = record(&self.function, &args);
                self.recorded += 1;
                self.graphs.push((sizes, compiled));
            }
        }
        let (_, compiled) = self.graphs.last().expect("the graph of these sizes");
        compiled.call(args)
    }
}
