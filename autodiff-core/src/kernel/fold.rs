//! Reductions in one or two passes over the elements: product, variance, norms, log-sum-exp.
//!
//! | reduction | passes | pullback, times the cotangent |
//! |---|---|---|
//! | `prod` | `Π x` | `y/x`; where `y` is 0, subnormal, infinite or NaN, the product of those before and of those behind |
//! | `var` | mean, `Σ (x − m)²/(n − c)` | `2(x − m)/(n − c)` |
//! | `std` | as `var` | `(x − m)/((n − c) y)`; 0 if `y = 0` |
//! | `norm`, `p = 2` | `√Σ x²` | `x/y`; 0 if `y = 0` |
//! | `norm`, `p = 1` | `Σ abs x` | the sign; 0 at 0 |
//! | `norm` | `(Σ (abs x)^p)^(1/p)` | the sign times `((abs x)/y)^(p − 1)`; 0 at 0 |
//! | `logsumexp` | maximum `m`, `m + ln Σ e^(x − m)` | `e^(x − y)`; 0 if `y = −∞` |
//!
//! Norms whose powers overflow or underflow are taken of the elements divided by the largest. No pass writes a temporary
//! of the size of `x`. Where nothing or too little is reduced for a
//! variance (`n ≤ c`) the result is NaN or, of different elements, ∞, as in PyTorch.

use super::activation::signed_power;
use super::binary;
use super::drive::{Src, drive};
use super::map::{Arg, map1};
use super::nest::Nest;
use super::reduce::{Add, Largest, Product, Put, fold, plain, reduce};
use super::simd::vectorize;
use crate::device::{Dims, Float, FoldOp, Layout, ReduceOp, Write};

/// Reduces `x` to the sizes `dims` of `out`.
pub fn apply<T: Float>(op: FoldOp, out: &mut [T], dims: &Dims, x: &[T], layout: Layout) {
    match op {
        FoldOp::Prod => fold::<T, Product>(out, dims, x, layout, &[], plain, None),
        FoldOp::Var(c) => variance(c, out, dims, x, layout),
        FoldOp::Std(c) => {
            variance(c, out, dims, x, layout);
            out.iter_mut().for_each(|v| *v = v.sqrt());
        }
        FoldOp::Norm(2.0) => {
            let square = |x: T| x * x;
            fold::<T, Add>(
                out,
                dims,
                x,
                layout,
                &[],
                |x, _| square(x),
                Some(&|_, s: T| s.sqrt()),
            );
            scaled_norms(out, dims, x, layout, square, &|s| s.sqrt());
        }
        FoldOp::Norm(1.0) => fold::<T, Add>(out, dims, x, layout, &[], size, None),
        FoldOp::Norm(p) => {
            let (q, root) = (T::lit(p), T::lit(1.0 / p));
            let power = move |x: T| x.abs().powf(q);
            fold::<T, Add>(
                out,
                dims,
                x,
                layout,
                &[],
                |x, _| power(x),
                Some(&move |_, s: T| s.powf(root)),
            );
            if p > 0.0 {
                scaled_norms(out, dims, x, layout, power, &|s| s.powf(root));
            }
        }
        FoldOp::LogSumExp => {
            fold::<T, Largest>(out, dims, x, layout, &[], plain, None);
            // An infinite shift would make NaN of the elements equal to it.
            let shifts: Vec<T> = out.iter().map(|&m| finite(m)).collect();
            let add = |m, s: T| if finite(m) == m { m + s.ln() } else { m };
            fold::<T, Add>(out, dims, x, layout, &shifts, exponential, Some(&add));
        }
    }
}

/// A term of `norm`, `p = 1`.
#[inline(always)]
fn size<T: Float>(x: T, _: T) -> T {
    x.abs()
}

/// A term of `logsumexp`.
#[inline(always)]
fn exponential<T: Float>(x: T, largest: T) -> T {
    (x - largest).exp()
}

/// Norms whose powers may have overflowed or underflowed, taken again of the elements divided by the largest.
fn scaled_norms<T: Float>(
    out: &mut [T],
    dims: &Dims,
    x: &[T],
    layout: Layout,
    power: impl Fn(T) -> T + Sync + Copy,
    root: &dyn Fn(T) -> T,
) {
    // Of a sum this large all terms that matter have their digits.
    let small = root(T::MIN_POSITIVE * T::lit(1e20));
    let bad = |y: T| y < small || y == T::INFINITY;
    if !out.iter().any(|&y| bad(y)) {
        return;
    }
    let mut largest = vec![T::ZERO; out.len()];
    fold::<T, Largest>(&mut largest, dims, x, layout, &[], size, None);
    let mut sums = vec![T::ZERO; out.len()];
    let scaled = move |x, m| power(x / m);
    fold::<T, Add>(&mut sums, dims, x, layout, &largest, scaled, None);
    for ((y, &m), &s) in out.iter_mut().zip(&largest).zip(&sums) {
        if bad(*y) && m > T::ZERO && m < T::INFINITY {
            *y = m * root(s);
        }
    }
}

/// The number, or 0 for ±∞ (and NaN for NaN).
fn finite<T: Float>(x: T) -> T {
    if x.abs() == T::INFINITY { T::ZERO } else { x }
}

fn variance<T: Float>(correction: f64, out: &mut [T], dims: &Dims, x: &[T], layout: Layout) {
    reduce(ReduceOp::Mean, out, dims, x, layout, Write::Set);
    let mut means = out.to_vec();
    let n = freedom(correction, out.len(), &layout);
    let square = |x, m| {
        let d = x - m;
        d * d
    };
    fold::<T, Add>(
        out,
        dims,
        x,
        layout,
        &means,
        square,
        Some(&move |_, s| s / n),
    );
    if means
        .iter()
        .zip(&*out)
        .any(|(&m, &v)| is_large(m, v.sqrt()))
    {
        let rests = correct(&mut means, dims, x, layout);
        let count = freedom::<T>(0.0, out.len(), &layout);
        fold::<T, Add>(out, dims, x, layout, &means, square, None);
        for (v, &r) in out.iter_mut().zip(&rests) {
            *v = (*v - count * r * r) / n;
        }
    }
}

/// Whether the rounding of a mean matters beside the deviations from it.
#[inline(always)]
pub(super) fn is_large<T: Float>(mean: T, deviation: T) -> bool {
    mean.abs() > T::lit(8.0) * deviation
}

/// Makes means the nearest numbers to the means, and returns what rounding took: `mean(x − m)`, where `x − m` is exact.
fn correct<T: Float>(means: &mut [T], dims: &Dims, x: &[T], layout: Layout) -> Vec<T> {
    let count = freedom::<T>(0.0, means.len(), &layout);
    let mut rests = vec![T::ZERO; means.len()];
    for _ in 0..2 {
        means.iter_mut().zip(&rests).for_each(|(m, &r)| *m = *m + r);
        let put: Put<'_, T> = &move |_, s| s / count;
        fold::<T, Add>(&mut rests, dims, x, layout, means, |x, m| x - m, Some(put));
    }
    rests
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
                    vectorize::<T, _>(
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
            pass!(2, |x, y, ct| y / x * ct);
            let bad = |y: &T| !(y.abs() >= T::MIN_POSITIVE && y.abs() < T::INFINITY);
            if a.iter().any(bad) {
                let [from, to] = [x.1, Layout::dense(dims)].map(|layout| rows(layout, &kept));
                let count = dims.numel() / kept.numel();
                let mut row = vec![zero; count];
                for k in (0..kept.numel()).filter(|&k| bad(&a[k])) {
                    let at = |i: usize| k * count + i;
                    (0..count).for_each(|i| row[i] = x.0[from.at(at(i))]);
                    without_each(&mut row);
                    (0..count).for_each(|i| out[to.at(at(i))] = row[i] * b[k]);
                }
            }
        }
        FoldOp::Var(c) | FoldOp::Std(c) => {
            let n = freedom::<T>(c, kept.numel(), &x.1);
            let is_std = matches!(op, FoldOp::Std(_));
            let deviations = a.clone();
            for (&y, ct) in a.iter().zip(&mut b) {
                *ct = match is_std {
                    true if y == zero => zero,
                    true => *ct / (n * y),
                    false => *ct * T::lit(2.0) / n,
                };
            }
            reduce(ReduceOp::Mean, &mut a, &kept, x.0, x.1, Write::Set);
            let large = |(&m, &y): (&T, &T)| is_large(m, if is_std { y } else { y.sqrt() });
            if !a.iter().zip(&deviations).any(large) {
                return pass!(1, |x, m, b| (x - m) * b);
            }
            // `(x − m)·b`, and less what rounding took from `m`.
            let rests = correct(&mut a, &kept, x.0, x.1);
            pass!(1, |x, m, b| (x - m) * b);
            b.iter_mut().zip(rests).for_each(|(b, r)| *b = *b * r);
            let layout = Layout::dense(kept).expand(&dims);
            binary::add_scaled(-one, (out, Layout::dense(dims)), (&b, layout));
        }
        FoldOp::Norm(1.0) => pass!(1, |x, _y, ct| if x > zero {
            ct
        } else if x < zero {
            -ct
        } else {
            x * zero * ct
        }),
        FoldOp::Norm(p) => {
            // Where the norm is 0 all elements are: their part is 0, and has no slope.
            let none = |y: &&mut T| **y == zero;
            a.iter_mut().filter(none).for_each(|y| *y = T::INFINITY);
            if p == 2.0 {
                return pass!(2, |x, y, ct| x / y * ct);
            }
            let q = T::lit(p - 1.0);
            pass!(16, |x, y, ct| signed_power(x / y, q) * ct);
        }
        FoldOp::LogSumExp => {
            // Beside a large maximum the result has lost the digits of the sum: both are taken anew.
            let results = a.clone();
            fold::<T, Largest>(&mut a, &kept, x.0, x.1, &[], plain, Some(&|_, m| finite(m)));
            let shifts = a.clone();
            let mut sums = vec![zero; kept.numel()];
            fold::<T, Add>(&mut sums, &kept, x.0, x.1, &shifts, exponential, None);
            for ((ct, s), y) in b.iter_mut().zip(sums).zip(results) {
                // Of nothing but −∞, the derivative is 0.
                *ct = if y == -T::INFINITY { zero } else { *ct / s };
            }
            pass!(8, |x, m, share| (x - m).exp() * share);
        }
    }
}

/// The elements of `layout` in the order of rows, one for each element that `kept` keeps.
fn rows(layout: Layout, kept: &Dims) -> Nest<1> {
    let mut order: Vec<usize> = (0..kept.rank()).collect();
    order.sort_by_key(|&axis| kept[axis] != layout.dims()[axis]);
    let layout = layout.permute(&order);
    Nest::new(layout.dims(), [&layout])
}

/// Each element becomes the product of the others.
fn without_each<T: Float>(x: &mut [T]) {
    let mut before = T::ONE;
    let mut prefixes = x.to_vec();
    for p in &mut prefixes {
        (*p, before) = (before, before * *p);
    }
    let mut behind = T::ONE;
    for (x, &before) in x.iter_mut().zip(&prefixes).rev() {
        (*x, behind) = (before * behind, behind * *x);
    }
}
