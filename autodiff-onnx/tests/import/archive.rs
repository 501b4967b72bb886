//! The `.bin` files of `tests/models`: inputs and outputs that `make.py` wrote.

use std::path::PathBuf;

/// The elements of an array.
#[derive(Clone, Debug)]
pub enum Data {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I64(Vec<i64>),
    Bool(Vec<bool>),
    Bytes(Vec<u8>),
}

/// An array with its name.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub dims: Vec<usize>,
    pub data: Data,
}

/// Arrays that belong together.
#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub entries: Vec<Entry>,
}

impl Record {
    /// The arrays whose names begin so, without that beginning.
    pub fn with<'a>(&'a self, start: &'a str) -> impl Iterator<Item = (&'a str, &'a Entry)> {
        let all = self.entries.iter();
        all.filter_map(move |e| Some((e.name.strip_prefix(start)?, e)))
    }
}

/// A file of `tests/models`.
pub fn path(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "models", file]
        .iter()
        .collect()
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, n: usize) -> &'a [u8] {
        let (part, rest) = self.0.split_at(n);
        self.0 = rest;
        part
    }
    fn number(&mut self) -> usize {
        u32::from_le_bytes(self.bytes(4).try_into().unwrap()) as usize
    }
    fn text(&mut self) -> String {
        let n = self.number();
        String::from_utf8(self.bytes(n).to_vec()).unwrap()
    }
    fn all<T, const N: usize>(&mut self, n: usize, of: fn([u8; N]) -> T) -> Vec<T> {
        let bytes = self.bytes(n * N).chunks_exact(N);
        bytes.map(|x| of(x.try_into().unwrap())).collect()
    }
    fn entry(&mut self) -> Entry {
        let name = self.text();
        let kind = self.bytes(1)[0];
        let rank = self.number();
        let dims: Vec<usize> = (0..rank).map(|_| self.number()).collect();
        let n = dims.iter().product();
        let data = match kind {
            0 => Data::F32(self.all(n, f32::from_le_bytes)),
            1 => Data::F64(self.all(n, f64::from_le_bytes)),
            2 => Data::I64(self.all(n, i64::from_le_bytes)),
            3 => Data::Bool(self.all(n, |[x]: [u8; 1]| x != 0)),
            4 => Data::Bytes(self.bytes(n).to_vec()),
            _ => Data::F32(made(n)),
        };
        Entry { name, dims, data }
    }
}

/// The numbers of `made` in `make.py`.
pub fn made(n: usize) -> Vec<f32> {
    let number = |k| (((k * 7919 + n) % 2003) as f64 / 1001.5 - 1.0) as f32;
    (0..n).map(number).collect()
}

/// The records of a file.
pub fn read(file: &str) -> Vec<Record> {
    let bytes = std::fs::read(path(file)).unwrap();
    let mut reader = Reader(&bytes);
    let mut all = Vec::new();
    while !reader.0.is_empty() {
        let name = reader.text();
        let count = reader.number();
        let entries = (0..count).map(|_| reader.entry()).collect();
        all.push(Record { name, entries });
    }
    all
}
