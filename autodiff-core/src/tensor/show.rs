//! `Debug` and `Display`: nested brackets, the middle of long axes left out.

use super::Tensor;
use crate::device::{Backend, DeviceError, Elem};
use crate::shape::Shape;
use core::fmt;

/// Tensors with more elements than this are shortened.
const THRESHOLD: usize = 1000;
/// Entries shown at each end of a shortened axis.
const EDGE: usize = 3;

/// The positions shown along an axis; `None` stands for the gap.
fn positions(n: usize, shorten: bool) -> Vec<Option<usize>> {
    if shorten && n > 2 * EDGE {
        (0..EDGE)
            .map(Some)
            .chain([None])
            .chain((n - EDGE..n).map(Some))
            .collect()
    } else {
        (0..n).map(Some).collect()
    }
}

fn collect(dims: &[usize], base: usize, shorten: bool, cell: &mut dyn FnMut(usize)) {
    let Some((&n, rest)) = dims.split_first() else {
        return cell(base);
    };
    let step: usize = rest.iter().product();
    for i in positions(n, shorten).into_iter().flatten() {
        collect(rest, base + i * step, shorten, cell);
    }
}

fn write_axis(
    f: &mut fmt::Formatter<'_>,
    dims: &[usize],
    depth: usize,
    shorten: bool,
    cells: &mut dyn Iterator<Item = String>,
) -> fmt::Result {
    let Some((&n, rest)) = dims.split_first() else {
        return write!(f, "{}", cells.next().unwrap_or_default());
    };
    write!(f, "[")?;
    for (k, i) in positions(n, shorten).into_iter().enumerate() {
        if k > 0 {
            match rest.len() {
                0 => write!(f, ", ")?,
                r => write!(f, ",{}{}", "\n".repeat(r), " ".repeat(depth + 1))?,
            }
        }
        match i {
            Some(_) => write_axis(f, rest, depth + 1, shorten, cells)?,
            None => write!(f, "…")?,
        }
    }
    write!(f, "]")
}

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let data = match self.try_to_vec() {
            Err(DeviceError::Batched) => return f.write_str("(a value for each example)"),
            data => data.unwrap_or_else(|e| panic!("{e}")),
        };
        let dims = self.dims();
        let shorten = data.len() > THRESHOLD;
        let mut shown = Vec::new();
        collect(&dims, 0, shorten, &mut |at| shown.push(data[at]));
        let float = !T::INTEGER;
        let text: Vec<String> = shown
            .iter()
            .map(|x| match f.precision() {
                Some(p) if float => format!("{:.p$}", x.to_f64()),
                None if float => number(x.to_f64()),
                _ => format!("{x:?}"),
            })
            .collect();
        let width = text.iter().map(|s| s.chars().count()).max().unwrap_or(0);
        let mut cells = text.into_iter().map(|s| format!("{s:>width$}"));
        write_axis(f, &dims, depth, shorten, &mut cells)
    }
}

/// Four decimals, or scientific notation outside the range where they say something.
fn number(x: f64) -> String {
    let a = x.abs();
    if x.is_finite() && a != 0.0 && !(1e-3..1e5).contains(&a) {
        format!("{x:.4e}")
    } else {
        format!("{x:.4}")
    }
}

impl<S: Shape, T: Elem, D: Backend> fmt::Display for Tensor<S, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl<S: Shape, T: Elem, D: Backend> fmt::Debug for Tensor<S, T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor<{}; ", core::any::type_name::<T>())?;
        for (i, (n, name)) in self.dims().iter().zip(S::NAMES).enumerate() {
            let sep = if i > 0 { " × " } else { "" };
            match name.is_empty() {
                true => write!(f, "{sep}{n}")?,
                false => write!(f, "{sep}{name}({n})")?,
            }
        }
        write!(f, ">(\n ")?;
        self.write(f, 1)?;
        write!(f, ")")
    }
}
