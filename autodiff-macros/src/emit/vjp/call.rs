//! Emits the pullback of a call.

use super::Vjp;
use crate::code::lent_apart;
use crate::ir::is_reference;
use crate::ir::region::Region;
use crate::ir::*;
use crate::syntax::names::{derived, ident};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, ToTokens};

impl Vjp<'_> {
    pub(super) fn rev_call(&self, v: VarId, receiver: Option<&Arg>, args: &[Arg]) -> TokenStream {
        let (d, p) = (self.adj(v), self.pullback(v));
        let lenses = self.lenses(receiver, args);
        let (mut before, mut primals, mut accs, mut after) = (
            TokenStream::new(),
            Vec::new(),
            Vec::new(),
            TokenStream::new(),
        );
        let offset = usize::from(receiver.is_some());
        let all = receiver
            .into_iter()
            .map(|r| (r, true))
            .chain(args.iter().map(|a| (a, false)));
        let lent = self.lent_places(receiver, args);
        let lent = self.lenses_at_once(&lent);
        let rows = self.rows(receiver, args, &lenses);
        for (k, (a, is_receiver)) in all.enumerate() {
            let by_ref = is_receiver || self.is_passed_again(a);
            let primal = match a.snapshot {
                Some(s) => {
                    let s = self.name(s);
                    quote!(&#s)
                }
                None => match &a.operand {
                    o if is_receiver => self.receiver(o, Span::call_site()),
                    Operand::Place { place, .. } => {
                        let reference = self.with_code(|c| c.reference(place));
                        match captured(a) && !place.is_var() {
                            true => quote!((#reference).env()),
                            false => reference,
                        }
                    }
                    Operand::Native(n) => n.expr.to_token_stream(),
                },
            };
            let slice = a.operand.place().is_some_and(|p| self.is_slice(p));
            if by_ref {
                primals.push(match a.lend {
                    Lend::Shared => primal.clone(),
                    Lend::Mut => quote!(ad::Gone),
                    Lend::Maybe if slice => quote!(ad::again(&(#primal)[..])),
                    Lend::Maybe => quote!(ad::again(#primal)),
                });
            }
            let place = a.operand.place().filter(|p| self.place_active(p));
            let t = ident(format!("t{k}"));
            let inner = place.is_some_and(|p| captured(a) && !p.is_var());
            let row = rows.as_ref().and_then(|r| r.name(k));
            let acc = match place {
                Some(_) if lenses.direct[k] && row.is_some() => quote!(#row),
                Some(_) if lenses.direct[k] && self.field_arg(a, is_receiver).is_some() => {
                    let (lens, room) = (&lent[k], self.room_for_field(v, k));
                    quote!(ad::Passed(#lens, &mut #room).acc())
                }
                Some(_) if lenses.direct[k] => lent[k].clone().unwrap_or_default(),
                Some(p) if by_ref => {
                    // What the place has in the end may have another shape.
                    let value = match a.snapshot {
                        Some(before) if slice => {
                            let before = self.name(before);
                            quote!(#before[..])
                        }
                        Some(before) => self.name(before).to_token_stream(),
                        None => self.with_code(|c| c.place(p)),
                    };
                    let zero = quote!(#value.zero_adj(ad::On));
                    match (self.aside(v, k, p), &rows) {
                        (Some(aside), _) => self.lens_aside(&aside, p),
                        (None, Some(rows)) if row.is_some() => {
                            before.extend(self.both_rows(rows, &zero));
                            let add = self.add_aside(p, &value, &quote!(#t));
                            after.extend(
                                quote!(if let ::core::option::Option::Some(#t) = #t { #add }),
                            );
                            quote!(#row)
                        }
                        _ => {
                            before.extend(quote!(let mut #t = #zero;));
                            after.extend(self.add_aside(p, &value, &quote!(#t)));
                            quote!(&mut #t)
                        }
                    }
                }
                Some(p) => {
                    let (lens, w) = (self.lens(p), self.wit(&a.operand));
                    before.extend(quote!(let mut #t = #w.zero();));
                    after.extend(quote!(ad::acc(&#w, #t, #lens);));
                    quote!(&mut #t)
                }
                None if is_receiver || by_ref && !self.arg_inactive_value(a) => {
                    let mut lent = primal;
                    if let (false, true) = (is_receiver, is_built(&a.operand)) {
                        // Its type may follow from the parameter's.
                        let built = ident(format!("built{k}"));
                        before.extend(quote!(let #built = #lent;));
                        lent = built.to_token_stream();
                        if let Some(last) = primals.last_mut() {
                            *last = lent.clone();
                        }
                    }
                    let no_adj = no_adj(a);
                    quote!(&mut (&&&ad::Anything(#lent)).#no_adj())
                }
                None => {
                    let z = self.inactive_adj(v, k - offset);
                    quote!(&mut #z)
                }
            };
            accs.push(match inner {
                true => quote!((#acc).env()),
                false => acc,
            });
        }
        let call = lent_apart(
            args,
            quote!(#(#accs),*),
            |accs| quote!(#p(#d, #(#primals,)* #accs)),
        );
        quote!(#before #call; #after)
    }
}

impl Vjp<'_> {
    /// Whether a pullback gets an argument again: a reference.
    fn is_passed_again(&self, a: &Arg) -> bool {
        match &a.operand {
            Operand::Place { by_ref, .. } => *by_ref,
            Operand::Native(n) => is_reference(n, self.f),
        }
    }

    /// Whether the copy of a receiver is only made if the pullback takes it, as the types tell: a method with `&mut self` has
    /// changed it.
    fn is_kept_if_taken(&self, copy: VarId, receiver: &Place) -> bool {
        let needed = self.needs.values.contains(&copy);
        let may_change = self.f.vars[copy].kept_for == Some(KeptFor::MayChange);
        needed && may_change && self.place_active(receiver) && !self.is_slice(receiver)
    }

    /// Such a copy, before the call.
    pub(super) fn kept_if_taken(&self, copy: VarId, receiver: &Place) -> Option<TokenStream> {
        self.is_kept_if_taken(copy, receiver).then_some(())?;
        let (name, taken) = (self.name(copy), self.taken(copy));
        let value = self.with_code(|c| c.reference(receiver));
        Some(quote!(let #taken = ad::Taken::new(); let #name = ad::kept(&#taken, #value);))
    }

    /// What is said behind the call.
    pub(super) fn said_taken(&self, v: VarId, receiver: &Arg, args: &[Arg]) -> Option<TokenStream> {
        let (copy, place) = (receiver.snapshot?, receiver.operand.place()?);
        self.is_kept_if_taken(copy, place).then_some(())?;
        let again = args.iter().filter(|a| self.is_passed_again(a)).count();
        let say = format_ident!("taken_beside_{}", again + args.len() + 1);
        let (p, taken) = (self.pullback(v), self.taken(copy));
        Some(quote!(ad::#say(&#p, &#taken);))
    }

    fn taken(&self, copy: VarId) -> Ident {
        derived("taken_", &self.f.vars[copy].name)
    }

    /// The active places of a call's arguments, whose accumulators it gets.
    fn lent_places<'b>(
        &self,
        receiver: Option<&'b Arg>,
        args: &'b [Arg],
    ) -> Vec<Option<&'b Place>> {
        let places = receiver.into_iter().chain(args);
        let places = places.map(|a| a.operand.place().filter(|p| self.place_active(p)));
        places.collect()
    }

    /// The reverse of a region, which has kept the values that it reads.
    pub(super) fn rev_region(&self, v: VarId, args: &[Arg]) -> TokenStream {
        let (d, p) = (self.adj(v), self.pullback(v));
        let lenses = self.lenses(None, args);
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let mut accs = Vec::new();
        for (k, a) in args.iter().enumerate() {
            let place = a.operand.place().filter(|p| self.place_active(p));
            let acc = match place {
                // Its type may not be known here.
                None => {
                    accs.push(quote!(::core::option::Option::None));
                    continue;
                }
                Some(p) if lenses.direct[k] => self.plain_lens(p),
                Some(p) => {
                    let (t, lens) = (ident(format!("t{k}")), self.plain_lens(p));
                    let place = self.with_code(|c| c.place(p));
                    before.extend(quote!(let mut #t = #place.zero_adj(ad::On);));
                    after.extend(quote!(ad::acc(&#place.__wit(), #t, #lens);));
                    quote!(&mut #t)
                }
            };
            accs.push(quote!(::core::option::Option::Some(#acc)));
        }
        quote!(#before #p(#d, #(#accs),*); #after)
    }

    /// The arguments of a region: what nothing else reads is given up.
    pub(super) fn region_args<'a>(
        &'a self,
        region: &'a Region,
        args: &'a [Arg],
    ) -> impl Iterator<Item = TokenStream> + 'a {
        args.iter().zip(&region.last_use).map(|(a, last_use)| {
            let lent = self.fwd_arg(a);
            let place = a.operand.place().filter(|_| a.snapshot.is_none());
            match (region.total, place) {
                (Some(_), _) => lent,
                (None, Some(p)) if *last_use && !self.keep()(p.root) => {
                    let name = self.name(p.root);
                    quote!(ad::fused::own(#name))
                }
                (None, _) => quote!(ad::fused::lent(#lent)),
            }
        })
    }
}

/// Whether a reference is to what the argument makes.
pub fn is_built(o: &Operand) -> bool {
    let Operand::Native(Native {
        expr: syn::Expr::Reference(r),
        ..
    }) = o
    else {
        return false;
    };
    match &*r.expr {
        syn::Expr::Path(p) => p.path.is_ident("None"),
        syn::Expr::Array(a) => a.elems.is_empty(),
        syn::Expr::Call(c) => c.args.is_empty(),
        syn::Expr::Macro(m) => m.mac.tokens.is_empty(),
        _ => false,
    }
}

/// The method that makes the accumulator of an argument without a derivative.
pub(super) fn no_adj(a: &Arg) -> Ident {
    match a.unfollowed {
        true => ident("unfollowed".into()),
        false => ident("no_adj".into()),
    }
}

/// Whether an argument is a function that is a part of what this one captures.
fn captured(a: &Arg) -> bool {
    matches!(a.code.as_deref(), Some(Passed::Parameter))
}
