//! Which scalar a function is written in, and what a function with `higher_order` cannot have.

use super::named::{Named, TENSORS};
use crate::input::ctxt::Ctxt;
use crate::input::signature::is_inner;
use crate::syntax;
use crate::syntax::has_name;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Signature, TypeParamBound};

/// The scalar of a function.
#[derive(Clone, Debug)]
pub enum Scalar {
    /// `f64` or `f32`, as written.
    Float(String),
    /// The type parameter with the bound `Scalar`.
    Parameter(Ident),
}

impl Scalar {
    /// The type, as it is written in the function.
    pub fn ty(&self) -> TokenStream {
        match self {
            Scalar::Float(float) => Ident::new(float, Span::call_site()).to_token_stream(),
            Scalar::Parameter(parameter) => parameter.to_token_stream(),
        }
    }
}

/// The scalar of a function, if it has one; where it is `higher_order` (`asked`), reports what is missing.
pub fn scalar_of(
    sig: &Signature,
    body: Option<&syn::Block>,
    asked: Option<Span>,
    cx: &Ctxt,
) -> Option<Scalar> {
    let parameters = scalar_parameters(&sig.generics);
    if let Some(span) = asked {
        refuse(sig, body, &parameters, span, cx)?;
    }
    let tokens = sig.to_token_stream();
    let mut floats = [
        has_name(&tokens, "f64"),
        has_name(&tokens, "f32") || single_tensors(&tokens),
    ];
    if floats == [false, false] && asked.is_some() && parameters.is_empty() {
        floats = of_body(sig, body);
    }
    match (parameters.as_slice(), floats) {
        ([parameter], [false, false]) => Some(Scalar::Parameter(parameter.clone())),
        ([], [true, false]) if asked.is_some() => Some(Scalar::Float("f64".into())),
        ([], [false, true]) if asked.is_some() => Some(Scalar::Float("f32".into())),
        _ => None,
    }
}

/// The float of a function whose signature names none, but types that have numbers: that of the body, or `f64`.
fn of_body(sig: &Signature, body: Option<&syn::Block>) -> [bool; 2] {
    let inside = body.map(|b| b.to_token_stream()).unwrap_or_default();
    match ["f64", "f32"].map(|f| has_name(&inside, f)) {
        [false, false] => [Named::new(sig, None).any(), false],
        found => found,
    }
}

/// Reports what a `higher_order` function cannot have; `None` if there was any.
fn refuse(
    sig: &Signature,
    body: Option<&syn::Block>,
    parameters: &[Ident],
    span: Span,
    cx: &Ctxt,
) -> Option<()> {
    let before = cx.error_count();
    let tokens = sig.to_token_stream();
    let inside = body.map(|b| b.to_token_stream()).unwrap_or_default();
    let [double, single] = ["f64", "f32"].map(|f| has_name(&tokens, f) || has_name(&inside, f));
    let single = single || single_tensors(&tokens) || single_tensors(&inside);
    match parameters {
        [] if double && single => cx.error_at(span, "a function with `higher_order` is written in one scalar, and this one mixes `f32` and `f64`: convert outside of it"),
        [] if !double && !single && !Named::new(sig, None).any() => cx.error_at(span, "`higher_order` needs a scalar in the signature: `f64`, `f32`, a tensor of them, or one type parameter `T: ad::Scalar`"),
            [_, _, ..] => cx.error_at(span, "a function with `higher_order` is written in one scalar: give all of them one type parameter"),
            [p] if has_name(&tokens, "f64") || has_name(&tokens, "f32") => cx.error_at(span, format!("a function with `higher_order` is written in one scalar: `{p}` stands beside a float in the signature")),
            _ => {}
        }
    // Constants may hold references.
    let lifetime = sig.generics.lifetimes().find(|l| !is_inner(&l.lifetime));
    if let Some(l) = lifetime {
        cx.error(l, "lifetimes are left out in a function with `higher_order`: its arguments are copied with their tangents");
    }
    (cx.error_count() == before).then_some(())
}

/// The type parameters with a bound named `Scalar`, or `Float` for the elements of tensors.
pub fn scalar_parameters(generics: &syn::Generics) -> Vec<Ident> {
    let says = |b: &TypeParamBound| match b {
        TypeParamBound::Trait(t) => t
            .path
            .segments
            .last()
            .is_some_and(|s| s.ident == "Scalar" || s.ident == "Float"),
        _ => false,
    };
    syntax::bounded(generics, says)
        .into_iter()
        .cloned()
        .collect()
}

/// Whether the tokens speak of tensors, or the attribute does.
pub fn of_tensors(tokens: &TokenStream, marked: &[Ident]) -> bool {
    marked.iter().any(|m| m == TENSORS) || has_name(tokens, TENSORS)
}

/// Whether there is a `Tensor![…]` without an element type, of `f32`.
fn single_tensors(tokens: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_tensor = |at: usize| {
        at >= 2
            && matches!(&trees[at - 1], TokenTree::Punct(p) if p.as_char() == '!')
            && matches!(&trees[at - 2], TokenTree::Ident(i) if i == "Tensor")
    };
    trees.iter().enumerate().any(|(at, t)| match t {
        TokenTree::Group(g) if is_tensor(at) => !syntax::has_element(&g.stream()),
        TokenTree::Group(g) => single_tensors(&g.stream()),
        _ => false,
    })
}
