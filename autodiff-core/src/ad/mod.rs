//! Differentiation at run time: the traits that generated code is written against, the rules of
//! the primitive operations, and the loop tape.

/// Calls a macro with the integer types, and with the types that follow.
macro_rules! with_integers {
    ($callback:ident $($more:tt)*) => {
        $callback! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize $($more)* }
    };
}

/// The same with the types of the standard library that have no numbers, which the caller imports.
macro_rules! with_discrete {
    ($callback:ident) => {
        with_integers! { $callback bool char () String Ordering Duration Instant SystemTime PathBuf }
    };
}

mod basis;
mod batch;
mod boxes;
mod callable;
mod check;
mod checked;
mod checkpoint;
pub(crate) mod constant;
mod context;
mod cut;
mod dual;
mod emitted;
mod entries;
mod exchange;
mod extended;
mod field;
mod fill;
mod float_rules;
mod function;
mod held;
pub(crate) mod higher;
mod impls;
mod in_place;
mod inert;
mod integers;
mod jacobian;
mod lanes;
mod lend;
mod long_tape;
mod map;
mod matrix;
mod mixed;
mod mode;
mod operators;
mod option;
mod order;
mod output;
mod own;

mod pool;
mod pooled;
mod query;
mod remainders;
pub(crate) mod rules;
mod same;
mod scalar;
mod sides;
mod spot;
mod sums;
mod support;
mod tape;
mod traced;
mod traits;
mod trips;
mod variants;
pub(crate) mod viewed;
mod watch;
mod witness;

pub use autodiff_macros::HeapSize;
#[cfg(feature = "argmin")]
pub(crate) use basis::entries;
#[doc(hidden)]
pub use basis::rows_of_units;
#[doc(hidden)]
pub use batch::Batch;
#[doc(hidden)]
pub use boxes::{Boxed, boxed};
#[doc(hidden)]
pub use callable::{
    Argument, ByValue, Callable, Fixed, ForwardCallable, FunctionOfFunctions, HasGradient,
    OwnedAdj, OwnedCallable, OwnedForward, by_value, fixed,
};
pub use check::{
    Arguments, CheckOptions, GradientMismatch, Identity, check_grads, check_grads_with, check_hvp,
    check_hvp_with,
};
pub use checked::{Carries, CarriesAll, Checked, Errors, FieldOfVariant, Unchecked, Without};
pub use checkpoint::HeapSize;
#[doc(hidden)]
pub use checkpoint::{Action, Checkpoints, Saved, heap_size, saved, trip};
#[doc(hidden)]
pub use constant::{
    Changed, ChangedBy, ConstantField, Entered, EnteredParts, FieldOf, Inside, InsideConstant,
    Lendable, ModeOfValue, NoRoom, NoWitness, PartOf, PartOfCotangent, Passed, PassedRoom, Placed,
    Replaced, RoomIn, Within, WithinConstant, WithoutWitness, part_of, part_of_value, unfollowed,
};
#[doc(hidden)]
pub use context::{Context, context};
#[doc(hidden)]
pub use cut::{
    Cut, Finish, Hold, LocalBox, MayStay, Probe, SendBox, Sends, Stays, Unboxed, is_cut, weight,
};
pub use dual::Dual;
#[doc(hidden)]
pub use emitted::{
    Captures, F32, F64, Function, NotBoxed, Nothing, acc_vec, any, drop_last, end_of, last_mut,
    late, popped, same_as, stored, tangent_add, tangent_sum, this_method, witness_of,
};
pub use entries::{CopyPullback, Entries};
#[doc(hidden)]
pub use exchange::{replace, swap, swap_entries};
#[doc(hidden)]
pub use extended::Extends;
#[doc(hidden)]
pub use field::{
    Cleared, FieldTangent, Given, NoTangent, NoTangentAtAll, NothingToClear, NothingToGive,
    OfConstant, Put, PutTangent,
};
#[doc(hidden)]
pub use fill::{Grown, List, Room, filled};
pub use float_rules::FloatRules;
pub use function::{DifferentiableFn, Is};
#[doc(hidden)]
pub use held::{HeldCopy, HeldValue, HoldValue, Holding};
#[doc(hidden)]
pub use higher::{
    Beside, CastTo, Choice, Choose, Constant, ConstantPart, Has, HasHessian, HasNot, Held,
    KnownOver, Layout, Lends, Lift, Loss, Lower, Number, NumberRef, Open, OpenArgument, OpenValue,
    Original, Over, OverOrNot, OwnScalar, Owned, Pairing, Plain, Recast, Row, ScalarValue, Seeds,
    Setting, Times, ToFloats, ToScalars, Unlifted, WithScalar, along, dense_at_once,
    dense_by_columns, dense_by_rows, entries_of, float, float_rule, held, hessian,
    jacobian_by_columns, jacobian_within, known, known_pull, lift_entries, matrix_by_columns,
    native, part, product, product_open, product_within, reverse_is_shorter, row_within, scalars,
    sweeps, unit, value_part, value_within,
};
pub use inert::Inert;
#[doc(hidden)]
pub use inert::{Anything, PassedOther, PassedReference, PassedValue, Unread};
#[doc(hidden)]
pub use integers::{IntegerMethods, ToIntegers, ToIntegersOfTwo};
pub use jacobian::JacobianOutput;
#[doc(hidden)]
pub use jacobian::jacobian;
#[doc(hidden)]
pub use lend::*;
pub use long_tape::LongTape;
#[doc(hidden)]
pub use map::{MapArray, MapOption};
pub use matrix::{Matrix, MatrixError};
#[doc(hidden)]
pub use matrix::{columns_of, jacobian_matrix, jacobian_matrix_either_way};
pub use mixed::{Format, Half, Mixed};
pub(crate) use mixed::{MixedBf16, MixedF16};
pub use mode::{Followed, Inactive, Mode, NoGrad, Off, On, Unfollowed};
#[doc(hidden)]
pub use operators::{
    Assigning, Binary, Kept, KeptOne, Negated, Operand, Operands, Picked, Ruled, RuledAbs,
    RuledAdd, RuledAddAssign, RuledAddOfValues, RuledCos, RuledCosh, RuledDiv, RuledExp,
    RuledFract, RuledLn, RuledMax, RuledMin, RuledMul, RuledMulOfValues, RuledNeg, RuledRecip,
    RuledSin, RuledSinh, RuledSqrt, RuledSub, RuledSubAssign, RuledSubOfValues, RuledTan,
    RuledTanh, Unary, ops,
};
#[doc(hidden)]
pub use option::{OptionMethods, optional};
pub use order::{OverloadedPlace, PlaceOf};
pub use output::ScalarOutput;
#[doc(hidden)]
pub use own::{Copied, own, own_all, own_text};
pub use pool::{kept_memory, limit_kept_memory, release_memory};
#[doc(hidden)]
pub use pooled::{CallRoom, InPool, Pooled};
#[doc(hidden)]
pub use query::{NoDerivative, Rounded, plain, query, rounded};
#[doc(hidden)]
pub use remainders::{Remainder, remainder, remainder_euclid};
#[cfg(any(feature = "glam", feature = "nalgebra"))]
pub(crate) use rules::formulas::of_scalars::direction;
pub use rules::*;
pub(crate) use rules::{quotient, unless_zero};
pub use scalar::Scalar;
pub use sides::*;
#[doc(hidden)]
pub use spot::{
    AtSpot, ByIndex, HasSpot, HasSpotMut, Hint, Indexed, IndexedAlike, NoHint, Part, Parted, Seek,
    Spot, Way,
};
pub(crate) use sums::change_tensors;
pub use sums::{Factor, SquareSum, map_tensors};
pub use support::{
    acc, acc_late, acc_slice, first, first_late, no_adj, stop_gradient, take, two_of, zero_tangent,
};
pub use tape::Tape;
pub use traced::Traced;
#[doc(hidden)]
pub(crate) use traced::{Inputs, Tracing};
pub use traits::DerivedTangent;
pub use traits::{Acc, Adj, Ct, Differentiable, Leaf, Tangent, TangentMethods};
#[doc(hidden)]
pub use trips::{
    BLOCK, LANES, Latest, Like, Share, add_shares, add_sums, block, block_mut, count, extremum,
    had_part, nth, trips, turn, window, window_mut,
};
#[doc(hidden)]
pub use variants::{OptionLens, Variant, variants_differ, wrong_variant};
#[doc(hidden)]
pub use viewed::{MayBeViewed, Nth, Viewed};
pub(crate) use watch::contributed;
#[doc(hidden)]
pub use watch::watch;
pub use witness::{Val, Wit, wit};
