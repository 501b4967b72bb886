//! A reference to a type that is found to be another, as a reference to that: what `Any` has for types with a size.

use core::any::Any;

/// The reference itself.
///
/// # Panics
/// If `A` is not `B`.
#[inline(always)]
pub(super) fn same<A: ?Sized + 'static, B: ?Sized + 'static>(a: &A) -> &B {
    let a: *const A = a;
    let b = (&a as &dyn Any).downcast_ref::<*const B>();
    // SAFETY: `*const A` is `*const B`, so `A` is `B`, and this is the reference that was given.
    unsafe { &**b.expect("a reference to the same type") }
}

/// The reference itself.
///
/// # Panics
/// If `A` is not `B`.
#[inline(always)]
pub(super) fn same_mut<A: ?Sized + 'static, B: ?Sized + 'static>(a: &mut A) -> &mut B {
    let a: *mut A = a;
    let b = (&a as &dyn Any).downcast_ref::<*mut B>();
    // SAFETY: `*mut A` is `*mut B`, so `A` is `B`, and this is the reference that was given.
    unsafe { &mut **b.expect("a reference to the same type") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_type_is_the_same_reference() {
        let mut x = [1.0, 2.0];
        assert_eq!(same::<[f64; 2], [f64; 2]>(&x), &[1.0, 2.0]);
        same_mut::<[f64], [f64]>(&mut x[..])[1] = 3.0;
        assert_eq!(same::<[f64], [f64]>(&x[1..]), &[3.0]);
    }

    #[test]
    #[should_panic(expected = "the same type")]
    fn another_type_is_refused() {
        same::<f64, u64>(&1.0);
    }

    #[test]
    #[should_panic(expected = "the same type")]
    fn another_type_is_refused_to_be_written() {
        same_mut::<[f64], [f32]>(&mut [1.0]);
    }
}
