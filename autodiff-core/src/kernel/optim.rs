//! Optimiser updates, one pass over the data each.

use super::par;
use super::simd::vectorize;
use crate::device::{AdamStep, Decay, Float, SgdStep};

/// Elements of one part.
const PART: usize = 1 << 14;

fn alone(n: usize) -> bool {
    n < 2 * PART || rayon::current_num_threads() == 1
}

/// One step of stochastic gradient descent.
pub fn sgd<T: Float>(s: &SgdStep, p: &mut [T], g: &[T], v: Option<&mut [T]>) {
    let (lr, decay) = (T::lit(s.lr), T::lit(s.weight_decay));
    let Some(v) = v else {
        let go = |p: &mut [T], g: &[T]| {
            vectorize::<T, _>(
                #[inline(always)]
                move || {
                    for (p, &g) in p.iter_mut().zip(g) {
                        *p = *p - lr * (g + decay * *p);
                    }
                },
            )
        };
        if alone(p.len()) {
            return go(p, g);
        }
        return par::each(p.chunks_mut(PART).zip(g.chunks(PART)), |(p, g)| go(p, g));
    };
    let (mu, fresh, nesterov) = (T::lit(s.momentum), T::lit(1.0 - s.dampening), s.nesterov);
    let go = |p: &mut [T], g: &[T], v: &mut [T]| {
        vectorize::<T, _>(
            #[inline(always)]
            move || {
                for ((p, &g), v) in p.iter_mut().zip(g).zip(v.iter_mut()) {
                    let g = g + decay * *p;
                    *v = mu * *v + fresh * g;
                    *p = *p - lr * if nesterov { g + mu * *v } else { *v };
                }
            },
        )
    };
    if alone(p.len()) {
        return go(p, g, v);
    }
    let parts = p.chunks_mut(PART).zip(g.chunks(PART));
    par::each(parts.zip(v.chunks_mut(PART)), |((p, g), v)| go(p, g, v));
}

/// One step of Adam or AdamW.
pub fn adam<T: Float>(s: &AdamStep, p: &mut [T], g: &[T], m: &mut [T], v: &mut [T]) {
    assert!(s.step > 0, "Adam counts its steps from 1");
    let t = s.step as f64;
    // (m/c1) / (√(v/c2) + ε), with the corrections folded into the two constants.
    let (c1, c2) = (1.0 - s.beta1.powf(t), 1.0 - s.beta2.powf(t));
    let (rate, root, eps) = (T::lit(s.lr / c1), T::lit(1.0 / c2.sqrt()), T::lit(s.eps));
    let (b1, b2) = (T::lit(s.beta1), T::lit(s.beta2));
    let (d1, d2) = (T::lit(1.0 - s.beta1), T::lit(1.0 - s.beta2));
    let (coupled, keep) = match s.decay {
        Decay::Coupled => (T::lit(s.weight_decay), T::ONE),
        Decay::Decoupled => (T::ZERO, T::lit(1.0 - s.lr * s.weight_decay)),
    };
    let go = |p: &mut [T], g: &[T], m: &mut [T], v: &mut [T]| {
        vectorize::<T, _>(
            #[inline(always)]
            move || {
                for (((p, &g), m), v) in p.iter_mut().zip(g).zip(m.iter_mut()).zip(v.iter_mut()) {
                    let g = g + coupled * *p;
                    *m = b1 * *m + d1 * g;
                    *v = b2 * *v + d2 * g * g;
                    *p = keep * *p - rate * *m / (v.sqrt() * root + eps);
                }
            },
        )
    };
    if alone(p.len()) {
        return go(p, g, m, v);
    }
    let parts = p.chunks_mut(PART).zip(g.chunks(PART));
    let parts = parts.zip(m.chunks_mut(PART)).zip(v.chunks_mut(PART));
    par::each(parts, |(((p, g), m), v)| go(p, g, m, v));
}
