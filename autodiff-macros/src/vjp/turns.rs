//! The loop that finds an extremum: `for i in 0..n { m = m.max(x[i]); }`.
//!
//! Of its trips only those count that came to be selected: see `ad::turn`. A trip that left `m` as
//! it was adds zero to everything else, and is not even run in reverse.

use super::Vjp;
use crate::activity::is_active;
use crate::ir::*;
use crate::prims::Op;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// A loop all of whose trips are `m = m.max(x);`.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    /// The variable that holds the result of `max`.
    selected: VarId,
    /// `m` is the receiver.
    receiver: bool,
}

impl Vjp<'_> {
    /// Recognises the body of such a loop.
    pub(super) fn turns(&self, body: &Block) -> Option<Turns> {
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
        let StmtKind::Def(selected, Rhs::Op(Op::Select(_), operands)) = &next.kind else {
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
        (self.record(body) == [self.selection(*selected)]).then_some(Turns {
            selected: *selected,
            receiver,
        })
    }

    pub(super) fn fwd_turns(
        &self,
        turns: Turns,
        id: usize,
        var: &Ident,
        range: TokenStream,
        stmts: TokenStream,
    ) -> TokenStream {
        let (tape, count, sel) = (
            self.tape(id),
            self.trips(id),
            self.selection(turns.selected),
        );
        let kept = format_ident!("{}", if turns.receiver { "Left" } else { "Right" });
        let note = quote!(ad::turn(&mut #tape, &mut #count, #var, #sel, ad::Pick::#kept););
        quote!(let mut #count = 0usize; for #var in #range { #stmts #note })
    }

    pub(super) fn rev_turns(
        &self,
        turns: Turns,
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
