//! What the reverse pass reads of the forward pass: `passes/needs` finds it, and the emitters keep it.

use crate::ir::VarId;
use std::collections::{HashMap, HashSet};

/// What the reverse pass reads of the forward pass.
#[derive(Clone, Debug)]
pub struct Needs {
    /// Variables whose value the reverse pass reads.
    pub values: HashSet<VarId>,
    /// The part of `values` that is computed again, where its scope is repeated or conditional.
    pub again: HashSet<VarId>,
    /// The part of `again` that is made again in every scope: environments of closures, and positions in an array.
    pub made_again: HashSet<VarId>,
    /// The part of `again` that is made by small functions, which run again with their pullbacks: nothing is kept of them.
    pub rerun: HashSet<VarId>,
    /// Variables whose witness the reverse pass reads.
    pub witnesses: HashSet<VarId>,
    /// Variables that are the slopes of others.
    pub pairs: HashMap<VarId, VarId>,
}

impl Needs {
    /// Those of a function without a reverse pass.
    pub fn none() -> Self {
        Needs {
            values: HashSet::new(),
            again: HashSet::new(),
            made_again: HashSet::new(),
            rerun: HashSet::new(),
            witnesses: HashSet::new(),
            pairs: HashMap::new(),
        }
    }
}
