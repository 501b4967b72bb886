//! Emits the reverse run: blocks and statements.

use super::fields::is_room;
use super::first::{with_zeros, Zero};
use super::{float_witness, project_ref, Vjp};
use crate::code::accumulator;
use crate::code::branch::select;
use crate::emit::sides::side;
use crate::ir::is_active;
use crate::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Vjp<'_> {
    /// The reverse of a block; `given` is what reverses the use of its value.
    pub(super) fn reversed(&self, b: &Block, given: TokenStream) -> TokenStream {
        let (again, zeros) = (self.again(b), self.zeros(b));
        let pieces = std::iter::once(given).chain(self.rev_pieces(b)).collect();
        let code = with_zeros(zeros, pieces);
        quote!(#again #code)
    }

    /// What a reversed block starts with: values computed again, then zero cotangents.
    pub(super) fn prologue(&self, b: &Block) -> TokenStream {
        let mut out = self.again(b);
        out.extend(with_zeros(self.zeros(b), Vec::new()));
        out
    }

    /// The values that a reversed block computes again, and their witnesses.
    fn again(&self, b: &Block) -> TokenStream {
        let mut out = TokenStream::new();
        let top = b.scope.is_empty();
        for s in &b.stmts {
            let StmtKind::Def(v, rhs) = &s.kind else {
                continue;
            };
            let again = !top
                || self.f.vars[*v].alias.is_some()
                || rhs.borrowed().is_some()
                || self.needs.made_again.contains(v);
            if self.needs.rerun.contains(v) {
                out.extend(self.fwd_def(*v, rhs, true, s.span));
                continue;
            }
            if self.needs.again.contains(v) && again {
                let (name, value) = (self.name(*v), self.with_code(|c| c.forward(rhs, s.span)));
                out.extend(quote!(let #name = #value;));
            }
            let witness = self.needs.witnesses.contains(v) && self.needs.values.contains(v);
            if !top && witness {
                out.extend(self.define_witness(*v));
            }
        }
        for s in &b.stmts {
            match &s.kind {
                StmtKind::Branch { out: Some(v), .. } => {
                    let witness = self.needs.witnesses.contains(v) && self.needs.values.contains(v);
                    if !top && witness {
                        out.extend(self.define_witness(*v));
                    }
                }
                StmtKind::Late(v, _) if self.f.vars[*v].active => {
                    let d = self.adj(*v);
                    out.extend(quote!(let mut #d = ::core::option::Option::None;));
                }
                _ => {}
            }
        }
        out
    }

    /// The cotangents that a reversed block starts with.
    fn zeros(&self, b: &Block) -> Vec<Zero> {
        let defined = b.stmts.iter().filter_map(|s| match &s.kind {
            StmtKind::Def(v, _) | StmtKind::Branch { out: Some(v), .. } => Some(*v),
            _ => None,
        });
        defined.filter_map(|v| self.zero(v)).collect()
    }

    fn zero(&self, v: VarId) -> Option<Zero> {
        let var = &self.f.vars[v];
        var.active.then(|| Zero {
            cotangent: self.adj(v),
            witness: self.var_witness(v),
            moves: !var.ty.is_float() && var.ty != Ty::OpenFloat,
        })
    }

    pub(super) fn rev_stmts(&self, b: &Block) -> TokenStream {
        self.rev_pieces(b).collect()
    }

    /// The reverse of each statement, from the last.
    fn rev_pieces<'a>(&'a self, b: &'a Block) -> impl Iterator<Item = TokenStream> + 'a {
        let stmts = b.stmts.iter().rev();
        let active = stmts.filter(|s| is_active(s, &self.f.vars));
        active.map(|s| self.rev(s))
    }

    pub(super) fn rev(&self, s: &Stmt) -> TokenStream {
        if let Some(checkpoint) = s.checkpoint() {
            return self.rev_checkpoint(s, checkpoint);
        }
        match &s.kind {
            StmtKind::Def(v, rhs) => self.rev_rhs(*v, rhs),
            StmtKind::Assign(p, o, before) => {
                let lens = self.lens(p);
                let w = if let Some(before) = before {
                    let before = self.name(*before);
                    quote!(#before)
                } else if p.ty.is_float() && !o.ty().is_float() || matches!(p.ty, Ty::Float(_)) {
                    self.wit(&Operand::Place {
                        place: p.clone(),
                        by_ref: false,
                    })
                } else {
                    self.wit(o)
                };
                if p.may_be_constant() {
                    return self.rev_field(o, &quote!(#w), &lens);
                }
                // A number whose type only rustc knows: its witness would read the place, which may be
                // gone.
                let taken = match p.ty == Ty::OpenFloat && !p.is_var() && before.is_none() {
                    true => quote!(::core::mem::take(#lens)),
                    false => quote!(ad::take(&#w, #lens)),
                };
                match self.active_lens(o) {
                    Some(d) => {
                        let wo = self.wit(o);
                        quote!(let __ct = #taken; ad::acc(&#wo, __ct, #d);)
                    }
                    None => quote!(#taken;),
                }
            }
            StmtKind::Accum(op, p, o) if !p.ty.is_float() => {
                let name = accumulator(*op, p).expect("an operator");
                let (kept, lens) = (self.kept_at(s), self.lens(p));
                if p.may_be_constant() {
                    return self.rev_accum_field(name, &kept, p, o);
                }
                let Some(d) = self.active_lens(o) else {
                    let m = format_ident!("{name}_l");
                    return quote!(#kept.#m(#lens););
                };
                let m = format_ident!("{name}");
                let (wp, wo) = (self.wit_for_accum(p, o), self.wit(o));
                if o.place().is_some_and(|q| overlap(p, q)) {
                    // `a[i] += a[j]` would borrow the accumulator twice.
                    return quote!(let mut __other = #wo.zero(); #kept.#m(&#wp, &#wo, #lens, &mut __other); ad::acc(&#wo, __other, #d););
                }
                quote!(#kept.#m(&#wp, &#wo, #lens, #d);)
            }
            StmtKind::Accum(op, p, o) => {
                let Some(d) = self.active_lens(o) else {
                    return TokenStream::new();
                };
                let ct = project_ref(self.adj(p.root), p, self.f);
                let (wp, wo) = (self.wit_for_accum(p, o), self.wit(o));
                let module = match op {
                    AccumOp::Add => quote!(add),
                    AccumOp::Sub => quote!(sub),
                };
                if o.place().is_some_and(|q| q.root == p.root) {
                    // `a[i] += a[j]` would borrow the accumulator twice.
                    return quote!({ let __ct = ::core::clone::Clone::clone(#ct); ad::#module::pull_r(&#wp, &#wo, &__ct, #d); });
                }
                quote!(ad::#module::pull_r(&#wp, &#wo, #ct, #d);)
            }
            StmtKind::Push(p, o) => {
                let d = self.lens(p);
                if p.may_be_constant() {
                    let given = self.give(o, &quote!(ad::Entered(#d).popped()));
                    return given.unwrap_or_else(|| quote!(let _ = ad::Entered(#d).popped();));
                }
                match self.active_lens(o) {
                    Some(lens) => {
                        let w = self.wit(o);
                        quote!(let __ct = ad::popped(#d); ad::acc(&#w, __ct, #lens);)
                    }
                    None => quote!(let _ = ad::popped(#d);),
                }
            }
            StmtKind::SetLate(v, o) => {
                let Some(lens) = self.active_lens(o) else {
                    return TokenStream::new();
                };
                let (d, w) = (self.adj(*v), self.wit(o));
                quote!(ad::acc_late(&#w, #d.take(), #lens);)
            }
            StmtKind::Branch {
                head,
                arms,
                out,
                id,
            } => {
                let reversed = |b: &Block| {
                    let result = out.filter(|v| self.f.vars[*v].active).map(|v| {
                        let d = self.adj(v);
                        match b.result.as_ref() {
                            Some(o) if self.active_lens(o).is_some() => {
                                // The part of a value that the arm gives may be gone by now.
                                let (w, lens) = (self.var_witness(v), self.active_lens(o));
                                quote!(ad::acc(&#w, #d, #lens);)
                            }
                            _ => TokenStream::new(),
                        }
                    });
                    self.reversed(b, quote!(#result))
                };
                if self.is_decided_again(s) {
                    let arm = |a: &Arm| {
                        let code = reversed(&a.block);
                        quote!({ #code })
                    };
                    return select(head, arms, arms.iter().map(arm));
                }
                let arm = |(k, a): (usize, &Arm)| {
                    let b = &a.block;
                    if b.result.as_ref().is_some_and(Operand::diverges) {
                        let pattern = side(k, arms.len(), quote!(()));
                        return quote!(#pattern => {});
                    }
                    let record = self.record(b);
                    let lent = self.lend(&record);
                    let record = record.iter().map(|r| self.binding(r));
                    let reversed = reversed(b);
                    let pattern = side(k, arms.len(), quote!((#(#record,)*)));
                    quote!(#pattern => { #lent #reversed })
                };
                let branch = self.branch(*id);
                let arms = arms.iter().enumerate().map(arm);
                quote!(match #branch { #(#arms)* })
            }
            StmtKind::For {
                var,
                range,
                reversed,
                body,
                exit,
                id,
                ..
            } => self.rev_for(*var, range, *reversed, body, exit.is_some(), *id),
            StmtKind::While { body, id, .. } => self.rev_while(body, *id),
            StmtKind::Late(..) | StmtKind::Native(_) => TokenStream::new(),
        }
    }

    /// Accumulators of inactive arguments are passed as `&mut`.
    pub(super) fn binding(&self, name: &Ident) -> TokenStream {
        let s = name.to_string();
        let inactive = s.starts_with('z') && s[1..].starts_with(|c: char| c.is_ascii_digit());
        if inactive || is_room(name) {
            quote!(mut #name)
        } else {
            quote!(#name)
        }
    }

    pub(super) fn wit_for_accum(&self, p: &Place, o: &Operand) -> TokenStream {
        match p.ty {
            Ty::Float(f) => float_witness(f),
            _ if p.is_var() => self.var_witness(p.root),
            // The element type of a container whose type is not known: that of what is added.
            _ => self.wit(o),
        }
    }
}
