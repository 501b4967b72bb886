//! What a machine implements: the trait, and the one list of its methods.
//!
//! [`methods_of_backend`] has a line for each method. The trait is made from it, and so is each `impl` that passes
//! every call on to another device: a new line reaches all of them.
//!
//! - `required`: what a machine has to bring.
//! - `composed`: written with those that are required, in [`composite`](super::composite).
//! - `on_host`: by default the operands are copied to the host, and the results back ([`host`](super::host)).
//!
//! A machine overrides what it does better. [`Cpu`](super::Cpu) overrides everything.
//!
//! In a line, what stands before the semicolon is the same on every machine, and what follows it has operands.

use super::*;
use core::fmt::Debug;
use std::sync::Arc;

/// Writes a trait of a machine from the list of its methods.
macro_rules! declare_backend {
    (
        [$(#[$meta:meta])* trait $Trait:ident: [$($super:tt)*] { $($memory:tt)* }]
        $(required { $(
            $(#[$r_doc:meta])*
            fn $r:ident[$($r_g:tt)*]($($r_p:ident: $r_pt:ty),*; $($r_x:ident: $r_xt:ty),*) $(-> $r_ret:ty)?;
        )* })?
        $(composed { $(
            $(#[$c_doc:meta])*
            fn $c:ident[$($c_g:tt)*]($($c_p:ident: $c_pt:ty),*; $($c_x:ident: $c_xt:ty),*) $(-> $c_ret:ty)?;
        )* })?
        on_host { $(
            $(#[$h_doc:meta])*
            fn $h:ident[$($h_g:tt)*]($($h_p:ident: $h_pt:ty),*; $($h_x:ident: $h_xt:ty),*) $(-> $h_ret:ty)?;
        )* }
    ) => {
        $(#[$meta])*
        pub trait $Trait: $($super)* {
            $($memory)*
            $($(
                $(#[$r_doc])*
                #[track_caller]
                #[allow(clippy::too_many_arguments, reason = "operands are views of buffers")]
                fn $r<$($r_g)*>(&self, $($r_p: $r_pt,)* $($r_x: $r_xt),*) $(-> $r_ret)?;
            )*)?
            $($(
                $(#[$c_doc])*
                #[track_caller]
                #[allow(clippy::too_many_arguments, reason = "operands are views of buffers")]
                fn $c<$($c_g)*>(&self, $($c_p: $c_pt,)* $($c_x: $c_xt),*) $(-> $c_ret)? {
                    composite::$c(self, $($c_p,)* $($c_x),*)
                }
            )*)?
            $(
                $(#[$h_doc])*
                #[track_caller]
                #[allow(clippy::too_many_arguments, reason = "operands are views of buffers")]
                fn $h<$($h_g)*>(&self, $($h_p: $h_pt,)* $($h_x: $h_xt),*) $(-> $h_ret)? {
                    $( let mut $h_x = Staged::stage($h_x, self); )*
                    let result = Cpu.$h($($h_p,)* $(OnHost::<Self>::lend(&mut $h_x)),*);
                    $( OnHost::<Self>::settle($h_x, self); )*
                    result
                }
            )*
        }
    };
}
pub(crate) use declare_backend;

/// Writes an `impl` of such a trait, each of whose methods is a call `call!(self method [plain arguments] [operands])`.
macro_rules! implement_backend {
    (
        [$Trait:ident for $Type:ty: $call:ident { $($memory:tt)* }]
        $($section:ident { $(
            $(#[$doc:meta])*
            fn $name:ident[$($g:tt)*]($($p:ident: $pt:ty),*; $($x:ident: $xt:ty),*) $(-> $ret:ty)?;
        )* })*
    ) => {
        impl $Trait for $Type {
            $($memory)*
            $($(
                #[inline]
                #[track_caller]
                fn $name<$($g)*>(&self, $($p: $pt,)* $($x: $xt),*) $(-> $ret)? {
                    $call!(self $name [$($p),*] [$($x),*])
                }
            )*)*
        }
    };
}
pub(crate) use implement_backend;

/// The methods of [`Backend`]: `methods_of_backend!(then [with])` expands to `then!([with] sections)`.
macro_rules! methods_of_backend {
    ($then:ident [$($with:tt)*]) => { $then! { [$($with)*]
    required {
        /// Sets every element.
        fn fill[T: Elem](value: T; out: ViewMut<'_, T, Self>);
        /// Copies between any two layouts of the same sizes.
        fn copy[T: Elem](; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// Converts every element.
        fn cast[T: Elem, U: Elem](; x: View<'_, T, Self>, out: ViewMut<'_, U, Self>);
        /// Draws every element. Element `i` depends on `seed`, `stream` and `i` only.
        fn random[T: Float](law: Random, seed: u64, stream: u64; out: ViewMut<'_, T, Self>);
        /// `out ← beta·out + a·b` for each matrix of a batch; any strides. With `beta` 0 the previous
        /// contents are not read.
        ///
        /// The operands have the same rank, at least 2, and the same leading sizes.
        fn gemm[T: Float](beta: T; a: View<'_, T, Self>, b: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// `out ← op(x)`.
        fn unary[T: Float](op: UnaryOp; x: Operand<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// `out ← ct · op′`, with the derivative taken from the value that [`UnaryOp::saves`] names.
        fn unary_pullback[T: Float](
            op: UnaryOp; saved: Operand<'_, T, Self>, ct: Operand<'_, T, Self>, write: Write,
            out: ViewMut<'_, T, Self>
        );
        /// `out ← op(a, b)`.
        fn binary[T: Float](
            op: BinaryOp; a: Operand<'_, T, Self>, b: Operand<'_, T, Self>, write: Write, out: ViewMut<'_, T, Self>
        );
        /// `out ← ct · ∂op(a, b)/∂side`.
        fn binary_pullback[T: Float](
            op: BinaryOp, side: Side; a: Operand<'_, T, Self>, b: Operand<'_, T, Self>, ct: Operand<'_, T, Self>,
            write: Write, out: ViewMut<'_, T, Self>
        );
        /// `out ← a op b` as truth values; a comparison with NaN is false, except `Ne`.
        fn compare[T: Elem](op: CompareOp; a: View<'_, T, Self>, b: View<'_, T, Self>, out: ViewMut<'_, bool, Self>);
        /// `out ← if mask { a } else { b }`.
        fn select[T: Elem](
            ; mask: View<'_, bool, Self>, a: Operand<'_, T, Self>, b: Operand<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// Reduces to the sizes of `out`, which has the rank of `x` and size 1 along reduced axes.
        fn reduce[T: Float](op: ReduceOp; x: View<'_, T, Self>, write: Write, out: ViewMut<'_, T, Self>);
        /// `out[i, ..] ← x[index[i], ..]`.
        fn gather[T: Elem, I: Index](
            ; x: View<'_, T, Self>, index: View<'_, I, Self>, out: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
        /// `out[index[i], ..] += x[i, ..]`, in the order of `i`.
        fn scatter_add[T: Float, I: Index](
            ; x: View<'_, T, Self>, index: View<'_, I, Self>, out: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
        /// `out ← region(x)`, element by element; one operand may be the output.
        fn region[R: Region<N>, T: Float, const N: usize](
            region: R; x: [Operand<'_, T, Self>; N], out: ViewMut<'_, T, Self>
        );
        /// `cts ← ∂region(x) · ct` for elements of sizes `dims`, one for each input that is `Some`. Those that lack
        /// leading axes are summed over them. Of `x` and `y = region(x)` there is what [`Region::READS`] and
        /// [`Region::READS_VALUE`] name. Where `ct` is the output, it is in the first of `cts` that has sizes `dims`.
        fn region_pullback[R: Region<N>, T: Float, const N: usize](
            region: R, dims: &Dims; x: [Operand<'_, T, Self>; N], y: Option<View<'_, T, Self>>,
            ct: Operand<'_, T, Self>, cts: [Option<ViewMut<'_, T, Self>>; N]
        );
        /// `sum ← Σ region(x)` over elements of sizes `dims`, and `slopes ← ∂sum/∂x` of the inputs that are `Some`, as
        /// by [`region_pullback`](Backend::region_pullback).
        fn region_sum[R: Region<N>, T: Float, const N: usize](
            region: R, dims: &Dims; x: [Operand<'_, T, Self>; N], sum: ViewMut<'_, T, Self>,
            slopes: [Option<ViewMut<'_, T, Self>>; N]
        );
        /// `out ← Σ region(x)` along an axis of elements of sizes `dims`; `out` has the other axes.
        fn region_along[R: Region<N>, T: Float, const N: usize](
            region: R, dims: &Dims; x: [Operand<'_, T, Self>; N], axis: usize, out: ViewMut<'_, T, Self>
        );
        /// `out ← Σ ∂region(x)/∂xₖ · tₖ`.
        fn region_pushforward[R: Region<N>, T: Float, const N: usize](
            region: R; x: [Operand<'_, T, Self>; N], t: [Operand<'_, T, Self>; N], out: ViewMut<'_, T, Self>
        );
        /// `out[.., i, ..] ← x[.., index[.., i, ..], ..]` along `axis`; `x` is dense.
        fn take_along[T: Elem, I: Index](
            axis: usize; x: View<'_, T, Self>, index: View<'_, I, Self>, out: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
        /// `out[.., index[.., i, ..], ..] += x[.., i, ..]` along `axis`, in the order of `i`; `x` is
        /// dense.
        fn add_along[T: Float, I: Index](
            axis: usize; x: View<'_, T, Self>, index: View<'_, I, Self>, out: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
    }
    composed {
        /// `y ← y + alpha·x`.
        fn add_scaled[T: Float](alpha: T; x: View<'_, T, Self>, y: ViewMut<'_, T, Self>);
        /// `out ← x·weight + bias` for matrices `x` and `weight`; `bias` has a number for each column of `out`.
        fn affine[T: Float](
            ; x: View<'_, T, Self>, weight: View<'_, T, Self>, bias: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// The pullback of `Max` and `Min`: `ct` goes to the elements of `x` equal to `y`, in equal
        /// shares; to nobody but NaN everywhere if `y` is NaN. `y` and `ct` have size 1 along reduced
        /// axes.
        fn extreme_pullback[T: Float](
            ; x: View<'_, T, Self>, y: View<'_, T, Self>, ct: View<'_, T, Self>, write: Write,
            out: ViewMut<'_, T, Self>
        );
        /// Normalises along the last axis.
        fn softmax[T: Float](op: SoftmaxOp; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// The pullback of [`softmax`](Backend::softmax) from its output `y`.
        fn softmax_pullback[T: Float](
            op: SoftmaxOp; y: View<'_, T, Self>, ct: View<'_, T, Self>, write: Write, out: ViewMut<'_, T, Self>
        );
        /// `loss ← mean over rows of lse − x[target]`, where `lse = ln Σ exp(x)` of each row is kept
        /// for the pullback. Sizes: `x` rows × classes, `targets` and `lse` rows, `loss` none.
        fn cross_entropy[T: Float, I: Index](
            ; x: View<'_, T, Self>, targets: View<'_, I, Self>, lse: ViewMut<'_, T, Self>, loss: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
        /// `out ← ct/rows · (softmax(x) − onehot(target))`.
        fn cross_entropy_pullback[T: Float, I: Index](
            ; x: View<'_, T, Self>, targets: View<'_, I, Self>, lse: View<'_, T, Self>, ct: View<'_, T, Self>,
            write: Write, out: ViewMut<'_, T, Self>
        );
        /// Normalises rows: `out ← γ·(x − mean)/√(variance + ε) + β`. `stats` gets [`NormShape::STATS`] numbers
        /// of each row, for the derivatives: the mean, what rounding took from it, and `1/√(variance + ε)`. All operands
        /// are dense.
        fn norm[T: Float](
            shape: &NormShape; x: View<'_, T, Self>, scale: View<'_, T, Self>, shift: View<'_, T, Self>,
            out: ViewMut<'_, T, Self>, stats: ViewMut<'_, T, Self>
        );
        /// The cotangents of the operands of [`norm`](Backend::norm).
        fn norm_pullback[T: Float](
            shape: &NormShape; x: View<'_, T, Self>, stats: View<'_, T, Self>, scale: View<'_, T, Self>,
            ct: View<'_, T, Self>, d_x: ViewMut<'_, T, Self>, d_scale: ViewMut<'_, T, Self>,
            d_shift: ViewMut<'_, T, Self>
        );
        /// The tangent of `(x − mean)/√(variance + ε)` from that of `x`.
        fn norm_pushforward[T: Float](
            shape: &NormShape; x: View<'_, T, Self>, stats: View<'_, T, Self>, t: View<'_, T, Self>,
            out: ViewMut<'_, T, Self>
        );
        /// `out ← (x − centre)·scale + shift` with one centre, scale and shift for each channel. All operands
        /// are dense; `sizes` are images, channels, entries of a channel.
        fn channel_affine[T: Float](
            sizes: [usize; 3]; x: View<'_, T, Self>, centre: View<'_, T, Self>, scale: View<'_, T, Self>,
            shift: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// `out ← Σ ct·(x − centre)` over the entries of each channel, as [`channel_affine`](Backend::channel_affine).
        fn channel_moments[T: Float](
            sizes: [usize; 3]; x: View<'_, T, Self>, centre: View<'_, T, Self>, ct: View<'_, T, Self>,
            out: ViewMut<'_, T, Self>
        );
        /// `out[.., i, ..] ← x[.., index[i], ..]` along `axis`; `x` is dense.
        fn select_axis[T: Elem, I: Index](
            axis: usize; x: View<'_, T, Self>, index: View<'_, I, Self>, out: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
        /// `out[.., index[i], ..] += x[.., i, ..]` along `axis`, in the order of `i`; `x` is dense.
        fn add_axis[T: Float, I: Index](
            axis: usize; x: View<'_, T, Self>, index: View<'_, I, Self>, out: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
        /// One step of [`SgdStep`]; `velocity` is needed with momentum.
        fn sgd[T: Float](
            step: &SgdStep; param: ViewMut<'_, T, Self>, grad: View<'_, T, Self>,
            velocity: Option<ViewMut<'_, T, Self>>
        );
        /// One step of [`AdamStep`].
        fn adam[T: Float](
            step: &AdamStep; param: ViewMut<'_, T, Self>, grad: View<'_, T, Self>, first: ViewMut<'_, T, Self>,
            second: ViewMut<'_, T, Self>
        );
        /// The number of `true` along the last axis, which has size 1 in `out`.
        fn count[](; x: View<'_, bool, Self>, out: ViewMut<'_, i64, Self>);
        /// Dropout: element `i` in row-major order becomes 0 with probability `p`, which depends on
        /// `seed` and `i` only, and is divided by `1 − p` otherwise. `x` is dense.
        fn dropout[T: Float](p: f64, seed: u64; x: Operand<'_, T, Self>, out: ViewMut<'_, T, Self>);
    }
    on_host {
        /// Attention. `out` is dense: heads, queries, `value_width`; `stats` gets two numbers for each query, for the
        /// derivatives. A length that is not between 0 and the number of keys is an error.
        fn attention[T: Float](
            ; input: AttentionInput<'_, T, Self>, out: ViewMut<'_, T, Self>, stats: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
        /// The cotangents of the operands of [`attention`](Backend::attention) from its two outputs, `saved`, and the
        /// dense cotangent of the first.
        fn attention_pullback[T: Float](
            ; input: AttentionInput<'_, T, Self>, saved: [View<'_, T, Self>; 2], ct: View<'_, T, Self>,
            into: AttentionGradients<'_, T, Self>
        );
        /// The tangent of the output of [`attention`](Backend::attention).
        fn attention_pushforward[T: Float](
            ; input: AttentionInput<'_, T, Self>, saved: [View<'_, T, Self>; 2],
            tangents: AttentionTangents<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// A recurrent layer. `slots` (steps, batch, slots, units) has the products of the inputs and their weights, and
        /// gets what is kept for the derivatives. `weights` is the matrix that `h` is multiplied by: units, recurrent slots and
        /// units. `bias` has slots and units. `memory` and `out` get `c` and `h` after each step. All operands are
        /// dense; those of `c` are empty for cells without.
        fn recurrence[T: Float](
            shape: &Recurrence; weights: View<'_, T, Self>, bias: View<'_, T, Self>, h0: View<'_, T, Self>,
            c0: View<'_, T, Self>, slots: ViewMut<'_, T, Self>, memory: ViewMut<'_, T, Self>,
            out: ViewMut<'_, T, Self>
        );
        /// The cotangents of a layer that has run; its slots are in the place of theirs. `weights` is the
        /// transpose of what [`recurrence`](Backend::recurrence) takes.
        fn recurrence_pullback[T: Float](
            shape: &Recurrence; weights: View<'_, T, Self>, ran: Recurred<'_, T, Self>,
            ct: RecurrentCotangents<'_, T, Self>, into: RecurrentGradients<'_, T, Self>
        );
        /// The tangents of `h` after each step, `out`, and of the last `c`, which has that of the first before. `t_slots`
        /// are the tangents of the slots' arguments, without what comes from the tangent of `h`.
        fn recurrence_pushforward[T: Float](
            shape: &Recurrence; weights: View<'_, T, Self>, ran: Recurred<'_, T, Self>, slots: View<'_, T, Self>,
            t_slots: View<'_, T, Self>, t_h0: View<'_, T, Self>, t_c: ViewMut<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// `−ln p` of the labels of each example, of logarithms of probabilities `x`: examples, frames, classes. `labels`:
        /// examples, places. `lengths` are the frames of each example, and then the labels of each. All operands are
        /// dense; lengths and labels are inside, and no label is the blank.
        fn ctc[T: Float](
            blank: usize; x: View<'_, T, Self>, labels: View<'_, i64, Self>, lengths: View<'_, i64, Self>,
            out: ViewMut<'_, T, Self>
        );
        /// The cotangent of `x` of [`ctc`](Backend::ctc), from those of its results.
        fn ctc_pullback[T: Float](
            blank: usize; x: View<'_, T, Self>, labels: View<'_, i64, Self>, lengths: View<'_, i64, Self>,
            ct: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// As [`add_along`](Backend::add_along), but replaces: of several, the last `i` stays.
        fn put_along[T: Elem, I: Index](
            axis: usize; x: View<'_, T, Self>, index: View<'_, I, Self>, out: ViewMut<'_, T, Self>
        ) -> Result<(), IndexError>;
        /// Zero above the `k`-th diagonal of each matrix (the last two axes); below it with `upper`.
        fn triangle[T: Elem](upper: bool, k: isize; out: ViewMut<'_, T, Self>);
        /// As [`reduce`](Backend::reduce).
        fn fold[T: Float](op: FoldOp; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// The pullback of [`fold`](Backend::fold), given its output `y`; `y` and `ct` have size 1 along
        /// reduced axes.
        fn fold_pullback[T: Float](
            op: FoldOp; x: View<'_, T, Self>, y: View<'_, T, Self>, ct: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// Scans along the last axis.
        fn scan[T: Float](op: ScanOp; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// The pullback of [`ScanOp::Prod`] along the last axis, given its output `y`.
        fn cumprod_pullback[T: Float](
            ; x: View<'_, T, Self>, y: View<'_, T, Self>, ct: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// The pushforward of [`ScanOp::Prod`] along the last axis, given its output `y`.
        fn cumprod_pushforward[T: Float](
            ; x: View<'_, T, Self>, y: View<'_, T, Self>, t: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// The positions along the last axis in order, as many as `out` has room for. Equal elements
        /// keep their order.
        fn argsort[T: Elem](order: SortOrder; x: View<'_, T, Self>, out: ViewMut<'_, i64, Self>);
        /// The position of the extreme element along the last axis, which has size 1 in `out`.
        fn arg_reduce[T: Elem](op: ArgOp; x: View<'_, T, Self>, out: ViewMut<'_, i64, Self>);
        /// `out ← op(a, b)`.
        fn integer[T: Integer](op: IntegerOp; a: View<'_, T, Self>, b: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// The sums along the last axis, which has size 1 in `out`.
        fn integer_sum[](; x: View<'_, i64, Self>, out: ViewMut<'_, i64, Self>);
    }
    } };
}
pub(crate) use methods_of_backend;

methods_of_backend!(declare_backend [
    /// A machine that holds tensors and computes with them.
    ///
    /// The results of an operation are there when they are read, not before: a machine may work in its own time. What
    /// it finds out then, such as a wrong index, comes from the next reading as a [`DeviceError`].
    trait Backend: [Clone + Debug + PartialEq + Send + Sync + 'static] {
        /// A buffer of elements, given back to the device's pool when dropped.
        type Buf<T: Elem>: Send + Sync + Debug;

        /// Where a result goes that is made of numbers alone.
        fn current() -> Self;

        /// A buffer with unspecified contents.
        fn alloc<T: Elem>(&self, len: usize) -> Self::Buf<T>;
        /// The number of elements of a buffer.
        fn len<T: Elem>(buf: &Self::Buf<T>) -> usize;
        /// A buffer with the given contents.
        #[track_caller]
        fn upload<T: Elem>(&self, data: &[T]) -> Self::Buf<T>;
        /// The elements in row-major order. What went wrong in an operation before comes out here.
        #[track_caller]
        fn download<T: Elem>(&self, x: View<'_, T, Self>) -> Result<Vec<T>, DeviceError>;
        /// Waits until everything that was asked for is done, and says what went wrong.
        #[track_caller]
        fn synchronise(&self) -> Result<(), DeviceError> {
            Ok(())
        }
        /// Calls `read` with the elements in row-major order, without a copy where the host can see them.
        #[track_caller]
        fn read<T: Elem, R>(&self, x: View<'_, T, Self>, read: impl FnOnce(&[T]) -> R) -> Result<R, DeviceError> {
            Ok(read(&self.download(x)?))
        }
        /// A buffer with the contents that `write` gives to elements of unspecified values.
        #[track_caller]
        fn write<T: Elem>(&self, len: usize, write: impl FnOnce(&mut [T])) -> Self::Buf<T> {
            let mut data = vec![T::default(); len];
            write(&mut data);
            self.upload(&data)
        }
        /// The elements of a buffer, if the host can see them.
        fn host<T: Elem>(_: &Self::Buf<T>) -> Option<&[T]> {
            None
        }
        /// All elements of a buffer as the host sees them. A machine far away may keep a copy with the buffer until it is
        /// written to; one that does not gives `None`.
        #[track_caller]
        fn mirror<'b, T: Elem>(&self, buf: &'b Self::Buf<T>) -> Option<Result<&'b [T], DeviceError>> {
            Self::host(buf).map(Ok)
        }
        /// A buffer of parts of `len` elements, one behind the other, as a buffer of that length with a part for each example of
        /// `vmap!(#[batched] ..)`. `None` on a machine that takes one example after the other.
        #[doc(hidden)]
        fn with_examples<T: Elem>(_: Arc<Self::Buf<T>>, _: Batch, _len: usize) -> Option<Arc<Self::Buf<T>>> {
            None
        }
        /// The parts of such a buffer, one behind the other.
        #[doc(hidden)]
        fn examples<T: Elem>(_: &Self::Buf<T>) -> Option<(Arc<Self::Buf<T>>, Batch)> {
            None
        }
        /// The elements of a buffer for writing, if the host can see them.
        fn host_mut<T: Elem>(_: &mut Self::Buf<T>) -> Option<&mut [T]> {
            None
        }
    }
]);
