//! What a body says of functions that are chosen: the names that it calls, tables, chains over them.

use crate::syntax;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Expr, Pat};

/// The names that a body binds, and those that it calls.
pub(super) struct Names {
    pub(super) bound: HashSet<String>,
    pub(super) called: HashSet<String>,
    /// Those that are arguments.
    pub(super) given: HashSet<String>,
}

impl<'a> Visit<'a> for Names {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }
    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        if let Some(name) = name_of(plain(&c.func)) {
            self.called.insert(name);
        }
        for a in &c.args {
            self.given.extend(name_of(plain(a)));
        }
        visit::visit_expr_call(self, c);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        for a in &m.args {
            self.given.extend(name_of(plain(a)));
        }
        visit::visit_expr_method_call(self, m);
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// A function behind parentheses, references, casts and boxes.
pub(super) fn plain(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => plain(&p.expr),
        Expr::Group(g) => plain(&g.expr),
        Expr::Reference(r) => plain(&r.expr),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => plain(&u.expr),
        Expr::Cast(c) if matches!(&*c.ty, syn::Type::FnPtr(_)) => plain(&c.expr),
        Expr::Call(c) => match (&*c.func, c.args.first()) {
            (Expr::Path(p), Some(inner)) if syntax::segments(&p.path) == ["Box", "new"] => {
                plain(inner)
            }
            _ => e,
        },
        e => e,
    }
}

pub(super) fn name_of(e: &Expr) -> Option<String> {
    match e {
        Expr::Path(p) if p.qself.is_none() => p.path.get_ident().map(Ident::to_string),
        _ => None,
    }
}

/// The elements of an array, or of a `vec!`.
pub(super) fn elements(e: &Expr) -> Option<Vec<Expr>> {
    match e {
        Expr::Paren(p) => elements(&p.expr),
        Expr::Reference(r) => elements(&r.expr),
        Expr::Array(a) => Some(a.elems.iter().cloned().collect()),
        Expr::Macro(m) if m.mac.path.is_ident("vec") => {
            let tokens = &m.mac.tokens;
            let array: syn::ExprArray = syn::parse2(quote::quote!([#tokens])).ok()?;
            Some(array.elems.into_iter().collect())
        }
        _ => None,
    }
}

/// Binds the number of a function where a pattern binds the function.
pub(super) struct Bind<'a> {
    pub(super) name: &'a str,
    pub(super) by: &'a Ident,
}

impl VisitMut for Bind<'_> {
    fn visit_pat_mut(&mut self, p: &mut Pat) {
        let by = self.by;
        match p {
            Pat::Ident(i) if i.ident == self.name => *p = parse_quote!(#by),
            Pat::Reference(r) if matches!(&*r.pat, Pat::Ident(i) if i.ident == self.name) => {
                *p = parse_quote!(#by);
            }
            p => visit_mut::visit_pat_mut(self, p),
        }
    }
}

/// Whether a chain has new items: those of a closure.
pub(super) fn is_mapped(e: &Expr) -> bool {
    match e {
        Expr::MethodCall(m) => takes_one(&m.method) || m.method == "scan" || is_mapped(&m.receiver),
        _ => false,
    }
}

/// Whether the closures that a method is given take one item each.
pub(super) fn takes_one(method: &Ident) -> bool {
    ["map", "for_each", "flat_map", "filter_map"]
        .iter()
        .any(|m| method == m)
}
