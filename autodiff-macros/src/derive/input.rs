//! The struct as the emitter sees it, and what is refused.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::visit::Visit;
use syn::{Attribute, Data, DeriveInput, Error, Fields, GenericParam, Generics, Ident, Type};

/// A struct to derive for.
pub struct Struct<'a> {
    pub name: &'a Ident,
    pub vis: &'a syn::Visibility,
    /// The generics of the struct, with a bound for every differentiable field of generic type.
    pub generics: Generics,
    /// Those that the differentiable fields mention: the generics of the derived structs.
    pub active_generics: Generics,
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
    pub member: syn::Member,
    pub vis: &'a syn::Visibility,
    /// `None` for a constant field.
    pub active: Option<&'a Type>,
}

impl<'a> Struct<'a> {
    pub fn new(input: &'a DeriveInput) -> Result<Self, Error> {
        let fields = match &input.data {
            Data::Struct(data) => &data.fields,
            Data::Enum(data) => {
                return Err(Error::new(
                    data.enum_token.span,
                    "enums come later: for now `#[derive(Differentiable)]` works on structs; \
                     put the data of the variants in structs, or mark the field that holds the enum with `#[constant]`",
                ));
            }
            Data::Union(data) => {
                return Err(Error::new(
                    data.union_token.span,
                    "a union cannot be differentiated: which of its fields is alive is not known; use a struct",
                ));
            }
        };
        let mut errors = Errors::default();
        no_lifetimes(&input.generics, &mut errors);
        no_reserved_names(&input.generics, &mut errors);
        for attr in &input.attrs {
            no_constant_struct(attr, &mut errors);
        }

        let style = match fields {
            Fields::Named(_) => Style::Named,
            Fields::Unnamed(_) => Style::Tuple,
            Fields::Unit => Style::Unit,
        };
        let fields: Vec<Field> = fields
            .iter()
            .zip(fields.members())
            .map(|(field, member)| {
                let active = (!is_constant(&field.attrs, &mut errors)).then_some(&field.ty);
                if let Some(ty) = active {
                    not_recursive(ty, &input.ident, &mut errors);
                }
                Field {
                    member,
                    vis: &field.vis,
                    active,
                }
            })
            .collect();
        errors.finish()?;

        let generics = bounded(&input.generics, &fields);
        let active_generics = active_only(&generics, &fields);
        Ok(Struct {
            name: &input.ident,
            vis: &input.vis,
            generics,
            active_generics,
            style,
            fields,
        })
    }

    /// The differentiable fields.
    pub fn active(&self) -> impl Iterator<Item = (&syn::Member, &Type)> {
        self.fields
            .iter()
            .filter_map(|field| Some((&field.member, field.active?)))
    }
}

/// Every error of the input, reported together.
#[derive(Default)]
struct Errors(Option<Error>);

impl Errors {
    fn add(&mut self, spanned: impl ToTokens, message: impl std::fmt::Display) {
        let error = Error::new_spanned(spanned, message);
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn finish(self) -> Result<(), Error> {
        self.0.map_or(Ok(()), Err)
    }
}

/// A tangent outlives the value it belongs to, so the value must own its data.
fn no_lifetimes(generics: &Generics, errors: &mut Errors) {
    for param in generics.lifetimes() {
        let lifetime = &param.lifetime;
        errors.add(
            lifetime,
            format!(
                "a differentiable struct owns its data: remove the lifetime `{lifetime}` \
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

/// `#[constant]` is for fields.
fn no_constant_struct(attr: &Attribute, errors: &mut Errors) {
    if attr.path().is_ident("constant") {
        errors.add(
            attr,
            "`#[constant]` marks fields; a struct without gradients needs no `#[derive(Differentiable)]`",
        );
    }
}

fn is_constant(attrs: &[Attribute], errors: &mut Errors) -> bool {
    let mut constant = false;
    for attr in attrs {
        if attr.path().is_ident("constant") {
            if !matches!(attr.meta, syn::Meta::Path(_)) {
                errors.add(attr, "`#[constant]` takes no arguments");
            }
            constant = true;
        } else if attr.path().is_ident("differentiable") {
            errors.add(attr, "fields are differentiable by default; mark those without a gradient with `#[constant]`");
        }
    }
    constant
}

/// What a zero cotangent needs would be a type that contains itself.
fn not_recursive(ty: &Type, name: &Ident, errors: &mut Errors) {
    struct Search<'a>(&'a Ident, bool);
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_type_path(&mut self, ty: &'a syn::TypePath) {
            self.1 |= ty.path.is_ident("Self")
                || ty.path.segments.len() == 1 && ty.path.segments[0].ident == *self.0;
            syn::visit::visit_type_path(self, ty);
        }
    }
    let mut search = Search(name, false);
    search.visit_type(ty);
    if search.1 {
        errors.add(
            ty,
            format!(
                "`{name}` contains itself, which `#[derive(Differentiable)]` does not support: \
                 keep the nodes in a `Vec` and refer to them by index, or mark the field with `#[constant]`"
            ),
        );
    }
}

/// Adds `Field: Differentiable` for every differentiable field whose type mentions a type parameter.
fn bounded(generics: &Generics, fields: &[Field<'_>]) -> Generics {
    let params: Vec<Ident> = generics
        .type_params()
        .map(|param| param.ident.clone())
        .collect();
    let mut generics = generics.clone();
    let mut seen: Vec<String> = Vec::new();
    for ty in fields.iter().filter_map(|field| field.active) {
        let key = ty.to_token_stream().to_string();
        if params.iter().any(|param| mentions(ty, param)) && !seen.contains(&key) {
            seen.push(key);
            let bound = syn::parse_quote!(#ty: ::differentiable::__rt::Differentiable);
            generics.make_where_clause().predicates.push(bound);
        }
    }
    generics
}

/// Without the type parameters that only constant fields mention: a derived struct would not use
/// them.
fn active_only(generics: &Generics, fields: &[Field<'_>]) -> Generics {
    let mut kept = generics.clone();
    let mut dropped: Vec<Ident> = Vec::new();
    kept.params = generics
        .params
        .iter()
        .filter(|param| {
            let GenericParam::Type(param) = param else {
                return true;
            };
            let used = fields
                .iter()
                .filter_map(|field| field.active)
                .any(|ty| mentions(ty, &param.ident));
            if !used {
                dropped.push(param.ident.clone());
            }
            used
        })
        .cloned()
        .collect();
    for param in &mut kept.params {
        match param {
            GenericParam::Type(param) => param.default = None,
            GenericParam::Const(param) => param.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    if let Some(clause) = &mut kept.where_clause {
        clause.predicates = std::mem::take(&mut clause.predicates)
            .into_iter()
            .filter(|predicate| !dropped.iter().any(|param| mentions(predicate, param)))
            .collect();
    }
    kept
}

/// Whether the tokens mention a name: types can be macros, such as `Tensor![B, 10]`.
fn mentions(tokens: &impl ToTokens, name: &Ident) -> bool {
    fn search(tokens: TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == *name,
            TokenTree::Group(group) => search(group.stream(), name),
            _ => false,
        })
    }
    search(quote!(#tokens), name)
}
