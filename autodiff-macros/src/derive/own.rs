//! The type over any scalar, as the emitters of the derive see it.

use super::exchange::{is_plain_data, rename, SCALAR};
use super::generics;
use super::model::{Field, Model};
use super::names::Names;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Type};

/// The type over any scalar, as the emitters see it.
pub struct Own<'a> {
    pub model: &'a Model<'a>,
    pub names: &'a Names,
}

impl Own<'_> {
    /// Whether a field of the original or of this has numbers that were exchanged.
    pub fn exchanged(&self, field: &Field<'_>) -> bool {
        is_plain_data(&field.ty) || field.active.is_some()
    }

    /// The fields whose numbers were exchanged, each with its type over `__D`.
    pub fn pairs<'m>(
        &'m self,
        model: &'m Model<'_>,
    ) -> impl Iterator<Item = (&'m Field<'m>, Type)> {
        let over = self.model.fields().map(|f| {
            let mut ty = f.ty.clone();
            rename(&mut ty, SCALAR, "__D");
            ty
        });
        let all = model.fields().zip(over);
        all.filter(|(f, _)| self.exchanged(f))
    }
}

/// Whether a parameter is the scalar.
pub fn is_scalar(p: &syn::GenericParam) -> bool {
    matches!(p, syn::GenericParam::Type(t) if t.ident == SCALAR)
}

/// The arguments of the type over `__D`.
pub fn over_target(generics: &Generics) -> impl Iterator<Item = TokenStream> + '_ {
    generics::arguments(generics).map(|p| match p == SCALAR {
        true => quote!(__D),
        false => quote!(#p),
    })
}
