//! Functions of every element, broadcasting, copies.

use crate::support::case;
use crate::table::{Table, agree, candle, entries, numbers};
use differentiable::prelude::*;
use ndarray::{Array2, Axis as NdAxis};

macro_rules! unary {
    ($table:ident, $r:literal, $c:literal: $($name:literal |$x:ident| $ours:expr, $theirs:expr, $nd:expr;)*) => {{
        let positive: Vec<f32> = numbers($r * $c, 3).iter().map(|v| v + 2.125).collect();
        let signed = numbers($r * $c, 3);
        $({
            let data = if matches!($name, "ln" | "sqrt" | "powf") { &positive } else { &signed };
            let ours = Tensor::<shape![$r, $c]>::from_slice(data).expect("x");
            let theirs = candle(data, &[$r, $c]);
            let nd = Array2::from_shape_vec(($r, $c), data.clone()).expect("x");
            let f = |$x: &Tensor![$r, $c]| $ours;
            let g = |$x: &candle_core::Tensor| $theirs.expect("y");
            let h = |v: f32| { let $x = v; $nd };
            let expected: Vec<f32> = nd.mapv(h).iter().copied().collect();
            agree($name, &f(&ours).to_vec(), &expected, 2e-5);
            agree($name, &entries(&g(&theirs)), &expected, 2e-3);
            $table.row($name, concat!(stringify!($r), "×", stringify!($c)), || f(&ours),
                vec![case("candle", || g(&theirs)), case("ndarray", || nd.mapv(h))]);
        })*
    }};
}

macro_rules! binary {
    ($table:ident, $r:literal, $c:literal: $($name:literal |$x:ident, $y:ident| $ours:expr, $theirs:expr, $nd:expr;)*) => {{
        let (a, b) = (numbers($r * $c, 4), numbers($r * $c, 5));
        let ours = [&a, &b].map(|d| Tensor::<shape![$r, $c]>::from_slice(d).expect("x"));
        let theirs = [&a, &b].map(|d| candle(d, &[$r, $c]));
        let nd = [&a, &b].map(|d| Array2::from_shape_vec(($r, $c), d.clone()).expect("x"));
        $({
            let f = || { let [$x, $y] = &ours; $ours };
            let g = || { let [$x, $y] = &theirs; $theirs.expect("z") };
            let h = || { let [$x, $y] = &nd; $nd };
            let expected: Vec<f32> = h().iter().copied().collect();
            agree($name, &f().to_vec(), &expected, 1e-6);
            agree($name, &entries(&g()), &expected, 1e-6);
            $table.row($name, concat!(stringify!($r), "×", stringify!($c)), f,
                vec![case("candle", g), case("ndarray", h)]);
        })*
    }};
}

macro_rules! all {
    ($table:ident, $r:literal, $c:literal) => {{
        binary!($table, $r, $c:
            "x + y" |x, y| x + y, x + y, x + y;
            "x * y" |x, y| x * y, x * y, x * y;
            "x / y" |x, y| x / y, x / y, x / y;
            "maximum" |x, y| x.maximum(y), x.maximum(y), ndarray::Zip::from(x).and(y).map_collect(|a, b| a.max(*b));
        );
        unary!($table, $r, $c:
            "2 x + 1" |x| x * 2.0 + 1.0, x.affine(2.0, 1.0), x * 2.0 + 1.0;
            "exp" |x| x.exp(), x.exp(), x.exp();
            "ln" |x| x.ln(), x.log(), x.ln();
            "sqrt" |x| x.sqrt(), x.sqrt(), x.sqrt();
            "sin" |x| x.sin(), x.sin(), x.sin();
            "tanh" |x| x.tanh(), x.tanh(), x.tanh();
            "sigmoid" |x| x.sigmoid(), candle_nn::ops::sigmoid(x), 1.0 / (1.0 + (-x).exp());
            "relu" |x| x.relu(), x.relu(), x.max(0.0);
            "silu" |x| x.silu(), x.silu(), x / (1.0 + (-x).exp());
            "gelu (tanh)" |x| x.gelu_tanh(), x.gelu(), gelu_tanh(x);
            "gelu (erf)" |x| x.gelu(), x.gelu_erf(), gelu(x);
            "powf" |x| x.powf(1.7), x.powf(1.7), x.powf(1.7);
            "neg" |x| -x, x.neg(), -x;
            "abs" |x| x.abs(), x.abs(), x.abs();
            "clamp" |x| x.clamp(-1.0, 1.0), x.clamp(-1f32, 1f32), x.clamp(-1.0, 1.0);
        );
        others!($table, $r, $c);
    }};
}

macro_rules! others {
    ($table:ident, $r:literal, $c:literal) => {{
        let size = concat!(stringify!($r), "×", stringify!($c));
        let (a, b) = (numbers($r * $c, 6), numbers($c, 7));
        let (x, row) = (
            Tensor::<shape![$r, $c]>::from_slice(&a).expect("x"),
            Tensor::<shape![$c]>::from_slice(&b).expect("row"),
        );
        let (cx, crow) = (candle(&a, &[$r, $c]), candle(&b, &[$c]));
        let nx = Array2::from_shape_vec(($r, $c), a.clone()).expect("x");
        let nrow = ndarray::Array1::from_vec(b.clone());
        agree(
            "row",
            &(&x + &row).to_vec(),
            &entries(&cx.broadcast_add(&crow).expect("z")),
            1e-6,
        );
        $table.row(
            "x + row",
            size,
            || &x + &row,
            vec![
                case("candle", || cx.broadcast_add(&crow).expect("z")),
                case("ndarray", || &nx + &nrow),
            ],
        );
        let copied = |x: &Tensor![$r, $c]| x.transpose::<0, 1>() * 1.0;
        agree(
            "transposed",
            &copied(&x).to_vec(),
            &entries(&cx.t().expect("t").contiguous().expect("t")),
            1e-6,
        );
        $table.row(
            "xᵀ copied",
            size,
            || copied(&x),
            vec![
                case("candle", || cx.t().expect("t").contiguous().expect("t")),
                case("ndarray", || nx.t().as_standard_layout().into_owned()),
            ],
        );
        let zero = candle(&[0.0], &[1, 1])
            .broadcast_as(($r, $c))
            .expect("zeros")
            .contiguous()
            .expect("zeros");
        let zeros = Tensor::<shape![$r, $c]>::zeros();
        $table.row(
            "select by x > 0",
            size,
            || x.gt(0.0).select(&x, &zeros),
            vec![
                case("candle", || {
                    cx.gt(0f32)
                        .expect("mask")
                        .where_cond(&cx, &zero)
                        .expect("z")
                }),
                case("ndarray", || {
                    let mask = nx.mapv(|v| v > 0.0);
                    ndarray::Zip::from(&mask)
                        .and(&nx)
                        .map_collect(|m, v| if *m { *v } else { 0.0 })
                }),
            ],
        );
        let both = (&x).concat::<1, _>(&x);
        agree(
            "concat",
            &both.to_vec(),
            &entries(&candle_core::Tensor::cat(&[&cx, &cx], 1).expect("z")),
            1e-6,
        );
        $table.row(
            "concat",
            size,
            || x.concat::<1, _>(&x),
            vec![
                case("candle", || {
                    candle_core::Tensor::cat(&[&cx, &cx], 1).expect("z")
                }),
                case("ndarray", || {
                    ndarray::concatenate(NdAxis(1), &[nx.view(), nx.view()]).expect("z")
                }),
            ],
        );
    }};
}

fn gelu_tanh(x: f32) -> f32 {
    0.5 * x * (1.0 + (0.797_884_56 * (x + 0.044_715 * x * x * x)).tanh())
}

fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + libm::erff(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// In the second-level cache, and beyond it.
pub fn run(table: &mut Table) {
    all!(table, 64, 256);
    all!(table, 1024, 1024);
}

/// Eight elements: what an operation costs beside its work.
pub fn small(table: &mut Table) {
    all!(table, 2, 4);
}
