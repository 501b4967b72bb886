//! Items inside of a body: functions, constants, types and imports.
//!
//! The companions have them once, beside each other: those of a free function in the block around its companions, those
//! of a method at the beginning of each. A function among them is annotated as the one around it, if it carries
//! derivatives and can be.

use crate::syntax;
use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, FnArg, Item, ItemFn, ReturnType, Stmt, Type};

/// Takes the items out of a body. `expand` is what becomes of an annotated function.
pub fn taken(body: &mut Block, expand: &dyn Fn(TokenStream) -> TokenStream) -> Vec<Item> {
    let mut taken = Taken {
        all: mentions(body.to_token_stream()),
        counts: HashMap::new(),
        items: Vec::new(),
        depth: 0,
    };
    let mut names = Declared::default();
    names.visit_block_mut(&mut body.clone());
    taken.counts = names.0;
    taken.visit_block_mut(body);
    taken
        .items
        .into_iter()
        .map(|i| annotated(i, expand))
        .collect()
}

/// The items among the statements of a body.
pub fn put_back(body: &mut Block, items: Vec<Item>) {
    body.stmts.splice(0..0, items.into_iter().map(Stmt::Item));
}

/// How often items have each name.
#[derive(Default)]
struct Declared(HashMap<String, usize>);

impl VisitMut for Declared {
    fn visit_item_mut(&mut self, i: &mut Item) {
        for name in names_of(i) {
            *self.0.entry(name).or_default() += 1;
        }
    }
}

struct Taken {
    /// How often each name stands in the body.
    all: HashMap<String, usize>,
    counts: HashMap<String, usize>,
    items: Vec<Item>,
    depth: usize,
}

impl VisitMut for Taken {
    fn visit_block_mut(&mut self, b: &mut Block) {
        self.depth += 1;
        visit_mut::visit_block_mut(self, b);
        self.depth -= 1;
        let inside = mentions(b.to_token_stream());
        // Outside of its block an item of another name could be meant.
        let alone = |name: &String| {
            let count = |of: &HashMap<String, usize>| of.get(name).copied().unwrap_or(0);
            count(&self.counts) <= 1 && (self.depth == 0 || count(&inside) == count(&self.all))
        };
        let mut kept = Vec::new();
        for s in std::mem::take(&mut b.stmts) {
            match s {
                Stmt::Item(i) if names_of(&i).iter().all(alone) && !matches!(i, Item::Macro(_)) => {
                    self.items.push(i);
                }
                s => kept.push(s),
            }
        }
        b.stmts = kept;
    }
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The names that an item brings.
fn names_of(i: &Item) -> Vec<String> {
    fn imported(t: &syn::UseTree, out: &mut Vec<String>) {
        match t {
            syn::UseTree::Path(p) => imported(&p.tree, out),
            syn::UseTree::Name(n) => out.push(n.ident.to_string()),
            syn::UseTree::Rename(r) => out.push(r.rename.to_string()),
            syn::UseTree::Group(g) => g.items.iter().for_each(|t| imported(t, out)),
            _ => {}
        }
    }
    match i {
        Item::Fn(f) => vec![f.sig.ident.to_string()],
        Item::Const(c) => vec![c.ident.to_string()],
        Item::Static(s) => vec![s.ident.to_string()],
        Item::Struct(s) => vec![s.ident.to_string()],
        Item::Enum(e) => vec![e.ident.to_string()],
        Item::Type(t) => vec![t.ident.to_string()],
        Item::Trait(t) => vec![t.ident.to_string()],
        Item::Mod(m) => vec![m.ident.to_string()],
        Item::Use(u) => {
            let mut out = Vec::new();
            imported(&u.tree, &mut out);
            out
        }
        _ => Vec::new(),
    }
}

fn mentions(tokens: TokenStream) -> HashMap<String, usize> {
    fn count(tokens: TokenStream, all: &mut HashMap<String, usize>) {
        for t in tokens {
            match t {
                TokenTree::Ident(i) => *all.entry(i.to_string()).or_default() += 1,
                TokenTree::Group(g) => count(g.stream(), all),
                _ => {}
            }
        }
    }
    let mut all = HashMap::new();
    count(tokens, &mut all);
    all
}

/// A function with its companions, if it carries derivatives, has none and can have some; else the item as it is.
fn annotated(mut i: Item, expand: &dyn Fn(TokenStream) -> TokenStream) -> Item {
    let Item::Fn(f) = &mut i else { return i };
    let ours = |a: &syn::Attribute| {
        let last = a.path().segments.last().map(|s| s.ident.to_string());
        matches!(last.as_deref(), Some("differentiable" | "derivative"))
    };
    if f.attrs.iter().any(ours) || !carries(f) {
        return i;
    }
    let expanded = expand(f.to_token_stream());
    match mentions(expanded.clone()).contains_key("compile_error") {
        true => i,
        false => Item::Verbatim(expanded),
    }
}

/// Whether a function takes and returns what may carry a derivative.
fn carries(f: &ItemFn) -> bool {
    let plain = |t: &Type| {
        syntax::ty_of(t).is_discrete() || matches!(t, Type::Path(p) if p.path.is_ident("String"))
    };
    let given = f.sig.inputs.iter().any(|a| match a {
        FnArg::Typed(t) => !plain(&t.ty),
        FnArg::Receiver(_) => false,
    });
    let changes = f.sig.inputs.iter().any(|a| {
        matches!(a, FnArg::Typed(t) if matches!(&*t.ty, Type::Reference(r) if r.mutability.is_some()))
    });
    given
        && match &f.sig.output {
            ReturnType::Default => changes,
            ReturnType::Type(_, t) => !plain(t) && !matches!(&**t, Type::Reference(_)),
        }
}

/// The items as they stand beside companions, where not all are used.
pub fn beside(items: &[Item]) -> TokenStream {
    let items = items.iter().map(|i| match i {
        Item::Verbatim(_) => i.to_token_stream(),
        i => quote!(#[allow(unused, dead_code)] #i),
    });
    quote!(#(#items)*)
}
