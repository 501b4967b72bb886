//! Lowers branches.

use crate::ir::*;
use crate::lower::Lower;
use crate::lower_loop::has_let;
use crate::lower_stmt::{collect_idents, is_statement_like};
use crate::syntax;
use proc_macro2::{Span, TokenStream};
use quote::{quote, ToTokens};
use std::collections::HashMap;
use syn::{Expr, Pat};

impl Lower<'_> {
    /// `if` as a statement or, with `value`, as an expression.
    pub fn if_expr(&mut self, i: &syn::ExprIf, value: bool, out: &mut Vec<Stmt>) -> Option<VarId> {
        if has_let(&i.cond) {
            self.cx.error(
                &i.cond,
                "`if let` is not supported yet on active values in a `#[differentiable]` function",
            );
            return None;
        }
        let cond = self.native(&i.cond);
        let id = self.new_id();
        let (then, then_ty) = self.arm(value, |s, stmts| s.stmts_of(&i.then_branch, stmts));
        let (otherwise, else_ty) = match &i.else_branch {
            Some((_, e)) => self.arm(value, |s, stmts| match &**e {
                Expr::Block(b) => s.stmts_of(&b.block, stmts),
                Expr::If(j) if !value => {
                    s.if_expr(j, false, stmts);
                    None
                }
                e => Some(s.expr(e, stmts)),
            }),
            None => self.arm(false, |_, _| None),
        };
        let arms = [then, otherwise]
            .map(|block| Arm {
                pattern: TokenStream::new(),
                block,
            })
            .into();
        let out_var = value.then(|| {
            let ty = syntax::join(&then_ty, &else_ty);
            let v = self.temp(ty, i.if_token.span);
            self.vars[v].maybe_active = true;
            v
        });
        self.push(
            out,
            StmtKind::Branch {
                head: Head::If(cond),
                arms,
                out: out_var,
                id,
            },
            i.if_token.span,
        );
        if let Some(v) = out_var {
            self.vars[v].defined = self.point();
        }
        out_var
    }

    fn arm(
        &mut self,
        value: bool,
        f: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Option<Operand>,
    ) -> (Block, Ty) {
        self.enter(false);
        let scope = self.scope.clone();
        let mut stmts = Vec::new();
        let result = f(self, &mut stmts);
        if value && result.is_none() {
            self.cx.error_at(Span::call_site(), "this branch has no value: branches that leave the function or the loop early are not supported yet");
        }
        self.leave();
        let ty = result.as_ref().map_or(Ty::Unknown, Operand::ty);
        (
            Block {
                scope,
                stmts,
                result: result.filter(|_| value),
            },
            ty,
        )
    }

    /// `match` on an inactive value, as a statement or, with `value`, as an expression.
    pub fn match_expr(
        &mut self,
        m: &syn::ExprMatch,
        value: bool,
        out: &mut Vec<Stmt>,
    ) -> Option<VarId> {
        if self.maybe_active(&m.expr) {
            self.cx.error(&m.expr, "`match` on an active value is not supported yet in a `#[differentiable]` function: use `if … { … } else { … }`");
            return None;
        }
        let head = Head::Match(self.native(&m.expr));
        let id = self.new_id();
        let mut tys = Vec::new();
        let mut arms = Vec::new();
        for a in &m.arms {
            let mut pattern = TokenStream::new();
            let (block, ty) = self.arm(value, |s, stmts| {
                pattern = s.pattern(a);
                match &*a.body {
                    Expr::Block(b) if b.label.is_none() => s.stmts_of(&b.block, stmts),
                    e if value && !is_statement_like(e) => Some(s.expr(e, stmts)),
                    e => {
                        s.stmt_expr(e, stmts);
                        None
                    }
                }
            });
            tys.push(ty);
            arms.push(Arm { pattern, block });
        }
        let out_var = value.then(|| {
            let ty = tys
                .into_iter()
                .reduce(|a, b| syntax::join(&a, &b))
                .unwrap_or(Ty::Unknown);
            let v = self.temp(ty, m.match_token.span);
            self.vars[v].maybe_active = true;
            v
        });
        self.push(
            out,
            StmtKind::Branch {
                head,
                arms,
                out: out_var,
                id,
            },
            m.match_token.span,
        );
        if let Some(v) = out_var {
            self.vars[v].defined = self.point();
        }
        out_var
    }

    /// The pattern and guard of an arm; its names become variables of the arm.
    fn pattern(&mut self, a: &syn::Arm) -> TokenStream {
        let (mut pat, guard) = match &a.pat {
            Pat::Guard(g) => ((*g.pat).clone(), Some(&*g.guard)),
            pat => (pat.clone(), None),
        };
        let mut bound: HashMap<String, VarId> = HashMap::new();
        collect_idents(&mut pat, &mut |p| {
            let source = p.ident.to_string();
            // The alternatives of `A(x) | B(x)` bind one variable.
            let var = *bound.entry(source).or_insert_with(|| {
                let mutable = p.mutability.is_some();
                let var = self.fresh_named(&p.ident, Ty::Unknown, Hold::Value, mutable);
                self.vars[var].defined = self.point();
                self.bind(&p.ident, var);
                var
            });
            let mut name = self.vars[var].name.clone();
            name.set_span(p.ident.span());
            p.ident = name;
        });
        let guard = guard.map(|g| {
            let g = self.native(g).expr.into_token_stream();
            quote!(if #g)
        });
        quote!(#pat #guard)
    }
}
