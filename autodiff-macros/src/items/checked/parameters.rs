//! Functions with parameters. A constant has none, but one of a type may use those of the type:
//!
//! ```text
//! struct __Of_f<T, const N: usize>(…);
//! impl<T: Scalar, const N: usize> __Of_f<T, N> {
//!     const CHECKED: usize = { let _ = |x: &[T; N]| -> T { … }; 0 };      // checked for any `T` and `N`
//! }
//! const __checked_f: usize = __Of_f::<f64, 0>::CHECKED;                   // none where that has an error
//! ```
//!
//! Where `f64` does not meet the bounds, the constant is that of the trait `ad::Unchecked`, and the function is not
//! silenced.

use crate::input::signature::{is_inner, ParamDecl};
use crate::syntax::tokens_mention;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use std::collections::HashSet;
use syn::{FnArg, GenericParam, Generics, Lifetime, Signature, Type};

/// The parameters of a function and of the block that it is in.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    lifetimes: Vec<GenericParam>,
    /// Types and constants, with what stands for each.
    others: Vec<(GenericParam, TokenStream)>,
    clauses: Vec<syn::WherePredicate>,
}

impl Parameters {
    /// None where a bound is one of `Self`, or a name begins as ours do: emitted code has another for it.
    pub fn of(all: &[&Generics]) -> Option<Parameters> {
        let this = HashSet::from(["Self".into()]);
        let excluded = |g: &&Generics| {
            let mut names = g.params.iter().filter_map(name);
            let ours = names.any(|i| i.to_string().starts_with("__"));
            let of_self = |tokens| tokens_mention(tokens, &this);
            ours || of_self(g.to_token_stream()) || of_self(g.where_clause.to_token_stream())
        };
        if all.iter().any(excluded) {
            return None;
        }
        let mut found = Parameters::default();
        for p in all.iter().flat_map(|g| &g.params) {
            let mut p = p.clone();
            match &mut p {
                GenericParam::Lifetime(l) => {
                    l.attrs.clear();
                    if !is_inner(&l.lifetime) {
                        found.lifetimes.push(p);
                    }
                }
                GenericParam::Type(t) => {
                    (t.attrs, t.default) = (Vec::new(), None);
                    found.others.push((p, quote!(f64)));
                }
                GenericParam::Const(c) => {
                    (c.attrs, c.default) = (Vec::new(), None);
                    let value = match c.ty.to_token_stream().to_string().as_str() {
                        "bool" => quote!(false),
                        "char" => quote!(' '),
                        _ => quote!(0),
                    };
                    found.others.push((p, value));
                }
            }
        }
        let clauses = all.iter().flat_map(|g| &g.where_clause);
        found.clauses = clauses.flat_map(|w| w.predicates.clone()).collect();
        Some(found)
    }

    pub fn is_empty(&self) -> bool {
        self.lifetimes.is_empty() && self.others.is_empty() && self.clauses.is_empty()
    }

    /// The names of types and constants.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        self.others.iter().filter_map(|(p, _)| name(p))
    }

    /// The types and constants that a type names, by name and declared.
    pub fn within(&self, ty: &Type) -> (Vec<&Ident>, Vec<TokenStream>) {
        let named = self.others.iter().filter_map(|(p, _)| Some((name(p)?, p)));
        let named = named
            .filter(|(i, _)| tokens_mention(ty.to_token_stream(), &HashSet::from([i.to_string()])));
        named.map(|(i, p)| (i, bare(p))).unzip()
    }

    /// Says what stands for functions that the function takes, and gives those that have no name of a type one.
    pub fn take_functions(&mut self, sig: &mut Signature, params: &[ParamDecl]) {
        for (i, (p, input)) in params.iter().zip(&mut sig.inputs).enumerate() {
            let (Some(f), FnArg::Typed(input)) = (&p.function, input) else {
                continue;
            };
            let stand_in = self.stood_in(f.pointer().into_token_stream());
            let (Type::ImplTrait(_) | Type::Path(_)) = unreferenced(&input.ty) else {
                continue;
            };
            if let Some(named) = f.parameter() {
                let mut others = self.others.iter_mut();
                let found = others.find(|(p, _)| name(p) == Some(named));
                found.into_iter().for_each(|(_, s)| *s = stand_in.clone());
            } else if let Type::ImplTrait(t) = unreferenced(&input.ty) {
                let (bounds, span) = (&t.bounds, t.impl_token.span);
                let named = Ident::new(&format!("Fn{i}"), span);
                let declared = syn::parse_quote!(#named: #bounds);
                self.others.push((declared, stand_in));
                *unreferenced_mut(&mut input.ty) = syn::parse_quote!(#named);
            }
        }
    }

    /// The tokens with what stands for the parameters.
    fn stood_in(&self, tokens: TokenStream) -> TokenStream {
        let each = |t: TokenTree| match t {
            TokenTree::Group(g) => {
                let inner = self.stood_in(g.stream());
                TokenTree::from(proc_macro2::Group::new(g.delimiter(), inner)).into()
            }
            TokenTree::Ident(i) => {
                let found = self.others.iter().find(|(p, _)| name(p) == Some(&i));
                found.map_or_else(|| TokenTree::from(i).into(), |(_, s)| s.clone())
            }
            t => TokenStream::from(t),
        };
        tokens.into_iter().flat_map(each).collect()
    }

    /// The constant of a type with the parameters, and the value of that with what stands for them.
    pub fn constant(
        &self,
        function: &Ident,
        checks: &TokenStream,
        allow: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let of = format_ident!("__Of_{function}");
        let lifetimes = &self.lifetimes;
        let used: Vec<&Lifetime> = lifetimes.iter().filter_map(lifetime).collect();
        let (declared, stand_ins): (Vec<_>, Vec<_>) =
            self.others.iter().map(|(p, s)| (p, s)).unzip();
        let types = declared.iter().filter_map(|p| match p {
            GenericParam::Type(t) => Some(&t.ident),
            _ => None,
        });
        let bare = declared.iter().map(|p| bare(p));
        let (names, clauses) = (self.names(), &self.clauses);
        let item = quote! {
            #[allow(non_camel_case_types, dead_code)]
            struct #of<#(#used,)* #(#bare,)*>(::core::marker::PhantomData<(#(&#used (),)* #(*const #types,)*)>);
            #[allow(#allow)]
            impl<#(#lifetimes,)* #(#declared,)*> #of<#(#used,)* #(#names,)*> where #(#clauses,)* {
                const CHECKED: usize = { #checks };
            }
        };
        let value =
            quote!(use ::differentiable::__rt::Unchecked as _; #of::<#(#stand_ins),*>::CHECKED);
        (item, value)
    }
}

/// A parameter without its bounds.
fn bare(p: &GenericParam) -> TokenStream {
    match p {
        GenericParam::Type(t) => {
            let name = &t.ident;
            quote!(#name: ?::core::marker::Sized)
        }
        p => p.to_token_stream(),
    }
}

fn name(p: &GenericParam) -> Option<&Ident> {
    match p {
        GenericParam::Type(t) => Some(&t.ident),
        GenericParam::Const(c) => Some(&c.ident),
        GenericParam::Lifetime(_) => None,
    }
}

fn lifetime(p: &GenericParam) -> Option<&Lifetime> {
    match p {
        GenericParam::Lifetime(l) => Some(&l.lifetime),
        _ => None,
    }
}

fn unreferenced(t: &Type) -> &Type {
    match t {
        Type::Reference(r) => &r.elem,
        t => t,
    }
}

fn unreferenced_mut(t: &mut Type) -> &mut Type {
    match t {
        Type::Reference(r) => &mut r.elem,
        t => t,
    }
}
