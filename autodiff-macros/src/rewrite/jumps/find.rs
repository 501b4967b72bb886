//! Where jumps are.

use syn::visit::{self, Visit};
use syn::{Expr, Label, Lifetime, Stmt};

/// Finds jumps that have to be replaced.
pub struct Needs<'a> {
    pub native: &'a dyn Fn(&Expr) -> bool,
    pub found: bool,
}

impl<'a> Visit<'a> for Needs<'_> {
    fn visit_expr(&mut self, e: &'a Expr) {
        match e {
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => self.found = true,
            Expr::Closure(_) | Expr::Async(_) => {}
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)
                if (self.native)(e) && !escapes_expr(e) => {}
            e => visit::visit_expr(self, e),
        }
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// Whether a jump inside leaves the statement.
pub fn escapes(s: &Stmt) -> bool {
    let mut v = Escapes::default();
    v.visit_stmt(s);
    v.found
}

pub fn escapes_expr(e: &Expr) -> bool {
    let mut v = Escapes::default();
    v.visit_expr(e);
    v.found
}

#[derive(Default)]
struct Escapes {
    loops: usize,
    labels: Vec<String>,
    found: bool,
}

impl Escapes {
    fn jump(&mut self, label: Option<&Lifetime>) {
        self.found |= match label {
            Some(l) => !self.labels.contains(&l.ident.to_string()),
            None => self.loops == 0,
        };
    }

    fn inside(&mut self, label: Option<&Label>, is_loop: bool, visit: impl FnOnce(&mut Self)) {
        let depth = self.labels.len();
        self.labels.extend(label.map(|l| l.name.ident.to_string()));
        self.loops += usize::from(is_loop);
        visit(self);
        self.loops -= usize::from(is_loop);
        self.labels.truncate(depth);
    }
}

impl<'a> Visit<'a> for Escapes {
    fn visit_expr(&mut self, e: &'a Expr) {
        match e {
            Expr::Return(_) => self.found = true,
            Expr::Break(b) => {
                self.jump(b.label.as_ref());
                visit::visit_expr(self, e);
            }
            Expr::Continue(c) => self.jump(c.label.as_ref()),
            Expr::Closure(_) | Expr::Async(_) => {}
            Expr::ForLoop(l) => self.inside(l.label.as_ref(), true, |v| visit::visit_expr(v, e)),
            Expr::While(l) => self.inside(l.label.as_ref(), true, |v| visit::visit_expr(v, e)),
            Expr::Loop(l) => self.inside(l.label.as_ref(), true, |v| visit::visit_expr(v, e)),
            Expr::Block(b) => self.inside(b.label.as_ref(), false, |v| visit::visit_expr(v, e)),
            e => visit::visit_expr(self, e),
        }
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
