//! Constants of any type over any scalar: see `autodiff-core/src/ad/higher/open.rs`.
//!
//! A constant of a type that has no derivative stays as it is. The macro sees names, and a struct may be marked or not:
//! whether its type can be written over the scalar is a constant (`ad::Has`) that chooses the type of the argument, and
//! method lookup decides what becomes of a value that is read. So emitted code is the same for both:
//!
//! | emitted | over the scalar |
//! |---|---|
//! | `c: &Contract` | `c: &<ad::Choice<{ Has::<Contract>::OVER }> as ad::OverOrNot<Contract, AnyScalar>>::Type` |
//! | `table: &HashMap<String, f64>` | as it stands |
//! | `c.strike * x` | `(&&&&&&&ad::Open::<AnyScalar, _>::of(&c.strike)).over() * x` |
//! | `g::__vjp(.., &c.market)` | `__over0::<AnyScalar>::__vjp(.., (&&&&&&&ad::Open::<AnyScalar, _>::of(&&c.market)).pass().give())` |
//! | `let leg = &c.legs[i];`, `match c.kind { .. }` | as it stands: what is bound is a part of a constant too ([`names`]) |

mod names;
mod read;

pub use names::Names;

use crate::input::signature::ParamDecl;
use crate::items::Surface;
use crate::syntax;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Generics, Type};

/// How a constant is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Taken {
    /// As it is, whatever the scalar is.
    Whole,
    /// Over the scalar where its type can be written so.
    ByType,
}

/// The types of constants that are taken as they are, and the names of the parameters.
#[derive(Clone, Debug, Default)]
pub struct Types {
    list: Vec<(String, Type, Taken)>,
    names: HashSet<String>,
}

impl Types {
    /// Those of the parameters of a function.
    pub fn of(surface: &Surface<'_>) -> Self {
        let mut types = Types::default();
        types.add(surface);
        types
    }

    pub fn add(&mut self, surface: &Surface<'_>) {
        for p in surface.params {
            let (Some(taken), Some(ty)) = (surface.taken(p), part(p)) else {
                continue;
            };
            self.names.extend(p.ident.as_ref().map(ToString::to_string));
            let key = key(ty);
            if !self.list.iter().any(|(k, ..)| *k == key) {
                self.list.push((key, ty.clone(), taken));
            }
        }
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        !self.list.is_empty()
    }

    fn find(&self, ty: &Type) -> Option<&(String, Type, Taken)> {
        if !self.any() {
            return None;
        }
        let key = key(ty);
        self.list.iter().find(|(k, ..)| *k == key)
    }

    /// The type of such a constant over the scalar.
    pub fn exchanged(&self, ty: &Type) -> Option<Type> {
        let (_, written, taken) = self.find(ty)?;
        Some(match taken {
            Taken::Whole => ty.clone(),
            Taken::ByType => over_or_not(written),
        })
    }

    /// Whether a parameter of a companion is such a constant.
    fn is_one(&self, name: &str, ty: &Type) -> bool {
        let mut ty = ty;
        if let Type::Reference(r) = ty {
            ty = &r.elem;
        }
        if let Type::Slice(s) = ty {
            ty = &s.elem;
        }
        self.names.contains(name) && self.find(ty).is_some()
    }
}

/// A type without the names of its lifetimes.
fn key(ty: &Type) -> String {
    struct Bare;
    impl VisitMut for Bare {
        fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
            r.lifetime = None;
            visit_mut::visit_type_reference_mut(self, r);
        }
        fn visit_lifetime_mut(&mut self, l: &mut syn::Lifetime) {
            l.ident = quote::format_ident!("_");
        }
    }
    let mut ty = ty.clone();
    Bare.visit_type_mut(&mut ty);
    ty.to_token_stream().to_string()
}

/// `ad::Choice<{ whether it can be written over any scalar }>`.
pub fn choice(ty: &impl ToTokens) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    quote!(#ad::Choice<{ use #ad::HasNot as _; <#ad::Has<#ty>>::OVER }>)
}

/// A type over the scalar, or the type itself.
pub fn over_or_not(ty: &impl ToTokens) -> Type {
    let choice = choice(ty);
    syn::parse_quote!(<#choice as ::differentiable::__rt::OverOrNot<::differentiable::__written!(#ty), AnyScalar>>::Type)
}

/// The type that tells how a constant is taken: of a slice that of its entries.
fn part(p: &ParamDecl) -> Option<&Type> {
    p.slice_of.as_ref().or(p.value_ty())
}

impl Surface<'_> {
    /// How a parameter is taken over another scalar, if it is a constant of any type.
    pub fn taken(&self, p: &ParamDecl) -> Option<Taken> {
        if !p.unread() || p.unlifted || p.by_mut || p.is_self() || p.function.is_some() {
            return None;
        }
        let mut found = Found {
            surface: self,
            taken: None,
            closed: false,
        };
        found.visit_type(part(p)?);
        found.taken.filter(|_| !found.closed)
    }

    /// A constant as an argument over another scalar.
    pub(super) fn open_argument(
        &self,
        p: &ParamDecl,
        s: &TokenStream,
        over: &TokenStream,
        value: &TokenStream,
    ) -> Option<TokenStream> {
        let ad = quote!(::differentiable::__rt);
        let (taken, ty) = (self.taken(p)?, part(p)?);
        Some(match taken {
            Taken::Whole => quote!(#ad::Unlifted(#value)),
            Taken::ByType => {
                let choice = choice(ty);
                quote!(<#choice as #ad::OpenArgument<'_, _, #s, #over>>::given(#value))
            }
        })
    }
}

/// Looks for types of users in that of a constant.
struct Found<'a> {
    surface: &'a Surface<'a>,
    taken: Option<Taken>,
    /// It is written over the scalar as that of a value with a derivative is.
    closed: bool,
}

impl Found<'_> {
    fn by_type(&mut self) {
        self.taken.get_or_insert(Taken::ByType);
    }
    /// The generics of the function and of its block.
    fn generics(&self) -> impl Iterator<Item = &Generics> {
        [&self.surface.sig.generics]
            .into_iter()
            .chain(self.surface.outer)
    }
}

impl<'a> Visit<'a> for Found<'_> {
    fn visit_type(&mut self, t: &'a Type) {
        match t {
            Type::Reference(_) | Type::TraitObject(_) | Type::FnPtr(_) => {
                self.taken = Some(Taken::Whole);
            }
            Type::Macro(_) => {}
            _ => visit::visit_type(self, t),
        }
    }

    fn visit_type_path(&mut self, t: &'a syn::TypePath) {
        let Some(last) = t.path.segments.last() else {
            return;
        };
        let (name, is_plain) = (last.ident.to_string(), last.arguments.is_none());
        let known = syntax::ty_of(&Type::Path(t.clone())) != crate::ir::Ty::Unknown;
        let own = |i: &syn::Ident| t.path.is_ident(i);
        let parameter = self
            .generics()
            .flat_map(Generics::type_params)
            .any(|p| own(&p.ident));
        if parameter {
            // One of the scalar would be of another type over it.
            let fixed = self
                .generics()
                .all(|g| syntax::scalar_parameters(g).is_empty());
            match fixed {
                true => self.taken = Some(Taken::Whole),
                false => self.closed = true,
            }
        } else if t.qself.is_some() || name == "Self" {
            self.closed = true;
        } else if WHOLE.contains(&name.as_str()) {
            self.taken = Some(Taken::Whole);
        } else if MADE_OF.contains(&name.as_str()) {
            visit::visit_type_path(self, t);
        } else if !known && !PLAIN.contains(&name.as_str()) {
            let tokens = t.to_token_stream();
            let number = |n: &&str| super::check::mentions(&tokens, n);
            let mut consts = self.generics().flat_map(Generics::const_params);
            let fixed = consts.any(|c| super::check::mentions(&tokens, &c.ident.to_string()));
            let generic = !is_plain && (["f32", "f64"].iter().any(number) || fixed);
            drop(consts);
            match generic {
                // A type that is generic over its scalar.
                true => self.closed = true,
                false => self.by_type(),
            }
        }
    }
}

/// Types of the standard library that have no form over another scalar.
const WHOLE: &[&str] = &[
    "Arc", "BTreeMap", "BTreeSet", "Cell", "HashMap", "HashSet", "Rc", "RefCell", "VecDeque",
];
/// Types that are what their parts are.
const MADE_OF: &[&str] = &["Box", "Option", "Result", "Vec"];
/// Types without floats.
const PLAIN: &[&str] = &[
    "Duration",
    "Instant",
    "Ordering",
    "PathBuf",
    "PhantomData",
    "Range",
    "RangeInclusive",
    "String",
    "SystemTime",
    "Tensor",
    "str",
];
