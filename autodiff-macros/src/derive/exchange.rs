//! The types of fields with their floats exchanged.

use super::boxes::inside;
use super::check::Errors;
use crate::syntax;
use proc_macro2::{Ident, Span, TokenStream};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{DeriveInput, GenericArgument, PathArguments, Type};

/// The name of the scalar.
pub const SCALAR: &str = "AnyScalar";

const NO_BOXES: &str = "a box inside of another type is not written over other scalars: take a `Vec`, or a struct with the box as a field";

const NO_GENERICS: &str = "a type with `higher_order` has fields of numbers, arrays, `Vec`s, tuples and `Option`s of them, and of other types with the mark, but none of generic types: mark the field with `#[constant]`, or make the whole type generic over its scalar, as one with layers: `struct Net<T: Float = f32> { hidden: Linear<784, 100, T> }`";

const NO_MACROS: &str =
    "a type with `higher_order` has its types written out, without macros other than `Tensor![…]`";

/// `Tensor![f64; 3]`, `Tensor<S, f64>`
fn is_tensor(ty: &Type) -> bool {
    match ty {
        Type::Macro(m) => syntax::is_macro(&m.mac, &["Tensor"]),
        Type::Path(p) => p.path.segments.last().is_some_and(|s| s.ident == "Tensor"),
        _ => false,
    }
}

/// The fields that are numbers, or have numbers in them.
fn fields(input: &DeriveInput) -> Vec<&syn::Field> {
    let all: Vec<&syn::Field> = match &input.data {
        syn::Data::Struct(s) => s.fields.iter().collect(),
        syn::Data::Enum(e) => e.variants.iter().flat_map(|v| &v.fields).collect(),
        syn::Data::Union(_) => Vec::new(),
    };
    let changes = |f: &&syn::Field| {
        let constant = f.attrs.iter().any(|a| a.path().is_ident("constant"));
        !constant || is_plain_data(&f.ty)
    };
    all.into_iter().filter(changes).collect()
}

/// Whether a field has tensors, of which not every scalar is an element.
pub fn has_tensors(input: &DeriveInput) -> bool {
    use quote::ToTokens;
    let of_tensors = |f: &&syn::Field| crate::higher::of_tensors(&f.ty.to_token_stream(), &[]);
    fields(input).iter().any(of_tensors)
}

/// Writes a type over the scalar: floats become it, types without arguments their own form over it.
pub fn over(
    ty: &mut Type,
    input: &DeriveInput,
    this: &Type,
    scalar: &TokenStream,
    errors: &mut Errors,
) {
    if syntax::ty_of(ty).is_discrete() {
        return;
    }
    match ty {
        Type::Paren(t) => over(&mut t.elem, input, this, scalar, errors),
        Type::Group(t) => over(&mut t.elem, input, this, scalar, errors),
        Type::Array(t) => over(&mut t.elem, input, this, scalar, errors),
        Type::Tuple(t) => {
            for t in &mut t.elems {
                over(t, input, this, scalar, errors);
            }
        }
        Type::Path(_) if inside(ty).is_some() => {
            if let Some(GenericArgument::Type(t)) = argument(ty) {
                over(t, input, this, scalar, errors);
            }
        }
        _ if is_tensor(ty) => {
            *ty = syn::parse_quote!(<#ty as ::differentiable::__rt::WithScalar<#scalar>>::Type);
        }
        Type::Macro(_) => errors.add(ty, NO_MACROS),
        Type::Path(p) if p.qself.is_none() => {
            let Some(last) = p.path.segments.last_mut() else {
                return;
            };
            if last.ident == input.ident || last.ident == "Self" {
                *ty = this.clone();
            } else if is_float(&last.ident) {
                *ty = syn::parse_quote!(#scalar);
            } else if last.ident != "PhantomData" {
                let (mut types, generic) = (false, last.ident != "Vec" && last.ident != "Option");
                if let PathArguments::AngleBracketed(a) = &mut last.arguments {
                    for a in &mut a.args {
                        match a {
                            GenericArgument::Type(t) if generic && !is_const_param(t, input) => {
                                return errors.add(ty, NO_GENERICS);
                            }
                            GenericArgument::Type(t) if inside(t).is_some() => {
                                types = true;
                                errors.add(t, NO_BOXES);
                            }
                            GenericArgument::Type(t) if !is_const_param(t, input) => {
                                types = true;
                                over(t, input, this, scalar, errors);
                            }
                            _ => {}
                        }
                    }
                }
                if !types {
                    *ty = syn::parse_quote!(<#p as ::differentiable::__rt::WithScalar<#scalar>>::Type);
                }
            }
        }
        _ => {}
    }
}

/// The first argument of a type, to be changed.
fn argument(ty: &mut Type) -> Option<&mut GenericArgument> {
    let Type::Path(p) = ty else { return None };
    match &mut p.path.segments.last_mut()?.arguments {
        PathArguments::AngleBracketed(a) => a.args.first_mut(),
        _ => None,
    }
}

fn is_float(name: &Ident) -> bool {
    name == "f64" || name == "f32"
}

/// An argument that is read as a type and is a number: `N` in `Grid<N>`.
fn is_const_param(ty: &Type, input: &DeriveInput) -> bool {
    match ty {
        Type::Path(p) => input
            .generics
            .const_params()
            .any(|c| p.path.is_ident(&c.ident)),
        _ => false,
    }
}

/// Whether a type is made of floats, integers and the like alone, with a float among them: constant fields of such
/// types are written over the scalar too, so that they can be multiplied with the others.
pub fn is_plain_data(ty: &Type) -> bool {
    fn plain(ty: &Type, floats: &mut bool) -> bool {
        match ty {
            Type::Paren(t) => plain(&t.elem, floats),
            Type::Group(t) => plain(&t.elem, floats),
            Type::Array(t) => plain(&t.elem, floats),
            Type::Tuple(t) => t.elems.iter().all(|t| plain(t, floats)),
            Type::Path(p) if p.qself.is_none() => {
                let Some(last) = p.path.segments.last() else {
                    return false;
                };
                match &last.arguments {
                    PathArguments::None if is_float(&last.ident) || last.ident == SCALAR => {
                        *floats = true;
                        true
                    }
                    PathArguments::AngleBracketed(a)
                        if last.ident == "Vec" || last.ident == "Option" =>
                    {
                        let is_plain = |a: &GenericArgument| matches!(a, GenericArgument::Type(t) if plain(t, floats));
                        a.args.iter().all(is_plain)
                    }
                    _ => syntax::ty_of(ty).is_discrete(),
                }
            }
            _ => false,
        }
    }
    let mut floats = false;
    plain(ty, &mut floats) && floats
}

/// The float that the fields are written in; `None` where they name none.
pub fn float_of(input: &DeriveInput, errors: &mut Errors) -> Option<Ident> {
    struct Floats(Vec<Ident>);
    impl VisitMut for Floats {
        fn visit_ident_mut(&mut self, i: &mut Ident) {
            if is_float(i) {
                self.0.push(i.clone());
            }
        }
        fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
            if !syntax::is_macro(m, &["Tensor"]) {
                return;
            }
            let element = m.tokens.clone().into_iter().next();
            match element {
                Some(proc_macro2::TokenTree::Ident(i)) if is_float(&i) => self.0.push(i),
                _ if syntax::has_element(&m.tokens) => {}
                _ => self.0.push(Ident::new("f32", m.path.span())),
            }
        }
    }
    let mut floats = Floats(Vec::new());
    for field in fields(input) {
        floats.visit_type_mut(&mut field.ty.clone());
    }
    let first = floats.0.first()?.clone();
    if let Some(other) = floats.0.iter().find(|f| **f != first) {
        errors.add(
            other,
            "a type with `higher_order` is written in one scalar, and this one mixes `f32` and `f64`",
        );
    }
    Some(Ident::new(&first.to_string(), Span::call_site()))
}

/// Gives a scalar another name.
pub fn rename(ty: &mut Type, from: &str, to: &str) {
    struct Rename<'a>(&'a str, &'a str);
    impl VisitMut for Rename<'_> {
        fn visit_ident_mut(&mut self, i: &mut Ident) {
            if i == self.0 {
                *i = Ident::new(self.1, i.span());
            }
            visit_mut::visit_ident_mut(self, i);
        }
    }
    Rename(from, to).visit_type_mut(ty);
}
