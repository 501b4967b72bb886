//! What formulas are made of, for tensors and for floats.
//!
//! Tensors of any shape have these by the rules of other functions, which know that their operands have one shape: the
//! pullback of a sine multiplies by a cosine, that of `relu` keeps some elements, that of `exp` multiplies by a slope.

use super::power;
use super::unary::by_name;
use crate::Var;
use crate::again::formula::Elementwise;
use autodiff_core::ad::{Ct, Differentiable, ExpRule, On, ReluRule, SinCosRule};
use autodiff_core::device::symbolic::Order;
use autodiff_core::device::{Backend, Float};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;

/// What a rule adds to a zero accumulator.
fn sum<V: Differentiable<Tangent = V>>(x: &V, pull: impl FnOnce(&mut Ct<V>)) -> V {
    let mut d = x.zero_adj(On);
    pull(&mut d);
    V::finish(&x.proto(), d)
}

impl<S: Shape, T: Float, D: Backend> Elementwise for Tensor<S, T, D> {
    fn width(narrow: f64, wide: f64) -> f64 {
        if size_of::<T>() < 8 { narrow } else { wide }
    }
    fn full(&self, x: f64) -> Self {
        Tensor::full_with_on(self.device(), self.shape(), T::lit(x))
    }
    fn times(&self, other: &Self) -> Self {
        sum(self, |d| {
            SinCosRule::pull_sin(other, &self.clone().into(), d);
        })
    }
    fn along(&self, slope: &Self) -> Self {
        sum(self, |d| ExpRule::pull(slope, &self.clone().into(), d))
    }
    fn decided(&self, _: Order, _: f64) -> Option<bool> {
        // That would ask the device, which may only record.
        None
    }
    fn holds(&self, order: Order, number: f64) -> Self {
        let c = T::lit(number);
        let mask = match order {
            Order::Eq | Order::Still => self.eq(c),
            Order::Ne => self.ne(c),
            Order::Lt => self.lt(c),
            Order::Le => self.le(c),
            Order::Gt => self.gt(c),
            Order::Ge => self.ge(c),
        };
        mask.cast::<T>()
    }
    fn is_nan(&self) -> Self {
        Tensor::is_nan(self).cast::<T>()
    }
    fn kept(&self, mask: &Self) -> Self {
        sum(self, |d| ReluRule::pull(mask, &self.clone().into(), d))
    }
    fn negative(x: &Var<Self>) -> Var<Self> {
        -x
    }
    fn scaled(x: &Var<Self>, factor: f64) -> Var<Self> {
        x * x.tape().constant(T::lit(factor))
    }
    fn shifted(x: &Var<Self>, by: f64) -> Var<Self> {
        x + x.tape().constant(T::lit(by))
    }
    fn to_power(x: &Var<Self>, n: i32) -> Var<Self> {
        x.run(power::Powi(n))
    }
    fn to_real_power(x: &Var<Self>, p: f64) -> Var<Self> {
        x.run(power::Powf(p))
    }
    fn function(name: &str, x: &Var<Self>) -> Option<Var<Self>> {
        by_name(name, x)
    }
}

macro_rules! floats {
    ($($t:ident |$narrow:ident, $wide:ident| $width:expr;)*) => { $(
        impl Elementwise for $t {
            fn width($narrow: f64, $wide: f64) -> f64 {
                $width
            }
            fn full(&self, x: f64) -> $t {
                x as $t
            }
            fn times(&self, other: &$t) -> $t {
                self * other
            }
            fn along(&self, slope: &$t) -> $t {
                sum(self, |d| ExpRule::pull(slope, self, d))
            }
            fn decided(&self, order: Order, number: f64) -> Option<bool> {
                Some(order.holds(*self, number as $t))
            }
            fn holds(&self, order: Order, number: f64) -> $t {
                f64::from(u8::from(order.holds(*self, number as $t))) as $t
            }
            fn is_nan(&self) -> $t {
                f64::from(u8::from($t::is_nan(*self))) as $t
            }
            fn kept(&self, mask: &$t) -> $t {
                if *mask > 0.0 { *self } else { 0.0 }
            }
            fn negative(x: &Var<$t>) -> Var<$t> {
                -x
            }
            fn scaled(x: &Var<$t>, factor: f64) -> Var<$t> {
                x * (factor as $t)
            }
            fn shifted(x: &Var<$t>, by: f64) -> Var<$t> {
                x + (by as $t)
            }
            fn to_power(x: &Var<$t>, n: i32) -> Var<$t> {
                x.run(power::Powi(n))
            }
            fn to_real_power(x: &Var<$t>, p: f64) -> Var<$t> {
                x.run(power::Powf(p))
            }
            fn function(name: &str, x: &Var<$t>) -> Option<Var<$t>> {
                by_name(name, x)
            }
        }
    )* };
}
floats! {
    f32 |narrow, _wide| narrow;
    f64 |_narrow, wide| wide;
}
