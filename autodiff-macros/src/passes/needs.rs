//! What the reverse pass needs of the forward pass (the to-be-recorded analysis), and which of it
//! is computed again instead of kept.

use crate::code::operator;
use crate::ir::is_active;
use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::passes::order::Order;
use crate::passes::pairs;
use std::collections::HashSet;

pub fn analyse(f: &Func) -> Needs {
    let mut n = Needs {
        pairs: pairs::find(f),
        ..Needs::none()
    };
    for (i, v) in f.vars.iter().enumerate() {
        if v.active && !v.late && !v.ty.is_known() {
            n.witnesses.insert(i);
        }
    }
    n.block(f, &f.body);
    n.result(f, f.body.result.as_ref());
    n.remat(f);
    n
}

impl Needs {
    fn uses(&mut self, f: &Func, native: &Native) {
        for v in &native.uses {
            self.value(f, *v);
        }
    }

    fn value(&mut self, f: &Func, v: VarId) {
        if self.values.insert(v) {
            // An alias is borrowed again.
            if let Some(p) = &f.vars[v].alias {
                self.value(f, p.root);
                self.lens(f, p);
            }
        }
    }

    fn lens(&mut self, f: &Func, p: &Place) {
        for v in p.index_uses() {
            self.value(f, v);
        }
    }

    fn place_value(&mut self, f: &Func, p: &Place) {
        let p = p.value();
        self.value(f, p.root);
        self.lens(f, p);
    }

    /// The witness of an operand: nothing for a float, the variable's own, or the value's.
    fn witness(&mut self, f: &Func, o: &Operand) {
        match o {
            Operand::Native(n) => self.uses(f, n),
            Operand::Place { place, .. } if place.ty.is_known() => {}
            Operand::Place { place, .. } if place.is_var() => {
                self.witnesses.insert(place.root);
            }
            Operand::Place { place, .. } => self.place_value(f, place),
        }
    }

    fn operand_value(&mut self, f: &Func, o: &Operand) {
        match o {
            Operand::Native(n) => self.uses(f, n),
            Operand::Place { place, .. } => self.place_value(f, place),
        }
    }

    fn result(&mut self, f: &Func, o: Option<&Operand>) {
        if let Some(o @ Operand::Place { place, .. }) = o {
            if f.vars[place.root].active {
                self.lens(f, place);
                self.witness(f, o);
            }
        }
    }

    fn arg(&mut self, f: &Func, a: &Arg, receiver: bool) {
        if let Some(s) = a.snapshot {
            self.value(f, s);
        }
        match &a.operand {
            Operand::Place { place, by_ref } => {
                self.lens(f, place);
                if (*by_ref || receiver) && a.snapshot.is_none() && a.lend != Lend::Mut {
                    self.place_value(f, place);
                }
                if !*by_ref && !receiver {
                    self.witness(f, &a.operand);
                }
            }
            Operand::Native(n) => {
                if (receiver || is_reference(n, f)) && a.lend != Lend::Mut {
                    self.uses(f, n);
                }
            }
        }
    }

    /// A region itself keeps what its pullback reads; accumulators that cannot be lent are made anew.
    fn region(&mut self, f: &Func, args: &[Arg]) {
        let active = |a: &&Place| f.vars[a.root].active;
        let places: Vec<&Place> = args
            .iter()
            .filter_map(|a| a.operand.place())
            .filter(active)
            .collect();
        for (i, p) in places.iter().enumerate() {
            self.lens(f, p);
            if places
                .iter()
                .enumerate()
                .any(|(j, q)| i != j && overlap(p, q))
            {
                self.place_value(f, p);
            }
        }
    }

    fn block(&mut self, f: &Func, b: &Block) {
        for s in &b.stmts {
            if is_active(s, &f.vars) {
                self.stmt(f, s);
            }
        }
    }

    fn stmt(&mut self, f: &Func, s: &Stmt) {
        if let Some(c) = s.checkpoint() {
            c.kept(f).for_each(|v| self.value(f, v));
        }
        match &s.kind {
            StmtKind::Def(v, rhs) => self.rhs(f, *v, rhs),
            StmtKind::Assign(p, o, _) | StmtKind::Accum(_, p, o) => {
                if let StmtKind::Assign(_, _, Some(before)) = &s.kind {
                    self.value(f, *before);
                }
                self.lens(f, p);
                if let Operand::Place { place, .. } = o {
                    self.lens(f, place);
                }
                let replaced = matches!(&s.kind, StmtKind::Assign(_, _, Some(_)));
                if !(replaced && matches!(o, Operand::Native(_))) {
                    self.witness(f, o);
                }
            }
            StmtKind::Push(p, o) => {
                self.lens(f, p);
                if let Operand::Place { place, .. } = o {
                    self.lens(f, place);
                    self.witness(f, o);
                }
            }
            StmtKind::SetLate(_, o) => {
                if let Operand::Place { place, .. } = o {
                    self.lens(f, place);
                }
                self.witness(f, o);
            }
            StmtKind::Branch { arms, out, .. } => {
                for a in arms {
                    if out.is_some_and(|v| f.vars[v].active) {
                        self.result(f, a.block.result.as_ref());
                    }
                    self.block(f, &a.block);
                }
            }
            StmtKind::While { body, .. } => self.block(f, body),
            StmtKind::For { range, body, .. } => {
                self.uses(f, range);
                self.block(f, body);
            }
            StmtKind::Late(..) | StmtKind::Native(_) => {}
        }
    }

    fn rhs(&mut self, f: &Func, v: VarId, rhs: &Rhs) {
        for p in crate::ir::places(rhs) {
            if f.vars[p.root].active {
                self.lens(f, p);
            }
        }
        match rhs {
            Rhs::Op(..) if self.pairs.contains_key(&v) => self.value(f, self.pairs[&v]),
            Rhs::Op(op, operands) => {
                let active: Vec<bool> = operands
                    .iter()
                    .map(|o| o.place().is_some_and(|p| f.vars[p.root].active))
                    .collect();
                for (i, o) in operands.iter().enumerate() {
                    self.witness(f, o);
                    if f.vars[v].own_operator || op.needs_operand(i, &active) {
                        self.operand_value(f, o);
                    }
                }
                if op.needs_result(&active) {
                    self.value(f, v);
                }
            }
            Rhs::Powi(x, n) => {
                self.operand_value(f, x);
                self.uses(f, n);
            }
            Rhs::Copy(o) => {
                if let Operand::Place { place, .. } = o {
                    self.lens(f, place);
                }
            }
            Rhs::Cast(o, _) => self.witness(f, o),
            Rhs::Snapshot(_)
            | Rhs::Borrow(_)
            | Rhs::Native(_)
            | Rhs::GetLate(_)
            | Rhs::Witness(_)
            | Rhs::Pop(_) => {}
            Rhs::Call { path, args } if f.region_of(path).is_some() => self.region(f, args),
            Rhs::Call { args, .. } => args.iter().for_each(|a| self.arg(f, a, false)),
            Rhs::Method { receiver, args, .. } => {
                self.arg(f, receiver, true);
                args.iter().for_each(|a| self.arg(f, a, false));
            }
            Rhs::Tuple(o) | Rhs::Array(o) | Rhs::VecList(o) => {
                o.iter()
                    .filter(|o| o.place().is_some())
                    .for_each(|o| self.witness(f, o));
            }
            Rhs::Struct(s) => {
                // What a field had of the base is taken out of its cotangent.
                let all = s.base.is_some();
                s.replaced.iter().for_each(|v| self.value(f, *v));
                for (_, o) in &s.fields {
                    if all || o.place().is_some() {
                        self.witness(f, o);
                    }
                }
            }
            Rhs::Repeat { value, .. } => self.witness(f, value),
        }
    }

    /// Chooses what is computed again.
    fn remat(&mut self, f: &Func) {
        let defs = f.body.deep().filter_map(|s| match &s.kind {
            StmtKind::Def(v, rhs) => Some((*v, rhs, s.point.clone())),
            _ => None,
        });
        let defs = Definitions {
            all: defs.collect(),
            order: Order::of(f),
            environments: environments(f),
        };
        for (v, rhs, point) in &defs.all {
            if runs_again(&f.vars[*v], point) {
                self.try_again(f, *v, rhs, point, &defs);
            }
        }
        // What is computed again may need what nothing else did: the row that an entry is borrowed from.
        let mut tried = HashSet::new();
        while tried.len() < self.values.len() {
            let wanted: HashSet<VarId> = self.values.difference(&tried).copied().collect();
            for (v, rhs, point) in &defs.all {
                if wanted.contains(v) {
                    self.try_again(f, *v, rhs, point, &defs);
                }
            }
            tried.extend(wanted);
        }
    }

    fn try_again(
        &mut self,
        f: &Func,
        v: VarId,
        rhs: &Rhs,
        point: &Point,
        defs: &Definitions<'_>,
    ) -> bool {
        if self.again.contains(&v) {
            return true;
        }
        let var = &f.vars[v];
        if var.mutable {
            return false;
        }
        if self.try_to_make(f, v, rhs, point, defs) {
            self.again.insert(v);
            self.made_again.insert(v);
            return true;
        }
        if let Some(n) = rhs.borrowed().filter(|n| f.native_frozen(n, point)) {
            self.uses(f, n);
            self.again.insert(v);
            return true;
        }
        // At the top a value is computed again only from what the pullback gets anyway: it may be on the tape of
        // a caller's loop.
        let at_top = point.scope.is_empty() && var.alias.is_none();
        if let (Rhs::Borrow(p), false) = (rhs, at_top) {
            self.place_value(f, p);
            self.again.insert(v);
            return true;
        }
        let called = runs_again(var, point) && is_call(rhs);
        let operands: Vec<VarId> = match rhs {
            Rhs::Native(n) => {
                let plain_move = matches!(n.expr, syn::Expr::Path(_)) && !var.ty.is_copy();
                if !n.cheap || plain_move || !f.native_frozen(n, point) || !var.ty.is_copy() {
                    return false;
                }
                n.uses.clone()
            }
            rhs if called => match self.called_roots(f, rhs, point, &defs.order) {
                Some(r) => r,
                None => return false,
            },
            // An operator of a user's type may take long, and do more than compute.
            Rhs::Op(..) if is_call(rhs) => return false,
            Rhs::Op(op, o) if is_cheap(*op, point) && matches!(var.ty, Ty::Float(_)) => {
                match self.operand_roots(f, o, point, &defs.order) {
                    Some(r) => r,
                    None => return false,
                }
            }
            Rhs::Copy(o) | Rhs::Cast(o, _) if matches!(var.ty, Ty::Float(_)) => {
                match self.operand_roots(f, std::slice::from_ref(o), point, &defs.order) {
                    Some(r) => r,
                    None => return false,
                }
            }
            Rhs::Snapshot(p) if matches!(var.ty, Ty::Float(_)) && defs.order.keeps(f, p, point) => {
                let p = p.value();
                std::iter::once(p.root).chain(p.index_uses()).collect()
            }
            _ => return false,
        };
        // Worth it only when it does not force something else to be kept.
        for r in &operands {
            let var = &f.vars[*r];
            let there = match var.param {
                Some(p) if at_top => is_passed_again(&f.params[p]),
                param => param.is_some() || var.defined.scope.len() < point.scope.len(),
            };
            if there || self.values.contains(r) || var.counter {
                continue;
            }
            let free = match defs.all.iter().find(|d| d.0 == *r) {
                Some((w, rhs, p)) => self.try_again(f, *w, rhs, p, defs),
                None => false,
            };
            if !free {
                return false;
            }
        }
        for r in operands {
            self.value(f, r);
        }
        self.again.insert(v);
        if called {
            self.rerun.insert(v);
        }
        true
    }

    /// Environments of closures are copies of what is there in the reverse pass too; of positions in an array the length
    /// tells.
    fn try_to_make(
        &mut self,
        f: &Func,
        v: VarId,
        rhs: &Rhs,
        point: &Point,
        defs: &Definitions<'_>,
    ) -> bool {
        let environment = defs.environments.contains(&v);
        match rhs {
            Rhs::Native(n) => n.uses.is_empty() && is_positions(&n.expr),
            Rhs::Snapshot(p) if environment && defs.order.keeps(f, p, point) => {
                self.place_value(f, p);
                true
            }
            Rhs::Tuple(parts) if environment => {
                let there = |o: &Operand| match o {
                    Operand::Native(n) => n.cheap && f.native_frozen(n, point),
                    Operand::Place { place, .. } => place.is_var() && f.vars[place.root].is_plain(),
                };
                if !parts.iter().all(there) {
                    return false;
                }
                parts.iter().for_each(|o| self.operand_value(f, o));
                true
            }
            _ => false,
        }
    }

    /// What a call reads, if all of it is there again.
    fn called_roots(
        &self,
        f: &Func,
        rhs: &Rhs,
        point: &Point,
        order: &Order,
    ) -> Option<Vec<VarId>> {
        if let Rhs::Op(_, operands) = rhs {
            return self.operand_roots(f, operands, point, order);
        }
        let args = rhs.arguments();
        let plain = |a: &&Arg| {
            let kept = a.lend == Lend::Shared && a.snapshot.is_none();
            // Whether a field is constant is asked of the value that has it, which may be gone.
            let of_copy =
                |p: &Place| p.kept.is_some() && p.may_be_constant() && f.vars[p.root].active;
            let asked = a.operand.place().is_some_and(of_copy);
            kept && a.code.is_none() && !a.unfollowed && !asked
        };
        args.iter().all(plain).then_some(())?;
        let operands: Vec<Operand> = args.iter().map(|a| a.operand.clone()).collect();
        self.operand_roots(f, &operands, point, order)
    }

    fn operand_roots(
        &self,
        f: &Func,
        operands: &[Operand],
        point: &Point,
        order: &Order,
    ) -> Option<Vec<VarId>> {
        let mut out = Vec::new();
        for o in operands {
            match o {
                Operand::Native(n) if n.cheap && f.native_frozen(n, point) => out.extend(&n.uses),
                // A number takes less than the option or result that it is in, which may be moved besides.
                Operand::Place { place, .. }
                    if place.is_in_variant() && !is_lent(f, place.root) =>
                {
                    return None;
                }
                Operand::Place { place, .. } if order.keeps(f, place, point) => {
                    let place = place.value();
                    out.push(place.root);
                    out.extend(place.index_uses());
                }
                _ => return None,
            }
        }
        Some(out)
    }
}

/// Whether a variable may be made anew by its function: one with a derivative in a loop or a branch, whose tape would keep the
/// pullback.
fn runs_again(var: &Var, point: &Point) -> bool {
    var.small && var.active && !point.scope.is_empty()
}

/// Whether a variable is a reference to what the caller has, or a part of that.
fn is_lent(f: &Func, v: VarId) -> bool {
    let var = &f.vars[v];
    match var.alias.as_ref().filter(|of| of.root != v) {
        Some(of) => is_lent(f, of.root),
        None => var.hold.is_reference(),
    }
}

/// Whether computing a number again is cheaper than keeping it.
fn is_cheap(op: Op, at: &Point) -> bool {
    let loops = at.scope.iter().filter(|s| s.is_loop).count();
    op.is_cheap() || loops > 1 && op.is_cheap_in_nests()
}

/// Whether a function makes a value, or an operator of a user's type.
fn is_call(rhs: &Rhs) -> bool {
    match rhs {
        Rhs::Call { .. } | Rhs::Method { .. } => true,
        Rhs::Op(op, operands) => operator(*op, operands).is_some(),
        _ => false,
    }
}

/// What defines each variable, and where; and what is written after it.
struct Definitions<'a> {
    all: Vec<(VarId, &'a Rhs, Point)>,
    order: Order,
    environments: HashSet<VarId>,
}

/// The environments of closures that are passed on, and their parts.
fn environments(f: &Func) -> HashSet<VarId> {
    let mut out = HashSet::new();
    for s in f.body.deep() {
        let StmtKind::Def(_, rhs) = &s.kind else {
            continue;
        };
        let closures = rhs.arguments().into_iter().filter(|a| {
            let code = a.code.as_deref();
            matches!(code, Some(Passed::Closure(_)))
        });
        out.extend(closures.filter_map(|a| Some(a.operand.place()?.root)));
    }
    for s in f.body.deep() {
        if let StmtKind::Def(v, Rhs::Tuple(parts)) = &s.kind {
            if out.contains(v) {
                out.extend(parts.iter().filter_map(|o| Some(o.place()?.root)));
            }
        }
    }
    out
}

/// `array::from_fn(|i| i)`
fn is_positions(e: &syn::Expr) -> bool {
    let syn::Expr::Call(c) = e else {
        return false;
    };
    let made = matches!(&*c.func, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "from_fn"));
    let itself = |f: &syn::ExprClosure| match (f.inputs.first(), &*f.body) {
        (Some(i), syn::Expr::Path(p)) => crate::syntax::pattern_names(i)
            .iter()
            .any(|name| p.path.is_ident(name)),
        _ => false,
    };
    made && matches!(c.args.first(), Some(syn::Expr::Closure(f)) if itself(f))
}

/// Whether the caller gives the pullback the argument again.
fn is_passed_again(p: &Param) -> bool {
    (p.by_ref || p.lent) && !p.by_mut
}
