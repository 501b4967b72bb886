//! The derivative inside of a variant, where the enum is in a field: a constant field has none, and only types tell.
//!
//! A derived enum has a method for it on its cotangent and on its tangent. What a struct has for a constant field gets
//! methods of the same names from a trait of the function, which give the mark itself:
//!
//! ```text
//! match net.act { Act::Leaky(k) => k * x, … }        d_net.act.__adj_Leaky_0()
//! ```

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeSet;

/// The trait of the methods that `body` calls, nothing if it calls none.
pub fn constant_lenses(body: &[&TokenStream]) -> TokenStream {
    let mut names = BTreeSet::new();
    for part in body {
        called((*part).clone(), &mut names);
    }
    if names.is_empty() {
        return TokenStream::new();
    }
    let methods = names.iter().map(|n| {
        let mutable =
            (!n.to_string().starts_with("__tan_") || is_tangent_mut(n)).then(|| quote!(mut));
        quote!(fn #n(&#mutable self) -> &#mutable Self { self })
    });
    quote! {
        trait __OfConstant { #(#[inline(always)] #methods)* }
        impl __OfConstant for ad::NoGrad {}
        impl __OfConstant for () {}
    }
}

/// The names of the methods `__adj_…`, `__tan_…` and `__tan_mut_…` of a part of the code.
fn called(tokens: TokenStream, names: &mut BTreeSet<Ident>) {
    for t in tokens {
        match t {
            TokenTree::Group(g) => called(g.stream(), names),
            TokenTree::Ident(n) if is_lens(&n) => {
                names.insert(n);
            }
            _ => {}
        }
    }
}

fn is_tangent_mut(name: &Ident) -> bool {
    name.to_string().starts_with("__tan_mut_")
}

/// Whether it is such a method; those of `Option` and `Result` come from a trait of the library.
fn is_lens(name: &Ident) -> bool {
    let name = name.to_string();
    let lens = ["__adj_", "__tan_"]
        .into_iter()
        .find_map(|p| name.strip_prefix(p));
    lens.is_some_and(|l| !matches!(l.trim_start_matches("mut_"), "Some_0" | "Ok_0"))
}
