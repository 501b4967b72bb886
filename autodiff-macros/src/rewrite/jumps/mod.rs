//! Jumps made structured: `break`, `continue` and early `return` become "the rest is not run".
//!
//! A jump sets the code `__jump`; what follows it in the source runs only while the code is 0:
//!
//! ```text
//! while a > b {                     while __jump == 0 && a > b {
//!     if done(a) { return a; }          if done(a) { __late_set(__ret, a); __jump = 1; }
//!     a = next(a);                      else { a = next(a); }
//! }                                 }
//! a + b                             if __jump == 0 { __late_set(__ret, a + b); }
//!                                   __late_get(__ret)
//! ```
//!
//! A loop without a derivative keeps its own `break` and `continue`. The functions `__late…` are
//! marks for the lowering: a variable that gets its value later.

mod codes;
mod find;
mod inside;

use crate::input::ctxt::Ctxt;
use find::{escapes, escapes_expr, Needs};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::visit::Visit;
use syn::{parse_quote, Block, Expr, Label, Lifetime, Stmt};

/// Marks for the lowering.
pub const MARKS: [&str; 3] = ["__late", "__late_set", "__late_get"];

/// The code of a `return`.
const RETURN: usize = 1;

/// What becomes of the value of a block.
#[derive(Clone)]
enum Value {
    Dropped,
    /// Kept in this late variable.
    Late(Ident),
}

/// A loop or labelled block around the code that is rewritten.
struct Frame {
    label: Option<String>,
    is_loop: bool,
    on_break: usize,
    on_continue: usize,
    value: Value,
}

/// The body of a loop without jumps.
struct Trip {
    stmts: Vec<Stmt>,
    /// Whether a jump may leave the loop.
    left: bool,
}

struct Jumps<'a> {
    cx: &'a Ctxt,
    /// Whether a loop is kept as written.
    native: &'a dyn Fn(&Expr) -> bool,
    frames: Vec<Frame>,
    codes: usize,
    lates: usize,
    ret: Option<Ident>,
}

/// A body without jumps, or `None` when there is nothing to do.
pub fn rewrite(
    cx: &Ctxt,
    body: &Block,
    has_value: bool,
    native: &dyn Fn(&Expr) -> bool,
) -> Option<Block> {
    structured(cx, body, has_value.then(|| name("__ret")), native)
}

/// [`rewrite`] with a name for the value.
fn structured(
    cx: &Ctxt,
    body: &Block,
    ret: Option<Ident>,
    native: &dyn Fn(&Expr) -> bool,
) -> Option<Block> {
    let mut j = Jumps {
        cx,
        native,
        frames: Vec::new(),
        codes: RETURN,
        lates: 0,
        ret,
    };
    // A `return` at the very end is the value.
    let mut stmts = body.stmts.clone();
    if let Some(Stmt::Expr(Expr::Return(r), _)) = stmts.last() {
        let value = r.expr.as_deref().cloned();
        stmts.pop();
        stmts.extend(value.map(|e| Stmt::Expr(e, None)));
    }
    if !stmts.iter().any(|s| j.needs_stmt(s)) {
        return None;
    }
    let mut out: Vec<Stmt> = Vec::new();
    let value = match j.ret.clone() {
        Some(ret) => {
            out.push(parse_quote!(__late(#ret);));
            Value::Late(ret)
        }
        None => Value::Dropped,
    };
    out.extend(j.block(&stmts, &value));
    if let Value::Late(ret) = value {
        out.push(Stmt::Expr(parse_quote!(__late_get(#ret)), None));
    }
    if codes::are_named(&out) {
        let jump = jump_name();
        out.insert(0, parse_quote!(let mut #jump = 0usize;));
    }
    Some(Block {
        brace_token: body.brace_token,
        stmts: out,
    })
}

/// The body of a closure without `return`, whose value is what a `return` gives.
pub fn closure(
    cx: &Ctxt,
    c: &syn::ExprClosure,
    native: &dyn Fn(&Expr) -> bool,
) -> Option<syn::ExprClosure> {
    let body = Block {
        brace_token: Default::default(),
        stmts: stmts_of(&c.body),
    };
    let has_value = returns_value(&body) || crate::syntax::blocks::block_has_value(&body);
    let ret = has_value.then(|| name("__given"));
    let body = structured(cx, &body, ret, native)?;
    let mut c = c.clone();
    *c.body = parse_quote!(#body);
    Some(c)
}

fn returns_value(b: &Block) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
            self.0 |= r.expr.is_some();
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut v = V(false);
    v.visit_block(b);
    v.0
}

fn name(text: &str) -> Ident {
    Ident::new(text, Span::mixed_site())
}

fn jump_name() -> Ident {
    name("__jump")
}

impl Jumps<'_> {
    /// Statements whose jumps are replaced, and whose value, if there is one, goes where `value` says.
    fn block(&mut self, stmts: &[Stmt], value: &Value) -> Vec<Stmt> {
        let mut out = Vec::new();
        for (i, s) in stmts.iter().enumerate() {
            let (last, rest) = (i + 1 == stmts.len(), &stmts[i + 1..]);
            if !self.needs_stmt(s) {
                out.push(if last { finish(s, value) } else { s.clone() });
                continue;
            }
            let exits = escapes(s);
            match s {
                Stmt::Expr(e, semi) => {
                    let tail = last && semi.is_none();
                    let value_here = if tail { value.clone() } else { Value::Dropped };
                    match e {
                        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
                            out.extend(self.jump(e));
                            return out;
                        }
                        Expr::If(x) if !rest.is_empty() && one_side_leaves(x) => {
                            out.push(self.rest_inside(x, rest, value));
                            return out;
                        }
                        e => out.extend(self.control(e, &value_here)),
                    }
                }
                Stmt::Local(l) => {
                    let Some(init) = l.init.as_ref().filter(|i| i.diverge.is_none()) else {
                        self.cx.error(l, "this `let … else` cannot be followed in a `#[differentiable]` function: use `if let … else` or `match`");
                        return out;
                    };
                    let late = self.late(&mut out);
                    out.extend(self.control(&init.expr, &Value::Late(late.clone())));
                    let mut bound = l.clone();
                    if let Some(i) = &mut bound.init {
                        *i.expr = parse_quote!(__late_get(#late));
                    }
                    let mut after = vec![Stmt::Local(bound)];
                    after.extend(rest.iter().cloned());
                    let after = self.block(&after, value);
                    out.extend(guard(exits, after));
                    return out;
                }
                other => out.push(other.clone()),
            }
            if exits && !rest.is_empty() {
                let after = self.block(rest, value);
                out.extend(guard(true, after));
                return out;
            }
        }
        out
    }

    /// `if c { …jump… } else { b }; rest` becomes `if c { …jump… } else { b; rest }`.
    fn rest_inside(&mut self, x: &syn::ExprIf, rest: &[Stmt], value: &Value) -> Stmt {
        let (then_leaves, else_leaves) = (leaves(&x.then_branch), else_leaves(x));
        let otherwise: Vec<Stmt> = match &x.else_branch {
            Some((_, e)) => scoped(stmts_of(e)),
            None => Vec::new(),
        };
        let first = scoped(x.then_branch.stmts.clone());
        let mut then = self.block(&x.then_branch.stmts, &Value::Dropped);
        let mut other = self.block(&otherwise, &Value::Dropped);
        match (then_leaves, else_leaves) {
            (true, false) => {
                let all: Vec<Stmt> = otherwise.into_iter().chain(rest.iter().cloned()).collect();
                other = self.block(&all, value);
            }
            (false, true) => {
                let all: Vec<Stmt> = first.iter().chain(rest).cloned().collect();
                then = self.block(&all, value);
            }
            _ => {}
        }
        let cond = &x.cond;
        Stmt::Expr(
            parse_quote!(if #cond { #(#then)* } else { #(#other)* }),
            None,
        )
    }

    /// An expression with jumps inside, as statements.
    fn control(&mut self, e: &Expr, value: &Value) -> Vec<Stmt> {
        if !self.needs(e) {
            return vec![keep(e.clone(), value)];
        }
        match e {
            Expr::Paren(p) => self.control(&p.expr, value),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => self.jump(e),
            Expr::If(x) => {
                self.condition(&x.cond);
                let then = self.block(&x.then_branch.stmts, value);
                let cond = &x.cond;
                let e: Expr = match &x.else_branch {
                    Some((_, e)) => {
                        let other = self.block(&stmts_of(e), value);
                        parse_quote!(if #cond { #(#then)* } else { #(#other)* })
                    }
                    None => parse_quote!(if #cond { #(#then)* }),
                };
                vec![Stmt::Expr(e, None)]
            }
            Expr::Match(m) => {
                let mut m = m.clone();
                if let Some(settled) = self.settled(&m.expr) {
                    *m.expr = settled;
                }
                for arm in &mut m.arms {
                    let stmts = self.block(&stmts_of(&arm.body), value);
                    arm.body = parse_quote!({ #(#stmts)* });
                    arm.comma = None;
                }
                vec![Stmt::Expr(Expr::Match(m), None)]
            }
            Expr::Block(b) => match &b.label {
                None => {
                    let stmts = self.block(&b.block.stmts, value);
                    vec![Stmt::Expr(parse_quote!({ #(#stmts)* }), None)]
                }
                Some(l) => {
                    self.enter(Some(l), false, value);
                    let stmts = self.block(&b.block.stmts, value);
                    let done = self.leave();
                    vec![Stmt::Expr(parse_quote!({ #(#stmts)* }), None), done]
                }
            },
            Expr::ForLoop(f) => {
                self.no_jump(&f.expr);
                let jump = jump_name();
                self.enter(f.label.as_ref(), true, value);
                let Trip { stmts, left } = self.trip(&f.body);
                let done = self.leave();
                let (pat, range) = (&f.pat, &f.expr);
                if !left {
                    let e = parse_quote!(for #pat in #range { #(#stmts)* });
                    return vec![Stmt::Expr(e, None)];
                }
                let e = parse_quote!(for #pat in #range { #(#stmts)* if #jump != 0 { break; } });
                vec![Stmt::Expr(e, None), done]
            }
            Expr::While(w) => {
                self.condition(&w.cond);
                let jump = jump_name();
                self.enter(w.label.as_ref(), true, value);
                let Trip { stmts, left } = self.trip(&w.body);
                let done = self.leave();
                let cond = &w.cond;
                if !left {
                    return vec![Stmt::Expr(parse_quote!(while #cond { #(#stmts)* }), None)];
                }
                let e = parse_quote!(while #jump == 0 && (#cond) { #(#stmts)* });
                vec![Stmt::Expr(e, None), done]
            }
            Expr::Loop(l) => {
                let jump = jump_name();
                self.enter(l.label.as_ref(), true, value);
                let Trip { stmts, .. } = self.trip(&l.body);
                let done = self.leave();
                let e = parse_quote!(while #jump == 0 { #(#stmts)* });
                vec![Stmt::Expr(e, None), done]
            }
            Expr::Assign(a) => self.store(&a.right, |late| {
                let mut a = a.clone();
                a.right = Box::new(parse_quote!(__late_get(#late)));
                Expr::Assign(a)
            }),
            Expr::Binary(b) if crate::syntax::is_assign_op(&b.op) => self.store(&b.right, |late| {
                let mut b = b.clone();
                b.right = Box::new(parse_quote!(__late_get(#late)));
                Expr::Binary(b)
            }),
            other => match self.settled(other) {
                Some(settled) => vec![keep(settled, value)],
                None => Vec::new(),
            },
        }
    }

    /// `place = value` with jumps in the value.
    fn store(&mut self, right: &Expr, assign: impl FnOnce(&Ident) -> Expr) -> Vec<Stmt> {
        let mut out = Vec::new();
        let late = self.late(&mut out);
        out.extend(self.control(right, &Value::Late(late.clone())));
        let store = vec![Stmt::Expr(assign(&late), Some(Default::default()))];
        out.extend(guard(escapes_expr(right), store));
        out
    }

    /// The body of a loop.
    fn trip(&mut self, body: &Block) -> Trip {
        let mut stmts = self.block(&body.stmts, &Value::Dropped);
        let frame = self.frames.last().expect("a loop");
        let (jump, code) = (jump_name(), frame.on_continue);
        let set = codes::set_in(&stmts);
        // What is inside has codes of its own, which end there.
        let left = set.iter().any(|c| *c <= frame.on_break);
        if set.contains(&code) && !codes::forget(&mut stmts, code) {
            stmts.push(parse_quote!(if #jump == #code { #jump = 0; }));
        }
        Trip { stmts, left }
    }

    fn enter(&mut self, label: Option<&Label>, is_loop: bool, value: &Value) {
        self.codes += 2;
        self.frames.push(Frame {
            label: label.map(|l| l.name.ident.to_string()),
            is_loop,
            on_break: self.codes - 1,
            on_continue: self.codes,
            value: value.clone(),
        });
    }

    /// What follows a loop: a `break` of it has arrived.
    fn leave(&mut self) -> Stmt {
        let frame = self.frames.pop().expect("a loop");
        let (jump, code) = (jump_name(), frame.on_break);
        parse_quote!(if #jump == #code { #jump = 0; })
    }

    fn late(&mut self, out: &mut Vec<Stmt>) -> Ident {
        let late = format_ident!("__late{}", self.lates, span = Span::mixed_site());
        self.lates += 1;
        out.push(parse_quote!(__late(#late);));
        late
    }

    fn jump(&mut self, e: &Expr) -> Vec<Stmt> {
        let mut out = Vec::new();
        let code = match e {
            Expr::Return(r) => {
                if let Some(v) = &r.expr {
                    let value = self.ret.clone().map_or(Value::Dropped, Value::Late);
                    out.extend(self.control(v, &value));
                }
                RETURN
            }
            Expr::Break(b) => {
                let Some((code, value)) = self
                    .target(b.label.as_ref())
                    .map(|f| (f.on_break, f.value.clone()))
                else {
                    self.cx.error(e, "this `break` has no loop");
                    return out;
                };
                if let Some(v) = &b.expr {
                    out.extend(self.control(v, &value));
                }
                code
            }
            Expr::Continue(c) => match self.target(c.label.as_ref()) {
                Some(f) => f.on_continue,
                None => {
                    self.cx.error(e, "this `continue` has no loop");
                    return out;
                }
            },
            _ => unreachable!("a jump"),
        };
        let jump = jump_name();
        out.push(parse_quote!(#jump = #code;));
        out
    }

    fn target(&self, label: Option<&Lifetime>) -> Option<&Frame> {
        let label = label.map(|l| l.ident.to_string());
        self.frames.iter().rev().find(|f| match &label {
            Some(l) => f.label.as_ref() == Some(l),
            None => f.is_loop,
        })
    }

    /// An error for a jump in a place where the transformation cannot follow it.
    fn no_jump(&self, e: &Expr) {
        if self.needs(e) {
            self.cx.error(e, "a jump inside this expression is not supported in a `#[differentiable]` function: compute the value with `let` first");
        }
    }

    fn needs_stmt(&self, s: &Stmt) -> bool {
        let mut v = Needs {
            native: self.native,
            found: false,
        };
        v.visit_stmt(s);
        v.found
    }

    fn needs(&self, e: &Expr) -> bool {
        let mut v = Needs {
            native: self.native,
            found: false,
        };
        v.visit_expr(e);
        v.found
    }
}

/// The last statement of a block, with its value where it belongs.
fn finish(s: &Stmt, value: &Value) -> Stmt {
    match s {
        Stmt::Expr(e, None) => keep(e.clone(), value),
        Stmt::Macro(m) if m.semi_token.is_none() => {
            let e = Expr::Macro(syn::ExprMacro {
                attrs: m.attrs.clone(),
                mac: m.mac.clone(),
            });
            keep(e, value)
        }
        s => s.clone(),
    }
}

fn keep(e: Expr, value: &Value) -> Stmt {
    match value {
        // More may follow: only an expression that ends in a block stands without a semicolon.
        Value::Dropped if !crate::syntax::ends_in_block(&e) => {
            Stmt::Expr(e, Some(Default::default()))
        }
        Value::Dropped => Stmt::Expr(e, None),
        Value::Late(late) => parse_quote!(__late_set(#late, #e);),
    }
}

fn guard(exits: bool, stmts: Vec<Stmt>) -> Vec<Stmt> {
    if !exits {
        return stmts;
    }
    let jump = jump_name();
    vec![Stmt::Expr(parse_quote!(if #jump == 0 { #(#stmts)* }), None)]
}

/// The statements of a block, or an expression as one.
fn stmts_of(e: &Expr) -> Vec<Stmt> {
    match e {
        Expr::Block(b) if b.label.is_none() => b.block.stmts.clone(),
        e => vec![Stmt::Expr(e.clone(), None)],
    }
}

/// Statements that bind no name for what follows them.
fn scoped(stmts: Vec<Stmt>) -> Vec<Stmt> {
    if stmts.iter().all(|s| matches!(s, Stmt::Expr(..))) {
        return stmts;
    }
    vec![Stmt::Expr(parse_quote!({ #(#stmts)* }), None)]
}

/// Whether a block always ends in a jump.
fn leaves(b: &Block) -> bool {
    match b.stmts.last() {
        Some(Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _)) => true,
        Some(Stmt::Expr(Expr::If(x), _)) => leaves(&x.then_branch) && else_leaves(x),
        Some(Stmt::Expr(Expr::Block(b), _)) if b.label.is_none() => leaves(&b.block),
        _ => false,
    }
}

fn else_leaves(x: &syn::ExprIf) -> bool {
    match &x.else_branch {
        Some((_, e)) => match &**e {
            Expr::Block(b) => leaves(&b.block),
            Expr::If(y) => leaves(&y.then_branch) && else_leaves(y),
            _ => false,
        },
        None => false,
    }
}

/// Whether one side of an `if` always leaves and the other has no jump: no code is then needed.
fn one_side_leaves(x: &syn::ExprIf) -> bool {
    leaves(&x.then_branch) || else_leaves(x)
}
