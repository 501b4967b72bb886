//! Recurrent layers: `LSTM`, `GRU` and `RNN`, whose gates are in another order; step by step where more is wanted than they give.
//!
//! The products with the inputs were computed before. Where they are products of inputs and weights the operator takes both.

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::ir::{Attr, Id};
use crate::export::lower::Lower;
use autodiff_core::device::record::Node;
use autodiff_core::device::{Cell, Dims, Layout, Recurrence};

pub const RULES: Rules = &[("recurrence", recurrence)];

/// The operator, and of each of its gates the slot that has the product with the state, and that with the input.
fn operator(cell: Cell) -> (&'static str, &'static [(usize, usize)]) {
    match cell {
        Cell::Rnn => ("RNN", &[(0, 0)]),
        // Update, reset, new.
        Cell::Gru => ("GRU", &[(1, 1), (0, 0), (2, 3)]),
        // In, out, forget, cell.
        Cell::Lstm => ("LSTM", &[(0, 0), (3, 3), (1, 1), (2, 2)]),
    }
}

fn recurrence(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<Recurrence>(node, "shape")?;
    if !fused(cx, node, &s)? {
        stepwise(cx, node, &s)?;
    }
    Ok(())
}

/// Rows `from` of a matrix of gates and units, in another order.
fn reordered(cx: &mut Lower<'_>, x: &Tensor, n: usize, order: &[usize]) -> Tensor {
    let in_order = order.iter().enumerate().all(|(i, &g)| i == g);
    if in_order && x.dims[0] == n * order.len() {
        return x.clone();
    }
    // Neighbours stay together.
    let mut pieces = Vec::new();
    for run in order.chunk_by(|a, b| a + 1 == *b) {
        pieces.push(cx.ir.narrow(x, 0, run[0] * n, run.len() * n));
    }
    cx.ir.concat(0, &pieces)
}

/// The state before the first step; nothing where that is 0.
fn state(cx: &mut Lower<'_>, x: &Tensor, dims: [usize; 3]) -> Option<Id> {
    if cx.ir.uniform(x) == Some(0.0) {
        return None;
    }
    let x = cx.ir.reshape(x, &dims);
    Some(cx.ir.full(&x))
}

/// As one operator, if nobody wants the slots, nor the memory before the last step.
fn fused(cx: &mut Lower<'_>, node: &Node, s: &Recurrence) -> Result<bool, OnnxError> {
    let (steps, batch, n) = (s.steps, s.batch, s.hidden);
    let last = |layout: &Layout| {
        layout.is_contiguous()
            && layout.offset() == (steps - 1) * batch * n
            && layout.numel() == batch * n
    };
    if steps == 0 || !cx.readers(node, 0).is_empty() || !cx.readers(node, 1).iter().all(last) {
        return Ok(false);
    }
    // The products of inputs and weights, in the slots that have some.
    let mut inputs: Option<Tensor> = None;
    let mut weights = vec![None; s.cell.slots()];
    let row = s.cell.slots() * n;
    for (layout, part) in cx.parts_before(node, 0) {
        let product = cx
            .ir
            .maker(part.id)
            .filter(|m| m.operator == "MatMul" && part.dims == cx.ir.dims(part.id));
        let Some([Some(x), Some(w)]) = product.map(|m| [m.inputs[0], m.inputs[1]]) else {
            return Ok(false);
        };
        let (x, w) = (cx.ir.whole(x), cx.ir.whole(w));
        let (slot, width) = (layout.offset() / n, w.dims[w.dims.len() - 1]);
        let fits = layout.offset() < row && layout.offset() % n == 0 && width.is_multiple_of(n);
        let same = inputs.as_ref().is_none_or(|known| *known == x);
        if !fits || !same || w.dims.len() != 2 || slot + width / n > weights.len() {
            return Ok(false);
        }
        inputs = Some(x);
        let rows = cx.ir.transposed(&w);
        for k in 0..width / n {
            weights[slot + k] = Some((rows.clone(), k));
        }
    }
    let Some(x) = inputs else { return Ok(false) };
    let all = cx.operands(node)?;
    let (name, gates) = operator(s.cell);
    if gates.iter().any(|&(_, input)| weights[input].is_none()) {
        return Ok(false);
    }
    let width = x.dims[x.dims.len() - 1];
    // Weights of the inputs: neighbours that come from one matrix in the same order stay together.
    let picks: Vec<(Tensor, usize)> = gates
        .iter()
        .filter_map(|&(_, i)| weights[i].clone())
        .collect();
    let whole = &picks[0].0;
    let w = if picks.iter().all(|(w, _)| w == whole) {
        let order: Vec<usize> = picks.iter().map(|p| p.1).collect();
        reordered(cx, whole, n, &order)
    } else {
        let pieces: Vec<Tensor> = picks
            .iter()
            .map(|(w, k)| cx.ir.narrow(w, 0, k * n, n))
            .collect();
        cx.ir.concat(0, &pieces)
    };
    let of_h: Vec<usize> = gates.iter().map(|g| g.0).collect();
    let r = cx.ir.transposed(&all[0]);
    let r = reordered(cx, &r, n, &of_h);
    let bias = cx.ir.reshape(&all[1], &[row]);
    let input: Vec<usize> = gates.iter().map(|g| g.1).collect();
    let of_inputs = reordered(cx, &bias, n, &input);
    let zero = cx.ir.scalar(cx.ir.element(&x), 0.0);
    let of_state = match s.cell {
        // The bias of the new gate is inside of the reset.
        Cell::Gru => {
            let zeros = cx.ir.repeated(&zero, &[2 * n]);
            let own = cx.ir.narrow(&bias, 0, 2 * n, n);
            cx.ir.concat(0, &[zeros, own])
        }
        _ => cx.ir.repeated(&zero, &of_inputs.dims),
    };
    let b = cx.ir.concat(0, &[of_inputs, of_state]);
    let g = gates.len();
    let shapes = [
        (&x, vec![steps, batch, width]),
        (&w, vec![1, g * n, width]),
        (&r, vec![1, g * n, n]),
        (&b, vec![1, 2 * g * n]),
    ];
    let mut operands = Vec::new();
    for (x, dims) in shapes {
        let x = cx.ir.reshape(x, &dims);
        operands.push(Some(cx.ir.full(&x)));
    }
    operands.push(None);
    operands.push(state(cx, &all[2], [1, batch, n]));
    let element = cx.ir.element(&x);
    let (out, after) = ([steps, 1, batch, n], [1, batch, n]);
    let mut attributes = vec![("hidden_size", Attr::Int(n as i64))];
    let mut results = vec![(element, &out[..]), (element, &after[..])];
    match s.cell {
        Cell::Gru => attributes.push(("linear_before_reset", Attr::Int(1))),
        Cell::Lstm => {
            operands.push(state(cx, &all[3], after));
            results.push((element, &after[..]));
        }
        Cell::Rnn => {}
    }
    while operands.last() == Some(&None) {
        operands.pop();
    }
    let made = cx.ir.node(name, &operands, &attributes, &results);
    let y = cx.ir.whole(made[0]);
    cx.write(node, 2, &y);
    if s.cell.has_memory() {
        let layout =
            Layout::dense(Dims::new(&[steps * batch, n])).slice(0, (steps - 1) * batch, batch);
        let c = cx.ir.whole(made[2]);
        let c = cx.ir.reshape(&c, &[batch, n]);
        cx.write_part(node, 1, layout, &c);
    }
    Ok(true)
}

/// Each step by the formulas of the cell.
fn stepwise(cx: &mut Lower<'_>, node: &Node, s: &Recurrence) -> Result<(), OnnxError> {
    let (batch, n) = (s.batch, s.hidden);
    let (slots, recurrent) = (s.cell.slots(), s.cell.recurrent());
    let all = cx.operands(node)?;
    let z = cx.before(node, 0)?;
    let z = cx.ir.reshape(&z, &[s.steps, batch, slots * n]);
    let weights = cx.ir.reshape(&all[0], &[n, recurrent * n]);
    let bias = cx.ir.reshape(&all[1], &[slots * n]);
    let mut h = cx.ir.reshape(&all[2], &[batch, n]);
    let mut c = s
        .cell
        .has_memory()
        .then(|| cx.ir.reshape(&all[3], &[batch, n]));
    let (mut kept, mut states, mut memories) = (Vec::new(), Vec::new(), Vec::new());
    for t in 0..s.steps {
        let p = cx.ir.matmul(&h, &weights);
        let z = cx.ir.narrow(&z, 0, t, 1);
        let z = cx.ir.reshape(&z, &[batch, slots * n]);
        let mut part = |k: usize, input: bool, state: bool| {
            let mut sum = cx.ir.narrow(&bias, 0, k * n, n);
            if input {
                let z = cx.ir.narrow(&z, 1, k * n, n);
                sum = cx.ir.add(&z, &sum);
            }
            if state {
                let p = cx.ir.narrow(&p, 1, k * n, n);
                sum = cx.ir.add(&sum, &p);
            }
            sum
        };
        let made = match s.cell {
            Cell::Rnn => {
                let sum = part(0, true, true);
                h = cx.ir.unary("Tanh", &sum);
                vec![h.clone()]
            }
            Cell::Gru => {
                let [r, u] = [0, 1].map(|k| part(k, true, true));
                let (q, new) = (part(2, false, true), part(3, true, false));
                let [r, u] = [r, u].map(|x| cx.ir.unary("Sigmoid", &x));
                let inner = cx.ir.mul(&r, &q);
                let new = cx.ir.add(&new, &inner);
                let new = cx.ir.unary("Tanh", &new);
                let off = cx.ir.sub(&h, &new);
                let off = cx.ir.mul(&u, &off);
                h = cx.ir.add(&new, &off);
                vec![r, u, q, new]
            }
            Cell::Lstm => {
                let gates = [0, 1, 2, 3].map(|k| part(k, true, true));
                let operators = ["Sigmoid", "Sigmoid", "Tanh", "Sigmoid"];
                let mut gates = gates.iter().zip(operators).map(|(x, f)| cx.ir.unary(f, x));
                let gates = [0; 4].map(|_| gates.next().expect("four gates"));
                let [i, f, g, o] = &gates;
                let before = c.take().expect("a cell with memory");
                let (kept, new) = (cx.ir.mul(f, &before), cx.ir.mul(i, g));
                let after = cx.ir.add(&kept, &new);
                let bent = cx.ir.unary("Tanh", &after);
                h = cx.ir.mul(o, &bent);
                memories.push(after.clone());
                c = Some(after);
                gates.to_vec()
            }
        };
        kept.push(cx.ir.concat(1, &made));
        states.push(h.clone());
    }
    for (k, all) in [kept, memories, states].iter().enumerate() {
        if !all.is_empty() {
            let x = cx.ir.concat(0, all);
            cx.write(node, k, &x);
        }
    }
    Ok(())
}
