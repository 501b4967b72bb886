//! The numbers of a run.

use crate::any::{Stack, by_dtype, typed};
use crate::session::{Fetch, Wanted};
use autodiff_core::device::record::{AnyBuffer, Origin, Run};
use autodiff_core::device::{Backend, Device, Dims, Elem, Layout, View};
use std::collections::HashMap;

/// Fetches every value that the outputs need, for a [`Picture`](crate::Picture) or to look into a program.
///
/// ```
/// use differentiable::graph::{Everything, Feeds, Recording, Session};
/// use differentiable::prelude::*;
///
/// let recording = Recording::new();
/// let x: Tensor![f64; 2] = recording.input("x", Default::default());
/// recording.output("y", &(x.square() + 1.0));
/// let mut session = Session::new(&recording, &Device::cpu());
/// let values = session.run(&Everything, &Feeds::new().with(&x, &tensor([2.0, 3.0])))?;
/// let made: Vec<_> = recording.graph().nodes().iter().map(|n| n.results()[0].value).collect();
/// assert_eq!(values.get(made[0]), Some(&[4.0, 9.0][..]));
/// assert_eq!(values.get(made[1]), Some(&[5.0, 10.0][..]));
/// # Ok::<(), differentiable::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

/// The elements of values, by their numbers in the graph: what fetching [`Everything`] gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    elements: HashMap<usize, Vec<f64>>,
}

impl Values {
    /// The elements of the buffer of a value, as `f64`s; `None` if the run did not need it, if its elements are numbers with
    /// tangents, or if it is what a loop keeps for its derivative.
    #[must_use]
    pub fn get(&self, value: usize) -> Option<&[f64]> {
        self.elements.get(&value).map(Vec::as_slice)
    }
}

impl Fetch for Everything {
    type Out = Values;

    fn ask(&self, wanted: &mut Wanted) {
        let graph = wanted.recorder.graph();
        let outputs: Vec<usize> = graph.outputs().iter().map(|o| o.value).collect();
        let plan = graph.plan(&outputs);
        let made = plan
            .order()
            .iter()
            .flat_map(|&n| graph.nodes()[n].results());
        let mut all: Vec<usize> = made
            .map(|r| r.value)
            .chain(plan.given().iter().copied())
            .collect();
        let is_there = |&v: &usize| !matches!(graph.values()[v].origin(), Origin::Unwritten);
        all.extend(outputs.into_iter().filter(is_there));
        all.sort_unstable();
        all.dedup();
        wanted.values.extend(all);
    }

    fn take(&self, run: &mut Run<'_>, device: &Device) -> Values {
        // Over ranks, what other ranks assign is not here.
        let mut wanted = run.plan().wanted().to_vec();
        wanted.retain(|&value| run.has(value));
        let mut elements = HashMap::new();
        for value in wanted {
            let buffer = run.any_buffer(value);
            if !buffer.is::<Stack>() {
                let dtype = run.graph().values()[value].dtype();
                elements.extend(
                    by_dtype!(dtype, T => Some((value, read::<T>(buffer, device))), else None),
                );
            }
        }
        Values { elements }
    }
}

fn read<T: Elem>(buffer: AnyBuffer, device: &Device) -> Vec<f64> {
    let buffer = typed::<T>(buffer);
    let layout = Layout::dense(Dims::new(&[Device::len(&buffer)]));
    let view = View {
        buf: &*buffer,
        layout,
    };
    let elements = device.download(view);
    let elements = elements.unwrap_or_else(|error| panic!("{error}"));
    elements.into_iter().map(T::to_f64).collect()
}
