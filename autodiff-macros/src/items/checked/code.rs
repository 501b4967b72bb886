//! Emitted code whose variables have types that are errors where the function has one.

use super::Checked;
use crate::emit::vjp::Emitted;
use crate::input::signature::ParamDecl;
use crate::syntax::names::{derived, ident};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

impl Checked {
    /// The names again, as values of types that are errors where the function has one.
    fn names(&self, names: impl Iterator<Item = Ident>) -> TokenStream {
        let (alias, names) = (self.alias(), names.collect::<Vec<_>>());
        quote!(#(let #names: #alias<_> = #names;)*)
    }

    /// Emitted code of the reverse mode that begins with the names of the parameters, of types like that.
    pub fn reverse(&self, e: &Emitted, params: &[ParamDecl]) -> Emitted {
        let lent = data(params).filter(|p| !p.by_mut && (p.by_ref || p.is_self()));
        let adjoints = data(params).map(|p| derived("d_", &name_of(p)));
        let names = lent.map(name_of).chain(adjoints);
        let again = self.names(names.chain([format_ident!("__ct")]));
        let code = &e.reverse;
        Emitted {
            reverse: quote!(#again #code),
            ..self.value(e, params)
        }
    }

    /// The same of code that computes a value.
    pub fn value(&self, e: &Emitted, params: &[ParamDecl]) -> Emitted {
        let names = self.names(data(params).map(name_of));
        let code = &e.forward;
        Emitted {
            forward: self.lets(quote!(#names #code)),
            ..e.clone()
        }
    }

    /// The same of the forward mode.
    pub fn forward(&self, e: &Emitted, params: &[ParamDecl]) -> Emitted {
        let tangents = data(params).map(|p| derived("t_", &name_of(p)));
        let (names, code) = (self.names(tangents), &e.forward);
        let with = Emitted {
            forward: quote!(#names #code),
            ..e.clone()
        };
        self.value(&with, params)
    }

    /// Code whose variables have such types, where those do not follow from the parameters': constructors, literals and
    /// branches.
    fn lets(&self, code: TokenStream) -> TokenStream {
        let all: Vec<TokenTree> = code.into_iter().collect();
        let mut out = TokenStream::new();
        let mut at = 0;
        while let Some(t) = all.get(at) {
            at += 1;
            match t {
                TokenTree::Ident(i) if i == "let" => {
                    let mutable = matches!(all.get(at), Some(TokenTree::Ident(i)) if i == "mut");
                    let to = at + usize::from(mutable);
                    out.extend([t.clone()]);
                    if begins_anew(&all[to..]) {
                        out.extend(all[at..=to].iter().cloned());
                        let ty = self.wrapped(&syn::parse_quote!(_));
                        out.extend(quote!(: #ty));
                        at = to + 1;
                    }
                }
                TokenTree::Group(g) => {
                    let mut inner = Group::new(g.delimiter(), self.lets(g.stream()));
                    inner.set_span(g.span());
                    out.extend([TokenTree::from(inner)]);
                }
                t => out.extend([t.clone()]),
            }
        }
        out
    }
}

/// The parameters that are no functions.
fn data(params: &[ParamDecl]) -> impl Iterator<Item = &ParamDecl> {
    params.iter().filter(|p| p.function.is_none())
}

/// The name that emitted code has for a parameter.
fn name_of(p: &ParamDecl) -> Ident {
    p.ident.clone().unwrap_or_else(|| ident("this".into()))
}

/// Whether `name = …;` is a value whose type does not follow from other variables: of the user or of ours that holds one.
fn begins_anew(code: &[TokenTree]) -> bool {
    let [name, TokenTree::Punct(p), first, ..] = code else {
        return false;
    };
    let name = match name {
        TokenTree::Ident(name) => name.to_string(),
        TokenTree::Group(_) => String::new(),
        _ => return false,
    };
    let upper = |i: &Ident| i.to_string().starts_with(char::is_uppercase);
    let starts = match first {
        TokenTree::Ident(i) => i == "if" || i == "match" || upper(i),
        TokenTree::Literal(_) => true,
        _ => false,
    };
    // What the reverse keeps of operands that are errors is one too.
    let keeps = name.starts_with("kept_");
    p.as_char() == '='
        && (!name.starts_with("__") || name == "__value")
        && !name.starts_with("w_")
        && (keeps || starts)
}
