//! Steps of optimisers; the formulas are with [`SgdStep`] and [`AdamStep`].

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::lower::{Arg, Lower};
use autodiff_core::device::record::Node;
use autodiff_core::device::{AdamStep, Decay, SgdStep};

pub const RULES: Rules = &[("sgd", sgd), ("adam", adam)];

/// `a·x + b·y`
fn blend(cx: &mut Lower<'_>, a: f64, x: &Tensor, b: f64, y: &Tensor) -> Tensor {
    let (x, y) = (cx.ir.scaled(x, a), cx.ir.scaled(y, b));
    cx.ir.add(&x, &y)
}

fn sgd(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<SgdStep>(node, "step")?;
    let args = cx.args(node);
    let param = cx.before(node, 0)?;
    let mut g = cx.operand(node, &args[1])?;
    if s.weight_decay != 0.0 {
        g = blend(cx, s.weight_decay, &param, 1.0, &g);
    }
    if let Arg::Result(k) = args[2] {
        let v = cx.before(node, k)?;
        let v = blend(cx, s.momentum, &v, 1.0 - s.dampening, &g);
        cx.write(node, k, &v);
        g = match s.nesterov {
            true => blend(cx, s.momentum, &v, 1.0, &g),
            false => v,
        };
    }
    let after = blend(cx, 1.0, &param, -s.lr, &g);
    cx.write(node, 0, &after);
    Ok(())
}

fn adam(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<AdamStep>(node, "step")?;
    let args = cx.args(node);
    let [param, first, second] = [
        cx.before(node, 0)?,
        cx.before(node, 1)?,
        cx.before(node, 2)?,
    ];
    let mut g = cx.operand(node, &args[1])?;
    let t = s.step as f64;
    let (c1, c2) = (1.0 - s.beta1.powf(t), 1.0 - s.beta2.powf(t));
    let mut keep = 1.0;
    match s.decay {
        Decay::Coupled if s.weight_decay != 0.0 => g = blend(cx, s.weight_decay, &param, 1.0, &g),
        Decay::Coupled => {}
        Decay::Decoupled => keep = 1.0 - s.lr * s.weight_decay,
    }
    let first = blend(cx, s.beta1, &first, 1.0 - s.beta1, &g);
    let squares = cx.ir.mul(&g, &g);
    let second = blend(cx, s.beta2, &second, 1.0 - s.beta2, &squares);
    let root = cx.ir.unary("Sqrt", &second);
    let root = cx.ir.scaled(&root, 1.0 / c2.sqrt());
    let root = cx.ir.plus(&root, s.eps);
    let update = cx.ir.div(&first, &root);
    let after = blend(cx, keep, &param, -s.lr / c1, &update);
    for (k, x) in [after, first, second].iter().enumerate() {
        cx.write(node, k, x);
    }
    Ok(())
}
