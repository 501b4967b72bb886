//! The reverse of a straight loop that reads several neighbours in one array, or that pushes numbers.
//!
//! `for i in 1..n - 1 { next[i] = now[i - 1] + now[i + 1]; }` adds in reverse to `d_now[i - 1]` and to `d_now[i + 1]`. The
//! next trip reads what this one has just written, so trips would wait for memory, one after the other. Instead the trips
//! are run in blocks. In a block each *window*, the entries that one index expression names trip after trip, has its shares
//! of the cotangent in an array of its own; when the block is done, they are added to the cotangent. Windows that lie a few
//! entries apart are added together, in one pass: each array has room for the entries that only the others name, and these
//! are zero. The arrays of a loop inside another are made before the other.
//!
//! ```text
//! let part0 = ad::window(&now[..], __n, || __trips.start - 1);
//! let from0 = __trips.start - 1;
//! let mut share0 = [ad::F64.zero(); ad::BLOCK + 2];
//! let part1 = ad::window(&now[..], __n, || __trips.start + 1);
//! let mut share1 = [ad::F64.zero(); ad::BLOCK + 2];
//! for __block in 0..__n.div_ceil(ad::BLOCK) {
//!     let __first = ad::BLOCK * __block;
//!     let __m = ad::BLOCK.min(__n - __first);
//!     share0[__m..2 + __m].fill(ad::F64.zero());
//!     let (own0, own1) = (&mut share0[0..][..__m], &mut share1[2..][..__m]);
//!     for __t in 0..__m {
//!         let mut d_part0 = ad::Share(ad::F64.zero());
//!         d_part0[__t] += ..
//!         own0[__t] = d_part0.0;
//!         ..
//!     }
//!     ad::add_shares(&ad::F64, [&share0[..2 + __m], &share1[..2 + __m]], &mut d_now[..], from0 + __first);
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

/// What the trips do to the cotangents of a window that they do more to than add.
enum Cotangents {
    /// They read them.
    Read,
    /// They read and change them.
    Changed,
    /// They take those of the entries that they pushed.
    Pushed,
}

/// Windows of one array that lie at most so many entries apart are added together.
const APART: i64 = 8;

/// The windows that one is added together with, itself among them.
struct Together {
    /// Their numbers.
    all: Vec<usize>,
    /// The one that starts first in the array.
    first: usize,
    /// How many entries later this one starts, and the last one.
    later: usize,
    span: usize,
}

impl Together {
    /// The windows near the one with the number `k`: the same ones for each of them.
    fn of(k: usize, windows: &[Window], added: &[bool]) -> Together {
        let place = |w: &Window| {
            let (constant, rest) = w.offset.constant();
            let within = w.slice.as_ref().map(ToString::to_string);
            (constant, (w.root, within, rest))
        };
        let (at, array) = place(&windows[k]);
        let mut near: Vec<(i64, usize)> = (0..windows.len())
            .filter(|&i| added[i])
            .map(|i| (place(&windows[i]), i))
            .filter(|((_, of), _)| *of == array)
            .map(|((at, _), i)| (at, i))
            .collect();
        near.sort_unstable();
        // From the first one on, as many as are near it; then from the next one on.
        while near[0].0 + APART < at {
            let first = near[0].0;
            near.retain(|(at, _)| first + APART < *at);
        }
        let first = near[0];
        near.retain(|(at, _)| *at <= first.0 + APART);
        let later = |at: i64| usize::try_from(at - first.0).expect("sorted");
        let span = near.iter().map(|(at, _)| later(*at)).max();
        let mut all: Vec<usize> = near.into_iter().map(|(_, i)| i).collect();
        all.sort_unstable();
        Together {
            all,
            first: first.1,
            later: later(at),
            span: span.unwrap_or(0),
        }
    }
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
        let to = |w: &Window| {
            let pushed = pushed.iter().any(|p| p.var == w.var);
            cotangents(w.var, pushed, &uses, &inner)
        };
        let named: Vec<bool> = windows
            .iter()
            .map(|w| mentions(&trip, &g.adj(w.var)))
            .collect();
        let added = windows.iter().zip(&named);
        let added: Vec<bool> = added.map(|(w, named)| *named && to(w).is_none()).collect();
        for (k, w) in windows.iter().enumerate() {
            match to(w) {
                _ if !named[k] => {}
                None => {
                    let with = Together::of(k, &windows, &added);
                    g.added_together(k, w, &with, start, id, &mut parts)?;
                }
                Some(to) => g.window_in_shares(k, w, &to, start, &mut parts)?,
            }
            if mentions(&trip, g.name(w.var)) {
                let (x, array, from) = (g.name(w.var), w.array(g.f), w.from(start));
                parts
                    .views
                    .extend(quote!(let #x = ad::window(&#array, __n, || #from);));
                parts.block.extend(quote!(let #x = &#x[__first..][..__m];));
            }
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

    /// Adds the code for the cotangents of a window, with the number `k`, to which the trips add.
    fn added_together(
        &self,
        k: usize,
        w: &Window,
        with: &Together,
        start: &Expr,
        id: usize,
        parts: &mut Parts,
    ) -> Option<()> {
        let (d, d_root, slice) = (self.adj(w.var), self.adj(w.root), w.slice());
        let witness = entry_witness(self.f, w)?;
        let share = |k: &usize| ident(format!("share{id}_{k}"));
        let (own, this) = (ident(format!("own{k}")), share(&k));
        let Together { later, span, .. } = with;
        let array = quote!(let mut #this = [#witness.zero(); ad::BLOCK + #span];);
        parts.views.extend(self.around.before(array));
        if later < span {
            // A longer run of the loop may have left shares there.
            parts
                .block
                .extend(quote!(#this[#later + __m..#span + __m].fill(#witness.zero());));
        }
        parts
            .block
            .extend(quote!(let #own = &mut #this[#later..][..__m];));
        parts
            .before
            .extend(quote!(let mut #d = ad::Share(#witness.zero());));
        parts.after.extend(quote!(#own[__t] = #d.0;));
        if with.first == k {
            let from = ident(format!("from{k}"));
            let (index, all) = (w.from(start), with.all.iter().map(share));
            parts.views.extend(quote!(let #from = #index;));
            parts.end.extend(quote! {
                ad::add_shares(&#witness, [#(&#all[..#span + __m]),*], &mut #d_root #slice, #from + __first);
            });
        }
        Some(())
    }

    /// The same of one with cotangents that the trips read, change or take.
    fn window_in_shares(
        &self,
        k: usize,
        w: &Window,
        cotangents: &Cotangents,
        start: &Expr,
        parts: &mut Parts,
    ) -> Option<()> {
        let (d, d_root) = (self.adj(w.var), self.adj(w.root));
        let (slice, start) = (w.slice(), w.from(start));
        let witness = entry_witness(self.f, w)?;
        let [share, into] = ["share", "into"].map(|n| ident(format!("{n}{k}")));
        match cotangents {
            Cotangents::Read => {
                parts
                    .views
                    .extend(quote!(let #d = ad::window(&#d_root #slice, __n, || #start);));
                parts.block.extend(quote!(let #d = &#d[__first..][..__m];));
            }
            Cotangents::Changed => {
                parts.views.extend(quote! {
                    let #into = ad::window_mut(&mut #d_root #slice, __n, || #start);
                    let mut #share = [#witness.zero(); ad::BLOCK];
                });
                parts
                    .block
                    .extend(quote!(let #share = &mut #share[..__m]; let #into = &mut #into[__first..][..__m];));
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

/// What the trips do to the cotangents of a window; `None` if they only add.
fn cotangents(v: VarId, pushed: bool, uses: &Uses, body: &Block) -> Option<Cotangents> {
    let to = |s: &Stmt| matches!(&s.kind, StmtKind::Assign(p, ..) if p.root == v);
    let assigned = body.stmts.iter().any(to);
    match (uses.reads.contains(&v), uses.targets.contains(&v)) {
        _ if pushed => Some(Cotangents::Pushed),
        (true, false) => None,
        (false, _) if !assigned => Some(Cotangents::Read),
        _ => Some(Cotangents::Changed),
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
