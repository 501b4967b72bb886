//! Rewrites syntax into less syntax, before anything is analysed.
//!
//! | written | becomes |
//! |---|---|
//! | `if let P = e { a } else { b }` | `match e { P => a, _ => b }` |
//! | `while let P = e { a }` | `loop { match e { P => a, _ => break } }` |
//! | `let P = e else { b }; rest` | `match e { P => { rest } _ => b }` |
//! | `let x = e?; rest` | `match e { Some(x) => { rest } None => return None }` |
//! | `let y; s` where `s` assigns `y` | `s` with the value of `y` kept for a `let` behind it |
//! | `if f(&mut a) { … }` | `{ let c = f(&mut a); if c { … } }`: see [`effects`] |
//! | `let (a, b) = (e, f);` | `let a = e; let b = f;` |
//! | `let (v, i) = x.topk::<1, 2>();` | `i` as a value without a derivative: see [`plain`] |
//! | `(a, b) = (b, a)` | `let t0 = b; let t1 = a; a = t0; b = t1;` |
//! | `o.map(f)`, `o.ok_or(e)`, … of an `Option` or a `Result` | `match`: see [`options`] |
//! | `x.sin_cos()`, `x.log(b)` | `(x.sin(), x.cos())`, `x.ln() / b.ln()` |
//! | `f64::from(x)` | `x as f64` |
//! | `g::jvp((x, t), c)`, `g::hvp((x, t), c)` | `g::__along(x, c, t)`, `g::__hvp(x, c, t)`: see [`along`] |
//! | `P { x, ..Default::default() }` | `P { x, ..P::default() }` |
//! | `x.zero_tangent()` | `no_grad!(x.zero_tangent())` |
//! | `array::from_fn(f)`, `s.try_into().unwrap()` | arrays of positions, mapped: see [`arrays`] |
//! | `v.swap(i, j)`, `v.fill(x)`, … | assignments and loops: see [`mutate`] |

mod along;
mod arrays;
mod block;
pub mod call_kinds;
mod effects;
mod elements;
mod extended;
mod mapped;
mod mutate;
mod numbers;
pub mod optional;
mod plain;
pub mod question;
mod rearrange;
mod tuples;
mod units;

use crate::input::ctxt::Ctxt;
use crate::syntax::ends::Wrapper;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, BinOp, Block, Expr};

pub struct Desugar<'a> {
    pub cx: &'a Ctxt,
    /// Names that may carry a derivative.
    pub active: &'a HashSet<String>,
    /// Names that hold nothing but references.
    pub references: &'a HashSet<String>,
    /// What `?` leaves the function with.
    pub leaves_with: Option<Wrapper>,
    /// Which names hold an `Option` or a `Result`.
    pub kinds: optional::Kinds,
    /// Parameters that are mutable references.
    pub lent: HashSet<String>,
    /// Methods of the same block that change `self`.
    pub mutating: HashSet<String>,
    /// Names of what `topk` gives.
    pub tops: HashSet<String>,
    pub count: usize,
}

/// Rewrites a function body.
pub fn rewrite(
    cx: &Ctxt,
    body: &Block,
    [active, references]: [&HashSet<String>; 2],
    kinds: optional::Kinds,
    [lent, mutating]: [HashSet<String>; 2],
    output: Option<&syn::Type>,
) -> Block {
    let mut body = body.clone();
    units::close(&mut body, output.is_none());
    extended::rename(&mut body, active, output.is_some());
    let mut d = Desugar {
        cx,
        active,
        references,
        leaves_with: question::returned(output, &body),
        kinds,
        lent,
        mutating,
        tops: plain::tops(&body),
        count: 0,
    };
    arrays::rewrite(&mut d, &mut body, output);
    d.visit_block_mut(&mut body);
    body
}

impl Desugar<'_> {
    fn fresh(&mut self, base: &str) -> Ident {
        self.count += 1;
        format_ident!("__{base}{}", self.count, span = Span::mixed_site())
    }

    /// Whether a place belongs to a variable that may carry a derivative.
    fn is_active(&self, e: &Expr) -> bool {
        crate::syntax::root_name(e).is_some_and(|n| self.active.contains(&n))
    }
}

impl VisitMut for Desugar<'_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let stmts = std::mem::take(&mut b.stmts);
        let stmts = self.split_tuples(stmts);
        let stmts = self.hoist_effects(stmts);
        b.stmts = self.stmts(stmts);
        for s in &mut b.stmts {
            self.visit_stmt_mut(s);
        }
    }

    fn visit_stmt_mut(&mut self, s: &mut syn::Stmt) {
        if let syn::Stmt::Expr(e @ Expr::MethodCall(_), _) = s {
            let Expr::MethodCall(m) = &*e else { return };
            if let Some(new) = self.rotation(m) {
                *e = new;
            }
        }
        visit_mut::visit_stmt_mut(self, s);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::MethodCall(m) => self.without_return(m),
            Expr::Match(m) => question::arms(m),
            Expr::Struct(s) => crate::syntax::name_default(s),
            Expr::Call(c) => {
                // The part that it takes is not looked at again.
                if let Some(whole) = plain::taken_from(c) {
                    return self.visit_expr_mut(whole);
                }
            }
            _ => {}
        }
        if let Some(new) = self.effectful_head(e).or_else(|| self.steadied(e)) {
            *e = new;
            // What came out may have more in it.
            return self.visit_expr_mut(e);
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Desugar<'_> {
    /// What stands for an expression, which may name a place more than once: its indices are evaluated once.
    fn steadied(&mut self, e: &Expr) -> Option<Expr> {
        let new = self.expr(e)?;
        if !matches!(e, Expr::MethodCall(_) | Expr::Call(_)) {
            return Some(new);
        }
        let (mut steady, mut first) = (e.clone(), Vec::new());
        self.steady(&mut steady, &mut first);
        if first.is_empty() {
            return Some(new);
        }
        let new = self.expr(&steady)?;
        Some(parse_quote!({ #(#first)* #new }))
    }

    fn expr(&mut self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::If(i) if has_let(&i.cond) => Some(if_let(i)),
            Expr::While(w) if has_let(&w.cond) => {
                let (label, body) = (&w.label, &w.body);
                let chosen = conditions(
                    &w.cond,
                    parse_quote!(#body),
                    &parse_quote!({
                        break;
                    }),
                );
                Some(parse_quote!(#label loop { #chosen }))
            }
            Expr::While(w) if question::has_question(&w.cond) => {
                let (label, cond, body) = (&w.label, &w.cond, &w.body.stmts);
                Some(parse_quote!(#label loop { if !(#cond) { break; } #(#body)* }))
            }
            Expr::Match(m) => self.element_match(m).or_else(|| self.slice_match(m)),
            Expr::Macro(m) => self.list(m),
            Expr::Assign(a) => self.destructuring(a).or_else(|| {
                let (value, place) = (&a.right, self.last_place(&a.left)?);
                Some(self.stored(value, &place, |place, value| parse_quote!(#place = #value)))
            }),
            Expr::Binary(b) if crate::syntax::is_assign_op(&b.op) => {
                let (value, place) = (&b.right, self.last_place(&b.left)?);
                let op = &b.op;
                Some(self.stored(
                    value,
                    &place,
                    |place, value| parse_quote!(#place #op #value),
                ))
            }
            Expr::MethodCall(m) => self
                .mutating_method(m)
                .or_else(|| self.rearranging_method(m))
                .or_else(|| self.concatenation(m))
                .or_else(|| self.element(m))
                .or_else(|| self.option_method(m))
                .or_else(|| self.copied_item(m))
                .or_else(|| along::zero_tangent(m))
                .or_else(|| self.number_method(m)),
            Expr::Call(c) => self
                .mutating_call(c)
                .or_else(|| self.number_call(c))
                .or_else(|| self.derivative_along(c))
                .or_else(|| along::copied_function(c)),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.place_of(&u.expr),
            Expr::Field(f) => self.plain_part(f),
            _ => None,
        }
    }

    /// `?` in a closure, which leaves the closure alone.
    fn without_question(&mut self, c: &mut syn::ExprClosure) {
        if !question::in_closure(&c.body) {
            return;
        }
        let written = match &c.output {
            syn::ReturnType::Type(_, ty) => Wrapper::of(ty),
            _ => None,
        };
        let Some(kind) = written.or_else(|| crate::syntax::ends::Ends::of(&c.body).kind) else {
            return;
        };
        let outer = self.leaves_with.replace(kind);
        let mut body: Block = match &*c.body {
            Expr::Block(b) if b.label.is_none() => b.block.clone(),
            e => parse_quote!({ #e }),
        };
        self.visit_block_mut(&mut body);
        *c.body = parse_quote!(#body);
        self.leaves_with = outer;
    }

    /// `map(|x| { return a; … })`: `map(|x| 'given: { break 'given a; … })`.
    fn without_return(&mut self, m: &mut syn::ExprMethodCall) {
        const OF_VALUES: &[&str] = &[
            "and_then",
            "filter_map",
            "find_map",
            "flat_map",
            "fold",
            "for_each",
            "map",
            "map_or",
            "map_or_else",
            "map_while",
            "or_else",
            "reduce",
            "scan",
            "then",
            "try_fold",
            "try_for_each",
            "unwrap_or_else",
        ];
        struct Returns(syn::Lifetime, bool);
        impl VisitMut for Returns {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
                visit_mut::visit_expr_mut(self, e);
                if let Expr::Return(r) = e {
                    let (label, value) = (&self.0, &r.expr);
                    *e = syn::parse_quote_spanned!(r.return_token.span=> break #label #value);
                    self.1 = true;
                }
            }
            fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
            fn visit_item_mut(&mut self, _: &mut syn::Item) {}
        }
        if !OF_VALUES.iter().any(|n| m.method == n) {
            return;
        }
        for e in &mut m.args {
            let Expr::Closure(c) = e else { continue };
            self.without_question(c);
            self.count += 1;
            let label = format!("'__given{}", self.count);
            let mut returns = Returns(syn::Lifetime::new(&label, Span::mixed_site()), false);
            returns.visit_expr_mut(&mut c.body);
            if let Returns(label, true) = returns {
                let body = match &*c.body {
                    Expr::Block(b) if b.label.is_none() => b.block.clone(),
                    e => parse_quote!({ #e }),
                };
                *c.body = parse_quote!({ #label: #body });
            }
        }
    }

    /// `vec![a, f(b)]` as a call, whose arguments can be looked into.
    fn list(&mut self, m: &syn::ExprMacro) -> Option<Expr> {
        if !m.mac.path.is_ident("vec") || !crate::syntax::maybe_active_macro(m, self.active) {
            return None;
        }
        let tokens = &m.mac.tokens;
        if let Ok(r) = syn::parse2::<syn::ExprRepeat>(quote::quote!([#tokens])) {
            let (value, len) = (&r.expr, &r.len);
            if is_plain_value(value) {
                return None;
            }
            let name = self.fresh("value");
            return Some(parse_quote!({ let #name = #value; vec![#name; #len] }));
        }
        let a = syn::parse2::<syn::ExprArray>(quote::quote!([#tokens])).ok()?;
        let plain = |e: &Expr| crate::syntax::is_cheap(e);
        if a.elems.is_empty() || a.elems.iter().all(plain) {
            return None;
        }
        Some(parse_quote!(::std::vec::Vec::from(#a)))
    }

    /// `(a, b) = (b, a)`
    fn destructuring(&mut self, a: &syn::ExprAssign) -> Option<Expr> {
        fn parts(e: &Expr) -> Option<Vec<&Expr>> {
            match e {
                Expr::Tuple(t) => Some(t.elems.iter().collect()),
                Expr::Array(t) => Some(t.elems.iter().collect()),
                Expr::Paren(p) => parts(&p.expr),
                _ => None,
            }
        }
        let targets = parts(&a.left)?;
        let names: Vec<Ident> = targets.iter().map(|_| self.fresh("part")).collect();
        let right = &a.right;
        let values: Vec<syn::Stmt> = match parts(right) {
            Some(values) if values.len() == names.len() => names
                .iter()
                .zip(values)
                .map(|(n, v)| parse_quote!(let #n = #v;))
                .collect(),
            _ if matches!(&*a.left, Expr::Array(_)) => {
                vec![parse_quote!(let [#(#names),*] = #right;)]
            }
            _ => vec![parse_quote!(let (#(#names,)*) = #right;)],
        };
        let stores = targets
            .iter()
            .zip(&names)
            .filter(|(t, _)| !matches!(t, Expr::Infer(_)))
            .map(|(t, n)| -> syn::Stmt { parse_quote!(#t = #n;) });
        Some(parse_quote!({ #(#values)* #(#stores)* }))
    }
}

pub fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Paren(p) => has_let(&p.expr),
        Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

fn if_let(i: &syn::ExprIf) -> Expr {
    let then = &i.then_branch;
    let otherwise: Expr = match &i.else_branch {
        Some((_, e)) => match &**e {
            Expr::Block(b) => Expr::Block(b.clone()),
            e => parse_quote!({ #e }),
        },
        None => parse_quote!({}),
    };
    conditions(&i.cond, parse_quote!(#then), &otherwise)
}

/// `then` if all conditions of a chain `a && let P = e && b` hold.
fn conditions(cond: &Expr, then: Expr, otherwise: &Expr) -> Expr {
    fn flat<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
        match e {
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) && has_let(e) => {
                flat(&b.left, out);
                flat(&b.right, out);
            }
            e => out.push(e),
        }
    }
    let mut all = Vec::new();
    flat(cond, &mut all);
    let (mut chosen, mut guards) = (then, Vec::new());
    for c in all.into_iter().rev() {
        match c {
            Expr::Let(l) => {
                let (pat, e) = (&l.pat, &l.expr);
                let guard = (!guards.is_empty()).then(|| {
                    let guards = guards.iter().rev();
                    quote::quote!(if #((#guards))&&*)
                });
                chosen = parse_quote!(match #e { #pat #guard => #chosen, _ => #otherwise });
                guards.clear();
            }
            c => guards.push(c),
        }
    }
    if guards.is_empty() {
        return chosen;
    }
    let guards = guards.iter().rev();
    let then: Expr = match chosen {
        Expr::Block(b) => Expr::Block(b),
        e => parse_quote!({ #e }),
    };
    parse_quote!(if #((#guards))&&* #then else #otherwise)
}

/// A value that is as well written where it stands: without calls, or `vec![0.0; n]` of such a value.
fn is_plain_value(e: &Expr) -> bool {
    let of_vec = |m: &syn::Macro| {
        let tokens = &m.tokens;
        let repeated = syn::parse2::<syn::ExprRepeat>(quote::quote!([#tokens]));
        m.path.is_ident("vec") && repeated.is_ok_and(|r| is_plain_value(&r.expr))
    };
    crate::syntax::is_cheap(e) || matches!(e, Expr::Macro(m) if of_vec(&m.mac))
}
