//! What a `macro_rules!` macro passes on as an expression, a type, a pattern or a statement keeps its grouping, in the
//! function and in its derivative.

#![allow(
    unreachable_patterns,
    reason = "patterns are passed on that take everything"
)]

use crate::check;
use differentiable::prelude::*;

macro_rules! expressions {
    ($f:ident, $x:ident, $y:ident, $e:expr, $k:expr, $t:ty, $p:pat, $b:block, $s:stmt, $l:literal, $path:path) => {
        #[differentiable(higher_order)]
        fn $f($x: $t, $y: $t) -> $t {
            $s;
            let mut v = vec![$e * 2.0, -$e, $k - $e];
            let list: [$t; 3] = [$e, $e / $e, 1.0 - $k * $x];
            v[0] += $e * $k;
            v[1] *= $e;
            let n: usize = match ($k as usize) % 4 {
                $p => 1,
                _ => 2,
            };
            let a = $b;
            let square = |v: $t| v * $e;
            let inactive = no_grad!(2.0 * $k) - no_grad!($k + $k) + 2.0;
            let chosen = if $e > $k { $e.sin() } else { $e.powi(2) };
            let mut total = $l * a + square($e) * inactive - chosen;
            for v in list.iter().map(|v| v * $e) {
                total += v / $e;
            }
            let shape = $path(2.0 * $e, n);
            total += v.iter().sum::<$t>() * shape.0 + <$t>::max($e, 0.1);
            assert!(2.0 * $k < 100.0, "{}", 2.0 * $e);
            total * $e
        }
    };
}

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct Square(f64, #[constant] usize);

expressions!(
    sums,
    x,
    y,
    x + 1.0,
    y + 2.0,
    f64,
    0 | 1 | 3,
    { x * x },
    let _unused = 1.0,
    -2.0,
    Square
);
expressions!(
    choices,
    x,
    y,
    if x > 0.0 { x } else { -x },
    -y,
    f64,
    0..=2,
    {
        let z = x;
        z * y
    },
    assert!(x.is_finite()),
    0.5,
    self::Square
);
expressions!(
    references,
    x,
    y,
    match (&x, &y) {
        (a, b) => *a - *b * *a,
    },
    x.max(y) - 3.0,
    f64,
    _,
    { 1.0 - x },
    let _other = (1.0, 2.0),
    3.0,
    crate::groups::Square
);

macro_rules! of_methods {
    ($name:ident, $field:ident, $t:ty, $e:expr, $k:expr) => {
        #[derive(Clone, Differentiable)]
        struct $name {
            $field: $t,
            list: Vec<$t>,
        }

        #[differentiable]
        impl $name {
            fn value(&self, x: &[$t]) -> $t {
                let mut sum = $e - x[0];
                for (i, v) in x.iter().enumerate() {
                    sum -= v * $e * self.list[i] * self.$field / $k;
                }
                sum / $k
            }
            fn change(&mut self, #[constant] by: $t) {
                self.$field *= by - $k;
                self.list[$k as usize - 2] -= $e / $k;
            }
        }

        #[differentiable]
        impl std::ops::Add for $name {
            type Output = $name;
            fn add(self, other: $name) -> $name {
                $name {
                    $field: self.$field * $k + other.$field * $e,
                    list: self.list,
                }
            }
        }
    };
}

of_methods!(Table, scale, f64, 1.0 + 2.0, 1.0 + 1.0);

#[differentiable]
fn methods(a: f64, b: f64) -> f64 {
    let mut first = Table {
        scale: a,
        list: vec![a, b],
    };
    first.change(0.4);
    let second = Table {
        scale: b,
        list: vec![b, b],
    };
    (first + second).value(&[a, b])
}

macro_rules! with_types {
    ($f:ident, $slice:ty, $vec:ty, $function:ty) => {
        #[differentiable]
        fn $f(x: $slice, n: usize) -> f64 {
            let mut v: $vec = <$vec>::new();
            let mut w = <$vec>::with_capacity(n);
            for i in 0..n {
                v.push(x[i] * x[0]);
                w.push(v[i]);
            }
            let empty: &$vec = &w;
            let half: $function = |k| k / 2;
            v.iter().zip(empty).map(|(a, b)| a * b).sum::<f64>() * half(4) as f64
        }
    };
}

with_types!(typed, &[f64], Vec<f64>, fn(usize) -> usize);

// A group passed on by one macro to another, and statements.
macro_rules! inner {
    ($f:ident, $x:ident, $e:expr, $($s:stmt;)*) => {
        #[differentiable]
        fn $f($x: f64) -> f64 {
            $($s;)*
            2.0 * $e * $x
        }
    };
}
macro_rules! outer {
    ($f:ident, $x:ident, $e:expr) => {
        inner!($f, $x, 3.0 * $e, let mut a = $e; a -= 1.0; let $x = a * $e;);
    };
}
outer!(passed_on_twice, x, x - 0.5);

macro_rules! tensors {
    ($f:ident, $w:ident, $e:expr) => {
        #[differentiable]
        fn $f($w: &Tensor![f64; 3]) -> f64 {
            let all: Tensor![f64; 3, 3] = einsum!("i,j->ij", &$e, $w);
            let rows = vmap!(|r| (2.0 * r).sum(), &all);
            (2.0 * &$e * rows).sum().item()
        }
    };
}
tensors!(of_tensors, w, (w + w) * w);

macro_rules! unlike {
    ($f:ident, $rule:ident, $x:ident, $e:expr, $d:expr) => {
        fn $f($x: f64) -> f64 {
            2.0 * $e
        }
        #[derivative(of = $f)]
        fn $rule($x: f64) -> (f64, impl Fn(f64) -> f64 + Clone) {
            (2.0 * $e, move |ct| 2.0 * $d * ct)
        }
    };
}
unlike!(ruled, rule, x, x * x + x, 2.0 * x + 1.0);

#[differentiable]
fn calls_the_rule(x: f64) -> f64 {
    ruled(x) * x
}

#[test]
fn groups_keep_their_meaning() {
    for at in [(0.7, 1.3), (-0.4, 0.6), (1.6, 2.2)] {
        check::<sums, _>(&at);
        check::<choices, _>(&at);
        check::<references, _>(&at);
        let at = (at.0, at.1);
        differentiable::ad::check_hvp::<sums, f64, _>(&at).unwrap();
    }
    let x = 0.7 + 1.0;
    assert_eq!(passed_on_twice(0.7), {
        let a = 0.2 - 1.0;
        let x = a * (0.7 - 0.5);
        2.0 * (3.0 * (x - 0.5)) * x
    });
    assert_eq!(ruled(x), 2.0 * (x * x + x));
    check::<methods, _>(&(0.7, 0.4));
    check::<typed, _>(&(vec![0.7, 0.4, 1.2], 3));
    check::<passed_on_twice, _>(&(0.7,));
    check::<of_tensors, _>(&(tensor([0.7, 0.4, 1.2]),));
    check::<calls_the_rule, _>(&(0.7,));
}
