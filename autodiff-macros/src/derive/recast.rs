//! `impl Recast`: from a type over any scalar to the original with its floats, and back, where no derivative is asked.
//!
//! For `struct Spring { k: f64, #[constant] name: String }` with `higher_order` it emits
//!
//! ```text
//! impl<AnyScalar: Scalar, __Float: Scalar> Recast<ToFloats<__Float>> for SpringOver<AnyScalar> { type Out = Spring; … }
//! impl<__D: Scalar> Recast<ToScalars<__D>> for Spring { type Out = SpringOver<__D>; … }
//! ```
//!
//! and for `struct Body<T> { mass: T }`, which is either,
//!
//! ```text
//! impl<T: Recast<__To>, __To> Recast<__To> for Body<T> { type Out = Body<<T as Recast<__To>>::Out>; … }
//! ```

use super::boxes::{boxed, reference, unboxed};
use super::differentiable::inline;
use super::exchange::{rename, SCALAR};
use super::model::{Field, Model};
use super::names::{binding, Names};
use super::own::{is_scalar, over_target, Own};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, ToTokens};
use syn::{Generics, Type};

/// From one type to another with the same fields.
pub struct Recasting<'a> {
    pub from: (&'a Model<'a>, &'a Names),
    pub to: &'a Names,
    /// Those of the impl.
    pub generics: Generics,
    /// What the numbers are exchanged for, and those of the fields.
    pub target: TokenStream,
    pub of_fields: TokenStream,
    /// The type that comes out.
    pub out: TokenStream,
    /// Whether a field has numbers that are exchanged.
    pub exchanged: &'a dyn Fn(&Field<'_>) -> bool,
}

impl Recasting<'_> {
    pub fn implement(&self) -> TokenStream {
        let (model, names) = self.from;
        let (impl_generics, _, clause) = self.generics.split_for_impl();
        let (_, ty_generics, _) = model.generics.split_for_impl();
        let (name, target, out) = (model.name, &self.target, &self.out);
        let (of_fields, inline) = (&self.of_fields, inline(model));
        let arms = model.variants.iter().map(|v| {
            let from = names.value.path(model, v);
            let to = self.to.value.path(model, v);
            let (mut bound, mut made) = (Vec::new(), Vec::new());
            for (i, f) in v.fields.iter().enumerate() {
                let (member, x) = (&f.member, binding("x", i));
                bound.push(quote!(#member: #x));
                let value = match (self.exchanged)(f) {
                    true => {
                        let x = reference(&f.ty, x.into_token_stream());
                        boxed(&f.ty, quote!(ad::Recast::<#of_fields>::recast(#x)))
                    }
                    false => quote!(::core::clone::Clone::clone(#x)),
                };
                made.push(quote!(#member: #value));
            }
            quote!(#from { #(#bound),* } => #to { #(#made),* },)
        });
        quote! {
            #[automatically_derived]
            #[allow(unused_variables)]
            impl #impl_generics ad::Recast<#target> for #name #ty_generics #clause {
                type Out = #out;
                #inline
                fn recast(&self) -> Self::Out { match self { #(#arms)* } }
            }
        }
    }
}

/// Of an original, or of its tangent, and of the same over any scalar; `of` gives the types of fields. The original may
/// have a default.
pub fn both_ways(
    original: (&Model<'_>, &Names),
    own: &Own<'_>,
    float: Option<&Ident>,
    of: impl Fn(&Type) -> Type,
    has_default: bool,
) -> TokenStream {
    let ((model, names), over) = (original, own.model);
    let scalar = Ident::new(SCALAR, proc_macro2::Span::call_site());
    let mut to_floats = over.generics.clone();
    if !to_floats.params.iter().any(is_scalar) {
        to_floats
            .params
            .push(syn::parse_quote!(#scalar: ad::Scalar));
    }
    to_floats
        .params
        .push(syn::parse_quote!(__Float: ad::Scalar));
    let mut to_scalars = model.generics.clone();
    to_scalars.params.push(syn::parse_quote!(__D: ad::Scalar));
    if float.is_none() {
        let fields = model.fields().zip(over.fields());
        for (f, o) in fields.filter(|(f, _)| own.exchanged(f) && !f.recursive) {
            let (ty, one) = (unboxed(&f.ty), of(unboxed(&o.ty)));
            let mut other = one.clone();
            rename(&mut other, SCALAR, "__D");
            let there = to_scalars.make_where_clause();
            there
                .predicates
                .push(syn::parse_quote!(#ty: ad::Recast<ad::ToScalars<__D>, Out = #other>));
            let back = to_floats.make_where_clause();
            back.predicates
                .push(syn::parse_quote!(#one: ad::Recast<ad::ToFloats<__Float>, Out = #ty>));
        }
    }
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let (name, mirror, arguments) = (model.name, over.name, over_target(&over.generics));
    let exchanged: &dyn Fn(&Field<'_>) -> bool = &|f| own.exchanged(f);
    let float = float.map_or_else(|| quote!(__Float), ToTokens::to_token_stream);
    let back = Recasting {
        from: (over, own.names),
        to: names,
        generics: to_floats,
        target: quote!(ad::ToFloats<__Float>),
        of_fields: quote!(ad::ToFloats<#float>),
        out: quote!(#name #ty_generics),
        exchanged,
    };
    let there = Recasting {
        from: original,
        to: own.names,
        generics: to_scalars,
        target: quote!(ad::ToScalars<__D>),
        of_fields: quote!(ad::ToScalars<__D>),
        out: quote!(#mirror<#(#arguments),*>),
        exchanged,
    };
    let default = has_default.then(|| default(&there));
    let (back, there) = (back.implement(), there.implement());
    quote!(#back #there #default)
}

/// The default over any scalar is that of the original, where it has one.
fn default(there: &Recasting<'_>) -> TokenStream {
    let (name, out) = (there.from.0.name, &there.out);
    let mut generics = there.generics.clone();
    let (_, ty_generics, _) = there.from.0.generics.split_for_impl();
    let original = quote!(#name #ty_generics);
    let clause = &mut generics.make_where_clause().predicates;
    // Of a type that depends on the scalar the bound may fail.
    clause.push(syn::parse_quote!(ad::Original<#original, __D>: ::core::default::Default));
    clause.push(syn::parse_quote!(#original: ad::Recast<ad::ToScalars<__D>, Out = #out>));
    let (impl_generics, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::default::Default for #out #clause {
            fn default() -> Self {
                let original: ad::Original<#original, __D> = ::core::default::Default::default();
                ad::Recast::<ad::ToScalars<__D>>::recast(&original.0)
            }
        }
    }
}

/// Of a type without numbers.
pub fn identity(name: &Ident, original: &Generics) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    let mut generics = original.clone();
    generics.params.push(syn::parse_quote!(__To));
    let (_, ty_generics, _) = original.split_for_impl();
    generics
        .make_where_clause()
        .predicates
        .push(syn::parse_quote!(for<'__a> #name #ty_generics: ::core::clone::Clone));
    let (impl_generics, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #ad::Recast<__To> for #name #ty_generics #clause {
            type Out = Self;
            fn recast(&self) -> Self { ::core::clone::Clone::clone(self) }
        }
    }
}
