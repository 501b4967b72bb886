//! `match` over the variants: what is derived works on one variant at a time.

use super::model::{Model, Variant};
use super::names::{binding, Side};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

/// A value that is matched: the expression, its type, and the prefix of the names of its fields.
pub struct Subject<'a>(pub TokenStream, pub &'a Side, pub &'static str);

impl Subject<'_> {
    /// The name of a field.
    pub fn field(&self, i: usize) -> syn::Ident {
        binding(self.2, i)
    }
}

/// `match self { Shape::Circle { r: __x0 } => …, … }`
pub fn each(
    model: &Model<'_>,
    subject: &Subject<'_>,
    arm: impl Fn(&Variant<'_>) -> TokenStream,
) -> TokenStream {
    let arms = model.variants.iter().map(|variant| {
        let pattern = subject.1.pattern(model, variant, subject.2);
        let body = arm(variant);
        quote!(#pattern => { #body })
    });
    let value = &subject.0;
    quote!(match #value { #(#arms)* })
}

/// Matches two values of one variant; `differ` is the result of other variants, given the first.
///
/// One `match` inside the other, so that no tuple of the values is made.
pub fn both(
    model: &Model<'_>,
    first: &Subject<'_>,
    second: &Subject<'_>,
    differ: impl Fn(&Variant<'_>) -> TokenStream,
    arm: impl Fn(&Variant<'_>) -> TokenStream,
) -> TokenStream {
    each(model, first, |variant| {
        let pattern = second.1.pattern(model, variant, second.2);
        let (value, body) = (&second.0, arm(variant));
        let other = (model.variants.len() > 1).then(|| {
            let differ = differ(variant);
            quote!(__other => { #differ })
        });
        quote!(match #value { #pattern => { #body } #other })
    })
}

/// [`both`], where other variants are an error: `action` is what cannot be done with them.
pub fn same(
    model: &Model<'_>,
    first: &Subject<'_>,
    second: &Subject<'_>,
    action: &str,
    arm: impl Fn(&Variant<'_>) -> TokenStream,
) -> TokenStream {
    let of = model.name.to_string();
    let differ = |variant: &Variant<'_>| {
        let variant = variant.name.to_string();
        quote!(ad::variants_differ(#action, #of, #variant, ad::Variant::variant(&__other)))
    };
    both(model, first, second, differ, arm)
}

/// A function of every differentiable field of a variant.
pub fn every(variant: &Variant<'_>, field: impl Fn(usize, &Type) -> TokenStream) -> TokenStream {
    let fields = variant.active().map(|(i, ty)| field(i, ty));
    quote!(#(#fields)*)
}
