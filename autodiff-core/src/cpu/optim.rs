//! Steps of optimisers.

use super::*;

pub(super) fn sgd<T: Float>(
    step: &SgdStep,
    param: ViewMut<'_, T, Cpu>,
    grad: View<'_, T, Cpu>,
    velocity: Option<ViewMut<'_, T, Cpu>>,
) {
    assert_eq!(
        param.layout.dims(),
        grad.layout.dims(),
        "parameter and gradient"
    );
    T::sgd(
        step,
        dense(param).0,
        flat(grad),
        velocity.map(|v| dense(v).0),
    );
}

pub(super) fn adam<T: Float>(
    step: &AdamStep,
    param: ViewMut<'_, T, Cpu>,
    grad: View<'_, T, Cpu>,
    first: ViewMut<'_, T, Cpu>,
    second: ViewMut<'_, T, Cpu>,
) {
    assert_eq!(
        param.layout.dims(),
        grad.layout.dims(),
        "parameter and gradient"
    );
    T::adam(
        step,
        dense(param).0,
        flat(grad),
        dense(first).0,
        dense(second).0,
    );
}
