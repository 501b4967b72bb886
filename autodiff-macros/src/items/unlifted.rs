//! Constant arguments that companions over another scalar take as they are: numbers, and sequences and tuples of them.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::Type;

/// What a place holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Number,
    Array(Box<Shape>),
    Slice(Box<Shape>),
    Tuple(Vec<Shape>),
}

impl Shape {
    /// That of a type, of numbers of this float; `None` where it is none that can stay.
    pub fn of(ty: &Type, float: &str) -> Option<Self> {
        let inner = |t: &Type| Shape::of(t, float).map(Box::new);
        match ty {
            Type::Paren(p) => Shape::of(&p.elem, float),
            Type::Group(g) => Shape::of(&g.elem, float),
            Type::Slice(s) => inner(&s.elem).map(Shape::Slice),
            Type::Array(a) => inner(&a.elem).map(Shape::Array),
            Type::Tuple(t) => {
                let parts = t.elems.iter().map(|t| Shape::of(t, float));
                parts.collect::<Option<_>>().map(Shape::Tuple)
            }
            Type::Path(p) => {
                let last = p.path.segments.last()?;
                let name = last.ident.to_string();
                match &last.arguments {
                    syn::PathArguments::None if p.path.segments.len() == 1 => {
                        (name == float || PLAIN.contains(&name.as_str())).then_some(Shape::Number)
                    }
                    syn::PathArguments::AngleBracketed(a) if name == "Vec" => {
                        match a.args.first() {
                            Some(syn::GenericArgument::Type(t)) => inner(t).map(Shape::Slice),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether it can be read as a whole.
    pub fn is_copied(&self) -> bool {
        match self {
            Shape::Number => true,
            Shape::Array(s) => s.is_copied(),
            Shape::Tuple(parts) => parts.iter().all(Shape::is_copied),
            Shape::Slice(_) => false,
        }
    }
}

/// Entries without a derivative.
const PLAIN: &[&str] = &[
    "usize", "u8", "u16", "u32", "u64", "u128", "isize", "i8", "i16", "i32", "i64", "i128", "bool",
    "char",
];

/// Whether a type is one of floats and integers, and sequences and tuples of them, as it is written.
pub fn of_numbers(ty: &Type) -> bool {
    ["f64", "f32"].iter().any(|f| Shape::of(ty, f).is_some())
}

/// The type over the numbers of constant arguments.
pub fn over_base(ty: &TokenStream) -> TokenStream {
    match syn::parse2::<Type>(ty.clone()) {
        Ok(mut ty) => {
            Base.visit_type_mut(&mut ty);
            ty.to_token_stream()
        }
        Err(_) => ty.clone(),
    }
}

/// Writes `__Base` for the float: there is one in a function.
pub struct Base;

impl VisitMut for Base {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32") => {
                *ty = syn::parse_quote_spanned!(p.span()=> __Base);
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }
}
