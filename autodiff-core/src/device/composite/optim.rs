//! Steps of optimisers; the formulas are with [`SgdStep`] and [`AdamStep`].

use super::*;

/// `y ← a·y + b·x`
#[track_caller]
fn blend<T: Float, D: Backend>(
    device: &D,
    y: &mut ViewMut<'_, T, D>,
    a: f64,
    b: f64,
    x: View<'_, T, D>,
) {
    assign(device, Mul, y, Operand::Scalar(T::lit(a)));
    device.add_scaled(T::lit(b), x, again(y));
}

/// The gradient of the parameter with that of its penalty.
#[track_caller]
fn decayed<T: Float, D: Backend>(
    device: &D,
    param: &ViewMut<'_, T, D>,
    grad: View<'_, T, D>,
    decay: f64,
) -> Temp<T, D> {
    let mut g = Temp::new(device, *grad.layout.dims());
    device.copy(grad, g.out());
    if decay != 0.0 {
        device.add_scaled(T::lit(decay), read(param), g.out());
    }
    g
}

#[track_caller]
pub fn sgd<T: Float, D: Backend>(
    device: &D,
    step: &SgdStep,
    param: ViewMut<'_, T, D>,
    grad: View<'_, T, D>,
    velocity: Option<ViewMut<'_, T, D>>,
) {
    let mut g = decayed(device, &param, grad, step.weight_decay);
    if let Some(mut v) = velocity {
        let fresh = 1.0 - step.dampening;
        blend(device, &mut v, step.momentum, fresh, g.view());
        if step.nesterov {
            device.add_scaled(T::lit(step.momentum), read(&v), g.out());
        } else {
            return device.add_scaled(T::lit(-step.lr), read(&v), param);
        }
    }
    device.add_scaled(T::lit(-step.lr), g.view(), param);
}

#[track_caller]
pub fn adam<T: Float, D: Backend>(
    device: &D,
    step: &AdamStep,
    mut param: ViewMut<'_, T, D>,
    grad: View<'_, T, D>,
    mut first: ViewMut<'_, T, D>,
    mut second: ViewMut<'_, T, D>,
) {
    assert!(step.step > 0, "Adam counts its steps from 1");
    let t = step.step as f64;
    let (c1, c2) = (1.0 - step.beta1.powf(t), 1.0 - step.beta2.powf(t));
    let (coupled, keep) = match step.decay {
        Decay::Coupled => (step.weight_decay, 1.0),
        Decay::Decoupled => (0.0, 1.0 - step.lr * step.weight_decay),
    };
    let g = decayed(device, &param, grad, coupled);
    blend(device, &mut first, step.beta1, 1.0 - step.beta1, g.view());
    let squares = zip(device, Mul, g.x(), g.x(), *g.layout.dims());
    blend(
        device,
        &mut second,
        step.beta2,
        1.0 - step.beta2,
        squares.view(),
    );
    let mut scale = apply(device, UnaryOp::Sqrt, read(&second));
    let root = Operand::Scalar(T::lit(1.0 / c2.sqrt()));
    assign(device, Mul, &mut scale.out(), root);
    assign(
        device,
        Add,
        &mut scale.out(),
        Operand::Scalar(T::lit(step.eps)),
    );
    let dims = *g.layout.dims();
    let update = zip(device, Div, Operand::View(read(&first)), scale.x(), dims);
    blend(device, &mut param, keep, -step.lr / c1, update.view());
}
