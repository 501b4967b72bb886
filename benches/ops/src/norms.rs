//! Softmax and normalisations of rows.

use crate::support::case;
use crate::table::{Table, agree, candle, entries, numbers};
use differentiable::prelude::*;
use ndarray::{Array2, Axis as NdAxis};

macro_rules! norms {
    ($table:ident, $r:literal, $c:literal) => {{
        let size = concat!(stringify!($r), "×", stringify!($c));
        let (data, gains, shifts) = (numbers($r * $c, 3), numbers($c, 4), numbers($c, 5));
        let x = Tensor::<shape![$r, $c]>::from_slice(&data).expect("x");
        let g = Tensor::<shape![$c]>::from_slice(&gains).expect("gain");
        let b = Tensor::<shape![$c]>::from_slice(&shifts).expect("shift");
        let (cx, cg, cb) = (
            candle(&data, &[$r, $c]),
            candle(&gains, &[$c]),
            candle(&shifts, &[$c]),
        );
        let nx = Array2::from_shape_vec(($r, $c), data.clone()).expect("x");
        let softmax = || candle_nn::ops::softmax_last_dim(&cx).expect("y");
        agree(
            "softmax",
            &x.softmax::<-1>().to_vec(),
            &entries(&softmax()),
            1e-5,
        );
        $table.row(
            "softmax",
            size,
            || x.softmax::<-1>(),
            vec![
                case("candle", softmax),
                case("ndarray", || {
                    let m = nx
                        .fold_axis(NdAxis(1), f32::MIN, |a, b| a.max(*b))
                        .insert_axis(NdAxis(1));
                    let e = (&nx - &m).mapv(f32::exp);
                    &e / &e.sum_axis(NdAxis(1)).insert_axis(NdAxis(1))
                }),
            ],
        );
        let log_softmax = || candle_nn::ops::log_softmax(&cx, 1).expect("y");
        agree(
            "log_softmax",
            &x.log_softmax::<-1>().to_vec(),
            &entries(&log_softmax()),
            1e-4,
        );
        $table.row(
            "log_softmax",
            size,
            || x.log_softmax::<-1>(),
            vec![case("candle", log_softmax)],
        );
        let columns = || candle_nn::ops::softmax(&cx, 0).expect("y");
        agree(
            "softmax",
            &x.softmax::<0>().to_vec(),
            &entries(&columns()),
            1e-4,
        );
        $table.row(
            "softmax, axis 0",
            size,
            || x.softmax::<0>(),
            vec![case("candle", columns)],
        );
        let layer_norm = || candle_nn::ops::layer_norm(&cx, &cg, &cb, 1e-5).expect("y");
        agree(
            "layer_norm",
            &x.layer_norm(&g, &b, 1e-5).to_vec(),
            &entries(&layer_norm()),
            1e-3,
        );
        $table.row(
            "layer_norm",
            size,
            || x.layer_norm(&g, &b, 1e-5),
            vec![
                case("candle", layer_norm),
                case("ndarray", || {
                    let m = nx
                        .mean_axis(NdAxis(1))
                        .expect("rows")
                        .insert_axis(NdAxis(1));
                    let v = nx
                        .var_axis(NdAxis(1), 0.0)
                        .mapv(|v| 1.0 / (v + 1e-5).sqrt())
                        .insert_axis(NdAxis(1));
                    (&nx - &m) * &v
                }),
            ],
        );
        let rms_norm = || candle_nn::ops::rms_norm(&cx, &cg, 1e-5).expect("y");
        agree(
            "rms_norm",
            &x.rms_norm(&g, 1e-5).to_vec(),
            &entries(&rms_norm()),
            1e-3,
        );
        $table.row(
            "rms_norm",
            size,
            || x.rms_norm(&g, 1e-5),
            vec![case("candle", rms_norm)],
        );
    }};
}

/// Rows of several widths.
pub fn run(table: &mut Table) {
    norms!(table, 64, 256);
    norms!(table, 1024, 128);
    norms!(table, 1024, 1024);
    norms!(table, 4096, 33);
}
