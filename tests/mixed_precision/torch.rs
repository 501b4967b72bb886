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

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut x.iter().zip(y).map(|(x, y)| x - y)) / norm(&mut y.iter().copied())
}

fn numbers<T: Float, D: Backend>(x: &Raw<T, D>) -> Vec<f64> {
    x.to_vec().into_iter().map(Elem::to_f64).collect()
}

/// How far gradients of parameters are from those in `expected`, each by its name.
fn distances<M: Module>(mut expected: M, grad: &M::Tangent) -> Vec<(String, f64)> {
    struct Compare(Vec<(String, f64)>);
    impl VisitorWithGrad for Compare {
        fn param<T: Float, D: Backend>(
            &mut self,
            name: &Path,
            value: &mut Raw<T, D>,
            grad: &Raw<T, D>,
        ) {
            let far = distance(&numbers(grad), &numbers(value));
            self.0.push((name.to_string(), far));
        }
    }
    let mut compare = Compare(Vec::new());
    expected.visit_with_grad(grad, &mut Path::default(), &mut compare);
    compare.0
}

macro_rules! network {
    ($test:ident: $name:literal $Net:ident) => {
        #[test]
        fn $test() {
            let make = || $Net::<f32>::new(&mut Seeds::new(0));
            let plain = loaded(make(), $name);
            let (x, w) = (io($name, "x"), io($name, "w"));
            let net = plain.cast::<Mixed<bf16>>();
            let (loss, (grad, d_x)) = net.loss_value_and_grad(&x.cast(), &w.cast());
            let (_, plain) = plain.loss_value_and_grad(&x, &w);
            for (kind, tolerance) in [("autocast", OF_AUTOCAST), ("rounded", OF_ROUNDED)] {
                let kind = format!("{}_{kind}", $name);
                let expected = loaded(make(), &kind).cast::<Mixed<bf16>>();
                let mut all = distances(expected, &grad);
                // Not those of the file, but what it is to be compared with.
                let by = |x: &mut Vec<f64>, y: &[f64]| distance(x, y);
                let mut y = numbers(loss.1.raw());
                all.push((
                    "y".into(),
                    by(&mut y, &numbers(like(&loss.1, io(&kind, "y")).raw())),
                ));
                let mut d_x = numbers(d_x.raw());
                all.push((
                    "d_x".into(),
                    by(&mut d_x, &numbers(like(&x, io(&kind, "d_x")).raw())),
                ));
                for (name, far) in &all {
                    assert!(
                        *far < tolerance,
                        "{kind}: `{name}` is {far:e} from PyTorch's\n{all:?}"
                    );
                }
            }
            // In single precision the numbers are others: the test sees the rounding.
            let expected = loaded(make(), concat!($name, "_rounded"));
            let far = distances(expected, &plain.0);
            let far = far.iter().map(|(_, far)| *far).fold(0.0, f64::max);
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
