//! Buffers as the numbers that ranks exchange.

use crate::any::{by_dtype, typed};
use autodiff_core::ad::Mixed;
use autodiff_core::device::record::AnyBuffer;
use autodiff_core::device::{DType, Device, Dims, Elem, Layout};
use autodiff_core::tensor::Raw;
use autodiff_dist::dist::{Kind, Numbers};
use half::{bf16, f16};
use std::sync::Arc;

/// What stands in the place of a value that could not be made: numbers of a type as which the value never travels.
pub(super) fn failed(dtype: DType) -> Numbers {
    match travels(dtype) {
        Some(Kind::I64) => Numbers::F64(vec![0.0]),
        _ => Numbers::I64(vec![0]),
    }
}

/// An element type, and the numbers that go between ranks in its place, without a loss.
trait Travel: Elem {
    fn pack(all: Vec<Self>) -> Numbers;
    fn unpack(numbers: Numbers) -> Option<Vec<Self>>;
}

macro_rules! travel {
    ($($D:ident $T:ty as $V:ident: |$x:ident| $out:expr, $back:expr;)*) => {
        $(impl Travel for $T {
            fn pack(all: Vec<Self>) -> Numbers {
                Numbers::$V(all.into_iter().map(|$x| $out).collect())
            }
            fn unpack(numbers: Numbers) -> Option<Vec<Self>> {
                match numbers {
                    Numbers::$V(all) => Some(all.into_iter().map(|$x| $back).collect()),
                    _ => None,
                }
            }
        })*

        /// The type as which elements travel, if they do.
        fn travels(dtype: DType) -> Option<Kind> {
            match dtype {
                $(DType::$D => Some(Kind::$V),)*
                _ => None,
            }
        }
    };
}
travel! {
    F32 f32 as F32: |x| x, x;
    F64 f64 as F64: |x| x, x;
    Bf16 bf16 as Bf16: |x| x, x;
    F16 f16 as F16: |x| x, x;
    MixedBf16 Mixed<bf16> as F32: |x| x.get(), Mixed::new(x);
    MixedF16 Mixed<f16> as F32: |x| x.get(), Mixed::new(x);
    I64 i64 as I64: |x| x, x;
    U32 u32 as I64: |x| i64::from(x), x as u32;
    U8 u8 as U8: |x| x, x;
    Bool bool as U8: |x| u8::from(x), x != 0;
}

/// The numbers of a buffer.
pub(super) fn pack(
    buffer: &AnyBuffer,
    (dtype, dims): (DType, Dims),
    device: &Device,
) -> Result<Numbers, String> {
    by_dtype!(dtype, T => {
        let raw = Raw::from_shared(device, typed::<T>(Arc::clone(buffer)), Layout::dense(dims));
        let all = raw.try_to_vec().map_err(|error| error.to_string())?;
        Ok(<T as Travel>::pack(all))
    }, else Err(format!("elements of the type {dtype} are not sent")))
}

/// A buffer with these numbers; none if they are of another type, or too few or too many.
pub(super) fn unpack(
    numbers: Numbers,
    (dtype, dims): (DType, Dims),
    device: &Device,
) -> Option<AnyBuffer> {
    by_dtype!(dtype, T => {
        let all = <T as Travel>::unpack(numbers)?;
        let buffer = || -> AnyBuffer { Raw::from_slice(device, dims, &all).alone() };
        (all.len() == dims.numel()).then(buffer)
    }, else None)
}
