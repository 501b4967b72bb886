//! Lowers patterns: each name that a pattern binds stands for a part of the matched place.
//!
//! The place is matched by reference, so that nothing is moved; names become `_` in what is
//! emitted, and a use of a name is a use of the part:
//!
//! ```text
//! match shape {                       match &shape {
//!     Shape::Circle { r } => r * r        Shape::Circle { r: _ } => …
//! }                                   }
//! ```
//!
//! with `r` standing for the field `r` of the variant `Circle` of `shape`, whose cotangent is the
//! same field of the cotangent of `shape`.

use crate::ir::*;
use crate::lower::branch::is_error;
use crate::lower::Lower;
use crate::syntax;
use crate::syntax::ty::elem;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, ToTokens};
use syn::{Expr, Member, Pat};

/// A name that a pattern binds.
pub struct Binding {
    pub ident: Ident,
    pub mutable: bool,
    pub place: Place,
    /// The name is a reference to the part.
    pub by_ref: bool,
}

/// How the parts of a struct pattern are reached.
#[derive(Clone, Copy, PartialEq)]
pub enum Parts {
    /// It always matches: by field.
    Fields,
    /// It may name a variant.
    Variants,
}

impl Lower<'_> {
    /// The pattern without its names, which go to `bound`.
    pub fn pattern_parts(
        &mut self,
        pat: &Pat,
        place: &Place,
        by_ref: bool,
        parts: Parts,
        bound: &mut Vec<Binding>,
    ) -> TokenStream {
        match pat {
            Pat::Paren(p) => self.pattern_parts(&p.pat, place, by_ref, parts, bound),
            Pat::Type(p) => self.pattern_parts(&p.pat, place, by_ref, parts, bound),
            Pat::Reference(p) => self.pattern_parts(&p.pat, place, false, parts, bound),
            Pat::Ident(p) if syntax::is_constant(p) => p.to_token_stream(),
            Pat::Ident(p) => {
                bound.push(Binding {
                    ident: p.ident.clone(),
                    mutable: p.mutability.is_some() && p.by_ref.is_none(),
                    place: place.clone(),
                    by_ref: by_ref || p.by_ref.is_some(),
                });
                match &p.subpat {
                    Some((_, sub)) => self.pattern_parts(sub, place, by_ref, parts, bound),
                    None => quote!(_),
                }
            }
            Pat::Tuple(t) => {
                let elems = self.elements(t.elems.iter(), place, by_ref, parts, bound, &|i| {
                    Projection::Field(Member::from(i))
                });
                quote!((#(#elems,)*))
            }
            Pat::TupleStruct(t) if is_error(&t.path) => {
                let (path, elems) = (&t.path, t.elems.iter().map(|p| self.native_pattern(p)));
                quote!(#path(#(#elems),*))
            }
            Pat::TupleStruct(t) => {
                let path = &t.path;
                let field = |i: usize| match parts {
                    _ if path.is_ident("Self") => Projection::Field(Member::from(i)),
                    Parts::Fields => Projection::Field(Member::from(i)),
                    Parts::Variants => Projection::Variant(path.clone(), Member::from(i)),
                };
                let elems = self.elements(t.elems.iter(), place, by_ref, parts, bound, &field);
                quote!(#path(#(#elems),*))
            }
            Pat::Struct(s) => {
                let (path, mut fields) = (&s.path, Vec::new());
                for f in &s.fields {
                    let projection = match parts {
                        _ if path.is_ident("Self") => Projection::Field(f.member.clone()),
                        Parts::Fields => Projection::Field(f.member.clone()),
                        Parts::Variants => Projection::Variant(path.clone(), f.member.clone()),
                    };
                    let part = self.part(place, projection);
                    let (m, p) = (
                        &f.member,
                        self.pattern_parts(&f.pat, &part, by_ref, parts, bound),
                    );
                    fields.push(quote!(#m: #p));
                }
                let rest = s.rest.as_ref().map(|_| quote!(..));
                quote!(#path { #(#fields,)* #rest })
            }
            Pat::Slice(s) => {
                let elems = self.slice(s, place, by_ref, parts, bound);
                quote!([#(#elems),*])
            }
            Pat::Or(o) => {
                let before = bound.len();
                let cases: Vec<_> = o
                    .cases
                    .iter()
                    .map(|p| self.pattern_parts(p, place, by_ref, parts, bound))
                    .collect();
                if bound.len() > before {
                    self.cx.error(pat, "alternatives inside a pattern that bind names are not supported in a `#[differentiable]` function: write one arm for each");
                }
                quote!(#(#cases)|*)
            }
            other => other.to_token_stream(),
        }
    }

    /// The parts of a tuple or of a variant like one.
    fn elements<'p>(
        &mut self,
        elems: impl Iterator<Item = &'p Pat>,
        place: &Place,
        by_ref: bool,
        parts: Parts,
        bound: &mut Vec<Binding>,
        projection: &dyn Fn(usize) -> Projection,
    ) -> Vec<TokenStream> {
        let (mut out, mut after_rest) = (Vec::new(), false);
        for (i, p) in elems.enumerate() {
            if matches!(p, Pat::Rest(_)) {
                after_rest = true;
                out.push(quote!(..));
                continue;
            }
            let before = bound.len();
            let part = self.part(place, projection(i));
            let by_ref = by_ref || self.lent_parts.contains(&part);
            out.push(self.pattern_parts(p, &part, by_ref, parts, bound));
            if after_rest && bound.len() > before {
                self.cx.error(p, "a name after `..` is not supported in a pattern of a `#[differentiable]` function: write `_` for each part that is left out");
            }
        }
        out
    }

    /// `[a, b, rest @ .., z]`
    fn slice(
        &mut self,
        s: &syn::PatSlice,
        place: &Place,
        by_ref: bool,
        parts: Parts,
        bound: &mut Vec<Binding>,
    ) -> Vec<TokenStream> {
        let is_rest = |p: &Pat| match p {
            Pat::Rest(_) => true,
            Pat::Ident(i) => i
                .subpat
                .as_ref()
                .is_some_and(|(_, p)| matches!(**p, Pat::Rest(_))),
            _ => false,
        };
        if let Some(open) = s.elems.iter().find(|p| is_open_range(p)) {
            self.cx.error(
                open,
                "a range without an end in a slice pattern stands in parentheses",
            );
        }
        let (n, rest) = (s.elems.len(), s.elems.iter().position(is_rest));
        let len = {
            let root = &self.vars[place.root].name;
            let base = crate::code::project(crate::code::Side::Value, quote!(#root), place);
            quote!(#base.len())
        };
        let uses: Vec<VarId> = std::iter::once(place.root)
            .chain(place.index_uses())
            .collect();
        let native = |expr: Expr| Native {
            expr,
            uses: uses.clone(),
            cheap: true,
            ty: Ty::Discrete,
        };
        let at = |k: usize| Native {
            uses: Vec::new(),
            ..native(literal(k))
        };
        let mut out = Vec::new();
        for (i, p) in s.elems.iter().enumerate() {
            let from_end = literal(n - i);
            if Some(i) == rest {
                out.push(quote!(..));
                if let Pat::Ident(p) = p {
                    let (start, behind) = (literal(i), literal(n - i - 1));
                    let range = native(syn::parse_quote!(#start..#len - #behind));
                    bound.push(Binding {
                        ident: p.ident.clone(),
                        mutable: false,
                        place: project(place, Projection::Range(range), place.ty.clone()),
                        by_ref: true,
                    });
                }
                continue;
            }
            let index = match rest {
                Some(r) if i > r => native(syn::parse_quote!(#len - #from_end)),
                _ => at(i),
            };
            let part = self.part(place, Projection::Index(index));
            out.push(self.pattern_parts(p, &part, by_ref, parts, bound));
        }
        out
    }

    /// A part of a place, of the type that is known of it.
    pub(super) fn part(&self, place: &Place, projection: Projection) -> Place {
        let ty = match projection {
            Projection::Index(_) => elem(&place.ty),
            _ => Ty::Unknown,
        };
        let mut part = project(place, projection, ty);
        if part.ty == Ty::Unknown {
            part.ty = self.vars[part.root].part_ty(&part.projections);
        }
        part
    }

    /// Makes a name stand for a part, without a variable of its own.
    pub fn bind_alias(&mut self, b: &Binding) {
        let hold = if b.by_ref { Hold::Ref } else { Hold::Value };
        let var = self.fresh_named(&b.ident, b.place.ty.clone(), hold, false);
        let v = &mut self.vars[var];
        (v.maybe_active, v.by_name) = (true, true);
        v.mutable = b.by_ref && b.mutable;
        v.alias = Some(b.place.clone());
        self.vars[var].defined = self.point();
        self.bind(&b.ident, var);
    }

    /// Binds a name to a copy of a part.
    pub fn bind_copy(&mut self, b: Binding, out: &mut Vec<Stmt>) {
        let var = self.fresh_named(&b.ident, b.place.ty.clone(), Hold::Value, b.mutable);
        self.vars[var].maybe_active = true;
        self.vars[var].whole = self.vars[b.place.root].part(&b.place.projections);
        // Nothing moves out of an array by an index.
        let indexed = |p: &Projection| matches!(p, Projection::Index(_) | Projection::Spot(_));
        let rhs = match b.place.projections.iter().any(indexed) && !b.place.ty.is_copy() {
            true => Rhs::Snapshot(b.place),
            false => Rhs::Copy(Operand::Place {
                place: b.place,
                by_ref: false,
            }),
        };
        self.lent_parts.defined(var, &rhs);
        self.push(out, StmtKind::Def(var, rhs), b.ident.span());
        self.vars[var].defined = self.point();
        self.bind(&b.ident, var);
    }
}

fn literal(k: usize) -> Expr {
    let k = syn::LitInt::new(&k.to_string(), Span::call_site());
    syn::parse_quote!(#k)
}

pub(super) fn project(place: &Place, projection: Projection, ty: Ty) -> Place {
    let mut part = place.clone();
    match projection {
        Projection::Index(index) => part = super::index::entry(part, index),
        other => part.projections.push(other),
    }
    part.ty = ty;
    part
}

/// Whether a pattern binds names.
pub fn binds(p: &Pat) -> bool {
    let mut names = false;
    crate::syntax::blocks::collect_idents(&mut p.clone(), &mut |_| names = true);
    names
}

/// The arms of a `match`, one for each alternative where alternatives bind names.
pub fn split_alternatives(arms: &[syn::Arm]) -> Vec<syn::Arm> {
    let mut out = Vec::new();
    for a in arms {
        let (pat, guard) = match &a.pat {
            Pat::Guard(g) => (&*g.pat, Some(g)),
            pat => (pat, None),
        };
        match pat {
            Pat::Or(o) if binds(pat) => {
                for case in &o.cases {
                    let mut arm = a.clone();
                    arm.pat = match guard {
                        Some(g) => {
                            let mut g = g.clone();
                            *g.pat = case.clone();
                            Pat::Guard(g)
                        }
                        None => case.clone(),
                    };
                    out.push(arm);
                }
            }
            _ => out.push(a.clone()),
        }
    }
    out
}

/// `..b` or `a @ ..b`, which is no rest.
fn is_open_range(p: &Pat) -> bool {
    match p {
        Pat::Range(r) => r.start.is_none() || r.end.is_none(),
        Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, p)| is_open_range(p)),
        _ => false,
    }
}
