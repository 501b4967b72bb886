//! Several parts along an axis: `split` into stated sizes, `concat_all` of an array.
//!
//! Pullbacks: of `split`, the cotangents of the parts joined; of `concat_all`, the cotangent cut.

use super::give_parts;
use crate::ad::{Acc, Ct, Differentiable};
use crate::device::{Backend, Elem, Float};
use crate::ops::OrPanic;
use crate::ops::view::extent::add_part;
use crate::shape::arith::Times;
use crate::shape::{Axis, Dim, Shape, StaticDim, Sz};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// The sizes of the parts of [`Tensor::split`]: a tuple of two to six static dimensions.
#[diagnostic::on_unimplemented(
    message = "cannot split axis {I} of a `{S}` tensor into parts of sizes `{Self}`",
    note = "the sizes are two to six static ones, such as `shape![2, 3]`"
)]
pub trait Parts<S: Axis<I>, const I: isize> {
    /// The parts.
    type Out<T: Float, D: Backend>: Differentiable;
    /// The sum of the sizes.
    const TOTAL: usize;
    /// The parts.
    #[track_caller]
    fn split<T: Float, D: Backend>(x: &Tensor<S, T, D>) -> Self::Out<T, D>;
    /// The cotangents that are not zero, each with the place where its part begins.
    #[track_caller]
    fn cotangents<T: Float, D: Backend>(ct: &Ct<Self::Out<T, D>>) -> Vec<(usize, Raw<T, D>)>;
}

macro_rules! parts {
    ($($p:ident $i:tt)*) => {
        impl<S: Axis<I>, const I: isize, $($p: StaticDim),*> Parts<S, I> for ($($p,)*) {
            type Out<T: Float, D: Backend> = ($(Tensor<<S as Axis<I>>::With<$p>, T, D>,)*);
            const TOTAL: usize = 0 $(+ size::<$p>())*;
            #[track_caller]
            fn split<T: Float, D: Backend>(x: &Tensor<S, T, D>) -> Self::Out<T, D> {
                let sizes = [$(size::<$p>()),*];
                ($(x.narrow::<I, $p>(sizes[..$i].iter().sum(), $p::default()),)*)
            }
            #[track_caller]
            fn cotangents<T: Float, D: Backend>(ct: &Ct<Self::Out<T, D>>) -> Vec<(usize, Raw<T, D>)> {
                let sizes = [$(size::<$p>()),*];
                let found = [$((sizes[..$i].iter().sum(), ct.$i.raw().cloned())),*];
                found.into_iter().filter_map(|(start, part)| Some((start, part?))).collect()
            }
        }
    };
}
parts!(P0 0 P1 1);
parts!(P0 0 P1 1 P2 2);
parts!(P0 0 P1 1 P2 2 P3 3);
parts!(P0 0 P1 1 P2 2 P3 3 P4 4);
parts!(P0 0 P1 1 P2 2 P3 3 P4 4 P5 5);

const fn size<P: Dim>() -> usize {
    match P::STATIC {
        Some(n) => n,
        None => panic!("a static dimension has a size"),
    }
}

type Joined<S, const I: isize, const K: usize> =
    <S as Axis<I>>::With<<<S as Axis<I>>::Dim as Times<Sz<K>>>::Out>;

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// Consecutive parts of stated sizes along axis `I`, as a tuple; together they must be the axis, which
    /// is checked when the program is built, or at run time along a run-time axis. Shares the elements.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// let x: Tensor![4, 9] = Tensor::iota();
    /// let (a, b, c) = x.split::<1, shape![2, 3, 4]>();
    /// assert_eq!(c.dims().as_slice(), [4, 4]);
    /// assert_eq!((a[[1, 0]], b[[1, 0]]), (9.0, 11.0));
    /// ```
    ///
    /// # Panics
    /// If the parts are not the whole of a run-time axis.
    #[derivative(
        where P::Out<T, D>: Differentiable<Tangent = P::Out<T, D>>;
        pull |ct, x, d| {
            if !M0::ON {
                return;
            }
            let (axis, dims) = (<S as Axis<I>>::INDEX, x.dims());
            let parts = P::cotangents::<T, D>(&ct);
            if parts
                .iter()
                .map(|(_, part)| part.dims()[axis])
                .sum::<usize>()
            == dims[axis]
            {
                let parts: Vec<_> = parts.iter().map(|(_, part)| part).collect();
                return d.acc(Tensor::new(x.shape(), Raw::concat(axis, &parts)).into());
            }
            for (start, part) in &parts {
                add_part::<M0, _, _, _>(d, x, part, axis, *start);
            }
        };
        push t.split::<I, P>();
    )]
    #[track_caller]
    pub fn split<const I: isize, P>(&self) -> P::Out<T, D>
    where
        S: Axis<I>,
        P: Parts<S, I>,
    {
        const {
            if let Some(n) = <<S as Axis<I>>::Dim as Dim>::STATIC {
                assert!(
                    P::TOTAL == n,
                    "the sizes of the parts do not add up to the axis"
                );
            }
        }
        let n = self.dims()[<S as Axis<I>>::INDEX];
        assert_eq!(
            P::TOTAL,
            n,
            "split: the parts have {} entries, the axis {n}",
            P::TOTAL
        );
        P::split(self)
    }
}

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Joins tensors of one shape along axis `I`: `Tensor::concat_all::<0, 3>(&[a, b, c])`.
    ///
    /// # Panics
    /// If run-time dimensions differ.
    #[derivative(
        where T: Float;
        active parts;
        pull |ct, parts, d| {
            if let Some(ct) = ct.raw() {
                let axis = <S as Axis<I>>::INDEX;
                let n = parts[0].dims()[axis];
                give_parts::<M0, _, _, _>(parts, d, |k| ct.slice(axis, k * n, n));
            }
        };
        push Self::concat_all::<I, K>(t_parts);
    )]
    #[track_caller]
    pub fn concat_all<const I: isize, const K: usize>(
        parts: &[Self; K],
    ) -> Tensor<Joined<S, I, K>, T, D>
    where
        S: Axis<I>,
        <S as Axis<I>>::Dim: Times<Sz<K>>,
    {
        const { assert!(K > 0, "there is nothing to concatenate") };
        for part in &parts[1..] {
            parts[0].check_same_shape(part).or_panic("concat_all");
        }
        let raws: Vec<_> = parts.iter().map(Tensor::raw).collect();
        Tensor::new(
            Axis::<I>::with(parts[0].shape(), Default::default()),
            Raw::concat(<S as Axis<I>>::INDEX, &raws),
        )
    }
}
