//! Entries by their number, in the order of `iter`: what a loop over `m.iter()` counts.

use crate::ad::Nth;
use core::ops::{Index, IndexMut};
use ndarray::{ArrayBase, ArrayRef, Data, DataMut, Dimension, IndexLonger};
use ndarray::{Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

/// The position of an entry, where entries do not lie one after the other.
fn position(shape: &[usize], mut n: usize) -> IxDyn {
    let mut position = IxDyn::zeros(shape.len());
    for axis in (0..shape.len()).rev() {
        position[axis] = n % shape[axis];
        n /= shape[axis];
    }
    position
}

fn nth<A, D: Dimension>(array: &ArrayRef<A, D>, n: usize) -> &A {
    match array.as_slice() {
        Some(entries) => &entries[n],
        None => IndexLonger::index(&array.view().into_dyn(), position(array.shape(), n)),
    }
}

fn nth_mut<A, D: Dimension>(array: &mut ArrayRef<A, D>, n: usize) -> &mut A {
    if array.is_standard_layout() {
        return &mut array.as_slice_mut().expect("the layout is standard")[n];
    }
    let position = position(array.shape(), n);
    IndexLonger::index(array.view_mut().into_dyn(), position)
}

/// One by one: of others a crate might say that they are indexed by a number of ours.
macro_rules! dimensions {
    ($($D:ident)*) => { $(
        impl<S: Data> Index<Nth> for ArrayBase<S, $D> {
            type Output = S::Elem;
            #[inline]
            fn index(&self, Nth(n): Nth) -> &S::Elem {
                nth(self, n)
            }
        }
        impl<S: DataMut> IndexMut<Nth> for ArrayBase<S, $D> {
            #[inline]
            fn index_mut(&mut self, Nth(n): Nth) -> &mut S::Elem {
                nth_mut(self, n)
            }
        }
    )* };
}
dimensions!(Ix0 Ix1 Ix2 Ix3 Ix4 Ix5 Ix6 IxDyn);

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, ArrayD};

    #[test]
    fn the_order_is_that_of_iter() {
        let a = Array2::from_shape_fn((2, 3), |(i, j)| 10 * i + j);
        let mut turned = a.clone().reversed_axes();
        let cut = a.slice(ndarray::s![.., 1..]);
        for n in 0..6 {
            assert_eq!(a[Nth(n)], *a.iter().nth(n).unwrap());
            assert_eq!(turned[Nth(n)], *turned.iter().nth(n).unwrap());
        }
        for n in 0..4 {
            assert_eq!(cut[Nth(n)], *cut.iter().nth(n).unwrap());
        }
        turned[Nth(1)] = 7;
        assert_eq!(turned[[0, 1]], 7);
        assert_eq!(ArrayD::from_elem(vec![], 3)[Nth(0)], 3);
    }
}
