//! Calls that change an active value, where only a condition or a number comes of it.
//!
//! `if factor(&mut a).is_err() { … }` is a statement that changes `a`, and a condition. A condition is kept
//! as written, so the call gets a statement of its own:
//!
//! ```text
//! let e = factor(&mut a);
//! if e.is_err() { … }
//! ```
//!
//! What is evaluated before the call gets a name before it, and `a && f(&mut b)` becomes a branch.

use super::{has_let, Desugar};
use crate::knowledge::numbers;
use crate::syntax::arguments;
use crate::syntax::{self, is_assign_op, ty_of};
use syn::visit::{self, Visit};
use syn::{parse_quote, BinOp, Expr, Stmt, UnOp};

impl Desugar<'_> {
    /// The statements, with calls that change active values out of what is kept as written.
    pub fn hoist_effects(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for mut s in stmts {
            let mut first = Vec::new();
            match &mut s {
                Stmt::Local(l) => {
                    if let Some(init) = &mut l.init {
                        self.hoist(&mut init.expr, false, &mut first);
                    }
                }
                Stmt::Expr(e, _) => self.hoist_head(e, &mut first),
                Stmt::Macro(m) => self.hoist_macro(&mut m.mac, &mut first),
                Stmt::Item(_) => {}
            }
            // A branch among them has a condition in turn.
            let first = match first.is_empty() {
                true => first,
                false => self.hoist_effects(first),
            };
            if first.is_empty() || !is_debug_assertion(&s) {
                out.extend(first);
                out.push(s);
            } else {
                // Without debug assertions nothing of it runs.
                out.push(parse_quote!(if ::core::cfg!(debug_assertions) { #(#first)* #s }));
            }
        }
        out
    }

    /// `if`, `while` and `match` whose condition or value changes something.
    pub fn effectful_head(&mut self, e: &Expr) -> Option<Expr> {
        let mut e = e.clone();
        match &mut e {
            Expr::If(i) if !has_let(&i.cond) && self.changes(&i.cond) => {
                let mut first = Vec::new();
                self.hoist(&mut i.cond, true, &mut first);
                Some(parse_quote!({ #(#first)* #e }))
            }
            Expr::While(w) if !has_let(&w.cond) && self.changes(&w.cond) => {
                let (label, cond, body) = (&w.label, &w.cond, &w.body.stmts);
                Some(parse_quote!(#label loop { if !(#cond) { break; } #(#body)* }))
            }
            Expr::ForLoop(f) if self.chain_changes(&f.expr) => {
                let mut first = Vec::new();
                self.steady(&mut f.expr, &mut first);
                (!first.is_empty()).then(|| parse_quote!({ #(#first)* #e }))
            }
            Expr::MethodCall(m) if self.chain_changes(&m.receiver) => {
                let mut first = Vec::new();
                self.steady(&mut m.receiver, &mut first);
                (!first.is_empty()).then(|| parse_quote!({ #(#first)* #e }))
            }
            Expr::Match(m) if self.hidden(&m.expr) => {
                let mut first = Vec::new();
                self.hoist(&mut m.expr, false, &mut first);
                (!first.is_empty()).then(|| parse_quote!({ #(#first)* #e }))
            }
            _ => None,
        }
    }

    /// Whether a chain goes through the items of a place with an index that changes something.
    fn chain_changes(&self, e: &Expr) -> bool {
        fn index_changes(e: &Expr) -> bool {
            match e {
                Expr::Paren(p) => index_changes(&p.expr),
                Expr::Reference(r) => index_changes(&r.expr),
                Expr::Field(f) => index_changes(&f.base),
                Expr::Index(i) => syntax::assigns(&i.index) || index_changes(&i.expr),
                _ => false,
            }
        }
        const ITEMS: &[&str] = &["chunks", "chunks_exact", "iter", "iter_mut", "windows"];
        match e {
            Expr::Reference(_) => index_changes(e),
            Expr::MethodCall(m) => {
                ITEMS.iter().any(|n| m.method == n) && index_changes(&m.receiver)
                    || self.chain_changes(&m.receiver)
            }
            _ => false,
        }
    }

    fn hoist_head(&mut self, e: &mut Expr, first: &mut Vec<Stmt>) {
        match e {
            Expr::If(_) | Expr::While(_) | Expr::Match(_) => {}
            Expr::ForLoop(_) | Expr::Loop(_) | Expr::Block(_) | Expr::Unsafe(_) => {}
            Expr::Assign(a) => self.hoist_assignment(&mut a.left, &mut a.right, first),
            Expr::Macro(m) => self.hoist_macro(&mut m.mac, first),
            e => self.hoist(e, false, first),
        }
    }

    /// Gives calls that change something a statement, where they are in an integer or a condition.
    fn hoist(&mut self, e: &mut Expr, discrete: bool, first: &mut Vec<Stmt>) {
        if !self.changes(e) {
            return;
        }
        match e {
            Expr::Paren(p) => self.hoist(&mut p.expr, discrete, first),
            Expr::Group(g) => self.hoist(&mut g.expr, discrete, first),
            Expr::Field(f) => self.hoist(&mut f.base, discrete, first),
            Expr::Try(t) => self.hoist(&mut t.expr, discrete, first),
            Expr::Reference(r) => self.hoist(&mut r.expr, discrete, first),
            Expr::Unary(u) => {
                let not = matches!(u.op, UnOp::Not(_));
                self.hoist(&mut u.expr, discrete || not, first);
            }
            Expr::Cast(c) => {
                let cut = ty_of(&c.ty).is_discrete();
                self.hoist(&mut c.expr, discrete || cut, first);
            }
            Expr::Index(i) => {
                self.hoist(&mut i.expr, discrete, first);
                self.hoist(&mut i.index, true, first);
            }
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => {
                if !self.changes(&b.right) {
                    return self.hoist(&mut b.left, true, first);
                }
                let (left, right) = (&b.left, &b.right);
                let branch: Expr = match b.op {
                    BinOp::And(_) => parse_quote!(if #left { #right } else { false }),
                    _ => parse_quote!(if #left { true } else { #right }),
                };
                *e = self.named(&branch, first);
            }
            Expr::Binary(b) if is_assign_op(&b.op) => {
                self.hoist_assignment(&mut b.left, &mut b.right, first);
            }
            Expr::Binary(b) => {
                let arithmetic = matches!(
                    b.op,
                    BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
                );
                let discrete = discrete || !arithmetic;
                self.in_order(&mut [&mut b.left, &mut b.right], discrete, first);
            }
            Expr::MethodCall(m) => {
                let query = discrete || numbers::is_query(m);
                let itself = m.args.iter().any(|a| self.lends(a)) || self.changes_receiver(m);
                if itself && query {
                    *e = self.named(e, first);
                } else if !itself {
                    let receiver = std::iter::once(&mut *m.receiver);
                    let mut parts: Vec<_> = receiver.chain(&mut m.args).collect();
                    self.in_order(&mut parts, query, first);
                }
            }
            Expr::Call(c) => {
                if c.args.iter().any(|a| self.lends(a)) {
                    if discrete {
                        *e = self.named(e, first);
                    }
                    return;
                }
                let mut parts: Vec<_> = c.args.iter_mut().collect();
                self.in_order(&mut parts, discrete, first);
            }
            Expr::Tuple(t) => {
                let mut parts: Vec<_> = t.elems.iter_mut().collect();
                self.in_order(&mut parts, discrete, first);
            }
            Expr::Array(a) => {
                let mut parts: Vec<_> = a.elems.iter_mut().collect();
                self.in_order(&mut parts, discrete, first);
            }
            Expr::Struct(s) => {
                let mut parts: Vec<_> = s.fields.iter_mut().map(|f| &mut f.expr).collect();
                self.in_order(&mut parts, discrete, first);
            }
            Expr::Macro(m) => self.hoist_macro(&mut m.mac, first),
            _ => {}
        }
    }

    /// `place = value` and `place += value`: the place is evaluated last.
    fn hoist_assignment(&mut self, place: &mut Expr, value: &mut Expr, first: &mut Vec<Stmt>) {
        self.hoist(value, false, first);
        if self.changes(place) {
            *value = self.named(value, first);
            self.hoist(place, false, first);
        }
    }

    /// The same for expressions that are evaluated one after the other: what stands before a call that
    /// gets a statement gets one too.
    fn in_order(&mut self, parts: &mut [&mut Expr], discrete: bool, first: &mut Vec<Stmt>) {
        for i in 0..parts.len() {
            let mut calls = Vec::new();
            self.hoist(parts[i], discrete, &mut calls);
            if !calls.is_empty() {
                for before in &mut parts[..i] {
                    // A literal stays what it is, and a reference what it leads to.
                    if !matches!(before, Expr::Lit(_) | Expr::Reference(_)) {
                        **before = self.named(before, first);
                    }
                }
            }
            first.extend(calls);
        }
    }

    /// The arguments of `assert!` and the like.
    fn hoist_macro(&mut self, m: &mut syn::Macro, first: &mut Vec<Stmt>) {
        if m.path.is_ident("vec") || m.path.is_ident("no_grad") {
            return;
        }
        let mut args = arguments::of(m);
        if !args.exprs().any(|a| self.changes(a)) {
            return;
        }
        let mut parts: Vec<_> = args.exprs_mut().collect();
        self.in_order(&mut parts, true, first);
        m.tokens = args.tokens();
    }

    /// Gives the indices of a place names, so that it can be written more than once.
    pub fn steady(&mut self, place: &mut Expr, first: &mut Vec<Stmt>) {
        match place {
            Expr::Paren(p) => self.steady(&mut p.expr, first),
            Expr::Group(g) => self.steady(&mut g.expr, first),
            Expr::Field(f) => self.steady(&mut f.base, first),
            Expr::Reference(r) => self.steady(&mut r.expr, first),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.steady(&mut u.expr, first),
            Expr::Index(i) => {
                self.steady(&mut i.expr, first);
                if !syntax::is_cheap(&i.index) && !matches!(&*i.index, Expr::Range(_)) {
                    *i.index = self.named(&i.index, first);
                }
            }
            Expr::MethodCall(m) => {
                self.steady(&mut m.receiver, first);
                let position = m.method == "get" || m.method == "get_mut";
                for a in &mut m.args {
                    match a {
                        Expr::Reference(r)
                            if syntax::root_name(&r.expr).is_none()
                                && r.mutability.is_none()
                                && syntax::assigns(&r.expr) =>
                        {
                            *r.expr = self.named(&r.expr, first);
                        }
                        Expr::Reference(r) => self.steady(&mut r.expr, first),
                        a if position && !syntax::is_cheap(a) => *a = self.named(a, first),
                        _ => {}
                    }
                }
            }
            Expr::Call(c) => {
                for a in &mut c.args {
                    if let Expr::Reference(r) = a {
                        self.steady(&mut r.expr, first);
                    }
                }
            }
            _ => {}
        }
    }

    fn named(&mut self, e: &Expr, first: &mut Vec<Stmt>) -> Expr {
        let name = self.fresh("effect");
        first.push(parse_quote!(let #name = #e;));
        parse_quote!(#name)
    }

    /// Whether a call that changes an active value is not the expression itself.
    fn hidden(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.hidden(&p.expr),
            Expr::Call(c) => !c.args.iter().any(|a| self.lends(a)) && self.changes(e),
            Expr::MethodCall(m) => {
                let itself = m.args.iter().any(|a| self.lends(a)) || self.changes_receiver(m);
                !itself && self.changes(e)
            }
            e => self.changes(e),
        }
    }

    /// Whether an argument is a mutable reference to an active value.
    fn lends(&self, a: &Expr) -> bool {
        match a {
            Expr::Reference(r) => r.mutability.is_some() && self.is_active(&r.expr),
            Expr::Path(p) => p
                .path
                .get_ident()
                .is_some_and(|i| self.lent.contains(&i.to_string())),
            _ => false,
        }
    }

    /// Whether the method of the same block changes `self`.
    fn changes_receiver(&self, m: &syn::ExprMethodCall) -> bool {
        let own = matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident("self"));
        own && self.mutating.contains(&m.method.to_string())
    }

    /// Whether evaluating an expression calls something that changes an active value.
    fn changes(&self, e: &Expr) -> bool {
        struct V<'d, 'a>(&'d Desugar<'a>, bool);
        impl<'e> Visit<'e> for V<'_, '_> {
            fn visit_expr_call(&mut self, c: &'e syn::ExprCall) {
                self.1 |= c.args.iter().any(|a| self.0.lends(a));
                visit::visit_expr_call(self, c);
            }
            fn visit_expr_method_call(&mut self, m: &'e syn::ExprMethodCall) {
                self.1 |= m.args.iter().any(|a| self.0.lends(a)) || self.0.changes_receiver(m);
                visit::visit_expr_method_call(self, m);
            }
            fn visit_expr_closure(&mut self, _: &'e syn::ExprClosure) {}
            fn visit_macro(&mut self, m: &'e syn::Macro) {
                self.1 |= arguments::of(m).exprs().any(|a| self.0.changes(a));
            }
        }
        let mut v = V(self, false);
        v.visit_expr(e);
        v.1
    }
}

fn is_debug_assertion(s: &Stmt) -> bool {
    match s {
        Stmt::Macro(m) => syntax::is_debug_assertion(&m.mac),
        Stmt::Expr(Expr::Macro(m), _) => syntax::is_debug_assertion(&m.mac),
        _ => false,
    }
}
