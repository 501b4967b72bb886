//! The part of a value, of its cotangent or of its tangent that a place names.

use crate::ir::{Place, Projection};
use crate::syntax::names::ident;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Member;

/// Whose part a projection takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    Value,
    ValueMut,
    Adjoint,
    Tangent,
    TangentMut,
}

/// The part of `base` that a place names.
pub fn project(side: Side, base: TokenStream, p: &Place) -> TokenStream {
    project_all(side, base, &p.projections)
}

/// The part that several projections lead to.
pub fn project_all(side: Side, base: TokenStream, all: &[Projection]) -> TokenStream {
    all.iter()
        .fold(base, |acc, proj| project_one(side, acc, proj))
}

/// One step of [`project`]. The adjoint of a projection is the same projection of the adjoint; for
/// the field of a variant it is a derived method, since the adjoint's type cannot be named here.
pub fn project_one(side: Side, base: TokenStream, projection: &Projection) -> TokenStream {
    match projection {
        Projection::Field(m) => quote!(#base.#m),
        // A method, for its message: only some types have cotangents that are indexed so.
        Projection::Index(n) if matches!(n.expr, syn::Expr::Tuple(_)) => {
            let e = &n.expr;
            at_spot(side, &base, e, &quote!(ad::ByIndex))
        }
        Projection::Spot(s) => {
            let spot = &s.spot.expr;
            at_spot(side, &base, &s.index.expr, &quote!(#spot))
        }
        Projection::Index(n) | Projection::Range(n) => {
            let e = &n.expr;
            quote!(#base[#e])
        }
        // A method: it sees through the reference that the base may be.
        Projection::Deref => match side {
            Side::Value | Side::Tangent => quote!((*#base.__inside())),
            Side::ValueMut | Side::Adjoint | Side::TangentMut => quote!((*#base.__inside_mut())),
        },
        Projection::Variant(path, member) => {
            let prefix = match side {
                Side::Value => return variant_field(&quote!(&#base), "__field", path, member),
                Side::ValueMut => {
                    return variant_field(&quote!(&mut #base), "__field_mut", path, member)
                }
                Side::Adjoint => "adj",
                Side::Tangent => "tan",
                Side::TangentMut => "tan_mut",
            };
            use syn::ext::IdentExt;
            let variant = path.segments.last().map(|s| s.ident.unraw().to_string());
            let member = match member {
                Member::Named(n) => n.unraw().to_string(),
                Member::Unnamed(i) => i.index.to_string(),
            };
            let lens = format_ident!("__{prefix}_{}_{member}", variant.unwrap_or_default());
            quote!((*#base.#lens()))
        }
    }
}

/// The part that an index gives, in a cotangent or a tangent by where it is.
fn at_spot(side: Side, base: &TokenStream, index: &syn::Expr, spot: &TokenStream) -> TokenStream {
    let none = quote!(&mut ::core::option::Option::None);
    match side {
        Side::Value | Side::ValueMut => quote!(#base[#index]),
        Side::Tangent => quote!((*#base.__at(&#spot, #index, #none))),
        Side::Adjoint => quote!((*#base.__at_mut(&#spot, #index, #none))),
        Side::TangentMut => quote!((*#base.__at_written(&#spot, #index))),
    }
}

fn variant_field(
    value: &TokenStream,
    method: &str,
    path: &syn::Path,
    member: &Member,
) -> TokenStream {
    let (field, method) = (ident("__field".into()), ident(method.into()));
    let pattern = variant_pattern(path, member, &field);
    quote!((*match #value { #pattern => #field.#method(), _ => ::core::unreachable!() }))
}

/// The field of a variant, moved out of a value.
pub fn taken_out(value: &Ident, path: &syn::Path, member: &Member) -> TokenStream {
    let field = ident("__field".into());
    let pattern = variant_pattern(path, member, &field);
    quote!(match #value { #pattern => #field, _ => ::core::unreachable!() })
}

fn variant_pattern(path: &syn::Path, member: &Member, field: &Ident) -> TokenStream {
    match member {
        Member::Named(n) => quote!(#path { #n: #field, .. }),
        Member::Unnamed(i) => {
            let before = (0..i.index).map(|_| quote!(_));
            quote!(#path(#(#before,)* #field, ..))
        }
    }
}
