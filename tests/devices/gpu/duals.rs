//! Numbers with tangents: the same as on the CPU, and nothing through the host.

use super::{cuda, gpu};
use core::slice::from_ref;
use differentiable::ad::{Dual, Scalar};
use differentiable::device::{
    BinaryOp, CompareOp, Elem, FloatElem, FoldOp, ReduceOp, ScanOp, Side, SoftmaxOp, UnaryOp,
};
use differentiable::nn::LayerNorm;
use differentiable::prelude::*;
use differentiable::tensor::raw::Raw;

/// The plain numbers of an element.
trait Parts: Float {
    fn parts(self, to: &mut Vec<f64>);
}

impl Parts for f32 {
    fn parts(self, to: &mut Vec<f64>) {
        to.push(f64::from(self));
    }
}

impl Parts for f64 {
    fn parts(self, to: &mut Vec<f64>) {
        to.push(self);
    }
}

impl<T: Parts + FloatElem + Scalar, const K: usize> Parts for Dual<T, K> {
    fn parts(self, to: &mut Vec<f64>) {
        self.value.parts(to);
        self.tangents.into_iter().for_each(|t| t.parts(to));
    }
}

/// One number for another: computed in another order, by other functions.
fn agree(a: f64, b: f64, error: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= error * (1.0 + a.abs())
}

type OnDevice<T> = Raw<T, Device>;

fn to<T: Elem>(x: &OnDevice<T>, device: &Device) -> OnDevice<T> {
    x.to(device)
}

/// Where results on the CPU and on the card are not the same.
struct Differences<'a> {
    device: &'a Device,
    error: f64,
    found: Vec<String>,
}

impl<'a> Differences<'a> {
    fn new(device: &'a Device, error: f64) -> Self {
        Differences {
            device,
            error,
            found: Vec::new(),
        }
    }

    /// Compares the results of `f`; sums of many numbers may be `times` as wrong. Of NaN, tangents say nothing,
    /// and where the CPU has multiplied 0 and ∞ the card may know more.
    fn of<T: Parts>(
        &mut self,
        name: &str,
        times: f64,
        x: &[OnDevice<T>],
        f: impl Fn(&[OnDevice<T>]) -> OnDevice<T>,
    ) {
        let there: Vec<_> = x.iter().map(|x| to(x, self.device)).collect();
        let (expected, found) = (f(x).to_vec(), f(&there).to_vec());
        assert_eq!(expected.len(), found.len(), "{name}");
        for (k, (e, g)) in expected.iter().zip(&found).enumerate() {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            e.parts(&mut a);
            g.parts(&mut b);
            let same = |(a, b): (&f64, &f64)| agree(*a, *b, self.error * times);
            let known = |(a, b): (&f64, &f64)| a.is_nan() || same((a, b));
            if same((&a[0], &b[0])) && (a[0].is_nan() || a.iter().zip(&b).all(known)) {
                continue;
            }
            let mut line = format!("{name}, element {k}: expected {e:?}, found {g:?}");
            for x in x.iter().filter(|x| x.dims().numel() == expected.len()) {
                line += &format!(", of {:?}", x.to_vec()[k]);
            }
            return self.found.push(line);
        }
    }
}

impl Drop for Differences<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.found.is_empty(), "{}", self.found.join("\n"));
        }
    }
}

#[track_caller]
fn stayed(device: &Device) {
    let counted = cuda(device).via_host();
    assert!(counted.is_empty(), "{counted:?}");
}

const SPECIAL: [f64; 15] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    3.0,
    -3.0,
    0.25,
    12.5,
    -0.75,
    2.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Elements with and without tangents, of some values.
fn each<T: FloatElem + Scalar>(values: &[f64], wanted: usize) -> OnDevice<Dual<T, 2>> {
    let lit = |x: f64| <T as Elem>::from_f64(x);
    let tangents = [[0.0, 1.0], [-0.5, 0.0], [0.0, 0.0], [2.0, 3.0]];
    let n = values.len();
    let dual = |i: usize| {
        let (v, t) = match wanted {
            0 => (i / 4 % n, i % 4),
            _ => (i / 4 / n % n + i % 3, i / 5 % 4),
        };
        Dual::new(lit(values[v % n]), tangents[t].map(lit))
    };
    let count = 4 * n * n;
    Raw::from_slice(
        &Device::cpu(),
        [count],
        &(0..count).map(dual).collect::<Vec<_>>(),
    )
}

fn unary_ops() -> Vec<UnaryOp> {
    use UnaryOp::*;
    macro_rules! ops {
        ({} [$($(#[$doc:meta])* $f:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]) => {
            vec![$($Op,)* Neg, Elu(0.7), Celu(1.3), LeakyRelu(0.1), Powi(0), Powi(3), Powi(-2), Powf(2.0), Powf(0.5),
                 Affine(2.0, -1.0), Clamp(-1.0, 2.0)]
        };
    }
    autodiff_vocabulary::functions!(short ops, {} [numbers turns shifts activations elements apart flat flat_elements])
}

const BINARY: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Powf,
    BinaryOp::Atan2,
    BinaryOp::Hypot,
    BinaryOp::Rem,
    BinaryOp::Max,
    BinaryOp::Min,
];

fn elementwise<T: Parts + FloatElem + Scalar>(device: &Device, error: f64) {
    let mut all = Differences::new(device, error);
    let [a, b, c] = [0, 1, 2].map(|k| each::<T>(&SPECIAL, k));
    for op in unary_ops() {
        let name = format!("{op:?}");
        all.of(&name, 1.0, from_ref(&a), |x| x[0].clone().unary(op));
        all.of(
            &format!("{name}, pullback"),
            1.0,
            &[a.clone(), b.clone()],
            |x| Raw::unary_pullback(op, &x[0], x[1].clone()),
        );
    }
    for op in BINARY {
        let name = format!("{op:?}");
        let x = [a.clone(), b.clone(), c.clone()];
        all.of(&name, 1.0, &x, |x| Raw::binary_ref(op, &x[0], &x[1]));
        for side in [Side::Left, Side::Right] {
            all.of(&format!("{name}, pullback {side:?}"), 1.0, &x, |x| {
                Raw::binary_pullback(op, side, &x[0], &x[1], x[2].clone())
            });
        }
    }
    for op in [
        CompareOp::Eq,
        CompareOp::Ne,
        CompareOp::Lt,
        CompareOp::Le,
        CompareOp::Gt,
        CompareOp::Ge,
    ] {
        all.of(&format!("{op:?}"), 0.0, &[a.clone(), b.clone()], |x| {
            Raw::select(&Raw::compare(op, &x[0], &x[1]), &x[0], &x[1])
        });
    }
    all.of("add_scaled", 1.0, &[a, b], |x| {
        let mut sum = x[0].clone();
        sum.add_scaled(
            Dual::new(<T as Elem>::from_f64(0.5), [<T as Elem>::ONE; 2]),
            &x[1],
        );
        sum
    });
}

#[test]
fn elementwise_at_special_values() {
    let Some(device) = gpu() else { return };
    elementwise::<f32>(&device, 3e-5);
    elementwise::<f64>(&device, 1e-9);
    stayed(&device);
}

#[test]
fn elementwise_with_two_layers() {
    let Some(device) = gpu() else { return };
    let mut all = Differences::new(&device, 1e-9);
    let values = [0.3, -0.7, 1.5, 2.0, 0.6];
    let [a, b] = [0, 1].map(|k| each::<Dual<f64, 1>>(&values, k));
    let layered = |x: &OnDevice<Dual<Dual<f64, 1>, 2>>| {
        let with =
            |d: &Dual<Dual<f64, 1>, 2>| Dual::new(Dual::new(d.value.value, [0.5]), d.tangents);
        Raw::from_slice(
            &Device::cpu(),
            *x.dims(),
            &x.to_vec().iter().map(with).collect::<Vec<_>>(),
        )
    };
    let (a, b) = (layered(&a), layered(&b));
    for op in unary_ops() {
        all.of(&format!("{op:?}"), 1.0, from_ref(&a), |x| {
            x[0].clone().unary(op)
        });
    }
    for op in BINARY {
        all.of(&format!("{op:?}"), 1.0, &[a.clone(), b.clone()], |x| {
            Raw::binary_ref(op, &x[0], &x[1])
        });
    }
    stayed(&device);
}

/// Numbers that repeat, so that there are ties, and tangents that do not.
fn mixed<T: FloatElem + Scalar, const K: usize>(
    dims: &[usize],
    from: usize,
) -> OnDevice<Dual<T, K>> {
    let lit = |x: f64| <T as Elem>::from_f64(x);
    let number = |i: usize| ((i * 37 + from) % 23) as f64 / 8.0 - 1.3;
    let dual = |i: usize| {
        Dual::new(
            lit(number(i)),
            core::array::from_fn(|k| lit(number(i * 5 + 3 * k + 1) / 2.0)),
        )
    };
    let n = dims.iter().product();
    Raw::from_slice(&Device::cpu(), dims, &(0..n).map(dual).collect::<Vec<_>>())
}

fn families<T: Parts + FloatElem + Scalar, const K: usize>(device: &Device, error: f64) {
    let mut all = Differences::new(device, error);
    let x = mixed::<T, K>(&[3, 7, 40], 2);
    let index = Raw::from_slice(&Device::cpu(), [5], &[6_i64, 0, 2, 2, 5]);
    for axes in [&[0][..], &[1], &[2], &[0, 2], &[0, 1, 2]] {
        for op in [ReduceOp::Sum, ReduceOp::Mean] {
            all.of(&format!("{op:?} {axes:?}"), 1.0, from_ref(&x), |x| {
                x[0].reduce_keepdim(op, axes)
            });
        }
        for op in [
            FoldOp::Prod,
            FoldOp::Var(1.0),
            FoldOp::Std(0.0),
            FoldOp::Norm(1.0),
            FoldOp::Norm(2.0),
            FoldOp::Norm(3.0),
            FoldOp::LogSumExp,
        ] {
            all.of(&format!("{op:?} {axes:?}"), 20.0, from_ref(&x), |x| {
                x[0].fold(op, axes)
            });
            all.of(
                &format!("{op:?} {axes:?}, pullback"),
                50.0,
                from_ref(&x),
                |x| {
                    let y = x[0].fold(op, axes);
                    Raw::fold_pullback(op, &x[0], &y, &y)
                },
            );
        }
    }
    for op in [SoftmaxOp::Softmax, SoftmaxOp::LogSoftmax] {
        for axis in 0..3 {
            all.of(&format!("{op:?} {axis}"), 1.0, from_ref(&x), |x| {
                x[0].softmax(op, axis)
            });
            all.of(
                &format!("{op:?} {axis}, pullback"),
                1.0,
                from_ref(&x),
                |x| Raw::softmax_pullback(op, axis, &x[0].softmax(op, axis), &x[0]),
            );
        }
    }
    all.of("gather", 0.0, &[x.transpose(0, 1)], |x| {
        x[0].gather(&to(&index, x[0].device())).unwrap()
    });
    let (a, b) = (
        mixed::<T, K>(&[2, 19, 33], 0),
        mixed::<T, K>(&[2, 33, 21], 5),
    );
    all.of("matmul", 10.0, &[a.clone(), b.clone()], |x| {
        Raw::matmul(&x[0], &x[1])
    });
    all.of("matmul of transposed", 10.0, &[a.clone(), b.clone()], |x| {
        Raw::matmul(&x[1].transpose(1, 2), &x[0].transpose(1, 2))
    });
    all.of(
        "matmul, added",
        10.0,
        &[a, b, mixed::<T, K>(&[2, 19, 21], 3)],
        |x| {
            let mut sum = x[2].clone();
            Raw::matmul_into(&x[0], &x[1], &mut sum);
            sum
        },
    );
    for op in [ScanOp::Sum, ScanOp::SumFromEnd, ScanOp::Prod] {
        for axis in 0..3 {
            all.of(&format!("{op:?} {axis}"), 10.0, from_ref(&x), |x| {
                x[0].scan(op, axis)
            });
        }
    }
    all.of("cumprod pullback", 100.0, from_ref(&x), |x| {
        x[0].cumprod_pullback(1, &x[0].scan(ScanOp::Prod, 1), &x[0])
    });
    all.of("cumprod pushforward", 100.0, from_ref(&x), |x| {
        x[0].cumprod_pushforward(1, &x[0].scan(ScanOp::Prod, 1), &x[0])
    });
}

#[test]
fn sums_rows_products_and_picks() {
    let Some(device) = gpu() else { return };
    families::<f32, 1>(&device, 1e-4);
    families::<f32, 2>(&device, 1e-4);
    families::<f64, 1>(&device, 1e-11);
    families::<f64, 8>(&device, 1e-11);
    families::<Dual<f64, 1>, 1>(&device, 1e-11);
    stayed(&device);
}

/// A network with cross entropy, some of whose scores are equal.
#[derive(Clone, Debug, Differentiable, Module)]
struct Mlp<T: Float = f64> {
    hidden: Linear<6, 8, T>,
    norm: LayerNorm<8, T>,
    out: Linear<8, 4, T>,
}

#[differentiable(higher_order)]
impl<T: Float> Mlp<T> {
    fn loss(&self, x: &Tensor![T; 5, 6], y: &Tensor![i64; 5]) -> Tensor![T;] {
        let h = self.hidden.forward(x).tanh();
        let h = self.norm.forward(&h).gelu();
        self.out.forward(&h).cross_entropy(y)
    }
}

/// What a block of a transformer is made of.
#[derive(Clone, Debug, Differentiable, Module)]
struct Block<T: Float = f64> {
    query: Linear<8, 8, T>,
    key: Linear<8, 8, T>,
    value: Linear<8, 8, T>,
    norm: LayerNorm<8, T>,
}

#[differentiable(higher_order)]
impl<T: Float> Block<T> {
    fn loss(&self, x: &Tensor![T; 6, 8]) -> Tensor![T;] {
        let weights = self
            .query
            .forward(x)
            .matmul(&self.key.forward(x).t())
            .softmax::<1>();
        let h = weights.matmul(&self.value.forward(x)) + x;
        let h = self.norm.forward(&h);
        (h.gelu() * x.silu()).square().mean() + h.logsumexp_axis::<1>().sum()
    }
}

/// The Hessian times a direction, on the CPU and on the card.
macro_rules! products {
    ($test:ident $T:ident $error:literal) => {
        #[test]
        fn $test() {
            let Some(device) = gpu() else { return };
            let seeds = &mut Seeds::new(7);
            let net = Mlp::<$T> {
                hidden: Linear::new(seeds),
                norm: LayerNorm::new(seeds),
                out: Linear::new(seeds),
            };
            let number = |i: usize| ((i * 29 % 31) as f64 / 15.0 - 1.0) as $T;
            let x: Tensor![$T; 5, 6] = Tensor::from_fn(number);
            let dx: Tensor![$T; 5, 6] = Tensor::from_fn(|i| number(i + 3));
            let y: Tensor![i64; 5] = Tensor::from_slice(&[0, 3, 1, 1, 2]).unwrap();
            let (direction, _) = net.loss_grad(&x, &y);
            let (expected, expected_x) = net.loss_hvp(&direction, (&x, &dx), &y);
            let net_there = net.to(&device);
            let (x_there, dx_there, y_there) = (x.to(&device), dx.to(&device), y.to(&device));
            let direction_there = net_there.loss_grad(&x_there, &y_there).0;
            let (found, found_x) =
                device.scope(|| net_there.loss_hvp(&direction_there, (&x_there, &dx_there), &y_there));
            let close = |expected: Vec<$T>, found: Vec<$T>| {
                let largest = expected.iter().fold(1e-3, |m: $T, x| m.max(x.abs()));
                for (e, f) in expected.iter().zip(&found) {
                    assert!((e - f).abs() <= $error * largest, "expected {expected:?}, found {found:?}");
                }
            };
            close(expected_x.to_vec(), found_x.to_vec());
            close(expected.hidden.weight.to_vec(), found.hidden.weight.to_vec());
            close(expected.out.weight.to_vec(), found.out.weight.to_vec());
            stayed(&device);

            let block = Block::<$T> {
                query: Linear::new(seeds),
                key: Linear::new(seeds),
                value: Linear::new(seeds),
                norm: LayerNorm::new(seeds),
            };
            let of = |device: &Device| {
                let x: Tensor![$T; 6, 8] = Tensor::from_fn(number).to(device);
                let block = block.to(device);
                let (direction, dx) = block.loss_grad(&x);
                let (product, hx) = device.scope(|| block.loss_hvp(&direction, (&x, &dx)));
                let [q, k, v] = [product.query, product.key, product.value].map(|l| l.weight.to_vec());
                [hx.to_vec(), q, k, v]
            };
            for (e, f) in of(&Device::cpu()).into_iter().zip(of(&device)) {
                close(e, f);
            }
            stayed(&device);
        }
    };
}

products!(hessian_vector_products_in_single_precision f32 2e-4);
products!(hessian_vector_products_in_double_precision f64 1e-11);
