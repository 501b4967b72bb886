//! Copies of transposed views, by tiles: each line of the cache that is read or written is used whole.

use super::nest::Nest;
use super::par;
use crate::device::Elem;

/// Rows and columns of a tile: a cache line of `f32`.
const TILE: usize = 16;

/// Copies `x` to `out` if its last two loops are a transposed matrix; `false` if they are not.
pub fn copy<T: Elem>(out: &mut [T], x: &[T], nest: &Nest<1>) -> bool {
    let Some((rows, columns, step)) = nest.transposed() else {
        return false;
    };
    let count = out.len() / (rows * columns);
    // Bands of rows of one matrix; several matrices one after the other.
    let band = rows.next_multiple_of(TILE).min(4 * TILE);
    let bands = rows.div_ceil(band);
    let mut parts: Vec<&mut [T]> = Vec::with_capacity(count * bands);
    for matrix in out.chunks_mut(rows * columns) {
        parts.extend(matrix.chunks_mut(band * columns));
    }
    par::rows(&mut parts, 1, band * columns, |first, parts| {
        for (i, part) in parts.iter_mut().enumerate() {
            let (matrix, row) = ((first + i) / bands, (first + i) % bands * band);
            let at = nest.at(matrix * rows * columns) + row;
            transpose(part, columns, &x[at..], step);
        }
    });
    true
}

/// `out[r][c] ← x[r + c·step]`
fn transpose<T: Copy>(out: &mut [T], columns: usize, x: &[T], step: usize) {
    let rows = out.len() / columns;
    for c in (0..columns).step_by(TILE) {
        let width = TILE.min(columns - c);
        for r in (0..rows).step_by(TILE) {
            let height = TILE.min(rows - r);
            if width < TILE || height < TILE {
                for i in 0..height {
                    for j in 0..width {
                        out[(r + i) * columns + c + j] = x[r + i + (c + j) * step];
                    }
                }
                continue;
            }
            let mut tile = [[x[0]; TILE]; TILE];
            for (j, line) in tile.iter_mut().enumerate() {
                line.copy_from_slice(&x[r + (c + j) * step..][..TILE]);
            }
            for i in 0..TILE {
                let to = &mut out[(r + i) * columns + c..][..TILE];
                for (to, line) in to.iter_mut().zip(&tile) {
                    *to = line[i];
                }
            }
        }
    }
}
