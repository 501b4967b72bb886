//! The types of users in signatures and fields: which are asked for a derivative, and how they are named where they are
//! errors if they have none.

use super::Checked;
use crate::input::signature::ParamDecl;
use crate::items::Surface;
use crate::syntax;
use quote::ToTokens;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, PathArguments, ReturnType, Type};

impl Checked {
    /// The type, which is an error where the function has one.
    pub fn of(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        Wrap(self, Vec::new()).visit_type_mut(&mut ty);
        ty
    }

    /// Whether such a type is in what the function gives: its value, and what it changes.
    pub fn is_in(&self, surface: &Surface<'_>) -> bool {
        let changed = surface.params.iter().filter(|p| p.by_mut && !p.constant);
        let mut types: Vec<&Type> = changed.filter_map(|p| p.value_ty()).collect();
        if let ReturnType::Type(_, t) = &surface.sig.output {
            types.push(t);
        }
        types.into_iter().any(|t| self.of(t) != *t)
    }

    /// The parameters, with the types of the entries of slices like that.
    pub fn params(&self, params: &[ParamDecl]) -> Vec<ParamDecl> {
        let mut params = params.to_vec();
        for p in params.iter_mut().filter(|p| !p.constant) {
            p.slice_of = p.slice_of.as_ref().map(|t| self.of(t));
        }
        params
    }

    /// A type like that.
    pub fn wrapped(&self, ty: &Type) -> Type {
        let alias = self.alias();
        syn::parse_quote!(#alias<#ty>)
    }

    /// The type of the block, if the constant can name it.
    pub(super) fn this_carries(&self) -> Option<Type> {
        self.this.clone().filter(|t| self.is_known(t))
    }

    /// Whether a type names nothing that the constant does not know.
    fn is_known(&self, ty: &Type) -> bool {
        !syntax::tokens_mention(ty.to_token_stream(), &self.unknown)
    }

    /// The types of users in a type.
    pub(super) fn carriers(&self, ty: &Type) -> Vec<Type> {
        let mut wrap = Wrap(self, Vec::new());
        wrap.visit_type_mut(&mut ty.clone());
        wrap.1
    }

    /// Whether a path is one of a type of users, all of which the constant can name.
    fn is_of_user(&self, ty: &Type) -> bool {
        let Type::Path(p) = ty else { return false };
        let known = syntax::ty_of(ty) != crate::ir::Ty::Unknown;
        let last = p.path.segments.last();
        let ours = last.is_some_and(|s| s.ident == "Tensor" || is_container(s));
        p.qself.is_none()
            && !known
            && !ours
            && !is_self(p)
            && self.is_known(ty)
            && !has_lifetime(ty)
    }
}

/// Types of libraries: what they hold is asked for a derivative.
const CONTAINERS: [&str; 8] = [
    "Vec", "VecDeque", "Option", "Result", "Box", "Rc", "Arc", "Cow",
];

/// Wraps the types of users in a type, and lists them.
struct Wrap<'a>(&'a Checked, Vec<Type>);

impl VisitMut for Wrap<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let of_user = match &*ty {
            Type::Path(p) if is_self(p) => self.0.this_carries(),
            ty => self.0.is_of_user(ty).then(|| ty.clone()),
        };
        if let Some(found) = of_user {
            self.1.push(found);
            *ty = self.0.wrapped(ty);
            return;
        }
        match ty {
            Type::Macro(_) | Type::TraitObject(_) | Type::FnPtr(_) => {}
            Type::Path(p) => {
                if let Some(t) = p.path.segments.last_mut().and_then(held) {
                    self.visit_type_mut(t);
                }
            }
            ty => visit_mut::visit_type_mut(self, ty),
        }
    }
}

fn is_container(s: &syn::PathSegment) -> bool {
    CONTAINERS.iter().any(|n| s.ident == n)
}

/// What a container of the library holds: the first type that it is given.
fn held(s: &mut syn::PathSegment) -> Option<&mut Type> {
    if !is_container(s) {
        return None;
    }
    match &mut s.arguments {
        PathArguments::AngleBracketed(a) => a.args.iter_mut().find_map(|a| match a {
            GenericArgument::Type(t) => Some(t),
            _ => None,
        }),
        _ => None,
    }
}

fn is_self(p: &syn::TypePath) -> bool {
    p.qself.is_none() && p.path.is_ident("Self")
}

/// Whether a type borrows, as far as it says so.
pub fn has_lifetime(ty: &Type) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_lifetime(&mut self, l: &'a syn::Lifetime) {
            self.0 |= l.ident != "static";
        }
        fn visit_type_reference(&mut self, _: &'a syn::TypeReference) {
            self.0 = true;
        }
    }
    let mut v = V(false);
    v.visit_type(ty);
    v.0
}
