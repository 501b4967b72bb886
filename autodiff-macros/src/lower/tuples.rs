//! Tuples that hold references: `let (base, v) = match e { E::A { v } => (1.0, v), E::B { v, w } => (*w, v) };`
//!
//! A pullback holds no reference, and neither does a tuple that it keeps: in emitted code such a part is a copy of what
//! it refers to. Which parts these are is remembered here, so that `*t.1`, and the name that a pattern gives such a
//! part, mean the copy.

use crate::ir::*;
use crate::lower::Lower;
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Member};

/// The parts of a tuple that the user wrote as references, each with where it stands in tuples in tuples.
#[derive(Default)]
pub struct LentParts(HashMap<VarId, Vec<Vec<u32>>>);

/// Where in tuples in tuples a part stands, if it is one.
fn path(p: &Place) -> Option<Vec<u32>> {
    let of = |p: &Projection| match p {
        Projection::Field(Member::Unnamed(i)) => Some(i.index),
        _ => None,
    };
    p.projections.iter().map(of).collect()
}

impl LentParts {
    /// Whether a place is such a part.
    pub fn contains(&self, p: &Place) -> bool {
        let parts = self.0.get(&p.root);
        parts.is_some_and(|parts| path(p).is_some_and(|path| parts.contains(&path)))
    }

    /// Such parts of a place.
    fn inside(&self, p: &Place) -> Vec<Vec<u32>> {
        let (Some(parts), Some(path)) = (self.0.get(&p.root), path(p)) else {
            return Vec::new();
        };
        let inside = parts.iter().filter_map(|part| part.strip_prefix(&path[..]));
        inside
            .filter(|rest| !rest.is_empty())
            .map(<[u32]>::to_vec)
            .collect()
    }

    fn of(&self, rhs: &Rhs) -> Vec<Vec<u32>> {
        match rhs {
            Rhs::Copy(Operand::Place { place, .. }) | Rhs::Snapshot(place) => self.inside(place),
            Rhs::GetLate(v) => self.0.get(v).cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    fn note(&mut self, var: VarId, parts: Vec<Vec<u32>>) {
        if !parts.is_empty() {
            let known = self.0.entry(var).or_default();
            known.extend(parts);
            known.sort();
            known.dedup();
        }
    }

    /// A variable has the value of an operation.
    pub fn defined(&mut self, var: VarId, rhs: &Rhs) {
        let parts = self.of(rhs);
        self.note(var, parts);
    }

    /// A variable gets the value of an operand, among others.
    pub fn stored(&mut self, var: VarId, value: &Operand) {
        if let Some(place) = value.place() {
            let parts = self.inside(place);
            self.note(var, parts);
        }
    }
}

impl Lower<'_> {
    /// A tuple, with copies for references.
    pub fn tuple(&mut self, t: &syn::ExprTuple, out: &mut Vec<Stmt>) -> Rhs {
        let mut operands = self.operands(&t.elems.iter().collect::<Vec<_>>(), out);
        let mut lent = Vec::new();
        for (k, (o, e)) in (0..).zip(operands.iter_mut().zip(&t.elems)) {
            match o {
                Operand::Place {
                    place,
                    by_ref: true,
                } => {
                    let (ty, span) = (place.ty.clone(), place.span);
                    *o = self.define(Rhs::Snapshot(place.clone()), ty, span, out);
                    lent.push(vec![k]);
                }
                Operand::Place {
                    place,
                    by_ref: false,
                } => {
                    let parts = self.lent_parts.inside(place);
                    lent.extend(parts.into_iter().map(|part| [vec![k], part].concat()));
                }
                Operand::Native(n) if self.is_shared_reference(e) => {
                    let e = &n.expr;
                    n.expr = syn::parse_quote!(::std::borrow::ToOwned::to_owned(#e));
                    lent.push(vec![k]);
                }
                Operand::Native(_) => {}
            }
        }
        let tuple = Rhs::Tuple(operands);
        if lent.is_empty() {
            return tuple;
        }
        let whole = self.define(tuple, Ty::Unknown, syn::spanned::Spanned::span(t), out);
        if let Some(p) = whole.place() {
            self.lent_parts.note(p.root, lent);
        }
        Rhs::Copy(whole)
    }

    /// Whether code without a derivative is a reference, as far as its syntax tells.
    fn is_shared_reference(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_shared_reference(&p.expr),
            Expr::Reference(r) => r.mutability.is_none(),
            e => self.is_ref_var(e),
        }
    }

    /// Whether an expression is a part of a tuple that the user wrote as a reference.
    pub fn is_lent_part(&self, e: &Expr) -> bool {
        fn place(s: &Lower<'_>, e: &Expr) -> Option<Place> {
            match e {
                Expr::Paren(p) => place(s, &p.expr),
                Expr::Path(p) => {
                    let var = s.lookup(&p.path.get_ident()?.to_string())?;
                    match &s.vars[var].alias {
                        Some(of) => Some(of.clone()),
                        None => Some(s.var_place(var, s.vars[var].name.span())),
                    }
                }
                Expr::Field(f) => {
                    let base = place(s, &f.base)?;
                    Some(super::pattern::project(
                        &base,
                        Projection::Field(f.member.clone()),
                        Ty::Unknown,
                    ))
                }
                _ => None,
            }
        }
        let field = matches!(e, Expr::Field(f) if matches!(f.member, Member::Unnamed(_)));
        field && place(self, e).is_some_and(|p| self.lent_parts.contains(&p))
    }

    /// Code that is kept as written, with references to such parts for them.
    pub fn with_references(&self, e: &Expr) -> Option<Expr> {
        struct V<'l, 'a>(&'l Lower<'a>, bool);
        impl VisitMut for V<'_, '_> {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
                if self.0.is_lent_part(e) {
                    *e = syn::parse_quote!((&#e));
                    self.1 = true;
                    return;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            fn visit_item_mut(&mut self, _: &mut syn::Item) {}
        }
        if self.lent_parts.0.is_empty() {
            return None;
        }
        let (mut v, mut new) = (V(self, false), e.clone());
        v.visit_expr_mut(&mut new);
        v.1.then_some(new)
    }
}
