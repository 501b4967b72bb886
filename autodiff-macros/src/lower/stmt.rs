//! Lowers statements.

use crate::ir::*;
use crate::lower::pattern::{Binding, Parts};
use crate::lower::{simple_pattern, Lower};
use crate::syntax;
use crate::syntax::blocks::collect_idents;
use crate::syntax::blocks::is_statement_like;
use crate::syntax::references::taken_entry;
use crate::syntax::touches_active;
use quote::{quote, ToTokens};
use syn::spanned::Spanned;
use syn::{Expr, Pat, Stmt as SynStmt};

impl Lower<'_> {
    /// Lowers the statements of a block into `out`; returns its value.
    pub fn stmts_of(&mut self, block: &syn::Block, out: &mut Vec<Stmt>) -> Option<Operand> {
        let last = block.stmts.len().wrapping_sub(1);
        let mut result = None;
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                SynStmt::Local(l) => self.local(l, out),
                SynStmt::Item(item) => {
                    let tokens = item.to_token_stream();
                    self.push(out, StmtKind::Native(tokens), item.span());
                }
                SynStmt::Expr(Expr::Return(r), _) if i == last && self.scope.is_empty() => {
                    result = r.expr.as_ref().map(|e| self.expr(e, out));
                }
                SynStmt::Expr(e, None) if i == last => {
                    if is_statement_like(e) {
                        self.stmt_expr(e, out);
                    } else {
                        result = Some(self.expr(e, out));
                    }
                }
                SynStmt::Expr(e, _) => self.stmt_expr(e, out),
                SynStmt::Macro(m) => {
                    let e = Expr::Macro(syn::ExprMacro {
                        attrs: Vec::new(),
                        mac: m.mac.clone(),
                    });
                    if i == last && m.semi_token.is_none() && !syntax::is_statement_macro(&m.mac) {
                        result = Some(self.expr(&e, out));
                    } else {
                        self.stmt_expr(&e, out);
                    }
                }
            }
        }
        result
    }

    fn local(&mut self, l: &syn::Local, out: &mut Vec<Stmt>) {
        let Some(init) = &l.init else {
            self.cx.error(&l.pat, "this variable gets its value later, where a `#[differentiable]` function cannot follow it: give it a value where it is declared");
            return;
        };
        if let Some((e, _)) = &init.diverge {
            self.cx.error(
                e,
                "this `let … else` stands where a `#[differentiable]` function cannot leave the block: use `match`",
            );
            return;
        }
        if matches!(l.pat, Pat::Wild(_)) && self.is_closure(&init.expr) {
            // It is neither called nor moved.
            return;
        }
        let active = self.maybe_active(&init.expr)
            || simple_pattern(&l.pat).is_some_and(|(p, ty)| {
                // A zero that will be accumulated into.
                let discrete = ty.is_some_and(|t| syntax::ty_of(t).is_discrete());
                p.mutability.is_some() && !discrete && self.active.contains(&p.ident.to_string())
            });
        if let (true, Some((p, _)), Expr::Reference(r)) =
            (active, simple_pattern(&l.pat), &*init.expr)
        {
            if r.mutability.is_some() {
                return self.alias_mut(p, &r.expr, out);
            }
        }
        if let (true, Some((p, _)), Expr::Closure(c)) =
            (active, simple_pattern(&l.pat), &*init.expr)
        {
            return self.closure(&p.ident, c, out);
        }
        if let (true, Expr::Reference(r), None) = (active, &*init.expr, simple_pattern(&l.pat)) {
            if r.mutability.is_some() {
                return self.lend_parts(&l.pat, &r.expr, out);
            }
        }
        if active && self.taken_apart(l, out) {
            return;
        }
        match simple_pattern(&l.pat) {
            Some((p, ty)) => {
                let shared = !active && self.is_shared(ty, &init.expr);
                self.local_name(p, ty, &init.expr, active, out);
                let var = self.lookup(&p.ident.to_string()).filter(|_| shared);
                self.shared.extend(var);
            }
            None if active => {
                let operand = self.expr(&init.expr, out);
                let operand = self.named(operand, out);
                self.destructure(&l.pat, operand, out);
            }
            None => self.local_native_pattern(&l.pat, &init.expr, out),
        }
    }

    fn local_name(
        &mut self,
        p: &syn::PatIdent,
        ty: Option<&syn::Type>,
        init: &Expr,
        active: bool,
        out: &mut Vec<Stmt>,
    ) {
        let said = ty.map(|ty| self.cx.definitions.typed(ty));
        let plain = ty.map(syntax::ty_of).filter(|t| *t != Ty::Unknown);
        let by_alias = plain.is_none();
        let written = plain.or_else(|| said.as_ref()?.numbers());
        let span = p.ident.span();
        let rhs = if active {
            self.rhs(init, out)
        } else {
            let discrete = written.as_ref().is_some_and(Ty::is_discrete);
            if !discrete {
                self.check_cut(init);
            }
            Rhs::Native(self.native(init))
        };
        let mut rhs = rhs;
        if let (Rhs::Borrow(place) | Rhs::Copy(Operand::Place { place, .. }), Some(ty)) =
            (&mut rhs, ty)
        {
            self.learn(place, ty);
        }
        if let Rhs::Borrow(place) = &mut rhs {
            self.fix_indices(place, out);
        }
        // The rule reads the result, which the variable may not hold any more by then.
        let reads_result = matches!(&rhs, Rhs::Op(op, _) if op.needs_result(&[true; 3]));
        if p.mutability.is_some() && reads_result {
            let ty = self.rhs_ty(&rhs);
            rhs = Rhs::Copy(self.define(rhs, ty, span, out));
        }
        let (hold, alias) = match &rhs {
            Rhs::Borrow(place) => (Hold::Ref, Some(place.clone())),
            Rhs::Copy(Operand::Place {
                by_ref: true,
                place,
            }) => (Hold::Ref, Some(place.clone())),
            Rhs::Native(n) if lends_mutably(&n.expr) => (Hold::Mut, None),
            Rhs::Native(n) if matches!(n.expr, Expr::Reference(_)) || is_shared(ty) => {
                (Hold::Ref, None)
            }
            Rhs::Native(n) if self.lends_entry(taken_entry(&n.expr)) => (Hold::Ref, None),
            _ => (Hold::Value, None),
        };
        if let (Some(place), None) = (&alias, p.mutability) {
            let root = &self.vars[place.root];
            if matches!(rhs, Rhs::Borrow(_)) && (root.mutable || root.hold == Hold::Mut) {
                // Another part of it may be lent mutably while this name is in use.
                return self.bind_alias(&Binding {
                    ident: p.ident.clone(),
                    mutable: false,
                    place: place.clone(),
                    by_ref: true,
                });
            }
        }
        if p.mutability.is_some() && alias.is_some() {
            self.cx.error(p, "a variable that holds one reference after the other cannot be followed: use a new name for each reference");
        }
        let kind = written.clone().unwrap_or_else(|| self.rhs_ty(&rhs));
        let var = self.fresh_named(&p.ident, kind, hold, p.mutability.is_some());
        if !active && self.is_position(init) {
            self.positions.insert(var);
        }
        self.vars[var].maybe_active = active;
        self.vars[var].alias = alias;
        self.vars[var].whole = match active {
            true => self.whole_of(&rhs, said),
            false => self.typed(init).or(said),
        };
        self.vars[var].small = active && self.is_small(&rhs);
        self.vars[var].own_operator = active && self.is_own_operator(&rhs);
        if !active && hold == Hold::Mut {
            let of = syntax::root_name(init).and_then(|n| self.lookup(&n));
            self.leads_to.extend(of.map(|of| (var, of)));
        }
        // The variable whose value the type is: of a branch, that for what its arms give.
        let made = match rhs {
            Rhs::Call { .. } | Rhs::Method { .. } => Some(var),
            _ => branched(out, &rhs),
        };
        if let Some(made) = made.filter(|_| by_alias) {
            self.vars[made].written = ty.filter(|t| can_be_said(t)).map(|t| Box::new(t.clone()));
        }
        let rhs = match (rhs, ty) {
            // The annotation may drive inference: keep it.
            (Rhs::Native(mut n), Some(ty)) => {
                let e = &n.expr;
                n.expr = syn::parse_quote!({ let value: #ty = #e; value });
                n.cheap = n.cheap && self.vars[var].ty.is_copy();
                Rhs::Native(n)
            }
            (Rhs::Native(mut n), None) if active => {
                n.expr = self.grids.constructor(&n.expr).unwrap_or(n.expr);
                Rhs::Native(n)
            }
            (rhs, _) => rhs,
        };
        self.lent_parts.defined(var, &rhs);
        self.push(out, StmtKind::Def(var, rhs), span);
        self.vars[var].defined = self.point();
        self.bind(&p.ident, var);
    }

    /// `let row = &mut m[a..b];`: the name stands for the place, which is written through it.
    fn alias_mut(&mut self, p: &syn::PatIdent, target: &Expr, out: &mut Vec<Stmt>) {
        let Some(mut place) = self.write_place(target, out) else {
            return;
        };
        self.fix_indices(&mut place, out);
        let var = self.fresh_named(&p.ident, place.ty.clone(), Hold::Ref, true);
        self.vars[var].maybe_active = true;
        self.vars[var].alias = Some(place);
        self.vars[var].by_name = true;
        self.vars[var].defined = self.point();
        self.bind(&p.ident, var);
    }

    /// `let P { x, y } = &mut p;`: each name stands for its part.
    fn lend_parts(&mut self, pat: &Pat, target: &Expr, out: &mut Vec<Stmt>) {
        let part = |s: &mut Self, pat: &Pat, member: syn::Member, out: &mut Vec<Stmt>| {
            s.lend_parts(pat, &syn::parse_quote!((#target).#member), out)
        };
        let elems = match pat {
            Pat::Wild(_) => return,
            Pat::Paren(p) => return self.lend_parts(&p.pat, target, out),
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                return self.alias_mut(p, target, out)
            }
            Pat::Struct(s) => {
                for f in &s.fields {
                    part(self, &f.pat, f.member.clone(), out);
                }
                return;
            }
            Pat::Slice(s) if !s.elems.iter().any(|p| matches!(p, Pat::Rest(_))) => {
                for (i, p) in s.elems.iter().enumerate() {
                    self.lend_parts(p, &syn::parse_quote!((#target)[#i]), out);
                }
                return;
            }
            Pat::Tuple(t) => &t.elems,
            Pat::TupleStruct(t) => &t.elems,
            _ => {
                self.cx.error(pat, "this pattern of a mutable reference is not supported in a `#[differentiable]` function: bind the reference to a name and use its parts");
                return;
            }
        };
        let all = elems.len();
        for (i, p) in elems.iter().enumerate() {
            if matches!(p, Pat::Rest(_)) {
                if i + 1 < all {
                    self.cx.error(p, "`..` before the last part is not supported in a `#[differentiable]` function: write `_` for each part that is left out");
                }
                return;
            }
            part(self, p, syn::Member::from(i), out);
        }
    }

    /// An inactive `let` with a pattern, kept as written but for the names.
    fn local_native_pattern(&mut self, pat: &Pat, init: &Expr, out: &mut Vec<Stmt>) {
        let hold = match self.lends_parts(init) && !takes_out(pat) {
            true => Hold::Ref,
            false => Hold::Value,
        };
        let init = self.native(init);
        let mut pat = pat.clone();
        let mut bound = Vec::new();
        collect_idents(&mut pat, &mut |p| {
            let var = self.fresh_named(&p.ident, Ty::Unknown, hold, p.mutability.is_some());
            bound.push((p.ident.clone(), var));
            let mut name = self.vars[var].name.clone();
            name.set_span(p.ident.span());
            p.ident = name;
        });
        let e = &init.expr;
        self.push(out, StmtKind::Native(quote!(let #pat = #e;)), pat.span());
        for (ident, var) in bound {
            self.vars[var].defined = self.point();
            self.bind(&ident, var);
        }
    }

    /// Whether an expression is a shared reference, so that the names of a pattern are references to parts.
    fn lends_parts(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.lends_parts(&p.expr),
            Expr::Reference(r) => r.mutability.is_none(),
            Expr::Path(p) => {
                let var = p.path.get_ident();
                let var = var.and_then(|i| self.lookup(&i.to_string()));
                var.is_some_and(|v| self.vars[v].hold == Hold::Ref && !self.vars[v].mutable)
            }
            _ => false,
        }
    }

    /// Binds the names of a pattern that always matches.
    pub fn destructure(&mut self, pat: &Pat, operand: Operand, out: &mut Vec<Stmt>) {
        let Operand::Place { place, by_ref } = operand else {
            self.cx.error(pat, "this pattern cannot be followed in a `#[differentiable]` function: bind the value to a name and use its fields");
            return;
        };
        let mut bound = Vec::new();
        self.pattern_parts(pat, &place, by_ref, Parts::Fields, &mut bound);
        for b in bound {
            if !b.by_ref {
                self.bind_copy(b, out);
                continue;
            }
            let var = self.fresh_named(&b.ident, b.place.ty.clone(), Hold::Ref, false);
            self.vars[var].maybe_active = true;
            self.vars[var].alias = Some(b.place.clone());
            self.push(
                out,
                StmtKind::Def(var, Rhs::Borrow(b.place)),
                b.ident.span(),
            );
            self.vars[var].defined = self.point();
            self.bind(&b.ident, var);
        }
    }

    /// Gives an operand a name, so that its parts can be places.
    pub fn named(&mut self, operand: Operand, out: &mut Vec<Stmt>) -> Operand {
        match operand {
            Operand::Native(n) => {
                let (ty, span) = (n.ty.clone(), n.expr.span());
                self.define(Rhs::Native(n), ty, span, out)
            }
            place => place,
        }
    }

    pub fn stmt_expr(&mut self, e: &Expr, out: &mut Vec<Stmt>) {
        match e {
            Expr::Paren(p) => self.stmt_expr(&p.expr, out),
            Expr::Call(c) if syntax::is_mark(&c.func, "__late") => {
                if let Some(Expr::Path(p)) = c.args.first() {
                    if let Some(name) = p.path.get_ident() {
                        self.late(name, out);
                    }
                }
            }
            Expr::Call(c) if syntax::is_mark(&c.func, "__late_set") => {
                self.late_set(&c.args[0], &c.args[1], out);
            }
            Expr::Call(c) if self.swap_as_assignments(c, out) => {}
            Expr::Assign(a) => self.assign(a, out),
            Expr::Binary(b) if syntax::is_assign_op(&b.op) => self.assign_op(b, out),
            Expr::Block(b) if b.label.is_none() => {
                self.push_env();
                self.stmts_of(&b.block, out);
                self.pop_env();
            }
            Expr::Macro(m) if syntax::is_macro(&m.mac, &["no_grad"]) => self.detached(e, out),
            Expr::MethodCall(m)
                if is_of_constants(m) && !m.args.iter().any(|a| self.maybe_active(a)) =>
            {
                self.detached(e, out)
            }
            _ if !self.touches_active(e) => self.native_stmt(e, out),
            // No value changes.
            Expr::MethodCall(m) if crate::knowledge::sequences::only_makes_room(m) => {
                self.makes_room(m, out)
            }
            Expr::ForLoop(f) => self.for_loop(f, out),
            Expr::While(w) => self.while_loop(w, out),
            Expr::If(i) => {
                self.if_expr(i, false, out);
            }
            Expr::Match(m) => {
                self.match_expr(m, false, out);
            }
            Expr::Macro(m) if syntax::is_statement_macro(&m.mac) => self.native_stmt(e, out),
            Expr::MethodCall(m) if self.is_of_the_file(m) => {
                self.expr(e, out);
            }
            Expr::MethodCall(m) if m.method == "push" && m.args.len() == 1 => {
                self.push_value(m, out)
            }
            Expr::MethodCall(m) if m.method == "pop" && m.args.is_empty() => {
                self.expr(e, out);
            }
            Expr::MethodCall(m) if crate::knowledge::sequences::is_mutator(m) => {
                self.cx.error(&m.method, format!("`{}` of active values has no derivative: write it as assignments in a loop, or assign a new value", m.method));
            }
            other => {
                self.expr(other, out);
            }
        }
    }

    fn touches_active(&self, e: &Expr) -> bool {
        match e {
            Expr::ForLoop(_) | Expr::If(_) | Expr::While(_) | Expr::Loop(_) | Expr::Match(_) => {
                touches_active(e, &self.active)
            }
            _ => self.maybe_active(e),
        }
    }

    /// `vec.push(value);`
    fn push_value(&mut self, m: &syn::ExprMethodCall, out: &mut Vec<Stmt>) {
        let value = self.expr(&m.args[0], out);
        let Some(place) = self.grown_place(&m.receiver, out) else {
            return;
        };
        let var = &mut self.vars[place.root];
        if place.is_var() && matches!(var.ty, Ty::Unknown) && value.ty().is_float() {
            var.ty = Ty::Seq(Box::new(value.ty()));
        }
        let span = m.method.span();
        self.push(out, StmtKind::Push(place.clone(), value), span);
        let point = self.point();
        self.vars[place.root].writes.push(point);
    }

    /// `vec.reserve(n);`
    fn makes_room(&mut self, m: &syn::ExprMethodCall, out: &mut Vec<Stmt>) {
        let args: Vec<Expr> = m.args.iter().map(|a| self.native(a).expr).collect();
        let Some(place) = self.write_place(&m.receiver, out) else {
            return;
        };
        let (root, name) = (&self.vars[place.root].name, &m.method);
        let place = crate::code::project(crate::code::Side::ValueMut, quote!(#root), &place);
        let call = quote!(#place.#name(#(#args),*););
        self.push(out, StmtKind::Native(call), m.span());
    }

    /// The place of a `Vec` whose length changes.
    pub fn grown_place(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Option<Place> {
        let place = self.write_place(e, out)?;
        self.vars[place.root].grows = true;
        Some(place)
    }

    /// A place that is written. Only locals can be: parameters are shared references or values.
    pub fn write_place(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Option<Place> {
        if matches!(e, Expr::Index(i) if self.is_element(i)) {
            self.cx.error(e, "one element of a tensor cannot be written: build the tensor from parts with `concat` or `stack`");
            return None;
        }
        let operand = match e {
            // What a block gives is a value of its own, also where it names a variable.
            Expr::Block(_) => {
                let value = self.expr(e, out);
                let value = self.named(value, out);
                let copy = self.copied(value, out);
                let place = copy.place().cloned();
                if let Some(p) = &place {
                    self.vars[p.root].mutable = true;
                }
                place
            }
            _ => {
                self.writes = true;
                let place = self.place(e, out);
                self.writes = false;
                place
            }
        };
        let root = operand.as_ref().map(|p| &self.vars[p.root]);
        if root.is_some_and(|v| v.param.is_some() && !v.maybe_active && !v.ty.is_discrete()) {
            self.cx.error(e, "an active value is stored in this `#[constant]` place, whose derivative is not followed: remove `#[constant]`, or wrap the value in `stop_gradient`");
            return None;
        }
        match operand {
            Some(p) if self.vars[p.root].hold != Hold::Ref => {
                let mut p = p;
                if p.is_var() {
                    p.ty = self.vars[p.root].ty.clone();
                }
                Some(p)
            }
            _ => {
                self.cx.error(e, "this place cannot be written in a `#[differentiable]` function: write to a local variable");
                None
            }
        }
    }
}

/// The variable of the branch whose value this is.
fn branched(out: &[Stmt], rhs: &Rhs) -> Option<VarId> {
    let Rhs::Copy(Operand::Place { place, .. }) = rhs else {
        return None;
    };
    match &out.last()?.kind {
        StmtKind::Branch { out, .. } => out.filter(|v| place.is_var() && *v == place.root),
        _ => None,
    }
}

/// Whether a type means the same in the companions: it names no reference and no `impl Trait`.
fn can_be_said(ty: &syn::Type) -> bool {
    struct V(bool);
    impl<'a> syn::visit::Visit<'a> for V {
        fn visit_type_reference(&mut self, _: &'a syn::TypeReference) {
            self.0 = false;
        }
        fn visit_type_impl_trait(&mut self, _: &'a syn::TypeImplTrait) {
            self.0 = false;
        }
    }
    let mut v = V(true);
    syn::visit::Visit::visit_type(&mut v, ty);
    v.0
}

/// Whether a method changes a text or a collection that cannot carry derivatives, as its name tells.
fn is_of_constants(m: &syn::ExprMethodCall) -> bool {
    const NAMES: &[&str] = &["push_str", "insert_str", "push_back", "push_front"];
    NAMES.iter().any(|n| m.method == n)
}

/// Whether a constant is lent to be changed.
fn lends_mutably(e: &Expr) -> bool {
    matches!(e, Expr::Reference(r) if r.mutability.is_some())
}

/// Whether a written type is that of a shared reference.
fn is_shared(ty: Option<&syn::Type>) -> bool {
    matches!(ty, Some(syn::Type::Reference(r)) if r.mutability.is_none())
}

/// Whether a pattern is one of a reference, whose names are what is behind it.
fn takes_out(pat: &Pat) -> bool {
    match pat {
        Pat::Paren(p) => takes_out(&p.pat),
        Pat::Reference(_) => true,
        _ => false,
    }
}
