//! What an operation is told beside its operands.

use super::run::Run;
use crate::device::symbolic::RegionFormulas;
use crate::device::*;
use core::any::Any;
use core::fmt::{self, Debug};
use std::sync::Arc;

/// A parameter of a recorded operation, such as the window of a convolution.
pub trait Attribute: Any + Debug + Send + Sync {}
impl<A: Any + Debug + Send + Sync> Attribute for A {}

/// A parameter of a node, with its name in [`Backend`].
#[derive(Clone)]
pub struct Attr {
    name: &'static str,
    value: Arc<dyn Attribute>,
}

impl Attr {
    /// A parameter of an operation that [`Recorder::record`](super::Recorder::record) records.
    pub fn new(name: &'static str, value: Arc<dyn Attribute>) -> Self {
        Attr { name, value }
    }

    /// The name of the parameter.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The value, if it is of this type. Numbers are `f64`s, and regions are [`RegionAttr`]s.
    pub fn get<A: Any>(&self) -> Option<&A> {
        (&*self.value as &dyn Any).downcast_ref()
    }

    /// Whether another has the same name and the same value, to the last bit. Values of types that cannot be compared are
    /// not the same.
    pub fn same(&self, other: &Attr) -> bool {
        self.name == other.name && same(self, other)
    }
}

/// Compares values whose types are in a list.
macro_rules! comparable {
    ($($(#[$meta:meta])* $A:ty),* $(,)?) => {
        fn same(a: &Attr, b: &Attr) -> bool {
            $(
                $(#[$meta])*
                if let (Some(a), Some(b)) = (a.get::<$A>(), b.get::<$A>()) {
                    // The texts tell -0 from 0.
                    return a == b && format!("{a:?}") == format!("{b:?}");
                }
            )*
            false
        }
    };
}
comparable! {
    bool, u64, f64, usize, isize, [usize; 3], Random, UnaryOp, BinaryOp, Side, CompareOp, ReduceOp, SoftmaxOp, FoldOp, ScanOp,
    SortOrder, ArgOp, IntegerOp, PoolOp, Dims, NormShape, SgdStep, AdamStep, ConvShape, PoolShape, Resample, Recurrence,
    AttentionShape, RegionAttr,
    #[cfg(feature = "linalg")]
    Gaps,
    #[cfg(feature = "linalg")]
    Triangle,
}

impl fmt::Debug for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name, self.value)
    }
}

/// The region of a fused operation.
#[derive(Clone, Copy)]
pub struct RegionAttr(fn() -> RegionFormulas);

impl RegionAttr {
    /// Its formulas, as lists of steps.
    pub fn formulas(&self) -> RegionFormulas {
        (self.0)()
    }
}

/// Regions are the same if their three formulas are.
impl PartialEq for RegionAttr {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::fn_addr_eq(self.0, other.0) || self.formulas() == other.formulas()
    }
}

impl fmt::Debug for RegionAttr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.formulas().value.straight())
    }
}

/// A parameter that a node owns, to call a method again with it.
pub(super) trait Owned: Send + Sync + 'static {
    /// As the method takes it.
    type Lent<'b>
    where
        Self: 'b;
    fn lend(&self, run: &Run<'_>) -> Self::Lent<'_>;
    /// To look at.
    fn attribute(&self) -> Arc<dyn Attribute>;
}

/// A parameter as a method takes it.
pub(super) trait Plain {
    type Owned: Owned;
    fn own(self) -> Self::Owned;
}

macro_rules! values {
    ($($t:ty),* $(,)?) => { $(
        impl Owned for $t {
            type Lent<'b> = $t;
            fn lend(&self, _: &Run<'_>) -> $t {
                *self
            }
            fn attribute(&self) -> Arc<dyn Attribute> {
                Arc::new(*self)
            }
        }
        impl Plain for $t {
            type Owned = $t;
            fn own(self) -> $t {
                self
            }
        }
    )* };
}
values! {
    bool, u64, f64, usize, isize, [usize; 3], Random, UnaryOp, BinaryOp, Side, CompareOp, ReduceOp, SoftmaxOp, FoldOp, ScanOp,
    SortOrder, ArgOp, IntegerOp, PoolOp,
}
#[cfg(feature = "linalg")]
values!(Gaps, Triangle);

/// A parameter that a method takes by reference.
pub(super) struct Referred<A>(A);

impl<A: Clone + Attribute> Owned for Referred<A> {
    type Lent<'b> = &'b A;
    fn lend(&self, _: &Run<'_>) -> &A {
        &self.0
    }
    fn attribute(&self) -> Arc<dyn Attribute> {
        Arc::new(self.0.clone())
    }
}

impl<A: Clone + Attribute> Plain for &A {
    type Owned = Referred<A>;
    fn own(self) -> Referred<A> {
        Referred(self.clone())
    }
}

/// A number of the type of the elements.
pub(super) struct Number<T>(pub T);

impl<T: Elem> Owned for Number<T> {
    type Lent<'b> = T;
    fn lend(&self, _: &Run<'_>) -> T {
        self.0
    }
    fn attribute(&self) -> Arc<dyn Attribute> {
        Arc::new(self.0.to_f64())
    }
}

/// Where random numbers begin; a run may be told to draw others.
pub(super) struct Seed(pub u64);

impl Owned for Seed {
    type Lent<'b> = u64;
    fn lend(&self, run: &Run<'_>) -> u64 {
        run.seed(self.0)
    }
    fn attribute(&self) -> Arc<dyn Attribute> {
        Arc::new(self.0)
    }
}

/// A region of `N` inputs.
pub(super) struct RegionOf<R, const N: usize>(R);

pub(super) fn region<R: Region<N>, const N: usize>(region: R) -> RegionOf<R, N> {
    RegionOf(region)
}

impl<R: Region<N>, const N: usize> Owned for RegionOf<R, N> {
    type Lent<'b> = R;
    fn lend(&self, _: &Run<'_>) -> R {
        self.0
    }
    fn attribute(&self) -> Arc<dyn Attribute> {
        Arc::new(RegionAttr(RegionFormulas::of::<R, N>))
    }
}
