//! Renames user variables apart inside Rust that is kept as written.

use crate::input::ctxt::Ctxt;
use crate::input::plain::formats;
use crate::ir::VarId;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat};

/// What a source name means.
pub struct Found {
    /// The name in emitted code.
    pub name: Ident,
    /// What is written in its stead, for an alias.
    pub place: Option<TokenStream>,
    /// The variables that are read.
    pub uses: Vec<VarId>,
}

/// Looks a source name up.
pub type Lookup<'a> = dyn Fn(&str) -> Option<Found> + 'a;

pub struct Renamer<'a> {
    pub lookup: &'a Lookup<'a>,
    pub uses: Vec<VarId>,
    /// Names bound inside the kept code: they hide ours.
    bound: HashSet<String>,
    /// Parameters of the closures around what is visited: they hide ours in them.
    parameters: Vec<String>,
    /// What the texts of a macro name that is no variable of its own: arguments that the macro gets besides.
    named: Vec<(Ident, TokenStream)>,
    cx: &'a Ctxt,
}

impl<'a> Renamer<'a> {
    pub fn new(cx: &'a Ctxt, lookup: &'a Lookup<'a>) -> Self {
        Renamer {
            lookup,
            uses: Vec::new(),
            bound: HashSet::new(),
            parameters: Vec::new(),
            named: Vec::new(),
            cx,
        }
    }

    pub fn expr(&mut self, e: &Expr) -> Expr {
        let mut e = e.clone();
        Bound(&mut self.bound).visit_expr_mut(&mut e);
        self.visit_expr_mut(&mut e);
        e
    }

    fn replace(&mut self, ident: &Ident) -> Option<TokenStream> {
        let name = ident.to_string();
        if self.parameters.contains(&name) {
            return None;
        }
        let Found {
            name: new,
            place,
            uses,
        } = (self.lookup)(&name)?;
        if self.bound.contains(&name) {
            if new != name || place.is_some() {
                self.cx.error(
                    ident,
                    format!("`{name}` is bound again inside this expression; give one of the two another name"),
                );
            }
            return None;
        }
        self.read(uses);
        if let Some(place) = place {
            return Some(place);
        }
        let mut new = new;
        if new == name {
            return Some(ident.to_token_stream());
        }
        new.set_span(ident.span().resolved_at(new.span()));
        Some(new.to_token_stream())
    }

    /// The arguments of a macro, with those that its texts name besides: `"{x}", x = *place`.
    fn arguments(&mut self, tokens: TokenStream) -> TokenStream {
        let around = std::mem::take(&mut self.named);
        let mut tokens = self.tokens(tokens);
        let named = std::mem::replace(&mut self.named, around);
        if named.is_empty() {
            return tokens;
        }
        let last = tokens.clone().into_iter().last();
        if !matches!(last, Some(TokenTree::Punct(p)) if p.as_char() == ',') {
            tokens.extend(quote::quote!(,));
        }
        let (names, places): (Vec<_>, Vec<_>) = named.into_iter().unzip();
        tokens.extend(quote::quote!(#(#names = #places),*));
        tokens
    }

    pub fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let (mut after_dot, mut in_macro) = (false, false);
        tokens
            .into_iter()
            .map(|t| {
                let field = after_dot;
                let arguments = in_macro;
                in_macro = matches!(&t, TokenTree::Punct(p) if p.as_char() == '!');
                after_dot = matches!(&t, TokenTree::Punct(p) if p.as_char() == '.');
                match t {
                    TokenTree::Ident(i) if !field => {
                        self.replace(&i).unwrap_or_else(|| i.to_token_stream())
                    }
                    TokenTree::Group(g) => {
                        let inner = match arguments {
                            true => self.arguments(g.stream()),
                            false => self.tokens(g.stream()),
                        };
                        let mut new = Group::new(g.delimiter(), inner);
                        new.set_span(g.span());
                        TokenTree::Group(new).into()
                    }
                    TokenTree::Literal(l) => TokenTree::Literal(self.format(l)).into(),
                    other => other.into(),
                }
            })
            .collect()
    }

    /// `"{x}"` names a variable inside a literal.
    fn format(&mut self, l: proc_macro2::Literal) -> proc_macro2::Literal {
        let text = l.to_string();
        let mut new = HashMap::new();
        for name in formats::names(&text) {
            if self.parameters.iter().any(|p| p == name) {
                continue;
            }
            let Some(found) = (self.lookup)(name) else {
                continue;
            };
            let unlike = found.name != name;
            if let (Some(place), false) = (&found.place, self.bound.contains(name)) {
                if !self.named.iter().any(|(n, _)| n == name) {
                    self.named
                        .push((quote::format_ident!("{name}"), place.clone()));
                }
                self.read(found.uses);
                continue;
            }
            if unlike && self.bound.contains(name) {
                self.cx.error(
                    &l,
                    format!("`{name}` names several variables in this function: write it as an argument, `{{}}\", {name}`"),
                );
            }
            self.read(found.uses);
            new.insert(name, found.name.to_string());
        }
        match formats::renamed(&text, &|name| new.get(name).cloned()) {
            Some(renamed) if renamed != text => {
                let mut renamed: proc_macro2::Literal = renamed.parse().expect("a literal");
                renamed.set_span(l.span());
                renamed
            }
            _ => l,
        }
    }

    fn read(&mut self, uses: Vec<VarId>) {
        for var in uses {
            if !self.uses.contains(&var) {
                self.uses.push(var);
            }
        }
    }
}

impl VisitMut for Renamer<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Path(p) = e {
            if let (None, Some(i)) = (&p.qself, p.path.get_ident().cloned()) {
                if let Some(new) = self.replace(&i) {
                    *e = syn::parse_quote!(#new);
                }
                return;
            }
        }
        if let Expr::Closure(c) = e {
            let outer = self.parameters.len();
            self.parameters
                .extend(c.inputs.iter().flat_map(crate::syntax::pattern_names));
            self.visit_expr_mut(&mut c.body);
            self.parameters.truncate(outer);
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }
    fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
        visit_mut::visit_field_value_mut(self, f);
        if f.colon_token.is_none() {
            f.colon_token = Some(Default::default());
        }
    }
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        m.tokens = self.arguments(std::mem::take(&mut m.tokens));
    }
}

struct Bound<'a>(&'a mut HashSet<String>);

impl VisitMut for Bound<'_> {
    fn visit_pat_mut(&mut self, p: &mut Pat) {
        self.0.extend(crate::syntax::pattern_names(p));
    }
    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        self.visit_expr_mut(&mut c.body);
    }
}
