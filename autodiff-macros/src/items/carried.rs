//! The type parameters whose values carry a derivative: the function itself need not say so.
//!
//! ```text
//! fn apply<A>(a: A)                                    A itself is a value
//! impl<T: Scalar, A: Activation<T>> Dense<T, A>        a trait of the user's has methods: what a value is made of
//! fn loss<K: Eq, V>(by_key: &Table<K, V>)              nothing tells, and nothing is asked
//! ```

use super::{holds, Surface, Within};
use crate::syntax;
use proc_macro2::Ident;
use syn::{Generics, Type, TypeParamBound};

impl Surface<'_> {
    /// These parameters, those of the `impl` block among them.
    pub(super) fn carried_types(&self) -> Vec<&Ident> {
        let values: Vec<&Type> = self.active().filter_map(|(_, p)| p.value_ty()).collect();
        let mut parts = Vec::new();
        for t in &values {
            arguments(t, &mut parts);
        }
        if let syn::ReturnType::Type(_, t) = &self.sig.output {
            arguments(t, &mut parts);
        }
        let own = self.sig.generics.type_params().map(|t| &t.ident);
        let methods = of_users(&self.sig.generics);
        let own = own.filter(|i| {
            values.iter().any(|t| holds(t, i)) || methods.contains(i) && parts.contains(*i)
        });
        // An `impl` of a trait may ask for no more than the trait does.
        let outer = self.outer.filter(|_| self.within == Within::Type);
        let of_self = self.active().any(|(_, p)| p.is_self());
        let of_self = of_self || parts.iter().any(|i| i == "Self");
        let outer = outer.map(of_users).unwrap_or_default().into_iter();
        own.chain(outer.filter(|i| of_self || parts.contains(*i)))
            .collect()
    }
}

/// The names in a type, but for those in the type of a tensor, whose arguments are no values.
fn arguments(t: &Type, found: &mut Vec<Ident>) {
    struct Names<'a>(&'a mut Vec<Ident>);
    impl<'a> syn::visit::Visit<'a> for Names<'_> {
        fn visit_path_segment(&mut self, s: &'a syn::PathSegment) {
            self.0.push(s.ident.clone());
            if s.ident != "Tensor" {
                syn::visit::visit_path_segment(self, s);
            }
        }
    }
    syn::visit::Visit::visit_type(&mut Names(found), t);
}

/// The parameters that are bounded by a trait of a user, and by none of ours, which says itself what its values are.
fn of_users(generics: &Generics) -> Vec<&Ident> {
    let is_ours = |path: &syn::Path| {
        let names = syntax::segments(path);
        let qualified = names.iter().any(|n| n == "ad" || n == "differentiable");
        qualified || names.last().is_some_and(|n| OURS.contains(&n.as_str()))
    };
    let ours = syntax::bounded(
        generics,
        |b| matches!(b, TypeParamBound::Trait(t) if is_ours(&t.path)),
    );
    let users = syntax::bounded(generics, |b| match b {
        TypeParamBound::Trait(t) => {
            let last = t.path.segments.last().map(|s| s.ident.to_string());
            last.is_some_and(|n| !STD.contains(&n.as_str()))
        }
        _ => false,
    });
    users.into_iter().filter(|i| !ours.contains(i)).collect()
}

/// Traits of ours.
const OURS: &[&str] = &[
    "Backend",
    "Differentiable",
    "Dim",
    "Elem",
    "Float",
    "FloatElem",
    "Fourier",
    "Images",
    "Linalg",
    "Number",
    "Scalar",
    "Shape",
    "StaticDim",
];

/// Traits of the standard library, which say nothing of a derivative.
const STD: &[&str] = &[
    "Add",
    "AddAssign",
    "Any",
    "AsMut",
    "AsRef",
    "Borrow",
    "BorrowMut",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deref",
    "DerefMut",
    "Display",
    "Div",
    "DivAssign",
    "DoubleEndedIterator",
    "Eq",
    "Error",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "FromStr",
    "Hash",
    "Index",
    "IndexMut",
    "Into",
    "IntoIterator",
    "Iterator",
    "Mul",
    "MulAssign",
    "Neg",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Product",
    "Rem",
    "RemAssign",
    "Send",
    "Sized",
    "Sub",
    "SubAssign",
    "Sum",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
];
