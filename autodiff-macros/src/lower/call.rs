//! Lowers calls, methods and literals of structs.

use super::Lower;
use crate::ir::*;
use crate::knowledge::numbers;
use crate::knowledge::sequences::PURE;
use crate::lower::pattern::project;
use crate::syntax;
use quote::ToTokens;
use syn::Expr;

impl Lower<'_> {
    pub fn args<'e>(
        &mut self,
        args: impl Iterator<Item = &'e Expr>,
        out: &mut Vec<Stmt>,
    ) -> Vec<Arg> {
        let exprs: Vec<&Expr> = args.collect();
        let mut args = Vec::new();
        for (k, e) in exprs.iter().enumerate() {
            let mut arg = self.arg(e, out);
            if arg.lend == Lend::Shared {
                arg.operand = self.before(arg.operand, &exprs[k..], out);
                arg.operand = self.beside(arg.operand, &args, out);
            }
            args.push(arg);
        }
        args
    }

    pub(super) fn method(&mut self, m: &syn::ExprMethodCall, out: &mut Vec<Stmt>) -> Rhs {
        let name = m.method.to_string();
        let iterates = matches!(
            name.as_str(),
            "iter" | "iter_mut" | "into_iter" | "chunks" | "windows" | "chunks_exact" | "split_at"
        ) || crate::rewrite::chains::NOT_FOLLOWED.contains(&name.as_str());
        // With types they are methods of tensors: `x.split::<1, _>()`.
        if iterates && m.turbofish.is_none() {
            return self.unsupported(
                &Expr::MethodCall(m.clone()),
                "an iterator over active values is no value of its own",
                "end it in `sum`, `product`, `fold`, `for_each` or `collect::<Vec<_>>`, or write a `for` loop",
            );
        }
        let pops = name == "pop" && m.args.is_empty() && m.turbofish.is_none();
        if pops && !self.is_of_the_file(m) {
            return match self.grown_place(&m.receiver, out) {
                Some(place) => {
                    self.lent.push(place.root);
                    Rhs::Pop(place)
                }
                None => self.poison(&m.receiver),
            };
        }
        if name == "clone" && m.args.is_empty() && m.turbofish.is_none() {
            return match self.place(&m.receiver, out) {
                Some(place) => Rhs::Snapshot(place),
                None => self.poison(&m.receiver),
            };
        }
        // That of a view of ndarray is a method with a rule.
        if name == "to_owned" && m.args.is_empty() && syntax::root_name(&m.receiver).is_some() {
            if let Some(place) = self.place(&m.receiver, out).filter(|p| p.ty != Ty::Unknown) {
                return Rhs::Snapshot(place);
            }
        }
        let turbofish = m.turbofish.is_some();
        if let (Some(op), false) = (numbers::method(&name, m.args.len()), turbofish) {
            let exprs: Vec<&Expr> = std::iter::once(&*m.receiver).chain(&m.args).collect();
            let operands = self.operands(&exprs, out);
            return Rhs::Op(op, operands);
        }
        if name == "powi" && m.args.len() == 1 {
            let x = self.expr(&m.receiver, out);
            return Rhs::Powi(x, self.once(&m.args[0], out));
        }
        let exprs: Vec<&Expr> = std::iter::once(&*m.receiver).chain(&m.args).collect();
        let unfollowed = self.unfollowed(&exprs, !PURE.contains(&name.as_str()));
        let mut receiver = self.lent_receiver(m, out);
        let around = self.state.take();
        let mut args = self.args(m.args.iter(), out);
        self.state = around;
        let all = std::iter::once(&mut receiver).chain(&mut args);
        all.zip(unfollowed).for_each(|(a, u)| a.unfollowed = u);
        self.beside_receiver(&receiver, &mut args, out);
        self.settle_lends(Some(&mut receiver), &mut args);
        Rhs::Method {
            receiver,
            name: m.method.clone(),
            turbofish: m.turbofish.as_ref().map(|t| t.args.to_token_stream()),
            args,
        }
    }

    /// A receiver stays a place where it is one: the pullback borrows it again.
    pub fn receiver(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Operand {
        if syntax::root_name(e).is_some_and(|n| self.lookup(&n).is_some()) {
            if let Some(place) = self.place(e, out) {
                return Operand::Place {
                    place,
                    by_ref: self.is_ref_var(e),
                };
            }
        }
        let operand = self.expr(e, out);
        self.named(operand, out)
    }

    pub(super) fn call(&mut self, c: &syn::ExprCall, out: &mut Vec<Stmt>) -> Rhs {
        let e = Expr::Call(c.clone());
        let mut func = &*c.func;
        while let Expr::Paren(syn::ExprParen { expr, .. })
        | Expr::Reference(syn::ExprReference { expr, .. })
        | Expr::Unary(syn::ExprUnary {
            op: syn::UnOp::Deref(_),
            expr,
            ..
        }) = func
        {
            func = expr;
        }
        let Expr::Path(p) = func else {
            if matches!(func, Expr::Field(_) | Expr::Index(_)) {
                return self.unsupported(
                    &e,
                    "a function in a field or in a table from elsewhere has no derivative",
                    "write the table in this function, `let table = [square, cube];`, choose with `match`, or take the function as a parameter",
                );
            }
            return self.unsupported(
                &e,
                "the function that is called here is no name",
                "give the closure a name with `let`, or call a function by its name",
            );
        };
        if p.qself.is_some() {
            return self.unsupported(
                &e,
                "a call by `<T as Trait>::method` has no derivative",
                "use a method call",
            );
        }
        let segments = syntax::segments(&p.path);
        let last = segments.last().cloned().unwrap_or_default();
        if segments.len() == 1 {
            if let Some(var) = self.lookup(&last) {
                if let Some(closure) = self.closures.get(&var).cloned() {
                    return self.call_closure(&closure, c, out);
                }
                if let Some(function) = self.functions.get(&var).cloned() {
                    return self.call_parameter(var, &function, c, out);
                }
                return self.unsupported(
                    &e,
                    "this variable is no closure or function whose code is known here",
                    "define it in this function with `let`, or make it a `#[differentiable]` function",
                );
            }
        }
        let constant = segments.len() == 2 && matches!(last.as_str(), "lit" | "from_f64");
        if constant && c.args.iter().any(|a| self.maybe_active(a)) {
            let owner = &segments[0];
            return self.unsupported(
                &e,
                &format!("`{owner}::{last}` makes a constant of an active value, which loses its derivative,"),
                &format!("take the value as `{owner}`, or pass `stop_gradient(..)` of it"),
            );
        }
        // A method of this type called by its path.
        let is_method = self.siblings.is_some_and(|s| s.is_method(&p.path));
        if let (true, Some(receiver)) = (is_method, c.args.first()) {
            let name = &p.path.segments[segments.len() - 1].ident;
            let mut m: syn::ExprMethodCall = syn::parse_quote!(receiver.#name());
            *m.receiver = match receiver {
                Expr::Reference(r) => (*r.expr).clone(),
                e => e.clone(),
            };
            m.args = c.args.iter().skip(1).cloned().collect();
            return self.method(&m, out);
        }
        // `f64::max(a, b)` is the method.
        if segments.len() == 2 && matches!(segments[0].as_str(), "f64" | "f32") {
            if let (Some(receiver), rest) = (c.args.first(), c.args.iter().skip(1)) {
                let mut m: syn::ExprMethodCall = {
                    let name = &p.path.segments[1].ident;
                    syn::parse_quote!(receiver.#name())
                };
                *m.receiver = receiver.clone();
                m.args = rest.cloned().collect();
                if numbers::method(&last, m.args.len()).is_some() || last == "powi" {
                    return self.method(&m, out);
                }
                return self.unsupported(
                    &e,
                    &format!("`{}::{last}` has no derivative", segments[0]),
                    "use a method with a rule, or `as` for conversions",
                );
            }
        }
        if last == "new" && segments.len() == 2 && segments[0] == "Box" && c.args.len() == 1 {
            return Rhs::Call {
                path: syn::parse_quote!(::differentiable::__rt::boxed),
                args: self.args(c.args.iter(), out),
            };
        }
        let owner = segments.iter().rev().nth(1).map(String::as_str);
        if last == "new" && matches!(owner, Some("Rc" | "Arc" | "Cell" | "RefCell" | "Mutex")) {
            return self.unsupported(
                &e,
                "a shared or locked active value is not supported",
                "use the value itself, a reference to it, or a `Box`",
            );
        }
        if last == "from" && segments.len() >= 2 && segments[segments.len() - 2] == "Vec" {
            if let Some(Expr::Array(a)) = c.args.first() {
                return Rhs::VecList(self.operands(&a.elems.iter().collect::<Vec<_>>(), out));
            }
        }
        let upper = last.chars().next().is_some_and(char::is_uppercase);
        if upper {
            if last == "Err" {
                return self.error_value(c);
            }
            let operands = self.operands(&c.args.iter().collect::<Vec<_>>(), out);
            let fields = operands.into_iter().enumerate();
            return Rhs::Struct(Literal {
                path: p.path.clone(),
                tuple: true,
                fields: fields.map(|(i, o)| (syn::Member::from(i), o)).collect(),
                base: None,
                replaced: Vec::new(),
            });
        }
        if segments.len() >= 2
            && segments[segments.len() - 2] == "mem"
            && matches!(last.as_str(), "swap" | "replace" | "take")
        {
            return self.unsupported(
                &e,
                "this call of `std::mem::swap`, `replace` or `take` changes an active value in the middle of an expression",
                "use assignments",
            );
        }
        let exchanges = matches!(segments.as_slice(), [.., rt, name]
            if rt == "__rt" && ["swap", "replace"].contains(&name.as_str()));
        let mut lent = c.args.iter().filter(|a| self.lends_a_reference(a));
        if let Some(reference) = lent.next().filter(|_| exchanges) {
            return self.unsupported(
                reference,
                "swapping or replacing a reference is not supported",
                "exchange the values, `std::mem::swap(a, b)`",
            );
        }
        let unfollowed = self.unfollowed(&c.args.iter().collect::<Vec<_>>(), false);
        let state = self.state_of_solver(c);
        let around = std::mem::replace(&mut self.state, state);
        let mut args = self.args(c.args.iter(), out);
        self.state = around;
        args.iter_mut()
            .zip(unfollowed)
            .for_each(|(a, u)| a.unfollowed = u);
        self.settle_lends(None, &mut args);
        Rhs::Call {
            path: p.path.clone(),
            args,
        }
    }

    /// `&mut p` of a name that is a mutable reference itself.
    fn lends_a_reference(&self, e: &Expr) -> bool {
        let Expr::Reference(r) = e else {
            return false;
        };
        let name = match &*r.expr {
            Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        let var = name.and_then(|n| self.lookup(&n)).map(|v| &self.vars[v]);
        var.is_some_and(|v| v.by_name && v.hold != Hold::Value && v.alias.is_some())
    }

    /// `Err(e)`: an error carries no derivative.
    fn error_value(&mut self, c: &syn::ExprCall) -> Rhs {
        let e = Expr::Call(c.clone());
        for a in &c.args {
            if self.maybe_active(a) {
                self.cx.error(
                    a,
                    "an error carries no derivative: wrap the value in `no_grad!`",
                );
            }
        }
        Rhs::Native(self.native(&e))
    }

    pub(super) fn struct_literal(&mut self, s: &syn::ExprStruct, out: &mut Vec<Stmt>) -> Rhs {
        if s.qself.is_some() {
            return self.unsupported(
                &Expr::Struct(s.clone()),
                "this struct literal is not supported",
                "name the type",
            );
        }
        let values: Vec<&Expr> = s.fields.iter().map(|f| &f.expr).collect();
        let operands = self.operands(&values, out);
        let members = s.fields.iter().map(|f| f.member.clone());
        let fields: Vec<_> = members.zip(operands).collect();
        let (mut base, mut replaced) = (None, Vec::new());
        if let Some(e) = &s.rest {
            let operand = self.expr(e, out);
            let operand = self.named(operand, out);
            if let (Some(place), true) = (operand.place(), self.maybe_active(e)) {
                let place = place.clone();
                replaced = fields
                    .iter()
                    .map(|(m, _)| {
                        let part = project(&place, Projection::Field(m.clone()), Ty::Unknown);
                        self.witness_of(part, out)
                    })
                    .collect();
            }
            base = Some(operand);
        }
        Rhs::Struct(Literal {
            path: s.path.clone(),
            tuple: false,
            fields,
            base,
            replaced,
        })
    }

    pub(super) fn macro_expr(&mut self, m: &syn::ExprMacro, out: &mut Vec<Stmt>) -> Rhs {
        let e = Expr::Macro(m.clone());
        if syntax::is_statement_macro(&m.mac) {
            return Rhs::Native(self.native(&e));
        }
        if m.mac.path.is_ident("vec") {
            let tokens = m.mac.tokens.clone();
            if let Ok(r) = syn::parse2::<syn::ExprRepeat>(quote::quote!([#tokens])) {
                let value = self.expr(&r.expr, out);
                return Rhs::Repeat {
                    value,
                    len: self.once(&r.len, out),
                    vec: true,
                };
            }
            if let Ok(a) = syn::parse2::<syn::ExprArray>(quote::quote!([#tokens])) {
                return Rhs::VecList(self.operands(&a.elems.iter().collect::<Vec<_>>(), out));
            }
        }
        if let Some(meaning) = crate::input::own_macros::meaning(&m.mac) {
            return match meaning {
                Ok(meaning) => self.rhs(&meaning, out),
                Err(error) => {
                    self.cx.error_at(error.span(), error.to_string());
                    self.poison(&e)
                }
            };
        }
        if let Some(array) = crate::input::grids::array_macro(&m.mac) {
            return self.rhs(&array, out);
        }
        let name = m.mac.path.to_token_stream();
        self.unsupported(
            &e,
            &format!("the macro `{name}!` hides code from the derivative"),
            "write out what it expands to, or wrap it in `no_grad!` if it needs no gradient",
        )
    }
}
