//! Attention, as products of matrices and a softmax. The formulas are those of the kernel: with `P = softmax(scale·Q·Kᵀ)`, the
//! cotangent `C` of `O = P·V` and `δ = Σ C∘O`,
//!
//! ```text
//! dS = P∘(C·Vᵀ − δ)     dV = Pᵀ·C     dQ = scale·dS·K     dK = scale·dSᵀ·Q     dbias = dS
//! ```

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::lower::{Arg, Lower};
use crate::proto::TensorProto;
use autodiff_core::device::AttentionShape;
use autodiff_core::device::record::Node;

pub const RULES: Rules = &[
    ("attention", attention),
    ("attention_pullback", attention_pullback),
    ("attention_pushforward", attention_pushforward),
];

/// The operands with axes that fit: leading axes, those of them that share keys, queries or keys, entries.
struct Heads {
    shape: AttentionShape,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    /// The weights: leading axes, queries, keys.
    p: Tensor,
}

/// Gives queries the axes of keys, and one more where several meet the same keys.
fn led(cx: &mut Lower<'_>, s: &AttentionShape, x: &Tensor, lead: &[usize]) -> Tensor {
    let rank = x.dims.len();
    let mut dims = lead.to_vec();
    if s.group > 1 {
        let own = x.dims[..rank - 2].iter().product::<usize>() == s.heads;
        dims.push(if own { s.group } else { 1 });
    }
    dims.extend_from_slice(&x.dims[rank - 2..]);
    cx.ir.reshape(x, &dims)
}

fn heads(cx: &mut Lower<'_>, node: &Node) -> Result<Heads, OnnxError> {
    let s = cx.attribute::<AttentionShape>(node, "shape")?;
    if s.dropout.is_some() {
        return Err(OnnxError::of(node, super::DRAWN));
    }
    let args = cx.args(node);
    let [q, k, v] = [0, 1, 2].map(|i| cx.operand(node, &args[i]));
    let (q, k, v) = (q?, k?, v?);
    let rank = k.dims.len();
    // Heads that share keys are beside one another.
    let lead = match s.group {
        1 => q.dims[..rank - 2].to_vec(),
        _ => k.dims[..rank - 2].to_vec(),
    };
    let scores_dims: Vec<usize> = {
        let mut dims = lead.clone();
        if s.group > 1 {
            dims.push(s.group);
        }
        dims.extend([s.queries, s.keys]);
        dims
    };
    let [q, k, v] = [&q, &k, &v].map(|x| led(cx, &s, x, &lead));
    let keys = cx.ir.transposed(&k);
    let products = cx.ir.matmul(&q, &keys);
    let mut scores = cx.ir.scaled(&products, s.scale);
    let mut seen: Option<Tensor> = None;
    // Whether each query sees a key, for all that is known.
    let mut open = true;
    if s.causal {
        let sees = |i: usize, k: usize| k < s.seen(i, s.keys);
        let all: Vec<bool> = (0..s.queries * s.keys)
            .map(|n| sees(n / s.keys, n % s.keys))
            .collect();
        open = s.keys >= s.queries;
        if all.contains(&false) {
            let id = cx
                .ir
                .constant(TensorProto::new("", &[s.queries, s.keys], &all));
            seen = Some(cx.ir.whole(id));
        }
    }
    let mut bias = None;
    if let Arg::Read(at) = args[3] {
        let mask = cx.operand(node, &args[3])?;
        let visible = match node.operands()[at].name {
            "lengths" => {
                // How many keys there are, for each of equal groups of heads.
                let index: Vec<i64> = (0..s.keys as i64).collect();
                let id = cx.ir.constant(TensorProto::new("", &[s.keys], &index));
                let index = cx.ir.whole(id);
                let count: usize = mask.dims.iter().product();
                let mut dims = vec![1; scores_dims.len()];
                let at = first_axes(node, &lead, count)?;
                dims[..at].copy_from_slice(&lead[..at]);
                let lengths = cx.ir.reshape(&mask, &dims);
                Some(cx.ir.compare("Less", &index, &lengths))
            }
            "visible" => Some(cx.ir.reshape(&mask, &scores_dims)),
            _ => {
                let b = cx.ir.reshape(&mask, &scores_dims);
                scores = cx.ir.add(&scores, &b);
                bias = Some(b);
                None
            }
        };
        if let Some(visible) = visible {
            open = false;
            seen = Some(match seen {
                Some(seen) => cx.ir.binary("And", &seen, &visible),
                None => visible,
            });
        }
    }
    let element = cx.ir.element(&scores);
    if let Some(seen) = &seen {
        let never = cx.ir.scalar(element, f64::NEG_INFINITY);
        scores = cx.ir.choose(seen, &scores, &never);
    }
    let scores = cx.ir.repeated(&scores, &scores_dims);
    let mut p = cx.ir.along_last("Softmax", &scores);
    // Of a query that sees no key all weights are 0, where the operator has NaN.
    let finite = bias.is_none_or(|b| {
        let known = cx.ir.known(b.id).and_then(|t| t.to_vec::<f64>().ok());
        known.is_some_and(|x| x.iter().all(|x| x.is_finite()))
    });
    let zero = cx.ir.scalar(element, 0.0);
    if !finite {
        let most = cx.ir.reduce("ReduceMax", &scores, &[scores.dims.len() - 1]);
        let never = cx.ir.scalar(element, f64::NEG_INFINITY);
        let none = cx.ir.compare("Equal", &most, &never);
        p = cx.ir.choose(&none, &zero, &p);
    } else if let Some(seen) = seen.filter(|_| !open) {
        p = cx.ir.choose(&seen, &p, &zero);
    }
    Ok(Heads {
        shape: s,
        q,
        k,
        v,
        p,
    })
}

/// How many of the leading axes have `count` entries.
fn first_axes(node: &Node, lead: &[usize], count: usize) -> Result<usize, OnnxError> {
    let at = (0..=lead.len()).find(|&at| lead[..at].iter().product::<usize>() == count);
    at.ok_or_else(|| OnnxError::of(node, "its lengths are not those of its first axes"))
}

fn attention(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let h = heads(cx, node)?;
    let y = cx.ir.matmul(&h.p, &h.v);
    cx.write(node, 0, &y);
    // What it keeps for its derivatives is not written: these compute the weights again.
    Ok(())
}

/// Summed over the heads that share keys, which have size 1 there.
fn shared(cx: &mut Lower<'_>, s: &AttentionShape, x: &Tensor) -> Tensor {
    match s.group {
        1 => x.clone(),
        _ => cx.ir.reduce("ReduceSum", x, &[x.dims.len() - 3]),
    }
}

fn attention_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let h = heads(cx, node)?;
    let s = h.shape;
    let args = cx.args(node);
    let [saved, ct] = [4, 6].map(|i| cx.operand(node, &args[i]));
    let mut dims = h.q.dims.clone();
    let last = dims.len() - 1;
    dims[last] = s.value_width;
    let [out, ct] = [saved?, ct?].map(|x| cx.ir.reshape(&x, &dims));
    let products = cx.ir.mul(&ct, &out);
    let delta = cx.ir.reduce("ReduceSum", &products, &[last]);
    let values = cx.ir.transposed(&h.v);
    let d_p = cx.ir.matmul(&ct, &values);
    let off = cx.ir.sub(&d_p, &delta);
    let d_s = cx.ir.mul(&h.p, &off);
    let scaled = cx.ir.scaled(&d_s, s.scale);
    for (i, to) in args[7..].iter().enumerate() {
        let Arg::Result(k) = *to else { continue };
        let d = match i {
            0 => cx.ir.matmul(&scaled, &h.k),
            1 => {
                let back = cx.ir.transposed(&scaled);
                let d = cx.ir.matmul(&back, &h.q);
                shared(cx, &s, &d)
            }
            2 => {
                let back = cx.ir.transposed(&h.p);
                let d = cx.ir.matmul(&back, &ct);
                shared(cx, &s, &d)
            }
            // Heads that share a bias are `biases` apart.
            _ => {
                let dims = [s.heads / s.biases, s.biases, s.queries, s.keys];
                let d = cx.ir.reshape(&d_s, &dims);
                let d = cx.ir.reduce("ReduceSum", &d, &[0]);
                let d = cx.ir.reshape(&d, &dims[1..]);
                cx.ir.transposed(&d)
            }
        };
        cx.write(node, k, &d);
    }
    Ok(())
}

/// `Ṡ = scale·(Q̇·Kᵀ + Q·K̇ᵀ) + bias˙` and `Ȯ = (P∘Ṡ)·V + P·V̇ − τ∘O` with `τ = Σ P∘Ṡ`.
fn attention_pushforward(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let h = heads(cx, node)?;
    let s = h.shape;
    let args = cx.args(node);
    let tangents = [6, 7, 8].map(|i| cx.operand(node, &args[i]));
    let [t_q, t_k, t_v] = tangents;
    let t_q = cx.ir.reshape(&t_q?, &h.q.dims);
    let t_k = cx.ir.reshape(&t_k?, &h.k.dims);
    let t_v = cx.ir.reshape(&t_v?, &h.v.dims);
    let keys = cx.ir.transposed(&h.k);
    let t_keys = cx.ir.transposed(&t_k);
    let (a, b) = (cx.ir.matmul(&t_q, &keys), cx.ir.matmul(&h.q, &t_keys));
    let sum = cx.ir.add(&a, &b);
    let mut t_s = cx.ir.scaled(&sum, s.scale);
    if let Arg::Read(_) = args[9] {
        let bias = cx.operand(node, &args[9])?;
        let bias = cx.ir.reshape(&bias, &h.p.dims);
        t_s = cx.ir.add(&t_s, &bias);
    }
    let moved = cx.ir.mul(&h.p, &t_s);
    let tau = cx.ir.reduce("ReduceSum", &moved, &[moved.dims.len() - 1]);
    let (a, b) = (cx.ir.matmul(&moved, &h.v), cx.ir.matmul(&h.p, &t_v));
    let out = cx.ir.matmul(&h.p, &h.v);
    let back = cx.ir.mul(&tau, &out);
    let sum = cx.ir.add(&a, &b);
    let y = cx.ir.sub(&sum, &back);
    cx.write(node, 0, &y);
    Ok(())
}
