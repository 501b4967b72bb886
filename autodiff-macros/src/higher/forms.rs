//! What emitted code looks like. Names of ours are known by their marks: variables by their spans, paths because a
//! user's module `ad` has another name by now (`input/plain/scoped`).

use crate::input::plain::context;
use crate::syntax;
use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::Parser;
use syn::Expr;

/// The variable that an expression is.
pub fn path_name(e: &Expr) -> Option<String> {
    match syntax::bare(e) {
        Expr::Path(p) if p.qself.is_none() => p.path.get_ident().map(Ident::to_string),
        _ => None,
    }
}

/// Whether a variable is a tape: by its name, and because the macro wrote it, as its span says. A user's variable may
/// have the name too.
fn is_tape(e: &Expr) -> bool {
    let Expr::Path(p) = syntax::bare(e) else {
        return false;
    };
    let Some(ident) = p.path.get_ident() else {
        return false;
    };
    let name = ident.to_string();
    let number = name.strip_prefix("tape").unwrap_or_default();
    let is_ours = context(ident.span()) == context(Span::mixed_site());
    is_ours && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
}

/// Whether something is put on a tape: `tape1.push_reserved((a, b));`
pub fn is_push(m: &syn::ExprMethodCall) -> bool {
    (m.method == "push" || m.method == "push_reserved") && is_tape(&m.receiver)
}

/// Whether a function lends a part of a slice.
pub fn is_window(f: &Expr) -> bool {
    match f {
        Expr::Path(p) => {
            let names = syntax::segments(&p.path);
            names == ["ad", "window"] || names == ["ad", "block"]
        }
        _ => false,
    }
}

/// Whether a function is one of emitted code, whose result borrows nothing.
pub fn is_ours(f: &Expr) -> bool {
    match f {
        Expr::Path(p) => {
            let names = syntax::segments(&p.path);
            names[0] == "ad" || names.iter().any(|n| n == "__rt")
        }
        _ => false,
    }
}

/// Calls `f` with each index of a place; not with its root.
pub fn each_index(place: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    match place {
        Expr::Index(i) => {
            f(&mut i.index);
            each_index(&mut i.expr, f);
        }
        Expr::Paren(p) => each_index(&mut p.expr, f),
        Expr::Group(g) => each_index(&mut g.expr, f),
        Expr::Unary(u) => each_index(&mut u.expr, f),
        Expr::Field(p) => each_index(&mut p.base, f),
        _ => {}
    }
}

/// The items of an `impl` block.
pub fn impl_items(tokens: TokenStream) -> syn::Result<Vec<syn::ImplItem>> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse()?);
        }
        Ok(items)
    };
    parser.parse2(tokens)
}

/// `PI`, `MAX_STEPS`: the name of a constant, as the lints want it.
pub fn is_upper(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
        && name
            .chars()
            .all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_')
}
