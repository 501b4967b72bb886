//! `#[checkpoint]`: loops and functions that keep less, and run once more in the reverse pass.
//!
//! On a loop the attribute becomes a mark in the loop's body, `let __checkpoint = ("every", k);`, which the
//! rewriting before the lowering leaves where it is, and which means nothing in code that stays as
//! written. The lowering takes it away and notes it in the loop's statement. What such a loop keeps is
//! found when everything else is settled ([`analyse`]):
//!
//! * its *state*, the variables from outside that the body changes: snapshots of them are taken;
//! * what it reads and other code changes, as it was before the loop;
//! * what it reads and nobody changes, like anything else that the reverse pass reads.
//!
//! `vjp/checkpoint` emits the loop, and `ad/checkpoint` in the core decides which snapshots there are.

mod analyse;
mod attribute;

pub use analyse::analyse;
pub use attribute::{is_mark, strip, take_from_body, take_from_function, unmark};
