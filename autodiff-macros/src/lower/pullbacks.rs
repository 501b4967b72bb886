//! Operators of other functions that give a function: `let (value, pullback) = g::vjp(x, y);` and
//! `let (value, derivative) = g::linearize(x, y);`.
//!
//! What they give keeps its arguments, and each use of it is a call:
//!
//! ```text
//! let (a, b) = (x.clone(), y.clone());
//! let value = g(a, &b);
//! let pullback = |ct| g::__pulled(a, &b, ct);
//! ```

use crate::ir::Stmt;
use crate::lower::Lower;
use crate::syntax;
use proc_macro2::{Ident, Span};
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{parse_quote, Expr, Pat};

impl Lower<'_> {
    /// Lowers such a `let`, if this is one.
    pub(super) fn taken_apart(&mut self, l: &syn::Local, out: &mut Vec<Stmt>) -> bool {
        let Some(statements) = self.operator_that_gives_a_function(l) else {
            return false;
        };
        self.stmts_of(&statements, out);
        true
    }

    fn operator_that_gives_a_function(&mut self, l: &syn::Local) -> Option<syn::Block> {
        let (Pat::Tuple(pat), Expr::Call(c)) = (&l.pat, &*l.init.as_ref()?.expr) else {
            return None;
        };
        let (first, Pat::Ident(function)) = (pat.elems.first()?, pat.elems.get(1)?) else {
            return None;
        };
        let Expr::Path(p) = &*c.func else { return None };
        let segments = syntax::segments(&p.path);
        let [.., owner, operator] = segments.as_slice() else {
            return None;
        };
        let operator = operator.as_str();
        // A function of a module may have the name, which gives no function.
        let tangents = *self.called.get(&function.ident.to_string())?;
        if !["vjp", "linearize"].contains(&operator) || pat.elems.len() != 2 {
            return None;
        }
        if owner.starts_with(char::is_uppercase) || p.qself.is_some() || c.args.is_empty() {
            return None;
        }
        let with = |name: &str| {
            let mut path = p.path.clone();
            if let Some(last) = path.segments.last_mut() {
                last.ident = Ident::new(name, last.ident.span());
            }
            path
        };
        let owners = p.path.segments.len() - 1;
        let plain = syn::Path {
            leading_colon: p.path.leading_colon,
            segments: p.path.segments.iter().take(owners).cloned().collect(),
        };
        let id = self.vars.len();
        let (mut kept, mut lent) = (Vec::<syn::Stmt>::new(), Vec::<Expr>::new());
        for (k, e) in c.args.iter().enumerate() {
            let name = Ident::new(&format!("__kept{k}_{id}"), Span::mixed_site());
            let (value, by_ref): (Expr, bool) = match e {
                Expr::Reference(r) => match &*r.expr {
                    Expr::Index(i) if matches!(&*i.index, Expr::Range(_)) => {
                        (parse_quote!((#i).to_vec()), true)
                    }
                    e => (parse_quote!((#e).clone()), true),
                },
                e if self.is_ref_var(e) => (parse_quote!(#e.clone()), true),
                e if syntax::root_name(e).is_some() => (parse_quote!(#e.clone()), false),
                e => (e.clone(), false),
            };
            if self.maybe_active(e) {
                self.active.insert(name.to_string());
            }
            kept.push(parse_quote!(let #name = #value;));
            let again: Expr = match by_ref {
                true => parse_quote!(&#name),
                false => parse_quote!(#name.clone()),
            };
            lent.push(again);
        }
        let value: Option<syn::Stmt> = match first {
            Pat::Wild(_) => None,
            first => Some(parse_quote!(let #first = #plain(#(#lent),*);)),
        };
        let name = &function.ident;
        let function: Expr = match operator {
            "vjp" => {
                let ct = Ident::new(&format!("__of_value_{id}"), Span::mixed_site());
                let of = with("__pulled");
                self.active.insert(ct.to_string());
                parse_quote!(|#ct| #of(#(#lent,)* #ct))
            }
            _ => {
                // Those of the arguments that are not constant: as many as it is called with.
                let tangents = (0..tangents)
                    .map(|k| Ident::new(&format!("__along{k}_{id}"), Span::mixed_site()));
                let tangents: Vec<_> = tangents.collect();
                self.active.extend(tangents.iter().map(Ident::to_string));
                let of = with("__along");
                parse_quote!(|#(#tangents),*| #of(#(#lent,)* #(#tangents),*).1)
            }
        };
        Some(parse_quote!({ #(#kept)* #value let #name = #function; }))
    }
}

/// The names in a body that are called, and with how many arguments.
pub(super) fn called_names(body: &syn::Block) -> HashMap<String, usize> {
    struct Called(HashMap<String, usize>);
    impl<'a> Visit<'a> for Called {
        fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
            let name = match &*c.func {
                Expr::Path(p) => p.path.get_ident(),
                _ => None,
            };
            if let Some(name) = name {
                self.0.insert(name.to_string(), c.args.len());
            }
            visit::visit_expr_call(self, c);
        }
    }
    let mut called = Called(HashMap::new());
    called.visit_block(body);
    called.0
}
