//! The first cotangent of a value becomes its accumulator, instead of being added to zeros.
//!
//! A reversed block makes a zero cotangent for each of its values, before the first statement that names it. Where that statement
//! adds a whole one to it, as after `x = step(&x)` or for the field of a struct, that one is taken as it is:
//!
//! ```text
//! let mut d_v1 = w_v1.zero();              (gone)
//! let __ct = ad::take(&w_x, &mut d_x);
//! ad::acc(&w_v1, __ct, &mut d_v1);         let mut d_v1 = ad::first(&w_v1, __ct);
//!
//! let mut d_v2 = w_v2.zero();              (gone)
//! ad::Given(&w_v2, d_s.x).pull(&mut d_v2); let mut d_v2 = ad::Given(&w_v2, d_s.x).first();
//! ```
//!
//! If that statement is in an arm of a branch, each arm makes the accumulator.
//!
//! For vectors this spares an allocation and a pass over it.

use super::straight::mentions;
use crate::syntax::identifiers;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;

/// A zero cotangent of a block.
pub(super) struct Zero {
    pub(super) cotangent: Ident,
    pub(super) witness: TokenStream,
    /// Whether it may be the memory of its first cotangent: numbers have none.
    pub(super) moves: bool,
}

/// The reverse of a block, a piece for each statement, with its zeros: each stands before the first piece that names it, or is gone if
/// a whole cotangent is added to it there.
pub(super) fn with_zeros(zeros: Vec<Zero>, mut pieces: Vec<TokenStream>) -> TokenStream {
    let mut out = TokenStream::new();
    let mut before: Vec<TokenStream> = vec![TokenStream::new(); pieces.len()];
    let first = match zeros.iter().any(|z| z.moves) {
        true => first_named(&pieces),
        false => HashMap::new(),
    };
    for zero in zeros {
        let (d, w) = (&zero.cotangent, &zero.witness);
        let named = || first.get(&d.to_string());
        match zero.moves.then(named).flatten() {
            None => out.extend(quote!(let mut #d = #w.zero();)),
            Some(&k) => match given(&zero, &quote!(let mut), &pieces[k]) {
                Some(piece) => pieces[k] = piece,
                None => match in_arms(&zero, &pieces[k]) {
                    Some(piece) => {
                        before[k].extend(quote!(let mut #d;));
                        pieces[k] = piece;
                    }
                    None => before[k].extend(quote!(let mut #d = #w.zero();)),
                },
            },
        }
    }
    let all = before.into_iter().zip(pieces).flat_map(|(z, p)| [z, p]);
    out.extend(all);
    out
}

/// The first piece that has each name.
fn first_named(pieces: &[TokenStream]) -> HashMap<String, usize> {
    let mut first = HashMap::new();
    for (k, piece) in pieces.iter().enumerate() {
        let mut names = Vec::new();
        identifiers(piece.clone(), &mut names);
        for name in names {
            first.entry(name).or_insert(k);
        }
    }
    first
}

/// A `match` in an arm of which a whole cotangent is added first: that arm makes it the accumulator, the others make zeros.
fn in_arms(zero: &Zero, piece: &TokenStream) -> Option<TokenStream> {
    let mut code: Vec<TokenTree> = piece.clone().into_iter().collect();
    let names = |t: &TokenTree| mentions(&TokenStream::from(t.clone()), &zero.cotangent);
    let (TokenTree::Group(arms), before) = code.split_last()? else {
        return None;
    };
    let matches = before.first().is_some_and(|t| is_ident(t, "match"));
    if !matches || arms.delimiter() != Delimiter::Brace || before.iter().any(names) {
        return None;
    }
    let (d, w) = (&zero.cotangent, &zero.witness);
    let mut all: Vec<TokenTree> = arms.stream().into_iter().collect();
    let mut any = false;
    for k in 2..all.len() {
        let arrow = is_punct(&all[k - 2], '=') && is_punct(&all[k - 1], '>');
        match &all[k] {
            TokenTree::Group(arm) if arrow && arm.delimiter() == Delimiter::Brace => {
                let arm = arm.stream();
                let first = given(zero, &TokenStream::new(), &arm).or_else(|| in_arms(zero, &arm));
                any |= first.is_some();
                let arm = first.unwrap_or_else(|| quote!(#d = #w.zero(); #arm));
                all[k] = proc_macro2::Group::new(Delimiter::Brace, arm).into();
            }
            _ if arrow || names(&all[k]) => return None,
            _ => {}
        }
    }
    let all = proc_macro2::Group::new(Delimiter::Brace, all.into_iter().collect());
    *code.last_mut()? = all.into();
    any.then(|| code.into_iter().collect())
}

/// A piece that makes the first cotangent the accumulator, if a whole one is added first; `declared` stands before its name.
fn given(zero: &Zero, declared: &TokenStream, piece: &TokenStream) -> Option<TokenStream> {
    let mut code: Vec<TokenTree> = piece.clone().into_iter().collect();
    let names = |t: &TokenTree| mentions(&TokenStream::from(t.clone()), &zero.cotangent);
    let at = code.iter().position(names)?;
    let (d, w) = (&zero.cotangent, &zero.witness);
    let (from, start) = match added(&code[at], d) {
        // `ad::acc(..)`
        Some(given) => {
            let first = first_of(code[..at].last_chunk()?)?;
            (at - 4, quote!(#declared #d = ad::#first(&#w, #given)))
        }
        // `ad::Given(..).of(..).pull(&mut d)`
        None => {
            let from = pulled(&code[..at])?;
            let whole = alone(&code[at], d);
            let given: TokenStream = code[from..at - 2].iter().cloned().collect();
            (from, whole.then(|| quote!(#declared #d = #given.first()))?)
        }
    };
    // A statement of the block itself.
    let begins = from == 0 || ends_statement(&code[from - 1]);
    let ends = code.get(at + 1).is_some_and(|t| is_punct(t, ';'));
    if !begins || !ends {
        return None;
    }
    code.splice(from..=at, start);
    Some(code.into_iter().collect())
}

/// Where `ad::Given(..).of(..).pull` begins, if that ends here.
fn pulled(code: &[TokenTree]) -> Option<usize> {
    let method = |end: usize, name: &str| {
        end >= 2 && is_punct(&code[end - 2], '.') && is_ident(&code[end - 1], name)
    };
    let mut end = code.len();
    if !method(end, "pull") {
        return None;
    }
    end -= 2;
    while end >= 3 && method(end - 1, "of") {
        end -= 3;
    }
    let [.., ad, a, b, given, TokenTree::Group(_)] = &code[..end] else {
        return None;
    };
    let path = is_ident(ad, "ad") && is_punct(a, ':') && is_punct(b, ':');
    (path && is_ident(given, "Given")).then(|| end - 5)
}

/// Whether these are the parentheses of `(&mut d)`.
fn alone(arguments: &TokenTree, d: &Ident) -> bool {
    let TokenTree::Group(g) = arguments else {
        return false;
    };
    let all: Vec<TokenTree> = g.stream().into_iter().collect();
    matches!(all.as_slice(), [and, of, TokenTree::Ident(i)] if is_punct(and, '&') && is_ident(of, "mut") && i == d)
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

/// What there is instead of `ad::acc` and `ad::acc_late`.
fn first_of([ad, a, b, acc]: &[TokenTree; 4]) -> Option<TokenStream> {
    if !is_ident(ad, "ad") || !is_punct(a, ':') || !is_punct(b, ':') {
        return None;
    }
    let all = [("acc", quote!(first)), ("acc_late", quote!(first_late))];
    let known = all.into_iter().find(|(name, _)| is_ident(acc, name));
    known.map(|(_, first)| first)
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
