//! Functions of one element on duals, by the chain rule: `f(x + ẋε) = f(x) + f′(x)·ẋ·ε`.
//!
//! The value is the kernel of the numbers, each tangent their pullback, which for a function of one element is its
//! pushforward too. So the fifty functions are compiled for numbers alone, and a program with second derivatives
//! compiles one loop for them.

use super::activation::celu_by_alpha;
use super::drive::{Src, drive};
use super::map::Arg;
use crate::ad::{Dual, Scalar};
use crate::device::{Float, FloatElem, Layout, Saves, UnaryOp, Write};

/// Elements handled together.
const BLOCK: usize = 256;

/// `out ← op(x)`.
pub fn apply<T: FloatElem + Scalar, const K: usize>(
    op: UnaryOp,
    out: &mut [Dual<T, K>],
    dims: &[usize],
    x: Src<'_, Dual<T, K>>,
) {
    if let UnaryOp::CeluByAlpha(alpha) = op {
        // It is a derivative itself, and has no pullback.
        let r = Float::lit(1.0 / alpha);
        return drive(out, dims, [x], Write::Set, 16, &|out, [x]| {
            for (out, &x) in out.iter_mut().zip(x) {
                *out = celu_by_alpha(x, r);
            }
        });
    }
    drive(out, dims, [x], Write::Set, 16, &|out, [x]| {
        for (out, x) in out.chunks_mut(BLOCK).zip(x.chunks(BLOCK)) {
            block(op, out, x);
        }
    });
}

fn dense<T>(x: &[T]) -> Src<'_, T> {
    Src::Arg(Arg::View(x, Layout::dense((&[x.len()][..]).into())))
}

fn block<T: FloatElem + Scalar, const K: usize>(
    op: UnaryOp,
    out: &mut [Dual<T, K>],
    x: &[Dual<T, K>],
) {
    let n = x.len();
    let dims = [n];
    let zeros = [<T as Scalar>::ZERO; BLOCK];
    let (mut value, mut result) = (zeros, zeros);
    for (value, x) in value.iter_mut().zip(x) {
        *value = x.value;
    }
    T::unary(op, &mut result[..n], &dims, dense(&value[..n]));
    let saved = match op.saves() {
        Saves::Output => &result,
        Saves::Input | Saves::Nothing => &value,
    };
    let (mut tangent, mut pushed) = (zeros, zeros);
    for (out, &y) in out.iter_mut().zip(&result) {
        out.value = y;
    }
    for k in 0..K {
        for (tangent, x) in tangent.iter_mut().zip(x) {
            *tangent = x.tangents[k];
        }
        let (to, from) = (&mut pushed[..n], dense(&tangent[..n]));
        T::unary_pullback(op, to, &dims, dense(&saved[..n]), from, Write::Set);
        // What does not change has no tangent, also where the slope is infinite.
        for ((out, &t), &pushed) in out.iter_mut().zip(&tangent).zip(&pushed) {
            out.tangents[k] = if t.is_zero() { t } else { pushed };
        }
    }
}
