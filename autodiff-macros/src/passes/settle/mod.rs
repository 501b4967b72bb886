//! Makes everything the reverse pass will name again unchanging.
//!
//! A value that is read now and changes later is copied first (`let v0 = s;`), an index that
//! changes is kept (`let v1 = p;`), an array that is passed by reference and changes is copied.
//! After this pass each operand of an active operation either keeps its value until the reverse
//! pass or is not read there.

mod arrays;
mod hoist;
mod moves;
mod origins;

pub use arrays::drop_unread;
pub use moves::move_overwritten;

use crate::ir::is_reference;
use crate::ir::*;
use crate::passes::order::Order;
use arrays::ArrayCopy;
use origins::Copied;
use proc_macro2::{Ident, Span};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::Expr;

pub fn settle(f: &mut Func) {
    let order = Order::of(f);
    arrays::mark_lent(f, &order);
    let arrays = arrays::find(f, &order);
    let body = std::mem::take(&mut f.body);
    let mut s = Settle {
        order,
        arrays,
        names: f.vars.iter().map(|v| v.name.to_string()).collect(),
        f,
        temps: 0,
        copies: Vec::new(),
        snapshots: Vec::new(),
    };
    let body = s.block(body, None);
    f.body = body;
    hoist::before_loops(f);
}

/// How many arguments a method may have for its pullback to say what it takes (`taking!` in `autodiff-core/src/ad/lend.rs`).
const MOST_ARGUMENTS: usize = 7;

struct Settle<'a> {
    f: &'a mut Func,
    order: Order,
    arrays: Vec<ArrayCopy>,
    /// The names that the body has.
    names: HashSet<String>,
    temps: usize,
    /// The numbers copied so far in this block and those around it.
    copies: Vec<Copied>,
    /// What by-reference arguments were before they changed: only lent, so one serves several calls.
    snapshots: Vec<Copied>,
}

impl Settle<'_> {
    /// `at` is where a block is whose result needs no statement.
    fn block(&mut self, b: Block, at: Option<&Point>) -> Block {
        let mut out = Vec::new();
        let (outer, snapshots) = (self.copies.clone(), self.snapshots.clone());
        let mut last = at.cloned();
        for stmt in b.stmts {
            last = Some(stmt.point.clone());
            self.stmt(stmt, &mut out);
        }
        let mut result = b.result;
        if let (Some(Operand::Place { place, .. }), Some(point)) = (&mut result, last) {
            let span = place.span;
            self.place(place, &point, span, &mut out);
        }
        (self.copies, self.snapshots) = (outer, snapshots);
        Block {
            scope: b.scope,
            stmts: out,
            result,
        }
    }

    fn temp(&mut self, ty: Ty, point: &Point, span: Span, active: bool) -> VarId {
        while self.names.contains(&format!("k{}", self.temps)) {
            self.temps += 1;
        }
        let name = Ident::new(
            &format!("k{}", self.temps),
            Span::mixed_site().located_at(span),
        );
        self.temps += 1;
        let var = Var::new(name, ty, Hold::Value, false, point.clone());
        self.f.vars.push(Var {
            maybe_active: active,
            active,
            ..var
        });
        self.f.vars.len() - 1
    }

    fn keep(&mut self, n: &Native, point: &Point, span: Span, out: &mut Vec<Stmt>) -> Native {
        let v = self.temp(n.ty.clone(), point, span, false);
        out.push(Stmt {
            kind: StmtKind::Def(v, Rhs::Native(n.clone())),
            point: point.clone(),
            span,
        });
        self.var_native(v)
    }

    /// Keeps what is no `Copy`, and is named more than once.
    fn keep_cloned(
        &mut self,
        n: &Native,
        point: &Point,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Native {
        let kept = self.keep(n, point, span, out);
        let e = &kept.expr;
        Native {
            expr: syn::parse_quote!(#e.clone()),
            ..kept
        }
    }

    /// Keeps the ends of a range, unless they are literals: it stays one that is written out.
    fn keep_range(&mut self, range: &mut Native, point: &Point, out: &mut Vec<Stmt>) {
        let span = range.expr.span();
        let Expr::Range(mut r) = range.expr.clone() else {
            *range = self.keep_cloned(range, point, span, out);
            return;
        };
        let mut uses = Vec::new();
        for end in r.start.iter_mut().chain(r.end.iter_mut()) {
            if matches!(&**end, Expr::Lit(_)) {
                continue;
            }
            let kept = Native {
                expr: (**end).clone(),
                uses: range.uses.clone(),
                cheap: range.cheap,
                ty: Ty::Discrete,
            };
            let kept = self.keep(&kept, point, span, out);
            uses.extend(kept.uses);
            **end = kept.expr;
        }
        *range = Native {
            expr: Expr::Range(r),
            uses,
            cheap: true,
            ty: range.ty.clone(),
        };
    }

    fn var_native(&self, v: VarId) -> Native {
        let name = &self.f.vars[v].name;
        Native {
            expr: syn::parse_quote!(#name),
            uses: vec![v],
            cheap: true,
            ty: self.f.vars[v].ty.clone(),
        }
    }

    /// Keeps the changing indices of a place.
    fn place(&mut self, p: &mut Place, point: &Point, span: Span, out: &mut Vec<Stmt>) {
        for projection in &mut p.projections {
            match projection {
                Projection::Index(n) if !(n.cheap && self.f.native_frozen(n, point)) => {
                    *n = self.keep(n, point, span, out);
                }
                Projection::Spot(s)
                    if !(s.index.cheap && self.f.native_frozen(&s.index, point)) =>
                {
                    s.index = self.keep(&s.index, point, span, out);
                }
                Projection::Range(n) if !(n.cheap && self.f.native_frozen(n, point)) => {
                    *n = Native {
                        cheap: false,
                        ..self.keep_cloned(n, point, span, out)
                    };
                }
                _ => {}
            }
        }
    }

    /// The same of a place whose value is read.
    fn read(&mut self, p: &mut Place, point: &Point, span: Span, out: &mut Vec<Stmt>) {
        self.place(p, point, span, out);
        self.find_entry(p, point);
    }

    /// Makes an operand nameable in the reverse pass; its value too, if `value`.
    fn operand(
        &mut self,
        o: &mut Operand,
        value: bool,
        point: &Point,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        match o {
            Operand::Native(n) => {
                if n.ty.is_float() && is_reference(n, self.f) {
                    // A reference cannot outlive the forward run: the number it leads to can.
                    let e = &n.expr;
                    let value = Native {
                        expr: syn::parse_quote!(*#e),
                        ..n.clone()
                    };
                    *n = self.keep(&value, point, span, out);
                } else if !(n.cheap && self.f.native_frozen(n, point)) {
                    *n = self.keep(n, point, span, out);
                }
            }
            Operand::Place { place, .. } => {
                self.read(place, point, span, out);
                // The type of a float is known; of anything else the reverse pass asks the value.
                let value = value || !place.ty.is_known();
                if value && !self.order.keeps(self.f, place, point) {
                    if let Some(v) = self.copied(place, point) {
                        place.root = v;
                        place.projections.clear();
                        return;
                    }
                    let active = self.f.vars[place.root].active;
                    let v = self.temp(place.ty.clone(), point, span, active);
                    let rhs = Rhs::Snapshot(place.clone());
                    out.push(Stmt {
                        kind: StmtKind::Def(v, rhs),
                        point: point.clone(),
                        span,
                    });
                    self.note_copy(v, place, point);
                    *place = Place::whole(v, place.ty.clone(), span);
                }
            }
        }
    }

    /// The same of what is given to a field. A copy of a field is noted as one: both may be constant.
    fn given(&mut self, o: &mut Operand, point: &Point, span: Span, out: &mut Vec<Stmt>) {
        let before = o.place().cloned();
        self.operand(o, false, point, span, out);
        if let (Some(before), Some(p)) = (before, o.place()) {
            if p.root != before.root {
                let made_of = self.sources(&before);
                self.f.vars[p.root].made_of = made_of;
            }
        }
    }

    /// By-reference arguments are passed again in the reverse pass. `if_taken` says that the types tell what the pullback takes.
    fn arg(
        &mut self,
        a: &mut Arg,
        [receiver, if_taken]: [bool; 2],
        point: &Point,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        if let (true, Lend::Mut, Operand::Place { place, .. }) = (receiver, a.lend, &a.operand) {
            let var = &self.f.vars[place.root];
            // The pullback asks for the shape of what turned out to be a constant.
            if !var.active && var.param.is_none() {
                a.lend = Lend::Maybe;
            }
        }
        let if_taken = if_taken && a.lend == Lend::Maybe;
        match &mut a.operand {
            Operand::Native(_) if a.lend == Lend::Mut => {}
            Operand::Native(n) => {
                let (inner, by_ref) = match &n.expr {
                    Expr::Reference(r) => (Some((*r.expr).clone()), true),
                    Expr::MethodCall(m) if m.method == "as_slice" && !receiver => {
                        let e = &n.expr;
                        (Some(syn::parse_quote!((*#e))), true)
                    }
                    _ => (None, receiver),
                };
                if by_ref && !(n.cheap && self.f.native_frozen(n, point)) {
                    let value = inner.unwrap_or_else(|| n.expr.clone());
                    let is_place = crate::syntax::root_name(&value).is_some();
                    // What has no size of its own is kept as a `Vec`.
                    let part = is_part(&value);
                    let expr: Expr = if is_place || part {
                        syn::parse_quote!(::std::borrow::ToOwned::to_owned(&#value))
                    } else {
                        value
                    };
                    let owned = Native {
                        expr,
                        uses: n.uses.clone(),
                        cheap: false,
                        ty: Ty::Unknown,
                    };
                    let kept = self.keep(&owned, point, span, out);
                    let e = &kept.expr;
                    *n = Native {
                        expr: match part && !is_place {
                            true => syn::parse_quote!(&#e[..]),
                            false => syn::parse_quote!(&#e),
                        },
                        ..kept
                    };
                }
            }
            Operand::Place { place, by_ref } => {
                if a.lend == Lend::Shared {
                    self.read(place, point, span, out);
                } else {
                    self.place(place, point, span, out);
                }
                let again = (*by_ref || receiver) && a.lend != Lend::Mut;
                if again && !self.order.keeps(self.f, place, point) {
                    a.snapshot = self.found(&self.snapshots, place, point);
                    if a.snapshot.is_some() {
                        return;
                    }
                    let v = self.temp(place.ty.clone(), point, span, false);
                    self.f.vars[v].kept_for = Some(match if_taken {
                        true => KeptFor::MayChange,
                        false => KeptFor::Calls,
                    });
                    // What may never be made serves no other call.
                    if !if_taken {
                        self.snapshots.push(Copied {
                            var: v,
                            place: place.clone(),
                            at: point.clone(),
                        });
                    }
                    out.push(Stmt {
                        kind: StmtKind::Def(v, Rhs::Snapshot(place.clone())),
                        point: point.clone(),
                        span,
                    });
                    a.snapshot = Some(v);
                }
            }
        }
    }

    fn stmt(&mut self, mut s: Stmt, out: &mut Vec<Stmt>) {
        let (point, span) = (s.point.clone(), s.span);
        let active = is_active(&s, &self.f.vars);
        match &mut s.kind {
            StmtKind::Def(v, rhs) if active => {
                self.note_sources(*v, rhs);
                self.rhs(*v, rhs, &point, span, out);
                if let Rhs::Snapshot(p) = rhs {
                    if let Some(copy) = self.copied(p, &point) {
                        let place = Place::whole(copy, p.ty.clone(), p.span);
                        *rhs = Rhs::Copy(Operand::Place {
                            place,
                            by_ref: false,
                        });
                    } else {
                        self.note_copy(*v, p, &point);
                    }
                }
                if let Rhs::Copy(Operand::Place {
                    place,
                    by_ref: false,
                }) = rhs
                {
                    self.note_copy(*v, place, &point);
                }
            }
            StmtKind::Assign(p, o, before) if active => {
                self.place(p, &point, span, out);
                match o {
                    Operand::Native(_) if before.is_some() => {}
                    Operand::Native(n) if !p.ty.is_known() => *n = self.keep(n, &point, span, out),
                    o => self.given(o, &point, span, out),
                }
            }
            StmtKind::Accum(_, p, o) if active => {
                self.place(p, &point, span, out);
                self.operand(o, false, &point, span, out);
            }
            StmtKind::Push(p, o) if active => {
                self.place(p, &point, span, out);
                self.given(o, &point, span, out);
            }
            StmtKind::SetLate(_, o) if active => self.operand(o, false, &point, span, out),
            StmtKind::Branch { arms, .. } => {
                for a in arms {
                    let old = std::mem::take(&mut a.block);
                    a.block = self.block(old, Some(&point));
                }
            }
            StmtKind::While {
                body,
                checkpoint,
                id,
                ..
            } => {
                if let (true, Some(c)) = (active, checkpoint) {
                    c.primal = body.clone();
                }
                self.copy_arrays(*id, &point, span, out);
                let old = std::mem::take(body);
                *body = self.block(old, None);
            }
            StmtKind::For {
                range,
                body,
                checkpoint,
                id,
                ..
            } => {
                if let (true, Some(c)) = (active, checkpoint) {
                    c.primal = body.clone();
                }
                // Its own trips may change what the range is made of.
                let changed = range.uses.iter().any(|v| {
                    let inside = |w: &Point| w.scope.iter().any(|s| s.id == *id);
                    self.f.vars[*v].writes.iter().any(inside)
                });
                if active && (changed || !(range.cheap && self.f.native_frozen(range, &point))) {
                    self.keep_range(range, &point, out);
                }
                self.copy_arrays(*id, &point, span, out);
                let old = std::mem::take(body);
                *body = self.block(old, None);
            }
            _ => {}
        }
        match s.kind {
            StmtKind::Def(v, rhs) if active && self.result_changes(v, &rhs) => {
                let kept = self.temp(self.f.vars[v].ty.clone(), &point, span, true);
                let copy = Rhs::Copy(Operand::Place {
                    place: Place::whole(kept, self.f.vars[v].ty.clone(), span),
                    by_ref: false,
                });
                for (v, rhs) in [(kept, rhs), (v, copy)] {
                    let (kind, point) = (StmtKind::Def(v, rhs), point.clone());
                    out.push(Stmt { kind, point, span });
                }
            }
            kind => {
                if let StmtKind::Assign(p, Operand::Place { place, .. }, _) = &kind {
                    if active && place.is_var() {
                        let mut after = point.clone();
                        after.pos += 1;
                        self.note_copy(place.root, p, &after);
                    }
                }
                out.push(Stmt { kind, point, span });
            }
        }
    }

    /// Whether the pullback reads the result of an operation, and the variable changes later.
    fn result_changes(&self, v: VarId, rhs: &Rhs) -> bool {
        let Rhs::Op(op, operands) = rhs else {
            return false;
        };
        let active: Vec<bool> = operands
            .iter()
            .map(|o| o.place().is_some_and(|p| self.f.vars[p.root].active))
            .collect();
        op.needs_result(&active) && !self.f.vars[v].writes.is_empty()
    }

    fn rhs(&mut self, v: VarId, rhs: &mut Rhs, point: &Point, span: Span, out: &mut Vec<Stmt>) {
        match rhs {
            Rhs::Op(op, operands) => {
                let active: Vec<bool> = operands
                    .iter()
                    .map(|o| o.place().is_some_and(|p| self.f.vars[p.root].active))
                    .collect();
                for (i, o) in operands.iter_mut().enumerate() {
                    let value = self.f.vars[v].own_operator || op.needs_operand(i, &active);
                    self.operand(o, value, point, span, out);
                }
            }
            Rhs::Powi(x, n) => {
                self.operand(x, true, point, span, out);
                if !(n.cheap && self.f.native_frozen(n, point)) {
                    *n = self.keep(n, point, span, out);
                }
            }
            Rhs::Copy(o) => {
                if let Operand::Place { place, .. } = o {
                    self.read(place, point, span, out);
                }
            }
            Rhs::Cast(o, _) => self.operand(o, false, point, span, out),
            Rhs::Snapshot(p) => self.read(p, point, span, out),
            Rhs::Borrow(p) => self.place(p, point, span, out),
            Rhs::Call { args, .. } => {
                for a in args {
                    self.arg(a, [false; 2], point, span, out);
                }
            }
            Rhs::Method { receiver, args, .. } => {
                let plain = |a: &Arg| !a.is_function() && !a.parted;
                let if_taken = args.len() <= MOST_ARGUMENTS && args.iter().all(plain);
                self.arg(receiver, [true, if_taken], point, span, out);
                for a in args {
                    self.arg(a, [false; 2], point, span, out);
                }
            }
            Rhs::Tuple(v) | Rhs::Array(v) | Rhs::VecList(v) => {
                for o in v {
                    self.operand(o, false, point, span, out);
                }
            }
            Rhs::Struct(s) => {
                for (_, o) in &mut s.fields {
                    self.given(o, point, span, out);
                }
                if let Some(Operand::Place { place, .. }) = &mut s.base {
                    self.place(place, point, span, out);
                }
            }
            Rhs::Repeat { value, .. } => self.operand(value, false, point, span, out),
            Rhs::Witness(p) | Rhs::Pop(p) => self.place(p, point, span, out),
            Rhs::Native(_) | Rhs::GetLate(_) => {}
        }
    }
}

/// Whether this is a slice of a value without a name: `[1.0, 2.0][..]`, `*vec![1.0].as_slice()`.
fn is_part(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_part(&p.expr),
        Expr::Index(i) => matches!(&*i.index, Expr::Range(_)),
        Expr::Unary(u) => {
            matches!(&*u.expr, Expr::MethodCall(m) if m.method == "as_slice")
        }
        _ => false,
    }
}
