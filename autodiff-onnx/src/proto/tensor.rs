//! Tensors that a file holds.

use super::field::{Message, messages};
use super::wire::{Reader, Writer};
use super::{External, Property, ProtoError};
use autodiff_core::device::{DType, Elem};
use autodiff_core::prelude::{bf16, f16};

/// The type of the elements of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are those of Rust
pub enum ElementType {
    F32,
    F64,
    F16,
    Bf16,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Bool,
    /// Texts.
    String,
    /// Pairs of `f32`.
    Complex64,
    /// Pairs of `f64`.
    Complex128,
    /// Another one, by its number: floats of eight bits, integers of four.
    Other(i64),
}

/// The table of `TensorProto.DataType`: number, type, bytes of an element.
const TYPES: [(i64, ElementType, usize); 16] = [
    (1, ElementType::F32, 4),
    (2, ElementType::U8, 1),
    (3, ElementType::I8, 1),
    (4, ElementType::U16, 2),
    (5, ElementType::I16, 2),
    (6, ElementType::I32, 4),
    (7, ElementType::I64, 8),
    (8, ElementType::String, 0),
    (9, ElementType::Bool, 1),
    (10, ElementType::F16, 2),
    (11, ElementType::F64, 8),
    (12, ElementType::U32, 4),
    (13, ElementType::U64, 8),
    (14, ElementType::Complex64, 8),
    (15, ElementType::Complex128, 16),
    (16, ElementType::Bf16, 2),
];

impl ElementType {
    /// The type of a number.
    pub fn from_number(number: i64) -> Self {
        let row = TYPES.iter().find(|row| row.0 == number);
        row.map_or(ElementType::Other(number), |row| row.1)
    }

    /// Its number.
    pub fn number(self) -> i64 {
        match self {
            ElementType::Other(number) => number,
            _ => TYPES.iter().find(|row| row.1 == self).expect("a row").0,
        }
    }

    /// The bytes of an element; none of texts, and of types whose elements are not read.
    pub fn size(self) -> Option<usize> {
        let row = TYPES.iter().find(|row| row.1 == self);
        row.map(|row| row.2).filter(|&size| size > 0)
    }

    /// Whether it is a type of floats.
    pub fn is_float(self) -> bool {
        use ElementType::*;
        matches!(self, F32 | F64 | F16 | Bf16)
    }

    /// That of the elements of our tensors. Numbers of mixed precision are `f32`; a dual number has none.
    pub fn of(dtype: DType) -> Option<Self> {
        Some(match dtype {
            DType::F32 | DType::MixedBf16 | DType::MixedF16 => ElementType::F32,
            DType::F64 => ElementType::F64,
            DType::Bf16 => ElementType::Bf16,
            DType::F16 => ElementType::F16,
            DType::I64 => ElementType::I64,
            DType::U32 => ElementType::U32,
            DType::U8 => ElementType::U8,
            DType::Bool => ElementType::Bool,
            DType::Dual => return None,
        })
    }
}

impl core::fmt::Display for ElementType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            ElementType::Other(number) => write!(f, "type {number}"),
            of => f.write_str(&format!("{of:?}").to_lowercase()),
        }
    }
}

/// A tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorProto {
    /// Its name.
    pub name: String,
    /// Its sizes.
    pub dims: Vec<usize>,
    /// The type of its elements.
    pub element_type: ElementType,
    /// Its elements.
    pub elements: Elements,
}

/// The elements of a tensor, in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    /// Little-endian bytes, however the file has them: as bytes or as lists of numbers.
    Bytes(Vec<u8>),
    /// Texts, which need not be UTF-8.
    Texts(Vec<Vec<u8>>),
    /// A part of another file.
    External(External),
}

messages! {
    struct Wire "TensorProto" {
        1 dims: Vec<i64>,
        2 data_type: i64,
        3 segment: Option<Vec<u8>>,
        4 float_data: Vec<f32>,
        5 int32_data: Vec<i32>,
        6 string_data: Vec<Vec<u8>>,
        7 int64_data: Vec<i64>,
        8 name: String,
        9 raw_data: Option<Vec<u8>>,
        10 double_data: Vec<f64>,
        11 uint64_data: Vec<u64>,
        13 external_data: Vec<Property>,
        14 data_location: i64,
    }
}

/// The numbers of a list as bytes, which are the first `width` of each.
fn bytes<T: Copy, const N: usize>(numbers: &[T], width: usize, of: fn(T) -> [u8; N]) -> Vec<u8> {
    let mut out = Vec::with_capacity(numbers.len().saturating_mul(width));
    for &x in numbers {
        out.extend_from_slice(&of(x)[..width]);
    }
    out
}

impl Wire {
    fn elements(&mut self, count: usize) -> Result<Elements, String> {
        let kind = ElementType::from_number(self.data_type);
        if self.data_type == 0 {
            return Err("it does not say what its elements are".into());
        }
        if self.segment.is_some() {
            return Err("it is a segment of a larger one, which is not supported".into());
        }
        if self.data_location == 1 {
            return External::of(&self.external_data).map(Elements::External);
        }
        if kind == ElementType::String {
            let texts = core::mem::take(&mut self.string_data);
            return match texts.len() {
                n if n == count => Ok(Elements::Texts(texts)),
                n => Err(format!("it has {n} texts, its sizes say {count}")),
            };
        }
        let width = kind.size();
        let bytes = match self.raw_data.take() {
            Some(raw) => raw,
            None => {
                let filled = [
                    (!self.float_data.is_empty(), 0),
                    (!self.int32_data.is_empty(), 1),
                    (!self.int64_data.is_empty(), 2),
                    (!self.double_data.is_empty(), 3),
                    (!self.uint64_data.is_empty(), 4),
                ];
                let mut filled = filled.iter().filter(|f| f.0).map(|f| f.1);
                use ElementType::*;
                match (filled.next(), kind, width) {
                    (None, ..) => Vec::new(),
                    (Some(0), F32 | Complex64, _) => bytes(&self.float_data, 4, f32::to_le_bytes),
                    (Some(1), I32 | I16 | I8 | U16 | U8 | Bool | F16 | Bf16, Some(width)) => {
                        bytes(&self.int32_data, width, i32::to_le_bytes)
                    }
                    (Some(2), I64, _) => bytes(&self.int64_data, 8, i64::to_le_bytes),
                    (Some(3), F64 | Complex128, _) => bytes(&self.double_data, 8, f64::to_le_bytes),
                    (Some(4), U64 | U32, Some(width)) => {
                        bytes(&self.uint64_data, width, u64::to_le_bytes)
                    }
                    (Some(_), Other(_), _) => {
                        let kind = kind.number();
                        return Err(format!("elements of type {kind} are read as bytes only"));
                    }
                    _ => return Err(format!("its elements are in a list that is not for {kind}")),
                }
            }
        };
        // Of types that are not known the sizes are not either.
        if let Some(width) = width
            && count.checked_mul(width) != Some(bytes.len())
        {
            return Err(format!(
                "it has {} bytes, {count} elements of type {kind} have {}",
                bytes.len(),
                count.saturating_mul(width)
            ));
        }
        Ok(Elements::Bytes(bytes))
    }
}

impl Message for TensorProto {
    fn read(reader: Reader<'_>) -> Result<Self, ProtoError> {
        let mut wire = Wire::read(reader)?;
        let name = core::mem::take(&mut wire.name);
        let dims = wire.dims.iter().map(|&n| usize::try_from(n));
        let dims: Result<Vec<usize>, _> = dims.collect();
        let wrong = |what| ProtoError::Tensor {
            name: name.clone(),
            what,
        };
        let dims = dims.map_err(|_| wrong(format!("its sizes are {:?}", wire.dims)))?;
        let count = product(&dims).ok_or_else(|| wrong(format!("its sizes are {dims:?}")))?;
        let elements = wire.elements(count).map_err(wrong)?;
        Ok(TensorProto {
            name,
            dims,
            element_type: ElementType::from_number(wire.data_type),
            elements,
        })
    }
    fn write(&self, out: &mut Writer) {
        use super::field::Field;
        let dims: Vec<i64> = self.dims.iter().map(|&n| n as i64).collect();
        dims.put(1, out);
        self.element_type.number().put(2, out);
        self.name.put(8, out);
        match &self.elements {
            Elements::Bytes(bytes) => out.bytes(9, bytes),
            Elements::Texts(texts) => texts.put(6, out),
            Elements::External(external) => {
                external.properties().put(13, out);
                1i64.put(14, out);
            }
        }
    }
}

/// The number of elements, if it is a number.
pub fn product(dims: &[usize]) -> Option<usize> {
    // A size of zero makes the product zero, however large the others are.
    if dims.contains(&0) {
        return Some(0);
    }
    dims.iter().try_fold(1usize, |all, &n| all.checked_mul(n))
}

impl TensorProto {
    /// A tensor of these elements.
    ///
    /// # Panics
    /// If their number is not that of the sizes, or they are dual numbers, which ONNX does not have.
    pub fn new<T: Elem>(name: &str, dims: &[usize], elements: &[T]) -> Self {
        assert_eq!(product(dims), Some(elements.len()), "elements of `{name}`");
        let element_type = ElementType::of(T::DTYPE).expect("elements that ONNX has");
        macro_rules! write {
            ($as:expr) => {
                elements.iter().flat_map(|&x| $as(x)).collect()
            };
        }
        let bytes = match element_type {
            ElementType::F64 => write!(|x: T| x.to_f64().to_le_bytes()),
            ElementType::F16 => write!(|x: T| f16::from_f64(x.to_f64()).to_le_bytes()),
            ElementType::Bf16 => write!(|x: T| bf16::from_f64(x.to_f64()).to_le_bytes()),
            ElementType::I64 => write!(|x: T| x.to_i64().to_le_bytes()),
            ElementType::U32 => write!(|x: T| (x.to_i64() as u32).to_le_bytes()),
            ElementType::U8 | ElementType::Bool => write!(|x: T| [x.to_i64() as u8]),
            _ => write!(|x: T| (x.to_f64() as f32).to_le_bytes()),
        };
        TensorProto {
            name: name.to_owned(),
            dims: dims.to_vec(),
            element_type,
            elements: Elements::Bytes(bytes),
        }
    }

    /// Its elements, converted as by `as`: from numbers and truth values of any type.
    ///
    /// # Errors
    /// If they are in another file that was not [loaded](super::ModelProto::load_external), or are texts, complex numbers, whole
    /// numbers beyond those of `i64`, or of a type that is not known.
    pub fn to_vec<T: Elem>(&self) -> Result<Vec<T>, ProtoError> {
        let wrong = |what: String| ProtoError::Tensor {
            name: self.name.clone(),
            what,
        };
        let bytes = match &self.elements {
            Elements::Bytes(bytes) => bytes,
            Elements::Texts(_) => return Err(wrong("it holds texts, expected numbers".into())),
            Elements::External(external) => {
                let at = &external.location;
                return Err(wrong(format!(
                    "its elements are in the file `{at}`, which was not loaded"
                )));
            }
        };
        macro_rules! read {
            ($t:ty, $from:expr) => {{
                let all = bytes.chunks_exact(size_of::<$t>());
                all.map(|x| {
                    $from(<$t>::from_le_bytes(
                        x.try_into().expect("bytes of an element"),
                    ))
                })
                .collect()
            }};
        }
        Ok(match self.element_type {
            ElementType::F32 => read!(f32, |x| T::from_f64(f64::from(x))),
            ElementType::F64 => read!(f64, T::from_f64),
            ElementType::F16 => read!(f16, |x: f16| T::from_f64(x.to_f64())),
            ElementType::Bf16 => read!(bf16, |x: bf16| T::from_f64(x.to_f64())),
            ElementType::I8 => read!(i8, |x| T::from_i64(i64::from(x))),
            ElementType::I16 => read!(i16, |x| T::from_i64(i64::from(x))),
            ElementType::I32 => read!(i32, |x| T::from_i64(i64::from(x))),
            ElementType::I64 => read!(i64, T::from_i64),
            ElementType::U8 => read!(u8, |x| T::from_i64(i64::from(x))),
            ElementType::U16 => read!(u16, |x| T::from_i64(i64::from(x))),
            ElementType::U32 => read!(u32, |x| T::from_i64(i64::from(x))),
            ElementType::U64 => {
                let all: Vec<u64> = read!(u64, |x| x);
                let all = all.into_iter().map(i64::try_from);
                let all = all.collect::<Result<Vec<i64>, _>>();
                let all = all.map_err(|_| wrong("it holds numbers beyond those of i64".into()))?;
                all.into_iter().map(T::from_i64).collect()
            }
            ElementType::Bool => read!(u8, |x| T::from_i64(i64::from(x != 0))),
            of => return Err(wrong(format!("its elements are of {of}, expected numbers"))),
        })
    }
}
