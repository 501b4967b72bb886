//! What windows make of an axis: the positions of a convolution or of pooling.

use super::arith::{Plus, Unwindow, Window};
use super::{Dim, StaticDim, Sz};
use core::fmt::Debug;
use core::marker::PhantomData;

/// How a window moves along an axis: the step from one to the next, the entries added at both ends, and
/// the step from entry to entry of a window.
///
/// ```
/// use differentiable::prelude::*;
/// let x: Tensor![2, 3, 28, 28] = Tensor::zeros();
/// let w: Tensor![8, 3, 3, 3] = Tensor::zeros();
/// let same: Tensor![2, 8, 28, 28] = x.conv2d(&w, Win::new().pad::<1>());
/// let half: Tensor![2, 8, 14, 14] = x.conv2d(&w, Win::new().stride::<2>().pad::<1>());
/// let rows: Tensor![2, 8, 14, 26] = x.conv2d(&w, (Win::new().stride::<2>().pad::<1>(), Win::new()));
/// # let _ = (same, half, rows);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Win<const STRIDE: usize = 1, const PAD: usize = 0, const DILATION: usize = 1>;

impl Win {
    /// Step 1, nothing added, neighbouring entries.
    pub const fn new() -> Self {
        Win
    }
}

impl<const S: usize, const P: usize, const D: usize> Win<S, P, D> {
    /// With the step `N` from window to window.
    pub const fn stride<const N: usize>(self) -> Win<N, P, D> {
        const { assert!(N > 0, "the stride of a window is at least 1") };
        Win
    }

    /// With `N` entries added at both ends.
    pub const fn pad<const N: usize>(self) -> Win<S, N, D> {
        Win
    }

    /// With `N` more entries at the end of what a transposed convolution makes, fewer than the stride:
    /// a convolution with a stride takes inputs of several sizes to one.
    pub const fn output_pad<const N: usize>(self) -> OutputPad<Self, N> {
        const { assert!(N < S, "the output padding is less than the stride") };
        OutputPad(self)
    }

    /// With the step `N` from entry to entry of a window.
    pub const fn dilation<const N: usize>(self) -> Win<S, P, N> {
        const { assert!(N > 0, "the dilation of a window is at least 1") };
        Win
    }
}

crate::__discrete!([const S: usize, const P: usize, const D: usize] Win<S, P, D>);
impl<const S: usize, const P: usize, const D: usize> crate::ad::NoDerivative for Win<S, P, D> {}

/// A [`Win`] of a transposed convolution, with `N` more entries at the end of its output:
/// `Win::new().stride::<2>().output_pad::<1>()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OutputPad<W, const N: usize>(W);
crate::__discrete!([W: Step, const N: usize] OutputPad<W, N>);
impl<W, const N: usize> crate::ad::NoDerivative for OutputPad<W, N> {}

/// The number of groups of a convolution: channels of one group see no other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Groups<const G: usize>;
crate::__discrete!([const G: usize] Groups<G>);
impl<const G: usize> crate::ad::NoDerivative for Groups<G> {}

/// How a window moves along one axis.
pub trait Step: Copy + Default + Debug + PartialEq + Send + Sync + 'static {
    /// From window to window.
    const STRIDE: usize;
    /// Entries added at both ends.
    const PAD: usize;
    /// From entry to entry.
    const DILATION: usize;
    /// More entries at the end of the output of a transposed convolution.
    const OUTPUT_PAD: usize = 0;
}

impl<const S: usize, const P: usize, const D: usize> Step for Win<S, P, D> {
    const STRIDE: usize = S;
    const PAD: usize = P;
    const DILATION: usize = D;
}

impl<W: Step, const N: usize> Step for OutputPad<W, N> {
    const STRIDE: usize = W::STRIDE;
    const PAD: usize = W::PAD;
    const DILATION: usize = W::DILATION;
    const OUTPUT_PAD: usize = N;
}

/// How windows move over two axes: one [`Win`] for both, or a pair.
pub trait Steps2: Copy {
    /// Along the first axis.
    type H: Step;
    /// Along the second axis.
    type W: Step;
}

/// How windows move over three axes: one [`Win`] for all, or a triple.
pub trait Steps3: Copy {
    /// Along the first axis.
    type D: Step;
    /// Along the second axis.
    type H: Step;
    /// Along the third axis.
    type W: Step;
}

impl<const S: usize, const P: usize, const D: usize> Steps2 for Win<S, P, D> {
    type H = Self;
    type W = Self;
}
impl<V: Step, const N: usize> Steps2 for OutputPad<V, N> {
    type H = Self;
    type W = Self;
}
impl<A: Step, B: Step> Steps2 for (A, B) {
    type H = A;
    type W = B;
}
impl<const S: usize, const P: usize, const D: usize> Steps3 for Win<S, P, D> {
    type D = Self;
    type H = Self;
    type W = Self;
}
impl<V: Step, const N: usize> Steps3 for OutputPad<V, N> {
    type D = Self;
    type H = Self;
    type W = Self;
}
impl<A: Step, B: Step, C: Step> Steps3 for (A, B, C) {
    type D = A;
    type H = B;
    type W = C;
}

/// An axis over which a window of `K` entries moves as `W` says.
pub trait Slide<K, W>: Dim {
    /// The axis of the windows.
    type Out: Dim;
    /// The axis of the windows.
    fn slide(self) -> Self::Out;
}

impl<const H: usize, const K: usize, const S: usize, const P: usize, const D: usize>
    Slide<Sz<K>, Win<S, P, D>> for Sz<H>
where
    Sz<H>: Window<K, S, P, D>,
{
    type Out = <Sz<H> as Window<K, S, P, D>>::Out;
    fn slide(self) -> Self::Out {
        Default::default()
    }
}

/// The windows over an axis whose size is known at run time only.
///
/// It is a type of its own, with the name of `H`, also where padding keeps the size: whether it does is known of sizes
/// only. [`narrow`](crate::tensor::Tensor::narrow) gives the axis a dimension of one's choice without a copy:
/// `x.conv2d(&w, win).narrow::<2, _>(0, height)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Positions<H, K, W>(H, PhantomData<(K, W)>);

impl<H: Dim, K: StaticDim, W: Step> Positions<H, K, W> {
    /// The windows over `axis`.
    ///
    /// # Panics
    /// If not even one fits.
    pub fn over(axis: H) -> Self {
        let (n, k) = (axis.size(), W::DILATION * (K::default().size() - 1) + 1);
        assert!(
            k <= n + 2 * W::PAD,
            "a window over {k} entries does not fit the dimension {} of size {n} with padding {}",
            H::NAME,
            W::PAD
        );
        Positions(axis, PhantomData)
    }
}

impl<H: Dim, K: StaticDim, W: Step> Dim for Positions<H, K, W> {
    const STATIC: Option<usize> = None;
    const NAME: &'static str = H::NAME;
    type Names<Tail> = H::Names<Tail>;
    fn size(self) -> usize {
        let reach = W::DILATION * (K::default().size() - 1) + 1;
        (self.0.size() + 2 * W::PAD - reach) / W::STRIDE + 1
    }
    fn put(self, sizes: &mut Vec<usize>) {
        self.0.put(sizes);
    }
    fn take(sizes: &mut dyn Iterator<Item = usize>) -> Self {
        Positions(H::take(sizes), PhantomData)
    }
}

crate::__discrete!([H: Dim, K: StaticDim, W: Step] Positions<H, K, W>);

impl<H: Dim, J: StaticDim, V: Step, K: StaticDim, W: Step> Slide<K, W> for Positions<H, J, V> {
    type Out = Positions<Self, K, W>;
    fn slide(self) -> Self::Out {
        Positions::over(self)
    }
}

/// An axis that the transpose of a convolution with windows of `K` entries, moving as `W` says, makes
/// longer.
pub trait Spread<K, W>: Dim {
    /// The longer axis.
    type Out: Dim;
    /// The longer axis.
    fn spread(self) -> Self::Out;
}

impl<const H: usize, const K: usize, const S: usize, const P: usize, const D: usize>
    Spread<Sz<K>, Win<S, P, D>> for Sz<H>
where
    Sz<H>: Unwindow<K, S, P, D>,
{
    type Out = <Sz<H> as Unwindow<K, S, P, D>>::Out;
    fn spread(self) -> Self::Out {
        Default::default()
    }
}

impl<const H: usize, const K: usize, const S: usize, const P: usize, const D: usize, const N: usize>
    Spread<Sz<K>, OutputPad<Win<S, P, D>, N>> for Sz<H>
where
    Sz<H>: Unwindow<K, S, P, D>,
    <Sz<H> as Unwindow<K, S, P, D>>::Out: Plus<Sz<N>>,
{
    type Out = <<Sz<H> as Unwindow<K, S, P, D>>::Out as Plus<Sz<N>>>::Out;
    fn spread(self) -> Self::Out {
        Default::default()
    }
}

/// What a transposed convolution makes of an axis whose size is known at run time only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stretched<H, K, W>(H, PhantomData<(K, W)>);

impl<H: Dim, K: StaticDim, W: Step> Stretched<H, K, W> {
    /// The axis that windows over make `axis`.
    ///
    /// # Panics
    /// If nothing is left of it.
    pub fn from(axis: H) -> Self {
        let n = axis.size();
        assert!(
            n > 0 && Self::padded(n) > 2 * W::PAD,
            "a transposed convolution with windows over {} entries and padding {} leaves nothing of the dimension {} of size {n}",
            K::default().size(),
            W::PAD,
            H::NAME,
        );
        Stretched(axis, PhantomData)
    }

    /// The size before the padding is taken off both ends.
    fn padded(n: usize) -> usize {
        (n - 1) * W::STRIDE + W::DILATION * (K::default().size() - 1) + 1 + W::OUTPUT_PAD
    }
}

impl<H: Dim, K: StaticDim, W: Step> Dim for Stretched<H, K, W> {
    const STATIC: Option<usize> = None;
    const NAME: &'static str = H::NAME;
    type Names<Tail> = H::Names<Tail>;
    fn size(self) -> usize {
        Self::padded(self.0.size()) - 2 * W::PAD
    }
    fn put(self, sizes: &mut Vec<usize>) {
        self.0.put(sizes);
    }
    fn take(sizes: &mut dyn Iterator<Item = usize>) -> Self {
        Stretched(H::take(sizes), PhantomData)
    }
}

crate::__discrete!([H: Dim, K: StaticDim, W: Step] Stretched<H, K, W>);

impl<H: Dim, J: StaticDim, V: Step, K: StaticDim, W: Step> Slide<K, W> for Stretched<H, J, V> {
    type Out = Positions<Self, K, W>;
    fn slide(self) -> Self::Out {
        Positions::over(self)
    }
}

impl<H: Dim, J: StaticDim, V: Step, K: StaticDim, W: Step> Spread<K, W> for Stretched<H, J, V> {
    type Out = Stretched<Self, K, W>;
    fn spread(self) -> Self::Out {
        Stretched::from(self)
    }
}

impl<H: Dim, J: StaticDim, V: Step, K: StaticDim, W: Step> Spread<K, W> for Positions<H, J, V> {
    type Out = Stretched<Self, K, W>;
    fn spread(self) -> Self::Out {
        Stretched::from(self)
    }
}

/// The channels of a convolution's input and those that its weights take are one dimension.
#[diagnostic::on_unimplemented(
    message = "cannot convolve a `{S}` tensor with `{K}` weights: it has `{Self}` channels, the weights take `{C}`",
    label = "channels `{Self}` and `{C}`"
)]
pub trait Channels<C, S, K> {}
#[diagnostic::do_not_recommend]
impl<C, S, K> Channels<C, S, K> for C {}
