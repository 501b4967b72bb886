//! Ranges with a name, written out where they are used.
//!
//! | as written | as it becomes |
//! |---|---|
//! | `let rows = a..f(b); for i in rows.clone() { .. }` | `let end = f(b); .. for i in (a..end) { .. }` |
//! | `part: Range<usize>`, `for i in part { .. }` | `for i in (part.start..part.end) { .. }` |
//!
//! The variable stays for its other uses. One that is `mut` can change, and is left alone.

use super::named::{once, Put, Uses};
use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, Pat, Stmt, Type};

/// Writes out the ranges that `let`s bind, and the parameters whose type is a range.
pub fn inline<'t>(params: impl Iterator<Item = (&'t Ident, &'t Type)>, body: &mut Block) {
    Ranges { count: 0 }.visit_block_mut(body);
    for (name, ty) in params {
        if let Some(range) = of_type(name, ty) {
            put(&mut body.stmts, name, &range);
        }
    }
}

struct Ranges {
    count: usize,
}

impl VisitMut for Ranges {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let mut i = 0;
        while i < b.stmts.len() {
            if let Some((name, setup, range)) = self.named(&b.stmts[i]) {
                if put(&mut b.stmts[i + 1..], &name, &range) {
                    let last = i + setup.len() - 1;
                    b.stmts.splice(i..=i, setup);
                    i = last;
                }
            }
            i += 1;
        }
        visit_mut::visit_block_mut(self, b);
    }
}

impl Ranges {
    /// The name, what makes the range there, and the range.
    fn named(&mut self, s: &Stmt) -> Option<(Ident, Vec<Stmt>, Expr)> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (pat, ty) = match &l.pat {
            Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            pat => (pat, None),
        };
        let name = match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
                &p.ident
            }
            _ => return None,
        };
        let mut setup = Vec::new();
        let range = match (&*init.expr, ty) {
            (e @ Expr::Range(r), None) if r.start.is_some() && r.end.is_some() => {
                let range = once(&mut self.count, "end", e, &mut setup)?;
                setup.push(parse_quote!(let #name = #range;));
                parse_quote!((#range))
            }
            (_, Some(ty)) => {
                setup.push(s.clone());
                of_type(name, ty)?
            }
            _ => return None,
        };
        Some((name.clone(), setup, range))
    }
}

/// The range in a variable of this type.
fn of_type(name: &Ident, ty: &Type) -> Option<Expr> {
    match ty {
        Type::Reference(r) if r.mutability.is_none() => of_type(name, &r.elem),
        Type::Paren(p) => of_type(name, &p.elem),
        Type::Group(g) => of_type(name, &g.elem),
        Type::Path(p) => match p.path.segments.last()?.ident.to_string().as_str() {
            "Range" => Some(parse_quote!((#name.start..#name.end))),
            "RangeInclusive" => Some(parse_quote!((*#name.start()..=*#name.end()))),
            _ => None,
        },
        _ => None,
    }
}

/// Puts the range where its name is looped over, unless another variable has the name.
fn put(rest: &mut [Stmt], name: &Ident, range: &Expr) -> bool {
    if !Uses::of(rest, name).are_its() {
        return false;
    }
    let mut put = Loops(Put { name, chain: range });
    rest.iter_mut().for_each(|s| put.visit_stmt_mut(s));
    true
}

/// What is looped over, and what begins a chain.
struct Loops<'a>(Put<'a>);

impl VisitMut for Loops<'_> {
    fn visit_expr_for_loop_mut(&mut self, f: &mut syn::ExprForLoop) {
        self.0.put(&mut f.expr);
        visit_mut::visit_expr_for_loop_mut(self, f);
    }
    fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
        if super::named::is_chained(&m.method) {
            self.0.put(&mut m.receiver);
        }
        visit_mut::visit_expr_method_call_mut(self, m);
    }
    fn visit_expr_index_mut(&mut self, i: &mut syn::ExprIndex) {
        self.0.put(&mut i.index);
        if let Expr::Paren(p) = &*i.index {
            if matches!(*p.expr, Expr::Range(_)) {
                i.index = p.expr.clone();
            }
        }
        visit_mut::visit_expr_index_mut(self, i);
    }
}
