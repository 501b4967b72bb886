//! What is refused.

use super::model::Kind;
use crate::input::trait_object;
use crate::input::well_formed;
use quote::ToTokens;
use syn::{Attribute, DataUnion, DeriveInput, Error, GenericParam, Generics, Type};

/// Every error of the input, reported together.
#[derive(Default)]
pub struct Errors(Option<Error>);

impl Errors {
    pub fn add(&mut self, spanned: impl ToTokens, message: impl std::fmt::Display) {
        self.push(Error::new_spanned(spanned, message));
    }

    fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub fn finish(self) -> Result<(), Error> {
        self.0.map_or(Ok(()), Err)
    }
}

pub fn union(data: &DataUnion) -> Error {
    Error::new(
        data.union_token.span,
        "a union cannot be differentiated: which of its fields is alive is not known; use a struct",
    )
}

pub fn container(input: &DeriveInput, kind: Kind, errors: &mut Errors) {
    let kind = match kind {
        Kind::Struct => "a struct",
        Kind::Enum => "an enum",
    };
    let kind_alone = kind.rsplit(' ').next().unwrap_or(kind);
    no_lifetimes(&input.generics, kind_alone, errors);
    no_reserved_names(&input.generics, errors);
    for attr in constants(&input.attrs) {
        errors.add(
            attr,
            format!("`#[constant]` marks fields; {kind} without gradients needs no `#[derive(Differentiable)]`"),
        );
    }
}

/// Whether a type is asked for over other scalars.
#[derive(Default)]
pub struct Asked {
    pub higher_order: bool,
    /// Whether it says that it has tensors, which may be behind other names.
    pub of_tensors: bool,
    /// Whether it is a module, whose methods have gradients by `self` alone.
    pub module: bool,
}

/// What the attribute says below the derive.
enum TypeOption {
    Module,
    Higher { tensors: bool },
}

/// `#[differentiable(higher_order)]` or `#[differentiable(higher_order(Tensor))]`, and `#[differentiable(module)]`, which
/// `#[module]` writes.
pub fn higher_order(attrs: &[Attribute], errors: &mut Errors) -> Asked {
    let mut asked = Asked::default();
    for attr in attrs.iter().filter(|a| a.path().is_ident("differentiable")) {
        let option = attr.parse_args_with(|input: syn::parse::ParseStream<'_>| {
            let name = input.parse::<syn::Ident>()?;
            if name == "module" && input.is_empty() {
                return Ok(Some(TypeOption::Module));
            }
            let named = name == "higher_order";
            let tensors = input.peek(syn::token::Paren);
            let mut only = true;
            if tensors {
                let inner;
                syn::parenthesized!(inner in input);
                only = inner.parse::<syn::Ident>()? == crate::higher::TENSORS && inner.is_empty();
            }
            Ok((named && only).then_some(TypeOption::Higher { tensors }))
        });
        match option {
            Ok(Some(TypeOption::Module)) => asked.module = true,
            Ok(Some(TypeOption::Higher { tensors })) => {
                asked.higher_order = true;
                asked.of_tensors |= tensors;
            }
            _ => errors.add(
                attr,
                "the one option of a type is `#[differentiable(higher_order)]`: derivatives of higher order for functions of it; with tensors behind the names of other types, `higher_order(Tensor)`",
            ),
        }
    }
    asked
}

/// `#[constant]` is for fields.
pub fn variant(variant: &syn::Variant, errors: &mut Errors) {
    for attr in constants(&variant.attrs) {
        errors.add(
            attr,
            "`#[constant]` marks the fields of a variant, one by one",
        );
    }
    for attr in &variant.attrs {
        if attr.path().is_ident("differentiable") {
            errors.add(attr, DEFAULT);
        }
    }
}

pub fn field(field: &syn::Field, errors: &mut Errors) {
    if let Err(error) = well_formed::field(field) {
        errors.push(error);
    }
}

/// Which type is behind a trait object is not known where its tangent is named.
pub fn active_field(ty: &syn::Type, errors: &mut Errors) {
    if let Some(object) = trait_object::inside(ty) {
        errors.add(object, trait_object::message(object));
    }
}

pub fn is_constant(attrs: &[Attribute], errors: &mut Errors) -> bool {
    let mut constant = false;
    for attr in constants(attrs) {
        if !matches!(attr.meta, syn::Meta::Path(_)) {
            errors.add(attr, "`#[constant]` takes no arguments");
        }
        constant = true;
    }
    for attr in attrs {
        if attr.path().is_ident("differentiable") {
            errors.add(attr, DEFAULT);
        }
    }
    constant
}

const DEFAULT: &str =
    "fields are differentiable by default; mark those without a gradient with `#[constant]`";

fn constants(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("constant"))
}

/// A tangent outlives the value it belongs to, so the value must own its data.
fn no_lifetimes(generics: &Generics, kind: &str, errors: &mut Errors) {
    for param in generics.lifetimes() {
        let lifetime = &param.lifetime;
        errors.add(
            lifetime,
            format!(
                "a differentiable {kind} owns its data: remove the lifetime `{lifetime}` \
                 (`Vec<T>` for `&[T]`), or pass the borrowed part as an argument of its own"
            ),
        );
    }
}

/// `__M` names the mode in the derived code.
fn no_reserved_names(generics: &Generics, errors: &mut Errors) {
    for param in &generics.params {
        let ident = match param {
            GenericParam::Type(param) => &param.ident,
            GenericParam::Const(param) => &param.ident,
            GenericParam::Lifetime(_) => continue,
        };
        if ident == "__M" {
            errors.add(
                ident,
                "the name `__M` is used by the derived code; choose another",
            );
        }
    }
}

/// Whether a value of the type would hold another one in place, without end.
pub fn contains_itself(input: &syn::DeriveInput) -> bool {
    let fields: Box<dyn Iterator<Item = &syn::Field>> = match &input.data {
        syn::Data::Struct(s) => Box::new(s.fields.iter()),
        syn::Data::Enum(e) => Box::new(e.variants.iter().flat_map(|v| &v.fields)),
        syn::Data::Union(_) => return false,
    };
    fields.into_iter().any(|f| in_place(&f.ty, &input.ident))
}

/// Whether a value of the type holds one of the other in place.
fn in_place(ty: &Type, name: &syn::Ident) -> bool {
    match ty {
        Type::Path(p) => p.path.segments.last().is_some_and(|last| {
            let option = last.ident == "Option";
            let inside = match &last.arguments {
                syn::PathArguments::AngleBracketed(a) if option => Some(&a.args),
                _ => None,
            };
            let inside = inside.into_iter().flatten();
            let mut types = inside.filter_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t),
                _ => None,
            });
            p.path.is_ident(name) || types.any(|t| in_place(t, name))
        }),
        Type::Array(a) => in_place(&a.elem, name),
        Type::Tuple(t) => t.elems.iter().any(|t| in_place(t, name)),
        Type::Paren(t) => in_place(&t.elem, name),
        Type::Group(t) => in_place(&t.elem, name),
        _ => false,
    }
}
