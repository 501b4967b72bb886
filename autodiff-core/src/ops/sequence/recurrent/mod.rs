//! Recurrent layers over whole sequences: `rnn`, `gru`, `lstm`, as PyTorch's `nn.RNN`, `nn.GRU` and `nn.LSTM` (one layer, one
//! direction).
//!
//! Sequences are `[steps, batch, inputs]`. Weights have an axis of gates in front, `[gates, units, inputs]` for the input
//! and `[gates, units, units]` for the state, in the order of PyTorch: input, forget, new, output (`lstm`); reset, update, new
//! (`gru`); no such axis where there is one gate (`rnn`). Entry by entry that is PyTorch's layout: its `weight_ih_l0` of shape
//! `[4H, I]` is this one's `[4, H, I]`.
//!
//! The formulas of the steps and of both derivatives are in [`kernel::recurrent`](crate::kernel::recurrent). Products with the
//! input, and the cotangents of weights and inputs, are products over all steps at once. The derivatives keep the gates, `c`
//! and `h` of every step.

mod methods;

use crate::device::{Backend, Cell, Dims, Float};
use crate::shape::{Shape, ShapeError};
use crate::tensor::{Layer, Raw};

/// The axes of an operand, one letter each, and what they are.
type Axes = (&'static str, Dims, &'static [&'static str]);

#[track_caller]
fn axes<S: Shape>(letters: &'static str, shape: S) -> Axes {
    (letters, shape.dims(), S::NAMES)
}

/// Axes of one letter have one size; it can differ only where it is known at run time.
#[track_caller]
fn check(operands: &[Axes]) -> Result<(), ShapeError> {
    let mut seen: Vec<(u8, &'static str, usize)> = Vec::with_capacity(4);
    for &(letters, dims, names) in operands {
        for ((letter, &right_size), &right) in letters.bytes().zip(dims.iter()).zip(names) {
            match seen.iter().find(|(l, ..)| *l == letter) {
                Some(&(_, left, left_size)) if left_size != right_size => {
                    return Err(ShapeError::Dimension {
                        left,
                        left_size,
                        right,
                        right_size,
                    });
                }
                Some(_) => {}
                None => seen.push((letter, right, right_size)),
            }
        }
    }
    Ok(())
}

/// The operands as the untyped layer takes them: `x`, the two weights, biases, `h`, and `c` if there is one.
#[track_caller]
fn untyped<T: Float, D: Backend>(
    cell: Cell,
    [x, w_ih, w_hh]: [&Raw<T, D>; 3],
    biases: &[&Raw<T, D>],
    state: &[&Raw<T, D>],
) -> Layer<T, D> {
    let [steps, batch, inputs] = [0, 1, 2].map(|i| x.dims()[i]);
    let n = state[0].dims()[1];
    let gates = w_hh.numel().checked_div(n).unwrap_or(0);
    let c0 = state.get(1).map(|c| (*c).clone().contiguous());
    Layer {
        steps,
        x: x.reshape([steps * batch, inputs]),
        w_ih: w_ih.reshape([gates, inputs]),
        w_hh: w_hh.reshape([gates, n]),
        bias: match biases {
            // Slots are `r u q n`: the new gate has a part of its own for each bias.
            [input, hidden] if cell == Cell::Gru => {
                let both = Raw::binary_ref(
                    crate::device::BinaryOp::Add,
                    &input.slice(0, 0, 2),
                    &hidden.slice(0, 0, 2),
                );
                Raw::concat(0, &[&both, &hidden.slice(0, 2, 1), &input.slice(0, 2, 1)])
                    .into_reshaped([4 * n])
            }
            _ => biases[0].clone().contiguous().into_reshaped([gates]),
        },
        h0: state[0].clone().contiguous(),
        c0: c0.unwrap_or_else(|| Raw::unspecified(x.device(), [0, n])),
    }
}

/// The cotangents of the biases from that of the slots, each of sizes `dims`.
#[track_caller]
fn biases<T: Float, D: Backend>(cell: Cell, slots: Raw<T, D>, dims: Dims) -> Vec<Raw<T, D>> {
    if cell != Cell::Gru {
        return vec![slots.into_reshaped(dims)];
    }
    let slots = slots.into_reshaped([4, dims[1]]);
    let input = Raw::concat(0, &[&slots.slice(0, 0, 2), &slots.slice(0, 3, 1)]);
    vec![input, slots.slice(0, 0, 3)]
}
