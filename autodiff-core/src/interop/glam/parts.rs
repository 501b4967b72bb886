//! The accumulators: the same parts by the same names as the values, so that `v.x`, `v[0]` and `m.y_axis.z` are parts
//! of the cotangent too. What stands in them is a number, a column, or [`NoGrad`](crate::ad::NoGrad) where no
//! gradient is wanted.

use core::ops::{Index, IndexMut};

macro_rules! parts {
    ($($(#[$doc:meta])* $Parts:ident { $($f:ident $i:tt),* })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[allow(missing_docs)] // the names are those of the values
        pub struct $Parts<A> { $(pub $f: A),* }

        impl<A> Index<usize> for $Parts<A> {
            type Output = A;
            #[inline]
            fn index(&self, i: usize) -> &A {
                match i {
                    $($i => &self.$f,)*
                    _ => panic!("index out of bounds"),
                }
            }
        }

        impl<A> IndexMut<usize> for $Parts<A> {
            #[inline]
            fn index_mut(&mut self, i: usize) -> &mut A {
                match i {
                    $($i => &mut self.$f,)*
                    _ => panic!("index out of bounds"),
                }
            }
        }
    )* };
}

parts! {
    /// The accumulator of a vector of two numbers.
    Xy { x 0, y 1 }
    /// The accumulator of a vector of three numbers.
    Xyz { x 0, y 1, z 2 }
    /// The accumulator of a vector of four numbers, or of a quaternion.
    Xyzw { x 0, y 1, z 2, w 3 }
    /// The accumulator of a matrix of two columns.
    Columns2 { x_axis 0, y_axis 1 }
    /// The accumulator of a matrix of three columns.
    Columns3 { x_axis 0, y_axis 1, z_axis 2 }
    /// The accumulator of a matrix of four columns.
    Columns4 { x_axis 0, y_axis 1, z_axis 2, w_axis 3 }
}
