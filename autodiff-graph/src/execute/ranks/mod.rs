//! A graph over several ranks: cut into a part for each, with nodes that send and receive what flows between them.
//!
//! All ranks record the same program and ask for the same runs; each cuts the graph in the same way and runs its own part. A run
//! begins and ends with a small exchange, in which the ranks find out whether they agree on it and whether all could run it. So a
//! run is done by all ranks or by none, and an error of one is an error of all.
//!
//! What is sent and received stands in one order for all ranks, that of the graph. So no rank waits for another that waits for it,
//! also where an engine sends only when the other side receives.
//!
//! | file | what it has |
//! |---|---|
//! | `cut` | which node runs on which rank, and what is sent |
//! | `part` | the part of a rank, to look at |
//! | `run` | a rank runs its part |
//! | `agree` | the ranks agree on a run |
//! | `travel` | buffers as the numbers that ranks exchange |

mod agree;
mod cut;
mod part;
mod run;
mod travel;

pub(crate) use cut::{Asked, Cut, cut};
pub use part::RankPart;
pub(crate) use run::{Over, run};
