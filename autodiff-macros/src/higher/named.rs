//! Types that are written without their scalar, `Spring`, and what stands for them over any scalar.
//!
//! A name alone does not tell whether it is a type whose numbers are fixed or one that is generic over its scalar.
//! Its use as a type does: `s: &Spring` has no arguments, `b: &Body<f64>` has; so does the attribute,
//! `higher_order(Spring)`. So where the function names a type without arguments anywhere, the name is exchanged
//! everywhere, by an alias
//!
//! ```text
//! type __SpringOver<AnyScalar> = <Spring as ad::WithScalar<AnyScalar>>::Type;
//! ```
//!
//! | emitted | over the scalar `AnyScalar` |
//! |---|---|
//! | `Vec<Spring>` | `Vec<<Spring as ad::WithScalar<AnyScalar>>::Type>` |
//! | `Spring { k, ..s }`, `Pair(a, b)` | `__SpringOver::<AnyScalar> { k, ..s }`, `__PairOver::<AnyScalar> { 0: a, 1: b }` |
//! | `Spring::new(k)`, `Shape::Circle(r)` | `__SpringOver::<AnyScalar>::new(k)`, … |
//! | `match s { Shape::Circle(r) => … }` | `match s { __ShapeOver::<AnyScalar>::Circle(r) => … }` |
//! | `Spring { k }` of a type that is named nowhere | `Spring::__over_new::<AnyScalar>(k)`, which all derived types have |
//!
//! [`literals`](super::literals) writes the values and patterns.

use super::forms::is_upper;
use super::open::over_or_not;
use crate::items::checked::Checked;
use crate::items::Surface;
use crate::syntax;
use crate::syntax::has_name;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Generics, Pat, Path, PathArguments, Signature, Type};

/// What the attribute names where tensors are behind the names of other types: `higher_order(Tensor)`.
pub const TENSORS: &str = "Tensor";

/// The types that a function names.
#[derive(Debug)]
pub struct Named {
    fixed: Vec<Fixed>,
    /// Those with arguments.
    generic: HashSet<String>,
    /// The generics of the function.
    generics: Generics,
    /// Whether the body imports names: they may be of variants.
    imports: bool,
    /// Names in capitals that stand in patterns after a type: of variants, where others are of constants.
    variants: HashSet<String>,
    /// Types of constants, which are taken as they are unless they can be written over the scalar.
    chosen: HashSet<String>,
    /// Whether types go by the names that the derive gives them, as that of an `impl` must.
    by_name: bool,
    /// What makes types errors where the function has one.
    pub checked: Option<Checked>,
}

/// A type without its scalar.
#[derive(Debug)]
struct Fixed {
    key: String,
    path: Path,
    /// The type of the `impl` block, which is `Self`.
    own: bool,
}

/// What a path is of a type whose numbers are fixed.
pub(super) enum Part {
    /// The type.
    Whole(TokenStream),
    /// A variant or an associated function.
    Member(TokenStream),
}

impl Named {
    fn within(generics: Generics) -> Self {
        Named {
            fixed: Vec::new(),
            generic: HashSet::new(),
            generics,
            imports: false,
            variants: HashSet::new(),
            chosen: HashSet::new(),
            by_name: false,
            checked: None,
        }
    }

    /// Those in the signature and in the body of a function.
    pub fn new(sig: &Signature, body: Option<&syn::Block>) -> Self {
        let mut named = Named::within(sig.generics.clone());
        named.function(sig, body);
        named
    }

    /// Those of the functions of an `impl` block; `None` if its type is generic.
    pub fn of_block(block: &syn::ItemImpl) -> Option<Self> {
        let mut named = Named::within(block.generics.clone());
        let functions = || {
            block.items.iter().filter_map(|i| match i {
                syn::ImplItem::Fn(f) => Some(f),
                _ => None,
            })
        };
        for f in functions() {
            named.generics.params.extend(f.sig.generics.params.clone());
        }
        match &*block.self_ty {
            Type::Path(p) if p.qself.is_none() => named.add(&p.path, true),
            _ => return None,
        }
        if !named.any() || block.generics.type_params().next().is_some() {
            return None;
        }
        for f in functions() {
            named.function(&f.sig, Some(&f.block));
        }
        Some(named)
    }

    /// Those in a signature, by the names that the derive gives them over any scalar.
    pub fn by_name(sig: &Signature) -> Self {
        Named {
            by_name: true,
            ..Named::new(sig, None)
        }
    }

    fn function(&mut self, sig: &Signature, body: Option<&syn::Block>) {
        let named = self;
        for input in &sig.inputs {
            if let syn::FnArg::Typed(t) = input {
                named.visit_type(&t.ty);
            }
        }
        named.visit_return_type(&sig.output);
        named.visit_generics(&sig.generics);
        if let Some(body) = body {
            named.visit_block(body);
        }
    }

    /// The names of the generics that are constants.
    pub fn const_names(&self) -> HashSet<String> {
        let all = self.generics.const_params();
        all.map(|c| c.ident.to_string()).collect()
    }

    /// Whether a name in capitals after a type is that of a constant.
    pub fn is_constant(&self, name: &str) -> bool {
        is_upper(name) && !self.variants.contains(name)
    }

    /// Whether any type is fixed.
    pub fn any(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// Adds types that the attribute names.
    pub fn and(mut self, marked: &[Ident]) -> Self {
        for name in marked.iter().filter(|m| *m != TENSORS) {
            self.add(&name.clone().into(), false);
        }
        self
    }

    /// Finds the types that no value with a derivative has: those of constants.
    pub fn choose(&mut self, functions: &[&Surface<'_>]) {
        let (mut constants, mut others) = (
            Named::within(self.generics.clone()),
            Named::within(self.generics.clone()),
        );
        for f in functions {
            for p in f.params {
                let Some(ty) = p.value_ty() else { continue };
                match f.taken(p) {
                    Some(_) => constants.visit_type(ty),
                    None => others.visit_type(ty),
                }
            }
            others.visit_return_type(&f.sig.output);
        }
        let fixed = constants.fixed.into_iter();
        let only = fixed.filter(|c| others.find(&c.key).is_none());
        self.chosen.extend(only.map(|c| c.key));
    }

    /// Whether a path is one of a type of constants, of a variant of one or of a function of one.
    pub fn is_of_constants(&self, path: &Path) -> bool {
        let whole = key(path);
        let owner = whole.rsplit_once("::").map(|(of, _)| of);
        self.chosen.contains(&whole) || owner.is_some_and(|of| self.chosen.contains(of))
    }

    /// Whether the owner of a variant is named with arguments.
    pub fn is_generic(&self, path: &Path) -> bool {
        let whole = key(path);
        whole
            .rsplit_once("::")
            .is_some_and(|(of, _)| self.generic.contains(of))
    }

    /// The aliases, as items.
    pub fn aliases(&self) -> TokenStream {
        let fixed = self.fixed.iter().filter(|f| !f.own);
        let aliases = fixed.map(|f| {
            let (alias, path) = (f.alias(), &f.path);
            let consts = self.consts_of(path);
            let ty = match self.chosen.contains(&f.key) {
                true => over_or_not(path).into_token_stream(),
                false => self.with_scalar(path).into_token_stream(),
            };
            quote! {
                #[allow(dead_code, non_camel_case_types, private_interfaces)]
                type #alias<AnyScalar #(, #consts)*> = #ty;
            }
        });
        quote!(#(#aliases)*)
    }

    /// A type over the scalar, if it is fixed.
    pub fn exchanged(&self, p: &syn::TypePath) -> Option<Type> {
        if p.qself.is_some() || !self.is_plain(&p.path) {
            return None;
        }
        let found = self.find(&key(&p.path))?;
        let path = &p.path;
        if found.own {
            return Some(syn::parse_quote_spanned!(path.span()=> Self));
        }
        if self.chosen.contains(&found.key) {
            return Some(over_or_not(path));
        }
        if self.by_name || self.consts_of(path).next().is_some() {
            // In an associated type a parameter of the function would not be constrained.
            let path = over_any_scalar(path);
            return Some(syn::parse_quote!(#path));
        }
        Some(self.with_scalar(path))
    }

    fn with_scalar(&self, path: &Path) -> Type {
        let ty: Type = syn::parse_quote!(#path);
        let ty = self.checked.as_ref().map_or(ty.clone(), |c| c.of(&ty));
        syn::parse_quote_spanned!(path.span()=> <#ty as ::differentiable::__rt::WithScalar<AnyScalar>>::Type)
    }

    /// Whether a type has one in it that is fixed.
    pub fn is_in(&self, ty: &Type) -> bool {
        let mut inside = Named::within(self.generics.clone());
        inside.visit_type(ty);
        inside.any()
    }

    fn add(&mut self, path: &Path, own: bool) {
        let first = path.segments.first().map(|s| &s.ident);
        let param = |p: &syn::TypeParam| first == Some(&p.ident);
        let known = syntax::ty_of(&syn::parse_quote!(#path));
        let number = |c: &syn::ConstParam| first == Some(&c.ident);
        if first.is_some_and(|f| f == "Self")
            || self.generics.const_params().any(number)
            || self.generics.type_params().any(param)
            || known != crate::ir::Ty::Unknown
        {
            return;
        }
        let key = key(path);
        if !self.is_plain(path) {
            self.generic.insert(key);
        } else if self.find(&key).is_none() {
            let path = path.clone();
            self.fixed.push(Fixed { key, path, own });
        }
    }

    fn find(&self, key: &str) -> Option<&Fixed> {
        self.fixed.iter().find(|f| f.key == key)
    }

    /// Whether a path has no arguments but numbers.
    fn is_plain(&self, path: &Path) -> bool {
        let number = |a: &GenericArgument| match a {
            GenericArgument::Const(_) => true,
            GenericArgument::Type(Type::Path(p)) => p.path.get_ident().is_some_and(|i| {
                let name = i.to_string();
                self.generics.const_params().any(|c| c.ident == *i)
                    || (is_upper(&name) && name.len() > 1)
            }),
            _ => false,
        };
        path.segments.iter().all(|s| match &s.arguments {
            PathArguments::None => true,
            PathArguments::AngleBracketed(a) => a.args.iter().all(number),
            _ => false,
        })
    }

    /// The const parameters of the function that stand in a path.
    fn consts_of<'a>(&'a self, path: &Path) -> impl Iterator<Item = syn::ConstParam> + 'a {
        let tokens = path.to_token_stream();
        let used = move |c: &&syn::ConstParam| has_name(&tokens, &c.ident.to_string());
        self.generics.const_params().filter(used).map(|c| {
            let mut c = c.clone();
            c.default = None;
            c.attrs.clear();
            c
        })
    }

    /// What a path of a value or a pattern is.
    pub(super) fn part(&self, path: &Path) -> Option<Part> {
        let whole = key(path);
        let name = |f: &Fixed| {
            let span = path.span();
            if f.own {
                return quote_spanned!(span=> Self);
            }
            let (mut alias, consts) = (f.alias(), self.consts_of(&f.path).map(|c| c.ident));
            alias.set_span(span);
            quote_spanned!(span=> #alias::<AnyScalar #(, #consts)*>)
        };
        if let Some(f) = self.find(&whole) {
            return Some(Part::Whole(name(f)));
        }
        let (of, _) = whole.rsplit_once("::")?;
        let (name, last) = (name(self.find(of)?), path.segments.last()?);
        Some(Part::Member(quote!(#name::#last)))
    }

    /// Whether the name of a literal tells that the type has arguments, or is none of a struct.
    pub(super) fn is_open(&self, path: &Path) -> bool {
        let names = syntax::segments(path);
        let camel = |name: &String| name.starts_with(char::is_uppercase);
        let variant = names.len() > 1 && camel(&names[names.len() - 2]);
        let ours = names
            .iter()
            .any(|n| n.starts_with("__") || n == "ad" || n == "Self");
        let arguments = path.segments.iter().any(|s| !s.arguments.is_none());
        // Variants of generic types of the prelude.
        let prelude = names.len() == 1 && matches!(names[0].as_str(), "Some" | "Ok" | "Err");
        ours || variant
            || prelude
            || arguments
            || self.generic.contains(&key(path))
            || !names.last().is_some_and(camel)
    }
}

impl Fixed {
    fn alias(&self) -> Ident {
        let name = self.key.replace("::", "_").replace("r#", "");
        format_ident!("__{name}Over")
    }
}

/// The name that the derive gives to a type over any scalar: `GridOver<AnyScalar, N>` of `Grid<N>`.
pub fn over_any_scalar(path: &Path) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.ident = format_ident!("{}Over", last.ident);
        match &mut last.arguments {
            PathArguments::AngleBracketed(a) => a.args.insert(0, syn::parse_quote!(AnyScalar)),
            none => *none = PathArguments::AngleBracketed(syn::parse_quote!(<AnyScalar>)),
        }
    }
    path
}

/// A path without its arguments.
fn key(path: &Path) -> String {
    syntax::segments(path).join("::")
}

impl<'a> Visit<'a> for Named {
    fn visit_type_path(&mut self, t: &'a syn::TypePath) {
        if t.qself.is_none() {
            self.add(&t.path, false);
        }
        // An error has no derivative, and is the same over any scalar.
        let last = t.path.segments.last();
        if let Some(PathArguments::AngleBracketed(a)) =
            last.filter(|s| s.ident == "Result").map(|s| &s.arguments)
        {
            a.args
                .first()
                .into_iter()
                .for_each(|value| self.visit_generic_argument(value));
            return;
        }
        // Numbers among the arguments look like types.
        if t.qself.is_some() || !self.is_plain(&t.path) {
            visit::visit_type_path(self, t);
        }
    }
    fn visit_pat(&mut self, p: &'a Pat) {
        if let Pat::Path(path) = p {
            if path.path.segments.len() > 1 {
                let last = path.path.segments.last().map(|s| s.ident.to_string());
                self.variants.extend(last);
            }
        }
        visit::visit_pat(self, p);
    }
    // What is passed as a function has no value over a scalar.
    fn visit_type_impl_trait(&mut self, _: &'a syn::TypeImplTrait) {}
    fn visit_item(&mut self, i: &'a syn::Item) {
        self.imports |= matches!(i, syn::Item::Use(_));
    }
}
