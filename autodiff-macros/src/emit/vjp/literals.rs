//! The type of literals that the reverse pass writes again.
//!
//! Nothing in `for n in 1..100` or `let n = 100;` says what `n` is; what the body does with it says so. The reverse pass may do less
//! with it, and an integer of which nothing is said is an `i32`. So a value without a size has the type in the forward pass,
//! `like3`, and both passes take the literal through it: `1..like3.of(100)`.

use super::straight::mentions;
use super::{Emitted, Vjp};
use crate::ir::{Func, Rhs, StmtKind, VarId};
use crate::syntax::names::{derived, ident};
use proc_macro2::Ident;
use quote::quote;
use std::collections::HashSet;
use syn::{parse_quote, Expr, Lit};

impl Vjp<'_> {
    pub fn emit(&self) -> Emitted {
        let (f, likes) = typed(self.f, &self.needs.again);
        if likes.is_empty() {
            return self.emit_all();
        }
        let mut emitted = self.within(&f).emit_all();
        let all = [&emitted.forward, &emitted.reverse];
        let named = likes
            .into_iter()
            .filter(|l| all.iter().any(|code| mentions(code, l)));
        let defined = named.map(|l| quote!(let #l = ad::Like::new();));
        let forward = &emitted.forward;
        emitted.forward = quote!(#(#defined)* #forward);
        emitted
    }
}

/// The function with such literals taken through these names: ends of ranges, and values that are computed `again`.
fn typed(f: &Func, again: &HashSet<VarId>) -> (Func, Vec<Ident>) {
    let (mut f, mut likes) = (f.clone(), Vec::new());
    let vars = &f.vars;
    f.body.each_mut(&mut |s| {
        let (like, literal) = match &mut s.kind {
            StmtKind::For { range, id, .. } => match end_of_literals(&mut range.expr) {
                Some(end) => (ident(format!("like{id}")), end),
                None => return,
            },
            StmtKind::Def(v, Rhs::Native(n)) if again.contains(v) && is_literal(&n.expr) => {
                (derived("like_", &vars[*v].name), &mut n.expr)
            }
            _ => return,
        };
        *literal = parse_quote!(#like.of(#literal));
        likes.push(like);
    });
    (f, likes)
}

/// Whether an expression is made of numbers without a type: `100`, `-(3)`, `2 * 50`.
fn is_literal(e: &Expr) -> bool {
    match e {
        Expr::Lit(l) => match &l.lit {
            Lit::Int(n) => n.suffix().is_empty(),
            Lit::Float(x) => x.suffix().is_empty(),
            _ => false,
        },
        Expr::Unary(u) => is_literal(&u.expr),
        Expr::Paren(p) => is_literal(&p.expr),
        Expr::Binary(b) => is_literal(&b.left) && is_literal(&b.right),
        _ => false,
    }
}

/// The end of a range of literals: `1..100`, `(0..=9).step_by(3)`.
fn end_of_literals(e: &mut Expr) -> Option<&mut Expr> {
    match e {
        Expr::Range(r) => {
            let start = r.start.as_deref()?;
            let end = r.end.as_deref_mut()?;
            (is_literal(start) && is_literal(end)).then_some(end)
        }
        Expr::Paren(p) => end_of_literals(&mut p.expr),
        Expr::MethodCall(m) => end_of_literals(&mut m.receiver),
        _ => None,
    }
}
