//! Forward mode: emits the body of `__jvp`, each value followed by its tangent.
//!
//! For `fn f(x: f64, y: f64) -> f64 { (x * y).sin() }` it emits
//!
//! ```text
//! let v0 = x * y;
//! let t_v0 = ad::tangent_sum(ad::mul::push_l(&x, &y, &v0, &t_x), ad::mul::push_r(&x, &y, &v0, &t_y));
//! let v1 = v0.sin();
//! let t_v1 = ad::sin::push(&v0, &v1, &t_v0);
//! (v1, t_v1)
//! ```

mod rules;
mod tangents;

use crate::code::branch::{paired, select};
use crate::code::{accumulator, lent_apart, operator, project, project_one, Code, Side};
use crate::emit::vjp::is_built;
use crate::emit::vjp::lambda::functions;
use crate::emit::vjp::{op_module, Emitted};
use crate::ir::is_reference;
use crate::ir::Callee;
use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::syntax::names::{derived, ident};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::spanned::Spanned;

pub struct Jvp<'a> {
    pub f: &'a Func,
    pub callees: &'a dyn Resolve,
}

impl Jvp<'_> {
    /// The companions of a call, or of a region.
    fn callee(&self, path: &syn::Path, args: usize) -> Callee {
        let region = self.f.region(path);
        region.unwrap_or_else(|| self.callees.callee(path, args))
    }

    pub fn emit(&self) -> Emitted {
        let body = self.block(&self.f.body);
        let (tangent, value) = match &self.f.body.result {
            Some(o) => self.last_use(o, None),
            None => (quote!(let __tangent = ();), quote!(())),
        };
        Emitted {
            forward: quote!(#body #tangent),
            value,
            held: TokenStream::new(),
            reverse: quote!(__tangent),
        }
    }

    fn code<R>(&self, g: impl FnOnce(&Code<'_>) -> R) -> R {
        // Operands are read again for the tangent: by-value uses leave them in place.
        g(&Code {
            f: self.f,
            keep: &|_| true,
        })
    }

    /// An operand that is not read again in this scope: statements that define `__tangent`, and the
    /// value.
    fn last_use(&self, o: &Operand, scope: Option<&Scope>) -> (TokenStream, TokenStream) {
        let borrowed = |v: VarId| {
            let var = &self.f.vars[v];
            let elsewhere = scope.is_some_and(|s| var.defined.scope != *s);
            elsewhere || var.param.is_some_and(|i| self.f.params[i].is_self)
        };
        let value = Code {
            f: self.f,
            keep: &borrowed,
        }
        .operand(o);
        match self.tangent(o) {
            // Before the value is moved out.
            Some(t) => (quote!(let __tangent = #t;), value),
            None => (
                quote!(let __value = #value; let __tangent = ad::zero_tangent(&__value);),
                quote!(__value),
            ),
        }
    }

    fn name(&self, v: VarId) -> &Ident {
        &self.f.vars[v].name
    }

    pub fn tangent_name(&self, v: VarId) -> Ident {
        derived("t_", self.name(v))
    }

    fn block(&self, b: &Block) -> TokenStream {
        b.stmts.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&self, s: &Stmt) -> TokenStream {
        match &s.kind {
            StmtKind::Def(v, rhs) => self.def(*v, rhs, s.span),
            StmtKind::Assign(p, o, _) => {
                let (place, value) = self.code(|c| (c.place_mut(p), c.operand(o)));
                if !self.is_active(p) {
                    return match o.is_unchanged() {
                        true => TokenStream::new(),
                        false => quote_spanned!(s.span=> #place = #value;),
                    };
                }
                let t = self.tangent_place(p);
                if o.is_unchanged() {
                    let now = self.code(|c| c.place(p));
                    return match p.may_be_constant() {
                        true => quote_spanned!(s.span=> ad::Replaced(&mut #t, &#now).clear();),
                        false => quote_spanned!(s.span=> #t = #now.__v().zero_tangent();),
                    };
                }
                match self.tangent(o) {
                    Some(to) if p.may_be_constant() => {
                        let now = self.code(|c| c.place(p));
                        quote_spanned!(s.span=> let __tangent = #to; #place = #value; ad::Replaced(&mut #t, &#now).set(__tangent);)
                    }
                    None if p.may_be_constant() => {
                        let now = self.code(|c| c.place(p));
                        quote_spanned!(s.span=> #place = #value; ad::Replaced(&mut #t, &#now).clear();)
                    }
                    Some(to) => {
                        quote_spanned!(s.span=> let __tangent = #to; #place = #value; #t = __tangent;)
                    }
                    None => {
                        quote_spanned!(s.span=> #place = #value; #t = ad::zero_tangent(&#place);)
                    }
                }
            }
            StmtKind::Accum(op, p, o) => {
                let (place, value) = self.code(|c| (c.place_mut(p), c.operand(o)));
                let (sign, module) = match op {
                    AccumOp::Add => (quote!(+=), quote!(add)),
                    AccumOp::Sub => (quote!(-=), quote!(sub)),
                };
                if let Some(name) = accumulator(*op, p).filter(|_| self.is_active(p)) {
                    let push = format_ident!("{name}_push");
                    let (t, a, b) = (
                        self.tangent_place(p),
                        self.code(|c| c.place_value(p)),
                        self.code(|c| c.value_ref(o)),
                    );
                    // The same variable may be on both sides.
                    let (other, passed) = match self.tangent_ref(o) {
                        Some(t) => (
                            quote!(let __other = ::core::clone::Clone::clone(#t);),
                            quote!(::core::option::Option::Some(&__other)),
                        ),
                        None => (quote!(), quote!(::core::option::Option::None)),
                    };
                    if p.may_be_constant() {
                        return quote_spanned!(s.span=> #other {
                            let mut __room = ad::Lendable(&#t, #a).room();
                            ad::Operands(#a, #b).#push(ad::Passed(&mut #t, &mut __room).acc(), #passed);
                        } #place #sign #value;);
                    }
                    return quote_spanned!(s.span=> #other ad::Operands(#a, #b).#push(&mut #t, #passed); #place #sign #value;);
                }
                let push = self.tangent_ref(o).filter(|_| self.is_active(p)).map(|to| {
                    let (t, b) = (self.tangent_place(p), self.code(|c| c.value_ref(o)));
                    let now = self.code(|c| c.value_ref(&Operand::Place { place: p.clone(), by_ref: false }));
                    quote!(let __tangent = ad::#module::push_r(#now, #b, #now, #to); ad::tangent_add(&mut #t, __tangent);)
                });
                quote_spanned!(s.span=> #push #place #sign #value;)
            }
            StmtKind::Push(p, o) => {
                let (place, value) = self.code(|c| (c.place_mut(p), c.operand(o)));
                let tangent = self.is_active(p).then(|| {
                    (
                        self.tangent_place(p),
                        self.last_use(o, Some(&s.point.scope)),
                    )
                });
                match tangent {
                    Some((t, (tangent, value))) if p.may_be_constant() => {
                        quote!(#tangent ad::Entered(&mut #t).push(__tangent); #place.push(#value);)
                    }
                    Some((t, (tangent, value))) => {
                        quote!(#tangent #t.push(__tangent); #place.push(#value);)
                    }
                    None => quote!(#place.push(#value);),
                }
            }
            StmtKind::SetLate(v, o) => {
                let (name, value) = (self.name(*v), self.code(|c| c.operand(o)));
                if !self.f.vars[*v].active {
                    return quote!(#name = ::core::option::Option::Some(#value););
                }
                let (t, (tangent, value)) = (
                    self.tangent_name(*v),
                    self.last_use(o, Some(&s.point.scope)),
                );
                quote!(#tangent #t = ::core::option::Option::Some(__tangent); #name = ::core::option::Option::Some(#value);)
            }
            StmtKind::Late(v, ty) => {
                let (name, t) = (self.name(*v), self.tangent_name(*v));
                let ty = ty.as_ref().map_or(quote!(_), |t| quote!(#t));
                let tangent = self.f.vars[*v]
                    .active
                    .then(|| quote!(let mut #t = ::core::option::Option::None;));
                quote!(let mut #name: ::core::option::Option<#ty> = ::core::option::Option::None; #tangent)
            }
            StmtKind::Branch {
                head, arms, out, ..
            } => {
                let active = out.is_some_and(|v| self.f.vars[v].active);
                let arm = |a: &Arm| {
                    let b = &a.block;
                    let stmts = self.block(b);
                    match (&b.result, active) {
                        (Some(o), _) if o.diverges() => {
                            let v = self.code(|c| c.operand(o));
                            quote!({ #stmts #v })
                        }
                        (Some(o), true) => {
                            let (tangent, value) = self.last_use(o, None);
                            quote!({ #stmts #tangent (#value, __tangent) })
                        }
                        (Some(o), false) => {
                            let v = self.code(|c| c.operand(o));
                            quote!({ #stmts #v })
                        }
                        (None, _) => quote!({ #stmts }),
                    }
                };
                let chosen = select(head, arms, arms.iter().map(arm));
                let ty = out.and_then(|v| self.f.vars[v].written.as_ref());
                match out {
                    Some(v) if active => {
                        let ty = ty.map(|ty| quote!(: (#ty, _)));
                        let (v, t) = (self.name(*v), self.tangent_name(*v));
                        quote!(let (#v, #t) #ty = #chosen;)
                    }
                    Some(v) => {
                        let ty = ty.map(|ty| quote!(: #ty));
                        let v = self.name(*v);
                        quote!(let #v #ty = #chosen;)
                    }
                    None => chosen,
                }
            }
            StmtKind::For {
                var,
                range,
                reversed,
                body,
                exit,
                ..
            } => {
                let (var, range, body) = (self.name(*var), &range.expr, self.block(body));
                let range = if *reversed {
                    quote!((#range).rev())
                } else {
                    quote!(#range)
                };
                let exit = exit.as_ref().map(|n| {
                    let n = &n.expr;
                    quote!(if #n { break; })
                });
                quote!(for #var in #range { #body #exit })
            }
            StmtKind::While { cond, body, .. } => {
                let (cond, body) = (&cond.expr, self.block(body));
                quote!(while #cond { #body })
            }
            StmtKind::Native(t) => t.clone(),
        }
    }

    fn def(&self, v: VarId, rhs: &Rhs, span: Span) -> TokenStream {
        if matches!(rhs, Rhs::Witness(_)) {
            return TokenStream::new();
        }
        let var = &self.f.vars[v];
        let (name, t) = (&var.name, self.tangent_name(v));
        let mutable = var.is_declared_mut(rhs).then(|| quote!(mut));
        let any = crate::ir::sources(rhs)
            .iter()
            .any(|v| self.f.vars[*v].active);
        let passes_on = rhs.arguments().into_iter().any(Arg::is_function);
        if var.active && any || passes_on {
            if let Rhs::Call { .. } | Rhs::Method { .. } = rhs {
                let call = self.call(rhs, span);
                let pair = paired(var, quote_spanned!(span=> (#mutable #name, #mutable #t)));
                return quote_spanned!(span=> let #pair = #call;);
            }
        }
        let value = self.code(|c| c.forward(rhs, span));
        let ty = match (rhs, &var.ty) {
            (Rhs::Native(_), Ty::Float(f)) if var.hold == Hold::Value => {
                let f = format_ident!("{f}");
                Some(quote!(: #f))
            }
            _ => var.written.as_ref().map(|t| quote!(: #t)),
        };
        let value = quote!(let #mutable #name #ty = #value;);
        if !var.active {
            return value;
        }
        let tangent = if any {
            self.push(v, rhs)
        } else {
            quote!(ad::zero_tangent(&#name))
        };
        quote!(#value let #mutable #t = #tangent;)
    }

    fn call(&self, rhs: &Rhs, span: Span) -> TokenStream {
        let before = std::cell::RefCell::new(TokenStream::new());
        let pair = |(k, a): (usize, &Arg)| {
            let o = &a.operand;
            if a.lend != Lend::Shared {
                let (value, t) = (self.code(|c| c.argument(a)), self.lent_tangent(k, a));
                return quote!(#value, #t);
            }
            let by_ref = match o {
                Operand::Place { by_ref, .. } => *by_ref,
                Operand::Native(n) => is_reference(n, self.f),
            };
            let value = self.code(|c| c.operand(o));
            let (mut value, code) = match a.code.as_deref() {
                None => (value, None),
                Some(Passed::Parameter) => {
                    (quote!((#value).env()), Some(quote!((#value).code(), (),)))
                }
                Some(Passed::Item(path)) => {
                    let code = self.callee(path, 0).item("__forward_code", path.span());
                    (value, Some(quote!(#code, (),)))
                }
                Some(Passed::Closure(l)) => {
                    let code = self.lambda(&l.func);
                    (value, Some(quote!(#code, (),)))
                }
            };
            let tangent = match (self.tangent_ref(o), by_ref) {
                (Some(t), true) => t,
                (_, false) => self.argument_tangent(o),
                (None, true) => {
                    let lent = match is_built(o) {
                        true => {
                            let built = ident(format!("built{k}"));
                            before.borrow_mut().extend(quote!(let #built = #value;));
                            value = quote!(#built);
                            quote!(ad::Anything(#built))
                        }
                        false => self.code(|c| c.passed(o)),
                    };
                    quote!(&(&&&#lent).no_tangent())
                }
            };
            quote!(#value, #code #tangent)
        };
        let zeros = rhs
            .arguments()
            .into_iter()
            .enumerate()
            .filter_map(|(k, a)| {
                let lent = a.lend != Lend::Shared;
                let z = ident(format!("lent{k}"));
                let changed = a.changed().filter(|p| self.is_active(p));
                if let Some(p) = changed.filter(|p| lent && has_room(p, a)) {
                    // Before the value is lent.
                    let (t, x) = (self.tangent_lent(p), self.code(|c| c.place_value(p)));
                    let room = ident(format!("room{k}"));
                    return Some(quote! {
                        let mut #room = ad::Lendable(&#t, #x).room();
                        let #z = ad::Passed(&mut #t, &mut #room).acc();
                    });
                }
                if !lent || changed.is_some() {
                    return None;
                }
                let lent = self.code(|c| c.passed(&a.operand));
                Some(quote!(let mut #z = (&&&#lent).no_tangent();))
            });
        let zeros: TokenStream = zeros.collect();
        let call = match rhs {
            Rhs::Call { path, args } => {
                let callee = self.callee(path, args.len() + functions(args));
                let jvp = callee.jvp;
                let generics = callee.generics.map(|g| quote!(::<#g>));
                let tokens = args.iter().enumerate().map(pair);
                lent_apart(
                    args,
                    quote!(#(#tokens),*),
                    |args| quote_spanned!(span=> #jvp #generics(#args)),
                )
            }
            Rhs::Method {
                receiver,
                name,
                turbofish,
                args,
            } => {
                self.callees.method(name, args.len() + functions(args));
                let jvp = format_ident!("__{}_jvp", name, span = name.span());
                let (recv, t) = match receiver.changed() {
                    Some(p) => (
                        self.code(|c| c.place_mut(p)),
                        self.lent_tangent(0, receiver),
                    ),
                    None => {
                        let o = &receiver.operand;
                        let recv =
                            self.code(|c| c.lent_receiver(o, name.span(), |p| self.is_active(p)));
                        let t = self.tangent_ref(o).unwrap_or_else(|| {
                            let lent = self.code(|c| c.passed(o));
                            quote!(&(&&&#lent).no_tangent())
                        });
                        (recv, t)
                    }
                };
                let generics = turbofish.as_ref().map(|g| quote!(::<#g>));
                let tokens = (1..).zip(args).map(pair);
                lent_apart(
                    args,
                    quote!(#(#tokens),*),
                    |args| quote_spanned!(span=> #recv.#jvp #generics(#t, #args)),
                )
            }
            _ => TokenStream::new(),
        };
        let before = before.into_inner();
        if zeros.is_empty() && before.is_empty() {
            call
        } else {
            quote!({ #before #zeros #call })
        }
    }

    /// A closure that is passed on, as in [`lambda`](crate::emit::vjp::lambda).
    fn lambda(&self, f: &Func) -> TokenStream {
        let emitted = Jvp {
            f,
            callees: self.callees,
        }
        .emit();
        let names: Vec<_> = f.params.iter().map(|p| &f.vars[p.var].name).collect();
        let tangents: Vec<_> = names.iter().map(|n| derived("t_", n)).collect();
        let (env, args) = names.split_first().expect("an environment");
        let (t_env, t_args) = tangents.split_first().expect("an environment");
        let (forward, value, tangent) = (emitted.forward, emitted.value, emitted.reverse);
        quote!(|#env, #t_env, (#(#args,)*), (#(#t_args,)*)| { #forward (#value, #tangent) })
    }

    /// `&mut` to the tangent of what is lent as the argument `k`.
    fn lent_tangent(&self, k: usize, a: &Arg) -> TokenStream {
        match a.changed().filter(|p| self.is_active(p)) {
            Some(p) if has_room(p, a) => {
                let z = ident(format!("lent{k}"));
                quote!(#z)
            }
            Some(p) if p.may_be_constant() => {
                let t = self.tangent_name(p.root);
                let t = project(Side::TangentMut, quote!(#t), p);
                quote!(&mut #t)
            }
            Some(p) => {
                let t = self.tangent_place(p);
                quote!(&mut #t)
            }
            None => {
                let z = ident(format!("lent{k}"));
                quote!(&mut #z)
            }
        }
    }
}

/// Whether a place that is lent to a call is in a field that may be constant. With halves of it the types say whether it is.
fn has_room(p: &Place, a: &Arg) -> bool {
    p.may_be_constant() && !a.parted
}
