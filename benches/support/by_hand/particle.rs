//! Where the particle is changes with the control as its force does: a path of its own, beside the particle's.

use super::saddle::descend;

const TIME_STEP: f64 = 0.1;

/// The control from which on the particle meets the origin.
pub fn steer(start: f64) -> f64 {
    descend([start], |[w]| miss(w).0, |[w]| [miss(w).1])[0]
}

/// The square of where the particle meets the axis, and its derivative by the control.
pub fn miss(control: f64) -> (f64, f64) {
    let (mut at, mut speed) = ([0.0, 8.0], [0.75, 0.0]);
    // How they change with the control.
    let (mut by_at, mut by_speed) = ([0.0; 2], [0.0; 2]);
    while at[1] + TIME_STEP * speed[1] > 0.0 {
        let (mut force, mut by_force) = ([0.0; 2], [0.0; 2]);
        for (height, moves) in [(10.0 - control, -1.0), (0.0, 0.0)] {
            let r = [at[0] - 10.0, at[1] - height];
            let by_r = [by_at[0], by_at[1] - moves];
            let square = r[0] * r[0] + r[1] * r[1];
            let cubed = 1.0 / (square * square.sqrt());
            let along = 3.0 * (r[0] * by_r[0] + r[1] * by_r[1]) / square;
            for i in 0..2 {
                force[i] += r[i] * cubed;
                by_force[i] += (by_r[i] - along * r[i]) * cubed;
            }
        }
        for i in 0..2 {
            at[i] += TIME_STEP * speed[i];
            by_at[i] += TIME_STEP * by_speed[i];
            speed[i] += TIME_STEP * force[i];
            by_speed[i] += TIME_STEP * by_force[i];
        }
    }
    let left = -at[1] / speed[1];
    let by_left = -(by_at[1] + left * by_speed[1]) / speed[1];
    let x = at[0] + left * speed[0];
    let by_x = by_at[0] + by_left * speed[0] + left * by_speed[0];
    (x * x, 2.0 * x * by_x)
}
