//! Fourier transforms along the last axis: `DFT`, and products with sines and cosines for spectra of real numbers.

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::ir::Attr;
use crate::export::lower::Lower;
use autodiff_core::device::record::Node;
use core::f64::consts::TAU;

pub const RULES: Rules = &[("fft", fft), ("rfft", rfft), ("irfft", irfft)];

/// Rows of numbers, with an axis of the two parts behind.
fn rows(cx: &mut Lower<'_>, x: &[Tensor]) -> Tensor {
    let n = x[0].dims[x[0].dims.len() - 1];
    let count = x[0].dims.iter().product::<usize>() / n.max(1);
    let parts: Vec<Tensor> = x.iter().map(|x| cx.ir.reshape(x, &[count, n, 1])).collect();
    let all = cx.ir.concat(2, &parts);
    let id = cx.ir.full(&all);
    cx.ir.whole(id)
}

/// The transform of rows, and its two parts.
fn dft(
    cx: &mut Lower<'_>,
    x: &Tensor,
    attributes: &[(&'static str, Attr)],
    n: usize,
) -> [Tensor; 2] {
    let dims = [x.dims[0], n, 2];
    let element = cx.ir.element(x);
    let mut all = vec![("axis", Attr::Int(1))];
    all.extend_from_slice(attributes);
    let id = cx.ir.make("DFT", &[x.id], &all, element, &dims);
    let y = cx.ir.whole(id);
    [0, 1].map(|k| cx.ir.narrow(&y, 2, k, 1))
}

fn fft(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let inverse = cx.attribute::<bool>(node, "inverse")?;
    let scale = cx.attribute::<f64>(node, "scale")?;
    let x = cx.operands(node)?;
    let x = rows(cx, &x);
    let n = x.dims[1];
    // The inverse of the operator divides by the length.
    let (flag, by) = if inverse {
        (1, scale * n as f64)
    } else {
        (0, scale)
    };
    let parts = dft(cx, &x, &[("inverse", Attr::Int(flag))], n);
    for (k, part) in parts.iter().enumerate() {
        let y = cx.ir.scaled(part, by);
        cx.write(node, k, &y);
    }
    Ok(())
}

/// How often each entry of a spectrum of `n` real numbers counts, with `doubled`.
fn counts(n: usize, doubled: bool) -> Vec<f64> {
    let twice = |k: usize| doubled && k > 0 && 2 * k != n;
    (0..n / 2 + 1)
        .map(|k| if twice(k) { 2.0 } else { 1.0 })
        .collect()
}

fn rfft(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let doubled = cx.attribute::<bool>(node, "doubled")?;
    let scale = cx.attribute::<f64>(node, "scale")?;
    let x = cx.operands(node)?;
    let x = rows(cx, &x);
    let n = x.dims[1];
    let parts = dft(cx, &x, &[("onesided", Attr::Int(1))], n / 2 + 1);
    let counts: Vec<f64> = counts(n, doubled).iter().map(|c| c * scale).collect();
    let element = cx.ir.element(&x);
    let counts = cx.ir.numbers(element, &[counts.len(), 1], &counts);
    for (k, part) in parts.iter().enumerate() {
        let y = cx.ir.mul(part, &counts);
        cx.write(node, k, &y);
    }
    Ok(())
}

/// `scale · Re Σ_k x_k e^(+2πi kn/N)`
fn irfft(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let doubled = cx.attribute::<bool>(node, "doubled")?;
    let scale = cx.attribute::<f64>(node, "scale")?;
    let x = cx.operands(node)?;
    let n = *cx.result_dims(node, 0).last().unwrap_or(&0);
    let counts = counts(n, doubled);
    let m = counts.len();
    let angle = |i: usize| TAU * ((i / n * (i % n)) % n) as f64 / n as f64;
    let real: Vec<f64> = (0..m * n)
        .map(|i| scale * counts[i / n] * angle(i).cos())
        .collect();
    let own = |k: usize| k > 0 && 2 * k != n;
    let imaginary = |i: usize| {
        if own(i / n) {
            -scale * counts[i / n] * angle(i).sin()
        } else {
            0.0
        }
    };
    let imaginary: Vec<f64> = (0..m * n).map(imaginary).collect();
    let mut sum: Option<Tensor> = None;
    for (part, by) in x.iter().zip([real, imaginary]) {
        let rows = part.dims.iter().product::<usize>() / m;
        let part = cx.ir.reshape(part, &[rows, m]);
        let by = cx.ir.numbers(cx.ir.element(&part), &[m, n], &by);
        let y = cx.ir.matmul(&part, &by);
        sum = Some(match sum {
            Some(sum) => cx.ir.add(&sum, &y),
            None => y,
        });
    }
    let sum = sum.ok_or_else(|| OnnxError::of(node, "an operand is missing"))?;
    cx.write(node, 0, &sum);
    Ok(())
}
