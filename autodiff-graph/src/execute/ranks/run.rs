//! A rank runs its part.

use super::agree::{State, agree};
use super::travel::{failed, pack, unpack};
use super::{Cut, RankPart};
use crate::execute::Execution;
use crate::execute::todo::{Do, Uses, message, name};
use autodiff_core::device::record::{AnyBuffer, GraphError, Origin, Run};
use autodiff_core::device::{DType, Dims};
use autodiff_dist::dist::{Numbers, Pending, Ranks};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The tag of messages between the parts of a graph.
const TAG: u16 = 0x6700;

/// The ranks of a run, and how it is cut for them.
#[derive(Clone, Copy)]
pub(crate) struct Over<'x> {
    pub ranks: &'x Ranks,
    pub cut: &'x Cut,
}

/// Why a rank cannot go on.
enum Stop {
    Failed(GraphError),
    /// Another rank could not.
    Waited,
    /// A rank is gone: there is nobody to agree with.
    Lost(GraphError),
}

impl From<GraphError> for Stop {
    fn from(error: GraphError) -> Self {
        Stop::Failed(error)
    }
}

/// Runs the part of this rank, with what the run is given, and gives the run what is kept. `ready` is an error that this rank knows
/// before, which all ranks hear of.
pub(crate) fn run(
    execution: &Execution<'_>,
    over: Over<'_>,
    ready: Result<(), GraphError>,
    run: &mut Run<'_>,
) -> Result<(), GraphError> {
    let Over { ranks, cut } = over;
    let part = &cut.parts[ranks.rank()];
    // Ranks that draw other random numbers run another program.
    let program = cut.fingerprint ^ execution.draw.map_or(0, |seed| seed.rotate_left(32) ^ 1);
    let mut work = Work::new(execution, part, ranks);
    let ready = ready.and_then(|()| work.take_given(run));
    let state = ready.map_or_else(State::Failed, |()| State::Fine);
    agree(ranks, program, state)?;
    let end = match work.all() {
        Ok(()) => State::Fine,
        Err(Stop::Failed(error)) => State::Failed(error),
        Err(Stop::Waited) => State::Waited,
        Err(Stop::Lost(error)) => return Err(error),
    };
    agree(ranks, program, end)?;
    for &value in &part.kept {
        run.give(value, Arc::clone(&work.buffers[&value]));
    }
    Ok(())
}

/// A part that runs.
struct Work<'w> {
    execution: &'w Execution<'w>,
    part: &'w RankPart,
    ranks: &'w Ranks,
    uses: Uses,
    buffers: HashMap<usize, AnyBuffer>,
    /// Values under way, with the ranks that send them.
    pending: HashMap<usize, (usize, Pending)>,
}

impl<'w> Work<'w> {
    fn new(execution: &'w Execution<'w>, part: &'w RankPart, ranks: &'w Ranks) -> Self {
        let mut uses = Uses::default();
        let read = part.nodes().flat_map(|node| execution.reads(node));
        let sent = part.sends().map(|(value, _)| value);
        let kept = part.kept.iter().copied();
        read.chain(sent).chain(kept).for_each(|v| uses.count(v));
        Work {
            execution,
            part,
            ranks,
            uses,
            buffers: HashMap::new(),
            pending: HashMap::new(),
        }
    }

    /// Takes the inputs, variables and constants that the part uses.
    fn take_given(&mut self, run: &mut Run<'_>) -> Result<(), GraphError> {
        let received: Vec<usize> = self.part.receives().map(|(value, _)| value).collect();
        let given = self.execution.plan.given().iter();
        for &value in given.filter(|v| self.uses.has(**v) && !received.contains(v)) {
            let of = &self.execution.graph.values()[value];
            match of.origin() {
                Origin::Input(name) if !run.has(value) => {
                    return Err(GraphError::Missing {
                        name: name.to_string(),
                        expected: of.kind(),
                    });
                }
                _ => drop(self.buffers.insert(value, run.any_buffer(value))),
            }
        }
        Ok(())
    }

    fn kind(&self, value: usize) -> (DType, Dims) {
        let value = &self.execution.graph.values()[value];
        (value.dtype(), *value.dims())
    }

    /// Does everything. After an error it goes on to send and receive, so that others hear of it and no message is left over.
    fn all(&mut self) -> Result<(), Stop> {
        let mut stopped = None;
        let part = self.part;
        for &todo in &part.todo {
            match (todo, &stopped) {
                (Do::Receive { .. }, Some(Stop::Lost(_))) | (Do::Run(_), Some(_)) => {}
                (Do::Receive { value, from }, _) => {
                    let come = self.ranks.receive(from, TAG);
                    self.pending.insert(value, (from, come));
                }
                (Do::Send { value, to }, Some(_)) => self.post(failed(self.kind(value).0), to),
                (Do::Send { value, to }, None) => {
                    if let Err(stop) = self.guarded(|work| work.send(value, to)) {
                        // What could not be sent is expected nevertheless.
                        self.post(failed(self.kind(value).0), to);
                        stopped = Some(stop);
                    }
                }
                (Do::Run(node), None) => stopped = self.guarded(|work| work.step(node)).err(),
            }
        }
        let mut left: Vec<usize> = self.pending.keys().copied().collect();
        left.sort_unstable();
        for value in left {
            if matches!(stopped, Some(Stop::Lost(_))) {
                break;
            }
            let come = self.guarded(|work| work.wait(value));
            stopped = match (stopped, come) {
                (None | Some(Stop::Waited), Err(stop)) => Some(stop),
                (Some(_), Err(lost @ Stop::Lost(_))) => Some(lost),
                (stopped, _) => stopped,
            };
        }
        stopped.map_or(Ok(()), Err)
    }

    /// A panic is an error of this rank, of which the others hear.
    fn guarded(&mut self, f: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let device = format!("rank {}, {}", self.ranks.rank(), self.execution.device);
        catch_unwind(AssertUnwindSafe(|| f(self))).unwrap_or_else(|panic| {
            let error = message(&*panic);
            Err(Stop::Failed(GraphError::Part { device, error }))
        })
    }

    /// Begins to send. Nobody need wait for what is under way: the engine keeps it.
    fn post(&self, x: Numbers, to: usize) {
        drop(self.ranks.send(x, to, TAG));
    }

    fn send(&mut self, value: usize, to: usize) -> Result<(), Stop> {
        let buffer = self.uses.next(&mut self.buffers, value);
        let buffer = buffer.expect("a buffer that is here");
        let device = self.execution.device;
        let x = pack(&buffer, self.kind(value), device).map_err(|why| GraphError::Device {
            device: format!("rank {} on {device}", self.ranks.rank()),
            error: format!(
                "{} cannot be sent to rank {to}: {why}",
                self.described(value)
            ),
        })?;
        self.post(x, to);
        Ok(())
    }

    /// A value, and the node that makes it.
    fn described(&self, value: usize) -> String {
        let graph = self.execution.graph;
        let of = &graph.values()[value];
        let made = match of.origin() {
            Origin::Node(node) => {
                let node = &graph.nodes()[*node];
                let (operation, location) = (node.operation(), node.location());
                format!(", made by `{operation}`, recorded at {location},")
            }
            _ => String::new(),
        };
        format!("`{}: {}`{made}", name(graph, value), of.kind())
    }

    /// Waits for a value that is under way.
    fn wait(&mut self, value: usize) -> Result<(), Stop> {
        let Some((rank, pending)) = self.pending.remove(&value) else {
            return Ok(());
        };
        let numbers = pending.wait().map_err(|error| {
            Stop::Lost(GraphError::Exchange {
                value: self.described(value),
                rank,
                error: error.to_string(),
            })
        })?;
        let buffer = unpack(numbers, self.kind(value), self.execution.device);
        self.buffers.insert(value, buffer.ok_or(Stop::Waited)?);
        Ok(())
    }

    fn step(&mut self, node: usize) -> Result<(), Stop> {
        for value in self.execution.reads(node) {
            self.wait(value)?;
        }
        let mut made = Vec::new();
        let (execution, uses, buffers) = (self.execution, &mut self.uses, &mut self.buffers);
        let read = |v| uses.next(buffers, v);
        execution.step(execution.device, node, read, |v, b| made.push((v, b)))?;
        let used = made.into_iter().filter(|(v, _)| self.uses.has(*v));
        self.buffers.extend(used);
        Ok(())
    }
}
