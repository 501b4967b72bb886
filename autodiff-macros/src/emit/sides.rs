//! The enum that says which side of a branch was taken: `ad::Either`, for many sides one of the core's `ad::Sides`, and
//! beyond what there are of these an enum of enums.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The largest of `ad::Sides`.
const MOST: usize = 16;

/// How the arms of a branch are divided: of each group where it starts, and how many arms it has.
pub fn groups(arms: usize) -> Vec<(usize, usize)> {
    if arms == 3 {
        return vec![(0, 1), (1, 2)];
    }
    let count = match arms {
        n if n <= MOST => n,
        n => n.div_ceil(MOST).min(MOST),
    };
    let start = |k: usize| k * (arms / count) + k.min(arms % count);
    (0..count)
        .map(|k| (start(k), start(k + 1) - start(k)))
        .collect()
}

/// The variant of an arm.
pub fn side(arm: usize, arms: usize, inner: TokenStream) -> TokenStream {
    if arms == 1 {
        return inner;
    }
    let groups = groups(arms);
    let holds = |&(start, len): &(usize, usize)| (start..start + len).contains(&arm);
    let group = groups.iter().position(holds).expect("it is in one");
    let (start, len) = groups[group];
    let inner = side(arm - start, len, inner);
    match (groups.len(), group) {
        (2, 0) => quote!(ad::Either::L(#inner)),
        (2, _) => quote!(ad::Either::R(#inner)),
        (n, k) => {
            let (name, variant) = (format_ident!("Sides{n}"), format_ident!("S{k}"));
            quote!(ad::#name::#variant(#inner))
        }
    }
}
