//! Checks the two rules of an operation against its values and against one another.

use differentiable::__rt::{Ct, Differentiable, Tangent};
use differentiable::prelude::*;

/// A generator of numbers in (−1, 1).
pub fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A tensor with entries in (low, high).
pub fn between<S: Shape>(shape: S, seed: u64, low: f64, high: f64) -> Tensor<S, f64> {
    let mut next = numbers(seed);
    Tensor::from_fn_with(shape, |_| low + (next() + 1.0) / 2.0 * (high - low))
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// `value`, `vjp` and `jvp` of one operation at `x`:
/// the values agree; `⟨c, Jv⟩` by central differences is `⟨Jᵀc, v⟩` by the pullback; and `⟨c, Jv⟩`
/// by the pushforward is the same to rounding. Three directions; a wrong entry shows in each.
pub fn check<X, Y>(
    name: &str,
    x: &X,
    value: impl Fn(&X) -> Y,
    vjp: impl Fn(&X, Ct<Y>) -> (Y, X::Tangent),
    jvp: impl Fn(&X, &X::Tangent) -> (Y, Y::Tangent),
) where
    X: Differentiable + Clone,
    Y: Differentiable + PartialEq + std::fmt::Debug,
{
    let h = 1e-6;
    let y = value(x);
    for seed in 1..=3 {
        let v = x.zero_tangent().fill_with(&mut numbers(seed));
        let c = y.zero_tangent().fill_with(&mut numbers(seed + 100));
        let moved = |step: f64| {
            let mut moved = x.clone();
            moved.add_scaled(step, &v);
            value(&moved)
        };
        let numeric = moved(h).difference(&moved(-h)).dot(&c) / (2.0 * h);
        let (y_vjp, pulled) = vjp(x, Y::start(c.clone()));
        let (y_jvp, pushed) = jvp(x, &v);
        assert_eq!(y_vjp, y, "{name}: value of the vjp");
        assert_eq!(y_jvp, y, "{name}: value of the jvp");
        let (reverse, forward) = (pulled.dot(&v), pushed.dot(&c));
        assert!(
            close(numeric, reverse, 2e-7),
            "{name}: differences give {numeric}, the pullback {reverse}"
        );
        assert!(
            close(forward, reverse, 1e-12),
            "{name}: the pushforward gives {forward}, the pullback {reverse}"
        );
    }
}

/// Checks a method of one tensor that has `__vjp` and `__jvp`:
/// `method!(x, sum_axis __sum_axis_vjp __sum_axis_jvp [1])`.
#[macro_export]
macro_rules! method {
    ($x:expr, $name:ident $vjp:ident $jvp:ident [$($g:literal),*]) => {{
        use differentiable::__rt::{Differentiable, NoGrad, Off, On};
        let x = &$x;
        $crate::check::check(
            stringify!($name),
            x,
            |x| x.$name::<$($g),*>(),
            |x, ct| {
                let (y, pull) = x.$vjp::<_, $($g),*>((On,));
                let mut d = x.zero_adj(On);
                pull(ct.clone(), x, &mut d);
                // The second contribution is added to the first.
                let mut twice = d.clone();
                x.$vjp::<_, $($g),*>((On,)).1(ct.clone(), x, &mut twice);
                let d = $crate::check::finish(x, d);
                assert_eq!($crate::check::finish(x, twice), &d * 2.0, "the pullback accumulates");
                x.$vjp::<_, $($g),*>((Off,)).1(ct, x, &mut NoGrad);
                (y, d)
            },
            |x, t| x.$jvp::<$($g),*>(t),
        );
    }};
}

/// A gradient from the accumulator of `x`.
pub fn finish<X: Differentiable>(x: &X, ct: Ct<X>) -> X::Tangent {
    X::finish(&x.proto(), ct)
}

/// A cotangent.
pub fn start<S: Shape>(ct: Tensor<S, f64>) -> Ct<Tensor<S, f64>> {
    Tensor::<S, f64>::start(ct)
}
