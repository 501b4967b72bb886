//! Tapes with room for all trips: the room is what the loop needs, however its range is written, and what a trip does beside
//! numbers stays allowed.

use crate::check;
use differentiable::prelude::*;

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.8 + 0.3 * (1.7 * i as f64).sin()).collect()
}

#[differentiable]
fn triangle(x: &[f64]) -> f64 {
    let mut v = 1.0;
    for i in 0..x.len() {
        for j in i..x.len() {
            v = 0.5 * (v * x[j]).sin() + x[i];
        }
        for j in 0..=i {
            v = (v * x[j]).cos();
        }
    }
    v
}

#[differentiable]
fn steps(x: &[f64]) -> f64 {
    let mut v = 1.0;
    for k in -2_i32..3 {
        for i in (0..x.len()).step_by(3) {
            v = (v * x[i] + 0.1 * k as f64).sin();
        }
        for i in (1..x.len()).rev() {
            v = (v * x[i - 1]).cos() * x[i];
        }
        for i in (0..x.len()).rev().step_by(2) {
            v += (v * x[i]).sin();
        }
    }
    v
}

#[differentiable]
fn kept_range(x: &[f64]) -> f64 {
    let all = 0..x.len();
    let some: Vec<usize> = (0..x.len()).filter(|i| i % 3 != 1).collect();
    let mut v = 1.0;
    for _ in 0..2 {
        for i in all.clone() {
            v = (v * x[i]).sin() + 0.3;
        }
        for i in some.iter() {
            v = (v * x[*i]).cos();
        }
        for i in some.iter().copied().skip_while(|i| *i < 2) {
            v = (v * x[i]).cos() + 0.2;
        }
    }
    v
}

#[differentiable]
fn longer_and_longer(x: &[f64]) -> f64 {
    let mut list = vec![0.4];
    let mut v = 1.0;
    for i in 0..x.len() {
        for j in 0..list.len() {
            v = (v * list[j]).sin() + x[i];
        }
        list.push(v * x[i]);
        let more = &mut list;
        more.push(v);
    }
    v
}

#[differentiable]
fn ends_early(x: &[f64]) -> f64 {
    let mut v = 1.0;
    for i in 0..x.len() {
        for j in 0..x.len() {
            v = (v * x[j]).sin() + 0.4;
            if v > 0.9 {
                break;
            }
        }
        if i % 2 == 0 {
            continue;
        }
        for j in 0..i {
            v *= (v * x[j]).cos();
        }
    }
    v
}

#[differentiable]
fn indices_beside(x: &[f64]) -> f64 {
    let mut last = 0;
    let mut count = 0;
    let mut total = 0.0;
    for i in 0..x.len() {
        last = (i * 7) % x.len();
        count += i % 2;
        let a = x[i] * x[last];
        total += a * a * a;
    }
    total * (count + last) as f64
}

#[differentiable]
fn words_beside(x: &[f64]) -> f64 {
    let mut word = String::from("a");
    let mut said = Vec::new();
    let mut total = 0.0;
    for i in 0..x.len() {
        said.push(word);
        word = String::from("b");
        let a = x[i] * x[i];
        total += a * a.sin();
    }
    total + said.len() as f64 + word.len() as f64
}

#[differentiable]
fn checked_steps(x: &[f64]) -> f64 {
    let mut v = x[0];
    #[checkpoint]
    for i in 0..x.len() {
        for j in 0..3 {
            v = (v * x[i] + 0.1 * j as f64).sin();
        }
        for j in i..x.len() {
            v += 0.1 * (v * x[j]).cos();
        }
    }
    v
}

/// Loops whose trips nobody knows, longer than the first room of a tape, with others inside, and with nothing to keep.
#[differentiable]
fn as_long_as(x: &[f64], limit: usize) -> f64 {
    let (mut v, mut n) = (x[0], 0);
    while n < limit {
        v = (v * x[n % x.len()]).sin() + 0.4;
        let mut m = 0;
        while m < n % 5 {
            v += 0.01 * x[m];
            m += 1;
        }
        for i in 0..x.len() {
            v = (v + x[i]).cos();
            if i > n % 4 || v > 0.9 {
                break;
            }
        }
        n += 1;
    }
    loop {
        v *= 0.9;
        n -= n.min(1);
        if n == 0 || v.abs() < 1e-3 {
            return v;
        }
    }
}

#[test]
fn loops_that_end_when_they_like() {
    let x = numbers(5);
    for limit in [0, 1, 3, 4, 5, 16, 17, 100, 700] {
        check::<as_long_as, _>(&(x.clone(), limit));
    }
}

#[test]
fn ranges_of_all_kinds() {
    for n in [1, 2, 3, 5, 8] {
        let x = (numbers(n),);
        check::<triangle, _>(&x);
        check::<steps, _>(&x);
        check::<longer_and_longer, _>(&x);
        check::<ends_early, _>(&x);
        check::<checked_steps, _>(&x);
    }
    check::<kept_range, _>(&(numbers(7),));
}

#[test]
fn no_trips() {
    let (value, gradient) = triangle::value_and_grad(&[]);
    assert_eq!((value, gradient), (1.0, Vec::new()));
}

#[test]
fn what_else_a_trip_does() {
    check::<indices_beside, _>(&(numbers(9),));
    check::<words_beside, _>(&(numbers(9),));
}
