//! Graphs analysed and improved.
//!
//! | file | what it has |
//! |---|---|
//! | `structure` | edges, orders, inputs, readers |
//! | `names` | a name for each node |
//! | `prune` | what the outputs do not need |
//! | `statistics` | what a graph is made of |
//! | `merge` | nodes that compute the same |
//! | `fold` | what depends on constants alone |
//! | `memory` | the bytes of a run, and how long each buffer lives |
//! | `order` | an order that needs less memory |
//! | `recompute` | values that are computed twice, to fit into a budget |
//! | `cost/` | operations and bytes of each node |
//! | `session` | which of these a session uses |

mod cost;
mod fold;
mod memory;
mod merge;
mod names;
mod order;
mod prune;
mod recompute;
mod session;
mod statistics;
mod structure;

#[doc(hidden)]
pub use cost::has_cost;
pub use cost::{Cost, Costs, Work};
pub(crate) use fold::fold;
pub use memory::{LiveRange, Memory};
pub use merge::Merged;
pub use prune::Pruned;
pub use recompute::BudgetError;
pub use session::Passes;
pub use statistics::Statistics;
pub use structure::Edge;
