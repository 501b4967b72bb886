//! Takes the length of an array whose entries change, and whose length does not, where it is made.
//!
//! The range of `for i in 0..v.len()` names `v`, which changes until the reverse pass; so it would
//! be kept for every run of the loop. `let len0 = v.len();` after the definition of `v` is kept once,
//! and `0..len0` is a range like that of any other loop.

use crate::ir::is_active;
use crate::ir::*;
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};
use syn::visit_mut::{self, VisitMut};
use syn::Expr;

/// Gives names to the lengths that ranges of active loops read.
pub fn fix(f: &mut Func) {
    let mut body = std::mem::take(&mut f.body);
    let arrays = of_fixed_length(f, &body);
    let mut lengths = Lengths {
        names: f.vars.iter().map(|v| v.name.to_string()).collect(),
        f,
        arrays,
        found: HashMap::new(),
    };
    lengths.ranges(&mut body);
    let found = lengths.found;
    if !found.is_empty() {
        define(f, &found, &mut body);
    }
    f.body = body;
}

struct Lengths<'a> {
    f: &'a mut Func,
    names: HashSet<String>,
    /// Variables with a length that does not change, and entries that do.
    arrays: HashSet<VarId>,
    /// The variables that hold lengths, by the array.
    found: HashMap<VarId, VarId>,
}

/// `[x; n]`, `vec![x; n]` and lists are arrays whatever else is called `len`, and so are slices that a caller lends; what may
/// become longer or be another array is not among them.
fn of_fixed_length(f: &Func, b: &Block) -> HashSet<VarId> {
    let all = b.deep().filter_map(|s| match &s.kind {
        StmtKind::Def(v, Rhs::Repeat { .. } | Rhs::Array(_) | Rhs::VecList(_)) => Some(*v),
        _ => None,
    });
    let fixed = |v: &VarId| {
        let var = &f.vars[*v];
        let value = var.hold == Hold::Value && var.alias.is_none() && !var.late;
        value && !var.grows && !var.reassigned && !var.writes.is_empty()
    };
    let slices = f.params.iter().filter(|p| p.by_mut && p.slice_of.is_some());
    let lent = slices.map(|p| p.var).filter(|v| {
        let var = &f.vars[*v];
        !var.grows && !var.reassigned && var.alias.is_none()
    });
    all.filter(fixed).chain(lent).collect()
}

impl Lengths<'_> {
    fn ranges(&mut self, b: &mut Block) {
        b.each_mut(&mut |s| {
            let active = is_active(s, &self.f.vars);
            if let StmtKind::For { range, .. } = &mut s.kind {
                if active && !self.f.native_frozen(range, &s.point) {
                    self.range(range);
                }
            }
        });
    }

    fn range(&mut self, range: &mut Native) {
        for v in range.uses.clone() {
            if !self.arrays.contains(&v) {
                continue;
            }
            let mut replace = Replace {
                array: self.f.vars[v].name.clone(),
                length: self.name(v),
                done: false,
                others: false,
            };
            let mut expr = range.expr.clone();
            replace.visit_expr_mut(&mut expr);
            if replace.done && !replace.others {
                let length = self.length(v, replace.length);
                range.expr = expr;
                range.uses.retain(|u| *u != v);
                range.uses.push(length);
            }
        }
    }

    /// The name of the length of an array.
    fn name(&self, array: VarId) -> Ident {
        if let Some(v) = self.found.get(&array) {
            return self.f.vars[*v].name.clone();
        }
        let free = |n: &usize| !self.names.contains(&format!("len{n}"));
        let number = (0..).find(free).expect("one of all numbers");
        Ident::new(&format!("len{number}"), Span::mixed_site())
    }

    fn length(&mut self, array: VarId, name: Ident) -> VarId {
        if let Some(v) = self.found.get(&array) {
            return *v;
        }
        self.names.insert(name.to_string());
        let point = self.f.vars[array].defined.clone();
        let var = Var::new(name, Ty::Discrete, Hold::Value, false, point);
        self.f.vars.push(var);
        self.found.insert(array, self.f.vars.len() - 1);
        self.f.vars.len() - 1
    }
}

struct Replace {
    array: Ident,
    length: Ident,
    done: bool,
    /// The array is named in another way.
    others: bool,
}

impl VisitMut for Replace {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::MethodCall(m) = e {
            let named = matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident(&self.array));
            if named && m.method == "len" && m.args.is_empty() {
                let length = &self.length;
                *e = syn::parse_quote!(#length);
                self.done = true;
                return;
            }
        }
        if matches!(e, Expr::Path(p) if p.path.is_ident(&self.array)) {
            self.others = true;
        }
        // A macro's tokens are not looked at.
        self.others |= matches!(e, Expr::Macro(_));
        visit_mut::visit_expr_mut(self, e);
    }
}

/// Defines each length right after its array, and those of parameters first of all.
fn define(f: &Func, found: &HashMap<VarId, VarId>, b: &mut Block) {
    let length = |array: VarId| {
        let name = &f.vars[array].name;
        let value = Native {
            expr: syn::parse_quote!(#name.len()),
            uses: vec![array],
            cheap: true,
            ty: Ty::Discrete,
        };
        Some(StmtKind::Def(*found.get(&array)?, Rhs::Native(value)))
    };
    b.put_behind(&|s| match &s.kind {
        StmtKind::Def(array, _) => length(*array),
        _ => None,
    });
    let lent = f.params.iter().filter_map(|p| length(p.var));
    let first = lent.map(|kind| Stmt {
        kind,
        point: Point {
            pos: 0,
            scope: Vec::new(),
        },
        span: Span::call_site(),
    });
    b.stmts.splice(0..0, first);
}
