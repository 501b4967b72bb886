//! The headers of messages.

use crate::dist::{Kind, Number, Numbers};

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
        let code = self.kind.code() as i64;
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
            kind: Kind::of_code(u64::try_from(code).ok()?)?,
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
}
