//! Whole expansions, compared with files that people read, and fed with wrong input.

mod explained;
mod fuzz;
mod golden;
mod rules;
