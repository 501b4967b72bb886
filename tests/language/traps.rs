//! The traps: values that change before they are used, names that clash, aliases.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn copied(x: &[f64]) -> f64 {
    let v = x.to_vec();
    v[0] * v[1]
}

#[differentiable]
fn copied_and_changed(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    for i in 1..w.len() {
        w[i] = w[i - 1] * w[i];
    }
    w[w.len() - 1]
}

#[test]
fn copies_of_slices() {
    assert_eq!(copied::grad(&[2.0, 3.0]), vec![3.0, 2.0]);
    check::<copied, _>(&(vec![2.0, 3.0],));
    check::<copied_and_changed, _>(&(vec![2.0, 3.0, 0.5],));
}

#[differentiable]
fn bound_changes(x: f64) -> f64 {
    let mut n = 3;
    let mut y = x;
    for _ in 0..n {
        n = 1;
        y = y * x;
    }
    if n == 1 { y * y } else { y }
}

#[differentiable]
fn bound_grows(x: f64) -> f64 {
    let mut n = 2;
    let mut y = x;
    for _ in 0..=n {
        y = y * x;
        n += 1;
    }
    y + (n as f64)
}

#[differentiable]
fn bound_of_a_parameter(x: f64, mut n: usize) -> f64 {
    let mut y = x;
    for _ in (0..n).rev() {
        n = 0;
        y *= x;
    }
    y + n as f64
}

#[test]
fn the_bound_of_a_loop_changes_inside() {
    check::<bound_changes, _>(&(0.7,));
    check::<bound_grows, _>(&(0.7,));
    check::<bound_of_a_parameter, _>(&(0.7, 4));
}

#[differentiable]
fn scaled(x: f64, factor: f64) -> f64 {
    x * factor
}

#[differentiable]
fn call_in_a_branch(x: f64, k: usize) -> f64 {
    if x > 0.0 {
        scaled(x, 2.0)
    } else {
        scaled(x, k as f64)
    }
}

#[test]
fn inactive_arguments_in_a_branch() {
    check::<call_in_a_branch, _>(&(1.5, 3));
    check::<call_in_a_branch, _>(&(-1.5, 3));
}

#[differentiable]
fn prefix_sums(x: f64) -> f64 {
    let mut m = [x; 4];
    for i in 1..4 {
        m[i] += m[i - 1] * x;
        m[i] += m[i - 1];
        m[i] -= m[0];
    }
    let mut a = m[3];
    a += a;
    a
}

#[test]
fn accumulating_from_the_same_array() {
    check::<prefix_sums, _>(&(1.2,));
}

#[differentiable]
fn names(v0: f64, k0: f64) -> f64 {
    let v1 = v0 * v0 * k0;
    let v2 = v1 * v0;
    let mut v3 = v2;
    v3 *= v1;
    let d_v0 = v3.sin() * k0;
    for k1 in 0..2 {
        v3 += d_v0 * (k1 as f64);
    }
    v3 + d_v0
}

#[test]
fn names_like_ours() {
    check::<names, _>(&(1.2, 0.7));
}

#[differentiable]
fn condition_with_effects(x: f64) -> f64 {
    let mut k = 0;
    let mut y = x;
    if {
        k += 1;
        k == 1
    } {
        y *= x;
    }
    y * (k as f64)
}

#[test]
fn effects_in_conditions() {
    check::<condition_with_effects, _>(&(1.7,));
}

#[differentiable]
fn polynomial(x: f64) -> f64 {
    let coefficients = [0.3, -0.35, 1.78, -1.8];
    let mut value = 0.0;
    for c in coefficients.iter().rev() {
        value = (value + c) * x;
    }
    for c in &coefficients {
        value *= c;
        value += x * c;
    }
    value
}

#[differentiable]
fn by_changing_position(x: f64) -> f64 {
    let table = [0.5, 2.0, -1.0];
    let mut at = 2;
    let mut y = x;
    while at > 0 {
        at -= 1;
        let c = &table[at];
        y = y * c + x.sin() * c;
    }
    y
}

#[test]
fn references_to_data() {
    check::<polynomial, _>(&(0.7,));
    check::<by_changing_position, _>(&(0.7,));
}

#[differentiable]
fn owned_data(x: &Tensor![f64; 3]) -> Tensor![f64;] {
    let o: Tensor![f64; 3] = Tensor::full(2.0);
    (x * o).sum()
}

#[test]
fn owned_inactive_operands() {
    let x = tensor([1.0, 2.0, 3.0]);
    assert_eq!(owned_data::grad(&x).to_vec(), vec![2.0; 3]);
}

#[differentiable]
fn results_overwritten(x: f64, z: f64) -> f64 {
    let mut y = x.exp();
    y *= 0.5;
    let mut q = z / x;
    q = q * q + y;
    let mut r: f64 = x.hypot(z);
    r += q.sqrt();
    let mut s = q.tanh();
    for _ in 0..3 {
        let mut t = s.sqrt();
        t += r;
        s = t * y;
    }
    y * q * r * s
}

#[test]
fn a_result_that_its_rule_reads_is_overwritten() {
    check::<results_overwritten, _>(&(0.7, 1.2));
}

#[differentiable]
fn results_that_change(a: f64, b: f64) -> f64 {
    let mut s = a.exp();
    s *= b;
    let mut t = s / a;
    t += s.powf(b);
    for _ in 0..2 {
        let mut u = t.sqrt();
        u *= 1.5;
        t *= u;
    }
    t
}

#[test]
fn the_result_an_operation_keeps_changes_later() {
    check::<results_that_change, _>(&(0.7, 1.2));
}

#[differentiable]
fn chosen_by_a_counter(x: &[f64], flag: bool) -> f64 {
    let mut total = 0.0;
    let mut at = 0;
    while at < x.len() {
        let chosen = if flag { x[at] } else { x[0] };
        at += 1;
        total += chosen * chosen * at as f64;
    }
    total
}

#[test]
fn a_branch_that_is_an_entry_at_a_changing_position() {
    check::<chosen_by_a_counter, _>(&(vec![0.3, 1.2, 0.7], true));
    check::<chosen_by_a_counter, _>(&(vec![0.3, 1.2, 0.7], false));
}

#[differentiable]
fn slice_of_no_trip(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[5..9][i] * x[5..9][i];
    }
    s + x[0]
}

#[differentiable]
fn offset_of_no_trip(x: f64, n: usize, offset: usize) -> f64 {
    let mut v = [x; 4];
    for i in 0..n {
        v[offset + i] += x * 2.0;
    }
    v[0] * v[3]
}

#[test]
fn a_loop_without_trips_takes_no_slice() {
    check::<slice_of_no_trip, _>(&(vec![0.7], 0));
    check::<slice_of_no_trip, _>(&((0..9).map(f64::from).collect(), 4));
    check::<offset_of_no_trip, _>(&(0.7, 0, 9));
    check::<offset_of_no_trip, _>(&(0.7, 2, 2));
}
