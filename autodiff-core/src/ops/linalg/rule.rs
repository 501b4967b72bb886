//! How the operations of one matrix are written down.
//!
//! A [`Rule`] has the mathematics on the untyped layer; `operations!` writes the typed methods around it.

use super::LinalgError;
use crate::device::{Factorize, Linalg};
use crate::tensor::Raw;

/// The results of `run`, and what the derivatives read.
pub type Ran<R, T, D, const K: usize> =
    Result<([Raw<T, D>; K], <R as Rule<K>>::Saved<T, D>), LinalgError>;

/// An operation of one matrix with `K` results.
pub trait Rule<const K: usize> {
    /// What the derivatives read besides the matrix.
    type Saved<T: Factorize, D: Linalg>: Clone;
    /// The results.
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, K>;
    /// The cotangent of the matrix; `None` is a cotangent that is zero, of which at least one is not.
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        saved: &Self::Saved<T, D>,
        x: &Raw<T, D>,
        ct: [Option<&Raw<T, D>>; K],
    ) -> Raw<T, D>;
    /// The tangents of the results.
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        saved: &Self::Saved<T, D>,
        x: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; K];
}

/// For
///
/// ```text
/// inv, pub try_inv, __inv_vjp, __inv_jvp by Inv where [S: Square];
///     check square;
///     |s| y: S = s;
/// ```
///
/// it writes `inv`, which panics where the rule has an error, `try_inv`, and the two derivatives.
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident, $vis:vis $try:ident, $vjp:ident, $jvp:ident by $Rule:ident where [$($w:tt)*];
        check $check:ident;
        |$s:pat_param| $($o:ident: $out:ty = $shape:expr),+;
    )*) => { $(
        impl<S: Matrices, T: Factorize, D: Linalg> Tensor<S, T, D> {
            $(#[$doc])*
            #[allow(unused_parens)]
            #[track_caller]
            pub fn $name(&self) -> ($(Tensor<$out, T, D>),+)
            where
                $($w)*
            {
                crate::ops::OrPanic::or_panic(self.$try(), stringify!($name))
            }

            #[doc = concat!("As [`", stringify!($name), "`](Tensor::", stringify!($name), "), with an error in the place of a panic.")]
            #[allow(unused_parens, clippy::type_complexity)]
            $vis fn $try(&self) -> Result<($(Tensor<$out, T, D>),+), LinalgError>
            where
                $($w)*
            {
                $check(self.shape())?;
                let ([$($o),+], _) = <$Rule as Rule<_>>::run(self.raw())?;
                let $s = self.shape();
                Ok(($(Tensor::new($shape, $o)),+))
            }

            #[doc(hidden)]
            #[allow(unused_parens, clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M: Mode>(
                &self,
                _: (M,),
            ) -> (
                ($(Tensor<$out, T, D>),+),
                impl FnOnce(Ct<($(Tensor<$out, T, D>),+)>, &Self, &mut Adj<Self, M>) + Clone + use<M, S, T, D>,
            )
            where
                $($w)*
            {
                let ran = $check(self.shape()).and_then(|()| <$Rule as Rule<_>>::run(self.raw()));
                let ([$($o),+], saved) = crate::ops::OrPanic::or_panic(ran, stringify!($name));
                let saved = M::ON.then_some(saved);
                let $s = self.shape();
                (($(Tensor::new($shape, $o)),+), move |ct, x, d| {
                    let ($($o),+) = &ct;
                    let cts = [$($o.raw()),+];
                    if let Some(saved) = &saved && cts.iter().any(Option::is_some) {
                        let g = <$Rule as Rule<_>>::pull(saved, x.raw(), cts);
                        d.acc(Tensor::new(x.shape(), g).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(unused_parens, clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp(&self, t: &Self) -> (($(Tensor<$out, T, D>),+), ($(Tensor<$out, T, D>),+))
            where
                $($w)*
            {
                let ran = $check(self.shape()).and_then(|()| <$Rule as Rule<_>>::run(self.raw()));
                let ([$($o),+], saved) = crate::ops::OrPanic::or_panic(ran, stringify!($name));
                let $s = self.shape();
                let y = ($(Tensor::new($shape, $o)),+);
                let [$($o),+] = <$Rule as Rule<_>>::push(&saved, self.raw(), t.raw());
                let $s = self.shape();
                (y, ($(Tensor::new($shape, $o)),+))
            }
        }
    )* };
}
pub(super) use operations;
