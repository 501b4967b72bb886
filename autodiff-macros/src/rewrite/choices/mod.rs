//! Functions that are chosen: tables of functions, and names for one of several.
//!
//! | written | becomes |
//! |---|---|
//! | `let g = square; g(x)` | `square(x)` |
//! | `let g = if c { square } else { cube }; g(x)` | `let g0 = if c { 0 } else { 1 }; match g0 { 0 => square(x), _ => cube(x) }` |
//! | `let table = [square, cube]; table[i](x)` | `match i { 0 => square(x), 1 => cube(x), _ => panic!(..) }` |
//! | `for g in table { g(x) }`, `table.iter().map(\|g\| g(x))` | the same over `0..2` |
//!
//! Which function it is stays a plain number, so that each call is one of a function with a name.

mod read;

use crate::input::ctxt::Ctxt;
use crate::syntax;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use read::{elements, is_mapped, name_of, plain, takes_one, Bind, Names};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, Pat, Stmt};

/// What a name is that stands for functions.
#[derive(Clone)]
struct Choice {
    /// The functions, by their names.
    of: Vec<Expr>,
    how: How,
}

#[derive(Clone)]
enum How {
    /// There is one.
    Only,
    /// The variable that says which.
    By(Ident),
    /// An array of them.
    Table,
}

/// The body with every choice of functions written out. `functions` are the parameters that are functions, `bound` all
/// parameters.
pub fn written_out(
    body: &Block,
    functions: HashSet<String>,
    bound: HashSet<String>,
    cx: &Ctxt,
) -> Block {
    let mut names = Names {
        bound,
        called: HashSet::new(),
        given: HashSet::new(),
    };
    names.visit_block(body);
    let mut body = body.clone();
    let mut choices = Choices {
        cx,
        names,
        functions,
        scopes: Vec::new(),
        count: 0,
        before: Vec::new(),
    };
    choices.visit_block_mut(&mut body);
    body
}

struct Choices<'a> {
    cx: &'a Ctxt,
    names: Names,
    functions: HashSet<String>,
    scopes: Vec<HashMap<String, Option<Choice>>>,
    count: usize,
    /// Closures that a choice needs names for.
    before: Vec<Stmt>,
}

impl Choices<'_> {
    fn fresh(&mut self, base: &str) -> Ident {
        self.count += 1;
        format_ident!("__{base}{}", self.count, span = Span::mixed_site())
    }

    fn find(&self, name: &str) -> Option<&Choice> {
        let found = self.scopes.iter().rev().find_map(|s| s.get(name));
        found.and_then(Option::as_ref)
    }

    /// Whether a name is used as a function may be.
    fn is_used(&self, name: &str) -> bool {
        self.names.called.contains(name) || self.names.given.contains(name)
    }

    fn is_closure(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// What is chosen where an expression has a function as its value: the expression with numbers in the place of
    /// functions.
    fn choice(&mut self, e: &Expr, of: &mut Vec<Expr>) -> Option<Expr> {
        let mut tail = |this: &mut Self, b: &Block| -> Option<Block> {
            match b.stmts.as_slice() {
                [Stmt::Expr(e, None)] => {
                    let e = this.choice(e, of)?;
                    Some(parse_quote!({ #e }))
                }
                _ => None,
            }
        };
        match plain(e) {
            Expr::Block(b) if b.label.is_none() => {
                let block = tail(self, &b.block)?;
                Some(parse_quote!(#block))
            }
            Expr::If(i) => {
                let mut i = i.clone();
                i.then_branch = tail(self, &i.then_branch)?;
                let (_, other) = i.else_branch.as_mut()?;
                **other = self.choice(other, of)?;
                Some(Expr::If(i))
            }
            Expr::Match(m) => {
                let mut m = m.clone();
                for arm in &mut m.arms {
                    *arm.body = self.choice(&arm.body, of)?;
                }
                Some(Expr::Match(m))
            }
            Expr::Path(p) if p.qself.is_none() => {
                let function = match name_of(plain(e)) {
                    Some(name) => match self.find(&name).cloned() {
                        Some(Choice { of, how: How::Only }) => of[0].clone(),
                        Some(_) => return None,
                        None if self.names.bound.contains(&name) && !self.is_closure(&name) => {
                            return None
                        }
                        None => plain(e).clone(),
                    },
                    None => plain(e).clone(),
                };
                let last = p.path.segments.last()?.ident.to_string();
                if !last.starts_with(|c: char| c.is_lowercase() || c == '_') {
                    return None;
                }
                Some(number_of(function, of))
            }
            Expr::Closure(c) => {
                let name = self.fresh("function");
                self.before.push(parse_quote!(let #name = #c;));
                self.functions.insert(name.to_string());
                Some(number_of(parse_quote!(#name), of))
            }
            _ => None,
        }
    }

    /// The choice that a `let` declares, and what takes its place.
    fn declared(&mut self, l: &syn::Local) -> Option<(String, Choice, Vec<Stmt>)> {
        let pat = match &l.pat {
            Pat::Type(t) => &*t.pat,
            pat => pat,
        };
        let Pat::Ident(p) = pat else {
            return None;
        };
        let init = l.init.as_ref().filter(|i| i.diverge.is_none())?;
        if p.mutability.is_some() || p.by_ref.is_some() {
            return None;
        }
        let name = p.ident.to_string();
        let (mut of, kept) = (Vec::new(), self.before.len());
        if let Some(all) = elements(&init.expr) {
            for e in &all {
                // The same function twice is two entries.
                let mut one = Vec::new();
                if self.choice(e, &mut one).is_none() || one.len() != 1 {
                    self.before.truncate(kept);
                    return None;
                }
                of.extend(one);
            }
            let before = self.before.split_off(kept);
            let table = Choice {
                of,
                how: How::Table,
            };
            return (!table.of.is_empty()).then_some((name, table, before));
        }
        if let Expr::Index(i) = plain(&init.expr) {
            let choice = self.find(&name_of(plain(&i.expr))?)?.clone();
            let (by, at, n) = (self.fresh("which"), &i.index, choice.of.len());
            let text = out_of_bounds(n);
            let how = match choice.how {
                How::Table => How::By(by.clone()),
                _ => return None,
            };
            let before = vec![
                parse_quote!(let #by: usize = #at;),
                parse_quote!(assert!(#by < #n, #text);),
            ];
            return Some((name, Choice { how, ..choice }, before));
        }
        if matches!(&*init.expr, Expr::Closure(_)) || !self.is_used(&name) {
            return None;
        }
        let Some(which) = self.choice(&init.expr, &mut of) else {
            self.before.truncate(kept);
            return None;
        };
        let mut before = self.before.split_off(kept);
        let how = match of.len() {
            1 => How::Only,
            _ => {
                let by = self.fresh("which");
                before.push(parse_quote!(let #by: usize = #which;));
                How::By(by)
            }
        };
        Some((name, Choice { of, how }, before))
    }

    /// A call with each of the functions.
    fn called(&mut self, choice: &Choice, which: &Expr, call: &dyn Fn(&Expr) -> Expr) -> Expr {
        let n = choice.of.len();
        let mut arms: Vec<syn::Arm> = Vec::new();
        for (k, f) in choice.of.iter().enumerate() {
            let value = call(f);
            let k = syn::LitInt::new(&k.to_string(), Span::mixed_site());
            arms.push(match choice.how {
                How::By(_) if arms.len() + 1 == n => parse_quote!(_ => #value,),
                _ => parse_quote!(#k => #value,),
            });
        }
        if let How::Table = choice.how {
            let text = out_of_bounds(n);
            arms.push(parse_quote!(_ => panic!(#text),));
        }
        parse_quote!(match #which { #(#arms)* })
    }

    /// `f(a, b)` and `table[i](a, b)` of a choice.
    fn call(&mut self, c: &syn::ExprCall) -> Option<Expr> {
        let func = plain(&c.func);
        let (choice, which) = match func {
            Expr::Index(i) => {
                let choice = match elements(&i.expr) {
                    Some(all) => {
                        let mut of = Vec::new();
                        for e in &all {
                            let mut one = Vec::new();
                            self.choice(e, &mut one).filter(|_| one.len() == 1)?;
                            of.extend(one);
                        }
                        Choice {
                            of,
                            how: How::Table,
                        }
                    }
                    None => self.find(&name_of(plain(&i.expr))?)?.clone(),
                };
                if !matches!(choice.how, How::Table) {
                    return None;
                }
                (choice, (*i.index).clone())
            }
            Expr::Path(_) => {
                let choice = self.find(&name_of(func)?)?.clone();
                let which = match &choice.how {
                    How::Only => parse_quote!(0),
                    How::By(name) => parse_quote!(#name),
                    How::Table => return None,
                };
                (choice, which)
            }
            _ => return None,
        };
        if let How::Only = choice.how {
            let mut c = c.clone();
            *c.func = choice.of[0].clone();
            return Some(Expr::Call(c));
        }
        let mut setup: Vec<Stmt> = Vec::new();
        let which = match which {
            Expr::Path(_) | Expr::Lit(_) => which,
            e => {
                let name = self.fresh("at");
                setup.push(parse_quote!(let #name = #e;));
                parse_quote!(#name)
            }
        };
        let mut args = Vec::new();
        for a in &c.args {
            args.push(match a {
                Expr::Path(_) | Expr::Lit(_) | Expr::Reference(_) | Expr::Closure(_) => a.clone(),
                e => {
                    let name = self.fresh("given");
                    setup.push(parse_quote!(let #name = #e;));
                    parse_quote!(#name)
                }
            });
        }
        let value = self.called(&choice, &which, &|f| parse_quote!(#f(#(#args),*)));
        Some(match setup.is_empty() {
            true => value,
            false => parse_quote!({ #(#setup)* #value }),
        })
    }

    /// `apply(f, x)`, `v.iter().map(f)`: a choice is passed on.
    fn passed(
        &mut self,
        args: &mut syn::punctuated::Punctuated<Expr, syn::Token![,]>,
        closure: bool,
    ) -> Option<(usize, Choice, Ident)> {
        for (k, a) in args.iter_mut().enumerate() {
            let Some(choice) = name_of(plain(a)).and_then(|n| self.find(&n).cloned()) else {
                continue;
            };
            match &choice.how {
                How::Only => *a = choice.of[0].clone(),
                How::By(_) if closure => {
                    let (given, f) = (self.fresh("given"), plain(a).clone());
                    *a = parse_quote!(|#given| #f(#given));
                }
                How::By(by) => {
                    let by = by.clone();
                    return Some((k, choice, by));
                }
                How::Table => {}
            }
        }
        None
    }

    /// The table whose items an expression goes through: then it goes through their numbers.
    fn numbered(&mut self, e: &mut Expr) -> Option<Choice> {
        match e {
            Expr::Paren(p) => self.numbered(&mut p.expr),
            Expr::Path(_) | Expr::Reference(_) => {
                let choice = self.find(&name_of(plain(e))?)?.clone();
                if !matches!(choice.how, How::Table) {
                    return None;
                }
                let n = syn::LitInt::new(&format!("{}usize", choice.of.len()), e.span());
                *e = parse_quote!((0usize..#n));
                Some(choice)
            }
            Expr::MethodCall(m) => {
                let start = m.method == "iter" || m.method == "into_iter";
                if let Some(choice) = self.numbered(&mut m.receiver) {
                    if start && matches!(&*m.receiver, Expr::Paren(_)) {
                        *e = (*m.receiver).clone();
                    }
                    return Some(choice);
                }
                m.args.iter_mut().find_map(|a| match a {
                    Expr::Closure(_) => None,
                    a => self.numbered(a),
                })
            }
            _ => None,
        }
    }

    /// The scope of a pattern, in which names that are called are of a table's functions: the pattern binds which.
    fn scope(
        &mut self,
        pats: &mut dyn Iterator<Item = &mut Pat>,
        table: Option<&Choice>,
    ) -> HashMap<String, Option<Choice>> {
        let mut scope = HashMap::new();
        for pat in pats {
            let names = syntax::pattern_names(pat);
            // An item that is all of the pattern may be given to a function too.
            let whole = names.len() == 1;
            for name in names {
                let used = self.names.called.contains(&name) || whole && self.is_used(&name);
                let choice = table.filter(|_| used).map(|t| {
                    let by = self.fresh("which");
                    Bind {
                        name: &name,
                        by: &by,
                    }
                    .visit_pat_mut(pat);
                    Choice {
                        of: t.of.clone(),
                        how: How::By(by),
                    }
                });
                scope.insert(name, choice);
            }
        }
        scope
    }

    fn within(&mut self, scope: HashMap<String, Option<Choice>>, then: impl FnOnce(&mut Self)) {
        self.scopes.push(scope);
        then(self);
        self.scopes.pop();
    }
}

fn out_of_bounds(n: usize) -> String {
    format!("index out of bounds: there are {n} functions in the table")
}

/// The number of a function among others.
fn number_of(f: Expr, of: &mut Vec<Expr>) -> Expr {
    let k = of.iter().position(|g| *g == f).unwrap_or_else(|| {
        of.push(f);
        of.len() - 1
    });
    let k = syn::LitInt::new(&format!("{k}usize"), Span::mixed_site());
    parse_quote!(#k)
}

impl VisitMut for Choices<'_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        self.scopes.push(HashMap::new());
        for mut s in std::mem::take(&mut b.stmts) {
            if let Stmt::Local(l) = &mut s {
                if let Some((name, choice, before)) = self.declared(l) {
                    for mut s in before {
                        self.visit_stmt_mut(&mut s);
                        b.stmts.push(s);
                    }
                    self.names_scope().insert(name, Some(choice));
                    continue;
                }
                self.visit_local_mut(l);
                for name in syntax::pattern_names(&l.pat) {
                    self.names_scope().insert(name, None);
                }
                b.stmts.push(s);
                continue;
            }
            self.visit_stmt_mut(&mut s);
            b.stmts.push(s);
        }
        self.scopes.pop();
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Call(c) => {
                if let Some(new) = self.call(c) {
                    *e = new;
                    return self.visit_expr_mut(e);
                }
                if let Some((k, choice, by)) = self.passed(&mut c.args, false) {
                    let c = c.clone();
                    *e = self.called(&choice, &parse_quote!(#by), &|f| {
                        let mut c = c.clone();
                        c.args[k] = f.clone();
                        Expr::Call(c)
                    });
                    return self.visit_expr_mut(e);
                }
            }
            Expr::ForLoop(f) => {
                let table = self.numbered(&mut f.expr);
                self.visit_expr_mut(&mut f.expr);
                let scope = self.scope(&mut std::iter::once(&mut *f.pat), table.as_ref());
                return self.within(scope, |this| this.visit_block_mut(&mut f.body));
            }
            Expr::Closure(c) => {
                let scope = self.scope(&mut c.inputs.iter_mut(), None);
                return self.within(scope, |this| this.visit_expr_mut(&mut c.body));
            }
            Expr::Match(m) => {
                self.visit_expr_mut(&mut m.expr);
                for arm in &mut m.arms {
                    let scope = self.scope(&mut std::iter::once(&mut arm.pat), None);
                    self.within(scope, |this| visit_mut::visit_arm_mut(this, arm));
                }
                return;
            }
            Expr::MethodCall(_) => return self.method(e, None),
            Expr::Path(_) => {
                let choice = name_of(e).and_then(|n| self.find(&n));
                let choice = choice.filter(|c| !matches!(c.how, How::Only));
                if let (Some(_), Some(name)) = (choice, name_of(e)) {
                    self.cx.error(&*e, format!("`{name}` stands for one of several functions: it can be called, given to a function, and, if it is a table, indexed and gone through. Write a closure, `|x| {name}(x)`, or pass the number of the function"));
                }
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Choices<'_> {
    fn names_scope(&mut self) -> &mut HashMap<String, Option<Choice>> {
        if self.scopes.is_empty() {
            self.scopes.push(HashMap::new());
        }
        self.scopes.last_mut().expect("one was pushed")
    }

    /// A method call, whose closures take items of a table if its receiver goes through one.
    fn method(&mut self, e: &mut Expr, table: Option<&Choice>) {
        if !matches!(e, Expr::MethodCall(_)) {
            return self.visit_expr_mut(e);
        }
        let found = match table {
            Some(table) => Some(table.clone()),
            None => self.numbered(e),
        };
        let Expr::MethodCall(m) = e else {
            return self.visit_expr_mut(e);
        };
        // What comes behind a `map` are values.
        let items = found.clone().filter(|_| !is_mapped(&m.receiver));
        self.method(&mut m.receiver, found.as_ref());
        let one = takes_one(&m.method);
        // The closures of other methods have arities of their own.
        self.passed(&mut m.args, one);
        for a in &mut m.args {
            match a {
                Expr::Closure(c) => {
                    let scope = self.scope(&mut c.inputs.iter_mut(), items.as_ref());
                    self.within(scope, |this| this.visit_expr_mut(&mut c.body));
                }
                a => self.visit_expr_mut(a),
            }
        }
    }
}
