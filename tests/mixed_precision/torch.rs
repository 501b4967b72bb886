//! Networks against PyTorch: under autocast, and with products that round as ours do. `tests/data/mixed/make.py` wrote the
//! numbers.

use differentiable::io::Checkpoint;
use differentiable::nn::torch::Import;
use differentiable::nn::*;
use differentiable::prelude::*;
use differentiable::tensor::raw::Raw;

/// The last bit of `bf16`, relative: PyTorch rounds outputs, biases and cotangents to it, where we keep single precision.
const OF_AUTOCAST: f64 = 1.0 / 128.0;
/// Where only products round. Numbers half way between two of `bf16` may go either way.
const OF_ROUNDED: f64 = 3e-4;

#[module]
struct Net<T: Float = f32> {
    fc1: Linear<20, 32, T>,
    fc2: Linear<32, 32, T>,
    fc3: Linear<32, 10, T>,
}

#[differentiable]
impl<T: Float> Net<T> {
    fn loss(
        &self,
        #[wrt] x: &Tensor![T; 16, 20],
        #[constant] w: &Tensor![T; 16, 10],
    ) -> (Tensor![T;], Tensor![T; 16, 10]) {
        let h = self.fc1.forward(x).relu();
        let y = self.fc3.forward(&self.fc2.forward(&h).tanh());
        ((&y * w).sum(), y)
    }
}

#[module]
struct Cnn<T: Float = f32> {
    #[init(Conv2d::without_bias(seeds))]
    c1: Conv2d<2, 6, 3, 1, 1, 1, T>,
    n1: GroupNorm<1, 6, T>,
    #[init(Conv2d::without_bias(seeds))]
    c2: Conv2d<6, 8, 3, 1, 1, 1, T>,
    out: Linear<32, 10, T>,
}

#[differentiable]
impl<T: Float> Cnn<T> {
    fn loss(
        &self,
        #[wrt] x: &Tensor![T; 8, 2, 8, 8],
        #[constant] w: &Tensor![T; 8, 10],
    ) -> (Tensor![T;], Tensor![T; 8, 10]) {
        let h = self.n1.forward(&self.c1.forward(x)).relu();
        let h = self.c2.forward(&h.avg_pool::<2, 2>()).relu();
        let y = self.out.forward(&h.avg_pool::<2, 2>().flatten());
        ((&y * w).sum(), y)
    }
}

#[module]
struct Block<T: Float = f32> {
    #[init(EncoderLayer::new(seeds, 0.0))]
    block: EncoderLayer<16, 4, 4, 32, T>,
}

#[differentiable]
impl<T: Float> Block<T> {
    fn loss(
        &self,
        #[wrt] x: &Tensor![T; 4, 12, 16],
        #[constant] w: &Tensor![T; 4, 12, 16],
    ) -> (Tensor![T;], Tensor![T; 4, 12, 16]) {
        let (keys, mut ctx) = no_grad!((Keys::All, Ctx::eval()));
        let y = self.block.forward(x, &keys, &mut ctx);
        ((&y * w).sum(), y)
    }
}

fn file(name: &str) -> String {
    format!(
        "{}/tests/data/mixed/{name}.safetensors",
        env!("CARGO_MANIFEST_DIR")
    )
}

/// The parameters of a file in a network.
fn loaded<M: Module>(mut net: M, name: &str) -> M {
    let import = Import::new().ignore("io.*");
    import
        .load(&mut net, file(name))
        .unwrap_or_else(|e| panic!("{e}"));
    net
}

/// A tensor of a file.
fn io<S: StaticShape>(name: &str, tensor: &str) -> Tensor<S> {
    let file = Checkpoint::load(file(name)).unwrap();
    let tensor = &file.tensors()[&format!("io.{tensor}")];
    tensor.tensor(S::default()).expect("numbers of this shape")
}

fn norm(x: impl Iterator<Item = f64>) -> f64 {
    x.map(|x| x * x).sum::<f64>().sqrt()
}

/// How far numbers are from those expected, and the norm of the latter.
type Gap = (String, f64, f64);

fn gap<T: Float, U: Float, D: Backend>(name: &str, x: &Raw<T, D>, expected: &Raw<U, D>) -> Gap {
    let (x, y) = (numbers(x), numbers(expected));
    assert_eq!(x.len(), y.len(), "{name}");
    let far = norm(x.iter().zip(&y).map(|(x, y)| x - y));
    (name.to_string(), far, norm(y.into_iter()))
}

fn numbers<T: Float, D: Backend>(x: &Raw<T, D>) -> Vec<f64> {
    x.to_vec().into_iter().map(Elem::to_f64).collect()
}

/// The gradients of parameters against those in `expected`.
fn gaps<M: Module>(mut expected: M, grad: &M::Tangent) -> Vec<Gap> {
    struct Compare(Vec<Gap>);
    impl VisitorWithGrad for Compare {
        fn param<T: Float, D: Backend>(
            &mut self,
            name: &Path,
            value: &mut Raw<T, D>,
            grad: &Raw<T, D>,
        ) {
            self.0.push(gap(name.as_str(), grad, value));
        }
    }
    let mut compare = Compare(Vec::new());
    expected.visit_with_grad(grad, &mut Path::default(), &mut compare);
    compare.0
}

/// The largest gap, relative. A gradient that is small beside all others, as that of the bias of keys, which is 0 but for
/// rounding, is compared with a tenth of theirs.
fn largest(gaps: &[Gap]) -> f64 {
    let least = norm(gaps.iter().map(|(_, _, norm)| *norm)) / 10.0;
    let relative = gaps.iter().map(|(_, far, norm)| far / norm.max(least));
    relative.fold(0.0, f64::max)
}

macro_rules! network {
    ($test:ident: $name:literal $Net:ident) => {
        #[test]
        fn $test() {
            let make = || $Net::<f32>::new(&mut Seeds::new(0));
            let plain = loaded(make(), $name);
            let (x, w) = (io($name, "x"), io($name, "w"));
            let net = plain.cast::<Mixed<bf16>>();
            let ((_, y), (grad, d_x)) = net.loss_value_and_grad(&x.cast(), &w.cast());
            let (_, plain) = plain.loss_value_and_grad(&x, &w);
            for (kind, tolerance) in [("autocast", OF_AUTOCAST), ("rounded", OF_ROUNDED)] {
                let kind = format!("{}_{kind}", $name);
                let of_params = gaps(loaded(make(), &kind).cast::<Mixed<bf16>>(), &grad);
                let y = gap("y", y.raw(), like(&w, io(&kind, "y")).raw());
                let d_x = gap("d_x", d_x.raw(), like(&x, io(&kind, "d_x")).raw());
                for gaps in [of_params, vec![y], vec![d_x]] {
                    assert!(largest(&gaps) < tolerance, "{kind}: {gaps:#?}");
                }
            }
            // In single precision the numbers are others: the test sees the rounding.
            let expected = loaded(make(), concat!($name, "_rounded"));
            let far = largest(&gaps(expected, &plain.0));
            assert!(far > 5.0 * OF_ROUNDED, "{far:e}");
        }
    };
}
network!(mlp: "mlp" Net);
network!(cnn: "cnn" Cnn);
network!(transformer_block: "block" Block);

/// For its shape.
fn like<S, T: Elem>(_: &Tensor<S, T>, x: Tensor<S>) -> Tensor<S> {
    x
}
