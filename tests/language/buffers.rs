//! Buffers that are written again and again: their lengths, which are taken once where they do not
//! change, and extrema over long rows of them.

use crate::check;
use differentiable::prelude::*;

fn numbers(n: usize, phase: f64) -> Vec<f64> {
    (0..n)
        .map(|i| (1.7 * i as f64 + phase).sin() + 0.1)
        .collect()
}

/// One buffer for all rows.
#[differentiable]
fn rows(x: &[f64], w: &[f64], width: usize) -> f64 {
    let mut buffer = vec![0.0; width];
    let mut total = 0.0;
    for row in x.chunks_exact(width) {
        for j in 0..buffer.len() {
            buffer[j] = row[j] * w[j];
        }
        let largest = buffer.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = buffer.iter().map(|v| (v - largest).exp()).sum();
        total += largest + sum.ln();
    }
    total
}

#[test]
fn one_buffer_for_all_rows() {
    for width in [1, 3, 4, 7, 40] {
        check::<rows, _>(&(numbers(5 * width, 0.2), numbers(width, 1.0), width));
    }
}

/// The lengths change: by `push`, by another array, and from trip to trip.
#[differentiable]
fn lengths_that_change(x: &[f64], n: usize) -> f64 {
    let mut grown = vec![x[0]; 1];
    let mut other = vec![x[0]; 2];
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..grown.len() {
            grown[j] = grown[j] * x[i];
            total += grown[j];
        }
        grown.push(x[i]);
        for j in 0..other.len() {
            other[j] = other[j] * x[i];
            total += other[j] * other[j];
        }
        other = vec![x[i]; i + 1];
        let mut fresh = vec![x[i]; i];
        for j in 0..fresh.len() {
            fresh[j] = fresh[j] * fresh[j] * x[j];
        }
        for j in 0..fresh.len() {
            total += fresh[j];
        }
    }
    total
}

#[differentiable]
fn longer(v: &mut Vec<f64>, c: f64) {
    v.push(c);
}

/// A call may leave another length behind.
#[differentiable]
fn lent(x: &[f64], n: usize) -> f64 {
    let mut v = vec![x[0]; 2];
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..v.len() {
            v[j] = v[j] * x[i];
            total += v[j] * v[j];
        }
        longer(&mut v, x[i]);
    }
    total
}

#[test]
fn lengths_that_change_are_kept() {
    for n in [0, 1, 2, 5] {
        check::<lengths_that_change, _>(&(numbers(6, 0.4), n));
        check::<lent, _>(&(numbers(6, 0.4), n));
    }
}

/// A type with a length of its own.
#[derive(Clone, Debug, Differentiable)]
struct Shrinking {
    entries: Vec<f64>,
    used: usize,
}

impl Shrinking {
    fn len(&self) -> usize {
        self.used
    }
}

#[differentiable]
fn length_of_a_type(x: f64) -> f64 {
    let mut s = Shrinking {
        entries: vec![x; 4],
        used: 4,
    };
    let mut total = 0.0;
    for _ in 0..3 {
        for j in 0..s.len() {
            s.entries[j] = s.entries[j] * x;
            total += s.entries[j];
        }
        s.used = s.used - 1;
    }
    total
}

#[test]
fn the_length_of_a_type_is_its_own() {
    // 4 x² + 3 x³ + 2 x⁴
    let x: f64 = 0.7;
    let expected = 8.0 * x + 9.0 * x * x + 8.0 * x.powi(3);
    assert!((length_of_a_type::grad(x) - expected).abs() < 1e-12);
}

#[differentiable]
fn range_of_entries(x: &[f64]) -> f64 {
    let mut most = f64::NEG_INFINITY;
    let mut least = f64::INFINITY;
    for i in 1..x.len() {
        most = x[i].max(most);
    }
    for i in 1..x.len() {
        least = least.min(x[i]);
    }
    most - least
}

/// The same with a condition, which is no search of an extremum.
fn expected(x: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; x.len()];
    let entries = &x[1..];
    let most = entries.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = entries.iter().copied().fold(f64::INFINITY, f64::min);
    let at = |v: f64| 1 + entries.iter().position(|x| *x == v).expect("an entry");
    gradient[at(most)] += 1.0;
    gradient[at(least)] -= 1.0;
    gradient
}

#[test]
fn extrema_of_long_rows() {
    for n in [2, 31, 32, 33, 34, 64, 65, 200, 1000] {
        for phase in [0.0, 1.0, 2.0, 3.0] {
            let x = numbers(n, phase);
            let (value, gradient) = range_of_entries::value_and_grad(&x);
            assert_eq!(value.to_bits(), range_of_entries(&x).to_bits());
            assert_eq!(gradient, expected(&x), "n = {n}");
            // Sorted, every block has a new extremum.
            let mut x = x;
            x.sort_by(f64::total_cmp);
            assert_eq!(range_of_entries::grad(&x), expected(&x), "n = {n}");
            x.reverse();
            assert_eq!(range_of_entries::grad(&x), expected(&x), "n = {n}");
        }
    }
}

#[test]
fn extrema_of_zeros_and_of_what_is_no_number() {
    let mut x = numbers(100, 0.0);
    x[1] = f64::NAN;
    x[70] = f64::NAN;
    assert_eq!(range_of_entries::grad(&x), expected(&x));
    let zeros: Vec<f64> = (0..100)
        .map(|i| if i % 3 == 0 { -0.0 } else { 0.0 })
        .collect();
    let value = range_of_entries::value_and_grad(&zeros).0;
    assert_eq!(value.to_bits(), range_of_entries(&zeros).to_bits());
    let value = range_of_entries::value_and_grad(&[f64::NAN; 50]).0;
    assert_eq!(value, range_of_entries(&[f64::NAN; 50]));
    assert_eq!(range_of_entries::grad(&[f64::NAN; 50]), [0.0; 50]);
}

/// What is compared changes in the loop, and so does something else.
#[differentiable]
fn extremum_of_what_changes(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len() + 1];
    let mut most = f64::NEG_INFINITY;
    for i in 0..x.len() {
        most = most.max(y[i]);
        y[i + 1] = y[i] + x[i] * x[i];
    }
    let mut total = most;
    for i in 0..x.len() {
        total = total.max(x[i]);
        most = most + total;
    }
    most
}

#[test]
fn an_extremum_of_what_changes_is_found_trip_by_trip() {
    check::<extremum_of_what_changes, _>(&(numbers(50, 0.3),));
}

/// Two shares for an entry, beside a sum and a tape.
#[differentiable]
fn two_shares(x: &[f64], c: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i] * c + (x[i] * c).exp();
    }
    sum
}

#[test]
fn entries_with_two_shares() {
    for n in [0, 1, 4, 5, 11] {
        check::<two_shares, _>(&(numbers(n, 0.1), 0.6));
    }
}
