//! Sums and means that a region may end in.

use crate::ir::*;
use crate::syntax;

/// What the values of a region are added up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Total {
    pub mean: bool,
    /// Along one axis only.
    pub axis: Option<Axis>,
}

/// An axis, counted from the end if negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    pub index: i64,
    /// It stays with size 1.
    pub keepdim: bool,
}

impl Total {
    /// The sizes of the sums, of those of what is summed.
    pub fn shorten(&self, dims: &mut Vec<u64>) {
        let Some(axis) = self.axis else {
            return dims.clear();
        };
        let index = match axis.index {
            i @ ..0 => dims.len() as i64 + i,
            i => i,
        };
        // Anything else is an error of types.
        if let Ok(at) = usize::try_from(index) {
            if axis.keepdim && at < dims.len() {
                dims[at] = 1;
            } else if at < dims.len() {
                dims.remove(at);
            }
        }
    }
}

/// `let v = of.sum();`, `let v = of.mean_axis::<1>();` and their like.
pub fn of(s: &Stmt) -> Option<(VarId, VarId, Total)> {
    let StmtKind::Def(
        v,
        Rhs::Method {
            receiver,
            name,
            turbofish,
            args,
        },
    ) = &s.kind
    else {
        return None;
    };
    let name = name.to_string();
    let axis = |keepdim| match syntax::numbers(turbofish.clone()?)?[..] {
        [index] => Some(Axis { index, keepdim }),
        _ => None,
    };
    let axis = match (name.as_str(), turbofish) {
        ("sum" | "mean", None) => None,
        ("sum_axis" | "mean_axis", Some(_)) => Some(axis(false)?),
        ("sum_axis_keepdim" | "mean_axis_keepdim", Some(_)) => Some(axis(true)?),
        _ => return None,
    };
    let total = Total {
        mean: name.starts_with("mean"),
        axis,
    };
    let of = receiver
        .operand
        .place()
        .filter(|p| p.is_var() && args.is_empty())?;
    Some((*v, of.root, total))
}
