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
    /// An input has elements twice.
    #[error("`{name}` is given twice, expected once")]
    Twice {
        /// The name of the input, or the type and sizes of the value.
        name: String,
    },
    /// A tensor of the body of a control-flow operation is used outside of it.
    #[error(
        "a tensor of a body of `{operation}`, recorded at {location}, is used outside of it: expected a result of `{operation}`"
    )]
    Inside {
        /// The operation: `cond` or `while_loop`.
        operation: &'static str,
        /// The line of the program that asked for it.
        location: String,
    },
    /// Nothing bears the name.
    #[error("nothing is named `{name}`, expected one of {known}")]
    Unnamed {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// What bears a name has another type of elements or other sizes.
    #[error("`{name}` is {found}, expected {expected}")]
    Kind {
        /// The name.
        name: String,
        /// What was asked for.
        expected: String,
        /// What it is.
        found: String,
    },
    /// An optimiser could not take its step.
    #[error(transparent)]
    Optimizer(#[from] crate::optim::OptimizerError),
    /// Two things that run change one variable.
    #[error("`{name}` is assigned twice in one run, expected once")]
    AssignedTwice {
        /// The variable.
        name: String,
    },
    /// A run does not fit into the memory that it may take.
    #[error("{error}")]
    Budget {
        /// What it takes at least.
        error: String,
    },
    /// Contents that were saved do not fit the variables.
    #[error("what was saved does not fit: {error}")]
    Saved {
        /// What does not fit, and what was expected.
        error: String,
    },
    /// A part of a graph that is placed on a device failed in a way that it does not describe itself.
    #[error("the part on {device} failed: {error}")]
    Part {
        /// The device.
        device: String,
        /// What happened there.
        error: String,
    },
    /// A node is placed on a device that the run does not have.
    #[error("`{operation}`, recorded at {location}, is placed on {device}: it cannot run there")]
    Placement {
        /// The method of [`Backend`].
        operation: &'static str,
        /// The line of the program that asked for it.
        location: String,
        /// Where it is placed.
        device: String,
    },
    /// A node is placed on a rank that there is not.
    #[error(
        "`{operation}`, recorded at {location}, is placed on rank {rank} of {size}: place it on a rank below {size}"
    )]
    NoRank {
        /// The method of [`Backend`].
        operation: &'static str,
        /// The line of the program that asked for it.
        location: String,
        /// Where it is placed.
        rank: usize,
        /// The number of ranks.
        size: usize,
    },
    /// Ranks that run a graph together run two graphs, or fetch or give other values.
    #[error(
        "rank {rank} runs another program than rank 0: record the same on all ranks, and fetch and give the same values in each run"
    )]
    Programs {
        /// The first rank that differs from rank 0.
        rank: usize,
    },
    /// Another rank could not run its part.
    #[error("rank {rank} could not run its part: {error}")]
    Rank {
        /// The rank.
        rank: usize,
        /// Its error.
        error: String,
    },
    /// A value did not come from the rank that makes it.
    #[error(
        "{value} did not come from rank {rank}: {error}; start the ranks again from what was saved"
    )]
    Exchange {
        /// The value, and the node that makes it.
        value: String,
        /// The rank that sends it.
        rank: usize,
        /// What happened.
        error: String,
    },
    /// The ranks could not agree on a run.
    #[error("the ranks cannot run a graph together: {error}; start them again from what was saved")]
    Ranks {
        /// What happened.
        error: String,
    },
    /// A device reported an error.
    #[error("{device} reports: {error}")]
    Device {
        /// The device.
        device: String,
        /// What it reports.
        error: String,
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
    buffers: Buffers,
    now: Now,
    /// Random numbers other than those that were recorded.
    draw: Option<u64>,
}

/// The node that runs.
#[derive(Clone, Copy, Debug)]
enum Now {
    /// That at a place in the order of the plan.
    At(usize),
    /// One that runs alone, with the buffers that it is given.
    Alone(usize),
}

/// The buffers of values.
#[derive(Debug)]
enum Buffers {
    /// By number.
    All(Vec<Option<AnyBuffer>>),
    /// Of the few values that one node, or a body of control flow, has to do with.
    Few(Vec<(usize, AnyBuffer)>),
}

impl Buffers {
    fn get(&self, value: usize) -> Option<&AnyBuffer> {
        match self {
            Buffers::All(all) => all[value].as_ref(),
            Buffers::Few(few) => few.iter().find(|(v, _)| *v == value).map(|(_, b)| b),
        }
    }

    fn take(&mut self, value: usize) -> Option<AnyBuffer> {
        match self {
            Buffers::All(all) => all[value].take(),
            Buffers::Few(few) => {
                let at = few.iter().position(|(v, _)| *v == value)?;
                Some(few.swap_remove(at).1)
            }
        }
    }

    fn put(&mut self, value: usize, buffer: AnyBuffer) {
        match self {
            Buffers::All(all) => all[value] = Some(buffer),
            Buffers::Few(few) => match few.iter_mut().find(|(v, _)| *v == value) {
                Some((_, before)) => *before = buffer,
                None => few.push((value, buffer)),
            },
        }
    }
}

impl<'g> Run<'g> {
    /// A run that has not begun.
    pub fn new(graph: &'g Graph, plan: &'g Plan, device: &Device) -> Self {
        Run {
            graph,
            plan,
            device: device.clone(),
            buffers: Buffers::All(vec![None; graph.values.len()]),
            now: Now::At(0),
            draw: None,
        }
    }

    /// A run of another graph on the same device, that of a body of control flow: it draws the same random numbers.
    pub fn within<'h>(&self, graph: &'h Graph, plan: &'h Plan) -> Run<'h> {
        Run {
            graph,
            plan,
            device: self.device.clone(),
            buffers: Buffers::Few(Vec::new()),
            now: Now::At(0),
            draw: self.draw,
        }
    }

    /// For one [`step`](Run::step): a buffer that it is given is overwritten if it is its only owner.
    pub fn single(graph: &'g Graph, plan: &'g Plan, device: &Device, draw: Option<u64>) -> Self {
        Run {
            graph,
            plan,
            device: device.clone(),
            buffers: Buffers::Few(Vec::new()),
            now: Now::Alone(0),
            draw,
        }
    }

    /// Runs one node, whose operands are there.
    ///
    /// # Errors
    /// As [`run`](Run::run).
    pub fn step(&mut self, node: usize) -> Result<(), GraphError> {
        self.now = Now::Alone(node);
        (self.graph.nodes[node].again)(self)
    }

    /// Whether the node that runs writes into the buffer of `base`, instead of a copy.
    fn takes(&self, base: usize) -> bool {
        match self.now {
            Now::At(at) => self.plan.takes(at, base),
            // Unless it reads what it writes over.
            Now::Alone(node) => {
                let reads = self.graph.reads(&self.graph.nodes[node]);
                let base = self.plan.stands_for(base);
                reads.filter(|&v| self.plan.stands_for(v) == base).count() == 1
            }
        }
    }

    /// The graph.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Takes the buffer of a value out of the run, if it has one.
    pub fn take(&mut self, value: usize) -> Option<AnyBuffer> {
        self.buffers.take(self.plan.stands_for(value))
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
        self.buffers.put(value, buffer);
    }

    /// Looks whether the inputs that are needed are given.
    ///
    /// # Errors
    /// One that is not.
    pub fn check(&self) -> Result<(), GraphError> {
        let (graph, plan) = (self.graph, self.plan);
        for &number in &plan.given {
            let value = &graph.values[number];
            let (Origin::Input(name), None) = (&value.origin, self.buffers.get(number)) else {
                continue;
            };
            let inside = graph.bodies.iter().find(|(own, ..)| own.contains(&number));
            return Err(match inside {
                Some((_, operation, location)) => GraphError::Inside {
                    operation,
                    location: location.to_string(),
                },
                None => GraphError::Missing {
                    name: name.to_string(),
                    expected: value.kind(),
                },
            });
        }
        Ok(())
    }

    /// Runs the nodes.
    ///
    /// # Errors
    /// An input that is not given, an index outside its range, a matrix that cannot be factorised.
    pub fn run(&mut self) -> Result<(), GraphError> {
        self.check()?;
        let (graph, plan) = (self.graph, self.plan);
        for (at, &node) in plan.order.iter().enumerate() {
            self.now = Now::At(at);
            (graph.nodes[node].again)(self)?;
            for &value in &plan.free[at] {
                self.buffers.take(value);
            }
        }
        Ok(())
    }

    /// Whether [`any_buffer`](Run::any_buffer) gives the buffer of a value.
    pub fn has(&self, value: usize) -> bool {
        let value = self.plan.stands_for(value);
        let is_constant = matches!(self.graph.values[value].origin, Origin::Constant(_));
        is_constant || self.buffers.get(value).is_some()
    }

    /// The buffer of a value that was made or given, or of a constant.
    ///
    /// # Panics
    /// If the run does not need it.
    pub fn any_buffer(&mut self, value: usize) -> AnyBuffer {
        let value = self.plan.stands_for(value);
        if let Some(buffer) = self.buffers.get(value) {
            return Arc::clone(buffer);
        }
        let Origin::Constant(constant) = &self.graph.values[value].origin else {
            panic!("value {value} is not of this run");
        };
        let buffer = constant.on(&self.device);
        self.buffers.put(value, Arc::clone(&buffer));
        buffer
    }

    /// The buffers of constants, for the next run on the device.
    pub fn constants(&self) -> impl Iterator<Item = (usize, AnyBuffer)> + '_ {
        let given = self.plan.given.iter();
        given.filter_map(|&number| match self.graph.values[number].origin {
            Origin::Constant(_) => Some((number, self.buffers.get(number)?.clone())),
            _ => None,
        })
    }

    /// What is run of the graph.
    pub fn plan(&self) -> &'g Plan {
        self.plan
    }

    /// Where it runs.
    pub fn device(&self) -> &Device {
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
            Origin::Node(_) if self.takes(base) => {
                let buffer = self.buffers.take(self.plan.stands_for(base));
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

    /// Takes what a node made. It is dropped where the run was given something else for it.
    pub fn settle(&mut self, value: usize, buffer: AnyBuffer) {
        if let Origin::Node(_) = self.graph.values[value].origin {
            self.buffers.put(value, buffer);
        }
    }
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): each bit of the result depends on all of `x`.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
