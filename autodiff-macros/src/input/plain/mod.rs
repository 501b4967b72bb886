//! What the user wrote, made plain before it is differentiated: without invisible groups (`groups`), conditions (`cfg`)
//! and attributes (`attributes`), and with names that stand for one thing each (`names`, `scoped`), so that the steps
//! after this one may compare them as text. The function itself is passed on as it was written.

pub mod attributes;
pub mod cfg;
pub mod formats;
pub mod groups;
mod hygiene;
pub mod names;
mod parameters;
pub mod scoped;
mod types;

pub use cfg::Resolved;
pub use hygiene::context;

use crate::input::ctxt::Ctxt;
use names::Renaming;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use scoped::Scoped;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Generics, ImplItem, ItemImpl, Path, ReturnType, Signature, Type};

/// The function as it is differentiated.
pub fn function(sig: &mut Signature, mut body: Option<&mut Block>, cx: &Ctxt) -> Renaming {
    if let Some(body) = &mut body {
        attributes::strip(body, cx);
        crate::syntax::operands::hold_together(body);
    }
    parameters::name(sig, body.as_deref_mut());
    types::unwrap(sig, body.as_deref_mut());
    let renaming = names::make_unlike(sig, body.as_deref_mut(), cx);
    if !cx.has_scoped {
        return renaming;
    }
    let mut scoped = cx.scoped.borrow_mut();
    scoped.put_name_aside(&mut sig.ident);
    put_generics_aside(&mut sig.generics, &mut scoped);
    let mut put_aside = |tokens: TokenStream| scoped.put_aside(tokens);
    aside(
        &mut sig.inputs,
        &mut put_aside,
        Punctuated::parse_terminated,
    );
    aside(&mut sig.output, &mut put_aside, ReturnType::parse);
    if let Some(body) = body {
        aside(body, &mut put_aside, Block::parse);
    }
    renaming
}

/// An `impl` block as its functions are differentiated; they are made plain one by one.
pub fn block(i: &ItemImpl, cx: &Ctxt) -> ItemImpl {
    let mut i = i.clone();
    if !cx.has_scoped {
        return i;
    }
    let mut scoped = cx.scoped.borrow_mut();
    put_generics_aside(&mut i.generics, &mut scoped);
    let mut put_aside = |tokens: TokenStream| scoped.put_aside(tokens);
    aside(&mut *i.self_ty, &mut put_aside, Type::parse);
    if let Some((path, _)) = &mut i.trait_ {
        aside(path, &mut put_aside, Path::parse);
    }
    for item in &mut i.items {
        if let ImplItem::Type(t) = item {
            aside(&mut t.ty, &mut put_aside, Type::parse);
        }
    }
    i
}

/// Puts the names aside that generics declare.
fn put_generics_aside(generics: &mut Generics, scoped: &mut Scoped) {
    struct Declared<'a>(&'a mut Scoped);
    impl VisitMut for Declared<'_> {
        fn visit_type_param_mut(&mut self, p: &mut syn::TypeParam) {
            self.0.put_name_aside(&mut p.ident);
            visit_mut::visit_type_param_mut(self, p);
        }
        fn visit_const_param_mut(&mut self, p: &mut syn::ConstParam) {
            self.0.put_name_aside(&mut p.ident);
        }
        fn visit_type_path_mut(&mut self, p: &mut syn::TypePath) {
            if let (None, Some(first)) = (&p.qself, p.path.segments.first_mut()) {
                if first.ident != "ad" {
                    self.0.put_name_aside(&mut first.ident);
                }
            }
            visit_mut::visit_type_path_mut(self, p);
        }
    }
    Declared(scoped).visit_generics_mut(generics);
}

/// Puts the names of a part of a function aside.
fn aside<T: ToTokens>(
    part: &mut T,
    put_aside: &mut dyn FnMut(TokenStream) -> TokenStream,
    parser: fn(ParseStream<'_>) -> syn::Result<T>,
) {
    if let Ok(parsed) = parser.parse2(put_aside(part.to_token_stream())) {
        *part = parsed;
    }
}

/// The arguments of an attribute and its item without invisible groups and conditions.
pub fn item(attribute: &str, args: TokenStream, item: TokenStream) -> Resolved {
    let item = groups::made_visible(item);
    cfg::resolve(attribute, args, item)
}

/// Whether an item has an attribute that only we know, or one that is decided here.
pub fn mentions_ours(tokens: TokenStream) -> bool {
    const OURS: [&str; 6] = [
        "constant",
        "no_grad",
        "wrt",
        "checkpoint",
        "cfg",
        "cfg_attr",
    ];
    mentions_attribute(tokens, &OURS)
}

/// Whether there is an attribute of one of these names.
fn mentions_attribute(tokens: TokenStream, names: &[&str]) -> bool {
    let mut hash = false;
    tokens.into_iter().any(|t| {
        let is_hash = matches!(&t, TokenTree::Punct(p) if "#!".contains(p.as_char()));
        let after_hash = std::mem::replace(&mut hash, is_hash);
        let TokenTree::Group(g) = t else { return false };
        let named = |t| matches!(t, TokenTree::Ident(i) if names.iter().any(|n| i == n));
        let attribute = after_hash && g.delimiter() == Delimiter::Bracket;
        attribute && g.stream().into_iter().next().is_some_and(named)
            || mentions_attribute(g.stream(), names)
    })
}
