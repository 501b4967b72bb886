//! The traits of the standard library that a type over any scalar has: what the original has is not seen.

use super::boxes::{boxed, inside};
use super::differentiable;
use super::model::{Style, Variant};
use super::names::binding;
use super::own::Own;
use proc_macro2::TokenStream;
use quote::quote;

/// `Clone`, [`held`] of the type over any scalar, and `Copy`, `Debug` and `PartialEq` where all fields have them.
pub fn std_traits(own: &Own<'_>) -> TokenStream {
    let (model, names) = (own.model, own.names);
    let name = model.name;
    let (impl_generics, ty_generics, clause) = model.generics.split_for_impl();
    let inline = differentiable::inline(model);
    let where_all = |bound: TokenStream| {
        let mut generics = model.generics.clone();
        for field in model.fields().filter(|f| !f.recursive) {
            let ty = &field.ty;
            generics
                .make_where_clause()
                .predicates
                .push(syn::parse_quote!(for<'__a> #ty: #bound));
        }
        generics.where_clause
    };
    let [copy, eq, debug] = [
        quote!(::core::marker::Copy),
        quote!(::core::cmp::PartialEq),
        quote!(::core::fmt::Debug),
    ]
    .map(where_all);
    // A recursive type is in a box or a `Vec`.
    let copy = (!model.recursive()).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics ::core::marker::Copy for #name #ty_generics #copy {}
        }
    });
    let arms = |prefix: &str, with: &dyn Fn(&Variant<'_>) -> TokenStream| {
        let arms = model.variants.iter().map(|v| {
            let path = names.value.path(model, v);
            let fields = v.fields.iter().enumerate().map(|(i, f)| {
                let (member, x) = (&f.member, binding(prefix, i));
                quote!(#member: #x)
            });
            let body = with(v);
            quote!(#path { #(#fields),* } => #body,)
        });
        quote!(#(#arms)*)
    };
    let cloned = arms("x", &|v| {
        let path = names.value.path(model, v);
        let fields = v.fields.iter().enumerate().map(|(i, f)| {
            let (member, x) = (&f.member, binding("x", i));
            quote!(#member: ::core::clone::Clone::clone(#x))
        });
        quote!(#path { #(#fields),* })
    });
    let equal = arms("x", &|v| {
        let path = names.value.path(model, v);
        let (mut other, mut both) = (Vec::new(), Vec::new());
        for (i, f) in v.fields.iter().enumerate() {
            let (member, x, y) = (&f.member, binding("x", i), binding("y", i));
            other.push(quote!(#member: #y));
            both.push(quote!(*#x == *#y));
        }
        let rest = (model.variants.len() > 1).then(|| quote!(_ => false));
        quote!(match __other { #path { #(#other),* } => true #(&& #both)*, #rest })
    });
    let shown = arms("x", &|v| {
        let label = v.name.to_string();
        let fields = v.fields.iter().enumerate().map(|(i, f)| {
            let (name, x) = (f.label(), binding("x", i));
            match v.style {
                Style::Named => quote!(.field(#name, #x)),
                _ => quote!(.field(#x)),
            }
        });
        match v.style {
            Style::Named => quote!(__f.debug_struct(#label) #(#fields)* .finish()),
            Style::Tuple => quote!(__f.debug_tuple(#label) #(#fields)* .finish()),
            Style::Unit => quote!(__f.write_str(#label)),
        }
    });
    let held = held(own);
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::clone::Clone for #name #ty_generics #clause {
            #inline
            fn clone(&self) -> Self { match self { #cloned } }
        }
        #held
        #copy
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Debug for #name #ty_generics #debug {
            fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { match self { #shown } }
        }
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ::core::cmp::PartialEq for #name #ty_generics #eq {
            fn eq(&self, __other: &Self) -> bool { match self { #equal } }
        }
    }
}

/// `Held` of the type over any scalar, or of its tangent.
pub fn held(own: &Own<'_>) -> TokenStream {
    let (model, names) = (own.model, own.names);
    let name = model.name;
    let (impl_generics, ty_generics, clause) = model.generics.split_for_impl();
    let inline = differentiable::inline(model);
    let arms = model.variants.iter().map(|v| {
        let path = names.value.path(model, v);
        let (mut bound, mut made) = (Vec::new(), Vec::new());
        for (i, f) in v.fields.iter().enumerate() {
            let (member, x) = (&f.member, binding("x", i));
            bound.push(quote!(#member: #x));
            let value = match (own.exchanged(f), inside(&f.ty)) {
                (true, Some(_)) => boxed(&f.ty, quote!(ad::Held::held(*#x))),
                (true, None) => quote!(ad::Held::held(#x)),
                (false, _) => quote!(#x),
            };
            made.push(quote!(#member: #value));
        }
        quote!(#path { #(#bound),* } => #path { #(#made),* },)
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics ad::Held for #name #ty_generics #clause {
            type Out = Self;
            #inline
            fn held(self) -> Self { match self { #(#arms)* } }
        }
    }
}
