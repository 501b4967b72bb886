//! Names for sequences that a call gives, where one of their items is taken: `*path(q).last().unwrap()`.
//!
//! The derivative of an item is a part of that of its sequence, so the sequence needs a name. The call moves to the
//! front of its statement, if nothing is evaluated there before it but variables and literals:
//!
//! ```text
//! let receiver = path(q);
//! norm(receiver.last().unwrap())
//! ```
//!
//! Elsewhere an item that is read gets a block in its place, so that the call keeps its turn. (A reference to the item
//! would outlive such a block, so it stays as it is.)
//!
//! ```text
//! v.pop().unwrap() + { let receiver = path(&v); *receiver.last().unwrap() }
//! ```

use crate::rewrite::chains;
use proc_macro2::Span;
use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, BinOp, Block, Expr, Ident, Stmt, UnOp};

/// Methods that give a reference to an item.
const ITEMS: &[&str] = &["first", "get", "last"];

/// Methods of an option that lead to its reference.
const OPENED: &[&str] = &["expect", "unwrap"];

/// Methods of an option that read its reference.
const READ: &[&str] = &["cloned", "copied"];

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
                late: false,
            };
            match &mut s {
                Stmt::Local(l) => {
                    if let Some(init) = &mut l.init {
                        found.visit_expr_mut(&mut init.expr);
                    }
                }
                Stmt::Expr(e, _) => found.visit_expr_mut(e),
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
            *c.body = match &block.stmts[..] {
                [Stmt::Expr(e, None)] => e.clone(),
                _ => parse_quote!(#block),
            };
            return;
        }
        visit_mut::visit_expr_closure_mut(self, c);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The receivers of one statement, in the order in which it evaluates its parts.
struct Found<'a> {
    count: &'a mut usize,
    /// Statements that go before it.
    first: Vec<Stmt>,
    /// Whether a part that may have an effect, or may not run at all, is evaluated before what is visited.
    late: bool,
}

impl Found<'_> {
    fn name(&mut self) -> Ident {
        *self.count += 1;
        format_ident!("__receiver{}", self.count, span = Span::mixed_site())
    }

    /// Visits what may not run.
    fn perhaps(&mut self, e: &mut Expr) {
        self.late = true;
        self.visit_expr_mut(e);
    }

    /// Moves a receiver before which nothing runs to the front of the statement.
    fn move_to_front(&mut self, receiver: &mut Expr) {
        let name = self.name();
        self.first.push(parse_quote!(let #name = #receiver;));
        *receiver = parse_quote!(#name);
        self.late = false; // what it is made of went with it
    }

    /// Gives the receiver of an item that is read a name, in a block in its place.
    fn read_in_place(&mut self, e: &mut Expr) -> bool {
        let Some(receiver) = read(e) else {
            return false;
        };
        let made = receiver.clone();
        let name = self.name();
        *receiver = parse_quote!(#name);
        *e = parse_quote!({ let #name = #made; #e });
        true
    }
}

impl VisitMut for Found<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let late = self.late; // before this expression; its own parts move with it
        if late && self.read_in_place(e) {
            return;
        }
        match e {
            Expr::Lit(_) | Expr::Path(_) => return,
            Expr::Paren(_)
            | Expr::Group(_)
            | Expr::Reference(_)
            | Expr::Field(_)
            | Expr::Unary(_)
            | Expr::Index(_)
            | Expr::Cast(_)
            | Expr::Tuple(_)
            | Expr::Array(_)
            | Expr::Struct(_) => {
                return visit_mut::visit_expr_mut(self, e);
            }
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.visit_expr_mut(&mut b.left);
                self.perhaps(&mut b.right);
            }
            // The right side of an assignment runs before its place, except for own types with `+=`.
            Expr::Binary(b) if crate::syntax::is_assign_op(&b.op) => {
                self.late |= !matches!(&*b.left, Expr::Path(_));
                self.visit_expr_mut(&mut b.right);
                self.perhaps(&mut b.left);
            }
            Expr::Assign(a) => {
                self.visit_expr_mut(&mut a.right);
                self.perhaps(&mut a.left);
            }
            Expr::Binary(b) => {
                self.visit_expr_mut(&mut b.left);
                self.visit_expr_mut(&mut b.right);
                return;
            }
            Expr::If(i) => {
                self.visit_expr_mut(&mut i.cond);
                if let Some((_, e)) = &mut i.else_branch {
                    self.perhaps(e);
                }
            }
            Expr::Match(m) => {
                self.visit_expr_mut(&mut m.expr);
                self.late = true;
                m.arms.iter_mut().for_each(|a| self.visit_arm_mut(a));
            }
            Expr::While(w) => self.perhaps(&mut w.cond),
            Expr::ForLoop(f) => self.visit_expr_mut(&mut f.expr),
            Expr::Block(_)
            | Expr::Closure(_)
            | Expr::Loop(_)
            | Expr::Unsafe(_)
            | Expr::Macro(_) => {}
            Expr::MethodCall(m) => {
                self.visit_expr_mut(&mut m.receiver);
                if !late && is_one_of(&m.method, ITEMS) && is_made(&m.receiver) {
                    self.move_to_front(&mut m.receiver);
                }
                m.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
                if [ITEMS, OPENED, READ]
                    .iter()
                    .any(|names| is_one_of(&m.method, names))
                {
                    return;
                }
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
        self.late = true;
    }
    fn visit_block_mut(&mut self, _: &mut Block) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The call whose item an expression reads: `call` in `*call.last().unwrap()`, `call.last().copied()` and
/// `call.last().unwrap()[0]`.
fn read(e: &mut Expr) -> Option<&mut Expr> {
    match e {
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => item(&mut u.expr),
        Expr::Index(i) => item(&mut i.expr),
        Expr::MethodCall(m) if is_one_of(&m.method, READ) => item(&mut m.receiver),
        _ => None,
    }
}

fn item(e: &mut Expr) -> Option<&mut Expr> {
    match e {
        Expr::Paren(p) => item(&mut p.expr),
        Expr::MethodCall(m) => {
            let (taken, opened) = (is_one_of(&m.method, ITEMS), is_one_of(&m.method, OPENED));
            let receiver = &mut *m.receiver;
            match taken {
                true => is_made(receiver).then_some(receiver),
                false if opened => item(receiver),
                false => None,
            }
        }
        _ => None,
    }
}

fn is_one_of(method: &Ident, names: &[&str]) -> bool {
    names.iter().any(|n| method == n)
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
            let part = is_one_of(&m.method, PARTS) || is_one_of(&m.method, ITEMS);
            m.turbofish.is_none() && !part && !chains::is_of_iterators(&m.method)
        }
        _ => false,
    }
}
