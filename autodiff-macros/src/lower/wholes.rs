//! The types of variables as the definitions in the file tell them: of structs, so that those of their fields are known.

use crate::ir::*;
use crate::lower::Lower;
use syn::Expr;

impl Lower<'_> {
    /// The type of a value, as `let` says it or as the value tells.
    pub fn whole_of(&self, rhs: &Rhs, said: Option<Typed>) -> Option<Typed> {
        let of = |p: &Place| self.vars[p.root].part(&p.projections);
        let told = match rhs {
            Rhs::Copy(Operand::Place { place, .. }) | Rhs::Borrow(place) | Rhs::Snapshot(place) => {
                of(place)
            }
            Rhs::Method { receiver, name, .. } if name == "to_vec" => {
                receiver.operand.place().and_then(of)
            }
            Rhs::Method { receiver, name, .. } => {
                let receiver = receiver.operand.place().and_then(of);
                receiver.and_then(|r| r.returned(&name.to_string()))
            }
            Rhs::Call { path, .. } => self.returned(path),
            Rhs::Op(op, operands) => {
                let name = crate::code::operator(*op, operands);
                let first = operands.first().and_then(Operand::place).and_then(of);
                first.and_then(|f| f.returned(name?))
            }
            Rhs::Struct(literal) if literal.path.is_ident("Self") => self.itself(),
            Rhs::Struct(literal) => {
                let path = &literal.path;
                Some(self.cx.definitions.typed(&syn::parse_quote!(#path)))
            }
            _ => None,
        };
        told.or(said)
    }

    /// Whether a function of the file makes a value, and takes little.
    pub(super) fn is_small(&self, rhs: &Rhs) -> bool {
        let of = |o: &Operand| {
            let place = o.place()?;
            self.vars[place.root].part(&place.projections)
        };
        let small = match rhs {
            Rhs::Call { path, .. } => {
                let segments: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
                match segments.as_slice() {
                    [of, name] => self.of_type(of).map(|of| of.is_small(name)),
                    [name] if self.lookup(name).is_none() => {
                        Some(self.cx.definitions.is_small(name))
                    }
                    _ => None,
                }
            }
            Rhs::Method { receiver, name, .. } => {
                of(&receiver.operand).map(|of| of.is_small(&name.to_string()))
            }
            Rhs::Op(op, operands) => {
                let first = operands.first().and_then(of);
                let name = crate::code::operator(*op, operands);
                first.zip(name).map(|(of, name)| of.is_small(name))
            }
            _ => None,
        };
        small.unwrap_or(false)
    }

    /// The type of a name before `::`.
    fn of_type(&self, name: &str) -> Option<Typed> {
        match name {
            "Self" => self.itself(),
            name => Some(self.cx.definitions.typed(&syn::parse_str(name).ok()?)),
        }
    }

    /// What `f(…)`, `Type::f(…)` and `Self::f(…)` return.
    fn returned(&self, path: &syn::Path) -> Option<Typed> {
        let segments: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        match segments.as_slice() {
            [of, name] => self.of_type(of)?.returned(name),
            [name] if self.lookup(name).is_none() => self.cx.definitions.returned(name),
            _ => None,
        }
    }

    /// What is known of the type of an inactive part of a value.
    pub(super) fn numbers_of(&self, e: &Expr) -> Ty {
        let part = matches!(e, Expr::Field(_) | Expr::Index(_));
        let typed = part.then(|| self.typed(e)).flatten();
        typed.and_then(|t| t.numbers()).unwrap_or(Ty::Unknown)
    }

    /// The type of a place, as definitions tell it.
    pub(super) fn typed(&self, e: &Expr) -> Option<Typed> {
        match e {
            Expr::Paren(p) => self.typed(&p.expr),
            Expr::Group(g) => self.typed(&g.expr),
            Expr::Reference(r) => self.typed(&r.expr),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                let of = self.typed(&u.expr)?;
                Some(of.inside().unwrap_or(of))
            }
            Expr::Path(p) => {
                let var = self.lookup(&p.path.get_ident()?.to_string())?;
                match &self.vars[var].alias {
                    Some(of) => self.vars[of.root].part(&of.projections),
                    None => self.vars[var].whole.clone(),
                }
            }
            Expr::Field(f) => self.typed(&f.base)?.field(&f.member),
            Expr::Index(i) => {
                let whole = self.typed(&i.expr)?;
                let entry = whole.entry()?;
                let range = matches!(&*i.index, Expr::Range(_));
                Some(if range { whole } else { entry })
            }
            _ => None,
        }
    }

    /// The type of `self`.
    pub(super) fn itself(&self) -> Option<Typed> {
        let name = self.siblings?.ty.as_ref()?;
        Some(self.cx.definitions.typed(&syn::parse_quote!(#name)))
    }
}
