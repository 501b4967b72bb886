//! Recurrent layers, as the seam sees them.

use super::{Backend, Elem, View, ViewMut};

/// What a recurrent layer does in each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// `h ← tanh(z)`.
    Rnn,
    /// Gated recurrent unit (Cho et al. 2014), in the form with the reset gate behind the product.
    Gru,
    /// Long short-term memory (Hochreiter & Schmidhuber 1997) with forget gates (Gers et al. 2000).
    Lstm,
}

impl Cell {
    /// Numbers of a unit that are kept of each step: its slots. They are `h` (`Rnn`); `r u q n` (`Gru`);
    /// `i f g o` (`Lstm`).
    pub const fn slots(self) -> usize {
        match self {
            Cell::Rnn => 1,
            Cell::Gru | Cell::Lstm => 4,
        }
    }

    /// How many slots, the first, take a product of the last state with weights.
    pub const fn recurrent(self) -> usize {
        match self {
            Cell::Rnn => 1,
            Cell::Gru => 3,
            Cell::Lstm => 4,
        }
    }

    /// Whether the state has a second part, `c`.
    pub const fn has_memory(self) -> bool {
        matches!(self, Cell::Lstm)
    }
}

/// A recurrent layer over sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// What each step does.
    pub cell: Cell,
    /// The length of the sequences.
    pub steps: usize,
    /// The number of sequences.
    pub batch: usize,
    /// The number of units.
    pub hidden: usize,
}

/// A recurrent layer that has run. All are dense; `memory` and `c0` are empty for cells without `c`.
pub struct Recurred<'a, T: Elem, D: Backend> {
    /// `c` after each step: steps, batch, units.
    pub memory: View<'a, T, D>,
    /// `h` after each step: steps, batch, units.
    pub out: View<'a, T, D>,
    /// The first `h`: batch, units.
    pub h0: View<'a, T, D>,
    /// The first `c`: batch, units.
    pub c0: View<'a, T, D>,
}

/// The cotangents of what a recurrent layer gives; all dense.
pub struct RecurrentCotangents<'a, T: Elem, D: Backend> {
    /// Of `h` after each step.
    pub out: Option<View<'a, T, D>>,
    /// Of the last `h`.
    pub h: Option<View<'a, T, D>>,
    /// Of the last `c`.
    pub c: Option<View<'a, T, D>>,
}

/// The cotangents that a recurrent layer passes on; all dense.
pub struct RecurrentGradients<'a, T: Elem, D: Backend> {
    /// Of the arguments of the slots, in the place of the slots.
    pub slots: ViewMut<'a, T, D>,
    /// Of the bias: slots, units.
    pub bias: ViewMut<'a, T, D>,
    /// Of the first `h`.
    pub h0: ViewMut<'a, T, D>,
    /// Of the first `c`; empty for cells without.
    pub c0: ViewMut<'a, T, D>,
}
