//! Lowers assignments.

use crate::ir::*;
use crate::knowledge::sequences::is_mutator;
use crate::lower::Lower;
use crate::syntax;
use crate::syntax::writes::assigned_names;
use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{BinOp, Expr};

impl Lower<'_> {
    pub(super) fn assign(&mut self, a: &syn::ExprAssign, out: &mut Vec<Stmt>) {
        let active = syntax::root_name(&a.left)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|v| self.vars[v].maybe_active && !self.vars[v].ty.is_discrete());
        if !active {
            if let Some(n) = self.counted(&a.left, &a.right, out) {
                let left = &a.left;
                return self.native_stmt(&syn::parse_quote!(#left = #n), out);
            }
            if self.maybe_active(&a.right) && !matches!(&*a.left, Expr::Infer(_)) {
                self.cx.error(&a.left, "an active value is written to a place whose derivative is not followed (a discrete or `#[constant]` place): declare it as a float, give an integer that a call counts a name first (`let n: usize = …`), or wrap the value in `stop_gradient`");
                return;
            }
            self.native_stmt(&Expr::Assign(a.clone()), out);
            return;
        }
        if self.assign_in_order(&a.left, None, &a.right, out) {
            return;
        }
        // Indices are evaluated after the value, which may change what they are made of; the shape
        // that is given up is that before the value, which may be made of it, unless that changes it.
        let first = !self.may_change(&a.right) || is_fields(&a.left) && !self.changes(a);
        let mut early = None;
        if first {
            early = self.write_place(&a.left, out);
            if early.is_none() {
                return;
            }
        }
        let before = early.as_ref().and_then(|p| self.witness_before(p, out));
        let value = self.expr(&a.right, out);
        let Some(place) = early.or_else(|| self.write_place(&a.left, out)) else {
            return;
        };
        let before = match first {
            true => before,
            false => self.witness_before(&place, out),
        };
        self.refine(place.root, &value);
        let kind = StmtKind::Assign(place.clone(), value, before);
        self.push(out, kind, a.left.span());
        let point = self.point();
        self.vars[place.root].writes.push(point);
    }

    /// Whether the value of an assignment changes the variable itself, as far as its syntax tells.
    fn changes(&self, a: &syn::ExprAssign) -> bool {
        use syn::visit::{self, Visit};
        struct V<'l, 'a>(&'l Lower<'a>, String, bool);
        impl<'a> Visit<'a> for V<'_, '_> {
            fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
                let name = m.method.to_string();
                let siblings = self.0.siblings;
                let changes =
                    is_mutator(m) || siblings.and_then(|s| s.takes_mut(&name)) == Some(true);
                self.2 |= changes && syntax::root_name(&m.receiver).as_ref() == Some(&self.1);
                visit::visit_expr_method_call(self, m);
            }
        }
        let Some(root) = syntax::root_name(&a.left) else {
            return true;
        };
        let assigned = assigned_names(&a.right).contains(&root);
        let mut v = V(self, root, false);
        v.visit_expr(&a.right);
        assigned || v.2
    }

    /// What a zero cotangent of the value in a place needs, before another takes its place: it may
    /// have another length or be another variant.
    pub(super) fn witness_before(&mut self, place: &Place, out: &mut Vec<Stmt>) -> Option<VarId> {
        if place.ty.is_float() {
            return None;
        }
        if place.is_var() {
            self.vars[place.root].reassigned = true;
        } else {
            self.vars[place.root].grows = true;
        }
        Some(self.witness_of(place.clone(), out))
    }

    /// The witness of the value in a place.
    pub(super) fn witness_of(&mut self, place: Place, out: &mut Vec<Stmt>) -> VarId {
        let span = place.span;
        let var = self.temp(Ty::Discrete, span);
        self.push(out, StmtKind::Def(var, Rhs::Witness(place)), span);
        self.vars[var].defined = self.point();
        var
    }

    /// An open float variable takes the type of what is stored into it.
    fn refine(&mut self, var: VarId, value: &Operand) {
        if self.vars[var].ty == Ty::OpenFloat {
            if let Ty::Float(f) = value.ty() {
                self.vars[var].ty = Ty::Float(f);
            }
        }
    }

    /// What an integer takes from an active value: the name of what a call counts, `k += count(x)`,
    /// or an integer that is a part of it, `k = *to`.
    fn counted(&mut self, place: &Expr, value: &Expr, out: &mut Vec<Stmt>) -> Option<Expr> {
        let var = self.lookup(&syntax::root_name(place)?)?;
        let call = matches!(value, Expr::Call(_) | Expr::MethodCall(_));
        let part = match value {
            Expr::Path(_) => syntax::root_name(value)
                .and_then(|n| self.lookup(&n))
                .is_some_and(|v| self.vars[v].ty == Ty::Unknown),
            Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) => syntax::root_name(value).is_some(),
            _ => false,
        };
        if !self.vars[var].ty.is_discrete() || !(call || part) || !self.maybe_active(value) {
            return None;
        }
        let query = quote_spanned!(value.span()=> ::differentiable::__rt::query);
        if part {
            // A float does not pass the query.
            return Some(syn::parse_quote!(#query(#value)));
        }
        let rhs = self.rhs(value, out);
        let name = Ident::new("__count", Span::mixed_site().located_at(value.span()));
        let var = self.fresh_named(&name, Ty::Discrete, Hold::Value, false);
        self.vars[var].maybe_active = true;
        self.push(out, StmtKind::Def(var, rhs), value.span());
        self.vars[var].defined = self.point();
        self.bind(&name, var);
        Some(syn::parse_quote!(#query(#name)))
    }

    pub(super) fn assign_op(&mut self, b: &syn::ExprBinary, out: &mut Vec<Stmt>) {
        let active = syntax::root_name(&b.left)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|v| self.vars[v].maybe_active && !self.vars[v].ty.is_discrete());
        if !active {
            if let Some(n) = self.counted(&b.left, &b.right, out) {
                let (left, op) = (&b.left, &b.op);
                return self.native_stmt(&syn::parse_quote!(#left #op #n), out);
            }
            if self.maybe_active(&b.right) {
                self.cx.error(&b.left, "an active value is added to a place whose derivative is not followed (a discrete or `#[constant]` place): declare it as a float, give an integer that a call counts a name first (`let n: usize = …`), or wrap the value in `stop_gradient`");
                return;
            }
            self.native_stmt(&Expr::Binary(b.clone()), out);
            return;
        }
        if let Some(op) = of_integers(&b.op) {
            // Floats have no such operator.
            let (left, right) = (&b.left, &b.right);
            let query = quote_spanned!(b.op.span()=> ::differentiable::__rt::query);
            return self.assign(&syn::parse_quote!(#left = #query(#left #op (#right))), out);
        }
        if self.assign_in_order(&b.left, Some(&b.op), &b.right, out) {
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
                    BinOp::MulAssign(_) => crate::knowledge::numbers::Op::Mul,
                    BinOp::DivAssign(_) => crate::knowledge::numbers::Op::Div,
                    _ => crate::knowledge::numbers::Op::Binary("rem"),
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
                let by_constant = matches!(value, Operand::Native(_));
                let new = self.define(Rhs::Op(op, vec![old, value]), ty, span, out);
                if let (true, Some(p)) = (by_constant && place.may_be_constant(), new.place()) {
                    // A constant field stays one.
                    self.vars[p.root].made_of = vec![place.clone()];
                }
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

/// Whether a place is a variable or a field of one.
fn is_fields(e: &Expr) -> bool {
    match e {
        Expr::Field(f) => is_fields(&f.base),
        e => matches!(e, Expr::Path(_)),
    }
}

/// The operator of an assignment that only types without derivatives have.
fn of_integers(op: &BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::BitXorAssign(_) => BinOp::BitXor(Default::default()),
        BinOp::BitAndAssign(_) => BinOp::BitAnd(Default::default()),
        BinOp::BitOrAssign(_) => BinOp::BitOr(Default::default()),
        BinOp::ShlAssign(_) => BinOp::Shl(Default::default()),
        BinOp::ShrAssign(_) => BinOp::Shr(Default::default()),
        _ => return None,
    })
}
