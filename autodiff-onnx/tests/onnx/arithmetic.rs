//! Functions of elements, products, reductions.

use crate::harness::{Cases, wave};
use differentiable::device::{BinaryOp, Device as Machine, Side, UnaryOp};
use differentiable::prelude::*;
use differentiable::tensor::Raw;

type Row = Tensor![24];

/// Every function with its pullback, of the numbers of its domain.
fn functions(cases: &mut Cases) {
    macro_rules! each {
        ($($name:ident: $low:literal $high:literal;)*) => { $({
            #[differentiable]
            fn apply(x: &Tensor![24]) -> Tensor![24] {
                x.$name()
            }
            let x: Row = Tensor::from_fn(|i| $low + ($high - $low) * (i as f32 + 0.37) / 24.0);
            cases.run(concat!("function_", stringify!($name)), |io| {
                let x = io.input("x", &x);
                io.output("alone", &x.$name());
                io.output("fused", &apply(&x));
                let pulled = apply::vjp(&x).1(&x * 0.5);
                io.output("slope", &pulled);
            });
        })* };
    }
    each! {
        exp: -3.0 3.0; exp2: -3.0 3.0; exp_m1: -3.0 3.0; ln: 0.1 9.0; ln_1p: -0.9 9.0; log2: 0.1 9.0; log10: 0.1 9.0; sqrt: 0.1 9.0;
        cbrt: 0.1 9.0; recip: 0.2 5.0; sin: -9.0 9.0; cos: -9.0 9.0; tan: -1.4 1.4; asin: -0.9 0.9; acos: -0.9 0.9; atan: -5.0 5.0;
        sinh: -3.0 3.0; cosh: -3.0 3.0; tanh: -3.0 3.0; asinh: -5.0 5.0; acosh: 1.1 9.0; atanh: -0.9 0.9; abs: -5.0 5.0;
        square: -3.0 3.0; rsqrt: 0.2 9.0; fract: -3.0 3.0; floor: -3.0 3.0; ceil: -3.0 3.0; round: -3.5 3.5; trunc: -3.0 3.0;
        signum: -3.0 3.0; sign: -3.0 3.0; to_degrees: -3.0 3.0; erf: -3.0 3.0; erfc: -3.0 2.0;
        sigmoid: -6.0 6.0; relu: -5.0 5.0; gelu: -5.0 5.0; silu: -6.0 6.0; softplus: -6.0 6.0; gelu_tanh: -5.0 5.0; mish: -5.0 5.0;
        hardswish: -5.0 5.0; hardsigmoid: -5.0 5.0; softsign: -5.0 5.0; log_sigmoid: -6.0 6.0; selu: -5.0 5.0;
    }
    cases.run("functions_with_numbers", |io| {
        let x = io.input("x", &Row::from_fn(wave));
        let y = x.abs() + 0.2;
        for (k, z) in [
            x.elu(0.7),
            x.celu(0.7),
            x.leaky_relu(0.1),
            x.powi(3),
            x.powi(-2),
            y.powf(2.5),
            x.clamp(-0.5, 0.75),
            x.clamp_min(0.1),
            2.0 / &x - 3.0 * &x,
            -&x,
            x.lerp(&y, 0.3),
            x.atan2(&y.sin()),
            x.hypot(&y),
            x.pow(&y.ceil()),
            y.pow(&x),
            x.maximum(&y.sin()),
            x.minimum(&y.sin()),
            x.masked_fill(&x.gt(0.5), 9.0),
        ]
        .iter()
        .enumerate()
        {
            io.output(&format!("y{k}"), z);
        }
    });
}

/// The operations of the device that tensors fuse or do not call: both sides of each pullback, in place and added.
fn by_hand(cases: &mut Cases) {
    cases.run("pullbacks", |io| {
        let a = io.input("a", &Row::from_fn(|i| 0.5 + wave(i).abs()));
        let b = io.input("b", &Row::from_fn(|i| 0.3 + wave(i + 5).abs()));
        let c = io.input("c", &Row::from_fn(|i| wave(i + 9)));
        let (ra, rb, rc): (&Raw<f32, Machine>, _, _) = (a.raw(), b.raw(), c.raw());
        use BinaryOp::*;
        for op in [Add, Sub, Mul, Div, Powf, Atan2, Hypot, Rem, Max, Min] {
            for side in [Side::Left, Side::Right] {
                let pulled = Raw::binary_pullback(op, side, ra, rb, rc.clone());
                io.output(
                    &format!("{op:?}_{side:?}"),
                    &Row::new(Default::default(), pulled),
                );
            }
            let mut sum = rc.copied();
            Raw::binary_into(op, ra, rb, &mut sum);
            io.output(&format!("{op:?}"), &Row::new(Default::default(), sum));
        }
        for op in [
            UnaryOp::Celu(0.5),
            UnaryOp::Elu(0.5),
            UnaryOp::Affine(2.0, 1.0),
            UnaryOp::Powi(4),
            UnaryOp::Powf(1.5),
            UnaryOp::LeakyRelu(0.2),
            UnaryOp::Clamp(0.4, 0.9),
        ] {
            io.output(
                &format!("{op:?}"),
                &Row::new(Default::default(), Raw::unary_pullback(op, ra, rc.clone())),
            );
        }
        io.output(
            "by_alpha",
            &Row::new(
                Default::default(),
                rc.clone().unary(UnaryOp::CeluByAlpha(0.7)),
            ),
        );
    });
}

fn products(cases: &mut Cases) {
    let a: Tensor![5, 7] = Tensor::from_fn(wave);
    let b: Tensor![7, 4] = Tensor::from_fn(|i| wave(i + 3));
    let model = cases.run("gemm", |io| {
        let (a, b) = (io.input("a", &a), io.variable("b", &b));
        let bias = io.variable("bias", &Tensor::<shape![4]>::from_fn(wave));
        io.output("y", &(a.matmul(&b) + &bias));
    });
    cases.expect("gemm", &model, |all| all == ["Gemm"]);
    let model = cases.run("gemm_transposed", |io| {
        let (a, b) = (io.input("a", &a.t()), io.input("b", &b.t()));
        io.output("y", &a.t().matmul(&b.t()));
    });
    cases.expect("gemm", &model, |all| all == ["Gemm"]);
    let x: Tensor![3, 5, 7] = Tensor::from_fn(wave);
    let model = cases.run("matmul_batched", |io| {
        let (x, b) = (io.input("x", &x), io.input("b", &b));
        io.output("y", &x.matmul(&b));
        let squares = x.matmul(&x.transpose::<1, 2>());
        io.output("z", &squares);
        io.output("v", &b.matmul(&Tensor::<shape![4]>::from_fn(wave)));
    });
    cases.expect("matmul_batched", &model, |all| !all.contains(&"Expand"));
    cases.run("einsum", |io| {
        let (x, b) = (io.input("x", &x), io.input("b", &b));
        io.output("y", &einsum!("bij,jk->bki", &x, &b));
        io.output("z", &einsum!("bij,bkj->bik", &x, &x));
    });
    cases.run("products_f64", |io| {
        let a = io.input("a", &a.cast::<f64>());
        let b = io.input("b", &b.cast::<f64>());
        io.output("y", &(a.matmul(&b) * 0.1).tanh());
        io.output("softmax", &a.softmax::<1>());
        io.output("narrow", &a.cast::<f32>());
    });
    cases.run("mixed", |io| {
        let a = io.input("a", &a.cast::<Mixed<bf16>>());
        let b = io.input("b", &b.cast::<Mixed<bf16>>());
        io.output("y", &a.matmul(&b).relu());
    });
    cases.loose("mixed");
}

fn reductions(cases: &mut Cases) {
    let x: Tensor![4, 3, 5] = Tensor::from_fn(wave);
    cases.run("reductions", |io| {
        let x = io.input("x", &x);
        macro_rules! each {
            ($($all:ident $axis:ident $keep:ident;)*) => { $(
                io.output(stringify!($all), &x.$all());
                io.output(concat!(stringify!($axis), "_0"), &x.$axis::<0>());
                io.output(concat!(stringify!($axis), "_1"), &x.$axis::<1>());
                io.output(concat!(stringify!($keep), "_2"), &x.$keep::<2>());
            )* };
        }
        each! {
            sum sum_axis sum_axis_keepdim; mean mean_axis mean_axis_keepdim; max max_axis max_axis_keepdim;
            min min_axis min_axis_keepdim; prod prod_axis prod_axis_keepdim; norm norm_axis norm_axis_keepdim;
            norm_l1 norm_l1_axis norm_l1_axis_keepdim; logsumexp logsumexp_axis logsumexp_axis_keepdim;
        }
        io.output("var", &x.var(1));
        io.output("std", &x.std_axis::<1>(0));
        io.output("norm_p", &x.norm_p_axis::<1>(2.5));
        io.output("sums", &x.sum_axes::<Axes2<0, 2>>());
        io.output("cumsum", &x.cumsum::<1>());
        io.output("cumprod", &x.cumprod::<2>());
        io.output("softmax_0", &x.softmax::<0>());
        io.output("softmax_2", &x.softmax::<2>());
        io.output("log_softmax_1", &x.log_softmax::<1>());
    });
    cases.run("orders", |io| {
        let x = io.input("x", &x);
        io.output("sort", &x.sort::<1>());
        io.output("descending", &x.sort_descending::<2>());
        io.output("argsort", &x.argsort::<0>());
        let (values, places) = x.topk::<2, 3>();
        io.output("values", &values);
        io.output("places", &places);
        io.output("argmax", &x.argmax::<1>());
        io.output("argmin", &x.argmin::<2>());
        io.output("median", &x.median_axis::<2>());
        io.output("ties", &x.round().argsort::<2>());
    });
    cases.run("masks", |io| {
        let x = io.input("x", &x);
        let y = io.input("y", &x.flip::<0>().round());
        let (a, b) = (x.gt(&y), x.le(0.3));
        io.output("gt", &a);
        io.output("ge", &x.ge(&y));
        io.output("eq", &y.eq(1.0));
        io.output("ne", &y.ne(1.0));
        io.output("and", &a.logical_and(&b));
        io.output("or", &a.logical_or(&b));
        io.output("xor", &a.logical_xor(&b));
        io.output("not", &a.logical_not());
        io.output("count", &a.count_axis::<1>());
        io.output("all", &a.count());
        io.output("any", &a.any_axis::<2>());
        io.output("every", &b.all_axis::<0>());
        io.output("select", &a.select(&x, &y));
        io.output("nan", &(&x / &y).is_nan());
        io.output("finite", &(&x / &y).is_finite());
        io.output("cast", &a.cast::<f32>());
    });
    cases.run("integers", |io| {
        let n = io.input(
            "n",
            &Tensor::<shape![3, 4], i64>::from_fn(|i| i as i64 * 7 % 11 - 5),
        );
        let m = io.input(
            "m",
            &Tensor::<shape![3, 4], i64>::from_fn(|i| i as i64 % 4 + 1),
        );
        let u = io.input(
            "u",
            &Tensor::<shape![3, 4], u8>::from_fn(|i| (i * 40 % 256) as u8),
        );
        for (k, z) in [
            &n + &m,
            &n - &m,
            &n * &m,
            &n / &m,
            &n % &m,
            n.maximum(&m),
            n.minimum(&m),
        ]
        .iter()
        .enumerate()
        {
            io.output(&format!("y{k}"), z);
        }
        io.output("wrapped", &(&u + &u));
        io.output("sum", &n.sum_axis::<1>());
        io.output("max", &n.max_axis::<0>());
        io.output("less", &n.lt(&m));
        io.output("bytes", &u.gt(100));
        io.output("float", &n.cast::<f32>());
        io.output("back", &(n.cast::<f32>() * 0.4).cast::<i64>());
        io.output("half", &n.cast::<f16>());
        io.output("u32", &m.cast::<u32>());
    });
}

pub fn cases(cases: &mut Cases) {
    functions(cases);
    by_hand(cases);
    products(cases);
    reductions(cases);
}
