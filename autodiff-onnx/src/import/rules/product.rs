//! Products of matrices.

use super::elementwise::sum;
use super::view::{View, reshape, view};
use crate::import::fault::Fault;
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, Storage, sizes};
use autodiff_core::device::Dims;
use autodiff_core::tensor::Raw;

fn turned<T: Number>(x: &Storage<T>) -> Storage<T> {
    let rank = x.dims().rank();
    x.transpose(rank - 2, rank - 1)
}

/// The product of matrices of the same leading sizes, or without any.
fn matrices<T: Number>(tape: &Tape, a: &Array<T>, b: &Array<T>) -> Array<T> {
    let made = Raw::matmul(&a.raw, &b.raw);
    let (x, y) = (a.raw.clone(), b.raw.clone());
    let (x2, y2) = (x.clone(), y.clone());
    tape.one(
        made,
        [a, b],
        move |ct, wanted| {
            [
                wanted[0].then(|| Raw::matmul(ct, &turned(&y))),
                wanted[1].then(|| Raw::matmul(&turned(&x), ct)),
            ]
        },
        move |[s, t]| {
            sum([
                s.map(|s| Raw::matmul(s, &y2)),
                t.map(|t| Raw::matmul(&x2, t)),
            ])
        },
    )
}

/// The product as NumPy's `matmul` has it: a vector is a row on the left and a column on the right, leading axes are
/// broadcast.
pub fn matmul<T: Number>(tape: &Tape, a: &Array<T>, b: &Array<T>) -> Result<Array<T>, Fault> {
    let (ra, rb) = (a.dims().rank(), b.dims().rank());
    let unfit = || {
        let (a, b) = (a.dims(), b.dims());
        Fault::sizes(format!("the sizes {a:?} and {b:?} do not multiply"))
    };
    if ra == 0 || rb == 0 {
        return Err(unfit());
    }
    let row = |x: &Array<T>| reshape(tape, x, &[1, x.dims()[0]]);
    let column = |x: &Array<T>| reshape(tape, x, &[x.dims()[0], 1]);
    let left = if ra == 1 { row(a) } else { a.clone() };
    let right = if rb == 1 { column(b) } else { b.clone() };
    let (da, db) = (*left.dims(), *right.dims());
    let (m, k) = (da[da.rank() - 2], da[da.rank() - 1]);
    let n = db[db.rank() - 1];
    if db[db.rank() - 2] != k {
        return Err(unfit());
    }
    let lead = |d: &Dims| Dims::new(&d[..d.rank() - 2]);
    let batch = lead(&da).broadcast(&lead(&db)).ok_or_else(unfit)?;
    let out: Vec<usize> = batch.iter().copied().chain([m, n]).collect();
    sizes(&out)?;
    let made = if db.rank() == 2 {
        // The same matrix on the right of all: one product of all rows.
        let rows: usize = da[..da.rank() - 1].iter().product();
        matrices(tape, &reshape(tape, &left, &[rows, k]), &right)
    } else {
        let count = batch.numel();
        let flat = |x: Array<T>, [r, c]: [usize; 2]| {
            let wide: Vec<usize> = batch.iter().copied().chain([r, c]).collect();
            // What is repeated is written out.
            let wide = sizes(&wide)?;
            let x = match *x.dims() == wide {
                true => x,
                false => view(tape, &x, View::Expand(wide)),
            };
            Ok::<_, Fault>(reshape(tape, &x, &[count, r, c]))
        };
        matrices(tape, &flat(left, [m, k])?, &flat(right, [k, n])?)
    };
    let kept = out.iter().enumerate().filter(|(i, _)| {
        let (rows, columns) = (out.len() - 2, out.len() - 1);
        !(ra == 1 && *i == rows || rb == 1 && *i == columns)
    });
    let kept: Vec<usize> = kept.map(|(_, &n)| n).collect();
    Ok(reshape(tape, &made, &kept))
}
