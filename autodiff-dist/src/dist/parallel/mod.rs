//! Data parallel training: each rank has the whole module, and a share of each batch.

mod buckets;
mod data;
mod local;
mod optimizer;
mod overlap;

pub use data::DataParallel;
pub use local::LocalSgd;
pub use optimizer::DistributedOptimizer;
