//! Sessions over several ranks.

use super::run::Given;
use super::{Fetch, Session, Wanted};
use crate::Graph;
use crate::control::is_states;
use crate::execute::ranks::{self, Asked, Cut, RankPart, cut};
use crate::execute::{Execution, Placed, begun};
use crate::recording::Share;
use autodiff_core::device::record::{GraphError, Origin, Plan, Run};
use autodiff_core::optim::OptimizerError;
use autodiff_dist::dist::Ranks;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The ranks of a session.
#[derive(Debug)]
pub(super) struct Over {
    ranks: Ranks,
    /// The rank that has a variable, from the first run on that reads or changes it.
    owners: HashMap<usize, usize>,
    cuts: HashMap<Key, Arc<Cut>>,
    /// After a rank is lost no run is possible.
    lost: Option<GraphError>,
}

/// What a cut depends on: the length of the graph, what is placed, fetched, changed and given.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    len: usize,
    placed: (usize, usize),
    wanted: Vec<usize>,
    fetched: Vec<usize>,
    changes: Vec<(usize, usize)>,
    given: Vec<usize>,
}

impl Session {
    /// Runs the graph over several ranks. Each rank records the same program, makes a session like this, and asks it for the same runs
    /// in the same order; the session runs this rank's part of the graph, and sends and receives what flows between the parts.
    /// [`on_rank`](crate::Recording::on_rank) and [`place_on_rank`](crate::Recording::place_on_rank) say what runs where. The bits are
    /// those of one process.
    ///
    /// - What is fetched comes out on all ranks.
    /// - An input is given on the ranks whose part reads it, or on all. A variable or a value in the middle that a run is given, and the
    ///   seed, is given on all.
    /// - A variable lives on the rank that reads it first, in the first run that reads or changes it. There an assignment changes it, and
    ///   there is what an optimiser remembers of it. The norm to which a gradient is clipped is a sum over ranks: its last bit may
    ///   differ from that of one process.
    /// - A run is done by all ranks or by none. Where one cannot run its part, the others say which and why.
    ///
    /// Each run begins and ends with an exchange of a few bytes. [`Recording::on`](crate::Recording::on) and
    /// [`parallel`](Session::parallel) do not go together with this.
    ///
    /// ```
    /// use differentiable::dist::threads;
    /// use differentiable::graph::{Feeds, Recording, Session};
    /// use differentiable::prelude::*;
    ///
    /// threads(2, |ranks| {
    ///     let recording = Recording::new();
    ///     let w = recording.variable("w", &tensor([1.0, 2.0]));
    ///     let x: Tensor![2] = recording.input("x", Default::default());
    ///     let y = (&w * &x).exp().sum();
    ///     let halve = recording.assign(&w, &(&w * 0.5));
    ///     let mut session = Session::new(&recording, &Device::cpu()).over(&ranks);
    ///     let feeds = Feeds::new().with(&x, &Tensor::zeros());
    ///     let (y, ()) = session.run((&y, &halve), &feeds)?;
    ///     assert_eq!(y.item(), 2.0);
    ///     assert_eq!(session.run(&w, &Feeds::new())?.to_vec(), [0.5, 1.0]);
    ///     Ok::<(), differentiable::graph::GraphError>(())
    /// });
    /// ```
    #[must_use]
    pub fn over(mut self, ranks: &Ranks) -> Self {
        self.over = Some(Over {
            ranks: ranks.clone(),
            owners: HashMap::new(),
            cuts: HashMap::new(),
            lost: None,
        });
        self
    }

    /// The parts of all ranks in a run that fetches this, to look at; empty without [ranks](Session::over).
    ///
    /// # Errors
    /// If something is placed on a rank that there is not, or on a device.
    ///
    /// # Panics
    /// As [`run`](Session::run).
    #[track_caller]
    pub fn rank_parts<F: Fetch>(&mut self, fetch: F) -> Result<Vec<RankPart>, GraphError> {
        let asked = self.ask(&fetch);
        let (graph, plan) = self.planned(asked.values.clone(), &[])?;
        let cut = self.cut(&graph, &plan, &asked, &[])?;
        Ok(cut.map_or_else(Vec::new, |cut| cut.parts.clone()))
    }

    /// How the ranks cut what a plan runs.
    fn cut(
        &mut self,
        graph: &Graph,
        plan: &Plan,
        asked: &Wanted,
        given: &[usize],
    ) -> Result<Option<Arc<Cut>>, GraphError> {
        let Some(over) = &mut self.over else {
            return Ok(None);
        };
        let noted = self.noted.lock();
        let mut fetched = asked.fetched();
        // What a loop keeps for its derivative stays where it is.
        fetched.retain(|&value| !is_states(graph, value));
        let variables = noted.variables.iter().map(|v| v.value);
        let kept: BTreeSet<usize> = variables.filter(|v| !given.contains(v)).collect();
        let mut changes = asked.assigned.clone();
        for step in &asked.steps {
            changes.extend(
                step.variables()
                    .iter()
                    .copied()
                    .zip(step.gradients().iter().copied()),
            );
        }
        let is_input = |v: &&usize| matches!(self.graph.values()[**v].origin(), Origin::Input(_));
        let is_fed = |v: &&usize| !is_input(v) || noted.variables.iter().any(|of| of.value == **v);
        let key = Key {
            len: graph.values().len(),
            placed: (noted.ranked.values.len(), noted.ranked.scopes.len()),
            wanted: asked.values.clone(),
            fetched,
            changes,
            given: given.iter().filter(is_fed).copied().collect(),
        };
        if let Some(cut) = over.cuts.get(&key) {
            return Ok(Some(Arc::clone(cut)));
        }
        for &node in plan.order() {
            let node = &graph.nodes()[node];
            if let Some(device) = noted.placed.of(node) {
                return Err(GraphError::Placement {
                    operation: node.operation(),
                    location: node.location().to_string(),
                    device: device.to_string(),
                });
            }
        }
        let asked = Asked {
            fetched: &key.fetched,
            changes: &key.changes,
            kept: &kept,
        };
        let size = over.ranks.size();
        let cut = cut(graph, plan, size, &noted.ranked, &asked, &mut over.owners)?;
        let cut = Arc::new(cut);
        over.cuts.insert(key, Arc::clone(&cut));
        drop(noted);
        self.forget_others();
        Ok(Some(cut))
    }

    /// Lets go of variables that other ranks have.
    fn forget_others(&mut self) {
        if let Some(over) = &self.over {
            self.variables
                .retain(|variable, _| over.elsewhere(*variable).is_none());
        }
    }

    /// Runs this rank's part. `ready` is an error that this rank knows before.
    pub(super) fn run_part<'x>(
        &mut self,
        graph: &'x Graph,
        plan: &'x Plan,
        asked: &Wanted,
        given: &Given<'_>,
        ready: Result<(), GraphError>,
    ) -> Result<Run<'x>, GraphError> {
        if let Some(error) = self.over.as_ref().and_then(|over| over.lost.clone()) {
            return Err(error);
        }
        let cut = self.cut(graph, plan, asked, &given.values)?;
        let (Some(cut), Some(over)) = (cut, &self.over) else {
            unreachable!("a session over ranks")
        };
        let buffers = self.buffers(plan, given);
        let mut run = begun((graph, plan), &self.device, given.feeds.seed, buffers);
        let placed = Placed::default();
        let execution = Execution {
            graph,
            plan,
            device: &self.device,
            draw: given.feeds.seed,
            parallel: false,
            placed: &placed,
        };
        let ranks = over.ranks.clone();
        let parts = ranks::Over {
            ranks: &ranks,
            cut: &cut,
        };
        let done = ranks::run(&execution, parts, ready, &mut run);
        if let (Err(error @ (GraphError::Exchange { .. } | GraphError::Ranks { .. })), Some(over)) =
            (&done, &mut self.over)
        {
            over.lost = Some(error.clone());
        }
        done.map(|()| run)
    }

    /// The variables of this rank, for the steps of optimisers.
    pub(super) fn own(&self) -> Option<Own> {
        let over = self.over.as_ref()?;
        Some(Own {
            ranks: over.ranks.clone(),
            owners: over.owners.clone(),
        })
    }
}

impl Over {
    /// The rank that has a variable, if it is another one.
    pub(super) fn elsewhere(&self, variable: usize) -> Option<usize> {
        let owner = self.owners.get(&variable).copied();
        owner.filter(|owner| *owner != self.ranks.rank())
    }
}

/// The variables of this rank.
pub(super) struct Own {
    ranks: Ranks,
    owners: HashMap<usize, usize>,
}

impl Share for Own {
    fn has(&self, variable: usize) -> bool {
        self.owners.get(&variable) == Some(&self.ranks.rank())
    }
    fn sum(&self, x: f64) -> Result<f64, OptimizerError> {
        self.ranks.sum(x).map_err(|error| OptimizerError::Ranks {
            why: error.to_string(),
        })
    }
}
