//! Reductions, scans, orders.

use crate::support::case;
use crate::table::{Table, agree, candle, entries, numbers};
use differentiable::prelude::*;
use ndarray::{Array2, Axis as NdAxis};

macro_rules! reductions {
    ($table:ident, $r:literal, $c:literal: $($name:literal |$x:ident| $ours:expr, $theirs:expr, $nd:expr;)*) => {{
        let data = numbers($r * $c, 3);
        let ours = Tensor::<shape![$r, $c]>::from_slice(&data).expect("x");
        let theirs = candle(&data, &[$r, $c]);
        let nd = Array2::from_shape_vec(($r, $c), data.clone()).expect("x");
        $({
            let f = || { let $x = &ours; $ours };
            let g = || { let $x = &theirs; $theirs.expect("y") };
            let h = || { let $x = &nd; $nd };
            agree($name, &f().to_vec(), &entries(&g()), 1e-3);
            let _ = h();
            $table.row($name, concat!(stringify!($r), "×", stringify!($c)), f,
                vec![case("candle", g), case("ndarray", h)]);
        })*
    }};
}

macro_rules! all {
    ($table:ident, $r:literal, $c:literal) => {
        reductions!($table, $r, $c:
            "sum" |x| x.sum(), x.sum_all(), x.sum();
            "sum over rows (axis 0)" |x| x.sum_axis::<0>(), x.sum(0), x.sum_axis(NdAxis(0));
            "sum over columns (axis 1)" |x| x.sum_axis::<1>(), x.sum(1), x.sum_axis(NdAxis(1));
            "mean, axis 1" |x| x.mean_axis::<1>(), x.mean(1), x.mean_axis(NdAxis(1));
            "max, axis 0" |x| x.max_axis::<0>(), x.max(0), x.fold_axis(NdAxis(0), f32::MIN, |a, b| a.max(*b));
            "max, axis 1" |x| x.max_axis::<1>(), x.max(1), x.fold_axis(NdAxis(1), f32::MIN, |a, b| a.max(*b));
            "var, axis 1" |x| x.var_axis::<1>(1), x.var(1), x.var_axis(NdAxis(1), 1.0);
            "logsumexp, axis 1" |x| x.logsumexp_axis::<1>(), x.log_sum_exp(1), x.map_axis(NdAxis(1), |r| {
                let m = r.fold(f32::MIN, |a, b| a.max(*b));
                m + r.fold(0.0, |a, b| a + (b - m).exp()).ln()
            });
            "cumsum, axis 1" |x| x.cumsum::<1>(), x.cumsum(1), {
                let mut y = x.clone();
                y.accumulate_axis_inplace(NdAxis(1), |a, b| *b += a);
                y
            };
            "sort, axis 1" |x| x.sort::<1>(), x.sort_last_dim(true).map(|(y, _)| y), {
                let mut y = x.clone();
                for mut row in y.rows_mut() {
                    row.as_slice_mut().expect("dense").sort_by(f32::total_cmp);
                }
                y
            };
        );
    };
}

/// In the second-level cache, and beyond it.
pub fn run(table: &mut Table) {
    all!(table, 64, 256);
    all!(table, 1024, 1024);
    all!(table, 4096, 33);
    picks(table);
}

/// Rows by their numbers.
fn picks(table: &mut Table) {
    let data = numbers(4096 * 64, 8);
    let numbers: Vec<i64> = (0..2048).map(|i| (i * 37) % 4096).collect();
    let x = Tensor::<shape![4096, 64]>::from_slice(&data).expect("x");
    let index = Tensor::<shape![2048], i64>::from_slice(&numbers).expect("index");
    let cx = candle(&data, &[4096, 64]);
    let cindex = candle_core::Tensor::from_slice(&numbers, &[2048], cx.device()).expect("index");
    let nx = Array2::from_shape_vec((4096, 64), data.clone()).expect("x");
    let places: Vec<usize> = numbers.iter().map(|n| *n as usize).collect();
    let ours = x.index_select::<0, _, _>(&index);
    agree(
        "index_select",
        &ours.to_vec(),
        &entries(&cx.index_select(&cindex, 0).expect("y")),
        0.0,
    );
    table.row(
        "index_select, axis 0",
        "2048 of 4096×64",
        || x.index_select::<0, _, _>(&index),
        vec![
            case("candle", || cx.index_select(&cindex, 0).expect("y")),
            case("ndarray", || nx.select(NdAxis(0), &places)),
        ],
    );
}
