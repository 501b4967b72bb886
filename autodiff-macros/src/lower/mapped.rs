//! `a.map(|x| e)` of an array of numbers that the types tell: a loop, as over a slice.
//!
//! ```text
//! let mut __mapped = a.clone();       // without a derivative: every entry is replaced
//! for __k in 0..a.len() { let x = a[__k]; __mapped[__k] = e; }
//! __mapped
//! ```
//!
//! Of another receiver the types of Rust choose between the methods of arrays and of `Option`, and a closure is passed on.

use crate::ir::{Rhs, Stmt, Ty};
use crate::lower::Lower;
use crate::syntax::{self, names::ident};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{parse_quote, Block, Expr, ExprClosure, ExprMethodCall};

impl Lower<'_> {
    /// The array, after the loop that fills it, if the values are numbers as the entries are.
    pub(super) fn mapped_array(&mut self, m: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<Rhs> {
        let [Expr::Closure(f)] = m.args.iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        if m.method != "map" || m.turbofish.is_some() || f.inputs.len() != 1 {
            return None;
        }
        let from = &m.receiver;
        let place = syntax::root_name(from).is_some_and(|name| self.lookup(&name).is_some());
        let whole = self.told(from).filter(|of| place && of.is_copy())?;
        let Some(Ty::Seq(entry)) = whole.numbers() else {
            return None;
        };
        let x = syntax::simple_name(&f.inputs[0])?;
        let of_entry = |e: &Expr| match e {
            Expr::Path(p) if p.path.is_ident(&x) => (*entry).clone(),
            e => self.ty_of(e),
        };
        let same = matches!(*entry, Ty::Float(_)) && syntax::expr_ty(value(f), &of_entry) == *entry;
        if !same || syntax::leaves(f.body.to_token_stream()) {
            return None;
        }
        let [mapped, k] = ["__mapped", "__k"].map(|n| ident(n.into()));
        self.active.extend([mapped.to_string(), x]);
        let (pat, body) = (&f.inputs[0], &f.body);
        self.push_env();
        let copy: Block = parse_quote!({ let mut #mapped = no_grad!(#from.clone()); });
        self.stmts_of(&copy, out);
        let var = self.lookup(&mapped.to_string())?;
        self.vars[var].ty = Ty::Seq(entry);
        self.vars[var].whole = Some(whole);
        let filled: Expr = parse_quote!(for #k in 0..#from.len() {
            let #pat = #from[#k];
            #mapped[#k] = #body;
        });
        self.stmt_expr(&filled, out);
        self.pop_env();
        Some(Rhs::Copy(self.var_operand(var, m.span())))
    }
}

/// What a closure gives, if it is one expression.
fn value(f: &ExprClosure) -> &Expr {
    match &*f.body {
        Expr::Block(b) => match b.block.stmts.as_slice() {
            [syn::Stmt::Expr(e, None)] => e,
            _ => &f.body,
        },
        e => e,
    }
}
