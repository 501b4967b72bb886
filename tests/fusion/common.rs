//! Runs of a function at every level of vector instructions, and comparison of what came out.

use super::levels::at_each_level;
use differentiable::prelude::*;

/// All numbers of a result, in order.
pub trait Flat {
    fn flat(&self, out: &mut Vec<f64>);
}

impl<S: Shape, T: Float> Flat for Tensor<S, T> {
    fn flat(&self, out: &mut Vec<f64>) {
        out.extend(self.to_vec().into_iter().map(T::to_f64));
    }
}

macro_rules! flat {
    ($($t:ident)*; $($n:tt)*) => {
        $(impl Flat for $t {
            fn flat(&self, out: &mut Vec<f64>) {
                out.push(f64::from(*self));
            }
        })*
        flat!(@tuple A 0);
        flat!(@tuple A 0 B 1);
        flat!(@tuple A 0 B 1 C 2);
        flat!(@tuple A 0 B 1 C 2 E 3);
    };
    (@tuple $($t:ident $n:tt)*) => {
        impl<$($t: Flat),*> Flat for ($($t,)*) {
            fn flat(&self, out: &mut Vec<f64>) {
                $(self.$n.flat(out);)*
            }
        }
    };
}
flat!(f32 f64;);

pub fn flat(x: impl Flat) -> Vec<f64> {
    let mut out = Vec::new();
    x.flat(&mut out);
    out
}

/// The result, which has the same bits at every level that there is.
pub fn at_levels(f: impl Fn() -> Vec<f64>) -> Vec<f64> {
    let mut all = at_each_level(f);
    let (_, base) = all.remove(0);
    for (level, found) in all {
        assert_eq!(base.len(), found.len());
        for (i, (a, b)) in base.iter().zip(&found).enumerate() {
            let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(same, "number {i}: {a:?}, at level {} {b:?}", level.name());
        }
    }
    base
}

/// Equal up to the tolerance, relative to 1 or to the size of the number; NaN equals NaN.
#[track_caller]
pub fn alike(fused: &[f64], single: &[f64], tolerance: f64) {
    assert_eq!(fused.len(), single.len());
    for (i, (a, b)) in fused.iter().zip(single).enumerate() {
        let same = a == b || a.is_nan() && b.is_nan();
        let close = (a - b).abs() <= tolerance * b.abs().max(1.0);
        assert!(same || close, "number {i}: fused {a:?}, single {b:?}");
    }
}
