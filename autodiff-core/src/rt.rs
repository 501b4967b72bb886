//! What emitted code refers to, as `::differentiable::__rt`; nothing else does.
//!
//! The macro says `ad::` for this module: differentiation at run time, with the parts of later rooms that a companion
//! needs. A name that emitted code uses is exported here or from [`ad`](crate::ad).

pub use crate::ad::*;
pub use crate::device::{Region, RegionVisitor};
pub use crate::kernel::fused::rules as elementwise;
pub use crate::ops::Left;
pub use crate::ops::fused;
pub use crate::sparse;
pub use crate::tensor::vmap::{
    Batched1, Batched2, Batched3, Batched4, Examples, ExamplesRule, Join, Joined, JoinedRule,
    Sequence, SliceBatch, Stack, StackRule,
};

/// Annotated functions run with their operations fused. A constant and not `true`: what follows it is there for its
/// types and errors only, and nobody is told that it is not reached.
pub const FUSED: bool = true;

/// What is recorded until the result is dropped bears the name of a function.
#[cfg(feature = "graph")]
#[inline]
pub fn scope(name: &'static str) -> crate::device::record::Scope {
    crate::device::record::Scope::enter(name)
}

/// Without graphs there is nothing to name.
#[cfg(not(feature = "graph"))]
#[inline(always)]
pub fn scope(_: &'static str) -> impl Sized {
    struct Nothing;
    Nothing
}

/// The traits whose methods generated code calls.
pub mod methods {
    pub use crate::ad::constant::{
        ConstantAndAdd as _, ConstantAndSub as _, ConstantByAdd as _, ConstantBySub as _,
        EnteredParts as _, InsideConstant as _, LendableConstant as _, LendableSlice as _,
        ModeOfValue as _, PartOfCotangent as _, PassedRoom as _, ReplacedConstant as _,
        WithinConstant as _, WithoutWitness as _,
    };
    pub use crate::ad::higher::native::{
        CallOfFloats as _, HoldNumbers as _, HoldOthers as _, NamedNumbers as _, NamedOthers as _,
    };
    pub use crate::ad::higher::{
        CastToOther as _, ConstantValue as _, CopiedPart as _, FirstOrder as _, HasNot as _,
        KnownPart as _, LentPart as _, OpenMethods as _, PlainValue as _, SettingValue as _,
        TimesLeft as _, TimesRight as _,
    };
    pub use crate::ad::{
        AtSpot as _, Boxed as _, Differentiable as _, FieldOfVariant as _, Grown as _,
        HasSpot as _, HoldValue as _, IndexedAlike as _, IntegerMethods as _, MapArray as _,
        MapOption as _, MayBeViewed as _, Mode as _, NoHint as _, NoTangent as _,
        NoTangentAtAll as _, NothingToClear as _, NothingToGive as _, OptionLens as _,
        OptionMethods as _, PassedOther as _, PassedReference as _, PassedValue as _,
        PutTangent as _, RuledAbs as _, RuledAdd as _, RuledAddAssign as _, RuledAddOfValues as _,
        RuledCos as _, RuledCosh as _, RuledDiv as _, RuledExp as _, RuledFract as _, RuledLn as _,
        RuledMax as _, RuledMin as _, RuledMul as _, RuledMulOfValues as _, RuledNeg as _,
        RuledRecip as _, RuledSin as _, RuledSinh as _, RuledSqrt as _, RuledSub as _,
        RuledSubAssign as _, RuledSubOfValues as _, RuledTan as _, RuledTanh as _, Val as _,
    };
    #[cfg(feature = "glam")]
    pub use crate::interop::glam::methods::*;
    #[cfg(feature = "nalgebra")]
    pub use crate::interop::nalgebra::methods::*;
    #[cfg(feature = "ndarray")]
    pub use crate::interop::ndarray::methods::*;
    pub use crate::ops::AnyLeft as _;
    pub use crate::tensor::vmap::{
        Batched1 as _, Batched2 as _, Batched3 as _, Batched4 as _, Join as _, SliceBatch as _,
    };
}
