//! Reverse mode: emits the body of `__vjp`.
//!
//! For `fn f(x: f64, y: f64) -> f64 { (x * y).sin() }` it emits
//!
//! ```text
//! let v0 = x * y;
//! let v1 = v0.sin();
//! (v1, move |ct, d_x, d_y| {
//!     let mut d_v1 = ad::Wit::<f64>(()).zero();
//!     ad::acc(&ad::Wit::<f64>(()), ct, &mut d_v1);
//!     let mut d_v0 = ad::Wit::<f64>(()).zero();
//!     ad::sin::pull(&v0, &d_v1, &mut d_v0);
//!     ad::mul::pull_l(&ad::Wit::<f64>(()), &y, &d_v0, &mut *d_x);
//!     ad::mul::pull_r(&x, &ad::Wit::<f64>(()), &d_v0, &mut *d_y);
//! })
//! ```
//!
//! The closure owns what it reads of the forward pass: the tape is the stack frame. A loop keeps
//! one tuple for each trip in a tape, an `if` one tuple for the branch taken.

use crate::activity::is_active;
use crate::code::{derived, ident, project, reference_to, Code};
use crate::ir::*;
use crate::needs::{is_reference, Needs};
use crate::prims::Op;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

pub struct Vjp<'a> {
    pub f: &'a Func,
    pub needs: &'a Needs,
    /// Notes a called method, so that its fallback is in scope.
    pub method: &'a dyn Fn(&Ident, usize),
    /// Companion of each called path, by its written tokens.
    pub callee: &'a dyn Fn(&syn::Path) -> Callee,
}

/// How the companion of a called function is named.
pub struct Callee {
    /// Everything up to and including the companion function, without `::__vjp` generics.
    pub vjp: TokenStream,
    pub jvp: TokenStream,
    /// Generic arguments written by the user.
    pub generics: Option<TokenStream>,
}

pub struct Emitted {
    pub forward: TokenStream,
    pub value: TokenStream,
    pub reverse: TokenStream,
}

/// A lens that another argument already borrows goes through a temporary.
struct Lenses {
    direct: Vec<bool>,
}

impl<'a> Vjp<'a> {
    pub fn emit(&self) -> Emitted {
        let f = self.f;
        let mut forward = TokenStream::new();
        let mut loops = Vec::new();
        self.tapes(&f.body, &mut loops);
        forward.extend(loops);
        for p in &f.params {
            if !p.by_ref
                && !p.is_self
                && self.needs.witnesses.contains(&p.var)
                && !f.vars[p.var].ty.is_float()
            {
                forward.extend(self.define_witness(p.var));
            }
        }
        forward.extend(self.fwd_block(&f.body));
        let value = match &f.body.result {
            Some(o) => self.result_value(o),
            None => quote!(()),
        };
        let mut reverse = TokenStream::new();
        reverse.extend(self.prologue(&f.body));
        match &f.body.result {
            Some(o @ Operand::Place { place, .. }) if f.vars[place.root].active => {
                let (w, lens) = (self.wit(o), self.lens(place));
                reverse.extend(quote!(ad::acc(&#w, __ct, #lens);));
            }
            _ => reverse.extend(quote!(let _ = __ct;)),
        }
        reverse.extend(self.rev_stmts(&f.body));
        Emitted {
            forward,
            value,
            reverse,
        }
    }

    fn keep(&self) -> impl Fn(VarId) -> bool + '_ {
        |v| {
            self.needs.values.contains(&v)
                || self.f.vars[v]
                    .param
                    .is_some_and(|i| self.f.params[i].is_self)
        }
    }

    fn with_code<R>(&self, g: impl FnOnce(&Code<'_>) -> R) -> R {
        let keep = self.keep();
        g(&Code {
            f: self.f,
            keep: &keep,
        })
    }

    fn result_value(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Place {
                place,
                by_ref: false,
            } => {
                let t = self.with_code(|c| c.operand(o));
                // A by-value part of a kept variable.
                let _ = place;
                t
            }
            o => self.with_code(|c| c.operand(o)),
        }
    }

    // ---- names -----------------------------------------------------------------------------

    fn name(&self, v: VarId) -> &Ident {
        &self.f.vars[v].name
    }
    fn adj(&self, v: VarId) -> Ident {
        derived("d_", self.name(v))
    }
    fn witness_name(&self, v: VarId) -> Ident {
        derived("w_", self.name(v))
    }
    fn pullback(&self, v: VarId) -> Ident {
        derived("p_", self.name(v))
    }
    fn selection(&self, v: VarId) -> Ident {
        derived("sel_", self.name(v))
    }
    fn inactive_adj(&self, v: VarId, arg: usize) -> Ident {
        derived(&format!("z{arg}_"), self.name(v))
    }
    fn branch(&self, id: usize) -> Ident {
        ident(format!("branch{id}"))
    }
    fn tape(&self, id: usize) -> Ident {
        ident(format!("tape{id}"))
    }

    // ---- witnesses and lenses --------------------------------------------------------------

    /// The witness of an operand.
    fn wit(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Native(n) => {
                let e = &n.expr;
                match n.ty {
                    Ty::Unknown => quote!((#e).__wit()),
                    _ => {
                        let e = reference_to(e);
                        quote!(ad::wit(#e))
                    }
                }
            }
            Operand::Place { place, .. } => match &place.ty {
                Ty::Float(f) => float_witness(f),
                _ if place.is_var() => self.var_witness(place.root),
                Ty::OpenFloat => {
                    let r = self.with_code(|c| c.reference(place));
                    quote!(ad::wit(#r))
                }
                _ => {
                    let p = self.with_code(|c| c.place(place));
                    quote!(#p.__wit())
                }
            },
        }
    }

    fn var_witness(&self, v: VarId) -> TokenStream {
        let var = &self.f.vars[v];
        if let Ty::Float(f) = var.ty {
            return float_witness(f);
        }
        if var
            .param
            .is_some_and(|i| self.f.params[i].by_ref || self.f.params[i].is_self)
        {
            let n = &var.name;
            return quote!(#n.__wit());
        }
        let w = self.witness_name(v);
        quote!(#w)
    }

    fn define_witness(&self, v: VarId) -> TokenStream {
        let (w, n) = (self.witness_name(v), self.name(v));
        match self.f.vars[v].ty {
            Ty::Float(_) => TokenStream::new(),
            Ty::OpenFloat => quote!(let #w = ad::wit(&#n);),
            _ => quote!(let #w = #n.__wit();),
        }
    }

    /// `&mut` to the accumulator of a place.
    fn lens(&self, p: &Place) -> TokenStream {
        let d = self.adj(p.root);
        let place = project(quote!(#d), p);
        if p.is_var() && self.f.vars[p.root].param.is_some() {
            quote!(&mut *#place)
        } else {
            quote!(&mut #place)
        }
    }

    fn place_active(&self, p: &Place) -> bool {
        self.f.vars[p.root].active
    }

    fn active_lens(&self, o: &Operand) -> Option<TokenStream> {
        let p = o.place()?;
        self.place_active(p).then(|| self.lens(p))
    }

    fn is_slice(&self, p: &Place) -> bool {
        match p.projections.last() {
            Some(Projection::Range(_)) => true,
            Some(_) => false,
            None => self.f.vars[p.root]
                .param
                .is_some_and(|i| self.f.params[i].slice_of.is_some()),
        }
    }

    // ---- records ---------------------------------------------------------------------------

    /// Declares the tape of every loop that keeps something.
    fn tapes(&self, b: &Block, out: &mut Vec<TokenStream>) {
        for s in &b.stmts {
            match &s.kind {
                StmtKind::For { body, id, .. } => {
                    if is_active(s, &self.f.vars) && !self.record(body).is_empty() {
                        let t = self.tape(*id);
                        out.push(quote!(let mut #t = ad::Tape::new();));
                    }
                    self.tapes(body, out);
                }
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    self.tapes(then, out);
                    self.tapes(otherwise, out);
                }
                _ => {}
            }
        }
    }

    /// The names that the reverse of a block takes from its forward run.
    fn record(&self, b: &Block) -> Vec<Ident> {
        let mut out = Vec::new();
        for s in &b.stmts {
            let active = is_active(s, &self.f.vars);
            match &s.kind {
                StmtKind::Def(v, rhs) => {
                    self.record_var(*v, &mut out);
                    if active {
                        self.record_rhs(*v, rhs, &mut out);
                    }
                }
                StmtKind::If { id, out: v, .. } => {
                    if let Some(v) = v {
                        self.record_var(*v, &mut out);
                    }
                    if active {
                        out.push(self.branch(*id));
                    }
                }
                _ => {}
            }
        }
        // Variables that a kept `let` pattern binds.
        for (i, v) in self.f.vars.iter().enumerate() {
            let here = v.defined.scope == b.scope && !b.scope.is_empty();
            if here && self.bound_natively(i) && !out.contains(self.name(i)) {
                self.record_var(i, &mut out);
            }
        }
        out
    }

    fn bound_natively(&self, v: VarId) -> bool {
        fn defines(b: &Block, v: VarId) -> bool {
            b.stmts.iter().any(|s| match &s.kind {
                StmtKind::Def(w, _) => *w == v,
                StmtKind::If {
                    then,
                    otherwise,
                    out,
                    ..
                } => *out == Some(v) || defines(then, v) || defines(otherwise, v),
                StmtKind::For { var, body, .. } => *var == v || defines(body, v),
                _ => false,
            })
        }
        self.f.vars[v].param.is_none() && !defines(&self.f.body, v)
    }

    fn record_var(&self, v: VarId, out: &mut Vec<Ident>) {
        let kept = self.needs.values.contains(&v) && !self.needs.again.contains(&v);
        if kept {
            out.push(self.name(v).clone());
        }
        let witness =
            self.needs.witnesses.contains(&v) && !matches!(self.f.vars[v].ty, Ty::Float(_));
        if witness && !self.needs.values.contains(&v) {
            out.push(self.witness_name(v));
        }
    }

    fn record_rhs(&self, v: VarId, rhs: &Rhs, out: &mut Vec<Ident>) {
        match rhs {
            Rhs::Op(Op::Select(_) | Op::Clamp, _) => out.push(self.selection(v)),
            Rhs::Call { args, .. } => {
                out.push(self.pullback(v));
                self.record_args(v, args, out);
            }
            Rhs::Method { args, .. } => {
                out.push(self.pullback(v));
                self.record_args(v, args, out);
            }
            _ => {}
        }
    }

    fn record_args(&self, v: VarId, args: &[Arg], out: &mut Vec<Ident>) {
        for (i, a) in args.iter().enumerate() {
            if self.arg_inactive_value(a) {
                out.push(self.inactive_adj(v, i));
            }
        }
    }

    // ---- forward ---------------------------------------------------------------------------

    fn fwd_block(&self, b: &Block) -> TokenStream {
        b.stmts.iter().map(|s| self.fwd(s)).collect()
    }

    fn fwd(&self, s: &Stmt) -> TokenStream {
        let active = is_active(s, &self.f.vars);
        match &s.kind {
            StmtKind::Def(v, rhs) => self.fwd_def(*v, rhs, active, s.span),
            StmtKind::Assign(p, o) => {
                let (p, o) = self.with_code(|c| (c.place(p), c.operand(o)));
                quote_spanned!(s.span=> #p = #o;)
            }
            StmtKind::Accum(op, p, o) => {
                let (p, o) = self.with_code(|c| (c.place(p), c.operand(o)));
                match op {
                    AccumOp::Add => quote_spanned!(s.span=> #p += #o;),
                    AccumOp::Sub => quote_spanned!(s.span=> #p -= #o;),
                }
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
                out,
                id,
            } => {
                let cond = &cond.expr;
                let arm = |b: &Block, side: TokenStream| {
                    let stmts = self.fwd_block(b);
                    let value = b.result.as_ref().map(|o| self.with_code(|c| c.operand(o)));
                    let record = active.then(|| {
                        let r = self.record(b);
                        quote!(ad::Either::#side((#(#r,)*)))
                    });
                    match (out.is_some(), active) {
                        // The value may be a variable that the record takes.
                        (true, true) => quote!({ #stmts let __value = #value; (__value, #record) }),
                        (true, false) => quote!({ #stmts #value }),
                        (false, true) => quote!({ #stmts #record }),
                        (false, false) => quote!({ #stmts }),
                    }
                };
                let (l, r) = (arm(then, quote!(L)), arm(otherwise, quote!(R)));
                let branch = self.branch(*id);
                let witness = out.and_then(|v| {
                    self.needs
                        .witnesses
                        .contains(&v)
                        .then(|| self.define_witness(v))
                });
                let out = out.map(|v| self.name(v).clone());
                let lhs = match (&out, active) {
                    (Some(v), true) => quote!(let (#v, #branch) =),
                    (Some(v), false) => quote!(let #v =),
                    (None, true) => quote!(let #branch =),
                    (None, false) => return quote!(if #cond #l else #r),
                };
                quote!(#lhs if #cond #l else #r; #witness)
            }
            StmtKind::For {
                var,
                range,
                reversed,
                body,
                id,
            } => {
                let (var, range) = (self.name(*var), &range.expr);
                let rev = reversed.then(|| quote!(.rev()));
                let stmts = self.fwd_block(body);
                let record = if active {
                    self.record(body)
                } else {
                    Vec::new()
                };
                let push = (!record.is_empty()).then(|| {
                    let t = self.tape(*id);
                    quote!(#t.push((#(#record,)*));)
                });
                let range = if *reversed {
                    quote!((#range)#rev)
                } else {
                    quote!(#range)
                };
                quote!(for #var in #range { #stmts #push })
            }
            StmtKind::Native(t) => t.clone(),
        }
    }

    fn fwd_def(&self, v: VarId, rhs: &Rhs, active: bool, span: Span) -> TokenStream {
        let var = &self.f.vars[v];
        let name = &var.name;
        let mutable = (var.mutable && !var.writes.is_empty()).then(|| quote!(mut));
        let mut out = TokenStream::new();
        match rhs {
            Rhs::Call { path, args } if active => {
                let callee = (self.callee)(path);
                let (vjp, modes) = (callee.vjp, self.modes(None, args));
                let turbofish = turbofish(args.len(), callee.generics.as_ref());
                out.extend(self.arg_witnesses(v, args));
                let args = args.iter().map(|a| self.fwd_arg(a));
                let p = self.pullback(v);
                out.extend(quote_spanned!(span=> let (#mutable #name, #p) = #vjp #turbofish(#modes, #(#args),*);));
            }
            Rhs::Method {
                receiver,
                name: method,
                turbofish: generics,
                args,
            } if active => {
                (self.method)(method, args.len());
                let vjp = format_ident!("__{}_vjp", method, span = method.span());
                let modes = self.modes(Some(receiver), args);
                let turbofish = generics
                    .as_ref()
                    .and_then(|g| turbofish(args.len() + 1, Some(g)));
                out.extend(self.arg_witnesses(v, args));
                let recv = match receiver.snapshot {
                    Some(s) => {
                        let s = self.name(s);
                        quote!(#s)
                    }
                    None => self.with_code(|c| c.receiver(&receiver.operand)),
                };
                let args = args.iter().map(|a| self.fwd_arg(a));
                let p = self.pullback(v);
                out.extend(quote_spanned!(span=> let (#mutable #name, #p) = #recv.__v().#vjp #turbofish(#modes, #(#args),*);));
            }
            _ => {
                if active {
                    if let Rhs::Op(op @ (Op::Select(_) | Op::Clamp), o) = rhs {
                        let sel = self.selection(v);
                        let refs = o.iter().map(|o| self.with_code(|c| c.value_ref(o)));
                        let module = op_module(*op);
                        out.extend(quote!(let #sel = ad::#module::sel(#(#refs),*);));
                    }
                }
                let value = self.with_code(|c| c.forward(rhs, span));
                let ty = match (rhs, &var.ty) {
                    // Fixes the type of a literal before its witness is taken.
                    (Rhs::Native(_), Ty::Float(f)) => {
                        let f = format_ident!("{f}");
                        Some(quote!(: #f))
                    }
                    _ => None,
                };
                out.extend(quote!(let #mutable #name #ty = #value;));
            }
        }
        if self.needs.witnesses.contains(&v) {
            out.extend(self.define_witness(v));
        }
        out
    }

    fn fwd_arg(&self, a: &Arg) -> TokenStream {
        match a.snapshot {
            Some(s) => {
                let s = self.name(s);
                quote!(&#s)
            }
            None => self.with_code(|c| c.operand(&a.operand)),
        }
    }

    fn lenses(&self, receiver: Option<&Arg>, args: &[Arg]) -> Lenses {
        let all: Vec<Option<&Place>> = receiver
            .into_iter()
            .chain(args)
            .map(|a| a.operand.place().filter(|p| self.place_active(p)))
            .collect();
        let direct = (0..all.len())
            .map(|i| match all[i] {
                None => true,
                Some(p) => !all[..i].iter().flatten().any(|q| overlap(p, q)),
            })
            .collect();
        Lenses { direct }
    }

    fn modes(&self, receiver: Option<&Arg>, args: &[Arg]) -> TokenStream {
        let lenses = self.lenses(receiver, args);
        let modes = receiver
            .into_iter()
            .chain(args)
            .zip(lenses.direct)
            .map(
                |(a, direct)| match a.operand.place().filter(|p| self.place_active(p)) {
                    None => quote!(ad::Off),
                    Some(_) if !direct => quote!(ad::On),
                    Some(p) => match self.f.vars[p.root].param {
                        Some(i) => {
                            let m = mode_name(i);
                            quote!(#m)
                        }
                        None => quote!(ad::On),
                    },
                },
            );
        quote!((#(#modes,)*))
    }

    /// A by-value argument without a derivative: its accumulator is made before it is moved.
    fn arg_inactive_value(&self, a: &Arg) -> bool {
        match &a.operand {
            Operand::Native(n) => !is_reference(n, self.f),
            Operand::Place { place, by_ref } => !self.place_active(place) && !by_ref,
        }
    }

    fn arg_witnesses(&self, v: VarId, args: &[Arg]) -> TokenStream {
        args.iter()
            .enumerate()
            .filter(|(_, a)| self.arg_inactive_value(a))
            .map(|(i, a)| {
                let z = self.inactive_adj(v, i);
                let r = self.with_code(|c| c.value_ref(&a.operand));
                quote!(let mut #z = ad::no_adj(#r);)
            })
            .collect()
    }

    // ---- reverse ---------------------------------------------------------------------------

    /// What a reversed block starts with: values computed again, then zero cotangents.
    fn prologue(&self, b: &Block) -> TokenStream {
        let mut out = TokenStream::new();
        let top = b.scope.is_empty();
        for s in &b.stmts {
            let StmtKind::Def(v, rhs) = &s.kind else {
                continue;
            };
            if self.needs.again.contains(v) && (!top || self.f.vars[*v].alias.is_some()) {
                let (name, value) = (self.name(*v), self.with_code(|c| c.forward(rhs, s.span)));
                out.extend(quote!(let #name = #value;));
            }
            let witness = self.needs.witnesses.contains(v) && self.needs.values.contains(v);
            if !top && witness {
                out.extend(self.define_witness(*v));
            }
        }
        for s in &b.stmts {
            match &s.kind {
                StmtKind::Def(v, _) => out.extend(self.zero(*v)),
                StmtKind::If { out: Some(v), .. } => {
                    let witness = self.needs.witnesses.contains(v) && self.needs.values.contains(v);
                    if !top && witness {
                        out.extend(self.define_witness(*v));
                    }
                    out.extend(self.zero(*v));
                }
                _ => {}
            }
        }
        out
    }

    fn zero(&self, v: VarId) -> Option<TokenStream> {
        if !self.f.vars[v].active {
            return None;
        }
        let (d, w) = (self.adj(v), self.var_witness(v));
        Some(quote!(let mut #d = #w.zero();))
    }

    fn rev_stmts(&self, b: &Block) -> TokenStream {
        b.stmts
            .iter()
            .rev()
            .filter(|s| is_active(s, &self.f.vars))
            .map(|s| self.rev(s))
            .collect()
    }

    fn rev(&self, s: &Stmt) -> TokenStream {
        match &s.kind {
            StmtKind::Def(v, rhs) => self.rev_rhs(*v, rhs),
            StmtKind::Assign(p, o) => {
                let lens = self.lens(p);
                let w = if p.ty.is_float() && !o.ty().is_float() || matches!(p.ty, Ty::Float(_)) {
                    self.wit(&Operand::Place {
                        place: p.clone(),
                        by_ref: false,
                    })
                } else {
                    self.wit(o)
                };
                let taken = quote!(ad::take(&#w, #lens));
                match self.active_lens(o) {
                    Some(d) => {
                        let wo = self.wit(o);
                        quote!(let __ct = #taken; ad::acc(&#wo, __ct, #d);)
                    }
                    None => quote!(#taken;),
                }
            }
            StmtKind::Accum(op, p, o) => {
                let Some(d) = self.active_lens(o) else {
                    return TokenStream::new();
                };
                let ct = project_ref(self.adj(p.root), p, self.f);
                let (wp, wo) = (self.wit_for_accum(p, o), self.wit(o));
                let module = match op {
                    AccumOp::Add => quote!(add),
                    AccumOp::Sub => quote!(sub),
                };
                quote!(ad::#module::pull_r(&#wp, &#wo, #ct, #d);)
            }
            StmtKind::If {
                then,
                otherwise,
                out,
                id,
                ..
            } => {
                let arm = |b: &Block, side: TokenStream| {
                    let record = self.record(b);
                    let prologue = self.prologue(b);
                    let result = out.filter(|v| self.f.vars[*v].active).map(|v| {
                        let d = self.adj(v);
                        match b.result.as_ref() {
                            Some(o) if self.active_lens(o).is_some() => {
                                let (w, lens) = (self.wit(o), self.active_lens(o));
                                quote!(ad::acc(&#w, #d, #lens);)
                            }
                            _ => TokenStream::new(),
                        }
                    });
                    let stmts = self.rev_stmts(b);
                    quote!(ad::Either::#side((#(#record,)*)) => { #prologue #result #stmts })
                };
                let branch = self.branch(*id);
                let (l, r) = (arm(then, quote!(L)), arm(otherwise, quote!(R)));
                quote!(match #branch { #l #r })
            }
            StmtKind::For {
                var,
                range,
                reversed,
                body,
                id,
            } => {
                let (var, range) = (self.name(*var), &range.expr);
                let record = self.record(body);
                let pop = (!record.is_empty()).then(|| {
                    let t = self.tape(*id);
                    let record = record.iter().map(|r| self.binding(r));
                    quote!(let (#(#record,)*) = #t.pop();)
                });
                let prologue = self.prologue(body);
                let stmts = self.rev_stmts(body);
                let range = if *reversed {
                    quote!(#range)
                } else {
                    quote!((#range).rev())
                };
                quote!(for #var in #range { #pop #prologue #stmts })
            }
            StmtKind::Native(_) => TokenStream::new(),
        }
    }

    /// Accumulators of inactive arguments are passed as `&mut`.
    fn binding(&self, name: &Ident) -> TokenStream {
        let s = name.to_string();
        let inactive = s.starts_with('z') && s[1..].starts_with(|c: char| c.is_ascii_digit());
        if inactive {
            quote!(mut #name)
        } else {
            quote!(#name)
        }
    }

    fn wit_for_accum(&self, p: &Place, o: &Operand) -> TokenStream {
        match p.ty {
            Ty::Float(f) => float_witness(f),
            _ if p.is_var() => self.var_witness(p.root),
            // The element type of a container whose type is not known: that of what is added.
            _ => self.wit(o),
        }
    }

    fn rev_rhs(&self, v: VarId, rhs: &Rhs) -> TokenStream {
        let d = self.adj(v);
        match rhs {
            Rhs::Op(op, o) => self.rev_op(v, *op, o),
            Rhs::Powi(x, n) => {
                let (Some(lens), n) = (self.active_lens(x), &n.expr) else {
                    return TokenStream::new();
                };
                let x = self.with_code(|c| c.value_ref(x));
                quote!(ad::powi::pull(#x, #n, &#d, #lens);)
            }
            Rhs::Copy(o) => {
                let Some(lens) = self.active_lens(o) else {
                    return TokenStream::new();
                };
                let w = self.var_witness(v);
                quote!(ad::acc(&#w, #d, #lens);)
            }
            Rhs::Snapshot(p) => {
                let (w, lens) = (self.var_witness(v), self.lens(p));
                if self.is_slice(p) {
                    quote!(ad::acc_vec(&#w, #d, #lens);)
                } else {
                    quote!(ad::acc(&#w, #d, #lens);)
                }
            }
            Rhs::Cast(o, ty) => {
                let Some(lens) = self.active_lens(o) else {
                    return TokenStream::new();
                };
                let w = self.wit(o);
                quote!(ad::cast::pull(&#w, &ad::witness_of::<#ty>(), &#d, #lens);)
            }
            Rhs::Tuple(o) => self.scatter(
                &d,
                o.iter().enumerate().map(|(i, o)| (syn::Member::from(i), o)),
            ),
            Rhs::Ctor(_, o) => self.scatter(
                &d,
                o.iter().enumerate().map(|(i, o)| (syn::Member::from(i), o)),
            ),
            Rhs::Struct(_, fields) => self.scatter(&d, fields.iter().map(|(m, o)| (m.clone(), o))),
            Rhs::Array(o) | Rhs::VecList(o) => {
                let names: Vec<Ident> = (0..o.len()).map(|i| ident(format!("ct{i}"))).collect();
                let bind = if matches!(rhs, Rhs::Array(_)) {
                    quote!(let [#(#names),*] = #d;)
                } else {
                    let next = names.iter().map(
                        |n| quote!(let #n = __parts.next().expect("a cotangent for each element");),
                    );
                    quote!(let mut __parts = #d.into_iter(); #(#next)*)
                };
                let accs: TokenStream = names
                    .iter()
                    .zip(o)
                    .filter_map(|(n, o)| {
                        let (w, lens) = (self.wit(o), self.active_lens(o)?);
                        Some(quote!(ad::acc(&#w, #n, #lens);))
                    })
                    .collect();
                quote!({ #[allow(unused_variables)] #bind #accs })
            }
            Rhs::Repeat { value, .. } => {
                let (Some(lens), w) = (self.active_lens(value), self.wit(value)) else {
                    return TokenStream::new();
                };
                quote!(for __ct in #d { ad::acc(&#w, __ct, #lens); })
            }
            Rhs::Call { args, .. } => self.rev_call(v, None, args),
            Rhs::Method { receiver, args, .. } => self.rev_call(v, Some(receiver), args),
            Rhs::Borrow(_) | Rhs::Native(_) => TokenStream::new(),
        }
    }

    fn scatter<'o>(
        &self,
        d: &Ident,
        parts: impl Iterator<Item = (syn::Member, &'o Operand)>,
    ) -> TokenStream {
        parts
            .filter_map(|(m, o)| {
                let (w, lens) = (self.wit(o), self.active_lens(o)?);
                Some(quote!(ad::acc(&#w, #d.#m, #lens);))
            })
            .collect()
    }

    fn rev_op(&self, v: VarId, op: Op, o: &[Operand]) -> TokenStream {
        let d = self.adj(v);
        let lens: Vec<Option<TokenStream>> = o.iter().map(|o| self.active_lens(o)).collect();
        let wit = |i: usize| self.wit(&o[i]);
        let val = |i: usize| self.with_code(|c| c.value_ref(&o[i]));
        let out = self.with_code(|c| {
            c.value_ref(&Operand::Place {
                place: Place {
                    root: v,
                    projections: Vec::new(),
                    ty: self.f.vars[v].ty.clone(),
                    span: Span::call_site(),
                },
                by_ref: false,
            })
        });
        let m = op_module(op);
        let mut code = TokenStream::new();
        for (i, l) in lens.iter().enumerate() {
            let Some(l) = l else { continue };
            let side = if i == 0 {
                format_ident!("pull_l")
            } else {
                format_ident!("pull_r")
            };
            code.extend(match op {
                Op::Add | Op::Sub => {
                    let (a, b) = (wit(0), wit(1));
                    quote!(ad::#m::#side(&#a, &#b, &#d, #l);)
                }
                Op::Mul | Op::Div if i == 0 => {
                    let (a, b) = (wit(0), val(1));
                    quote!(ad::#m::pull_l(&#a, #b, &#d, #l);)
                }
                Op::Mul => {
                    let (a, b) = (val(0), wit(1));
                    quote!(ad::mul::pull_r(#a, &#b, &#d, #l);)
                }
                Op::Div => {
                    let (a, b) = (wit(0), val(1));
                    quote!(ad::div::pull_r(&#a, #b, #out, &#d, #l);)
                }
                Op::Neg => {
                    let a = wit(0);
                    quote!(ad::neg::pull(&#a, &#d, #l);)
                }
                Op::UnaryOut(_) => quote!(ad::#m::pull(#out, &#d, #l);),
                Op::UnaryIn(_) => {
                    let x = val(0);
                    quote!(ad::#m::pull(#x, &#d, #l);)
                }
                Op::Binary(_) => {
                    let (a, b) = (val(0), val(1));
                    quote!(ad::#m::#side(#a, #b, #out, &#d, #l);)
                }
                Op::Select(_) => {
                    let (a, b, sel) = (wit(0), wit(1), self.selection(v));
                    quote!(ad::#m::#side(&#a, &#b, &#sel, &#d, #l);)
                }
                Op::Clamp => {
                    let (x, sel) = (wit(0), self.selection(v));
                    match i {
                        0 => quote!(ad::clamp::pull_x(&#x, &#sel, &#d, #l);),
                        1 => {
                            let b = wit(1);
                            quote!(ad::clamp::pull_lo(&#x, &#b, &#sel, &#d, #l);)
                        }
                        _ => {
                            let b = wit(2);
                            quote!(ad::clamp::pull_hi(&#x, &#b, &#sel, &#d, #l);)
                        }
                    }
                }
                Op::MulAdd => match i {
                    0 => {
                        let (a, b) = (wit(0), val(1));
                        quote!(ad::mul::pull_l(&#a, #b, &#d, #l);)
                    }
                    1 => {
                        let (a, b) = (val(0), wit(1));
                        quote!(ad::mul::pull_r(#a, &#b, &#d, #l);)
                    }
                    _ => {
                        let b = wit(2);
                        quote!(ad::acc(&#b, #d, #l);)
                    }
                },
            });
        }
        code
    }

    fn rev_call(&self, v: VarId, receiver: Option<&Arg>, args: &[Arg]) -> TokenStream {
        let (d, p) = (self.adj(v), self.pullback(v));
        let lenses = self.lenses(receiver, args);
        let (mut before, mut primals, mut accs, mut after) = (
            TokenStream::new(),
            Vec::new(),
            Vec::new(),
            TokenStream::new(),
        );
        let offset = usize::from(receiver.is_some());
        let all = receiver
            .into_iter()
            .map(|r| (r, true))
            .chain(args.iter().map(|a| (a, false)));
        for (k, (a, is_receiver)) in all.enumerate() {
            let by_ref = is_receiver
                || match &a.operand {
                    Operand::Place { by_ref, .. } => *by_ref,
                    Operand::Native(n) => is_reference(n, self.f),
                };
            let primal = match a.snapshot {
                Some(s) => {
                    let s = self.name(s);
                    quote!(&#s)
                }
                None => match &a.operand {
                    Operand::Place { place, .. } if is_receiver => {
                        let p = self.with_code(|c| c.place(place));
                        quote!(#p.__v())
                    }
                    Operand::Place { place, .. } => self.with_code(|c| c.reference(place)),
                    Operand::Native(n) => {
                        let e = &n.expr;
                        if is_receiver {
                            quote!((#e).__v())
                        } else {
                            quote!(#e)
                        }
                    }
                },
            };
            if by_ref {
                primals.push(primal.clone());
            }
            let place = a.operand.place().filter(|p| self.place_active(p));
            let t = ident(format!("t{k}"));
            accs.push(match place {
                Some(p) if lenses.direct[k] => self.lens(p),
                Some(p) => {
                    let lens = self.lens(p);
                    if by_ref {
                        let place = self.with_code(|c| c.place(p));
                        before.extend(quote!(let mut #t = #place.zero_adj(ad::On);));
                        after.extend(if self.is_slice(p) {
                            quote!(ad::acc_slice(&#place.__wit(), #t, #lens);)
                        } else {
                            quote!(ad::acc(&#place.__wit(), #t, #lens);)
                        });
                    } else {
                        let w = self.wit(&a.operand);
                        before.extend(quote!(let mut #t = #w.zero();));
                        after.extend(quote!(ad::acc(&#w, #t, #lens);));
                    }
                    quote!(&mut #t)
                }
                None if by_ref => {
                    let r = match (&a.operand, a.snapshot) {
                        (Operand::Native(n), None) if !is_receiver => {
                            let e = &n.expr;
                            quote!((#e).__v())
                        }
                        _ => primal,
                    };
                    quote!(&mut ad::no_adj(#r))
                }
                None => {
                    let z = self.inactive_adj(v, k - offset);
                    quote!(&mut #z)
                }
            });
        }
        quote!(#before #p(#d, #(#primals,)* #(#accs),*); #after)
    }
}

fn project_ref(d: Ident, p: &Place, f: &Func) -> TokenStream {
    let place = project(quote!(#d), p);
    if p.is_var() && f.vars[p.root].param.is_some() {
        quote!(&*#place)
    } else {
        quote!(&#place)
    }
}

fn float_witness(f: &str) -> TokenStream {
    let f = format_ident!("{f}");
    quote!(ad::Wit::<#f>(()))
}

pub fn mode_name(i: usize) -> Ident {
    ident(format!("m{i}"))
}

/// The module of `ad` that holds the rule of an operation.
pub fn op_module(op: Op) -> Ident {
    let name = match op {
        Op::Add => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::Div => "div",
        Op::Neg => "neg",
        Op::Clamp => "clamp",
        Op::MulAdd => "mul",
        Op::UnaryOut(n) | Op::UnaryIn(n) | Op::Binary(n) | Op::Select(n) => n,
    };
    format_ident!("{name}")
}

/// Modes come first among explicit generic arguments, and are inferred.
fn turbofish(modes: usize, generics: Option<&TokenStream>) -> Option<TokenStream> {
    let generics = generics?;
    let modes = (0..modes).map(|_| quote!(_));
    Some(quote!(::<#(#modes,)* #generics>))
}

/// Whether two places may be the same memory: fields of different name never are.
fn overlap(a: &Place, b: &Place) -> bool {
    if a.root != b.root {
        return false;
    }
    for (x, y) in a.projections.iter().zip(&b.projections) {
        match (x, y) {
            (Projection::Field(x), Projection::Field(y)) if x != y => return false,
            (Projection::Field(_), Projection::Field(_)) => {}
            _ => return true,
        }
    }
    true
}
