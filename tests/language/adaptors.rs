//! Adaptors of chains that change how many items there are or keep state, and single items.

use crate::check;
use differentiable::prelude::*;

mod picks {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let a = *w.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
        let b = w
            .iter()
            .copied()
            .min_by(|p, q| p.partial_cmp(q).unwrap())
            .unwrap();
        let c = w
            .iter()
            .map(|v| v * x)
            .max_by(|p, q| p.total_cmp(q))
            .unwrap();
        let d = w
            .iter()
            .min_by(|p, q| p.total_cmp(q))
            .copied()
            .unwrap_or(0.0);
        let e = w.iter().cloned().max_by(f64::total_cmp).unwrap();
        let g = w.iter().map(|v| v * v * x).last().unwrap()
            + w.iter().nth(1).unwrap() * x
            + w.iter().rev().next().copied().unwrap();
        let h = w.iter().map(|v| v * x).reduce(|p, q| p.max(q)).unwrap()
            + w.iter().copied().reduce(f64::min).unwrap_or(x);
        let m = w.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        a * b + c * d + e * g * h * m
    }
    #[test]
    fn extremes_and_ends() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod matched {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let a = w
            .iter()
            .max_by(|a, b| a.total_cmp(b))
            .map_or(0.0, |m| m * x);
        let b = if let Some(m) = w.iter().map(|v| v * x).min_by(|a, b| a.total_cmp(b)) {
            m * m
        } else {
            x
        };
        let c = w
            .iter()
            .filter(|v| **v > 9.0)
            .last()
            .copied()
            .unwrap_or(x * x);
        a * b * c
    }
    #[test]
    fn a_picked_item_is_matched() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod chained {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let v = vec![x, x * x];
        let a: f64 = w.iter().chain(v.iter()).map(|q| q * q).sum();
        let b: f64 = w
            .iter()
            .chain(&v)
            .enumerate()
            .map(|(i, q)| q * i as f64)
            .sum();
        let mut c = 0.0;
        for q in w.iter().map(|q| q * x).chain(v.iter().map(|q| q.sin())) {
            c = c * x + q;
        }
        let d: f64 = w
            .iter()
            .cycle()
            .take(7)
            .enumerate()
            .map(|(i, q)| q * x.powi(i as i32))
            .sum();
        let e: f64 = w.iter().zip(v.iter().cycle()).map(|(p, q)| p * q).sum();
        a * b + c * d * e
    }
    #[test]
    fn one_after_the_other_and_in_cycles() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod flat {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64], rows: &[Vec<f64>]) -> f64 {
        let a: f64 = rows.iter().flat_map(|r| r.iter().map(|q| q * x)).sum();
        let b: f64 = rows.iter().flatten().map(|q| q.sin()).sum();
        let c: f64 = w
            .iter()
            .flat_map(|p| {
                let z = p * x;
                rows.iter().map(move |r| r[0] * z)
            })
            .sum();
        let d: Vec<f64> = w
            .iter()
            .flat_map(|p| w.iter().map(move |q| p * q))
            .filter(|v| *v > 0.1)
            .collect();
        let mut s = 0.0;
        for (i, q) in rows.iter().flatten().enumerate() {
            s += q * i as f64;
        }
        for q in rows.iter().flat_map(|r| r.iter()) {
            if *q > 0.6 {
                continue;
            }
            s += q * x;
        }
        let e: f64 = (0..3).flat_map(|i| (0..i).map(move |j| w[i] * w[j])).sum();
        a * b + c * d.iter().sum::<f64>() * s + e
    }
    #[test]
    fn chains_of_chains() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4], vec![vec![0.3, 0.5], vec![0.8]]));
    }
}

mod scans {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let a: Vec<f64> = w
            .iter()
            .scan(0.0, |acc, v| {
                *acc += v * x;
                Some(*acc)
            })
            .collect();
        let b: f64 = w
            .iter()
            .scan(x, |s, &v| {
                *s = *s * v;
                Some(*s + 1.0)
            })
            .map(|q| q * q)
            .sum();
        let c: f64 = w.iter().take_while(|v| **v < 0.6).map(|v| v * v * x).sum();
        let d: f64 = w.iter().skip_while(|v| **v < 0.6).map(|v| v * v * x).sum();
        let e: Vec<f64> = w
            .iter()
            .enumerate()
            .scan(1.0, |s, (i, v)| {
                *s *= v + i as f64;
                Some(*s)
            })
            .skip(1)
            .collect();
        a[2] * b + c * d + a[1] * e[0]
    }
    #[test]
    fn state() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod discrete {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let n = w.iter().filter(|v| **v > 0.3).count();
        let any = w.iter().any(|v| *v * x > 0.5);
        let p = w.iter().position(|v| *v > 0.3).unwrap_or(0);
        let q = if w.iter().all(|v| *v < 2.0) { x } else { x * x };
        let mean = w.iter().sum::<f64>() / w.iter().count() as f64;
        let s: f64 = w
            .iter()
            .rev()
            .step_by(2)
            .skip(0)
            .map(|v| v * x)
            .sum::<f64>()
            + w.iter().map(|v| v * v).rev().take(2).sum::<f64>();
        q * w[p] * n as f64 + if any { mean } else { 0.0 } + s
    }
    #[test]
    fn queries() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod filtered {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let a: f64 = w
            .iter()
            .filter(|v| **v > 0.3)
            .enumerate()
            .map(|(i, v)| v * x * (i + 1) as f64)
            .sum();
        let b: f64 = w
            .iter()
            .filter(|v| **v > 0.3)
            .zip(w)
            .map(|(p, q)| p * q)
            .sum();
        let c: f64 = w
            .iter()
            .map(|v| v * x)
            .filter(|v| *v > 0.3)
            .rev()
            .take(1)
            .sum();
        a * b + c
    }
    #[test]
    fn counted_after_a_filter() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod left_early {
    use super::*;

    #[differentiable]
    fn returns(x: &[f64], k: f64) -> f64 {
        let found: Vec<f64> = x
            .iter()
            .enumerate()
            .map(|(i, v)| {
                for j in 0..3 {
                    if v * k > j as f64 {
                        return v * k * i as f64;
                    }
                }
                k * k
            })
            .collect();
        let folded = x.iter().fold(0.0, |a, v| {
            if *v < 0.0 {
                return a;
            }
            a + v * a + v
        });
        let mut sorted = x.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mut pair = [sorted[0], sorted[1]];
        let [p, q] = &mut pair;
        *p *= *q;
        *q += *p;
        found.iter().map(|v| v * v).sum::<f64>() + folded * pair[0] * pair[1]
    }
    #[test]
    fn closures_that_return_early() {
        check::<returns, _>(&(vec![1.0, -2.0, 0.7], 0.8));
        check::<returns, _>(&(vec![0.3, 0.9], -1.8));
    }
}

#[differentiable]
fn joined(x: &[f64], y: &[f64]) -> f64 {
    let all: Vec<f64> = x.iter().chain(y).copied().collect();
    let three: Vec<f64> = x
        .iter()
        .map(|v| v * v)
        .chain(y.iter().map(|v| v.sin()))
        .chain(std::iter::once(x[0] * y[0]))
        .collect();
    let kept: Vec<f64> = x.iter().filter(|v| **v > 1.0).chain(y).cloned().collect();
    let numbers: Vec<f64> = all.iter().chain(&three).map(|v| v * 0.5).collect();
    let mut total = 0.0;
    for (i, v) in all.iter().chain(three.iter()).chain(&kept).enumerate() {
        total += v * v * (i + 1) as f64;
    }
    total + numbers.iter().product::<f64>() + kept.len() as f64
}

#[test]
fn chains_that_are_collected() {
    for (n, m) in [(1, 1), (3, 5), (6, 2)] {
        let numbers = |n: usize, d: f64| (0..n).map(|i| d + 0.2 * i as f64).collect::<Vec<_>>();
        check::<joined, _>(&(numbers(n, 0.7), numbers(m, 1.1)));
    }
}
