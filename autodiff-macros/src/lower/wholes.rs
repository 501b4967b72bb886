//! The types of variables as the definitions in the file tell them: of structs, so that those of their fields are known.

use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::lower::Lower;
use crate::syntax;
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
                let first = operands.first().and_then(|o| self.type_of(o));
                first.and_then(|f| f.returned(name?))
            }
            Rhs::Native(n) => self.typed(&n.expr),
            Rhs::Tuple(parts) => Typed::tuple(parts.iter().map(|o| self.type_of(o)).collect()),
            Rhs::Array(all) => Typed::entries(all.iter().map(|o| self.type_of(o)), true),
            Rhs::VecList(all) => Typed::entries(all.iter().map(|o| self.type_of(o)), false),
            Rhs::Repeat { value, vec, .. } => {
                Typed::entries(std::iter::once(self.type_of(value)), !vec)
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

    /// The type of an operand.
    pub(super) fn type_of(&self, o: &Operand) -> Option<Typed> {
        let told = match o {
            Operand::Place { place, .. } => self.vars[place.root].part(&place.projections),
            Operand::Native(n) => self.typed(&n.expr),
        };
        told.or_else(|| o.ty().is_numbers().then(|| Typed::Numbers(o.ty())))
    }

    /// The type of what the arms of a branch give, which is one.
    pub(super) fn type_of_arms(&self, arms: &[Arm]) -> Option<Typed> {
        let results = arms.iter().filter_map(|a| a.block.result.as_ref());
        results.map(|o| self.type_of(o)).reduce(Typed::either)?
    }

    /// Whether a value is that of an operator of a type of the file: no rule says what its pullback reads.
    pub(super) fn is_own_operator(&self, rhs: &Rhs) -> bool {
        let Rhs::Op(op @ (Op::Add | Op::Sub | Op::Mul), operands) = rhs else {
            return false;
        };
        let own = |o: &Operand| self.type_of(o).is_some_and(|t| t.is_of_file());
        crate::code::operator(*op, operands).is_some() && operands.iter().any(own)
    }

    /// Whether a function of the file makes a value, and takes little.
    pub(super) fn is_small(&self, rhs: &Rhs) -> bool {
        let of = |o: &Operand| self.type_of(o);
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

    /// The type of `Type { … }`, `Type(…)` and `f(…)`.
    fn made(&self, path: &syn::Path) -> Option<Typed> {
        let literal = || {
            let name = path.get_ident()?.to_string();
            self.of_type(&name).filter(Typed::is_of_file)
        };
        self.returned(path).or_else(literal)
    }

    /// What is known of the type of an inactive expression.
    pub fn ty_of(&self, e: &Expr) -> Ty {
        syntax::expr_ty(e, &|place| self.place_ty(place))
    }

    /// What is known of the type of a variable, a constant of the file, a field or an entry.
    fn place_ty(&self, e: &Expr) -> Ty {
        let told = match e {
            Expr::Path(p) => {
                let name = p
                    .path
                    .get_ident()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                match self.lookup(&name) {
                    Some(var) => return self.vars[var].ty.clone(),
                    None => self.cx.definitions.constant(&name),
                }
            }
            e => self.told(e),
        };
        told.and_then(|t| t.numbers()).unwrap_or(Ty::Unknown)
    }

    /// The same, also of a part of a constant field.
    pub(super) fn told(&self, e: &Expr) -> Option<Typed> {
        self.typed(e).or_else(|| self.typed_constant(e))
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
            Expr::MethodCall(m) => self.typed(&m.receiver)?.returned(&m.method.to_string()),
            Expr::Struct(s) => self.made(&s.path),
            Expr::Repeat(r) => Typed::entries([self.typed_entry(&r.expr)].into_iter(), true),
            Expr::Array(a) => Typed::entries(a.elems.iter().map(|e| self.typed_entry(e)), true),
            Expr::Call(c) => match &*c.func {
                Expr::Path(f) if f.qself.is_none() => self.made(&f.path),
                _ => None,
            },
            Expr::Index(i) => {
                let whole = self.typed(&i.expr)?;
                let entry = whole.entry()?;
                let range = matches!(&*i.index, Expr::Range(_));
                Some(if range { whole } else { entry })
            }
            _ => None,
        }
    }

    /// The type of an entry of an array: a place, or numbers.
    fn typed_entry(&self, e: &Expr) -> Option<Typed> {
        let numbers = || Some(self.ty_of(e)).filter(Ty::is_numbers);
        self.typed(e).or_else(|| numbers().map(Typed::Numbers))
    }

    /// Whether this is a float in a constant field, or a reference to one.
    pub(super) fn is_constant_number(&self, e: &Expr) -> bool {
        match e {
            Expr::Reference(r) if r.mutability.is_none() => self.is_constant_number(&r.expr),
            e => {
                let numbers = self.typed_constant(e).and_then(|of| of.numbers());
                numbers.is_some_and(|ty| ty.is_float())
            }
        }
    }

    /// The type of a part of a constant field.
    fn typed_constant(&self, e: &Expr) -> Option<Typed> {
        match e {
            Expr::Paren(p) => self.typed_constant(&p.expr),
            Expr::Field(f) => {
                let of = |e: &Expr| self.typed(e)?.constant_field(&f.member);
                let inside = |e: &Expr| self.typed_constant(e)?.field(&f.member);
                of(&f.base).or_else(|| inside(&f.base))
            }
            Expr::Index(i) if !matches!(&*i.index, Expr::Range(_)) => {
                self.typed_constant(&i.expr)?.entry()
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
