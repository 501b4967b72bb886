//! Lowers assignments.

use crate::ir::*;
use crate::lower::Lower;
use crate::syntax;
use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{BinOp, Expr};

impl Lower<'_> {
    pub(super) fn assign(&mut self, a: &syn::ExprAssign, out: &mut Vec<Stmt>) {
        let active = syntax::root_name(&a.left)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|v| self.vars[v].maybe_active && self.vars[v].ty != Ty::Discrete);
        if !active {
            if let Some(n) = self.counted(&a.left, &a.right, out) {
                let left = &a.left;
                return self.native_stmt(&syn::parse_quote!(#left = #n), false, out);
            }
            if self.maybe_active(&a.right) && !matches!(&*a.left, Expr::Infer(_)) {
                self.cx.error(&a.left, "an active value is written to a place whose derivative is not followed (a discrete or `#[constant]` place): declare it as a float, give an integer that a call counts a name first (`let n: usize = …`), or wrap the value in `stop_gradient`");
                return;
            }
            self.native_stmt(&Expr::Assign(a.clone()), false, out);
            return;
        }
        // Indices are evaluated after the value, which may change what they are made of.
        let in_order = self.may_change(&a.right);
        let mut early = None;
        if !in_order || self.moves_old(a) {
            early = self.write_place(&a.left, out);
            if early.is_none() {
                return;
            }
        }
        let mut before = early.as_ref().and_then(|p| self.witness_before(p, out));
        let value = self.expr(&a.right, out);
        let lends = early.is_none() && self.lends_at_once(&a.right);
        let Some(place) = early.or_else(|| self.write_place(&a.left, out)) else {
            return;
        };
        if lends {
            before = self.witness_before(&place, out);
        }
        self.refine(place.root, &value);
        let kind = StmtKind::Assign(place.clone(), value, before);
        self.push(out, kind, a.left.span());
        let point = self.point();
        self.vars[place.root].writes.push(point);
    }

    /// Whether the value is made of the old one by methods, `list = list.with(x)`, which most likely
    /// take `self`.
    fn moves_old(&self, a: &syn::ExprAssign) -> bool {
        fn receiver(e: &Expr) -> &Expr {
            match e {
                Expr::MethodCall(m) => receiver(&m.receiver),
                e => e,
            }
        }
        fn fields(e: &Expr) -> bool {
            match e {
                Expr::Field(f) => fields(&f.base),
                e => matches!(e, Expr::Path(_)),
            }
        }
        let from = receiver(&a.right);
        matches!(&*a.right, Expr::MethodCall(_))
            && !self.lends_at_once(&a.right)
            && fields(&a.left)
            && fields(from)
            && syntax::root_name(from) == syntax::root_name(&a.left)
    }

    /// Whether it is a call that takes mutable references, as far as its syntax tells; the variables
    /// behind them are there afterwards.
    fn lends_at_once(&self, e: &Expr) -> bool {
        let Expr::MethodCall(m) = e else {
            return matches!(e, Expr::Call(_));
        };
        let takes_mut = |s: &crate::lower::Siblings| s.takes_mut(&m.method.to_string());
        let lent = matches!(&*m.receiver, Expr::Paren(p) if matches!(&*p.expr, Expr::Reference(r) if r.mutability.is_some()));
        lent || self.siblings.and_then(takes_mut) == Some(true)
    }

    /// What a zero cotangent of the value in a place needs, before another takes its place: it may
    /// have another length or be another variant.
    fn witness_before(&mut self, place: &Place, out: &mut Vec<Stmt>) -> Option<VarId> {
        if place.ty.is_float() {
            return None;
        }
        if place.is_var() {
            self.vars[place.root].reassigned = true;
        } else {
            self.vars[place.root].grows = true;
        }
        let var = self.temp(Ty::Discrete, place.span);
        let witness = StmtKind::Def(var, Rhs::Witness(place.clone()));
        self.push(out, witness, place.span);
        self.vars[var].defined = self.point();
        Some(var)
    }

    /// An open float variable takes the type of what is stored into it.
    fn refine(&mut self, var: VarId, value: &Operand) {
        if self.vars[var].ty == Ty::OpenFloat {
            if let Ty::Float(f) = value.ty() {
                self.vars[var].ty = Ty::Float(f);
            }
        }
    }

    /// The name of what a call with active arguments counts, where an integer takes it:
    /// `k += count(x)`.
    fn counted(&mut self, place: &Expr, value: &Expr, out: &mut Vec<Stmt>) -> Option<Expr> {
        let var = self.lookup(&syntax::root_name(place)?)?;
        let call = matches!(value, Expr::Call(_) | Expr::MethodCall(_));
        if self.vars[var].ty != Ty::Discrete || !call || !self.maybe_active(value) {
            return None;
        }
        let rhs = self.rhs(value, out);
        let name = Ident::new("__count", Span::mixed_site().located_at(value.span()));
        let var = self.fresh_named(&name, Ty::Discrete, Hold::Value, false);
        self.vars[var].maybe_active = true;
        self.push(out, StmtKind::Def(var, rhs), value.span());
        self.vars[var].defined = self.point();
        self.bind(&name, var);
        let query = quote_spanned!(value.span()=> ::differentiable::__rt::query);
        Some(syn::parse_quote!(#query(#name)))
    }

    pub(super) fn assign_op(&mut self, b: &syn::ExprBinary, out: &mut Vec<Stmt>) {
        let active = syntax::root_name(&b.left)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|v| self.vars[v].maybe_active && self.vars[v].ty != Ty::Discrete);
        if !active {
            if let Some(n) = self.counted(&b.left, &b.right, out) {
                let (left, op) = (&b.left, &b.op);
                return self.native_stmt(&syn::parse_quote!(#left #op #n), false, out);
            }
            if self.maybe_active(&b.right) {
                self.cx.error(&b.left, "an active value is added to a place whose derivative is not followed (a discrete or `#[constant]` place): declare it as a float, give an integer that a call counts a name first (`let n: usize = …`), or wrap the value in `stop_gradient`");
                return;
            }
            self.native_stmt(&Expr::Binary(b.clone()), false, out);
            return;
        }
        let value = self.expr(&b.right, out);
        let Some(place) = self.write_place(&b.left, out) else {
            return;
        };
        self.refine(place.root, &value);
        let span = b.op.span();
        let kind = match b.op {
            BinOp::AddAssign(_) => StmtKind::Accum(AccumOp::Add, place.clone(), value),
            BinOp::SubAssign(_) => StmtKind::Accum(AccumOp::Sub, place.clone(), value),
            BinOp::MulAssign(_) | BinOp::DivAssign(_) | BinOp::RemAssign(_) => {
                let op = match b.op {
                    BinOp::MulAssign(_) => crate::prims::Op::Mul,
                    BinOp::DivAssign(_) => crate::prims::Op::Div,
                    _ => crate::prims::Op::Binary("rem"),
                };
                let mut old_place = place.clone();
                old_place.ty = if place.is_var() {
                    self.vars[place.root].ty.clone()
                } else {
                    place.ty.clone()
                };
                let ty = old_place.ty.clone();
                let old = self.define(Rhs::Snapshot(old_place), ty.clone(), span, out);
                let ty = syntax::join(&ty, &value.ty());
                let new = self.define(Rhs::Op(op, vec![old, value]), ty, span, out);
                StmtKind::Assign(place.clone(), new, None)
            }
            _ => {
                self.cx.error(b.op, "this assignment operator is not supported on active values: the operators with a derivative are `+= -= *= /= %=`");
                return;
            }
        };
        self.push(out, kind, span);
        let point = self.point();
        self.vars[place.root].writes.push(point);
    }
}
