//! `Option` and `Result`: built, taken apart, unwrapped, and left early with `?`.

use crate::{check, check_outputs};
use differentiable::prelude::*;

#[differentiable]
fn safe_sqrt(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

#[differentiable]
fn hypotenuse(a: f64, b: f64) -> Option<f64> {
    let s = safe_sqrt(a)?;
    let t = safe_sqrt(b)? * 2.0 + safe_sqrt(a + b)?;
    Some(s * t)
}

#[differentiable]
fn or_default(a: f64, b: f64) -> f64 {
    match hypotenuse(a, b) {
        Some(v) => v,
        None => a * b,
    }
}

#[test]
fn the_question_mark_on_options() {
    check::<or_default, _>(&(1.2, 0.7));
    check::<or_default, _>(&(-1.2, 0.7));
    check::<or_default, _>(&(1.2, -0.7));
    let (value, pullback) = hypotenuse::vjp(4.0, 9.0);
    assert!(value.is_some());
    let (da, _) = pullback(Some(1.0));
    let expected = 0.25 * (6.0 + 13f64.sqrt()) + 2.0 * 0.5 / 13f64.sqrt();
    assert!((da - expected).abs() < 1e-12);
}

#[derive(Debug, PartialEq)]
enum Problem {
    Negative { at: usize },
    Other(String),
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Problem::Other(message)
    }
}

#[differentiable]
fn checked_log(x: f64) -> Result<f64, String> {
    if x <= 0.5 {
        return Err(format!("the logarithm of {}", x));
    }
    Ok(x.ln())
}

#[differentiable]
fn log_sum(xs: &[f64]) -> Result<f64, Problem> {
    let mut total = 0.0;
    for (i, x) in xs.iter().enumerate() {
        if *x < 0.0 {
            return Err(Problem::Negative { at: i });
        }
        total += checked_log(*x)? * x;
    }
    Ok(total)
}

#[differentiable]
fn log_sum_or(xs: &[f64], other: f64) -> f64 {
    match log_sum(xs) {
        Ok(v) => v * v,
        Err(Problem::Negative { at }) => other * at as f64,
        Err(_) => other,
    }
}

#[test]
fn the_question_mark_on_results() {
    check::<log_sum_or, _>(&(vec![1.2, 0.7, 2.0], 0.3));
    check::<log_sum_or, _>(&(vec![1.2, -0.7, 2.0], 0.3));
    check::<log_sum_or, _>(&(vec![1.2, 0.7, 0.4], 0.3));
    let (value, pullback) = log_sum::vjp(&[1.0, -1.0]);
    assert_eq!(value, Err(Problem::Negative { at: 1 }));
    assert_eq!(pullback(None), [0.0, 0.0]);
}

#[differentiable]
fn unwrapped(a: Option<f64>, b: f64) -> f64 {
    let x = safe_sqrt(b).unwrap();
    let y = safe_sqrt(b + 1.0).expect("positive");
    let z = a.unwrap_or(b * b);
    if a.is_some() { x * y * z } else { x + y + z }
}

#[test]
fn unwrap_expect_unwrap_or() {
    check::<unwrapped, _>(&(Some(0.7), 1.3));
    check::<unwrapped, _>(&(None, 1.3));
}

#[differentiable]
fn best(xs: &[f64]) -> f64 {
    let mut best: Option<f64> = None;
    for x in xs {
        let y = x.sin() * x;
        best = match best {
            Some(b) if b > y => Some(b),
            _ => Some(y),
        };
    }
    match best {
        Some(b) => b * b,
        None => 0.0,
    }
}

#[test]
fn an_option_changes_in_a_loop() {
    check::<best, _>(&(vec![0.5, 2.0, 1.0, 3.0],));
    check::<best, _>(&(vec![],));
}

#[differentiable]
fn neighbours(xs: &[f64], i: usize) -> f64 {
    let left = if let Some(v) = xs.get(i.wrapping_sub(1)) {
        *v
    } else {
        0.0
    };
    let right = match xs.get(i + 1) {
        Some(v) => v * v,
        None => 1.0,
    };
    let last = xs.last().unwrap();
    let first = xs.first().copied().unwrap_or(2.0);
    left + right * last - first
}

#[test]
fn get_first_last() {
    for i in 0..3 {
        check::<neighbours, _>(&(vec![0.5, 2.0, 1.0], i));
    }
}

#[differentiable]
fn drained(xs: &[f64]) -> f64 {
    let mut stack = xs.to_vec();
    let mut s = 1.0;
    while let Some(x) = stack.pop() {
        s = s * 0.5 + x * x;
        if x > 2.0 {
            stack.push(x * 0.5);
        }
    }
    s
}

#[test]
fn while_let_pop() {
    check::<drained, _>(&(vec![0.5, 3.0, 1.0],));
    check::<drained, _>(&(vec![],));
}

#[differentiable]
fn chosen(x: f64, k: f64) -> f64 {
    let a = (x > 0.5).then_some(x * k);
    let b = (x > k).then(|| x - k);
    a.unwrap_or(1.0) + b.unwrap_or(k)
}

#[test]
fn conditions_that_give_values() {
    check::<chosen, _>(&(0.7, 0.3));
    check::<chosen, _>(&(0.3, 0.7));
}

#[differentiable]
fn paired(x: &[f64], i: usize) -> f64 {
    let ends = x.first().zip(x.last()).map(|(a, b)| a * b).unwrap_or(0.5);
    let or_first = x.get(i).copied().or(x.first().copied()).unwrap_or(2.0);
    let (b, c) = (x.get(i).copied(), x.last().cloned());
    let chosen = match (b, c) {
        (Some(p), Some(q)) => p * q,
        (None, Some(q)) => q * q,
        _ => 1.0,
    };
    ends + or_first * or_first * chosen
}

#[test]
fn items_as_values() {
    for i in 0..4 {
        check::<paired, _>(&(vec![0.7, 2.0], i));
    }
    check::<paired, _>(&(vec![], 0));
}

#[differentiable]
fn entry(x: &[f64], i: usize) -> Option<f64> {
    x.get(i).copied()
}

// `?` in an arm without braces, of an option turned into a result, and inside `Ok(match …)`.
#[differentiable]
fn early(x: &[f64], k: usize) -> Result<f64, String> {
    let v = x.get(k).ok_or("no entry".to_string())?;
    let w = x.first().ok_or_else(|| format!("no entry before {k}"))? * 2.0;
    let u = match k {
        0 => entry(x, 0).ok_or("empty")? + entry(x, 1).ok_or("short")?,
        _ => 1.0,
    };
    Ok(match k {
        1 => x.get(2).ok_or("shorter than three")?.sin() * u,
        _ => v * w * u,
    })
}

#[test]
fn question_marks_inside_values() {
    check_outputs::<early, _>(&(vec![0.3, 0.7, 1.1], 0));
    check_outputs::<early, _>(&(vec![0.3, 0.7, 1.1], 1));
    check_outputs::<early, _>(&(vec![0.3, 0.7, 1.1], 2));
    assert_eq!(early(&[0.3], 0), Err("short".to_string()));
    assert_eq!(early(&[0.3, 0.7], 1), Err("shorter than three".to_string()));
    assert_eq!(early(&[], 0), Err("no entry".to_string()));
}
