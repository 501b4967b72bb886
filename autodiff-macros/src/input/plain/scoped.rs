//! Names of modules, functions and types of the user that emitted code declares for itself: `ad`, and those in `__`.
//! Where the user's item has one, it is put aside while its derivative is written; after that it gets its name back,
//! and what emitted code named like it another.

use super::hygiene::context;
use proc_macro2::{Group, Ident, Spacing, Span, TokenStream, TokenTree};
use std::collections::HashMap;

/// The module of the runtime in emitted code.
const RUNTIME: &str = "ad";

/// Names that are put aside, and what stands for them.
#[derive(Default)]
pub struct Scoped(HashMap<String, String>);

/// Whether emitted code may declare this name.
fn is_declared(name: &str) -> bool {
    name.starts_with("__") && name != "__" || name == RUNTIME || name == "AnyScalar"
}

impl Scoped {
    /// Puts aside the names in tokens.
    pub fn put_aside(&mut self, tokens: TokenStream) -> TokenStream {
        let mut found = Vec::new();
        each(&tokens, &mut |i| found.push(i.to_string()));
        if found.is_empty() {
            return tokens;
        }
        let text = tokens.to_string();
        for name in &found {
            self.stand_in(name, &text);
        }
        map(tokens, &mut |all, at| {
            let TokenTree::Ident(i) = &all[at] else {
                return None;
            };
            let free = is_head(all, at);
            let new = self.0.get(&i.to_string()).filter(|_| free)?;
            Some(Ident::new(new, i.span()))
        })
    }

    fn stand_in(&mut self, name: &str, text: &str) -> &str {
        let new = || stand_in(name, text);
        self.0.entry(name.to_owned()).or_insert_with(new)
    }

    /// Puts aside the name of a function or a generic parameter, where it is declared.
    pub fn put_name_aside(&mut self, name: &mut Ident) {
        let text = name.to_string();
        if is_declared(&text) && context(name.span()) != ours() {
            *name = Ident::new(self.stand_in(&text, ""), name.span());
        }
    }

    /// Gives the names back, and other names to what is ours.
    pub fn give_back(&self, tokens: TokenStream) -> TokenStream {
        if self.0.is_empty() {
            return tokens;
        }
        map(tokens, &mut |all, at| {
            let TokenTree::Ident(i) = &all[at] else {
                return None;
            };
            let text = i.to_string();
            if self.0.contains_key(&text) {
                return is_local(all, at).then(|| Ident::new(&format!("{text}_of_ours"), i.span()));
            }
            let (name, aside) = self.0.iter().find(|(_, aside)| text.contains(*aside))?;
            Some(Ident::new(&text.replace(aside, name), i.span()))
        })
    }
}

/// A name like this one, that is none of ours and not in the text.
fn stand_in(name: &str, text: &str) -> String {
    let base = name.trim_start_matches('_');
    let upper = base.chars().all(|c| !c.is_lowercase());
    let suffix = if upper { "WRITTEN" } else { "written" };
    let base = if base.starts_with(char::is_alphabetic) {
        base
    } else {
        suffix
    };
    let mut numbered = (0..).map(|k| format!("{base}_{suffix}{k}"));
    numbered
        .find(|n| !text.contains(n))
        .expect("a number that is not taken")
}

/// Whether there is a name that has to be put aside.
pub fn has_any(tokens: &TokenStream) -> bool {
    let mut any = false;
    each(tokens, &mut |_| any = true);
    any
}

/// Calls `f` with each name that has to be put aside.
fn each(tokens: &TokenStream, f: &mut dyn FnMut(&Ident)) {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (at, t) in all.iter().enumerate() {
        match t {
            TokenTree::Ident(i) if is_declared(&i.to_string()) && is_head(&all, at) => f(i),
            TokenTree::Group(g) => each(&g.stream(), f),
            _ => {}
        }
    }
}

/// Replaces names.
fn map(
    tokens: TokenStream,
    new: &mut dyn FnMut(&[TokenTree], usize) -> Option<Ident>,
) -> TokenStream {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = Vec::with_capacity(all.len());
    for (at, t) in all.iter().enumerate() {
        out.push(match t {
            TokenTree::Ident(i) => new(&all, at).unwrap_or_else(|| i.clone()).into(),
            TokenTree::Group(g) => {
                let mut group = Group::new(g.delimiter(), map(g.stream(), new));
                group.set_span(g.span());
                group.into()
            }
            other => other.clone(),
        });
    }
    out.into_iter().collect()
}

fn punct(t: Option<&TokenTree>, c: char) -> bool {
    matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

fn before(all: &[TokenTree], at: usize, back: usize) -> Option<&TokenTree> {
    at.checked_sub(back).and_then(|i| all.get(i))
}

/// Whether a name is the first of a path, and no field, label or lifetime.
fn is_head(all: &[TokenTree], at: usize) -> bool {
    let TokenTree::Ident(i) = &all[at] else {
        return false;
    };
    let member = punct(before(all, at, 1), '.') && !punct(before(all, at, 2), '.');
    let tail = punct(before(all, at, 1), ':') && punct(before(all, at, 2), ':');
    let lifetime = punct(before(all, at, 1), '\'');
    let next = all.get(at + 1);
    let joint = matches!(next, Some(TokenTree::Punct(p)) if p.spacing() == Spacing::Joint);
    let path = punct(next, ':') && joint;
    let field = punct(next, ':') && !joint;
    // Others stand for our own variables.
    let written = *i == RUNTIME && path || *i != RUNTIME && context(i.span()) != ours();
    !member && !tail && !lifetime && !field && written
}

fn ours() -> u32 {
    match proc_macro::is_available() {
        true => context(Span::mixed_site()),
        false => u32::MAX,
    }
}

/// Whether a name of ours stands for something that emitted code declares beside it, and not for a part of the runtime.
fn is_local(all: &[TokenTree], at: usize) -> bool {
    let member = punct(before(all, at, 1), '.') && !punct(before(all, at, 2), '.');
    let tail = punct(before(all, at, 1), ':') && punct(before(all, at, 2), ':');
    let item = matches!(before(all, at, 1), Some(TokenTree::Ident(i)) if ["fn", "const", "type"].iter().any(|k| i == k));
    !member && !tail && !item
}
