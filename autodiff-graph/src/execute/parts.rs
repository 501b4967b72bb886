//! A graph on several devices: cut into parts, one for each device, with nodes that send and receive what flows between them.
//!
//! Each part runs on a thread of its own, in the order of the graph. A value that another part reads is sent as soon as it
//! is made, once, and received where it is first read. There is a channel for each pair of parts. A part that fails drops its
//! ends, so that whoever waits for it fails too, and nobody waits for ever.

use super::todo::{self, Do, Uses, message};
use super::{Execution, Placed, maker, reads};
use crate::any::bring;
use autodiff_core::device::Device;
use autodiff_core::device::record::{AnyBuffer, Graph, GraphError, Plan, Run};
use core::fmt;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The nodes of a graph that run on one device, with what they send to other parts and receive from them.
///
/// It prints with a line for each node.
#[derive(Clone, Debug)]
pub struct Part {
    number: usize,
    device: Device,
    todo: Vec<Do>,
    /// Of `todo`, in words.
    lines: Vec<String>,
}

impl Part {
    /// Where it runs.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The numbers of its nodes in the graph, in order.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        todo::nodes(&self.todo)
    }

    /// The values that it sends, each with the number of the part that receives it.
    pub fn sends(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        todo::sends(&self.todo)
    }

    /// The values that it receives, each with the number of the part that sends it.
    pub fn receives(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        todo::receives(&self.todo)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "part {} on {}:", self.number, self.device)?;
        self.lines
            .iter()
            .try_for_each(|line| writeln!(f, "  {line}"))
    }
}

/// Cuts what a plan runs. The first part is on the device of the session, which also has the inputs and takes the results.
pub(crate) fn cut(
    graph: &Graph,
    plan: &Plan,
    home: &Device,
    placed: &Placed,
) -> Result<Vec<Part>, GraphError> {
    let part = |number, device: &Device| Part {
        number,
        device: device.clone(),
        todo: Vec::new(),
        lines: Vec::new(),
    };
    placed.check_scopes(graph, Clone::clone)?;
    let mut parts = vec![part(0, home)];
    let mut of_node = HashMap::new();
    for &number in plan.order() {
        let node = &graph.nodes()[number];
        let device = placed.of(node).unwrap_or(home);
        if let Device::Recorder(_) = device {
            return Err(GraphError::Placement {
                operation: node.operation(),
                location: node.location().to_string(),
                device: device.to_string(),
            });
        }
        let at = parts.iter().position(|p| p.device == *device);
        let at = at.unwrap_or_else(|| {
            parts.push(part(parts.len(), device));
            parts.len() - 1
        });
        of_node.insert(number, at);
    }
    // Who reads what from where.
    let mut sent: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    let mut received = BTreeSet::new();
    for &number in plan.order() {
        let to = of_node[&number];
        for value in reads(graph, plan, number) {
            if let Some(maker) = maker(graph, plan, value)
                && of_node[&maker] != to
                && received.insert((value, to))
            {
                sent.entry(maker).or_default().push((value, to));
            }
        }
    }
    let mut there = BTreeSet::new();
    for &number in plan.order() {
        let at = of_node[&number];
        for value in reads(graph, plan, number) {
            if let Some(maker) = maker(graph, plan, value)
                && of_node[&maker] != at
                && there.insert((value, at))
            {
                let from = of_node[&maker];
                parts[at].todo.push(Do::Receive { value, from });
            }
        }
        parts[at].todo.push(Do::Run(number));
        for &(value, to) in sent.get(&number).into_iter().flatten() {
            parts[at].todo.push(Do::Send { value, to });
        }
    }
    for part in &mut parts {
        part.lines = part
            .todo
            .iter()
            .map(|todo| todo.line(graph, "part"))
            .collect();
    }
    Ok(parts)
}

/// The ends of the channels of a part, by the number of the other one.
struct Ends {
    to: Vec<Option<Sender<(usize, AnyBuffer)>>>,
    from: Vec<Option<Receiver<(usize, AnyBuffer)>>>,
}

/// A part that could not go on.
enum Stop {
    Failed(GraphError),
    /// Because another one did not.
    Waited,
}

impl From<GraphError> for Stop {
    fn from(error: GraphError) -> Self {
        Stop::Failed(error)
    }
}

/// Runs the parts, and gives `run` what is wanted.
pub(super) fn run(execution: &Execution<'_>, run: &mut Run<'_>) -> Result<(), GraphError> {
    let (graph, plan, home) = (execution.graph, execution.plan, execution.device);
    let parts = cut(graph, plan, home, execution.placed)?;
    let given = plan.given().iter().map(|&v| (v, run.any_buffer(v)));
    let given: HashMap<usize, AnyBuffer> = given.collect();
    let n = parts.len();
    let mut ends: Vec<Ends> = (0..n)
        .map(|_| Ends {
            to: (0..n).map(|_| None).collect(),
            from: (0..n).map(|_| None).collect(),
        })
        .collect();
    for from in 0..n {
        for to in (0..n).filter(|to| *to != from) {
            let (sender, receiver) = channel();
            ends[from].to[to] = Some(sender);
            ends[to].from[from] = Some(receiver);
        }
    }
    let devices: Vec<Device> = parts.iter().map(|p| p.device.clone()).collect();
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = parts
            .iter()
            .zip(ends)
            .map(|(part, ends)| {
                let (given, devices) = (&given, &devices);
                scope.spawn(move || {
                    let at_work = AssertUnwindSafe(|| work(execution, part, devices, given, ends));
                    catch_unwind(at_work).unwrap_or_else(|panic| {
                        Err(Stop::Failed(GraphError::Part {
                            device: part.device.to_string(),
                            error: message(&*panic),
                        }))
                    })
                })
            })
            .collect();
        let join = |t: std::thread::ScopedJoinHandle<'_, _>| {
            t.join().expect("panics are caught in the thread")
        };
        threads.into_iter().map(join).collect()
    });
    let mut waited = None;
    let mut results = Vec::new();
    for (part, outcome) in parts.iter().zip(outcomes) {
        match outcome {
            Ok(made) => results.push((part, made)),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Waited) => waited = Some(part),
        }
    }
    if let Some(part) = waited {
        return Err(GraphError::Part {
            device: part.device.to_string(),
            error: "another part ended before it sent what this one reads".into(),
        });
    }
    for (part, made) in results {
        for (value, buffer) in made {
            let of = &graph.values()[value];
            run.give(
                value,
                bring(&buffer, (of.dtype(), *of.dims()), &part.device, home)?,
            );
        }
    }
    Ok(())
}

/// Runs a part. Gives what it has made of what is wanted.
fn work(
    execution: &Execution<'_>,
    part: &Part,
    devices: &[Device],
    given: &HashMap<usize, AnyBuffer>,
    ends: Ends,
) -> Result<Vec<(usize, AnyBuffer)>, Stop> {
    let (graph, plan, device) = (execution.graph, execution.plan, &part.device);
    let kind = |value: usize| (graph.values()[value].dtype(), *graph.values()[value].dims());
    let own: BTreeSet<usize> = part.nodes().collect();
    let is_own = |v: &usize| execution.maker(*v).is_some_and(|node| own.contains(&node));
    let wanted = plan.wanted().iter().map(|&v| plan.stands_for(v));
    let wanted: BTreeSet<usize> = wanted.filter(is_own).collect();
    let mut uses = Uses::default();
    let read = part.nodes().flat_map(|node| execution.reads(node));
    let sent = part.sends().map(|(value, _)| value);
    for value in read.chain(sent).chain(wanted.iter().copied()) {
        uses.count(value);
    }
    let mut buffers: HashMap<usize, AnyBuffer> = HashMap::new();
    for (&value, buffer) in given.iter().filter(|(v, _)| uses.has(**v)) {
        buffers.insert(value, bring(buffer, kind(value), &devices[0], device)?);
    }
    for todo in &part.todo {
        match *todo {
            Do::Receive { value, from } => {
                let receiver = ends.from[from]
                    .as_ref()
                    .expect("a channel between two parts");
                // Values of another part come in the order in which they are read here, or earlier.
                while !buffers.contains_key(&value) {
                    let (number, buffer) = receiver.recv().map_err(|_| Stop::Waited)?;
                    let buffer = bring(&buffer, kind(number), &devices[from], device)?;
                    buffers.insert(number, buffer);
                }
            }
            Do::Send { value, to } => {
                let sender = ends.to[to].as_ref().expect("a channel between two parts");
                let buffer = uses
                    .next(&mut buffers, value)
                    .expect("a buffer that was made here");
                // A part that is gone says itself why.
                let _gone = sender.send((value, buffer));
            }
            Do::Run(node) => {
                let mut made = Vec::new();
                execution.step(
                    device,
                    node,
                    |v| uses.next(&mut buffers, v),
                    |v, b| made.push((v, b)),
                )?;
                buffers.extend(made.into_iter().filter(|(v, _)| uses.has(*v)));
            }
        }
    }
    let made = |v| (v, Arc::clone(&buffers[&v]));
    Ok(wanted.into_iter().map(made).collect())
}
