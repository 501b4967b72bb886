//! Dynamics of a planar arm of three links, and DDP/iLQR with Jacobians and Hessians.
use crate::Report;
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Link {
    mass: f64,
    length: f64,
    inertia: f64,
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Arm {
    links: [Link; 3],
    gravity: f64,
    damping: f64,
}

type State = [f64; 6];

#[differentiable(higher_order)]
fn solve3(mut a: [[f64; 3]; 3], mut b: [f64; 3]) -> [f64; 3] {
    for k in 0..3 {
        let pivot = (k..3)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..3 {
            let f = a[i][k] / a[k][k];
            for j in k..3 {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for k in (0..3).rev() {
        let s: f64 = (k + 1..3).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - s) / a[k][k];
    }
    b
}

#[differentiable(higher_order)]
impl Arm {
    /// Kinetic minus potential energy.
    fn lagrangian(&self, q: &[f64; 3], qd: &[f64; 3]) -> f64 {
        let (mut angle, mut rate) = (0.0, 0.0);
        let (mut y, mut vx, mut vy) = (0.0, 0.0, 0.0);
        let mut total = 0.0;
        for ((link, q), qd) in self.links.iter().zip(q).zip(qd) {
            angle += q;
            rate += qd;
            let (s, c) = angle.sin_cos();
            let half = 0.5 * link.length;
            let (cy, cvx, cvy) = (y - half * c, vx + half * c * rate, vy + half * s * rate);
            total +=
                0.5 * link.mass * (cvx.powi(2) + cvy.powi(2)) + 0.5 * link.inertia * rate.powi(2);
            total -= link.mass * self.gravity * cy;
            y -= link.length * c;
            vx += link.length * c * rate;
            vy += link.length * s * rate;
        }
        total
    }
}

#[differentiable(higher_order)]
fn lagrangian(arm: &Arm, q: &[f64; 3], qd: &[f64; 3]) -> f64 {
    arm.lagrangian(q, qd)
}

/// `M(q) q'' = τ + ∂L/∂q − (∂²L/∂q'∂q) q'`, as with JAX.
#[differentiable(higher_order)]
fn acceleration(arm: &Arm, state: &State, torque: &[f64; 3]) -> [f64; 3] {
    let q: [f64; 3] = state[..3].try_into().unwrap();
    let qd: [f64; 3] = state[3..].try_into().unwrap();
    let (_, by_q, _) = lagrangian::grad(arm, &q, &qd);
    let momentum = |q: &[f64; 3], qd: &[f64; 3]| lagrangian::grad(arm, q, qd).2;
    let mut mass = [[0.0; 3]; 3];
    for k in 0..3 {
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        let column = lagrangian::hvp((arm, &arm.zero_tangent()), (&q, &[0.0; 3]), (&qd, &unit)).2;
        for i in 0..3 {
            mass[i][k] = column[i];
        }
    }
    let coriolis = lagrangian::hvp((arm, &arm.zero_tangent()), (&q, &qd), (&qd, &[0.0; 3])).2;
    let _ = momentum;
    let mut rhs = [0.0; 3];
    for i in 0..3 {
        rhs[i] = torque[i] + by_q[i] - coriolis[i] - arm.damping * qd[i];
    }
    solve3(mass, rhs)
}

#[differentiable(higher_order)]
fn step(arm: &Arm, x: &State, u: &[f64; 3], dt: f64) -> State {
    let rate = |x: &State| -> State {
        let a = acceleration(arm, x, u);
        [x[3], x[4], x[5], a[0], a[1], a[2]]
    };
    let along =
        |x: &State, k: &State, h: f64| -> State { std::array::from_fn(|i| x[i] + h * k[i]) };
    let k1 = rate(x);
    let k2 = rate(&along(x, &k1, 0.5 * dt));
    let k3 = rate(&along(x, &k2, 0.5 * dt));
    let k4 = rate(&along(x, &k3, dt));
    std::array::from_fn(|i| x[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// A step, weighted: its Hessian is what second-order DDP adds to iLQR.
#[differentiable(higher_order)]
fn weighted(#[constant] arm: &Arm, x: &State, u: &[f64; 3], dt: f64, #[constant] w: &State) -> f64 {
    step(arm, x, u, dt).iter().zip(w).map(|(a, b)| a * b).sum()
}

pub fn measure(report: &mut Report) {
    let link = Link {
        mass: 1.0,
        length: 0.5,
        inertia: 0.02,
    };
    let arm = Arm {
        links: [link.clone(), link.clone(), link],
        gravity: 9.81,
        damping: 0.1,
    };
    let (x, u, dt) = ([0.3, -0.2, 0.5, 0.1, 0.2, -0.3], [0.1, 0.2, -0.1], 0.02);
    let w = [0.3, 0.1, -0.4, 0.2, 0.5, -0.6];
    report.case(
        "arm, a weighted step",
        weighted(&arm, &x, &u, dt, &w),
        || weighted(&arm, &x, &u, dt, &w),
        || weighted::value_and_grad(&arm, &x, &u, dt, &w),
    );
    report.columns(
        "arm, Jacobian of a step",
        21,
        || step(&arm, &x, &u, dt),
        || step::jacobian_matrix(&arm, &x, &u, dt),
    );
}
