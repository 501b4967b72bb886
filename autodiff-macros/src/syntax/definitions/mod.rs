//! What the file around a function says of what the function names: the fields of structs, aliases, the types of
//! constants, and what functions return.
//!
//! The tokens of a function do not tell the type of `grid.u[i]`. The definition of `Grid` does, and it is often in the same file:
//! the macro reads it there, as the compiler tells where the function is. What it does not find is of an unknown type, for which
//! the code that is written is longer and often slower, and has the same derivatives. A wrong answer would be an error of types in
//! that code, so an answer that is not certain is none.

mod file;
mod floats;
mod reader;
mod small;
mod tokens;
mod typed;

pub use typed::Typed;

use crate::syntax::ty::Ty;
use file::File;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use syn::visit::{self, Visit};
use syn::{Item, Type};

/// What names mean at a place of a file.
#[derive(Clone, Debug, Default)]
pub struct Definitions(Option<Rc<Here>>);

#[derive(Debug)]
struct Here {
    file: Arc<File>,
    at: usize,
    /// Names that mean something else in the function.
    hidden: HashSet<String>,
    /// What was asked for before.
    found: RefCell<HashMap<String, Option<Found>>>,
}

/// The definition of a name, and what names mean there.
#[derive(Clone, Debug)]
struct Found {
    item: Rc<Item>,
    /// `#[derive(Copy)]`
    copy: bool,
    names: Definitions,
}

impl Definitions {
    /// Those at the item that is expanded, which the visitor goes through.
    pub fn of_call_site(item: impl FnOnce(&mut Hidden)) -> Definitions {
        #[cfg(test)]
        if let Some(text) = BESIDE.take() {
            return Definitions::of_text(text, item);
        }
        if !proc_macro::is_available() {
            return Definitions::default();
        }
        let span = proc_macro::Span::call_site();
        let here = || {
            // Examples in documentation are in a file that holds them as a comment, or as text.
            let path = span
                .local_file()
                .filter(|p| p.extension().is_some_and(|e| e == "rs"))?;
            let file = read(path)?;
            let at = file.at(span.line(), span.column())?;
            file.is_code(at).then_some((file, at))
        };
        here().map_or_else(Definitions::default, |(file, at)| {
            let mut hidden = Hidden::default();
            item(&mut hidden);
            Definitions::at(file, at, hidden.0)
        })
    }

    /// Those at the end of a text.
    #[cfg(test)]
    fn of_text(text: String, item: impl FnOnce(&mut Hidden)) -> Definitions {
        let at = text.len();
        let file = Arc::new(File::new(text + "\n"));
        let mut hidden = Hidden::default();
        item(&mut hidden);
        Definitions::at(file, at, hidden.0)
    }

    fn at(file: Arc<File>, at: usize, hidden: HashSet<String>) -> Definitions {
        let found = RefCell::default();
        Definitions(Some(Rc::new(Here {
            file,
            at,
            hidden,
            found,
        })))
    }

    /// A type that is written here.
    pub fn typed(&self, ty: &Type) -> Typed {
        Typed::new(ty.clone(), self.clone())
    }

    /// What a free function returns.
    pub fn returned(&self, name: &str) -> Option<Typed> {
        let here = self.0.as_ref().filter(|h| !h.hidden.contains(name))?;
        let (at, signature) = here.file.function(name, here.at)?;
        self.value(at, signature)
    }

    /// The signature of a free function.
    pub fn signature(&self, name: &str) -> Option<syn::Signature> {
        let here = self.0.as_ref().filter(|h| !h.hidden.contains(name))?;
        let (_, signature) = here.file.function(name, here.at)?;
        syn::parse_str(signature).ok()
    }

    /// The type of a constant.
    pub fn constant(&self, name: &str) -> Option<Typed> {
        let here = self.0.as_ref().filter(|h| !h.hidden.contains(name))?;
        if let Some(float) = here.file.float(name, here.at) {
            return Some(Typed::Numbers(Ty::Float(float)));
        }
        let (at, text) = here.file.constant(name, here.at)?;
        let ty = match syn::parse_str(text).ok()? {
            Item::Const(c) => c.ty,
            Item::Static(s) => s.ty,
            _ => return None,
        };
        Some(Definitions::at(here.file.clone(), at, HashSet::new()).typed(&ty))
    }

    /// Whether a free function takes a few operations, and does nothing but compute.
    pub fn is_small(&self, name: &str) -> bool {
        let here = self.0.as_ref().filter(|h| !h.hidden.contains(name));
        here.is_some_and(|h| {
            h.file.function(name, h.at).is_some() && small::cost(&h.file, name).is_some()
        })
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

    fn find(&self, name: &str) -> Option<Found> {
        let here = self.0.as_ref().filter(|h| !h.hidden.contains(name))?;
        if let Some(known) = here.found.borrow().get(name) {
            return known.clone();
        }
        let found = here.read(name);
        let mut known = here.found.borrow_mut();
        known.insert(name.to_string(), found.clone());
        found
    }
}

impl Here {
    fn read(&self, name: &str) -> Option<Found> {
        let (at, text, copy) = self.file.item(name, self.at)?;
        Some(Found {
            item: Rc::new(syn::parse_str(text).ok()?),
            copy,
            names: Definitions::at(self.file.clone(), at, HashSet::new()),
        })
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

/// The names of generic parameters and items inside of an item, and those that it imports.
#[derive(Default)]
pub struct Hidden(HashSet<String>);

impl<'a> Visit<'a> for Hidden {
    fn visit_type_param(&mut self, p: &'a syn::TypeParam) {
        self.0.insert(p.ident.to_string());
        visit::visit_type_param(self, p);
    }
    fn visit_item_struct(&mut self, s: &'a syn::ItemStruct) {
        self.0.insert(s.ident.to_string());
    }
    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.0.insert(f.sig.ident.to_string());
        visit::visit_item_fn(self, f);
    }
    fn visit_item_enum(&mut self, e: &'a syn::ItemEnum) {
        self.0.insert(e.ident.to_string());
    }
    fn visit_item_const(&mut self, c: &'a syn::ItemConst) {
        self.0.insert(c.ident.to_string());
    }
    fn visit_item_static(&mut self, s: &'a syn::ItemStatic) {
        self.0.insert(s.ident.to_string());
    }
    fn visit_const_param(&mut self, p: &'a syn::ConstParam) {
        self.0.insert(p.ident.to_string());
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

/// Whether a type names a type parameter.
fn generic(generics: &syn::Generics, ty: &Type) -> bool {
    let names = generics.type_params().map(|p| p.ident.to_string());
    let names: HashSet<String> = names.collect();
    crate::syntax::tokens_mention(quote::ToTokens::to_token_stream(ty), &names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::Member;

    const BESIDE: &str = "
        type Row = [f32; 3];
        struct Grid<const N: usize> { w: usize, u: Vec<Row>, v: Rows<N>, #[constant] k: f64, deep: Box<Inner> }
        type Rows<const N: usize> = Vec<[f64; N]>;
        struct Inner(Vec<f64>, (f64, String));
        struct Generic<T> { x: T, y: f64 }
        type Odd<T> = Vec<T>;";

    fn numbers(path: &[&str], of: &str) -> Option<String> {
        let names = Definitions::of_text(BESIDE.into(), |_| {});
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
        let item: syn::ItemFn = syn::parse_quote!(
            fn f<Inner>(x: &Inner) {
                struct Row;
                use a::{b as Rows, Odd};
            }
        );
        let names = Definitions::of_text(BESIDE.into(), |v| visit::visit_item_fn(v, &item));
        for name in ["Inner", "Row", "Odd", "Rows"] {
            assert!(names.find(name).is_none(), "{name}");
        }
        assert!(names.find("Grid").is_some());
    }
}
