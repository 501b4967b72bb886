//! Which entries of arrays keep their values although the array changes.
//!
//! In `for i in 1..n { x[i] = a * x[i - 1]; }` the reverse pass reads `x[i - 1]`. The array changes after that, but only at
//! `i` and beyond, so that the entry is there at the end as it was: nothing has to be kept of each iteration. The same
//! holds for tables of dynamic programming and for factorisations, which write each entry once and read earlier ones.
//!
//! Two places differ if one of their indices does. A write in the loop over `i` at the index `i + c` or beyond cannot hit an
//! entry whose index is less than `i + c` in this iteration, nor in a later one. An entry at `i + c` or before can be hit in
//! this iteration only; then the next loop inwards decides, and after the innermost one whether the write comes first. A loop
//! over a reversed range is the mirror image. [`bounds`] finds what indices are at most and at least.

mod bounds;
mod rows;

use crate::ir::*;
use bounds::{distance, is_counter, negated};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use syn::{Expr, ExprRange, Member};

/// How far definitions are followed.
pub const DEEP: usize = 6;

/// What a function writes to entries, and the loops in which it does.
pub struct Order {
    loops: HashMap<usize, Loop>,
    writes: HashMap<VarId, Vec<(usize, Place)>>,
    /// The positions where a vector gets another entry at its end.
    pushes: HashSet<usize>,
    /// Vectors to which nothing else happens but that numbers in their entries change.
    longer: HashSet<VarId>,
    /// What immutable variables without a derivative are.
    meanings: HashMap<VarId, Expr>,
    /// The ranges of the variables of loops.
    ranges: HashMap<VarId, ExprRange>,
    names: HashMap<String, VarId>,
}

/// A loop, as far as indices follow it.
pub struct Loop {
    /// Its variable, if it goes through a range.
    pub counter: Option<VarId>,
    reversed: bool,
    /// Whether iterations run again from a checkpoint: then the end is not what the reverse pass sees.
    pub again: bool,
}

/// The index of an entry in one dimension, within ranges.
#[derive(Clone)]
struct Dimension<'p> {
    ranges: Vec<&'p ExprRange>,
    index: Option<Cow<'p, Expr>>,
}

impl Order {
    pub fn of(f: &Func) -> Self {
        let mut order = Order {
            loops: HashMap::new(),
            writes: HashMap::new(),
            pushes: HashSet::new(),
            longer: HashSet::new(),
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
        let all = f.vars.iter().enumerate().filter(|(_, var)| var.grows);
        let longer = all.filter(|(v, var)| order.only_gets_longer(*v, var));
        order.longer = longer.map(|(v, _)| v).collect();
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
            StmtKind::Push(p, _) if p.is_var() => {
                self.pushes.insert(s.point.pos);
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

    /// The loop with a number.
    pub fn of_number(&self, id: usize) -> Option<&Loop> {
        self.loops.get(&id)
    }

    /// Whether there is a loop at all.
    pub fn has_loops(&self) -> bool {
        !self.loops.is_empty()
    }

    /// The range that a counter goes through.
    pub fn range(&self, counter: VarId) -> Option<&ExprRange> {
        self.ranges.get(&counter)
    }

    /// What an immutable variable without a derivative is.
    pub fn meaning(&self, v: VarId) -> Option<&Expr> {
        self.meanings.get(&v)
    }

    /// The places that the statement at a position stores to.
    pub fn written(&self, root: VarId, pos: usize) -> impl Iterator<Item = &Place> {
        let all = self.writes.get(&root).into_iter().flatten();
        all.filter(move |w| w.0 == pos).map(|w| &w.1)
    }

    /// Whether a place, read at `at`, still has that value when the function has returned.
    pub fn keeps(&self, f: &Func, p: &Place, at: &Point) -> bool {
        let copied = p.kept.as_ref().is_some_and(|kept| f.place_frozen(kept, at));
        copied || f.place_frozen(p, at) || is_there_in_the_end(f, p) && self.stays(f, p, at)
    }

    /// Whether a place, read at `at`, has that value until the function returns.
    pub fn stays(&self, f: &Func, p: &Place, at: &Point) -> bool {
        f.indices_frozen(p, at) && self.is_written_no_more(f, p, at)
    }

    /// The variable that an expression names.
    pub fn variable(&self, e: &Expr) -> Option<VarId> {
        let Expr::Path(p) = e else {
            return None;
        };
        self.names.get(&p.path.get_ident()?.to_string()).copied()
    }

    fn is_written_no_more(&self, f: &Func, p: &Place, at: &Point) -> bool {
        let root = &f.vars[p.root];
        if root.hold == Hold::Ref || root.alias.is_some() || root.late {
            return false;
        }
        let Some((fields, entry)) = dimensions(p) else {
            return false;
        };
        let longer = || fields.is_empty() && is_limited(&entry) && self.longer.contains(&p.root);
        if root.grows && !longer() {
            return false;
        }
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
            if self.pushes.contains(&w.pos) {
                return true;
            }
            let known = self.writes.get(&p.root).map_or(&[][..], Vec::as_slice);
            let mut here = known.iter().filter(|(pos, _)| *pos == w.pos).peekable();
            here.peek().is_some()
                && here.all(|(_, to)| match dimensions(to) {
                    Some((others, _)) if others != fields => !overlap(p, to),
                    Some((_, written)) => {
                        let (entry, written) = self.by_rows(f, root, &entry, &written);
                        self.is_apart(f, &entry, &written, &around, w.pos < at.pos)
                    }
                    None => false,
                })
        })
    }

    /// Whether all that happens to a vector is that it gets further entries, and numbers in the entries that it has.
    fn only_gets_longer(&self, v: VarId, var: &Var) -> bool {
        let of_numbers = |pos: usize| {
            let mut here = self.written(v, pos).peekable();
            here.peek().is_some() && here.all(|p| p.ty.is_float() && !p.is_var())
        };
        let mut all = var.writes.iter().map(|w| w.pos);
        all.all(|pos| self.pushes.contains(&pos) || of_numbers(pos))
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
                    false => (self.lower(f, w), self.upper(f, e), self.lower_of(f, &now)),
                    true => (
                        negated(&self.upper(f, w)),
                        negated(&self.lower(f, e)),
                        negated(&self.upper_of(f, &now)),
                    ),
                };
                let from_counter = written.iter().filter(|b| is_counter(b, counter));
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

/// Whether the reverse pass has what a place's variable is in the end: the caller may change what it lends once the function
/// has returned.
fn is_there_in_the_end(f: &Func, p: &Place) -> bool {
    let var = &f.vars[p.root];
    var.hold == Hold::Value || var.param.is_some_and(|i| f.params[i].copied)
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
                index: Some(Cow::Borrowed(&n.expr)),
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

/// Whether a place is one entry, or a range with an end: it has the same entries when the vector is longer.
fn is_limited(entry: &[Dimension<'_>]) -> bool {
    entry
        .first()
        .is_some_and(|first| first.index.is_some() || first.ranges.iter().any(|r| r.end.is_some()))
}

/// Whether a variable has one value from its definition on.
fn is_steady(f: &Func, v: VarId) -> bool {
    let var = &f.vars[v];
    var.writes.is_empty() && !var.late && var.hold == Hold::Value
}
