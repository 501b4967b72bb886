//! The derived impls, put together.

use super::model::{Kind, Model};
use super::names::Names;
use super::over::Mirror;
use super::own::Own;
use super::{
    constructor, differentiable, fallback, lens, over_traits, parts, std_traits, types,
    vector_space,
};
use crate::syntax::names::field_number;
use proc_macro2::TokenStream;
use quote::quote;

pub fn emit(model: &Model<'_>, mirror: Option<&Mirror>) -> TokenStream {
    if model.discrete() {
        let discrete = fallback::discrete(model.name, &model.generics);
        let lift = super::lift::identity(model.name, &model.generics);
        return quote!(#discrete #lift);
    }
    let names = Names::new(model);
    let Items {
        mut definitions,
        mut impls,
    } = Items::of(model, &names);
    impls.extend(super::operators::operators(model, &names));
    match mirror.map(|m| (m, Model::over(&m.input, model.name))) {
        None => {
            impls.extend(super::lift::lift(model, &names));
            impls.extend(constructor::constructor(model, &names, None));
        }
        Some((_, Err(e))) => definitions.extend(e.to_compile_error()),
        Some((mirror, Ok(over))) => {
            let own = Own {
                model: &over,
                names: &Names::new(&over),
            };
            let items = Items::of(&over, own.names);
            definitions.extend(mirror.definition(model.name));
            definitions.extend(items.definitions);
            impls.extend(items.impls);
            impls.extend(over_traits::std_traits(&own));
            impls.extend(Mirror::lift_itself(&own));
            impls.extend(mirror.of_original(model, &names, &own));
            impls.extend(constructor::constructor(model, &names, Some(&own)));
        }
    }
    let checked = &model.checked;
    quote! {
        #checked
        #definitions
        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            #[allow(unused_imports)]
            use ::differentiable::__rt as ad;
            #impls
        };
    }
}

/// What every type gets.
struct Items {
    definitions: TokenStream,
    impls: TokenStream,
}

impl Items {
    fn of(model: &Model<'_>, names: &Names) -> Self {
        let definitions = [types::tangent(model, names), types::adj(model, names)];
        let impls = [
            types::proto(model, names),
            differentiable::differentiable(model, names),
            differentiable::accumulator(model, names),
            vector_space::tangent(model, names),
            std_traits::of_tangent(model, names),
            std_traits::of_cotangent(model, names),
            variant_names(model, names),
            lens::cotangents(model, names),
            lens::tangents(model, names),
            parts::spots(model, names),
            constant_fields(model),
        ];
        Items {
            definitions: quote!(#(#definitions)*),
            impls: quote!(#(#impls)*),
        }
    }
}

/// The names of the variants, for the messages about variants that do not fit.
fn variant_names(model: &Model<'_>, names: &Names) -> TokenStream {
    if model.kind == Kind::Struct || model.variants.len() < 2 {
        return TokenStream::new();
    }
    let variants: Vec<_> = model.variants.iter().map(|variant| variant.name).collect();
    let labels: Vec<_> = variants.iter().map(|name| name.to_string()).collect();
    let types = [
        (model.name, &model.generics),
        (&names.tangent_ident, &model.active_generics),
        (&names.adj_ident, &names.adj_generics),
    ];
    let impls = types.map(|(ty, generics)| {
        let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #impl_generics ad::Variant for #ty #ty_generics #where_clause {
                fn variant(&self) -> &'static str {
                    match self { #(Self::#variants { .. } => #labels,)* }
                }
            }
        }
    });
    quote!(#(#impls)*)
}

/// What tells the mode of a constant field that is given to a call: `impl ad::ConstantField<NUMBER> for P {}`.
fn constant_fields(model: &Model<'_>) -> TokenStream {
    if model.kind == Kind::Enum {
        return TokenStream::new();
    }
    let name = model.name;
    let (impl_generics, ty_generics, where_clause) = model.generics.split_for_impl();
    let constant = model.fields().filter(|field| field.active.is_none());
    let impls = constant.map(|field| {
        let number = field_number(&field.member);
        quote! {
            #[automatically_derived]
            impl #impl_generics ad::ConstantField<#number> for #name #ty_generics #where_clause {}
        }
    });
    quote!(#(#impls)*)
}
