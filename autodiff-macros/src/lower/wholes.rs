//! The types of variables as the definitions in the file tell them: of structs, so that those of their fields are known.

use crate::ir::*;
use crate::lower::Lower;

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

    /// The type of `self`.
    pub(super) fn itself(&self) -> Option<Typed> {
        let name = self.siblings?.ty.as_ref()?;
        Some(self.cx.definitions.typed(&syn::parse_quote!(#name)))
    }
}
