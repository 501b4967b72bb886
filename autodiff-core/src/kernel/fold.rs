//! Reductions in one or two passes over the elements: product, variance, norms, log-sum-exp.
//!
//! | reduction | passes | pullback, times the cotangent |
//! |---|---|---|
//! | `prod` | `Π x` | `y/x`; with one zero, the product of the others goes to it; with more, 0 |
//! | `var` | mean, `Σ (x − m)²/(n − c)` | `2(x − m)/(n − c)` |
//! | `std` | as `var` | `(x − m)/((n − c) y)`; 0 if `y = 0` |
//! | `norm`, `p = 2` | `√Σ x²` | `x/y`; 0 if `y = 0` |
//! | `norm`, `p = 1` | `Σ abs x` | the sign; 0 at 0 |
//! | `norm` | `(Σ (abs x)^p)^(1/p)` | the sign times `((abs x)/y)^(p − 1)`; 0 at 0 |
//! | `logsumexp` | maximum `m`, `m + ln Σ e^(x − m)` | `e^(x − y)`; 0 if `y = −∞` |
//!
//! No pass writes a temporary of the size of `x`. Where nothing or too little is reduced for a
//! variance (`n ≤ c`) the result is NaN or, of different elements, ∞, as in PyTorch.

use super::activation::signed_power;
use super::drive::{Src, drive};
use super::map::{Arg, map1};
use super::reduce::{Add, Largest, Product, fold, reduce};
use super::simd::vectorize;
use crate::device::{Dims, Float, FoldOp, Layout, ReduceOp, Write};

/// Reduces `x` to the sizes `dims` of `out`.
pub fn apply<T: Float>(op: FoldOp, out: &mut [T], dims: &Dims, x: &[T], layout: Layout) {
    match op {
        FoldOp::Prod => fold::<T, Product>(out, dims, x, layout, &[], |x, _| x, |_, y| y),
        FoldOp::Var(c) => variance(c, out, dims, x, layout, |v| v),
        FoldOp::Std(c) => variance(c, out, dims, x, layout, |v| v.sqrt()),
        FoldOp::Norm(2.0) => {
            fold::<T, Add>(out, dims, x, layout, &[], |x, _| x * x, |_, s| s.sqrt())
        }
        FoldOp::Norm(1.0) => fold::<T, Add>(out, dims, x, layout, &[], |x, _| x.abs(), |_, s| s),
        FoldOp::Norm(p) => {
            let (p, root) = (T::lit(p), T::lit(1.0 / p));
            let power = move |x: T, _| x.abs().powf(p);
            fold::<T, Add>(out, dims, x, layout, &[], power, |_, s| s.powf(root))
        }
        FoldOp::LogSumExp => {
            fold::<T, Largest>(out, dims, x, layout, &[], |x, _| x, |_, m| m);
            // An infinite shift would make NaN of the elements equal to it.
            let shifts: Vec<T> = out.iter().map(|&m| finite(m)).collect();
            let add = |m, s: T| if finite(m) == m { m + s.ln() } else { m };
            fold::<T, Add>(out, dims, x, layout, &shifts, |x, m| (x - m).exp(), add);
        }
    }
}

/// The number, or 0 for ±∞ (and NaN for NaN).
fn finite<T: Float>(x: T) -> T {
    if x.abs() == T::INFINITY { T::ZERO } else { x }
}

fn variance<T: Float>(
    correction: f64,
    out: &mut [T],
    dims: &Dims,
    x: &[T],
    layout: Layout,
    end: impl Fn(T) -> T + Sync,
) {
    reduce(ReduceOp::Mean, out, dims, x, layout, Write::Set);
    let means = out.to_vec();
    let n = freedom(correction, out.len(), &layout);
    let square = |x, m| {
        let d = x - m;
        d * d
    };
    fold::<T, Add>(out, dims, x, layout, &means, square, |_, s| end(s / n));
}

/// The count less the correction.
fn freedom<T: Float>(correction: f64, outputs: usize, layout: &Layout) -> T {
    let count = layout.numel().checked_div(outputs).unwrap_or(0);
    T::lit((count as f64 - correction).max(0.0))
}

/// `ct · ∂y/∂x`.
pub fn pullback<T: Float>(
    op: FoldOp,
    out: &mut [T],
    x: (&[T], Layout),
    y: (&[T], Layout),
    ct: (&[T], Layout),
) {
    let (dims, kept) = (*x.1.dims(), *y.1.dims());
    let (zero, one) = (T::ZERO, T::ONE);
    let small = |v: (&[T], Layout)| {
        let mut dense = vec![zero; kept.numel()];
        map1(&mut dense, &kept, Arg::View(v.0, v.1), 1, |_, v| v);
        dense
    };
    // Two numbers for each output; the rest is one pass over `x`.
    let (mut a, mut b) = (small(y), small(ct));
    macro_rules! pass {
        ($cost:literal, |$x:ident, $a:ident, $b:ident| $y:expr) => {{
            let spread = Layout::dense(kept).expand(&dims);
            let operands = [(x.0, x.1), (&a[..], spread), (&b[..], spread)]
                .map(|(v, layout)| Src::Arg(Arg::View(v, layout)));
            drive(
                out,
                &dims,
                operands,
                Write::Set,
                $cost,
                &|o: &mut [T], [x, a, b]: [&[T]; 3]| {
                    vectorize(
                        #[inline(always)]
                        move || {
                            o.iter_mut()
                                .zip(x)
                                .zip(a)
                                .zip(b)
                                .for_each(|(((o, &$x), &$a), &$b)| *o = $y)
                        },
                    )
                },
            )
        }};
    }
    match op {
        FoldOp::Prod => {
            // `b`: the number of zeros; `a`: the product of the others times the cotangent.
            let mut zeros = vec![zero; kept.numel()];
            if a.contains(&zero) {
                let is_zero = |x, _| if x == zero { one } else { zero };
                fold::<T, Add>(&mut zeros, &kept, x.0, x.1, &[], is_zero, |_, s| s);
                let others = |x, _| if x == zero { one } else { x };
                fold::<T, Product>(&mut a, &kept, x.0, x.1, &[], others, |_, y| y);
            }
            a.iter_mut().zip(&b).for_each(|(y, &ct)| *y = *y * ct);
            b = zeros;
            pass!(2, |x, a, b| if b == zero {
                a / x
            } else if b == one && x == zero {
                a
            } else {
                zero
            });
        }
        FoldOp::Var(c) | FoldOp::Std(c) => {
            let n = freedom::<T>(c, kept.numel(), &x.1);
            let is_std = matches!(op, FoldOp::Std(_));
            for (&y, ct) in a.iter().zip(&mut b) {
                *ct = match is_std {
                    true if y == zero => zero,
                    true => *ct / (n * y),
                    false => *ct * T::lit(2.0) / n,
                };
            }
            reduce(ReduceOp::Mean, &mut a, &kept, x.0, x.1, Write::Set);
            pass!(1, |x, m, b| (x - m) * b);
        }
        FoldOp::Norm(1.0) => pass!(1, |x, _y, ct| if x > zero {
            ct
        } else if x < zero {
            -ct
        } else {
            x * ct
        }),
        FoldOp::Norm(p) => {
            // Where the norm is 0 all elements are.
            a.iter_mut().filter(|y| **y == zero).for_each(|y| *y = one);
            if p == 2.0 {
                return pass!(2, |x, y, ct| x / y * ct);
            }
            let q = T::lit(p - 1.0);
            pass!(16, |x, y, ct| signed_power(x / y, q) * ct);
        }
        FoldOp::LogSumExp => {
            // Beside a large maximum the result has lost the digits of the sum: both are taken anew.
            let results = a.clone();
            fold::<T, Largest>(&mut a, &kept, x.0, x.1, &[], |x, _| x, |_, m| finite(m));
            let shifts = a.clone();
            let mut sums = vec![zero; kept.numel()];
            let term = |x: T, m: T| (x - m).exp();
            fold::<T, Add>(&mut sums, &kept, x.0, x.1, &shifts, term, |_, s| s);
            for ((ct, s), y) in b.iter_mut().zip(sums).zip(results) {
                // Of nothing but −∞, the derivative is 0.
                *ct = if y == -T::INFINITY { zero } else { *ct / s };
            }
            pass!(8, |x, m, share| (x - m).exp() * share);
        }
    }
}
