//! Lowers branches.

use crate::ir::*;
use crate::lower::pattern::{split_alternatives, Binding, Parts};
use crate::lower::Lower;
use crate::syntax;
use crate::syntax::blocks::collect_idents;
use crate::syntax::blocks::is_statement_like;
use crate::syntax::references::asked_entry;
use proc_macro2::{Span, TokenStream};
use quote::{quote, ToTokens};
use std::collections::HashMap;
use syn::{Expr, Pat};

/// What a `match` looks at.
enum Scrutinee {
    Native(Native),
    /// A place that may carry a derivative; `by_ref` when its parts are bound by reference.
    Place {
        place: Place,
        by_ref: bool,
        /// The parts can be written.
        lends: bool,
    },
    Tuple(Vec<Scrutinee>),
}

impl Lower<'_> {
    /// `if` as a statement or, with `value`, as an expression.
    pub fn if_expr(&mut self, i: &syn::ExprIf, value: bool, out: &mut Vec<Stmt>) -> Option<VarId> {
        let links = chain(i);
        let mut conds = vec![self.native(&i.cond)];
        let (then, then_ty) = self.arm(value, |s, stmts| s.stmts_of(&i.then_branch, stmts));
        let (mut blocks, mut tys) = (vec![then], vec![then_ty]);
        for link in &links {
            conds.push(self.native(&link.cond));
            let (block, ty) = self.arm(value, |s, stmts| s.stmts_of(&link.then_branch, stmts));
            blocks.push(block);
            tys.push(ty);
        }
        let last = links.last().copied().unwrap_or(i);
        let (otherwise, else_ty) = match &last.else_branch {
            Some((_, e)) => self.arm(value, |s, stmts| match &**e {
                Expr::Block(b) => s.stmts_of(&b.block, stmts),
                Expr::If(j) if !value => {
                    s.if_expr(j, false, stmts);
                    None
                }
                e if is_statement_like(e) => {
                    s.stmt_expr(e, stmts);
                    None
                }
                e => Some(s.expr(e, stmts)),
            }),
            None => self.arm(false, |_, _| None),
        };
        blocks.push(otherwise);
        let arms = blocks.into_iter().map(|block| Arm {
            pattern: TokenStream::new(),
            block,
        });
        let ty = tys
            .iter()
            .rev()
            .fold(else_ty, |ty, arm| syntax::join(arm, &ty));
        let ty = value.then_some(ty);
        self.branch(Head::If(conds), arms.collect(), ty, i.if_token.span, out)
    }

    /// A branch, and the variable for its value, which has the type `ty`.
    fn branch(
        &mut self,
        head: Head,
        arms: Vec<Arm>,
        ty: Option<Ty>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<VarId> {
        let id = self.new_id();
        let whole = ty.is_some().then(|| self.type_of_arms(&arms)).flatten();
        let var = ty.map(|ty| {
            let numbers = whole.as_ref().filter(|_| ty == Ty::Unknown);
            let v = self.temp(numbers.and_then(Typed::numbers).unwrap_or(ty), span);
            self.vars[v].maybe_active = true;
            self.vars[v].whole = whole;
            for value in arms.iter().filter_map(|a| a.block.result.as_ref()) {
                self.lent_parts.stored(v, value);
            }
            v
        });
        let kind = StmtKind::Branch {
            head,
            arms,
            out: var,
            id,
        };
        self.push(out, kind, span);
        if let Some(v) = var {
            self.vars[v].defined = self.point();
        }
        var
    }

    fn arm(
        &mut self,
        value: bool,
        f: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Option<Operand>,
    ) -> (Block, Ty) {
        self.enter(false);
        let scope = self.scope.clone();
        let mut stmts = Vec::new();
        let mut result = f(self, &mut stmts);
        if let Some(o) = result.take_if(|_| value) {
            result = Some(self.taken_out(o, &mut stmts));
        }
        if value && result.is_none() {
            result = take_panic(&mut stmts);
        }
        if value && result.is_none() {
            self.cx.error_at(Span::call_site(), "this branch has no value, and others of the same `if` or `match` have one: make the jump in it a statement of its own before the branch");
        }
        if let Some(Operand::Place {
            place,
            by_ref: true,
        }) = &result
        {
            // The pullback would hold what may change or end before it.
            if value && matches!(place.ty, Ty::Seq(_)) {
                self.cx.error_at(place.span, "a slice chosen by a branch is not supported in a `#[differentiable]` function: copy it with `to_vec`, or read it inside the branches");
            }
        }
        self.leave();
        let ty = result.as_ref().map_or(Ty::Unknown, Operand::ty);
        (
            Block {
                scope,
                stmts,
                result: result.filter(|_| value),
            },
            ty,
        )
    }

    /// `match` as a statement or, with `value`, as an expression.
    pub fn match_expr(
        &mut self,
        m: &syn::ExprMatch,
        value: bool,
        out: &mut Vec<Stmt>,
    ) -> Option<VarId> {
        let arms = if self.maybe_active(&m.expr) || self.is_lent_constant(&m.expr) {
            split_alternatives(&m.arms)
        } else {
            m.arms.clone()
        };
        arms.iter().for_each(|a| self.check_constants(a));
        let pats: Vec<&Pat> = arms.iter().map(|a| &a.pat).collect();
        let mut scrutinee = self.scrutinee(&m.expr, &pats, out);
        if let Scrutinee::Place {
            place,
            by_ref: false,
            ..
        } = &mut scrutinee
        {
            // What the names stand for must not change while they are used.
            let written = |a: &syn::Arm| {
                let names = crate::syntax::writes::assigned_names(&a.body);
                names.iter().any(|n| self.lookup(n) == Some(place.root))
            };
            if arms.iter().any(written) {
                let (ty, span) = (place.ty.clone(), place.span);
                let copy = self.define(Rhs::Snapshot(place.clone()), ty, span, out);
                *place = copy.place().expect("a variable").clone();
            }
        }
        let takes_error = arms.iter().any(|a| takes_error(&a.pat));
        let (head, uses) = self.head(&scrutinee, takes_error);
        let head = Head::Match(Native {
            expr: syn::parse_quote!(#head),
            uses,
            cheap: false,
            ty: Ty::Unknown,
        });
        let (mut tys, mut lowered) = (Vec::new(), Vec::new());
        for a in &arms {
            let mut pattern = TokenStream::new();
            let (block, ty) = self.arm(value, |s, stmts| {
                pattern = s.pattern(a, &scrutinee, stmts);
                match &*a.body {
                    Expr::Block(b) if b.label.is_none() => s.stmts_of(&b.block, stmts),
                    e if value && !is_statement_like(e) => Some(s.expr(e, stmts)),
                    e => {
                        s.stmt_expr(e, stmts);
                        None
                    }
                }
            });
            tys.push(ty);
            lowered.push(Arm { pattern, block });
        }
        let ty = tys.into_iter().reduce(|a, b| syntax::join(&a, &b));
        let ty = value.then(|| ty.unwrap_or(Ty::Unknown));
        self.branch(head, lowered, ty, m.match_token.span, out)
    }

    /// A name like `Q` in a pattern may be a constant, or a variable whose derivative would be lost
    /// where the arm reads it.
    fn check_constants(&self, a: &syn::Arm) {
        use syn::visit::{self, Visit};
        struct Constants(Vec<String>);
        impl<'a> Visit<'a> for Constants {
            fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
                if syntax::is_constant(p) && p.ident != "None" {
                    self.0.push(p.ident.to_string());
                }
                visit::visit_pat_ident(self, p);
            }
        }
        struct Reads<'l, 'a>(&'l Lower<'a>, Vec<String>);
        impl<'a> Visit<'a> for Reads<'_, '_> {
            fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
                if let Some(name) = p
                    .path
                    .get_ident()
                    .filter(|i| self.1.iter().any(|n| *i == n))
                {
                    self.ambiguous(p, name);
                }
            }
            fn visit_macro(&mut self, m: &'a syn::Macro) {
                // Of macros only a list has a derivative.
                let mut names = Vec::new();
                if syntax::is_macro(m, &["vec"]) {
                    syntax::identifiers(m.tokens.clone(), &mut names);
                }
                if let Some(name) = names.iter().find(|n| self.1.contains(n)) {
                    self.ambiguous(m, name);
                }
            }
        }
        impl Reads<'_, '_> {
            fn ambiguous(&self, at: impl ToTokens, name: impl std::fmt::Display) {
                self.0.cx.error(at, format!("`{name}` may be a constant or a variable of the pattern: write the path of the constant (`self::{name}`, `Type::{name}`), or the variable in lower case"));
            }
        }
        let mut constants = Constants(Vec::new());
        constants.visit_pat(&a.pat);
        if !constants.0.is_empty() {
            let mut reads = Reads(self, constants.0);
            reads.visit_expr(&a.body);
            if let Pat::Guard(g) = &a.pat {
                reads.visit_expr(&g.guard);
            }
        }
    }

    /// Whether an expression is a `#[constant]` parameter by reference: a pullback gets it again, and
    /// does not keep its parts.
    fn is_lent_constant(&self, e: &Expr) -> bool {
        let Expr::Path(p) = e else { return false };
        let var = p.path.get_ident().and_then(|i| self.lookup(&i.to_string()));
        var.map(|v| &self.vars[v]).is_some_and(|v| {
            v.param.is_some() && !v.maybe_active && v.hold == Hold::Ref && v.ty == Ty::Unknown
        })
    }

    fn scrutinee(&mut self, e: &Expr, pats: &[&Pat], out: &mut Vec<Stmt>) -> Scrutinee {
        match e {
            Expr::Paren(p) => return self.scrutinee(&p.expr, pats, out),
            Expr::Group(g) => return self.scrutinee(&g.expr, pats, out),
            Expr::Tuple(t) if self.maybe_active(e) && by_element(pats, t.elems.len()) => {
                let elems = t.elems.iter().enumerate();
                let elems = elems.map(|(i, e)| self.scrutinee(e, &element(pats, i), out));
                return Scrutinee::Tuple(elems.collect());
            }
            _ => {}
        }
        // Text has no derivative, and behind another reference it would not match.
        let text = pats.iter().any(|p| is_text(p)) || is_of_text(pats);
        if text || !self.maybe_active(e) && !self.is_lent_constant(e) {
            return Scrutinee::Native(self.native(e));
        }
        let (place, by_ref, lends) = match e {
            Expr::Reference(r) => (self.place(&r.expr, out), true, r.mutability.is_some()),
            Expr::MethodCall(m) if is_borrow(m) => {
                let lends = m.method.to_string().ends_with("_mut") || m.method == "as_mut";
                (self.place(&m.receiver, out), true, lends)
            }
            e => {
                let lends = self.named_reference(e);
                (self.place(e, out), self.is_ref_var(e), lends)
            }
        };
        match place {
            Some(place) => Scrutinee::Place {
                place,
                by_ref,
                lends,
            },
            None => Scrutinee::Native(self.native(e)),
        }
    }

    /// The expression after `match`, and what it reads.
    fn head(&self, s: &Scrutinee, takes_error: bool) -> (TokenStream, Vec<VarId>) {
        match s {
            Scrutinee::Native(n) => (n.expr.to_token_stream(), n.uses.clone()),
            Scrutinee::Place { place, by_ref, .. } => {
                // An error is moved out, as it has no place in the derivative.
                let by_value = takes_error && !by_ref;
                let (root, var) = (&self.vars[place.root].name, &self.vars[place.root]);
                let uses = std::iter::once(place.root)
                    .chain(place.index_uses())
                    .collect();
                if place.is_var() && var.hold == Hold::Ref {
                    let number = place.ty.is_float().then(|| quote!(*));
                    return (quote!(#number #root), uses);
                }
                // A constant is a pattern of the number and not of a reference.
                let by_value = by_value || place.ty.is_float();
                let place = crate::code::project(crate::code::Side::Value, quote!(#root), place);
                match by_value {
                    true => (place, uses),
                    false => (quote!(&#place), uses),
                }
            }
            Scrutinee::Tuple(parts) => {
                let (exprs, uses): (Vec<_>, Vec<_>) =
                    parts.iter().map(|s| self.head(s, takes_error)).unzip();
                (quote!((#(#exprs,)*)), uses.concat())
            }
        }
    }

    /// The pattern and guard of an arm; its names become variables of the arm.
    fn pattern(&mut self, a: &syn::Arm, s: &Scrutinee, out: &mut Vec<Stmt>) -> TokenStream {
        let (pat, guard) = match &a.pat {
            Pat::Guard(g) => (&*g.pat, Some(&*g.guard)),
            pat => (pat, None),
        };
        let mut bound = Vec::new();
        let pat = self.pattern_for(pat, s, &mut bound);
        let lends = matches!(s, Scrutinee::Place { lends: true, .. });
        bound
            .iter_mut()
            .filter(|b| b.by_ref)
            .for_each(|b| b.mutable = lends);
        // In the guard every name stands for the part itself.
        bound.iter().for_each(|b| self.bind_alias(b));
        let guard = guard.map(|g| {
            let g = self.native(g).expr.into_token_stream();
            quote!(if #g)
        });
        for b in bound {
            if !b.by_ref {
                self.bind_copy(b, out);
            }
        }
        quote!(#pat #guard)
    }

    fn pattern_for(&mut self, pat: &Pat, s: &Scrutinee, bound: &mut Vec<Binding>) -> TokenStream {
        match (s, pat) {
            (Scrutinee::Place { place, by_ref, .. }, pat) => {
                self.pattern_parts(pat, place, *by_ref, Parts::Variants, bound)
            }
            (Scrutinee::Tuple(parts), Pat::Tuple(t)) => {
                let elems: Vec<_> = parts
                    .iter()
                    .zip(&t.elems)
                    .map(|(s, p)| self.pattern_for(p, s, bound))
                    .collect();
                quote!((#(#elems,)*))
            }
            (Scrutinee::Tuple(_), Pat::Or(o)) => {
                let cases: Vec<_> = o
                    .cases
                    .iter()
                    .map(|p| self.pattern_for(p, s, bound))
                    .collect();
                quote!(#(#cases)|*)
            }
            (Scrutinee::Native(n), Pat::TupleStruct(t))
                if self.lends_entry(asked_entry(&n.expr)) =>
            {
                let tokens = self.native_pattern(pat);
                for name in t.elems.iter().filter_map(plain_name) {
                    if let Some(var) = self.lookup(&name) {
                        self.vars[var].hold = Hold::Ref;
                    }
                }
                tokens
            }
            (_, pat) => self.native_pattern(pat),
        }
    }

    /// A pattern of an inactive value: its names are bound natively.
    pub fn native_pattern(&mut self, pat: &Pat) -> TokenStream {
        let mut pat = pat.clone();
        let mut bound: HashMap<String, VarId> = HashMap::new();
        collect_idents(&mut pat, &mut |p| {
            let source = p.ident.to_string();
            // The alternatives of `A(x) | B(x)` bind one variable.
            let var = *bound.entry(source).or_insert_with(|| {
                let mutable = p.mutability.is_some();
                let var = self.fresh_named(&p.ident, Ty::Unknown, Hold::Value, mutable);
                self.vars[var].natively_bound = !mutable;
                self.vars[var].defined = self.point();
                self.bind(&p.ident, var);
                var
            });
            let mut name = self.vars[var].name.clone();
            name.set_span(p.ident.span());
            p.ident = name;
        });
        quote!(#pat)
    }
}

/// The name that a pattern is, `x`, and nothing else.
fn plain_name(p: &Pat) -> Option<String> {
    match p {
        Pat::Ident(p) if !syntax::is_constant(p) && p.by_ref.is_none() => Some(p.ident.to_string()),
        _ => None,
    }
}

/// The `else if`s of a long chain. Nested in each other they would nest what is kept, and rustc has a limit of depth; a
/// short chain stays nested.
fn chain(first: &syn::ExprIf) -> Vec<&syn::ExprIf> {
    let links: Vec<_> = std::iter::successors(else_if(first), |i| else_if(i)).collect();
    match links.len() {
        0..=2 => Vec::new(),
        _ => links,
    }
}

/// What follows the `else`, where that is one `if`, or a block of one.
fn else_if(i: &syn::ExprIf) -> Option<&syn::ExprIf> {
    match &*i.else_branch.as_ref()?.1 {
        Expr::If(next) => Some(next),
        Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => match &b.block.stmts[..] {
            [syn::Stmt::Expr(Expr::If(next), None)] => Some(next),
            _ => None,
        },
        _ => None,
    }
}

/// Whether every arm takes a tuple of `n` apart, so that its parts are matched one by one.
fn by_element(pats: &[&Pat], n: usize) -> bool {
    fn fits(p: &Pat, n: usize) -> bool {
        match p {
            Pat::Wild(_) => true,
            Pat::Guard(g) => fits(&g.pat, n),
            Pat::Paren(p) => fits(&p.pat, n),
            Pat::Or(o) => o.cases.iter().all(|p| fits(p, n)),
            Pat::Tuple(t) => {
                t.elems.len() == n && !t.elems.iter().any(|p| matches!(p, Pat::Rest(_)))
            }
            _ => false,
        }
    }
    !pats.is_empty() && pats.iter().all(|p| fits(p, n))
}

/// The patterns of one part of a tuple that is taken apart.
fn element<'p>(pats: &[&'p Pat], i: usize) -> Vec<&'p Pat> {
    fn add<'p>(p: &'p Pat, i: usize, found: &mut Vec<&'p Pat>) {
        match p {
            Pat::Guard(g) => add(&g.pat, i, found),
            Pat::Paren(p) => add(&p.pat, i, found),
            Pat::Or(o) => o.cases.iter().for_each(|p| add(p, i, found)),
            Pat::Tuple(t) => found.extend(t.elems.get(i)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    pats.iter().for_each(|p| add(p, i, &mut found));
    found
}

/// Whether a pattern is a piece of text, or one of some.
fn is_text(p: &Pat) -> bool {
    match p {
        Pat::Lit(l) => matches!(l.lit, syn::Lit::Str(_) | syn::Lit::ByteStr(_)),
        Pat::Guard(g) => is_text(&g.pat),
        Pat::Paren(p) => is_text(&p.pat),
        Pat::Or(o) => o.cases.iter().any(is_text),
        Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, p)| is_text(p)),
        _ => false,
    }
}

/// Whether text is all that patterns look for: `Some("a")`, and none that binds a name.
fn is_of_text(pats: &[&Pat]) -> bool {
    struct Texts(bool);
    impl<'a> syn::visit::Visit<'a> for Texts {
        fn visit_lit(&mut self, l: &'a syn::Lit) {
            self.0 |= matches!(l, syn::Lit::Str(_) | syn::Lit::ByteStr(_));
        }
        // Not what stands in the guard.
        fn visit_pat_guard(&mut self, g: &'a syn::PatGuard) {
            self.visit_pat(&g.pat);
        }
    }
    let mut texts = Texts(false);
    pats.iter()
        .for_each(|p| syn::visit::Visit::visit_pat(&mut texts, p));
    texts.0 && !pats.iter().any(|p| crate::lower::pattern::binds(p))
}

/// Whether a pattern binds what is in an `Err`.
fn takes_error(p: &Pat) -> bool {
    struct V(bool);
    impl<'a> syn::visit::Visit<'a> for V {
        fn visit_pat_tuple_struct(&mut self, t: &'a syn::PatTupleStruct) {
            self.0 |= is_error(&t.path) && t.elems.iter().any(crate::lower::pattern::binds);
            syn::visit::visit_pat_tuple_struct(self, t);
        }
    }
    let mut v = V(false);
    syn::visit::Visit::visit_pat(&mut v, p);
    v.0
}

/// Whether a path is the variant `Err`.
pub fn is_error(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| s.ident == "Err")
}

/// A panic at the end of an arm stands for its value.
fn take_panic(stmts: &mut Vec<Stmt>) -> Option<Operand> {
    let Some(StmtKind::Native(tokens)) = stmts.last().map(|s| &s.kind) else {
        return None;
    };
    let stmt: syn::Stmt = syn::parse2(tokens.clone()).ok()?;
    let mac = match stmt {
        syn::Stmt::Macro(m) => m.mac,
        syn::Stmt::Expr(Expr::Macro(m), _) => m.mac,
        _ => return None,
    };
    let native = Native {
        expr: Expr::Macro(syn::ExprMacro {
            attrs: Vec::new(),
            mac,
        }),
        uses: Vec::new(),
        cheap: false,
        ty: Ty::Unknown,
    };
    let operand = Operand::Native(native);
    if !operand.diverges() {
        return None;
    }
    stmts.pop();
    Some(operand)
}

/// Methods that only borrow.
fn is_borrow(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    m.args.is_empty()
        && matches!(
            name.as_str(),
            "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "as_slice" | "as_mut_slice"
        )
}
