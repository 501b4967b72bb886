//! Types whose names have a meaning: what their fields, entries and methods are.

use super::file::File;
use super::{generic, small, Definitions};
use crate::syntax::ty::Ty;
use crate::syntax::ty_of;
use std::rc::Rc;
use syn::{
    BinOp, Expr, FnArg, GenericArgument, Item, Member, Pat, PathArguments, ReceiverKind, Type,
};

/// A type, as far as it is known.
#[derive(Clone, Debug)]
pub enum Typed {
    Written(Written),
    /// A float, or a sequence of floats, of sequences of floats, and so on.
    Numbers(Ty),
    /// A tuple of values.
    Tuple(Rc<[Option<Typed>]>),
    /// An array of values, or a `Vec`.
    Entries {
        of: Rc<Typed>,
        array: bool,
    },
}

/// A type as it is written, and what its names mean.
#[derive(Clone, Debug)]
pub struct Written {
    ty: Rc<Type>,
    names: Definitions,
}

impl Typed {
    pub(super) fn new(ty: Type, names: Definitions) -> Self {
        Typed::Written(Written {
            ty: Rc::new(ty),
            names,
        })
    }

    /// The type of a tuple of values of these types; unknown if all are.
    pub fn tuple(parts: Vec<Option<Typed>>) -> Option<Typed> {
        let told = parts.iter().any(Option::is_some);
        told.then(|| Typed::Tuple(parts.into()))
    }

    /// The type of an array or a `Vec` of values of one of these types.
    pub fn entries(mut of: impl Iterator<Item = Option<Typed>>, array: bool) -> Option<Typed> {
        let of = Rc::new(of.find_map(|of| of)?);
        Some(Typed::Entries { of, array })
    }

    /// What is known of a value that is the one or the other, which have one type.
    pub fn either(a: Option<Typed>, b: Option<Typed>) -> Option<Typed> {
        match (a, b) {
            (Some(Typed::Tuple(a)), Some(Typed::Tuple(b))) if a.len() == b.len() => {
                let parts = a.iter().zip(b.iter());
                Typed::tuple(
                    parts
                        .map(|(a, b)| Typed::either(a.clone(), b.clone()))
                        .collect(),
                )
            }
            (Some(a), Some(b)) if !matches!(a, Typed::Written(_)) => Some(b),
            (a, b) => a.or(b),
        }
    }

    /// The type without references, parentheses and aliases.
    fn plain(&self) -> Option<Written> {
        let Typed::Written(written) = self else {
            return None;
        };
        let mut written = written.clone();
        // An alias of itself does not compile; it should end here all the same.
        for _ in 0..64 {
            let of = |ty: &Type| Written {
                ty: Rc::new(ty.clone()),
                names: written.names.clone(),
            };
            written = match &*written.ty {
                Type::Reference(r) => of(&r.elem),
                Type::Paren(p) => of(&p.elem),
                Type::Group(g) => of(&g.elem),
                Type::Path(_) => {
                    let meant = written.name().and_then(|name| written.names.find(&name));
                    match meant.as_ref().map(|found| (&*found.item, &found.names)) {
                        Some((Item::Type(alias), names)) => {
                            if generic(&alias.generics, &alias.ty) {
                                return None;
                            }
                            Written {
                                ty: Rc::new((*alias.ty).clone()),
                                names: names.clone(),
                            }
                        }
                        _ => return Some(written),
                    }
                }
                _ => return Some(written),
            };
        }
        None
    }

    /// The type of a field that has a derivative.
    pub fn field(&self, member: &Member) -> Option<Typed> {
        if let (Typed::Tuple(parts), Member::Unnamed(i)) = (self, member) {
            return parts.get(i.index as usize)?.clone();
        }
        let plain = self.plain()?;
        if let (Type::Tuple(t), Member::Unnamed(i)) = (&*plain.ty, member) {
            let part = t.elems.iter().nth(i.index as usize)?;
            return Some(plain.names.typed(part));
        }
        let found = plain.names.find(&plain.name()?)?;
        let Item::Struct(of) = &*found.item else {
            return None;
        };
        one_of(&of.fields, member, &of.generics, &found.names)
    }

    /// The type of a field of a struct of the file that is `#[constant]`: without a derivative, whatever it is.
    pub fn constant_field(&self, member: &Member) -> Option<Typed> {
        let plain = self.plain()?;
        let found = plain.names.find(&plain.name()?)?;
        let Item::Struct(of) = &*found.item else {
            return None;
        };
        let field = named(&of.fields, member)?;
        let constant = field.attrs.iter().any(|a| a.path().is_ident("constant"));
        constant.then(|| found.names.typed(&field.ty))
    }

    /// The type of a field of a variant that has a derivative.
    pub fn variant(&self, variant: &syn::Path, member: &Member) -> Option<Typed> {
        let plain = self.plain()?;
        let variant = &variant.segments.last()?.ident;
        let held = match variant.to_string().as_str() {
            "Some" => argument(&plain.ty, "Option"),
            "Ok" => argument(&plain.ty, "Result"),
            _ => None,
        };
        if let Some(held) = held {
            return Some(plain.names.typed(held));
        }
        let found = plain.names.find(&plain.name()?)?;
        let Item::Enum(of) = &*found.item else {
            return None;
        };
        let of_name = of.variants.iter().find(|v| v.ident == *variant)?;
        one_of(&of_name.fields, member, &of.generics, &found.names)
    }

    /// Whether its values are copied, not moved.
    pub fn is_copy(&self) -> bool {
        let plain = match self {
            Typed::Numbers(ty) => return ty.is_copy(),
            Typed::Tuple(parts) => {
                return parts.iter().all(|p| p.as_ref().is_some_and(Typed::is_copy));
            }
            Typed::Entries { of, array } => return *array && of.is_copy(),
            Typed::Written(_) => self.plain(),
        };
        let Some(plain) = plain else {
            return false;
        };
        let part = |ty: &Type| plain.names.typed(ty).is_copy();
        match &*plain.ty {
            Type::Array(a) => part(&a.elem),
            Type::Tuple(t) => t.elems.iter().all(part),
            ty => {
                let found = plain.name().and_then(|name| plain.names.find(&name));
                match found.as_ref().map(|f| (&*f.item, f.copy)) {
                    Some((Item::Struct(of), copy)) => {
                        copy && of.generics.type_params().count() == 0
                    }
                    Some((Item::Enum(of), copy)) => copy && of.generics.type_params().count() == 0,
                    _ => ty_of(ty).is_copy(),
                }
            }
        }
    }

    /// Whether the file defines the type.
    pub fn is_of_file(&self) -> bool {
        self.defined().is_some()
    }

    /// What a method of that name returns.
    pub fn returned(&self, method: &str) -> Option<Typed> {
        let plain = self.receiver()?;
        let file = plain.file()?;
        let (at, signature) = file.method(&plain.name()?, method)?;
        let returned = plain.names.value(at, signature)?;
        let Typed::Written(value) = &returned else {
            return None;
        };
        let Type::Path(p) = &*value.ty else {
            return Some(returned);
        };
        let mut segments = p.path.segments.iter().map(|s| &s.ident);
        match (segments.next(), segments.next()) {
            (Some(of), None) if of == "Self" => Some(Typed::Written(plain)),
            (Some(of), Some(name)) if of == "Self" => {
                let ty = file.associated(at, &name.to_string())?;
                match ty.trim() {
                    "Self" => Some(Typed::Written(plain)),
                    ty => Some(value.names.typed(&syn::parse_str(ty).ok()?)),
                }
            }
            _ => Some(returned),
        }
    }

    /// Whether a method changes its receiver, as its signature says.
    pub fn changes(&self, method: &str) -> Option<bool> {
        let (receiver, cells) = self.receiver_of(method)?;
        match receiver {
            ReceiverKind::Reference(_, _, Some(_)) => Some(true),
            // A cell changes behind a shared reference.
            ReceiverKind::Value | ReceiverKind::Reference(..) => (!cells).then_some(false),
            _ => None,
        }
    }

    /// Whether the type is known to have a method of that name.
    pub fn takes_itself(&self, method: &str) -> bool {
        self.receiver_of(method).is_some()
    }

    /// How a method takes its receiver, and whether the file names cells.
    fn receiver_of(&self, method: &str) -> Option<(ReceiverKind, bool)> {
        let plain = self.receiver()?;
        let name = plain.name()?;
        // Another type of that name may have a method of that name too, by a macro.
        let file = plain.file().filter(|f| f.has_one(&name))?;
        let (_, signature) = file.method(&name, method)?;
        let signature: syn::Signature = syn::parse_str(signature).ok()?;
        Some((signature.receiver()?.kind.clone(), file.cells))
    }

    /// Whether a method takes a few operations, and does nothing but compute.
    pub fn is_small(&self, method: &str) -> bool {
        let found = || {
            let plain = self.receiver()?;
            let file = plain.file()?;
            file.method(&plain.name()?, method)?;
            small::cost(file, method)
        };
        found().is_some()
    }

    /// The part that `x[at]` is, with `self` for `x`, and the pattern of `at`: of an operator that only names a place.
    pub fn indexed(&self, to_write: bool) -> Option<(Pat, Expr)> {
        let plain = self.defined()?;
        let file = plain.file()?;
        let name = plain.name()?;
        let method = if to_write { "index_mut" } else { "index" };
        let (_, signature) = file.method(&name, method)?;
        let signature: syn::Signature = syn::parse_str(signature).ok()?;
        let Some(FnArg::Typed(at)) = signature.inputs.iter().nth(1) else {
            return None;
        };
        let body = file.body(&name, method)?;
        let Expr::Reference(part) = syn::parse_str(body).ok()? else {
            return None;
        };
        let mut known = crate::syntax::pattern_names(&at.pat);
        known.push("self".into());
        is_place(&part.expr, &known).then(|| ((*at.pat).clone(), *part.expr))
    }

    /// The type, if the file has its definition; names mean what they mean there.
    fn defined(&self) -> Option<Written> {
        let plain = self.plain()?;
        let found = plain.names.find(&plain.name()?)?;
        Some(Written {
            names: found.names,
            ..plain
        })
    }

    /// The type that has the methods that are called: of what is in a box.
    fn receiver(&self) -> Option<Written> {
        self.defined().or_else(|| self.inside()?.receiver())
    }

    /// The type of the entries of a slice, an array or a `Vec`.
    pub fn entry(&self) -> Option<Typed> {
        match self {
            Typed::Numbers(Ty::Seq(of)) => Some(Typed::Numbers((**of).clone())),
            Typed::Entries { of, .. } => Some((**of).clone()),
            _ => self.plain()?.entry(),
        }
    }

    /// The type of what is in a box.
    pub fn inside(&self) -> Option<Typed> {
        let plain = self.plain()?;
        let inside = argument(&plain.ty, "Box")?;
        Some(plain.names.typed(inside))
    }

    /// A float, or a sequence of floats, of sequences of floats, and so on; nothing else is asked for.
    pub fn numbers(&self) -> Option<Ty> {
        if let Typed::Numbers(ty) = self {
            return Some(ty.clone());
        }
        let written = self.plain().map(|plain| ty_of(&plain.ty));
        if let Some(known @ Ty::Float(_)) = written {
            return Some(known);
        }
        Some(Ty::Seq(Box::new(self.entry()?.numbers()?)))
    }
}

impl Written {
    fn entry(&self) -> Option<Typed> {
        let entry = match &*self.ty {
            Type::Slice(s) => &*s.elem,
            Type::Array(a) => &*a.elem,
            ty => argument(ty, "Vec")?,
        };
        Some(self.names.typed(entry))
    }

    fn file(&self) -> Option<&File> {
        self.names.0.as_ref().map(|here| &*here.file)
    }

    /// The one word of its path.
    fn name(&self) -> Option<String> {
        let Type::Path(p) = &*self.ty else {
            return None;
        };
        let mut segments = p.path.segments.iter();
        match (segments.next(), segments.next()) {
            (Some(name), None) if p.qself.is_none() => Some(name.ident.to_string()),
            _ => None,
        }
    }
}

/// The type of one of these fields, if it has a derivative.
fn one_of(
    fields: &syn::Fields,
    member: &Member,
    generics: &syn::Generics,
    names: &Definitions,
) -> Option<Typed> {
    let field = named(fields, member)?;
    let marked = !field.attrs.iter().all(|a| a.path().is_ident("doc"));
    (!marked && !generic(generics, &field.ty)).then(|| names.typed(&field.ty))
}

fn named<'t>(fields: &'t syn::Fields, member: &Member) -> Option<&'t syn::Field> {
    match member {
        Member::Named(name) => fields.iter().find(|f| f.ident.as_ref() == Some(name)),
        Member::Unnamed(i) => {
            let tuple = matches!(fields, syn::Fields::Unnamed(_));
            fields.iter().nth(i.index as usize).filter(|_| tuple)
        }
    }
}

/// `T` of `Vec<T>`.
fn argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last().filter(|s| s.ident == name)?;
    match &last.arguments {
        PathArguments::AngleBracketed(a) => match a.args.first()? {
            GenericArgument::Type(of) => Some(of),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression is made of these names, numbers, fields, indices and arithmetic.
fn is_place(e: &Expr, names: &[String]) -> bool {
    match e {
        Expr::Paren(p) => is_place(&p.expr, names),
        Expr::Path(p) => p
            .path
            .get_ident()
            .is_some_and(|i| names.contains(&i.to_string())),
        Expr::Lit(_) => true,
        Expr::Field(f) => is_place(&f.base, names),
        Expr::Index(i) => is_place(&i.expr, names) && is_place(&i.index, names),
        Expr::Binary(b) => {
            let arithmetic = matches!(
                b.op,
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
            );
            arithmetic && is_place(&b.left, names) && is_place(&b.right, names)
        }
        _ => false,
    }
}
