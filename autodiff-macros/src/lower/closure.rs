//! Local closures: their code is written out where they are called.
//!
//! What a closure borrows cannot change before its last call, so its names mean the same there as
//! where it is defined.

use crate::ir::*;
use crate::lower::{Closure, Lower};
use crate::syntax;
use crate::syntax::blocks::{block_has_value, is_statement_like};
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

pub const ONLY_CALLED: &str = "a closure over values with a derivative can only be called in a `#[differentiable]` function: to pass it on, make it a `#[differentiable]` function";

impl Lower<'_> {
    /// `let f = |y| y * x;`
    pub fn closure(&mut self, name: &Ident, c: &syn::ExprClosure, out: &mut Vec<Stmt>) {
        if leaves(&c.body) {
            self.cx.error(c, "a closure with `?` is not supported in a `#[differentiable]` function: make it a `#[differentiable]` function, or use `match`");
            return;
        }
        if c.capture.is_some() {
            self.check_moved(c);
        }
        let var = self.fresh_named(name, Ty::Unknown, Hold::Value, false);
        let code = {
            let native = |e: &Expr| !crate::syntax::touches_active(e, &self.active);
            crate::rewrite::jumps::closure(self.cx, c, &native)
        };
        if let Some(code) = &code {
            let body = &code.body;
            let body: syn::Block = syn::parse_quote!({ #body });
            self.active =
                crate::syntax::active::active_names(std::mem::take(&mut self.active), &body);
            self.active
                .extend(crate::rewrite::jumps::MARKS.map(String::from));
        }
        let closure = Closure {
            code: code.unwrap_or_else(|| c.clone()),
            env: self.env.clone(),
            kept: false,
        };
        // As it is, for the code that is kept as written; taken away again if there is none.
        let native = self.native(&Expr::Closure(c.clone()));
        self.push(out, StmtKind::Def(var, Rhs::Native(native)), name.span());
        self.vars[var].defined = self.point();
        self.closures.insert(var, closure);
        self.bind(name, var);
    }

    /// Whether an expression is the name of a local closure.
    pub fn is_closure(&self, e: &Expr) -> bool {
        let name = match e {
            Expr::Path(p) => p.path.get_ident(),
            _ => None,
        };
        let var = name.and_then(|i| self.lookup(&i.to_string()));
        var.is_some_and(|v| self.closures.contains_key(&v))
    }

    /// Notes the closures that an expression uses which is kept as written.
    pub fn note_closures(&mut self, e: &Expr, uses: &[VarId]) {
        for v in uses {
            let Some(closure) = self.closures.get_mut(v) else {
                continue;
            };
            closure.kept = true;
            // What it declares itself, it may change.
            let body = syn::Stmt::Expr((*closure.code.body).clone(), None);
            let outer = crate::rewrite::chains::scopes::free(&[body]);
            let assigned = crate::syntax::writes::assigned_names(&closure.code.body);
            if assigned.iter().any(|n| outer.contains(n)) {
                self.cx.error(e, ONLY_CALLED);
            }
        }
    }

    /// Removes the closures that no kept code uses: the types of their parameters may be open.
    pub fn drop_closures(&self, b: &mut Block) {
        b.retain(&|s| match &s.kind {
            StmtKind::Def(v, _) => self.closures.get(v).is_none_or(|c| c.kept),
            _ => true,
        });
    }

    /// A `move` closure keeps the value that a variable has here.
    fn check_moved(&self, c: &syn::ExprClosure) {
        struct Names(Vec<Ident>);
        impl<'a> Visit<'a> for Names {
            fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
                self.0.extend(p.path.get_ident().cloned());
            }
        }
        let mut names = Names(Vec::new());
        names.visit_expr(&c.body);
        let bound: Vec<String> = c.inputs.iter().flat_map(syntax::pattern_names).collect();
        for name in names.0 {
            let captured = self.lookup(&name.to_string());
            let mutable = captured.is_some_and(|v| self.vars[v].mutable);
            if mutable && !bound.contains(&name.to_string()) {
                self.cx.error(&name, format!("a `move` closure that captures the mutable variable `{name}` is not supported in a `#[differentiable]` function: copy it with `let {name} = {name};` first"));
            }
        }
    }

    pub fn call_closure(&mut self, f: &Closure, call: &syn::ExprCall, out: &mut Vec<Stmt>) -> Rhs {
        if call.args.len() != f.code.inputs.len() {
            let found = call.args.len();
            let expected = f.code.inputs.len();
            self.cx.error(
                call,
                format!("this closure takes {expected} arguments, found {found}"),
            );
            return self.nothing();
        }
        let args = self.operands(&call.args.iter().collect::<Vec<_>>(), out);
        let here = std::mem::replace(&mut self.env, f.env.clone());
        self.push_env();
        for (pat, arg) in f.code.inputs.iter().zip(args) {
            self.parameter(pat, arg, out);
        }
        let body = &*f.code.body;
        let statement = match body {
            Expr::Block(b) => !block_has_value(&b.block),
            e => is_statement_like(e),
        };
        let value = if statement {
            self.stmt_expr(body, out);
            self.nothing()
        } else {
            self.rhs(body, out)
        };
        self.env = here;
        value
    }

    fn parameter(&mut self, pat: &Pat, arg: Operand, out: &mut Vec<Stmt>) {
        match (pat, arg) {
            (Pat::Type(t), mut arg) => {
                if let Operand::Place { place, .. } = &mut arg {
                    self.learn(place, &t.ty);
                }
                self.parameter(&t.pat, arg, out)
            }
            (Pat::Paren(p), arg) => self.parameter(&p.pat, arg, out),
            (Pat::Ident(p), Operand::Native(n)) if p.by_ref.is_none() && p.subpat.is_none() => {
                let hold = match n.expr {
                    Expr::Reference(_) => Hold::Ref,
                    _ => Hold::Value,
                };
                let var = self.fresh_named(&p.ident, n.ty.clone(), hold, p.mutability.is_some());
                self.push(out, StmtKind::Def(var, Rhs::Native(n)), p.span());
                self.vars[var].defined = self.point();
                self.bind(&p.ident, var);
            }
            (pat, arg) => {
                let arg = self.named(arg, out);
                self.destructure(pat, arg, out);
            }
        }
    }

    /// `&[f64]` says what the entries of a place are, whose own type is not written.
    pub(super) fn learn(&mut self, place: &mut Place, ty: &syn::Type) {
        let entries = |ty: &Ty| matches!(ty, Ty::Seq(of) if of.is_known());
        let written = syntax::ty_of(ty);
        if place.ty != Ty::Unknown || !entries(&written) {
            return;
        }
        if place.is_var() && self.vars[place.root].ty == Ty::Unknown {
            self.vars[place.root].ty = written.clone();
        }
        place.ty = written;
    }

    fn nothing(&self) -> Rhs {
        Rhs::Native(Native {
            expr: syn::parse_quote!(()),
            uses: Vec::new(),
            cheap: true,
            ty: Ty::Discrete,
        })
    }
}

/// Whether a closure leaves its body with `?`.
fn leaves(e: &Expr) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr(&mut self, e: &'a Expr) {
            self.0 |= matches!(e, Expr::Try(_));
            if !matches!(e, Expr::Closure(_)) {
                visit::visit_expr(self, e);
            }
        }
    }
    let mut v = V(false);
    v.visit_expr(e);
    v.0
}
