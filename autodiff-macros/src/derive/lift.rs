//! `impl Lift` and `impl Layout`: the type over another scalar, and the rows of a Hessian by it.
//!
//! For `struct Body<T> { mass: T, at: [T; 2], #[constant] name: String }` it emits
//!
//! ```text
//! impl<T, __S: ad::Scalar, __D: ad::Extends<__S>> ad::Lift<__S, __D> for Body<T>
//! where
//!     T: ad::Lift<__S, __D>,
//!     [T; 2]: ad::Lift<__S, __D, Lifted = [<T as ad::Lift<__S, __D>>::Lifted; 2]>,
//! {
//!     type Lifted = Body<<T as ad::Lift<__S, __D>>::Lifted>;
//!     …
//! }
//! ```
//!
//! A type without parameters has its numbers fixed: it has no such impl, unless there are none in it, or
//! [`over`](super::over) writes it.

use super::boxes::{reference, unboxed};
use super::lifting::Lifting;
use super::matching::Subject;
use super::model::Model;
use super::names::Names;
use super::recast::Recasting;
use crate::syntax;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::visit_mut::{self, VisitMut};
use syn::{GenericParam, Type};

/// The impl; empty where there is none.
pub fn lift(model: &Model<'_>, names: &Names) -> TokenStream {
    let mut parameters = model.generics.type_params().map(|p| &p.ident);
    if parameters.next().is_some() {
        return match model.recursive() || !is_written_out(model) {
            true => TokenStream::new(),
            false => {
                let (lift, recast) = (generic(model, names), recast(model, names));
                let layout = layout(model, names);
                quote!(#lift #recast #layout)
            }
        };
    }
    match is_discrete(model) {
        true => {
            let identity = identity(model.name, &model.generics);
            let tangent = model
                .has_active()
                .then(|| super::over::discrete_tangent(model, names));
            quote!(#identity #tangent)
        }
        false => TokenStream::new(),
    }
}

/// Whether there are no numbers in a type that could have a derivative.
pub fn is_discrete(model: &Model<'_>) -> bool {
    let mut fields = model.fields().filter_map(|f| f.active.as_ref());
    fields.all(|t| syntax::ty_of(t).is_discrete())
}

/// A type without numbers in it stays as it is.
pub fn identity(name: &Ident, original: &syn::Generics) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    let (impl_generics, ty_generics, clause) = original.split_for_impl();
    let layout = quote! {
        #[automatically_derived]
        impl #impl_generics #ad::Layout for #name #ty_generics #clause {
            type With<__G> = ();
            fn count(&self) -> usize { 0 }
            fn with<__G>(&self, _: &mut impl ::core::ops::FnMut() -> __G) {}
        }
    };
    let mut scalar = original.clone();
    add_scalar(&mut scalar);
    let (scalar_generics, _, scalar_clause) = scalar.split_for_impl();
    let mut generics = scalar.clone();
    add_target(&mut generics, &quote!(__S));
    generics
        .make_where_clause()
        .predicates
        .push(syn::parse_quote!(for<'__a> #name #ty_generics: ::core::clone::Clone));
    let (impl_generics, _, clause) = generics.split_for_impl();
    let tangent = quote!(<Self as #ad::Differentiable>::Tangent);
    let recast = super::recast::identity(name, original);
    let (own_generics, _, own_clause) = original.split_for_impl();
    let mut lowered = original.clone();
    lowered.params.insert(0, syn::parse_quote!('__z));
    lowered
        .make_where_clause()
        .predicates
        .push(syn::parse_quote!(for<'__a> #name #ty_generics: ::core::clone::Clone));
    let (lower_generics, _, lower_clause) = lowered.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #own_generics #ad::Held for #name #ty_generics #own_clause {
            type Out = Self;
            fn held(self) -> Self { self }
        }
        #[automatically_derived]
        impl #lower_generics #ad::Lower<'__z, Self> for #name #ty_generics #lower_clause {
            fn lower(lifted: &Self) -> Self { ::core::clone::Clone::clone(lifted) }
        }
        #[automatically_derived]
        impl #scalar_generics #ad::WithScalar<__S> for #name #ty_generics #scalar_clause { type Type = Self; }
        #[automatically_derived]
        impl #impl_generics #ad::Lift<__S, __D> for #name #ty_generics #clause {
            type Lifted = Self;
            fn lift<__F: ::core::ops::FnMut(__S) -> __D>(&self, _: &mut __F) -> Self {
                ::core::clone::Clone::clone(self)
            }
            fn lift_along<__F: ::core::ops::FnMut(__S, __S) -> __D>(&self, _: &#tangent, _: &mut __F) -> Self {
                ::core::clone::Clone::clone(self)
            }
            fn part<__F: ::core::ops::Fn(__D) -> __S>(tangent: &#tangent, _: &__F) -> #tangent {
                ::core::clone::Clone::clone(tangent)
            }
            fn read<__F: ::core::ops::FnMut(__D)>(_: &#tangent, _: &mut __F) {}
            fn visit<__F: ::core::ops::FnMut(__D)>(_: &Self, _: &mut __F) {}
            fn fill<__F: ::core::ops::FnMut() -> __S>(&self, _: &mut __F) -> #tangent {
                #ad::Differentiable::zero_tangent(self)
            }
        }
        #layout
        #recast
    }
}

/// `impl Layout`: the rows of a struct stand in a `Vec`.
pub fn layout(model: &Model<'_>, names: &Names) -> TokenStream {
    let name = model.name;
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let mut generics = model.generics.clone();
    let clause = generics.make_where_clause();
    let fields = model.fields().filter(|f| !f.recursive);
    for ty in fields.filter_map(|f| f.active.as_ref()).map(unboxed) {
        clause
            .predicates
            .push(syn::parse_quote!(for<'__a> #ty: ad::Layout));
    }
    let (impl_generics, _, clause) = generics.split_for_impl();
    let value = Subject(quote!(self), &names.value, "x");
    let count = super::matching::each(model, &value, |v| {
        let all = v.active().map(|(i, ty)| {
            let x = reference(ty, value.field(i).into_token_stream());
            quote!(ad::Layout::count(#x))
        });
        quote!(0 #(+ #all)*)
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics ad::Layout for #name #ty_generics #clause {
            type With<__G> = ::std::vec::Vec<__G>;
            fn count(&self) -> usize { #count }
            fn with<__G>(&self, __next: &mut impl ::core::ops::FnMut() -> __G) -> ::std::vec::Vec<__G> {
                (0..ad::Layout::count(self)).map(|_| __next()).collect()
            }
        }
    }
}

/// The scalar of a type whose numbers can be of any kind.
fn add_scalar(generics: &mut syn::Generics) {
    generics
        .params
        .push(syn::parse_quote!(__S: ::differentiable::__rt::Scalar));
}

/// The scalar that a value is lifted to.
pub fn add_target(generics: &mut syn::Generics, scalar: &TokenStream) {
    generics
        .params
        .push(syn::parse_quote!(__D: ::differentiable::__rt::Extends<#scalar>));
}

/// A trait that exchanges types, and its associated type.
struct Exchanging {
    path: TokenStream,
    arguments: TokenStream,
    item: TokenStream,
}

impl Exchanging {
    /// What a parameter becomes.
    fn of(&self, p: &Ident) -> Type {
        let Exchanging {
            path,
            arguments,
            item,
        } = self;
        syn::parse_quote!(<#p as #path<#arguments>>::#item)
    }

    /// Adds to the generics of the type what the trait asks; gives the type with its parameters exchanged.
    fn bound(&self, model: &Model<'_>, generics: &mut syn::Generics) -> TokenStream {
        let Exchanging {
            path,
            arguments,
            item,
        } = self;
        let parameters: Vec<&Ident> = model.generics.type_params().map(|p| &p.ident).collect();
        let mut exchange = Exchange(&parameters, self, 0);
        for p in &mut generics.params {
            if let GenericParam::Type(p) = p {
                p.default = None;
            }
        }
        let clause = generics.make_where_clause();
        // What holds of the type holds of the other.
        let mut also = Vec::new();
        for p in model.generics.type_params() {
            let (p, bounds, other) = (&p.ident, &p.bounds, self.of(&p.ident));
            also.push(syn::parse_quote!(#p: #path<#arguments>));
            if !bounds.is_empty() {
                also.push(syn::parse_quote!(#other: #bounds));
            }
        }
        for predicate in &clause.predicates {
            let mut predicate = predicate.clone();
            exchange.visit_where_predicate_mut(&mut predicate);
            also.push(predicate);
        }
        // Of a parameter it is said above.
        let is_parameter =
            |t: &Type| matches!(t, Type::Path(p) if parameters.iter().any(|i| p.path.is_ident(*i)));
        for field in model.fields().filter(|f| !is_parameter(&f.ty)) {
            let mut other = field.ty.clone();
            exchange.visit_type_mut(&mut other);
            let ty = &field.ty;
            also.push(match mentions(ty, &parameters) || field.active.is_some() {
                true => syn::parse_quote!(#ty: #path<#arguments, #item = #other>),
                false => syn::parse_quote!(for<'__a> #ty: ::core::clone::Clone),
            });
        }
        clause.predicates.extend(also);
        let name = model.name;
        let all = super::generics::arguments(&model.generics);
        let all = all.map(|p| match parameters.contains(&p) {
            true => self.of(p).to_token_stream(),
            false => quote!(#p),
        });
        quote!(#name<#(#all),*>)
    }
}

fn lifting() -> Exchanging {
    Exchanging {
        path: quote!(ad::Lift),
        arguments: quote!(__S, __D),
        item: quote!(Lifted),
    }
}

fn generic(model: &Model<'_>, names: &Names) -> TokenStream {
    let parameters: Vec<&Ident> = model.generics.type_params().map(|p| &p.ident).collect();
    let mut generics = model.generics.clone();
    let lifted = lifting().bound(model, &mut generics);
    add_scalar(&mut generics);
    add_target(&mut generics, &quote!(__S));
    Lifting {
        model,
        names,
        over: names,
        generics,
        scalar: quote!(__S),
        lifted,
        exchanged: &|f| mentions(&f.ty, &parameters),
    }
    .implement()
}

/// `impl Recast` for a type with parameters.
fn recast(model: &Model<'_>, names: &Names) -> TokenStream {
    let parameters: Vec<&Ident> = model.generics.type_params().map(|p| &p.ident).collect();
    let mut generics = model.generics.clone();
    let recast = Exchanging {
        path: quote!(ad::Recast),
        arguments: quote!(__To),
        item: quote!(Out),
    };
    let out = recast.bound(model, &mut generics);
    generics.params.push(syn::parse_quote!(__To));
    Recasting {
        from: (model, names),
        to: names,
        generics,
        target: quote!(__To),
        of_fields: quote!(__To),
        out,
        exchanged: &|f| f.active.is_some() || mentions(&f.ty, &parameters),
    }
    .implement()
}

/// Whether the parameters stand in the types of the fields as types, and not in macros (`Tensor![B, 3]`) or
/// paths (`T::Item`), where the lifted type cannot be put in their place.
fn is_written_out(model: &Model<'_>) -> bool {
    fn count(tokens: TokenStream, parameters: &[&Ident]) -> usize {
        let each = tokens.into_iter().map(|t| match t {
            TokenTree::Ident(i) => usize::from(parameters.contains(&&i)),
            TokenTree::Group(g) => count(g.stream(), parameters),
            _ => 0,
        });
        each.sum()
    }
    let parameters: Vec<&Ident> = model.generics.type_params().map(|p| &p.ident).collect();
    let lifting = lifting();
    model.fields().all(|f| {
        let mut exchange = Exchange(&parameters, &lifting, 0);
        exchange.visit_type_mut(&mut f.ty.clone());
        exchange.2 == count(f.ty.to_token_stream(), &parameters)
    })
}

fn mentions(ty: &Type, parameters: &[&Ident]) -> bool {
    parameters.iter().any(|p| super::generics::mentions(ty, p))
}

/// Puts other types in the place of the parameters, and counts them.
struct Exchange<'a>(&'a [&'a Ident], &'a Exchanging, usize);

impl VisitMut for Exchange<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let parameter = self.0.iter().find(|p| match &*ty {
            Type::Path(path) => path.qself.is_none() && path.path.is_ident(**p),
            _ => false,
        });
        match parameter {
            Some(p) => {
                self.2 += 1;
                *ty = self.1.of(p);
            }
            None => visit_mut::visit_type_mut(self, ty),
        }
    }
}
