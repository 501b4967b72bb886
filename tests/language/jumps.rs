//! `while`, `loop`, `break`, `continue`, labels and early `return`.

use crate::check;
use differentiable::prelude::*;

/// A square root by Newton's method.
#[differentiable]
fn newton(a: f64) -> f64 {
    let mut x = a;
    while (x * x - a).abs() > 1e-14 * a {
        x = 0.5 * (x + a / x);
    }
    x
}

#[test]
fn while_until_it_converges() {
    check::<newton, _>(&(2.0,));
    assert!((newton::grad(9.0) - 1.0 / 6.0).abs() < 1e-12);
}

#[differentiable]
fn halved(x: f64, limit: usize) -> f64 {
    let mut y = x;
    let mut steps = 0;
    while steps < limit {
        y = 0.5 * y * y;
        steps += 1;
    }
    y
}

#[test]
fn while_with_a_counter() {
    check::<halved, _>(&(1.3, 3));
    assert_eq!(halved::grad(1.3, 0), 1.0);
}

#[differentiable]
fn until_large(x: f64) -> f64 {
    let mut y = x;
    loop {
        y = y * y + 1.0;
        if y > 20.0 {
            break;
        }
        y *= 0.9;
    }
    y.ln()
}

#[test]
fn loop_with_break() {
    check::<until_large, _>(&(1.1,));
    check::<until_large, _>(&(6.0,));
}

#[differentiable]
fn break_value(x: f64) -> f64 {
    let mut k = 0;
    let mut y = x;
    let found = loop {
        y = y.sin() + 1.0;
        k += 1;
        if k == 3 {
            break y * x;
        }
        if y > 1.99 {
            break y;
        }
    };
    found * 2.0
}

#[test]
fn loop_with_a_value() {
    check::<break_value, _>(&(0.3,));
    check::<break_value, _>(&(1.5,));
}

#[differentiable]
fn first_above(x: &[f64], limit: f64) -> f64 {
    for i in 0..x.len() {
        if x[i] > limit {
            return x[i] * x[i];
        }
    }
    0.0
}

#[test]
fn return_inside_a_loop() {
    check::<first_above, _>(&(vec![0.1, 0.7, 0.9], 0.5));
    assert_eq!(
        first_above::grad(&[0.1, 0.7, 0.9], 0.5),
        (vec![0.0, 1.4, 0.0], 0.0)
    );
    assert_eq!(first_above::grad(&[0.1], 0.5), (vec![0.0], 0.0));
}

#[differentiable]
fn guarded(x: f64, y: f64) -> f64 {
    if x < 0.0 {
        return x * y;
    }
    let z = x.sqrt();
    if y < 0.0 {
        return z;
    } else if y == 0.0 {
        return 2.0 * z;
    }
    z * y.ln()
}

#[test]
fn early_return() {
    for (x, y) in [(-1.0, 3.0), (2.0, -1.0), (2.0, 3.0)] {
        check::<guarded, _>(&(x, y));
    }
    assert_eq!(guarded::grad(4.0, 0.0), (0.5, 0.0));
}

#[differentiable]
fn skips(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if x[i] < 0.0 {
            continue;
        }
        if i == 4 {
            break;
        }
        let scaled = x[i] * (i as f64);
        if scaled > 2.0 {
            sum += scaled.ln();
            continue;
        }
        sum += scaled * scaled;
    }
    sum
}

#[test]
fn continue_and_break_in_for() {
    check::<skips, _>(&(vec![1.0, -2.0, 0.5, 3.0, 7.0, 8.0],));
    check::<skips, _>(&(vec![],));
}

#[differentiable]
fn labelled(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    'rows: for i in 0..n {
        for j in 0..n {
            let v = x[i * n + j];
            if v > 10.0 {
                break 'rows;
            }
            if v < 0.0 {
                continue 'rows;
            }
            sum += v * v * (j as f64 + 1.0);
        }
        sum *= 1.5;
    }
    sum
}

#[test]
fn labels() {
    check::<labelled, _>(&(vec![1.0, 2.0, 3.0, 4.0, -1.0, 2.0, 0.5, 0.25, 2.0], 3));
    check::<labelled, _>(&(vec![1.0, 2.0, 3.0, 4.0, 11.0, 2.0, 0.5, 0.25, 2.0], 3));
}

#[differentiable]
fn labelled_block(x: f64) -> f64 {
    let y = 'found: {
        if x > 1.0 {
            break 'found x * x;
        }
        x.exp()
    };
    y + x
}

#[test]
fn block_with_a_label() {
    check::<labelled_block, _>(&(2.0,));
    check::<labelled_block, _>(&(0.5,));
}

#[differentiable]
fn chosen(x: f64, kind: u8) -> f64 {
    let y = match kind {
        0 => x,
        1 | 2 => x * x,
        k if k > 10 => x * (k as f64),
        3..=5 => {
            let z = x.sin();
            z * z
        }
        _ => return 7.0 * x,
    };
    y + 1.0
}

#[test]
fn match_on_integers() {
    for kind in [0, 1, 2, 4, 7, 12] {
        check::<chosen, _>(&(1.3, kind));
    }
}

#[differentiable]
fn let_with_jump(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let w = if x[i] > 5.0 { break } else { x[i].exp() };
        s += w * x[i];
    }
    s
}

#[test]
fn a_jump_in_a_value() {
    check::<let_with_jump, _>(&(vec![1.0, 0.5, 6.0, 2.0],));
}

#[differentiable]
fn nested_while(x: f64) -> f64 {
    let mut total = 0.0;
    let mut outer = 0;
    while outer < 3 {
        let mut y = x + outer as f64;
        while y > 1.0 {
            y *= 0.6;
            total += y * y;
        }
        outer += 1;
    }
    total
}

#[test]
fn while_inside_while() {
    check::<nested_while, _>(&(2.3,));
    check::<nested_while, _>(&(-5.0,));
}

#[differentiable]
fn search(x: f64, table: &[f64]) -> f64 {
    // The search itself has no derivative: kept as written.
    let mut at = 0;
    for i in 0..table.len() {
        if i > 1 {
            at = i;
            break;
        }
    }
    x * table[at]
}

#[test]
fn jumps_of_inactive_loops() {
    check::<search, _>(&(2.0, vec![1.0, 2.0, 3.0]));
}
