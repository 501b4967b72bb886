//! The forward run of a loop that pushes a number in each trip, such as `collect` is.
//!
//! `push` may make room, and a loop with a call that does keeps its numbers in memory. So the vector takes all entries from an
//! iterator, whose length it knows:
//!
//! ```text
//! let part0 = ad::window(&x[..], __n, || 0);
//! out.__grow((0..__n).map(|__t| part0[__t] * c));
//! ```

use super::straight::{is_half_open, mentions, once_for_all, Uses};
use super::windows::windows;
use super::Vjp;
use crate::emit::vjp::reserve::bounds;
use crate::ir::*;
use crate::syntax;
use proc_macro2::TokenStream;
use quote::quote;

impl Vjp<'_> {
    pub(super) fn fwd_grown(
        &self,
        var: VarId,
        range: &Native,
        body: &Block,
        id: usize,
    ) -> Option<TokenStream> {
        let (last, before) = body.stmts.split_last()?;
        let StmtKind::Push(to, value) = &last.kind else {
            return None;
        };
        let outside = !self.f.vars[to.root].defined.scope.starts_with(&body.scope);
        let number = value.ty().is_float() && !to.may_be_constant();
        if !outside || !number || !before.iter().all(|s| self.stays_inside(s, &body.scope)) {
            return None;
        }
        let mut inner = Block {
            stmts: before.to_vec(),
            ..body.clone()
        };
        let straight = self.is_straight(&inner) && is_half_open(range);
        let start = bounds(range).map(|[start, _]| start).filter(|_| straight);
        let mut f = self.f.clone();
        let uses = Uses::of(self.f, &inner);
        let windows = match start {
            Some(_) => windows(&mut f, &mut inner, var, |v| !uses.targets.contains(&v)),
            None => Vec::new(),
        };
        let g = self.within(&f);
        let record = self.loop_record(body, None);
        let (stmts, push) = (g.fwd_block(&inner), self.pushed(id, &record));
        let (to_name, place, value) = (
            self.name(to.root),
            self.with_code(|c| c.place_mut(to)),
            self.with_code(|c| c.operand(value)),
        );
        let trip = quote!(#stmts #push #value);
        let views: TokenStream = windows
            .iter()
            .filter(|w| mentions(&trip, g.name(w.var)))
            .map(|w| {
                let (x, root, slice) = (g.name(w.var), &f.vars[w.root].name, w.slice());
                let from = start.map(|start| w.from(start));
                quote!(let #x = ad::window(&#root #slice, __n, || #from);)
            })
            .collect();
        // Nothing else may name what grows.
        let read = mentions(&trip, to_name) || mentions(&views, to_name);
        if read || syntax::leaves(trip.clone()) {
            return None;
        }
        let (name, room) = (self.name(var), self.reserve(id));
        if views.is_empty() {
            let range = &range.expr;
            return Some(quote!({
                let __trips = #range;
                #room
                #place.__grow(__trips.map(|#name| { #trip }));
            }));
        }
        let item = mentions(&trip, name).then(|| quote!(let #name = ad::nth(&__trips, __t);));
        Some(once_for_all(
            range,
            &quote!(#room #views #place.__grow((0..__n).map(|__t| { #item #trip }));),
        ))
    }

    /// Whether a closure may run a statement: what is outside it only reads.
    fn stays_inside(&self, s: &Stmt, scope: &Scope) -> bool {
        let own = |p: &Place| self.f.vars[p.root].defined.scope.starts_with(scope);
        let here = match &s.kind {
            StmtKind::Def(_, Rhs::Pop(_)) => false,
            StmtKind::Def(_, rhs) => rhs.operands().iter().all(|o| !o.diverges()),
            StmtKind::Assign(p, ..) | StmtKind::Accum(_, p, _) => own(p),
            StmtKind::For { exit: None, .. } => true,
            _ => false,
        };
        let blocks = s.blocks();
        here && s.checkpoint().is_none()
            && blocks
                .iter()
                .all(|b| b.stmts.iter().all(|s| self.stays_inside(s, scope)))
    }
}
