//! Names that stand for one variable each. A `macro_rules!` macro keeps its own variables apart from those whose names
//! it is given; the steps after this one compare names as text. So here a variable gets another name where two differ
//! only in where they come from, where its name is one of ours, and where it is written like a constant.

use super::formats;
use super::hygiene::{context, Context};
use crate::input::ctxt::Ctxt;
use crate::syntax;
use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Signature, Token};

/// A name, and where it comes from.
type Name = (String, Context);

/// Makes the names of variables and labels of a function unlike.
pub fn make_unlike(sig: &mut Signature, mut body: Option<&mut Block>, cx: &Ctxt) -> Renaming {
    let mut found = Found {
        like_constants: body.as_deref().map(like_constants).unwrap_or_default(),
        ..Found::default()
    };
    sig.inputs.iter().for_each(|arg| found.visit_fn_arg(arg));
    if let Some(body) = &body {
        found.visit_block(body);
    }
    found.check_items(cx);
    let all = || {
        let mut all = HashSet::new();
        names(sig.to_token_stream(), &mut all);
        if let Some(body) = &body {
            names(body.to_token_stream(), &mut all);
        }
        all
    };
    let mut renaming = found.renaming(all, cx);
    if !renaming.0.is_empty() {
        for arg in &mut sig.inputs {
            renaming.visit_fn_arg_mut(arg);
        }
        if let Some(body) = &mut body {
            renaming.visit_block_mut(body);
        }
    }
    renaming
}

/// Whether a variable is named as one of emitted code may be, and is none of ours.
fn is_awkward(name: &str, from: Context) -> bool {
    name.trim_start_matches('\'').starts_with("__") && from != context(Span::mixed_site())
}

fn names(tokens: TokenStream, found: &mut HashSet<String>) {
    for t in tokens {
        match t {
            TokenTree::Ident(i) => drop(found.insert(i.to_string())),
            TokenTree::Group(g) => names(g.stream(), found),
            _ => {}
        }
    }
}

/// What binds names, and what uses them.
#[derive(Default)]
struct Found {
    /// The order of the first places.
    bound: Vec<Name>,
    /// Uses, and whether the name is called there.
    used: Vec<(Ident, bool)>,
    labels: Vec<Name>,
    /// Constants of blocks inside.
    constants: Vec<Ident>,
    macros: Vec<(Ident, TokenStream)>,
    /// Variables that are written like constants.
    like_constants: HashSet<String>,
}

fn label_name(i: &Ident) -> Name {
    (format!("'{i}"), context(i.span()))
}

fn name_of(i: &Ident) -> Name {
    (i.to_string(), context(i.span()))
}

impl Found {
    fn bind(&mut self, ident: &Ident) {
        if *ident != "self" {
            let name = name_of(ident);
            if !self.bound.contains(&name) {
                self.bound.push(name);
            }
        }
    }

    fn pattern(&mut self, p: &syn::PatIdent) {
        if !syntax::is_constant(p) || self.like_constants.contains(&p.ident.to_string()) {
            self.bind(&p.ident);
        }
    }

    /// Names in tokens that are not parsed.
    fn tokens(&mut self, tokens: TokenStream) {
        each_name(tokens, &mut |i, called| self.used.push((i.clone(), called)));
    }

    /// Patterns in the tokens of a macro, as far as these are expressions, statements, or what `matches!` takes.
    fn patterns(&mut self, tokens: &TokenStream) {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let matches = |input: syn::parse::ParseStream<'_>| {
            input.parse::<Expr>()?;
            input.parse::<Token![,]>()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            input.parse::<TokenStream>()?;
            Ok(pat)
        };
        if let Ok(list) = list.parse2(tokens.clone()) {
            list.iter().for_each(|e| Bound(self).visit_expr(e));
        } else if let Ok(b) = syn::parse2::<Block>(quote::quote!({ #tokens })) {
            Bound(self).visit_block(&b);
        } else if let Ok(p) = matches.parse2(tokens.clone()) {
            Bound(self).visit_pat(&p);
        }
    }

    fn check_items(&self, cx: &Ctxt) {
        let is_bound = |i: &Ident| self.bound.contains(&name_of(i));
        for c in &self.constants {
            if self.bound.iter().any(|(name, _)| c == name) {
                cx.error(c, format!("`{c}` is the name of a variable and of a constant in this function: give one of the two another name"));
            }
        }
        for (name, rules) in &self.macros {
            let mut read = None;
            each_name(rules.clone(), &mut |i, _| {
                if is_bound(i) {
                    read.get_or_insert_with(|| i.clone());
                }
            });
            if let Some(read) = read {
                cx.error(&read, format!("the macro `{name}` names the variable `{read}` of a `#[differentiable]` function: pass it as an argument, or make the macro a closure"));
            }
        }
    }

    /// The new names that are needed.
    fn renaming(&self, all: impl Fn() -> HashSet<String>, cx: &Ctxt) -> Renaming {
        let mut contexts: BTreeMap<&str, Vec<Context>> = BTreeMap::new();
        for (name, context) in self.bound.iter().chain(&self.labels) {
            contexts.entry(name).or_default().push(*context);
        }
        let mut renaming = Renaming::default();
        let mut taken = None;
        // Names that stand for a function where they are called, and for the only variable of their text elsewhere:
        // other macros than `macro_rules!` make such.
        let (mut functions, mut elsewhere) = (HashSet::new(), Vec::new());
        for (ident, called) in &self.used {
            let Some(known) = contexts.get(ident.to_string().as_str()) else {
                continue;
            };
            let from = context(ident.span());
            if known.contains(&from) {
                continue;
            }
            match (*called, known.len()) {
                (true, _) => drop(functions.insert(ident.to_string())),
                (false, 1) => elsewhere.push((ident, from)),
                (false, _) => cx.error(ident, format!("several variables are named `{ident}` here, and it is not to be seen which one this is: give them names of their own")),
            }
        }
        for (name, contexts) in &contexts {
            let spare = is_awkward(name, contexts[0])
                || functions.contains(*name)
                || self.like_constants.contains(*name);
            for context in contexts.iter().skip(usize::from(!spare)) {
                let taken = taken.get_or_insert_with(&all);
                let fresh = fresh(name, taken);
                taken.insert(fresh.clone());
                renaming.0.insert((name.to_string(), *context), fresh);
            }
        }
        for (ident, from) in elsewhere {
            let text = ident.to_string();
            if functions.contains(&text) {
                continue;
            }
            let only = contexts[text.as_str()][0];
            if let Some(new) = renaming.0.get(&(text.clone(), only)).cloned() {
                renaming.0.insert((text, from), new);
            }
        }
        renaming
    }
}

/// A name that nothing else has.
fn fresh(name: &str, taken: &HashSet<String>) -> String {
    let base = name.trim_start_matches("r#").trim_start_matches('\'');
    let base = match base.trim_start_matches('_') {
        rest if rest.starts_with(char::is_uppercase) => &rest.to_lowercase(),
        rest if rest.starts_with(char::is_alphabetic) => rest,
        _ => "local",
    };
    let mut numbered = (1..).map(|k| format!("{base}_{k}"));
    numbered
        .find(|n| !taken.contains(n))
        .expect("a number that is not taken")
}

impl<'a> Visit<'a> for Found {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.pattern(p);
        visit::visit_pat_ident(self, p);
    }
    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        match (&*c.func, plain_name(&c.func)) {
            (_, Some(name)) => self.used.push((name.clone(), true)),
            (func, None) => self.visit_expr(func),
        }
        c.args.iter().for_each(|a| self.visit_expr(a));
    }
    fn visit_expr(&mut self, e: &'a Expr) {
        if let Some(name) = plain_name(e) {
            self.used.push((name.clone(), false));
        }
        visit::visit_expr(self, e);
    }
    fn visit_label(&mut self, l: &'a syn::Label) {
        let name = label_name(&l.name.ident);
        if !self.labels.contains(&name) {
            self.labels.push(name);
        }
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        self.tokens(m.tokens.clone());
        self.patterns(&m.tokens);
    }
    // Types name no variables.
    fn visit_type(&mut self, _: &'a syn::Type) {}
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
    fn visit_item(&mut self, item: &'a syn::Item) {
        match item {
            syn::Item::Const(c) => self.constants.push(c.ident.clone()),
            syn::Item::Static(s) => self.constants.push(s.ident.clone()),
            syn::Item::Macro(m) => {
                if let Some(name) = &m.ident {
                    self.macros.push((name.clone(), m.mac.tokens.clone()));
                }
            }
            _ => {}
        }
    }
}

/// Only what binds.
struct Bound<'a>(&'a mut Found);

impl<'a> Visit<'a> for Bound<'_> {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.0.pattern(p);
        visit::visit_pat_ident(self, p);
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        self.0.patterns(&m.tokens);
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

fn plain_name(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) if p.qself.is_none() => p.path.get_ident().filter(|i| *i != "self"),
        _ => None,
    }
}

/// Calls `f` with each name in tokens that is no field, method or part of a path, and whether it is called.
fn each_name(tokens: TokenStream, f: &mut dyn FnMut(&Ident, bool)) {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, t) in all.iter().enumerate() {
        match t {
            TokenTree::Ident(name) if stands_alone(&all, i) => {
                let called = matches!(all.get(i + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                f(name, called);
            }
            TokenTree::Group(g) => each_name(g.stream(), f),
            TokenTree::Literal(l) => {
                for name in formats::names(&l.to_string()) {
                    f(&Ident::new(name, l.span()), false);
                }
            }
            _ => {}
        }
    }
}

/// Whether the name at this place may be that of a variable.
fn stands_alone(all: &[TokenTree], at: usize) -> bool {
    let punct =
        |t: Option<&TokenTree>, c: char| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == c);
    let before = |back: usize| at.checked_sub(back).and_then(|i| all.get(i));
    let field = punct(before(1), '.') && !punct(before(2), '.');
    let path = punct(before(1), ':') && punct(before(2), ':')
        || matches!(all.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Joint)
        || punct(all.get(at + 1), '!') && matches!(all.get(at + 2), Some(TokenTree::Group(_)));
    let lifetime = punct(before(1), '\'');
    !field && !path && !lifetime
}

/// New names of variables and labels.
#[derive(Default)]
pub struct Renaming(HashMap<Name, String>);

impl Renaming {
    pub fn rename(&self, ident: &mut Ident) {
        if self.0.is_empty() {
            return;
        }
        if let Some(new) = self.0.get(&name_of(ident)) {
            *ident = Ident::new(new, ident.span());
        }
    }

    /// The same in the arguments of an attribute.
    pub fn tokens(&self, tokens: TokenStream) -> TokenStream {
        if self.0.is_empty() {
            return tokens;
        }
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let renamed = all.iter().enumerate().map(|(i, t)| match t {
            TokenTree::Ident(name) if stands_alone(&all, i) => {
                let mut name = name.clone();
                self.rename(&mut name);
                name.into()
            }
            TokenTree::Group(g) => {
                let mut new = Group::new(g.delimiter(), self.tokens(g.stream()));
                new.set_span(g.span());
                new.into()
            }
            TokenTree::Literal(l) => self.format(l).into(),
            other => other.clone(),
        });
        renamed.collect()
    }

    /// `"{x}"`: a literal names variables too.
    fn format(&self, l: &Literal) -> Literal {
        let from = context(l.span());
        let new = |name: &str| self.0.get(&(name.to_string(), from)).cloned();
        let Some(text) = formats::renamed(&l.to_string(), &new) else {
            return l.clone();
        };
        let mut renamed: Literal = text.parse().expect("a literal");
        renamed.set_span(l.span());
        renamed
    }

    fn lifetime(&self, l: &mut syn::Lifetime) {
        if let Some(new) = self.0.get(&label_name(&l.ident)) {
            l.ident = Ident::new(new, l.ident.span());
        }
    }
}

impl VisitMut for Renaming {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        self.rename(&mut p.ident);
        visit_mut::visit_pat_ident_mut(self, p);
    }
    fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
        if p.qself.is_none() && p.path.get_ident().is_some() {
            self.rename(&mut p.path.segments[0].ident);
        }
    }
    fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
        visit_mut::visit_field_value_mut(self, f);
        if f.colon_token.is_none()
            && f.expr.to_token_stream().to_string() != f.member.to_token_stream().to_string()
        {
            f.colon_token = Some(Default::default());
        }
    }
    fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
        let before = f.pat.to_token_stream().to_string();
        visit_mut::visit_field_pat_mut(self, f);
        if f.colon_token.is_none() && f.pat.to_token_stream().to_string() != before {
            f.colon_token = Some(Default::default());
        }
    }
    fn visit_label_mut(&mut self, l: &mut syn::Label) {
        self.lifetime(&mut l.name);
    }
    fn visit_expr_break_mut(&mut self, b: &mut syn::ExprBreak) {
        b.label.iter_mut().for_each(|l| self.lifetime(l));
        visit_mut::visit_expr_break_mut(self, b);
    }
    fn visit_expr_continue_mut(&mut self, c: &mut syn::ExprContinue) {
        c.label.iter_mut().for_each(|l| self.lifetime(l));
    }
    fn visit_meta_list_mut(&mut self, m: &mut syn::MetaList) {
        m.tokens = self.tokens(std::mem::take(&mut m.tokens));
    }
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        m.tokens = self.tokens(std::mem::take(&mut m.tokens));
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The variables of a function that are written like constants, `let Q = a * b;`. No constant can stand where a `let`
/// without `else`, a `for` or a closure binds a name, and none of that name is in scope.
fn like_constants(body: &Block) -> HashSet<String> {
    struct V(HashSet<String>);
    impl V {
        fn add(&mut self, p: &Pat) {
            struct Names<'a>(&'a mut HashSet<String>);
            impl<'a> Visit<'a> for Names<'_> {
                fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
                    self.0.insert(p.ident.to_string());
                    visit::visit_pat_ident(self, p);
                }
            }
            Names(&mut self.0).visit_pat(p);
        }
    }
    impl<'a> Visit<'a> for V {
        fn visit_local(&mut self, l: &'a syn::Local) {
            if l.init.as_ref().is_none_or(|i| i.diverge.is_none()) {
                self.add(&l.pat);
            }
            visit::visit_local(self, l);
        }
        fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
            self.add(&f.pat);
            visit::visit_expr_for_loop(self, f);
        }
        fn visit_expr_closure(&mut self, c: &'a syn::ExprClosure) {
            c.inputs.iter().for_each(|p| self.add(p));
            visit::visit_expr_closure(self, c);
        }
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut v = V(HashSet::new());
    v.visit_block(body);
    v.0.retain(|name| name.starts_with(char::is_uppercase));
    v.0
}
