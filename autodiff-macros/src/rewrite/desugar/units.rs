//! Calls at the end of blocks that have no value: `for v in x { s.push(v) }` becomes
//! `for v in x { s.push(v); }`, so that they are statements like all others.

use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, Stmt};

/// Closes the calls in a function body, which is of the type `()` itself if `unit`.
pub fn close(body: &mut Block, unit: bool) {
    if unit {
        block(body);
    }
    Units.visit_block_mut(body);
}

struct Units;

impl VisitMut for Units {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let last = b.stmts.len().saturating_sub(1);
        for (i, s) in b.stmts.iter_mut().enumerate() {
            // Without a semicolon, only a unit can be followed by another statement.
            if let (Stmt::Expr(e, None), true) = (s, i < last) {
                inside(e);
            }
        }
        visit_mut::visit_block_mut(self, b);
    }
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::ForLoop(f) => block(&mut f.body),
            Expr::While(w) => block(&mut w.body),
            Expr::Loop(l) => block(&mut l.body),
            Expr::If(i) if i.else_branch.is_none() => block(&mut i.then_branch),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// A block of the type `()`.
fn block(b: &mut Block) {
    if let Some(Stmt::Expr(e, semi @ None)) = b.stmts.last_mut() {
        match e {
            Expr::MethodCall(_) | Expr::Call(_) => *semi = Some(Default::default()),
            e => inside(e),
        }
    }
}

/// An expression of the type `()`.
fn inside(e: &mut Expr) {
    match e {
        Expr::Block(b) if b.label.is_none() => block(&mut b.block),
        Expr::If(i) => {
            block(&mut i.then_branch);
            if let Some((_, otherwise)) = &mut i.else_branch {
                inside(otherwise);
            }
        }
        Expr::Match(m) => {
            for a in &mut m.arms {
                match &mut *a.body {
                    body @ (Expr::MethodCall(_) | Expr::Call(_)) => {
                        *body = parse_quote!({ #body; });
                    }
                    body => inside(body),
                }
            }
        }
        _ => {}
    }
}
