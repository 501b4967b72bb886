//! `shape!` and `Tensor!`.

/// A list of dimensions as a type: `shape![Batch, 784]` is `(Batch, Sz<784>)`. Constant parameters
/// and items need braces, `shape![B, {N}]`; sums and products of sizes need parentheses,
/// `shape![B, ({M} + {N})]`. A product may have run-time factors: `shape![(Time * Batch), 8]`.
#[macro_export]
macro_rules! shape {
    ($($d:tt),* $(,)?) => { ($($crate::__dim_of!($d),)*) };
}

/// The type of a tensor: `Tensor![Batch, 784]` is `Tensor<(Batch, Sz<784>), f32>`,
/// `Tensor![i64; Batch]` names the element type, `Tensor![]` is a rank-0 tensor.
#[macro_export]
macro_rules! Tensor {
    ($($d:tt),* $(,)?) => { $crate::tensor::Tensor<($($crate::__dim_of!($d),)*)> };
    ($t:ty; $($d:tt),* $(,)?) => { $crate::tensor::Tensor<($($crate::__dim_of!($d),)*), $t> };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __dim_of {
    ({ $($e:tt)* }) => { $crate::shape::Sz<{ $($e)* }> };
    ($n:literal) => { $crate::shape::Sz<$n> };
    (($a:tt + $b:tt)) => { <$crate::__dim_of!($a) as $crate::shape::arith::Plus<$crate::__dim_of!($b)>>::Out };
    (($a:tt - $b:tt)) => { <$crate::__dim_of!($a) as $crate::shape::arith::Minus<$crate::__dim_of!($b)>>::Out };
    (($a:tt * $b:tt)) => { <$crate::__dim_of!($a) as $crate::shape::Product<$crate::__dim_of!($b)>>::Out };
    (($a:tt / $b:tt)) => { <$crate::__dim_of!($a) as $crate::shape::arith::DivExact<$crate::__dim_of!($b)>>::Out };
    ($t:ty) => { $t };
}
