//! Convolutions and pooling, against candle.

use crate::support::case;
use crate::table::{Table, agree, candle, entries, numbers};
use differentiable::prelude::*;

macro_rules! conv2d {
    ($table:ident, $b:literal, $i:literal, $h:literal, $w:literal, $o:literal, $k:literal, $pad:literal, $stride:literal) => {{
        let (data, weights) = (numbers($b * $i * $h * $w, 1), numbers($o * $i * $k * $k, 2));
        let x = Tensor::<shape![$b, $i, $h, $w]>::from_slice(&data).expect("x");
        let w = Tensor::<shape![$o, $i, $k, $k]>::from_slice(&weights).expect("w");
        let (cx, cw) = (
            candle(&data, &[$b, $i, $h, $w]),
            candle(&weights, &[$o, $i, $k, $k]),
        );
        let ours = || x.conv2d(&w, Win::new().stride::<$stride>().pad::<$pad>());
        let theirs = || cx.conv2d(&cw, $pad, $stride, 1, 1).expect("y");
        agree("conv2d", &ours().to_vec(), &entries(&theirs()), 1e-3);
        let size = format!(
            "{}×{}×{}×{} → {}, {}×{}, stride {}, padding {}",
            $b, $i, $h, $w, $o, $k, $k, $stride, $pad
        );
        $table.row("conv2d", &size, ours, vec![case("candle", theirs)]);
    }};
}

/// Sizes of small and middle-sized networks.
pub fn run(table: &mut Table) {
    conv2d!(table, 64, 1, 28, 28, 8, 5, 0, 1);
    conv2d!(table, 64, 8, 12, 12, 16, 5, 0, 1);
    conv2d!(table, 16, 32, 14, 14, 64, 3, 1, 1);
    conv2d!(table, 16, 32, 28, 28, 64, 3, 1, 2);
    conv2d!(table, 8, 64, 28, 28, 64, 1, 0, 1);
    conv2d!(table, 1, 3, 224, 224, 64, 7, 3, 2);
    conv2d!(table, 4, 64, 56, 56, 64, 3, 1, 1);
    conv1d(table);
    pools(table);
}

fn conv1d(table: &mut Table) {
    let (data, weights) = (numbers(16 * 32 * 256, 1), numbers(64 * 32 * 5, 2));
    let x = Tensor::<shape![16, 32, 256]>::from_slice(&data).expect("x");
    let w = Tensor::<shape![64, 32, 5]>::from_slice(&weights).expect("w");
    let (cx, cw) = (
        candle(&data, &[16, 32, 256]),
        candle(&weights, &[64, 32, 5]),
    );
    let ours = || x.conv1d(&w, Win::new().pad::<2>());
    let theirs = || cx.conv1d(&cw, 2, 1, 1, 1).expect("y");
    agree("conv1d", &ours().to_vec(), &entries(&theirs()), 1e-3);
    table.row(
        "conv1d",
        "16×32×256 → 64, 5, padding 2",
        ours,
        vec![case("candle", theirs)],
    );
}

fn pools(table: &mut Table) {
    let data = numbers(64 * 8 * 24 * 24, 1);
    let x = Tensor::<shape![64, 8, 24, 24]>::from_slice(&data).expect("x");
    let cx = candle(&data, &[64, 8, 24, 24]);
    let ours = || x.max_pool2d::<2, 2, _>(Win::new().stride::<2>());
    let theirs = || cx.max_pool2d(2).expect("y");
    agree("max_pool2d", &ours().to_vec(), &entries(&theirs()), 0.0);
    table.row(
        "max_pool2d",
        "64×8×24×24, 2×2",
        ours,
        vec![case("candle", theirs)],
    );
    let ours = || x.avg_pool2d::<2, 2, _>(Win::new().stride::<2>());
    let theirs = || cx.avg_pool2d(2).expect("y");
    agree("avg_pool2d", &ours().to_vec(), &entries(&theirs()), 1e-6);
    table.row(
        "avg_pool2d",
        "64×8×24×24, 2×2",
        ours,
        vec![case("candle", theirs)],
    );
}
