//! `#[checkpoint]`: loops and functions that keep less, and run once more in the reverse pass.
//!
//! On a loop the attribute becomes a mark in the loop's body, `let __checkpoint = ("every", k);`, which the
//! rewriting before the lowering leaves where it is, and which means nothing in code that stays as
//! written. The lowering takes it away and notes it in the loop's statement. What such a loop keeps is
//! found when everything else is settled (`passes/checkpoint`):
//!
//! * its *state*, the variables from outside that the body changes: snapshots of them are taken;
//! * what it reads and other code changes, as it was before the loop;
//! * what it reads and nobody changes, like anything else that the reverse pass reads.
//!
//! `emit/vjp/checkpoint` emits the loop, and `ad/checkpoint` in the core decides which snapshots there are.

use crate::ir::{Block, Native, VarId};

/// A loop that keeps snapshots of its state and no tape.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    pub schedule: Schedule,
    /// The body without what the reverse pass asks for.
    pub primal: Block,
    /// The variables from outside that the body changes.
    pub state: Vec<VarId>,
    /// Those that it reads, and that change at another time.
    pub entry: Vec<VarId>,
    /// The others that it reads.
    pub reads: Vec<VarId>,
}

/// Which snapshots are taken, as the attribute says.
#[derive(Clone, Debug)]
pub enum Schedule {
    Balanced,
    Every(Native),
    Snapshots(Native),
    Memory(Native),
}
