//! Names of macros: a variable that a `macro_rules!` macro writes and one whose name it is given are two.

use crate::check;
use differentiable::prelude::*;

macro_rules! locals {
    ($f:ident, $x:ident, $y:ident, $last:expr) => {
        #[differentiable(higher_order)]
        fn $f($x: f64, $y: f64) -> f64 {
            let t = 2.0 * $x;
            let mut s = $y;
            s += t * $x;
            let $x = $x * t + s;
            let t = t * $x + s;
            s *= t;
            $last * t + s * $x
        }
    };
}
locals!(same_names, t, s, t * s);
locals!(one_name, s, t, s * s - t);
locals!(other_names, a, b, a * b);

#[differentiable]
fn by_hand(a: f64, b: f64) -> f64 {
    let t = 2.0 * a;
    let mut s = b;
    s += t * a;
    let a = a * t + s;
    let t = t * a + s;
    s *= t;
    a * b * t + s * a
}

#[differentiable]
fn sq(x: f64) -> f64 {
    x * x
}

macro_rules! blocks {
    ($f:ident, $v:ident, $i:ident, $l:lifetime, $g:ident, $sq:ident, $step:expr) => {
        #[differentiable]
        fn $f($v: &[f64], $sq: f64) -> f64 {
            let mut total = 0.0;
            'a: for i in 0..3 {
                $l: for $i in 0..4 {
                    let v = $v[i] * $v[$i % 3];
                    if $i == 2 {
                        continue 'a;
                    }
                    if v > 100.0 {
                        break $l;
                    }
                    total += v * $step;
                }
            }
            let g = |v: f64| v * $v[0] * $sq;
            let $g = |g: f64| g * total;
            let pair = (total, $v[1]);
            let matched = match pair {
                (total, $v) if total > $v => total * $v,
                (v, _) => v,
            };
            let mut rest = 0.0;
            if let Some(v) = $v.first() {
                rest += v * $v[2];
            }
            let $sq = sq($sq) * $sq;
            assert!($sq > -1e9, "{}", total + $sq);
            let list = vec![total, $sq, $v[1]];
            let sum: f64 = list.iter().map(|total| total * $sq).sum();
            let $v = no_grad!({ let v = $v.len() as f64; v * 2.0 });
            g(total) + $g(sq(sum)) + matched + $v * rest
        }
    };
}
blocks!(blocks_alike, v, i, 'a, g, sq, v[i] + total_of(sq));
blocks!(blocks_unlike, x, j, 'b, h, c, x[j] + total_of(c));

#[differentiable]
fn total_of(x: f64) -> f64 {
    x + x * x
}

macro_rules! methods {
    ($name:ident, $field:ident, $this:ident, $x:ident) => {
        #[derive(Clone, Differentiable)]
        struct $name {
            $field: f64,
            x: f64,
        }
        #[differentiable]
        impl $name {
            fn value(&$this, $x: f64, x: f64) -> f64 {
                let field = $this.$field * $x;
                let this = $this.x * x;
                let $name { $field, x } = $this;
                $field * x * field * this + $x
            }
            fn change(&mut $this, $x: f64) {
                let x = $x * $this.x;
                $this.x += x * $x;
            }
        }
        #[differentiable]
        impl std::ops::Mul<f64> for $name {
            type Output = $name;
            fn mul(mut $this, $x: f64) -> $name {
                let x = 2.0 * $x;
                $this.x *= x;
                let this = x * $x;
                let __self = this * x;
                $this.$field += this + __self;
                $this
            }
        }
    };
}
methods!(Named, field, self, x);

#[differentiable]
fn of_methods(a: f64, b: f64) -> f64 {
    let mut named = Named { field: a, x: b } * a;
    named.change(a);
    named.value(a, b)
}

// Each macro has variables of its own, and so has each use of one.
macro_rules! twice {
    ($f:ident, $($t:ident)*, $e:expr) => {
        twice!(@ $f, x, $($t)*, { let t = 1.5; $e * t });
    };
    (@ $f:ident, $x:ident, $($t:ident)*, $e:expr) => {
        #[differentiable]
        fn $f($($t: f64),*) -> f64 {
            let $x = 2.0;
            let t = 3.0 * $e;
            t * $x $( * $t)*
        }
    };
}
twice!(nested, t x, t * x + x);

macro_rules! texts {
    ($f:ident, $x:ident, $text:literal) => {
        #[differentiable]
        fn $f($x: f64) -> f64 {
            let x = 2.0;
            let digits = no_grad!(format!("{x} {x:>w$} {}", x, w = 5).len());
            let more = format!($text).len();
            assert!($x < 100.0, "{x}, {}", $x);
            $x * x * (digits + 10 * more) as f64
        }
    };
}
texts!(of_texts, x, "{{x}} {x:.1} {x:>7.2}");

#[test]
fn names_are_compared_with_where_they_come_from() {
    let at = (0.7, 0.4);
    check::<same_names, _>(&at);
    check::<one_name, _>(&at);
    check::<other_names, _>(&at);
    assert_eq!(same_names::grad(0.7, 0.4), other_names::grad(0.7, 0.4));
    assert_eq!(by_hand::grad(0.7, 0.4), other_names::grad(0.7, 0.4));
    let hessian = other_names::hessian(0.7, 0.4);
    assert_eq!(same_names::hessian(0.7, 0.4), hessian);
    differentiable::ad::check_hvp::<one_name, f64, _>(&at).unwrap();
    let v = vec![0.7, 0.4, 1.2];
    check::<blocks_alike, _>(&(v.clone(), 0.6));
    assert_eq!(
        blocks_alike::grad(&v, 0.6),
        blocks_unlike::grad(&v, 0.6)
    );
    assert_eq!(blocks_alike(&v, 0.6), blocks_unlike(&v, 0.6));
    check::<of_methods, _>(&at);
    check::<nested, _>(&at);
    check::<of_texts, _>(&(0.7,));
}
