//! Swaps, which an earlier step writes as calls: `v.swap(i, j)` as `swap_entries(&mut v[..], i, j)`, and
//! `std::mem::swap(&mut a.x, &mut b.y)` as `swap(&mut a.x, &mut b.y)`.
//!
//! Variables and vectors change places, and so do their cotangents: these stay calls, which copy nothing. Numbers are
//! assigned: later passes see which entries change.

use crate::ir::Stmt;
use crate::lower::Lower;
use crate::syntax::{self, names::ident, ty::Ty};
use syn::{parse_quote, Expr, ExprCall};

impl Lower<'_> {
    /// A swap as assignments, unless what changes places is known to be no numbers.
    pub(super) fn swap_as_assignments(&mut self, c: &ExprCall, out: &mut Vec<Stmt>) -> bool {
        let Some((a, b)) = self.swapped(c) else {
            return false;
        };
        let t = ident("__swapped".into());
        self.active.insert(t.to_string());
        let assigned: Expr = parse_quote!({
            let #t = #a.clone();
            #a = #b.clone();
            #b = #t;
        });
        self.stmt_expr(&assigned, out);
        true
    }

    /// The two places, if they are to be assigned.
    fn swapped(&self, c: &ExprCall) -> Option<(Expr, Expr)> {
        let Expr::Path(p) = &*c.func else {
            return None;
        };
        let segments = syntax::segments(&p.path);
        let [.., rt, name] = segments.as_slice() else {
            return None;
        };
        let all: Vec<&Expr> = c.args.iter().collect();
        match (rt.as_str(), name.as_str(), all.as_slice()) {
            ("__rt", "swap_entries", [Expr::Reference(lent), i, j]) => {
                let Expr::Index(of) = &*lent.expr else {
                    return None;
                };
                let v = &of.expr;
                let (a, b): (Expr, Expr) = (parse_quote!(#v[#i]), parse_quote!(#v[#j]));
                let entry = self.typed(&a);
                entry.is_none_or(|of| of.is_copy()).then_some((a, b))
            }
            ("__rt", "swap", [Expr::Reference(a), Expr::Reference(b)]) => {
                let places = [&*a.expr, &*b.expr];
                let variables = places.iter().all(|e| matches!(e, Expr::Path(_)));
                let vectors = places.iter().all(|e| is_field(e) && self.is_vector(e));
                let [a, b] = places.map(Clone::clone);
                (!variables && !vectors).then_some((a, b))
            }
            _ => None,
        }
    }

    /// Whether a place is known to hold a vector of numbers.
    fn is_vector(&self, e: &Expr) -> bool {
        let vector = self.typed(e).filter(|of| !of.is_copy());
        matches!(vector.and_then(|of| of.numbers()), Some(Ty::Seq(_)))
    }
}

/// Whether this is the field of a variable.
fn is_field(e: &Expr) -> bool {
    matches!(e, Expr::Field(f) if matches!(*f.base, Expr::Path(_)))
}
