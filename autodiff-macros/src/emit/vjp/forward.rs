//! Emits the forward run.

use super::call::no_adj;
use super::lambda::functions;
use super::{mode_name, op_module, turbofish, Lenses, Vjp};
use crate::code::branch::{paired, select};
use crate::code::{accumulator, lent_apart, operator, Code};
use crate::emit::sides::side;
use crate::ir::is_active;
use crate::ir::is_reference;
use crate::ir::region::Region;
use crate::ir::*;
use crate::syntax::names::ident;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};

impl Vjp<'_> {
    pub(super) fn fwd(&self, s: &Stmt) -> TokenStream {
        let active = is_active(s, &self.f.vars);
        if let (true, Some(checkpoint)) = (active, s.checkpoint()) {
            return self.fwd_checkpoint(s, checkpoint);
        }
        match &s.kind {
            // What runs again is called by its companion here too: over another scalar, a call as it is written has no derivative.
            StmtKind::Def(v, rhs) => self.fwd_def(*v, rhs, active, s.span),
            StmtKind::Assign(p, o, _) => {
                let followed = self.followed(p).map(|v| {
                    let (w, n) = (self.witness_name(v), self.name(v));
                    quote!(#w = #n.__wit();)
                });
                if o.is_unchanged() {
                    return quote!(#followed);
                }
                let (p, o) = self.with_code(|c| (c.place_mut(p), c.operand(o)));
                let assign = quote_spanned!(s.span=> #p = #o;);
                quote!(#assign #followed)
            }
            StmtKind::Accum(op, place, value) => {
                let (p, o) = (place, value);
                let (p, o) = self.with_code(|c| (c.place_mut(p), c.operand(o)));
                let keep = accumulator(*op, place).filter(|_| active).map(|name| {
                    let (a, b) = self.with_code(|c| (c.place_value(place), c.value_ref(value)));
                    let (kept, keep) = (self.kept_at(s), format_ident!("keep_{name}"));
                    quote_spanned!(s.span=> let #kept = ad::Operands(#a, #b).#keep();)
                });
                match op {
                    AccumOp::Add => quote_spanned!(s.span=> #keep #p += #o;),
                    AccumOp::Sub => quote_spanned!(s.span=> #keep #p -= #o;),
                }
            }
            StmtKind::Branch {
                head,
                arms,
                out,
                id,
            } => {
                let active = active && !self.is_decided_again(s);
                let arm = |(k, a): (usize, &Arm)| {
                    let b = &a.block;
                    let stmts = self.fwd_block(b);
                    let value = b.result.as_ref().map(|o| self.result_value(b, o));
                    if b.result.as_ref().is_some_and(Operand::diverges) {
                        return quote!({ #stmts #value });
                    }
                    let record = active.then(|| {
                        let r = self.held(&self.record(b));
                        side(k, arms.len(), quote!((#(#r,)*)))
                    });
                    match (out.is_some(), active) {
                        // The value may be a variable that the record takes.
                        (true, true) => quote!({ #stmts let __value = #value; (__value, #record) }),
                        (true, false) => quote!({ #stmts #value }),
                        (false, true) => quote!({ #stmts #record }),
                        (false, false) => quote!({ #stmts }),
                    }
                };
                let chosen = select(head, arms, arms.iter().enumerate().map(arm));
                let branch = self.branch(*id);
                let witness = out.and_then(|v| {
                    self.needs
                        .witnesses
                        .contains(&v)
                        .then(|| self.define_witness(v))
                });
                let written = out.and_then(|v| self.f.vars[v].written.as_ref());
                let out = out.map(|v| self.name(v).clone());
                let lhs = match (&out, active) {
                    (Some(v), true) => {
                        let ty = written.map(|ty| quote!(: (#ty, _)));
                        quote!(let (#v, #branch) #ty =)
                    }
                    (Some(v), false) => {
                        let ty = written.map(|ty| quote!(: #ty));
                        quote!(let #v #ty =)
                    }
                    (None, true) => quote!(let #branch =),
                    (None, false) => return chosen,
                };
                quote!(#lhs #chosen; #witness)
            }
            StmtKind::For {
                var,
                range,
                reversed,
                body,
                exit,
                id,
                ..
            } => {
                if let (true, None) = (active, exit) {
                    if let Some(extremum) = self.extremum(body, *var) {
                        let var = self.name(*var);
                        return self.fwd_extremum(&extremum, *id, var, (range, *reversed), body);
                    }
                    let grown = || self.fwd_grown(*var, range, body, *id);
                    let straight = self.fwd_straight(*var, range, *reversed, body, *id);
                    if let Some(code) = straight.or_else(|| grown().filter(|_| !*reversed)) {
                        return code;
                    }
                }
                let record = if active {
                    self.loop_record(body, exit.as_ref().map(|_| *var))
                } else {
                    Vec::new()
                };
                let stmts = self.fwd_block(body);
                let push = self.pushed(*id, &record);
                let (var, range) = (self.name(*var), &range.expr);
                let rev = reversed.then(|| quote!(.rev()));
                if let (None, Some(room)) = (exit, self.reserve(*id)) {
                    let of = if *reversed {
                        quote!(__trips.rev())
                    } else {
                        quote!(__trips)
                    };
                    return quote!(let __trips = #range; #room for #var in #of { #stmts #push });
                }
                let range = if *reversed {
                    quote!((#range)#rev)
                } else {
                    quote!(#range)
                };
                match exit {
                    None => quote!(for #var in #range { #stmts #push }),
                    Some(exit) => {
                        let (exit, trips) = (&exit.expr, self.trips(*id));
                        let (init, count) = self.count(active, &trips);
                        let Some(push) = push else {
                            return quote!(#init for #var in #range { #stmts #count if #exit { break; } });
                        };
                        let all = self.in_rooms(*id, |end| quote!(
                            let ::core::option::Option::Some(#var) = ::core::iter::Iterator::next(&mut __all) else { break #end };
                            #stmts #push #count
                            if #exit { break #end }
                        ));
                        quote!(#init { let mut __all = ::core::iter::IntoIterator::into_iter(#range); #all })
                    }
                }
            }
            StmtKind::While { cond, body, id, .. } => {
                let (cond, stmts) = (&cond.expr, self.fwd_block(body));
                let record = if active {
                    self.record(body)
                } else {
                    Vec::new()
                };
                let push = self.pushed(*id, &record);
                let (init, count) = self.count(active, &self.trips(*id));
                let Some(push) = push else {
                    return quote!(#init while #cond { #stmts #count });
                };
                let all = self.in_rooms(
                    *id,
                    |end| quote!(if #cond { #stmts #push #count } else { break #end }),
                );
                quote!(#init #all)
            }
            StmtKind::Push(p, o) => {
                let (p, o) = self.with_code(|c| (c.place_mut(p), c.operand(o)));
                quote_spanned!(s.span=> #p.push(#o);)
            }
            StmtKind::Late(v, ty) => {
                let name = self.name(*v);
                let ty = ty.as_ref().map_or(quote!(_), |t| quote!(#t));
                quote!(let mut #name: ::core::option::Option<#ty> = ::core::option::Option::None;)
            }
            StmtKind::SetLate(v, o) => {
                // A loop around it does not end here in what is emitted.
                let keep = self.keep();
                let elsewhere = |v: VarId| self.f.vars[v].defined.scope != s.point.scope;
                let code = Code {
                    f: self.f,
                    keep: &|v| keep(v) || elsewhere(v),
                };
                let (name, o) = (self.name(*v), code.operand(o));
                quote!(#name = ::core::option::Option::Some(#o);)
            }
            StmtKind::Native(t) => t.clone(),
        }
    }

    /// Starts and advances the count of trips.
    /// A loop whose trips nobody knows beforehand: as many trips as the tape has room for, then more room, and so on. `trip`
    /// ends it by the label that it gets. The call that makes room stands outside of the loop that computes, whose numbers
    /// stay in registers.
    fn in_rooms(&self, id: usize, trip: impl FnOnce(&syn::Lifetime) -> TokenStream) -> TokenStream {
        let end = syn::Lifetime::new(&format!("'__whole{id}"), Span::mixed_site());
        let (tape, trip) = (self.tape(id), trip(&end));
        quote! {
            #end: loop {
                let mut __room = #tape.room();
                while __room != 0 {
                    #trip
                    __room -= 1;
                }
            }
        }
    }

    fn count(&self, active: bool, trips: &Ident) -> (Option<TokenStream>, Option<TokenStream>) {
        (
            active.then(|| quote!(let mut #trips = 0usize;)),
            active.then(|| quote!(#trips += 1;)),
        )
    }

    pub(super) fn fwd_def(&self, v: VarId, rhs: &Rhs, active: bool, span: Span) -> TokenStream {
        let var = &self.f.vars[v];
        let name = &var.name;
        let mutable = var.is_declared_mut(rhs).then(|| quote!(mut));
        let mut out = TokenStream::new();
        if let Rhs::Witness(p) = rhs {
            if !self.needs.values.contains(&v) {
                return out;
            }
            if let Some(of) = self.followed(p) {
                let w = self.witness_name(of);
                return quote!(let #name = ::core::clone::Clone::clone(&#w););
            }
        }
        if let Rhs::Snapshot(p) = rhs {
            if let Some(kept) = self.kept_if_taken(v, p) {
                return kept;
            }
        }
        match rhs {
            Rhs::Call { path, args } if self.f.region_of(path).is_some() => {
                let callee = self.callee(path, args.len());
                let region = self.f.region_of(path).into_iter();
                let passed = region.flat_map(|r| self.region_args(r, args));
                out.extend(if active {
                    let (vjp, modes, p) = (callee.vjp, self.modes(None, args), self.pullback(v));
                    let pair = paired(var, quote_spanned!(span=> (#mutable #name, #p)));
                    quote_spanned!(span=> let #pair = #vjp(#modes, #(#passed),*);)
                } else {
                    let of = self.f.region_of(path).map(Region::of);
                    quote_spanned!(span=> let #mutable #name = #of.__value(#(#passed),*);)
                });
            }
            Rhs::Call { path, args } if active || args.iter().any(Arg::is_function) => {
                let callee = self.callee(path, args.len() + functions(args));
                let (vjp, modes) = (callee.vjp, self.modes(None, args));
                let turbofish = turbofish(args.len(), callee.generics.as_ref());
                out.extend(self.arg_witnesses(v, None, args));
                let tokens = args.iter().map(|a| self.fwd_arg(a));
                let p = self.pullback(v);
                let pair = paired(var, quote_spanned!(span=> (#mutable #name, #p)));
                let call = lent_apart(
                    args,
                    quote!(#(#tokens),*),
                    |args| quote_spanned!(span=> #vjp #turbofish(#modes, #args)),
                );
                out.extend(quote_spanned!(span=> let #pair = #call;));
            }
            Rhs::Method {
                receiver,
                name: method,
                turbofish: generics,
                args,
            } if active || args.iter().any(Arg::is_function) => {
                self.callees.method(method, args.len() + functions(args));
                let vjp = format_ident!("__{}_vjp", method, span = method.span());
                let mut modes = self.modes(Some(receiver), args);
                if !self.rooms_for_fields(v, Some(receiver), args).is_empty() {
                    // They read the receiver, which may be lent to be changed.
                    let chosen = ident("__chosen".into());
                    out.extend(quote!(let #chosen = #modes;));
                    modes = quote!(#chosen);
                }
                let turbofish = generics
                    .as_ref()
                    .and_then(|g| turbofish(args.len() + 1, Some(g)));
                out.extend(self.arg_witnesses(v, Some(receiver), args));
                let recv = match (receiver.changed(), receiver.snapshot) {
                    (Some(p), _) => self.with_code(|c| c.place_mut(p)),
                    (None, Some(s)) if !self.f.vars[s].moved => {
                        let s = self.name(s);
                        quote_spanned!(method.span()=> #s.__v())
                    }
                    (None, _) => self.receiver(&receiver.operand, method.span()),
                };
                let tokens = args.iter().map(|a| self.fwd_arg(a));
                let p = self.pullback(v);
                let pair = paired(var, quote_spanned!(span=> (#mutable #name, #p)));
                let call = lent_apart(
                    args,
                    quote!(#(#tokens),*),
                    |args| quote_spanned!(span=> #recv.#vjp #turbofish(#modes, #args)),
                );
                out.extend(quote_spanned!(span=> let #pair = #call;));
                out.extend(self.said_taken(v, receiver, args));
            }
            _ => {
                if active {
                    if let Some((op, o)) = super::picks(rhs) {
                        let sel = self.selection(v);
                        let refs = o.iter().map(|o| self.with_code(|c| c.value_ref(o)));
                        let module = op_module(op);
                        out.extend(quote!(let #sel = ad::#module::sel(#(#refs),*);));
                    }
                }
                if let Rhs::Op(op, o) = rhs {
                    if let Some(name) = operator(*op, o).filter(|_| active) {
                        let refs = o.iter().map(|o| self.with_code(|c| c.value_ref(o)));
                        let (kept, keep) = (self.kept(v), self.keeping(v, name, o));
                        let all = match o.len() {
                            1 => quote!(ad::Operand),
                            _ => quote!(ad::Operands),
                        };
                        out.extend(quote_spanned!(span=> let #kept = #all(#(#refs),*).#keep();));
                    }
                }
                let value = match rhs {
                    Rhs::Snapshot(p) if var.moved => self.name(p.root).to_token_stream(),
                    _ => self.with_code(|c| c.forward(rhs, span)),
                };
                let ty = match (rhs, &var.ty) {
                    // Fixes the type of a literal before its witness is taken.
                    (Rhs::Native(_), Ty::Float(f)) if var.hold == Hold::Value => {
                        let f = format_ident!("{f}");
                        Some(quote!(: #f))
                    }
                    _ => var.written.as_ref().map(|t| quote!(: #t)),
                };
                out.extend(quote!(let #mutable #name #ty = #value;));
            }
        }
        if self.needs.witnesses.contains(&v) && !var.grows {
            out.extend(self.define_witness(v));
        }
        out
    }

    /// The receiver of a companion, as one reference.
    pub(super) fn receiver(&self, o: &Operand, span: Span) -> TokenStream {
        self.with_code(|c| c.lent_receiver(o, span, |p| self.place_active(p)))
    }

    pub(super) fn fwd_arg(&self, a: &Arg) -> TokenStream {
        if let Some(passed) = &a.code {
            return self.fwd_function(passed, &a.operand);
        }
        match a.snapshot {
            Some(s) if a.lend == Lend::Shared && !self.f.vars[s].moved => {
                let s = self.name(s);
                quote!(&#s)
            }
            _ => self.with_code(|c| c.argument(a)),
        }
    }

    pub(super) fn lenses(&self, receiver: Option<&Arg>, args: &[Arg]) -> Lenses {
        let all: Vec<(Option<&Place>, &Arg)> = receiver
            .into_iter()
            .chain(args)
            .map(|a| {
                let place = a.operand.place().filter(|p| self.place_active(p));
                (place, a)
            })
            .collect();
        // What a call may change has to be the accumulator itself.
        let changed = |k: usize| all[k].1.changed().is_some();
        let first = |i: usize, j: usize| match (changed(i), changed(j)) {
            (true, false) => true,
            (false, true) => false,
            _ => i < j,
        };
        let lent = |k: usize| Some((all[k].0?, all[k].1.parted));
        let direct = (0..all.len()).map(|i| {
            let Some(p) = lent(i) else { return true };
            let before = |j: &usize| *j != i && first(*j, i);
            let mut others = (0..all.len()).filter(before).filter_map(lent);
            !others.any(|q| meet(p, q))
        });
        let direct = direct.collect();
        Lenses { direct }
    }

    pub(super) fn modes(&self, receiver: Option<&Arg>, args: &[Arg]) -> TokenStream {
        let lenses = self.lenses(receiver, args);
        let modes = receiver
            .into_iter()
            .chain(args)
            .zip(lenses.direct)
            .map(
                |(a, direct)| match a.operand.place().filter(|p| self.place_active(p)) {
                    None if a.unfollowed => quote!(ad::Unfollowed),
                    None => quote!(ad::Off),
                    Some(_) if !direct => quote!(ad::On),
                    Some(p) => {
                        let mode = match self.f.vars[p.root].param {
                            Some(i) if !self.f.params[i].by_mut => {
                                let m = mode_name(i);
                                quote!(#m)
                            }
                            _ => quote!(ad::On),
                        };
                        let is_receiver = receiver.is_some_and(|r| std::ptr::eq(r, a));
                        match self.field_arg(a, is_receiver) {
                            Some(field) => self.field_mode(a, field, mode),
                            None => mode,
                        }
                    }
                },
            );
        quote!((#(#modes,)*))
    }

    /// A by-value argument without a derivative: its accumulator is made before it is moved.
    pub(super) fn arg_inactive_value(&self, a: &Arg) -> bool {
        match &a.operand {
            Operand::Native(n) => !is_reference(n, self.f) || a.lend == Lend::Mut,
            Operand::Place {
                place,
                by_ref: true,
            } => !self.place_active(place) && a.lend == Lend::Mut,
            Operand::Place { place, by_ref } => !self.place_active(place) && !by_ref,
        }
    }

    pub(super) fn arg_witnesses(
        &self,
        v: VarId,
        receiver: Option<&Arg>,
        args: &[Arg],
    ) -> TokenStream {
        let inactive = args
            .iter()
            .enumerate()
            .filter(|(_, a)| self.arg_inactive_value(a));
        let inactive = inactive.map(|(i, a)| {
            let z = self.inactive_adj(v, i);
            let no_adj = no_adj(a);
            match a.operand.ty() {
                Ty::Unknown => {
                    let lent = self.with_code(|c| c.passed(&a.operand));
                    quote!(let mut #z = (&&&#lent).#no_adj();)
                }
                _ => {
                    let r = self.with_code(|c| c.value_ref(&a.operand));
                    quote!(let mut #z = ad::#no_adj(#r);)
                }
            }
        });
        let rooms = self.rooms_for_fields(v, receiver, args).into_iter();
        let rooms = rooms.map(|(z, a, field)| {
            let mode = self.field_mode(a, field, quote!(ad::On));
            let lent = self.with_code(|c| c.passed(&a.operand));
            quote!(let mut #z = (&&&#lent).room(#mode);)
        });
        inactive.chain(rooms).collect()
    }
}
