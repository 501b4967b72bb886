//! Names for sequences that a call gives, where one of their items is taken: `*path(q).last().unwrap()`.
//!
//! The derivative of an item is a part of that of its sequence, so the sequence needs a name:
//!
//! ```text
//! let receiver = path(q);
//! let tip = *receiver.last().unwrap();
//! ```
//!
//! The call moves to the front of its statement, if nothing in it changes anything.

use crate::rewrite::chains;
use crate::syntax;
use proc_macro2::Span;
use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, BinOp, Block, Expr, Stmt};

/// Methods that give a reference to an item.
const ITEMS: &[&str] = &["first", "get", "last"];

/// Names the receivers in a body.
pub fn named(body: &mut Block) {
    Receivers { count: 0 }.visit_block_mut(body);
}

struct Receivers {
    count: usize,
}

impl VisitMut for Receivers {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let mut out = Vec::with_capacity(b.stmts.len());
        for mut s in std::mem::take(&mut b.stmts) {
            let mut found = Found {
                count: &mut self.count,
                first: Vec::new(),
            };
            match &mut s {
                Stmt::Local(l) => {
                    if let Some(init) = l.init.as_mut().filter(|i| !syntax::assigns(&i.expr)) {
                        found.visit_expr_mut(&mut init.expr);
                    }
                }
                Stmt::Expr(Expr::Assign(a), _) if !syntax::assigns(&a.right) => {
                    found.visit_expr_mut(&mut a.right);
                }
                Stmt::Expr(Expr::Binary(b), _)
                    if syntax::is_assign_op(&b.op) && !syntax::assigns(&b.right) =>
                {
                    found.visit_expr_mut(&mut b.right);
                }
                Stmt::Expr(e, _) if !syntax::assigns(e) => found.visit_expr_mut(e),
                _ => {}
            }
            out.extend(found.first);
            out.push(s);
        }
        b.stmts = out;
        visit_mut::visit_block_mut(self, b);
    }
    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        if !matches!(&*c.body, Expr::Block(_)) {
            let mut block = Block {
                brace_token: syn::token::Brace::default(),
                stmts: vec![Stmt::Expr((*c.body).clone(), None)],
            };
            self.visit_block_mut(&mut block);
            if block.stmts.len() > 1 {
                *c.body = parse_quote!(#block);
                return;
            }
        }
        visit_mut::visit_expr_closure_mut(self, c);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// What is evaluated in any case with a statement.
struct Found<'a> {
    count: &'a mut usize,
    first: Vec<Stmt>,
}

impl VisitMut for Found<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => {
                return self.visit_expr_mut(&mut b.left);
            }
            Expr::If(i) => return self.visit_expr_mut(&mut i.cond),
            Expr::Match(m) => return self.visit_expr_mut(&mut m.expr),
            Expr::Block(_) | Expr::Closure(_) | Expr::ForLoop(_) | Expr::Loop(_) => return,
            Expr::While(_) | Expr::Unsafe(_) | Expr::Macro(_) => return,
            _ => visit_mut::visit_expr_mut(self, e),
        }
        let Expr::MethodCall(m) = e else { return };
        if ITEMS.iter().any(|n| m.method == n) && is_made(&m.receiver) {
            *self.count += 1;
            let name = format_ident!("__receiver{}", self.count, span = Span::mixed_site());
            let receiver = &m.receiver;
            self.first.push(parse_quote!(let #name = #receiver;));
            *m.receiver = parse_quote!(#name);
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a call gives a sequence of its own, as far as its name tells: no iterator, and no part of something else.
fn is_made(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_made(&p.expr),
        Expr::Call(c) => {
            let function = matches!(&*c.func, Expr::Path(p) if p.path.segments.last().is_some_and(
                |s| !s.ident.to_string().starts_with(char::is_uppercase)
            ));
            function && chains::maker(c).is_none()
        }
        Expr::MethodCall(m) => {
            const PARTS: &[&str] = &[
                "as_mut", "as_ref", "as_slice", "borrow", "clone", "expect", "iter_mut", "unwrap",
            ];
            let part = PARTS.iter().chain(ITEMS).any(|n| m.method == n);
            m.turbofish.is_none() && !part && !chains::is_of_iterators(&m.method)
        }
        _ => false,
    }
}
