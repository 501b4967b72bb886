//! Which entries of arrays keep their values although the array changes.
//!
//! In `for i in 1..n { x[i] = a * x[i - 1]; }` the reverse pass reads `x[i - 1]`. The array changes after that, but only at
//! `i` and beyond, so that the entry is there at the end as it was: nothing has to be kept of each iteration. The same
//! holds for tables of dynamic programming and for factorisations, which write each entry once and read earlier ones.
//!
//! Two places differ if one of their indices does. A write in the loop over `i` at the index `i + c` or beyond cannot hit an
//! entry whose index is less than `i + c` in this iteration, nor in a later one. An entry at `i + c` or before can be hit in
//! this iteration only; then the next loop inwards decides, and after the innermost one whether the write comes first. A loop
//! over a reversed range is the mirror image. Bounds of indices are sums of a variable and a number, read off ranges of
//! loops, off slices (`row[..j][k]` is before `j`) and off immutable variables.

use crate::ir::*;
use std::collections::HashMap;
use syn::{BinOp, Expr, ExprRange, Member, RangeLimits};

/// How far definitions are followed.
const DEEP: usize = 6;

/// A variable and a number, or the number alone.
type Bound = (Option<VarId>, i64);

/// What a function writes to entries, and the loops in which it does.
pub struct Order {
    loops: HashMap<usize, Loop>,
    writes: HashMap<VarId, Vec<(usize, Place)>>,
    /// What immutable variables without a derivative are.
    meanings: HashMap<VarId, Expr>,
    /// The ranges of the variables of loops.
    ranges: HashMap<VarId, ExprRange>,
    names: HashMap<String, VarId>,
}

struct Loop {
    /// Its variable, which goes through a range.
    counter: Option<VarId>,
    reversed: bool,
    /// Whether iterations run again from a checkpoint: then the end is not what the reverse pass sees.
    again: bool,
}

/// The index of an entry in one dimension, within ranges.
struct Dimension<'p> {
    ranges: Vec<&'p ExprRange>,
    index: Option<&'p Expr>,
}

impl Order {
    pub fn of(f: &Func) -> Self {
        let mut order = Order {
            loops: HashMap::new(),
            writes: HashMap::new(),
            meanings: HashMap::new(),
            ranges: HashMap::new(),
            names: HashMap::new(),
        };
        for (v, var) in f.vars.iter().enumerate() {
            order.names.insert(var.name.to_string(), v);
        }
        for s in f.body.deep() {
            order.note(f, s);
        }
        order
    }

    fn note(&mut self, f: &Func, s: &Stmt) {
        match &s.kind {
            StmtKind::Def(v, Rhs::Native(n))
                if f.vars[*v].writes.is_empty() && !f.vars[*v].late =>
            {
                self.meanings.insert(*v, n.expr.clone());
            }
            StmtKind::Assign(p, ..) | StmtKind::Accum(_, p, _) => {
                let written = (s.point.pos, p.clone());
                self.writes.entry(p.root).or_default().push(written);
            }
            StmtKind::For {
                var,
                range,
                reversed,
                body,
                ..
            } => {
                let counter = match &range.expr {
                    Expr::Range(r) if f.vars[*var].writes.is_empty() => {
                        self.ranges.insert(*var, r.clone());
                        Some(*var)
                    }
                    _ => None,
                };
                self.note_loop(s, body, counter, *reversed);
            }
            StmtKind::While { body, .. } => self.note_loop(s, body, None, false),
            _ => {}
        }
    }

    fn note_loop(&mut self, s: &Stmt, body: &Block, counter: Option<VarId>, reversed: bool) {
        if let Some(scope) = body.scope.last() {
            let found = Loop {
                counter,
                reversed,
                again: s.checkpoint().is_some(),
            };
            self.loops.insert(scope.id, found);
        }
    }

    /// Whether a place, read at `at`, still has that value when the function has returned.
    pub fn keeps(&self, f: &Func, p: &Place, at: &Point) -> bool {
        f.place_frozen(p, at) || f.indices_frozen(p, at) && self.is_written_no_more(f, p, at)
    }

    fn is_written_no_more(&self, f: &Func, p: &Place, at: &Point) -> bool {
        let root = &f.vars[p.root];
        if root.hold != Hold::Value || root.alias.is_some() || root.late || root.grows {
            return false;
        }
        let Some((fields, entry)) = dimensions(p) else {
            return false;
        };
        root.writes.iter().all(|w| {
            let around: Vec<ScopeId> = loops_around(w, root)
                .filter(|s| at.scope.contains(s))
                .collect();
            if w.pos < at.pos && around.is_empty() {
                return true;
            }
            let runs_again = |s: &ScopeId| self.loops.get(&s.id).is_none_or(|l| l.again);
            let mut all = loops_around(w, root).chain(loops_around(at, root));
            if all.any(|s| runs_again(&s)) {
                return false;
            }
            let known = self.writes.get(&p.root).map_or(&[][..], Vec::as_slice);
            let mut here = known.iter().filter(|(pos, _)| *pos == w.pos).peekable();
            here.peek().is_some()
                && here.all(|(_, to)| match dimensions(to) {
                    Some((others, _)) if others != fields => !overlap(p, to),
                    Some((_, written)) => {
                        self.is_apart(f, &entry, &written, &around, w.pos < at.pos)
                    }
                    None => false,
                })
        })
    }

    /// Whether a write in these loops, which are around the read too, hits another entry from the read on.
    fn is_apart(
        &self,
        f: &Func,
        entry: &[Dimension<'_>],
        written: &[Dimension<'_>],
        around: &[ScopeId],
        comes_first: bool,
    ) -> bool {
        for scope in around {
            let Some((l, counter)) = self
                .loops
                .get(&scope.id)
                .and_then(|l| Some((l, l.counter?)))
            else {
                return false;
            };
            let name = &f.vars[counter].name;
            let now: Expr = syn::parse_quote!(#name);
            let mut only_now = false;
            for (e, w) in entry.iter().zip(written) {
                // The write is at `counter + c` or beyond; backwards, at `counter - c` or before.
                // The entry is at most `counter + d`; backwards, at least `counter - d`.
                let (written, entry, counted) = match l.reversed {
                    false => (
                        self.lower(f, w),
                        self.upper(f, e),
                        self.lower_of(f, &now, DEEP),
                    ),
                    true => (
                        negated(&self.upper(f, w)),
                        negated(&self.lower(f, e)),
                        negated(&self.upper_of(f, &now, DEEP)),
                    ),
                };
                let from_counter = written.iter().filter(|b| b.0 == Some(counter));
                let past = from_counter
                    .map(|b| b.1)
                    .max()
                    .and_then(|c| Some(distance(&entry, &counted)? - c));
                match past {
                    Some(d) if d < 0 => return true,
                    Some(0) => only_now = true,
                    _ => {}
                }
            }
            if !only_now {
                return false;
            }
        }
        comes_first || self.never_meet(f, entry, written)
    }

    /// Whether two places differ in an index, in one iteration of all loops around both.
    fn never_meet(&self, f: &Func, entry: &[Dimension<'_>], written: &[Dimension<'_>]) -> bool {
        entry.iter().zip(written).any(|(e, w)| {
            let below = distance(&self.upper(f, e), &self.lower(f, w));
            let above = distance(&negated(&self.lower(f, e)), &negated(&self.upper(f, w)));
            below.is_some_and(|d| d < 0) || above.is_some_and(|d| d < 0)
        })
    }
}

/// Bounds of indices.
impl Order {
    /// What an index is at most.
    fn upper(&self, f: &Func, d: &Dimension<'_>) -> Vec<Bound> {
        let mut out = match d.ranges.first().and_then(|r| Some((r, r.end.as_ref()?))) {
            Some((r, end)) => shifted(self.upper_of(f, end, DEEP), last(r)),
            None => Vec::new(),
        };
        if let (true, Some(index)) = (d.ranges.iter().all(|r| r.start.is_none()), d.index) {
            out.extend(self.upper_of(f, index, DEEP));
        }
        out
    }

    /// What an index is at least.
    fn lower(&self, f: &Func, d: &Dimension<'_>) -> Vec<Bound> {
        let first = d.ranges.first().and_then(|r| r.start.as_ref());
        match (first, d.index) {
            (Some(start), _) => self.lower_of(f, start, DEEP),
            (None, Some(index)) => self.lower_of(f, index, DEEP),
            (None, None) => vec![(None, 0)],
        }
    }

    fn upper_of(&self, f: &Func, e: &Expr, deep: usize) -> Vec<Bound> {
        if deep == 0 {
            return Vec::new();
        }
        let upper = |e: &Expr| self.upper_of(f, e, deep - 1);
        match e {
            Expr::Binary(b) => match (&b.op, number(&b.right)) {
                (BinOp::Add(_), Some(n)) => shifted(upper(&b.left), n),
                (BinOp::Sub(_), n) => shifted(upper(&b.left), -n.unwrap_or(0)),
                (BinOp::Div(_), _) => upper(&b.left),
                (BinOp::Rem(_), _) => shifted(upper(&b.right), -1),
                _ => Vec::new(),
            },
            Expr::MethodCall(m) if m.method == "min" && m.args.len() == 1 => {
                [upper(&m.receiver), upper(&m.args[0])].concat()
            }
            Expr::MethodCall(m) if m.method == "saturating_sub" => upper(&m.receiver),
            e => self.of_name(f, e, |counted, e| match counted {
                Some(r) => r
                    .end
                    .as_ref()
                    .map_or(Vec::new(), |e| shifted(upper(e), last(r))),
                None => upper(e),
            }),
        }
    }

    fn lower_of(&self, f: &Func, e: &Expr, deep: usize) -> Vec<Bound> {
        if deep == 0 {
            return Vec::new();
        }
        let lower = |e: &Expr| self.lower_of(f, e, deep - 1);
        match e {
            Expr::Binary(b) => match (&b.op, number(&b.right)) {
                (BinOp::Add(_), Some(n)) => shifted(lower(&b.left), n),
                // No index is below 0.
                (BinOp::Add(_), None) => [lower(&b.left), lower(&b.right)].concat(),
                (BinOp::Sub(_), Some(n)) => shifted(lower(&b.left), -n),
                _ => Vec::new(),
            },
            Expr::MethodCall(m) if m.method == "max" && m.args.len() == 1 => {
                [lower(&m.receiver), lower(&m.args[0])].concat()
            }
            Expr::MethodCall(m) if m.method == "saturating_sub" && m.args.len() == 1 => {
                match number(&m.args[0]) {
                    Some(n) => shifted(lower(&m.receiver), -n),
                    None => Vec::new(),
                }
            }
            e => self.of_name(f, e, |counted, e| match counted {
                Some(r) => r.start.as_ref().map_or(Vec::new(), |e| lower(e)),
                None => lower(e),
            }),
        }
    }

    /// The bounds of a number, and of a variable that does not change: itself, and what `meant` finds in its range or in
    /// its definition.
    fn of_name(
        &self,
        f: &Func,
        e: &Expr,
        meant: impl Fn(Option<&ExprRange>, &Expr) -> Vec<Bound>,
    ) -> Vec<Bound> {
        if let Some(n) = number(e) {
            return vec![(None, n)];
        }
        match e {
            Expr::Paren(p) => return meant(None, &p.expr),
            Expr::Group(g) => return meant(None, &g.expr),
            _ => {}
        }
        let Some(v) = self.variable(e).filter(|v| is_steady(f, *v)) else {
            return Vec::new();
        };
        let mut out = vec![(Some(v), 0)];
        match (self.ranges.get(&v), self.meanings.get(&v)) {
            (Some(range), _) => out.extend(meant(Some(range), e)),
            (None, Some(meaning)) => out.extend(meant(None, meaning)),
            (None, None) => {}
        }
        out
    }

    fn variable(&self, e: &Expr) -> Option<VarId> {
        let Expr::Path(p) = e else {
            return None;
        };
        self.names.get(&p.path.get_ident()?.to_string()).copied()
    }
}

/// The loops around a point that do not make the variable anew.
fn loops_around<'a>(at: &'a Point, root: &'a Var) -> impl Iterator<Item = ScopeId> + 'a {
    let around = at.scope.iter().copied().filter(|s| s.is_loop);
    around.filter(|s| !root.defined.scope.contains(s))
}

/// The fields of a place, and the indices after them.
fn dimensions(p: &Place) -> Option<(Vec<&Member>, Vec<Dimension<'_>>)> {
    let mut fields = Vec::new();
    let mut rest = p.projections.iter().peekable();
    while let Some(Projection::Field(m)) = rest.peek() {
        fields.push(m);
        rest.next();
    }
    let mut out = Vec::new();
    let mut ranges = Vec::new();
    for projection in rest {
        match projection {
            Projection::Range(Native {
                expr: Expr::Range(r),
                ..
            }) => ranges.push(r),
            Projection::Index(n) => out.push(Dimension {
                ranges: std::mem::take(&mut ranges),
                index: Some(&n.expr),
            }),
            // Of what is in the entry the entry decides.
            Projection::Field(_) if !out.is_empty() => break,
            _ => return None,
        }
    }
    if !ranges.is_empty() {
        out.push(Dimension {
            ranges,
            index: None,
        });
    }
    Some((fields, out))
}

/// Whether a variable has one value from its definition on.
fn is_steady(f: &Func, v: VarId) -> bool {
    let var = &f.vars[v];
    var.writes.is_empty() && !var.late && var.hold == Hold::Value
}

/// What is taken away from the end of a range for its last item.
fn last(r: &ExprRange) -> i64 {
    match r.limits {
        RangeLimits::HalfOpen(_) => -1,
        RangeLimits::Closed(_) => 0,
    }
}

fn number(e: &Expr) -> Option<i64> {
    match e {
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(n) => n.base10_parse().ok(),
            _ => None,
        },
        Expr::Paren(p) => number(&p.expr),
        _ => None,
    }
}

fn shifted(bounds: Vec<Bound>, by: i64) -> Vec<Bound> {
    let moved = |(v, n): Bound| Some((v, n.checked_add(by)?));
    bounds.into_iter().filter_map(moved).collect()
}

/// Bounds of the other sign: from upper ones of `a` lower ones of `-a`.
fn negated(bounds: &[Bound]) -> Vec<Bound> {
    bounds.iter().map(|(v, n)| (*v, -n)).collect()
}

/// The least `d` for which `a <= b + d` is known, from upper bounds of `a` and lower ones of `b`.
fn distance(upper: &[Bound], lower: &[Bound]) -> Option<i64> {
    let pairs = upper.iter().flat_map(|u| lower.iter().map(move |l| (u, l)));
    let same = pairs.filter(|(u, l)| u.0 == l.0);
    same.filter_map(|(u, l)| u.1.checked_sub(l.1)).min()
}
