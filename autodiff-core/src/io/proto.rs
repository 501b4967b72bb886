//! The wire format of protocol buffers: <https://protobuf.dev/programming-guides/encoding>.

/// A message that is being written.
#[derive(Debug, Default)]
pub struct Message(Vec<u8>);

const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const BYTES: u64 = 2;
const FIXED32: u64 = 5;

impl Message {
    /// The message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn key(&mut self, field: u64, wire: u64) {
        self.varint(field << 3 | wire);
    }

    /// A field that is a whole number.
    #[must_use]
    pub fn integer(mut self, field: u64, value: u64) -> Self {
        self.key(field, VARINT);
        self.varint(value);
        self
    }

    /// A field that is a number of eight bytes.
    #[must_use]
    pub fn double(mut self, field: u64, value: f64) -> Self {
        self.key(field, FIXED64);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A field that is a number of four bytes.
    #[must_use]
    pub fn float(mut self, field: u64, value: f32) -> Self {
        self.key(field, FIXED32);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A field that is bytes or a text.
    #[must_use]
    pub fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.key(field, BYTES);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    /// A field that is a message.
    #[must_use]
    pub fn message(self, field: u64, value: Message) -> Self {
        self.bytes(field, &value.0)
    }

    /// A packed list.
    #[must_use]
    pub fn doubles(self, field: u64, values: &[f64]) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.bytes(field, &bytes)
    }
}

/// The value of an integer field of a message, 0 if it is not there; `None` if the bytes are no message.
pub fn integer(mut bytes: &[u8], field: u64) -> Option<u64> {
    let mut found = 0;
    while !bytes.is_empty() {
        let key = take_varint(&mut bytes)?;
        match key & 7 {
            VARINT => {
                let value = take_varint(&mut bytes)?;
                if key >> 3 == field {
                    found = value;
                }
            }
            FIXED64 => bytes = bytes.get(8..)?,
            FIXED32 => bytes = bytes.get(4..)?,
            BYTES => {
                let length = usize::try_from(take_varint(&mut bytes)?).ok()?;
                bytes = bytes.get(length..)?;
            }
            _ => return None,
        }
    }
    Some(found)
}

fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the page on the encoding.
    #[test]
    fn bytes_are_those_of_the_standard() {
        let inner = Message::default().integer(1, 150);
        assert_eq!(inner.0, [0x08, 0x96, 0x01]);
        assert_eq!(
            Message::default().message(3, inner).0,
            [0x1a, 0x03, 0x08, 0x96, 0x01]
        );
        let text = Message::default().bytes(2, b"testing");
        assert_eq!(
            text.0,
            [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]
        );
        assert_eq!(Message::default().float(1, 1.0).0, [0x0d, 0, 0, 0x80, 0x3f]);
    }

    #[test]
    fn integers_are_found_behind_other_fields() {
        for value in [0, 1, 127, 128, u64::MAX] {
            let message = Message::default()
                .double(1, 0.5)
                .bytes(3, b"x")
                .float(4, 1.0);
            let bytes = message.integer(2, value).into_bytes();
            assert_eq!(integer(&bytes, 2), Some(value));
            assert_eq!(integer(&bytes, 7), Some(0));
            assert_eq!(integer(&bytes[..bytes.len() - 1], 2), None);
        }
    }
}
