//! Lowers arguments that a call may change.
//!
//! The accumulator of what is lent mutably holds the cotangent of the state after the call, and the
//! pullback leaves that of the state before it. The pullback does not see the state itself, which
//! has changed since: what it needs of it, it has kept.

use crate::ir::*;
use crate::knowledge::sequences::PURE;
use crate::lower::Lower;
use crate::syntax;
use syn::Expr;

impl Lower<'_> {
    /// An argument of a call.
    pub fn arg(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Arg {
        if let Some(function) = self.function_arg(e, out) {
            return function;
        }
        match e {
            Expr::Paren(p) => self.arg(&p.expr, out),
            // A constant that is a reference is lent by its name: a rule with a parameter of any type would not see through two.
            Expr::Reference(r)
                if r.mutability.is_none() && self.is_ref_var(&r.expr) && !self.reads_active(e) =>
            {
                self.arg(&r.expr, out)
            }
            Expr::Reference(r) if r.mutability.is_some() => {
                let place = if self.maybe_active(&r.expr) {
                    self.write_place(&r.expr, out)
                } else {
                    None
                };
                match place {
                    Some(place) => {
                        self.lent.push(place.root);
                        Arg {
                            lend: Lend::Mut,
                            ..Arg::shared(Operand::Place {
                                place,
                                by_ref: true,
                            })
                        }
                    }
                    None => Arg {
                        lend: Lend::Mut,
                        ..Arg::shared(Operand::Native(self.native(e)))
                    },
                }
            }
            e => {
                let named = self.named_reference(e);
                let operand = match self.made_before(e, out) {
                    Some(made) => made,
                    None => self.expr(e, out),
                };
                let operand = match named {
                    true => operand,
                    false => self.taken_out(operand, out),
                };
                let lend = match (&operand, named) {
                    (Operand::Place { place, .. }, true) => {
                        self.lent.push(place.root);
                        Lend::Maybe
                    }
                    (Operand::Native(_), true) => {
                        let root = syntax::root_name(e).and_then(|n| self.lookup(&n));
                        self.lent.extend(root);
                        Lend::Mut
                    }
                    _ => Lend::Shared,
                };
                Arg {
                    lend,
                    ..Arg::shared(operand)
                }
            }
        }
    }

    /// A value that is copied from behind a mutable reference: in the reverse pass it is not there any
    /// more, and its type is asked for.
    pub fn taken_out(&mut self, o: Operand, out: &mut Vec<Stmt>) -> Operand {
        match &o {
            Operand::Place {
                place,
                by_ref: false,
            } if self.vars[place.root].hold == Hold::Mut && !place.ty.is_float() => {
                self.copied(o, out)
            }
            _ => o,
        }
    }

    /// A value from the half of a sequence whose other half is lent before it is copied: in emitted
    /// code both are parts of one variable.
    pub fn beside(&mut self, o: Operand, before: &[Arg], out: &mut Vec<Stmt>) -> Operand {
        let half = |p: &Projection| matches!(p, Projection::Range(_));
        let halves = o.place().is_some_and(|p| p.projections.iter().any(half));
        match halves && before.iter().any(|a| self.lends(a, &o)) {
            true => self.copied(o, out),
            false => o,
        }
    }

    /// The arguments of a method, without values from the receiver: `state.add(state.x)`.
    pub fn beside_receiver(&mut self, receiver: &Arg, args: &mut [Arg], out: &mut Vec<Stmt>) {
        for a in args {
            if a.lend == Lend::Shared && self.lends(receiver, &a.operand) {
                a.operand = self.copied(a.operand.clone(), out);
            }
        }
    }

    /// Whether an argument lends the variable that a value is read from.
    fn lends(&self, lent: &Arg, value: &Operand) -> bool {
        match value {
            Operand::Place {
                place,
                by_ref: false,
            } => {
                lent.lend != Lend::Shared
                    && lent.operand.place().map(|p| p.root) == Some(place.root)
            }
            _ => false,
        }
    }

    /// A copy of what is in a place.
    pub fn copied(&mut self, o: Operand, out: &mut Vec<Stmt>) -> Operand {
        match o {
            Operand::Place { place, .. } => {
                let (ty, span) = (place.ty.clone(), place.span);
                self.define(Rhs::Snapshot(place), ty, span, out)
            }
            o => o,
        }
    }

    /// What two arguments borrow is lent to both as shared.
    pub fn settle_lends(&mut self, receiver: Option<&mut Arg>, args: &mut [Arg]) {
        let parted = parted(receiver.as_deref(), &args.iter().collect::<Vec<_>>());
        for (a, parted) in args.iter_mut().zip(parted) {
            a.parted = parted;
        }
        let mut args: Vec<&mut Arg> = receiver.into_iter().chain(args).collect();
        let borrowed: Vec<Option<(Place, bool)>> = args
            .iter()
            .map(|a| match &a.operand {
                Operand::Place { place, by_ref } if *by_ref || a.lend != Lend::Shared => {
                    Some((place.clone(), a.parted))
                }
                _ => None,
            })
            .collect();
        for (i, a) in args.iter_mut().enumerate() {
            let Some((place, parted)) = &borrowed[i] else {
                continue;
            };
            let mut others = borrowed.iter().enumerate().filter(|(j, _)| *j != i);
            let shared = others.any(|(_, o)| {
                o.as_ref()
                    .is_some_and(|(o, p)| meet((place, *parted), (o, *p)))
            });
            if a.lend == Lend::Maybe && shared {
                a.lend = Lend::Shared;
                if let Some(k) = self.lent.iter().rposition(|v| *v == place.root) {
                    self.lent.remove(k);
                }
            }
        }
    }

    /// Which expressions lend a constant that an active value could be stored in: only the types of the called function
    /// tell whether it checks that.
    pub fn unfollowed(&self, exprs: &[&Expr], receiver: bool) -> Vec<bool> {
        let unfollowed = |(k, e): (usize, &&Expr)| {
            let lent = match e {
                Expr::Reference(r) => r.mutability.is_some(),
                e => self.named_reference(e) || (receiver && k == 0),
            };
            let root = syntax::root_name(e).and_then(|n| self.lookup(&n));
            let constant = root.map(|v| &self.vars[v]).is_some_and(|v| {
                !v.maybe_active && !v.ty.is_discrete() && (v.mutable || v.hold == Hold::Mut)
            });
            let mut others = exprs.iter().enumerate().filter(|(i, _)| *i != k);
            lent && constant && others.any(|(_, e)| self.maybe_active(e))
        };
        exprs.iter().enumerate().map(unfollowed).collect()
    }

    /// Whether an expression is the name of a mutable reference.
    pub fn named_reference(&self, e: &Expr) -> bool {
        let Expr::Path(p) = e else { return false };
        let var = p.path.get_ident().and_then(|i| self.lookup(&i.to_string()));
        var.is_some_and(|v| {
            let v = &self.vars[v];
            v.hold == Hold::Mut || (v.hold == Hold::Ref && v.mutable)
        })
    }

    /// The receiver of a method, which may take `&mut self`.
    pub fn lent_receiver(&mut self, m: &syn::ExprMethodCall, out: &mut Vec<Stmt>) -> Arg {
        let (e, name) = (&*m.receiver, m.method.to_string());
        let explicit = match e {
            Expr::Paren(p) => matches!(&*p.expr, Expr::Reference(r) if r.mutability.is_some()),
            _ => false,
        };
        if explicit {
            return self.arg(e, out);
        }
        let var = syntax::root_name(e).and_then(|n| self.lookup(&n));
        let mutable = var.is_some_and(|v| self.vars[v].mutable);
        let of_self = matches!(e, Expr::Path(p) if p.path.is_ident("self"));
        // A part of `self` is asked to do the same.
        let part = syntax::root_name(e).is_some_and(|n| n == "self");
        let sibling = self.siblings.and_then(|s| s.takes_mut(&name));
        let told = self.changes_receiver(m);
        let lend = match sibling {
            _ if !mutable || PURE.contains(&name.as_str()) => Lend::Shared,
            _ if told == Some(false) => Lend::Shared,
            // A constant is read again.
            _ if told == Some(true) && self.maybe_active(e) => Lend::Mut,
            Some(true) if part => Lend::Mut,
            Some(false) if of_self => Lend::Shared,
            _ => Lend::Maybe,
        };
        let operand = self.receiver(e, out);
        match operand.place() {
            Some(place) if lend != Lend::Shared => {
                self.lent.push(place.root);
                Arg {
                    lend,
                    ..Arg::shared(operand)
                }
            }
            _ => Arg::shared(operand),
        }
    }
}
