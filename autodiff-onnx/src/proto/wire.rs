//! The wire format of protobuf: fields with a number and a wire type, one behind the other.
//!
//! Source: <https://protobuf.dev/programming-guides/encoding/>.
//!
//! Reading never panics, and what it allocates is bounded by the bytes that are there: a length is compared with them before
//! anything is reserved.

use super::ProtoError;

/// How deep messages may be in messages.
pub const MAX_DEPTH: usize = 64;

/// The wire type of a varint.
pub const VARINT: u8 = 0;
/// That of eight bytes.
pub const FIXED64: u8 = 1;
/// That of bytes behind their length.
pub const BYTES: u8 = 2;
/// That of four bytes.
pub const FIXED32: u8 = 5;

/// A part of a file that is read.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    file: &'a [u8],
    at: usize,
    end: usize,
    depth: usize,
}

/// A field that is met: where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    pub message: &'static str,
    pub field: u32,
    pub wire: u8,
}

impl Tag {
    /// An error unless the wire type is this one.
    pub fn expect(&self, wire: u8, at: usize) -> Result<(), ProtoError> {
        if self.wire == wire {
            return Ok(());
        }
        let expected = match wire {
            VARINT => "0 (a varint)",
            FIXED64 => "1 (eight bytes)",
            BYTES => "2 (bytes)",
            _ => "5 (four bytes)",
        };
        Err(ProtoError::WireType {
            message: self.message,
            field: self.field,
            at,
            found: self.wire,
            expected,
        })
    }
}

impl<'a> Reader<'a> {
    pub fn new(file: &'a [u8]) -> Self {
        Reader {
            file,
            at: 0,
            end: file.len(),
            depth: 0,
        }
    }

    /// The byte that comes next, from the beginning of the file.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn left(&self) -> usize {
        self.end - self.at
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], ProtoError> {
        let found = self.left();
        if n > found {
            return Err(ProtoError::Truncated {
                at: self.at,
                expected: n,
                found,
            });
        }
        let bytes = &self.file[self.at..self.at + n];
        self.at += n;
        Ok(bytes)
    }

    pub fn varint(&mut self) -> Result<u64, ProtoError> {
        let (start, mut x) = (self.at, 0u64);
        for k in 0..10 {
            let byte = self.take(1)?[0];
            let bits = u64::from(byte & 0x7f);
            if k == 9 && bits > 1 {
                break;
            }
            x |= bits << (7 * k);
            if byte & 0x80 == 0 {
                return Ok(x);
            }
        }
        Err(ProtoError::Varint { at: start })
    }

    pub fn four(&mut self) -> Result<[u8; 4], ProtoError> {
        Ok(self.take(4)?.try_into().expect("four bytes"))
    }

    pub fn eight(&mut self) -> Result<[u8; 8], ProtoError> {
        Ok(self.take(8)?.try_into().expect("eight bytes"))
    }

    /// The contents of a field that has its length before it.
    pub fn bytes(&mut self) -> Result<&'a [u8], ProtoError> {
        let length = self.varint()?;
        let room = self.left();
        match usize::try_from(length) {
            Ok(n) if n <= room => self.take(n),
            // The outermost message ends with the file.
            Ok(n) if self.end == self.file.len() => Err(ProtoError::Truncated {
                at: self.at,
                expected: n,
                found: room,
            }),
            _ => Err(ProtoError::Length {
                at: self.at,
                length,
                room,
            }),
        }
    }

    /// The same, to be read field by field.
    pub fn inner(&mut self) -> Result<Reader<'a>, ProtoError> {
        let length = self.bytes()?.len();
        let at = self.at - length;
        if self.depth == MAX_DEPTH {
            return Err(ProtoError::Depth {
                at,
                limit: MAX_DEPTH,
            });
        }
        Ok(Reader {
            file: self.file,
            at,
            end: self.at,
            depth: self.depth + 1,
        })
    }

    /// The next field of a message; none where it ends.
    pub fn tag(&mut self, message: &'static str) -> Result<Option<Tag>, ProtoError> {
        if self.left() == 0 {
            return Ok(None);
        }
        let at = self.at;
        let tag = self.varint()?;
        let (field, wire) = (tag >> 3, (tag & 7) as u8);
        match u32::try_from(field) {
            Ok(field) if field > 0 && wire <= 5 => Ok(Some(Tag {
                message,
                field,
                wire,
            })),
            _ => Err(ProtoError::Tag { at, tag }),
        }
    }

    /// Passes over a field that is not looked at.
    pub fn skip(&mut self, tag: Tag) -> Result<(), ProtoError> {
        match tag.wire {
            VARINT => drop(self.varint()?),
            FIXED64 => drop(self.eight()?),
            FIXED32 => drop(self.four()?),
            BYTES => drop(self.bytes()?),
            // Groups, which ONNX does not have.
            _ => tag.expect(BYTES, self.at)?,
        }
        Ok(())
    }
}

/// A message that is written, at the end of a buffer.
#[derive(Debug, Default)]
pub struct Writer {
    pub out: Vec<u8>,
}

fn varint_of(mut x: u64, mut put: impl FnMut(u8)) {
    while x >= 0x80 {
        put(x as u8 | 0x80);
        x >>= 7;
    }
    put(x as u8);
}

impl Writer {
    pub fn varint(&mut self, x: u64) {
        varint_of(x, |byte| self.out.push(byte));
    }

    pub fn tag(&mut self, field: u32, wire: u8) {
        self.varint(u64::from(field) << 3 | u64::from(wire));
    }

    pub fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.tag(field, BYTES);
        self.varint(bytes.len() as u64);
        self.out.extend_from_slice(bytes);
    }

    /// A field with its length before it, which is known when it is written.
    pub fn inner(&mut self, field: u32, write: impl FnOnce(&mut Writer)) {
        self.tag(field, BYTES);
        let start = self.out.len();
        write(self);
        let length = (self.out.len() - start) as u64;
        let (mut prefix, mut n) = ([0; 10], 0);
        varint_of(length, |byte| {
            prefix[n] = byte;
            n += 1;
        });
        self.out.splice(start..start, prefix[..n].iter().copied());
    }
}
