//! The numbers of a run.

use crate::session::{Fetch, Wanted};
use autodiff_core::device::record::{Origin, Run};
use autodiff_core::device::{Backend, DType, Device, Elem, Layout, View};
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
    /// The elements of the buffer of a value, as `f64`s; `None` if the run did not need it, or if its elements are numbers
    /// with tangents.
    #[must_use]
    pub fn get(&self, value: usize) -> Option<&[f64]> {
        self.elements.get(&value).map(Vec::as_slice)
    }
}

impl Fetch for &Everything {
    type Out = Values;

    fn ask(&self, wanted: &mut Wanted<'_>) {
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
        let wanted = run.plan().wanted().to_vec();
        let mut elements = HashMap::new();
        for value in wanted {
            let (dtype, len) = (
                run.graph().values()[value].dtype(),
                run.graph().values()[value].len(),
            );
            if let Some(read) = reader(dtype) {
                elements.insert(value, read(run, device, value, len));
            }
        }
        Values { elements }
    }
}

type Reader = fn(&mut Run<'_>, &Device, usize, usize) -> Vec<f64>;

fn reader(dtype: DType) -> Option<Reader> {
    Some(match dtype {
        DType::F32 => read::<f32>,
        DType::F64 => read::<f64>,
        DType::I64 => read::<i64>,
        DType::U32 => read::<u32>,
        DType::U8 => read::<u8>,
        DType::Bool => read::<bool>,
        DType::Bf16 => read::<half::bf16>,
        DType::F16 => read::<half::f16>,
        DType::Dual | DType::MixedBf16 | DType::MixedF16 => return None,
    })
}

fn read<T: Elem>(run: &mut Run<'_>, device: &Device, value: usize, len: usize) -> Vec<f64> {
    let buffer = run.buffer::<T>(value);
    let layout = Layout::dense(autodiff_core::device::Dims::new(&[len]));
    let view = View {
        buf: &*buffer,
        layout,
    };
    let elements = device.download(view);
    let elements = elements.unwrap_or_else(|error| panic!("{error}"));
    elements.into_iter().map(T::to_f64).collect()
}
