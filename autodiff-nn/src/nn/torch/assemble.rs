//! The numbers of a parameter from those of a file.

use super::error::ImportError;
use super::file::Files;
use super::import::Names;
use super::numbers;
use super::plan::{Source, Target};
use autodiff_core::nn::{HostData, HostTensor};

/// The numbers of a parameter, in its order and its type.
pub(super) fn assemble(
    target: &Target,
    source: &Source,
    files: &Files,
    names: &Names<'_>,
) -> Result<HostTensor, ImportError> {
    let count: usize = target.kind.dims.iter().product();
    let mut sum: Option<Vec<f64>> = None;
    let mut whole = true;
    for term in &source.terms {
        let given = &names.given[term];
        whole &= numbers::is_whole(given.entry.dtype);
        let from = source.part.map_or(0, |(k, _)| k * count);
        let mut x = match given.flipped {
            false => files.read(given.name, from..from + count)?,
            true => {
                let all = files.read(given.name, 0..source.dims.iter().product())?;
                let all = turned(&all, source.dims[1], source.dims[0]);
                all[from..from + count].to_vec()
            }
        };
        if let Some((rows, columns)) = source.transposed {
            x = turned(&x, columns, rows);
        }
        sum = Some(match sum {
            None => x,
            Some(sum) => sum.iter().zip(&x).map(|(&a, &b)| added(a, b)).collect(),
        });
    }
    let numbers = sum.expect("a source has a term");
    let data = match target.kind.dtype {
        "f64" => HostData::F64(numbers),
        "f32" => {
            let narrow = numbers::narrowed(&numbers, whole);
            HostData::F32(narrow.map_err(|at| ImportError::Number {
                name: names.given[&source.terms[0]].name.to_string(),
                found: format!("{}", numbers[at]),
                ty: "f32",
            })?)
        }
        other => unreachable!("parameters are f32 or f64, not {other}"),
    };
    Ok(HostTensor::new(target.kind.dims.clone(), data).expect("the sizes were compared"))
}

/// The sum; what zero is added to keeps its sign.
fn added(a: f64, b: f64) -> f64 {
    match b == 0.0 {
        true => a,
        false => a + b,
    }
}

/// The transpose of a matrix of so many rows and columns.
pub(super) fn turned<T: Copy>(x: &[T], rows: usize, columns: usize) -> Vec<T> {
    let column = |c: usize| (0..rows).map(move |r| x[r * columns + c]);
    (0..columns).flat_map(column).collect()
}
