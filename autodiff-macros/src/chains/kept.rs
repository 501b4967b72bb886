//! Iterators without a derivative, such as `text.chars()`: they run as written, and their items are counted.

use super::named::SOURCES;
use super::{one, Chains, Elements, Source};
use crate::syntax;
use proc_macro2::Ident;
use std::collections::HashSet;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::{parse_quote, Block, Expr, ExprMethodCall, Pat, Type};

/// Collections whose entries have no positions.
const KEYED: &[&str] = &[
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "HashMap",
    "HashSet",
    "LinkedList",
];

fn is_keyed(ty: &Type) -> bool {
    match ty {
        Type::Reference(r) => is_keyed(&r.elem),
        Type::Path(p) => names_keyed(&p.path),
        _ => false,
    }
}

fn names_keyed(path: &syn::Path) -> bool {
    let names = syntax::segments(path);
    names.iter().any(|s| KEYED.contains(&s.as_str()))
}

/// The names of such collections: by their types, or by the function that makes them.
pub(super) fn keyed(params: &[(&Ident, &Type)], body: &Block) -> HashSet<String> {
    struct V(HashSet<String>);
    impl<'a> Visit<'a> for V {
        fn visit_local(&mut self, l: &'a syn::Local) {
            let (pat, typed) = match &l.pat {
                Pat::Type(t) => (&*t.pat, is_keyed(&t.ty)),
                pat => (pat, false),
            };
            let made = l.init.as_ref().is_some_and(|i| match &*i.expr {
                Expr::Call(c) => match &*c.func {
                    Expr::Path(p) => names_keyed(&p.path),
                    _ => false,
                },
                _ => false,
            });
            if let (Pat::Ident(p), true) = (pat, typed || made) {
                self.0.insert(p.ident.to_string());
            }
            visit::visit_local(self, l);
        }
    }
    let of_type = params.iter().filter(|(_, ty)| is_keyed(ty));
    let mut v = V(of_type.map(|(name, _)| name.to_string()).collect());
    v.visit_block(body);
    v.0
}

/// Whether the value of a method is a collection, and no iterator: as far as its name tells.
fn is_value(m: &ExprMethodCall) -> bool {
    fn iterates(e: &Expr) -> bool {
        match e {
            Expr::MethodCall(m) => {
                let name = m.method.to_string();
                SOURCES.contains(&name.as_str()) || iterates(&m.receiver)
            }
            Expr::Paren(p) => iterates(&p.expr),
            Expr::Range(_) => true,
            Expr::Call(c) => super::maker(c).is_some(),
            _ => false,
        }
    }
    let name = m.method.to_string();
    !super::named::is_chained(&m.method)
        && !SOURCES.contains(&name.as_str())
        && !iterates(&m.receiver)
}

impl Chains<'_> {
    pub(super) fn is_keyed(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(p) => p
                .path
                .get_ident()
                .is_some_and(|i| self.keyed.contains(&i.to_string())),
            _ => false,
        }
    }

    /// The items of what a method gives that is none of iterators.
    pub(super) fn collected(&mut self, e: &Expr, m: &ExprMethodCall) -> Option<Source> {
        self.kept(e).or_else(|| {
            let value = is_value(m) && syntax::maybe_active(e, self.active);
            value.then(|| self.elements(e, Elements::Owned))
        })
    }

    /// The items of what iterates without a derivative.
    pub(super) fn kept(&mut self, e: &Expr) -> Option<Source> {
        if syntax::maybe_active(e, self.active) || syntax::mentions(e, self.active) {
            return None;
        }
        let by_ref = match e {
            Expr::Path(p) => p
                .path
                .get_ident()
                .is_some_and(|i| self.references.contains(&i.to_string())),
            _ => true,
        };
        let whole: Expr = match by_ref {
            true => e.clone(),
            // The variable stays for its other uses.
            false => parse_quote!(#e.clone()),
        };
        let items = self.fresh("items");
        // The reverse pass needs their number, and not the items: they may be references.
        let len = self.fresh("n");
        let setup = vec![
            parse_quote!(
                let #items = ::core::iter::IntoIterator::into_iter(#whole).collect::<::std::vec::Vec<_>>();
            ),
            parse_quote!(let #len = #items.len();),
        ];
        Some(Source {
            setup,
            len: Some(parse_quote!(#len)),
            item: Rc::new(move |k| one(parse_quote!(#items[#k].clone()))),
        })
    }
}
