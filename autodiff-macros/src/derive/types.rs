//! The definitions of the derived types: each has the variants and fields of the input.

use super::model::{Field, Kind, Model, Style, Variant};
use super::names::{has_adj, Names};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident, Member, Type};

/// `struct PTangent { a: <f64 as Differentiable>::Tangent, n: () }`
pub fn tangent(model: &Model<'_>, names: &Names) -> TokenStream {
    let doc = format!(
        "The tangent of [`{0}`]: a direction in its space, and the form its gradient is returned in.",
        model.name
    );
    let fields = |ty: Option<&Type>| match ty {
        Some(ty) => quote!(<#ty as ::differentiable::__rt::Differentiable>::Tangent),
        None => quote!(()),
    };
    define(
        model,
        &doc,
        &names.tangent_ident,
        &model.active_generics,
        fields,
    )
}

/// `struct PAdj<__M: Mode> { a: <f64 as Differentiable>::Adj<__M>, n: NoGrad }`
pub fn adj(model: &Model<'_>, names: &Names) -> TokenStream {
    if !has_adj(model) {
        return TokenStream::new();
    }
    let doc = format!("The accumulator of cotangents of [`{}`].", model.name);
    let fields = |ty: Option<&Type>| match ty {
        Some(ty) => quote!(<#ty as ::differentiable::__rt::Differentiable>::Adj<__M>),
        None => quote!(::differentiable::__rt::NoGrad),
    };
    let item = define(model, &doc, &names.adj_ident, &names.adj_generics, fields);
    quote!(#[doc(hidden)] #item)
}

/// `struct __PProto { a: <f64 as Differentiable>::Proto, n: () }`, so that a type may contain itself,
/// and private types.
pub fn proto(model: &Model<'_>, names: &Names) -> TokenStream {
    if !has_adj(model) {
        return TokenStream::new();
    }
    let doc = format!("What a zero cotangent of [`{}`] needs.", model.name);
    let fields = |ty: Option<&Type>| match ty {
        Some(ty) => quote!(<#ty as ::differentiable::__rt::Differentiable>::Proto),
        None => quote!(()),
    };
    let item = define(
        model,
        &doc,
        &names.proto_ident,
        &model.active_generics,
        fields,
    );
    quote!(#[doc(hidden)] #item)
}

fn define(
    model: &Model<'_>,
    doc: &str,
    name: &Ident,
    generics: &Generics,
    field_type: impl Fn(Option<&Type>) -> TokenStream,
) -> TokenStream {
    let vis = model.vis;
    let (params, where_clause) = (&generics.params, &generics.where_clause);
    let body = |variant: &Variant<'_>, kind| {
        let fields = variant
            .fields
            .iter()
            .map(|field| define_field(field, field_type(field.active.as_ref()), kind));
        match variant.style {
            Style::Named => quote!({ #(#fields),* }),
            Style::Tuple => quote!((#(#fields),*)),
            Style::Unit => quote!(),
        }
    };
    let attributes = quote! {
        #[doc = #doc]
        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        #[allow(dead_code, missing_debug_implementations, non_camel_case_types)]
    };
    match model.kind {
        Kind::Struct => {
            let variant = &model.variants[0];
            let body = body(variant, model.kind);
            match variant.style {
                Style::Named => quote!(#attributes #vis struct #name<#params> #where_clause #body),
                Style::Tuple | Style::Unit => {
                    quote!(#attributes #vis struct #name<#params> #body #where_clause;)
                }
            }
        }
        Kind::Enum => {
            let variants = model.variants.iter().map(|variant| {
                let doc = format!("The part of `{}`.", variant.name);
                let (name, body) = (variant.name, body(variant, model.kind));
                quote!(#[doc = #doc] #name #body)
            });
            quote!(#attributes #vis enum #name<#params> #where_clause { #(#variants),* })
        }
    }
}

fn define_field(field: &Field<'_>, ty: TokenStream, kind: Kind) -> TokenStream {
    let vis = (kind == Kind::Struct).then_some(field.vis);
    match &field.member {
        Member::Named(name) => {
            let doc = format!("The part of `{name}`.");
            quote!(#[doc = #doc] #vis #name: #ty)
        }
        Member::Unnamed(index) => {
            let doc = format!("The part of field {}.", index.index);
            quote!(#[doc = #doc] #vis #ty)
        }
    }
}
