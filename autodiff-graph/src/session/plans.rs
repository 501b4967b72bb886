//! How the runs of a session are planned.

use super::{Fetch, Session};
use crate::Graph;
use crate::passes::{BudgetError, Memory, Passes};
use autodiff_core::device::record::{GraphError, Origin, Plan};
use std::sync::Arc;

/// What is fetched, which values that operations make are given, and how it is planned.
pub(super) type Asked = (Vec<usize>, Vec<usize>, Passes);

impl Session {
    /// The graph, in which values that operations make may be given, and its plan.
    pub(super) fn planned(
        &mut self,
        wanted: Vec<usize>,
        given: &[usize],
    ) -> Result<(Graph, Arc<Plan>), GraphError> {
        let made = |&&v: &&usize| matches!(self.graph.values()[v].origin(), Origin::Node(_));
        let mut made: Vec<usize> = given.iter().filter(made).copied().collect();
        made.sort_unstable();
        let graph = if made.is_empty() {
            self.graph.clone()
        } else {
            let partial = self.partial.entry(made.clone());
            partial
                .or_insert_with_key(|made| Graph::new(self.graph.given(made)))
                .clone()
        };
        let passes = self.prepared.get(&wanted).cloned().unwrap_or_default();
        let passes = match self.noted.lock().placed.is_empty() && !self.is_over_ranks() {
            true => passes,
            // What is placed stays where it is placed.
            false => passes.placed(),
        };
        let asked = (wanted, made, passes);
        if let Some(plan) = self.plans.get(&asked) {
            return Ok((graph, Arc::clone(plan)));
        }
        let (wanted, _, passes) = &asked;
        let plan = graph.plan_with(wanted, passes);
        let plan = Arc::new(plan.map_err(|e| GraphError::Budget {
            error: e.to_string(),
        })?);
        self.plans.insert(asked, Arc::clone(&plan));
        Ok((graph, plan))
    }

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
        let wanted = self.ask(&fetch).values;
        let plan = self.graph.plan_with(&wanted, passes)?;
        let memory = self.graph.memory(&plan);
        let asked = (wanted.clone(), Vec::new(), passes.clone());
        self.plans.insert(asked, Arc::new(plan));
        self.prepared.insert(wanted, passes.clone());
        Ok(memory)
    }
}
