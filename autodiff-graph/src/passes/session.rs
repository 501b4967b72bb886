//! Which passes a session uses.

use super::BudgetError;
use super::merge::Merged;
use super::order::Task;
use crate::Graph;
use autodiff_core::device::record::Plan;

/// What a session does with a graph before it runs it. None of these changes a bit of the results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Passes {
    merge: bool,
    fold: bool,
    reorder: bool,
    budget: Option<usize>,
}

/// Equal nodes run once, and what depends on constants alone is kept from the first run on.
impl Default for Passes {
    fn default() -> Self {
        Passes {
            merge: true,
            fold: true,
            reorder: false,
            budget: None,
        }
    }
}

impl Passes {
    /// None: every node that is needed runs, in the order in which it was recorded.
    #[must_use]
    pub fn none() -> Self {
        Passes {
            merge: false,
            fold: false,
            ..Passes::default()
        }
    }

    /// Whether nodes that [compute the same](Graph::merged) run once.
    #[must_use]
    pub fn merge(self, merge: bool) -> Self {
        Passes { merge, ..self }
    }

    /// Whether what depends on constants alone is computed once and kept. What would take more than a megabyte, and more
    /// than the constants that it is made of, is not.
    #[must_use]
    pub fn fold(self, fold: bool) -> Self {
        Passes { fold, ..self }
    }

    /// Whether nodes run in an [order that needs less memory](Graph::lowest_peak_order).
    #[must_use]
    pub fn reorder(self, reorder: bool) -> Self {
        Passes { reorder, ..self }
    }

    /// The most bytes that a run may take at once, [inputs and constants included](Graph::within). What is placed on several
    /// devices, or run by a [parallel](crate::Session::parallel) session, is not held to it.
    #[must_use]
    pub fn within(self, bytes: usize) -> Self {
        Passes {
            budget: Some(bytes),
            ..self
        }
    }
}

impl Passes {
    /// Those that leave each node on the device on which it is placed.
    pub(crate) fn placed(self) -> Self {
        Passes {
            merge: false,
            reorder: false,
            budget: None,
            ..self
        }
    }
}

impl Graph {
    /// The plan of a session with these passes, for these values.
    ///
    /// # Errors
    /// If a budget is given that cannot be met.
    pub fn plan_with(&self, wanted: &[usize], passes: &Passes) -> Result<Plan, BudgetError> {
        let merged = match passes.merge {
            true => self.merged(),
            false => Merged::none(self),
        };
        let known = match passes.fold {
            true => self.constant_values(wanted, &merged),
            false => Vec::new(),
        };
        let task = Task {
            graph: self,
            wanted: wanted.to_vec(),
            stands_for: merged.stands_for,
            known,
        };
        match passes.budget {
            Some(bytes) => task.within(bytes),
            None if passes.reorder => Ok(task.plan(task.lowest_peak())),
            None => Ok(task.plan(task.recorded())),
        }
    }
}
