//! Reads the attribute, and takes it out of what the user wrote.

use crate::input::ctxt::Ctxt;
use crate::syntax;
use crate::syntax::ranges::{has_let, is_stepped, peel_range};
use crate::syntax::writes::written_names;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Attribute, Block, Expr, Stmt, Token};

const NAME: &str = "checkpoint";
const MARK: &str = "__checkpoint";

const TAKES: &str = "`#[checkpoint]` of a loop takes one of `every = k`, `snapshots = s` and `memory = bytes`, or nothing";

/// `every = k`, or nothing.
struct Args(Option<(Ident, Expr)>);

impl Parse for Args {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.is_empty() {
            return Ok(Args(None));
        }
        let name: Ident = input.parse()?;
        let known = ["every", "snapshots", "memory"].iter().any(|n| name == n);
        if !known || !input.peek(Token![=]) {
            return Err(syn::Error::new_spanned(name, TAKES));
        }
        input.parse::<Token![=]>()?;
        let value = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        match input.is_empty() {
            true => Ok(Args(Some((name, value)))),
            false => Err(input.error(TAKES)),
        }
    }
}

fn args(a: &Attribute) -> syn::Result<Args> {
    match &a.meta {
        syn::Meta::Path(_) => Ok(Args(None)),
        _ => a.parse_args(),
    }
}

/// Removes the attribute from a list of them.
fn take(attrs: &mut Vec<Attribute>) -> Option<Attribute> {
    let at = attrs.iter().position(|a| a.path().is_ident(NAME))?;
    Some(attrs.remove(at))
}

/// Takes `#[checkpoint]` from the attributes of a function.
pub fn take_from_function(attrs: &mut Vec<Attribute>, cx: &Ctxt) -> Option<Span> {
    let attr = take(attrs)?;
    if !matches!(attr.meta, syn::Meta::Path(_)) {
        cx.error(&attr, "`#[checkpoint]` on a function takes nothing: it keeps the arguments and runs the function again; a number of snapshots is for loops");
    }
    let of_path = attr.path().get_ident();
    Some(of_path.map_or_else(Span::call_site, Ident::span))
}

/// Takes the attribute from the loops of a body.
pub fn strip(body: &mut Block) {
    let unheard = Ctxt::new();
    take_from_body(body, &unheard);
    let _ = unheard.check();
}

/// A body with marks in the place of the attributes.
pub struct Marked {
    pub body: Block,
    /// The names in each loop that has one.
    names: Vec<Vec<String>>,
}

impl Marked {
    /// No such loop may call a parameter that is a function.
    pub fn check_functions<'a>(&self, functions: impl Iterator<Item = &'a Ident>, cx: &Ctxt) {
        for f in functions {
            let inside = |names: &Vec<String>| names.iter().any(|n| f == n);
            if self.names.iter().any(inside) {
                cx.error(f, format!("a loop with `#[checkpoint]` runs again when the function `{f}` is not there any more: call a `#[differentiable]` function by its name in the loop, or leave out `#[checkpoint]`"));
            }
        }
    }
}

/// Takes the attribute from the loops of a body, and gives the body with marks in its place.
pub fn take_from_body(body: &mut Block, cx: &Ctxt) -> Marked {
    let mut loops = Loops {
        cx,
        names: Vec::new(),
        marks: true,
    };
    let mut marked = body.clone();
    loops.visit_block_mut(&mut marked);
    loops.marks = false;
    loops.visit_block_mut(body);
    Others(cx).visit_block(&marked);
    Marked {
        body: marked,
        names: loops.names,
    }
}

struct Loops<'a> {
    cx: &'a Ctxt,
    /// The names in each loop with the attribute.
    names: Vec<Vec<String>>,
    /// Leaves marks, and says what is wrong.
    marks: bool,
}

impl VisitMut for Loops<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let attr = match e {
            Expr::ForLoop(l) => take(&mut l.attrs),
            Expr::While(l) => take(&mut l.attrs),
            Expr::Loop(l) => take(&mut l.attrs),
            // An error, which is said once.
            Expr::If(i) if !self.marks => take(&mut i.attrs).and(None),
            Expr::Match(m) if !self.marks => take(&mut m.attrs).and(None),
            Expr::Block(b) if !self.marks => take(&mut b.attrs).and(None),
            _ => None,
        };
        if let Some(attr) = attr {
            match (args(&attr), self.marks) {
                (Ok(Args(found)), true) => self.mark(e, found),
                (Ok(Args(Some((_, value)))), false) => {
                    visit_mut::visit_expr_mut(self, e);
                    // The names in it are used here too.
                    *e = parse_quote!({ let _: usize = #value; #e });
                    return;
                }
                (Err(e), true) => self.cx.push(e),
                _ => {}
            }
        }
        visit_mut::visit_expr_mut(self, e);
    }
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        if !self.marks {
            take(&mut l.attrs);
        }
        visit_mut::visit_local_mut(self, l);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Loops<'_> {
    fn mark(&mut self, e: &mut Expr, found: Option<(Ident, Expr)>) {
        let mut names = Vec::new();
        syntax::identifiers(e.to_token_stream(), &mut names);
        self.names.push(names);
        let name = Ident::new(MARK, Span::mixed_site());
        let mark: Stmt = match found {
            Some((how, value)) => {
                let how = how.to_string();
                parse_quote!(let #name = (#how, #value);)
            }
            None => parse_quote!(let #name = ("", ());),
        };
        match e {
            Expr::ForLoop(f) => {
                if peel_range(&f.expr).is_none() && !is_stepped(&f.expr) {
                    self.cx.error(&f.expr, "a `for` loop with `#[checkpoint]` counts: loop over indices, `for i in 0..xs.len()`, and use `xs[i]`");
                }
                f.body.stmts.insert(0, mark);
            }
            Expr::While(w) if !has_let(&w.cond) && has_effects(&w.cond) => {
                // What the condition changes is part of a step.
                let (label, cond, body) = (&w.label, &w.cond, &w.body.stmts);
                *e = parse_quote!(#label loop { #mark if !(#cond) { break; } #(#body)* });
            }
            Expr::While(w) => w.body.stmts.insert(0, mark),
            Expr::Loop(l) => l.body.stmts.insert(0, mark),
            _ => unreachable!("a loop"),
        }
    }
}

/// Whether a condition may change something that it does not own.
fn has_effects(cond: &Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visit<'a> for Calls {
        fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
            // It may be a closure.
            self.0 |= matches!(&*c.func, Expr::Path(p) if p.path.get_ident().is_some());
            visit::visit_expr_call(self, c);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(cond);
    calls.0 || !written_names(cond).is_empty() || syntax::assigns(cond)
}

/// Says where the attribute has no meaning.
struct Others<'a>(&'a Ctxt);

impl<'a> Visit<'a> for Others<'_> {
    fn visit_attribute(&mut self, a: &'a Attribute) {
        if a.path().is_ident(NAME) {
            self.0.error(a, "`#[checkpoint]` is for loops, `for`, `while` and `loop`, and for functions, below `#[differentiable]`");
        }
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// Removes the mark from the body of a loop: what the attribute says, and with which number.
pub fn unmark(body: &mut Block) -> Option<(String, Expr)> {
    struct Find(Option<(String, Expr)>);
    impl VisitMut for Find {
        fn visit_block_mut(&mut self, b: &mut Block) {
            let found = b.stmts.iter().enumerate().find_map(|(i, s)| {
                let (name, value) = marked(s)?;
                Some((i, name, value))
            });
            if let Some((i, name, value)) = found {
                b.stmts.remove(i);
                self.0 = Some((name, value));
                return;
            }
            visit_mut::visit_block_mut(self, b);
        }
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            // Those have marks of their own.
            let other = matches!(
                e,
                Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_)
            );
            if !other && self.0.is_none() {
                visit_mut::visit_expr_mut(self, e);
            }
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let mut find = Find(None);
    find.visit_block_mut(body);
    find.0
}

/// Whether a `let` is a mark.
pub fn is_mark(l: &syn::Local) -> bool {
    matches!(&l.pat, syn::Pat::Ident(p) if p.ident == MARK)
}

/// Whether a loop in the body is marked.
pub fn marks(body: &Block) -> bool {
    struct Find(bool);
    impl<'a> Visit<'a> for Find {
        fn visit_local(&mut self, l: &'a syn::Local) {
            self.0 |= is_mark(l);
            visit::visit_local(self, l);
        }
    }
    let mut find = Find(false);
    find.visit_block(body);
    find.0
}

/// `let __checkpoint = ("every", k);`
fn marked(s: &Stmt) -> Option<(String, Expr)> {
    let Stmt::Local(l) = s else { return None };
    if !is_mark(l) {
        return None;
    }
    let Expr::Tuple(t) = &*l.init.as_ref()?.expr else {
        return None;
    };
    let (Some(Expr::Lit(name)), Some(value)) = (t.elems.first(), t.elems.get(1)) else {
        return None;
    };
    match &name.lit {
        syn::Lit::Str(name) => Some((name.value(), value.clone())),
        _ => None,
    }
}
