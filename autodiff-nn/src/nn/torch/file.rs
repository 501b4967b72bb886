//! Safetensors files: the headers first, then the numbers of the tensors that are wanted.

use super::error::ImportError;
use super::numbers;
use safetensors::Dtype;
use safetensors::tensor::Metadata;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A tensor of a file.
pub(super) struct Entry {
    pub dtype: Dtype,
    pub dims: Vec<usize>,
    /// Which of the files, and where its numbers begin.
    shard: usize,
    start: u64,
}

/// A file, or the shards that an index lists.
pub(super) struct Files {
    pub tensors: BTreeMap<String, Entry>,
    shards: Vec<(PathBuf, File)>,
}

const INDEX: &str = ".safetensors.index.json";

impl Files {
    /// Opens a file, an index, or what a directory has of them.
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        let path = match path.is_dir() {
            true => inside(path)?,
            false => path.to_path_buf(),
        };
        let mut files = Files {
            tensors: BTreeMap::new(),
            shards: Vec::new(),
        };
        match path.extension().is_some_and(|e| e == "json") {
            true => files.add_index(&path)?,
            false => files.add(&path, &|_| true)?,
        }
        Ok(files)
    }

    /// Opens the shards of an index.
    fn add_index(&mut self, index: &Path) -> Result<(), ImportError> {
        let foreign = |reason: &str| ImportError::Foreign {
            path: index.into(),
            expected: "an index of safetensors files, with `weight_map`",
            reason: reason.to_string(),
        };
        let text = fs::read(index).map_err(|error| read_error(index, error))?;
        let json: serde_json::Value =
            serde_json::from_slice(&text).map_err(|e| foreign(&format!("no JSON ({e})")))?;
        let map = json.get("weight_map").and_then(|m| m.as_object());
        let map = map.ok_or_else(|| foreign("JSON without it"))?;
        let mut shards: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, shard) in map {
            let shard = shard.as_str().filter(|s| is_file_name(s));
            let shard = shard.ok_or_else(|| foreign(&format!("no name of a file for `{name}`")))?;
            shards.entry(shard).or_default().push(name);
        }
        for (shard, names) in shards {
            let path = index.with_file_name(shard);
            if !path.exists() {
                return Err(ImportError::NoShard {
                    index: index.into(),
                    shard: shard.to_string(),
                    tensors: names.len(),
                });
            }
            // A tensor that two shards have is that of the shard which the index names.
            self.add(&path, &|name| {
                map.get(name).is_none_or(|s| s.as_str() == Some(shard))
            })?;
            if let Some(name) = names.iter().find(|n| !self.tensors.contains_key(**n)) {
                return Err(ImportError::Foreign {
                    path,
                    expected: "the tensors that the index says",
                    reason: format!("a file without `{name}`"),
                });
            }
        }
        Ok(())
    }

    /// Reads the header of a file.
    fn add(&mut self, path: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<(), ImportError> {
        let failed = |error| read_error(path, error);
        let mut file = File::open(path).map_err(failed)?;
        let found = file.metadata().map_err(failed)?.len();
        let (header, begin) = header(path, &mut file, found)?;
        let expected = begin + header.data_len() as u64;
        if expected > found {
            return Err(ImportError::Truncated {
                path: path.into(),
                expected,
                found,
            });
        }
        if expected < found {
            return Err(foreign(
                path,
                format!("{} bytes behind the last tensor", found - expected),
            ));
        }
        for (name, info) in header.tensors() {
            if wanted(&name) {
                let entry = Entry {
                    dtype: info.dtype,
                    dims: info.shape.clone(),
                    shard: self.shards.len(),
                    start: begin + info.data_offsets.0 as u64,
                };
                self.tensors.insert(name, entry);
            }
        }
        self.shards.push((path.into(), file));
        Ok(())
    }

    /// Some numbers of a tensor in the order of the file. The type must be readable.
    pub(super) fn read(&self, name: &str, range: Range<usize>) -> Result<Vec<f64>, ImportError> {
        let entry = &self.tensors[name];
        let (path, mut file) = (&self.shards[entry.shard].0, &self.shards[entry.shard].1);
        let width = entry.dtype.bitsize() / 8;
        let mut bytes = vec![0; range.len() * width];
        file.seek(SeekFrom::Start(entry.start + (range.start * width) as u64))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|error| read_error(path, error))?;
        numbers::read(entry.dtype, &bytes).map_err(|(_, found)| ImportError::Number {
            name: name.to_string(),
            found,
            ty: "f64",
        })
    }
}

fn read_error(path: &Path, error: io::Error) -> ImportError {
    ImportError::Read {
        path: path.into(),
        error,
    }
}

fn foreign(path: &Path, reason: String) -> ImportError {
    ImportError::Foreign {
        path: path.into(),
        expected: "a safetensors file",
        reason,
    }
}

/// The header, and where the numbers begin.
fn header(path: &Path, file: &mut File, found: u64) -> Result<(Metadata, u64), ImportError> {
    const LONGEST: u64 = 100_000_000; // the limit of the format
    if found < 8 {
        return Err(foreign(path, format!("{found} bytes")));
    }
    let failed = |error| read_error(path, error);
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(failed)?;
    let length = u64::from_le_bytes(length);
    if length > LONGEST {
        let reason = match path.extension().and_then(|e| e.to_str()) {
            Some("pt" | "pth" | "bin" | "ckpt") => {
                "a pickle of PyTorch: write it again by `safetensors.torch.save_file(model.state_dict(), path)`"
            }
            _ => "bytes that are not one",
        };
        return Err(foreign(path, reason.to_string()));
    }
    if 8 + length > found {
        return Err(ImportError::Truncated {
            path: path.into(),
            expected: 8 + length,
            found,
        });
    }
    let mut header = vec![0; length as usize];
    file.read_exact(&mut header).map_err(failed)?;
    let header = serde_json::from_slice(&header)
        .map_err(|e| foreign(path, format!("a damaged header ({e})")))?;
    Ok((header, 8 + length))
}

/// Whether a shard stands beside its index.
fn is_file_name(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|n| n == name)
}

/// The index of a directory, else its file.
fn inside(directory: &Path) -> Result<PathBuf, ImportError> {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|source| read_error(directory, source))?;
    let names = entries
        .iter()
        .filter_map(|e| e.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    for ending in [INDEX, ".safetensors"] {
        let fitting: Vec<&String> = names.iter().filter(|n| n.ends_with(ending)).collect();
        // What Hugging Face calls it goes before others.
        let usual = format!("model{ending}");
        let chosen = match fitting.as_slice() {
            [] => continue,
            [one] => one,
            many => match many.iter().find(|n| ***n == usual) {
                Some(usual) => usual,
                None => {
                    return Err(ImportError::Directory {
                        path: directory.into(),
                        found: many.iter().map(|n| n.to_string()).collect(),
                    });
                }
            },
        };
        return Ok(directory.join(chosen));
    }
    Err(ImportError::Directory {
        path: directory.into(),
        found: Vec::new(),
    })
}
