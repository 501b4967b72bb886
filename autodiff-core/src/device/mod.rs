//! The seam between tensor operations and the machine that runs them.
//!
//! Operations are values ([`UnaryOp`], [`BinaryOp`], …), not closures, so that a GPU can implement
//! [`Device`] as well as [`Cpu`] does. One set of differentiation rules serves every device.
//!
//! Conventions: inputs are strided views, and an axis with stride 0 is broadcast. Outputs are
//! dense (except for [`Device::copy`] and [`Device::gemm`]). Shapes have been checked by the
//! typed layer above; a wrong one here is a bug and panics. Results never depend on the number of
//! threads.

mod attention;
mod cpu;
mod dual;
mod elem;
pub(crate) mod float;
#[cfg(feature = "fft")]
mod fourier;
mod images;
mod integer;
mod layout;
#[cfg(feature = "linalg")]
mod linalg;
mod op;
mod recurrent;
mod region;
mod resample;
pub mod symbolic;
mod window;

pub use attention::{
    AttentionGradients, AttentionInput, AttentionMask, AttentionShape, AttentionTangents,
};
pub use cpu::Cpu;
pub use elem::{DType, Elem, Index};
pub use float::{Float, FloatElem, Math, Real};
#[cfg(feature = "fft")]
pub use fourier::Fourier;
pub use images::Images;
pub use integer::{Integer, IntegerOp};
pub use layout::{Dims, Layout, MAX_RANK};
#[cfg(feature = "linalg")]
pub use linalg::{Factorize, Gaps, Linalg, Triangle};
pub use op::{
    AdamStep, ArgOp, BinaryOp, CompareOp, Decay, FoldOp, NormShape, Random, ReduceOp, Saves,
    ScanOp, SgdStep, Side, SoftmaxOp, SortOrder, UnaryOp, Write,
};
pub use recurrent::{Cell, Recurred, Recurrence, RecurrentCotangents, RecurrentGradients};
pub use region::{Region, RegionVisitor};
pub use resample::{Interpolation, Resample};
pub use window::{ConvShape, PoolOp, PoolShape, Windows};

use core::fmt::Debug;

/// A row number or class outside its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("index {found} at position {position} is out of range: there are {len} entries, 0 to {}", *len as i64 - 1)]
pub struct IndexError {
    /// Where in the index tensor it stands.
    pub position: usize,
    /// The index.
    pub found: i64,
    /// The number of valid indices.
    pub len: usize,
}

/// A tensor to read.
pub struct View<'a, T: Elem, D: Device> {
    /// The whole buffer.
    pub buf: &'a D::Buf<T>,
    /// Which of its elements.
    pub layout: Layout,
}

impl<T: Elem, D: Device> Clone for View<'_, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Elem, D: Device> Copy for View<'_, T, D> {}

/// A tensor to write.
pub struct ViewMut<'a, T: Elem, D: Device> {
    /// The whole buffer.
    pub buf: &'a mut D::Buf<T>,
    /// Which of its elements.
    pub layout: Layout,
}

/// An operand of an elementwise operation.
pub enum Operand<'a, T: Elem, D: Device> {
    /// A tensor, which is broadcast to the output's sizes.
    View(View<'a, T, D>),
    /// One number.
    Scalar(T),
    /// The previous contents of the output: the operation runs in place.
    Output,
}

impl<T: Elem, D: Device> Clone for Operand<'_, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Elem, D: Device> Copy for Operand<'_, T, D> {}

/// A machine that holds tensors and computes with them.
pub trait Device: Clone + Default + Debug + PartialEq + Send + Sync + 'static {
    /// A buffer of elements, given back to the device's pool when dropped.
    type Buf<T: Elem>: Send + Sync + Debug;

    /// A buffer with unspecified contents.
    fn alloc<T: Elem>(&self, len: usize) -> Self::Buf<T>;
    /// The number of elements of a buffer.
    fn len<T: Elem>(buf: &Self::Buf<T>) -> usize;
    /// A buffer with the given contents.
    fn upload<T: Elem>(&self, data: &[T]) -> Self::Buf<T>;
    /// The elements in row-major order.
    fn download<T: Elem>(&self, x: View<'_, T, Self>) -> Vec<T>;
    /// Calls `read` with the elements in row-major order, without a copy where the host can see them.
    fn read<T: Elem, R>(&self, x: View<'_, T, Self>, read: impl FnOnce(&[T]) -> R) -> R {
        read(&self.download(x))
    }
    /// A buffer with the contents that `write` gives to elements of unspecified values.
    fn write<T: Elem>(&self, len: usize, write: impl FnOnce(&mut [T])) -> Self::Buf<T> {
        let mut data = vec![T::default(); len];
        write(&mut data);
        self.upload(&data)
    }

    /// Sets every element.
    fn fill<T: Elem>(&self, value: T, out: ViewMut<'_, T, Self>);
    /// Copies between any two layouts of the same sizes.
    fn copy<T: Elem>(&self, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// Converts every element.
    fn cast<T: Elem, U: Elem>(&self, x: View<'_, T, Self>, out: ViewMut<'_, U, Self>);
    /// Draws every element. Element `i` depends on `seed`, `stream` and `i` only.
    fn random<T: Float>(&self, law: Random, seed: u64, stream: u64, out: ViewMut<'_, T, Self>);

    /// `out ← beta·out + a·b` for each matrix of a batch; any strides. With `beta` 0 the previous
    /// contents are not read.
    ///
    /// The operands have the same rank, at least 2, and the same leading sizes.
    fn gemm<T: Float>(
        &self,
        beta: T,
        a: View<'_, T, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );

    /// `out ← op(x)`.
    fn unary<T: Float>(&self, op: UnaryOp, x: Operand<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// `out ← ct · op′`, with the derivative taken from the value that [`UnaryOp::saves`] names.
    fn unary_pullback<T: Float>(
        &self,
        op: UnaryOp,
        saved: Operand<'_, T, Self>,
        ct: Operand<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    );
    /// `out ← op(a, b)`.
    fn binary<T: Float>(
        &self,
        op: BinaryOp,
        a: Operand<'_, T, Self>,
        b: Operand<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    );
    /// `out ← ct · ∂op(a, b)/∂side`.
    #[allow(clippy::too_many_arguments)]
    fn binary_pullback<T: Float>(
        &self,
        op: BinaryOp,
        side: Side,
        a: Operand<'_, T, Self>,
        b: Operand<'_, T, Self>,
        ct: Operand<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    );
    /// `out ← a op b` as truth values; a comparison with NaN is false, except `Ne`.
    fn compare<T: Elem>(
        &self,
        op: CompareOp,
        a: View<'_, T, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, bool, Self>,
    );
    /// `out ← op(a, b)`.
    fn integer<T: Integer>(
        &self,
        op: IntegerOp,
        a: View<'_, T, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The sums along the last axis, which has size 1 in `out`.
    fn integer_sum(&self, x: View<'_, i64, Self>, out: ViewMut<'_, i64, Self>);
    /// `out ← if mask { a } else { b }`.
    fn select<T: Elem>(
        &self,
        mask: View<'_, bool, Self>,
        a: Operand<'_, T, Self>,
        b: Operand<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// `y ← y + alpha·x`.
    fn add_scaled<T: Float>(&self, alpha: T, x: View<'_, T, Self>, y: ViewMut<'_, T, Self>);

    /// Reduces to the sizes of `out`, which has the rank of `x` and size 1 along reduced axes.
    fn reduce<T: Float>(
        &self,
        op: ReduceOp,
        x: View<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    );
    /// The pullback of `Max` and `Min`: `ct` goes to the elements of `x` equal to `y`, in equal
    /// shares; to nobody but NaN everywhere if `y` is NaN. `y` and `ct` have size 1 along reduced
    /// axes.
    fn extreme_pullback<T: Float>(
        &self,
        x: View<'_, T, Self>,
        y: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    );
    /// The position of the extreme element along the last axis, which has size 1 in `out`.
    fn arg_reduce<T: Elem>(&self, op: ArgOp, x: View<'_, T, Self>, out: ViewMut<'_, i64, Self>);

    /// Normalises along the last axis.
    fn softmax<T: Float>(&self, op: SoftmaxOp, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// The pullback of [`softmax`](Device::softmax) from its output `y`.
    fn softmax_pullback<T: Float>(
        &self,
        op: SoftmaxOp,
        y: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    );
    /// `loss ← mean over rows of lse − x[target]`, where `lse = ln Σ exp(x)` of each row is kept
    /// for the pullback. Sizes: `x` rows × classes, `targets` and `lse` rows, `loss` none.
    fn cross_entropy<T: Float, I: Index>(
        &self,
        x: View<'_, T, Self>,
        targets: View<'_, I, Self>,
        lse: ViewMut<'_, T, Self>,
        loss: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError>;
    /// `out ← ct/rows · (softmax(x) − onehot(target))`.
    fn cross_entropy_pullback<T: Float, I: Index>(
        &self,
        x: View<'_, T, Self>,
        targets: View<'_, I, Self>,
        lse: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    );

    /// `out[i, ..] ← x[index[i], ..]`.
    fn gather<T: Elem, I: Index>(
        &self,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError>;
    /// `out[index[i], ..] += x[i, ..]`, in the order of `i`.
    fn scatter_add<T: Float, I: Index>(
        &self,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError>;

    /// Normalises rows: `out ← γ·(x − mean)/√(variance + ε) + β`. `stats` gets [`NormShape::STATS`] numbers
    /// of each row, for the derivatives: the mean, what rounding took from it, and `1/√(variance + ε)`. All operands
    /// are dense.
    fn norm<T: Float>(
        &self,
        shape: &NormShape,
        x: View<'_, T, Self>,
        scale: View<'_, T, Self>,
        shift: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
        stats: ViewMut<'_, T, Self>,
    );
    /// The cotangents of the operands of [`norm`](Device::norm).
    #[allow(clippy::too_many_arguments)]
    fn norm_pullback<T: Float>(
        &self,
        shape: &NormShape,
        x: View<'_, T, Self>,
        stats: View<'_, T, Self>,
        scale: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        d_x: ViewMut<'_, T, Self>,
        d_scale: ViewMut<'_, T, Self>,
        d_shift: ViewMut<'_, T, Self>,
    );
    /// The tangent of `(x − mean)/√(variance + ε)` from that of `x`.
    fn norm_pushforward<T: Float>(
        &self,
        shape: &NormShape,
        x: View<'_, T, Self>,
        stats: View<'_, T, Self>,
        t: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );

    /// Attention. `out` is dense: heads, queries, `value_width`; `stats` gets two numbers for each query, for the
    /// derivatives.
    fn attention<T: Float>(
        &self,
        input: AttentionInput<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
        stats: ViewMut<'_, T, Self>,
    );
    /// The cotangents of the operands of [`attention`](Device::attention) from its two outputs, `saved`, and the
    /// dense cotangent of the first.
    fn attention_pullback<T: Float>(
        &self,
        input: AttentionInput<'_, T, Self>,
        saved: [View<'_, T, Self>; 2],
        ct: View<'_, T, Self>,
        into: AttentionGradients<'_, T, Self>,
    );
    /// The tangent of the output of [`attention`](Device::attention).
    fn attention_pushforward<T: Float>(
        &self,
        input: AttentionInput<'_, T, Self>,
        saved: [View<'_, T, Self>; 2],
        tangents: AttentionTangents<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );

    /// A recurrent layer. `slots` (steps, batch, slots, units) has the products of the inputs and their weights, and
    /// gets what is kept for the derivatives. `weights` is the matrix that `h` is multiplied by: units, recurrent slots and
    /// units. `bias` has slots and units. `memory` and `out` get `c` and `h` after each step. All operands are
    /// dense; those of `c` are empty for cells without.
    #[allow(clippy::too_many_arguments)]
    fn recurrence<T: Float>(
        &self,
        shape: &Recurrence,
        weights: View<'_, T, Self>,
        bias: View<'_, T, Self>,
        h0: View<'_, T, Self>,
        c0: View<'_, T, Self>,
        slots: ViewMut<'_, T, Self>,
        memory: ViewMut<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The cotangents of a layer that has run; its slots are in the place of theirs. `weights` is the
    /// transpose of what [`recurrence`](Device::recurrence) takes.
    fn recurrence_pullback<T: Float>(
        &self,
        shape: &Recurrence,
        weights: View<'_, T, Self>,
        ran: Recurred<'_, T, Self>,
        ct: RecurrentCotangents<'_, T, Self>,
        into: RecurrentGradients<'_, T, Self>,
    );
    /// The tangents of `h` after each step, `out`, and of the last `c`, which has that of the first before. `t_slots`
    /// are the tangents of the slots' arguments, without what comes from the tangent of `h`.
    #[allow(clippy::too_many_arguments)]
    fn recurrence_pushforward<T: Float>(
        &self,
        shape: &Recurrence,
        weights: View<'_, T, Self>,
        ran: Recurred<'_, T, Self>,
        slots: View<'_, T, Self>,
        t_slots: View<'_, T, Self>,
        t_h0: View<'_, T, Self>,
        t_c: ViewMut<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// `out ← (x − centre)·scale + shift` with one centre, scale and shift for each channel. All operands
    /// are dense; `sizes` are images, channels, entries of a channel.
    #[allow(clippy::too_many_arguments)]
    fn channel_affine<T: Float>(
        &self,
        sizes: [usize; 3],
        x: View<'_, T, Self>,
        centre: View<'_, T, Self>,
        scale: View<'_, T, Self>,
        shift: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// `out ← Σ ct·(x − centre)` over the entries of each channel, as [`channel_affine`](Device::channel_affine).
    fn channel_moments<T: Float>(
        &self,
        sizes: [usize; 3],
        x: View<'_, T, Self>,
        centre: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// `out[.., i, ..] ← x[.., index[i], ..]` along `axis`; `x` is dense.
    fn select_axis<T: Elem, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError>;
    /// `out[.., index[i], ..] += x[.., i, ..]` along `axis`, in the order of `i`; `x` is dense.
    fn add_axis<T: Float, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError>;
    /// `out[.., i, ..] ← x[.., index[.., i, ..], ..]` along `axis`; `x` is dense.
    fn take_along<T: Elem, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError>;
    /// `out[.., index[.., i, ..], ..] += x[.., i, ..]` along `axis`, in the order of `i`; `x` is
    /// dense.
    fn add_along<T: Float, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError>;
    /// As [`add_along`](Device::add_along), but replaces: of several, the last `i` stays.
    fn put_along<T: Elem, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError>;
    /// Zero above the `k`-th diagonal of each matrix (the last two axes); below it with `upper`.
    fn triangle<T: Elem>(&self, upper: bool, k: isize, out: ViewMut<'_, T, Self>);

    /// One step of [`SgdStep`]; `velocity` is needed with momentum.
    fn sgd<T: Float>(
        &self,
        step: &SgdStep,
        param: ViewMut<'_, T, Self>,
        grad: View<'_, T, Self>,
        velocity: Option<ViewMut<'_, T, Self>>,
    );
    /// One step of [`AdamStep`].
    fn adam<T: Float>(
        &self,
        step: &AdamStep,
        param: ViewMut<'_, T, Self>,
        grad: View<'_, T, Self>,
        first: ViewMut<'_, T, Self>,
        second: ViewMut<'_, T, Self>,
    );

    /// `out ← region(x)`, element by element; one operand may be the output.
    fn region<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        x: [Operand<'_, T, Self>; N],
        out: ViewMut<'_, T, Self>,
    );
    /// `cts ← ∂region(x) · ct` for elements of sizes `dims`, one for each input that is `Some`. Those that lack
    /// leading axes are summed over them. Of `x` and `y = region(x)` there is what [`Region::READS`] and
    /// [`Region::READS_VALUE`] name. Where `ct` is the output, it is in the first of `cts` that has sizes `dims`.
    fn region_pullback<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        dims: &Dims,
        x: [Operand<'_, T, Self>; N],
        y: Option<View<'_, T, Self>>,
        ct: Operand<'_, T, Self>,
        cts: [Option<ViewMut<'_, T, Self>>; N],
    );
    /// `sum ← Σ region(x)` over elements of sizes `dims`, and `slopes ← ∂sum/∂x` of the inputs that are `Some`, as
    /// by [`region_pullback`](Device::region_pullback).
    fn region_sum<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        dims: &Dims,
        x: [Operand<'_, T, Self>; N],
        sum: ViewMut<'_, T, Self>,
        slopes: [Option<ViewMut<'_, T, Self>>; N],
    );
    /// `out ← Σ region(x)` along an axis of elements of sizes `dims`; `out` has the other axes.
    fn region_along<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        dims: &Dims,
        x: [Operand<'_, T, Self>; N],
        axis: usize,
        out: ViewMut<'_, T, Self>,
    );
    /// `out ← Σ ∂region(x)/∂xₖ · tₖ`.
    fn region_pushforward<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        x: [Operand<'_, T, Self>; N],
        t: [Operand<'_, T, Self>; N],
        out: ViewMut<'_, T, Self>,
    );

    /// The number of `true` along the last axis, which has size 1 in `out`.
    fn count(&self, x: View<'_, bool, Self>, out: ViewMut<'_, i64, Self>);
    /// Dropout: element `i` in row-major order becomes 0 with probability `p`, which depends on
    /// `seed` and `i` only, and is divided by `1 − p` otherwise. `x` is dense.
    fn dropout<T: Float>(
        &self,
        p: f64,
        seed: u64,
        x: Operand<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );

    /// As [`reduce`](Device::reduce).
    fn fold<T: Float>(&self, op: FoldOp, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// The pullback of [`fold`](Device::fold), given its output `y`; `y` and `ct` have size 1 along
    /// reduced axes.
    fn fold_pullback<T: Float>(
        &self,
        op: FoldOp,
        x: View<'_, T, Self>,
        y: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// Scans along the last axis.
    fn scan<T: Float>(&self, op: ScanOp, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// The pullback of [`ScanOp::Prod`] along the last axis, given its output `y`.
    fn cumprod_pullback<T: Float>(
        &self,
        x: View<'_, T, Self>,
        y: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The pushforward of [`ScanOp::Prod`] along the last axis, given its output `y`.
    fn cumprod_pushforward<T: Float>(
        &self,
        x: View<'_, T, Self>,
        y: View<'_, T, Self>,
        t: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );

    /// The positions along the last axis in order, as many as `out` has room for. Equal elements
    /// keep their order.
    fn argsort<T: Elem>(&self, order: SortOrder, x: View<'_, T, Self>, out: ViewMut<'_, i64, Self>);
}
