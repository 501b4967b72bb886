//! Which node runs on which rank, and what is sent.

use super::RankPart;
use crate::Graph;
use crate::control::is_states;
use crate::execute::todo::Do;
use crate::execute::{Placed, maker, reads};
use autodiff_core::device::record::{GraphError, Plan};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a run is for.
pub(crate) struct Asked<'a> {
    /// The values that all ranks get.
    pub fetched: &'a [usize],
    /// Variables that change, each with the value that it depends on.
    pub changes: &'a [(usize, usize)],
    /// The variables whose contents the ranks keep: not those that the run is given.
    pub kept: &'a BTreeSet<usize>,
}

/// A graph cut for ranks.
#[derive(Debug)]
pub(crate) struct Cut {
    pub parts: Vec<RankPart>,
    /// The same on ranks that run the same program.
    pub fingerprint: u64,
}

/// Cuts what a plan runs. `owners` are the ranks of variables: those that have none yet go to the rank that reads them first.
pub(crate) fn cut(
    graph: &Graph,
    plan: &Plan,
    size: usize,
    placed: &Placed<usize>,
    asked: &Asked<'_>,
    owners: &mut HashMap<usize, usize>,
) -> Result<Cut, GraphError> {
    let rank_of = ranks(graph, plan, placed, size)?;
    let mut needs: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &node in plan.order() {
        for value in reads(graph, plan, node) {
            needs.entry(value).or_default().insert(rank_of[&node]);
            if asked.kept.contains(&value) {
                owners.entry(value).or_insert(rank_of[&node]);
            }
        }
    }
    let mut parts: Vec<RankPart> = (0..size).map(RankPart::new).collect();
    for &(variable, value) in asked.changes {
        let value = plan.stands_for(value);
        let made = maker(graph, plan, value).map(|node| rank_of[&node]);
        let owner = *owners.entry(variable).or_insert(made.unwrap_or(0));
        needs.entry(value).or_default().insert(owner);
        parts[owner].kept.insert(value);
    }
    for &value in asked.fetched {
        let value = plan.stands_for(value);
        needs.entry(value).or_default().extend(0..size);
        parts.iter_mut().for_each(|part| {
            part.kept.insert(value);
        });
    }
    // One order for all ranks: the variables, then what each node makes.
    for &value in needs.keys().filter(|v| asked.kept.contains(v)) {
        let owner = *owners.entry(value).or_insert(0);
        flow(&mut parts, &needs, value, owner);
    }
    for &node in plan.order() {
        let rank = rank_of[&node];
        parts[rank].todo.push(Do::Run(node));
        for result in graph.nodes()[node].results() {
            if maker(graph, plan, result.value) == Some(node) {
                flow(&mut parts, &needs, result.value, rank);
            }
        }
    }
    for part in &mut parts {
        part.describe(graph, |node| reads(graph, plan, node));
    }
    let fingerprint = fingerprint(graph, plan, &parts, asked);
    Ok(Cut { parts, fingerprint })
}

/// Sends a value from the rank that has it to those that need it, once to each.
fn flow(
    parts: &mut [RankPart],
    needs: &BTreeMap<usize, BTreeSet<usize>>,
    value: usize,
    from: usize,
) {
    let needs = needs.get(&value).into_iter().flatten();
    for &to in needs.filter(|to| **to != from) {
        parts[from].todo.push(Do::Send { value, to });
        parts[to].todo.push(Do::Receive { value, from });
    }
}

/// The rank of each node.
fn ranks(
    graph: &Graph,
    plan: &Plan,
    placed: &Placed<usize>,
    size: usize,
) -> Result<HashMap<usize, usize>, GraphError> {
    placed.check_scopes(graph, |rank| format!("rank {rank}"))?;
    let mut ranks = HashMap::new();
    for &number in plan.order() {
        let node = &graph.nodes()[number];
        match placed.of(node) {
            Some(&rank) if rank >= size => {
                return Err(GraphError::NoRank {
                    operation: node.operation(),
                    location: node.location().to_string(),
                    rank,
                    size,
                });
            }
            Some(&rank) => drop(ranks.insert(number, rank)),
            None => {}
        }
    }
    match ranks.is_empty() {
        true => even(graph, plan, size, &mut ranks),
        false => beside(graph, plan, &mut ranks),
    }
    // What a loop keeps for its derivative is where the loop runs, and so is the way back.
    for &node in plan.order() {
        let mut reads = reads(graph, plan, node).into_iter();
        let states = reads.find(|&value| is_states(graph, value));
        if let Some(maker) = states.and_then(|value| maker(graph, plan, value)) {
            ranks.insert(node, ranks[&maker]);
        }
    }
    Ok(ranks)
}

/// Cuts the order of the nodes into stretches of about equal cost.
fn even(graph: &Graph, plan: &Plan, size: usize, ranks: &mut HashMap<usize, usize>) {
    let costs = graph.cost();
    // To call a node costs something, and a byte that is moved about as much as an addition.
    let cost = |node: usize| {
        let work = costs.nodes()[node];
        100 + u128::from(work.operations) + u128::from(work.bytes())
    };
    let total: u128 = plan.order().iter().map(|&node| cost(node)).sum();
    let mut before = 0;
    for &node in plan.order() {
        let middle = 2 * before + cost(node);
        let rank = (middle * size as u128 / (2 * total)) as usize;
        ranks.insert(node, rank.min(size - 1));
        before += cost(node);
    }
}

/// Lets what is not placed run where the last value was made that it reads: where that is known, nothing more is sent.
fn beside(graph: &Graph, plan: &Plan, ranks: &mut HashMap<usize, usize>) {
    for &node in plan.order() {
        if !ranks.contains_key(&node) {
            let makers = reads(graph, plan, node);
            let makers = makers.iter().filter_map(|&v| maker(graph, plan, v));
            let rank = makers.max().map_or(0, |last| ranks[&last]);
            ranks.insert(node, rank);
        }
    }
}

/// What must be the same on all ranks, as a number.
fn fingerprint(graph: &Graph, plan: &Plan, parts: &[RankPart], asked: &Asked<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for &number in plan.order() {
        let node = &graph.nodes()[number];
        (number, node.operation(), format!("{:?}", node.arguments())).hash(&mut hasher);
        for value in reads(graph, plan, number) {
            (value, graph.values()[value].kind()).hash(&mut hasher);
        }
    }
    for part in parts {
        (&part.todo, &part.kept).hash(&mut hasher);
    }
    (asked.fetched, asked.changes).hash(&mut hasher);
    hasher.finish()
}
