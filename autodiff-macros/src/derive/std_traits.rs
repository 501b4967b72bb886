//! `Clone`, `Debug` and `PartialEq` for the derived tangent; `Clone` for the prototype and the
//! accumulator.

use super::differentiable::inline;
use super::generics::where_all;
use super::matching::{both, each, Subject};
use super::model::{Field, Kind, Model, Style, Variant};
use super::names::{binding, has_adj, Names, Side};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident, Type};

/// `Debug` and `PartialEq` are there where every field has them.
pub fn of_tangent(model: &Model<'_>, names: &Names) -> TokenStream {
    let tangent = &names.tangent_ident;
    let (impl_generics, ty_generics, _) = model.active_generics.split_for_impl();
    let clone = clone(model, tangent, &names.tangent, &model.active_generics);
    let this = Subject(quote!(self), &names.tangent, "a");
    let other = Subject(quote!(__other), &names.tangent, "b");
    let debug = each(model, &this, |v| debug(model, names, v));
    let eq = both(
        model,
        &this,
        &other,
        |_| quote!(false),
        |v| {
            let (a, b): (Vec<_>, Vec<_>) = v
                .active()
                .map(|(i, _)| (this.field(i), other.field(i)))
                .unzip();
            quote!(true #(&& *#a == *#b)*)
        },
    );
    let where_tangents = |bound| where_all(model, conditions(model), &bound);
    let debug_where = where_tangents(quote!(::core::fmt::Debug));
    let eq_where = where_tangents(quote!(::core::cmp::PartialEq));
    quote! {
        #clone
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Debug for #tangent #ty_generics #debug_where {
            fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { #debug }
        }
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ::core::cmp::PartialEq for #tangent #ty_generics #eq_where {
            fn eq(&self, __other: &Self) -> bool { #eq }
        }
    }
}

/// The types whose tangents need a trait for the derived tangent to have it.
///
/// For an enum, generic ones only: types that contain one another, as those of a syntax tree do,
/// would each wait for the other. There the tangents of the other fields must have the trait.
fn conditions<'a>(model: &'a Model<'_>) -> Vec<&'a Type> {
    let mut types: Vec<&Type> = model.bounded.iter().collect();
    if model.kind == Kind::Struct {
        let fields = model.fields().filter(|field| !field.recursive);
        types.extend(fields.filter_map(|field| field.active.as_ref()));
    }
    types
}

/// `__f.debug_struct("Circle").field("r", __a0).finish()`
fn debug(model: &Model<'_>, names: &Names, variant: &Variant<'_>) -> TokenStream {
    let label = match model.kind {
        Kind::Struct => names.tangent_ident.to_string(),
        Kind::Enum => variant.name.to_string(),
    };
    let values = variant.fields.iter().enumerate().map(|(i, field)| {
        let name = binding("a", i);
        match field.active {
            Some(_) => quote!(#name),
            None => quote!(&()),
        }
    });
    let labels = variant.fields.iter().map(Field::label);
    match variant.style {
        Style::Named => {
            quote!(__f.debug_struct(#label) #(.field(#labels, #values))* .finish())
        }
        Style::Tuple => quote!(__f.debug_tuple(#label) #(.field(#values))* .finish()),
        Style::Unit => quote!(__f.write_str(#label)),
    }
}

/// Those of the prototype and of the accumulator.
pub fn of_cotangent(model: &Model<'_>, names: &Names) -> TokenStream {
    if !has_adj(model) {
        return TokenStream::new();
    }
    let proto = clone(
        model,
        &names.proto_ident,
        &names.proto,
        &model.active_generics,
    );
    let adj = clone(model, &names.adj_ident, &names.adj, &names.adj_generics);
    quote!(#proto #adj)
}

fn clone(model: &Model<'_>, name: &Ident, side: &Side, generics: &Generics) -> TokenStream {
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let this = Subject(quote!(self), side, "a");
    let inline = inline(model);
    let body = each(model, &this, |v| {
        side.build(model, v, |i, _| {
            let a = this.field(i);
            quote!(::core::clone::Clone::clone(#a))
        })
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::clone::Clone for #name #ty_generics #where_clause {
            #inline
            fn clone(&self) -> Self { #body }
        }
    }
}
