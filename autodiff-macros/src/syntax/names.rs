//! Names of ours, and several things as one.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, ToTokens};
use syn::Member;

/// One thing as it is, several as a tuple.
pub fn one_or_tuple<T: ToTokens>(all: impl IntoIterator<Item = T>) -> TokenStream {
    let all: Vec<T> = all.into_iter().collect();
    match all.as_slice() {
        [one] => one.to_token_stream(),
        all => quote!((#(#all),*)),
    }
}

/// The `k`th of `count` things that [`one_or_tuple`] put together.
pub fn nth_of(all: &TokenStream, k: usize, count: usize) -> TokenStream {
    let k = syn::Index::from(k);
    match count {
        1 => all.clone(),
        _ => quote!(#all.#k),
    }
}

/// With what the name of the position begins at which `split_at` parts a sequence, after `__`.
pub const SPLIT_AT: &str = "split";

/// An identifier of ours: it never meets a variable of the user.
pub fn ident(name: String) -> Ident {
    Ident::new(&name, Span::mixed_site())
}

pub fn derived(prefix: &str, name: &Ident) -> Ident {
    let name = name.to_string();
    ident(format!("{prefix}{}", name.trim_start_matches("r#")))
}

/// The number of a field's name, as a type can carry it: FNV-1a.
pub fn field_number(member: &Member) -> u64 {
    use syn::ext::IdentExt;
    let name = match member {
        Member::Named(n) => n.unraw().to_string(),
        Member::Unnamed(i) => i.index.to_string(),
    };
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
