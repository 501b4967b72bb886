//! How each operation of the seams runs where an operand has a part for each example.

use super::super::backend::methods_of_backend;
#[cfg(feature = "fft")]
use super::super::fourier::methods_of_fourier;
use super::super::images::methods_of_images;
#[cfg(feature = "linalg")]
use super::super::linalg::methods_of_linalg;
use super::*;

/// What the calls for several examples answer together.
trait Answer: Sized {
    /// Of no example.
    const NONE: Self;
    /// With that of the next one.
    fn join(self, next: Self) -> Self;
}

impl Answer for () {
    const NONE: Self = ();
    fn join(self, (): ()) {}
}

impl Answer for Result<(), IndexError> {
    const NONE: Self = Ok(());
    fn join(self, next: Self) -> Self {
        self.and(next)
    }
}

impl Answer for Option<usize> {
    const NONE: Self = None;
    fn join(self, next: Self) -> Self {
        self.or(next)
    }
}

/// Runs an operation for one example after the other.
macro_rules! each {
    ($device:ident $batch:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {{
        $( let mut $x = $x; $x.widen($device, $batch, true); )*
        let mut answer = Answer::NONE;
        for i in 0..$batch.examples() {
            answer = Answer::join(answer, Seam::$name($device, $($p,)* $($x.example(i)),*));
        }
        answer
    }};
}

/// Runs an operation once, if the operands can have a further axis. `$keep`: whether it reads what its results were.
macro_rules! once {
    ($to:ident $keep:expr, $device:ident $batch:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {{
        let keep = $keep $(|| $x.keeps())*;
        let to = operands::$to([$($x.target()),*]);
        if true $(&& $x.has_room(to.as_ref()))* {
            $( let mut $x = $x; $x.widen($device, $batch, keep); )*
            Seam::$name($device, $($p,)* $($x.all($batch, to.as_ref())),*)
        } else {
            each!($device $batch $name [$($p),*] [$($x),*])
        }
    }};
}

/// How each operation runs for many examples.
macro_rules! how {
    // Operands are broadcast to the sizes of the result.
    (elementwise: $keep:expr, $($call:tt)*) => { once!(result $keep, $($call)*) };
    // Operands have the rank of the result.
    (axes: $keep:expr, $($call:tt)*) => { once!(own $keep, $($call)*) };
}

macro_rules! run {
    ($d:ident $b:ident fill $($c:tt)*) => { how!(elementwise: false, $d $b fill $($c)*) };
    ($d:ident $b:ident copy $($c:tt)*) => { how!(elementwise: false, $d $b copy $($c)*) };
    ($d:ident $b:ident cast $($c:tt)*) => { how!(elementwise: false, $d $b cast $($c)*) };
    ($d:ident $b:ident unary $($c:tt)*) => { how!(elementwise: false, $d $b unary $($c)*) };
    ($d:ident $b:ident unary_pullback $($c:tt)*) => { how!(elementwise: false, $d $b unary_pullback $($c)*) };
    ($d:ident $b:ident binary $($c:tt)*) => { how!(elementwise: false, $d $b binary $($c)*) };
    ($d:ident $b:ident binary_pullback $($c:tt)*) => { how!(elementwise: false, $d $b binary_pullback $($c)*) };
    ($d:ident $b:ident compare $($c:tt)*) => { how!(elementwise: false, $d $b compare $($c)*) };
    ($d:ident $b:ident select $($c:tt)*) => { how!(elementwise: false, $d $b select $($c)*) };
    ($d:ident $b:ident integer $($c:tt)*) => { how!(elementwise: false, $d $b integer $($c)*) };
    ($d:ident $b:ident region $($c:tt)*) => { how!(elementwise: false, $d $b region $($c)*) };
    ($d:ident $b:ident region_pushforward $($c:tt)*) => { how!(elementwise: false, $d $b region_pushforward $($c)*) };
    ($d:ident $b:ident add_scaled $($c:tt)*) => { how!(elementwise: true, $d $b add_scaled $($c)*) };
    ($d:ident $b:ident reduce $($c:tt)*) => { how!(axes: false, $d $b reduce $($c)*) };
    ($d:ident $b:ident extreme_pullback $($c:tt)*) => { how!(axes: false, $d $b extreme_pullback $($c)*) };
    ($d:ident $b:ident softmax $($c:tt)*) => { how!(axes: false, $d $b softmax $($c)*) };
    ($d:ident $b:ident softmax_pullback $($c:tt)*) => { how!(axes: false, $d $b softmax_pullback $($c)*) };
    ($d:ident $b:ident count $($c:tt)*) => { how!(axes: false, $d $b count $($c)*) };
    ($d:ident $b:ident fold $($c:tt)*) => { how!(axes: false, $d $b fold $($c)*) };
    ($d:ident $b:ident fold_pullback $($c:tt)*) => { how!(axes: false, $d $b fold_pullback $($c)*) };
    ($d:ident $b:ident scan $($c:tt)*) => { how!(axes: false, $d $b scan $($c)*) };
    ($d:ident $b:ident argsort $($c:tt)*) => { how!(axes: false, $d $b argsort $($c)*) };
    ($d:ident $b:ident arg_reduce $($c:tt)*) => { how!(axes: false, $d $b arg_reduce $($c)*) };
    ($d:ident $b:ident integer_sum $($c:tt)*) => { how!(axes: false, $d $b integer_sum $($c)*) };
    ($d:ident $b:ident gemm [$beta:ident] [$($x:ident),*]) => { product::gemm($d, $b, $beta, $($x),*) };
    ($d:ident $b:ident affine [] [$($x:ident),*]) => { product::affine($d, $b, $($x),*) };
    ($d:ident $b:ident region_sum [$region:ident, $dims:ident] [$($x:ident),*]) => {
        regions::sum($d, $b, $region, $dims, $($x),*)
    };
    ($d:ident $b:ident region_along [$region:ident, $dims:ident] [$($x:ident),*]) => {{
        if true $(&& $x.has_room(Some($dims)))* {
            $( let mut $x = $x; $x.widen($d, $b, false); )*
            let dims = $dims.insert(0, $b.examples());
            Seam::region_along($d, $region, &dims, $($x.all($b, Some($dims))),*)
        } else {
            each!($d $b region_along [$region, $dims] [$($x),*])
        }
    }};
    ($d:ident $b:ident region_pullback [$region:ident, $dims:ident] [$($x:ident),*]) => {{
        if true $(&& $x.has_sizes($dims) && $x.has_room(Some($dims)))* {
            let keep = false $(|| $x.keeps())*;
            $( let mut $x = $x; $x.widen($d, $b, keep); )*
            let dims = $dims.insert(0, $b.examples());
            Seam::region_pullback($d, $region, &dims, $($x.all($b, Some($dims))),*)
        } else {
            each!($d $b region_pullback [$region, $dims] [$($x),*])
        }
    }};
    ($d:ident $b:ident $name:ident $($c:tt)*) => { each!($d $b $name $($c)*) };
}

/// Writes, of one seam, a trait whose methods run the operations of [`Device`] for the examples of a batch.
macro_rules! batched {
    (
        [$Trait:ident of $Seam:ident]
        $($section:ident { $(
            $(#[$doc:meta])*
            fn $name:ident[$($g:tt)*]($($p:ident: $pt:ty),*; $($x:ident: $xt:ty),*) $(-> $ret:ty)?;
        )* })*
    ) => {
        /// The operations of a device, where one of the operands has a part for each example.
        pub(in crate::device) trait $Trait: $Seam {
            $($(
                #[track_caller]
                #[allow(clippy::too_many_arguments, reason = "as those of the device")]
                fn $name<$($g)*>(&self, batch: Batch, $($p: $pt,)* $($x: $xt),*) $(-> $ret)?;
            )*)*
        }
        impl $Trait for Device {
            $($(
                #[cold]
                #[inline(never)]
                #[track_caller]
                fn $name<$($g)*>(&self, batch: Batch, $($p: $pt,)* $($x: $xt),*) $(-> $ret)? {
                    #[allow(unused_imports, reason = "some have functions of their own")]
                    use $Seam as Seam;
                    let device = self;
                    run!(device batch $name [$($p),*] [$($x),*])
                }
            )*)*
        }
    };
}

methods_of_backend!(batched[BatchedBackend of Backend]);
methods_of_images!(batched[BatchedImages of Images]);
#[cfg(feature = "linalg")]
methods_of_linalg!(batched[BatchedLinalg of Linalg]);
#[cfg(feature = "fft")]
methods_of_fourier!(batched[BatchedFourier of Fourier]);
