//! Discrete Fourier transforms: `fft ifft fft2 ifft2 fft_ortho ifft_ortho rfft irfft rfft2 irfft2`.
//!
//! A complex tensor is a pair `(re, im)` of tensors of one shape. With `θ = 2π kn/N`:
//!
//! | | value | pullback of `C` |
//! |---|---|---|
//! | `fft` | `Y_k = Σ_n X_n e^(−iθ)` | `Σ_k C_k e^(+iθ)` |
//! | `ifft` | `X_n = 1/N Σ_k Y_k e^(+iθ)` | `1/N Σ_n C_n e^(−iθ)` |
//! | `rfft` | `fft` of real numbers, `k ≤ N/2` | `Re Σ_{k ≤ N/2} C_k e^(+iθ)` |
//! | `irfft` | `ifft` of what `rfft` gives | `w_k/N Σ_n C_n e^(−iθ)`, `k ≤ N/2` |
//!
//! These are NumPy's conventions of scaling; `_ortho` divides by `√N` in both directions. In `irfft`,
//! `w_k` is 2 where the entry stands for itself and its conjugate, and 1 for `k = 0` and `k = N/2`, whose
//! imaginary parts are not read and get 0. All are linear, so the pushforward is the operation itself.
//! Cotangents of the real and imaginary parts are those of two real tensors, as of every other pair.

use crate::ad::{Acc, Adj, Ct, Inactive, Mode};
use crate::device::{Dims, Float, Fourier};
use crate::ops::OrPanic;
use crate::shape::{Axis, Dim, Frequencies, Shape, Spectral};
use crate::tensor::{Raw, Tensor, TensorAcc};

type Pair<S, T, D> = (Tensor<S, T, D>, Tensor<S, T, D>);

/// The cotangents of a pair; one that is zero as zeros. `None` if both are.
#[track_caller]
fn both<S: Shape, T: Float, D: Fourier>(
    ct: &(TensorAcc<S, T, D>, TensorAcc<S, T, D>),
) -> Option<[Raw<T, D>; 2]> {
    let zero = |other: &Raw<T, D>| Raw::zeros(other.device(), *other.dims());
    match (ct.0.raw(), ct.1.raw()) {
        (None, None) => None,
        (Some(a), None) => Some([a.clone(), zero(a)]),
        (None, Some(b)) => Some([zero(b), b.clone()]),
        (Some(a), Some(b)) => Some([a.clone(), b.clone()]),
    }
}

#[track_caller]
fn typed<S: Shape, T: Float, D: Fourier>(shape: S, [re, im]: [Raw<T, D>; 2]) -> Pair<S, T, D> {
    (Tensor::new(shape, re), Tensor::new(shape, im))
}

/// That the parts of a complex tensor have one size.
#[track_caller]
fn same_parts<S: Shape, T: Float, D: Fourier>(
    name: &str,
    re: &Tensor<S, T, D>,
    im: &Tensor<S, T, D>,
) {
    re.check_same_shape(im).or_panic(name);
}

/// The number of entries along the axes of a transform.
fn count(dims: &Dims, axes: &[usize]) -> f64 {
    axes.iter().map(|&a| dims[a] as f64).product()
}

macro_rules! complex {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident [$(const $i:ident: isize)?] where [$($w:tt)*];
        $inverse:literal along $axes:expr, scale |$n:pat_param| $scale:expr;
    )*) => { $(
        impl<S: Shape, T: Float, D: Fourier> Tensor<S, T, D> {
            $(#[$doc])*
            ///
            /// # Panics
            /// If run-time dimensions of one name have different sizes.
            #[track_caller]
            pub fn $name$(<const $i: isize>)?(&self, im: &Self) -> (Self, Self)
            where
                $($w)*
            {
                same_parts(stringify!($name), self, im);
                let axes = $axes;
                let $n = count(&self.dims(), &axes);
                typed(self.shape(), Raw::fft([self.raw(), im.raw()], &axes, $inverse, $scale))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode $(, const $i: isize)?>(
                &self,
                _: (M0, M1),
                im: &Self,
            ) -> (
                (Self, Self),
                impl FnOnce(Ct<(Self, Self)>, &Self, &Self, &mut Adj<Self, M0>, &mut Adj<Self, M1>)
                + Clone + use<M0, M1, S, T, D $(, $i)?>,
            )
            where
                $($w)*
            {
                (self.$name$(::<$i>)?(im), |ct, re, im, d_re, d_im| {
                    let Some([a, b]) = both(&ct) else { return };
                    let axes = $axes;
                    let $n = count(&re.dims(), &axes);
                    let [a, b] = Raw::fft([&a, &b], &axes, !$inverse, $scale);
                    if M0::ON {
                        d_re.acc(Tensor::new(re.shape(), a).into());
                    }
                    if M1::ON {
                        d_im.acc(Tensor::new(im.shape(), b).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp$(<const $i: isize>)?(
                &self,
                t: &Self,
                im: &Self,
                t_im: &Self,
            ) -> ((Self, Self), (Self, Self))
            where
                $($w)*
            {
                (self.$name$(::<$i>)?(im), t.$name$(::<$i>)?(t_im))
            }
        }
    )* };
}

complex! {
    /// The discrete Fourier transform along axis `I` of a complex tensor, whose real part is `self`:
    /// `let (re, im) = re.fft::<-1>(&im);`. Of real numbers, [`rfft`](Tensor::rfft) needs half the room.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let re: Tensor![f64; 4] = tensor([1.0, 0.0, 0.0, 0.0]);
    /// let (a, b) = re.fft::<0>(&Tensor::zeros());
    /// assert_eq!((a.to_vec(), b.to_vec()), (vec![1.0; 4], vec![0.0; 4]));
    /// ```
    fft __fft_vjp __fft_jvp [const I: isize] where [S: Axis<I>];
    false along [<S as Axis<I>>::INDEX], scale |_| 1.0;

    /// The inverse of [`fft`](Tensor::fft), which divides by the number of entries.
    ifft __ifft_vjp __ifft_jvp [const I: isize] where [S: Axis<I>];
    true along [<S as Axis<I>>::INDEX], scale |n| 1.0 / n;

    /// [`fft`](Tensor::fft) divided by the root of the number of entries: an orthogonal map.
    fft_ortho __fft_ortho_vjp __fft_ortho_jvp [const I: isize] where [S: Axis<I>];
    false along [<S as Axis<I>>::INDEX], scale |n| 1.0 / n.sqrt();

    /// The inverse of [`fft_ortho`](Tensor::fft_ortho).
    ifft_ortho __ifft_ortho_vjp __ifft_ortho_jvp [const I: isize] where [S: Axis<I>];
    true along [<S as Axis<I>>::INDEX], scale |n| 1.0 / n.sqrt();

    /// [`fft`](Tensor::fft) along the last two axes.
    fft2 __fft2_vjp __fft2_jvp [] where [S: Axis<-1> + Axis<-2>];
    false along [<S as Axis<-1>>::INDEX, <S as Axis<-2>>::INDEX], scale |_| 1.0;

    /// The inverse of [`fft2`](Tensor::fft2), which divides by the number of entries of the last two axes.
    ifft2 __ifft2_vjp __ifft2_jvp [] where [S: Axis<-1> + Axis<-2>];
    true along [<S as Axis<-1>>::INDEX, <S as Axis<-2>>::INDEX], scale |n| 1.0 / n;
}

/// A real tensor with the spectrum along axis `I` in the place of that axis.
type Half<S, const I: isize> = <S as Axis<I>>::With<<<S as Axis<I>>::Dim as Spectral>::Out>;

const NO_MORE: [usize; 0] = [];

macro_rules! real {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident,
        $(#[$inv_doc:meta])*
        $inv:ident $inv_vjp:ident $inv_jvp:ident
        [$(const $i:ident: isize)?] at $at:tt where [$($w:tt)*]; then along $others:expr;
    )*) => { $(
        impl<S: Shape, T: Float, D: Fourier> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name$(<const $i: isize>)?(&self) -> Pair<Half<S, $at>, T, D>
            where
                S: Axis<$at>,
                <S as Axis<$at>>::Dim: Spectral,
                $($w)*
            {
                let [re, im] = self.raw().rfft(<S as Axis<$at>>::INDEX, false, 1.0);
                let shape = Axis::<$at>::with(self.shape(), Axis::<$at>::axis(self.shape()).spectrum());
                typed(shape, Raw::fft([&re, &im], &$others, false, 1.0))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M: Mode $(, const $i: isize)?>(
                &self,
                _: (M,),
            ) -> (
                Pair<Half<S, $at>, T, D>,
                impl FnOnce(Ct<Pair<Half<S, $at>, T, D>>, &Self, &mut Adj<Self, M>)
                + Clone + use<M, S, T, D $(, $i)?>,
            )
            where
                S: Axis<$at>,
                <S as Axis<$at>>::Dim: Spectral,
                $($w)*
            {
                (self.$name$(::<$i>)?(), |ct, x, d| {
                    if M::ON && let Some([a, b]) = both(&ct) {
                        let axis = <S as Axis<$at>>::INDEX;
                        let [a, b] = Raw::fft([&a, &b], &$others, true, 1.0);
                        let g = Raw::irfft([&a, &b], axis, x.dims()[axis], false, 1.0);
                        d.acc(Tensor::new(x.shape(), g).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp$(<const $i: isize>)?(
                &self,
                t: &Self,
            ) -> (Pair<Half<S, $at>, T, D>, Pair<Half<S, $at>, T, D>)
            where
                S: Axis<$at>,
                <S as Axis<$at>>::Dim: Spectral,
                $($w)*
            {
                (self.$name$(::<$i>)?(), t.$name$(::<$i>)?())
            }

            $(#[$inv_doc])*
            ///
            /// # Panics
            /// If run-time sizes do not fit.
            #[track_caller]
            pub fn $inv<$(const $i: isize,)? X: Spectral>(
                &self,
                im: &Self,
                n: X,
            ) -> Tensor<<S as Axis<$at>>::With<X>, T, D>
            where
                S: Axis<$at>,
                (<X as Spectral>::Out, <S as Axis<$at>>::Dim): Frequencies<X, S>,
                $($w)*
            {
                same_parts(stringify!($inv), self, im);
                let axis = <S as Axis<$at>>::INDEX;
                let (found, expected) = (self.dims()[axis], n.spectrum().size());
                assert!(
                    found == expected,
                    "{}: dimension `{}` of axis {axis} is {found}, expected {expected} = {}/2 + 1 for a result of size {}",
                    stringify!($inv),
                    S::NAMES[axis],
                    n.size(),
                    n.size()
                );
                let rows = count(&self.dims(), &$others);
                let [a, b] = Raw::fft([self.raw(), im.raw()], &$others, true, 1.0 / rows);
                let y = Raw::irfft([&a, &b], axis, n.size(), true, 1.0 / n.size() as f64);
                Tensor::new(Axis::<$at>::with(self.shape(), n), y)
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $inv_vjp<M0: Mode, M1: Mode, M2: Inactive, $(const $i: isize,)? X: Spectral>(
                &self,
                _: (M0, M1, M2),
                im: &Self,
                n: X,
            ) -> (
                Tensor<<S as Axis<$at>>::With<X>, T, D>,
                impl FnOnce(
                    Ct<Tensor<<S as Axis<$at>>::With<X>, T, D>>,
                    &Self,
                    &Self,
                    &mut Adj<Self, M0>,
                    &mut Adj<Self, M1>,
                    &mut Adj<X, M2>,
                ) + Clone + use<M0, M1, M2, S, T, D, $($i,)? X>,
            )
            where
                S: Axis<$at>,
                (<X as Spectral>::Out, <S as Axis<$at>>::Dim): Frequencies<X, S>,
                $($w)*
            {
                let size = n.size() as f64;
                (self.$inv::<$($i,)? X>(im, n), move |ct, re, im, d_re, d_im, _| {
                    let Some(ct) = ct.raw() else { return };
                    let [a, b] = ct.rfft(<S as Axis<$at>>::INDEX, true, 1.0 / size);
                    let rows = count(a.dims(), &$others);
                    let [a, b] = Raw::fft([&a, &b], &$others, false, 1.0 / rows);
                    if M0::ON {
                        d_re.acc(Tensor::new(re.shape(), a).into());
                    }
                    if M1::ON {
                        d_im.acc(Tensor::new(im.shape(), b).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $inv_jvp<$(const $i: isize,)? X: Spectral>(
                &self,
                t: &Self,
                im: &Self,
                t_im: &Self,
                n: X,
                _: impl Sized,
            ) -> (
                Tensor<<S as Axis<$at>>::With<X>, T, D>,
                Tensor<<S as Axis<$at>>::With<X>, T, D>,
            )
            where
                S: Axis<$at>,
                (<X as Spectral>::Out, <S as Axis<$at>>::Dim): Frequencies<X, S>,
                $($w)*
            {
                (self.$inv::<$($i,)? X>(im, n), t.$inv::<$($i,)? X>(t_im, n))
            }
        }
    )* };
}

real! {
    /// The spectrum along axis `I` of real numbers: of `N` the first `N/2 + 1` entries of their
    /// [`fft`](Tensor::fft), as `(re, im)`. The others are conjugates of these.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let x: Tensor![f64; 2, 8] = Tensor::iota();
    /// let (re, im): (Tensor![f64; 2, 5], Tensor![f64; 2, 5]) = x.rfft::<-1>();
    /// assert_eq!(re[[0, 0]], 28.0);
    /// let back: Tensor![f64; 2, 8] = re.irfft::<-1, _>(&im, Sz::<8>);
    /// assert!((back - &x).norm().item() < 1e-12);
    /// ```
    rfft __rfft_vjp __rfft_jvp,
    /// The inverse of [`rfft`](Tensor::rfft): `n` real numbers along axis `I` from their `n/2 + 1`
    /// frequencies, whose real part is `self`. The number is stated, since the spectra of 8 and of 9 numbers
    /// have the same length: `re.irfft::<-1, _>(&im, Sz::<8>)`, or `Time(9)` for a run-time dimension.
    irfft __irfft_vjp __irfft_jvp
    [const I: isize] at {I} where []; then along NO_MORE;

    /// [`rfft`](Tensor::rfft) along the last axis, then [`fft`](Tensor::fft) along the one before.
    rfft2 __rfft2_vjp __rfft2_jvp,
    /// The inverse of [`rfft2`](Tensor::rfft2), with `n` numbers along the last axis.
    irfft2 __irfft2_vjp __irfft2_jvp
    [] at {-1} where [S: Axis<-2>]; then along [<S as Axis<-2>>::INDEX];
}
