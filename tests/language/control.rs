//! Each form of control flow by itself.

use crate::{check, check_outputs};
use differentiable::prelude::*;

#[differentiable]
fn literals(x: f64, k: i32, c: char, s: &str) -> f64 {
    let a = match k {
        0 => x,
        1 | 2 => x * x,
        3..=5 => x.sin(),
        n if n < 0 => x * n as f64,
        n @ 6..=9 => x / n as f64,
        _ => 0.0,
    };
    let b = match c {
        'a'..='f' => x * 2.0,
        _ => x,
    };
    let d = match s {
        "cube" => x * x * x,
        _ => 1.0,
    };
    a * b + d
}

#[test]
fn match_on_literals_ranges_and_bindings() {
    for k in [0, 1, 2, 4, -3, 7, 100] {
        let (_, pullback) = literals::vjp(1.3, k, 'b', "cube");
        let slope = pullback(1.0);
        let at = |h: f64| literals(1.3 + h, k, 'b', "cube");
        assert!((slope - (at(1e-5) - at(-1e-5)) / 2e-5).abs() < 1e-8, "{k}");
        let (_, forward) = literals::jvp((1.3, 1.0), k, 'b', "cube");
        assert!((forward - slope).abs() < 1e-13, "{k}");
    }
}

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Circle { r: f64 },
    Box(f64, f64),
    Scaled(f64, Option<(f64, f64)>),
    Empty,
}

#[differentiable]
fn nested(shapes: &[Shape], w: (f64, f64)) -> f64 {
    let mut s = 0.0;
    for shape in shapes {
        s += match (shape, w.0 > 0.0) {
            (Shape::Circle { r }, true) => r * r * w.0,
            (Shape::Circle { r }, false) => r * w.1,
            (Shape::Box(a, b), _) => a * b * w.1,
            (Shape::Scaled(k, Some((a, _))), _) if *k > 1.0 => k * a,
            (Shape::Scaled(k, Some((a, b))), _) => k * a * b,
            (Shape::Scaled(k, None), _) => k * w.0,
            (Shape::Empty, _) => w.0 * w.1,
        };
    }
    s
}

#[test]
fn match_on_nested_patterns() {
    let shapes = vec![
        Shape::Circle { r: 0.7 },
        Shape::Box(0.4, 1.2),
        Shape::Scaled(1.5, Some((0.3, 0.2))),
        Shape::Scaled(0.5, Some((0.3, 0.2))),
        Shape::Scaled(0.5, None),
        Shape::Empty,
    ];
    check::<nested, _>(&(shapes.clone(), (0.3, 0.9)));
    check::<nested, _>(&(shapes, (-0.3, 0.9)));
}

#[differentiable]
fn returns(x: &[f64], limit: f64) -> f64 {
    if x.is_empty() {
        return limit * limit;
    }
    let mut i = 0;
    let s = loop {
        if i == x.len() {
            break limit * 3.0;
        }
        let y = {
            let y = x[i] * x[i];
            if y > limit {
                return y * limit;
            }
            y
        };
        match i {
            2 if y > 0.5 => return y,
            3 => break y * y,
            _ => {}
        }
        i += 1;
    };
    s + x[0]
}

#[test]
fn return_from_anywhere() {
    for x in [
        vec![],
        vec![0.1, 3.0],
        vec![0.1, 0.2],
        vec![0.1, 0.2, 0.9],
        vec![0.1, 0.2, 0.3, 0.4, 9.0],
    ] {
        check::<returns, _>(&(x, 1.5));
    }
}

#[differentiable]
fn labelled(x: f64, n: usize) -> f64 {
    let mut y = x;
    'outer: for i in 0..n {
        let mut j = 0;
        while j < n {
            j += 1;
            if (i + j) % 5 == 3 {
                continue 'outer;
            }
            y += 0.1 * y * x;
            if y > 20.0 {
                break 'outer;
            }
        }
        y *= 0.9;
    }
    let z = 'found: {
        if y > 5.0 {
            break 'found y * y;
        }
        y + x
    };
    let w = 'rows: loop {
        loop {
            y *= 1.5;
            if y > 7.0 {
                break 'rows y * x;
            }
        }
    };
    z * w
}

#[test]
fn labelled_break_and_continue() {
    check::<labelled, _>(&(0.7, 4));
    check::<labelled, _>(&(1.7, 7));
    check::<labelled, _>(&(1.7, 0));
}

#[differentiable]
fn drained(x: &[f64]) -> f64 {
    let mut stack = x.to_vec();
    let mut s = 1.0;
    while let Some(v) = stack.pop() {
        s = s * v + v;
        if s > 3.0 {
            stack.push(s * 0.1);
            s -= 2.5;
        }
    }
    let mut o = Some(x[0]);
    while let Some(v) = o {
        o = if v < 5.0 { Some(v * 2.0 + s) } else { None };
        s += v;
    }
    s
}

#[test]
fn while_let() {
    check::<drained, _>(&(vec![0.5, 2.0, 1.2],));
}

#[differentiable]
fn lookup(x: &[f64], k: usize) -> Option<f64> {
    let v = x.get(k)?;
    let Some(w) = x.first() else {
        return Some(k as f64);
    };
    let r = safe_root(v * w).ok()?;
    if let Some(z) = x.get(k + 1) {
        return Some(r * z);
    }
    Some(r)
}

#[differentiable]
fn safe_root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err("negative".to_string());
    }
    Ok(x.sqrt())
}

#[differentiable]
fn both(x: f64, y: f64) -> Result<f64, String> {
    let a = safe_root(x)?;
    let b = safe_root(y)?;
    Ok(a * b)
}

#[test]
fn question_mark_if_let_and_let_else() {
    check_outputs::<lookup, _>(&(vec![0.5, 2.0, 1.2], 1));
    check_outputs::<lookup, _>(&(vec![0.5, 2.0], 1));
    // `None` has nothing to compare, which `check_grads` says.
    let x = vec![0.5, 2.0];
    assert_eq!(lookup(&x, 7), None);
    assert_eq!(lookup::vjp(&x, 7).1(None), vec![0.0, 0.0]);
    let checked = differentiable::ad::check_grads::<lookup, _>(&(x, 7));
    let nothing = differentiable::ad::GradientMismatch::NothingToCompare;
    assert_eq!(checked, Err(nothing));
    check_outputs::<both, _>(&(2.0, 3.0));
    let (value, pullback) = both::vjp(2.0, -3.0);
    assert!(value.is_err());
    assert_eq!(pullback(None), (0.0, 0.0));
}

#[differentiable]
fn slope(x: f64) -> f64 {
    x * x
}

#[allow(unused_must_use, clippy::unnecessary_operation)]
#[differentiable]
fn discards(x: f64, k: u8) -> f64 {
    let v = vec![x, x * x];
    match k {
        0 => slope(x),
        _ => 3.0,
    };
    if k == 1 {
        v.first().copied()
    } else {
        None
    };
    v.iter().sum::<f64>() * x
}

#[test]
fn values_that_are_not_used() {
    check::<discards, _>(&(0.7, 0));
    check::<discards, _>(&(0.7, 1));
}

#[derive(Clone, Debug, Differentiable)]
enum Step {
    Add(f64),
    Scale,
    Jump(usize),
}

#[differentiable]
fn run(program: &[Step], x: f64) -> f64 {
    let (mut at, mut left, mut s) = (0, 9, x);
    while at < program.len() && left > 0 {
        left -= 1;
        at += 1;
        match &program[at - 1] {
            Step::Add(v) => s += v,
            Step::Scale => s *= x,
            Step::Jump(to) => at = *to,
        }
    }
    s
}

#[test]
fn an_integer_of_an_enum_is_where_to_go_on() {
    let program = vec![
        Step::Add(0.4),
        Step::Jump(3),
        Step::Add(9.0),
        Step::Scale,
        Step::Jump(0),
    ];
    check::<run, _>(&(program, 0.7));
}
