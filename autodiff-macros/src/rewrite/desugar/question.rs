//! `?`: the value, or an early return.

use super::optional::leaves;
use super::Desugar;
use crate::syntax::ends::Wrapper;
use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, BinOp, Expr, Stmt, Type};

/// What `?` returns early in a function: where its type has a name of its own, what the function returns elsewhere
/// tells.
pub fn returned(output: Option<&Type>, body: &syn::Block) -> Option<Wrapper> {
    struct Returns(Option<Wrapper>);
    impl Returns {
        fn look(&mut self, e: &Expr) {
            self.0 = self.0.or_else(|| super::optional::constructed(e));
        }
    }
    impl<'a> Visit<'a> for Returns {
        fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
            r.expr.iter().for_each(|e| self.look(e));
            visit::visit_expr_return(self, r);
        }
        fn visit_expr_try(&mut self, t: &'a syn::ExprTry) {
            self.look(&t.expr);
            visit::visit_expr_try(self, t);
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    fn at_the_end(body: &syn::Block, found: &mut Returns) {
        if let Some(Stmt::Expr(e, None)) = body.stmts.last() {
            value(e, found);
        }
    }
    fn value(e: &Expr, found: &mut Returns) {
        match e {
            Expr::Block(b) => at_the_end(&b.block, found),
            Expr::If(i) => {
                at_the_end(&i.then_branch, found);
                i.else_branch.iter().for_each(|(_, e)| value(e, found));
            }
            Expr::Match(m) => m.arms.iter().for_each(|a| value(&a.body, found)),
            e => found.look(e),
        }
    }
    output.and_then(Wrapper::of).or_else(|| {
        output?;
        let mut found = Returns(None);
        at_the_end(body, &mut found);
        found.visit_block(body);
        found.0
    })
}

/// `o` and `e` of `o.ok_or(e)` and `o.ok_or_else(|| e)`.
pub fn of_option(e: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::MethodCall(m) = e else { return None };
    let error = match (m.method.to_string().as_str(), m.args.first()?) {
        ("ok_or", e) => e,
        ("ok_or_else", Expr::Closure(c)) => &*c.body,
        _ => return None,
    };
    Some((&m.receiver, error))
}

/// The branch in `Ok(match x { … f()? … })` at the end of a block, and the place it leaves.
pub fn wrapped(s: &mut Stmt) -> Option<&mut Expr> {
    let Stmt::Expr(Expr::Call(c), None) = s else {
        return None;
    };
    let Expr::Path(p) = &*c.func else { return None };
    let wraps = p.path.is_ident("Ok") || p.path.is_ident("Some");
    let branch = c.args.first_mut().filter(|_| wraps)?;
    let inside =
        matches!(branch, Expr::Match(_) | Expr::If(_)) && !has_question(branch) && leaves(branch);
    inside.then_some(branch)
}

/// Arms with `?` as blocks, whose statements take it apart.
pub fn arms(m: &mut syn::ExprMatch) {
    for arm in &mut m.arms {
        if !matches!(*arm.body, Expr::Block(_)) && has_question(&arm.body) {
            let body = &arm.body;
            *arm.body = syn::parse_quote!({ #body });
        }
    }
}

/// Whether an expression has a `?` of its own: not one in a block, which has its own statements.
pub fn has_question(e: &Expr) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr_try(&mut self, _: &'a syn::ExprTry) {
            self.0 = true;
        }
        fn visit_block(&mut self, _: &'a syn::Block) {}
        fn visit_arm(&mut self, _: &'a syn::Arm) {}
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut v = V(false);
    visit::Visit::visit_expr(&mut v, e);
    v.0
}

/// Whether the body of a closure has a `?` that leaves it.
pub fn in_closure(e: &Expr) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr_try(&mut self, _: &'a syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut v = V(false);
    v.visit_expr(e);
    v.0
}

impl Desugar<'_> {
    /// Takes the first `?` out of a statement: a name in its place, and what it stands for.
    pub(super) fn first_question(&mut self, s: &mut Stmt) -> Option<(Ident, Expr)> {
        let e = match s {
            // `let x = e?;` binds the pattern itself.
            Stmt::Local(l) => {
                let init = l.init.as_mut()?;
                match &mut *init.expr {
                    Expr::Try(t) if init.diverge.is_none() => &mut *t.expr,
                    e => e,
                }
            }
            Stmt::Expr(Expr::While(_), _) => return None,
            Stmt::Expr(e, _) => e,
            _ => return None,
        };
        if !has_question(e) {
            return None;
        }
        struct Take {
            name: Ident,
            taken: Option<Expr>,
            conditional: Option<proc_macro2::Span>,
        }
        impl VisitMut for Take {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
                if self.taken.is_some() {
                    return;
                }
                if let Expr::Binary(b) = e {
                    if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) && has_question(&b.right) {
                        use syn::spanned::Spanned;
                        self.conditional = Some(b.right.span());
                    }
                }
                visit_mut::visit_expr_mut(self, e);
                if let (Expr::Try(t), None) = (&*e, &self.taken) {
                    let (name, inner) = (&self.name, (*t.expr).clone());
                    *e = parse_quote!(#name);
                    self.taken = Some(inner);
                }
            }
            fn visit_block_mut(&mut self, _: &mut syn::Block) {}
            fn visit_arm_mut(&mut self, _: &mut syn::Arm) {}
            fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        }
        let mut take = Take {
            name: self.fresh("value"),
            taken: None,
            conditional: None,
        };
        take.visit_expr_mut(e);
        if let Some(span) = take.conditional {
            self.cx.error_at(span, "`?` behind `&&` or `||` is not supported in a `#[differentiable]` function: compute the value with `let` first");
        }
        Some((take.name, take.taken?))
    }
}
