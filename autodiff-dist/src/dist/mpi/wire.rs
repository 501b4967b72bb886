//! Numbers and calls as bytes and words.

use crate::dist::bytes::{bytes, bytes_mut};
use crate::dist::call::Signature;
use crate::dist::{CommError, Kind, Numbers};

/// A message: the code of its type, and its bytes.
pub(super) fn to_bytes(x: &Numbers) -> Vec<u8> {
    let code = x.kind().code().to_le_bytes();
    [&code[..], bytes(x)].concat()
}

pub(super) fn from_bytes(message: &[u8]) -> Option<Numbers> {
    let (code, rest) = message.split_at_checked(8)?;
    let kind = Kind::of_code(u64::from_le_bytes(code.try_into().ok()?))?;
    let whole = rest.len().is_multiple_of(kind.bytes());
    let mut x = Numbers::zeros(kind, rest.len() / kind.bytes());
    whole.then(|| bytes_mut(&mut x).copy_from_slice(rest))?;
    Some(x)
}

impl Signature {
    pub(super) fn to_words(self) -> Vec<i64> {
        let kind = self.kind.map_or(-1, |k| k.code() as i64);
        vec![self.what as i64, kind, self.len as i64, self.how as i64]
    }

    fn of_words(words: &[i64]) -> Self {
        Signature {
            what: words[0] as u64,
            kind: u64::try_from(words[1]).ok().and_then(Kind::of_code),
            len: words[2] as u64,
            how: words[3] as u64,
        }
    }
}

/// Whether all ranks ask for the same.
pub(super) fn agree(all: &[i64], rank: usize, number: u64) -> Result<(), CommError> {
    let of = |rank: usize| Signature::of_words(&all[4 * rank..]);
    let mine = of(rank);
    match (0..all.len() / 4).find(|other| of(*other) != mine) {
        None => Ok(()),
        Some(other) => Err(CommError::Mismatch {
            number,
            rank,
            call: mine.to_string(),
            other,
            other_call: of(other).to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn messages_come_back() {
        for x in [
            Numbers::F32(vec![1.5, f32::NEG_INFINITY]),
            Numbers::F64(vec![-0.0, 1e300]),
            Numbers::Bf16(vec![bf16::ONE]),
            Numbers::F16(vec![f16::MAX]),
            Numbers::I64(vec![i64::MIN, 3]),
            Numbers::U8(vec![]),
        ] {
            assert_eq!(from_bytes(&to_bytes(&x)), Some(x));
        }
        assert_eq!(from_bytes(&[1, 2, 3]), None);
        assert_eq!(
            from_bytes(&[&Kind::F32.code().to_le_bytes()[..], &[1, 2, 3]].concat()),
            None
        );
        assert_eq!(from_bytes(&99_u64.to_le_bytes()), None);
    }

    #[test]
    fn ranks_that_differ_are_named() {
        let of = |len| Signature {
            what: 0,
            kind: Some(Kind::F64),
            len,
            how: 0,
        };
        let all = [of(3), of(3), of(4)].map(Signature::to_words).concat();
        let error = agree(&all, 0, 7).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the ranks disagree in call number 7: rank 0 asks for all_reduce of 3 f64 by sum, rank 2 for all_reduce of 4 f64 by sum"
        );
        assert!(agree(&all[..8], 1, 7).is_ok());
    }
}
