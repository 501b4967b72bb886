//! The unit vectors of a tangent space, and the rows of a Jacobian by them.

use super::Tangent;

/// The number of scalars.
pub(crate) fn entries<T: Tangent>(t: &T) -> usize {
    let mut count = 0;
    t.each(&mut |_| count += 1);
    count
}

/// The tangent with 1 at one scalar and 0 at the others.
#[inline]
pub(crate) fn basis<T: Tangent>(zero: &T, entry: usize) -> T {
    let mut next = 0..;
    zero.fill_with(&mut || f64::from(u8::from(next.next() == Some(entry))))
}

/// What `pull` makes of each unit cotangent of a value of `count` scalars with this zero tangent: the rows of a
/// Jacobian.
#[inline]
pub fn rows_of_units<T: Tangent, G>(
    count: usize,
    zero: &T,
    mut pull: impl FnMut(T) -> G,
) -> Vec<G> {
    (0..count).map(|k| pull(basis(zero, k))).collect()
}
