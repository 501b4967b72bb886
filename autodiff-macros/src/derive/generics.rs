//! The generics of the derived types, and the bounds of the derived impls.

use super::model::{Field, Model};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::visit_mut::{self, VisitMut};
use syn::{DeriveInput, GenericParam, Generics, Type, WhereClause};

/// What must be differentiable for every differentiable field to be: its type, where that mentions
/// a type parameter.
///
/// A field of recursive type would need itself. There the parameters are bounded that stand beside
/// the recursion, as `T` in `Vec<(Tree<T>, T)>`.
pub fn bounded<'a>(input: &DeriveInput, fields: impl Iterator<Item = &'a Field<'a>>) -> Vec<Type> {
    let params: Vec<&Ident> = input.generics.type_params().map(|p| &p.ident).collect();
    let mut bounded: Vec<Type> = Vec::new();
    let mut add = |ty: Type| {
        if !bounded.contains(&ty) {
            bounded.push(ty);
        }
    };
    for field in fields {
        let Some(ty) = &field.active else { continue };
        if field.recursive {
            let mut rest = ty.clone();
            WithoutRecursion(&input.ident).visit_type_mut(&mut rest);
            let beside = params.iter().filter(|param| mentions(&rest, param));
            beside.for_each(|param| add(syn::parse_quote!(#param)));
        } else if params.iter().any(|param| mentions(ty, param)) {
            add(ty.clone());
        }
    }
    bounded
}

struct WithoutRecursion<'a>(&'a Ident);

impl VisitMut for WithoutRecursion<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let recursive = |path: &syn::Path| {
            let last = path.segments.last();
            last.is_some_and(|segment| segment.ident == *self.0)
        };
        match ty {
            Type::Path(path) if recursive(&path.path) => *ty = syn::parse_quote!(()),
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }
}

/// Adds `Type: Differentiable` for each of the types.
pub fn with_bounds(generics: &Generics, bounded: &[Type]) -> Generics {
    let mut generics = generics.clone();
    for ty in bounded {
        let bound = syn::parse_quote!(#ty: ::differentiable::__rt::Differentiable);
        generics.make_where_clause().predicates.push(bound);
    }
    generics
}

/// Without the type parameters that only constant fields mention: a derived type would not use
/// them.
pub fn active_only<'a>(generics: &Generics, active: impl Iterator<Item = &'a Type>) -> Generics {
    let active: Vec<&Type> = active.collect();
    let mut kept = generics.clone();
    let mut dropped: Vec<Ident> = Vec::new();
    kept.params = generics
        .params
        .iter()
        .filter(|param| {
            let GenericParam::Type(param) = param else {
                return true;
            };
            let used = active.iter().any(|ty| mentions(ty, &param.ident));
            if !used {
                dropped.push(param.ident.clone());
            }
            used
        })
        .cloned()
        .collect();
    for param in &mut kept.params {
        match param {
            GenericParam::Type(param) => param.default = None,
            GenericParam::Const(param) => param.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    if let Some(clause) = &mut kept.where_clause {
        clause.predicates = std::mem::take(&mut clause.predicates)
            .into_iter()
            .filter(|predicate| !dropped.iter().any(|param| mentions(predicate, param)))
            .collect();
    }
    kept
}

/// The where clause of the derived types, with a bound on the tangents of the fields in `types`.
///
/// The unused lifetime keeps rustc from refusing a bound on a concrete type that does not hold: the
/// impl then simply does not apply.
pub fn where_all<'a>(
    model: &Model<'_>,
    types: impl IntoIterator<Item = &'a Type>,
    bound: &TokenStream,
) -> Option<WhereClause> {
    let mut generics = model.active_generics.clone();
    let predicates = &mut generics.make_where_clause().predicates;
    for ty in types {
        predicates.push(syn::parse_quote!(for<'__a> <#ty as ad::Differentiable>::Tangent: #bound));
    }
    generics.where_clause
}

/// The names of the parameters, as arguments.
pub fn arguments(generics: &Generics) -> impl Iterator<Item = &Ident> {
    generics.params.iter().map(|param| match param {
        GenericParam::Type(param) => &param.ident,
        GenericParam::Const(param) => &param.ident,
        GenericParam::Lifetime(param) => &param.lifetime.ident,
    })
}

/// Writes out `Self`, which means another type inside a derived type.
pub fn without_self(ty: &Type, this: &TokenStream) -> Type {
    fn replace(tokens: TokenStream, this: &TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let mut replaced = TokenStream::new();
        while let Some(token) = tokens.next() {
            replaced.extend(match token {
                TokenTree::Ident(ident) if ident == "Self" => match tokens.peek() {
                    Some(TokenTree::Punct(next)) if next.as_char() == ':' => quote!(<#this>),
                    _ => this.clone(),
                },
                TokenTree::Group(group) => {
                    let inner = replace(group.stream(), this);
                    let mut outer = proc_macro2::Group::new(group.delimiter(), inner);
                    outer.set_span(group.span());
                    TokenTree::from(outer).into()
                }
                other => other.into(),
            });
        }
        replaced
    }
    if !mentions(ty, &Ident::new("Self", proc_macro2::Span::call_site())) {
        return ty.clone();
    }
    syn::parse2(replace(ty.to_token_stream(), this)).unwrap_or_else(|_| ty.clone())
}

/// Whether the tokens mention a name: types can be macros, such as `Tensor![B, 10]`.
pub fn mentions(tokens: &impl ToTokens, name: &Ident) -> bool {
    fn search(tokens: TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == *name,
            TokenTree::Group(group) => search(group.stream(), name),
            _ => false,
        })
    }
    search(quote!(#tokens), name)
}
