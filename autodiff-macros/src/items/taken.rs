//! How constants of any type are taken over another scalar: as far as a type tells whether it can be written over one.

use super::Surface;
use crate::input::signature::ParamDecl;
use crate::syntax;
use crate::syntax::ty::Ty;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Generics, Type};

/// How a constant is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Taken {
    /// As it is, whatever the scalar is.
    Whole,
    /// Over the scalar where its type can be written so.
    ByType,
}

/// The type that tells how a constant is taken: of a slice that of its entries.
pub fn part(p: &ParamDecl) -> Option<&Type> {
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
        let known = syntax::ty_of(&Type::Path(t.clone())) != Ty::Unknown;
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
            let number = |n: &&str| syntax::has_name(&tokens, n);
            let mut consts = self.generics().flat_map(Generics::const_params);
            let fixed = consts.any(|c| syntax::has_name(&tokens, &c.ident.to_string()));
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
