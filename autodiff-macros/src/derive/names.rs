//! The derived types, by name and by shape.

use super::generics::arguments;
use super::model::{Kind, Model, Variant};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Generics, Ident, Type};

/// The input and the types derived from it.
#[derive(Clone)]
pub struct Names {
    pub value: Side,
    pub tangent: Side,
    pub adj: Side,
    pub proto: Side,
    pub tangent_ident: Ident,
    pub adj_ident: Ident,
    pub proto_ident: Ident,
    /// The generics of the accumulator type: the mode, then those of the tangent.
    pub adj_generics: Generics,
}

impl Names {
    pub fn new(model: &Model<'_>) -> Self {
        let mut adj_generics = model.active_generics.clone();
        if model.has_active() {
            let mode = syn::parse_quote!(__M: ::differentiable::__rt::Mode);
            adj_generics.params.insert(0, mode);
        }
        let name = model.name;
        let tangent = format_ident!("{}Tangent", name);
        let adj = format_ident!("{}Adj", name);
        let proto = format_ident!("__{}Proto", name);
        Names {
            value: Side::Like(quote!(#name), quote!()),
            tangent: Side::Like(quote!(#tangent), quote!(())),
            adj: match has_adj(model) {
                true => Side::Like(quote!(#adj), quote!(ad::NoGrad)),
                false => Side::Nothing(quote!(ad::NoGrad)),
            },
            proto: match has_adj(model) {
                true => Side::Like(quote!(#proto), quote!(())),
                false => Side::Nothing(quote!(())),
            },
            tangent_ident: tangent,
            adj_ident: adj,
            proto_ident: proto,
            adj_generics,
        }
    }

    /// Those of the tangent as a type of its own, which is its own tangent.
    pub fn of_tangent(&self) -> Self {
        Names {
            value: self.tangent.clone(),
            ..self.clone()
        }
    }

    /// The accumulator type in the mode `__M`.
    pub fn adj_type(&self, model: &Model<'_>) -> TokenStream {
        if !has_adj(model) {
            return quote!(ad::NoGrad);
        }
        let adj = &self.adj_ident;
        let arguments = arguments(&self.adj_generics);
        quote!(#adj<#(#arguments),*>)
    }

    /// What a zero cotangent is made from.
    pub fn proto_type(&self, model: &Model<'_>) -> TokenStream {
        if !has_adj(model) {
            return quote!(());
        }
        let proto = &self.proto_ident;
        let arguments = arguments(&model.active_generics);
        quote!(#proto<#(#arguments),*>)
    }
}

/// A struct without fields needs neither accumulator nor prototype; an enum still has its variants, and constant fields
/// are named where they are written.
pub fn has_adj(model: &Model<'_>) -> bool {
    model.kind == Kind::Enum || model.fields().next().is_some()
}

/// A type as it is matched and built.
#[derive(Clone)]
pub enum Side {
    /// The input, or a type with its variants and fields; and what a constant field of it is.
    Like(TokenStream, TokenStream),
    /// `NoGrad` or `()`.
    Nothing(TokenStream),
}

impl Side {
    /// A pattern that names the differentiable fields: `Shape::Circle { r: __x0 }`.
    pub fn pattern(&self, model: &Model<'_>, variant: &Variant<'_>, prefix: &str) -> TokenStream {
        let bindings = variant.active().map(|(i, _)| binding(prefix, i));
        match self {
            Side::Nothing(nothing) => nothing.clone(),
            Side::Like(path, _) => {
                let path = variant_path(path, model, variant);
                let members = variant.active().map(|(i, _)| &variant.fields[i].member);
                let rest = (variant.active().count() < variant.fields.len()).then(|| quote!(..));
                quote!(#path { #(#members: #bindings,)* #rest })
            }
        }
    }

    /// The name of a variant, or of the struct.
    pub fn path(&self, model: &Model<'_>, variant: &Variant<'_>) -> TokenStream {
        match self {
            Side::Nothing(nothing) => nothing.clone(),
            Side::Like(path, _) => variant_path(path, model, variant),
        }
    }

    /// A value of the type, with the differentiable fields given by number and type.
    pub fn build(
        &self,
        model: &Model<'_>,
        variant: &Variant<'_>,
        field: impl Fn(usize, &Type) -> TokenStream,
    ) -> TokenStream {
        match self {
            Side::Nothing(nothing) => nothing.clone(),
            Side::Like(path, constant) => {
                let path = variant_path(path, model, variant);
                let fields = variant.fields.iter().enumerate().map(|(i, f)| {
                    let member = &f.member;
                    let value = match &f.active {
                        Some(ty) => field(i, ty),
                        None => constant.clone(),
                    };
                    quote!(#member: #value)
                });
                quote!(#path { #(#fields),* })
            }
        }
    }
}

fn variant_path(path: &TokenStream, model: &Model<'_>, variant: &Variant<'_>) -> TokenStream {
    let name = variant.name;
    match model.kind {
        Kind::Struct => path.clone(),
        Kind::Enum => quote!(#path::#name),
    }
}

/// The name a pattern gives to a field.
pub fn binding(prefix: &str, field: usize) -> Ident {
    format_ident!("__{prefix}{field}")
}
