//! What can be told from the syntax of types and expressions alone.

use crate::knowledge::numbers;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::HashSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Pat, Token, UnOp};

pub mod active;
pub mod arguments;
pub mod blocks;
pub mod ends;
pub mod grids;
pub mod operands;
pub mod references;
mod written;

pub use written::*;

/// Only literals, names, arithmetic, fields, indices, lengths and casts: as cheap as a load.
pub fn is_cheap(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(p) => is_cheap(&p.expr),
        Expr::Group(g) => is_cheap(&g.expr),
        Expr::Reference(r) => r.mutability.is_none() && is_cheap(&r.expr),
        Expr::Unary(u) => is_cheap(&u.expr),
        Expr::Cast(c) => is_cheap(&c.expr),
        Expr::Tuple(t) => t.elems.iter().all(is_cheap),
        Expr::Call(c) => {
            let Expr::Path(p) = &*c.func else {
                return false;
            };
            let names = segments(&p.path);
            // The first counts the trips of a chain, in the form in which the macro writes it.
            let counts = p.path.leading_colon.is_some() && names == ["core", "cmp", "min"];
            (counts || names.ends_with(&["__rt".into(), "Nth".into()]))
                && c.args.iter().all(is_cheap)
        }
        Expr::Field(f) => is_cheap(&f.base),
        Expr::Index(i) => is_cheap(&i.expr) && is_cheap(&i.index),
        Expr::Binary(b) => !is_assign_op(&b.op) && is_cheap(&b.left) && is_cheap(&b.right),
        Expr::Range(r) => {
            r.start.as_deref().is_none_or(is_cheap) && r.end.as_deref().is_none_or(is_cheap)
        }
        Expr::MethodCall(m) => {
            matches!(m.method.to_string().as_str(), "len" | "is_empty")
                && m.args.is_empty()
                && is_cheap(&m.receiver)
        }
        _ => false,
    }
}

pub fn is_assign_op(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

thread_local! {
    /// Variables of the function that are written like constants: `let Q = a * b;`.
    static VARIABLES: RefCell<HashSet<String>> = RefCell::default();
}

/// Notes the variables of a function that are written like constants. No constant can stand where a
/// `let` without `else`, a `for` or a closure binds a name, and none of that name is in scope.
pub fn note_variables(body: &syn::Block) {
    struct V(HashSet<String>);
    impl V {
        fn add(&mut self, p: &Pat) {
            struct Names<'a>(&'a mut HashSet<String>);
            impl<'a> Visit<'a> for Names<'_> {
                fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
                    self.0.insert(p.ident.to_string());
                    visit::visit_pat_ident(self, p);
                }
            }
            Names(&mut self.0).visit_pat(p);
        }
    }
    impl<'a> Visit<'a> for V {
        fn visit_local(&mut self, l: &'a syn::Local) {
            if l.init.as_ref().is_none_or(|i| i.diverge.is_none()) {
                self.add(&l.pat);
            }
            visit::visit_local(self, l);
        }
        fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
            self.add(&f.pat);
            visit::visit_expr_for_loop(self, f);
        }
        fn visit_expr_closure(&mut self, c: &'a syn::ExprClosure) {
            c.inputs.iter().for_each(|p| self.add(p));
            visit::visit_expr_closure(self, c);
        }
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut v = V(HashSet::new());
    v.visit_block(body);
    VARIABLES.set(v.0);
}

/// Whether a name in a pattern is a constant or a variant: `None`, `LIMIT`.
pub fn is_constant(p: &syn::PatIdent) -> bool {
    let name = p.ident.to_string();
    name.starts_with(char::is_uppercase)
        && p.by_ref.is_none()
        && p.mutability.is_none()
        && p.subpat.is_none()
        && !VARIABLES.with_borrow(|v| v.contains(&name))
}

/// Names a pattern binds.
pub fn pattern_names(p: &Pat) -> Vec<String> {
    bound_names(p, true)
}

/// Names a pattern binds, those behind `&` only if asked for.
pub fn bound_names(p: &Pat, behind_references: bool) -> Vec<String> {
    struct V(Vec<String>, bool);
    impl<'a> Visit<'a> for V {
        fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
            if !is_constant(p) {
                self.0.push(p.ident.to_string());
            }
            visit::visit_pat_ident(self, p);
        }
        fn visit_pat_reference(&mut self, p: &'a syn::PatReference) {
            if self.1 {
                visit::visit_pat_reference(self, p);
            }
        }
    }
    let mut v = V(Vec::new(), behind_references);
    v.visit_pat(p);
    v.0
}

/// The identifiers in tokens.
pub fn identifiers(tokens: proc_macro2::TokenStream, found: &mut Vec<String>) {
    for t in tokens {
        match t {
            TokenTree::Ident(i) => found.push(i.to_string()),
            TokenTree::Group(g) => identifiers(g.stream(), found),
            _ => {}
        }
    }
}

/// The variable at the root of a place expression.
pub fn root_name(e: &Expr) -> Option<String> {
    match e {
        Expr::Path(p) => p.path.get_ident().map(|i| i.to_string()),
        Expr::Field(f) => root_name(&f.base),
        Expr::Index(i) => root_name(&i.expr),
        Expr::Paren(p) => root_name(&p.expr),
        Expr::Group(g) => root_name(&g.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => root_name(&u.expr),
        Expr::Reference(r) => root_name(&r.expr),
        _ => None,
    }
}

/// Whether the function of a call is one of the marks of `jumps`.
pub fn is_mark(e: &Expr, name: &str) -> bool {
    matches!(e, Expr::Path(p) if p.path.is_ident(name))
}

/// Whether a call's path is the library's `stop_gradient`, or our own for a part without a derivative.
pub fn is_stop_gradient(e: &Expr) -> bool {
    matches!(e, Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "stop_gradient") || is_plain(&p.path))
}

/// Whether a path is `::differentiable::__rt::plain`.
pub fn is_plain(path: &syn::Path) -> bool {
    let names = segments(path);
    names.ends_with(&["__rt".into(), "plain".into()])
}

/// Whether an expression may carry a derivative, when the variables in `active` may.
pub fn maybe_active(e: &Expr, active: &HashSet<String>) -> bool {
    let rec = |e: &Expr| maybe_active(e, active);
    match e {
        Expr::Path(p) => p
            .path
            .get_ident()
            .is_some_and(|i| active.contains(&i.to_string())),
        Expr::Lit(_) | Expr::Range(_) | Expr::Continue(_) => false,
        Expr::Paren(p) => rec(&p.expr),
        Expr::Group(g) => rec(&g.expr),
        Expr::Field(f) => rec(&f.base),
        Expr::Index(i) => rec(&i.expr),
        Expr::Reference(r) => rec(&r.expr),
        Expr::Unary(u) => !matches!(u.op, UnOp::Not(_)) && rec(&u.expr),
        Expr::Cast(c) => !ty_of(&c.ty).is_discrete() && rec(&c.expr),
        Expr::Binary(b) => match b.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                rec(&b.left) || rec(&b.right)
            }
            _ => false,
        },
        Expr::MethodCall(m) => {
            !numbers::is_discrete_method(&m.method.to_string())
                && (rec(&m.receiver) || m.args.iter().any(rec))
        }
        Expr::Call(c) => !is_stop_gradient(&c.func) && (rec(&c.func) || c.args.iter().any(rec)),
        Expr::Tuple(t) => t.elems.iter().any(rec),
        Expr::Array(a) => a.elems.iter().any(rec),
        Expr::Repeat(r) => rec(&r.expr),
        Expr::Struct(s) => {
            s.fields.iter().any(|f| rec(&f.expr)) || s.rest.as_deref().is_some_and(rec)
        }
        Expr::Macro(m) => {
            let discrete =
                is_statement_macro(&m.mac) || is_macro(&m.mac, &["no_grad", "matches", "format"]);
            !discrete && tokens_mention(m.mac.tokens.clone(), active)
        }
        // What a condition only reads, it reads as numbers.
        Expr::If(i) => {
            crate::lower::stmt::touches_active(e, active)
                || block_maybe_active(&i.then_branch, active)
                || i.else_branch.as_ref().is_some_and(|(_, e)| rec(e))
        }
        Expr::Match(m) => {
            crate::lower::stmt::touches_active(e, active) || m.arms.iter().any(|a| rec(&a.body))
        }
        Expr::Block(b) if b.label.is_none() => {
            let nested: Expr = syn::parse_quote!(if true #b);
            crate::lower::stmt::touches_active(&nested, active)
                || block_maybe_active(&b.block, active)
        }
        // Its value is that of a `break`.
        Expr::Loop(_) => crate::lower::stmt::touches_active(e, active),
        other => mentions(other, active),
    }
}

/// Whether the value of a block may carry a derivative.
fn block_maybe_active(b: &syn::Block, active: &HashSet<String>) -> bool {
    match b.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => maybe_active(e, active),
        Some(syn::Stmt::Macro(m)) if m.semi_token.is_none() => {
            tokens_mention(m.mac.tokens.clone(), active)
        }
        _ => false,
    }
}

/// Whether a macro has one of these names, whatever its path.
pub fn is_macro(m: &syn::Macro, names: &[&str]) -> bool {
    let last = m.path.segments.last();
    last.is_some_and(|s| names.iter().any(|n| s.ident == n))
}

/// Macros that are run for their effect.
pub fn is_statement_macro(m: &syn::Macro) -> bool {
    const NAMES: &[&str] = &[
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "println",
        "eprintln",
        "print",
        "eprint",
        "panic",
        "unreachable",
    ];
    is_macro(m, NAMES)
}

/// Macros of which nothing is run without debug assertions.
pub fn is_debug_assertion(m: &syn::Macro) -> bool {
    is_macro(m, &["debug_assert", "debug_assert_eq", "debug_assert_ne"])
}

/// The names of a path's segments.
pub fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|s| s.ident.to_string()).collect()
}

/// Whether a macro's tokens name a variable that may carry a derivative, or anything that is called.
pub fn maybe_active_macro(m: &syn::ExprMacro, active: &HashSet<String>) -> bool {
    fn calls(tokens: proc_macro2::TokenStream) -> bool {
        tokens.into_iter().any(|t| matches!(t, TokenTree::Group(_)))
    }
    tokens_mention(m.mac.tokens.clone(), active) || calls(m.mac.tokens.clone())
}

/// Whether any of the names occurs anywhere in the tokens.
pub fn tokens_mention(tokens: proc_macro2::TokenStream, names: &HashSet<String>) -> bool {
    tokens.into_iter().any(|t| match t {
        TokenTree::Ident(i) => names.contains(&i.to_string()),
        TokenTree::Group(g) => tokens_mention(g.stream(), names),
        _ => false,
    })
}

/// Whether any of the names occurs anywhere in the expression.
pub fn mentions(e: &Expr, names: &HashSet<String>) -> bool {
    use quote::ToTokens;
    tokens_mention(e.to_token_stream(), names)
}

/// Whether evaluating the expression changes a variable.
pub fn assigns(e: &Expr) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr_reference(&mut self, r: &'a syn::ExprReference) {
            self.0 |= r.mutability.is_some();
            visit::visit_expr_reference(self, r);
        }
        fn visit_expr_assign(&mut self, _: &'a syn::ExprAssign) {
            self.0 = true;
        }
        fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
            self.0 |= is_assign_op(&b.op);
            visit::visit_expr_binary(self, b);
        }
    }
    let mut v = V(false);
    v.visit_expr(e);
    v.0
}

/// Integers in a list, each at least 0.
pub fn numbers(tokens: TokenStream) -> Option<Vec<i64>> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated
        .parse2(tokens)
        .ok()?;
    let number = |e: &Expr| match e {
        Expr::Lit(l) => match &l.lit {
            Lit::Int(n) => n.base10_parse::<i64>().ok(),
            _ => None,
        },
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => match &*u.expr {
            Expr::Lit(l) => match &l.lit {
                Lit::Int(n) => n.base10_parse::<i64>().ok().map(|n| -n),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    list.iter().map(number).collect()
}

/// The type parameters with the bound `Scalar`.
pub fn scalar_parameters(generics: &syn::Generics) -> Vec<&syn::Ident> {
    bounded(generics, |b| match b {
        syn::TypeParamBound::Trait(t) => {
            t.path.segments.last().is_some_and(|s| s.ident == "Scalar")
        }
        _ => false,
    })
}

/// The type parameters with a bound of which `says` holds, in the list of generics or in the where clause.
pub fn bounded(
    generics: &syn::Generics,
    says: impl Fn(&syn::TypeParamBound) -> bool,
) -> Vec<&proc_macro2::Ident> {
    let clauses = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let named = clauses.filter_map(|c| match c {
        syn::WherePredicate::Type(t) if t.bounds.iter().any(&says) => {
            Some(t.bounded_ty.to_token_stream().to_string())
        }
        _ => None,
    });
    let named: Vec<String> = named.collect();
    let own = generics.type_params();
    own.filter(|p| p.bounds.iter().any(&says) || named.iter().any(|n| p.ident == *n))
        .map(|p| &p.ident)
        .collect()
}

/// `P { x, ..Default::default() }`: where the literal is taken apart, nothing but a name tells the type of its base.
pub fn name_default(s: &mut syn::ExprStruct) {
    let Some(Expr::Call(c)) = s.rest.as_deref_mut() else {
        return;
    };
    if let Expr::Path(p) = &mut *c.func {
        if p.qself.is_none() && segments(&p.path) == ["Default", "default"] {
            let path = &s.path;
            p.path = syn::parse_quote_spanned!(p.path.segments[0].ident.span()=> #path::default);
        }
    }
}
