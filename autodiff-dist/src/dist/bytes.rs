//! Numbers as bytes, for engines that move them without knowing what they are. All ranks have the same order of bytes.

use crate::dist::numbers::each;
use crate::dist::{Number, Numbers};
use core::mem::size_of_val;
use core::slice;

/// The bytes of numbers.
pub(crate) fn bytes(numbers: &Numbers) -> &[u8] {
    fn of<T: Number>(x: &[T]) -> &[u8] {
        // SAFETY: all types of numbers are plain, without padding; the lifetime is that of the numbers.
        unsafe { slice::from_raw_parts(x.as_ptr().cast(), size_of_val(x)) }
    }
    each!(numbers, x => of(x))
}

/// The same, to be written.
pub(crate) fn bytes_mut(numbers: &mut Numbers) -> &mut [u8] {
    fn of<T: Number>(x: &mut [T]) -> &mut [u8] {
        // SAFETY: as above, and all bit patterns are numbers.
        unsafe { slice::from_raw_parts_mut(x.as_mut_ptr().cast(), size_of_val(x)) }
    }
    each!(numbers, x => of(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_their_bytes() {
        let mut numbers = Numbers::F32(vec![1.0, -2.5]);
        let expected: Vec<u8> = [1.0_f32, -2.5]
            .iter()
            .flat_map(|x| x.to_ne_bytes())
            .collect();
        assert_eq!(bytes(&numbers), expected);
        bytes_mut(&mut numbers)[4..].copy_from_slice(&7.0_f32.to_ne_bytes());
        assert_eq!(numbers, Numbers::F32(vec![1.0, 7.0]));
        assert!(bytes(&Numbers::F16(vec![])).is_empty());
    }
}
