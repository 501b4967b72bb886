//! `impl Tangent` for the derived tangent.

use super::differentiable::inline;
use super::matching::{each, same, Subject};
use super::model::Model;
use super::names::Names;
use proc_macro2::TokenStream;
use quote::quote;

pub fn tangent(model: &Model<'_>, names: &Names) -> TokenStream {
    let tangent = &names.tangent_ident;
    let (impl_generics, ty_generics, where_clause) = model.active_generics.split_for_impl();
    let inline = inline(model);
    let this = Subject(quote!(self), &names.tangent, "a");
    let other = Subject(quote!(__other), &names.tangent, "b");
    let add = same(model, &this, &other, "add tangents", |v| {
        names.tangent.build(model, v, |i, _| {
            let (a, b) = (this.field(i), other.field(i));
            quote!(ad::Tangent::add(#a, #b))
        })
    });
    let scale = each(model, &this, |v| {
        names.tangent.build(model, v, |i, _| {
            let a = this.field(i);
            quote!(ad::Tangent::scale(#a, __factor))
        })
    });
    let dot = same(model, &this, &other, "multiply tangents", |v| {
        let (a, b): (Vec<_>, Vec<_>) = v
            .active()
            .map(|(i, _)| (this.field(i), other.field(i)))
            .unzip();
        quote!(0.0 #(+ ad::Tangent::dot(#a, #b))*)
    });
    let squares = each(model, &this, |v| {
        let parts = v.active().map(|(i, _)| this.field(i));
        quote!({ #(ad::Tangent::add_squares(#parts, __to);)* })
    });
    let scale_by = each(model, &this, |v| {
        names.tangent.build(model, v, |i, _| {
            let a = this.field(i);
            quote!(ad::Tangent::scale_by(#a, __factor))
        })
    });
    let fill_with = each(model, &this, |v| {
        names.tangent.build(model, v, |i, _| {
            let a = this.field(i);
            quote!(ad::Tangent::fill_with(#a, __next))
        })
    });
    let entries = each(model, &this, |v| {
        let parts = v.active().map(|(i, _)| this.field(i));
        quote!({ #(ad::Tangent::each(#parts, __entry);)* })
    });
    quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ad::Tangent for #tangent #ty_generics #where_clause {
            #inline
            fn add(self, __other: Self) -> Self { #add }
            #inline
            fn scale(self, __factor: f64) -> Self { #scale }
            #inline
            fn dot(&self, __other: &Self) -> f64 { #dot }
            #[inline]
            fn fill_with(&self, __next: &mut dyn ::core::ops::FnMut() -> f64) -> Self { #fill_with }
            #[inline]
            fn each(&self, __entry: &mut dyn ::core::ops::FnMut(f64)) { #entries }
            fn add_squares(&self, __to: &mut ad::SquareSum) { #squares }
            fn scale_by(self, __factor: &ad::Factor<'_>) -> Self { #scale_by }
        }
    }
}
