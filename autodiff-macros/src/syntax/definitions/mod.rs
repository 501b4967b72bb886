//! What the file around a function says of what the function names: the fields of structs, aliases, and what functions return.
//!
//! The tokens of a function do not tell the type of `grid.u[i]`. The definition of `Grid` does, and it is often in the same file:
//! the macro reads it there, as the compiler tells where the function is. What it does not find is of an unknown type, for which
//! the code that is written is longer and often slower, and has the same derivatives. A wrong answer would be an error of types in
//! that code, so an answer that is not certain is none.

mod file;
mod reader;
mod small;
mod tokens;

use crate::syntax::ty::Ty;
use crate::syntax::ty_of;
use file::File;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Item, Member, PathArguments, Type};

/// What names mean at a place of a file.
#[derive(Clone, Debug, Default)]
pub struct Definitions(Option<Rc<Here>>);

#[derive(Debug)]
struct Here {
    file: Arc<File>,
    at: usize,
    /// Names that mean something else in the function.
    hidden: HashSet<String>,
}

impl Definitions {
    /// Those at the item that is expanded.
    pub fn of_call_site(item: &proc_macro2::TokenStream) -> Definitions {
        #[cfg(test)]
        if let Some(text) = BESIDE.take() {
            return Definitions::of_text(text, item);
        }
        if !proc_macro::is_available() {
            return Definitions::default();
        }
        let span = proc_macro::Span::call_site();
        let here = || {
            let file = read(span.local_file()?)?;
            let at = file.at(span.line(), span.column())?;
            Some((file, at))
        };
        here().map_or_else(Definitions::default, |(file, at)| {
            Definitions::at(file, at, hidden(item))
        })
    }

    /// Those at the end of a text.
    #[cfg(test)]
    fn of_text(text: String, item: &proc_macro2::TokenStream) -> Definitions {
        let at = text.len();
        let file = Arc::new(File::new(text + "\n"));
        Definitions::at(file, at, hidden(item))
    }

    fn at(file: Arc<File>, at: usize, hidden: HashSet<String>) -> Definitions {
        Definitions(Some(Rc::new(Here { file, at, hidden })))
    }

    /// A type that is written here.
    pub fn typed(&self, ty: &Type) -> Typed {
        Typed {
            ty: Rc::new(ty.clone()),
            names: self.clone(),
        }
    }

    /// What a free function returns.
    pub fn returned(&self, name: &str) -> Option<Typed> {
        let here = self.0.as_ref().filter(|h| !h.hidden.contains(name))?;
        let (at, signature) = here.file.function(name, here.at)?;
        self.value(at, signature)
    }

    /// Whether all functions of a name that the file has take a few operations each, and do nothing but compute.
    pub fn is_small(&self, name: &str) -> bool {
        let here = self.0.as_ref();
        here.is_some_and(|h| small::cost(&h.file, name).is_some())
    }

    /// The type after the arrow of a signature.
    fn value(&self, at: usize, signature: &str) -> Option<Typed> {
        let here = self.0.as_ref()?;
        let sig: syn::Signature = syn::parse_str(signature).ok()?;
        let syn::ReturnType::Type(_, ty) = &sig.output else {
            return None;
        };
        let names = Definitions::at(here.file.clone(), at, HashSet::new());
        (!generic(&sig.generics, ty)).then(|| names.typed(ty))
    }

    /// The definition of a name, and what names mean there.
    fn find(&self, name: &str) -> Option<(Item, Definitions)> {
        let here = self.0.as_ref().filter(|h| !h.hidden.contains(name))?;
        let (at, text) = here.file.item(name, here.at)?;
        let names = Definitions::at(here.file.clone(), at, HashSet::new());
        Some((syn::parse_str(text).ok()?, names))
    }
}

#[cfg(test)]
thread_local! {
    /// What stands beside the next item that a test expands: there is no compiler to say where it is.
    pub static BESIDE: std::cell::Cell<Option<String>> = const { std::cell::Cell::new(None) };
}

/// Files are read once in a compilation.
fn read(path: PathBuf) -> Option<Arc<File>> {
    type Known = HashMap<PathBuf, (SystemTime, Arc<File>)>;
    static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
    // A language server outlives what it has read.
    let changed = std::fs::metadata(&path).ok()?.modified().ok()?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some((_, file)) = known.get(&path).filter(|(of, _)| *of == changed) {
        return Some(file.clone());
    }
    let file = Arc::new(File::new(std::fs::read_to_string(&path).ok()?));
    known.insert(path, (changed, file.clone()));
    Some(file)
}

/// The names of generic parameters and items of an item, and those that it imports.
fn hidden(item: &proc_macro2::TokenStream) -> HashSet<String> {
    #[derive(Default)]
    struct V(HashSet<String>);
    impl<'a> Visit<'a> for V {
        fn visit_type_param(&mut self, p: &'a syn::TypeParam) {
            self.0.insert(p.ident.to_string());
            visit::visit_type_param(self, p);
        }
        fn visit_item_struct(&mut self, s: &'a syn::ItemStruct) {
            self.0.insert(s.ident.to_string());
        }
        fn visit_item_enum(&mut self, e: &'a syn::ItemEnum) {
            self.0.insert(e.ident.to_string());
        }
        fn visit_item_type(&mut self, t: &'a syn::ItemType) {
            self.0.insert(t.ident.to_string());
        }
        fn visit_use_name(&mut self, n: &'a syn::UseName) {
            self.0.insert(n.ident.to_string());
        }
        fn visit_use_rename(&mut self, n: &'a syn::UseRename) {
            self.0.insert(n.rename.to_string());
        }
    }
    let mut v = V::default();
    if let Ok(item) = syn::parse2::<Item>(item.clone()) {
        v.visit_item(&item);
    }
    v.0
}

/// A type, and what its names mean.
#[derive(Clone, Debug)]
pub struct Typed {
    ty: Rc<Type>,
    names: Definitions,
}

impl Typed {
    /// The type without references, parentheses and aliases.
    fn plain(&self) -> Option<Typed> {
        let mut typed = self.clone();
        // An alias of itself does not compile; it should end here all the same.
        for _ in 0..64 {
            typed = match &*typed.ty {
                Type::Reference(r) => typed.names.typed(&r.elem),
                Type::Paren(p) => typed.names.typed(&p.elem),
                Type::Group(g) => typed.names.typed(&g.elem),
                Type::Path(p) if p.qself.is_none() => {
                    let Some(name) = p
                        .path
                        .segments
                        .last()
                        .filter(|_| p.path.segments.len() == 1)
                    else {
                        return Some(typed);
                    };
                    match typed.names.find(&name.ident.to_string()) {
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
        let Type::Path(p) = &*plain.ty else {
            return None;
        };
        let mut segments = p.path.segments.iter();
        let (Some(name), None) = (segments.next(), segments.next()) else {
            return None;
        };
        let (Item::Struct(of), names) = plain.names.find(&name.ident.to_string())? else {
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
        let plain = self.plain()?;
        let Type::Path(p) = &*plain.ty else {
            return None;
        };
        let (Some(name), 1) = (p.path.segments.last(), p.path.segments.len()) else {
            return None;
        };
        let name = name.ident.to_string();
        // The type is one of the file.
        let (_, names) = plain.names.find(&name)?;
        let file = &names.0.as_ref()?.file;
        let (at, signature) = file.method(&name, method)?;
        let value = names.value(at, signature)?;
        match &*value.ty {
            Type::Path(p) if p.path.is_ident("Self") => Some(plain),
            _ => Some(value),
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

/// Whether a type names a type parameter.
fn generic(generics: &syn::Generics, ty: &Type) -> bool {
    let names = generics.type_params().map(|p| p.ident.to_string());
    let names: HashSet<String> = names.collect();
    crate::syntax::tokens_mention(quote::ToTokens::to_token_stream(ty), &names)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BESIDE: &str = "
        type Row = [f32; 3];
        struct Grid<const N: usize> { w: usize, u: Vec<Row>, v: Rows<N>, #[constant] k: f64, deep: Box<Inner> }
        type Rows<const N: usize> = Vec<[f64; N]>;
        struct Inner(Vec<f64>, (f64, String));
        struct Generic<T> { x: T, y: f64 }
        type Odd<T> = Vec<T>;";

    fn numbers(path: &[&str], of: &str) -> Option<String> {
        let names = Definitions::of_text(BESIDE.into(), &Default::default());
        let mut typed = names.typed(&syn::parse_str(of).expect("a type"));
        for step in path {
            typed = match *step {
                "[]" => typed.entry()?,
                "*" => typed.inside()?,
                n => match n.parse::<usize>() {
                    Ok(n) => typed.field(&Member::from(n))?,
                    Err(_) => typed.field(&syn::parse_str(n).expect("a name"))?,
                },
            };
        }
        Some(format!("{:?}", typed.numbers()?))
    }

    #[test]
    fn parts_of_structs() {
        let told = |path: &[&str], of| numbers(path, of).unwrap_or_default();
        assert_eq!(told(&["u"], "&Grid<4>"), "Seq(Seq(Float(\"f32\")))");
        assert_eq!(
            told(&["[]", "u", "[]"], "&[Grid<4>]"),
            "Seq(Float(\"f32\"))"
        );
        assert_eq!(told(&["v", "[]", "[]"], "Grid<4>"), "Float(\"f64\")");
        assert_eq!(told(&["deep", "*", "0", "[]"], "Grid<4>"), "Float(\"f64\")");
        assert_eq!(told(&["1", "0"], "Inner"), "Float(\"f64\")");
        assert_eq!(told(&["y"], "Generic<f32>"), "Float(\"f64\")");
        assert_eq!(told(&[], "&Rows<2>"), "Seq(Seq(Float(\"f64\")))");
        for (path, of) in [
            (&["w"][..], "Grid<4>"),
            (&["k"], "Grid<4>"),
            (&["deep", "0"], "Grid<4>"),
            (&["1", "1"], "Inner"),
            (&["2"], "Inner"),
            (&["x"], "Generic<f64>"),
            (&[], "Odd<f64>"),
            (&["u"], "other::Grid<4>"),
            (&["u"], "Nowhere"),
        ] {
            assert_eq!(numbers(path, of), None, "{path:?} of {of}");
        }
    }

    #[test]
    fn names_that_mean_something_else_in_the_item() {
        let item = quote::quote!(
            fn f<Inner>(x: &Inner) {
                struct Row;
                use a::{b as Rows, Odd};
            }
        );
        let names = Definitions::of_text(BESIDE.into(), &item);
        for name in ["Inner", "Row", "Odd", "Rows"] {
            assert!(names.find(name).is_none(), "{name}");
        }
        assert!(names.find("Grid").is_some());
    }
}
