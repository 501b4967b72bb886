//! Lowers `x[[i, j]]`, one element of a tensor, and `x[(i, j)]`, a part that an operator of the user's may give.
//!
//! `a[i]` of a slice is a place, whose cotangent is the place `d_a[i]`. The cotangent of a tensor
//! has no places, it may be the zero that takes no room; so this is a call of the method `at`, whose
//! rule adds to the one entry.
//!
//! An operator of the user's gives a place too, but only the value has the operator. Where in the value the place is, the
//! forward pass finds out (`autodiff-core/src/ad/spot.rs`). If the file has the operator, and it only names a place, that place is
//! written instead.
//!
//! An entry of a part, `x[k..k + 3][1]`, is the entry `x[k + 1]` of the whole: what the passes know of neighbours holds for `windows`
//! and `chunks_exact` too.

use crate::code::{project, Side};
use crate::ir::*;
use crate::lower::Lower;
use crate::syntax::{self, meant::Meant};
use proc_macro2::{Ident, Span};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat, UnOp};

impl Lower<'_> {
    /// Whether an index is an array, which only tensors are indexed by.
    pub fn is_position(&self, index: &Expr) -> bool {
        match index {
            Expr::Paren(p) => self.is_position(&p.expr),
            Expr::Group(g) => self.is_position(&g.expr),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.is_position(&u.expr),
            Expr::Array(_) | Expr::Repeat(_) => true,
            Expr::Path(p) => p
                .path
                .get_ident()
                .and_then(|i| self.lookup(&i.to_string()))
                .is_some_and(|v| self.positions.contains(&v)),
            _ => false,
        }
    }

    /// Whether `x[[i, j]]` is read by the method of tensors, and is no place.
    pub fn is_element(&self, i: &syn::ExprIndex) -> bool {
        self.is_position(&i.index) && !self.grids.contains(&i.expr)
    }

    /// `x[[i, j]]` as `x.at([i, j])`.
    pub fn element(&mut self, i: &syn::ExprIndex, out: &mut Vec<Stmt>) -> Rhs {
        let receiver = self.receiver(&i.expr, out);
        Rhs::Method {
            receiver: Arg::shared(receiver),
            name: Ident::new("at", i.index.span()),
            turbofish: None,
            args: self.args(std::iter::once(&*i.index), out),
        }
    }

    /// Whether an index is one of an operator that may be the user's.
    pub fn has_spot(&self, i: &syn::ExprIndex) -> bool {
        // A range is one of slices.
        let range = matches!(&*i.index, Expr::Range(_));
        !range && self.operators.may_give(i) && !self.grids.is_foreign(&i.expr)
    }

    /// `g.data[i * g.columns + j]` for `g[(i, j)]`, if the file has the operator and it only names a place.
    pub fn written_out(&self, i: &syn::ExprIndex) -> Option<Expr> {
        // What changes something is evaluated once, and after what stands before it.
        let again = |e: &Expr| syntax::is_cheap(e) && !self.may_change(e) && !self.may_draw(e);
        if matches!(&*i.index, Expr::Range(_)) || !again(&i.expr) || !again(&i.index) {
            return None;
        }
        let (pattern, mut place) = self.typed(&i.expr)?.indexed(self.writes)?;
        let mut meanings = vec![("self".to_string(), &*i.expr)];
        matched(&pattern, &i.index, &mut meanings).then_some(())?;
        Meant(&meanings).visit_expr_mut(&mut place);
        Some(place)
    }

    /// The part of a place that an index gives, and where it is.
    pub fn spotted(
        &mut self,
        mut place: Place,
        index: Native,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Place {
        let root = &self.vars[place.root].name;
        let base = project(Side::Value, quote!(#root), &place);
        let at = &index.expr;
        let find = format_ident!("{}", if self.writes { "spot_mut" } else { "spot" });
        let indexed = quote_spanned!(span=> ad::Indexed(#base.__v(), &#base[#at]));
        let uses = std::iter::once(place.root).chain(place.index_uses());
        let spot = Native {
            expr: syn::parse_quote!(#indexed.#find(ad::Hint(&(#at)).hints())),
            uses: uses.chain(index.uses.iter().copied()).collect(),
            cheap: true,
            ty: Ty::Discrete,
        };
        let var = self.temp(Ty::Discrete, span);
        self.push(out, StmtKind::Def(var, Rhs::Native(spot)), span);
        self.vars[var].defined = self.point();
        let spot = self.native_var(var);
        place
            .projections
            .push(Projection::Spot(Box::new(Spotted { index, spot })));
        place.ty = Ty::Unknown;
        place.span = span;
        place
    }
}

/// The names of a pattern with the parts of an index that they mean.
fn matched<'e>(pattern: &Pat, index: &'e Expr, parts: &mut Vec<(String, &'e Expr)>) -> bool {
    match (pattern, index) {
        (pattern, Expr::Paren(e)) => matched(pattern, &e.expr, parts),
        (Pat::Ident(p), e) => {
            parts.push((p.ident.to_string(), e));
            p.subpat.is_none() && p.by_ref.is_none()
        }
        (Pat::Tuple(p), Expr::Tuple(e)) => {
            let pairs = p.elems.iter().zip(&e.elems);
            p.elems.len() == e.elems.len() && pairs.into_iter().all(|(p, e)| matched(p, e, parts))
        }
        _ => false,
    }
}

/// The entry that an index gives of a place.
pub fn entry(mut place: Place, index: Native) -> Place {
    let within = match place.projections.last() {
        Some(Projection::Range(range)) => of_whole(range, &index),
        _ => None,
    };
    let index = match within {
        Some(index) => {
            place.projections.pop();
            index
        }
        None => index,
    };
    place.projections.push(Projection::Index(index));
    place
}

/// `1` of `k..k + 3` as `k + 1`, if the part is known to be that long.
fn of_whole(range: &Native, index: &Native) -> Option<Native> {
    let Expr::Range(r) = &range.expr else {
        return None;
    };
    let (start, end) = (r.start.as_deref()?, r.end.as_deref()?);
    let Expr::Binary(sum) = end else { return None };
    let same =
        |a: &Expr, b: &Expr| a.to_token_stream().to_string() == b.to_token_stream().to_string();
    let at = literal(&index.expr)?;
    let inside = matches!(r.limits, syn::RangeLimits::HalfOpen(_))
        && matches!(sum.op, syn::BinOp::Add(_))
        && same(&sum.left, start)
        && at < literal(&sum.right)?;
    let number = proc_macro2::Literal::usize_unsuffixed(at);
    (inside && range.cheap).then(|| Native {
        expr: match at {
            0 => start.clone(),
            _ => syn::parse_quote!(#start + #number),
        },
        ty: Ty::Discrete,
        ..range.clone()
    })
}

fn literal(e: &Expr) -> Option<usize> {
    match e {
        Expr::Paren(p) => literal(&p.expr),
        Expr::Group(g) => literal(&g.expr),
        Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(i),
            ..
        }) => i.base10_parse().ok(),
        _ => None,
    }
}
