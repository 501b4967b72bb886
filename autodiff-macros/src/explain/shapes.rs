//! Shapes of tensors, as far as the signature and the operations tell them.

use super::Report;
use crate::ir::*;
use crate::passes::fuse::is_elementwise;
use crate::syntax;
use std::collections::HashMap;
use syn::Type;

/// The size of an element in bytes, and the sizes of the axes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TensorType {
    element: u64,
    dims: Vec<u64>,
}

impl TensorType {
    pub fn bytes(&self) -> u64 {
        self.element * self.dims.iter().product::<u64>()
    }

    /// `Tensor![f64; 64, 32]`
    fn written(ty: &Type) -> Option<Self> {
        let Type::Macro(m) = ty else { return None };
        if m.mac.path.segments.last()?.ident != "Tensor" {
            return None;
        }
        let text = m.mac.tokens.to_string();
        let (element, dims) = match text.split_once(';') {
            Some((element, dims)) => (element.trim(), dims),
            None => ("f32", text.as_str()),
        };
        let element = match element {
            "f64" => 8,
            "f32" => 4,
            _ => return None,
        };
        let dims = dims.parse().ok()?;
        Some(TensorType {
            element,
            dims: syntax::numbers(dims)?
                .into_iter()
                .map(|n| n as u64)
                .collect(),
        })
    }
}

/// The tensors whose shape is known.
pub(super) type Shapes = HashMap<VarId, TensorType>;

impl Report<'_> {
    /// The shapes of the parameters, and of what a block without loops and branches defines.
    pub(super) fn shapes(&self) -> Shapes {
        let mut shapes = Shapes::new();
        for (v, _) in self.f.vars.iter().enumerate() {
            let ty = self.guess.declared(v).and_then(TensorType::written);
            shapes.extend(ty.map(|t| (v, t)));
        }
        for s in &self.f.body.stmts {
            if let StmtKind::Def(v, rhs) = &s.kind {
                let ty = self.shape(rhs, &shapes);
                shapes.extend(ty.map(|t| (*v, t)));
            }
        }
        shapes
    }

    fn shape(&self, rhs: &Rhs, shapes: &Shapes) -> Option<TensorType> {
        let of = |o: &Operand| {
            let place = o.place().filter(|p| p.is_var())?;
            shapes.get(&place.root).cloned()
        };
        // Of operands that are combined element by element the one of highest rank tells.
        let joint = |all: Vec<&Operand>| {
            let all = all.into_iter().filter_map(of);
            all.max_by_key(|t| t.dims.len())
        };
        match rhs {
            Rhs::Copy(o) | Rhs::Powi(o, _) => of(o),
            Rhs::Borrow(p) | Rhs::Snapshot(p) => {
                shapes.get(&p.root).filter(|_| p.is_var()).cloned()
            }
            Rhs::Op(_, o) => joint(o.iter().collect()),
            Rhs::Call { path, args } => {
                let region = self.f.region_of(path)?;
                let mut all = joint(args.iter().map(|a| &a.operand).collect())?;
                if let Some(total) = &region.total {
                    total.shorten(&mut all.dims);
                }
                Some(all)
            }
            Rhs::Method {
                receiver,
                name,
                turbofish,
                args,
            } => {
                let x = of(&receiver.operand)?;
                let other = || of(&args.first()?.operand);
                let numbers = turbofish.clone().map(syntax::numbers);
                method(
                    &name.to_string(),
                    x,
                    other,
                    numbers.flatten(),
                    is_elementwise(rhs),
                )
            }
            _ => None,
        }
    }
}

/// The shape of a method's result; `numbers` are its generic arguments.
fn method(
    name: &str,
    mut x: TensorType,
    other: impl Fn() -> Option<TensorType>,
    numbers: Option<Vec<i64>>,
    elementwise: bool,
) -> Option<TensorType> {
    let rank = x.dims.len();
    let axis = |k: usize| {
        let i = *numbers.as_ref()?.get(k)?;
        let i = if i < 0 { i + rank as i64 } else { i };
        usize::try_from(i).ok().filter(|i| *i < rank)
    };
    match name {
        _ if elementwise => {}
        "softmax" | "log_softmax" | "layer_norm" | "rms_norm" | "dropout" | "cumsum" | "flip"
        | "roll" | "clone" | "maximum" | "minimum" | "triu" | "tril" | "masked_fill" => {}
        "sum" | "mean" | "max" | "min" | "norm" | "cross_entropy" | "cross_entropy_with"
        | "nll_loss" | "nll_loss_with" | "ctc_loss" | "mse_loss" | "l1_loss" | "huber_loss"
        | "bce_with_logits" | "bce_loss" | "dot" => x.dims.clear(),
        "matmul" => {
            let b = other()?;
            match (rank, b.dims.len()) {
                (0, _) | (_, 0) => return None,
                (_, 1) => {
                    x.dims.pop();
                }
                (1, n) => x.dims = [&b.dims[..n - 2], &b.dims[n - 1..]].concat(),
                (_, n) if n <= rank => *x.dims.last_mut()? = *b.dims.last()?,
                _ => return None,
            }
        }
        "affine" | "linear" => *x.dims.last_mut()? = *other()?.dims.last()?,
        "t" => x.dims.reverse(),
        "transpose" => x.dims.swap(axis(0)?, axis(1)?),
        "sum_axis" | "mean_axis" | "max_axis" | "min_axis" => {
            x.dims.remove(axis(0)?);
        }
        "sum_axis_keepdim" | "mean_axis_keepdim" | "max_axis_keepdim" => x.dims[axis(0)?] = 1,
        "squeeze" => {
            x.dims.remove(axis(0)?);
        }
        _ => return None,
    }
    Some(x)
}

/// Whether a result shares the buffer of its operand.
pub(super) fn is_view(rhs: &Rhs) -> bool {
    match rhs {
        Rhs::Copy(_) | Rhs::Borrow(_) | Rhs::Snapshot(_) => true,
        Rhs::Method { name, .. } => {
            let name = name.to_string();
            matches!(name.as_str(), "t" | "transpose" | "squeeze" | "clone")
        }
        _ => false,
    }
}
