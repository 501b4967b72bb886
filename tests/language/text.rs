//! `match` on text: a name that decides, behind references and in tuples.

use differentiable::ad::{check_grads, check_hvp};
use differentiable::differentiable;

fn sign(x: f64) -> &'static str {
    if x > 0.0 { "up" } else { "down" }
}

fn label(x: f64, s: &str) -> Option<&str> {
    (x > 0.2).then_some(s)
}

#[differentiable(higher_order)]
fn by_name(x: f64, s: &str) -> f64 {
    let a = match sign(x) {
        "up" => x * x,
        _ => x,
    };
    let b = match s {
        "a" => x,
        "b" | "c" => x * x,
        _ => 1.0,
    };
    let name = sign(2.0 * x);
    let c = match name {
        t if t.is_empty() => 0.0,
        "up" | "none" => x * x,
        t => x * t.len() as f64,
    };
    let d = if let "up" = sign(x) { x } else { -x };
    let e = match s.as_bytes() {
        b"a" => x,
        _ => x * x * x,
    };
    a * b + c * d + e
}

#[differentiable(higher_order)]
fn by_parts(x: f64, s: &str) -> f64 {
    let a = match (sign(x), s) {
        ("up", "a") => x,
        _ => x * 2.0,
    };
    let b = match (sign(x), x > 0.2, x) {
        ("up", true, y) => y * y,
        ("up", _, y) if y > 3.0 => y,
        (_, _, y) => -y,
    };
    let c = match label(x, s) {
        Some("up") | Some("a") => x,
        Some(_) => x * 3.0,
        None => 0.5,
    };
    let d = match label(x, s) {
        Some(t @ ("up" | "x")) if t.len() > 1 => x,
        Some(other) if other == "b" => x * x,
        _ => -x * x,
    };
    a * b * c + d
}

#[test]
fn matched_by_value() {
    for x in [0.3, 0.1, -0.7] {
        for s in ["a", "b", "up"] {
            let args = (x, s.to_string());
            check_grads::<by_name, _>(&args).unwrap();
            check_hvp::<by_name, f64, _>(&args).unwrap();
            check_grads::<by_parts, _>(&args).unwrap();
            check_hvp::<by_parts, f64, _>(&args).unwrap();
        }
    }
    // (x·x)·x + x²·x + x and its derivative
    assert_eq!(by_name(0.5, "a"), 0.125 + 0.125 + 0.5);
    assert_eq!(by_name::grad(0.5, "a"), 6.0 * 0.25 + 1.0);
}
