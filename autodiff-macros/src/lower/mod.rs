//! From Rust syntax to the intermediate representation.
//!
//! Names are made unique, operations are put into A-normal form, and whatever cannot carry a
//! derivative is kept as written. A construct that is not supported is an error here.

mod assign;
mod branch;
mod call;
mod captures;
mod changes;
pub mod check;
mod closure;
mod detached;
mod expr;
mod index;
mod lend;
mod lent_params;
pub mod loops;
mod mapped;
mod operators;
mod order;
mod passed;
mod pattern;
mod pullbacks;
mod remainders;
pub mod rename;
mod scope;
pub mod stmt;
mod swaps;
mod tuples;
mod wholes;

pub use crate::input::grids::Grids;
use crate::rewrite::siblings::Siblings;
use crate::rewrite::{self, Rewritten, Source};

use crate::code::{project, Side};
use crate::input::ctxt::Ctxt;
use crate::input::functions::FnSig;
use crate::input::signature::ParamDecl;
use crate::ir::*;
use crate::lower::check::{check_native, cut_names};
use crate::lower::rename::{Found, Renamer};
use crate::syntax;
use crate::syntax::writes::assigned_names;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::{Expr, Pat};

/// What each source name means, scope by scope.
pub type Env = Vec<HashMap<String, VarId>>;

/// A local closure, and what the names in it mean.
#[derive(Clone)]
pub struct Closure {
    pub code: syn::ExprClosure,
    pub env: Env,
    /// Code that is kept as written uses it too.
    pub kept: bool,
}

/// Lowers a function, of whose body as it was `written` there is the rewritten one.
pub fn function(
    params: &[ParamDecl],
    written: &syn::Block,
    rewritten: Rewritten,
    siblings: Option<&Siblings>,
    cx: &Ctxt,
) -> Func {
    let mut lower = Lower::new(cx, siblings);
    lower.grids = rewritten.grids.clone();
    lower.operators = operators::Operators::of(params, written);
    let declared = lower.declare(params);
    lower.body(params, declared, rewritten)
}

/// The parameters of a function, and what is known of the names that its body starts with.
struct Declared {
    params: Vec<Param>,
    /// Source names that may carry a derivative.
    active: HashSet<String>,
    /// Source names that hold references.
    references: HashSet<String>,
}

pub struct Lower<'a> {
    pub cx: &'a Ctxt,
    pub vars: Vec<Var>,
    pub env: Env,
    names: HashSet<String>,
    temps: usize,
    pos: usize,
    pub scope: Scope,
    next_id: usize,
    /// Source names that may carry a derivative.
    pub active: HashSet<String>,
    /// The type of the result.
    output: Option<syn::Type>,
    /// Source names of integers cut from active floats.
    pub cut: HashSet<String>,
    /// Variables that the next statement may change through a reference.
    pub lent: Vec<VarId>,
    /// The functions of the same `impl` block.
    pub siblings: Option<&'a Siblings>,
    /// Closures that are written out where they are called.
    pub closures: HashMap<VarId, Closure>,
    /// Closures, and cells, that may change when they are used through a shared reference.
    shared: HashSet<VarId>,
    /// Parameters that are functions.
    pub functions: HashMap<VarId, FnSig>,
    /// The parameter of the closures in this call that is the state of a solver.
    state: Option<usize>,
    /// The names that are called, and with how many arguments.
    called: HashMap<String, usize>,
    /// Inactive variables that hold an array: positions in a tensor, where they are an index.
    pub positions: HashSet<VarId>,
    /// Collections whose entries are places under an index that is an array.
    pub grids: Grids,
    /// What may have index operators of the user's.
    operators: operators::Operators,
    /// The variables of constants that others lead to: `let s = &mut stats.a;`
    leads_to: HashMap<VarId, VarId>,
    /// What is lowered is a place that is written.
    writes: bool,
    /// Parts of tuples that the user wrote as references.
    lent_parts: tuples::LentParts,
    /// In the code of a `no_grad!`, which may change what has a derivative.
    detaching: bool,
}

impl<'a> Lower<'a> {
    pub fn new(cx: &'a Ctxt, siblings: Option<&'a Siblings>) -> Self {
        Lower {
            cx,
            vars: Vec::new(),
            env: vec![HashMap::new()],
            names: HashSet::new(),
            temps: 0,
            pos: 0,
            scope: Vec::new(),
            next_id: 0,
            active: HashSet::new(),
            cut: HashSet::new(),
            output: None,
            lent: Vec::new(),
            siblings,
            closures: HashMap::new(),
            shared: HashSet::new(),
            functions: HashMap::new(),
            state: None,
            called: HashMap::new(),
            positions: HashSet::new(),
            grids: Grids::default(),
            operators: operators::Operators::default(),
            leads_to: HashMap::new(),
            writes: false,
            lent_parts: tuples::LentParts::default(),
            detaching: false,
        }
    }

    /// Declares the parameters.
    fn declare(&mut self, decls: &[ParamDecl]) -> Declared {
        let mut active: HashSet<String> = HashSet::new();
        let mut params = Vec::new();
        for (index, d) in decls.iter().enumerate() {
            let source = d.name();
            if !d.constant {
                active.insert(source.clone());
            }
            let hold = match (d.by_ref, d.by_mut) {
                (_, true) => Hold::Mut,
                (true, false) => Hold::Ref,
                (false, false) => Hold::Value,
            };
            let ident = match &d.ident {
                Some(i) => i.clone(),
                None => Ident::new("this", Span::mixed_site()),
            };
            let var = self.var(ident, d.kind.clone(), hold, d.by_mut);
            self.vars[var].param = Some(index);
            self.vars[var].whole = match &d.ty {
                Some(ty) => Some(self.cx.definitions.typed(ty)),
                None if d.is_self() => self.itself(),
                // Of a closure.
                None => None,
            };
            if d.kind == Ty::Unknown && !d.constant {
                self.vars[var].ty = self.vars[var].part_ty(&[]);
            }
            if d.discrete && d.ty.as_ref().is_some_and(syntax::is_array) {
                self.positions.insert(var);
            }
            if d.constant && d.ty.as_ref().is_some_and(changes::is_cell) {
                self.shared.insert(var);
            }
            self.vars[var].maybe_active = !d.constant;
            self.env[0].insert(source, var);
            if let Some(function) = &d.function {
                self.functions.insert(var, function.clone());
            }
            params.push(Param {
                var,
                by_ref: d.by_ref,
                by_mut: d.by_mut,
                slice_of: d.slice_of.clone(),
                constant: d.constant,
                is_self: d.is_self(),
                lent: false,
                copied: false,
            });
        }
        let references = decls
            .iter()
            .filter(|d| d.by_ref)
            .map(|d| d.name())
            .collect();
        Declared {
            params,
            active,
            references,
        }
    }

    /// What is known of a closure that is passed on, and begins with what is `declared`.
    fn source<'s>(
        &'s self,
        params: &'s [ParamDecl],
        declared: &Declared,
        output: &syn::ReturnType,
    ) -> Source<'s> {
        Source {
            cx: self.cx,
            params,
            siblings: self.siblings,
            active: declared.active.clone(),
            references: declared.references.clone(),
            grids: self.grids.clone(),
            output: rewrite::value_of(output),
        }
    }

    fn body(mut self, decls: &[ParamDecl], declared: Declared, rewritten: Rewritten) -> Func {
        let params = declared.params;
        self.output = rewritten.output;
        self.active = rewritten.active;
        let body = &rewritten.body;
        self.cut = cut_names(body, &self.active);
        self.called = pullbacks::called_names(body);
        let mut stmts = Vec::new();
        // A `mut` parameter is a mutable local that starts as the parameter.
        for (d, p) in decls.iter().zip(&params) {
            if d.mutable {
                let ident = d
                    .ident
                    .clone()
                    .unwrap_or_else(|| Ident::new("this", Span::mixed_site()));
                let source = d.name();
                let place = self.var_place(p.var, d.span);
                let (ty, whole) = (self.vars[p.var].ty.clone(), self.vars[p.var].whole.clone());
                let local = self.fresh_named(&ident, ty, Hold::Value, true);
                self.vars[local].whole = whole;
                self.env[0].insert(source, local);
                let rhs = if d.constant {
                    Rhs::Native(self.native_var(p.var))
                } else {
                    self.vars[local].maybe_active = true;
                    Rhs::Copy(Operand::Place {
                        place,
                        by_ref: false,
                    })
                };
                self.push(&mut stmts, StmtKind::Def(local, rhs), d.span);
            }
        }
        let mut result = self.stmts_of(body, &mut stmts);
        if let Some(o) = result {
            result = Some(self.taken_out(o, &mut stmts));
        }
        let mut body = Block {
            scope: Vec::new(),
            stmts,
            result,
        };
        self.drop_closures(&mut body);
        Func {
            params,
            vars: self.vars,
            body,
            regions: Vec::new(),
            apart: Vec::new(),
            interior: Vec::new(),
            lent: Vec::new(),
        }
    }

    /// `__late(name)`: a variable that gets its value later.
    pub fn late(&mut self, name: &Ident, out: &mut Vec<Stmt>) {
        let of_function = *name == "__ret";
        let ty = self.output.clone().filter(|_| of_function);
        let kind = ty.as_ref().map_or(Ty::Unknown, syntax::ty_of);
        let var = self.fresh_named(name, kind, Hold::Value, true);
        self.vars[var].late = true;
        self.vars[var].maybe_active = self.active.contains(&name.to_string());
        self.bind(name, var);
        let ty = ty.filter(|t| !syntax::has_impl(t)).map(Box::new);
        self.push(out, StmtKind::Late(var, ty), name.span());
        self.vars[var].defined = self.point();
    }

    /// `__late_set(name, value)`
    pub fn late_set(&mut self, name: &Expr, value: &Expr, out: &mut Vec<Stmt>) {
        let Some(var) = syntax::root_name(name).and_then(|n| self.lookup(&n)) else {
            return;
        };
        let mut operand = self.expr(value, out);
        // Its witness is read in reverse, where the value it is a part of may have changed.
        let part = |p: &Place| !p.is_var() && p.ty == Ty::Unknown;
        if matches!(&operand, Operand::Place { place, by_ref: false } if part(place)) {
            operand = self.copied(operand, out);
        }
        let (ty, first) = (operand.ty(), self.vars[var].writes.is_empty());
        self.vars[var].ty = match (&self.vars[var].ty, first) {
            (Ty::Unknown, true) => ty,
            (known @ (Ty::Float(_) | Ty::Discrete | Ty::Indices), _) => known.clone(),
            (before, _) => syntax::join(before, &ty),
        };
        self.lent_parts.stored(var, &operand);
        self.push(out, StmtKind::SetLate(var, operand), value.span());
        let point = self.point();
        self.vars[var].writes.push(point);
    }

    // ---- inactive code ---------------------------------------------------------------------

    pub fn maybe_active(&self, e: &Expr) -> bool {
        if !syntax::maybe_active(e, &self.active) || self.only_inactive_vars(e) {
            return false;
        }
        // A name that is bound natively here may be that of an active variable elsewhere.
        if !self.vars.iter().any(|v| v.natively_bound) {
            return true;
        }
        let native = |n: &&String| self.lookup(n).is_some_and(|v| self.vars[v].natively_bound);
        let active = self.active.iter().filter(|n| !native(n)).cloned().collect();
        syntax::maybe_active(e, &active)
    }

    /// Refines the name-level analysis: all variables of this name in scope are inactive.
    fn only_inactive_vars(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(p) => p
                .path
                .get_ident()
                .and_then(|i| self.lookup(&i.to_string()))
                .is_some_and(|v| {
                    let v = &self.vars[v];
                    let constant = v.param.is_some() || v.hold == Hold::Mut;
                    v.ty.is_discrete() || v.natively_bound || (constant && !v.maybe_active)
                }),
            Expr::Field(f) => self.only_inactive_vars(&f.base),
            Expr::Index(i) => self.only_inactive_vars(&i.expr),
            Expr::Paren(p) => self.only_inactive_vars(&p.expr),
            Expr::Reference(r) => self.only_inactive_vars(&r.expr),
            _ => false,
        }
    }

    pub fn native(&mut self, e: &Expr) -> Native {
        let with_references = self.with_references(e);
        let e = with_references.as_ref().unwrap_or(e);
        check_native(e, self.cx);
        if !self.detaching {
            self.check_mutation(e);
        }
        let (expr, uses) = {
            let lookup = |n: &str| self.lookup(n).map(|var| self.found(var));
            let mut r = Renamer::new(self.cx, &lookup);
            let e = match self.detaching {
                true => e.clone(),
                false => self.read_only(e),
            };
            let e = self.with_remainders(&self.taken_as_copies(&e));
            let expr = r.expr(&self.checked_queries(&e));
            (self.grids.owned(expr), r.uses)
        };
        self.note_closures(e, &uses);
        // What a block in it assigns is written here, and what a method of it may change.
        let assigned = assigned_names(e).into_iter().map(|n| (n, true));
        let changed = self.written_names(e).into_iter().map(|n| (n, false));
        for (name, certain) in assigned.chain(changed) {
            let var = self.lookup(&name);
            if let Some(v) = var.filter(|v| certain || self.vars[*v].mutable) {
                self.pos += 1;
                let point = self.point();
                self.note_write(v, &point);
            }
        }
        Native {
            cheap: syntax::is_cheap(e),
            expr,
            uses,
            ty: self.ty_of(e),
        }
    }

    /// What a variable is in emitted code.
    fn found(&self, var: VarId) -> Found {
        let v = &self.vars[var];
        let function = self.functions.get(&var);
        let (place, uses) = match (&v.alias, v.by_name) {
            (None, _) if function.is_some() => {
                let name = &v.name;
                (function.map(|f| f.native(&quote::quote!(#name))), vec![var])
            }
            (Some(p), true) if function.is_some() => {
                let root = &self.vars[p.root].name;
                let place = project(Side::Value, quote::quote!(#root), p);
                (function.map(|f| f.native(&place)), vec![p.root])
            }
            (Some(p), true) => {
                let root = &self.vars[p.root].name;
                let place = project(Side::Value, quote::quote!(#root), p);
                let uses = std::iter::once(p.root).chain(p.index_uses());
                let lent = p.is_var() && self.vars[p.root].hold == Hold::Ref;
                let place = match v.hold {
                    Hold::Value if lent => quote::quote!((*#place)),
                    Hold::Value => place,
                    Hold::Ref | Hold::Mut => quote::quote!((&#place)),
                };
                (Some(place), uses.collect())
            }
            _ => (None, vec![var]),
        };
        Found {
            name: v.name.clone(),
            place,
            uses,
        }
    }

    pub fn native_var(&self, var: VarId) -> Native {
        let name = &self.vars[var].name;
        Native {
            expr: syn::parse_quote!(#name),
            uses: vec![var],
            cheap: true,
            ty: self.vars[var].ty.clone(),
        }
    }

    /// An inactive statement, kept as written.
    pub fn native_stmt(&mut self, e: &Expr, out: &mut Vec<Stmt>) {
        let n = self.native(e);
        let targets = self.written_names(e);
        let tokens = n.expr.to_token_stream();
        // A value that is not used needs its semicolon.
        let block = match e {
            Expr::ForLoop(_) | Expr::While(_) => true,
            Expr::If(_) | Expr::Block(_) => crate::syntax::blocks::is_statement_like(e),
            _ => false,
        };
        let tokens = if block {
            tokens
        } else {
            quote::quote!(#tokens;)
        };
        self.push(out, StmtKind::Native(tokens), e.span());
        let point = self.point();
        for name in targets {
            if let Some(v) = self.lookup(&name) {
                self.note_write(v, &point);
            }
        }
    }

    // ---- helpers ---------------------------------------------------------------------------

    pub fn var_place(&self, var: VarId, span: Span) -> Place {
        Place::whole(var, self.vars[var].ty.clone(), span)
    }

    pub fn var_operand(&self, var: VarId, span: Span) -> Operand {
        Operand::Place {
            place: self.var_place(var, span),
            by_ref: false,
        }
    }

    /// `let v = rhs;` and `v` as an operand.
    pub fn define(&mut self, rhs: Rhs, ty: Ty, span: Span, out: &mut Vec<Stmt>) -> Operand {
        let v = self.temp(ty, span);
        self.vars[v].maybe_active = true;
        self.vars[v].whole = self.whole_of(&rhs, None);
        self.vars[v].small = self.is_small(&rhs);
        self.vars[v].own_operator = self.is_own_operator(&rhs);
        self.lent_parts.defined(v, &rhs);
        self.push(out, StmtKind::Def(v, rhs), span);
        self.vars[v].defined = self.point();
        self.var_operand(v, span)
    }
}

/// Names a pattern binds, if the pattern is a name with or without its type.
pub fn simple_pattern(p: &Pat) -> Option<(&syn::PatIdent, Option<&syn::Type>)> {
    match p {
        Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => Some((i, None)),
        Pat::Type(t) => match &*t.pat {
            Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => Some((i, Some(&t.ty))),
            _ => None,
        },
        Pat::Paren(p) => simple_pattern(&p.pat),
        _ => None,
    }
}
