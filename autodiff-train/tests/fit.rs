//! Training runs, as users write them.

#[path = "fit/checkpoints.rs"]
mod checkpoints;
#[path = "fit/events.rs"]
mod events;
#[path = "fit/killed.rs"]
mod killed;
#[path = "fit/metrics.rs"]
mod metrics;
#[path = "fit/other_data.rs"]
mod other_data;
#[path = "fit/robust.rs"]
mod robust;
#[path = "fit/runs.rs"]
mod runs;
#[path = "fit/support.rs"]
mod support;
