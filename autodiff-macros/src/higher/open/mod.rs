//! Constants of any type over any scalar: see `autodiff-core/src/ad/higher/open.rs`.
//!
//! A constant of a type that has no derivative stays as it is. The macro sees names, and a struct may be marked or not:
//! whether its type can be written over the scalar is a constant (`ad::Has`) that chooses the type of the argument, and
//! method lookup decides what becomes of a value that is read. So emitted code is the same for both:
//!
//! | emitted | over the scalar |
//! |---|---|
//! | `c: &Contract` | `c: &<ad::Choice<{ Has::<Contract>::OVER }> as ad::OverOrNot<Contract, AnyScalar>>::Type` |
//! | `table: &HashMap<String, f64>` | as it stands |
//! | `c.strike * x` | `(&&&&&&&ad::Open::<AnyScalar, _>::of(&c.strike)).over() * x` |
//! | `g::__vjp(.., &c.market)` | `__over0::<AnyScalar>::__vjp(.., (&&&&&&&ad::Open::<AnyScalar, _>::of(&&c.market)).pass().give())` |
//! | `let leg = &c.legs[i];`, `match c.kind { .. }` | as it stands: what is bound is a part of a constant too ([`names`]) |

mod names;
mod read;

use crate::items::taken::{part, Taken};
pub use names::Names;

use crate::input::signature::ParamDecl;
use crate::items::Surface;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::Type;

/// The types of constants that are taken as they are, and the names of the parameters.
#[derive(Clone, Debug, Default)]
pub struct Types {
    list: Vec<(String, Type, Taken)>,
    names: HashSet<String>,
}

impl Types {
    /// Those of the parameters of a function.
    pub fn of(surface: &Surface<'_>) -> Self {
        let mut types = Types::default();
        types.add(surface);
        types
    }

    pub fn add(&mut self, surface: &Surface<'_>) {
        for p in surface.params {
            let (Some(taken), Some(ty)) = (surface.taken(p), part(p)) else {
                continue;
            };
            self.names.extend(p.ident.as_ref().map(ToString::to_string));
            let key = key(ty);
            if !self.list.iter().any(|(k, ..)| *k == key) {
                self.list.push((key, ty.clone(), taken));
            }
        }
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        !self.list.is_empty()
    }

    fn find(&self, ty: &Type) -> Option<&(String, Type, Taken)> {
        if !self.any() {
            return None;
        }
        let key = key(ty);
        self.list.iter().find(|(k, ..)| *k == key)
    }

    /// The type of such a constant over the scalar.
    pub fn exchanged(&self, ty: &Type) -> Option<Type> {
        let (_, written, taken) = self.find(ty)?;
        Some(match taken {
            Taken::Whole => ty.clone(),
            Taken::ByType => over_or_not(written),
        })
    }

    /// Whether a parameter of a companion is such a constant.
    fn is_one(&self, name: &str, ty: &Type) -> bool {
        let mut ty = ty;
        if let Type::Reference(r) = ty {
            ty = &r.elem;
        }
        if let Type::Slice(s) = ty {
            ty = &s.elem;
        }
        self.names.contains(name) && self.find(ty).is_some()
    }
}

/// A type without the names of its lifetimes.
fn key(ty: &Type) -> String {
    struct Bare;
    impl VisitMut for Bare {
        fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
            r.lifetime = None;
            visit_mut::visit_type_reference_mut(self, r);
        }
        fn visit_lifetime_mut(&mut self, l: &mut syn::Lifetime) {
            l.ident = quote::format_ident!("_");
        }
    }
    let mut ty = ty.clone();
    Bare.visit_type_mut(&mut ty);
    ty.to_token_stream().to_string()
}

/// `ad::Choice<{ whether it can be written over any scalar }>`.
pub fn choice(ty: &impl ToTokens) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    quote!(#ad::Choice<{ use #ad::HasNot as _; <#ad::Has<#ty>>::OVER }>)
}

/// A type over the scalar, or the type itself.
pub fn over_or_not(ty: &impl ToTokens) -> Type {
    let choice = choice(ty);
    syn::parse_quote!(<#choice as ::differentiable::__rt::OverOrNot<::differentiable::__written!(#ty), AnyScalar>>::Type)
}

impl Surface<'_> {
    /// A constant as an argument over another scalar.
    pub(super) fn open_argument(
        &self,
        p: &ParamDecl,
        s: &TokenStream,
        over: &TokenStream,
        value: &TokenStream,
    ) -> Option<TokenStream> {
        let ad = quote!(::differentiable::__rt);
        let (taken, ty) = (self.taken(p)?, part(p)?);
        Some(match taken {
            Taken::Whole => quote!(#ad::Unlifted(#value)),
            Taken::ByType => {
                let choice = choice(ty);
                quote!(<#choice as #ad::OpenArgument<'_, _, #s, #over>>::given(#value))
            }
        })
    }
}
