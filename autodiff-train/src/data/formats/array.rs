//! An array as a file holds it, and the tensor that it becomes.

use super::FormatError;
use crate::data::DataError;
use autodiff_nn::device::{DType, Elem};
use autodiff_nn::prelude::{bf16, f16};
use autodiff_nn::shape::{Dim, Shape};
use autodiff_nn::tensor::Tensor;
use std::fmt;
use std::path::{Path, PathBuf};

/// The type of the elements of an array in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum ArrayType {
    F16,
    Bf16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Bool,
}

impl ArrayType {
    /// Bytes of an element.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 | Self::Bool => 1,
            Self::F16 | Self::Bf16 | Self::I16 | Self::U16 => 2,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F64 | Self::I64 | Self::U64 => 8,
        }
    }
}

impl fmt::Display for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

/// An array from a file: its shape is known when the program runs. [`tensor`](Array::tensor) makes it one whose shape is in the
/// type, and [`labels`](Array::labels) checks labels.
///
/// The bytes stay as they are until then.
#[derive(Clone, PartialEq)]
pub struct Array {
    path: PathBuf,
    dims: Vec<usize>,
    element: ArrayType,
    order: Order,
    /// Row-major.
    bytes: Vec<u8>,
}

/// The sizes and the element type, without the elements.
impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Array {
            path,
            dims,
            element,
            ..
        } = self;
        write!(f, "Array({element} {dims:?} of {})", path.display())
    }
}

impl Array {
    /// An array of row-major bytes.
    pub(super) fn new(
        path: &Path,
        dims: Vec<usize>,
        element: ArrayType,
        order: Order,
        bytes: Vec<u8>,
    ) -> Result<Self, DataError> {
        let product = |n: u64, &d: &usize| n.checked_mul(d as u64);
        let size = dims.iter().try_fold(element.size() as u64, product);
        let (expected, found) = (size.unwrap_or(u64::MAX), bytes.len() as u64);
        if expected != found {
            let what = "elements";
            let problem = FormatError::Size {
                what,
                expected,
                found,
            };
            return Err(DataError::format(path, problem));
        }
        Ok(Array {
            path: path.into(),
            dims,
            element,
            order,
            bytes,
        })
    }

    /// The sizes of the axes.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The type of the elements in the file.
    pub fn element(&self) -> ArrayType {
        self.element
    }

    /// The array as a tensor. Fixed sizes of the shape must be those of the file; run-time ones are taken from it.
    ///
    /// Integers and truth values can become floats, and floats of another width are rounded. Integers become other
    /// integers where the numbers fit; floats never become integers.
    ///
    /// ```
    /// use differentiable::data::read_npy;
    /// use differentiable::prelude::*;
    ///
    /// dim!(Rows);
    ///
    /// # let file = std::env::temp_dir().join("array-tensor.npy");
    /// # let mut bytes = b"\x93NUMPY\x01\0\x46\0{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }".to_vec();
    /// # bytes.resize(80, b' ');
    /// # bytes.extend([1, 2, 3, 4, 5, 6]);
    /// # std::fs::write(&file, bytes)?;
    /// let pixels: Tensor![Rows, 3] = read_npy(file)?.tensor()?;
    /// assert_eq!(pixels.to_vec(), [1., 2., 3., 4., 5., 6.]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FormatError::Shape`], [`FormatError::ElementType`], [`FormatError::Number`].
    pub fn tensor<S: Shape, T: Elem>(&self) -> Result<Tensor<S, T>, DataError> {
        let shape = self.shape()?;
        let values = self.values()?;
        Tensor::from_vec_with(shape, values).map_err(DataError::other)
    }

    /// The array as the class of each row.
    ///
    /// # Errors
    /// As [`tensor`](Array::tensor), and [`FormatError::Label`] for a label that is not below `classes`.
    pub fn labels<R: Dim>(&self, classes: usize) -> Result<Tensor<(R,), i64>, DataError> {
        let labels: Tensor<(R,), i64> = self.tensor()?;
        let fits = |&label: &i64| usize::try_from(label).is_ok_and(|l| l < classes);
        let wrong = labels.to_vec().into_iter().enumerate();
        match wrong.into_iter().find(|(_, label)| !fits(label)) {
            None => Ok(labels),
            Some((row, found)) => Err(self.problem(FormatError::Label {
                row,
                classes,
                found,
            })),
        }
    }

    fn problem(&self, problem: FormatError) -> DataError {
        DataError::format(&self.path, problem)
    }

    /// The shape with the run-time sizes of the file.
    fn shape<S: Shape>(&self) -> Result<S, DataError> {
        let wrong = || {
            let names = S::STATIC
                .iter()
                .zip(S::NAMES)
                .map(|(size, name)| match size {
                    Some(n) => n.to_string(),
                    None => name.to_string(),
                });
            self.problem(FormatError::Shape {
                expected: format!("[{}]", names.collect::<Vec<_>>().join(", ")),
                found: self.dims.clone(),
            })
        };
        if self.dims.len() != S::RANK {
            return Err(wrong());
        }
        let sizes = S::STATIC.iter().zip(&self.dims);
        let sizes = sizes.filter(|(size, _)| size.is_none()).map(|(_, &n)| n);
        // A product of names asks for more sizes than the file has.
        let mut asked_for_more = false;
        let more = std::iter::from_fn(|| {
            asked_for_more = true;
            Some(1)
        });
        let shape = S::take(&mut sizes.chain(more));
        match shape.dims().as_slice() == self.dims && !asked_for_more {
            true => Ok(shape),
            false => Err(wrong()),
        }
    }

    fn values<T: Elem>(&self) -> Result<Vec<T>, DataError> {
        use ArrayType::*;
        let float = |x: f64| Some(T::from_f64(x));
        let integer = |x: i64| {
            let y = T::from_i64(x);
            // A float takes every integer, rounded; another type only what it holds.
            (!T::INTEGER || y.to_i64() == x).then_some(y)
        };
        let same = |x: u8| integer(i64::from(x));
        match self.element {
            F16 | Bf16 | F32 | F64 if T::INTEGER => Err(self.problem(FormatError::ElementType {
                expected: format!("integer or bool, to become {}", name::<T>()),
                found: self.element.to_string(),
            })),
            F16 => self.each(|b| float(f16::from_le_bytes(b).to_f64())),
            Bf16 => self.each(|b| float(bf16::from_le_bytes(b).to_f64())),
            F32 => self.each(|b| float(f64::from(f32::from_le_bytes(b)))),
            F64 => self.each(|b| float(f64::from_le_bytes(b))),
            I8 => self.each(|b| integer(i64::from(i8::from_le_bytes(b)))),
            I16 => self.each(|b| integer(i64::from(i16::from_le_bytes(b)))),
            I32 => self.each(|b| integer(i64::from(i32::from_le_bytes(b)))),
            I64 => self.each(|b| integer(i64::from_le_bytes(b))),
            U8 => self.each(|[b]: [u8; 1]| same(b)),
            U16 => self.each(|b| integer(i64::from(u16::from_le_bytes(b)))),
            U32 => self.each(|b| integer(i64::from(u32::from_le_bytes(b)))),
            U64 => self.each(|b| match i64::try_from(u64::from_le_bytes(b)) {
                Ok(x) => integer(x),
                Err(_) if T::INTEGER => None,
                Err(_) => float(u64::from_le_bytes(b) as f64),
            }),
            Bool => self.each(|[b]: [u8; 1]| same(b).filter(|_| b <= 1)),
        }
    }

    /// The elements by a function of their bytes, the lowest first, which gives nothing for a number that does not fit.
    fn each<T: Elem, const N: usize>(
        &self,
        f: impl Fn([u8; N]) -> Option<T>,
    ) -> Result<Vec<T>, DataError> {
        use ArrayType::*;
        let (all, rest) = self.bytes.as_chunks::<N>();
        debug_assert!(rest.is_empty(), "the size was checked");
        let values = all.iter().enumerate().map(|(index, &bytes)| {
            let mut little = bytes;
            if self.order == Order::Big {
                little.reverse();
            }
            f(little).ok_or_else(|| {
                let unsigned = matches!(self.element, Bool | U8 | U16 | U32 | U64);
                self.problem(FormatError::Number {
                    expected: name::<T>(),
                    index,
                    found: integer(&little, unsigned).to_string(),
                })
            })
        });
        values.collect()
    }
}

/// An integer from its bytes, the lowest first.
fn integer(bytes: &[u8], unsigned: bool) -> i128 {
    let top = bytes.last().copied().unwrap_or(0);
    let fill = if !unsigned && top >= 0x80 { 0xff } else { 0 };
    let mut wide = [fill; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    i128::from_le_bytes(wide)
}

fn name<T: Elem>() -> String {
    match T::DTYPE {
        DType::Dual => "dual number".into(),
        other => format!("{other:?}").to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autodiff_nn::prelude::*;

    autodiff_nn::dim!(Rows, Time);

    fn array(element: ArrayType, dims: &[usize], bytes: &[u8]) -> Array {
        let path = Path::new("x.npy");
        Array::new(path, dims.to_vec(), element, Order::Little, bytes.to_vec()).unwrap()
    }

    fn message<T>(result: Result<T, DataError>) -> String {
        match result {
            Ok(_) => "no error".into(),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn run_time_sizes_come_from_the_file() {
        let x = array(ArrayType::U8, &[2, 3], &[1, 2, 3, 4, 5, 6]);
        let t: Tensor![f64; Rows, 3] = x.tensor().unwrap();
        assert_eq!(t.shape(), (Rows(2), Sz));
        let t: Tensor![u8; Rows, Time] = x.tensor().unwrap();
        assert_eq!(t.shape(), (Rows(2), Time(3)));
        assert_eq!(
            message(x.tensor::<(Rows, Sz<4>), f32>()),
            "x.npy: expected an array of shape [Rows, 4], found [2, 3]"
        );
        assert_eq!(
            message(x.tensor::<(Rows,), f32>()),
            "x.npy: expected an array of shape [Rows], found [2, 3]"
        );
        assert!(x.tensor::<(Prod<Rows, Time>, Sz<3>), f32>().is_err());
    }

    #[test]
    fn numbers_that_do_not_fit_are_errors() {
        let x = array(ArrayType::I16, &[3], &[1, 0, 255, 0, 255, 255]);
        assert_eq!(x.tensor::<(Rows,), i64>().unwrap().to_vec(), [1, 255, -1]);
        assert_eq!(
            message(x.tensor::<(Rows,), u8>()),
            "x.npy: expected numbers that fit into u8, found -1 at index 2"
        );
        assert_eq!(
            message(x.tensor::<(Rows,), bool>()),
            "x.npy: expected numbers that fit into bool, found 255 at index 1"
        );
        let x = array(ArrayType::U64, &[1], &[255; 8]);
        assert_eq!(
            message(x.tensor::<(Rows,), i64>()),
            "x.npy: expected numbers that fit into i64, found 18446744073709551615 at index 0"
        );
        assert_eq!(
            x.tensor::<(Rows,), f64>().unwrap().to_vec(),
            [u64::MAX as f64]
        );
        let x = array(ArrayType::F32, &[1], &1.5_f32.to_le_bytes());
        assert_eq!(
            message(x.tensor::<(Rows,), i64>()),
            "x.npy: expected elements of type integer or bool, to become i64, found f32"
        );
        assert_eq!(
            message(array(ArrayType::Bool, &[1], &[2]).tensor::<(Rows,), bool>()),
            "x.npy: expected numbers that fit into bool, found 2 at index 0"
        );
    }

    #[test]
    fn labels_are_below_the_number_of_classes() {
        let x = array(ArrayType::U8, &[3], &[0, 9, 10]);
        assert_eq!(x.labels::<Rows>(11).unwrap().to_vec(), [0, 9, 10]);
        assert_eq!(
            message(x.labels::<Rows>(10)),
            "x.npy: expected a label from 0 to 9 in row 2, found 10"
        );
    }
}
