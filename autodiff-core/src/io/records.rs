//! The frames of a TFRecord file: length, checksum of the length, data, checksum of the data.
//! Source: `tensorflow/core/lib/io/record_writer.h`.

/// Adds a record.
pub fn frame(data: &[u8], to: &mut Vec<u8>) {
    let length = (data.len() as u64).to_le_bytes();
    to.extend(length);
    to.extend(masked_crc(&length).to_le_bytes());
    to.extend(data);
    to.extend(masked_crc(data).to_le_bytes());
}

/// The records up to the first that is cut or damaged.
pub fn frames(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (crc, rest) = rest.split_first_chunk::<4>()?;
        if u32::from_le_bytes(*crc) != masked_crc(length) {
            return None;
        }
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (data, rest) = rest.split_at_checked(length)?;
        let (crc, rest) = rest.split_first_chunk::<4>()?;
        bytes = rest;
        (u32::from_le_bytes(*crc) == masked_crc(data)).then_some(data)
    })
}

/// A checksum of data that may hold checksums itself: rotated, and moved by a constant.
fn masked_crc(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32C (Castagnoli): RFC 3720, appendix B.4, bits reversed.
fn crc32c(data: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |crc: u32, byte: &u8| crc >> 8 ^ TABLE[(crc as u8 ^ byte) as usize];
    !data.iter().fold(!0, step)
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = match crc & 1 {
                1 => crc >> 1 ^ 0x82f6_3b78,
                _ => crc >> 1,
            };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3720, appendix B.4, and the check value of the catalogue of parametrised CRC algorithms.
    #[test]
    fn checksums_are_those_of_the_standard() {
        let up: Vec<u8> = (0..32).collect();
        let down: Vec<u8> = (0..32).rev().collect();
        for (data, crc) in [
            (&b"123456789"[..], 0xe306_9283),
            (&[0; 32], 0x8a91_36aa),
            (&[0xff; 32], 0x62a8_ab43),
            (&up, 0x46dd_794e),
            (&down, 0x113f_db5c),
        ] {
            assert_eq!(crc32c(data), crc);
        }
    }

    #[test]
    fn frames_end_where_the_file_is_damaged() {
        let mut bytes = Vec::new();
        for data in [&b"first"[..], b"", b"third"] {
            frame(data, &mut bytes);
        }
        assert_eq!(
            Vec::from_iter(frames(&bytes)),
            [&b"first"[..], b"", b"third"]
        );
        for end in 0..bytes.len() {
            let whole = [21, 37, 58].iter().filter(|e| **e <= end).count();
            assert_eq!(frames(&bytes[..end]).count(), whole, "{end}");
        }
        for at in 0..21 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(frames(&damaged).count(), 0, "{at}");
        }
    }
}
