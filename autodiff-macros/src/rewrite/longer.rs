//! Vectors that get longer in a loop, and are lent there.
//!
//! `dot(row, &x)` in a loop that pushes to `x` is written as `{ let n = x.len(); dot(row, &x[..n]) }` where the file says that `dot` takes
//! a slice: the entries that it reads stay as they are, so that the reverse pass needs no copy of them.

use super::Source;
use crate::syntax::definitions::Definitions;
use crate::syntax::names::ident;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Expr, ExprCall, FnArg, Stmt, Type};

/// Rewrites the calls in a body.
pub fn bounded(body: &mut syn::Block, source: &Source<'_>) {
    let mut calls = Calls {
        file: &source.cx.definitions,
        pushed: Vec::new(),
        bound: bound_in(body),
    };
    calls.visit_block_mut(body);
}

struct Calls<'a> {
    file: &'a Definitions,
    /// The vectors that each of the loops around pushes to.
    pushed: Vec<HashSet<String>>,
    /// Names that patterns give: one may be that of a closure.
    bound: HashSet<String>,
}

impl Calls<'_> {
    /// A call that borrows a vector that gets longer, of which it takes a slice.
    fn with_lengths(&self, c: &ExprCall) -> Option<Expr> {
        let Expr::Path(f) = &*c.func else { return None };
        let longer = |e: &Expr| {
            let x = borrowed(e)?.clone();
            let pushed = self.pushed.iter().any(|all| all.contains(&x.to_string()));
            pushed.then_some(x)
        };
        if !c.args.iter().any(|a| longer(a).is_some()) || !c.args.iter().all(is_simple) {
            return None;
        }
        let name = f.path.get_ident()?.to_string();
        if self.bound.contains(&name) {
            return None;
        }
        let sig = self.file.signature(&name)?;
        let (mut call, mut lengths) = (c.clone(), Vec::new());
        for (arg, input) in call.args.iter_mut().zip(&sig.inputs) {
            if let (Some(x), FnArg::Typed(input)) = (longer(arg), input) {
                if matches!(&*input.ty, Type::Reference(r) if matches!(&*r.elem, Type::Slice(_))) {
                    let n = ident(format!("__length{}", lengths.len()));
                    lengths.push(parse_quote!(let #n = #x.len();));
                    *arg = parse_quote!(&#x[..#n]);
                }
            }
        }
        let lengths: Vec<Stmt> = lengths;
        (!lengths.is_empty()).then(|| parse_quote!({ #(#lengths)* #call }))
    }
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let body = match e {
            Expr::ForLoop(f) => Some(&f.body),
            Expr::While(w) => Some(&w.body),
            Expr::Loop(l) => Some(&l.body),
            _ => None,
        };
        let around = self.pushed.len();
        self.pushed.extend(body.map(pushed_in));
        // The call before its arguments, which stay as they are written until then.
        let call = match e {
            Expr::Call(c) => self.with_lengths(c),
            _ => None,
        };
        if let Some(call) = call {
            *e = call;
        }
        visit_mut::visit_expr_mut(self, e);
        self.pushed.truncate(around);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The names of the vectors that get another entry.
fn pushed_in(body: &syn::Block) -> HashSet<String> {
    struct Pushes(HashSet<String>);
    impl Visit<'_> for Pushes {
        fn visit_expr_method_call(&mut self, m: &syn::ExprMethodCall) {
            if let (true, Expr::Path(p)) = (m.method == "push", &*m.receiver) {
                self.0.extend(p.path.get_ident().map(ToString::to_string));
            }
            visit::visit_expr_method_call(self, m);
        }
    }
    let mut pushes = Pushes(HashSet::new());
    pushes.visit_block(body);
    pushes.0
}

fn bound_in(body: &syn::Block) -> HashSet<String> {
    struct Bound(HashSet<String>);
    impl Visit<'_> for Bound {
        fn visit_pat_ident(&mut self, p: &syn::PatIdent) {
            self.0.insert(p.ident.to_string());
        }
    }
    let mut bound = Bound(HashSet::new());
    bound.visit_block(body);
    bound.0
}

/// The name of `&x`.
fn borrowed(e: &Expr) -> Option<&syn::Ident> {
    match e {
        Expr::Reference(r) if r.mutability.is_none() => match &*r.expr {
            Expr::Path(p) => p.path.get_ident(),
            _ => None,
        },
        _ => None,
    }
}

/// Whether no vector of the function changes where an argument is evaluated.
fn is_simple(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Call(c) => matches!(&*c.func, Expr::Path(_)) && c.args.iter().all(is_simple),
        Expr::Reference(r) => r.mutability.is_none() && is_simple(&r.expr),
        Expr::Field(f) => is_simple(&f.base),
        Expr::Paren(p) => is_simple(&p.expr),
        Expr::Unary(u) => is_simple(&u.expr),
        Expr::Binary(b) => {
            is_simple(&b.left) && is_simple(&b.right) && !crate::syntax::is_assign_op(&b.op)
        }
        Expr::Index(i) => is_simple(&i.expr) && is_simple(&i.index),
        Expr::Range(r) => {
            let mut ends = r.start.iter().chain(&r.end);
            ends.all(|e| is_simple(e))
        }
        _ => false,
    }
}
