//! Arrays that are copied once before the loops that read them, branches that are decided again, and what must not be:
//! `passes/settle/arrays` and `emit/vjp/decided`.

use crate::{check, check_outputs};
use differentiable::prelude::*;

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.9 + 0.3 * (1.3 * i as f64).sin()).collect()
}

fn starts(n: usize) -> Vec<usize> {
    (0..=n).map(|i| 3 * i).collect()
}

fn columns(n: usize) -> Vec<usize> {
    (0..3 * n).map(|k| (7 * k + 2) % n).collect()
}

#[differentiable]
fn sparse(values: &[f64], x: &[f64], starts: &[usize], columns: &[usize], steps: usize) -> f64 {
    let n = x.len();
    let mut v = x.to_vec();
    let mut w = vec![0.0; n];
    for _ in 0..steps {
        for i in 0..n {
            let mut sum = 0.0;
            for k in starts[i]..starts[i + 1] {
                sum += values[k] * v[columns[k]];
            }
            w[i] = sum / (1.0 + sum * sum).sqrt();
        }
        std::mem::swap(&mut v, &mut w);
    }
    let mut total = 0.0;
    for i in 0..n {
        total += v[i] * v[i];
    }
    total
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Body {
    position: [f64; 2],
    velocity: [f64; 2],
    mass: f64,
}

fn bodies(n: usize) -> Vec<Body> {
    (0..n)
        .map(|i| Body {
            position: [(i as f64).sin(), 0.3 * i as f64],
            velocity: [0.1 * i as f64, -0.2],
            mass: 1.0 + 0.1 * i as f64,
        })
        .collect()
}

#[differentiable]
fn kick(bodies: &mut [Body], h: f64, reach: f64) {
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            if i == j {
                continue;
            }
            let dx = bodies[j].position[0] - bodies[i].position[0];
            let dy = bodies[j].position[1] - bodies[i].position[1];
            let r2 = dx * dx + dy * dy + 0.01;
            if r2 > reach {
                continue;
            }
            let pull = h * bodies[j].mass / (r2 * r2.sqrt());
            bodies[i].velocity[0] += pull * dx;
            bodies[i].velocity[1] += pull * dy;
        }
    }
}

#[differentiable]
fn energy_after(all: &[Body], steps: usize, h: f64, reach: f64) -> f64 {
    let mut all = all.to_vec();
    for _ in 0..steps {
        kick(&mut all, h, reach);
        for body in all.iter_mut() {
            body.position[0] += h * body.velocity[0];
            body.position[1] += h * body.velocity[1];
        }
        // What the pullback of `kick` reads was copied: this changes what it was lent.
        all[0].mass *= 1.1;
    }
    let of = |b: &Body| 0.5 * b.mass * (b.velocity[0].powi(2) + b.velocity[1].powi(2));
    all.iter().map(of).sum()
}

/// The positions change between the loops, and in the second loop.
#[differentiable]
fn one_loop_writes(all: &[Body]) -> f64 {
    let mut all = all.to_vec();
    let n = all.len();
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..n {
            total += all[i].position[0] * all[j].position[0] * all[j].mass;
        }
    }
    for i in 0..n {
        for j in 0..n {
            total += all[j].position[0] * all[i].position[0];
            all[j].position[0] *= 1.01 + 0.1 * all[j].mass;
        }
    }
    all[0].mass = 3.0;
    total
}

#[differentiable]
fn pairs(x: &mut [f64], cutoff: f64) -> f64 {
    let n = x.len();
    let mut energy = 0.0;
    for i in 0..n {
        for j in i + 1..n {
            let d = x[j] - x[i];
            let d2 = d * d;
            if d2 < cutoff {
                energy += (d2 * cutoff).sin() / (d2 + 0.1);
            } else if d2 > 4.0 * cutoff {
                energy -= d2.sqrt();
            }
        }
    }
    for v in x.iter_mut() {
        *v *= 0.9 * energy;
    }
    energy
}

#[differentiable]
fn pairs_again(x: &[f64], cutoff: f64) -> f64 {
    let mut x = x.to_vec();
    let a = pairs(&mut x, cutoff);
    let b = pairs(&mut x, cutoff);
    a + b * x[0]
}

/// The limit changes in the loop: the branch must be the one that ran.
#[differentiable]
fn moving_limit(x: &[f64]) -> f64 {
    let mut limit = 0.8;
    let mut total = 0.0;
    let mut count = 0;
    for i in 0..x.len() {
        for j in 0..x.len() {
            if x[j] > limit {
                total += x[j] * x[i];
            }
            if count % 3 != 1 {
                total += x[i] * x[j] * x[j];
            }
            count += 1;
        }
        limit += 0.05 * x[i];
    }
    total
}

#[differentiable]
fn labels(x: &[f64], rows: usize) -> f64 {
    let mut total = 0.0;
    let mut y = x.to_vec();
    'rows: for i in 0..rows {
        for j in 0..x.len() {
            if (i + j) % 4 == 3 {
                continue;
            }
            if (i * j) % 7 == 6 {
                continue 'rows;
            }
            if i + j > 8 {
                break 'rows;
            }
            total += y[j] * x[j].sin();
        }
        for j in 0..x.len() {
            if j == i {
                continue;
            }
            y[j] *= x[j];
        }
    }
    total
}

#[differentiable]
fn whiles(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut t = 0;
    while t < 3 {
        t += 1;
        let mut i = 0;
        let mut sum = 0.0;
        while i < v.len() {
            i += 1;
            if i % 2 == 0 {
                continue;
            }
            for j in 0..v.len() {
                if j + 1 == i {
                    continue;
                }
                sum += v[j] * v[i - 1] * v[j];
            }
        }
        for k in 0..v.len() {
            v[k] = v[k] * 0.5 + 0.01 * sum;
        }
    }
    v[0] * v[v.len() - 1]
}

/// A stencil whose grid changes between the sweeps.
#[differentiable]
fn stencil(u: &[f64], n: usize, m: usize, steps: usize) -> Vec<f64> {
    let mut u = u.to_vec();
    for _ in 0..steps {
        let mut next = u.clone();
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let at = i * m + j;
                let across = u[at + 1] - u[at - 1];
                let down = u[at + m] - u[at - m];
                next[at] = u[at] + 0.1 * (1.0 + across * across + down * down).sqrt() * u[at];
            }
        }
        u = next;
    }
    u
}

#[differentiable]
fn rows(u: &[Vec<f64>], steps: usize) -> f64 {
    let mut u = u.to_vec();
    let n = u.len();
    for _ in 0..steps {
        let mut d = vec![0.0; n];
        for i in 0..n {
            for j in 0..n {
                for k in 0..u[i].len() {
                    d[i] += (u[i][k] * u[j][k]).tanh();
                }
            }
        }
        for i in 0..n {
            for k in 0..u[i].len() {
                u[i][k] *= 0.8 + 0.1 * d[i];
            }
        }
    }
    u[0][0] * u[n - 1][0]
}

/// A small block of a large array, at an index from outside: its entries are kept, and no copy is made.
#[differentiable]
fn block(x: &[f64], at: usize) -> f64 {
    let mut x = x.to_vec();
    let mut total = 0.0;
    for start in 0..at {
        for i in 0..3 {
            for j in 0..3 {
                total += x[start + i] * x[start + j] * x[start];
            }
        }
        x[start] *= total;
    }
    total
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Field {
    values: Vec<f64>,
    scale: f64,
}

#[differentiable]
impl Field {
    fn relax(&mut self, rate: f64) -> f64 {
        let n = self.values.len();
        let mut total = 0.0;
        for i in 0..n {
            for j in 0..n {
                if i == j {
                    continue;
                }
                total += rate * (self.values[i] - self.values[j]).powi(2) * self.scale;
            }
        }
        for v in &mut self.values {
            *v += 0.01 * total;
        }
        self.scale *= 0.9;
        total
    }
}

#[differentiable]
fn relaxed(x: &[f64], rate: f64) -> f64 {
    let mut field = Field {
        values: x.to_vec(),
        scale: 1.3,
    };
    let a = field.relax(rate);
    let b = field.relax(a * 0.1);
    b * field.values[0] + field.scale
}

#[differentiable]
fn apart(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + 0.2
}

/// Both arguments are in one array, which changes later.
#[differentiable]
fn spread(all: &mut [Body], h: f64) -> f64 {
    let n = all.len();
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..n {
            total += h / apart(&all[i].position, &all[j].position);
        }
    }
    for body in all.iter_mut() {
        body.position[0] += h;
    }
    total
}

/// The array gets shorter, so that its end tells no shapes.
#[differentiable]
fn spreads(x: &[f64], h: f64) -> f64 {
    let mut all = bodies_at(x);
    let mut total = spread(&mut all, h) + spread(&mut all, 0.5 * h);
    while !all.is_empty() {
        let n = all.len();
        total += apart(&all[0].position, &all[n - 1].position) * x[0];
        all.pop();
    }
    total
}

#[differentiable]
fn bodies_at(x: &[f64]) -> Vec<Body> {
    let mut all = vec![];
    for i in 0..x.len() {
        all.push(Body {
            position: [x[i], 0.3 * i as f64],
            velocity: [0.0, x[i]],
            mass: 1.0,
        });
    }
    all
}

/// What is picked by a condition has a record of its own.
#[differentiable]
fn last_of(x: &[f64], mask: &[bool]) -> f64 {
    let mut m = x[0];
    let mut total = 0.0;
    for i in 0..x.len() {
        m = if mask[i] { x[i] } else { m };
    }
    for i in 0..x.len() {
        for j in 0..x.len() {
            m = if (i + j) % 3 == 0 { x[i] * x[j] } else { m };
            total += m;
        }
    }
    m * m + total
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct Charge {
    place: [f64; 2],
    force: [f64; 2],
    size: f64,
}

/// Of second order, and with the steps run again from checkpoints.
#[differentiable(higher_order)]
fn charges(all: &[Charge], steps: usize) -> f64 {
    let mut all = all.to_vec();
    for _ in 0..steps {
        for i in 0..all.len() {
            for j in 0..all.len() {
                if i == j {
                    continue;
                }
                let d = [
                    all[j].place[0] - all[i].place[0],
                    all[j].place[1] - all[i].place[1],
                ];
                let pull = all[j].size / (d[0] * d[0] + d[1] * d[1] + 0.3);
                all[i].force[0] += pull * d[0];
                all[i].force[1] += pull * d[1];
            }
        }
        for c in all.iter_mut() {
            c.place[0] += 0.1 * c.force[0];
            c.place[1] += 0.1 * c.force[1];
        }
    }
    all.iter().map(|c| c.place[0] * c.place[1] * c.size).sum()
}

#[differentiable]
fn from_checkpoints(x: &[f64], steps: usize) -> f64 {
    let mut x = x.to_vec();
    let n = x.len();
    let mut f = vec![0.0; n];
    #[checkpoint]
    for _ in 0..steps {
        for i in 0..n {
            f[i] = 0.0;
            for j in 0..n {
                if j == i {
                    continue;
                }
                let d = x[j] - x[i];
                f[i] += d / (d * d + 0.4);
            }
        }
        for i in 0..n {
            x[i] += 0.1 * f[i];
        }
    }
    x[0] * x[n - 1]
}

/// A branch with a value, which is decided again.
#[differentiable]
fn chosen(x: &[f64], k: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        for j in 0..x.len() {
            let near = if i.abs_diff(j) < 2 { x[i] * k } else { x[j] };
            let far = if x[i] * x[j] > k { near * near } else { -near };
            total += far * near;
        }
    }
    total
}

#[test]
fn arrays() {
    for n in [1, 2, 5, 8] {
        let x = numbers(n);
        for steps in [0, 1, 3] {
            let values = numbers(3 * n);
            check::<sparse, _>(&(values, x.clone(), starts(n), columns(n), steps));
        }
        check::<energy_after, _>(&(bodies(n), 2, 0.05, 30.0));
        check::<energy_after, _>(&(bodies(n), 3, 0.05, 1.5));
        check::<one_loop_writes, _>(&(bodies(n),));
        check::<pairs_again, _>(&(x.clone(), 0.07));
        check::<spreads, _>(&(x.clone(), 0.4));
        check::<rows, _>(&(vec![x.clone(), numbers(n)], 2));
        check::<relaxed, _>(&(x.clone(), 0.3));
        check::<whiles, _>(&(x,));
    }
    for n in [2, 4] {
        let charge = |i: usize| Charge {
            place: [(1.7 * i as f64).sin(), 0.4 * i as f64],
            force: [0.1, -0.05 * i as f64],
            size: 1.0 + 0.2 * i as f64,
        };
        let all: Vec<Charge> = (0..n).map(charge).collect();
        differentiable::ad::check_hvp::<charges, f64, _>(&(all, 2)).unwrap();
        check::<from_checkpoints, _>(&(numbers(n), 9));
    }
    check_outputs::<stencil, _>(&(numbers(20), 4, 5, 3));
    check::<block, _>(&(numbers(7), 4));
}

#[test]
fn branches() {
    for n in [1, 2, 5] {
        check::<moving_limit, _>(&(numbers(n),));
        check::<chosen, _>(&(numbers(n), 0.8));
        check::<last_of, _>(&(
            numbers(n),
            (0..n).map(|i| i % 2 == 0).collect::<Vec<bool>>(),
        ));
        check::<labels, _>(&(numbers(n), 6));
    }
}
