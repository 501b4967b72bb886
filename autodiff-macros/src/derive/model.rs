//! The struct or enum as the emitters see it.

use super::check::{self, Errors};
use super::generics;
use crate::items::checked::Checked;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Generics, Ident, Member, Type, Visibility};

/// A struct or enum to derive for.
pub struct Model<'a> {
    pub kind: Kind,
    pub name: &'a Ident,
    pub vis: &'a Visibility,
    /// Its generics, with the bounds that make every field that has a derivative differentiable.
    pub generics: Generics,
    /// Those that the differentiable fields mention: the generics of the derived types.
    pub active_generics: Generics,
    /// What the generic fields need bounds for, here and in the derived types.
    pub bounded: Vec<Type>,
    /// The constant that makes the types of fields errors where one has no derivative.
    pub checked: TokenStream,
    /// Whether its methods have gradients by `self` alone.
    pub module: bool,
    /// A struct has one, of its own name.
    pub variants: Vec<Variant<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Struct,
    Enum,
}

pub struct Variant<'a> {
    pub name: &'a Ident,
    pub style: Style,
    pub fields: Vec<Field<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Named,
    Tuple,
    Unit,
}

pub struct Field<'a> {
    /// `a` or `0`.
    pub member: Member,
    /// That of the enum for a field of a variant.
    pub vis: &'a Visibility,
    /// The type, with `Self` written out.
    pub ty: Type,
    /// The same; `None` for a constant field.
    pub active: Option<Type>,
    /// Whether the field holds values of the type it belongs to.
    pub recursive: bool,
}

impl Field<'_> {
    /// `a` or `0`, as part of a name.
    pub fn label(&self) -> String {
        match &self.member {
            Member::Named(name) => syn::ext::IdentExt::unraw(name).to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        }
    }
}

impl<'a> Model<'a> {
    pub fn new(input: &'a DeriveInput, errors: Errors) -> Result<Self, Error> {
        Self::read(input, &input.ident, true, errors)
    }

    /// The type over any scalar: what it contains is differentiable for every scalar, and needs no bounds.
    pub fn over(input: &'a DeriveInput, original: &'a Ident) -> Result<Self, Error> {
        Self::read(input, original, false, Errors::default())
    }

    fn read(
        input: &'a DeriveInput,
        name: &'a Ident,
        bounds: bool,
        mut errors: Errors,
    ) -> Result<Self, Error> {
        let kind = match &input.data {
            Data::Struct(_) => Kind::Struct,
            Data::Enum(_) => Kind::Enum,
            Data::Union(data) => return Err(check::union(data)),
        };
        check::container(input, kind, &mut errors);
        let variant = |name, fields: &'a Fields, vis, errors: &mut Errors| Variant {
            name,
            style: match fields {
                Fields::Named(_) => Style::Named,
                Fields::Unnamed(_) => Style::Tuple,
                Fields::Unit => Style::Unit,
            },
            fields: model_fields(input, fields, vis, errors),
        };
        let mut variants: Vec<_> = match &input.data {
            Data::Struct(data) => vec![variant(name, &data.fields, None, &mut errors)],
            Data::Enum(data) => data
                .variants
                .iter()
                .map(|v| {
                    check::variant(v, &mut errors);
                    variant(&v.ident, &v.fields, Some(&input.vis), &mut errors)
                })
                .collect(),
            Data::Union(_) => Vec::new(),
        };
        errors.finish()?;
        let checked = match bounds {
            true => Self::check_fields(input, &mut variants),
            false => TokenStream::new(),
        };

        let bounded = match bounds {
            true => generics::bounded(input, variants.iter().flat_map(|v| &v.fields)),
            false => Vec::new(),
        };
        let generics = generics::with_bounds(&input.generics, &bounded);
        let active = variants.iter().flat_map(Variant::active);
        let active_generics = generics::active_only(&generics, active.map(|(_, ty)| ty));
        Ok(Model {
            kind,
            name: &input.ident,
            vis: &input.vis,
            generics,
            active_generics,
            bounded,
            checked,
            module: false,
            variants,
        })
    }

    /// The constant, and the types of the fields by it.
    fn check_fields(input: &DeriveInput, variants: &mut [Variant<'_>]) -> TokenStream {
        let mut fields: Vec<_> = variants.iter_mut().flat_map(|v| &mut v.fields).collect();
        fields.retain(|f| f.active.is_some() && !f.recursive);
        let types = fields.iter().map(|f| &f.ty);
        let Some(checked) = Checked::of_fields(&input.ident, &input.generics, types) else {
            return TokenStream::new();
        };
        for f in fields {
            f.ty = checked.of(&f.ty);
            f.active = Some(f.ty.clone());
        }
        checked.item(&Default::default())
    }

    /// The tangent, as a type of its own.
    pub fn of_tangent(&self, name: &'a Ident) -> Model<'a> {
        let field = |f: &Field<'a>| {
            let active = f.active.as_ref().map(tangent_of);
            Field {
                ty: active.clone().unwrap_or_else(|| syn::parse_quote!(())),
                active,
                member: f.member.clone(),
                ..*f
            }
        };
        let variant = |v: &Variant<'a>| Variant {
            fields: v.fields.iter().map(field).collect(),
            ..*v
        };
        Model {
            name,
            generics: self.active_generics.clone(),
            active_generics: self.active_generics.clone(),
            bounded: Vec::new(),
            checked: TokenStream::new(),
            variants: self.variants.iter().map(variant).collect(),
            ..*self
        }
    }

    /// Every field of every variant.
    pub fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        self.variants.iter().flat_map(|variant| &variant.fields)
    }

    /// Whether any field has a derivative.
    pub fn has_active(&self) -> bool {
        self.fields().any(|field| field.active.is_some())
    }

    /// Whether a value holds values of its own type.
    pub fn recursive(&self) -> bool {
        self.fields().any(|field| field.recursive)
    }

    /// Whether there is nothing in it that could have a derivative: an enum without fields.
    pub fn discrete(&self) -> bool {
        self.kind == Kind::Enum && self.fields().next().is_none()
    }
}

/// The tangent of a field, in the box that the field is in.
fn tangent_of(ty: &Type) -> Type {
    match super::boxes::inside(ty) {
        Some(inner) => {
            let inner = tangent_of(inner);
            syn::parse_quote!(::std::boxed::Box<#inner>)
        }
        None => syn::parse_quote!(<#ty as ::differentiable::__rt::Differentiable>::Tangent),
    }
}

impl Variant<'_> {
    /// The differentiable fields and their numbers.
    pub fn active(&self) -> impl Iterator<Item = (usize, &Type)> {
        let fields = self.fields.iter().enumerate();
        fields.filter_map(|(i, field)| Some((i, field.active.as_ref()?)))
    }
}

fn model_fields<'a>(
    input: &'a DeriveInput,
    fields: &'a Fields,
    vis: Option<&'a Visibility>,
    errors: &mut Errors,
) -> Vec<Field<'a>> {
    let (_, ty_generics, _) = input.generics.split_for_impl();
    let name = &input.ident;
    let this = quote!(#name #ty_generics);
    let mut model_field = |(field, member): (&'a syn::Field, Member)| {
        check::field(field, errors);
        let constant = check::is_constant(&field.attrs, errors);
        if !constant {
            check::active_field(&field.ty, errors);
        }
        let ty = generics::without_self(&field.ty, &this);
        let active = (!constant).then(|| ty.clone());
        Field {
            member,
            ty,
            vis: vis.unwrap_or(&field.vis),
            recursive: active
                .as_ref()
                .is_some_and(|ty| generics::mentions(ty, name)),
            active,
        }
    };
    fields
        .iter()
        .zip(fields.members())
        .map(&mut model_field)
        .collect()
}
