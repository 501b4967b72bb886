//! Variables, functions, modules, types and generics that are named as emitted code names its own.
#![allow(non_camel_case_types, non_snake_case, clippy::wildcard_in_or_patterns)]

use crate::check;
use differentiable::ad::check_hvp;
use differentiable::prelude::*;

macro_rules! variables {
    ($($module:ident: $name:ident $other:ident;)*) => {
        $(mod $module {
            use differentiable::prelude::*;

            #[derive(Clone, Differentiable)]
            pub struct P {
                $name: f64,
                other: Vec<f64>,
            }

            #[differentiable(higher_order)]
            pub fn locals($other: f64, y: f64, n: usize) -> f64 {
                let mut $name = $other * y;
                let mut v = vec![$name; 3];
                for i in 0..n {
                    $name = $name.sin() + $other;
                    v[i % 3] += $name;
                    if $name > 10.0 {
                        break;
                    }
                }
                let $other = |$name: f64| $name * y;
                $other($name) * v[1]
            }

            #[differentiable]
            pub fn patterns($name: f64, $other: f64, n: usize) -> f64 {
                let p = P { $name, other: vec![$other, $name * $other] };
                let P { $name, other: $other } = &p;
                let sum: f64 = $other.iter().map(|a| a * $name).sum();
                let $name = match n {
                    0 => return sum * $name,
                    _ => Some(sum),
                };
                let Some($name) = $name else { return sum };
                assert!($name < 1e9, "{} {}", $name, sum);
                $name * p.$name
            }
        })*
        fn run() {
            $(
                check::<$module::locals, _>(&(0.7, 0.4, 4));
                check_hvp::<$module::locals, f64, _>(&(0.7, 0.4, 4)).unwrap();
                check::<$module::patterns, _>(&(0.7, 0.4, 0));
                check::<$module::patterns, _>(&(0.7, 0.4, 1));
            )*
        }
    };
}

variables! {
    values: __value __ct;
    derived: d_x t_x;
    kept: kept_v1 w_x;
    tapes: tape0 v0;
    modes: m0 r;
    marks: __late0 __ret;
    crates: differentiable ad;
    raw: r#match core;
}

#[differentiable]
fn batches(xs: &[f64], __i: f64) -> f64 {
    let (__results, __example0) = (__i * __i, 3.0 * __i);
    let __batch0 = xs.to_vec();
    let sums = vmap!(
        |x, y| {
            let inner: f64 = vmap!(|z| z * __i * y, &__batch0).iter().sum();
            x * __i * __results + __example0 * y + inner
        },
        &xs,
        xs.to_vec()
    );
    sums.iter().sum()
}

#[differentiable]
fn apply<F: Fn(f64) -> f64>(__f: F, ad: f64) -> f64 {
    __f(ad) * __f(2.0 * ad)
}

#[differentiable]
fn functions(x: f64, y: f64) -> f64 {
    let __env = x * y;
    apply(|__a0| __a0 * __env * y, x) + apply(|d_x| d_x.sin() * x, y)
}

#[test]
fn variables() {
    run();
    check::<batches, _>(&(vec![0.7, 0.3], 0.4));
    check::<functions, _>(&(0.7, 0.4));
}

/// A module of the name that the runtime has in emitted code.
mod ad {
    use differentiable::prelude::*;

    pub const F64: f64 = 3.0;

    #[differentiable(higher_order)]
    pub fn held(x: f64) -> f64 {
        x * x * x
    }

    #[derive(Clone, Differentiable)]
    #[differentiable(higher_order)]
    pub struct Wit {
        pub a: f64,
    }
}

#[differentiable(higher_order)]
fn modules(x: f64, wit: &ad::Wit) -> f64 {
    let wit = ad::Wit { a: x * wit.a };
    let ad::Wit { a } = wit;
    assert!(a < ad::F64);
    ad::held(a) * ad::F64
}

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct AnyScalar {
    wit: ad::Wit,
    x: f64,
}

#[differentiable]
impl AnyScalar {
    fn value(&self, y: f64) -> f64 {
        ad::held(self.wit.a * y) * self.x * ad::F64
    }
}

#[differentiable]
impl std::ops::Add for AnyScalar {
    type Output = AnyScalar;
    fn add(self, other: AnyScalar) -> AnyScalar {
        let wit = ad::Wit {
            a: self.wit.a * ad::F64,
        };
        AnyScalar {
            wit,
            x: self.x + other.x,
        }
    }
}

#[differentiable]
fn methods(a: f64, x: f64) -> f64 {
    let this = AnyScalar {
        wit: ad::Wit { a },
        x,
    };
    (this.clone() + this).value(a)
}

#[differentiable(higher_order)]
fn __callee0(x: f64) -> f64 {
    x * x
}

#[differentiable(higher_order)]
fn __over0(x: f64) -> f64 {
    x * x * x
}

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct __Over {
    a: f64,
}

const __WEIGHT: f64 = 2.0;

fn __fallback0(k: usize) -> f64 {
    k as f64
}

#[differentiable(higher_order)]
fn items(x: f64, k: usize) -> f64 {
    let over = __Over { a: __over0(x) };
    __callee0(over.a) * __over0(x) * __fallback0(k) * __WEIGHT
}

#[differentiable]
fn generics<'__a, __M0: differentiable::ad::Scalar, const __N: usize>(
    x: &'__a [__M0; __N],
    y: __M0,
) -> __M0 {
    let mut sum = y;
    '__outer: for i in 0..__N {
        '__ret: loop {
            sum = sum * x[i];
            if i > 0 {
                break '__ret;
            }
            continue '__outer;
        }
        sum = sum + x[0];
    }
    sum
}

#[differentiable]
fn of_generics(a: f64, b: f64) -> f64 {
    generics(&[a, b, a], b)
}

#[test]
fn items_modules_and_generics() {
    let wit = ad::Wit { a: 0.3 };
    check::<modules, _>(&(0.7, wit.clone()));
    check_hvp::<modules, f64, _>(&(0.7, wit)).unwrap();
    check::<methods, _>(&(0.7, 0.4));
    check::<items, _>(&(0.7, 3));
    check_hvp::<items, f64, _>(&(0.7, 3)).unwrap();
    check::<of_generics, _>(&(0.7, 0.4));
}
