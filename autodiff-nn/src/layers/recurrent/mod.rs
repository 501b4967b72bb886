//! Layers that read a sequence step by step.
//!
//! | layer | step |
//! |---|---|
//! | [`Rnn`] | `h ← tanh(W·x + U·h + b)` |
//! | [`Gru`] | `r, z = σ(..)`, `n = tanh(W·x + b + r∘(U·h + b'))`, `h ← (1 − z)∘n + z∘h` (Cho et al. 2014) |
//! | [`Lstm`] | `i, f, o = σ(..)`, `g = tanh(..)`, `c ← f∘c + i∘g`, `h ← o∘tanh(c)` (Hochreiter & Schmidhuber 1997) |
//!
//! Sequences are `[steps, batch, features]`. The state goes in and comes out, so that a long text can be read in pieces;
//! [`detached`](LstmState::detached) cuts the derivative between them.

mod bidirectional;
mod bidirectional_stack;
mod gru;
mod lengths;
mod lstm;
mod rnn;
mod stack;
mod state;

pub use bidirectional::{BiGru, BiLstm, BiRnn};
pub use bidirectional_stack::{BiGruStack, BiLstmStack, BiRnnStack};
pub use gru::Gru;
pub use lstm::Lstm;
pub use rnn::Rnn;
pub use stack::{GruStack, LstmStack, RnnStack};
pub use state::{LstmState, RnnState, StateBatch};
