//! Lowers loops.

use crate::ir::*;
use crate::lower::Lower;
use crate::syntax::ranges::{has_let, is_stepped, peel_range};
use proc_macro2::Span;
use syn::{Expr, Pat, Stmt as SynStmt};

impl Lower<'_> {
    pub fn for_loop(&mut self, f: &syn::ExprForLoop, out: &mut Vec<Stmt>) {
        let (range, reversed) = match peel_range(&f.expr) {
            Some(x) => x,
            None if !self.maybe_active(&f.expr) && is_stepped(&f.expr) => {
                // Counted, since its steps cannot be taken backwards for every type.
                (&*f.expr, false)
            }
            None => {
                self.cx.error(&f.expr, "what this `for` loop runs over cannot be run backwards in a `#[differentiable]` function: run over a range, `for i in 0..xs.len()`, with `xs[i]`, or over `xs.iter()` and its adaptors");
                return;
            }
        };
        let var_ident = match &*f.pat {
            Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() && p.mutability.is_none() => {
                Some(p.ident.clone())
            }
            Pat::Wild(_) => None,
            other => {
                self.cx.error(
                    other,
                    "the variable of an active `for` loop must be a plain name",
                );
                return;
            }
        };
        let range = self.once(range, out);
        let (trip, checkpoint) = self.unmarked(&f.body, out);
        let id = self.enter(true);
        let ident = var_ident
            .clone()
            .unwrap_or_else(|| syn::Ident::new("_trip", Span::mixed_site()));
        let var = self.fresh_named(&ident, Ty::Discrete, Hold::Value, false);
        self.vars[var].counter = true;
        if let Some(i) = &var_ident {
            self.bind(i, var);
        }
        let scope = self.scope.clone();
        let mut stmts = Vec::new();
        let (trip, exit) = split_exit(&trip);
        self.stmts_of(&trip, &mut stmts);
        let exit = exit
            // The steps of a loop with `#[checkpoint]` are counted, not taped.
            .or_else(|| {
                let taped = checkpoint.is_none() && is_stepped(&f.expr);
                taped.then(|| syn::parse_quote!(false))
            })
            .map(|e| self.native(&e));
        self.leave();
        let body = Block {
            scope,
            stmts,
            result: None,
        };
        self.push(
            out,
            StmtKind::For {
                var,
                range,
                reversed,
                body,
                exit,
                checkpoint,
                id,
            },
            f.for_token.span,
        );
    }

    pub fn while_loop(&mut self, w: &syn::ExprWhile, out: &mut Vec<Stmt>) {
        if has_let(&w.cond) {
            self.cx.error(&w.cond, "the value of this `while let` cannot be followed in a `#[differentiable]` function: use `loop` with a `match` that breaks");
            return;
        }
        let (trip, checkpoint) = self.unmarked(&w.body, out);
        let id = self.enter(true);
        let cond = self.native(&w.cond);
        let scope = self.scope.clone();
        let mut stmts = Vec::new();
        self.stmts_of(&trip, &mut stmts);
        self.leave();
        let body = Block {
            scope,
            stmts,
            result: None,
        };
        let kind = StmtKind::While {
            cond,
            body,
            checkpoint,
            id,
        };
        self.push(out, kind, w.while_token.span);
    }

    /// The body of a loop without the mark of `#[checkpoint]`, and what that says.
    fn unmarked(
        &mut self,
        body: &syn::Block,
        out: &mut Vec<Stmt>,
    ) -> (syn::Block, Option<Box<Checkpoint>>) {
        let mut body = body.clone();
        let Some((name, value)) = crate::input::checkpoint::unmark(&mut body) else {
            return (body, None);
        };
        let schedule = match name.as_str() {
            "every" => Schedule::Every(self.once(&value, out)),
            "snapshots" => Schedule::Snapshots(self.once(&value, out)),
            "memory" => Schedule::Memory(self.once(&value, out)),
            _ => Schedule::Balanced,
        };
        let checkpoint = Checkpoint {
            schedule,
            primal: Block::default(),
            state: Vec::new(),
            entry: Vec::new(),
            reads: Vec::new(),
        };
        (body, Some(Box::new(checkpoint)))
    }
}

/// Takes `if __jump != 0 { break; }` off the end of a loop body, where `jumps` has put it.
fn split_exit(body: &syn::Block) -> (syn::Block, Option<Expr>) {
    let mut trip = body.clone();
    if let Some(SynStmt::Expr(Expr::If(i), _)) = trip.stmts.last() {
        let of_jumps = matches!(&*i.cond, Expr::Binary(b)
            if crate::syntax::is_mark(&b.left, "__jump") && matches!(b.op, syn::BinOp::Ne(_)));
        let leaves = matches!(
            i.then_branch.stmts.as_slice(),
            [SynStmt::Expr(Expr::Break(_), _)]
        );
        if of_jumps && leaves {
            let cond = (*i.cond).clone();
            trip.stmts.pop();
            return (trip, Some(cond));
        }
    }
    (trip, None)
}
