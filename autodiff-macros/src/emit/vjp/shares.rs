//! The reverse of a straight loop that reads several neighbours in one array, or that pushes numbers.
//!
//! `for i in 1..n - 1 { next[i] = now[i - 1] + now[i + 1]; }` adds in reverse to `d_now[i - 1]` and to `d_now[i + 1]`. The
//! next trip reads what this one has just written, so trips would wait for memory, one after the other. Instead the trips
//! are run in blocks. In a block each *window*, the entries that one index expression names trip after trip, has its shares
//! of the cotangent in an array of its own; when the block is done, they are added to the cotangent, one window after the
//! other.
//!
//! ```text
//! let part0 = ad::window(&now[..], __n, || __trips.start - 1);
//! let from0 = __trips.start - 1;
//! let mut share0 = [ad::F64.zero(); ad::BLOCK];
//! for __block in 0..__n.div_ceil(ad::BLOCK) {
//!     let __first = ad::BLOCK * __block;
//!     let __m = ad::BLOCK.min(__n - __first);
//!     let share0 = &mut share0[..__m];
//!     for __t in 0..__m {
//!         let mut d_part0 = ad::Share(ad::F64.zero());
//!         d_part0[__t] += ..
//!         share0[__t] = d_part0.0;
//!     }
//!     ad::add_shares(&ad::F64, share0, &mut d_now[..], from0 + __first);
//! }
//! ```

use super::lanes::entry_witness;
use super::straight::{mentions, once_for_all, stores_fields, sums, Uses};
use super::windows::{entry, part, windows, Offset, Window};
use super::Vjp;
use crate::ir::is_active;
use crate::ir::*;
use crate::syntax::names::ident;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

/// What the trips do to the cotangents of a window.
enum Cotangents {
    /// They add to them.
    Added,
    /// They read them.
    Read,
    /// They read and change them.
    Changed,
    /// They take those of the entries that they pushed.
    Pushed,
}

/// The parts of the emitted code, in their order.
#[derive(Default)]
struct Parts {
    /// Before the first block.
    views: TokenStream,
    /// At the start of a block.
    block: TokenStream,
    /// Around each trip.
    before: TokenStream,
    after: TokenStream,
    /// At the end of a block.
    end: TokenStream,
    /// After the last block.
    last: TokenStream,
}

impl Vjp<'_> {
    /// `None` where the trips neither push nor read neighbours, or where they may not run in any order.
    pub(super) fn in_shares(
        &self,
        var: VarId,
        start: &Expr,
        range: &Native,
        reversed: bool,
        body: &Block,
        id: usize,
    ) -> Option<TokenStream> {
        let mut f = self.f.clone();
        let mut inner = body.clone();
        // The first trip of a reversed loop has the last item of its range, but pushes the first entry.
        let pushed = match reversed {
            true => Vec::new(),
            false => pushes(&mut f, &mut inner),
        };
        if !self.within(&f).is_straight(&inner) {
            return None;
        }
        let uses = Uses::of(&f, &inner);
        let one_way = |v| !(uses.reads.contains(&v) && uses.targets.contains(&v));
        let mut windows = windows(&mut f, &mut inner, var, one_way);
        windows.extend(pushed.iter().cloned());
        if stores_fields(&f, &inner) {
            return None;
        }
        let uses = Uses::of(&f, &inner);
        let sums = sums(&f, &inner);
        let worth = !pushed.is_empty() || has_neighbours(&f, &windows, &uses);
        if !worth || !self.commute(&f, &inner, &windows, &sums) {
            return None;
        }
        let of_sums = self.sums(&mut f, &sums, &quote!(ad::BLOCK));
        let record = self.loop_record(body, None);
        let g = self.within(&f);
        let trip = g.trip_in_block(&inner, var, &record);
        // What was pushed is gone by now.
        if pushed.iter().any(|w| mentions(&trip, g.name(w.root))) {
            return None;
        }
        let mut parts = Parts::default();
        for (k, w) in windows.iter().enumerate() {
            let pushed = pushed.iter().any(|p| p.var == w.var);
            let cotangents = cotangents(w.var, pushed, &uses, &inner);
            g.window_in_shares(k, w, &cotangents, start, &trip, &mut parts)?;
        }
        let kept = self.whole_tape(id, &record);
        if kept.is_some() {
            parts
                .block
                .extend(quote!(let __kept = &__kept[__first..][..__m];));
        }
        let Parts {
            views,
            block,
            before,
            after,
            end,
            last,
        } = parts;
        let (zeros, lanes, total) = (of_sums.zeros, of_sums.lanes, of_sums.total);
        let code = quote! {
            #kept
            #views
            #zeros
            // A tape is read from its end.
            for __block in (0..__n.div_ceil(ad::BLOCK)).rev() {
                let __first = ad::BLOCK * __block;
                let __m = ad::BLOCK.min(__n - __first);
                #block
                for __t in 0..__m { #lanes #before #trip #after }
                #end
            }
            #last
            #total
        };
        Some(once_for_all(range, &code))
    }

    /// Adds the code of one window, with the number `k`, as far as a trip names it.
    fn window_in_shares(
        &self,
        k: usize,
        w: &Window,
        cotangents: &Cotangents,
        start: &Expr,
        trip: &TokenStream,
        parts: &mut Parts,
    ) -> Option<()> {
        let (x, d) = (self.name(w.var), self.adj(w.var));
        let (array, d_root) = (w.array(self.f), self.adj(w.root));
        let (slice, start) = (w.slice(), w.from(start));
        if mentions(trip, x) {
            parts
                .views
                .extend(quote!(let #x = ad::window(&#array, __n, || #start);));
            parts.block.extend(quote!(let #x = &#x[__first..][..__m];));
        }
        if !mentions(trip, &d) {
            return Some(());
        }
        let witness = entry_witness(self.f, w)?;
        let [from, share, into] = ["from", "share", "into"].map(|n| ident(format!("{n}{k}")));
        let zeros = quote!(let mut #share = [#witness.zero(); ad::BLOCK];);
        let part = quote!(let #share = &mut #share[..__m];);
        match cotangents {
            Cotangents::Added => {
                parts.views.extend(quote!(let #from = #start; #zeros));
                parts.block.extend(part);
                parts
                    .before
                    .extend(quote!(let mut #d = ad::Share(#witness.zero());));
                parts.after.extend(quote!(#share[__t] = #d.0;));
                parts.end.extend(quote! {
                    ad::add_shares(&#witness, #share, &mut #d_root #slice, #from + __first);
                });
            }
            Cotangents::Read => {
                parts
                    .views
                    .extend(quote!(let #d = ad::window(&#d_root #slice, __n, || #start);));
                parts.block.extend(quote!(let #d = &#d[__first..][..__m];));
            }
            Cotangents::Changed => {
                parts.views.extend(quote! {
                    let #into = ad::window_mut(&mut #d_root #slice, __n, || #start);
                    #zeros
                });
                parts
                    .block
                    .extend(quote!(#part let #into = &mut #into[__first..][..__m];));
                parts
                    .before
                    .extend(quote!(let mut #d = ad::Share(#into[__t]);));
                parts.after.extend(quote!(#share[__t] = #d.0;));
                // Nothing is written before all is read, so that no trip waits for another.
                parts.end.extend(quote!(#into.copy_from_slice(#share);));
            }
            Cotangents::Pushed => {
                let lens = self.lens(&self.f.whole(w.root));
                parts
                    .views
                    .extend(quote!(let #into = ad::last_mut(#lens, __n);));
                parts
                    .block
                    .extend(quote!(let #into = &#into[__first..][..__m];));
                parts
                    .before
                    .extend(quote!(let mut #d = ad::Share(#into[__t]);));
                parts.last.extend(quote!(ad::drop_last(#lens, __n);));
            }
        }
        Some(())
    }

    /// Whether the trips may run in any order: what one adds to, and what it takes, no other reads.
    fn commute(&self, f: &Func, body: &Block, windows: &[Window], sums: &[VarId]) -> bool {
        let inside = |v: VarId| f.vars[v].defined.scope.starts_with(&body.scope);
        // The only window of its array has another entry for each trip.
        let own = |v: VarId| {
            let window = windows.iter().find(|w| w.var == v);
            window.is_some_and(|w| windows.iter().filter(|o| o.root == w.root).count() == 1)
        };
        let uses = Uses::of(f, body);
        let windowed = |v: &VarId| windows.iter().any(|w| w.root == *v);
        if uses.reads.iter().chain(&uses.targets).any(windowed) {
            return false;
        }
        let known = |v: &VarId| {
            let window = windows.iter().find(|w| w.var == *v);
            !f.vars[*v].active
                || inside(*v)
                || sums.contains(v)
                || window.is_some_and(|w| entry_witness(f, w).is_some())
        };
        let aliased = |w: &Window| f.vars[w.root].alias.is_some();
        uses.reads.iter().all(known)
            && !windows.iter().any(aliased)
            && body
                .stmts
                .iter()
                .filter(|s| is_active(s, &f.vars))
                .all(|s| match &s.kind {
                    StmtKind::Def(..) => true,
                    StmtKind::Accum(_, p, _) => {
                        inside(p.root) || own(p.root) || !uses.reads.contains(&p.root)
                    }
                    StmtKind::Assign(p, _, None) => inside(p.root) || own(p.root),
                    _ => false,
                })
    }
}

/// What the trips do to the cotangents of a window.
fn cotangents(v: VarId, pushed: bool, uses: &Uses, body: &Block) -> Cotangents {
    let to = |s: &Stmt| matches!(&s.kind, StmtKind::Assign(p, ..) if p.root == v);
    let assigned = body.stmts.iter().any(to);
    match (uses.reads.contains(&v), uses.targets.contains(&v)) {
        _ if pushed => Cotangents::Pushed,
        (true, false) => Cotangents::Added,
        (false, _) if !assigned => Cotangents::Read,
        _ => Cotangents::Changed,
    }
}

/// Replaces `v.push(x)` of numbers, once in each trip, by assignments to the last entries of `v`.
fn pushes(f: &mut Func, body: &mut Block) -> Vec<Window> {
    let mut out = Vec::new();
    for s in &mut body.stmts {
        let StmtKind::Push(place, value) = &s.kind else {
            continue;
        };
        let (root, var) = (place.root, &f.vars[place.root]);
        let Ty::Seq(entries) = &var.ty else {
            continue;
        };
        let outside = !var.defined.scope.starts_with(&body.scope) && !var.late;
        let numbers = matches!(**entries, Ty::Float(_)) && value.ty().is_float();
        let whole = place.is_var() && !place.may_be_constant();
        if !outside || !numbers || !whole || !is_active(s, &f.vars) {
            continue;
        }
        let (ty, value) = ((**entries).clone(), value.clone());
        let name = ident(format!("pushed{}", out.len()));
        let window = Window {
            var: part(f, root, name),
            root,
            values: (root, None),
            slice: None,
            offset: Offset::default(),
            key: "push".into(),
        };
        let entry = Place {
            ty,
            ..entry(window.var, place)
        };
        s.kind = StmtKind::Assign(entry, value, None);
        out.push(window);
    }
    out
}

/// Whether the trips add to the cotangents of two windows of one array.
fn has_neighbours(f: &Func, windows: &[Window], uses: &Uses) -> bool {
    let added = |w: &&Window| f.vars[w.var].active && uses.reads.contains(&w.var);
    let added: Vec<&Window> = windows.iter().filter(added).collect();
    let twice = |w: &&Window| added.iter().filter(|o| o.root == w.root).count() > 1;
    added.iter().any(twice)
}
