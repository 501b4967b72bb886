//! Products of matrices.

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::lower::Lower;
use crate::proto::ElementType;
use autodiff_core::device::DType;
use autodiff_core::device::record::Node;

pub const RULES: Rules = &[
    ("gemm", gemm),
    ("affine", affine),
    ("add_scaled", add_scaled),
    ("determinant", determinant),
];

fn determinant(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let x = cx.operands(node)?.remove(0);
    let id = cx.ir.full(&x);
    let (element, dims) = (cx.ir.element(&x), &x.dims[..x.dims.len() - 2]);
    let id = cx.ir.make("Det", &[id], &[], element, dims);
    let y = cx.ir.whole(id);
    cx.write(node, 0, &y);
    Ok(())
}

/// The product of two operands. Numbers of mixed precision are rounded in products, and summed in single precision.
fn product(cx: &mut Lower<'_>, node: &Node, sides: [&Tensor; 2]) -> Tensor {
    let half = match cx.dtype(node) {
        DType::MixedBf16 => Some(ElementType::Bf16),
        DType::MixedF16 => Some(ElementType::F16),
        _ => None,
    };
    let [a, b] = sides.map(|x| match half {
        Some(half) => {
            let rounded = cx.ir.cast(x, half);
            cx.ir.cast(&rounded, ElementType::F32)
        }
        None => x.clone(),
    });
    cx.ir.matmul(&a, &b)
}

fn affine(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let x = cx.operands(node)?;
    let y = product(cx, node, [&x[0], &x[1]]);
    let y = cx.ir.add(&y, &x[2]);
    cx.write(node, 0, &y);
    Ok(())
}

fn gemm(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let beta = cx.attribute::<f64>(node, "beta")?;
    let x = cx.operands(node)?;
    let mut y = product(cx, node, [&x[0], &x[1]]);
    if beta != 0.0 {
        let before = cx.before(node, 0)?;
        let before = cx.ir.scaled(&before, beta);
        y = cx.ir.add(&y, &before);
    }
    cx.write(node, 0, &y);
    Ok(())
}

fn add_scaled(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let alpha = cx.attribute::<f64>(node, "alpha")?;
    let x = cx.operands(node)?;
    let before = cx.before(node, 0)?;
    let scaled = cx.ir.scaled(&x[0], alpha);
    let sum = cx.ir.add(&before, &scaled);
    cx.write(node, 0, &sum);
    Ok(())
}
