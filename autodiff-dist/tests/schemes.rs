//! Every scheme trains every network as one rank does, on threads. `tests/mpi.rs` does it on processes.

#![allow(clippy::type_complexity)] // shapes are types

#[path = "schemes/mod.rs"]
mod by;

extern crate autodiff_nn as differentiable;

use autodiff_dist::dist::{Ranks, threads};

#[test]
fn one_rank() {
    by::all(&Ranks::alone());
}

#[test]
fn two_ranks() {
    threads(2, |ranks| by::all(&ranks));
}

#[test]
fn four_ranks() {
    threads(4, |ranks| by::all(&ranks));
}
