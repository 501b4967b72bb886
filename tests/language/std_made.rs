//! What the standard library makes: iterators of functions, arrays, parts of slices, pairs of `Vec`s, and iterators
//! without a derivative.

use crate::check;
use differentiable::prelude::*;
use std::collections::{BTreeSet, HashMap};

mod iterators {
    use super::*;
    use std::iter;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let a: Vec<f64> = iter::successors(Some(1.0), |&p| Some(p * x))
            .take(4)
            .collect();
        let b = iter::successors(Some(x), |&y| {
            let z = 0.5 * (y + x / y);
            ((z - y).abs() > 1e-12).then_some(z)
        })
        .last()
        .unwrap();
        let c: f64 = w.iter().zip(iter::repeat(x)).map(|(v, x)| v * x).sum();
        let d: Vec<f64> = iter::once(0.0)
            .chain(w.iter().copied())
            .chain(iter::repeat_n(x, 2))
            .collect();
        let mut k = 0;
        let e: f64 = iter::from_fn(|| {
            k += 1;
            (k <= w.len()).then(|| w[k - 1] * x)
        })
        .inspect(|v| assert!(v.is_finite()))
        .map(|v| v * v)
        .sum();
        a[3] * b + c * d.windows(2).map(|v| v[0] * v[1]).sum::<f64>() + e
    }
    #[test]
    fn of_functions() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

mod arrays {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let m: [[f64; 2]; 2] = std::array::from_fn(|i| std::array::from_fn(|j| w[i] * w[j] * x));
        let a: [f64; 2] = w[1..].try_into().unwrap();
        let (first, rest) = w.split_first().unwrap();
        let b = match rest.split_last() {
            Some((last, rest)) => last * rest[0],
            None => 0.0,
        };
        m[0][1] * m[1][1] + a[0] * a[1] * first + b * x
    }
    #[test]
    fn and_parts_of_slices() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

/// The length of the array is that of the place that it goes to.
mod lengths {
    use super::*;
    use std::array;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

    #[differentiable]
    impl<const R: usize, const C: usize> Matrix<R, C> {
        fn transpose(&self) -> Matrix<C, R> {
            Matrix(array::from_fn(|i| array::from_fn(|j| self.0[j][i])))
        }
        fn apply(&self, v: &[f64; C]) -> [f64; R] {
            let rows = self.0;
            std::array::from_fn(|i| {
                let row = rows[i];
                row.iter().zip(v).map(|(a, b)| a * b).sum()
            })
        }
    }

    #[derive(Clone, Debug, Differentiable)]
    struct State {
        at: [f64; 3],
        step: f64,
    }

    #[differentiable]
    fn norm(v: &[f64; 3]) -> f64 {
        v.iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let powers = array::from_fn(|i| x.powi(i as i32) * w[i]);
        let [a, b] = powers;
        let scaled = |v: &[f64; 3], k: f64| -> [f64; 3] { array::from_fn(|i| v[i] * k) };
        let mut s = State {
            at: array::from_fn(|i| w[i] * x),
            step: x,
        };
        for k in 0..3 {
            let d = if k == 1 {
                scaled(&s.at, s.step)
            } else {
                array::from_fn(|_| x)
            };
            s.at = array::from_fn(|i| s.at[i] + d[2 - i] * w[k]);
        }
        let m = Matrix([[x, w[0], 1.0], [a, w[2], b]]);
        let u = m.transpose().apply(&[w[1], x]);
        norm(&array::from_fn(|i| s.at[i] * u[i])) + m.apply(&u)[1]
    }
    #[test]
    fn by_use() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

mod pairs {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let (a, b): (Vec<f64>, Vec<f64>) = w.iter().map(|v| (v * x, v.cos())).unzip();
        let (c, d): (Vec<f64>, Vec<f64>) = w.iter().map(|v| v * v).partition(|v| *v > 0.1);
        a[1] * b[2] + c[0] * d[0] * x
    }
    #[test]
    fn of_vecs() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

mod searches {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let grid: Vec<f64> = w
            .iter()
            .scan(0.0, |s, v| {
                *s += v * x;
                Some(*s)
            })
            .collect();
        let i = grid.partition_point(|&g| g <= 0.5);
        let j = grid
            .binary_search_by(|g| g.total_cmp(&0.5))
            .unwrap_or_else(|j| j);
        let long = |v: &[f64]| v.iter().map(|a| a * a).sum::<f64>();
        let scale = if long(w) > 0.1 { long(w) } else { 1.0 };
        (0.5 - grid[i - 1]) / (grid[i] - grid[i - 1]) * w[j] * scale
    }
    #[test]
    fn give_positions() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

mod text {
    use super::*;

    #[differentiable]
    fn path(
        x: f64,
        w: &[f64],
        #[constant] word: &str,
        #[constant] at: &HashMap<char, usize>,
    ) -> f64 {
        let mut t = x;
        for c in word.chars() {
            t *= 1.0 + w[at[&c]];
        }
        t + word
            .bytes()
            .zip(w)
            .map(|(b, v)| b as f64 * v * x)
            .sum::<f64>()
    }

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let at = HashMap::from([('a', 0), ('b', 1), ('c', 2)]);
        let mut t = path(x, w, "abca", &at);
        for (i, line) in "0.5, 2\n1.5, 3".lines().enumerate() {
            for part in line.split(',') {
                let k: f64 = part.trim().parse().unwrap();
                t += k * w[i] * x;
            }
        }
        let powers = BTreeSet::from([1, 2]);
        for k in &powers {
            t += x.powi(*k);
        }
        t += at.values().map(|i| w[*i] * x).sum::<f64>();
        for v in w.to_vec() {
            t = t * v + x;
        }
        for v in [0.5; 2] {
            t *= v + x;
        }
        t
    }
    #[test]
    fn and_other_loops_over_values() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

mod inferred {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let mut z = Vec::with_capacity(3);
        for (i, v) in w.iter().enumerate() {
            let s: f64 = w[i..].iter().zip(&z).map(|(a, b)| a * b).sum();
            z.push(v * x - s);
        }
        let mut before = None;
        let mut t = 0.0;
        for v in &z {
            if let Some(p) = before {
                t += p * v;
            }
            before = Some(v * x);
        }
        t * z[2]
    }
    #[test]
    fn from_what_is_stored_later() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}
