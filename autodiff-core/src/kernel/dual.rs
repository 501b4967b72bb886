//! The kernels of duals that are not those of their numbers, run on duals.
//!
//! A buffer of duals is a buffer of its numbers: with `K` tangents, every `K + 1`-th is a value. A matrix product is
//! one of the values, and two for each direction, `(a + ȧε)(b + ḃε) = ab + (ȧb + aḃ)ε`; they read and write every
//! `K + 1`-th number. Where the rows of `b` and of the product lie in one piece, `ab` and all `aḃ` are one product of
//! the values of `a` and the numbers of `b`, a matrix with `K + 1` times as many columns.

use super::gemm::{Factor, Mat, Product};
use super::normal::Normal;
use super::random::Draw;
use super::trig::Trig;
use crate::ad::{Dual, Scalar};
use crate::device::{Float, FloatElem, Random};

/// The numbers of duals.
fn parts<T, const K: usize>(x: &[Dual<T, K>]) -> &[T] {
    // SAFETY: a dual is `1 + K` numbers in a row, without gaps (`repr(C)`, one type).
    unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len() * (1 + K)) }
}

fn parts_mut<T, const K: usize>(x: &mut [Dual<T, K>]) -> &mut [T] {
    // SAFETY: as in `parts`; any numbers are a dual.
    unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len() * (1 + K)) }
}

/// Where the part `i` of each element of a matrix of duals is among the numbers.
fn part<const K: usize>(at: usize, mat: Mat, i: usize) -> (usize, Mat) {
    let mat = Mat {
        row_step: mat.row_step * (1 + K),
        col_step: mat.col_step * (1 + K),
        ..mat
    };
    (at * (1 + K) + i, mat)
}

/// Calls `f` with the place of each element.
fn each((at, mat): (usize, Mat), mut f: impl FnMut(usize)) {
    for i in 0..mat.rows {
        for j in 0..mat.cols {
            f(at + i * mat.row_step + j * mat.col_step);
        }
    }
}

/// Whether an element has a tangent other than zero in direction `k`.
fn changes<T: Scalar, const K: usize>(x: &[Dual<T, K>], at: usize, mat: Mat, k: usize) -> bool {
    let (rows, cols, step) = match mat.col_step {
        1 => (mat.rows, mat.cols, mat.row_step),
        _ if mat.row_step == 1 => (mat.cols, mat.rows, mat.col_step),
        _ => {
            return (0..mat.rows).any(|r| {
                let row = at + r * mat.row_step;
                (0..mat.cols).any(|c| !x[row + c * mat.col_step].tangents[k].is_zero())
            });
        }
    };
    // Many at a time, without a branch for each: a matrix that does not change is read to its end.
    let any = |some: &[Dual<T, K>]| {
        some.iter()
            .fold(false, |any, d| any | !d.tangents[k].is_zero())
    };
    (0..rows).any(|r| x[at + r * step..][..cols].chunks(256).any(any))
}

impl<T: FloatElem + Scalar, const K: usize> Product for Dual<T, K> {
    const OWES: bool = K == 1;

    fn matrix_product(
        threads: bool,
        [alpha, beta]: [Self; 2],
        (a, at_a, mat_a): Factor<'_, Self>,
        (b, at_b, mat_b): Factor<'_, Self>,
        (out, at_out, mat_out): (&mut [Self], usize, Mat),
    ) {
        let (whole_a, whole_b) = (a, b);
        let (a, b, out) = (parts(a), parts(b), parts_mut(out));
        let add = |out: &mut [T], scale: [T; 2], [i, j, to]: [usize; 3]| {
            let (at_a, mat_a) = part::<K>(at_a, mat_a, i);
            let (at_b, mat_b) = part::<K>(at_b, mat_b, j);
            let (at_out, mat_out) = part::<K>(at_out, mat_out, to);
            let (a, b) = ((a, at_a, mat_a), (b, at_b, mat_b));
            T::matrix_product(threads, scale, a, b, (out, at_out, mat_out));
        };
        let one = <T as Scalar>::ONE;
        let in_rows = mat_b.col_step == 1 && mat_out.col_step == 1;
        let fixed = [alpha, beta]
            .iter()
            .all(|s| s.tangents.iter().all(|t| t.is_zero()));
        if in_rows && fixed && (0..K).all(|k| changes(whole_b, at_b, mat_b, k)) {
            let wide = |at: usize, mat: Mat| {
                let mat = Mat {
                    cols: mat.cols * (1 + K),
                    row_step: mat.row_step * (1 + K),
                    ..mat
                };
                (at * (1 + K), mat)
            };
            let ((at_values, values), (at_wide, wide_b)) =
                (part::<K>(at_a, mat_a, 0), wide(at_b, mat_b));
            let (at_sum, wide_out) = wide(at_out, mat_out);
            let (a, b) = ((a, at_values, values), (b, at_wide, wide_b));
            let sum = (&mut *out, at_sum, wide_out);
            T::matrix_product(threads, [alpha.value, beta.value], a, b, sum);
            for k in 0..K {
                if changes(whole_a, at_a, mat_a, k) {
                    add(out, [alpha.value, one], [1 + k, 0, 1 + k]);
                }
            }
            return;
        }
        // The values last: the tangents may need what they were.
        for k in 0..K {
            let to = 1 + k;
            // What does not change, as data, costs no product.
            let terms = [
                (alpha.value, [to, 0, to], changes(whole_a, at_a, mat_a, k)),
                (alpha.value, [0, to, to], changes(whole_b, at_b, mat_b, k)),
                (alpha.tangents[k], [0, 0, to], !alpha.tangents[k].is_zero()),
            ];
            let mut scale = beta.value;
            for (by, parts, any) in terms {
                if any {
                    add(out, [by, scale], parts);
                    scale = one;
                }
            }
            let (unscaled, by_tangent) = (scale != one, !beta.tangents[k].is_zero());
            if unscaled || by_tangent {
                each(part::<K>(at_out, mat_out, to), |at| {
                    if unscaled {
                        let nothing = scale.is_zero();
                        out[at] = if nothing { scale } else { scale * out[at] };
                    }
                    if by_tangent {
                        out[at] += beta.tangents[k] * out[at - to];
                    }
                });
            }
        }
        add(out, [alpha.value, beta.value], [0, 0, 0]);
    }
}

/// `Φ' = φ` and `φ' = −x φ`.
impl<T: FloatElem + Scalar, const K: usize> Normal for Dual<T, K> {
    #[inline(always)]
    fn normal(self) -> (Self, Self) {
        let (cdf, pdf) = self.value.normal();
        // Far out the density is 0, and so is its slope.
        let slope = if pdf.is_zero() {
            pdf
        } else {
            -self.value * pdf
        };
        (self.chain(cdf, pdf), self.chain(pdf, slope))
    }
}

impl<T: FloatElem + Scalar, const K: usize> Trig for Dual<T, K> {
    const NEAR: Self = Dual {
        value: T::NEAR,
        tangents: [<T as Scalar>::ZERO; K],
    };
    #[inline(always)]
    fn near_sin(self) -> Self {
        self.chain(self.value.near_sin(), self.value.near_cos())
    }
    #[inline(always)]
    fn near_cos(self) -> Self {
        self.chain(self.value.near_cos(), -self.value.near_sin())
    }
    #[inline(always)]
    fn near_tan(self) -> Self {
        let y = self.value.near_tan();
        self.chain(y, <T as Scalar>::ONE + y * y)
    }
}

/// Numbers that do not change.
impl<T: FloatElem + Scalar, const K: usize> Draw for Dual<T, K> {
    const PER_BLOCK: usize = T::PER_BLOCK;

    fn draw(law: Random, words: &[[u32; 16]; 4], out: &mut [Self; 64]) {
        let mut numbers = [<T as Float>::ZERO; 64];
        T::draw(law, words, &mut numbers);
        *out = numbers.map(Dual::constant);
    }
}

/// Transforms are linear: each part has its own.
#[cfg(feature = "fft")]
mod fourier {
    use super::*;
    use crate::kernel::fourier::FourierKernels;

    /// One part of each dual.
    fn taken<T: Copy, const K: usize>(x: &[Dual<T, K>], i: usize) -> Vec<T> {
        parts(x).chunks_exact(1 + K).map(|d| d[i]).collect()
    }

    fn put<T: Copy, const K: usize>(from: &[T], to: &mut [Dual<T, K>], i: usize) {
        let to = parts_mut(to).chunks_exact_mut(1 + K);
        to.zip(from).for_each(|(d, &x)| d[i] = x);
    }

    impl<T: FloatElem + Scalar, const K: usize> FourierKernels for Dual<T, K> {
        fn fft(n: usize, inverse: bool, scale: f64, x: [&[Self]; 2], out: [&mut [Self]; 2]) {
            let [re, im] = out;
            let mut parts = [
                vec![<T as Scalar>::ZERO; re.len()],
                vec![<T as Scalar>::ZERO; im.len()],
            ];
            for i in 0..=K {
                let [a, b] = x.map(|x| taken(x, i));
                T::fft(
                    n,
                    inverse,
                    scale,
                    [&a, &b],
                    parts.each_mut().map(|p| &mut p[..]),
                );
                put(&parts[0], re, i);
                put(&parts[1], im, i);
            }
        }
        fn rfft(n: usize, doubled: bool, scale: f64, x: &[Self], out: [&mut [Self]; 2]) {
            let [re, im] = out;
            let mut parts = [
                vec![<T as Scalar>::ZERO; re.len()],
                vec![<T as Scalar>::ZERO; im.len()],
            ];
            for i in 0..=K {
                T::rfft(
                    n,
                    doubled,
                    scale,
                    &taken(x, i),
                    parts.each_mut().map(|p| &mut p[..]),
                );
                put(&parts[0], re, i);
                put(&parts[1], im, i);
            }
        }
        fn irfft(n: usize, doubled: bool, scale: f64, x: [&[Self]; 2], out: &mut [Self]) {
            let mut part = vec![<T as Scalar>::ZERO; out.len()];
            for i in 0..=K {
                let [a, b] = x.map(|x| taken(x, i));
                T::irfft(n, doubled, scale, [&a, &b], &mut part);
                put(&part, out, i);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(i: usize) -> f64 {
        (i * 37 % 101) as f64 / 50.0 - 1.0
    }

    /// Duals from a number on; the tangents of direction `k` only where `changes(k)`.
    fn duals<const K: usize>(
        n: usize,
        from: usize,
        changes: fn(usize) -> bool,
    ) -> Vec<Dual<f64, K>> {
        let dual = |i: usize| {
            let tangents = core::array::from_fn(|k| match changes(k) {
                true => number(from + 7 * i + k),
                false => 0.0,
            });
            Dual::new(number(from + i), tangents)
        };
        (0..n).map(dual).collect()
    }

    /// Each element by its definition, for all orders of the elements and all that may change.
    fn products<const K: usize>() {
        let (m, n, depth) = (3, 5, 4);
        let rows = |rows, cols| Mat {
            rows,
            cols,
            row_step: cols + 2,
            col_step: 1,
        };
        let columns = |rows, cols| Mat {
            rows,
            cols,
            row_step: 1,
            col_step: rows + 1,
        };
        let apart = |rows, cols| Mat {
            rows,
            cols,
            row_step: 2 * cols,
            col_step: 2,
        };
        let layouts: [&dyn Fn(usize, usize) -> Mat; 3] = [&rows, &columns, &apart];
        let changing: [fn(usize) -> bool; 3] = [|_| true, |_| false, |k| k == 0];
        let scales: [[Dual<f64, K>; 2]; 4] = [
            [Dual::constant(1.0), Dual::constant(0.0)],
            [Dual::constant(1.0), Dual::constant(1.0)],
            [Dual::constant(-0.5), Dual::constant(2.0)],
            [Dual::new(0.5, [0.25; K]), Dual::new(2.0, [-0.75; K])],
        ];
        for case in 0..27 * 9 * 4 {
            let pick = |by: usize| case / by % 3;
            let (mat_a, mat_b, mat_out) = (
                layouts[pick(1)](m, depth),
                layouts[pick(3)](depth, n),
                layouts[pick(9)](m, n),
            );
            let a = duals::<K>(60, 1, changing[pick(27)]);
            let b = duals::<K>(60, 40, changing[pick(81)]);
            let scale = scales[case / 243];
            let before = duals::<K>(60, 80, |_| true);
            let mut out = before.clone();
            let at = 3;
            Dual::matrix_product(
                false,
                scale,
                (&a, at, mat_a),
                (&b, at, mat_b),
                (&mut out, at, mat_out),
            );
            let place = |mat: Mat, i, j| at + i * mat.row_step + j * mat.col_step;
            let mut expected = before.clone();
            for i in 0..m {
                for j in 0..n {
                    let term = |l| a[place(mat_a, i, l)] * b[place(mat_b, l, j)];
                    let sum = (1..depth).fold(term(0), |s, l| s + term(l));
                    let to = &mut expected[place(mat_out, i, j)];
                    *to = scale[1] * *to + scale[0] * sum;
                }
            }
            for (x, y) in parts(&out).iter().zip(parts(&expected)) {
                assert!((x - y).abs() < 1e-13, "case {case}: {x} for {y}");
            }
        }
    }

    #[test]
    fn matrix_products_are_those_of_the_elements() {
        products::<1>();
        products::<2>();
        products::<8>();
    }
}
