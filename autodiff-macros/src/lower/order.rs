//! Assignments to places whose indices change something, or are changed by the value.
//!
//! Rust evaluates the value of `place = value` before the place. Of `place += value` it evaluates the value first
//! where both are numbers, and the place first where the operator is a method of a type. What is evaluated gets a
//! name here, in that order:
//!
//! ```text
//! s[next(&mut k)] = x[k];      let v = x[k];
//!                              let i = next(&mut k);
//!                              s[i] = v;
//! ```

use crate::ir::{Place, Projection, Rhs, Stmt, StmtKind, Ty};
use crate::lower::Lower;
use crate::syntax;
use crate::syntax::ty::elem;
use crate::syntax::writes::written_names;
use proc_macro2::{Ident, Span};
use std::collections::HashSet;
use syn::{parse_quote, BinOp, Expr};

/// The indices of a place, from the variable on.
fn indices<'e>(place: &'e mut Expr, found: &mut Vec<&'e mut Expr>) {
    match place {
        Expr::Paren(p) => indices(&mut p.expr, found),
        Expr::Group(g) => indices(&mut g.expr, found),
        Expr::Field(f) => indices(&mut f.base, found),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => indices(&mut u.expr, found),
        Expr::Index(i) => {
            indices(&mut i.expr, found);
            match &mut *i.index {
                Expr::Range(r) => {
                    let ends = [&mut r.start, &mut r.end].into_iter().flatten();
                    found.extend(ends.map(|e| &mut **e));
                }
                index => found.push(index),
            }
        }
        _ => {}
    }
}

impl Lower<'_> {
    /// Lowers `place = value`, or `place op= value`, in the order of evaluation, if it matters here.
    pub(super) fn assign_in_order(
        &mut self,
        place: &Expr,
        op: Option<&BinOp>,
        value: &Expr,
        out: &mut Vec<Stmt>,
    ) -> bool {
        let mut named = place.clone();
        let mut found = Vec::new();
        indices(&mut named, &mut found);
        let changes = found.iter().any(|i| self.may_change(i));
        let matters = changes || op.is_some() && self.changed_by(&found, value);
        if !matters {
            return false;
        }
        // Names of their own, since what carries a derivative is known by its name.
        let id = self.vars.len();
        let fresh = |what: &str| Ident::new(&format!("__{what}_{id}"), Span::mixed_site());
        let (mut names, mut values): (Vec<Ident>, Vec<Expr>) = (Vec::new(), Vec::new());
        for (k, index) in found.into_iter().enumerate() {
            let name = fresh(&format!("index{k}"));
            values.push(std::mem::replace(index, parse_quote!(#name)));
            names.push(name);
        }
        let [v, first, early] = ["assigned", "first", "early"].map(fresh);
        if self.maybe_active(value) {
            self.active.insert(v.to_string());
        }
        let statements: syn::Block = match op {
            None => parse_quote!({ let #v = #value; #(let #names = #values;)* #named = #v; }),
            Some(op) if self.is_number(place) && !self.is_borrowed(value) => {
                parse_quote!({ let #v = #value; #(let #names = #values;)* #named #op #v; })
            }
            Some(op) if self.is_borrowed(value) => {
                parse_quote!({ #(let #names = #values;)* #named #op #value; })
            }
            Some(op) => parse_quote!({
                let #first: bool = ::differentiable::no_grad!({
                    use ::differentiable::__rt::OverloadedPlace as _;
                    let place = if false {
                        ::core::option::Option::Some(::differentiable::__rt::PlaceOf::new(&#place))
                    } else {
                        ::core::option::Option::None
                    };
                    ::differentiable::__rt::PlaceOf::known(place).comes_first()
                });
                let #early = if #first {
                    ::core::option::Option::Some((#(#values,)*))
                } else {
                    ::core::option::Option::None
                };
                let #v = #value;
                let (#(#names,)*) = match #early {
                    ::core::option::Option::Some(early) => early,
                    ::core::option::Option::None => (#(#values,)*),
                };
                #named #op #v;
            }),
        };
        self.push_env();
        self.stmts_of(&statements, out);
        self.pop_env();
        true
    }

    /// Names the indices that may change, so that the place stays the same.
    pub(super) fn fix_indices(&mut self, place: &mut Place, out: &mut Vec<Stmt>) {
        for projection in &mut place.projections {
            let (n, is_range) = match projection {
                Projection::Index(n) => (n, false),
                Projection::Spot(s) => (&mut s.index, false),
                Projection::Range(n) => (n, true),
                _ => continue,
            };
            let fixed = n.cheap && n.uses.iter().all(|v| !self.vars[*v].mutable);
            if fixed {
                continue;
            }
            let var = self.temp(Ty::Discrete, place.span);
            self.push(out, StmtKind::Def(var, Rhs::Native(n.clone())), place.span);
            self.vars[var].defined = self.point();
            *n = self.native_var(var);
            if is_range {
                let e = &n.expr;
                n.expr = syn::parse_quote!(#e.clone());
            }
        }
    }

    /// Whether evaluating the value may change what the indices are made of: a generator may have a cell of another file.
    fn changed_by(&self, indices: &[&mut Expr], value: &Expr) -> bool {
        let written: HashSet<String> = written_names(value).into_iter().collect();
        indices.iter().any(|i| syntax::mentions(i, &written))
    }

    fn is_borrowed(&self, value: &Expr) -> bool {
        matches!(value, Expr::Reference(_)) || self.is_ref_var(value)
    }

    /// Whether a place is a number, as far as its syntax tells.
    fn is_number(&self, place: &Expr) -> bool {
        fn ty(l: &Lower<'_>, place: &Expr) -> Ty {
            match place {
                Expr::Paren(p) => ty(l, &p.expr),
                Expr::Group(g) => ty(l, &g.expr),
                Expr::Unary(u) => ty(l, &u.expr),
                Expr::Index(i) if !matches!(&*i.index, Expr::Range(_)) => elem(&ty(l, &i.expr)),
                Expr::Path(_) => {
                    syntax::root_name(place)
                        .and_then(|n| l.lookup(&n))
                        .map_or(Ty::Unknown, |v| match &l.vars[v].alias {
                            Some(alias) => alias.ty.clone(),
                            None => l.vars[v].ty.clone(),
                        })
                }
                _ => Ty::Unknown,
            }
        }
        ty(self, place).is_float()
    }
}
