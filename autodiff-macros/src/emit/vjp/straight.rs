//! The reverse of a loop without branches and calls over floats.
//!
//! For `for i in 0..n { y[a + i] += l[i] * c; }` it emits
//!
//! ```text
//! let __trips = 0..n;
//! let __n = ad::count(&__trips);
//! let part0 = ad::window(&l[..], __n, || __trips.start);
//! let d_part0 = ad::window_mut(&mut d_l[..], __n, || __trips.start);
//! let d_part1 = ad::window_mut(&mut d_y[..], __n, || a + __trips.start);
//! for __t in 0..__n { d_part0[__t] += c * d_part1[__t] }
//! (the sum of part0[__t] * d_part1[__t], in four parts)
//! ```
//!
//! *Windows*, the entries that the trips index one after the other, are checked once. A sum over
//! trips that may run in any order goes into [lanes](super::lanes), since one sum would wait for each
//! addition. Where the lanes cannot add to the entries too, cheap trips are run once for the entries
//! and once more for the sums, so that both loops are ones that compilers vectorise.

use super::lanes::Lanes;
use super::windows::{windows, Window};
use super::Vjp;
use crate::emit::vjp::reserve::bounds;
use crate::ir::is_active;
use crate::ir::*;
use crate::knowledge::numbers::Op;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::{Expr, RangeLimits};

impl Vjp<'_> {
    pub(super) fn rev_straight(
        &self,
        var: VarId,
        range: &Native,
        reversed: bool,
        body: &Block,
        id: usize,
    ) -> Option<TokenStream> {
        let [start, _] = bounds(range)?;
        let record = self.loop_record(body, None);
        let numbers = record.iter().all(|r| self.is_number(r));
        if !is_half_open(range) || !numbers || reversed && !record.is_empty() {
            return None;
        }
        if let Some(shared) = self.in_shares(var, start, range, reversed, body, id) {
            return Some(shared);
        }
        if !self.is_straight(body) {
            return None;
        }
        let any_order = self.independent(body);
        let mut g = self.f.clone();
        let mut inner = body.clone();
        let windows = windows(&mut g, &mut inner, var, |_| false);
        if stores_fields(&g, &inner) {
            return None;
        }
        let sums = if any_order {
            sums(&g, &inner)
        } else {
            Vec::new()
        };
        if windows.is_empty() && sums.is_empty() {
            return None;
        }
        let mut code = TokenStream::new();
        let entries = targets(&g, &inner).into_iter().any(|v| !sums.contains(&v));
        let added = self.within(&g).added(&inner, &windows, &sums);
        let cheap = inner.stmts.iter().all(is_cheap);
        let split = !sums.is_empty() && entries && cheap && added.is_none();
        // Blocks go through the tape in the order of the loop around this one.
        let from_end = any_order && !record.is_empty() && added.is_some();
        if sums.is_empty() && !from_end || split {
            let mut g = g.clone();
            for v in &sums {
                g.vars[*v].active = false;
            }
            let trip = self.within(&g).trip(&inner, var, &record);
            let order = match any_order || reversed {
                true => quote!(0..__n),
                false => quote!((0..__n).rev()),
            };
            code.extend(quote!(for __t in #order { #trip }));
        }
        if !sums.is_empty() || from_end {
            if split {
                for v in targets(&g, &inner) {
                    g.vars[v].active = sums.contains(&v);
                }
            }
            let lanes = Lanes {
                sums: &sums,
                windows: &windows,
                added: added.as_deref().unwrap_or(&[]),
            };
            code.extend(self.in_lanes(g.clone(), &inner, var, &record, &lanes));
        }
        let g = self.within(&g);
        let views = windows.iter().map(|w| g.views(w, start, &code));
        let views: TokenStream = views.collect();
        let kept = self.whole_tape(id, &record);
        Some(once_for_all(range, &quote!(#kept #views #code)))
    }

    /// What all trips kept.
    pub(super) fn whole_tape(&self, id: usize, record: &[Ident]) -> Option<TokenStream> {
        let tape = self.tape(id);
        (!record.is_empty()).then(|| quote!(let __kept = #tape.last(__n);))
    }

    /// A loop that changes entries one after the other, or keeps numbers, runs over windows forward too.
    pub(super) fn fwd_straight(
        &self,
        var: VarId,
        range: &Native,
        reversed: bool,
        body: &Block,
        id: usize,
    ) -> Option<TokenStream> {
        let [start, _] = bounds(range)?;
        let record = self.loop_record(body, None);
        let numbers = record.iter().all(|r| self.is_number(r));
        if !is_half_open(range) || !self.is_straight(body) || reversed || !numbers {
            return None;
        }
        if !record.is_empty() && !self.fits_in_closure(body) {
            return None;
        }
        let mut f = self.f.clone();
        let mut inner = body.clone();
        let uses = Uses::of(self.f, body);
        let windows = windows(&mut f, &mut inner, var, |v| !uses.targets.contains(&v));
        let g = self.within(&f);
        let stmts = g.fwd_block(&inner);
        let inside = |w: &Point| w.scope.starts_with(&body.scope);
        let mut written = 0;
        let mut views = TokenStream::new();
        for w in &windows {
            let root = &f.vars[w.root];
            let (x, from) = (g.name(w.var), w.from(start));
            let (root_name, slice) = (&root.name, w.slice());
            if root.writes.iter().any(inside) {
                // Nothing else may name what is lent.
                let lent = |v: &Window| v.slice.as_ref().is_some_and(|s| mentions(s, root_name));
                if mentions(&stmts, root_name)
                    || mentions(&from, root_name)
                    || windows.iter().any(lent)
                {
                    return None;
                }
                written += 1;
                views.extend(
                    quote!(let #x = ad::window_mut(&mut #root_name #slice, __n, || #from);),
                );
            } else if mentions(&stmts, x) {
                views.extend(quote!(let #x = ad::window(&#root_name #slice, __n, || #from);));
            }
        }
        if written == 0 && record.is_empty() {
            return None;
        }
        let name = g.name(var);
        let item = mentions(&stmts, name).then(|| quote!(let #name = ad::nth(&__trips, __t);));
        let (tape, held) = (self.tape(id), self.held(&record));
        let trips = match record.is_empty() {
            true => quote!(for __t in 0..__n { #item #stmts }),
            false => quote!(#tape.fill_reserved(__n, |__t| { #item #stmts (#(#held,)*) });),
        };
        let room = self.reserve(id);
        Some(once_for_all(range, &quote!(#room #views #trips)))
    }

    /// Whether a closure may run a block: of what is outside, statements without a derivative only read. They could move
    /// a value, or give a variable its first one.
    fn fits_in_closure(&self, body: &Block) -> bool {
        body.stmts
            .iter()
            .filter(|s| !is_active(s, &self.f.vars))
            .all(|s| matches!(s.kind, StmtKind::Def(..)))
    }

    pub(super) fn within<'b>(&'b self, f: &'b Func) -> Vjp<'b> {
        Vjp {
            f,
            needs: self.needs,
            callees: self.callees,
            over: self.over,
            moves: self.moves,
            around: self.around,
        }
    }

    /// One trip, whose number is `__t`.
    pub(super) fn trip(&self, body: &Block, var: VarId, record: &[Ident]) -> TokenStream {
        let (prologue, stmts) = (self.prologue(body), self.rev_stmts(body));
        let kept = (!record.is_empty()).then(|| quote!(let (#(#record,)*) = __kept[__t];));
        let code = quote!(#kept #prologue #stmts);
        let name = self.name(var);
        let item = mentions(&code, name).then(|| quote!(let #name = ad::nth(&__trips, __t);));
        quote!(#item #code)
    }

    /// The entries of a window, and their cotangents, where `code` names them.
    fn views(&self, w: &Window, start: &Expr, code: &TokenStream) -> TokenStream {
        let (x, d) = (self.name(w.var), self.adj(w.var));
        let (array, d_root) = (w.array(self.f), self.adj(w.root));
        let (slice, from) = (w.slice(), w.from(start));
        let value = mentions(code, x).then(|| quote!(let #x = ad::window(&#array, __n, || #from);));
        let adj = mentions(code, &d)
            .then(|| quote!(let #d = ad::window_mut(&mut #d_root #slice, __n, || #from);));
        quote!(#value #adj)
    }

    /// Whether the reverse of a block is made of operations on floats, one after the other.
    pub(super) fn is_straight(&self, b: &Block) -> bool {
        let active = |s: &&Stmt| is_active(s, &self.f.vars);
        b.stmts.iter().filter(active).all(|s| match &s.kind {
            StmtKind::Def(v, rhs) => {
                let simple = matches!(
                    rhs,
                    Rhs::Op(..) | Rhs::Powi(..) | Rhs::Copy(_) | Rhs::Snapshot(_)
                );
                simple && self.f.vars[*v].ty.is_float()
            }
            StmtKind::Assign(p, _, None) => p.ty.is_float(),
            // The cotangent of what is added to is only read, whatever its type.
            StmtKind::Accum(_, p, o) => p.ty.is_float() || p.is_var() && o.ty().is_float(),
            _ => false,
        })
    }

    /// Whether a recorded name is a float, the witness of one, or a selection among floats.
    fn is_number(&self, recorded: &Ident) -> bool {
        self.f.vars.iter().enumerate().any(|(v, var)| {
            let float = var.ty.is_float() && var.hold == Hold::Value;
            let names = [self.witness_name(v), self.selection(v)];
            float && (*recorded == var.name || names.contains(recorded))
        })
    }
}

/// Code that runs the trips of a range itself. Without trips no slice is taken.
pub(super) fn once_for_all(range: &Native, code: &TokenStream) -> TokenStream {
    let range = &range.expr;
    quote!({
        let __trips = #range;
        let __n = ad::count(&__trips);
        if __n != 0 { #code }
    })
}

/// Variables of outside the loop to whose cotangents its trips add.
pub(super) fn targets(f: &Func, body: &Block) -> Vec<VarId> {
    let mut out = Vec::new();
    for s in body.stmts.iter().filter(|s| is_active(s, &f.vars)) {
        let outside =
            |v: &VarId| f.vars[*v].active && !f.vars[*v].defined.scope.starts_with(&body.scope);
        out.extend(s.flow().places().map(|p| p.root).filter(outside));
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Those of them that are a number: their cotangents are sums over the trips.
pub(super) fn sums(f: &Func, body: &Block) -> Vec<VarId> {
    let mut all = targets(f, body);
    all.retain(|v| {
        let v = &f.vars[*v];
        v.ty.is_known() && v.hold == Hold::Value && !v.late && v.alias.is_none()
    });
    all
}

/// Whether running the reverse of a statement twice costs next to nothing.
fn is_cheap(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Def(_, Rhs::Op(op, _)) => {
            matches!(
                op,
                Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::MulAdd | Op::Select(_)
            ) || matches!(op, Op::UnaryOut("exp" | "exp2" | "tanh" | "recip"))
        }
        StmtKind::Def(_, Rhs::Powi(..)) => false,
        StmtKind::Accum(_, p, _) => p.ty.is_float(),
        _ => true,
    }
}

/// Whether a field is assigned: its reverse lends fields of what the value is made of, which windows may lend as well.
pub(super) fn stores_fields(f: &Func, body: &Block) -> bool {
    let active = body.stmts.iter().filter(|s| is_active(s, &f.vars));
    active
        .into_iter()
        .any(|s| matches!(&s.kind, StmtKind::Assign(p, ..) if p.may_be_constant()))
}

/// The roots of what the active statements of a block read, and of what they write.
pub(super) struct Uses {
    pub(super) reads: Vec<VarId>,
    pub(super) targets: Vec<VarId>,
}

impl Uses {
    pub(super) fn of(f: &Func, body: &Block) -> Self {
        let (mut reads, mut targets) = (Vec::new(), Vec::new());
        for s in body.stmts.iter().filter(|s| is_active(s, &f.vars)) {
            let flow = s.flow();
            targets.extend(flow.target.into_iter().map(|p| p.root));
            reads.extend(flow.places().map(|p| p.root));
        }
        Uses { reads, targets }
    }
}

pub(super) fn is_half_open(range: &Native) -> bool {
    matches!(&range.expr, Expr::Range(r) if matches!(r.limits, RangeLimits::HalfOpen(_)))
}

/// Whether code names an identifier.
pub(super) fn mentions(code: &TokenStream, name: &Ident) -> bool {
    code.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == *name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        _ => false,
    })
}
