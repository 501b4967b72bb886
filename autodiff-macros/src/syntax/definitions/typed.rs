//! Types whose names have a meaning: what their fields, entries and methods are.

use super::{generic, small, Definitions};
use crate::syntax::ty::Ty;
use crate::syntax::ty_of;
use std::rc::Rc;
use syn::{BinOp, Expr, FnArg, GenericArgument, Item, Member, Pat, PathArguments, Type};

/// A type, and what its names mean.
#[derive(Clone, Debug)]
pub struct Typed {
    ty: Rc<Type>,
    names: Definitions,
}

impl Typed {
    pub(super) fn new(ty: Type, names: Definitions) -> Self {
        Typed {
            ty: Rc::new(ty),
            names,
        }
    }

    /// The type without references, parentheses and aliases.
    fn plain(&self) -> Option<Typed> {
        let mut typed = self.clone();
        // An alias of itself does not compile; it should end here all the same.
        for _ in 0..64 {
            typed = match &*typed.ty {
                Type::Reference(r) => typed.names.typed(&r.elem),
                Type::Paren(p) => typed.names.typed(&p.elem),
                Type::Group(g) => typed.names.typed(&g.elem),
                Type::Path(_) => {
                    let meant = typed.name().and_then(|name| typed.names.find(&name));
                    match meant {
                        Some((Item::Type(alias), names)) => {
                            if generic(&alias.generics, &alias.ty) {
                                return None;
                            }
                            names.typed(&alias.ty)
                        }
                        _ => return Some(typed),
                    }
                }
                _ => return Some(typed),
            };
        }
        None
    }

    /// The type of a field that has a derivative.
    pub fn field(&self, member: &Member) -> Option<Typed> {
        let plain = self.plain()?;
        if let (Type::Tuple(t), Member::Unnamed(i)) = (&*plain.ty, member) {
            let part = t.elems.iter().nth(i.index as usize)?;
            return Some(plain.names.typed(part));
        }
        let (Item::Struct(of), names) = plain.names.find(&plain.name()?)? else {
            return None;
        };
        let field = match member {
            Member::Named(name) => of.fields.iter().find(|f| f.ident.as_ref() == Some(name)),
            Member::Unnamed(i) => {
                let tuple = matches!(of.fields, syn::Fields::Unnamed(_));
                of.fields.iter().nth(i.index as usize).filter(|_| tuple)
            }
        }?;
        let marked = !field.attrs.iter().all(|a| a.path().is_ident("doc"));
        (!marked && !generic(&of.generics, &field.ty)).then(|| names.typed(&field.ty))
    }

    /// What a method of that name returns.
    pub fn returned(&self, method: &str) -> Option<Typed> {
        let (plain, names) = self.defined()?;
        let file = &names.0.as_ref()?.file;
        let (at, signature) = file.method(&plain.name()?, method)?;
        let value = names.value(at, signature)?;
        let Type::Path(p) = &*value.ty else {
            return Some(value);
        };
        let mut segments = p.path.segments.iter().map(|s| &s.ident);
        match (segments.next(), segments.next()) {
            (Some(of), None) if of == "Self" => Some(plain),
            (Some(of), Some(name)) if of == "Self" => {
                let ty = file.associated(at, &name.to_string())?;
                match ty.trim() {
                    "Self" => Some(plain),
                    ty => Some(value.names.typed(&syn::parse_str(ty).ok()?)),
                }
            }
            _ => Some(value),
        }
    }

    /// Whether a method takes a few operations, and does nothing but compute.
    pub fn is_small(&self, method: &str) -> bool {
        let found = || {
            let (plain, names) = self.defined()?;
            let file = &names.0.as_ref()?.file;
            file.method(&plain.name()?, method)?;
            small::cost(file, method)
        };
        found().is_some()
    }

    /// The part that `x[at]` is, with `self` for `x`, and the pattern of `at`: of an operator that only names a place.
    pub fn indexed(&self, to_write: bool) -> Option<(Pat, Expr)> {
        let (plain, names) = self.defined()?;
        let file = &names.0.as_ref()?.file;
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

    /// The type, if the file has its definition.
    fn defined(&self) -> Option<(Typed, Definitions)> {
        let plain = self.plain()?;
        let (_, names) = plain.names.find(&plain.name()?)?;
        Some((plain, names))
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

    /// The type of the entries of a slice, an array or a `Vec`.
    pub fn entry(&self) -> Option<Typed> {
        let plain = self.plain()?;
        let entry = match &*plain.ty {
            Type::Slice(s) => &*s.elem,
            Type::Array(a) => &*a.elem,
            ty => argument(ty, "Vec")?,
        };
        Some(plain.names.typed(entry))
    }

    /// The type of what is in a box.
    pub fn inside(&self) -> Option<Typed> {
        let plain = self.plain()?;
        let inside = argument(&plain.ty, "Box")?;
        Some(plain.names.typed(inside))
    }

    /// A float, or a sequence of floats, of sequences of floats, and so on; nothing else is asked for.
    pub fn numbers(&self) -> Option<Ty> {
        let plain = self.plain()?;
        if let known @ Ty::Float(_) = ty_of(&plain.ty) {
            return Some(known);
        }
        Some(Ty::Seq(Box::new(plain.entry()?.numbers()?)))
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
