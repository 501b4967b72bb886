//! What the macro does for speed, where it could give a wrong number: loops run in blocks or in
//! another order, entries cut to windows, tapes of a size known beforehand, extrema of which only
//! the turns are kept.

use crate::check;
use differentiable::prelude::*;

fn numbers(n: usize, phase: f64) -> Vec<f64> {
    (0..n)
        .map(|i| (1.7 * i as f64 + phase).sin() + 0.1)
        .collect()
}

#[differentiable]
fn triangle(x: &[f64], l: &[f64], n: usize) -> f64 {
    let mut y = vec![0.0; n];
    for j in 0..n {
        let c = x[j].sin();
        let start = j * (2 * n - j - 1) / 2;
        let column = &l[start..start + n - j - 1];
        for i in 0..column.len() {
            y[j + 1 + i] += column[i] * c;
        }
    }
    let mut sum = 0.0;
    for v in &y {
        sum += v * v;
    }
    sum
}

#[test]
fn sums_in_lanes_of_every_length() {
    for n in 0..12usize {
        let l = numbers(n * n.saturating_sub(1) / 2, 0.3);
        check::<triangle, _>(&(numbers(n, 0.0), l, n));
    }
}

/// Without a trip the offset would be negative.
#[differentiable]
fn offset_without_trips(x: &[f64], c: f64, n: usize, k: usize) -> f64 {
    let mut sum = c;
    for i in 0..n {
        sum += x[(k - 1) * 2 + i] * c;
    }
    for i in 2..n {
        sum += x[i] * x[i] * c;
    }
    sum
}

#[test]
fn windows_start_where_the_trips_do() {
    for n in [0, 1, 2, 3, 6, 7] {
        check::<offset_without_trips, _>(&(numbers(9, 0.0), 0.7, n, usize::from(n > 0) * 2));
    }
}

#[differentiable]
fn neighbours(x: &[f64], c: f64) -> f64 {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        y[i] += x[i] * x[i + 1] * c;
    }
    // The last trips read what the first have written.
    for i in 0..x.len() - 2 {
        y[i + 2] += y[i] * c;
    }
    for i in (0..x.len() - 1).rev() {
        y[i] = y[i] * x[i] + c;
    }
    let mut sum = 0.0;
    for i in 1..=x.len() - 1 {
        sum += y[i] * y[i] * c;
    }
    sum
}

#[test]
fn trips_that_depend_on_each_other_keep_their_order() {
    for n in 2..11 {
        check::<neighbours, _>(&(numbers(n, 0.5), 0.9));
    }
}

#[differentiable]
fn dear(x: &[f64], c: f64, s: f64) -> f64 {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        let a = (x[i] * c).sin();
        let b = a / s;
        y[i] += b * s;
        y[i] += s * i as f64;
    }
    let mut sum = 0.0;
    for i in 0..y.len() {
        sum += y[i] * y[i];
    }
    sum
}

#[test]
fn sums_beside_dear_operations() {
    for n in [1, 3, 4, 5, 9] {
        check::<dear, _>(&(numbers(n, 0.2), 0.8, 1.3));
    }
}

#[differentiable]
fn single(x: &[f32], c: f32) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * c;
    }
    sum * c
}

#[test]
fn lanes_of_single_precision() {
    let (x, c) = single::grad(&[1.0, 2.0, 3.0, 4.0, 5.0], 2.0);
    assert_eq!(x, [4.0; 5]);
    assert_eq!(c, 60.0);
}

#[differentiable]
fn largest(x: &[f64], floor: f64) -> f64 {
    let mut m = floor;
    for i in 0..x.len() {
        m = m.max(x[i]);
    }
    m
}

#[test]
fn turns_of_an_extremum() {
    // Replaced twice, then a tie: each of the two equal ones has half.
    let (x, floor) = largest::grad(&[1.0, 3.0, 2.0, 3.0, 0.0], 0.5);
    assert_eq!((x, floor), (vec![0.0, 0.5, 0.0, 0.5, 0.0], 0.0));
    // Three equal ones: half of the half, as the trips one after the other say.
    let (x, _) = largest::grad(&[4.0, 4.0, 4.0], 0.5);
    assert_eq!(x, [0.25, 0.25, 0.5]);
    // A tie that is replaced later gets nothing.
    let (x, floor) = largest::grad(&[1.0, 1.0, 2.0], 1.0);
    assert_eq!((x, floor), (vec![0.0, 0.0, 1.0], 0.0));
    // No trip, and none that counts.
    assert_eq!(largest::grad(&[], 2.0), (vec![], 1.0));
    assert_eq!(largest::grad(&[1.0, f64::NAN], 2.0), (vec![0.0; 2], 1.0));
    // A number replaces NaN.
    assert_eq!(largest::grad(&[3.0, 1.0], f64::NAN), (vec![1.0, 0.0], 0.0));
}

#[differentiable]
fn extrema(x: &[f64], c: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        let mut low = c;
        for j in 0..i {
            low = (x[j] * c).min(low);
        }
        let mut high = low * x[i];
        for j in (i..x.len()).rev() {
            high = high.max(x[j]);
        }
        total += high * low;
    }
    total
}

#[test]
fn turns_inside_of_a_loop() {
    for n in 0..9 {
        check::<extrema, _>(&(numbers(n, 1.1), 0.6));
    }
}

#[differentiable]
fn ragged(x: &[f64], rows: usize) -> f64 {
    let mut n = 1;
    let mut sum = 0.0;
    for i in 0..rows {
        for j in 0..n {
            let e = (x[j] * sum).sin();
            sum += e * x[i];
        }
        n = (n + 2) % 5;
        for j in 0..x.len() {
            if x[j] > 0.9 {
                break;
            }
            sum += (x[j] * sum).cos();
        }
        for j in i..rows {
            for _ in 0..j {
                sum = (sum * x[j]).sin() + x[i];
            }
        }
    }
    sum
}

#[test]
fn tapes_of_loops_whose_length_changes() {
    for rows in 0..6 {
        check::<ragged, _>(&(numbers(6, 0.4), rows));
    }
}

/// The length of the inner range would divide by zero before the outer loop.
#[differentiable]
fn guarded(x: &[f64], rows: usize) -> f64 {
    let mut p = 1.0;
    for _ in 0..rows {
        for j in 0..x.len() / rows {
            p = (p * x[j]).cos();
        }
    }
    p
}

#[test]
fn inner_ranges_are_evaluated_only_when_they_run() {
    check::<guarded, _>(&(numbers(6, 0.4), 0));
    check::<guarded, _>(&(numbers(6, 0.4), 3));
}

#[differentiable]
fn unused_quotient(a: f64, b: f64) -> f64 {
    let q = a / b;
    let l = b.ln();
    if b > 0.0 { q * l } else { a }
}

#[test]
fn a_quotient_that_is_not_used_has_no_part() {
    assert_eq!(unused_quotient::grad(3.0, 0.0), (1.0, 0.0));
    check::<unused_quotient, _>(&(3.0, 2.0));
}
