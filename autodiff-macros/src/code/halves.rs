//! Both halves of `split_at_mut` in one call.
//!
//! The halves are parts of one variable here, `v[..at]` and `v[at..]`, and Rust does not lend both at a time. A call with both
//! gets them from one `split_at_mut`, and halves of halves from several.

use crate::ir::Arg;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// An argument `&mut v[at..][..to]`, `&v[at..][k]` and so on.
struct Part {
    /// Its number among the arguments.
    argument: usize,
    mutable: bool,
    of: TokenStream,
    halves: Vec<Half>,
    /// Where it is in the last half.
    place: TokenStream,
}

struct Half {
    at: Ident,
    low: bool,
    /// As it is written.
    range: TokenTree,
}

/// A call with the tokens of these arguments, and commas between them. Without halves ([`parted`](crate::ir::parted)) they stay as
/// they are.
pub fn lent_apart<'a>(
    args: impl IntoIterator<Item = &'a Arg>,
    arguments: TokenStream,
    call: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    if !args.into_iter().any(|a| a.parted) {
        return call(arguments);
    }
    let mut split = Split {
        arguments: separated(arguments),
        code: TokenStream::new(),
        count: 0,
    };
    let parts = split.arguments.iter().enumerate().filter_map(part);
    let mut of_one: Vec<(String, Vec<Part>)> = Vec::new();
    for part in parts {
        let of = part.of.to_string();
        match of_one.iter_mut().find(|(other, _)| *other == of) {
            Some((_, parts)) => parts.push(part),
            None => of_one.push((of, vec![part])),
        }
    }
    let lent = |parts: &[Part]| parts.len() > 1 && parts.iter().any(|p| p.mutable);
    for (_, parts) in of_one.iter().filter(|(_, parts)| lent(parts)) {
        let all: Vec<&Part> = parts.iter().collect();
        split.lend(&parts[0].of, &all, 0);
    }
    let arguments = &split.arguments;
    let call = call(quote!(#(#arguments),*));
    let code = split.code;
    match code.is_empty() {
        true => call,
        false => quote!({ #code #call }),
    }
}

struct Split {
    arguments: Vec<TokenStream>,
    code: TokenStream,
    count: usize,
}

impl Split {
    /// Lends parts of a slice, of which the first `depth` halves are taken already. Parts that overlap stay as they are: Rust
    /// says so.
    fn lend(&mut self, of: &TokenStream, parts: &[&Part], depth: usize) {
        if parts.len() == 1 || parts.iter().all(|p| !p.mutable) {
            for part in parts {
                let ranges = part.halves[depth..].iter().map(|h| &h.range);
                let (mutable, place) = (part.mutable.then(|| quote!(mut)), &part.place);
                self.arguments[part.argument] = quote!(&#mutable #of[..] #(#ranges)* #place);
            }
            return;
        }
        let halves: Option<Vec<&Half>> = parts.iter().map(|p| p.halves.get(depth)).collect();
        let Some(halves) = halves else { return };
        let Half { at, range, .. } = halves[0];
        if halves.iter().any(|h| h.at != *at) {
            return;
        }
        let half = |low| -> Vec<&Part> {
            let of_half = parts.iter().filter(|p| p.halves[depth].low == low);
            of_half.copied().collect()
        };
        let (low, high) = (half(true), half(false));
        if low.is_empty() || high.is_empty() {
            return self.lend(&quote!(#of #range), parts, depth + 1);
        }
        let (below, above) = (
            format_ident!("__low{}", self.count),
            format_ident!("__high{}", self.count),
        );
        self.count += 1;
        self.code
            .extend(quote!(let (#below, #above) = #of[..].split_at_mut(#at);));
        self.lend(&quote!(#below), &low, depth + 1);
        self.lend(&quote!(#above), &high, depth + 1);
    }
}

/// What is between commas.
fn separated(tokens: TokenStream) -> Vec<TokenStream> {
    let mut all = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(p) if p.as_char() == ',' => all.push(TokenStream::new()),
            _ => all.last_mut().expect("one at least").extend([token]),
        }
    }
    if all.last().is_some_and(TokenStream::is_empty) {
        all.pop();
    }
    all
}

fn part((argument, tokens): (usize, &TokenStream)) -> Option<Part> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let (TokenTree::Punct(and), of) = tokens.split_first()? else {
        return None;
    };
    let mutable = matches!(of.first(), Some(TokenTree::Ident(i)) if i == "mut");
    let of = &of[usize::from(mutable)..];
    let first = of.iter().position(|t| half(t).is_some())?;
    let halves: Vec<Half> = of[first..].iter().map_while(half).collect();
    let beyond = first + halves.len();
    (and.as_char() == '&').then(|| Part {
        argument,
        mutable,
        of: of[..first].iter().cloned().collect(),
        halves,
        place: of[beyond..].iter().cloned().collect(),
    })
}

/// `[..at]` or `[at..]`
fn half(token: &TokenTree) -> Option<Half> {
    let TokenTree::Group(group) = token else {
        return None;
    };
    let brackets = group.delimiter() == Delimiter::Bracket;
    let range = brackets.then(|| syn::parse2(group.stream()).ok()).flatten();
    let (at, low) = crate::ir::half(&range?)?;
    Some(Half {
        at,
        low,
        range: token.clone(),
    })
}
