//! `Tensor![T; ..]` and `shape![..]` in the type of a field, written out: the compiler's own derives refuse macros in the
//! types of generic structs. The rows are those of `__dim_of!` in the core.

use crate::syntax;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};
use syn::{Token, Type};

/// Replaces the macros in a type; one that cannot be read stays, for the compiler to report.
pub fn write_out(ty: &mut Type) {
    WriteOut.visit_type_mut(ty);
}

struct WriteOut;

impl VisitMut for WriteOut {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Macro(m) = ty {
            let tokens = m.mac.tokens.clone();
            let path = if syntax::is_macro(&m.mac, &["Tensor"]) {
                tensor(tokens)
            } else if syntax::is_macro(&m.mac, &["shape"]) {
                shape(tokens)
            } else {
                None
            };
            if let Some(written) = path.and_then(|p| syn::parse2(p).ok()) {
                *ty = written;
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

fn tensor(tokens: TokenStream) -> Option<TokenStream> {
    let is_semicolon = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ';');
    let mut all = tokens.into_iter().peekable();
    let mut first = TokenStream::new();
    while let Some(token) = all.next_if(|t| !is_semicolon(t)) {
        first.extend([token]);
    }
    let path = quote!(::differentiable::tensor::Tensor);
    match all.next() {
        None => shape(first).map(|s| quote!(#path<#s>)),
        Some(_) => shape(all.collect()).map(|s| quote!(#path<#s, #first>)),
    }
}

/// `(Batch, Sz<3>)`; a list without sizes is the shape of a number.
fn shape(tokens: TokenStream) -> Option<TokenStream> {
    let sizes = |input: syn::parse::ParseStream<'_>| {
        let mut all = Vec::new();
        while !input.is_empty() {
            let mut one = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![,]) {
                one.extend([input.parse::<TokenTree>()?]);
            }
            all.push(one);
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(all)
    };
    let sizes = sizes.parse2(tokens).ok()?;
    let sizes = sizes.into_iter().map(|s| size(s.into_iter().collect()));
    let sizes: Vec<_> = sizes.collect::<Option<_>>()?;
    Some(quote!((#(#sizes,)*)))
}

/// One size: `3`, `{ N }`, `(A + B)`, `Batch`.
fn size(tokens: Vec<TokenTree>) -> Option<TokenStream> {
    let size_of = quote!(::differentiable::shape::Sz);
    match tokens.as_slice() {
        [TokenTree::Literal(n)] => Some(quote!(#size_of<#n>)),
        [TokenTree::Group(g)] if g.delimiter() == Delimiter::Brace => {
            let inner = g.stream();
            Some(quote!(#size_of<{ #inner }>))
        }
        [TokenTree::Group(g)] if g.delimiter() == Delimiter::Parenthesis => {
            let inner: Vec<_> = g.stream().into_iter().collect();
            let [a, TokenTree::Punct(op), b] = inner.as_slice() else {
                return Some(quote!(#g));
            };
            let operation = match op.as_char() {
                '+' => quote!(arith::Plus),
                '-' => quote!(arith::Minus),
                '*' => quote!(Product),
                '/' => quote!(arith::DivExact),
                _ => return None,
            };
            let (a, b) = (size(vec![a.clone()])?, size(vec![b.clone()])?);
            Some(quote!(<#a as ::differentiable::shape::#operation<#b>>::Out))
        }
        [] => None,
        all => Some(all.iter().cloned().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_tensors_are_written_out() {
        for (written, expected) in [
            (quote!(Tensor![]), "Tensor < () >"),
            (
                quote!(Tensor![Batch, 3]),
                "Tensor < (Batch , :: differentiable :: shape :: Sz < 3 > ,) >",
            ),
            (quote!(Vec<Tensor![T; { N }]>), "Sz < { N } > ,) , T >"),
            (
                quote!(Tensor![(A * 2)]),
                "shape :: Product < :: differentiable :: shape :: Sz < 2 > > > :: Out",
            ),
            (quote!(Linear<3, 4>), "Linear < 3 , 4 >"),
        ] {
            let mut ty = syn::parse2(written).unwrap();
            write_out(&mut ty);
            let found = quote!(#ty).to_string();
            assert!(found.contains(expected), "{found}");
        }
    }
}
