//! Iterators without a derivative, such as `text.chars()`: they run as written, and their items are counted.

use super::named::SOURCES;
use super::{one, Chains, Elements, Item, Source, COPIES};
use crate::syntax;
use proc_macro2::Ident;
use std::collections::HashMap;
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

/// Whether a type is one of them, and if so whether its entries are pairs.
fn pairs(ty: &Type) -> Option<bool> {
    match ty {
        Type::Reference(r) => pairs(&r.elem),
        Type::Path(p) => pairs_of(&p.path),
        _ => None,
    }
}

fn pairs_of(path: &syn::Path) -> Option<bool> {
    let names = syntax::segments(path);
    let name = names.iter().find(|s| KEYED.contains(&s.as_str()))?;
    Some(name.ends_with("Map"))
}

/// The names of such collections, by their types or by the function that makes them, and whether their entries are
/// pairs.
pub(super) fn keyed(params: &[(&Ident, &Type)], body: &Block) -> HashMap<String, bool> {
    struct V(HashMap<String, bool>);
    impl<'a> Visit<'a> for V {
        fn visit_local(&mut self, l: &'a syn::Local) {
            let (pat, typed) = match &l.pat {
                Pat::Type(t) => (&*t.pat, pairs(&t.ty)),
                pat => (pat, None),
            };
            let made = l.init.as_ref().and_then(|i| match &*i.expr {
                Expr::Call(c) => match &*c.func {
                    Expr::Path(p) => pairs_of(&p.path),
                    _ => None,
                },
                _ => None,
            });
            if let (Pat::Ident(p), Some(pairs)) = (pat, typed.or(made)) {
                self.0.insert(p.ident.to_string(), pairs);
            }
            visit::visit_local(self, l);
        }
    }
    let of_type = params
        .iter()
        .filter_map(|(name, ty)| Some((name.to_string(), pairs(ty)?)));
    let mut v = V(of_type.collect());
    v.visit_block(body);
    v.0
}

/// Methods of slices that give iterators which are not followed.
pub const NOT_FOLLOWED: &[&str] = &[
    "array_windows",
    "chunk_by",
    "drain",
    "rchunks",
    "rchunks_exact",
    "rsplit",
    "split",
    "split_inclusive",
    "splitn",
];

/// Whether the value of a method is a collection, and no iterator: as far as its name tells.
pub(super) fn is_value(m: &ExprMethodCall) -> bool {
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
        && !NOT_FOLLOWED.contains(&name.as_str())
        && !iterates(&m.receiver)
}

impl Chains<'_> {
    pub(super) fn is_keyed(&self, e: &Expr) -> bool {
        self.pairs(e).is_some()
    }

    fn pairs(&self, e: &Expr) -> Option<bool> {
        match e {
            Expr::Path(p) => self.keyed.get(&p.path.get_ident()?.to_string()).copied(),
            _ => None,
        }
    }

    /// The items of what a method gives that is none of iterators.
    pub(super) fn collected(&mut self, e: &Expr, m: &ExprMethodCall) -> Option<Source> {
        self.kept(e).or_else(|| {
            let value = is_value(m) && syntax::maybe_active(e, &self.active);
            value.then(|| self.elements(e, Elements::Owned))
        })
    }

    /// The items of what iterates without a derivative.
    pub(super) fn kept(&mut self, e: &Expr) -> Option<Source> {
        if syntax::maybe_active(e, &self.active) || syntax::mentions(e, &self.active) {
            return None;
        }
        if let Some((x, how)) = self.lent(e) {
            return Some(self.copied_items(&x, &how));
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
        let items = self.fresh(COPIES);
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
            item: Rc::new(move |k| one(parse_quote!(::core::clone::Clone::clone(&#items[#k])))),
            range: None,
        })
    }

    /// A collection without positions whose entries are lent, and the method that lends them.
    fn lent(&self, e: &Expr) -> Option<(Expr, String)> {
        match e {
            Expr::Reference(r) if r.mutability.is_none() && self.is_keyed(&r.expr) => {
                Some(((*r.expr).clone(), "iter".into()))
            }
            Expr::MethodCall(m) if m.args.is_empty() && self.is_keyed(&m.receiver) => {
                let name = m.method.to_string();
                let lends = matches!(name.as_str(), "iter" | "keys" | "values");
                lends.then(|| ((*m.receiver).clone(), name))
            }
            Expr::Path(p) if self.is_keyed(e) => {
                let name = p.path.get_ident()?.to_string();
                let by_ref = self.references.contains(&name);
                by_ref.then(|| (e.clone(), "iter".into()))
            }
            _ => None,
        }
    }

    /// Copies of the entries, to which the items refer: a pullback may hold them.
    fn copied_items(&mut self, x: &Expr, how: &str) -> Source {
        let (items, len) = (self.fresh(COPIES), self.fresh("n"));
        let pairs = self.pairs(x) == Some(true) && how == "iter";
        let method = quote::format_ident!("{how}");
        let copies: Expr = match pairs {
            true => parse_quote!(map(|(k, v)| (
                ::core::clone::Clone::clone(k),
                ::core::clone::Clone::clone(v)
            ))),
            false => parse_quote!(cloned()),
        };
        let setup = vec![
            parse_quote!(let #items = #x.#method().#copies.collect::<::std::vec::Vec<_>>();),
            parse_quote!(let #len = #items.len();),
        ];
        let item: super::ItemAt = Rc::new(move |k| match pairs {
            true => Item::Pair(
                one(parse_quote!(&#items[#k].0)).into(),
                one(parse_quote!(&#items[#k].1)).into(),
            ),
            false => one(parse_quote!(&#items[#k])),
        });
        Source {
            setup,
            len: Some(parse_quote!(#len)),
            item,
            range: None,
        }
    }
}
