//! Duals as values with a derivative: their tangents, of the level above, are duals.

use super::Dual;
use crate::ad::Scalar;

crate::ad::extended::space!([T: Scalar, const K: usize] Dual<T, K>, T, {
    // -0.0, the exact identity of addition, in every part.
    Dual {
        value: T::zero_ct(&()),
        tangents: [T::zero_ct(&()); K],
    }
}, |x, by| x.mapped(x.value.scale(by), |t, _| t.scale(by)));
