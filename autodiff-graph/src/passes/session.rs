//! Which passes a session uses.

use super::merge::Merged;
use super::order::Task;
use super::{BudgetError, Memory};
use crate::session::{Fetch, Wanted};
use crate::{Graph, Session};
use autodiff_core::device::record::Plan;
use std::sync::Arc;

/// What a session does with a graph before it runs it. None of these changes a bit of the results.
#[derive(Clone, Debug, PartialEq, Eq)]
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

    /// The most bytes that a run may take at once, [inputs and constants included](Graph::within).
    #[must_use]
    pub fn within(self, bytes: usize) -> Self {
        Passes {
            budget: Some(bytes),
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

impl Session {
    /// Plans the runs that fetch this: from now on they run as these passes say. The answer is the memory that they need.
    ///
    /// ```
    /// use differentiable::graph::{Feeds, Passes, Recording, Session};
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![256] = recording.input("x", Default::default()); // a kilobyte
    /// // Both factors are recorded before the first product is.
    /// let (a, b) = (x.exp(), x.tanh());
    /// let y = (&a * 2.0_f32).sum() + (&b * 2.0_f32).sum();
    ///
    /// let mut session = Session::new(&recording, &Device::cpu());
    /// let as_recorded = session.prepare(&y, &Passes::none())?;
    /// let reordered = session.prepare(&y, &Passes::default().reorder(true))?;
    /// assert!(reordered.peak() < as_recorded.peak());
    /// let error = session.prepare(&y, &Passes::default().within(1000)).unwrap_err();
    /// assert!(error.smallest > 1000);
    /// let y = session.run(&y, &Feeds::new().with(&x, &Tensor::zeros()))?; // as it was planned last
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a budget is given that cannot be met; runs stay as they were planned before.
    ///
    /// # Panics
    /// If something is fetched that belongs to another recording.
    #[track_caller]
    pub fn prepare<F: Fetch>(&mut self, fetch: F, passes: &Passes) -> Result<Memory, BudgetError> {
        let mut wanted = Wanted::new(&self.recorder);
        fetch.ask(&mut wanted);
        let wanted = wanted.values;
        if wanted
            .iter()
            .any(|&value| value >= self.graph.values().len())
        {
            // Recorded since.
            self.graph = Graph::new(self.recorder.graph());
        }
        let plan = self.graph.plan_with(&wanted, passes)?;
        let memory = self.graph.memory(&plan);
        self.plans.insert(wanted, Arc::new(plan));
        Ok(memory)
    }
}
