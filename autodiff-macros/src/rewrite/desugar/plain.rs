//! Parts of tuples that carry no derivative: the positions that `topk` gives, and what the type of a
//! `let` says is made of integers.
//!
//! ```text
//! let (v, i) = x.topk::<1, 2>();      let __parts = x.topk::<1, 2>();
//!                                     let v = __parts.0;
//!                                     let i = plain(&__parts.1);
//! ```
//!
//! The bound of `plain` makes sure that no derivative is lost where a method of this name is another.

use super::tuples::parts;
use super::Desugar;
use crate::syntax::{maybe_active, ty_of};
use proc_macro2::Span;
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{parse_quote, parse_quote_spanned, Expr, ExprField, LocalInit, Member, Pat, Stmt};

/// Where the name of the method is, if an expression is a call of `topk`.
fn topk(e: &Expr) -> Option<Span> {
    match e {
        Expr::Paren(p) => topk(&p.expr),
        Expr::Group(g) => topk(&g.expr),
        Expr::MethodCall(m) if m.method == "topk" => Some(m.method.span()),
        _ => None,
    }
}

/// The names that are bound to what `topk` gives and to nothing else.
pub fn tops(body: &syn::Block) -> HashSet<String> {
    /// How often each name is bound, and how often to what `topk` gives.
    #[derive(Default)]
    struct V(HashMap<String, (usize, usize)>);
    impl<'a> Visit<'a> for V {
        fn visit_local(&mut self, l: &'a syn::Local) {
            if let (Pat::Ident(p), Some(init)) = (&l.pat, &l.init) {
                let found = self.0.entry(p.ident.to_string()).or_default();
                found.1 += usize::from(topk(&init.expr).is_some());
            }
            visit::visit_local(self, l);
        }
        fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
            self.0.entry(p.ident.to_string()).or_default().0 += 1;
            visit::visit_pat_ident(self, p);
        }
    }
    let mut v = V::default();
    v.visit_block(body);
    let only = v.0.into_iter().filter(|(_, (all, top))| all == top);
    only.map(|(name, _)| name).collect()
}

/// `whole` of `plain(&whole.1)`.
pub fn taken_from(c: &mut syn::ExprCall) -> Option<&mut Expr> {
    match (&*c.func, c.args.first_mut()) {
        (Expr::Path(p), Some(Expr::Reference(r))) if crate::syntax::is_plain(&p.path) => {
            match &mut *r.expr {
                Expr::Field(f) => Some(&mut f.base),
                _ => None,
            }
        }
        _ => None,
    }
}

fn plain(whole: &Expr, part: &Member, span: Span) -> Expr {
    parse_quote_spanned!(span=> ::differentiable::__rt::plain(&#whole.#part))
}

fn has_alternatives(part: &Pat) -> bool {
    match part {
        Pat::Type(t) => has_alternatives(&t.pat),
        part => matches!(part, Pat::Or(_)),
    }
}

impl Desugar<'_> {
    /// `x.topk::<1, 2>().1`, and `top.1` of a name for it.
    pub(super) fn plain_part(&self, f: &ExprField) -> Option<Expr> {
        let named = crate::syntax::root_name(&f.base).filter(|n| self.tops.contains(n));
        let of_name = matches!(&*f.base, Expr::Path(_)) && named.is_some();
        let span = match topk(&f.base) {
            Some(span) => span,
            None if of_name => f.member.span(),
            None => return None,
        };
        let second = matches!(&f.member, Member::Unnamed(i) if i.index == 1);
        (second && maybe_active(&f.base, self.active)).then(|| plain(&f.base, &f.member, span))
    }

    /// `let (v, i) = x.topk::<1, 2>();`, `let (v, i): (V, Tensor![i64; 3]) = f(x);`
    pub(super) fn split_plain(&mut self, pat: &Pat, init: &LocalInit) -> Option<Vec<Stmt>> {
        let (value, parts) = (&init.expr, parts(pat)?);
        let top = topk(value);
        let discrete = |(i, p): (usize, &Pat)| {
            let typed = matches!(p, Pat::Type(t) if ty_of(&t.ty).is_discrete());
            typed || top.is_some() && parts.len() == 2 && i == 1
        };
        let any = parts.iter().enumerate().any(discrete);
        // A `let` of its own has no alternatives.
        if !any
            || parts.iter().any(has_alternatives)
            || init.diverge.is_some()
            || !maybe_active(value, self.active)
        {
            return None;
        }
        let name = self.fresh("parts");
        let whole: Stmt = match pat {
            Pat::Type(t) => {
                let ty = &t.ty;
                parse_quote!(let #name: #ty = #value;)
            }
            _ => parse_quote!(let #name = #value;),
        };
        let mut out = vec![whole];
        for (i, p) in parts.iter().enumerate() {
            let member = Member::from(i);
            let part: Expr = match discrete((i, p)) {
                _ if matches!(p, Pat::Wild(_)) => continue,
                true => plain(
                    &parse_quote!(#name),
                    &member,
                    top.unwrap_or_else(|| p.span()),
                ),
                false => parse_quote!(#name.#member),
            };
            // A part that stands in a tuple alone, such as `| a`, is left to rustc.
            out.push(syn::parse2(quote::quote!(let #p = #part;)).ok()?);
        }
        Some(out)
    }
}
