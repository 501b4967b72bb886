//! Whether a block or an expression has a value, or stands there for its effect: as far as its syntax tells.

use crate::syntax;
use syn::{Expr, Stmt as SynStmt};

/// Whether a tail expression is there for its effect.
pub fn is_statement_like(e: &Expr) -> bool {
    is_unit(e)
        || match e {
            // One that panics has no value and is of every type: the other tells.
            Expr::If(i) => i.else_branch.as_ref().is_some_and(|(_, otherwise)| {
                !block_has_value(&i.then_branch) && is_statement_like(otherwise)
            }),
            Expr::Match(m) => m.arms.iter().all(|a| is_statement_like(&a.body)),
            Expr::Block(b) => !block_has_value(&b.block),
            Expr::Macro(m) => syntax::is_statement_macro(&m.mac),
            _ => false,
        }
}

/// Whether an expression is of the type `()`, as far as its syntax tells: the other sides of a
/// branch then are too.
fn is_unit(e: &Expr) -> bool {
    match e {
        Expr::ForLoop(_) | Expr::While(_) | Expr::Assign(_) => true,
        Expr::Binary(b) => syntax::is_assign_op(&b.op),
        Expr::Tuple(t) => t.elems.is_empty(),
        Expr::Block(b) if b.label.is_none() => is_unit_block(&b.block),
        Expr::If(i) => match &i.else_branch {
            Some((_, otherwise)) => is_unit_block(&i.then_branch) || is_unit(otherwise),
            None => true,
        },
        Expr::Match(m) => m.arms.iter().any(|a| is_unit(&a.body)),
        _ => false,
    }
}

fn is_unit_block(b: &syn::Block) -> bool {
    match b.stmts.last() {
        // A call with a semicolon may leave.
        Some(SynStmt::Expr(e, _)) => is_unit(e),
        _ => false,
    }
}

pub fn block_has_value(b: &syn::Block) -> bool {
    match b.stmts.last() {
        Some(SynStmt::Expr(e, None)) => !is_statement_like(e),
        Some(SynStmt::Macro(m)) => m.semi_token.is_none() && !syntax::is_statement_macro(&m.mac),
        _ => false,
    }
}

pub fn collect_idents(p: &mut syn::Pat, f: &mut dyn FnMut(&mut syn::PatIdent)) {
    use syn::visit_mut::{self, VisitMut};
    struct V<'a>(&'a mut dyn FnMut(&mut syn::PatIdent));
    impl VisitMut for V<'_> {
        fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
            if !syntax::is_constant(p) {
                (self.0)(p);
            }
            visit_mut::visit_pat_ident_mut(self, p);
        }
        fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
            if f.colon_token.is_none() {
                f.colon_token = Some(Default::default());
            }
            visit_mut::visit_field_pat_mut(self, f);
        }
    }
    V(f).visit_pat_mut(p);
}
