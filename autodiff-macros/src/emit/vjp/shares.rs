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
use super::straight::{entry, mentions, part, sums, windows, Offset, Uses, Window};
use super::Vjp;
use crate::ir::is_active;
use crate::ir::*;
use crate::syntax::names::ident;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

/// What the trips do to the cotangents of a window.
#[derive(Clone, Copy, PartialEq)]
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

impl Vjp<'_> {
    /// `None` where no array has two windows, or where the trips may not run in any order.
    pub(super) fn in_shares(
        &self,
        var: VarId,
        start: &Expr,
        range: &Native,
        body: &Block,
        id: usize,
    ) -> Option<TokenStream> {
        let mut f = self.f.clone();
        let mut inner = body.clone();
        let pushed = pushes(&mut f, &mut inner);
        if !self.within(&f).is_straight(&inner) {
            return None;
        }
        let uses = Uses::of(&f, &inner);
        let one_way = |v| !(uses.reads.contains(&v) && uses.targets.contains(&v));
        let mut windows = windows(&mut f, &mut inner, var, one_way);
        let is_pushed = |v: VarId| pushed.iter().any(|w| w.var == v);
        windows.extend(pushed.iter().cloned());
        let uses = Uses::of(&f, &inner);
        let sums = sums(&f, &inner);
        let worth = !pushed.is_empty() || has_neighbours(&f, &windows, &uses);
        if !worth || !self.commute(&f, &inner, &windows, &sums) {
            return None;
        }
        let assigned = |v: VarId| {
            let to = |s: &Stmt| matches!(&s.kind, StmtKind::Assign(p, ..) if p.root == v);
            inner.stmts.iter().any(to)
        };
        let kind = |w: &Window| match (uses.reads.contains(&w.var), assigned(w.var)) {
            _ if is_pushed(w.var) => Cotangents::Pushed,
            (false, false) => Cotangents::Read,
            (true, false) if !uses.targets.contains(&w.var) => Cotangents::Added,
            _ => Cotangents::Changed,
        };
        let kinds: Vec<Cotangents> = windows.iter().map(kind).collect();
        let of_sums = self.sums(&mut f, &sums, &quote!(ad::BLOCK));
        let g = self.within(&f);
        let record = self.loop_record(body, None);
        let trip = g.trip_in_block(&inner, var, &record);
        // What was pushed is gone by now.
        if pushed.iter().any(|w| mentions(&trip, g.name(w.root))) {
            return None;
        }
        let (mut views, mut block, mut end) =
            (TokenStream::new(), TokenStream::new(), TokenStream::new());
        let mut taken = TokenStream::new();
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        for (k, (w, kind)) in windows.iter().zip(kinds).enumerate() {
            let (x, d) = (g.name(w.var), g.adj(w.var));
            let (root, d_root) = (g.name(w.root), g.adj(w.root));
            let (from, share) = (ident(format!("from{k}")), ident(format!("share{k}")));
            let (slice, start) = (w.slice(), w.from(start));
            if mentions(&trip, x) {
                views.extend(quote!(let #x = ad::window(&#root #slice, __n, || #start);));
                block.extend(quote!(let #x = &#x[__first..][..__m];));
            }
            if !mentions(&trip, &d) {
                continue;
            }
            let witness = entry_witness(&f, w)?;
            let zeros = quote!(let mut #share = [#witness.zero(); ad::BLOCK];);
            let part = quote!(let #share = &mut #share[..__m];);
            match kind {
                Cotangents::Added => {
                    views.extend(quote!(let #from = #start; #zeros));
                    block.extend(part);
                    before.extend(quote!(let mut #d = ad::Share(#witness.zero());));
                    after.extend(quote!(#share[__t] = #d.0;));
                    end.extend(quote! {
                        ad::add_shares(&#witness, #share, &mut #d_root #slice, #from + __first);
                    });
                }
                Cotangents::Read => {
                    views.extend(quote!(let #d = ad::window(&#d_root #slice, __n, || #start);));
                    block.extend(quote!(let #d = &#d[__first..][..__m];));
                }
                Cotangents::Pushed => {
                    let (into, lens) =
                        (ident(format!("into{k}")), self.lens(&self.f.whole(w.root)));
                    views.extend(quote!(let #into = ad::last_mut(#lens, __n);));
                    block.extend(quote!(let #into = &#into[__first..][..__m];));
                    before.extend(quote!(let mut #d = ad::Share(#into[__t]);));
                    taken.extend(quote!(ad::drop_last(#lens, __n);));
                }
                Cotangents::Changed => {
                    let into = ident(format!("into{k}"));
                    views.extend(quote! {
                        let #into = ad::window_mut(&mut #d_root #slice, __n, || #start);
                        #zeros
                    });
                    block.extend(quote!(#part let #into = &mut #into[__first..][..__m];));
                    before.extend(quote!(let mut #d = ad::Share(#into[__t]);));
                    after.extend(quote!(#share[__t] = #d.0;));
                    // Nothing is written before all is read, so that no trip waits for another.
                    end.extend(quote!(#into.copy_from_slice(#share);));
                }
            }
        }
        let kept = (!record.is_empty()).then(|| {
            let t = self.tape(id);
            block.extend(quote!(let __kept = &__kept[__first..][..__m];));
            quote!(let __kept = #t.last(__n);)
        });
        let (zeros, lanes, total) = (of_sums.zeros, of_sums.lanes, of_sums.total);
        let range = &range.expr;
        Some(quote!({
            let __trips = #range;
            let __n = ad::count(&__trips);
            // Without trips no slice is taken.
            if __n != 0 {
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
                #taken
                #total
            }
        }))
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

/// Replaces `v.push(x)` of numbers, once in each trip, by assignments to the last entries of `v`.
fn pushes(f: &mut Func, body: &mut Block) -> Vec<Window> {
    let mut out: Vec<Window> = Vec::new();
    for s in &mut body.stmts {
        let StmtKind::Push(p, o) = &s.kind else {
            continue;
        };
        let var = &f.vars[p.root];
        let outside = !var.defined.scope.starts_with(&body.scope);
        let numbers = matches!(&var.ty, Ty::Seq(e) if matches!(**e, Ty::Float(_)));
        let known = numbers && p.is_var() && !p.may_be_constant() && o.ty().is_float();
        if !known || !outside || var.late || !is_active(s, &f.vars) {
            continue;
        }
        let root = p.root;
        let window = Window {
            var: part(f, root, ident(format!("pushed{}", out.len()))),
            root,
            slice: None,
            offset: Offset::default(),
            key: "push".into(),
        };
        let StmtKind::Push(p, o) = &s.kind else {
            continue;
        };
        let mut place = entry(window.var, p);
        if let Ty::Seq(e) = &f.vars[root].ty {
            place.ty = (**e).clone();
        }
        s.kind = StmtKind::Assign(place, o.clone(), None);
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
