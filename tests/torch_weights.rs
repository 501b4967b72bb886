//! Weights that PyTorch wrote, and weights for it. `tests/data/torch/make.py` writes the files.

// The shapes of a case are in its type.
#![allow(clippy::type_complexity)]
#![allow(missing_docs)]

#[path = "torch_weights/errors.rs"]
mod errors;
#[path = "torch_weights/files.rs"]
mod files;
#[path = "torch_weights/forms.rs"]
mod forms;
#[path = "torch_weights/hugging_face.rs"]
mod hugging_face;
#[path = "torch_weights/layers.rs"]
mod layers;

use differentiable::nn::torch::{ImportError, Report, import};
use differentiable::nn::{LinearNoBias, Module, state};
use differentiable::prelude::*;
use std::path::{Path, PathBuf};

dim!(Batch);

/// A network whose file has inputs and outputs under `io.`, which are read as parameters.
#[module(no_new)]
struct Case<N, X, Y> {
    #[torch(flat())]
    net: N,
    io: Io<X, Y>,
}

#[module(no_new)]
struct Io<X, Y> {
    x: X,
    y: Y,
}

impl<N, SX: StaticShape, SY: StaticShape, T: Float> Case<N, Tensor<SX, T>, Tensor<SY, T>>
where
    Self: Module,
{
    /// A network with what a file says.
    fn load(net: N, file: &str) -> Self {
        let (x, y) = (Tensor::zeros(), Tensor::zeros());
        let mut case = Case {
            net,
            io: Io { x, y },
        };
        import(&mut case, data(file)).unwrap_or_else(|e| panic!("{e}"));
        case
    }
}

/// The largest difference of an element.
#[track_caller]
fn distance<S: Shape, T: Float>(a: &Tensor<S, T>, b: &Tensor<S, T>) -> f64 {
    let pairs = a.to_vec().into_iter().zip(b.to_vec());
    let all: Vec<f64> = pairs.map(|(a, b)| (a - b).to_f64().abs()).collect();
    assert!(!all.is_empty() && all.iter().all(|d| !d.is_nan()));
    all.into_iter().fold(0.0, f64::max)
}

#[track_caller]
fn assert_near<S: Shape, T: Float>(a: &Tensor<S, T>, b: &Tensor<S, T>, within: f64) {
    let d = distance(a, b);
    assert!(d < within, "{d:e} is not below {within:e}");
}

fn data(file: &str) -> PathBuf {
    Path::new("tests/data/torch").join(file)
}

/// An empty directory of a test's own, removed when it goes out of scope.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("torch-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A safetensors file with tensors of any element type.
fn write(path: &Path, tensors: &[(&str, &str, &[usize], Vec<u8>)]) {
    let (mut header, mut bytes) = (serde_json::Map::new(), Vec::new());
    for (name, dtype, dims, data) in tensors {
        let offsets = [bytes.len(), bytes.len() + data.len()];
        let info = serde_json::json!({"dtype": dtype, "shape": dims, "data_offsets": offsets});
        header.insert(name.to_string(), info);
        bytes.extend(data);
    }
    let header = serde_json::to_vec(&header).unwrap();
    let length = (header.len() as u64).to_le_bytes();
    std::fs::write(path, [&length[..], &header, &bytes].concat()).unwrap();
}

/// `0, 1, 2, …` as single floats.
fn counted(n: usize) -> Vec<u8> {
    (0..n).flat_map(|i| (i as f32).to_le_bytes()).collect()
}

/// The file fits, and the module becomes what it says.
#[track_caller]
fn loaded(result: Result<Report, ImportError>) -> Report {
    result.unwrap_or_else(|e| panic!("{e}"))
}

/// The message of an import that fails, after which the module is as before.
#[track_caller]
fn refused<M: Module>(
    module: &mut M,
    load: impl FnOnce(&mut M) -> Result<Report, ImportError>,
) -> String {
    let before = state(module);
    let error = load(module).expect_err("the file does not fit");
    assert!(state(module) == before, "the module was changed");
    error.to_string()
}

#[module]
struct Perceptron<T: Float = f32> {
    fc1: Linear<6, 5, T>,
    fc2: Linear<5, 5, T>,
    head: LinearNoBias<5, 3, T>,
}

#[differentiable]
impl<T: Float> Perceptron<T> {
    fn forward(&self, x: &Tensor![T; 4, 6]) -> Tensor![T; 4, 3] {
        let h = self.fc1.forward(x).tanh();
        self.head.forward(&self.fc2.forward(&h).tanh())
    }
}

fn mlp() -> Perceptron {
    Perceptron::new(&mut Seeds::new(0))
}

/// Names, sizes and numbers of a file.
fn tensors_of(path: &Path) -> differentiable::nn::State {
    let file = differentiable::io::Checkpoint::load(path).unwrap();
    file.tensors().clone()
}
