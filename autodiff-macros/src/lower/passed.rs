//! Functions and closures that are passed on, and calls of parameters that are functions.
//!
//! A closure is taken apart into its environment, a tuple of what it captures, and a function of that
//! tuple and its arguments, which is lowered on its own. In the source of that function a captured name
//! stands for its part of the tuple.

use crate::input::functions::FnSig;
use crate::input::signature::ParamDecl;
use crate::ir::*;
use crate::knowledge::numbers;
use crate::lower::captures::{Names, Parts};
use crate::lower::{Env, Lower};
use crate::rewrite;
use crate::syntax;
use crate::syntax::writes::assigned_names;
use proc_macro2::{Ident, Span};
use quote::{format_ident, quote};
use std::collections::HashMap;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprClosure, Member, Pat, Type};

/// How many variables a closure that is passed on can capture: tuples are no longer.
const MOST: usize = 12;

/// The variables that a closure captures, and the closures that it calls.
#[derive(Default)]
struct Captures {
    vars: Vec<(String, VarId)>,
    closures: Vec<(String, VarId)>,
}

impl Lower<'_> {
    /// The signature of the parameter whose call this is.
    pub fn called_function(&self, receiver: &Arg) -> Option<&FnSig> {
        let place = receiver.operand.place().filter(|p| p.is_var())?;
        self.functions.get(&place.root)
    }

    /// `f(a, b)` where `f` is a parameter.
    pub fn call_parameter(
        &mut self,
        f: VarId,
        sig: &FnSig,
        c: &syn::ExprCall,
        out: &mut Vec<Stmt>,
    ) -> Rhs {
        let (expected, found) = (sig.inputs.len(), c.args.len());
        if expected != found {
            let name = &self.vars[f].name;
            self.cx.error(
                c,
                format!("`{name}` takes {expected} arguments, found {found}"),
            );
            return self.poison(&Expr::Call(c.clone()));
        }
        let lent = c.args.iter().enumerate().map(|(i, a)| -> Expr {
            match a {
                a if !sig.by_ref(i) => syn::parse_quote!(&(#a)),
                Expr::Reference(r) if sig.is_slice(i) && !is_range(&r.expr) => {
                    let e = &r.expr;
                    syn::parse_quote!(&#e[..])
                }
                Expr::Path(_) | Expr::Field(_) if sig.is_slice(i) => syn::parse_quote!(&#a[..]),
                a => a.clone(),
            }
        });
        let lent: Vec<Expr> = lent.collect();
        let args = self.args(lent.iter(), out);
        Rhs::Method {
            receiver: self.parameter_itself(f, c.span()),
            name: format_ident!("call{}", expected),
            turbofish: None,
            args,
        }
    }

    fn parameter_itself(&self, f: VarId, span: Span) -> Arg {
        let place = match &self.vars[f].alias {
            Some(captured) => Place {
                span,
                ..captured.clone()
            },
            None => self.var_place(f, span),
        };
        Arg::shared(Operand::Place {
            place,
            by_ref: true,
        })
    }

    /// The argument of a call that is a function.
    pub fn function_arg(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Option<Arg> {
        match e {
            Expr::Paren(p) => self.function_arg(&p.expr, out),
            Expr::Group(g) => self.function_arg(&g.expr, out),
            Expr::Reference(r) => self.function_arg(&r.expr, out),
            Expr::Closure(c) => {
                let env = self.env.clone();
                Some(self.closure_arg(c, env, out))
            }
            Expr::Path(p) if p.qself.is_none() => {
                let var = p.path.get_ident().and_then(|i| self.lookup(&i.to_string()));
                match var {
                    Some(var) => {
                        if let Some(c) = self.closures.get(&var).cloned() {
                            return Some(self.closure_arg(&c.code, c.env, out));
                        }
                        self.functions.get(&var)?;
                        let mut arg = self.parameter_itself(var, e.span());
                        arg.code = Some(Rc::new(Passed::Parameter));
                        Some(arg)
                    }
                    None => self.item_arg(e, &p.path, out),
                }
            }
            _ => None,
        }
    }

    /// A function that is passed on by its name.
    fn item_arg(&mut self, e: &Expr, path: &syn::Path, out: &mut Vec<Stmt>) -> Option<Arg> {
        let segments = syntax::segments(path);
        let (last, owner) = match segments.as_slice() {
            [.., owner, last] => (last, owner.as_str()),
            [last] => (last, ""),
            [] => return None,
        };
        if !last.starts_with(|c: char| c.is_lowercase() || c == '_') {
            return None;
        }
        if matches!(owner, "f64" | "f32") {
            let arity = (1..=3).find(|n| numbers::method(last, n - 1).is_some())?;
            let names: Vec<_> = (0..arity).map(|i| format_ident!("__x{i}")).collect();
            let float = format_ident!("{owner}");
            let c: ExprClosure = syn::parse_quote!(|#(#names: #float),*| #path(#(#names),*));
            let env = self.env.clone();
            return Some(self.closure_arg(&c, env, out));
        }
        if owner.starts_with(char::is_uppercase) {
            let text = quote!(#path).to_string().replace(' ', "");
            self.cx.error(e, format!("an associated function is passed on as a closure in a `#[differentiable]` function: write `|x| {text}(x)`"));
        }
        let mut arg = Arg::shared(Operand::Native(unit_reference()));
        arg.code = Some(Rc::new(Passed::Item(path.clone())));
        Some(arg)
    }

    fn closure_arg(&mut self, c: &ExprClosure, mut env: Env, out: &mut Vec<Stmt>) -> Arg {
        let c = self.with_parts(c, &mut env);
        let c = &self.lent_parameters(c);
        let mut captures = Captures::default();
        self.captures(c, &env, &mut captures);
        for name in assigned_names(&c.body) {
            if captures.vars.iter().any(|(n, _)| *n == name) {
                self.cx.error(c, format!("a closure that is passed on cannot change `{name}`, which it captures: let it return the new value"));
            }
        }
        let all = || captures.vars.iter().chain(&captures.closures);
        if let Some((name, _)) = all().find(|(n, v)| all().any(|(m, w)| n == m && v != w)) {
            self.cx.error(c, format!("`{name}` names two variables that this closure captures: give one of them another name"));
        }
        if captures.vars.len() > MOST {
            let found = captures.vars.len();
            self.cx.error(c, format!("a closure that is passed on captures at most {MOST} variables, found {found}: put them into a struct"));
            captures.vars.clear();
        }
        let parts: Vec<Operand> = captures
            .vars
            .iter()
            .map(|(_, v)| self.captured(c, *v, out))
            .collect();
        let operand = if parts.is_empty() {
            Operand::Native(unit_reference())
        } else {
            let span = c.span();
            match self.define(Rhs::Tuple(parts), Ty::Unknown, span, out) {
                Operand::Place { place, .. } => Operand::Place {
                    place,
                    by_ref: true,
                },
                native => native,
            }
        };
        let f = self.lambda(c, &captures);
        let mut arg = Arg::shared(operand);
        arg.code = Some(Rc::new(Passed::Closure(Box::new(Lambda {
            func: f,
            needs: Needs::none(),
        }))));
        arg
    }

    /// Gives the fields of structs names of their own, so that they are captured and not the structs.
    fn with_parts(&mut self, c: &ExprClosure, env: &mut Env) -> ExprClosure {
        let mut names = Names::default();
        names.visit_expr(&c.body);
        let bound: Vec<String> = c.inputs.iter().flat_map(syntax::pattern_names).collect();
        let root = |name: &str| {
            let whole = names.whole.iter().chain(&bound).any(|n| n == name);
            let var = env.iter().rev().find_map(|e| e.get(name).copied());
            var.filter(|_| !whole)
        };
        let mut parts = Parts {
            root: &root,
            found: Vec::new(),
        };
        let mut c = c.clone();
        parts.visit_expr_mut(&mut c.body);
        let mut scope = HashMap::new();
        for (ident, v, members) in parts.found {
            let mut place = match &self.vars[v].alias {
                Some(alias) => alias.clone(),
                None => self.var_place(v, ident.span()),
            };
            place
                .projections
                .extend(members.into_iter().map(Projection::Field));
            place.ty = self.vars[place.root].part_ty(&place.projections);
            let active = self.vars[v].maybe_active;
            let var = self.stands_for(&ident, place, Hold::Value, active);
            scope.insert(ident.to_string(), var);
        }
        env.push(scope);
        c
    }

    /// Notes what a closure captures.
    fn captures(&self, c: &ExprClosure, env: &Env, found: &mut Captures) {
        let mut names = Names::default();
        names.visit_expr(&c.body);
        let bound: Vec<String> = c.inputs.iter().flat_map(syntax::pattern_names).collect();
        for name in names.whole.into_iter().chain(names.fields) {
            if bound.contains(&name) {
                continue;
            }
            let Some(var) = env.iter().rev().find_map(|e| e.get(&name).copied()) else {
                continue;
            };
            let known = |list: &[(String, VarId)]| list.iter().any(|(_, v)| *v == var);
            match self.closures.get(&var) {
                Some(_) if known(&found.closures) => {}
                Some(inner) => {
                    found.closures.push((name, var));
                    self.captures(&inner.code, &inner.env, found);
                }
                None if !known(&found.vars) => found.vars.push((name, var)),
                None => {}
            }
        }
    }

    /// A part of the environment.
    fn captured(&mut self, c: &ExprClosure, v: VarId, out: &mut Vec<Stmt>) -> Operand {
        let span = c.span();
        if self.functions.contains_key(&v) {
            let owned = Rhs::Method {
                receiver: self.parameter_itself(v, span),
                name: format_ident!("owned"),
                turbofish: None,
                args: Vec::new(),
            };
            return self.define(owned, Ty::Unknown, span, out);
        }
        let var = &self.vars[v];
        if var.maybe_active && !var.ty.is_discrete() {
            let mut place = match &var.alias {
                Some(alias) => alias.clone(),
                None => self.var_place(v, span),
            };
            place.span = span;
            let ty = place.ty.clone();
            return self.define(Rhs::Snapshot(place), ty, span, out);
        }
        let found = self.found(v);
        let name = &found.name;
        let value = found.place.unwrap_or_else(|| quote!(#name));
        let value = match var.hold {
            Hold::Value => quote!(&#value),
            Hold::Ref | Hold::Mut => value,
        };
        Operand::Native(Native {
            expr: syn::parse_quote!(::differentiable::__rt::fixed(#value)),
            uses: found.uses,
            cheap: false,
            ty: Ty::Unknown,
        })
    }

    /// The function that a closure is, of its environment and its arguments.
    fn lambda(&mut self, c: &ExprClosure, captures: &Captures) -> Func {
        let mut inner = Lower::new(self.cx, self.siblings);
        inner.grids = self.grids.clone();
        inner.operators = self.operators.clone();
        let mut decls = vec![lent_decl(Ident::new("__env", Span::mixed_site()), None)];
        let mut patterns: Vec<(usize, Pat)> = Vec::new();
        for (i, pat) in c.inputs.iter().enumerate() {
            let (name, ty) = match pat {
                Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
                p => (p, None),
            };
            let reference = matches!(ty, Some(Type::Reference(_)));
            match name {
                Pat::Ident(p) if reference && p.by_ref.is_none() => {
                    decls.push(lent_decl(p.ident.clone(), ty));
                }
                p => {
                    let ident = format_ident!("__a{i}", span = p.span());
                    decls.push(lent_decl(ident, ty));
                    patterns.push((i + 1, p.clone()));
                }
            }
        }
        let mut declared = inner.declare(&decls);
        let env = declared.params[0].var;
        for (i, (name, v)) in captures.vars.iter().enumerate() {
            let outer = &self.vars[*v];
            let active = outer.maybe_active && !outer.ty.is_discrete();
            let whole = match &outer.alias {
                Some(of) => self.vars[of.root].part(&of.projections),
                None => outer.whole.clone(),
            };
            inner.vars[env].parts.push(whole.filter(|_| active));
            let mut place = inner.var_place(env, c.span());
            place.projections.push(Projection::Field(Member::from(i)));
            if !active {
                place.projections.push(Projection::Field(Member::from(0)));
            }
            place.ty = outer.ty.clone();
            let hold = match outer.hold {
                _ if self.functions.contains_key(v) => Hold::Value,
                Hold::Value => Hold::Value,
                Hold::Ref | Hold::Mut => Hold::Ref,
            };
            let var = inner.stands_for(&ident_of(name, c.span()), place, hold, active);
            if let Some(function) = self.functions.get(v) {
                inner.functions.insert(var, function.clone());
            }
            if let Some(scope) = inner.env.last_mut() {
                scope.insert(name.clone(), var); // `self` has another name
            }
            if active {
                declared.active.insert(name.clone());
            }
            if hold == Hold::Ref {
                declared.references.insert(name.clone());
            }
        }
        let mut body: syn::Block = match &*c.body {
            Expr::Block(b) if b.label.is_none() => b.block.clone(),
            e => syn::parse_quote!({ #e }),
        };
        for (i, pat) in patterns.into_iter().rev() {
            declared.params[i].lent = true;
            let a = decls[i].ident.clone().expect("a name of ours");
            match simple(&pat) {
                Some(name) => {
                    let place = inner.var_place(declared.params[i].var, pat.span());
                    let active = !decls[i].constant;
                    inner.stands_for(name, place, Hold::Value, active);
                    if active {
                        declared.active.insert(name.to_string());
                    }
                }
                None if matches!(pat, Pat::Wild(_)) => {}
                None => body.stmts.insert(0, syn::parse_quote!(let #pat = *#a;)),
            }
        }
        for (name, v) in &captures.closures {
            let (name, code) = (ident_of(name, c.span()), &self.closures[v].code);
            body.stmts.insert(0, syn::parse_quote!(let #name = #code;));
        }
        let output = match &c.output {
            syn::ReturnType::Default => syn::parse_quote!(-> _),
            written => written.clone(),
        };
        let rewritten = rewrite::all(&inner.source(&decls, &declared, &output), &body);
        inner.body(&decls, declared, rewritten)
    }

    /// Makes a name stand for a place.
    fn stands_for(&mut self, name: &Ident, place: Place, hold: Hold, active: bool) -> VarId {
        let var = self.fresh_named(name, place.ty.clone(), hold, false);
        let v = &mut self.vars[var];
        (v.maybe_active, v.by_name) = (active, true);
        v.alias = Some(place);
        self.bind(name, var);
        var
    }
}

/// The declaration of a parameter of a closure.
fn lent_decl(ident: Ident, ty: Option<&Type>) -> ParamDecl {
    let kind = ty.map_or(Ty::Unknown, syntax::ty_of);
    let discrete = kind.is_discrete();
    let slice_of = match ty {
        Some(Type::Reference(r)) => match &*r.elem {
            Type::Slice(s) => Some((*s.elem).clone()),
            _ => None,
        },
        _ => None,
    };
    ParamDecl {
        span: ident.span(),
        ident: Some(ident),
        ty: ty.cloned(),
        mutable: false,
        by_ref: true,
        by_mut: false,
        slice_of,
        constant: discrete,
        marked: false,
        asked: false,
        discrete,
        unlifted: false,
        kind,
        function: None,
    }
}

/// The name that a parameter binds, if it binds just that.
fn simple(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() && p.mutability.is_none() => {
            Some(&p.ident)
        }
        Pat::Reference(r) => simple(&r.pat),
        Pat::Paren(p) => simple(&p.pat),
        _ => None,
    }
}

fn ident_of(name: &str, span: Span) -> Ident {
    match name {
        "self" => Ident::new("this", Span::mixed_site()),
        name => Ident::new(name, span),
    }
}

/// `a[b..c]`
fn is_range(e: &Expr) -> bool {
    matches!(e, Expr::Index(i) if matches!(&*i.index, Expr::Range(_)))
}

fn unit_reference() -> Native {
    Native {
        expr: syn::parse_quote!(&()),
        uses: Vec::new(),
        cheap: true,
        ty: Ty::Unknown,
    }
}
