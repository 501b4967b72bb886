//! A graph on a device.

use super::graph::{Graph, Origin};
use super::plan::Plan;
use crate::device::*;
use core::any::Any;
use std::sync::Arc;

/// Why a graph could not run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// An operation met an index outside its range.
    #[error("`{operation}`, recorded at {location}: {error}")]
    Index {
        /// The method of [`Backend`].
        operation: &'static str,
        /// The line of the program that asked for it.
        location: String,
        /// Which index, and where.
        error: IndexError,
    },
    /// A matrix could not be factorised.
    #[error("`{operation}`, recorded at {location}: it fails for matrix {matrix} of the batch")]
    Factorise {
        /// The method of `Linalg`.
        operation: &'static str,
        /// The line of the program that asked for it.
        location: String,
        /// The number of the first matrix that failed.
        matrix: usize,
    },
    /// An input that the values need is not given.
    #[error("the input `{name}` is not given, expected {expected}")]
    Missing {
        /// The name of the input.
        name: String,
        /// Its type and sizes.
        expected: String,
    },
    /// Elements are given for a value that is no input.
    #[error(
        "elements are given for {found}, which an operation makes: expected an input or a variable"
    )]
    NoInput {
        /// Its type and sizes.
        found: String,
    },
    /// Elements of other sizes than those of an input, which are known at run time only.
    #[error("the input `{name}` is {expected}, found {found}")]
    Sizes {
        /// The name of the input.
        name: String,
        /// Its type and sizes.
        expected: String,
        /// The sizes of the elements.
        found: String,
    },
}

/// A buffer of any type of elements on a device.
pub type AnyBuffer = Arc<dyn Any + Send + Sync>;

/// A graph that runs: the buffers of its values.
#[derive(Debug)]
pub struct Run<'g> {
    graph: &'g Graph,
    plan: &'g Plan,
    device: Device,
    buffers: Vec<Option<AnyBuffer>>,
    /// The place of the node that runs, in the order of the plan.
    now: usize,
    /// Random numbers other than those that were recorded.
    draw: Option<u64>,
}

impl<'g> Run<'g> {
    /// A run that has not begun.
    pub fn new(graph: &'g Graph, plan: &'g Plan, device: &Device) -> Self {
        Run {
            graph,
            plan,
            device: device.clone(),
            buffers: vec![None; graph.values.len()],
            now: 0,
            draw: None,
        }
    }

    /// Draws random numbers that depend on `seed` too. Without it they are those that were recorded.
    pub fn draw(&mut self, seed: u64) {
        self.draw = Some(seed);
    }

    /// The seed with which a node draws that was recorded with `seed`.
    pub(super) fn seed(&self, seed: u64) -> u64 {
        self.draw.map_or(seed, |draw| mix(seed ^ mix(draw)))
    }

    /// The same for the dropout of an attention.
    pub(super) fn shape(&self, shape: AttentionShape) -> AttentionShape {
        let dropout = shape.dropout.map(|(rate, seed)| (rate, self.seed(seed)));
        AttentionShape { dropout, ..shape }
    }

    /// Gives an input its buffer, or a constant one that a run before has made.
    pub fn give(&mut self, value: usize, buffer: AnyBuffer) {
        self.buffers[value] = Some(buffer);
    }

    /// Runs the nodes.
    ///
    /// # Errors
    /// An input that is not given, an index outside its range, a matrix that cannot be factorised.
    pub fn run(&mut self) -> Result<(), GraphError> {
        let (graph, plan) = (self.graph, self.plan);
        for &number in &plan.given {
            let value = &graph.values[number];
            if let (Origin::Input(name), None) = (&value.origin, &self.buffers[number]) {
                return Err(GraphError::Missing {
                    name: name.to_string(),
                    expected: value.kind(),
                });
            }
        }
        for (at, &node) in plan.order.iter().enumerate() {
            self.now = at;
            (graph.nodes[node].again)(self)?;
            for &value in &plan.free[at] {
                self.buffers[value] = None;
            }
        }
        Ok(())
    }

    /// The buffer of a value that was made or given, or of a constant.
    ///
    /// # Panics
    /// If the run does not need it.
    pub fn any_buffer(&mut self, value: usize) -> AnyBuffer {
        let value = self.plan.stands_for(value);
        let buffer = &mut self.buffers[value];
        if let (None, Origin::Constant(constant)) = (&buffer, &self.graph.values[value].origin) {
            *buffer = Some(constant.on(&self.device));
        }
        buffer.clone().expect("a value of this run")
    }

    /// The buffers of constants, for the next run on the device.
    pub fn constants(&self) -> impl Iterator<Item = (usize, AnyBuffer)> + '_ {
        let given = self.plan.given.iter();
        given.filter_map(|&number| match self.graph.values[number].origin {
            Origin::Constant(_) => Some((number, self.buffers[number].clone()?)),
            _ => None,
        })
    }

    /// The graph that runs.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// What is run of it.
    pub fn plan(&self) -> &'g Plan {
        self.plan
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    /// The same, with the type of its elements.
    ///
    /// # Panics
    /// As [`any_buffer`](Run::any_buffer), and if it has other elements.
    pub fn buffer<T: Elem>(&mut self, value: usize) -> Arc<DeviceBuf<T>> {
        if let Origin::Unwritten = self.graph.values[value].origin {
            // An empty operand, or one that is not looked at.
            return Arc::new(self.device.alloc(self.graph.values[value].len));
        }
        let buffer = self.any_buffer(value);
        buffer
            .downcast()
            .expect("a buffer of the type of its value")
    }

    /// A buffer to write to: that of `base` where nobody reads it later, else a copy of it.
    pub(super) fn owned<T: Elem>(&mut self, base: usize) -> DeviceBuf<T> {
        let value = &self.graph.values[base];
        let before = match value.origin {
            Origin::Unwritten => return self.device.alloc(value.len),
            Origin::Node(_) if self.plan.takes(self.now, base) => {
                let buffer = self.buffers[self.plan.stands_for(base)].take();
                let buffer = buffer.expect("a value that was made before");
                buffer
                    .downcast()
                    .expect("a buffer of the type of its value")
            }
            _ => self.buffer(base),
        };
        match Arc::try_unwrap(before) {
            Ok(buffer) => buffer,
            Err(before) => self.copy_of(&before, self.graph.values[base].len),
        }
    }

    fn copy_of<T: Elem>(&self, before: &DeviceBuf<T>, len: usize) -> DeviceBuf<T> {
        let layout = Layout::dense(Dims::new(&[len]));
        let mut buf = self.device.alloc(len);
        let x = View {
            buf: before,
            layout,
        };
        let out = ViewMut {
            buf: &mut buf,
            layout,
        };
        self.device.copy(x, out);
        buf
    }

    pub(super) fn settle(&mut self, value: usize, buffer: AnyBuffer) {
        self.buffers[value] = Some(buffer);
    }
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): each bit of the result depends on all of `x`.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
