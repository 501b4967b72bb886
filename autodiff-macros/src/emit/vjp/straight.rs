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
use super::Vjp;
use crate::emit::vjp::reserve::bounds;
use crate::ir::is_active;
use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::syntax::names::ident;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, RangeLimits};

/// Entries of one array that trip after trip indexes.
#[derive(Clone)]
pub(super) struct Window {
    /// The variable that stands for it.
    pub(super) var: VarId,
    pub(super) root: VarId,
    /// What comes before the index: `[a..b]`, or `[i][..]` for a row, one or more.
    pub(super) slice: Option<TokenStream>,
    pub(super) offset: Offset,
    /// The place as it is written, without its root.
    pub(super) key: String,
}

impl Window {
    pub(super) fn slice(&self) -> TokenStream {
        self.slice.clone().unwrap_or_else(|| quote!([..]))
    }

    /// The index of the first trip.
    pub(super) fn from(&self, start: &Expr) -> TokenStream {
        let Offset { plus, minus } = &self.offset;
        match is_zero(start) && minus.is_empty() {
            true if plus.is_empty() => quote!(0),
            true => quote!(#(#plus)+*),
            false => quote!(#(#plus +)* __trips.start #(- #minus)*),
        }
    }
}

/// What is added to the loop variable in an index, and what is taken away.
#[derive(Clone, Default)]
pub(super) struct Offset {
    plus: Vec<TokenStream>,
    minus: Vec<TokenStream>,
}

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
        let (root, d_root) = (self.name(w.root), self.adj(w.root));
        let (slice, from) = (w.slice(), w.from(start));
        let value =
            mentions(code, x).then(|| quote!(let #x = ad::window(&#root #slice, __n, || #from);));
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

/// Replaces `x[i]`, `x[a + i - b]`, `x[b..c][a + i]`, `x[row][i]` and `p.x[i]`, with any number of ranges, rows and fields, by
/// entries of windows. An array has one window, or several if `several` allows it.
pub(super) fn windows(
    f: &mut Func,
    body: &mut Block,
    var: VarId,
    several: impl Fn(VarId) -> bool,
) -> Vec<Window> {
    let mut found: Vec<(Place, String)> = Vec::new();
    for s in body.stmts.iter().filter(|s| is_active(s, &f.vars)) {
        let mut note = |p: &Place| found.push((p.clone(), key(p)));
        let flow = s.flow();
        flow.target
            .into_iter()
            .chain(flow.places())
            .for_each(&mut note);
    }
    let mut out: Vec<Window> = Vec::new();
    for (p, key) in &found {
        // Two windows of one array would lend its cotangent twice.
        let alone = found
            .iter()
            .all(|(q, k)| q.root != p.root || k == key || in_other_fields(p, q));
        let known = out.iter().any(|w| w.root == p.root && w.key == *key);
        if !alone && !several(p.root) || known {
            continue;
        }
        if let Some(Entries { ty, slice, offset }) = window_of(f, p, body, var) {
            let window = part(f, p.root, ident(format!("part{}", out.len())));
            f.vars[window].ty = ty;
            out.push(Window {
                var: window,
                root: p.root,
                slice,
                offset,
                key: key.clone(),
            });
        }
    }
    let replace = |p: &mut Place| {
        let written = key(p);
        if let Some(w) = out.iter().find(|w| w.root == p.root && w.key == written) {
            *p = entry(w.var, p);
        }
    };
    let vars = &f.vars;
    for s in body.stmts.iter_mut().filter(|s| is_active(s, vars)) {
        match &mut s.kind {
            StmtKind::Def(_, rhs) => {
                if let Rhs::Snapshot(p) = rhs {
                    replace(p);
                }
                for o in rhs.operands_mut() {
                    if let Operand::Place { place, .. } = o {
                        replace(place);
                    }
                }
            }
            StmtKind::Accum(_, p, o) | StmtKind::Assign(p, o, _) => {
                replace(p);
                if let Operand::Place { place, .. } = o {
                    replace(place);
                }
            }
            _ => {}
        }
    }
    out
}

/// Whether two places are in different fields of one value.
fn in_other_fields(p: &Place, q: &Place) -> bool {
    for pair in p.projections.iter().zip(&q.projections) {
        match pair {
            (Projection::Field(a), Projection::Field(b)) if a != b => return true,
            (Projection::Field(_), Projection::Field(_)) => {}
            _ => return false,
        }
    }
    false
}

/// A variable for entries of an array.
pub(super) fn part(f: &mut Func, root: VarId, name: Ident) -> VarId {
    f.vars.push(Var {
        name,
        hold: Hold::Value,
        param: None,
        grows: false,
        reassigned: false,
        writes: Vec::new(),
        ..f.vars[root].clone()
    });
    f.vars.len() - 1
}

/// The entry of a window that belongs to a trip, in the stead of a place.
pub(super) fn entry(window: VarId, p: &Place) -> Place {
    Place {
        root: window,
        projections: vec![Projection::Index(Native {
            expr: syn::parse_quote!(__t),
            uses: Vec::new(),
            cheap: true,
            ty: Ty::Discrete,
        })],
        ..p.clone()
    }
}

/// The projections of a place as they are written.
pub(super) fn key(p: &Place) -> String {
    let e = p.projections.iter().map(|p| match p {
        Projection::Field(m) => quote!(.#m).to_string(),
        Projection::Index(n) | Projection::Range(n) => {
            let e = &n.expr;
            quote!([#e]).to_string()
        }
        Projection::Variant(..) | Projection::Deref | Projection::Spot(_) => "?".into(),
    });
    e.collect()
}

/// Entries that the trips of a loop index one after the other.
pub(super) struct Entries {
    /// Of all of them.
    pub(super) ty: Ty,
    pub(super) slice: Option<TokenStream>,
    pub(super) offset: Offset,
}

/// The entries of which a place is one in each trip, the next one in the next trip.
pub(super) fn window_of(f: &Func, p: &Place, body: &Block, var: VarId) -> Option<Entries> {
    let root = &f.vars[p.root];
    let inside = |v: &VarId| f.vars[*v].defined.scope.starts_with(&body.scope);
    let written = |v: &VarId| {
        f.vars[*v]
            .writes
            .iter()
            .any(|w| w.scope.starts_with(&body.scope))
    };
    let changes = |n: &Native| n.uses.iter().any(|v| *v == var || inside(v) || written(v));
    let (Projection::Index(index), before) = p.projections.split_last()? else {
        return None;
    };
    if inside(&p.root) || root.late || !p.ty.is_float() {
        return None;
    }
    let mut ty = root.ty.clone();
    let mut slice = TokenStream::new();
    for (k, projection) in before.iter().enumerate() {
        match projection {
            Projection::Range(n) | Projection::Index(n) => {
                let n = spelled_out(f, n, body);
                if !n.cheap || changes(&n) {
                    return None;
                }
                let e = &n.expr;
                slice.extend(quote!([#e]));
            }
            Projection::Field(member) => slice.extend(quote!(.#member)),
            _ => return None,
        }
        ty = match (projection, ty) {
            (Projection::Range(_), part) => part,
            (Projection::Index(_), Ty::Seq(rows)) if *rows != Ty::Unknown => *rows,
            _ => root.part_ty(&before[..=k]),
        };
    }
    if !matches!(&ty, Ty::Seq(e) if e.is_float()) {
        return None;
    }
    if matches!(
        before.last(),
        Some(Projection::Index(_) | Projection::Field(_))
    ) {
        slice.extend(quote!([..]));
    }
    let index = spelled_out(f, index, body);
    let others = index
        .uses
        .iter()
        .all(|v| *v == var || !inside(v) && !written(v));
    let mut offset = Offset::default();
    let mut times = 0;
    let sum = offset.split(&index.expr, &f.vars[var].name, true, &mut times);
    (others && sum && times == 1).then(|| Entries {
        ty,
        slice: (!slice.is_empty()).then_some(slice),
        offset,
    })
}

/// An index in which the names that the trip gives to cheap expressions are written out: `i * w + j - 1` for `k - 1` after
/// `let k = i * w + j;`.
fn spelled_out(f: &Func, index: &Native, body: &Block) -> Native {
    let mut out = index.clone();
    for s in body.stmts.iter().rev() {
        let StmtKind::Def(v, Rhs::Native(meant)) = &s.kind else {
            continue;
        };
        let var = &f.vars[*v];
        if !out.uses.contains(v) || var.mutable || var.hold != Hold::Value || !meant.cheap {
            continue;
        }
        WriteOut(&var.name, &meant.expr).visit_expr_mut(&mut out.expr);
        out.uses.retain(|u| u != v);
        out.uses.extend(&meant.uses);
    }
    out
}

/// Writes an expression in the stead of a name.
struct WriteOut<'a>(&'a Ident, &'a Expr);

impl VisitMut for WriteOut<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(p) if p.path.is_ident(self.0) => {
                let meant = self.1;
                *e = syn::parse_quote!((#meant));
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }
}

impl Offset {
    /// Splits an index; counts the terms that are the loop variable. False where it is in another operation.
    fn split(&mut self, e: &Expr, var: &Ident, plus: bool, times: &mut usize) -> bool {
        match e {
            Expr::Paren(p) => self.split(&p.expr, var, plus, times),
            Expr::Binary(b) if matches!(b.op, BinOp::Add(_)) => {
                self.split(&b.left, var, plus, times) && self.split(&b.right, var, plus, times)
            }
            Expr::Binary(b) if matches!(b.op, BinOp::Sub(_)) => {
                self.split(&b.left, var, plus, times) && self.split(&b.right, var, !plus, times)
            }
            Expr::Path(p) if p.path.is_ident(var) => {
                *times += 1;
                plus
            }
            e => {
                let plain = matches!(e, Expr::Path(_) | Expr::Lit(_));
                let term = if plain { quote!(#e) } else { quote!((#e)) };
                let free = !mentions(&term, var);
                let terms = if plus {
                    &mut self.plus
                } else {
                    &mut self.minus
                };
                terms.push(term);
                free
            }
        }
    }
}

pub(super) fn is_half_open(range: &Native) -> bool {
    matches!(&range.expr, Expr::Range(r) if matches!(r.limits, RangeLimits::HalfOpen(_)))
}

fn is_zero(e: &Expr) -> bool {
    matches!(e, Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(i) if i.base10_digits() == "0"))
}

/// Whether code names an identifier.
pub(super) fn mentions(code: &TokenStream, name: &Ident) -> bool {
    code.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == *name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        _ => false,
    })
}
