//! Where nodes run.

use autodiff_core::device::Device;
use autodiff_core::device::record::{Graph, GraphError, Node};
use core::fmt::Display;
use core::ops::Range;

/// Which nodes run where: on which device, or on which rank.
#[derive(Clone, Debug)]
pub(crate) struct Placed<P = Device> {
    /// By the numbers of the values that they make, the innermost placement first.
    pub values: Vec<(Range<usize>, P)>,
    /// By the names of the scopes that they are in, the latest last.
    pub scopes: Vec<(String, P)>,
}

impl<P> Default for Placed<P> {
    fn default() -> Self {
        Placed {
            values: Vec::new(),
            scopes: Vec::new(),
        }
    }
}

impl<P> Placed<P> {
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.scopes.is_empty()
    }

    /// Where a node is placed, if it is.
    pub fn of(&self, node: &Node) -> Option<&P> {
        let value = node.results().first().map(|r| r.value);
        let here = |(range, _): &&(Range<usize>, P)| value.is_some_and(|v| range.contains(&v));
        if let Some((_, place)) = self.values.iter().find(here) {
            return Some(place);
        }
        let mut latest = self.scopes.iter().rev();
        let (_, place) = latest.find(|(name, _)| is_inside(node, name))?;
        Some(place)
    }

    /// An error if a scope is placed that has no nodes. `name` is that of a place.
    pub fn check_scopes<N: Display>(
        &self,
        graph: &Graph,
        name: impl Fn(&P) -> N,
    ) -> Result<(), GraphError> {
        let has_nodes = |name: &str| graph.nodes().iter().any(|node| is_inside(node, name));
        match self.scopes.iter().find(|(scope, _)| !has_nodes(scope)) {
            None => Ok(()),
            Some((scope, place)) => Err(GraphError::Device {
                device: name(place).to_string(),
                error: format!("the scope `{scope}` is placed here, and nothing is recorded in it"),
            }),
        }
    }
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
