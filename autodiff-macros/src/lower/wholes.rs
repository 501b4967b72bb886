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
            Rhs::Struct(literal) if literal.path.is_ident("Self") => self.itself(),
            Rhs::Struct(literal) => {
                let path = &literal.path;
                Some(self.cx.definitions.typed(&syn::parse_quote!(#path)))
            }
            _ => None,
        };
        told.or(said)
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
