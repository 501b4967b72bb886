//! The fields of a row, and the tensors that they become.

use crate::derive::written_out;
use crate::syntax;
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Error, Expr, Field, FieldsNamed, GenericArgument, Ident, Path, PathArguments, Token,
    Type, Visibility,
};

/// A field of the batch.
pub struct Column {
    pub docs: Vec<Attribute>,
    pub vis: Visibility,
    pub name: Ident,
    pub ty: Type,
    pub join: Join,
}

/// How the rows are joined.
pub enum Join {
    Stack,
    Pad {
        time: Path,
        value: Box<Expr>,
        lengths_ty: Box<Type>,
    },
}

impl Column {
    /// The field that has the lengths of padded rows.
    pub fn lengths(&self) -> Option<Ident> {
        let is_padded = matches!(self.join, Join::Pad { .. });
        is_padded.then(|| format_ident!("{}_lengths", self.name))
    }
}

/// What stands in the parentheses of `#[pad(..)]`.
struct Pad {
    time: Path,
    value: Expr,
}

impl Parse for Pad {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let time = input.parse()?;
        input.parse::<Token![,]>()?;
        let value = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Pad { time, value })
    }
}

/// Reads the fields, takes their marks off and writes the types of tensors out.
pub fn read(fields: &mut FieldsNamed, dim: &Path, errors: &mut Vec<Error>) -> Vec<Column> {
    let mut columns = Vec::new();
    for field in &mut fields.named {
        match column(field, dim) {
            Ok(column) => columns.push(column),
            Err(error) => errors.push(error),
        }
        written_out::write_out(&mut field.ty);
    }
    columns
}

fn column(field: &mut Field, dim: &Path) -> syn::Result<Column> {
    let pad = field.attrs.iter().position(|a| a.path().is_ident("pad"));
    let pad = pad.map(|at| field.attrs.remove(at));
    let pad = pad.map(|attr| {
        attr.parse_args::<Pad>().map_err(|_| {
            Error::new_spanned(
                attr,
                "`#[pad(Time, 0)]` has a dimension and the value behind shorter rows",
            )
        })
    });
    let (ty, join) = match pad.transpose()? {
        Some(Pad { time, value }) => {
            let element = padded(&field.ty)?;
            let join = Join::Pad {
                time: time.clone(),
                value: Box::new(value),
                lengths_ty: Box::new(written(quote!(Tensor![i64; #dim]))),
            };
            (quote!(Tensor![#element; #dim, #time]), join)
        }
        None => (stacked(&field.ty, dim)?, Join::Stack),
    };
    let docs = field.attrs.iter().filter(|a| a.path().is_ident("doc"));
    Ok(Column {
        docs: docs.cloned().collect(),
        vis: field.vis.clone(),
        name: field.ident.clone().expect("a named field"),
        ty: written(ty),
        join,
    })
}

/// A type without macros.
fn written(tokens: TokenStream) -> Type {
    let mut ty = syn::parse2(tokens).expect("a macro is a type");
    written_out::write_out(&mut ty);
    ty
}

/// The element type of a `Vec` that can be padded.
fn padded(ty: &Type) -> syn::Result<Ident> {
    let element = argument_of_vec(ty).and_then(name);
    let known = ["i64", "u32", "u8", "f32", "f64", "bool"];
    element
        .filter(|e| known.iter().any(|k| e == k))
        .ok_or_else(|| {
            Error::new_spanned(
                ty,
                "a padded field is a `Vec` of `i64`, `u32`, `u8`, `f32`, `f64` or `bool`",
            )
        })
}

/// The tensor that rows of a type become.
fn stacked(ty: &Type, dim: &Path) -> syn::Result<TokenStream> {
    if let Type::Macro(m) = ty {
        if syntax::is_macro(&m.mac, &["Tensor"]) {
            let (element, sizes) = parts(m.mac.tokens.clone());
            let element = element.map(|e| quote!(#e;));
            return Ok(quote!(Tensor![#element #dim, #sizes]));
        }
    }
    const INTEGERS: [&str; 10] = [
        "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize",
    ];
    let is = |names: &[&str]| name(ty).is_some_and(|n| names.iter().any(|k| n == k));
    if is(&INTEGERS) {
        Ok(quote!(Tensor![i64; #dim]))
    } else if is(&["f32", "f64", "bool"]) {
        Ok(quote!(Tensor![#ty; #dim]))
    } else if argument_of_vec(ty).is_some() {
        Err(Error::new_spanned(
            ty,
            "rows of different lengths: say how they are padded, `#[pad(Time, 0)]` after `dim!(Time)`",
        ))
    } else {
        Err(Error::new_spanned(
            ty,
            "`#[batch]` does not join this field: it takes `Tensor![..]`, `f32`, `f64`, integers, `bool`, and a `Vec` of numbers with `#[pad(Time, 0)]`",
        ))
    }
}

/// The element type, where it is written, and the sizes of `Tensor![i64; 3, 4]`.
fn parts(tokens: TokenStream) -> (Option<TokenStream>, TokenStream) {
    let is_semicolon = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ';');
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    match all.iter().position(is_semicolon) {
        None => (None, all.into_iter().collect()),
        Some(at) => (
            Some(all[..at].iter().cloned().collect()),
            all[at + 1..].iter().cloned().collect(),
        ),
    }
}

/// A type that is one name.
fn name(ty: &Type) -> Option<Ident> {
    match ty {
        Type::Path(p) => p.path.get_ident().cloned(),
        Type::Paren(t) => name(&t.elem),
        Type::Group(t) => name(&t.elem),
        _ => None,
    }
}

/// `T` of `Vec<T>`.
fn argument_of_vec(ty: &Type) -> Option<&Type> {
    let Type::Path(p) = ty else {
        return None;
    };
    let last = p.path.segments.last().filter(|s| s.ident == "Vec")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|a| match a {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
