//! Runs of what was recorded.
//!
//! | file | what it has |
//! |---|---|
//! | `feeds` | what a run is given |
//! | `fetch` | what a run gives |
//! | `run` | runs |
//! | `plans` | how they are planned |
//! | `variables` | the contents of variables |
//! | `optimizers` | optimisers and their steps |
//! | `over` | sessions over several ranks, with the feature `dist` |
//! | `saved` | sessions in files |

mod feeds;
mod fetch;
mod optimizers;
#[cfg(feature = "dist")]
mod over;
mod plans;
mod run;
mod saved;
mod variables;

pub use feeds::Feeds;
#[doc(hidden)]
pub use fetch::Wanted;
pub use fetch::{Fetch, Gradient, Whole};

use crate::Graph;
use crate::passes::Passes;
use crate::recording::{Noted, Optimizers, Recording};
use autodiff_core::device::Device;
use autodiff_core::device::record::{AnyBuffer, Plan, Recorder};
use plans::Asked;
use std::collections::HashMap;
use std::sync::Arc;

/// A graph on a device, with the contents of its variables and what optimisers remember.
///
/// The numbers are those of the program that was recorded, bit for bit: the same kernels run in the same order.
#[derive(Debug)]
pub struct Session {
    recorder: Recorder,
    noted: Noted,
    graph: Graph,
    device: Device,
    parallel: bool,
    variables: HashMap<usize, AnyBuffer>,
    constants: HashMap<usize, AnyBuffer>,
    optimizers: Optimizers,
    plans: HashMap<Asked, Arc<Plan>>,
    /// How to plan the runs that fetch some values, where not by default.
    prepared: HashMap<Vec<usize>, Passes>,
    /// Graphs in which values that operations make are inputs.
    partial: HashMap<Vec<usize>, Graph>,
    #[cfg(feature = "dist")]
    over: Option<over::Over>,
}

impl Session {
    /// What was recorded until now, on a device; variables begin with their first contents.
    pub fn new(recording: &Recording, device: &Device) -> Self {
        let mut session = Session {
            recorder: recording.recorder().clone(),
            noted: recording.noted().clone(),
            graph: recording.graph(),
            device: device.clone(),
            parallel: false,
            variables: HashMap::new(),
            constants: HashMap::new(),
            optimizers: HashMap::new(),
            plans: HashMap::new(),
            prepared: HashMap::new(),
            partial: HashMap::new(),
            #[cfg(feature = "dist")]
            over: None,
        };
        session.know_variables();
        session
    }

    /// Whether nodes that do not depend on one another run at the same time. The numbers are the same; it pays where a graph
    /// has branches whose operations are too small to use all cores.
    pub fn parallel(mut self, parallel: bool) -> Self {
        self.parallel = parallel;
        self
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Where it runs.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Gives all variables their first contents, and forgets what optimisers remember.
    pub fn reset(&mut self) {
        self.variables.clear();
        self.optimizers.clear();
        self.know_variables();
    }

    /// Takes what was recorded since, if one of these values was.
    fn know(&mut self, values: &[usize]) {
        let all = self.graph.values().len();
        if values.iter().all(|&value| value < all) {
            return;
        }
        self.graph = Graph::new(self.recorder.graph());
        self.partial.clear();
        // Plans are as long as the graph.
        self.plans.clear();
        self.know_variables();
    }
}
