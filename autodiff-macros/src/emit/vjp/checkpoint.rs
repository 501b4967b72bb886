//! Emits loops with `#[checkpoint]`.
//!
//! For `#[checkpoint(every = k)] for i in 0..n { x = x.sin(); }` the forward run is
//!
//! ```text
//! let mut snapshots1 = ad::Checkpoints::every(k, Some(ad::trips(&range1)));
//! for i in 0..n {
//!     snapshots1.step(|| (ad::saved(&x),));
//!     x = x.sin();
//! }
//! ```
//!
//! and the reverse restores `x`, runs the body with or without the tape, and reverses parts of the loop,
//! as `snapshots1` says. While a part is reversed everything is as in a loop without the attribute.

use super::{Emitted, Vjp};
use crate::ir::Needs;
use crate::ir::*;
use crate::syntax::names::derived;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A `for` or a `while` loop.
struct Loop<'a> {
    id: usize,
    body: &'a Block,
    /// The variable and its range, which may be reversed.
    range: Option<(VarId, &'a Native, bool)>,
    exit: Option<&'a Native>,
    cond: Option<&'a Native>,
}

fn parts(s: &Stmt) -> Loop<'_> {
    match &s.kind {
        StmtKind::For {
            var,
            range,
            reversed,
            body,
            exit,
            id,
            ..
        } => Loop {
            id: *id,
            body,
            range: Some((*var, range, *reversed)),
            exit: exit.as_ref(),
            cond: None,
        },
        StmtKind::While { cond, body, id, .. } => Loop {
            id: *id,
            body,
            range: None,
            exit: None,
            cond: Some(cond),
        },
        _ => unreachable!("a loop"),
    }
}

impl Vjp<'_> {
    pub(super) fn fwd_checkpoint(&self, s: &Stmt, c: &Checkpoint) -> TokenStream {
        let l = parts(s);
        let (snapshots, range) = (self.snapshots(l.id), self.range(l.id));
        let length = match &l.range {
            Some(_) if l.exit.is_none() => {
                quote!(::core::option::Option::Some(ad::trips(&#range)))
            }
            _ => quote!(::core::option::Option::None),
        };
        let new = match &c.schedule {
            Schedule::Balanced => quote!(balanced(#length)),
            Schedule::Every(n) => {
                let n = &n.expr;
                quote!(every(#n, #length))
            }
            Schedule::Snapshots(n) => {
                let n = &n.expr;
                quote!(slots(#n, #length))
            }
            Schedule::Memory(n) => {
                let n = &n.expr;
                let parts: Vec<_> = c.state.iter().map(|v| self.own(*v)).collect();
                quote!(memory(#n, #length, |(#(#parts,)*)| 0 #(+ ad::heap_size(#parts))*))
            }
        };
        let entry = (!c.entry.is_empty()).then(|| {
            let (entry, saved) = (self.entry(l.id), c.entry.iter().map(|v| self.saved(*v)));
            quote!(let #entry = (#(#saved,)*);)
        });
        let saved = c.state.iter().map(|v| self.saved(*v));
        let step = quote!(#snapshots.step(|| (#(#saved,)*)););
        let primal = self.primal(&c.primal);
        let exit = l.exit.map(|n| {
            let n = &n.expr;
            quote!(if #n { break; })
        });
        let trips = match &l.range {
            Some((var, ..)) => {
                let var = self.name(*var);
                quote!(for #var in #range { #step #primal #exit })
            }
            None => {
                let cond = l.cond.map(|n| &n.expr);
                quote!(while #cond { #step #primal })
            }
        };
        let range = self.define_range(&l);
        quote!(#entry #range let mut #snapshots = ad::Checkpoints::#new; #trips)
    }

    pub(super) fn rev_checkpoint(&self, s: &Stmt, c: &Checkpoint) -> TokenStream {
        let l = parts(s);
        let snapshots = self.snapshots(l.id);
        let own: Vec<Ident> = c.state.iter().map(|v| self.own(*v)).collect();
        let saved = own.iter().map(|own| quote!(ad::saved(&#own)));
        let entry = (!c.entry.is_empty()).then(|| {
            let (entry, own) = (self.entry(l.id), c.entry.iter().map(|v| self.own(*v)));
            let lent = c.entry.iter().map(|v| self.lent(*v));
            quote!(let (#(mut #own,)*) = #entry; #(#lent)*)
        });
        let redefined = c.reads.iter().filter_map(|v| {
            let (name, n) = (self.name(*v), self.f.redefined(*v)?);
            let e = &n.expr;
            Some(quote!(let #name = #e;))
        });
        let mut tapes = Vec::new();
        self.tapes(l.body, &mut tapes);
        let record = self.record(l.body);
        let (push, pop) = (self.pushed(l.id, &record), self.popped(l.id, &record));
        let tape = self.tape(l.id);
        let room = (!record.is_empty()).then(|| {
            tapes.push(quote!(let mut #tape = ad::Tape::new();));
            quote!(#tape.reserve(__to - __from);)
        });
        // Each part of the loop borrows the state anew.
        let lent = c.state.iter().map(|v| {
            let place = self.f.whole(*v);
            let witness = self.followed(&place).map(|v| self.define_witness(v));
            let lent = self.lent(*v);
            quote!(#lent #witness)
        });
        let lent: TokenStream = lent.collect();
        let trip = l.range.as_ref().map(|(var, ..)| {
            let (var, range) = (self.name(*var), self.range(l.id));
            quote!(let #var = ad::trip(&#range, __trip);)
        });
        let (primal, forward) = (self.primal(&c.primal), self.fwd_block(l.body));
        let reverse = || self.reversed(l.body, TokenStream::new());
        let (arrays, reversed) = self.around.inside(reverse);
        let range = self.define_range(&l);
        quote!({
            let mut __snapshots = #snapshots;
            if !__snapshots.is_done() {
                #entry
                #(#redefined)*
                #range
                #(#tapes)*
                let (#(mut #own,)*) = __snapshots.state();
                while let ::core::option::Option::Some(__action) = __snapshots.next_action() {
                    match __action {
                        ad::Action::Restore => (#(#own,)*) = __snapshots.state(),
                        ad::Action::Store => __snapshots.store((#(#saved,)*)),
                        ad::Action::Advance(__from, __to) => {
                            #lent
                            for __trip in __from..__to { #trip #primal }
                        }
                        ad::Action::Reverse(__from, __to) => {
                            #lent
                            #room
                            for __trip in __from..__to { #trip #forward #push }
                            #arrays
                            for __trip in (__from..__to).rev() { #trip #pop #reversed }
                        }
                    }
                }
            }
        })
    }

    /// The body as the user wrote it.
    fn primal(&self, body: &Block) -> TokenStream {
        let plain = self.f.inactive();
        // What the body makes may move; of what it finds the witnesses follow.
        let outside = |v: &&VarId| !self.f.vars[**v].defined.scope.starts_with(&body.scope);
        let needs = Needs {
            values: self.needs.values.iter().filter(outside).copied().collect(),
            witnesses: self
                .needs
                .witnesses
                .iter()
                .filter(outside)
                .copied()
                .collect(),
            ..Needs::none()
        };
        let plain = Vjp {
            f: &plain,
            needs: &needs,
            callees: self.callees,
            over: self.over,
            moves: self.moves,
            around: self.around,
        };
        if !self.over {
            return plain.fwd_block(body);
        }
        let mut body = body.clone();
        crate::passes::over_scalar::over_calls(&mut body, &self.f.vars, self.callees);
        plain.fwd_block(&body)
    }

    /// The range of a `for` loop, in the order of its trips.
    fn define_range(&self, l: &Loop<'_>) -> Option<TokenStream> {
        let (_, range, reversed) = l.range.as_ref()?;
        let (name, e) = (self.range(l.id), &range.expr);
        let rev = reversed.then(|| quote!(.rev()));
        Some(quote!(let #name = (#e)#rev;))
    }

    /// The variable that owns a part of the state in the reverse.
    fn own(&self, v: VarId) -> Ident {
        match self.f.vars[v].hold {
            Hold::Mut => derived("own_", self.name(v)),
            _ => self.name(v).clone(),
        }
    }

    /// What is lent to the body under the name of a parameter that is a mutable reference.
    fn lent(&self, v: VarId) -> Option<TokenStream> {
        if self.f.vars[v].hold != Hold::Mut {
            return None;
        }
        let (name, own) = (self.name(v), self.own(v));
        let all = self.slice(v).then(|| quote!([..]));
        Some(quote!(let #name = &mut #own #all;))
    }

    /// A copy of a variable.
    fn saved(&self, v: VarId) -> TokenStream {
        let name = self.name(v);
        match self.f.vars[v].hold {
            Hold::Mut if self.slice(v) => quote!(::std::borrow::ToOwned::to_owned(&*#name)),
            Hold::Mut => quote!(ad::saved(&*#name)),
            _ => quote!(ad::saved(&#name)),
        }
    }

    fn slice(&self, v: VarId) -> bool {
        let param = self.f.vars[v].param;
        param.is_some_and(|i| self.f.params[i].slice_of.is_some())
    }
}

impl Vjp<'_> {
    /// The pullback of a function with `#[checkpoint]`: it keeps the arguments, and runs all of the function
    /// with the tape, `again`, when it is called.
    pub fn run_again(&self, again: Emitted, first: Emitted) -> Emitted {
        let owned = |p: &&Param| p.by_mut || !p.by_ref && !p.is_self;
        let params = || self.f.params.iter().filter(owned).map(|p| p.var);
        let copy = |v: VarId| derived("own_", self.name(v));
        let saved = params().map(|v| {
            let (copy, saved) = (copy(v), self.saved(v));
            quote!(let #copy = #saved;)
        });
        let restored = params().map(|v| {
            let (name, copy) = (self.name(v), copy(v));
            match self.lent(v) {
                Some(lent) => quote!(let mut #copy = #copy; #lent),
                None => quote!(let #name = #copy;),
            }
        });
        let Emitted { forward, value, .. } = first;
        let (rerun, held, reverse) = (again.forward, again.held, again.reverse);
        Emitted {
            forward: quote!(#(#saved)* #forward),
            value,
            held: TokenStream::new(),
            reverse: quote!(#(#restored)* #rerun #held #reverse),
        }
    }
}
