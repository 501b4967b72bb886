//! Numbers as bytes, and the headers of messages.

use crate::dist::numbers::each;
use crate::dist::{Kind, Number, Numbers};
use core::mem::size_of_val;
use core::slice;

/// The bytes of numbers.
pub(super) fn bytes(numbers: &Numbers) -> &[u8] {
    fn of<T: Number>(x: &[T]) -> &[u8] {
        // SAFETY: all types of numbers are plain, without padding; the lifetime is that of the numbers.
        unsafe { slice::from_raw_parts(x.as_ptr().cast(), size_of_val(x)) }
    }
    each!(numbers, x => of(x))
}

/// The same, to be written.
pub(super) fn bytes_mut(numbers: &mut Numbers) -> &mut [u8] {
    fn of<T: Number>(x: &mut [T]) -> &mut [u8] {
        // SAFETY: as above, and all bit patterns are numbers.
        unsafe { slice::from_raw_parts_mut(x.as_mut_ptr().cast(), size_of_val(x)) }
    }
    each!(numbers, x => of(x))
}

/// What comes before a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Header {
    pub kind: Kind,
    pub len: usize,
    pub tag: u16,
}

impl Header {
    /// As numbers.
    pub fn numbers(self) -> Numbers {
        let code = Kind::ALL.iter().position(|kind| *kind == self.kind);
        let code = code.expect("all are listed") as i64;
        Numbers::I64(vec![code, self.len as i64, i64::from(self.tag)])
    }

    /// How many numbers it is.
    pub const LEN: usize = 3;

    /// Reads one; none if it is none.
    pub fn read(numbers: &Numbers) -> Option<Self> {
        let &[code, len, tag] = i64::slice(numbers)? else {
            return None;
        };
        Some(Header {
            kind: *Kind::ALL.get(usize::try_from(code).ok()?)?,
            len: usize::try_from(len).ok()?,
            tag: u16::try_from(tag).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_come_back() {
        for kind in Kind::ALL {
            let (len, tag) = (12, 7);
            let header = Header { kind, len, tag };
            assert_eq!(Header::read(&header.numbers()), Some(header));
        }
        assert_eq!(Header::read(&Numbers::I64(vec![9, 0, 0])), None);
        assert_eq!(Header::read(&Numbers::I64(vec![0, -1, 0])), None);
        assert_eq!(Header::read(&Numbers::I64(vec![0, 1, 70_000])), None);
        assert_eq!(Header::read(&Numbers::U8(vec![0, 1, 1])), None);
    }

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
        assert_eq!(bytes(&Numbers::F16(vec![])), []);
    }
}
