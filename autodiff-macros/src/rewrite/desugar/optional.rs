//! Methods of `Option` and `Result` that take closures, written as `match`.
//!
//! The type of a receiver is not known here. Most names tell: `map_or` and `ok_or` are methods of these
//! two types only. For `map`, `filter`, `zip` and the like the receiver tells, as far as its syntax
//! does: a chain of iterators is left alone.

use super::Desugar;
use crate::syntax;
use crate::syntax::ends::Wrapper;
use proc_macro2::Span;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{parse_quote, parse_quote_spanned, Arm, Expr, ExprMethodCall, Pat, Type};

/// Which names hold an `Option` or a `Result`.
pub type Kinds = HashMap<String, Wrapper>;

/// By their written types and by what they are set to; `calls` has those of called functions.
pub fn kinds<'t>(
    params: impl Iterator<Item = (String, &'t Type)>,
    body: &syn::Block,
    calls: Kinds,
) -> Kinds {
    struct V(Kinds);
    impl V {
        fn note(&mut self, p: &Pat, ty: Option<&Type>, value: Option<&Expr>) {
            let kind = ty
                .and_then(of_type)
                .or_else(|| kind(value?, &self.0, false));
            if let (Pat::Ident(p), Some(kind)) = (p, kind) {
                self.0.insert(p.ident.to_string(), kind);
            }
        }
    }
    impl<'a> Visit<'a> for V {
        fn visit_local(&mut self, l: &'a syn::Local) {
            visit::visit_local(self, l);
            if let Some(init) = &l.init {
                self.note(&l.pat, None, Some(&init.expr));
            }
        }
        fn visit_pat_type(&mut self, p: &'a syn::PatType) {
            self.note(&p.pat, Some(&p.ty), None);
        }
    }
    let mut v = V(calls);
    for (name, ty) in params {
        v.0.extend(of_type(ty).map(|k| (name, k)));
    }
    v.visit_block(body);
    v.0
}

/// The kind of a written type, if it is one of the two.
pub fn of_type(ty: &Type) -> Option<Wrapper> {
    match ty {
        Type::Reference(r) => of_type(&r.elem),
        ty => Wrapper::of(ty),
    }
}

/// What an expression makes, as far as it says so itself.
pub(super) fn constructed(e: &Expr) -> Option<Wrapper> {
    kind(e, &Kinds::new(), false)
}

/// What the value of an expression is; `taken` says that it is the receiver of a method of these
/// types or of chains, so that calls and fields can be no sequence.
fn kind(e: &Expr, names: &Kinds, taken: bool) -> Option<Wrapper> {
    match e {
        Expr::Paren(p) => kind(&p.expr, names, taken),
        Expr::Reference(r) => kind(&r.expr, names, taken),
        Expr::Path(p) if p.path.is_ident("None") => Some(Wrapper::Option),
        Expr::Path(p) => names.get(&p.path.get_ident()?.to_string()).copied(),
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) if p.path.segments.last()?.ident == "Some" => Some(Wrapper::Option),
            Expr::Path(p) if p.path.segments.last()?.ident == "Ok" => Some(Wrapper::Result),
            Expr::Path(p) if p.path.segments.last()?.ident == "Err" => Some(Wrapper::Result),
            _ if crate::rewrite::chains::maker(c).is_some() => None,
            _ => called(e, names).or(taken.then_some(Wrapper::Option)),
        },
        Expr::Field(_) => taken.then_some(Wrapper::Option),
        Expr::MethodCall(m) => {
            let n = m.args.len();
            match m.method.to_string().as_str() {
                "first" | "last" | "first_mut" | "last_mut" | "pop" | "ok" | "next" if n == 0 => {
                    Some(Wrapper::Option)
                }
                "get" | "get_mut" | "nth" | "max_by" | "min_by" | "max_by_key" | "min_by_key"
                | "reduce" | "find" | "find_map"
                    if n == 1 =>
                {
                    Some(Wrapper::Option)
                }
                "ok_or" | "ok_or_else" | "map_err" => Some(Wrapper::Result),
                "and_then" | "or" | "or_else" if n == 1 => {
                    kind(&m.receiver, names, true).or(Some(Wrapper::Option))
                }
                "take" | "clone" | "as_ref" | "as_mut" | "as_deref" | "copied" | "cloned"
                    if n == 0 =>
                {
                    kind(&m.receiver, names, taken)
                }
                "map" | "filter" | "zip" | "replace" if n == 1 => kind(&m.receiver, names, taken),
                _ => called(e, names),
            }
        }
        Expr::If(i) => kind_at_the_end(&i.then_branch, names)
            .or_else(|| kind(&i.else_branch.as_ref()?.1, names, false)),
        Expr::Match(m) => m.arms.iter().find_map(|a| kind(&a.body, names, false)),
        Expr::Block(b) => kind_at_the_end(&b.block, names),
        _ => None,
    }
}

fn kind_at_the_end(b: &syn::Block, names: &Kinds) -> Option<Wrapper> {
    match b.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => kind(e, names, false),
        _ => None,
    }
}

/// What a called function gives, where the rest of the body tells.
fn called(e: &Expr, names: &Kinds) -> Option<Wrapper> {
    names.get(&super::call_kinds::key(e)?).copied()
}

/// A closure of one argument, or the name of a function, applied in an arm: the pattern for the
/// argument and the value.
fn applied(d: &mut Desugar<'_>, f: &Expr) -> Option<(Pat, Expr)> {
    match f {
        Expr::Closure(c) if c.inputs.len() == 1 && !leaves(&c.body) => {
            let (pat, body) = (&c.inputs[0], &c.body);
            Some(match pat {
                Pat::Type(t) => {
                    let (pat, ty) = (&t.pat, &t.ty);
                    match (&**pat, &**ty) {
                        // The type may drive inference.
                        (Pat::Ident(p), ty) if !matches!(ty, Type::Reference(_)) => {
                            let name = &p.ident;
                            (
                                parse_quote!(#pat),
                                parse_quote!({ let #pat: #ty = #name; #body }),
                            )
                        }
                        _ => ((**pat).clone(), (**body).clone()),
                    }
                }
                pat => (pat.clone(), (**body).clone()),
            })
        }
        Expr::Path(_) => {
            let x = d.fresh("x");
            Some((parse_quote!(#x), parse_quote!(#f(#x))))
        }
        _ => None,
    }
}

/// The value of a closure without arguments.
fn given(f: &Expr) -> Option<Expr> {
    match f {
        Expr::Closure(c) if c.inputs.is_empty() && !leaves(&c.body) => Some((*c.body).clone()),
        Expr::Path(_) => Some(parse_quote!(#f())),
        _ => None,
    }
}

/// Whether an expression has a `?` or a `return` anywhere but in closures.
pub(super) fn leaves(e: &Expr) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr_return(&mut self, _: &'a syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_try(&mut self, _: &'a syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut v = V(false);
    v.visit_expr(e);
    v.0
}

impl Desugar<'_> {
    pub(super) fn option_method(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        if m.turbofish.is_some() || !syntax::maybe_active(&Expr::MethodCall(m.clone()), self.active)
        {
            return None;
        }
        let r = &m.receiver;
        let args: Vec<&Expr> = m.args.iter().collect();
        let name = m.method.to_string();
        if let Some(chosen) = self.chosen(&name, r, &args) {
            return Some(chosen);
        }
        if let Some(asked) = self.asked_of_a_call(m).or_else(|| self.taken_out(m)) {
            return Some(asked);
        }
        if self.type_chooses(m) {
            return None;
        }
        let known = kind(r, &self.kinds, true);
        // These names belong to no sequence and no tensor.
        let own = matches!(
            name.as_str(),
            "map_or"
                | "map_or_else"
                | "and_then"
                | "unwrap_or_else"
                | "ok_or"
                | "ok_or_else"
                | "map_err"
                | "or_else"
        ) || matches!((name.as_str(), args.len()), ("ok", 0));
        if known.is_none() && !own {
            return None;
        }
        let is_result = match (name.as_str(), args.as_slice()) {
            ("map_err", _) | ("ok", []) => true,
            ("ok_or" | "ok_or_else", _) => false,
            // The other closure takes the error, or nothing.
            ("unwrap_or_else" | "map_or_else" | "or_else", [Expr::Closure(c), ..]) => {
                !c.inputs.is_empty()
            }
            _ => matches!(known, Some(Wrapper::Result)),
        };
        if is_result {
            self.result_method(&name, r, &args)
        } else {
            self.on_option(m.method.span(), &name, r, &args)
        }
    }

    /// `g(x).map(f).unwrap_or(y)`, where nothing tells whether `g` gives an `Option` or a `Result`: the error is not
    /// looked at, so it is an `Option`.
    fn asked_of_a_call(&self, m: &ExprMethodCall) -> Option<Expr> {
        let mapped = matches!(&*m.receiver, Expr::MethodCall(r) if r.method == "map");
        let ends = match m.method.to_string().as_str() {
            "map_or" => true,
            "unwrap_or" | "unwrap_or_default" | "unwrap" => mapped,
            _ => false,
        };
        let receiver = ends.then(|| self.optional(&m.receiver))??;
        let mut m = m.clone();
        *m.receiver = receiver;
        Some(Expr::MethodCall(m))
    }

    /// The same with the call that it starts from made an `Option`.
    fn optional(&self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::Paren(p) => self.optional(&p.expr),
            Expr::MethodCall(m) if m.method == "map" && m.args.len() == 1 => {
                let mut m = m.clone();
                *m.receiver = self.optional(&m.receiver)?;
                Some(Expr::MethodCall(m))
            }
            Expr::Call(c) => {
                let Expr::Path(p) = &*c.func else { return None };
                let name = &p.path.segments.last()?.ident;
                let known = ["Some", "Ok", "Err", "optional"].iter().any(|n| name == n)
                    || crate::rewrite::chains::maker(c).is_some()
                    || called(e, &self.kinds).is_some();
                (!known && syntax::maybe_active(e, self.active))
                    .then(|| parse_quote!(::differentiable::__rt::optional(#e)))
            }
            _ => None,
        }
    }

    /// `condition.then_some(x)` and `condition.then(|| x)`
    fn chosen(&mut self, name: &str, condition: &Expr, args: &[&Expr]) -> Option<Expr> {
        match (name, args) {
            // The value is computed in any case.
            ("then_some", [value]) => {
                let (c, v) = (self.fresh("condition"), self.fresh("value"));
                Some(parse_quote!({
                    let #c = #condition;
                    let #v = #value;
                    if #c { Some(#v) } else { None }
                }))
            }
            ("then", [Expr::Closure(c)]) if c.inputs.is_empty() => {
                let value = &c.body;
                Some(parse_quote!(if #condition { Some(#value) } else { None }))
            }
            _ => None,
        }
    }

    /// What a value is for sure.
    pub(super) fn known(&self, e: &Expr) -> Option<Wrapper> {
        kind(e, &self.kinds, false)
    }

    pub(super) fn on_option(
        &mut self,
        at: Span,
        name: &str,
        r: &Expr,
        args: &[&Expr],
    ) -> Option<Expr> {
        let v = self.fresh("v");
        let v: Pat = parse_quote!(#v);
        Some(match (name, args) {
            ("map", [f]) => {
                let (p, body) = applied(self, f)?;
                choice(at, r, &p, parse_quote!(Some(#body)), parse_quote!(None))
            }
            ("and_then", [f]) => {
                let (p, body) = applied(self, f)?;
                choice(at, r, &p, body, parse_quote!(None))
            }
            ("map_or", [other, f]) => {
                let (p, body) = applied(self, f)?;
                self.eager(other, |other| choice(at, r, &p, body, other))
            }
            ("map_or_else", [other, f]) => {
                let (p, body) = applied(self, f)?;
                choice(at, r, &p, body, given(other)?)
            }
            ("unwrap_or_else", [f]) => choice(at, r, &v, parse_quote!(#v), given(f)?),
            ("ok_or", [e]) => self.eager(e, |e| {
                choice(at, r, &v, parse_quote!(Ok(#v)), parse_quote!(Err(#e)))
            }),
            ("ok_or_else", [f]) => {
                let e = given(f)?;
                choice(at, r, &v, parse_quote!(Ok(#v)), parse_quote!(Err(#e)))
            }
            ("or", [other]) => self.eager(other, |other| {
                choice(at, r, &v, parse_quote!(Some(#v)), other)
            }),
            ("or_else", [f]) => choice(at, r, &v, parse_quote!(Some(#v)), given(f)?),
            ("filter", [Expr::Closure(c)]) if c.inputs.len() == 1 => {
                let c = crate::rewrite::rename::apart(c, &mut |n| self.fresh(n));
                let (p, test) = (&c.inputs[0], &c.body);
                parse_quote!(match #r {
                    Some(#v) if { let #p = &#v; #test } => Some(#v),
                    _ => None,
                })
            }
            ("zip", [other]) => {
                let w = self.fresh("v");
                let (r, other) = (self.item_value(r), self.item_value(other));
                parse_quote!(match (#r, #other) {
                    (Some(#v), Some(#w)) => Some((#v, #w)),
                    _ => None,
                })
            }
            ("copied" | "cloned", []) if !is_item(r) => choice(
                at,
                r,
                &v,
                parse_quote!(Some(#v.clone())),
                parse_quote!(None),
            ),
            ("take", []) if self.is_active(r) => {
                parse_quote!({ let #v = #r.clone(); #r = None; #v })
            }
            ("replace", [x]) if self.is_active(r) => {
                parse_quote!({ let #v = #r.clone(); #r = Some(#x); #v })
            }
            // A reference to what is inside: the value is read.
            ("unwrap" | "expect", _) => {
                let Expr::MethodCall(inner) = r else {
                    return None;
                };
                if inner.method != "as_ref" || !inner.args.is_empty() {
                    return None;
                }
                let (x, method) = (&inner.receiver, quote::format_ident!("{name}"));
                parse_quote!((&#x.#method(#(#args),*)))
            }
            _ => return None,
        })
    }

    fn result_method(&mut self, name: &str, r: &Expr, args: &[&Expr]) -> Option<Expr> {
        let (v, e) = (self.fresh("v"), self.fresh("error"));
        let ok: Pat = parse_quote!(Ok(#v));
        let both = |ok: Pat, then: Expr, err: Pat, other: Expr| -> Expr {
            let arms: [Arm; 2] = [parse_quote!(#ok => #then,), parse_quote!(#err => #other,)];
            parse_quote!(match #r { #(#arms)* })
        };
        Some(match (name, args) {
            ("map", [f]) => {
                let (p, body) = applied(self, f)?;
                both(
                    parse_quote!(Ok(#p)),
                    parse_quote!(Ok(#body)),
                    parse_quote!(Err(#e)),
                    parse_quote!(Err(#e)),
                )
            }
            ("and_then", [f]) => {
                let (p, body) = applied(self, f)?;
                both(
                    parse_quote!(Ok(#p)),
                    body,
                    parse_quote!(Err(#e)),
                    parse_quote!(Err(#e)),
                )
            }
            ("map_err", [f]) => {
                let (p, body) = applied(self, f)?;
                both(
                    ok,
                    parse_quote!(Ok(#v)),
                    parse_quote!(Err(#p)),
                    parse_quote!(Err(#body)),
                )
            }
            ("map_or", [other, f]) => {
                let (p, body) = applied(self, f)?;
                self.eager(other, |other| {
                    both(parse_quote!(Ok(#p)), body, parse_quote!(Err(_)), other)
                })
            }
            ("map_or_else", [g, f]) => {
                let ((p, body), (q, other)) = (applied(self, f)?, applied(self, g)?);
                both(parse_quote!(Ok(#p)), body, parse_quote!(Err(#q)), other)
            }
            ("unwrap_or_else", [f]) => {
                let (p, body) = applied(self, f)?;
                both(ok, parse_quote!(#v), parse_quote!(Err(#p)), body)
            }
            ("or_else", [f]) => {
                let (p, body) = applied(self, f)?;
                both(ok, parse_quote!(Ok(#v)), parse_quote!(Err(#p)), body)
            }
            ("ok", []) => both(
                ok,
                parse_quote!(Some(#v)),
                parse_quote!(Err(_)),
                parse_quote!(None),
            ),
            _ => return None,
        })
    }

    /// An argument is evaluated before the receiver is looked at.
    fn eager(&mut self, e: &Expr, then: impl FnOnce(Expr) -> Expr) -> Expr {
        if syntax::is_cheap(e) {
            return then(e.clone());
        }
        let name = self.fresh("other");
        let chosen = then(parse_quote!(#name));
        parse_quote!({ let #name = #e; #chosen })
    }
}

/// Whether it is an item of a sequence, which is read where it is.
fn is_item(e: &Expr) -> bool {
    matches!(e, Expr::MethodCall(m) if matches!(
        m.method.to_string().as_str(),
        "first" | "last" | "next" | "get" | "nth" | "max_by" | "min_by" | "max_by_key" | "min_by_key" | "reduce" | "find"
    ))
}

/// `match r { Some(p) => then, None => otherwise }`, where a type that does not fit is an error at
/// the method.
fn choice(at: Span, r: &Expr, p: &Pat, then: Expr, otherwise: Expr) -> Expr {
    let some: Pat = parse_quote_spanned!(at=> Some(#p));
    let none: Pat = parse_quote_spanned!(at=> None);
    parse_quote!(match #r { #some => #then, #none => #otherwise })
}
