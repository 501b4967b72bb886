//! `u = step(&u, k)`: what `u` was is moved to where the reverse pass reads it, and not copied.

use crate::{check, copies};
use differentiable::prelude::*;

#[derive(Debug, Differentiable)]
struct State {
    cells: Vec<f64>,
    time: f64,
}

impl Clone for State {
    fn clone(&self) -> Self {
        copies::count();
        State {
            cells: self.cells.clone(),
            time: self.time,
        }
    }
}

#[differentiable]
impl State {
    fn step(&self, rate: f64) -> State {
        State {
            cells: moved_on(&self.cells, rate),
            time: self.time + rate,
        }
    }
}

#[differentiable]
fn moved_on(u: &[f64], rate: f64) -> Vec<f64> {
    let mut next = u.to_vec();
    for i in 1..u.len() {
        next[i] = u[i] + rate * (u[i - 1] - u[i]) * u[i];
    }
    next
}

#[differentiable]
fn between(a: &State, b: &State, t: f64) -> State {
    let cells = a
        .cells
        .iter()
        .zip(&b.cells)
        .map(|(a, b)| a + t * (b - a))
        .collect();
    State {
        cells,
        time: t * a.time,
    }
}

#[differentiable]
fn score(s: &State) -> f64 {
    s.cells.iter().map(|c| c * c).sum::<f64>() * (1.0 + s.time)
}

/// Each state is read by several calls before the next takes its place.
#[differentiable]
fn rolled_out(cells: &[f64], rate: f64, steps: usize) -> f64 {
    let mut s = State {
        cells: cells.to_vec(),
        time: 0.5,
    };
    let mut cost = 0.0;
    for k in 0..steps {
        let ahead = s.step(rate);
        let beside = ahead.step(0.5 * rate);
        cost += score(&s) * rate;
        let middle = between(&s, &beside, 0.25);
        if k % 2 == 0 {
            cost += s.cells[1] * middle.cells[0];
        }
        s = between(&ahead, &middle, rate);
        s = s.step(rate);
    }
    cost + score(&s)
}

#[test]
fn states_are_moved() {
    let cells = vec![0.3, 0.9, -0.4, 0.6];
    check::<rolled_out, _>(&(cells.clone(), 0.2, 3));
    let before = copies::so_far();
    rolled_out::grad(&cells, 0.2, 3);
    assert_eq!(copies::so_far(), before);
}

/// Loops read entries, and the vector is replaced, in a branch too; another one keeps what it was.
#[differentiable]
fn replaced(u: &[f64], k: &[f64], steps: usize) -> f64 {
    let mut u = u.to_vec();
    let mut first = u.clone();
    let mut total = 0.0;
    for step in 0..steps {
        let mut next = u.clone();
        for i in 1..u.len() - 1 {
            next[i] = u[i] * u[i + 1] + k[i] * (u[i - 1] - u[i + 1]);
        }
        if step % 2 == 0 {
            total += next[1] * u[1];
            u = next;
        } else {
            let other = moved_on(&u, k[0]);
            total += other[2] * u[2];
            first = u;
            u = other;
        }
    }
    while total.abs() > 0.5 {
        u = moved_on(&u, 0.1);
        total = 0.5 * total + 0.1 * u[1];
    }
    total + u.iter().zip(&first).map(|(a, b)| a * b).sum::<f64>()
}

#[test]
fn vectors_are_replaced() {
    let (u, k) = (
        vec![0.4, 0.7, 0.2, 0.9, 0.5],
        vec![0.1, 0.3, -0.2, 0.4, 0.6],
    );
    for steps in 0..6 {
        check::<replaced, _>(&(u.clone(), k.clone(), steps));
    }
}

/// A branch inside of a branch gives the vector away before it is replaced.
#[differentiable]
fn given_away(u: &[f64], rate: f64, steps: usize) -> f64 {
    let mut u = u.to_vec();
    let mut total = 0.0;
    for step in 0..steps {
        let next = moved_on(&u, rate);
        let shown = if step % 2 == 0 {
            if step > 1 { u } else { next.clone() }
        } else {
            moved_on(&next, rate)
        };
        total += shown[1] * rate;
        u = next;
    }
    total + u[2]
}

#[test]
fn vectors_are_given_away() {
    for steps in 0..5 {
        check::<given_away, _>(&(vec![0.4, 0.7, 0.2], 0.3, steps));
    }
}

#[differentiable]
fn with_checkpoints(u: &[f64], rate: f64, steps: usize) -> f64 {
    let mut s = State {
        cells: u.to_vec(),
        time: 0.1,
    };
    let mut total = 0.0;
    #[checkpoint]
    for _ in 0..steps {
        total += score(&s);
        s = s.step(rate);
    }
    let mut lists = vec![u.to_vec(), moved_on(u, rate)];
    #[checkpoint(every = 2)]
    for _ in 0..steps {
        lists = vec![moved_on(&lists[1], rate), moved_on(&lists[0], 0.5 * rate)];
    }
    total + score(&s) + lists[0][1] * lists[1][2]
}

#[test]
fn in_loops_with_checkpoints() {
    let u = vec![0.4, 0.7, 0.2, 0.9];
    for steps in [0, 1, 4, 7] {
        check::<with_checkpoints, _>(&(u.clone(), 0.15, steps));
    }
}

#[differentiable(boxed)]
fn generic<T: Clone + Differentiable>(
    mut x: T,
    f: impl Fn(&T) -> T,
    value: impl Fn(&T) -> f64,
    steps: usize,
) -> f64 {
    let mut total = 0.0;
    for _ in 0..steps {
        total += value(&x);
        x = f(&x);
    }
    total + value(&x)
}

#[differentiable]
fn by_closures(u: &[f64], rate: f64) -> f64 {
    generic(
        u.to_vec(),
        |u: &Vec<f64>| moved_on(u, rate),
        |u: &Vec<f64>| u.iter().map(|u| u * u).sum::<f64>(),
        3,
    )
}

#[test]
fn of_any_type() {
    check::<by_closures, _>(&(vec![0.4, 0.7, 0.2], 0.3));
}

#[differentiable]
fn pull(s: &State, i: usize) -> f64 {
    let n = s.cells.len();
    s.cells[(i + 1) % n] * s.cells[i].sin() - s.time
}

/// Many calls borrow the state before it changes: in a loop, in a loop inside, and under a condition.
#[differentiable]
fn borrowed_in_loops(cells: &[f64], rate: f64, steps: usize) -> f64 {
    let mut s = State {
        cells: cells.to_vec(),
        time: 0.5,
    };
    let n = cells.len();
    let mut forces = vec![0.0; n];
    let mut total = 0.0;
    for _ in 0..steps {
        for i in 0..n {
            forces[i] = pull(&s, i);
            for j in 0..i {
                if j == 2 {
                    continue;
                }
                forces[i] += 0.1 * pull(&s, j);
            }
            if forces[i] > 0.1 {
                total += pull(&s, 0);
            }
        }
        let mut k = 0;
        while k < n {
            total += rate * pull(&s, k);
            k += 2;
        }
        for i in 0..n {
            s.cells[i] += rate * forces[i];
        }
        s.time *= 0.9;
        // Each call of this loop sees another state.
        for i in 0..n {
            total += pull(&s, i);
            s.cells[i] *= 1.0 - rate;
        }
    }
    total + score(&s)
}

#[test]
fn one_copy_for_all_calls_of_a_loop() {
    let cells = vec![0.3, 0.9, -0.4, 0.6, 0.2];
    for steps in [0, 1, 3] {
        check::<borrowed_in_loops, _>(&(cells.clone(), 0.2, steps));
    }
    let before = copies::so_far();
    borrowed_in_loops::grad(&cells, 0.2, 3);
    // In each step one for the loops before the state changes, and one for each call of the last loop.
    assert_eq!(copies::so_far() - before, 3 * (1 + cells.len()));
}
