//! Local closures.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn captured(x: f64, y: f64) -> f64 {
    let f = |v: f64| v * y + v.sin();
    f(x) * f(2.0) + f(y)
}

#[differentiable]
fn not_capturing(x: f64) -> f64 {
    let square = |v: f64| v * v;
    let weighted = |v: f64, w: f64| {
        let s = square(v);
        if s > 1.0 { s * w } else { s + w }
    };
    weighted(x, 3.0) + weighted(0.5, square(x))
}

#[differentiable]
fn shadowed(x: f64) -> f64 {
    let scale = x * 2.0;
    let f = |v: f64| v * scale;
    let scale = 100.0;
    f(x) + scale
}

#[differentiable]
fn changing(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut add = |v: f64| total += v * v;
    add(x[0]);
    for i in 0..x.len() {
        add(x[i]);
    }
    total
}

#[differentiable]
fn in_a_chain(x: &[f64], center: f64) -> f64 {
    let distance = |v: f64| (v - center).powi(2);
    let sum: f64 = x.iter().map(|v| distance(*v)).sum();
    sum + x.iter().copied().map(distance).sum::<f64>()
}

#[differentiable]
fn moved(x: f64) -> f64 {
    let k = x.exp();
    let f = move |i: usize| k / (i as f64 + 1.0);
    f(0) + f(3)
}

#[differentiable]
fn on_pairs(x: f64, y: f64) -> f64 {
    let swap = |(a, b): (f64, f64)| (b, a * a);
    let (p, q) = swap((x, y));
    p * q
}

#[test]
fn closures() {
    check::<captured, _>(&(0.7, 1.3));
    check::<not_capturing, _>(&(0.7,));
    check::<not_capturing, _>(&(1.7,));
    check::<shadowed, _>(&(0.7,));
    check::<changing, _>(&(vec![0.7, 2.0],));
    check::<in_a_chain, _>(&(vec![0.7, 2.0, 0.1], 0.4));
    check::<moved, _>(&(0.7,));
    check::<on_pairs, _>(&(0.7, 1.3));
}

#[differentiable]
fn in_lists(a: f64, x: &[f64]) -> f64 {
    let g = |u: f64| u.sin();
    let v: Vec<f64> = vec![g(a), 0.5 * x.iter().map(|u| u * a).sum::<f64>()];
    let w = vec![g(a); 3];
    v[0] * v[1] + w[2]
}

#[differentiable]
fn a_jump_in_an_inactive_block(a: f64) -> f64 {
    let s = {
        for _ in 0..3 {
            let _t = if a > 0.5 { continue } else { a.sin() };
        }
        2.0
    };
    let r = [s; 3];
    let mut t = a;
    for u in r.iter() {
        t += a.sin() * u;
    }
    t * s
}

#[test]
fn closures_in_lists_and_jumps_in_blocks() {
    check::<in_lists, _>(&(0.4, vec![0.3, 0.5]));
    check::<a_jump_in_an_inactive_block, _>(&(0.4,));
}

mod returns {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let g = |y: f64| {
            if y > 1.0 {
                return y;
            }
            y * x
        };
        g(x)
    }
    #[test]
    fn a_closure_with_return() {
        check::<f, _>(&(1.3,));
    }
}

mod jumps {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let mut n = 0.0;
        let g = |y: f64, _k: usize| -> f64 {
            for v in w {
                if *v > y {
                    return v * y;
                }
            }
            if y > 1.0 {
                return y;
            }
            let mut z = y;
            loop {
                z = z * x;
                if z > 3.0 {
                    break;
                }
            }
            z * x
        };
        let mut h = |y: f64| {
            if y < 0.5 {
                return;
            }
            n += y * x;
        };
        h(x);
        h(0.1 * x);
        h(x * x);
        g(x, 1) * g(x * 0.9, 2) + n
    }
    #[test]
    fn jumps_inside_closures() {
        check::<f, _>(&(1.3, vec![0.2]));
        check::<f, _>(&(1.3, vec![0.2, 1.25, 4.0]));
    }
}

mod loops {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let g = |y: f64| loop {
            if y > 1.0 {
                break y;
            }
            break y * x;
        };
        g(x) * g(x * 0.1)
    }
    #[test]
    fn a_loop_as_the_value() {
        check::<f, _>(&(1.3,));
    }
}

mod broken {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let z = 'a: loop {
            if x > 1.0 {
                break 'a x;
            }
            for _ in 0..3 {
                if x > 0.5 {
                    break 'a x * x;
                }
            }
            break x * 3.0;
        };
        z * x
    }
    #[test]
    fn values_of_breaks() {
        check::<f, _>(&(1.3,));
        check::<f, _>(&(0.7,));
        check::<f, _>(&(0.1,));
    }
}
