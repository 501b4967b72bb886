//! Derivatives of higher order: what the companions of a `#[differentiable(higher_order)]` function are
//! made of.
//!
//! Such a function has its companions twice: for `f64`, as every function, and over any [`Number`], in a
//! type of their own that [`Over`] leads to. Run on [`Dual`](super::Dual)s, the second kind gives derivatives of
//! derivatives:
//!
//! | | runs | on |
//! |---|---|---|
//! | `f::hvp` | the pullback once | [`Dual<f64>`](super::Dual): each argument with its tangent |
//! | `f::hessian` | the pullback, once for up to eight rows | `Dual<f64, K>`: unit tangents |
//! | `f::jacobian_fwd` | the function, once for up to eight columns | `Dual<f64, K>`: unit tangents |
//! | `g::grad` inside of another function | the pullback | `Dual<S>`, where `S` is the scalar outside |
//!
//! [`Lift`] takes arguments to duals and gradients back.

mod constant;
mod layout;
mod lift;
mod lower;
pub mod native;
mod number;
mod open;
mod operators;
mod over;
mod pairing;
mod pool;
mod recast;
mod setting;
mod unlifted;
mod with_scalar;

pub use constant::{Constant, ConstantPart, ConstantValue, CopiedPart, KnownPart, LentPart};
pub use layout::Layout;
pub use lift::{Lift, along, lift_entries, part, scalars, value_part};
pub use lower::Lower;
pub use number::{
    CastTo, CastToOther, Held, Number, NumberRef, Plain, PlainValue, float, float_rule, held,
};
pub use open::{Has, HasNot, Lends, Open, OpenArgument, OpenMethods, OpenValue, OverOrNot};
pub use operators::{
    Loss, Row, ScalarValue, Seeds, dense_at_once, dense_by_columns, dense_by_rows, entries_of,
    hessian, jacobian_by_columns, jacobian_within, matrix_by_columns, product, product_open,
    product_within, reverse_is_shorter, row_within, sweeps, unit, value_within,
};
pub use over::{Choice, Choose, FirstOrder, HasHessian, Over, OwnScalar, Owned};
pub use pairing::Pairing;
pub use recast::{Original, Recast, ToFloats, ToScalars};
pub use setting::{Setting, SettingValue, TakenAs};
pub use unlifted::{KnownOver, Times, TimesLeft, TimesRight, Unlifted, known, known_pull};
pub use with_scalar::{Beside, WithScalar};
