//! Checks on what is kept as written: nothing in it may lose a derivative or jump away.

use crate::input::ctxt::Ctxt;
use crate::ir::Ty;
use crate::knowledge::numbers;
use crate::lower::Lower;
use crate::syntax;
use quote::quote_spanned;
use std::collections::HashSet;
use syn::{BinOp, Expr};

impl Lower<'_> {
    /// Methods with the name of a query are checked to be one, where the type does not tell.
    pub fn checked_queries(&self, e: &Expr) -> Expr {
        use syn::visit_mut::{self, VisitMut};
        struct V<'l, 'a>(&'l Lower<'a>);
        impl VisitMut for V<'_, '_> {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
                visit_mut::visit_expr_mut(self, e);
                let Expr::MethodCall(m) = e else { return };
                let name = m.method.to_string();
                let (query, flat) = (numbers::is_query(m), numbers::is_flat_method(&name));
                let lower = self.0;
                let ty = lower.ty_of(&m.receiver);
                let may = ty == Ty::Unknown && syntax::maybe_active(&m.receiver, &lower.active);
                if !query || !may {
                    return;
                }
                let (span, x) = (m.method.span(), &m.receiver);
                if !flat {
                    let query = quote_spanned!(span=> ::differentiable::__rt::query);
                    *e = syn::parse_quote!(#query(#e));
                } else if syntax::root_name(x).is_some() {
                    let rounded = quote_spanned!(span=> ::differentiable::__rt::rounded);
                    *e = syn::parse_quote!({ #rounded(&#x); #e });
                }
            }
            fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        }
        let mut e = e.clone();
        V(self).visit_expr_mut(&mut e);
        e
    }

    /// `(x as i64) as f64` would drop a derivative without a word.
    pub fn check_cut(&self, e: &Expr) {
        use syn::visit::{self, Visit};
        struct V<'l, 'a>(&'l Lower<'a>);
        impl<'a> Visit<'a> for V<'_, '_> {
            fn visit_expr(&mut self, e: &'a Expr) {
                match e {
                    Expr::Cast(c)
                        if matches!(syntax::ty_of(&c.ty), Ty::Float(_))
                            && carries_cut(&c.expr, &self.0.active, &self.0.cut) =>
                    {
                        self.0.cx.error(e, "this cast takes an active value through an integer, which drops its derivative: use `.floor()`, `.round()` or `.trunc()`, or write `stop_gradient(..)`");
                    }
                    // The result is an integer, a comparison, or has no derivative on purpose.
                    Expr::Closure(_) | Expr::Macro(_) | Expr::Range(_) => {}
                    Expr::Index(i) => self.visit_expr(&i.expr),
                    Expr::Cast(c) if syntax::ty_of(&c.ty).is_discrete() => {}
                    Expr::Call(c) if syntax::is_stop_gradient(&c.func) => {}
                    Expr::Binary(b)
                        if !matches!(
                            b.op,
                            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_)
                        ) => {}
                    Expr::If(i) => {
                        self.visit_block(&i.then_branch);
                        i.else_branch.iter().for_each(|(_, e)| self.visit_expr(e));
                    }
                    e => visit::visit_expr(self, e),
                }
            }
        }
        V(self).visit_expr(e);
    }
}

/// Names of integers that an active float was cast into.
pub fn cut_names(body: &syn::Block, active: &HashSet<String>) -> HashSet<String> {
    use syn::visit::Visit;
    let mut flows = crate::syntax::active::Flows::default();
    flows.visit_block(body);
    let mut cut = HashSet::new();
    loop {
        let before = cut.len();
        for (targets, from) in &flows.flows {
            if carries_cut(from, active, &cut) {
                cut.extend(targets.iter().cloned());
            }
        }
        if cut.len() == before {
            return cut;
        }
    }
}

/// Whether an integer expression holds a value cut from an active float.
pub fn carries_cut(e: &Expr, active: &HashSet<String>, cut: &HashSet<String>) -> bool {
    let rec = |e: &Expr| carries_cut(e, active, cut);
    match e {
        Expr::Path(p) => p
            .path
            .get_ident()
            .is_some_and(|i| cut.contains(&i.to_string())),
        Expr::Paren(p) => rec(&p.expr),
        Expr::Group(p) => rec(&p.expr),
        Expr::Unary(u) => rec(&u.expr),
        Expr::Binary(b) => rec(&b.left) || rec(&b.right),
        Expr::MethodCall(m) => rec(&m.receiver) || m.args.iter().any(rec),
        Expr::Cast(c) => {
            (syntax::ty_of(&c.ty).is_discrete() && syntax::maybe_active(&c.expr, active))
                || rec(&c.expr)
        }
        _ => false,
    }
}

/// Control flow out of kept code would leave the emitted function in the wrong place.
pub fn check_native(e: &Expr, cx: &Ctxt) {
    use syn::visit::{self, Visit};
    struct V<'c> {
        cx: &'c Ctxt,
        loops: usize,
    }
    impl<'a> Visit<'a> for V<'_> {
        fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
            self.cx.error(r, "this `return` stands in code without a derivative that a `#[differentiable]` function keeps as written: make it a statement, `if … { return y; }`");
        }
        fn visit_expr_try(&mut self, t: &'a syn::ExprTry) {
            self.cx.error(t, "this `?` stands in code without a derivative that a `#[differentiable]` function keeps as written: give its value a name first, `let n = …?;`");
        }
        fn visit_expr_await(&mut self, t: &'a syn::ExprAwait) {
            self.cx.error(
                t,
                "asynchronous code cannot be differentiated: await the value outside of the `#[differentiable]` function",
            );
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_expr_break(&mut self, b: &'a syn::ExprBreak) {
            if self.loops == 0 {
                self.cx.error(b, "this `break` stands in code without a derivative that a `#[differentiable]` function keeps as written: make it a statement, `if … { break; }`");
            }
        }
        fn visit_expr_continue(&mut self, b: &'a syn::ExprContinue) {
            if self.loops == 0 {
                self.cx.error(b, "this `continue` stands in code without a derivative that a `#[differentiable]` function keeps as written: make it a statement, `if … { continue; }`");
            }
        }
        fn visit_expr_for_loop(&mut self, l: &'a syn::ExprForLoop) {
            self.loops += 1;
            visit::visit_expr_for_loop(self, l);
            self.loops -= 1;
        }
        fn visit_expr_while(&mut self, l: &'a syn::ExprWhile) {
            self.loops += 1;
            visit::visit_expr_while(self, l);
            self.loops -= 1;
        }
        fn visit_expr_loop(&mut self, l: &'a syn::ExprLoop) {
            self.loops += 1;
            visit::visit_expr_loop(self, l);
            self.loops -= 1;
        }
    }
    V { cx, loops: 0 }.visit_expr(e);
}
