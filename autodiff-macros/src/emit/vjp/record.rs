//! The names a block's reverse takes from its forward run.

use super::Vjp;
use crate::code::operator;
use crate::ir::is_active;
use crate::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Vjp<'_> {
    /// Declares the tape of every loop that keeps something.
    pub(super) fn tapes(&self, b: &Block, out: &mut Vec<TokenStream>) {
        let mut taped = Vec::new();
        self.taped(b, &mut taped);
        out.extend(taped.into_iter().map(|(id, counted)| {
            let t = self.tape(id);
            match counted {
                true => quote!(let mut #t = ad::Tape::new();),
                false => quote!(let mut #t = ad::LongTape::new();),
            }
        }));
    }

    /// The loops that keep something, and whether their trips are known beforehand.
    pub(super) fn taped(&self, b: &Block, out: &mut Vec<(usize, bool)>) {
        for s in &b.stmts {
            if s.checkpoint().is_some() && is_active(s, &self.f.vars) {
                // Its reverse has one of its own, for some trips.
                continue;
            }
            match &s.kind {
                StmtKind::For { body, id, .. } | StmtKind::While { body, id, .. } => {
                    let kept = matches!(&s.kind, StmtKind::For { exit: Some(_), .. });
                    if is_active(s, &self.f.vars) && (kept || !self.record(body).is_empty()) {
                        let counted = matches!(&s.kind, StmtKind::For { exit: None, .. });
                        out.push((*id, counted));
                    }
                    self.taped(body, out);
                }
                StmtKind::Branch { arms, .. } => {
                    arms.iter().for_each(|a| self.taped(&a.block, out));
                }
                _ => {}
            }
        }
    }

    /// The names that the reverse of a block takes from its forward run.
    pub fn record(&self, b: &Block) -> Vec<Ident> {
        let mut out = Vec::new();
        if b.result.as_ref().is_some_and(Operand::diverges) {
            return out;
        }
        for s in &b.stmts {
            let active = is_active(s, &self.f.vars);
            if let (true, Some(c), Some(id)) = (active, s.checkpoint(), s.loop_id()) {
                out.push(self.snapshots(id));
                out.extend((!c.entry.is_empty()).then(|| self.entry(id)));
                continue;
            }
            match &s.kind {
                StmtKind::Def(v, rhs) => {
                    self.record_var(*v, &mut out);
                    if active && !self.needs.rerun.contains(v) {
                        self.record_rhs(*v, rhs, &mut out);
                    }
                }
                StmtKind::Accum(_, p, _) if active && !p.ty.is_float() => {
                    out.push(self.kept_at(s));
                }
                StmtKind::Branch { id, out: v, .. } => {
                    if let Some(v) = v {
                        self.record_var(*v, &mut out);
                    }
                    if active && !self.is_decided_again(s) {
                        out.push(self.branch(*id));
                    }
                }
                StmtKind::For {
                    id, exit: Some(_), ..
                }
                | StmtKind::While { id, .. }
                    if active =>
                {
                    out.push(self.trips(*id));
                }
                StmtKind::For { id, var, body, .. } if active => {
                    if let Some(extremum) = self.extremum(body, *var) {
                        out.push(self.trips(*id));
                        out.extend(self.starts(*id, &extremum));
                    }
                }
                _ => {}
            }
        }
        // Variables that a kept `let` pattern binds.
        for (i, v) in self.f.vars.iter().enumerate() {
            let here = v.defined.scope == b.scope && !b.scope.is_empty();
            if here && self.bound_natively(i) && !out.contains(self.name(i)) {
                self.record_var(i, &mut out);
            }
        }
        out
    }

    /// What a trip of a loop keeps; with its variable, if it cannot be counted back.
    pub fn loop_record(&self, body: &Block, var: Option<VarId>) -> Vec<Ident> {
        let mut record = self.record(body);
        if let Some(v) = var {
            let name = self.name(v);
            if !record.contains(name) {
                record.push(name.clone());
            }
        }
        record
    }

    /// Puts what a trip keeps on the tape of the loop, which has room for it.
    pub(super) fn pushed(&self, id: usize, record: &[Ident]) -> Option<TokenStream> {
        let tape = self.tape(id);
        let held = self.held(record);
        (!record.is_empty()).then(|| quote!(#tape.push_reserved((#(#held,)*));))
    }

    /// Takes it from there.
    pub(super) fn popped(&self, id: usize, record: &[Ident]) -> Option<TokenStream> {
        let (tape, bound) = (self.tape(id), record.iter().map(|r| self.binding(r)));
        let lent = self.lend(record);
        (!record.is_empty()).then(|| quote!(let (#(#bound,)*) = #tape.pop(); #lent))
    }

    pub fn bound_natively(&self, v: VarId) -> bool {
        let mut all = self.f.body.deep();
        self.f.vars[v].param.is_none() && !all.any(|s| s.flow().defines == Some(v))
    }

    pub(super) fn record_var(&self, v: VarId, out: &mut Vec<Ident>) {
        let kept = self.needs.values.contains(&v) && !self.needs.again.contains(&v);
        if kept {
            out.push(self.name(v).clone());
        }
        let witness =
            self.needs.witnesses.contains(&v) && !matches!(self.f.vars[v].ty, Ty::Float(_));
        if witness && !self.needs.values.contains(&v) {
            out.push(self.witness_name(v));
        }
    }

    pub(super) fn record_rhs(&self, v: VarId, rhs: &Rhs, out: &mut Vec<Ident>) {
        match rhs {
            rhs if super::picks(rhs).is_some() => out.push(self.selection(v)),
            Rhs::Op(op, o) if operator(*op, o).is_some() => out.push(self.kept(v)),
            Rhs::Call { path, .. } if self.f.region_of(path).is_some() => {
                out.push(self.pullback(v));
            }
            Rhs::Call { args, .. } => {
                out.push(self.pullback(v));
                self.record_args(v, None, args, out);
            }
            Rhs::Method { receiver, args, .. } => {
                out.push(self.pullback(v));
                self.record_args(v, Some(receiver), args, out);
            }
            _ => {}
        }
    }

    fn record_args(&self, v: VarId, receiver: Option<&Arg>, args: &[Arg], out: &mut Vec<Ident>) {
        for (i, a) in args.iter().enumerate() {
            if self.arg_inactive_value(a) {
                out.push(self.inactive_adj(v, i));
            }
        }
        out.extend(
            self.rooms_for_fields(v, receiver, args)
                .into_iter()
                .map(|r| r.0),
        );
    }
}
