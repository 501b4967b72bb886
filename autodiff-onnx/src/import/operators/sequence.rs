//! Recurrent layers: `LSTM`, `GRU`, `RNN`.
//!
//! ONNX has the gates of an LSTM in the order input, output, forget, cell and those of a GRU in the order update, reset, new; the
//! library has input, forget, cell, output and reset, update, new.

use super::{Call, Results, floats};
use crate::import::fault::Fault;
use crate::import::rules::elementwise::binary;
use crate::import::rules::sequence::{Operands, recurrence};
use crate::import::rules::view::{View, concat, reshape, view};
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, Value, sizes};
use autodiff_core::device::{BinaryOp, Cell};
use autodiff_core::tensor::Raw;

fn narrow<T: Number>(tape: &Tape, x: &Array<T>, axis: usize, start: usize, len: usize) -> Array<T> {
    view(tape, x, View::Narrow { axis, start, len })
}

/// What a layer does in each direction.
struct Plan {
    cell: Cell,
    /// For each gate of the library, that of ONNX.
    gates: &'static [usize],
    activations: &'static [&'static str],
}

fn plan(cell: Cell) -> Plan {
    let (gates, activations): (&[usize], &[&str]) = match cell {
        Cell::Lstm => (&[0, 2, 3, 1], &["Sigmoid", "Tanh", "Tanh"]),
        Cell::Gru => (&[1, 0, 2], &["Sigmoid", "Tanh"]),
        Cell::Rnn => (&[0], &["Tanh"]),
    };
    Plan {
        cell,
        gates,
        activations,
    }
}

/// Blocks of `n` entries along the first axis in another order.
fn reordered<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    gates: &[usize],
    n: usize,
) -> Result<Array<T>, Fault> {
    let blocks: Vec<_> = gates.iter().map(|g| narrow(tape, x, 0, g * n, n)).collect();
    concat(tape, &blocks, 0)
}

/// The settings that are not supported.
fn check(call: &mut Call<'_>, plan: &Plan, directions: usize, steps: usize) -> Result<(), Fault> {
    let attributes = call.attributes;
    if let Some(given) = attributes.texts("activations") {
        let expected = plan.activations.iter().cycle();
        let same = given.len() == directions * plan.activations.len()
            && given
                .iter()
                .zip(expected)
                .all(|(a, b)| a.eq_ignore_ascii_case(b));
        if !same {
            return Err(Fault::unsupported(format!("`activations = {given:?}`"), ""));
        }
    }
    for name in ["clip", "activation_alpha", "activation_beta"] {
        if attributes.0.contains_key(name) {
            return Err(Fault::unsupported(format!("`{name}`"), ""));
        }
    }
    if attributes.is_on("layout") || attributes.is_on("input_forget") {
        return Err(Fault::unsupported(
            "`layout = 1` and `input_forget = 1`",
            "",
        ));
    }
    if plan.cell == Cell::Gru && !attributes.is_on("linear_before_reset") {
        return Err(Fault::unsupported(
            "`linear_before_reset = 0`",
            "PyTorch's GRU has 1",
        ));
    }
    if call.has(7) {
        return Err(Fault::unsupported("peepholes", ""));
    }
    if call.has(4) && call.integers(4)?.iter().any(|&n| n != steps as i64) {
        return Err(Fault::unsupported("sequences of several lengths", ""));
    }
    Ok(())
}

/// `Y`, `Y_h` and `Y_c`.
fn run<T: Number>(call: &mut Call<'_>, x: &Array<T>, cell: Cell) -> Result<Vec<Array<T>>, Fault> {
    let plan = plan(cell);
    let (w, r) = (call.array::<T>(1)?, call.array::<T>(2)?);
    let b = call.optional::<T>(3)?;
    let (h, c) = (call.optional::<T>(5)?, call.optional::<T>(6)?);
    let tape = call.tape;
    let unfit = || {
        Fault::sizes(format!(
            "an input of sizes {:?} for weights of sizes {:?} and {:?}",
            x.dims(),
            w.dims(),
            r.dims()
        ))
    };
    let ([steps, batch, inputs], [directions, rows, _], [.., n]) = (
        three(x).ok_or_else(unfit)?,
        three(&w).ok_or_else(unfit)?,
        three(&r).ok_or_else(unfit)?,
    );
    let gates = plan.gates.len();
    let fits = w.dims().as_slice() == [directions, gates * n, inputs]
        && r.dims().as_slice() == [directions, gates * n, n]
        && rows == gates * n
        && matches!(directions, 1 | 2);
    let hidden = call.attributes.integer("hidden_size");
    if !fits || hidden.is_some_and(|h| h != n as i64) {
        return Err(unfit());
    }
    for (state, what) in [(&h, "h"), (&c, "c")] {
        if let Some(state) = state
            && state.dims().as_slice() != [directions, batch, n]
        {
            return Err(Fault::sizes(format!(
                "an initial {what} of sizes {:?}, expected [{directions}, {batch}, {n}]",
                state.dims()
            )));
        }
    }
    if let Some(b) = &b
        && b.dims().as_slice() != [directions, 2 * gates * n]
    {
        return Err(Fault::sizes(format!(
            "a bias of sizes {:?}, expected [{directions}, {}]",
            b.dims(),
            2 * gates * n
        )));
    }
    let reverse = match (call.attributes.text("direction", "forward"), directions) {
        ("forward", 1) => [false, false],
        ("reverse", 1) => [true, true],
        ("bidirectional", 2) => [false, true],
        (other, _) => {
            let what = format!("is `{other}`, for {directions} directions of weights");
            return Err(call.attributes.wrong("direction", what));
        }
    };
    check(call, &plan, directions, steps)?;
    sizes(&[steps, directions, batch, n])?;
    sizes(&[steps * batch, cell.slots() * n])?;
    let zeros = |dims: &[usize]| Array::plain(Raw::zeros(x.raw.device(), dims), x.known);
    let turned = |x: &Array<T>| {
        let index = (0..steps as i64).rev().collect();
        view(tape, x, View::Pick { axis: 0, index })
    };
    let (mut all, mut last, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for direction in 0..directions {
        let part =
            |x: &Array<T>, dims: &[usize]| reshape(tape, &narrow(tape, x, 0, direction, 1), dims);
        let w_ih = part(&w, &[gates * n, inputs]);
        let w_hh = part(&r, &[gates * n, n]);
        let [b_ih, b_hh] = match &b {
            None => [zeros(&[gates * n]), zeros(&[gates * n])],
            Some(b) => {
                let both = part(b, &[2 * gates * n]);
                [0, 1].map(|i| narrow(tape, &both, 0, i * gates * n, gates * n))
            }
        };
        let b_ih = reordered(tape, &b_ih, plan.gates, n)?;
        let b_hh = reordered(tape, &b_hh, plan.gates, n)?;
        let bias = match cell {
            // The new gate has a part of its own for each bias.
            Cell::Gru => {
                let two = |x: &Array<T>| narrow(tape, x, 0, 0, 2 * n);
                let both = binary(tape, BinaryOp::Add, two(&b_ih), two(&b_hh))?;
                let new = |x: &Array<T>| narrow(tape, x, 0, 2 * n, n);
                concat(tape, &[both, new(&b_hh), new(&b_ih)], 0)?
            }
            _ => binary(tape, BinaryOp::Add, b_ih, b_hh)?,
        };
        let state = |given: &Option<Array<T>>, used: bool| match given {
            Some(x) if used => part(x, &[batch, n]),
            _ if used => zeros(&[batch, n]),
            _ => zeros(&[0, n]),
        };
        let x = if reverse[direction] {
            turned(x)
        } else {
            x.clone()
        };
        let operands = Operands {
            steps,
            x: reshape(tape, &x, &[steps * batch, inputs]),
            w_ih: reordered(tape, &w_ih, plan.gates, n)?,
            w_hh: reordered(tape, &w_hh, plan.gates, n)?,
            bias,
            h0: state(&h, true),
            c0: state(&c, cell.has_memory()),
        };
        let [out, h, c] = recurrence(tape, cell, &operands);
        let out = if reverse[direction] {
            turned(&out)
        } else {
            out
        };
        all.push(reshape(tape, &out, &[steps, 1, batch, n]));
        last.push(reshape(tape, &h, &[1, batch, n]));
        if cell.has_memory() {
            memory.push(reshape(tape, &c, &[1, batch, n]));
        }
    }
    let mut out = vec![concat(tape, &all, 1)?, concat(tape, &last, 0)?];
    if cell.has_memory() {
        out.push(concat(tape, &memory, 0)?);
    }
    Ok(out)
}

fn three<T: Number>(x: &Array<T>) -> Option<[usize; 3]> {
    x.dims().as_slice().try_into().ok()
}

fn layer(call: &mut Call<'_>, cell: Cell) -> Results {
    fn wrapped<T: Number>(all: Vec<Array<T>>) -> Vec<Value> {
        all.into_iter().map(T::wrap).collect()
    }
    floats!(call, call.operand(0)?, x => Ok(wrapped(run(call, &x, cell)?)))
}

pub fn lstm(call: &mut Call<'_>) -> Results {
    layer(call, Cell::Lstm)
}

pub fn gru(call: &mut Call<'_>) -> Results {
    layer(call, Cell::Gru)
}

pub fn rnn(call: &mut Call<'_>) -> Results {
    layer(call, Cell::Rnn)
}
