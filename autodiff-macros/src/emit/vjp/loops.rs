//! Emits the reverse of a `for` loop.
//!
//! Trips are reversed from the last to the first. Where no trip reads what another writes, they may
//! run in any order, and then the order of memory is the faster one.

use super::Vjp;
use crate::ir::*;
use crate::ir::{is_active, places};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, RangeLimits};

impl Vjp<'_> {
    pub(super) fn rev_for(
        &self,
        var: VarId,
        range: &Native,
        reversed: bool,
        body: &Block,
        exit: bool,
        id: usize,
    ) -> TokenStream {
        let name = self.name(var);
        let e = &range.expr;
        if !exit {
            if let Some(extremum) = self.extremum(body, var) {
                return self.rev_extremum(&extremum, id, var, body);
            }
            if let Some(straight) = self.rev_straight(var, range, reversed, body, id) {
                return straight;
            }
        }
        let record = self.loop_record(body, exit.then_some(var));
        let pop = self.popped(id, &record);
        let reverse = || self.reversed(body, TokenStream::new());
        let (arrays, reversed_trip) = self.around.inside(reverse);
        let in_order = record.is_empty() && self.independent(body);
        if exit {
            // The trips that were made, by their number; the tape has the variable of each.
            let trips = self.trips(id);
            return quote!(#arrays for _ in 0..#trips { #pop #reversed_trip });
        }
        let cuts = self.cuts(var, range, body);
        // A cut slice may be named in the range.
        let trips = if cuts.is_empty() {
            quote!((#e))
        } else {
            quote!(__trips)
        };
        let order = if reversed || in_order {
            quote!(#trips)
        } else {
            quote!(#trips.rev())
        };
        let reverse = quote!(#arrays for #name in #order { #pop #reversed_trip });
        if cuts.is_empty() {
            return reverse;
        }
        quote!({
            let __trips = #e;
            let __end = ad::end_of(__trips.clone());
            #cuts
            #reverse
        })
    }

    pub(super) fn rev_while(&self, body: &Block, id: usize) -> TokenStream {
        let record = self.record(body);
        let pop = self.popped(id, &record);
        let trips = self.trips(id);
        let reverse = || self.reversed(body, TokenStream::new());
        let (arrays, reversed) = self.around.inside(reverse);
        quote!(#arrays for _ in 0..#trips { #pop #reversed })
    }

    /// Whether the trips of a loop commute in reverse: each only adds, to places that no trip reads.
    pub(super) fn independent(&self, body: &Block) -> bool {
        let active = |s: &&Stmt| is_active(s, &self.f.vars);
        let inside = |v: VarId| self.f.vars[v].defined.scope.starts_with(&body.scope);
        let mut targets = Vec::new();
        let mut reads = Vec::new();
        for s in body.stmts.iter().filter(active) {
            match &s.kind {
                StmtKind::Def(_, rhs) => reads.extend(places(rhs).iter().map(|p| p.root)),
                StmtKind::Accum(_, p, o) => {
                    targets.push(p.root);
                    reads.extend(o.place().map(|p| p.root));
                }
                _ => return false,
            }
        }
        targets.iter().all(|t| inside(*t) || !reads.contains(t))
    }

    /// Slices that every trip indexes with the loop variable are cut to the loop's length first: the
    /// forward run has shown that they are long enough, and one check does for all trips.
    fn cuts(&self, var: VarId, range: &Native, body: &Block) -> TokenStream {
        let Expr::Range(r) = &range.expr else {
            return TokenStream::new();
        };
        if !matches!(r.limits, RangeLimits::HalfOpen(_)) {
            return TokenStream::new();
        }
        let mut slices: Vec<VarId> = Vec::new();
        for s in &body.stmts {
            let mut note = |p: &Place| {
                let slice = |i: usize| self.f.params[i].slice_of.is_some();
                if indexed_by(p, var) && self.f.vars[p.root].param.is_some_and(slice) {
                    slices.push(p.root);
                }
            };
            match &s.kind {
                StmtKind::Def(_, rhs) => places(rhs).into_iter().for_each(&mut note),
                StmtKind::Assign(_, o, _) | StmtKind::Accum(_, _, o) => {
                    o.place().into_iter().for_each(&mut note);
                }
                _ => {}
            }
        }
        slices.sort_unstable();
        slices.dedup();
        // Any other use would see the length, or an entry beyond it.
        slices.retain(|x| !used_otherwise(body, *x, var));
        slices
            .iter()
            .map(|v| {
                let (x, d) = (self.name(*v), self.adj(*v));
                let cut = quote!(let #d = &mut #d[..__end];);
                let adj = self.f.vars[*v].active.then_some(cut);
                // A slice that is written has other values by now, which the reverse does not read.
                let read = self.f.vars[*v].hold != Hold::Mut;
                let value = read.then(|| quote!(let #x = &#x[..__end];));
                quote!(#value #adj)
            })
            .collect()
    }
}

/// `x[i]`, possibly with more behind it.
fn indexed_by(p: &Place, var: VarId) -> bool {
    matches!(p.projections.first(), Some(Projection::Index(n))
        if matches!(&n.expr, Expr::Path(_)) && n.uses.as_slice() == [var])
}

/// Whether a block uses a slice in another way than indexing it with the loop variable.
fn used_otherwise(b: &Block, x: VarId, var: VarId) -> bool {
    let native = |n: &Native| n.uses.contains(&x);
    let place = |p: &Place| p.root == x && !indexed_by(p, var) || p.index_uses().any(|v| v == x);
    let operand = |o: &Operand| match o {
        Operand::Place { place: p, .. } => place(p),
        Operand::Native(n) => native(n),
    };
    b.result.as_ref().is_some_and(operand)
        || b.stmts.iter().any(|s| {
            let flow = s.flow();
            // All of it runs once more.
            s.checkpoint().is_some_and(|c| c.names(x))
                // Kept statements are not part of the reverse.
                || flow.places().chain(flow.target).any(place)
                || flow.inactive().any(native)
                || s.blocks().into_iter().any(|b| used_otherwise(b, x, var))
        })
}
