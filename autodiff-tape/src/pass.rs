//! The list, backwards.

use crate::TapeError;
use crate::node::{Node, Place};
use crate::slot::slot;
use autodiff_core::ad::{Ct, Differentiable};
use std::rc::Rc;

/// What the gradient by a value is that has no part in the result.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Unconnected {
    IsAnError,
    IsZero,
}

/// What a pass is for.
#[derive(Clone, Copy)]
pub(crate) enum Pass<'a> {
    /// To add to the gradients of all variables.
    Backward,
    /// To compute those by these values.
    Only(&'a [Place]),
}

/// A place as a key.
fn key(place: &Place) -> Option<(bool, usize)> {
    match place {
        Place::Constant => None,
        Place::Leaf(leaf) => Some((true, Rc::as_ptr(leaf).cast::<()>().addr())),
        Place::Operation { index, .. } => Some((false, *index)),
    }
}

/// Some places, to ask whether one is among them: in order, each once. Mostly they are few.
pub(crate) struct Places(Vec<(bool, usize)>);

impl Places {
    pub fn new(places: &[Place]) -> Self {
        let mut keys: Vec<_> = places.iter().filter_map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        Places(keys)
    }

    fn position(&self, place: &Place) -> Option<usize> {
        self.0.binary_search(&key(place)?).ok()
    }

    pub fn contains(&self, place: &Place) -> bool {
        self.position(place).is_some()
    }

    /// Whether the result of this operation is among them.
    fn has_operation(&self, index: usize) -> bool {
        self.0.binary_search(&(false, index)).is_ok()
    }
}

/// For each operation from the `first` one on, whether it depends on one of the values.
pub(crate) fn dependent(nodes: &[Rc<dyn Node>], first: usize, wrt: &Places) -> Vec<bool> {
    let mut dependent: Vec<bool> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let found = node.inputs().iter().any(|input| {
            let inner = match input {
                Place::Operation { index, .. } if *index >= first => dependent[*index - first],
                _ => false,
            };
            inner || wrt.contains(input)
        });
        dependent.push(found);
    }
    dependent
}

/// How many operations come before `from`, with it.
pub(crate) fn end(from: &Place) -> usize {
    match from {
        Place::Operation { index, .. } => index + 1,
        _ => 0,
    }
}

/// For each operation, whether `from` depends on it. An error, where one of them has no derivative.
pub(crate) fn reached(nodes: &[Rc<dyn Node>], from: &Place) -> Result<Vec<bool>, TapeError> {
    let mut reached = vec![false; end(from)];
    if let Some(last) = reached.last_mut() {
        *last = true;
    }
    for index in (0..reached.len()).rev() {
        if reached[index] {
            nodes[index].check()?;
            for input in nodes[index].inputs() {
                if let Place::Operation { index, .. } = input {
                    reached[*index] = true;
                }
            }
        }
    }
    Ok(reached)
}

/// As an error, the first of the values on which `from` does not depend, where the operations that it does depend on are known.
pub(crate) fn check_connected(
    operation: &'static str,
    nodes: &[Rc<dyn Node>],
    reached: &[bool],
    from: &Place,
    wrt: &[Place],
) -> Result<(), TapeError> {
    if from.is_constant() {
        return Err(TapeError::NoGradient { operation });
    }
    let asked = Places::new(wrt);
    let mut read = vec![false; asked.0.len()];
    let on_the_way = nodes.iter().zip(reached).filter(|(_, reached)| **reached);
    let inputs = on_the_way.flat_map(|(node, _)| node.inputs());
    for input in inputs.chain([from]) {
        if let Some(k) = asked.position(input) {
            read[k] = true;
        }
    }
    for (k, place) in wrt.iter().enumerate() {
        if asked.position(place).is_none_or(|k| !read[k]) {
            let name = place.node(nodes).and_then(|n| n.name());
            let number = || format!("number {} of what its gradient is taken by", k + 1);
            let what = name.map_or_else(number, |name| format!("`{name}`"));
            return Err(TapeError::Unconnected { operation, what });
        }
    }
    Ok(())
}

/// Drops what a pass has left behind if a pullback panics.
struct Cleanup<'a>(&'a [Rc<dyn Node>]);

impl Drop for Cleanup<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            each(self.0, &mut |node| node.forget());
        }
    }
}

/// Every operation, and every variable that one of them reads.
fn each(nodes: &[Rc<dyn Node>], act: &mut dyn FnMut(&dyn Node)) {
    for node in nodes {
        act(&**node);
        for input in node.inputs() {
            if let Place::Leaf(leaf) = input {
                act(&**leaf);
            }
        }
    }
}

/// Runs the pullbacks of the operations before `from`, the last one first.
pub(crate) fn run<V: Differentiable + 'static>(
    nodes: &[Rc<dyn Node>],
    from: &Place,
    ct: Ct<V>,
    pass: Pass<'_>,
    retain: bool,
) {
    let nodes = &nodes[..end(from)];
    let _cleanup = Cleanup(nodes);
    if let Some(slot) = slot::<V>(from, nodes) {
        slot.add(ct);
    }
    match pass {
        Pass::Backward => {
            for node in nodes.iter().rev() {
                node.pull(nodes, retain);
            }
            if let Place::Leaf(leaf) = from {
                leaf.settle();
            }
            for input in nodes.iter().flat_map(|n| n.inputs()) {
                if let Place::Leaf(leaf) = input {
                    leaf.settle();
                }
            }
        }
        Pass::Only(wrt) => {
            let asked = Places::new(wrt);
            let on_the_way = dependent(nodes, 0, &asked);
            for (index, node) in nodes.iter().enumerate().rev() {
                if asked.has_operation(index) {
                    node.keep();
                }
                if on_the_way[index] {
                    node.pull_quietly(nodes);
                }
            }
            for place in wrt {
                if let Place::Leaf(leaf) = place {
                    leaf.keep();
                }
            }
            // What went to others on the way, and the sums that were copied.
            each(nodes, &mut |node| node.drop_sum());
            if let Place::Leaf(leaf) = from {
                leaf.drop_sum();
            }
        }
    }
}

/// Drops what was kept for who asked for gradients.
pub(crate) fn forget(nodes: &[Rc<dyn Node>], wrt: &[Place]) {
    for place in wrt {
        if let Some(node) = place.node(nodes) {
            node.forget();
        }
    }
}
