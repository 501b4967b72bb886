//! `v.swap(i, j)`, which an earlier step writes as `swap_entries(&mut v[..], i, j)`.
//!
//! Rows change places, and so do their cotangents: that is a call, which copies nothing. Numbers are assigned: later passes see which
//! entries change.

use crate::ir::Stmt;
use crate::lower::Lower;
use crate::syntax::{self, names::ident};
use syn::{parse_quote, Expr, ExprCall};

impl Lower<'_> {
    /// The swap as assignments, unless its entries are known to be no numbers.
    pub(super) fn swap_as_assignments(&mut self, c: &ExprCall, out: &mut Vec<Stmt>) -> bool {
        let Some((v, i, j)) = swapped(c) else {
            return false;
        };
        let entry = self.typed(&parse_quote!(#v[#i]));
        if entry.is_some_and(|of| !of.is_copy()) {
            return false;
        }
        let t = ident("__swapped".into());
        self.active.insert(t.to_string());
        let assigned: Expr = parse_quote!({
            let #t = #v[#i].clone();
            #v[#i] = #v[#j].clone();
            #v[#j] = #t;
        });
        self.stmt_expr(&assigned, out);
        true
    }
}

/// Of `swap_entries(&mut v[..], i, j)` the sequence and the indices.
fn swapped(c: &ExprCall) -> Option<(&Expr, &Expr, &Expr)> {
    let Expr::Path(p) = &*c.func else {
        return None;
    };
    let emitted = matches!(syntax::segments(&p.path).as_slice(), [.., rt, name]
        if rt == "__rt" && name == "swap_entries");
    let all: Vec<&Expr> = c.args.iter().collect();
    let (true, [Expr::Reference(lent), i, j]) = (emitted, all.as_slice()) else {
        return None;
    };
    let Expr::Index(of) = &*lent.expr else {
        return None;
    };
    Some((&of.expr, i, j))
}
