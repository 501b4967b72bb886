//! A graph on several devices: cut into parts, one for each device, with nodes that send and receive what flows between them.
//!
//! Each part runs on a thread of its own, in the order of the graph. A value that another part reads is sent as soon as it
//! is made, once, and received where it is first read. There is a channel for each pair of parts. A part that fails drops its
//! ends, so that whoever waits for it fails too, and nobody waits for ever.

use super::{Execution, Placed, maker, reads};
use crate::any::bring;
use autodiff_core::device::Device;
use autodiff_core::device::record::{AnyBuffer, Graph, GraphError, Node, Origin, Plan, Run};
use core::any::Any;
use core::fmt;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a part does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Do {
    Run(usize),
    Send { value: usize, to: usize },
    Receive { value: usize, from: usize },
}

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
        self.todo.iter().filter_map(|todo| match todo {
            Do::Run(node) => Some(*node),
            _ => None,
        })
    }

    /// The values that it sends, each with the number of the part that receives it.
    pub fn sends(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.todo.iter().filter_map(|todo| match todo {
            Do::Send { value, to } => Some((*value, *to)),
            _ => None,
        })
    }

    /// The values that it receives, each with the number of the part that sends it.
    pub fn receives(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.todo.iter().filter_map(|todo| match todo {
            Do::Receive { value, from } => Some((*value, *from)),
            _ => None,
        })
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

/// Where a node is placed, if it is.
fn device_of<'p>(node: &Node, placed: &'p Placed) -> Option<&'p Device> {
    let value = node.results().first().map(|r| r.value);
    let here =
        |(range, _): &&(core::ops::Range<usize>, Device)| value.is_some_and(|v| range.contains(&v));
    if let Some((_, device)) = placed.values.iter().find(here) {
        return Some(device);
    }
    let (_, device) = placed
        .scopes
        .iter()
        .rev()
        .find(|(name, _)| is_inside(node, name))?;
    Some(device)
}

/// Whether a node is in a scope of this name, or in that of a derivative of it, `name.pullback`.
fn is_inside(node: &Node, name: &str) -> bool {
    let path = format!("/{}/", node.scope());
    let name = format!("/{name}");
    let begins = path.match_indices(&name);
    begins
        .map(|(at, found)| &path[at + found.len()..])
        .any(|rest| rest.starts_with(['/', '.']))
}

/// An error if a scope is placed that has no nodes.
fn check_scopes(graph: &Graph, placed: &Placed) -> Result<(), GraphError> {
    let has_nodes = |name: &str| graph.nodes().iter().any(|node| is_inside(node, name));
    match placed.scopes.iter().find(|(name, _)| !has_nodes(name)) {
        None => Ok(()),
        Some((name, device)) => Err(GraphError::Device {
            device: device.to_string(),
            error: format!("the scope `{name}` is placed here, and nothing is recorded in it"),
        }),
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
    check_scopes(graph, placed)?;
    let mut parts = vec![part(0, home)];
    let mut of_node = HashMap::new();
    for &number in plan.order() {
        let node = &graph.nodes()[number];
        let device = device_of(node, placed).unwrap_or(home);
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
        part.lines = part.todo.iter().map(|todo| line(graph, *todo)).collect();
    }
    Ok(parts)
}

/// A value by its name or number.
fn name(graph: &Graph, value: usize) -> String {
    match graph.values()[value].origin() {
        Origin::Input(name) => name.to_string(),
        Origin::Constant(_) => format!("constant {value}"),
        _ => format!("%{value}"),
    }
}

fn line(graph: &Graph, todo: Do) -> String {
    match todo {
        Do::Send { value, to } => format!("send {} to part {to}", name(graph, value)),
        Do::Receive { value, from } => {
            let kind = graph.values()[value].kind();
            format!("{}: {kind} = receive from part {from}", name(graph, value))
        }
        Do::Run(node) => {
            let node = &graph.nodes()[node];
            let made: Vec<String> = node
                .results()
                .iter()
                .map(|r| {
                    format!(
                        "{}: {}",
                        name(graph, r.value),
                        graph.values()[r.value].kind()
                    )
                })
                .collect();
            let read: Vec<String> = graph.reads(node).map(|v| name(graph, v)).collect();
            format!(
                "{} = {} {}",
                made.join(", "),
                node.operation(),
                read.join(" ")
            )
        }
    }
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

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a text").to_owned()
}

/// How often a part still uses each value.
#[derive(Default)]
struct Uses(HashMap<usize, usize>);

impl Uses {
    /// The buffer of a value, if it has one. The last use takes it away, and may write over it.
    fn next(&mut self, buffers: &mut HashMap<usize, AnyBuffer>, value: usize) -> Option<AnyBuffer> {
        let left = self.0.get_mut(&value).expect("a use that was counted");
        *left -= 1;
        match *left {
            0 => buffers.remove(&value),
            _ => buffers.get(&value).cloned(),
        }
    }
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
        *uses.0.entry(value).or_default() += 1;
    }
    let mut buffers: HashMap<usize, AnyBuffer> = HashMap::new();
    for (&value, buffer) in given.iter().filter(|(v, _)| uses.0.contains_key(v)) {
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
                buffers.extend(made.into_iter().filter(|(v, _)| uses.0.contains_key(v)));
            }
        }
    }
    let made = |v| (v, Arc::clone(&buffers[&v]));
    Ok(wanted.into_iter().map(made).collect())
}
