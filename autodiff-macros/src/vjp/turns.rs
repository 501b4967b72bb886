//! The loop that finds an extremum: `for i in 0..n { m = m.max(x[i]); }`.
//!
//! Of its trips only those count that came to be selected: see `ad::turn`. A trip that left `m` as
//! it was adds zero to everything else, and is not even run in reverse.

use super::loops::natives;
use super::reserve::bounds;
use super::straight::{is_half_open, window_of, Window};
use super::Vjp;
use crate::activity::{is_active, places};
use crate::code::ident;
use crate::ir::*;
use crate::prims::Op;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A loop all of whose trips are `m = m.max(x);`.
pub(super) struct Turns {
    /// The variable that holds the result of `max`.
    selected: VarId,
    /// `m` is the receiver.
    receiver: bool,
    extremum: VarId,
    /// What is compared with `m`, and the statements that name it, where both can be read again
    /// after the loop.
    element: Option<(TokenStream, TokenStream)>,
    /// The trips only do this, and what they compare are entries one after the other.
    entries: Option<Window>,
    /// `max` or `min`
    select: &'static str,
}

impl Vjp<'_> {
    /// Recognises the body of such a loop.
    pub(super) fn turns(&self, body: &Block, var: VarId) -> Option<Turns> {
        let mut active = body.stmts.iter().filter(|s| is_active(s, &self.f.vars));
        let mut next = active.next()?;
        // The element may have got a name first.
        let named = match &next.kind {
            StmtKind::Def(v, Rhs::Copy(_) | Rhs::Snapshot(_)) => Some(*v),
            _ => None,
        };
        if named.is_some() {
            next = active.next()?;
        }
        let StmtKind::Def(selected, Rhs::Op(Op::Select(select), operands)) = &next.kind else {
            return None;
        };
        let StmtKind::Assign(m, Operand::Place { place, .. }, None) = &active.next()?.kind else {
            return None;
        };
        let whole = m.is_var() && place.is_var() && place.root == *selected;
        let floats = m.ty.is_known() && self.f.vars[*selected].ty.is_known();
        if !(whole && floats) || active.next().is_some() {
            return None;
        }
        let is_m = |o: &Operand| o.place().is_some_and(|p| p.is_var() && p.root == m.root);
        let uses_m = |o: &Operand| o.place().is_some_and(|p| p.root == m.root);
        let receiver = match operands.as_slice() {
            [a, b] if is_m(a) && !uses_m(b) => true,
            [a, b] if is_m(b) && !uses_m(a) => false,
            _ => return None,
        };
        // The element is read after nothing has changed it, and is not `m` under another name.
        let other = &operands[usize::from(receiver)];
        let from = other.place().map(|p| p.root);
        if named.is_some() && named != from {
            return None;
        }
        if self.record(body) != [self.selection(*selected)] {
            return None;
        }
        let element = self.element(body, m.root, named, other);
        let place = match named {
            Some(v) => body.stmts.iter().find(|s| defines(s, v)),
            None => None,
        };
        let place = match place.map(|s| &s.kind) {
            Some(StmtKind::Def(_, Rhs::Copy(o))) => o.place(),
            Some(StmtKind::Def(_, Rhs::Snapshot(p))) => Some(p),
            _ => other.place(),
        };
        Some(Turns {
            selected: *selected,
            receiver,
            extremum: m.root,
            entries: place
                .filter(|_| element.is_some())
                .and_then(|p| self.entries(body, p, var)),
            element,
            select,
        })
    }

    /// The entries that the trips go through, if they do nothing else.
    fn entries(&self, body: &Block, place: &Place, var: VarId) -> Option<Window> {
        let window = |p: &Place| window_of(self.f, p, body, var);
        let text = |p: &Place| window(p).map(|(s, o)| quote!(#s; #o).to_string());
        let mut others = body.stmts.iter().filter(|s| !is_active(s, &self.f.vars));
        // What is borrowed by name is that entry.
        let nothing_else = others.all(|s| {
            matches!(&s.kind, StmtKind::Def(_, Rhs::Borrow(p))
                if p.root == place.root && text(p) == text(place))
        });
        let (slice, offset) = window(place).filter(|_| nothing_else)?;
        Some(Window {
            var: place.root,
            root: place.root,
            slice,
            offset,
        })
    }

    /// The element of a trip, if it is an entry of an array, and nothing else is done in a trip.
    fn element(
        &self,
        body: &Block,
        m: VarId,
        named: Option<VarId>,
        other: &Operand,
    ) -> Option<(TokenStream, TokenStream)> {
        let mut before = body.clone();
        before
            .stmts
            .retain(|s| !is_active(s, &self.f.vars) || named.is_some_and(|v| defines(s, v)));
        let again = before.stmts.iter().all(|s| match &s.kind {
            StmtKind::Def(_, Rhs::Native(n)) => n.cheap,
            StmtKind::Def(_, Rhs::Borrow(_) | Rhs::Copy(_) | Rhs::Snapshot(_)) => true,
            _ => false,
        });
        let unchanged = |v: VarId| {
            let inside = |w: &Point| w.scope.starts_with(&body.scope);
            v != m && !self.f.vars[v].writes.iter().any(inside)
        };
        let of_statements = before.stmts.iter().flat_map(|s| match &s.kind {
            StmtKind::Def(_, rhs) => uses(rhs),
            _ => Vec::new(),
        });
        let place = other.place()?;
        let mut used = of_statements.chain([place.root]).chain(place.index_uses());
        let plain = self.f.vars[m].hold == Hold::Value && self.f.vars[m].alias.is_none();
        if !(again && plain && used.all(unchanged)) {
            return None;
        }
        let element = self.with_code(|c| c.value_ref(other));
        Some((element, self.fwd_block(&before)))
    }

    pub(super) fn fwd_turns(
        &self,
        turns: &Turns,
        id: usize,
        var: &Ident,
        (range, reversed): (&Native, bool),
        stmts: TokenStream,
    ) -> TokenStream {
        let as_written = range;
        let rev = reversed.then(|| quote!(.rev()));
        let e = &range.expr;
        let range = match reversed {
            true => quote!((#e)#rev),
            false => quote!(#e),
        };
        let (tape, count, sel) = (
            self.tape(id),
            self.trips(id),
            self.selection(turns.selected),
        );
        let (kept, replaced) = match turns.receiver {
            true => (quote!(ad::Pick::Left), quote!(ad::Pick::Right)),
            false => (quote!(ad::Pick::Right), quote!(ad::Pick::Left)),
        };
        if let (Some(w), false) = (&turns.entries, reversed) {
            if let (true, Some([start, _])) = (is_half_open(as_written), bounds(as_written)) {
                let m = self.name(turns.extremum);
                let (x, slice, from) = (self.name(w.root), w.slice(), w.from(start));
                let method = ident(turns.select.into());
                let select = match turns.receiver {
                    true => quote!(|__a, __x| __a.#method(__x)),
                    false => quote!(|__a, __x| __x.#method(__a)),
                };
                let reaches = match turns.select {
                    "max" => quote!(|__x, __a| __x >= __a),
                    _ => quote!(|__x, __a| __x <= __a),
                };
                return quote! {
                    let mut #count = 0usize;
                    {
                        let __trips = #range;
                        let __n = ad::count(&__trips);
                        let __first = #m;
                        let __entries = ad::window(&#x #slice, __n, || #from);
                        let __item = |__t| ad::nth(&__trips, __t);
                        let __parts = (&mut #tape, &mut #count);
                        if !ad::extremum(__parts, __entries, __item, &mut #m, #select, #reaches, #replaced) {
                            #m = __first;
                            for #var in __trips { #stmts }
                        }
                    }
                };
            }
        }
        // The loop as it is written is one that compilers vectorise; which trips had a part in the
        // result is found once it is known.
        if let Some((element, before)) = &turns.element {
            let m = self.name(turns.extremum);
            return quote! {
                let __trips = #range;
                let __first = #m;
                for #var in __trips.clone() { #stmts }
                let mut #count = 0usize;
                for #var in __trips {
                    #before
                    ad::had_part(&mut #tape, &mut #count, #var, #element, &#m, &__first, #replaced);
                }
            };
        }
        let note = quote!(ad::turn(&mut #tape, &mut #count, #var, #sel, #kept););
        quote!(let mut #count = 0usize; for #var in #range { #stmts #note })
    }

    pub(super) fn rev_turns(
        &self,
        turns: &Turns,
        id: usize,
        var: VarId,
        body: &Block,
    ) -> TokenStream {
        let (tape, count, sel) = (
            self.tape(id),
            self.trips(id),
            self.selection(turns.selected),
        );
        let name = self.name(var);
        let (prologue, stmts) = (self.prologue(body), self.rev_stmts(body));
        quote!(for _ in 0..#count { let (#name, #sel) = #tape.pop(); #prologue #stmts })
    }
}

fn defines(s: &Stmt, v: VarId) -> bool {
    matches!(&s.kind, StmtKind::Def(w, _) if *w == v)
}

/// The variables that an operation reads.
fn uses(rhs: &Rhs) -> Vec<VarId> {
    let natives = natives(rhs)
        .into_iter()
        .flat_map(|n| n.uses.iter().copied());
    let places = places(rhs);
    let places = places
        .into_iter()
        .flat_map(|p| p.index_uses().chain([p.root]));
    natives.chain(places).collect()
}
