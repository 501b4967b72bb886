//! Jumps in a part of an expression that they do not leave, such as a loop with `break` in an operand.

use super::find::escapes_expr;
use super::{Jumps, Value};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Expr, Stmt};

impl Jumps<'_> {
    /// The expression with such parts made structured; an error and `None` if a jump leaves it.
    pub(super) fn settled(&mut self, e: &Expr) -> Option<Expr> {
        let mut settled = e.clone();
        if self.needs(e) {
            let mut inside = Inside(self, false);
            inside.visit_expr_mut(&mut settled);
            if inside.1 {
                self.no_jump(e);
                return None;
            }
        }
        Some(settled)
    }

    /// A condition is kept as written, with the jumps that stay inside.
    pub(super) fn condition(&self, e: &Expr) {
        if escapes_expr(e) {
            self.no_jump(e);
        }
    }
}

/// Whether a jump leaves is noted.
struct Inside<'j, 'a>(&'j mut Jumps<'a>, bool);

impl VisitMut for Inside<'_, '_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let whole = matches!(
            e,
            Expr::Block(_) | Expr::If(_) | Expr::Match(_) | Expr::Loop(_)
        );
        if !whole {
            self.1 |= matches!(e, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
            return visit_mut::visit_expr_mut(self, e);
        }
        if !self.0.needs(e) {
            return;
        }
        if escapes_expr(e) {
            self.1 = true;
            return;
        }
        let mut stmts: Vec<Stmt> = Vec::new();
        let late = self.0.late(&mut stmts);
        stmts.extend(self.0.control(e, &Value::Late(late.clone())));
        *e = parse_quote!({ #(#stmts)* __late_get(#late) });
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
