//! Derivatives of what uses derivatives itself: descents within a descent, and forces along a path.

use crate::evals::descent::{Modes, argmin};
use crate::evals::{particle, saddle};
use crate::support::assert_close;
use crate::{by_hand, differences};
use differentiable::ad::check_grads;
use differentiable::prelude::*;

const MODES: [&str; 4] = ["ff", "fr", "rf", "rr"];
const EXACT: f64 = 1e-10;

#[test]
fn the_path_of_a_particle() {
    for w in [-0.2, 0.0, 0.1, 0.207, 0.3, 0.6] {
        let (value, slope) = by_hand::particle::miss(w);
        let rough = differences(|w| particle::miss_by_reverse(w[0]), &[w]);
        assert_close("particle by hand", &[slope], &rough, 1e-6);
        for (found, by_w) in [
            particle::miss_by_forward::value_and_grad(w),
            particle::miss_by_reverse::value_and_grad(w),
            particle::miss_by_forward::jvp((w, 1.0)),
            particle::miss_by_reverse::jvp((w, 1.0)),
        ] {
            assert_close("particle", &[found, by_w], &[value, slope], EXACT);
        }
    }
}

#[test]
fn a_particle_that_flies_away() {
    assert_eq!(particle::miss_by_forward(5.0), f64::INFINITY);
    assert_eq!(
        particle::miss_by_reverse::value_and_grad(5.0),
        (f64::INFINITY, 0.0)
    );
}

#[test]
fn a_particle_is_steered_from_elsewhere() {
    for w in [0.1, 0.207, 0.25] {
        let expected = by_hand::particle::steer(w);
        for modes in MODES {
            let found = particle::steer(Modes::of("particle", modes).unwrap(), w);
            assert_close("particle: control", &[found], &[expected], EXACT);
            // The descent ends where a step would be shorter than 1e-5.
            assert!(particle::miss_by_reverse(found) < 1e-4);
        }
    }
}

#[test]
fn the_highest_payoff() {
    for (a, start) in [([1.0, 1.0], [1.0, 1.0]), ([-0.3, 2.0], [0.5, -1.5])] {
        let twice = a.map(|x| 2.0 * x);
        assert_close(
            "by forward",
            &saddle::highest_by_forward::grad(a, start),
            &twice,
            EXACT,
        );
        assert_close(
            "by reverse",
            &saddle::highest_by_reverse::grad(a, start),
            &twice,
            EXACT,
        );
        check_grads::<saddle::highest_by_forward, _>(&(a, start)).unwrap();
        check_grads::<saddle::highest_by_reverse, _>(&(a, start)).unwrap();
    }
}

#[test]
fn saddles_from_elsewhere() {
    for start in [[1.0, 1.0], [-0.3, 2.0], [0.0, 0.0]] {
        let expected = by_hand::saddle::saddle(start);
        for modes in MODES {
            let found = saddle::saddle(Modes::of("saddle", modes).unwrap(), start);
            assert_close("saddle", &found.concat(), &expected.concat(), EXACT);
        }
    }
}

#[differentiable(higher_order)]
fn bowl(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, y) = (b[0] - a[0] * a[0], b[1] - a[1].sin());
    x * x + 2.0 * y * y + 0.3 * a[1] * b[0] * b[1]
}

/// Of this one the end of the descent depends on `a`.
#[differentiable]
fn lowest(a: [f64; 2]) -> f64 {
    let b = argmin(
        [0.3, -0.4],
        |b| bowl(a, b),
        |b| {
            let (_, down) = bowl::grad(a, b);
            down
        },
    );
    b[0] * b[0] + 3.0 * b[1]
}

#[test]
fn the_end_of_a_descent_by_what_it_minimises() {
    let a = [0.8, 0.6];
    let by_a = lowest::grad(a);
    assert_close(
        "forward",
        &[lowest::jvp((a, [1.0, -2.0])).1],
        &[by_a[0] - 2.0 * by_a[1]],
        EXACT,
    );
    let rough = differences(|a| lowest([a[0], a[1]]), &a);
    assert_close("differences", &by_a, &rough, 1e-5);
    // At the lowest point itself: -H⁻¹ times the mixed derivatives, to the tolerance of the descent.
    let (h, c) = ([[2.0, 0.3 * a[1]], [0.3 * a[1], 4.0]], 0.3);
    let right = [2.0 * a[0] * a[0], 4.0 * a[1].sin()];
    let det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
    let solve = |r: [f64; 2]| {
        [
            (h[1][1] * r[0] - h[0][1] * r[1]) / det,
            (h[0][0] * r[1] - h[1][0] * r[0]) / det,
        ]
    };
    let b = solve(right);
    let of_0 = solve([4.0 * a[0], 0.0]);
    let of_1 = solve([-c * b[1], 4.0 * a[1].cos() - c * b[0]]);
    let along = |d: [f64; 2]| 2.0 * b[0] * d[0] + 3.0 * d[1];
    assert_close("implicit", &by_a, &[along(of_0), along(of_1)], 1e-3);
}
