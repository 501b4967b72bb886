//! Windows: the entries of one array that the trips of a loop index one after the other.

use super::straight::mentions;
use crate::ir::is_active;
use crate::ir::*;
use crate::syntax::meant::Meant;
use crate::syntax::names::ident;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr};

/// Entries of one array that trip after trip indexes.
#[derive(Clone)]
pub(super) struct Window {
    /// The variable that stands for it.
    pub(super) var: VarId,
    pub(super) root: VarId,
    /// Where its values are, with what comes before the index there.
    pub(super) values: (VarId, Option<TokenStream>),
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

    /// The array that has its values.
    pub(super) fn array(&self, f: &Func) -> TokenStream {
        let (root, slice) = (&f.vars[self.values.0].name, self.values.1.clone());
        let slice = slice.unwrap_or_else(|| quote!([..]));
        quote!(#root #slice)
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
            let values = match &p.kept {
                None => (p.root, slice.clone()),
                Some(kept) => match window_of(f, kept, body, var) {
                    Some(entries) => (kept.root, entries.slice),
                    None => continue,
                },
            };
            let window = part(f, p.root, ident(format!("part{}", out.len())));
            f.vars[window].ty = ty;
            out.push(Window {
                var: window,
                root: p.root,
                values,
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

/// Whether two places are in different fields of one value. Fields of fields are lent together: see
/// [`nested_lens`](super::Vjp::nested_lens).
fn in_other_fields(p: &Place, q: &Place) -> bool {
    match (p.projections.first(), q.projections.first()) {
        (Some(Projection::Field(a)), Some(Projection::Field(b))) => a != b,
        _ => false,
    }
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
        kept: None,
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
        let meanings = [(var.name.to_string(), &meant.expr)];
        Meant(&meanings).visit_expr_mut(&mut out.expr);
        out.uses.retain(|u| u != v);
        out.uses.extend(&meant.uses);
    }
    out
}

impl Offset {
    /// The sum of the integers in it, and the other terms.
    pub(super) fn constant(&self) -> (i64, String) {
        let integer = |t: &&TokenStream| t.to_string().parse::<i64>().ok();
        let all = |terms: &[TokenStream]| terms.iter().filter_map(|t| integer(&t)).sum::<i64>();
        let others = |terms: &[TokenStream]| {
            let mut others: Vec<String> = terms
                .iter()
                .filter(|t| integer(t).is_none())
                .map(ToString::to_string)
                .collect();
            others.sort_unstable();
            others.join(", ")
        };
        let rest = format!("{} less {}", others(&self.plus), others(&self.minus));
        (all(&self.plus) - all(&self.minus), rest)
    }

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

fn is_zero(e: &Expr) -> bool {
    matches!(e, Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(i) if i.base10_digits() == "0"))
}
