//! Second accumulators of what a call gets twice.
//!
//! In `self.laplace(&self.u, i)` the cotangents of `self` and of `self.u` are one place, and Rust lends it once. The second goes
//! through an accumulator of its own, which is as large as `self.u`. In a loop it serves all trips and is added at the end:
//!
//! ```text
//! let mut aside1_v0 = None;
//! for i in (0..n).rev() {
//!     p_v0(d_v0, this, &this.u, d_this, aside1_v0.get_or_insert_with(|| this.u.zero_adj(ad::On)));
//! }
//! if let Some(all) = aside1_v0 { ad::acc(&this.u.__wit(), all, &mut d_this.u); }
//! ```
//!
//! That is possible for parts of arguments that nothing writes, whose cotangents nobody reads before. Of two rows, as in
//! `distance(&x[i], &x[j])`, the accumulator is that of all rows.

use super::Vjp;
use crate::code::{project_all, Side};
use crate::ir::is_active;
use crate::ir::*;
use crate::syntax::names::derived;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Vjp<'_> {
    /// The accumulator of the `k`-th argument of a call, if one serves all trips of the loops around it.
    pub(super) fn aside(&self, v: VarId, k: usize, p: &Place) -> Option<Ident> {
        let (call, root) = (&self.f.vars[v].defined, &self.f.vars[p.root]);
        let param = &self.f.params[root.param?];
        let lent = (param.by_ref || param.is_self) && !param.by_mut;
        let fixed = lent && root.writes.is_empty() && !root.grows && !root.late;
        let in_loop = call.scope.iter().any(|s| s.is_loop);
        let inside = &p.projections[set_aside(p)..];
        let rows = || self.is_row(p) && inside.iter().all(Projection::is_indexed);
        let possible = inside.is_empty() || rows();
        (fixed && in_loop && possible).then(|| derived(&format!("aside{k}_"), &self.f.vars[v].name))
    }

    /// Whether a place is known to be a row, or a part of one: no value of which zeros cost nothing.
    pub(super) fn is_row(&self, p: &Place) -> bool {
        match self.f.vars[p.root].part(&p.projections) {
            Some(of) => !of.is_copy() && of.entry().is_some(),
            None => matches!(p.ty, Ty::Seq(_)),
        }
    }

    /// The accumulator of a place that is lent, in one that is set aside.
    pub(super) fn lens_aside(&self, aside: &Ident, p: &Place) -> TokenStream {
        let (whole, inside) = p.projections.split_at(set_aside(p));
        let value = self.with_code(|c| c.place(&p.up_to(whole.len())));
        let all = quote!(#aside.get_or_insert_with(|| #value.zero_adj(ad::On)));
        if inside.is_empty() {
            return all;
        }
        let inside = project_all(Side::Adjoint, all, inside);
        quote!(&mut #inside)
    }

    /// Declares them, and adds them at the end.
    pub(super) fn asides(&self) -> (TokenStream, TokenStream) {
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        for s in self.f.body.deep().filter(|s| is_active(s, &self.f.vars)) {
            let StmtKind::Def(v, rhs) = &s.kind else {
                continue;
            };
            for (k, p) in self.lent_twice(rhs) {
                if let Some(aside) = self.aside(*v, k, p) {
                    before.extend(quote!(let mut #aside = ::core::option::Option::None;));
                    let whole = p.up_to(set_aside(p));
                    let value = self.with_code(|c| c.place(&whole));
                    let add = self.add_aside(&whole, &value, &quote!(__all));
                    after.extend(
                        quote!(if let ::core::option::Option::Some(__all) = #aside { #add }),
                    );
                }
            }
        }
        (before, after)
    }

    /// The arguments of a call whose cotangents another one has already, by their positions.
    fn lent_twice<'b>(&self, rhs: &'b Rhs) -> Vec<(usize, &'b Place)> {
        let (receiver, args) = match rhs {
            Rhs::Call { args, path } if self.f.region_of(path).is_none() => (None, args),
            Rhs::Method { receiver, args, .. } => (Some(receiver), args),
            _ => return Vec::new(),
        };
        let direct = self.lenses(receiver, args).direct;
        let all = receiver.into_iter().chain(args).enumerate();
        all.filter_map(|(k, a)| {
            let is_receiver = receiver.is_some() && k == 0;
            let by_ref = is_receiver || matches!(a.operand, Operand::Place { by_ref: true, .. });
            let place = a.operand.place().filter(|p| self.place_active(p))?;
            (by_ref && !direct[k]).then_some((k, place))
        })
        .collect()
    }

    /// The same as the user wrote them, each with whether one accumulator serves all trips.
    pub fn second_accumulators(&self, v: VarId, rhs: &Rhs) -> Vec<(TokenStream, bool)> {
        let twice = self.lent_twice(rhs).into_iter();
        twice
            .map(|(k, p)| {
                let place = self.with_code(|c| c.place(p));
                (place, self.aside(v, k, p).is_some())
            })
            .collect()
    }

    /// Adds a second accumulator, of what has the shape of `value`, to the first.
    pub(super) fn add_aside(
        &self,
        p: &Place,
        value: &TokenStream,
        all: &TokenStream,
    ) -> TokenStream {
        let lens = self.lens(p);
        match self.is_slice(p) {
            true => quote!(ad::acc_slice(&#value.__wit(), #all, #lens);),
            false => quote!(ad::acc(&#value.__wit(), #all, #lens);),
        }
    }
}

/// How many projections lead to what one accumulator stands for all of: of an entry, that are all entries.
fn set_aside(p: &Place) -> usize {
    let part = |p: &&Projection| matches!(p, Projection::Field(_) | Projection::Deref);
    p.projections.iter().take_while(part).count()
}
