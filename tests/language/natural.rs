//! What people write without a thought, whose types Rust infers.

use crate::{check, check_outputs};
use differentiable::prelude::*;
use std::collections::HashMap;

#[differentiable]
fn square(x: f64) -> Result<f64, String> {
    if x > 10.0 {
        return Err("large".into());
    }
    Ok(x * x)
}

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

/// Nothing here tells which of the two the functions give.
#[differentiable]
fn mapped(x: f64) -> f64 {
    let a = square(x).map(|v| v * x).unwrap_or(0.0);
    let b = root(x).map(|v| v * x).map(|v| v + a).unwrap_or(x);
    a * b + square(b).map_or(1.0, |v| v.sin()) + square(9.0 + x).map(|v| v + x).unwrap_or(x)
}

#[differentiable]
fn tried(x: f64) -> Result<f64, String> {
    let a = square(x).map(|v| v + x)?;
    let b = square(a).and_then(|v| square(v * x)).map(|v| v * a)?;
    if a > 100.0 {
        return square(x).map(|v| -v);
    }
    square(a * b).map(|v| v.sqrt())
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    w: f64,
    #[constant]
    seen: HashMap<String, usize>,
}

#[differentiable]
impl Model {
    fn solve(&self, x: f64) -> Result<f64, String> {
        square(self.w * x)
    }
    fn solved(&self, x: f64) -> f64 {
        let y = self.solve(x).map(|v| v * x);
        y.unwrap_or(x)
    }
    fn counted(&mut self, x: f64) -> f64 {
        self.seen.insert("calls".to_string(), 3);
        self.w * x
    }
}

#[differentiable]
fn of_a_method(m: &Model, x: f64) -> f64 {
    m.solved(x)
}

#[differentiable]
fn of_a_map(m: &Model, x: f64) -> f64 {
    let mut m = m.clone();
    m.counted(x) * m.counted(x)
}

#[test]
fn values_of_calls_are_mapped() {
    check::<mapped, _>(&(0.7,));
    check_outputs::<tried, _>(&(0.7,));
}

#[test]
fn maps_that_are_constant_take_entries() {
    let model = Model {
        w: 0.3,
        seen: HashMap::new(),
    };
    check::<of_a_method, _>(&(model.clone(), 0.7));
    check::<of_a_map, _>(&(model, 0.7));
}

#[differentiable]
fn defaults(x: &[f64]) -> f64 {
    let mut best = Default::default();
    let mut last = Default::default();
    for v in x {
        last = v * v;
        if *v > 0.4 {
            best = last * v;
        }
    }
    last * best
}

#[test]
fn defaults_have_the_type_of_what_is_stored() {
    check::<defaults, _>(&(vec![0.3, 0.7],));
}

/// Names that the standard library has for something else, and room that is made by hand.
mod names_and_room {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Orbit {
        a: f64,
        phase: f64,
    }

    #[differentiable]
    impl Orbit {
        fn position(&self, t: f64) -> (f64, f64) {
            let angle = t / self.a.powf(1.5) + self.phase;
            (self.a * angle.cos(), self.a * angle.sin())
        }
    }

    #[differentiable]
    fn f(o: &Orbit, times: &[f64]) -> f64 {
        let mut all = vec![o.phase];
        all.reserve(2 * times.len());
        for t in times {
            let (x, y) = o.position(*t);
            all.push(x);
            all.push(y * x);
        }
        all.reserve_exact(1);
        all.shrink_to_fit();
        let first = all.iter().position(|v| *v < 0.5).unwrap_or(0);
        all.iter().map(|v| v * v).sum::<f64>() + all[first]
    }

    #[test]
    fn positions_in_space_and_in_lists() {
        let o = Orbit { a: 1.2, phase: 0.3 };
        check::<f, _>(&(o, vec![0.1, 0.9, 2.3]));
    }
}

/// A method that gets a part of its own receiver, in loops.
mod parts_beside_the_whole {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Field {
        width: usize,
        scale: f64,
        u: Vec<f64>,
        v: Vec<f64>,
    }

    #[differentiable]
    impl Field {
        fn curve(&self, a: &[f64], i: usize) -> f64 {
            let n = self.width;
            self.scale * (a[(i + 1) % n] - 2.0 * a[i] + a[(i + n - 1) % n]) * self.v[i]
        }
        fn step(&self, h: f64) -> Field {
            let mut next = self.clone();
            for i in 0..self.width {
                let u = self.curve(&self.u, i) * self.curve(&self.v, i);
                next.u[i] = self.u[i] + h * u;
                if i % 2 == 0 {
                    next.v[i] = self.v[i] - h * self.curve(&self.u, i);
                }
            }
            next
        }
    }

    #[differentiable]
    fn sums(field: &Field, h: f64) -> f64 {
        let mut f = field.clone();
        for _ in 0..3 {
            f = f.step(h);
        }
        let mut all = 0.0;
        for i in 0..field.width {
            for _ in 0..2 {
                all += field.curve(&field.u, i) * f.curve(&f.v, i);
            }
        }
        all
    }

    #[differentiable]
    fn paired(a: &[f64], b: &[f64], i: usize) -> f64 {
        a[i] * b[a.len() - 1 - i]
    }

    /// A slice, twice in one call.
    #[differentiable]
    fn twice(a: &[f64], k: f64) -> f64 {
        let mut all = 0.0;
        for i in 0..a.len() {
            all += k * paired(a, a, i);
            if i > 1 {
                all *= paired(a, a, 0);
            }
        }
        all
    }

    #[test]
    fn second_accumulators_serve_all_trips() {
        check::<twice, _>(&(vec![0.3, -0.7, 1.1, 0.6], 1.3));
        let field = Field {
            width: 5,
            scale: 0.7,
            u: vec![0.3, -0.2, 0.9, 0.5, -0.6],
            v: vec![1.1, 0.4, -0.3, 0.8, 0.2],
        };
        check::<sums, _>(&(field, 0.2));
    }
}

/// Neighbours by `windows`, blocks by `chunks_exact`, and vectors that take many entries at once.
mod neighbours_by_windows {
    use super::*;

    #[differentiable]
    fn step(u: &[f64], k: f64) -> Vec<f64> {
        let mut next = vec![u[0]];
        next.extend(u.windows(3).map(|w| w[1] + k * (w[0] - 2.0 * w[1] + w[2])));
        next.push(u[u.len() - 1] * k);
        next
    }

    #[differentiable]
    fn f(u: &[f64], k: f64) -> f64 {
        let mut u = u.to_vec();
        for _ in 0..3 {
            u = step(&u, k);
        }
        let rough: f64 = u.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
        let pairs: f64 = u.chunks_exact(2).map(|c| c[0] * c[1]).sum();
        let mut all = Vec::new();
        for w in u.windows(4) {
            if let [a, b, .., d] = w {
                all.push(a * b + d);
            }
        }
        all.extend_from_slice(&u[1..3]);
        all.extend(u.iter().map(|v| (v * k).tanh()));
        all.extend(u.iter().filter(|v| **v > 0.0).map(|v| v * k));
        rough * pairs + all.iter().map(|v| v * v).sum::<f64>()
    }

    #[test]
    fn entries_of_windows_are_entries_of_the_slice() {
        for n in [3, 4, 5, 40, 70] {
            let u: Vec<f64> = (0..n).map(|i| (1.3 * i as f64).sin() + 0.1).collect();
            check::<f, _>(&(u, 0.2));
        }
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn an_entry_that_no_window_has_panics() {
        #[differentiable]
        fn beyond(u: &[f64]) -> f64 {
            u.windows(2).map(|w| w[0] * w[2]).sum()
        }
        beyond::grad(&[1.0, 2.0, 3.0]);
    }
}
