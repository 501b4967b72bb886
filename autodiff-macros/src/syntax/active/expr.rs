//! Whether an expression may carry a derivative, or changes what does.

use crate::knowledge::numbers;
use crate::syntax::{
    is_macro, is_statement_macro, is_stop_gradient, mentions, tokens_mention, ty_of,
};
use proc_macro2::TokenTree;
use std::collections::HashSet;
use syn::{BinOp, Expr, UnOp};

/// Whether an expression may carry a derivative, when the variables in `active` may.
pub fn maybe_active(e: &Expr, active: &HashSet<String>) -> bool {
    let rec = |e: &Expr| maybe_active(e, active);
    match e {
        Expr::Path(p) => p
            .path
            .get_ident()
            .is_some_and(|i| active.contains(&i.to_string())),
        Expr::Lit(_) | Expr::Range(_) | Expr::Continue(_) => false,
        Expr::Paren(p) => rec(&p.expr),
        Expr::Group(g) => rec(&g.expr),
        Expr::Field(f) => rec(&f.base),
        Expr::Index(i) => rec(&i.expr),
        Expr::Reference(r) => rec(&r.expr),
        Expr::Unary(u) => !matches!(u.op, UnOp::Not(_)) && rec(&u.expr),
        Expr::Cast(c) => !ty_of(&c.ty).is_discrete() && rec(&c.expr),
        Expr::Binary(b) => match b.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                rec(&b.left) || rec(&b.right)
            }
            _ => false,
        },
        Expr::MethodCall(m) => {
            !numbers::is_query(m) && (rec(&m.receiver) || m.args.iter().any(rec))
        }
        Expr::Call(c) => !is_stop_gradient(&c.func) && (rec(&c.func) || c.args.iter().any(rec)),
        Expr::Tuple(t) => t.elems.iter().any(rec),
        Expr::Array(a) => a.elems.iter().any(rec),
        Expr::Repeat(r) => rec(&r.expr),
        Expr::Struct(s) => {
            s.fields.iter().any(|f| rec(&f.expr)) || s.rest.as_deref().is_some_and(rec)
        }
        Expr::Macro(m) => {
            let discrete =
                is_statement_macro(&m.mac) || is_macro(&m.mac, &["no_grad", "matches", "format"]);
            !discrete && tokens_mention(m.mac.tokens.clone(), active)
        }
        // What a condition only reads, it reads as numbers.
        Expr::If(i) => {
            touches_active(e, active)
                || block_maybe_active(&i.then_branch, active)
                || i.else_branch.as_ref().is_some_and(|(_, e)| rec(e))
        }
        Expr::Match(m) => touches_active(e, active) || m.arms.iter().any(|a| rec(&a.body)),
        Expr::Block(b) if b.label.is_none() => {
            let nested: Expr = syn::parse_quote!(if true #b);
            touches_active(&nested, active) || block_maybe_active(&b.block, active)
        }
        // Its value is that of a `break`.
        Expr::Loop(_) => touches_active(e, active),
        other => mentions(other, active),
    }
}

/// Whether the value of a block may carry a derivative.
fn block_maybe_active(b: &syn::Block, active: &HashSet<String>) -> bool {
    match b.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => maybe_active(e, active),
        Some(syn::Stmt::Macro(m)) if m.semi_token.is_none() => {
            tokens_mention(m.mac.tokens.clone(), active)
        }
        _ => false,
    }
}

/// Whether a macro's tokens name a variable that may carry a derivative, or anything that is called.
pub fn maybe_active_macro(m: &syn::ExprMacro, active: &HashSet<String>) -> bool {
    fn calls(tokens: proc_macro2::TokenStream) -> bool {
        tokens.into_iter().any(|t| matches!(t, TokenTree::Group(_)))
    }
    tokens_mention(m.mac.tokens.clone(), active) || calls(m.mac.tokens.clone())
}

/// Whether a statement assigns an active variable, or uses one where it counts.
pub fn touches_active(e: &Expr, active: &HashSet<String>) -> bool {
    use syn::visit::Visit;
    match e {
        Expr::ForLoop(_) | Expr::If(_) | Expr::While(_) | Expr::Loop(_) | Expr::Match(_) => {
            let mut flows = super::Flows::default();
            flows.visit_expr(e);
            flows.flows.iter().any(|(targets, from)| {
                targets.iter().any(|t| active.contains(t)) || maybe_active(from, active)
            }) || mentions(e, active) && has_call_statement(e)
                || breaks_with(e, active)
                || mentions(e, &HashSet::from(["__late_set".to_string()]))
        }
        _ => maybe_active(e, active),
    }
}

/// Whether a jump takes a value that may carry a derivative out of a loop.
fn breaks_with(e: &Expr, active: &HashSet<String>) -> bool {
    use syn::visit::{self, Visit};
    struct V<'a>(&'a HashSet<String>, bool);
    impl<'a> Visit<'a> for V<'_> {
        fn visit_expr_break(&mut self, b: &'a syn::ExprBreak) {
            let value = b.expr.as_deref();
            self.1 |= value.is_some_and(|v| maybe_active(v, self.0));
            visit::visit_expr_break(self, b);
        }
        fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
            let value = r.expr.as_deref();
            self.1 |= value.is_some_and(|v| maybe_active(v, self.0));
            visit::visit_expr_return(self, r);
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut v = V(active, false);
    v.visit_expr(e);
    v.1
}

fn has_call_statement(e: &Expr) -> bool {
    use syn::visit::{self, Visit};
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_stmt(&mut self, s: &'a syn::Stmt) {
            if let syn::Stmt::Expr(Expr::MethodCall(_) | Expr::Call(_), Some(_)) = s {
                self.0 = true;
            }
            visit::visit_stmt(self, s);
        }
    }
    let mut v = V(false);
    v.visit_expr(e);
    v.0
}
