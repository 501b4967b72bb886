//! Branches of many sides, whose record is one enum: of 5 and 16, of 17 and 40 in two steps; chains of `else if`.

use crate::check;
use differentiable::prelude::*;

/// The function `$name` with a side for each number, and one more.
macro_rules! sides {
    ($name:ident: $($n:literal)*) => {
        #[differentiable(higher_order)]
        fn $name(programs: &[usize], x: f64, y: f64) -> f64 {
            let mut s = x;
            for &k in programs {
                s = match k {
                    $($n if y > $n as f64 - 100.0 => s * (x * 0.1).sin() + $n as f64 * y,)*
                    // Keeps nothing.
                    0 => s + y,
                    _ => s * y,
                };
            }
            s
        }
    };
}
sides!(four: 1 2);
sides!(sixteen: 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
sides!(seventeen: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
sides!(forty: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38);

#[test]
fn matches_of_many_arms() {
    let all: Vec<usize> = (0..41).collect();
    check::<four, _>(&(vec![2, 0, 1, 7], 0.3, 0.7));
    check::<sixteen, _>(&(all[..17].to_vec(), 0.3, 0.7));
    check::<seventeen, _>(&(all[..18].to_vec(), 0.3, 0.7));
    check::<forty, _>(&(all.clone(), 0.3, 0.7));
    let few = [1, 17, 0, 33, 38, 40];
    let along = forty::hvp(&few, (0.3, 1.0), (0.7, 0.5));
    agree(along, |h| forty::grad(&few, 0.3 + h, 0.7 + 0.5 * h));
}

/// The derivative of a gradient along a line, and its difference.
#[track_caller]
fn agree((x, y): (f64, f64), gradient: impl Fn(f64) -> (f64, f64)) {
    let h = 1e-6;
    let (plus, minus) = (gradient(h), gradient(-h));
    for (found, change) in [(x, plus.0 - minus.0), (y, plus.1 - minus.1)] {
        let difference = change / (2.0 * h);
        let near = (found - difference).abs() < 1e-6 * (1.0 + difference.abs());
        assert!(near, "{found}, difference {difference}");
    }
}

/// Ten conditions, of which some look at what others have changed.
#[differentiable(higher_order)]
fn ladder(x: f64, y: f64) -> f64 {
    let mut s = 1.0;
    let mut k = 0;
    while k < 12 {
        let z = x * k as f64;
        let step = if z < 0.5 {
            y
        } else if z < 1.0 {
            s = s * y;
            z * z
        } else if z < 1.5 {
            x.exp()
        } else {
            if z < 2.0 {
                s.sin() * z
            } else if s > 1e6 {
                return s;
            } else if z < 2.5 {
                s = s + x;
                1.0
            } else {
                let t = s * x;
                t + y
            }
        };
        s = s + step * 0.1;
        k += 1;
    }
    s
}

/// Jumps: the rest of the function is the other side of each.
#[differentiable]
fn first(x: f64, y: f64) -> f64 {
    if x < 0.1 {
        return x * y;
    }
    if x < 0.2 {
        return x / y;
    }
    if x < 0.3 {
        return x.sin() * y;
    }
    if x < 0.4 {
        return x.cos() + y;
    }
    if x < 0.5 {
        return x.exp() - y;
    }
    y
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Term {
    Zero,
    One(f64),
    Two(f64, f64),
    Three { a: f64, b: f64, c: f64 },
    Many(Vec<f64>),
    Again(Box<Term>),
}

#[differentiable]
fn terms(all: &[Term], x: f64) -> f64 {
    let mut sum = 0.0;
    for t in all {
        sum += match t {
            Term::Zero => x,
            Term::One(a) if *a > 2.0 => a * a,
            Term::One(a) => a * x,
            Term::Two(a, b) => match (*a > 0.0, *b > 0.0) {
                (true, true) => a * b,
                (true, false) => a - b,
                (false, true) => a.sin() * b,
                (false, false) => a * b * x,
            },
            Term::Three { a, b, c } => a * b + c * x,
            Term::Many(v) => v.iter().sum::<f64>() * x,
            Term::Again(t) => match &**t {
                Term::One(a) => a.exp(),
                _ => x.sin(),
            },
        };
    }
    sum
}

#[test]
fn chains_of_conditions() {
    for x in [0.043, 0.153, 0.173, 0.263, 0.363, 0.463, 0.61] {
        check::<ladder, _>(&(x, 0.7));
        check::<first, _>(&(x, 0.7));
    }
    let along = ladder::hvp((0.31, 1.0), (0.7, 0.5));
    agree(along, |h| ladder::grad(0.31 + h, 0.7 + 0.5 * h));
}

#[test]
fn arms_with_data_nested() {
    let all = vec![
        Term::Zero,
        Term::One(2.5),
        Term::One(0.4),
        Term::Two(1.0, 2.0),
        Term::Two(1.0, -2.0),
        Term::Two(-1.0, 2.0),
        Term::Two(-1.0, -2.0),
        Term::Three {
            a: 1.0,
            b: 0.3,
            c: 0.2,
        },
        Term::Many(vec![0.1, 0.2]),
        Term::Again(Box::new(Term::One(0.7))),
        Term::Again(Box::new(Term::Zero)),
    ];
    check::<terms, _>(&(all, 0.7));
}
