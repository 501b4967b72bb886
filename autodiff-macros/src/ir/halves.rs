//! Halves of `split_at_mut` that one call gets.
//!
//! The halves are parts of one variable, `v[..at]` and `v[at..]`. A call gets both from one `split_at_mut` in the emitted code
//! ([`lent_apart`](crate::code::lent_apart)), where it names nothing else of the variable.

use super::{overlap, Arg, Lend, Operand, Place, Projection};
use crate::syntax::names::SPLIT_AT;
use proc_macro2::Ident;
use syn::{Expr, RangeLimits};

/// Which arguments are halves, or parts of halves, that the call gets at once.
pub fn parted(receiver: Option<&Arg>, args: &[&Arg]) -> Vec<bool> {
    let is_parted = |k: usize| {
        let Some(p) = args[k].operand.place().filter(|p| is_in_half(p)) else {
            return false;
        };
        let of_one: Vec<&&Arg> = args.iter().filter(|a| names(a, p)).collect();
        let good = |a: &&&Arg| lends(a) && a.operand.place().is_some_and(is_in_half);
        let changed = |a: &&&Arg| a.lend != Lend::Shared;
        // With a field the call is lent all halves alike: one may be constant.
        let in_field = matches!(p.projections.first(), Some(Projection::Field(_)));
        let of_receiver = receiver.is_some_and(|r| names(r, p));
        let alike = of_one.iter().filter(|a| changed(a)).count();
        !of_receiver
            && of_one.len() > 1
            && of_one.iter().all(good)
            && if in_field {
                alike == of_one.len()
            } else {
                alike > 0
            }
    };
    (0..args.len()).map(is_parted).collect()
}

/// Whether two places that a call is lent may share something, with whether each is parted.
pub fn meet((a, a_parted): (&Place, bool), (b, b_parted): (&Place, bool)) -> bool {
    overlap(a, b) && !(a_parted && b_parted && are_apart(a, b))
}

/// Whether two places are in the two halves of one variable.
fn are_apart(a: &Place, b: &Place) -> bool {
    for pair in a.projections.iter().zip(&b.projections) {
        match pair {
            (Projection::Field(x), Projection::Field(y)) if x == y => {}
            (Projection::Range(x), Projection::Range(y)) => match (half(&x.expr), half(&y.expr)) {
                (Some((x, x_low)), Some((y, y_low))) if x == y => {
                    if x_low != y_low {
                        return true;
                    }
                }
                _ => return false,
            },
            _ => return false,
        }
    }
    false
}

/// Whether an argument names what a half is of: the variable, or the field of it.
fn names(a: &Arg, half: &Place) -> bool {
    let whole = half.up_to(half.fields().len());
    match &a.operand {
        Operand::Place { place, .. } => {
            overlap(place, &whole) || place.index_uses().any(|v| v == half.root)
        }
        Operand::Native(n) => n.uses.contains(&half.root),
    }
}

/// Whether it is lent, and no function.
fn lends(a: &Arg) -> bool {
    let by_ref = matches!(a.operand, Operand::Place { by_ref: true, .. });
    a.code.is_none() && (by_ref || a.lend != Lend::Shared)
}

/// Whether a place is a half, a half of a half, or an entry of one: `v[..at]`, `s.v[at..][k]`.
fn is_in_half(p: &Place) -> bool {
    let rest = &p.projections[p.fields().len()..];
    let halves = rest
        .iter()
        .take_while(|p| matches!(p, Projection::Range(n) if half(&n.expr).is_some()))
        .count();
    halves > 0 && rest[halves..].iter().all(Projection::is_indexed)
}

/// The position of `..at` or `at..` by `split_at`, which never changes, and whether it is the lower half.
pub fn half(e: &Expr) -> Option<(Ident, bool)> {
    let Expr::Range(r) = e else { return None };
    let (at, low) = match (&r.start, &r.end) {
        (None, Some(to)) if matches!(r.limits, RangeLimits::HalfOpen(_)) => (to, true),
        (Some(from), None) => (from, false),
        _ => return None,
    };
    let Expr::Path(at) = &**at else { return None };
    let at = at.path.get_ident()?;
    let ours = at.to_string().starts_with(&format!("__{SPLIT_AT}"));
    ours.then(|| (at.clone(), low))
}
