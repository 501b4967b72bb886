//! What each name in a record stands for, and how large it is.

use super::*;
use crate::code::operator;

impl Report<'_> {
    pub(super) fn entry(&self, name: &Ident) -> Kept {
        let text = name.to_string();
        match self.names.get(&text) {
            Some(Name::Value(v)) => self.value(*v),
            Some(Name::Witness(v)) => {
                let var = &self.f.vars[*v];
                let size = match var.ty {
                    Ty::OpenFloat | Ty::Float(_) | Ty::Discrete | Ty::Indices => Size::nothing(),
                    _ => Size::unknown(format!("the sizes of `{}`", var.name)),
                };
                Kept {
                    what: format!("the type of `{}` (no bytes for a scalar)", self.shown(*v)),
                    size,
                }
            }
            Some(Name::Pullback(v)) => self.pullback(*v),
            Some(Name::Selection(v)) => {
                let of_scalars = self.f.vars[*v].ty.is_float();
                let spare = match self.guess.defs.get(v) {
                    Some(Rhs::Op(Op::Clamp, _)) => 252,
                    _ => 253,
                };
                Kept {
                    what: format!("which operand `{}` took", self.shown(*v)),
                    size: match of_scalars {
                        true => Size::of(1, 1, spare),
                        false => Size::unknown("a selection (1 byte for a scalar)"),
                    },
                }
            }
            Some(Name::Operator(v)) => Kept {
                what: format!("what the operator of `{}` keeps", self.shown(*v)),
                size: Size::unknown("what an operator keeps"),
            },
            None => self.other(&text),
        }
    }

    /// Whether it is what an operator keeps whose pullback gets both operands again.
    pub(super) fn is_nothing(&self, name: &Ident) -> bool {
        let Some(Name::Operator(v)) = self.names.get(&name.to_string()) else {
            return false;
        };
        match self.guess.defs.get(v) {
            Some(Rhs::Op(op, o)) => {
                operator(*op, o).is_some_and(|name| self.x.vjp.is_of_values(*v, name, o))
            }
            _ => false,
        }
    }

    /// Branches, counts, and accumulators that accept nothing.
    fn other(&self, name: &str) -> Kept {
        let number = |prefix: &str| name.strip_prefix(prefix).and_then(|n| n.parse().ok());
        if let Some(id) = number("branch") {
            let size = arms_of(&self.f.body, id).map_or_else(Size::nothing, |a| self.branch(a));
            return Kept {
                what: format!("branch {id}"),
                size,
            };
        }
        if let Some(id) = number("trips") {
            let id: usize = id;
            return Kept {
                what: format!("how often loop {id} ran"),
                size: Size::of(8, 8, 0),
            };
        }
        let tape = name.strip_prefix("start").and_then(|n| n.split_once('_'));
        if let Some((id, inner)) = tape {
            return Kept {
                what: format!("what loop {inner} had kept before loop {id}"),
                size: Size::of(8, 8, 0),
            };
        }
        if let Some(kept) = self.snapshots(name) {
            return kept;
        }
        if number("kept").is_some() {
            return Kept {
                what: "what the operator of an assignment keeps".into(),
                size: Size::unknown("what an operator keeps"),
            };
        }
        // `z1_v4`: the derivative of the second argument of `v4 = f(a, b)` is not asked for.
        let argument = name.strip_prefix('z').and_then(|n| n.split_once('_'));
        let passed = argument.and_then(|(i, v)| {
            let Some(Name::Value(v)) = self.names.get(v) else {
                return None;
            };
            let call = self.guess.defs.get(v)?;
            let args: &[Arg] = match call {
                Rhs::Call { args, .. } | Rhs::Method { args, .. } => args,
                _ => return None,
            };
            Some((args.get(i.parse::<usize>().ok()?)?, called(call)?))
        });
        let (what, size) = match passed {
            Some((arg, callee)) => (
                format!("the place for a derivative that `{callee}` is not asked for"),
                match arg.operand.ty() {
                    Ty::Unknown | Ty::Seq(_) => Size::unknown("a place for a derivative"),
                    _ => Size::nothing(),
                },
            ),
            None => (
                format!("`{name}`"),
                Size::unknown(format!("`{name}`, of unknown size")),
            ),
        };
        Kept { what, size }
    }

    pub(super) fn value(&self, v: VarId) -> Kept {
        let ty = &self.f.vars[v].ty;
        let guessed = self.guess.var(v);
        let what = match (&guessed, ty) {
            (_, Ty::Float(name)) => format!("`{}`, `{name}`", self.shown(v)),
            (Some(t), _) => {
                let t = self.tokens(t.to_token_stream());
                format!("`{}`, `{t}`", self.shown(v))
            }
            _ => format!("`{}`", self.shown(v)),
        };
        let size = match ty {
            Ty::Float("f32") => Size::of(4, 4, 0),
            Ty::Float(_) => Size::of(8, 8, 0),
            _ => guessed
                .as_ref()
                .and_then(Size::of_type)
                .unwrap_or_else(|| Size::unknown(self.unknown(v, guessed.as_ref()))),
        };
        Kept { what, size }
    }

    fn unknown(&self, v: VarId, ty: Option<&syn::Type>) -> String {
        if let Some(t) = ty {
            return format!("the size of `{}`", self.tokens(t.to_token_stream()));
        }
        let name = &self.f.vars[v].name;
        match &self.f.vars[v].ty {
            Ty::Discrete | Ty::Indices => {
                format!("`{name}`, an integer or other data of unknown size")
            }
            Ty::OpenFloat => format!("`{name}`, a float of unknown size"),
            Ty::Seq(_) => format!("`{name}`, a sequence of unknown size"),
            _ => format!("`{name}`, of unknown size"),
        }
    }

    pub(super) fn pullback(&self, v: VarId) -> Kept {
        let call = self.guess.defs.get(&v);
        if let Some((region, inputs)) = call.and_then(|c| self.region(c)) {
            let what = region.formula(&inputs);
            return match region.has_slopes() {
                false => {
                    let kept = self.read_again(v, region, &inputs).join(", ");
                    let size = match kept.is_empty() {
                        true => Size::nothing(),
                        false => Size::unknown(kept.clone()),
                    };
                    let kept = match kept.is_empty() {
                        true => "nothing".to_string(),
                        false => kept,
                    };
                    Kept {
                        what: format!("by the pullback of `{what}`: {kept}"),
                        size,
                    }
                }
                true => Kept {
                    what: format!("the derivatives of `{what}`"),
                    size: Size::unknown(format!("the derivatives of `{what}`")),
                },
            };
        }
        let name = call.and_then(|c| called(c)).unwrap_or_default();
        let boxed = call.is_some_and(|c| self.is_own(c));
        Kept {
            what: match boxed {
                true => format!("the pullback of `{name}`, in a box"),
                false => format!("the pullback of `{name}`"),
            },
            size: match boxed {
                true => Size::of(16, 8, 1),
                false => Size::unknown(format!("what `{name}` keeps")),
            },
        }
    }

    /// Whether a call is one of the function itself, as far as names tell.
    pub(super) fn is_own(&self, call: &Rhs) -> bool {
        let own = &self.x.sig.ident;
        match call {
            Rhs::Call { path, .. } => {
                let in_scope = self.x.kind == FunctionKind::Associated || path.segments.len() == 1;
                in_scope && path.segments.last().is_some_and(|s| s.ident == *own)
            }
            Rhs::Method { name, .. } => self.x.kind == FunctionKind::Associated && name == own,
            _ => false,
        }
    }
}
