//! `v.extend(z)` of a vector of glam, which has the name of a method that changes a `Vec`.
//!
//! That one has no value. So where a value is asked for it is the other one, and is called `extended` from here on.

use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Stmt};

/// Renames them in a body; `output` says whether its last expression is a value.
pub(super) fn rename(body: &mut Block, active: &HashSet<String>, output: bool) {
    let mut values = Values { active };
    if output {
        values.block(body);
    }
    values.visit_block_mut(body);
}

struct Values<'a> {
    active: &'a HashSet<String>,
}

impl Values<'_> {
    /// An expression whose value is used.
    fn value(&mut self, e: &mut Expr) {
        match e {
            Expr::MethodCall(m) => {
                let active = crate::syntax::root_name(&m.receiver);
                let active = active.is_some_and(|n| self.active.contains(&n));
                if active && m.method == "extend" && m.args.len() == 1 && m.turbofish.is_none() {
                    m.method = syn::Ident::new("extended", m.method.span());
                }
            }
            Expr::Paren(p) => self.value(&mut p.expr),
            Expr::Block(b) => self.block(&mut b.block),
            Expr::If(i) => {
                self.block(&mut i.then_branch);
                if let Some((_, e)) = &mut i.else_branch {
                    self.value(e);
                }
            }
            Expr::Match(m) => m.arms.iter_mut().for_each(|a| self.value(&mut a.body)),
            _ => {}
        }
    }

    fn block(&mut self, b: &mut Block) {
        if let Some(Stmt::Expr(e, None)) = b.stmts.last_mut() {
            self.value(e);
        }
    }
}

impl VisitMut for Values<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Binary(b) => {
                self.value(&mut b.left);
                self.value(&mut b.right);
            }
            Expr::MethodCall(m) => {
                self.value(&mut m.receiver);
                m.args.iter_mut().for_each(|a| self.value(a));
            }
            Expr::Call(c) => c.args.iter_mut().for_each(|a| self.value(a)),
            Expr::Array(a) => a.elems.iter_mut().for_each(|e| self.value(e)),
            Expr::Tuple(t) => t.elems.iter_mut().for_each(|e| self.value(e)),
            Expr::Struct(s) => s.fields.iter_mut().for_each(|f| self.value(&mut f.expr)),
            Expr::Unary(u) => self.value(&mut u.expr),
            Expr::Reference(r) => self.value(&mut r.expr),
            Expr::Field(f) => self.value(&mut f.base),
            Expr::Assign(a) => self.value(&mut a.right),
            Expr::Return(r) => {
                if let Some(e) = &mut r.expr {
                    self.value(e);
                }
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        if let Some(init) = &mut l.init {
            self.value(&mut init.expr);
        }
        visit_mut::visit_local_mut(self, l);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
