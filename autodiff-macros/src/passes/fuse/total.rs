//! Sums and means that a region may end in.

use crate::ir::region::{Axis, Total};
use crate::ir::*;
use crate::syntax;

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
