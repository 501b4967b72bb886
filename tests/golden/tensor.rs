//! Every tensor operation against values and gradients from JAX.

use crate::ranks::{
    A0, A1, A2, A3, Golden, GoldenShape, Gradients, indices_of, tensor_of, with_shape,
};
use differentiable::prelude::*;

#[test]
fn tensor_operations_match_the_golden_values() {
    let mut golden = Golden::read();
    functions(&mut golden);
    arithmetic(&mut golden);
    products(&mut golden);
    masks(&mut golden);
    reductions(&mut golden);
    folds(&mut golden);
    orders(&mut golden);
    positions(&mut golden);
    losses(&mut golden);
    lookups(&mut golden);
    rearrangements(&mut golden);
    parts(&mut golden);
    moved(&mut golden);
    picked(&mut golden);
    by_letters(&mut golden);
    golden.finish();
}

fn functions(golden: &mut Golden) {
    unary! { golden;
        "neg": |x| -x;
        "exp": |x| x.exp();
        "exp2": |x| x.exp2();
        "exp_m1": |x| x.exp_m1();
        "ln": |x| x.ln();
        "ln_1p": |x| x.ln_1p();
        "log2": |x| x.log2();
        "log10": |x| x.log10();
        "sqrt": |x| x.sqrt();
        "cbrt": |x| x.cbrt();
        "recip": |x| x.recip();
        "sin": |x| x.sin();
        "cos": |x| x.cos();
        "tan": |x| x.tan();
        "asin": |x| x.asin();
        "acos": |x| x.acos();
        "atan": |x| x.atan();
        "sinh": |x| x.sinh();
        "cosh": |x| x.cosh();
        "tanh": |x| x.tanh();
        "asinh": |x| x.asinh();
        "acosh": |x| x.acosh();
        "atanh": |x| x.atanh();
        "abs": |x| x.abs();
        "square": |x| x.square();
        "fract": |x| x.fract();
        "floor": |x| x.floor();
        "ceil": |x| x.ceil();
        "round": |x| x.round();
        "trunc": |x| x.trunc();
        "signum": |x| x.signum();
        "to_degrees": |x| x.to_degrees();
        "to_radians": |x| x.to_radians();
        "relu": |x| x.relu();
        "sigmoid": |x| x.sigmoid();
        "gelu": |x| x.gelu();
        "gelu_tanh": |x| x.gelu_tanh();
        "silu": |x| x.silu();
        "softplus": |x| x.softplus();
        "erf": |x| x.erf();
        "erfc": |x| x.erfc();
        "lgamma": |x| x.lgamma();
        "digamma": |x| x.digamma();
        "mish": |x| x.mish();
        "hardswish": |x| x.hardswish();
        "hardsigmoid": |x| x.hardsigmoid();
        "softsign": |x| x.softsign();
        "log_sigmoid": |x| x.log_sigmoid();
        "selu": |x| x.selu();
        "elu_0.7": |x| x.elu(0.7);
        "celu_0.7": |x| x.celu(0.7);
        "leaky_relu_0.1": |x| x.leaky_relu(0.1);
        "powi_3": |x| x.powi(3);
        "powi_-2": |x| x.powi(-2);
        "powf_2.5": |x| x.powf(2.5);
        "clamp_-0.5_0.75": |x| x.clamp(-0.5, 0.75);
        "scalar_right": |x| ((x * 2.5 + 1.5) - 0.25) / 3.0;
        "scalar_left": |x| 2.0 / x - 3.0 * x;
    }
}

macro_rules! broadcasting {
    ($golden:ident; $($op:literal: |$x:ident, $y:ident| $body:expr;)+) => {$(
        check! { $golden;
            $op, ($x: [A0], $y: [A0]) -> [A0] => $body;
            $op, ($x: [A0, A1], $y: [A0, A1]) -> [A0, A1] => $body;
            $op, ($x: [A0, A1, A2], $y: [A0, A1, A2]) -> [A0, A1, A2] => $body;
            $op, ($x: [A0, A1], $y: [A1]) -> [A0, A1] => $body;
            $op, ($x: [A0, A1, A2], $y: [A1, A2]) -> [A0, A1, A2] => $body;
            $op, ($x: [A0, A1], $y: []) -> [A0, A1] => $body;
        }
    )+};
}

fn arithmetic(golden: &mut Golden) {
    broadcasting! { golden;
        "add": |x, y| x + y;
        "sub": |x, y| x - y;
        "mul": |x, y| x * y;
        "div": |x, y| x / y;
        "maximum": |x, y| x.maximum(y);
        "minimum": |x, y| x.minimum(y);
    }
}

fn products(golden: &mut Golden) {
    check! { golden;
        "matmul", (a: [A0, A1], b: [A1, A2]) -> [A0, A2] => a.matmul(b);
        "matmul", (a: [A0, A1], b: [A1]) -> [A0] => a.matmul(b);
        "matmul", (a: [A0], b: [A0, A1]) -> [A1] => a.matmul(b);
        "matmul", (a: [A0, A1, A2], b: [A0, A2, A3]) -> [A0, A1, A3] => a.matmul(b);
        "matmul", (a: [A0, A1, A2], b: [A2, A3]) -> [A0, A1, A3] => a.matmul(b);
    }
}

macro_rules! same_shapes {
    ($golden:ident; $($op:literal: |$x:ident, $y:ident| $body:expr;)+) => {$(
        check! { $golden;
            $op, ($x: [A0], $y: [A0]) -> [A0] => $body;
            $op, ($x: [A0, A1], $y: [A0, A1]) -> [A0, A1] => $body;
            $op, ($x: [A0, A1, A2], $y: [A0, A1, A2]) -> [A0, A1, A2] => $body;
        }
    )+};
}

fn masks(golden: &mut Golden) {
    same_shapes! { golden;
        "select": |x, y| x.gt(y).select(&(x * y), &y.sin());
        "masked_fill": |x, y| x.masked_fill(&x.le(y), 0.5) * y;
    }
}

macro_rules! reductions {
    ($golden:ident; $($all:ident $axis:ident $keep:ident;)+) => {$(
        check! { $golden;
            stringify!($all), (x: [A0, A1]) -> [] => x.$all();
            stringify!($all), (x: [A0, A1, A2]) -> [] => x.$all();
            concat!(stringify!($axis), "_0"), (x: [A0, A1]) -> [A1] => x.$axis::<0>();
            concat!(stringify!($axis), "_1"), (x: [A0, A1]) -> [A0] => x.$axis::<-1>();
            concat!(stringify!($axis), "_0"), (x: [A0, A1, A2]) -> [A1, A2] => x.$axis::<0>();
            concat!(stringify!($axis), "_1"), (x: [A0, A1, A2]) -> [A0, A2] => x.$axis::<1>();
            concat!(stringify!($axis), "_2"), (x: [A0, A1, A2]) -> [A0, A1] => x.$axis::<2>();
            concat!(stringify!($keep), "_0"), (x: [A0, A1]) -> [1, A1] => x.$keep::<0>();
            concat!(stringify!($keep), "_1"), (x: [A0, A1]) -> [A0, 1] => x.$keep::<-1>();
            concat!(stringify!($keep), "_0"), (x: [A0, A1, A2]) -> [1, A1, A2] => x.$keep::<0>();
            concat!(stringify!($keep), "_1"), (x: [A0, A1, A2]) -> [A0, 1, A2] => x.$keep::<1>();
            concat!(stringify!($keep), "_2"), (x: [A0, A1, A2]) -> [A0, A1, 1] => x.$keep::<2>();
        }
    )+};
}

fn reductions(golden: &mut Golden) {
    reductions! { golden;
        sum sum_axis sum_axis_keepdim;
        mean mean_axis mean_axis_keepdim;
        max max_axis max_axis_keepdim;
        min min_axis min_axis_keepdim;
        prod prod_axis prod_axis_keepdim;
        norm norm_axis norm_axis_keepdim;
        norm_l1 norm_l1_axis norm_l1_axis_keepdim;
        logsumexp logsumexp_axis logsumexp_axis_keepdim;
    }
}

macro_rules! several_axes {
    ($golden:ident; $($axes:ident $keep:ident;)+) => {$(
        check! { $golden;
            concat!(stringify!($axes), "_0_2"), (x: [A0, A1, A2]) -> [A1] => x.$axes::<Axes2<0, 2>>();
            concat!(stringify!($keep), "_1_2"), (x: [A0, A1, A2]) -> [A0, 1, 1] => x.$keep::<Axes2<-2, -1>>();
        }
    )+};
}

fn folds(golden: &mut Golden) {
    several_axes! { golden;
        sum_axes sum_axes_keepdim;
        mean_axes mean_axes_keepdim;
        max_axes max_axes_keepdim;
        min_axes min_axes_keepdim;
    }
    check! { golden;
        "var_0", (x: [A0, A1]) -> [] => x.var(0);
        "var_0", (x: [A0, A1, A2]) -> [] => x.var(0);
        "std_1", (x: [A0, A1]) -> [] => x.std(1);
        "std_1", (x: [A0, A1, A2]) -> [] => x.std(1);
        "var_axis_0_1", (x: [A0, A1]) -> [A1] => x.var_axis::<0>(1);
        "var_axis_0_1", (x: [A0, A1, A2]) -> [A1, A2] => x.var_axis::<0>(1);
        "std_axis_1_0", (x: [A0, A1]) -> [A0] => x.std_axis::<1>(0);
        "std_axis_1_0", (x: [A0, A1, A2]) -> [A0, A2] => x.std_axis::<1>(0);
        "std_axis_keepdim_1_1", (x: [A0, A1]) -> [A0, 1] => x.std_axis_keepdim::<1>(1);
        "std_axis_keepdim_1_1", (x: [A0, A1, A2]) -> [A0, 1, A2] => x.std_axis_keepdim::<1>(1);
        "norm_p", (x: [A0, A1]) -> [] => x.norm_p(2.5);
        "norm_p", (x: [A0, A1, A2]) -> [] => x.norm_p(2.5);
        "norm_p_axis_1", (x: [A0, A1]) -> [A0] => x.norm_p_axis::<1>(2.5);
        "norm_p_axis_1", (x: [A0, A1, A2]) -> [A0, A2] => x.norm_p_axis::<1>(2.5);
        "cumsum_0", (x: [A0, A1]) -> [A0, A1] => x.cumsum::<0>();
        "cumsum_0", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.cumsum::<0>();
        "cumsum_1", (x: [A0, A1]) -> [A0, A1] => x.cumsum::<1>();
        "cumsum_1", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.cumsum::<1>();
        "cumprod_0", (x: [A0, A1]) -> [A0, A1] => x.cumprod::<0>();
        "cumprod_0", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.cumprod::<0>();
        "cumprod_1", (x: [A0, A1]) -> [A0, A1] => x.cumprod::<1>();
        "cumprod_1", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.cumprod::<1>();
    }
}

fn orders(golden: &mut Golden) {
    check! { golden;
        "sort_0", (x: [A0, A1]) -> [A0, A1] => x.sort::<0>();
        "sort_0", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.sort::<0>();
        "sort_1", (x: [A0, A1]) -> [A0, A1] => x.sort::<1>();
        "sort_1", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.sort::<-2>();
        "sort_descending_1", (x: [A0, A1]) -> [A0, A1] => x.sort_descending::<1>();
        "sort_descending_1", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.sort_descending::<1>();
        "topk", (x: [A0, A1]) -> [A0, 1] => x.topk::<-1, 1>().0;
        "topk", (x: [A0, A1, A2]) -> [A0, A1, 1] => x.topk::<-1, 1>().0;
        "topk_3", (x: [A0]) -> [3] => x.topk::<0, 3>().0;
        "topk_3", (x: [A0, A1]) -> [A0, 3] => {
            let (values, _) = x.topk::<1, 3>();
            values
        };
    }
    discrete! { golden;
        "argsort_0": [A0, A1] |x| x.argsort::<0>();
        "argsort_1": [A0, A1] |x| x.argsort::<1>();
        "argsort_0": [A0, A1, A2] |x| x.argsort::<0>();
        "argsort_1": [A0, A1, A2] |x| x.argsort::<1>();
    }
}

fn positions(golden: &mut Golden) {
    discrete! { golden;
        "argmax_0": [A0, A1] |x| x.argmax::<0>();
        "argmin_0": [A0, A1] |x| x.argmin::<0>();
        "argmax_1": [A0, A1] |x| x.argmax::<1>();
        "argmin_1": [A0, A1] |x| x.argmin::<1>();
        "argmax_0": [A0, A1, A2] |x| x.argmax::<0>();
        "argmin_0": [A0, A1, A2] |x| x.argmin::<0>();
        "argmax_1": [A0, A1, A2] |x| x.argmax::<1>();
        "argmin_1": [A0, A1, A2] |x| x.argmin::<1>();
        "argmax_2": [A0, A1, A2] |x| x.argmax::<2>();
        "argmin_2": [A0, A1, A2] |x| x.argmin::<2>();
    }
}

fn losses(golden: &mut Golden) {
    check! { golden;
        "softmax", (x: [A0, A1]) -> [A0, A1] => x.softmax::<-1>();
        "softmax", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.softmax::<-1>();
        "softmax_axis_0", (x: [A0, A1]) -> [A0, A1] => x.softmax::<0>();
        "log_softmax", (x: [A0, A1]) -> [A0, A1] => x.log_softmax::<-1>();
        "log_softmax", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.log_softmax::<-1>();
        "log_softmax_axis_0", (x: [A0, A1]) -> [A0, A1] => x.log_softmax::<0>();
        "cross_entropy", (x: [A0, 1]; y: [A0]) -> [] => x.cross_entropy(y);
        "cross_entropy", (x: [A0, 5]; y: [A0]) -> [] => x.cross_entropy(y);
        "cross_entropy", (x: [A0, 13]; y: [A0]) -> [] => x.cross_entropy(y);
        "mse", (x: [A0], y: [A0]) -> [] => x.mse_loss(y);
        "mse", (x: [A0, A1], y: [A0, A1]) -> [] => x.mse_loss(y);
        "mse", (x: [A0, A1, A2], y: [A0, A1, A2]) -> [] => x.mse_loss(y);
    }
}

fn lookups(golden: &mut Golden) {
    check! { golden;
        "embedding", (table: [A0, A1]; i: [A2]) -> [A2, A1] => table.embedding(i);
        "gather_1", (x: [A0, A1]; i: [A0, A2]) -> [A0, A2] => x.gather::<1, _, _>(i);
    }
}

fn rearrangements(golden: &mut Golden) {
    check! { golden;
        "transpose", (x: [A0, A1]) -> [A1, A0] => x.transpose::<-1, -2>();
        "permute_2_0_1", (x: [A0, A1, A2]) -> [A2, A0, A1] => x.permute::<2, 0, 1>();
        "permute_1_0_2", (x: [A0, A1, A2]) -> [A1, A0, A2] => x.permute::<1, 0, 2>();
        "reshape", (x: [1]) -> [1, 1] => x.reshape::<shape![1, 1]>();
        "reshape", (x: [3, 4]) -> [2, 6] => x.reshape::<shape![2, 6]>();
        "reshape", (x: [2, 3, 5]) -> [5, 6] => x.reshape::<shape![5, 6]>();
        "flatten", (x: [1, 1, 1]) -> [1, 1] => x.flatten();
        "flatten", (x: [2, 3, 5]) -> [2, 15] => x.flatten();
        "flatten", (x: [3, 7, 1]) -> [3, 7] => x.flatten();
        "split_last", (x: [1, 1]) -> [1, 1, 1] => x.split_last::<1>();
        "split_last", (x: [3, 6]) -> [3, 2, 3] => x.split_last::<2>();
        "split_last", (x: [2, 3, 15]) -> [2, 3, 5, 3] => x.split_last::<5>();
        "merge_last", (x: [A0, 1, 1]) -> [A0, 1] => x.merge_last();
        "merge_last", (x: [A0, 2, 3]) -> [A0, 6] => x.merge_last();
        "merge_last", (x: [2, 3, 5, 3]) -> [2, 3, 15] => x.merge_last();
        "unsqueeze_0", (x: [A0]) -> [1, A0] => x.unsqueeze::<0>();
        "unsqueeze_0", (x: [A0, A1]) -> [1, A0, A1] => x.unsqueeze::<0>();
        "squeeze_0", (x: [1, A0]) -> [A0] => x.squeeze::<0>();
        "squeeze_0", (x: [1, A0, A1]) -> [A0, A1] => x.squeeze::<0>();
        "expand_0", (x: [1, 1]) -> [1, 1] => x.expand::<0, _>(Sz::<1>);
        "expand_0", (x: [1, 5]) -> [3, 5] => x.expand::<0, _>(Sz::<3>);
        "expand_0", (x: [1, 7]) -> [9, 7] => x.expand::<0, _>(Sz::<9>);
    }
}

fn parts(golden: &mut Golden) {
    check! { golden;
        "concat_0", (a: [1, 1], b: [1, 1]) -> [2, 1] => a.concat::<0, _>(b);
        "concat_0", (a: [2, 3], b: [5, 3]) -> [7, 3] => a.concat::<0, _>(b);
        "concat_1", (a: [3, 5], b: [3, 1]) -> [3, 6] => a.concat::<1, _>(b);
        "concat_1", (a: [2, 3, 5], b: [2, 4, 5]) -> [2, 7, 5] => a.concat::<1, _>(b);
        "split_at_2", (x: [1, 3]) -> [] => {
            let (a, b) = x.split_at::<1, 2>();
            a.sum() * 3.0 + (&b * &b).sum()
        };
        "split_at_2", (x: [3, 5]) -> [] => {
            let (a, b) = x.split_at::<1, 2>();
            a.sum() * 3.0 + (&b * &b).sum()
        };
        "split_at_2", (x: [2, 7]) -> [] => {
            let (a, b) = x.split_at::<1, 2>();
            a.sum() * 3.0 + (&b * &b).sum()
        };
        "chunk_3", (x: [1, 3]) -> [1, 1] => {
            let part = x.chunk::<1, 3>();
            &part[0] * &part[1] + &part[2]
        };
        "chunk_3", (x: [3, 9]) -> [3, 3] => {
            let part = x.chunk::<1, 3>();
            &part[0] * &part[1] + &part[2]
        };
        "chunk_3", (x: [5, 21]) -> [5, 7] => {
            let part = x.chunk::<1, 3>();
            &part[0] * &part[1] + &part[2]
        };
        "slice_1_to_3", (x: [1, 3]) -> [1, 2] => x.slice::<1, 1, 2>();
        "slice_1_to_3", (x: [3, 5]) -> [3, 2] => x.slice::<1, 1, 2>();
        "slice_1_to_3", (x: [7, 9]) -> [7, 2] => x.slice::<1, 1, 2>();
        "narrow_1_to_3", (x: [A0, A1]) -> [A0, 2] => x.narrow::<1, _>(1, Sz::<2>);
    }
}

fn moved(golden: &mut Golden) {
    check! { golden;
        "flip_1", (x: [A0, A1]) -> [A0, A1] => x.flip::<1>();
        "flip_0", (x: [A0, A1]) -> [A0, A1] => x.flip::<0>();
        "roll_1_by_3", (x: [A0, A1]) -> [A0, A1] => x.roll::<1>(3);
        "roll_0_by_-2", (x: [A0, A1]) -> [A0, A1] => x.roll::<0>(-2);
        "tril_1", (x: [A0, A1]) -> [A0, A1] => x.tril(1);
        "triu_-1", (x: [A0, A1]) -> [A0, A1] => x.triu(-1);
        "tril_0", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.tril(0);
        "triu_0", (x: [A0, A1, A2]) -> [A0, A1, A2] => x.triu(0);
        "slice_step_1_7_2", (x: [A0, A1]) -> [A0, 3] => x.slice_step::<1, 1, 7, 2>();
        "slice_step_0_7_3", (x: [A0, A1]) -> [A0, 3] => x.slice_step::<1, 0, 7, 3>();
        "repeat_1_3", (x: [1, 1]) -> [1, 3] => x.repeat::<1, 3>();
        "repeat_1_3", (x: [3, 5]) -> [3, 15] => x.repeat::<1, 3>();
        "repeat_1_3", (x: [2, 7]) -> [2, 21] => x.repeat::<1, 3>();
        "repeat_0_2", (x: [1, A0]) -> [2, A0] => x.repeat::<0, 2>();
        "repeat_0_2", (x: [3, A0]) -> [6, A0] => x.repeat::<0, 2>();
        "repeat_0_2", (x: [2, A0]) -> [4, A0] => x.repeat::<0, 2>();
        "repeat_interleave_1_3", (x: [1, 1]) -> [1, 3] => x.repeat_interleave::<1, 3>();
        "repeat_interleave_1_3", (x: [3, 5]) -> [3, 15] => x.repeat_interleave::<1, 3>();
        "repeat_interleave_1_3", (x: [2, 7]) -> [2, 21] => x.repeat_interleave::<1, 3>();
        "diag", (x: [A0]) -> [A0, A0] => x.diag();
        "diagonal", (x: [A0, A0]) -> [A0] => x.diagonal();
        "pad_1_2", (x: [A0, 4], v: []) -> [A0, 7] => x.pad::<1, 1, 2>(v.item());
        "pad_1_2", (x: [A0, 5], v: []) -> [A0, 8] => x.pad::<1, 1, 2>(v.item());
        "pad_1_2", (x: [A0, 9], v: []) -> [A0, 12] => x.pad::<1, 1, 2>(v.item());
        "pad_reflect_3_2", (x: [A0, 4]) -> [A0, 9] => x.pad_reflect::<1, 3, 2>();
        "pad_reflect_3_2", (x: [A0, 5]) -> [A0, 10] => x.pad_reflect::<1, 3, 2>();
        "pad_reflect_3_2", (x: [A0, 9]) -> [A0, 14] => x.pad_reflect::<1, 3, 2>();
        "pad_replicate_3_2", (x: [A0, 4]) -> [A0, 9] => x.pad_replicate::<1, 3, 2>();
        "pad_replicate_3_2", (x: [A0, 5]) -> [A0, 10] => x.pad_replicate::<1, 3, 2>();
        "pad_replicate_3_2", (x: [A0, 9]) -> [A0, 14] => x.pad_replicate::<1, 3, 2>();
        "split_2_1_3", (x: [A0, 6]) -> [A0, 2] => {
            let (a, b, c) = x.split::<1, shape![2, 1, 3]>();
            a * b.squeeze::<1>().unsqueeze::<1>().expand::<1, _>(Sz::<2>) + c.slice::<1, 1, 2>()
        };
        "concat_all_0", (a: [1, A1], b: [1, A1]) -> [3, A1] =>
            Tensor::concat_all::<0, 3>(&[a.clone(), b.clone(), a * b]);
        "concat_all_0", (a: [3, A1], b: [3, A1]) -> [9, A1] =>
            Tensor::concat_all::<0, 3>(&[a.clone(), b.clone(), a * b]);
        "concat_all_0", (a: [2, A1], b: [2, A1]) -> [6, A1] =>
            Tensor::concat_all::<0, 3>(&[a.clone(), b.clone(), a * b]);
        "meshgrid", (a: [A0], b: [A1]) -> [A0, A1] => {
            let (x, y) = a.meshgrid(&b.square());
            x * y
        };
    }
}

fn picked(golden: &mut Golden) {
    check! { golden;
        "one_hot", (t: [1, A1]; i: [A0]) -> [A0, A1] => i.one_hot::<1, f64>().matmul(t);
        "one_hot", (t: [3, A1]; i: [A0]) -> [A0, A1] => i.one_hot::<3, f64>().matmul(t);
        "one_hot", (t: [7, A1]; i: [A0]) -> [A0, A1] => i.one_hot::<7, f64>().matmul(t);
        "index_select_1", (x: [A0, A1]; i: [A2]) -> [A0, A2] => x.index_select::<1, _, _>(i);
        "index_select_0", (x: [A0, A1]; i: [A2]) -> [A2, A1] => x.index_select::<0, _, _>(i);
        "scatter_add_1", (x: [A0, A1], s: [A0, A2]; i: [A0, A2]) -> [A0, A1] => x.scatter_add::<1, _, _>(i, s);
        "scatter_1", (x: [A0, A1], s: [A0, A2]; i: [A0, A2]) -> [A0, A1] => x.scatter::<1, _, _>(i, s);
    }
}

fn by_letters(golden: &mut Golden) {
    check! { golden;
        "dot", (a: [A0], b: [A0]) -> [] => a.dot(b);
        "outer", (a: [A0], b: [A1]) -> [A0, A1] => a.outer(b);
        "ijk->kj", (x: [A0, A1, A2]) -> [A2, A1] => einsum!("ijk->kj", x);
        "ii->i", (x: [A0, A0]) -> [A0] => einsum!("ii->i", x);
        "bij,bkj->bik", (x: [A0, A1, A2], y: [A0, A3, A2]) -> [A0, A1, A3] => einsum!("bij,bkj->bik", x, y);
        "ij,jk->ki", (x: [A0, A1], y: [A1, A2]) -> [A2, A0] => einsum!("ij,jk->ki", x, y);
        "ij,ij->i", (x: [A0, A1], y: [A0, A1]) -> [A0] => einsum!("ij,ij->i", x, y);
        "bi,ijk,bk->bj", (x: [A0, A1], w: [A1, A2, A3], y: [A0, A3]) -> [A0, A2] =>
            einsum!("bi,ijk,bk->bj", x, w, y);
    }
}
