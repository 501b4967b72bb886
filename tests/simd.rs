//! Every level of vector instructions gives the same bits: elementwise kernels, reductions, rows, networks
//! and optimisers, in `f32` and `f64`, in lengths that fill no register, one, and many. The elementary
//! functions are swept more densely in `tests/accuracy.rs`.

use differentiable::device::{
    AdamStep, BinaryOp, Cpu, Decay, FoldOp, ReduceOp, ScanOp, SgdStep, Side, SoftmaxOp, UnaryOp,
};
use differentiable::kernel::simd::{Level, level};
use differentiable::prelude::*;
use differentiable::tensor::raw::Raw;
use levels::at_each_level;
use std::process::Command;

#[path = "fusion/levels.rs"]
mod levels;

/// Results with names, as bits; all NaN are one.
type Results = Vec<(String, Vec<u64>)>;

fn bits<T: Float, D: Backend>(x: &Raw<T, D>) -> Vec<u64> {
    let bits = |x: &T| if x.is_nan() { !0 } else { x.to_f64().to_bits() };
    x.to_vec().iter().map(bits).collect()
}

/// The same results at every level that this processor has.
fn same_everywhere(f: impl Fn() -> Results) {
    let mut all = at_each_level(f);
    let (_, base) = all.remove(0);
    for (level, found) in all {
        assert_eq!(base.len(), found.len());
        for ((name, a), (_, b)) in base.iter().zip(&found) {
            let differs = a.iter().zip(b).position(|(a, b)| a != b);
            assert_eq!(differs, None, "{name} differs at level {}", level.name());
        }
    }
}

/// Numbers between −3 and 3; every eleventh is one that needs care.
fn numbers<T: Float>(n: usize, seed: u64) -> Vec<T> {
    let special = [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e-40,
        -1e-310,
        3e38,
        -3e38,
        1e7,
        88.0,
    ];
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let next = |i: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        match i % 11 {
            7 => special[i / 11 % 11],
            _ => (state >> 11) as f64 / (1u64 << 53) as f64 * 6.0 - 3.0,
        }
    };
    (0..n).map(next).map(T::lit).collect()
}

/// Without those.
fn tame<T: Float>(n: usize, seed: u64) -> Vec<T> {
    let small = |x: T| if x.abs() <= T::lit(3.0) { x } else { T::ONE };
    numbers(n, seed).into_iter().map(small).collect()
}

fn dense<T: Float>(sizes: &[usize], x: Vec<T>) -> Raw<T, Cpu> {
    Raw::from_slice(&Cpu, sizes, &x)
}

const UNARY: [UnaryOp; 58] = {
    use UnaryOp::*;
    [
        Neg,
        Exp,
        Exp2,
        ExpM1,
        Sqrt,
        Cbrt,
        Tan,
        Tanh,
        Recip,
        Rsqrt,
        Sigmoid,
        Relu,
        Ln,
        Log2,
        Log10,
        Ln1p,
        Sin,
        Cos,
        Sinh,
        Cosh,
        Asin,
        Acos,
        Atan,
        Asinh,
        Acosh,
        Atanh,
        Abs,
        Fract,
        Gelu,
        GeluTanh,
        Silu,
        Softplus,
        Floor,
        Ceil,
        Round,
        Trunc,
        Signum,
        Sign,
        Square,
        Erf,
        Erfc,
        Lgamma,
        Digamma,
        Mish,
        Hardswish,
        Hardsigmoid,
        Softsign,
        LogSigmoid,
        Selu,
        Elu(0.7),
        Celu(1.3),
        LeakyRelu(0.01),
        Powi(-3),
        Powi(2),
        Powf(1.7),
        Affine(0.3, 0.1),
        Clamp(-1.0, 0.5),
        Clamp(0.0, f64::INFINITY),
    ]
};
const BINARY: [BinaryOp; 10] = {
    use BinaryOp::*;
    [Add, Sub, Mul, Div, Powf, Atan2, Hypot, Rem, Max, Min]
};

fn elementwise<T: Float>(n: usize) -> Results {
    let (x, y) = (dense::<T>(&[n], numbers(n, 1)), dense(&[n], numbers(n, 2)));
    let one = dense(&[1], tame(1, 3)).expand([n]);
    let mut out = Results::new();
    for op in UNARY {
        out.push((format!("{op:?} of {n}"), bits(&x.clone().unary(op))));
        let pull = Raw::unary_pullback(op, &x, y.clone());
        out.push((format!("the pullback of {op:?} of {n}"), bits(&pull)));
    }
    for op in BINARY {
        for (how, b) in [("", &y), (" and a scalar", &one)] {
            let value = Raw::binary_ref(op, &x, b);
            out.push((format!("{op:?} of {n}{how}"), bits(&value)));
            for side in [Side::Left, Side::Right] {
                let pull = Raw::binary_pullback(op, side, &x, b, y.clone());
                out.push((
                    format!("the pullback of {op:?} of {n}{how}, {side:?}"),
                    bits(&pull),
                ));
            }
        }
    }
    out
}

#[test]
fn elementwise_kernels() {
    for n in [1, 3, 31, 1000] {
        same_everywhere(|| elementwise::<f32>(n));
        same_everywhere(|| elementwise::<f64>(n));
    }
}

fn reductions<T: Float>(rows: usize, columns: usize, x: Vec<T>) -> Results {
    let x = dense(&[rows, columns], x);
    let y = dense::<T>(&[columns, rows], tame(rows * columns, 5)).transpose(0, 1);
    let mut out = Results::new();
    let mut keep = |name: String, x: Raw<T, Cpu>| {
        out.push((format!("{name} of {rows} × {columns}"), bits(&x)));
    };
    use FoldOp::*;
    for (lie, x) in [("", &x), (", strided", &y)] {
        for op in [ReduceOp::Sum, ReduceOp::Mean, ReduceOp::Max, ReduceOp::Min] {
            keep(format!("{op:?} of all{lie}"), x.reduce_all(op));
            for axis in [0, 1] {
                let m = x.reduce_keepdim(op, &[axis]);
                keep(format!("{op:?} along {axis}{lie}"), m.clone());
                if matches!(op, ReduceOp::Max | ReduceOp::Min) {
                    let pull = Raw::extreme_pullback(x, &m, &m);
                    keep(format!("the pullback of {op:?} along {axis}{lie}"), pull);
                }
            }
        }
        for op in [
            Prod,
            Var(1.0),
            Std(0.0),
            Norm(1.0),
            Norm(2.0),
            Norm(3.0),
            LogSumExp,
        ] {
            for axes in [&[0][..], &[1], &[0, 1]] {
                let f = x.fold(op, axes);
                keep(format!("{op:?} along {axes:?}{lie}"), f.clone());
                let pull = Raw::fold_pullback(op, x, &f, &f);
                keep(format!("the pullback of {op:?} along {axes:?}{lie}"), pull);
            }
        }
        for axis in [0, 1] {
            for op in [ScanOp::Sum, ScanOp::SumFromEnd, ScanOp::Prod] {
                keep(format!("{op:?} along {axis}{lie}"), x.scan(op, axis));
            }
            for op in [SoftmaxOp::Softmax, SoftmaxOp::LogSoftmax] {
                let s = x.softmax(op, axis);
                let pull = Raw::softmax_pullback(op, axis, &s, &y);
                keep(format!("{op:?} along {axis}{lie}"), s);
                keep(format!("the pullback of {op:?} along {axis}{lie}"), pull);
            }
        }
        let targets: Vec<i64> = (0..rows).map(|i| (i * 7 % columns) as i64).collect();
        let targets = Raw::from_slice(&Cpu, [rows], &targets);
        let (loss, lse) = x.cross_entropy(&targets).expect("targets are classes");
        let pull = x.cross_entropy_pullback(&targets, &lse, &Raw::scalar(&Cpu, T::ONE));
        keep(format!("cross entropy{lie}"), loss);
        keep(format!("the pullback of cross entropy{lie}"), pull);
    }
    out
}

#[test]
fn reductions_and_rows() {
    for (rows, columns) in [(1, 1), (3, 5), (17, 33), (130, 257)] {
        let n = rows * columns;
        same_everywhere(|| reductions::<f32>(rows, columns, tame(n, 4)));
        same_everywhere(|| reductions::<f64>(rows, columns, tame(n, 4)));
    }
    same_everywhere(|| reductions::<f32>(33, 19, numbers(33 * 19, 4)));
    same_everywhere(|| reductions::<f64>(33, 19, numbers(33 * 19, 4)));
}

fn optimisers<T: Float>() -> Results {
    let n = 1003;
    let make = |seed| dense::<T>(&[n], tame(n, seed));
    let (mut p, mut first, mut second) = (make(1), make(2), make(3).unary(UnaryOp::Square));
    let adam = AdamStep {
        lr: 0.1,
        beta1: 0.9,
        beta2: 0.99,
        eps: 1e-8,
        weight_decay: 0.1,
        decay: Decay::Decoupled,
        step: 3,
    };
    p.adam(&adam, &make(4), &mut first, &mut second);
    let (mut q, mut velocity) = (make(5), make(6));
    let sgd = SgdStep {
        lr: 0.1,
        momentum: 0.9,
        dampening: 0.1,
        weight_decay: 0.01,
        nesterov: true,
    };
    q.sgd(&sgd, &make(7), Some(&mut velocity));
    let all = [p, first, second, q, velocity].into_iter().enumerate();
    all.map(|(i, x)| (format!("state {i} of the optimisers"), bits(&x)))
        .collect()
}

#[test]
fn optimiser_steps() {
    same_everywhere(optimisers::<f32>);
    same_everywhere(optimisers::<f64>);
}

/// Layers of networks with their gradients.
macro_rules! layers {
    ($($module:ident $t:ident;)*) => { $(
        mod $module {
            use super::*;

            #[differentiable]
            fn images(
                x: &Tensor![$t; 2, 4, 9, 7],
                w: &Tensor![$t; 6, 4, 3, 3],
                a: &Tensor![$t; 6],
                b: &Tensor![$t; 6],
            ) -> Tensor![$t;] {
                let h = x.conv2d(w, Win::new().pad::<1>());
                let n = h.batch_norm(a, b, 1e-5).relu();
                let g = h.group_norm::<2>(a, b, 1e-5).silu();
                let p = (n + g).avg_pool2d::<2, 2, _>(Win::new().stride::<2>());
                (p.square()).mean()
            }

            #[differentiable]
            fn tokens(
                x: &Tensor![$t; 2, 3, 13, 8],
                a: &Tensor![$t; 8],
                b: &Tensor![$t; 8],
            ) -> Tensor![$t;] {
                let h = x.layer_norm(a, b, 1e-5);
                let y = h.attention(&x.rms_norm(a, 1e-6), x, Attention::new().causal());
                (y.dropout(0.2, 7) * x).sin().sum()
            }

            pub fn all() -> Results {
                fn make<S: StaticShape>(seed: u64) -> Tensor<S, $t> {
                    let all = tame::<$t>(1000, seed);
                    Tensor::from_fn_with(S::default(), |i| all[i])
                }
                let (x, w) = (make(1), make(2));
                let (y, (dx, dw, da, db)) = images::value_and_grad(&x, &w, &make(3), &make(4));
                let (z, (ex, ea, eb)) = tokens::value_and_grad(&make(5), &make(6), &make(7));
                vec![
                    ("images".into(), bits(y.raw())),
                    ("images by x".into(), bits(dx.raw())),
                    ("images by w".into(), bits(dw.raw())),
                    ("images by a".into(), bits(da.raw())),
                    ("images by b".into(), bits(db.raw())),
                    ("tokens".into(), bits(z.raw())),
                    ("tokens by x".into(), bits(ex.raw())),
                    ("tokens by a".into(), bits(ea.raw())),
                    ("tokens by b".into(), bits(eb.raw())),
                ]
            }
        }
    )* };
}
layers! { single f32; double f64; }

#[test]
fn layers_and_their_gradients() {
    same_everywhere(single::all);
    same_everywhere(double::all);
}

/// Not a test of its own: it prints the level that the environment leads to.
#[test]
#[ignore = "run by `the_environment_caps_the_level`, in a process of its own"]
fn print_the_level() {
    println!("level {}", level().name());
}

#[test]
fn the_environment_caps_the_level() {
    let run = |value: Option<&str>| {
        let mut child = Command::new(std::env::current_exe().expect("a path"));
        child.args(["--exact", "print_the_level", "--ignored", "--nocapture"]);
        child.env_remove("DIFFERENTIABLE_SIMD");
        if let Some(value) = value {
            child.env("DIFFERENTIABLE_SIMD", value);
        }
        let out = child.output().expect("it runs");
        let text = [out.stdout, out.stderr].concat();
        (
            out.status.success(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    };
    let best = Level::of_processor();
    let expected = [
        (None, best),
        (Some("avx512"), best),
        (Some("avx2"), best.min(Level::Avx2)),
        (Some("baseline"), Level::Baseline),
    ];
    for (value, level) in expected {
        let (success, text) = run(value);
        let line = format!("level {}", level.name());
        assert!(success && text.contains(&line), "{value:?}: {text}");
    }
    for bad in ["AVX2", "sse2", ""] {
        let (success, text) = run(Some(bad));
        let message =
            format!("DIFFERENTIABLE_SIMD is `{bad}`: expected `avx512`, `avx2` or `baseline`");
        assert!(!success && text.contains(&message), "{bad}: {text}");
    }
}
