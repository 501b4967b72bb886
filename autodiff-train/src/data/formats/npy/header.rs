//! The header of an NPY file: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.

use crate::data::formats::array::Order;
use crate::data::formats::{ArrayType, FormatError};

/// What the header says.
pub struct Header {
    pub element: ArrayType,
    pub order: Order,
    pub by_columns: bool,
    pub dims: Vec<usize>,
}

impl Header {
    /// Reads the three entries, which may come in any order.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let (element, order) = element(text)?;
        Ok(Header {
            element,
            order,
            by_columns: by_columns(text)?,
            dims: dims(text)?,
        })
    }
}

/// The text behind a key and its colon.
fn entry<'a>(text: &'a str, key: &str, expected: &'static str) -> Result<&'a str, FormatError> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let after = quoted
        .iter()
        .find_map(|key| text.split_once(key.as_str()))
        .and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
    after
        .map(str::trim_start)
        .ok_or_else(|| wrong(expected, text))
}

fn wrong(expected: &'static str, found: &str) -> FormatError {
    const LONGEST: usize = 40;
    let found = match found.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}", format!("{}…", &found[..end])),
        None => format!("{found:?}"),
    };
    FormatError::Header { expected, found }
}

fn element(text: &str) -> Result<(ArrayType, Order), FormatError> {
    const EXPECTED: &str = "the type of the elements as a text";
    let value = entry(text, "descr", EXPECTED)?;
    let quote = value.chars().next().filter(|c| ['\'', '"'].contains(c));
    let inner = quote.and_then(|q| value[1..].split_once(q));
    let (descr, _) = inner.ok_or_else(|| wrong(EXPECTED, value))?;
    let (order, kind) = match descr.split_at_checked(1) {
        Some(("<" | "|" | "=", kind)) => (Order::Little, kind),
        Some((">", kind)) => (Order::Big, kind),
        _ => (Order::Little, descr),
    };
    let element = match kind {
        "f2" => ArrayType::F16,
        "f4" => ArrayType::F32,
        "f8" => ArrayType::F64,
        "i1" => ArrayType::I8,
        "i2" => ArrayType::I16,
        "i4" => ArrayType::I32,
        "i8" => ArrayType::I64,
        "u1" => ArrayType::U8,
        "u2" => ArrayType::U16,
        "u4" => ArrayType::U32,
        "u8" => ArrayType::U64,
        "b1" | "?" => ArrayType::Bool,
        _ => {
            return Err(FormatError::ElementType {
                expected: "f2, f4, f8, i1 to i8, u1 to u8 or b1".into(),
                found: descr.into(),
            });
        }
    };
    Ok((element, order))
}

fn by_columns(text: &str) -> Result<bool, FormatError> {
    const EXPECTED: &str = "`True` or `False` as the order of the elements";
    let value = entry(text, "fortran_order", EXPECTED)?;
    match value {
        _ if value.starts_with("False") => Ok(false),
        _ if value.starts_with("True") => Ok(true),
        _ => Err(wrong(EXPECTED, value)),
    }
}

fn dims(text: &str) -> Result<Vec<usize>, FormatError> {
    const EXPECTED: &str = "the sizes of the axes as a tuple";
    let value = entry(text, "shape", EXPECTED)?;
    let inner = value.strip_prefix('(').and_then(|v| v.split_once(')'));
    let (inner, _) = inner.ok_or_else(|| wrong(EXPECTED, value))?;
    let sizes = inner.split(',').map(str::trim).filter(|s| !s.is_empty());
    // Python 2 wrote long integers as `3L`.
    let sizes = sizes.map(|s| s.strip_suffix('L').unwrap_or(s).parse());
    sizes
        .collect::<Result<_, _>>()
        .map_err(|_| wrong(EXPECTED, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        match Header::parse(text) {
            Ok(_) => "no error".into(),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn entries_come_in_any_order() {
        let header =
            Header::parse("{\"shape\": (3,), 'descr' : '>i2', 'fortran_order': True}").unwrap();
        assert_eq!(header.dims, [3]);
        assert_eq!((header.element, header.order), (ArrayType::I16, Order::Big));
        assert!(header.by_columns);
        let scalar = Header::parse("{'descr': '|b1', 'fortran_order': False, 'shape': (), }");
        assert_eq!(scalar.unwrap().dims, [] as [usize; 0]);
        let long = Header::parse("{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 4L), }");
        assert_eq!(long.unwrap().dims, [3, 4]);
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        for (text, expected) in [
            (
                "{}",
                "expected the type of the elements as a text in the header, found \"{}\"",
            ),
            (
                "{'descr': '<f4'}",
                "expected `True` or `False` as the order of the elements in the header, found \"{'descr': '<f4'}\"",
            ),
            (
                "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
                "expected `True` or `False` as the order of the elements in the header, found \"0, 'shape': ()}\"",
            ),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3, -1)}",
                "expected the sizes of the axes as a tuple in the header, found \"(3, -1)}\"",
            ),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': [3]}",
                "expected the sizes of the axes as a tuple in the header, found \"[3]}\"",
            ),
        ] {
            assert_eq!(message(text), expected);
        }
    }
}
