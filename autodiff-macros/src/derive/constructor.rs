//! `__over_new`: literals in code over any scalar.

use super::exchange::SCALAR;
use super::lift;
use super::model::{Field, Kind, Model};
use super::names::{binding, Names};
use super::own::Own;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

/// `__over_new`: what emitted code over any scalar calls in the place of a literal, with the fields in the order
/// of their names. Of a type that is generic over its scalar it makes the type itself; of one without a form over
/// other scalars it is an error that says so.
pub fn constructor(model: &Model<'_>, names: &Names, own: Option<&Own<'_>>) -> TokenStream {
    let [variant] = model.variants.as_slice() else {
        return TokenStream::new();
    };
    if model.kind != Kind::Struct || variant.fields.is_empty() {
        return TokenStream::new();
    }
    let (impl_generics, ty_generics, clause) = model.generics.split_for_impl();
    let mut order: Vec<usize> = (0..variant.fields.len()).collect();
    order.sort_by_key(|&i| variant.fields[i].label());
    let generic = model.generics.type_params().next().is_some();
    let scalar = Ident::new(SCALAR, Span::call_site());
    let made =
        |fields: &[Field<'_>], path: TokenStream, output: TokenStream, bound: TokenStream| {
            let params = order.iter().map(|&i| {
                let (x, ty) = (binding("x", i), &fields[i].ty);
                quote!(#x: #ty)
            });
            let fields = fields.iter().enumerate().map(|(i, f)| {
                let (member, x) = (&f.member, binding("x", i));
                quote!(#member: #x)
            });
            quote!(<#scalar #bound>(#(#params),*) -> #output { #path { #(#fields),* } })
        };
    let value = names.value.path(model, variant);
    let function = match own {
        Some(own) => {
            let (name, arguments) = (own.model.name, own.model.generics.split_for_impl().1);
            made(
                &own.model.variants[0].fields,
                own.names.value.path(own.model, &own.model.variants[0]),
                quote!(#name #arguments),
                quote!(: ad::Scalar),
            )
        }
        None if generic || lift::is_discrete(model) => {
            made(&variant.fields, value, quote!(Self), quote!())
        }
        None => {
            let each = order.iter().map(|_| quote!(_: impl ::core::marker::Sized));
            quote! {
                <#scalar: ad::Scalar>(#(#each),*) -> <Self as ad::WithScalar<#scalar>>::Type
                where
                    Self: ad::WithScalar<#scalar>,
                { ::core::unreachable!() }
            }
        }
    };
    let name = model.name;
    let vis = model.vis;
    quote! {
        #[automatically_derived]
        #[allow(dead_code, missing_docs, private_interfaces, unreachable_pub)]
        impl #impl_generics #name #ty_generics #clause {
            #[doc(hidden)]
            #[inline(always)]
            #vis fn __over_new #function
        }
    }
}
