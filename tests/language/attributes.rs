//! Attributes of statements, expressions, arms, fields and parameters mean in the derivative what they mean in the
//! function. `not(any())` is a condition that holds, `any()` one that does not.

#![allow(
    dead_code,
    unused_doc_comments,
    reason = "what is tested is that they may stand there"
)]
#![allow(unused_attributes, unused_mut, unused_variables, unused_assignments)]

use crate::check;
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn statements(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[cfg(any())]
    for _ in 0..n {
        y *= 2.0;
    }
    #[cfg(not(any()))]
    for _ in 0..n {
        y *= x;
    }
    #[cfg(any())]
    if n > 0 {
        return 3.0;
    }
    #[cfg(any())]
    return x;
    #[cfg(any())]
    while y < 100.0 {
        y += 1.0;
    }
    #[cfg(any())]
    loop {}
    #[cfg(any())]
    let y = 2.0 * y;
    #[cfg(not(any()))]
    let z = y * y;
    #[cfg(any())]
    let z = 1.0;
    #[cfg(any())]
    {
        y = 3.0;
    }
    #[cfg(not(any()))]
    {
        #[cfg(any())]
        let z = 1.0;
        y += z;
    }
    #[cfg(any())]
    match n {
        _ => y = 7.0,
    }
    #[cfg(any())]
    panic!("left out");
    #[cfg(any())]
    missing(y);
    y * y + z
}

#[differentiable]
fn values(x: f64, k: usize) -> f64 {
    let a = match k {
        #[cfg(any())]
        0 => 3.0,
        #[cfg(not(any()))]
        0 => x * x,
        #[cfg(any())]
        _ => 1.0,
        _ => x,
    };
    let b = {
        #[cfg(any())]
        {
            a
        }
        #[cfg(not(any()))]
        {
            a * x
        }
    };
    let list = [
        x,
        #[cfg(any())]
        2.0,
        b,
    ];
    let v = vec![
        #[cfg(any())]
        1.0,
        x * b,
        #[cfg(not(any()))]
        a,
    ];
    let mut sum = v[0] + list[1] + v.len() as f64;
    for value in v.iter().map(|#[cfg(any())] _k: usize, v| v * x) {
        sum += value;
    }
    let pair = (
        sum,
        #[cfg(any())]
        1.0,
        x,
    );
    pair.0.max(
        #[cfg(any())]
        1.0,
        pair.1,
    )
}

#[derive(Clone, Differentiable)]
struct Spring {
    #[cfg(any())]
    left_out: f64,
    #[cfg(not(any()))]
    stiffness: f64,
    #[cfg_attr(all(), constant)]
    #[allow(unused)]
    kind: usize,
    rest: f64,
}

#[differentiable]
impl Spring {
    #[cfg(any())]
    fn energy(&self, x: f64) -> f64 {
        x
    }
    #[cfg(not(any()))]
    #[inline]
    fn energy(&self, x: f64, #[cfg(any())] none: f64, #[cfg(not(any()))] times: f64) -> f64 {
        #[cfg(any())]
        let x = 1.0;
        let Spring {
            #[cfg(not(any()))]
            stiffness,
            #[cfg(any())]
            rest,
            ..
        } = self;
        times * stiffness * (x - self.rest).powi(2)
    }
    #[cfg_attr(all(), no_grad)]
    fn name(&self) -> &'static str {
        "spring"
    }
}

#[differentiable]
fn fields(x: f64, y: f64) -> f64 {
    let spring = Spring {
        #[cfg(any())]
        stiffness: 0.0,
        #[cfg(not(any()))]
        stiffness: x * y,
        #[cfg(any())]
        left_out: 1.0,
        kind: 0,
        rest: y,
    };
    spring.energy(x, 2.0) * x
}

#[derive(Clone, Differentiable)]
enum Shape {
    #[cfg(any())]
    Round(f64),
    Round(f64, f64),
    Square {
        #[cfg(any())]
        none: f64,
        side: f64,
    },
}

#[differentiable]
fn area(shape: &Shape) -> f64 {
    match shape {
        #[cfg(any())]
        Shape::Round(r) => *r,
        Shape::Round(a, b) => a * b * b,
        Shape::Square {
            #[cfg(any())]
            none,
            side,
        } => side * side,
    }
}

#[differentiable]
trait Curve {
    #[cfg(any())]
    fn at(&self, t: f64) -> f64;
    fn at(&self, t: f64, #[cfg(any())] none: f64) -> f64;
    #[cfg(not(any()))]
    fn twice(&self, t: f64) -> f64 {
        #[cfg(any())]
        return 1.0;
        self.at(t) * self.at(2.0 * t)
    }
}

#[differentiable]
impl Curve for Spring {
    fn at(&self, t: f64, #[cfg(any())] none: f64) -> f64 {
        #[cfg(any())]
        let t = 1.0;
        self.stiffness * (t * self.rest).sin()
    }
}

#[differentiable]
fn of_traits(k: f64, rest: f64) -> f64 {
    let spring = Spring {
        stiffness: k,
        kind: 1,
        rest,
    };
    spring.twice(k)
}

#[differentiable]
impl std::ops::Mul<f64> for Spring {
    type Output = Spring;
    #[cfg(any())]
    fn mul(self, k: f64) -> Spring {
        self
    }
    fn mul(self, k: f64) -> Spring {
        #[cfg(any())]
        let k = 1.0;
        Spring {
            stiffness: self.stiffness * k,
            kind: self.kind,
            rest: self.rest * k * k,
        }
    }
}

#[differentiable]
fn of_operators(x: f64) -> f64 {
    let spring = Spring {
        stiffness: x,
        kind: 0,
        rest: 0.3,
    } * x;
    spring.stiffness * spring.rest
}

#[differentiable(wrt(a))]
#[cfg_attr(all(), allow(clippy::let_and_return), inline)]
#[cfg_attr(any(), left_out)]
fn parameters<#[cfg(any())] T>(
    #[cfg(any())] x: f64,
    #[allow(unused)] a: f64,
    #[cfg_attr(all(), constant)] b: f64,
) -> f64 {
    let y = a * b;
    y
}

/// Both are there for the compiler; one is left.
#[cfg(not(any()))]
#[differentiable]
fn chosen(x: f64) -> f64 {
    x * x
}

#[differentiable]
#[cfg(any())]
fn chosen(x: f64) -> f64 {
    x
}

#[differentiable]
fn foreign(x: f64, n: usize) -> f64 {
    #![allow(clippy::all)]
    /// A comment.
    let mut y = x;
    #[allow(clippy::needless_range_loop)]
    for _ in 0..n {
        #[allow(unused_braces)]
        {
            y *= x;
        }
    }
    #[expect(unused_mut)]
    let mut z = y * x;
    #[allow(unused)]
    if n > 1 {
        #[warn(unused)]
        #[checkpoint]
        for _ in 0..n {
            y += z * x;
        }
    }
    #[deny(unused_must_use)]
    match n {
        #[allow(unreachable_patterns)]
        0 => y *= 2.0,
        #[rustfmt::skip]
        _ => y += 1.0,
    }
    #[cfg_attr(all(), rustfmt::skip)]
    let f = |v: f64| v * y;
    #[allow(unused)]
    {
        y = f(x);
    }
    y
}

#[differentiable]
fn nested(x: f64) -> f64 {
    #[cfg_attr(all(), cfg(any()))]
    let x = 1.0;
    #[cfg_attr(any(), cfg(any()))]
    #[cfg(true)]
    let x = 2.0 * x;
    #[cfg(false)]
    let x = 1.0;
    no_grad! {
        #[cfg(any())]
        panic!("left out");
    }
    x * x
}

mod rules {
    use super::*;

    pub fn cube(x: f64) -> f64 {
        x * x * x
    }

    #[derivative(of = cube)]
    fn cube_rule(x: f64, #[cfg(any())] y: f64) -> (f64, impl Fn(f64) -> f64 + Clone) {
        #[cfg(any())]
        return 1.0;
        (x * x * x, move |ct| 3.0 * x * x * ct)
    }

    #[differentiable]
    pub fn used(x: f64) -> f64 {
        cube(x) * x
    }
}

#[test]
fn conditions_and_lints() {
    check::<statements, _>(&(0.7, 3));
    differentiable::ad::check_hvp::<statements, f64, _>(&(0.7, 3)).unwrap();
    check::<values, _>(&(0.7, 0));
    check::<values, _>(&(0.7, 1));
    check::<fields, _>(&(0.7, 0.4));
    check::<area, _>(&(Shape::Round(0.7, 0.4),));
    check::<area, _>(&(Shape::Square { side: 0.4 },));
    check::<of_traits, _>(&(0.7, 0.4));
    check::<of_operators, _>(&(0.7,));
    assert_eq!(parameters::grad(0.7, 3.0), 3.0);
    check::<chosen, _>(&(0.7,));
    check::<foreign, _>(&(0.7, 2));
    check::<foreign, _>(&(0.7, 0));
    check::<nested, _>(&(0.7,));
    check::<rules::used, _>(&(0.7,));
}
