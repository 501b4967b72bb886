//! What can be told from the syntax of types and expressions alone.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Pat, Token, Type, UnOp};

pub mod active;
pub mod arguments;
pub mod blocks;
pub mod definitions;
pub mod ends;
pub mod meant;
pub mod names;
pub mod operands;
pub mod ranges;
pub mod references;
pub mod ty;
pub mod writes;
mod written;

pub use active::{maybe_active, maybe_active_macro, touches_active};
pub use written::*;

/// Methods of whole numbers that are as cheap as arithmetic.
const CHEAP_METHODS: &[&str] = &[
    "abs_diff",
    "count_ones",
    "div_euclid",
    "is_power_of_two",
    "leading_zeros",
    "rem_euclid",
    "reverse_bits",
    "saturating_add",
    "saturating_sub",
    "trailing_zeros",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
];

/// Only literals, names, arithmetic, fields, indices, lengths and casts: as cheap as a load.
pub fn is_cheap(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(p) => is_cheap(&p.expr),
        Expr::Group(g) => is_cheap(&g.expr),
        Expr::Reference(r) => r.mutability.is_none() && is_cheap_place(&r.expr),
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
        Expr::Index(i) => !is_lookup(i) && is_cheap_place(e),
        Expr::Binary(b) => !is_assign_op(&b.op) && is_cheap(&b.left) && is_cheap(&b.right),
        Expr::Range(r) => {
            r.start.as_deref().is_none_or(is_cheap) && r.end.as_deref().is_none_or(is_cheap)
        }
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            let length = matches!(name.as_str(), "len" | "is_empty") && m.args.is_empty();
            (length || CHEAP_METHODS.contains(&name.as_str()))
                && is_cheap(&m.receiver)
                && m.args.iter().all(is_cheap)
        }
        _ => false,
    }
}

/// What is in a map costs more to find than to keep, and a reference to it cannot be kept.
fn is_cheap_place(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_cheap_place(&p.expr),
        Expr::Field(f) => is_cheap_place(&f.base),
        Expr::Index(i) => is_cheap_place(&i.expr) && is_cheap(&i.index),
        e => is_cheap(e),
    }
}

/// Whether an entry is found by a key, `prices[&name]`, and not by its number.
fn is_lookup(i: &syn::ExprIndex) -> bool {
    matches!(bare(&i.index), Expr::Reference(_))
}

/// Whether a reference leads to what a key finds: `&prices[&name]`, `&rates[&name].monthly`.
pub fn lends_looked_up(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => lends_looked_up(&p.expr),
        Expr::Reference(r) => r.mutability.is_none() && lends_looked_up(&r.expr),
        Expr::Field(f) => lends_looked_up(&f.base),
        Expr::Index(i) => is_lookup(i) || lends_looked_up(&i.expr),
        _ => false,
    }
}

/// Without parentheses and invisible groups.
pub fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => bare(&p.expr),
        Expr::Group(g) => bare(&g.expr),
        e => e,
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

/// Whether a name in a pattern is a constant or a variant: `None`, `LIMIT`. Variables that are written like these have
/// other names by now (`input/plain/names`).
pub fn is_constant(p: &syn::PatIdent) -> bool {
    p.ident.to_string().starts_with(char::is_uppercase)
        && p.by_ref.is_none()
        && p.mutability.is_none()
        && p.subpat.is_none()
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

/// Whether code may leave what it is in: an iteration, or a closure.
pub fn leaves(code: proc_macro2::TokenStream) -> bool {
    code.into_iter().any(|t| match t {
        TokenTree::Group(g) => leaves(g.stream()),
        TokenTree::Ident(i) => i == "return" || i == "break" || i == "continue",
        TokenTree::Punct(p) => p.as_char() == '?',
        TokenTree::Literal(_) => false,
    })
}

/// The name that a pattern gives to the whole value.
pub fn simple_name(pat: &Pat) -> Option<String> {
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(p.ident.to_string()),
        Pat::Type(t) => simple_name(&t.pat),
        _ => None,
    }
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

/// Whether a name occurs anywhere in the tokens.
pub fn has_name(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == name,
        TokenTree::Group(g) => has_name(&g.stream(), name),
        // A suffix: `1.0f32`.
        TokenTree::Literal(l) => l.to_string().ends_with(name),
        TokenTree::Punct(_) => false,
    })
}

/// A type as it can stand before `{` and `::` too.
pub fn turbofish(ty: &Type) -> TokenStream {
    match ty {
        Type::Path(p) => {
            let mut p = p.clone();
            for s in &mut p.path.segments {
                if let syn::PathArguments::AngleBracketed(a) = &mut s.arguments {
                    a.colon2_token = Some(Default::default());
                }
            }
            p.to_token_stream()
        }
        ty => ty.to_token_stream(),
    }
}

/// Whether an expression ends in a block, so that it is a statement without a semicolon.
pub fn ends_in_block(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Block(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::Unsafe(_)
            | Expr::While(_)
    )
}
