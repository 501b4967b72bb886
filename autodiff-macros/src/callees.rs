//! The companions that a body calls, and how they are imported.

use crate::vjp::Callee;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use std::cell::RefCell;

/// The companions that a body calls.
#[derive(Default)]
pub struct Callees {
    functions: RefCell<Vec<Function>>,
    methods: RefCell<Vec<(String, TokenStream)>>,
}

/// A called function.
struct Function {
    path: syn::Path,
    /// How many arguments calls of its companion have.
    args: usize,
}

impl Callees {
    /// Resolves a called path; remembers what must be imported.
    pub fn resolve(&self, path: &syn::Path, args: usize) -> Callee {
        let mut path = path.clone();
        let mut generics = None;
        if let Some(last) = path.segments.last_mut() {
            if let syn::PathArguments::AngleBracketed(a) = std::mem::take(&mut last.arguments) {
                generics = Some(a.args.to_token_stream());
            }
        }
        let n = path.segments.len();
        let name = path.segments[n - 1].ident.clone();
        let owner = (n >= 2).then(|| path.segments[n - 2].ident.to_string());
        if owner.is_some_and(|o| o.starts_with(char::is_uppercase)) {
            let with = |suffix: &str| {
                let mut path = path.clone();
                path.segments[n - 1].ident =
                    format_ident!("__{}_{suffix}", name, span = name.span());
                path.to_token_stream()
            };
            return Callee {
                vjp: with("vjp"),
                jvp: with("jvp"),
                generics,
                weight: None,
                owner: None,
            };
        }
        let mut list = self.functions.borrow_mut();
        let index = list.iter().position(|f| f.path == path);
        let index = index.unwrap_or_else(|| {
            list.push(Function { path, args });
            list.len() - 1
        });
        list[index].args = list[index].args.max(args);
        let alias = alias(index, name.span());
        Callee {
            vjp: quote_spanned!(name.span()=> #alias::__vjp),
            jvp: quote_spanned!(name.span()=> #alias::__jvp),
            generics,
            weight: Some(quote_spanned!(name.span()=> #alias::__WEIGHT)),
            owner: Some(quote!(#alias)),
        }
    }

    /// Remembers a called method.
    pub fn method(&self, name: &Ident, args: usize) {
        let key = format!(".{name}/{args}");
        let mut list = self.methods.borrow_mut();
        if list.iter().any(|(k, _)| *k == key) {
            return;
        }
        let module = format_ident!("__fallback_method{}", list.len());
        let (vjp, jvp) = {
            let companion = |mode| format_ident!("__{}_{mode}", name, span = Span::call_site());
            (companion("vjp"), companion("jvp"))
        };
        let generic = |letter: &str| {
            (0..args)
                .map(|i| format_ident!("{letter}{i}"))
                .collect::<Vec<_>>()
        };
        let (a, t) = (generic("A"), generic("T"));
        let message = missing(name);
        list.push((
            key,
            quote!(
                ::differentiable::__companion_method! { #message #module #name #vjp #jvp [#(#a)*] [#(#t)*] }
            ),
        ));
    }

    pub fn imports(&self) -> TokenStream {
        let functions = self.functions.borrow();
        let functions = functions.iter().enumerate().map(|(k, f)| f.import(k));
        let methods = self.methods.borrow();
        functions
            .chain(methods.iter().map(|(_, t)| t.clone()))
            .collect()
    }
}

impl Function {
    fn import(&self, k: usize) -> TokenStream {
        let path = &self.path;
        let Some(name) = path.segments.last().map(|s| &s.ident) else {
            return TokenStream::new();
        };
        let (alias, module) = (alias(k, name.span()), format_ident!("__fallback{k}"));
        let generic = |letter: &str| {
            (0..self.args)
                .map(|i| format_ident!("{letter}{i}"))
                .collect::<Vec<_>>()
        };
        let (a, t) = (generic("A"), generic("T"));
        let message = missing(name);
        quote!(
            ::differentiable::__companion! { #message #alias #module #name [#(#a)*] [#(#t)*] #path }
        )
    }
}

fn missing(name: &Ident) -> String {
    if name == "at" {
        // Written by the user, or by us for an index that is an array.
        return "`at` has no derivative here: an index like `[[i, j]]` has one on tensors of `f32` or `f64`; annotate a method of your own with `#[differentiable]`".into();
    }
    format!("`{name}` has no derivative: annotate it with `#[differentiable]`, or wrap the call in `no_grad!`")
}

fn alias(k: usize, span: Span) -> Ident {
    Ident::new(&format!("__callee{k}"), span)
}
