//! `&mut` parameters and `&mut self`: what is behind the reference is an argument and a result.

use crate::{check, check_outputs};
use differentiable::prelude::*;

/// One step of a pendulum.
#[differentiable]
fn step(state: &mut [f64; 2], length: f64, dt: f64) {
    state[1] -= dt * 9.81 / length * state[0].sin();
    state[0] += dt * state[1];
}

#[differentiable]
fn simulate(angle: f64, length: f64, n: usize) -> f64 {
    let mut state = [angle, 0.0];
    for _ in 0..n {
        step(&mut state, length, 0.05);
    }
    state[0] * state[1]
}

#[test]
fn a_state_is_stepped() {
    check_outputs::<step, _>(&([0.3, -0.2], 1.3, 0.1));
    check::<simulate, _>(&(0.7, 1.3, 10));
    let mut state = [0.3, -0.2];
    let ((), pullback) = step::vjp(&mut state, 1.3, 0.1);
    let (d_state, _, d_dt) = pullback([1.0, 0.0]);
    let v = -0.2 - 0.1 * 9.81 / 1.3 * 0.3f64.sin();
    assert!((state[1] - v).abs() < 1e-15);
    let slope = -9.81 / 1.3 * 0.3f64.sin();
    assert!((d_dt - (v + 0.1 * slope)).abs() < 1e-14);
    assert!((d_state[1] - 0.1).abs() < 1e-15);
}

#[differentiable]
fn normalise(xs: &mut [f64], eps: f64) -> f64 {
    let mut s = eps;
    for x in xs.iter() {
        s += x * x;
    }
    let norm = s.sqrt();
    for x in xs.iter_mut() {
        *x /= norm;
    }
    norm
}

#[differentiable]
fn rows(m: &[f64], n: usize, w: f64) -> f64 {
    let mut a = m.to_vec();
    let mut total = w;
    for i in 0..m.len() / n {
        let row = &mut a[i * n..(i + 1) * n];
        total *= normalise(row, 0.1);
        row[0] *= w;
    }
    for chunk in a.chunks_mut(n) {
        total += normalise(chunk, 0.01 * w);
    }
    total + a[1] * a[2]
}

#[test]
fn slices_are_lent() {
    check_outputs::<normalise, _>(&(vec![0.3, -0.7, 1.2], 0.1));
    check::<rows, _>(&(vec![0.3, -0.7, 1.2, 0.4, 0.1, 2.0], 3, 0.7));
}

#[differentiable]
fn swap_if(a: &mut f64, b: &mut f64) -> bool {
    if *a > *b {
        std::mem::swap(a, b);
        *a *= 2.0;
        true
    } else {
        *b += a.sin();
        false
    }
}

#[differentiable]
fn sorted(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let swapped = swap_if(&mut a, &mut b);
    if swapped { a * a * b } else { a / b }
}

#[test]
fn scalars_are_lent() {
    check_outputs::<swap_if, _>(&(0.3, 0.9));
    check_outputs::<swap_if, _>(&(0.9, 0.3));
    check::<sorted, _>(&(0.3, 0.9));
    check::<sorted, _>(&(0.9, 0.3));
}

#[differentiable]
fn energy(s: &[f64]) -> f64 {
    s[0] * s[0] + s[1].cos()
}

#[differentiable]
fn damped(s: &mut [f64], k: f64) {
    let before = energy(s);
    advance(s, k * before);
    let after = energy(s);
    s[0] *= after;
    advance(&mut s[1..], before * 0.1);
    assert!(s.len() > 1);
}

#[differentiable]
fn advance(s: &mut [f64], by: f64) {
    for i in 0..s.len() {
        s[i] += by * s[i] * s[i];
    }
}

#[test]
fn a_reference_is_passed_on() {
    check_outputs::<damped, _>(&(vec![0.3, 0.9], 0.7));
    check_outputs::<damped, _>(&(vec![0.3, 0.9, 1.1], 0.7));
}

#[derive(Clone, Debug, Differentiable)]
struct Particle {
    x: f64,
    v: f64,
    #[constant]
    steps: usize,
}

#[differentiable]
impl Particle {
    fn force(&self, k: f64) -> f64 {
        -k * self.x - 0.1 * self.v * self.v
    }
    fn step(&mut self, k: f64, dt: f64) {
        self.v += self.force(k) * dt;
        self.x += self.v * dt;
        self.steps += 1;
    }
    fn run(&mut self, k: f64, n: usize) -> f64 {
        let mut path = 0.0;
        for _ in 0..n {
            let before = self.x;
            self.step(k, 0.1);
            path += (self.x - before).powi(2);
        }
        path
    }
}

#[differentiable]
fn flight(p: &Particle, k: f64, n: usize) -> f64 {
    let mut q = p.clone();
    let path = q.run(k, n);
    let mut all = vec![q.clone(), p.clone()];
    for r in all.iter_mut() {
        r.step(k * r.x, 0.2);
    }
    all[0].step(path, 0.1);
    path + q.x * q.v + all[0].x * all[1].v
}

#[test]
fn methods_that_change_self() {
    let p = Particle {
        x: 1.0,
        v: 0.2,
        steps: 0,
    };
    for n in [0, 1, 7] {
        check::<flight, _>(&(p.clone(), 2.0, n));
    }
    let mut q = p.clone();
    let g = q.run_grad(2.0, 3);
    assert_eq!(q.steps, 3);
    let path = |dx: f64| {
        let mut q = p.clone();
        q.x += dx;
        q.run(2.0, 3)
    };
    let difference = (path(1e-6) - path(-1e-6)) / 2e-6;
    assert!((g.0.x - difference).abs() < 1e-8, "{} {difference}", g.0.x);
    let mut q = p.clone();
    let ((), pullback) = q.step_vjp(2.0, 0.1);
    let (dp, _, _) = pullback(ParticleTangent {
        x: 1.0,
        v: 0.0,
        steps: (),
    });
    assert!((dp.x - (1.0 - 0.01 * 2.0)).abs() < 1e-14);
}

#[differentiable]
fn collected(out: &mut Vec<f64>, x: f64, n: &mut usize) {
    *n += 1;
    out.push(x * x);
    let last = out[out.len() - 1];
    out.push(last.sin() * out[0]);
    if out.len() > 5 {
        out.remove(1);
    }
}

#[differentiable]
fn collects(x: f64) -> f64 {
    let mut all = vec![x];
    let mut n = 0;
    for i in 0..4 {
        collected(&mut all, x + i as f64, &mut n);
    }
    let mut s = 0.0;
    for i in 0..all.len() {
        s += all[i] * (i + n) as f64;
    }
    s
}

#[test]
fn a_vec_grows_in_a_call() {
    check_outputs::<collected, _>(&(vec![0.3, 0.9], 0.7, 0));
    check_outputs::<collected, _>(&(vec![0.3, 0.9, 0.1, 0.2], 0.7, 0));
    check::<collects, _>(&(0.4,));
}

#[differentiable]
fn diffuse(u: &mut [f64], scratch: &mut [f64], k: f64) {
    let n = u.len();
    for i in 1..n - 1 {
        scratch[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
    }
    scratch[0] = u[0];
    scratch[n - 1] = u[n - 1] * u[0];
    u.copy_from_slice(scratch);
}

#[differentiable]
fn heat(u0: &[f64], k: f64, steps: usize) -> f64 {
    let mut u = u0.to_vec();
    let mut scratch = vec![0.0; u.len()];
    for _ in 0..steps {
        diffuse(&mut u, &mut scratch, k);
        std::mem::swap(&mut u, &mut scratch);
    }
    let mut s = 0.0;
    for i in 0..u.len() {
        s += u[i] * scratch[i];
    }
    s
}

#[test]
fn scratch_buffers() {
    check_outputs::<diffuse, _>(&(vec![0.3, 0.9, 0.1, 0.2], vec![1.0; 4], 0.2));
    check::<heat, _>(&(vec![0.3, 0.9, 0.1, 0.2], 0.2, 5));
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Mode {
    Idle,
    Ramp { level: f64, rate: f64 },
}

#[differentiable]
fn tick(m: &mut Mode, dt: f64) -> f64 {
    if let Mode::Ramp { level, rate } = m {
        *level += *rate * dt;
        *rate *= 0.9;
    }
    match m {
        Mode::Ramp { level, .. } if *level > 1.0 => {
            let out = *level;
            *m = Mode::Idle;
            out
        }
        Mode::Ramp { level, rate } => *level * *rate,
        Mode::Idle => {
            *m = Mode::Ramp {
                level: dt,
                rate: 2.0,
            };
            0.0
        }
    }
}

#[differentiable]
fn ticks(dt: f64, n: usize) -> f64 {
    let mut m = Mode::Idle;
    let mut s = 0.0;
    for _ in 0..n {
        s += tick(&mut m, dt);
    }
    s
}

#[test]
fn a_state_machine() {
    check_outputs::<tick, _>(&(Mode::Idle, 0.1));
    check_outputs::<tick, _>(&(
        Mode::Ramp {
            level: 0.3,
            rate: 0.7,
        },
        0.1,
    ));
    for n in 0..8 {
        check::<ticks, _>(&(0.21, n));
    }
}

#[differentiable]
fn fill_squares(out: &mut [f64], x: f64) {
    for i in 0..out.len() {
        out[i] = x * x * i as f64;
    }
}

#[differentiable]
fn filled_by_a_call(x: f64) -> f64 {
    let mut buffer = [0.0; 4];
    fill_squares(&mut buffer, x);
    buffer[2] * buffer[3]
}

#[test]
fn a_constant_buffer_is_filled_by_a_call() {
    check::<filled_by_a_call, _>(&(0.6,));
}

#[derive(Clone, Debug, Differentiable)]
struct Body {
    position: f64,
    velocity: f64,
}
#[derive(Clone, Debug, Differentiable)]
struct Pair(f64, [f64; 2]);

#[differentiable]
fn taken_apart(bodies: &[Body]) -> f64 {
    let mut bodies = bodies.to_vec();
    for Body { position, velocity } in bodies.iter_mut() {
        *position += 0.1 * *velocity;
        *velocity *= *position;
    }
    for (i, Body { position, .. }) in bodies.iter_mut().enumerate() {
        *position *= i as f64 + 1.0;
    }
    let Body { position, velocity } = &mut bodies[0];
    *position += *velocity * *velocity;
    let mut pair = (Pair(bodies[1].position, [1.0, bodies[0].position]), 2.0);
    {
        let (Pair(a, b), c) = &mut pair;
        *a *= b[1];
        b[0] += *a;
        *c += b[0];
    }
    bodies[0].position * bodies[1].position * bodies[0].velocity * pair.0.1[0] * pair.1
}

#[differentiable]
fn scale(v: &mut [f64], k: f64) -> f64 {
    for x in v.iter_mut() {
        *x *= k;
    }
    k
}

#[differentiable]
fn halves(x: f64, a: &[Vec<f64>]) -> f64 {
    let mut v = vec![x; 4];
    let (l, r) = v.split_at_mut(2);
    let q = scale(l, x);
    let s = scale(r, l[0]);
    let mut a = a.to_vec();
    let (top, bottom) = a.split_at_mut(1);
    let pivot = &top[0];
    for row in bottom.iter_mut() {
        for (r, p) in row[1..].iter_mut().zip(&pivot[1..]) {
            *r -= 2.0 * p * p;
        }
    }
    q * s * v[0] * v[3] * a[1][0] * a[1][1]
}

#[test]
fn mutable_references_taken_apart() {
    let body = |position, velocity| Body { position, velocity };
    check::<taken_apart, _>(&(vec![body(1.0, 2.0), body(1.5, 0.3)],));
}

#[test]
fn one_half_is_lent_and_the_other_read() {
    check::<halves, _>(&(0.7, vec![vec![1.0, 2.0], vec![3.0, 4.0]]));
}

/// A method changes its receiver after its arguments have read it, by steps of their own.
#[derive(Clone, Debug, Differentiable)]
struct Kicked {
    x: f64,
    y: f64,
}

#[differentiable]
impl Kicked {
    fn kick(&mut self, by: f64) {
        self.x += by * self.x;
        self.y -= by;
    }
}

#[differentiable]
fn kicked(x: f64, k: f64) -> f64 {
    let mut p = Kicked { x, y: k };
    p.kick((k * 2.0) * p.x);
    p.kick(k * p.x * p.y);
    p.x * p.x * k + p.y * p.x
}

#[differentiable]
fn kicked_entries(xs: &[f64], k: f64) -> f64 {
    let mut all = [xs[0], xs[1]].map(|x| Kicked { x, y: k });
    for i in 0..2 {
        all[i].kick((k - 2.0) * all[i].x);
        all[i].kick(all[i].x * (k + all[i].y));
    }
    all[0].x * all[1].x * all[0].x
}

#[test]
fn arguments_read_the_receiver_before_it_changes() {
    check::<kicked, _>(&(0.7, 0.4));
    check::<kicked_entries, _>(&(vec![0.7, -0.3], 0.4));
}
