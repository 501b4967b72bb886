//! Fields of messages by their Rust types, and messages as tables of fields.

use super::ProtoError;
use super::wire::{BYTES, FIXED32, FIXED64, Reader, Tag, VARINT, Writer};

/// A message: read and written field by field.
pub trait Message: Sized {
    fn read(reader: Reader<'_>) -> Result<Self, ProtoError>;
    fn write(&self, out: &mut Writer);
}

/// What a field holds. It is written only where it is not the default of its type.
pub trait Field {
    /// Takes in one occurrence of the field.
    fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError>;
    fn put(&self, field: u32, out: &mut Writer);
}

fn text(tag: Tag, reader: &mut Reader<'_>) -> Result<String, ProtoError> {
    tag.expect(BYTES, reader.at())?;
    let bytes = reader.bytes()?;
    let text = std::str::from_utf8(bytes).map_err(|_| ProtoError::Utf8 {
        message: tag.message,
        field: tag.field,
        at: reader.at() - bytes.len(),
    })?;
    Ok(text.to_owned())
}

impl Field for String {
    fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
        *self = text(tag, reader)?;
        Ok(())
    }
    fn put(&self, field: u32, out: &mut Writer) {
        if !self.is_empty() {
            out.bytes(field, self.as_bytes());
        }
    }
}

impl Field for Vec<String> {
    fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
        self.push(text(tag, reader)?);
        Ok(())
    }
    fn put(&self, field: u32, out: &mut Writer) {
        self.iter().for_each(|x| out.bytes(field, x.as_bytes()));
    }
}

impl Field for Option<Vec<u8>> {
    fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
        tag.expect(BYTES, reader.at())?;
        *self = Some(reader.bytes()?.to_vec());
        Ok(())
    }
    fn put(&self, field: u32, out: &mut Writer) {
        if let Some(bytes) = self {
            out.bytes(field, bytes);
        }
    }
}

impl Field for Vec<Vec<u8>> {
    fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
        tag.expect(BYTES, reader.at())?;
        self.push(reader.bytes()?.to_vec());
        Ok(())
    }
    fn put(&self, field: u32, out: &mut Writer) {
        self.iter().for_each(|x| out.bytes(field, x));
    }
}

/// Numbers: one, and a list of them, packed into one field or each in its own.
macro_rules! numbers {
    ($($T:ty, $wire:ident, $read:expr, $write:expr;)*) => { $(
        impl Field for Option<$T> {
            fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
                tag.expect($wire, reader.at())?;
                *self = Some($read(reader)?);
                Ok(())
            }
            fn put(&self, field: u32, out: &mut Writer) {
                if let Some(x) = self {
                    out.tag(field, $wire);
                    $write(*x, out);
                }
            }
        }
        impl Field for Vec<$T> {
            fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
                if tag.wire == BYTES {
                    let mut packed = reader.inner()?;
                    while packed.left() > 0 {
                        self.push($read(&mut packed)?);
                    }
                } else {
                    tag.expect($wire, reader.at())?;
                    self.push($read(reader)?);
                }
                Ok(())
            }
            fn put(&self, field: u32, out: &mut Writer) {
                if !self.is_empty() {
                    out.inner(field, |out| self.iter().for_each(|&x| $write(x, out)));
                }
            }
        }
    )* };
}
numbers! {
    i64, VARINT, |r: &mut Reader<'_>| r.varint().map(|x| x as i64), |x: i64, out: &mut Writer| out.varint(x as u64);
    // Negative ones have ten bytes, as those of `i64`.
    i32, VARINT, |r: &mut Reader<'_>| r.varint().map(|x| x as i32), |x: i32, out: &mut Writer| out.varint(i64::from(x) as u64);
    u64, VARINT, |r: &mut Reader<'_>| r.varint(), |x: u64, out: &mut Writer| out.varint(x);
    f32, FIXED32, |r: &mut Reader<'_>| r.four().map(f32::from_le_bytes),
        |x: f32, out: &mut Writer| out.out.extend_from_slice(&x.to_le_bytes());
    f64, FIXED64, |r: &mut Reader<'_>| r.eight().map(f64::from_le_bytes),
        |x: f64, out: &mut Writer| out.out.extend_from_slice(&x.to_le_bytes());
}

impl Field for i64 {
    fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
        tag.expect(VARINT, reader.at())?;
        *self = reader.varint()? as i64;
        Ok(())
    }
    fn put(&self, field: u32, out: &mut Writer) {
        if *self != 0 {
            Some(*self).put(field, out);
        }
    }
}

/// One message inside of another.
pub fn message<M: Message>(tag: Tag, reader: &mut Reader<'_>) -> Result<M, ProtoError> {
    tag.expect(BYTES, reader.at())?;
    M::read(reader.inner()?)
}

impl<M: Message> Field for Option<M> {
    fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
        *self = Some(message(tag, reader)?);
        Ok(())
    }
    fn put(&self, field: u32, out: &mut Writer) {
        if let Some(x) = self {
            out.inner(field, |out| x.write(out));
        }
    }
}

impl<M: Message> Field for Vec<M> {
    fn take(&mut self, tag: Tag, reader: &mut Reader<'_>) -> Result<(), ProtoError> {
        self.push(message(tag, reader)?);
        Ok(())
    }
    fn put(&self, field: u32, out: &mut Writer) {
        self.iter()
            .for_each(|x| out.inner(field, |out| x.write(out)));
    }
}

/// Structs whose fields are those of a message: the struct, how it is read and how it is written.
macro_rules! messages {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident $message:literal $([needs $needed:ident])? {
            $( $(#[$doc:meta])* $number:literal $field:ident: $T:ty, )*
        }
    )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        $vis struct $Name {
            $( $(#[$doc])* pub $field: $T, )*
        }
        impl $crate::proto::field::Message for $Name {
            fn read(mut reader: $crate::proto::wire::Reader<'_>) -> Result<Self, $crate::proto::ProtoError> {
                let mut message = $Name::default();
                while let Some(tag) = reader.tag($message)? {
                    match tag.field {
                        $( $number => $crate::proto::field::Field::take(&mut message.$field, tag, &mut reader)?, )*
                        _ => reader.skip(tag)?,
                    }
                }
                $(if message.$needed.is_empty() {
                    return Err($crate::proto::ProtoError::Missing {
                        message: $message,
                        what: stringify!($needed),
                        at: reader.at(),
                    });
                })?
                Ok(message)
            }
            fn write(&self, out: &mut $crate::proto::wire::Writer) {
                $( $crate::proto::field::Field::put(&self.$field, $number, out); )*
            }
        }
    )* };
}
pub(super) use messages;
