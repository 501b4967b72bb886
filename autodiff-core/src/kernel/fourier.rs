//! Discrete Fourier transforms of rows, by rustfft. Real and imaginary parts are separate buffers.
//!
//! `Y_k = scale · Σ_n X_n e^(∓2πi kn/N)`, with the minus sign forward. Of a real row, the spectrum is
//! `Y_0 … Y_{N/2}`; the others are their conjugates.

use super::par;
use crate::device::Float;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftNum, FftPlanner};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// An element type that rustfft knows.
pub(crate) trait Wave: Float + FftNum {
    /// The plan for a length, which is kept: making one takes longer than using it.
    fn plan(n: usize, inverse: bool) -> Arc<dyn Fft<Self>>;
}

type Plans<T> = HashMap<(usize, bool), Arc<dyn Fft<T>>>;

/// Plans of as many lengths are kept by each thread.
const KEPT: usize = 64;

macro_rules! wave {
    ($($t:ident)*) => { $(
        impl Wave for $t {
            fn plan(n: usize, inverse: bool) -> Arc<dyn Fft<$t>> {
                thread_local! {
                    static PLANS: RefCell<Plans<$t>> = RefCell::new(HashMap::new());
                }
                PLANS.with_borrow_mut(|plans| {
                    if plans.len() >= KEPT && !plans.contains_key(&(n, inverse)) {
                        plans.clear();
                    }
                    let plan = plans.entry((n, inverse)).or_insert_with(|| {
                        let mut planner = FftPlanner::new();
                        if inverse {
                            planner.plan_fft_inverse(n)
                        } else {
                            planner.plan_fft_forward(n)
                        }
                    });
                    Arc::clone(plan)
                })
            }
        }
    )* };
}
wave!(f32 f64);

macro_rules! kernels {
    ($( $(#[$doc:meta])* fn $name:ident ($($arg:ident: $t:ty),* $(,)?) = $f:ident; )*) => {
        /// The transforms of one element type.
        #[allow(clippy::too_many_arguments)]
        pub trait FourierKernels: Sized {
            $( $(#[$doc])* fn $name($($arg: $t),*); )*
        }
        kernels!(@impl f32 [$( $name ($($arg: $t),*) $f; )*]);
        kernels!(@impl f64 [$( $name ($($arg: $t),*) $f; )*]);
    };
    (@impl $type:ident [$( $name:ident ($($arg:ident: $t:ty),*) $f:ident; )*]) => {
        impl FourierKernels for $type {
            // Never inlined: a caller's crate would compile the kernel again.
            $( #[inline(never)] fn $name($($arg: $t),*) { $f($($arg),*) } )*
        }
    };
}

kernels! {
    /// Rows of `n` complex numbers.
    fn fft(n: usize, inverse: bool, scale: f64, x: [&[Self]; 2], out: [&mut [Self]; 2]) = complex;
    /// The spectra of rows of `n` real numbers; with `doubled`, those of their entries that stand for
    /// two count twice.
    fn rfft(n: usize, doubled: bool, scale: f64, x: &[Self], out: [&mut [Self]; 2]) = real;
    /// The real rows of `n` numbers `Re Σ_k X_k e^(+2πi kn/N)` over the spectrum; with `doubled`, those of
    /// its entries that stand for two count twice.
    fn irfft(n: usize, doubled: bool, scale: f64, x: [&[Self]; 2], out: &mut [Self]) = to_real;
}

/// The memory of a thread: one row, and what a plan needs.
struct Work<T> {
    row: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
}

impl<T: Wave> Work<T> {
    fn new(plan: &dyn Fft<T>) -> Self {
        let zeros = |n| vec![Complex::new(T::ZERO, T::ZERO); n];
        Work {
            row: zeros(plan.len()),
            scratch: zeros(plan.get_inplace_scratch_len()),
        }
    }
    fn run(&mut self, plan: &dyn Fft<T>) {
        plan.process_with_scratch(&mut self.row, &mut self.scratch);
    }
}

/// How many rows of `n` complex numbers one thread takes.
fn group(n: usize, rows: usize) -> usize {
    let cost = 5 * n * (usize::BITS - n.leading_zeros()) as usize + 100;
    if par::worth(rows * cost) {
        ((1 << 15) / cost).max(1)
    } else {
        rows
    }
}

/// Calls `f(row, re, im, work)` for each row of two outputs.
fn rows<T: Wave>(
    [re, im]: [&mut [T]; 2],
    width: usize,
    plan: &Arc<dyn Fft<T>>,
    f: impl Fn(usize, &mut [T], &mut [T], &mut Work<T>) + Sync,
) {
    let count = re.len() / width.max(1);
    if count == 0 {
        return;
    }
    let group = group(plan.len(), count);
    let run = |(i, (re, im)): (usize, (&mut [T], &mut [T]))| {
        let mut work = Work::new(&**plan);
        let pairs = re.chunks_mut(width).zip(im.chunks_mut(width));
        for (j, (re, im)) in pairs.enumerate() {
            f(i * group + j, re, im, &mut work);
        }
    };
    if group == count {
        return run((0, (re, im)));
    }
    let both = re.chunks_mut(group * width);
    par::each(both.zip(im.chunks_mut(group * width)).enumerate(), run);
}

fn complex<T: Wave>(n: usize, inverse: bool, scale: f64, x: [&[T]; 2], out: [&mut [T]; 2]) {
    let (plan, scale) = (T::plan(n, inverse), T::lit(scale));
    rows(out, n, &plan, |i, re, im, work| {
        let [a, b] = x.map(|x| &x[i * n..][..n]);
        for ((z, &re), &im) in work.row.iter_mut().zip(a).zip(b) {
            *z = Complex::new(re, im);
        }
        work.run(&*plan);
        for ((z, re), im) in work.row.iter().zip(re).zip(im) {
            (*re, *im) = (z.re * scale, z.im * scale);
        }
    });
}

/// Whether entry `k` of the spectrum of `n` numbers stands for two, one of them its conjugate.
fn stands_for_two(k: usize, n: usize) -> bool {
    k != 0 && 2 * k != n
}

fn real<T: Wave>(n: usize, doubled: bool, scale: f64, x: &[T], out: [&mut [T]; 2]) {
    if n == 0 {
        return out.into_iter().for_each(|o| o.fill(T::ZERO));
    }
    let plan = T::plan(n, false);
    rows(out, n / 2 + 1, &plan, |i, re, im, work| {
        for (z, &x) in work.row.iter_mut().zip(&x[i * n..][..n]) {
            *z = Complex::new(x, T::ZERO);
        }
        work.run(&*plan);
        for (k, (re, im)) in re.iter_mut().zip(im).enumerate() {
            let two = doubled && stands_for_two(k, n);
            let by = T::lit(if two { 2.0 * scale } else { scale });
            *re = work.row[k].re * by;
            *im = if stands_for_two(k, n) {
                work.row[k].im * by
            } else {
                T::ZERO
            };
        }
    });
}

fn to_real<T: Wave>(n: usize, doubled: bool, scale: f64, x: [&[T]; 2], out: &mut [T]) {
    if out.is_empty() {
        return;
    }
    let plan = T::plan(n, true);
    let (width, count) = (n / 2 + 1, out.len() / n);
    let group = group(n, count);
    let run = |(i, out): (usize, &mut [T])| {
        let mut work = Work::new(&*plan);
        for (j, out) in out.chunks_mut(n).enumerate() {
            let [re, im] = x.map(|x| &x[(i * group + j) * width..][..width]);
            work.row.fill(Complex::new(T::ZERO, T::ZERO));
            // Half of each entry and of its conjugate: their sum is real.
            for k in 0..width {
                let two = stands_for_two(k, n);
                let by = T::lit(if two && !doubled { 0.5 * scale } else { scale });
                if two {
                    work.row[k] = Complex::new(re[k] * by, im[k] * by);
                    work.row[n - k] = Complex::new(re[k] * by, -im[k] * by);
                } else {
                    work.row[k] = Complex::new(re[k] * by, T::ZERO);
                }
            }
            work.run(&*plan);
            for (o, z) in out.iter_mut().zip(&work.row) {
                *o = z.re;
            }
        }
    };
    if group == count {
        return run((0, out));
    }
    par::each(out.chunks_mut(group * n).enumerate(), run);
}
