//! Access to the fields of cotangents and tangents by name, for emitted code: a pattern names the
//! path of the value, from which the path of a derived type cannot be told.
//!
//! ```text
//! impl<__M: Mode> ShapeAdj<__M> { fn __adj_Circle_r(&mut self) -> &mut Adj<f64, __M> { … } }
//! impl ShapeTangent {
//!     fn __tan_Circle_r(&self) -> &f64 { … }
//!     fn __tan_mut_Circle_r(&mut self) -> &mut f64 { … }
//! }
//! ```

use super::model::{Field, Kind, Model, Variant};
use super::names::{has_adj, Names};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Generics, Ident, Type};

pub fn cotangents(model: &Model<'_>, names: &Names) -> TokenStream {
    if !has_adj(model) {
        return TokenStream::new();
    }
    let ty = |ty: Option<&Type>| match ty {
        Some(ty) => quote!(<#ty as ad::Differentiable>::Adj<__M>),
        None => quote!(ad::NoGrad),
    };
    let lenses = [Lens {
        prefix: "adj",
        mutable: true,
        derivative: "cotangent",
    }];
    lenses_of(model, &names.adj_ident, &names.adj_generics, ty, &lenses)
}

pub fn tangents(model: &Model<'_>, names: &Names) -> TokenStream {
    let ty = |ty: Option<&Type>| match ty {
        Some(ty) => quote!(<#ty as ad::Differentiable>::Tangent),
        None => quote!(()),
    };
    let lenses = [("tan", false), ("tan_mut", true)].map(|(prefix, mutable)| Lens {
        prefix,
        mutable,
        derivative: "tangent",
    });
    let generics = &model.active_generics;
    lenses_of(model, &names.tangent_ident, generics, ty, &lenses)
}

struct Lens {
    prefix: &'static str,
    mutable: bool,
    /// What the type is to the value, for the message.
    derivative: &'static str,
}

fn lenses_of(
    model: &Model<'_>,
    name: &Ident,
    generics: &Generics,
    field_type: impl Fn(Option<&Type>) -> TokenStream,
    lenses: &[Lens],
) -> TokenStream {
    if model.fields().next().is_none() {
        return TokenStream::new();
    }
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let mut methods = TokenStream::new();
    for variant in &model.variants {
        for field in &variant.fields {
            let ty = field_type(field.active.as_ref());
            methods.extend(
                lenses
                    .iter()
                    .map(|lens| method(model, variant, field, lens, &ty)),
            );
        }
    }
    quote! {
        #[automatically_derived]
        #[allow(non_snake_case, dead_code, missing_docs, private_interfaces, unreachable_pub)]
        impl #impl_generics #name #ty_generics #where_clause { #methods }
    }
}

fn method(
    model: &Model<'_>,
    variant: &Variant<'_>,
    field: &Field<'_>,
    lens: &Lens,
    ty: &TokenStream,
) -> TokenStream {
    let (vis, member) = (field.vis, &field.member);
    let name = format_ident!("__{}_{}_{}", lens.prefix, variant.name, field.label());
    let mutable = lens.mutable.then(|| quote!(mut));
    let body = match model.kind {
        Kind::Struct => quote!(&#mutable self.#member),
        Kind::Enum => {
            let (label, of, derivative) = (variant.name, model.name.to_string(), lens.derivative);
            let other = (model.variants.len() > 1)
                .then(|| quote!(_ => ad::wrong_variant(#derivative, #of),));
            quote!(match self { Self::#label { #member: __field, .. } => __field, #other })
        }
    };
    quote! {
        #[doc(hidden)]
        #[inline(always)]
        #vis fn #name(&#mutable self) -> &#mutable #ty { #body }
    }
}
