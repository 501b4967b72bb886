//! Which scalar a function is written in, and what a function with `higher_order` cannot have.

use crate::ctxt::Ctxt;
use crate::surface::Surface;
use crate::syntax;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Signature, Type, TypeParamBound};

/// The scalar of a function.
#[derive(Debug)]
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
    let floats = ["f64", "f32"].map(|f| mentions(&sig.to_token_stream(), f));
    match (parameters.as_slice(), floats) {
        ([parameter], [false, false]) => Some(Scalar::Parameter(parameter.clone())),
        ([], [true, false]) if asked.is_some() => Some(Scalar::Float("f64".into())),
        ([], [false, true]) if asked.is_some() => Some(Scalar::Float("f32".into())),
        _ => None,
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
    if mentions(&tokens, "Tensor") {
        cx.error_at(span, "tensors have first derivatives only: `higher_order` is for functions of numbers, arrays, slices, `Vec`s and generic structs");
    } else {
        let [double, single] = ["f64", "f32"].map(|f| mentions(&tokens, f) || mentions(&inside, f));
        match parameters {
            [] if double && single => cx.error_at(span, "a function with `higher_order` is written in one scalar, and this one mixes `f32` and `f64`: convert outside of it"),
            [] if !double && !single => cx.error_at(span, "`higher_order` needs a scalar in the signature: `f64`, `f32`, or one type parameter `T: ad::Scalar`"),
            [_, _, ..] => cx.error_at(span, "a function with `higher_order` is written in one scalar: give all of them one type parameter"),
            [p] if mentions(&tokens, "f64") || mentions(&tokens, "f32") => cx.error_at(span, format!("a function with `higher_order` is written in one scalar: `{p}` stands beside a float in the signature")),
            _ => {}
        }
    }
    let lifetime = sig.generics.lifetimes().next();
    if let Some(l) = lifetime {
        cx.error(l, "lifetimes are left out in a function with `higher_order`: its arguments are copied with their tangents");
    }
    (cx.error_count() == before).then_some(())
}

/// The type parameters with a bound named `Scalar`.
pub fn scalar_parameters(generics: &syn::Generics) -> Vec<Ident> {
    let says = |b: &TypeParamBound| match b {
        TypeParamBound::Trait(t) => t.path.segments.last().is_some_and(|s| s.ident == "Scalar"),
        _ => false,
    };
    syntax::bounded(generics, says)
        .into_iter()
        .cloned()
        .collect()
}

fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        // A suffix: `1.0f32`.
        TokenTree::Literal(l) => l.to_string().ends_with(name),
        TokenTree::Punct(_) => false,
    })
}

/// The types of parameters that are written without arguments, and are none of the language's own: they
/// must not have floats inside, which would stay `f64`.
pub fn fixed_types(surface: &Surface<'_>) -> HashSet<String> {
    struct V<'a>(HashSet<String>, &'a [String]);
    impl<'a> Visit<'a> for V<'_> {
        fn visit_type_path(&mut self, t: &'a syn::TypePath) {
            let plain = t.path.segments.iter().all(|s| s.arguments.is_none());
            if let (true, None, Some(name)) = (plain, &t.qself, t.path.get_ident()) {
                let known = syntax::ty_of(&Type::Path(t.clone())) != crate::ir::Ty::Unknown;
                let name = name.to_string();
                if !known && name != "Self" && !self.1.contains(&name) {
                    self.0.insert(name);
                }
            }
            visit::visit_type_path(self, t);
        }
    }
    let generics = surface.sig.generics.type_params();
    let generics: Vec<String> = generics.map(|p| p.ident.to_string()).collect();
    let mut v = V(HashSet::new(), &generics);
    let values = surface.params.iter().filter(|p| p.function.is_none());
    values
        .filter_map(|p| p.value_ty())
        .for_each(|t| v.visit_type(t));
    v.0
}
