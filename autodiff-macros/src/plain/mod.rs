//! What the user wrote, made plain before it is differentiated: without invisible groups (`groups`), conditions (`cfg`)
//! and attributes (`attributes`), and with names that stand for one thing each (`names`, `scoped`), so that the steps
//! after this one may compare them as text. The function itself is passed on as it was written.

pub mod attributes;
pub mod cfg;
mod formats;
pub mod groups;
mod hygiene;
pub mod names;

pub use cfg::Resolved;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The arguments of an attribute and its item without invisible groups and conditions.
pub fn item(attribute: &str, args: TokenStream, item: TokenStream) -> Resolved {
    let item = groups::made_visible(item);
    cfg::resolve(attribute, args, item)
}

/// Whether an item has an attribute that only we know.
pub fn mentions_ours(tokens: TokenStream) -> bool {
    const OURS: [&str; 3] = ["constant", "no_grad", "checkpoint"];
    tokens.into_iter().any(|t| match t {
        TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket => {
            let first = g.stream().into_iter().next();
            matches!(first, Some(TokenTree::Ident(i)) if OURS.iter().any(|o| i == o))
                || mentions_ours(g.stream())
        }
        TokenTree::Group(g) => mentions_ours(g.stream()),
        _ => false,
    })
}
