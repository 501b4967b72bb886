//! Types, as far as syntax tells them: what the derivative asks of one.

/// What is known of a type from the syntax alone.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// A float of this written type: `f32` or `f64`.
    Float(&'static str),
    /// A float literal whose type is still open.
    OpenFloat,
    /// Integers, booleans, strings: no derivative.
    Discrete,
    /// A tensor of integers or truth values: no derivative, and not `Copy`.
    Indices,
    /// An array, slice or `Vec` of this.
    Seq(Box<Ty>),
    Unknown,
}

impl Ty {
    /// A float whose type is written somewhere: it needs no witness.
    pub fn is_known(&self) -> bool {
        matches!(self, Ty::Float(_))
    }
    /// Copied, never moved; cheap to keep.
    pub fn is_float(&self) -> bool {
        matches!(self, Ty::Float(_) | Ty::OpenFloat)
    }
    /// Without a derivative.
    pub fn is_discrete(&self) -> bool {
        matches!(self, Ty::Discrete | Ty::Indices)
    }
    /// A float, or a sequence of floats, of sequences of floats, and so on.
    pub fn is_numbers(&self) -> bool {
        match self {
            Ty::Seq(of) => of.is_numbers(),
            ty => ty.is_float(),
        }
    }
    pub fn is_copy(&self) -> bool {
        self.is_float() || *self == Ty::Discrete
    }
}

pub fn elem(ty: &Ty) -> Ty {
    match ty {
        Ty::Seq(t) => (**t).clone(),
        Ty::Discrete | Ty::Indices => ty.clone(),
        _ => Ty::Unknown,
    }
}
