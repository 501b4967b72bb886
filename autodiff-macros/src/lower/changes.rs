//! Code that is kept as written must not change an active value behind the derivative's back.

use crate::ir::{Hold, Native, Operand, Rhs, Stmt, StmtKind, Ty, Var, VarId};
use crate::knowledge::numbers;
use crate::knowledge::sequences::{is_mutator, PURE};
use crate::lower::Lower;
use crate::syntax;
use crate::syntax::arguments::{self, Argument};
use crate::syntax::writes::{assigned_names, written_names, written_names_but};
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::Expr;

/// The names behind `&mut` in the tokens of a macro.
fn lent_in(tokens: TokenStream) -> Vec<Ident> {
    let mut found = Vec::new();
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, t) in tokens.iter().enumerate() {
        match (t, tokens.get(i + 1), tokens.get(i + 2)) {
            (TokenTree::Group(g), ..) => found.extend(lent_in(g.stream())),
            (TokenTree::Punct(p), Some(TokenTree::Ident(m)), Some(TokenTree::Ident(name)))
                if p.as_char() == '&' && m == "mut" =>
            {
                found.push(name.clone());
            }
            _ => {}
        }
    }
    found
}

impl Lower<'_> {
    /// The first of some operands that are evaluated in this order: it is copied if a later one may
    /// change it.
    pub fn before(&mut self, o: Operand, exprs: &[&Expr], out: &mut Vec<Stmt>) -> Operand {
        if !exprs[1..].iter().any(|e| self.may_change(e)) {
            return o;
        }
        match o {
            Operand::Place {
                place,
                by_ref: false,
            } => {
                let (ty, span) = (place.ty.clone(), place.span);
                self.define(Rhs::Snapshot(place), ty, span, out)
            }
            // What is borrowed cannot change while it is lent, and the pullback is lent it again.
            Operand::Native(n) if borrows_place(&n.expr) || self.names_reference(&n) => {
                Operand::Native(n)
            }
            Operand::Native(n) => {
                let (ty, span) = (n.ty.clone(), n.expr.span());
                self.define(Rhs::Native(n), ty, span, out)
            }
            o => o,
        }
    }

    /// Whether code is the name of a shared reference.
    fn names_reference(&self, n: &Native) -> bool {
        let var = n.uses.first().map(|v| &self.vars[*v]);
        matches!(n.expr, Expr::Path(_)) && var.is_some_and(|v| v.hold == Hold::Ref && !v.mutable)
    }

    /// Code that is kept as written, where it may be emitted more than once: what changes something
    /// in it, such as a generator of random numbers, is evaluated here.
    pub fn once(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Native {
        if let Expr::Range(r) = e {
            let mut r = r.clone();
            for end in [&mut r.start, &mut r.end].into_iter().flatten() {
                if self.may_change(end) {
                    let v = self.evaluated(end, out);
                    let name = quote::format_ident!("__once{v}");
                    self.bind(&name, v);
                    **end = syn::parse_quote!(#name);
                }
            }
            return self.native(&Expr::Range(r));
        }
        if let Expr::Reference(r) = e {
            let called = matches!(&*r.expr, Expr::Call(_) | Expr::MethodCall(_));
            let named = self.moves(&r.expr) || is_made(&r.expr) || called && self.may_draw(&r.expr);
            if r.mutability.is_none() && named {
                let v = self.evaluated(&r.expr, out);
                let mut n = self.native_var(v);
                let value = &n.expr;
                n.expr = syn::parse_quote!(&#value);
                return n;
            }
        }
        let again = !self.may_change(e) && !self.moves(e) && !self.may_draw(e);
        if matches!(e, Expr::Closure(_)) || again {
            return self.native(e);
        }
        let v = self.evaluated(e, out);
        self.native_var(v)
    }

    /// Whether an operator may take a variable that is not `Copy`, so that it cannot be evaluated again.
    fn moves(&self, e: &Expr) -> bool {
        struct V<'l, 'a>(&'l Lower<'a>, bool);
        impl V<'_, '_> {
            fn operand(&mut self, e: &Expr) {
                let Expr::Path(p) = e else { return };
                let var = p
                    .path
                    .get_ident()
                    .and_then(|i| self.0.lookup(&i.to_string()));
                self.1 |= var.is_some_and(|v| {
                    let v = &self.0.vars[v];
                    v.hold == Hold::Value && matches!(v.ty, Ty::Unknown | Ty::Indices)
                });
            }
        }
        impl<'a> Visit<'a> for V<'_, '_> {
            fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
                self.operand(&b.left);
                self.operand(&b.right);
                visit::visit_expr_binary(self, b);
            }
            fn visit_expr_unary(&mut self, u: &'a syn::ExprUnary) {
                if !matches!(u.op, syn::UnOp::Deref(_)) {
                    self.operand(&u.expr);
                }
                visit::visit_expr_unary(self, u);
            }
            fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        }
        let mut v = V(self, false);
        v.visit_expr(e);
        v.1
    }

    /// An argument by value that is no name: its type may be inferred from the call alone. And a reference to what is in a map,
    /// which is looked up once.
    pub fn made_before(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Option<Operand> {
        let reference = matches!(e, Expr::Reference(_));
        let named = match reference {
            true => syntax::lends_looked_up(e),
            false => is_made(e),
        };
        if !named || self.maybe_active(e) {
            return None;
        }
        let v = self.evaluated(e, out);
        Some(Operand::Native(self.native_var(v)))
    }

    fn evaluated(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> VarId {
        let n = self.native(e);
        let (ty, span) = (n.ty.clone(), e.span());
        let v = self.temp(ty, span);
        if matches!(e, Expr::Reference(r) if r.mutability.is_none()) {
            self.vars[v].hold = Hold::Ref;
        }
        self.push(out, StmtKind::Def(v, Rhs::Native(n)), span);
        self.vars[v].defined = self.point();
        v
    }

    /// Whether evaluating an expression may change a variable: by an assignment, or by a call that it
    /// is lent to or captured by.
    pub fn may_change(&self, e: &Expr) -> bool {
        struct V<'l, 'a>(&'l Lower<'a>, bool);
        impl<'a> Visit<'a> for V<'_, '_> {
            fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
                let code = syntax::root_name(&c.func)
                    .and_then(|f| self.0.lookup(&f))
                    .and_then(|v| self.0.closures.get(&v));
                // A method in it may change what it captures.
                self.1 |= code.is_some_and(|f| !written_names(&f.code.body).is_empty());
                // `let mut next = || …;` without values that carry a derivative
                self.1 |= syntax::root_name(&c.func)
                    .and_then(|f| self.0.lookup(&f))
                    .is_some_and(|v| self.0.vars[v].mutable);
                self.1 |= c.args.iter().any(|a| self.0.named_reference(a));
                let parts = c.args.iter().chain([&*c.func]);
                self.1 |= self.0.any_shared(parts);
                visit::visit_expr_call(self, c);
            }
            fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
                self.1 |= m.args.iter().any(|a| self.0.named_reference(a));
                self.1 |= self.0.any_shared(m.args.iter().chain([&*m.receiver]));
                visit::visit_expr_method_call(self, m);
            }
        }
        let changeable = |v: VarId| self.vars[v].mutable || self.vars[v].hold == Hold::Mut;
        let written = self.written_names(e).into_iter();
        let mut v = V(
            self,
            written.filter_map(|n| self.lookup(&n)).any(changeable),
        );
        v.visit_expr(e);
        v.1 || syntax::assigns(e)
    }

    /// The names that an inactive statement may write.
    pub(super) fn written_names(&self, e: &Expr) -> Vec<String> {
        written_names_but(e, &|m| self.reads_receiver(m))
    }

    /// Whether the file tells that a method only reads its receiver.
    pub(super) fn reads_receiver(&self, m: &syn::ExprMethodCall) -> bool {
        self.changes_receiver(m) == Some(false)
    }

    /// Whether a method changes its receiver, if the file tells.
    pub(super) fn changes_receiver(&self, m: &syn::ExprMethodCall) -> Option<bool> {
        self.typed(&m.receiver)?.changes(&m.method.to_string())
    }

    /// Whether a method is one of a type of the file, and none of the standard library's of that name.
    pub(super) fn is_of_the_file(&self, m: &syn::ExprMethodCall) -> bool {
        let of = self.typed(&m.receiver);
        of.is_some_and(|of| of.takes_itself(&m.method.to_string()))
    }

    /// Whether a call lends an entry, as that of a sequence or a map does, and none of the file.
    pub(super) fn lends_entry(&self, asked: Option<&syn::ExprMethodCall>) -> bool {
        asked.is_some_and(|m| !self.is_of_the_file(m))
    }

    /// Whether what a variable holds may change though it is not `mut`: a cell, or a closure that uses one.
    pub(super) fn is_shared(&self, ty: Option<&syn::Type>, value: &Expr) -> bool {
        match value {
            Expr::Closure(c) => !written_names(&c.body).is_empty() || self.may_change(&c.body),
            _ => is_cell(value) || ty.is_some_and(is_cell),
        }
    }

    /// Whether a value comes from a call that is given a constant by reference, which may hold a cell: a generator
    /// of random numbers with `&self`. It is evaluated once then.
    pub(super) fn may_draw(&self, e: &Expr) -> bool {
        struct V<'l, 'a>(&'l Lower<'a>, bool);
        impl V<'_, '_> {
            fn lends(&self, e: &Expr, receiver: bool) -> bool {
                let var = syntax::root_name(e).and_then(|n| self.0.lookup(&n));
                var.is_some_and(|v| {
                    let v = &self.0.vars[v];
                    let lent = receiver || matches!(e, Expr::Reference(_)) || v.hold != Hold::Value;
                    lent && v.ty == Ty::Unknown && !v.maybe_active
                })
            }
        }
        impl<'a> Visit<'a> for V<'_, '_> {
            fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
                self.1 |= c.args.iter().any(|a| self.lends(a, false));
                visit::visit_expr_call(self, c);
            }
            fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
                let name = m.method.to_string();
                let pure = numbers::is_query(m) || PURE.contains(&name.as_str());
                let lends = |a: &Expr| self.lends(a, false);
                self.1 |= !pure && (self.lends(&m.receiver, true) || m.args.iter().any(lends));
                visit::visit_expr_method_call(self, m);
            }
            fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        }
        let mut v = V(self, false);
        v.visit_expr(e);
        v.1
    }

    fn any_shared<'e>(&self, mut parts: impl Iterator<Item = &'e Expr>) -> bool {
        parts.any(|e| {
            let var = syntax::root_name(e).and_then(|n| self.lookup(&n));
            var.is_some_and(|v| self.shared.contains(&v))
        })
    }

    /// The variable of a place, if it may carry a derivative and be changed.
    fn changeable(&self, place: &Expr) -> Option<VarId> {
        let v = syntax::root_name(place).and_then(|n| self.lookup(&n))?;
        let var = &self.vars[v];
        let changes = var.mutable || var.hold == Hold::Mut;
        (var.maybe_active && changes && self.maybe_active(place)).then_some(v)
    }

    fn lent_unseen(&self, at: impl quote::ToTokens) {
        self.cx.error(at, "this lends an active value where no derivative is followed in a `#[differentiable]` function: bind the value of the call to a name with `let` first, as a statement of its own");
    }

    /// Errors for what changes an active value.
    pub fn check_mutation(&self, e: &Expr) {
        struct V<'l, 'a>(&'l Lower<'a>);
        impl<'a> Visit<'a> for V<'_, '_> {
            fn visit_stmt(&mut self, s: &'a syn::Stmt) {
                if let syn::Stmt::Expr(Expr::MethodCall(m), Some(_)) = s {
                    let rotated = m.method.to_string().starts_with("rotate_");
                    if rotated && self.0.changeable(&m.receiver).is_some() {
                        self.0.lent_unseen(m);
                    }
                }
                visit::visit_stmt(self, s);
            }
            fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
                let name = m.method.to_string();
                let active = syntax::root_name(&m.receiver)
                    .filter(|n| self.0.active.contains(n))
                    .and_then(|n| self.0.lookup(&n))
                    .is_some_and(|v| self.0.vars[v].maybe_active);
                // As a value it is a method of integers.
                let rotated = name.starts_with("rotate_");
                if active && is_mutator(m) && !rotated {
                    self.0.cx.error(&m.method, format!("`{name}` changes an active value in place, and has no derivative in a `#[differentiable]` function: assign a new value"));
                }
                visit::visit_expr_method_call(self, m);
            }
            fn visit_expr_reference(&mut self, r: &'a syn::ExprReference) {
                if r.mutability.is_some() && self.0.changeable(&r.expr).is_some() {
                    self.0.lent_unseen(r);
                }
                visit::visit_expr_reference(self, r);
            }
            fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
                for a in &c.args {
                    let lent = matches!(a, Expr::Path(_))
                        && self
                            .0
                            .changeable(a)
                            .is_some_and(|v| self.0.vars[v].hold == Hold::Mut);
                    if lent {
                        self.0.lent_unseen(a);
                    }
                }
                visit::visit_expr_call(self, c);
            }
            fn visit_macro(&mut self, m: &'a syn::Macro) {
                if syntax::is_macro(m, &["no_grad"]) {
                    return;
                }
                for a in arguments::of(m).list {
                    match a {
                        // It lives here only: a visitor of its own.
                        Argument::Expr(e) => V(self.0).visit_expr(&e),
                        Argument::Other(tokens) => {
                            for name in lent_in(tokens) {
                                if self.0.changeable(&syn::parse_quote!(#name)).is_some() {
                                    self.0.lent_unseen(&name);
                                }
                            }
                        }
                    }
                }
            }
            fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        }
        let before = self.cx.error_count();
        V(self).visit_expr(e);
        // A closure is written out where it is called.
        if matches!(e, Expr::Closure(_)) || self.cx.error_count() > before {
            return;
        }
        for name in assigned_names(e) {
            let v = self.lookup(&name).map(|v| &self.vars[v]);
            let active = |v: &Var| v.maybe_active && v.mutable && !v.ty.is_discrete();
            if v.is_some_and(active) {
                self.cx.error(e, format!("`{name}` is assigned where no derivative is followed in a `#[differentiable]` function: assign it in a statement of its own"));
            }
        }
    }

    /// The receivers of methods, lent so that the methods can only read them.
    ///
    /// The macro does not see what a method does: one that takes `&mut self` is rustc's error then.
    pub fn read_only(&self, e: &Expr) -> Expr {
        struct V<'l, 'a>(&'l Lower<'a>);
        impl VisitMut for V<'_, '_> {
            fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
                let name = m.method.to_string();
                let known = numbers::is_query(m)
                    || numbers::method(&name, m.args.len()).is_some()
                    || crate::knowledge::sequences::PURE.contains(&name.as_str());
                if !known && self.0.changeable(&m.receiver).is_some() {
                    let receiver = &m.receiver;
                    let span = m.method.span();
                    *m.receiver = syn::parse_quote_spanned!(span=> (&#receiver));
                }
                visit_mut::visit_expr_method_call_mut(self, m);
            }
            fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
                if syntax::is_macro(m, &["no_grad"]) {
                    return;
                }
                let mut args = arguments::of(m);
                args.exprs_mut().for_each(|a| self.visit_expr_mut(a));
                m.tokens = args.tokens();
            }
            fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        }
        let mut e = e.clone();
        V(self).visit_expr_mut(&mut e);
        e
    }
}

/// Whether an expression is `&name` or `&name.field`.
fn borrows_place(e: &Expr) -> bool {
    fn is_place(e: &Expr) -> bool {
        match e {
            Expr::Path(_) => true,
            Expr::Field(f) => is_place(&f.base),
            Expr::Paren(p) => is_place(&p.expr),
            Expr::Group(g) => is_place(&g.expr),
            _ => false,
        }
    }
    matches!(e, Expr::Reference(r) if r.mutability.is_none() && is_place(&r.expr))
}

/// What makes tensors, without `_with`.
const CONSTRUCTORS: &[&str] = &[
    "eye",
    "from_fn",
    "from_slice",
    "from_vec",
    "full",
    "iota",
    "ones",
    "rand_uniform",
    "randn",
    "random",
    "zeros",
];

/// Whether an expression makes a tensor, `Tensor::ones()`: its type may be inferred from its use in the
/// forward pass alone.
fn is_made(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_made(&p.expr),
        Expr::Group(g) => is_made(&g.expr),
        Expr::Unary(u) => is_made(&u.expr),
        Expr::Reference(r) => is_made(&r.expr),
        Expr::Binary(b) => is_made(&b.left) || is_made(&b.right),
        // What a method reads may be gone behind the statement.
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            is_made(&m.receiver) && (name == "clone" || !PURE.contains(&name.as_str()))
        }
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) => {
                let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
                let (name, owner) = (names.next(), names.next());
                let name = name.as_deref().unwrap_or_default();
                let of_type = owner.is_some_and(|n| n.starts_with(char::is_uppercase));
                let made = CONSTRUCTORS.contains(&name.trim_end_matches("_with"));
                (of_type || p.qself.is_some()) && made || p.path.is_ident("tensor")
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a type or a value names one of the types of the standard library that change behind a shared reference.
pub fn is_cell(code: impl quote::ToTokens) -> bool {
    let mut names = Vec::new();
    syntax::identifiers(code.to_token_stream(), &mut names);
    let cell = |n: &String| {
        n.starts_with("Atomic")
            || matches!(
                n.as_str(),
                "Cell" | "RefCell" | "OnceCell" | "Mutex" | "RwLock" | "OnceLock"
            )
    };
    names.iter().any(cell)
}
