//! What `no_grad!` changes, and what it takes: no derivative passes through it.

use crate::ir::*;
use crate::knowledge::sequences::is_mutator;
use crate::lower::Lower;
use crate::syntax;
use quote::ToTokens;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr};

impl Lower<'_> {
    /// `no_grad! { s.x = … }` as a statement: what it changes has no derivative by anything before.
    ///
    /// The code stays as written. Behind it stands an assignment to each place that it changes, which changes nothing
    /// more in the forward run.
    pub(super) fn detached(&mut self, e: &Expr, out: &mut Vec<Stmt>) {
        let changed = match e {
            Expr::MethodCall(m) => {
                let receiver = &m.receiver;
                self.changed_in(&syn::parse_quote!({ &mut #receiver; }))
            }
            e => block_of(e).map_or(Vec::new(), |block| self.changed_in(&block)),
        };
        let mut places = Vec::new();
        for place in changed {
            let Some(place) = self.write_place(&place, out) else {
                return;
            };
            let before = self.witness_before(&place, out);
            places.push((place, before));
        }
        self.detaching = true;
        self.native_stmt(e, out);
        self.detaching = false;
        for (place, before) in places {
            let value = match before {
                Some(_) => Operand::unchanged(),
                None => Operand::Native(self.native_var(place.root)),
            };
            let (root, span) = (place.root, place.span);
            self.push(out, StmtKind::Assign(place, value, before), span);
            let point = self.point();
            self.vars[root].writes.push(point);
        }
    }

    /// The places with a derivative that a block changes, as far as its syntax tells: what it assigns, lends with
    /// `&mut`, and calls a method of `Vec` on that changes it.
    fn changed_in(&self, block: &Block) -> Vec<Expr> {
        let mut found = Changes::default();
        found.visit_block(block);
        let mut names = HashSet::new();
        let mut changed = Vec::new();
        for place in &found.places {
            let Some(place) = whole(place) else { continue };
            let var = syntax::root_name(&place).and_then(|n| self.lookup(&n));
            let active = var.map(|v| &self.vars[v]).is_some_and(|v| {
                v.maybe_active && !v.ty.is_discrete() && (v.mutable || v.hold == Hold::Mut)
            });
            if !active {
                continue;
            }
            if syntax::root_name(&place).is_some_and(|n| found.bound.contains(&n)) {
                self.cx.error(&place, "this name is that of two variables here, and one of them has a derivative: give the one in `no_grad!` another name");
            }
            if names.insert(place.to_token_stream().to_string()) {
                changed.push(place);
            }
        }
        // What is a part of another place changes with it.
        let all = names;
        let part = |e: &Expr| {
            let mut e = e;
            while let Expr::Field(f) = e {
                e = &f.base;
                if all.contains(&e.to_token_stream().to_string()) {
                    return true;
                }
            }
            false
        };
        changed.retain(|e| !part(e));
        changed
    }

    /// A value that `stop_gradient` or `no_grad!` takes is there for the derivative all the same.
    pub(super) fn taken_as_copies(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        Takes(self).visit_expr_mut(&mut e);
        e
    }
}

/// The code in a `no_grad!`.
fn block_of(e: &Expr) -> Option<Block> {
    let Expr::Macro(m) = e else { return None };
    let tokens = &m.mac.tokens;
    let no_grad = syntax::is_macro(&m.mac, &["no_grad"]);
    syn::parse2(quote::quote!({ #tokens }))
        .ok()
        .filter(|_| no_grad)
}

/// The fields of a place that are the same whatever happens: `s.x` of `s.x[i].y`.
fn whole(place: &Expr) -> Option<Expr> {
    match place {
        Expr::Path(p) => p.path.get_ident().map(|_| place.clone()),
        Expr::Field(f) => {
            let base = whole(&f.base)?;
            if base != *f.base {
                return Some(base);
            }
            Some(place.clone())
        }
        Expr::Paren(p) => whole(&p.expr),
        Expr::Group(g) => whole(&g.expr),
        Expr::Index(i) => whole(&i.expr),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => whole(&u.expr),
        Expr::MethodCall(m) => whole(&m.receiver),
        _ => None,
    }
}

#[derive(Default)]
struct Changes {
    places: Vec<Expr>,
    bound: HashSet<String>,
}

impl Changes {
    fn assigned(&mut self, left: &Expr) {
        match left {
            Expr::Tuple(t) => t.elems.iter().for_each(|e| self.assigned(e)),
            Expr::Array(a) => a.elems.iter().for_each(|e| self.assigned(e)),
            e => self.places.push(e.clone()),
        }
    }
}

impl<'a> Visit<'a> for Changes {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }
    fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
        self.assigned(&a.left);
        visit::visit_expr_assign(self, a);
    }
    fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
        if syntax::is_assign_op(&b.op) {
            self.assigned(&b.left);
        }
        visit::visit_expr_binary(self, b);
    }
    fn visit_expr_reference(&mut self, r: &'a syn::ExprReference) {
        if r.mutability.is_some() {
            self.assigned(&r.expr);
        }
        visit::visit_expr_reference(self, r);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        if is_mutator(m) {
            self.assigned(&m.receiver);
        }
        visit::visit_expr_method_call(self, m);
    }
}

/// Puts copies where code that is kept as written takes the value of an active variable.
struct Takes<'l, 'a>(&'l Lower<'a>);

impl Takes<'_, '_> {
    fn take(&self, e: &mut Expr) {
        let mut place = &*e;
        while let Expr::Field(syn::ExprField { base, .. }) = place {
            place = base;
        }
        let name = matches!(place, Expr::Path(_)).then(|| syntax::root_name(place));
        let var = name.flatten().and_then(|n| self.0.lookup(&n));
        let taken = var
            .map(|v| &self.0.vars[v])
            .is_some_and(|v| v.maybe_active && v.hold == Hold::Value && !v.ty.is_copy());
        if taken {
            let span = e.span();
            *e = syn::parse_quote_spanned!(span=> ::core::clone::Clone::clone(&#e));
        }
    }

    /// The values that a block takes: those of its last expression, and of what it passes on.
    fn block(&self, b: &mut Block) {
        struct Inside<'t, 'l, 'a>(&'t Takes<'l, 'a>);
        impl VisitMut for Inside<'_, '_, '_> {
            fn visit_block_mut(&mut self, b: &mut Block) {
                visit_mut::visit_block_mut(self, b);
                if let Some(syn::Stmt::Expr(tail, None)) = b.stmts.last_mut() {
                    self.0.take(tail);
                }
            }
            fn visit_local_mut(&mut self, l: &mut syn::Local) {
                visit_mut::visit_local_mut(self, l);
                if let Some(init) = &mut l.init {
                    self.0.take(&mut init.expr);
                }
            }
            fn visit_expr_assign_mut(&mut self, a: &mut syn::ExprAssign) {
                visit_mut::visit_expr_mut(self, &mut a.right);
                self.0.take(&mut a.right);
            }
            fn visit_expr_call_mut(&mut self, c: &mut syn::ExprCall) {
                visit_mut::visit_expr_call_mut(self, c);
                c.args.iter_mut().for_each(|a| self.0.take(a));
            }
            fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
                visit_mut::visit_expr_method_call_mut(self, m);
                m.args.iter_mut().for_each(|a| self.0.take(a));
            }
            fn visit_expr_tuple_mut(&mut self, t: &mut syn::ExprTuple) {
                visit_mut::visit_expr_tuple_mut(self, t);
                t.elems.iter_mut().for_each(|e| self.0.take(e));
            }
            fn visit_expr_array_mut(&mut self, a: &mut syn::ExprArray) {
                visit_mut::visit_expr_array_mut(self, a);
                a.elems.iter_mut().for_each(|e| self.0.take(e));
            }
            fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
                visit_mut::visit_field_value_mut(self, f);
                if f.colon_token.is_none() {
                    f.colon_token = Some(Default::default());
                }
                self.0.take(&mut f.expr);
            }
            fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        }
        Inside(self).visit_block_mut(b);
    }
}

impl VisitMut for Takes<'_, '_> {
    fn visit_expr_call_mut(&mut self, c: &mut syn::ExprCall) {
        visit_mut::visit_expr_call_mut(self, c);
        if syntax::is_stop_gradient(&c.func) {
            c.args.iter_mut().for_each(|a| self.take(a));
        }
    }
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        if !syntax::is_macro(m, &["no_grad"]) {
            return;
        }
        let tokens = &m.tokens;
        if let Ok(mut b) = syn::parse2::<Block>(quote::quote!({ #tokens })) {
            self.block(&mut b);
            let stmts = &b.stmts;
            m.tokens = quote::quote!(#(#stmts)*);
        }
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}
