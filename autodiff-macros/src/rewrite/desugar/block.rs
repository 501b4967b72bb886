//! Statements whose meaning takes in the rest of their block.

use super::{question, Desugar};
use crate::syntax::ends::Wrapper;
use crate::syntax::mentions;
use crate::syntax::names::SPLIT_AT;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Expr, Local, Pat, Stmt};

impl Desugar<'_> {
    pub(super) fn stmts(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut rest = stmts.into_iter();
        while let Some(mut s) = rest.next() {
            if let Stmt::Expr(Expr::MethodCall(m), Some(_)) = &s {
                // Nothing iterates over what is taken out.
                match self.rearranging_method(m) {
                    Some(Expr::MethodCall(taken)) if taken.method == "into_iter" => {
                        out.push(Stmt::Expr(*taken.receiver, Some(Default::default())));
                        continue;
                    }
                    _ => {}
                }
            }
            if let Some(branch) = question::wrapped(&mut s) {
                let name = self.fresh("value");
                let e = std::mem::replace(branch, parse_quote!(#name));
                out.push(parse_quote!(let #name = #e;));
            }
            if let Some((name, e)) = self.first_question(&mut s) {
                let rest = std::iter::once(s).chain(rest).collect();
                out.push(self.question(&parse_quote!(#name), &e, rest));
                return out;
            }
            match &s {
                Stmt::Local(l) => {
                    let (pat, init) = (&l.pat, l.init.as_ref());
                    if let Some((_, otherwise)) = init.and_then(|i| i.diverge.as_ref()) {
                        let (e, pat) = (&init.expect("a value").expr, untyped(pat));
                        let rest: Vec<Stmt> = rest.collect();
                        let body = quote::quote!({ #(#rest)* });
                        let chosen: Expr =
                            parse_quote!(match #e { #pat => #body, _ => #otherwise });
                        out.push(Stmt::Expr(chosen, None));
                        return out;
                    }
                    if let Some(Expr::Try(t)) = init.map(|i| &*i.expr) {
                        let (pat, e) = (untyped(pat), &t.expr);
                        let mut rest: Vec<Stmt> = rest.collect();
                        if let (Pat::Type(ty), Pat::Ident(p)) = (&l.pat, &pat) {
                            let (name, ty) = (&p.ident, &ty.ty);
                            rest.insert(0, parse_quote!(let #p: #ty = #name;));
                        }
                        out.push(self.question(&pat, e, rest));
                        return out;
                    }
                    if let (None, Some(name)) = (init, name_of(pat)) {
                        if self.active.contains(&name.to_string()) {
                            let all = self.late(l.clone(), &name, rest.collect());
                            rest = all.into_iter();
                            continue;
                        }
                    }
                    if let Some(parts) = self.split_mut(l) {
                        out.extend(parts);
                        continue;
                    }
                    out.push(s);
                }
                _ => out.push(s),
            }
        }
        out
    }

    /// `match e { Some(pat) => { rest } None => return None }`
    fn question(&mut self, pat: &Pat, e: &Expr, rest: Vec<Stmt>) -> Stmt {
        let body = quote::quote!({ #(#rest)* });
        let chosen: Expr = match self.leaves_with {
            Some(Wrapper::Option) => parse_quote!(match #e {
                ::core::option::Option::Some(#pat) => #body,
                ::core::option::Option::None => return ::core::option::Option::None,
            }),
            Some(Wrapper::Result) if question::of_option(e).is_some() => {
                let (option, error) = question::of_option(e).expect("an option");
                parse_quote!(match #option {
                    ::core::option::Option::Some(#pat) => #body,
                    ::core::option::Option::None => return ::core::result::Result::Err(::core::convert::From::from(#error)),
                })
            }
            Some(Wrapper::Result) => {
                let error = self.fresh("error");
                parse_quote!(match #e {
                    ::core::result::Result::Ok(#pat) => #body,
                    ::core::result::Result::Err(#error) => return ::core::result::Result::Err(::core::convert::From::from(#error)),
                })
            }
            None => {
                self.cx.error(e, "`?` in a `#[differentiable]` function needs a return type that is written as `Option<…>` or `Result<…>`, or a value at its end that says which it is: `Some(…)`, `Ok(…)`");
                parse_quote!({ #(#rest)* })
            }
        };
        Stmt::Expr(chosen, None)
    }

    /// `let y;` and the statement that gives it a value, among those that follow.
    fn late(&mut self, declared: Local, name: &Ident, rest: Vec<Stmt>) -> Vec<Stmt> {
        let late = self.fresh("late");
        let mut out: Vec<Stmt> = vec![parse_quote!(__late(#late);)];
        let mut sets = Sets {
            name,
            pat: &declared.pat,
            late: &late,
            found: 0,
        };
        for mut s in rest {
            let before = sets.found;
            if before == 0 {
                sets.visit_stmt_mut(&mut s);
            }
            out.push(s);
            if before == 0 && sets.found > 0 {
                let pat = &declared.pat;
                out.push(parse_quote!(let #pat = __late_get(#late);));
            }
        }
        out
    }

    /// `let (a, b) = v.split_at_mut(n);`
    fn split_mut(&mut self, l: &Local) -> Option<Vec<Stmt>> {
        let (Pat::Tuple(t), Expr::MethodCall(m)) = (&l.pat, &*l.init.as_ref()?.expr) else {
            return None;
        };
        let mutable = m.method == "split_at_mut";
        let split = (mutable || m.method == "split_at") && m.turbofish.is_none();
        if !split || m.args.len() != 1 || t.elems.len() != 2 || !self.is_active(&m.receiver) {
            return None;
        }
        let (a, b, v, n) = (&t.elems[0], &t.elems[1], &m.receiver, &m.args[0]);
        let at = self.fresh(SPLIT_AT);
        let reference = if mutable {
            quote::quote!(&mut)
        } else {
            quote::quote!(&)
        };
        let mut out: Vec<Stmt> = vec![parse_quote!(let #at = #n;)];
        if !matches!(a, Pat::Wild(_)) {
            out.push(parse_quote!(let #a = #reference #v[..#at];));
        }
        if !matches!(b, Pat::Wild(_)) {
            out.push(parse_quote!(let #b = #reference #v[#at..];));
        }
        Some(out)
    }
}

/// `y = e` becomes `__late_set(late, e)`; where the block goes on to use `y`, it becomes
/// `let y = e;` with the same behind it, or at the end of the block if `y` goes on to change.
struct Sets<'a> {
    name: &'a Ident,
    pat: &'a Pat,
    late: &'a Ident,
    found: usize,
}

impl Sets<'_> {
    /// The value of `y = e`.
    fn value<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        match e {
            Expr::Assign(a) if matches!(&*a.left, Expr::Path(p) if p.path.is_ident(self.name)) => {
                Some(&a.right)
            }
            _ => None,
        }
    }
}

impl VisitMut for Sets<'_> {
    fn visit_block_mut(&mut self, b: &mut syn::Block) {
        let name = HashSet::from([self.name.to_string()]);
        let used = |s: &Stmt| mentions(&parse_quote!({ #s }), &name);
        let direct = b
            .stmts
            .iter()
            .position(|s| matches!(s, Stmt::Expr(e, Some(_)) if self.value(e).is_some()));
        let Some(at) = direct.filter(|at| b.stmts[at + 1..].iter().any(used)) else {
            return visit_mut::visit_block_mut(self, b);
        };
        let Stmt::Expr(e, _) = &b.stmts[at] else {
            return;
        };
        let (pat, late, y) = (self.pat, self.late, self.name);
        let value = self.value(e).expect("the statement assigns");
        b.stmts[at] = parse_quote!(let #pat = #value;);
        let mutable = matches!(untyped(pat), Pat::Ident(p) if p.mutability.is_some());
        let (end, set): (usize, Stmt) = if mutable {
            // Before what gives the block a value or leaves it.
            let leaves = match b.stmts.last() {
                Some(Stmt::Expr(Expr::Break(_) | Expr::Continue(_) | Expr::Return(_), _)) => true,
                Some(Stmt::Expr(e, None)) => !crate::syntax::blocks::is_statement_like(e),
                _ => false,
            };
            let end = b.stmts.len() - usize::from(leaves);
            (end, parse_quote!(__late_set(#late, #y);))
        } else {
            (at + 1, parse_quote!(__late_set(#late, #y.clone());))
        };
        b.stmts.insert(end, set);
        self.found += 1;
    }
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Some(value) = self.value(e) {
            let late = self.late;
            *e = parse_quote!(__late_set(#late, #value));
            self.found += 1;
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}

fn untyped(p: &Pat) -> Pat {
    match p {
        Pat::Type(t) => (*t.pat).clone(),
        p => p.clone(),
    }
}

fn name_of(p: &Pat) -> Option<Ident> {
    match untyped(p) {
        Pat::Ident(i) => Some(i.ident),
        _ => None,
    }
}
