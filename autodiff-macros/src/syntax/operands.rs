//! Parentheses around a block at the left end of an expression.
//!
//! In `|v| if v > 0.0 { v } else { 0.0 } * k` the branch is an operand. Where such an expression comes to stand as a
//! statement or in an arm, Rust would take the branch for a statement of its own, and `*k` for the next one.

use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr};

/// Puts the parentheses that hold expressions together wherever they are put.
pub fn hold_together(body: &mut Block) {
    Operands.visit_block_mut(body);
}

struct Operands;

impl VisitMut for Operands {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let left = match e {
            Expr::Assign(a) => &mut a.left,
            Expr::Await(a) => &mut a.base,
            Expr::Binary(b) => &mut b.left,
            Expr::Call(c) => &mut c.func,
            Expr::Cast(c) => &mut c.expr,
            Expr::Field(f) => &mut f.base,
            Expr::Index(i) => &mut i.expr,
            Expr::MethodCall(m) => &mut m.receiver,
            Expr::Range(syn::ExprRange {
                start: Some(start), ..
            }) => start,
            Expr::Try(t) => &mut t.expr,
            _ => return,
        };
        if crate::syntax::ends_in_block(left) {
            let inner = &left;
            **left = parse_quote!((#inner));
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
