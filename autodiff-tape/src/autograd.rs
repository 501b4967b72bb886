//! Gradients of functions of values, as Autograd has them: a tape for each call.

use crate::{Loss, Tape, Var};
use autodiff_core::ad::Differentiable;

/// The value of `fun` at `x`, and the function that takes a cotangent of the value to one of `x`: a zero where the value does
/// not depend on it.
///
/// ```
/// use differentiable::tape::make_vjp;
///
/// let (vjp, y) = make_vjp(|x| x.sin() * 2.0, 0.5f64);
/// assert_eq!(y, 2.0 * 0.5f64.sin());
/// assert_eq!(vjp(3.0), 6.0 * 0.5f64.cos());
/// ```
pub fn make_vjp<V, Y>(
    fun: impl FnOnce(Var<V>) -> Var<Y>,
    x: V,
) -> (impl Fn(Y::Tangent) -> V::Tangent, Y)
where
    V: Differentiable + Clone + 'static,
    Y: Differentiable + Clone + 'static,
{
    let tape = Tape::new();
    let start = tape.var(x);
    let end = fun(start.clone());
    let value = end.value().clone();
    (
        move |ct| tape.gradient_with_or_zero(&end, ct, &start),
        value,
    )
}

/// The function that gives the gradient of `fun`.
///
/// Of several arguments, the others are captured: `grad(|x| fun(x, other))`.
///
/// ```
/// use differentiable::tape::grad;
///
/// let slope = grad(|x| x.powi(3));
/// assert_eq!(slope(2.0f64), 12.0);
/// ```
pub fn grad<V, Y>(fun: impl Fn(Var<V>) -> Var<Y>) -> impl Fn(V) -> V::Tangent
where
    V: Differentiable + Clone + 'static,
    Y: Loss + Clone + 'static,
{
    let both = value_and_grad(fun);
    move |x| both(x).1
}

/// The function that gives the value of `fun` and its gradient.
pub fn value_and_grad<V, Y>(fun: impl Fn(Var<V>) -> Var<Y>) -> impl Fn(V) -> (Y, V::Tangent)
where
    V: Differentiable + Clone + 'static,
    Y: Loss + Clone + 'static,
{
    move |x| {
        let (vjp, value) = make_vjp(&fun, x);
        let one = value.one();
        (value, vjp(one))
    }
}
