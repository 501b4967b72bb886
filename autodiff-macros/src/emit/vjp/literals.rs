//! The type of a loop over literals.
//!
//! Nothing in `for n in 1..100` says what `n` is; what the body does with it says so. The reverse pass may do less with it, and an
//! integer of which nothing is said is an `i32`. So a value without a size has the type in the forward pass, `like3`, and
//! both passes take an end of the range through it: `1..like3.of(100)`.

use super::straight::mentions;
use super::{Emitted, Vjp};
use crate::ir::{Func, StmtKind};
use crate::syntax::names::ident;
use proc_macro2::Ident;
use quote::quote;
use syn::{parse_quote, Expr, Lit, UnOp};

impl Vjp<'_> {
    pub fn emit(&self) -> Emitted {
        let Some((f, likes)) = typed(self.f) else {
            return self.emit_all();
        };
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

/// The function with the ends of such loops taken through these names.
fn typed(f: &Func) -> Option<(Func, Vec<Ident>)> {
    let range =
        |s: &StmtKind| matches!(s, StmtKind::For { range, .. } if is_of_literals(&range.expr));
    f.body.deep().any(|s| range(&s.kind)).then_some(())?;
    let (mut f, mut likes) = (f.clone(), Vec::new());
    f.body.each_mut(&mut |s| {
        let StmtKind::For { range, id, .. } = &mut s.kind else {
            return;
        };
        if !is_of_literals(&range.expr) {
            return;
        }
        let like = ident(format!("like{id}"));
        if let Some(end) = range_end(&mut range.expr) {
            *end = parse_quote!(#like.of(#end));
            likes.push(like);
        }
    });
    Some((f, likes))
}

/// `1..100`, `(0..=9).step_by(3)`
fn is_of_literals(e: &Expr) -> bool {
    fn literal(e: &Expr) -> bool {
        match e {
            Expr::Lit(l) => matches!(&l.lit, Lit::Int(i) if i.suffix().is_empty()),
            Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => literal(&u.expr),
            Expr::Paren(p) => literal(&p.expr),
            _ => false,
        }
    }
    match e {
        Expr::Range(r) => {
            let mut ends = [&r.start, &r.end].into_iter();
            ends.all(|e| e.as_deref().is_some_and(literal))
        }
        Expr::Paren(p) => is_of_literals(&p.expr),
        Expr::MethodCall(m) => is_of_literals(&m.receiver),
        _ => false,
    }
}

fn range_end(e: &mut Expr) -> Option<&mut Expr> {
    match e {
        Expr::Range(r) => r.end.as_deref_mut(),
        Expr::Paren(p) => range_end(&mut p.expr),
        Expr::MethodCall(m) => range_end(&mut m.receiver),
        _ => None,
    }
}
