//! What is known of the functions of an `impl` block.

use crate::rewrite::desugar::optional::of_type;
use crate::rewrite::desugar::optional::Kinds;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};

/// What is known of the functions of an `impl` block.
#[derive(Debug, Default)]
pub struct Siblings {
    /// The last segment of the type's path.
    pub ty: Option<Ident>,
    /// For each method, whether it takes `&mut self`.
    methods: HashMap<String, bool>,
    /// For each function, which of its parameters behind `self` are references.
    references: HashMap<String, Vec<bool>>,
    kinds: Kinds,
}

/// The methods among functions, and whether they take `&mut self`.
fn methods<'a>(functions: impl Iterator<Item = &'a syn::Signature>) -> HashMap<String, bool> {
    let method = |sig: &syn::Signature| {
        let kind = &sig.receiver()?.kind;
        let by_mut = matches!(kind, syn::ReceiverKind::Reference(_, _, Some(_)));
        Some((sig.ident.to_string(), by_mut))
    };
    functions.filter_map(method).collect()
}

fn kinds<'a>(functions: impl Iterator<Item = &'a syn::Signature>) -> Kinds {
    let mut kinds = Kinds::new();
    for sig in functions {
        let syn::ReturnType::Type(_, ty) = &sig.output else {
            continue;
        };
        if let Some(kind) = of_type(ty) {
            let dot = if sig.receiver().is_some() { "." } else { "" };
            kinds.insert(format!("{dot}{}()", sig.ident), kind);
        }
    }
    kinds
}

fn references<'a>(
    functions: impl Iterator<Item = &'a syn::Signature>,
) -> HashMap<String, Vec<bool>> {
    let of = |sig: &syn::Signature| {
        let inputs = sig.inputs.iter().filter_map(|i| match i {
            syn::FnArg::Typed(t) => Some(matches!(&*t.ty, syn::Type::Reference(_))),
            syn::FnArg::Receiver(_) => None,
        });
        (sig.ident.to_string(), inputs.collect())
    };
    functions.map(of).collect()
}

impl Siblings {
    pub fn of(block: &syn::ItemImpl) -> Self {
        let ty = match &*block.self_ty {
            syn::Type::Path(p) => p.path.segments.last().map(|s| s.ident.clone()),
            _ => None,
        };
        let functions = block.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(f) => Some(&f.sig),
            _ => None,
        });
        Siblings {
            ty,
            methods: methods(functions.clone()),
            references: references(functions.clone()),
            kinds: kinds(functions),
        }
    }

    /// The same of a trait.
    pub fn of_trait(t: &syn::ItemTrait) -> Self {
        let functions = t.items.iter().filter_map(|item| match item {
            syn::TraitItem::Fn(f) => Some(&f.sig),
            _ => None,
        });
        Siblings {
            ty: None,
            methods: methods(functions.clone()),
            references: references(functions.clone()),
            kinds: kinds(functions),
        }
    }

    /// Whether the method of this name takes `&mut self`; `None` if there is no such method.
    pub fn takes_mut(&self, name: &str) -> Option<bool> {
        self.methods.get(name).copied()
    }

    /// The methods that take `&mut self`.
    pub fn mutating(&self) -> HashSet<String> {
        let methods = self.methods.iter().filter(|(_, changes)| **changes);
        methods.map(|(name, _)| name.clone()).collect()
    }

    /// What calls of the functions give, where that is an `Option` or a `Result`.
    pub fn kinds(&self) -> Kinds {
        self.kinds.clone()
    }

    /// Which parameters of a function are references, `self` not counted; none where there is no such function.
    pub fn references(&self, name: &str) -> &[bool] {
        self.references.get(name).map_or(&[], Vec::as_slice)
    }

    /// `Self::name` or `Type::name`.
    pub fn is_own(&self, path: &syn::Path) -> bool {
        let owner = path.segments.iter().rev().nth(1).map(|s| &s.ident);
        owner.is_some_and(|o| o == "Self" || self.ty.as_ref().is_some_and(|t| t == o))
    }

    /// The same where that is a method.
    pub fn is_method(&self, path: &syn::Path) -> bool {
        let name = path.segments.last().map(|s| s.ident.to_string());
        self.is_own(path) && name.is_some_and(|n| self.methods.contains_key(&n))
    }
}
