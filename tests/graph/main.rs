//! Programs that are recorded and run as graphs, against the same programs run at once.

mod errors;
mod programs;
mod sessions;
mod text;
