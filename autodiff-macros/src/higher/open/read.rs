//! Reads of constants that are taken as they are: what becomes a scalar there, and what stays.

use super::super::forms::{is_ours, is_push, is_window, path_name};
use super::super::generic::Exchange;
use crate::syntax;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lit};

impl Exchange<'_> {
    /// An expression that reads a constant; `false` where it is handled as any other.
    pub(in super::super) fn open(&mut self, e: &mut Expr) -> bool {
        if !self.names.any() {
            return false;
        }
        match e {
            Expr::Reference(r) if self.names.is_part(&r.expr) && r.mutability.is_none() => {
                if let Expr::Path(_) = &*r.expr {
                    return true;
                }
                self.as_written(&mut r.expr);
                true
            }
            Expr::Reference(r) if r.mutability.is_some() && self.names.is_place(&r.expr) => {
                self.as_written(&mut r.expr);
                true
            }
            Expr::Binary(b) => self.open_binary(b),
            Expr::Assign(a) if self.names.is_place(&a.left) => {
                self.as_written(&mut a.left);
                self.visit_expr_mut(&mut a.right);
                true
            }
            Expr::Match(m) if self.names.is_part(&m.expr) => {
                self.as_written(&mut m.expr);
                for arm in &mut m.arms {
                    self.visit_pat_mut(&mut arm.pat);
                    self.visit_expr_mut(&mut arm.body);
                }
                true
            }
            Expr::Let(l) if self.names.is_part(&l.expr) => {
                self.as_written(&mut l.expr);
                self.visit_pat_mut(&mut l.pat);
                true
            }
            Expr::ForLoop(f) if self.names.is_part(&f.expr) => {
                self.as_written(&mut f.expr);
                self.visit_pat_mut(&mut f.pat);
                self.visit_block_mut(&mut f.body);
                true
            }
            Expr::MethodCall(m) if is_push(m) => {
                m.args.iter_mut().for_each(|a| self.recorded(a));
                true
            }
            // What a variant holds, as a place.
            Expr::MethodCall(m) if m.method == "__field" && self.names.is_part(&m.receiver) => {
                self.as_written(&mut m.receiver);
                true
            }
            Expr::MethodCall(m) if self.names.is_part(&m.receiver) => {
                if self.is_own(m) {
                    self.as_written(e);
                    *e = Expr::Verbatim(value(e));
                    return true;
                }
                let numbers = self.takes_numbers(m);
                self.open_method(m, numbers);
                if numbers {
                    *e = Expr::Verbatim(value(e));
                }
                true
            }
            Expr::Call(c) => self.open_call(c),
            _ if self.names.is_place(e) => {
                if self.is_whole(e) {
                    return true;
                }
                self.as_written(e);
                *e = Expr::Verbatim(over(e));
                true
            }
            _ => false,
        }
    }

    /// Whether an expression is a variable that is no reference to a constant: a constant that was taken by value, or a
    /// variable that changes.
    fn is_whole(&self, e: &Expr) -> bool {
        path_name(e)
            .is_some_and(|n| self.names.owned.contains(&n) || self.names.changing.contains(&n))
    }

    /// A place or a chain of methods as it stands, with the indices and arguments in it.
    fn as_written(&mut self, e: &mut Expr) {
        match e {
            Expr::MethodCall(m) => {
                self.as_written(&mut m.receiver);
                if self.is_own(m) {
                    m.args.iter_mut().for_each(|a| self.own_argument(a));
                } else {
                    self.open_arguments(m);
                }
            }
            Expr::Field(f) => self.as_written(&mut f.base),
            Expr::Index(i) => {
                self.as_written(&mut i.expr);
                self.visit_expr_mut(&mut i.index);
            }
            Expr::Paren(p) => self.as_written(&mut p.expr),
            Expr::Group(g) => self.as_written(&mut g.expr),
            Expr::Try(t) => self.as_written(&mut t.expr),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.as_written(&mut u.expr),
            Expr::Reference(r) => self.as_written(&mut r.expr),
            Expr::Tuple(t) => t
                .elems
                .iter_mut()
                .for_each(|e| match self.names.is_part(e) {
                    true => self.as_written(e),
                    false => self.visit_expr_mut(e),
                }),
            Expr::Path(_) => {}
            Expr::Match(m) if self.names.is_part(&m.expr) => {
                self.as_written(&mut m.expr);
                for arm in &mut m.arms {
                    self.visit_pat_mut(&mut arm.pat);
                    self.as_written(&mut arm.body);
                }
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    /// Whether a method of a constant is called with what is no scalar: it computes with the floats of the constant.
    fn is_own(&self, m: &syn::ExprMethodCall) -> bool {
        !m.method.to_string().starts_with("__") && m.args.iter().all(|a| self.is_neutral(a))
    }

    fn is_neutral(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(_) => true,
            Expr::Reference(r) => r.mutability.is_none() && self.is_neutral(&r.expr),
            Expr::Paren(p) => self.is_neutral(&p.expr),
            Expr::Group(g) => self.is_neutral(&g.expr),
            Expr::Unary(u) => self.is_neutral(&u.expr),
            Expr::Tuple(t) => t.elems.iter().all(|e| self.is_neutral(e)),
            Expr::Range(r) => {
                let mut ends = r.start.iter().chain(&r.end);
                ends.all(|e| self.is_neutral(e))
            }
            Expr::Path(p) => p.path.get_ident().is_none_or(|i| {
                let name = i.to_string();
                self.names.contains(&name)
                    || self.locals.is_integer(&name)
                    || !self.locals.is_variable(&name)
            }),
            e => self.names.is_place(e) || self.locals.is_discrete(e),
        }
    }

    /// An argument of a method that computes with floats: a literal is one too, unless it is a scalar there.
    fn own_argument(&mut self, e: &mut Expr) {
        match e {
            Expr::Reference(r) => self.own_argument(&mut r.expr),
            Expr::Paren(p) => self.own_argument(&mut p.expr),
            Expr::Tuple(t) => t.elems.iter_mut().for_each(|e| self.own_argument(e)),
            Expr::Lit(_) | Expr::Unary(_) if self.float_literal(e) => self.inferred(e),
            e if self.names.is_place(e) => self.as_written(e),
            e => self.visit_expr_mut(e),
        }
    }

    /// A literal whose type what it is given to tells: a float, or the scalar.
    pub(in super::super) fn inferred(&self, e: &mut Expr) {
        if self.float_literal(e) {
            let widened = (self.float == "f32").then(|| quote!(as f32 as f64));
            *e = Expr::Verbatim(
                quote_spanned!(e.span()=> ::differentiable::__rt::Scalar::lit(#e #widened)),
            );
        }
    }

    /// A variant with literals, `Kind::Custom(2.5)`, that is given to a companion, whose parameter has a type.
    pub(in super::super) fn given_variants(&self, c: &mut syn::ExprCall) {
        let companion = |p: &syn::ExprPath| {
            let names = syntax::segments(&p.path);
            names[0].starts_with("__callee") || names == ["ad", "Anything"]
        };
        if !matches!(&*c.func, Expr::Path(p) if companion(p)) {
            return;
        }
        c.args.iter_mut().for_each(|a| self.variant(a));
    }

    fn variant(&self, e: &mut Expr) {
        match e {
            Expr::Reference(r) => self.variant(&mut r.expr),
            Expr::Paren(p) => self.variant(&mut p.expr),
            Expr::Call(v) if matches!(&*v.func, Expr::Path(p) if self.is_variant(&p.path)) => {
                v.args.iter_mut().for_each(|a| self.inferred(a));
            }
            Expr::Struct(v) if self.is_variant(&v.path) => {
                v.fields.iter_mut().for_each(|f| self.inferred(&mut f.expr));
            }
            _ => {}
        }
    }

    /// `Kind::Custom`, by the case of its names, of a type that is not generic as far as the function tells.
    fn is_variant(&self, path: &syn::Path) -> bool {
        let names = syntax::segments(path);
        let camel = |n: &String| n.starts_with(char::is_uppercase);
        names.len() > 1 && names.iter().rev().take(2).all(camel) && !self.named.is_generic(path)
    }

    fn float_literal(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(l) => self.literal(&l.lit).is_some(),
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Neg(_)) && self.float_literal(&u.expr),
            _ => false,
        }
    }

    /// Whether a method is one of the user's, which may compute with floats: `c.rate(t)` of a scalar `t`.
    fn takes_numbers(&self, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        let number = |e: &Expr| !matches!(e, Expr::Closure(_));
        !name.starts_with("__")
            && crate::knowledge::numbers::method(&name, m.args.len()).is_none()
            && m.args.iter().all(number)
    }

    /// A method with arguments that may be scalars. Where it takes numbers, what it takes decides.
    fn open_method(&mut self, m: &mut syn::ExprMethodCall, numbers: bool) {
        let changing =
            syntax::root_name(&m.receiver).is_some_and(|n| self.names.changing.contains(&n));
        match changing {
            true => self.as_written(&mut m.receiver),
            false => self.visit_expr_mut(&mut m.receiver),
        }
        let plain = |e: &Expr| matches!(e, Expr::Lit(_) | Expr::Reference(_) | Expr::Range(_));
        let plain: Vec<bool> = m.args.iter().map(plain).collect();
        self.open_arguments(m);
        for (arg, _) in m
            .args
            .iter_mut()
            .zip(plain)
            .filter(|(_, plain)| numbers && !changing && !plain)
        {
            let setting = quote_spanned!(arg.span()=> ::differentiable::__rt::Setting(#arg).get());
            *arg = Expr::Verbatim(setting);
        }
    }

    fn open_arguments(&mut self, m: &mut syn::ExprMethodCall) {
        if let Some(turbofish) = &mut m.turbofish {
            self.visit_angle_bracketed_generic_arguments_mut(turbofish);
        }
        m.args.iter_mut().for_each(|a| self.passed(a));
    }

    /// An argument that is passed on to what is written over the scalar.
    fn passed(&mut self, e: &mut Expr) {
        let name = path_name(e);
        match e {
            Expr::Reference(r) if r.mutability.is_none() && self.names.is_part(&r.expr) => {
                self.as_written(&mut r.expr);
                *e = Expr::Verbatim(pass(e));
            }
            _ if name.is_some() && self.names.is_place(e) => {
                if !name.is_some_and(|n| self.names.owned.contains(&n)) {
                    *e = Expr::Verbatim(pass(e));
                }
            }
            _ => self.visit_expr_mut(e),
        }
    }

    /// The arguments of a call of what is written over the scalar.
    fn open_call(&mut self, c: &mut syn::ExprCall) -> bool {
        let Expr::Path(p) = &*c.func else {
            return false;
        };
        if !c.args.iter().any(|a| self.names.is_part(a)) {
            return false;
        }
        let names = syntax::segments(&p.path);
        if names[0] == "ad" && names.get(1).is_some_and(|n| n == "Either") {
            c.args.iter_mut().for_each(|a| self.recorded(a));
            return true;
        }
        if names == ["ad", "Holding"] || is_window(&c.func) {
            c.args.iter_mut().for_each(|a| match self.names.is_part(a) {
                true => self.as_written(a),
                false => self.visit_expr_mut(a),
            });
            return true;
        }
        if names[0] == "Self" {
            // A companion of the same function.
            let other = |e: &&mut Expr| path_name(e).is_none();
            let others = c.args.iter_mut().filter(other);
            others.for_each(|a| self.passed(a));
            return true;
        }
        let emitted = is_ours(&c.func) || names.iter().any(|n| n.starts_with("__"));
        let copied = names.first().is_some_and(|n| n == "core" || n == "std");
        // A pullback gets again what the call got.
        let pullback = names.len() == 1 && self.locals.is_variable(&names[0]);
        if !emitted && !copied && !pullback {
            return false;
        }
        self.visit_expr_mut(&mut c.func);
        c.args.iter_mut().for_each(|a| self.passed(a));
        true
    }

    /// What the reverse part gets: a variable as it is.
    fn recorded(&mut self, e: &mut Expr) {
        match e {
            Expr::Tuple(t) => t.elems.iter_mut().for_each(|e| self.recorded(e)),
            e if path_name(e).is_some_and(|n| self.names.contains(&n)) => {}
            e => self.visit_expr_mut(e),
        }
    }

    /// Operands may be references; `==` compares what is no number as it stands.
    fn open_binary(&mut self, b: &mut syn::ExprBinary) -> bool {
        let parts = [&b.left, &b.right].map(|e| self.names.is_part(e));
        if !parts.contains(&true) {
            return false;
        }
        if syntax::is_assign_op(&b.op) {
            match parts[0] {
                true => self.as_written(&mut b.left),
                false => self.visit_expr_mut(&mut b.left),
            }
            self.operand(&mut b.right);
            return true;
        }
        let equal = matches!(b.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_));
        let other = |k: usize| match k {
            0 => parts[0] || is_no_number(&b.left),
            _ => parts[1] || is_no_number(&b.right),
        };
        if equal && other(0) && other(1) {
            for (e, part) in [&mut b.left, &mut b.right].into_iter().zip(parts) {
                if part {
                    self.as_written(e);
                }
            }
            return true;
        }
        self.operand(&mut b.left);
        self.operand(&mut b.right);
        true
    }

    fn operand(&mut self, e: &mut Expr) {
        match e {
            Expr::Reference(r) if r.mutability.is_none() && self.names.is_part(&r.expr) => {
                self.as_written(&mut r.expr);
                *e = Expr::Verbatim(over(&r.expr));
            }
            Expr::Paren(p) => self.operand(&mut p.expr),
            e => self.visit_expr_mut(e),
        }
    }
}

/// Whether what a constant is compared with is surely no float.
fn is_no_number(e: &Expr) -> bool {
    match e {
        Expr::Lit(l) => !matches!(&l.lit, Lit::Float(_)),
        Expr::Paren(p) => is_no_number(&p.expr),
        Expr::Reference(r) => is_no_number(&r.expr),
        Expr::Path(p) => {
            let names = syntax::segments(&p.path);
            let owner = names.len() > 1 && names[names.len() - 2].starts_with(char::is_uppercase);
            owner || names == ["None"]
        }
        _ => false,
    }
}

/// What a method of a constant gave, over the scalar.
fn value(e: &Expr) -> TokenStream {
    quote_spanned!(e.span()=> (&&&&::differentiable::__rt::OpenValue::<AnyScalar, _>::of(#e)).over())
}

/// A place as a value over the scalar.
fn over(place: &Expr) -> TokenStream {
    quote_spanned!(place.span()=> (&&&&&&&::differentiable::__rt::Open::<AnyScalar, _>::of(&#place)).over())
}

/// A place, or a reference to one, as an argument.
fn pass(e: &Expr) -> TokenStream {
    quote_spanned!(e.span()=> (&&&&&&&::differentiable::__rt::Open::<AnyScalar, _>::of(&#e)).pass().give())
}
