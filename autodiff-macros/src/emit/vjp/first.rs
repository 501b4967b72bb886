//! The first cotangent of a value becomes its accumulator, instead of being added to zeros.
//!
//! A reversed block starts with a zero cotangent for each of its values. Where the first statement that names such a
//! cotangent adds a whole one to it, as after `x = step(&x)`, that one is taken as it is:
//!
//! ```text
//! let mut d_v1 = w_v1.zero();              (gone)
//! let __ct = ad::take(&w_x, &mut d_x);
//! ad::acc(&w_v1, __ct, &mut d_v1);         let mut d_v1 = ad::first(&w_v1, __ct);
//! ```
//!
//! For vectors this spares an allocation and a pass over it.

use super::straight::mentions;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;

/// A zero cotangent that a block starts with.
pub(super) struct Zero {
    pub(super) cotangent: Ident,
    pub(super) witness: TokenStream,
    /// Whether it may be the memory of its first cotangent: numbers have none.
    pub(super) moves: bool,
}

/// The zeros and what follows them, without the zeros to which a whole cotangent is added first.
pub(super) fn with_zeros(zeros: Vec<Zero>, code: TokenStream) -> TokenStream {
    let mut code: Vec<TokenTree> = code.into_iter().collect();
    let mut out = TokenStream::new();
    for zero in zeros {
        if !zero.moves || !moved(&zero, &mut code) {
            let (d, w) = (&zero.cotangent, &zero.witness);
            out.extend(quote!(let mut #d = #w.zero();));
        }
    }
    out.extend(code);
    out
}

/// Takes the first cotangent as the accumulator, if a whole one is added first.
fn moved(zero: &Zero, code: &mut Vec<TokenTree>) -> bool {
    let names = |t: &TokenTree| mentions(&TokenStream::from(t.clone()), &zero.cotangent);
    let Some(at) = code.iter().position(names) else {
        return false;
    };
    let Some(given) = added(&code[at], &zero.cotangent) else {
        return false;
    };
    // `ad::acc(..);`, a statement of the block itself.
    let called = at >= 4 && is_acc(&code[at - 4..at]);
    let begins = at == 4 || at > 4 && ends_statement(&code[at - 5]);
    let ends = code.get(at + 1).is_some_and(|t| is_punct(t, ';'));
    if !called || !begins || !ends {
        return false;
    }
    let (d, w) = (&zero.cotangent, &zero.witness);
    let start = quote!(let mut #d = ad::first(&#w, #given));
    code.splice(at - 4..=at, start);
    true
}

/// What `(&witness, given, &mut d)` adds to `d`.
fn added(arguments: &TokenTree, d: &Ident) -> Option<TokenStream> {
    let TokenTree::Group(g) = arguments else {
        return None;
    };
    let all: Vec<TokenTree> = g.stream().into_iter().collect();
    let parts: Vec<&[TokenTree]> = all.split(|t| is_punct(t, ',')).collect();
    let [_, given, [and, of, to]] = parts.as_slice() else {
        return None;
    };
    let whole =
        is_punct(and, '&') && is_ident(of, "mut") && matches!(to, TokenTree::Ident(i) if i == d);
    let given: TokenStream = given.iter().cloned().collect();
    (whole && g.delimiter() == Delimiter::Parenthesis && !mentions(&given, d)).then_some(given)
}

/// `ad::acc`
fn is_acc(t: &[TokenTree]) -> bool {
    matches!(t, [ad, a, b, acc] if is_ident(ad, "ad") && is_punct(a, ':') && is_punct(b, ':') && is_ident(acc, "acc"))
}

fn is_punct(t: &TokenTree, of: char) -> bool {
    matches!(t, TokenTree::Punct(p) if p.as_char() == of)
}

fn is_ident(t: &TokenTree, name: &str) -> bool {
    matches!(t, TokenTree::Ident(i) if i == name)
}

/// Whether a statement may end with this.
fn ends_statement(t: &TokenTree) -> bool {
    is_punct(t, ';') || matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
}
