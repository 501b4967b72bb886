//! What tells data sets apart, without reading all of them.

use autodiff_nn::device::Elem;
use autodiff_nn::shape::Shape;
use autodiff_nn::tensor::Tensor;
use flate2::Crc;
use std::fmt::Display;

/// Facts about the data of a run, by name: a run that is resumed must find the same ones. A [`Source`](super::Source) gives
/// it.
///
/// ```
/// use differentiable::data::{Fingerprint, Loader, Source};
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// let of = |rows: &[f32]| Loader::new(rows, 2).shuffle(1).stack(Batch).fingerprint();
/// assert_eq!(of(&[1.0, 2.0, 3.0]), of(&[1.0, 2.0, 3.0]));
/// let (here, there) = (of(&[1.0, 2.0, 3.0]), of(&[1.0, 2.0, 4.0]));
/// assert_eq!(here.difference(&there).unwrap().name, "checksum of sampled rows");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    facts: Vec<(String, String)>,
}

/// A fact that differs between two fingerprints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub name: String,
    /// Its value in the first fingerprint, or `unknown`.
    pub here: String,
    /// Its value in the other.
    pub there: String,
}

impl Fingerprint {
    /// No facts: every run has the same data.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a fact, such as `rows`.
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.facts.push((name.to_string(), value.to_string()));
        self
    }

    /// The facts: names and values.
    pub fn facts(&self) -> &[(String, String)] {
        &self.facts
    }

    /// The first fact that is not the same.
    pub fn difference(&self, other: &Fingerprint) -> Option<Difference> {
        let value = |of: &Fingerprint, name: &str| {
            let fact = of.facts.iter().find(|fact| fact.0 == name);
            fact.map_or("unknown".to_string(), |fact| fact.1.clone())
        };
        let names = self.facts.iter().chain(&other.facts).map(|fact| &fact.0);
        let mut all = names.map(|name| Difference {
            name: name.clone(),
            here: value(self, name),
            there: value(other, name),
        });
        all.find(|fact| fact.here != fact.there)
    }
}

/// A checksum (CRC-32) of values: what rows add themselves to for a [`Fingerprint`].
#[derive(Debug)]
pub struct Digest {
    sum: Crc,
    is_complete: bool,
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Digest {
    /// The checksum of nothing.
    pub fn new() -> Self {
        Digest {
            sum: Crc::new(),
            is_complete: true,
        }
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
    }

    /// Adds numbers, and how many there are.
    pub fn numbers<T: Elem>(&mut self, numbers: &[T]) {
        let mut bytes = Vec::with_capacity(8 * (numbers.len() + 1));
        bytes.extend((numbers.len() as u64).to_le_bytes());
        for &x in numbers {
            bytes.extend(match T::INTEGER {
                true => x.to_i64().to_le_bytes(),
                false => x.to_f64().to_le_bytes(),
            });
        }
        self.sum.update(&bytes);
    }

    /// Adds a tensor: its sizes and its elements.
    pub fn tensor<S: Shape, T: Elem>(&mut self, tensor: &Tensor<S, T>) {
        for &size in tensor.dims().as_slice() {
            self.bytes(&(size as u64).to_le_bytes());
        }
        self.numbers(&tensor.to_vec());
    }

    /// Notes that there is something whose values cannot be read: the checksum then has no value.
    pub fn unknown(&mut self) {
        self.is_complete = false;
    }

    /// The checksum; `None` after [`unknown`](Digest::unknown).
    pub fn value(&self) -> Option<u32> {
        self.is_complete.then(|| self.sum.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autodiff_nn::prelude::*;

    fn sum(add: impl Fn(&mut Digest)) -> Option<u32> {
        let mut digest = Digest::new();
        add(&mut digest);
        digest.value()
    }

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(sum(|d| d.bytes(b"123456789")), Some(0xcbf4_3926));
        assert_eq!(
            sum(|d| (d.bytes(b"1234"), d.bytes(b"56789")).0),
            Some(0xcbf4_3926)
        );
        assert_eq!(sum(|d| (d.bytes(b"1"), d.unknown()).0), None);
    }

    #[test]
    fn shapes_and_types_of_numbers_count() {
        let wide: Tensor![1, 4] = Tensor::ones();
        let square: Tensor![2, 2] = Tensor::ones();
        assert_ne!(sum(|d| d.tensor(&wide)), sum(|d| d.tensor(&square)));
        assert_ne!(sum(|d| d.numbers(&[1_i64])), sum(|d| d.numbers(&[1.0])));
        assert_ne!(
            sum(|d| (d.numbers(&[1_i64, 2]), d.numbers(&[3_i64])).0),
            sum(|d| (d.numbers(&[1_i64]), d.numbers(&[2_i64, 3])).0)
        );
    }

    #[test]
    fn a_difference_has_both_values() {
        let (a, b) = (
            Fingerprint::new()
                .with("rows", 3)
                .with("order", "as stored"),
            Fingerprint::new().with("rows", 3),
        );
        assert_eq!(a.difference(&a), None);
        let found = a.difference(&b).unwrap();
        let texts = (
            found.name.as_str(),
            found.here.as_str(),
            found.there.as_str(),
        );
        assert_eq!(texts, ("order", "as stored", "unknown"));
        assert_eq!(b.difference(&a).unwrap().there, "as stored");
    }
}
