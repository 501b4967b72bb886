//! What the user wrote, made plain before it is differentiated: without invisible groups (`groups`), conditions (`cfg`)
//! and attributes (`attributes`), and with names that stand for one thing each (`names`, `scoped`), so that the steps
//! after this one may compare them as text. The function itself is passed on as it was written.

pub mod attributes;
pub mod cfg;
mod formats;
pub mod groups;
mod hygiene;
pub mod names;
mod types;

pub use cfg::Resolved;

use crate::ctxt::Ctxt;
use names::Renaming;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Block, Signature};

/// The function as it is differentiated.
pub fn function(sig: &mut Signature, mut body: Option<&mut Block>, cx: &Ctxt) -> Renaming {
    if let Some(body) = &mut body {
        attributes::strip(body, cx);
    }
    types::unwrap(sig, body.as_deref_mut());
    names::make_unlike(sig, body, cx)
}

/// The arguments of an attribute and its item without invisible groups and conditions.
pub fn item(attribute: &str, args: TokenStream, item: TokenStream) -> Resolved {
    let item = groups::made_visible(item);
    cfg::resolve(attribute, args, item)
}

/// Whether an item has an attribute that only we know, or one that is decided here.
pub fn mentions_ours(tokens: TokenStream) -> bool {
    const OURS: [&str; 5] = ["constant", "no_grad", "checkpoint", "cfg", "cfg_attr"];
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
