//! Cases that PyTorch computed in f64: the scripts in `tests/data/layers` say how, and wrote the files beside them.

use differentiable::io::Checkpoint;
use differentiable::nn::{HostData, HostTensor, Module, Path, VisitorMut, VisitorWithGrad};
use differentiable::prelude::*;
use differentiable::tensor::raw::Raw;
use std::collections::{BTreeMap, BTreeSet};

/// Relative to the larger of 1 and the value.
const TOLERANCE: f64 = 1e-12;

/// A parameter or an input, and the gradient by it.
struct Leaf {
    dims: Vec<usize>,
    value: Vec<f64>,
    grad: Vec<f64>,
}

/// A function of parameters and inputs at one point.
pub struct Case {
    name: String,
    params: BTreeMap<String, Leaf>,
    inputs: BTreeMap<String, Leaf>,
    buffers: BTreeMap<String, HostTensor>,
}

fn numbers(tensor: &HostTensor) -> &[f64] {
    match tensor.data() {
        HostData::F64(numbers) => numbers,
        other => panic!("golden numbers are f64, not {other:?}"),
    }
}

impl Leaf {
    fn of(tensor: &HostTensor) -> Self {
        let (value, grad) = numbers(tensor).split_at(numbers(tensor).len() / 2);
        Leaf {
            dims: tensor.dims()[1..].to_vec(),
            value: value.to_vec(),
            grad: grad.to_vec(),
        }
    }

    fn host(&self) -> HostTensor {
        HostTensor::new(self.dims.clone(), HostData::F64(self.value.clone())).unwrap()
    }
}

/// Panics unless all entries are equal but for rounding.
#[track_caller]
pub fn same(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}: the number of entries");
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        let far = (a - b).abs() / b.abs().max(1.0);
        assert!(
            far <= TOLERANCE,
            "{what}: entry {i} is {a:e}, PyTorch has {b:e}\n{found:?}\n{expected:?}"
        );
    }
}

impl Case {
    /// A case of a file in `tests/data/layers`.
    pub fn read(file: &str, name: &str) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/layers");
        let file = Checkpoint::load(format!("{folder}/{file}.safetensors")).unwrap();
        let of = |kind: &str| {
            let prefix = format!("{name}/{kind}/");
            let tensors = file.tensors().iter();
            let all: BTreeMap<String, HostTensor> = tensors
                .filter_map(|(n, t)| Some((n.strip_prefix(&prefix)?.to_string(), t.clone())))
                .collect();
            all
        };
        let leaves = |kind| {
            of(kind)
                .iter()
                .map(|(n, t)| (n.clone(), Leaf::of(t)))
                .collect()
        };
        let case = Case {
            name: name.to_string(),
            params: leaves("param"),
            inputs: leaves("in"),
            buffers: of("buffer"),
        };
        assert!(!case.inputs.is_empty(), "there is a case `{name}`");
        case
    }

    /// Sets all parameters and buffers of a module to those of the case, which has no others.
    pub fn set<M: Module>(&self, module: &mut M) {
        self.set_params(module);
        let set = self.write(module, true);
        assert!(set.iter().eq(self.buffers.keys()), "{}: buffers", self.name);
    }

    /// Sets all parameters of a module, and leaves its buffers.
    pub fn set_params<M: Module>(&self, module: &mut M) {
        let set = self.write(module, false);
        assert!(
            set.iter().eq(self.params.keys()),
            "{}: parameters",
            self.name
        );
    }

    /// The names that were set.
    fn write<M: Module>(&self, module: &mut M, are_buffers: bool) -> BTreeSet<String> {
        struct Set<'a>(&'a Case, BTreeSet<String>, bool);
        impl VisitorMut for Set<'_> {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
                let case = self.0;
                let host = match self.2 {
                    true => case.buffers.get(name.as_str()).cloned(),
                    false => case.params.get(name.as_str()).map(Leaf::host),
                };
                let host = host.unwrap_or_else(|| panic!("{}: no `{name}`", case.name));
                assert_eq!(host.dims(), value.dims().to_vec(), "{}: {name}", case.name);
                *value = host.upload(value.device()).expect("numbers of type f64");
                self.1.insert(name.to_string());
            }
        }
        let mut set = Set(self, BTreeSet::new(), are_buffers);
        match are_buffers {
            true => module.visit_buffers_mut(false, &mut Path::default(), &mut set),
            false => module.visit_mut(&mut Path::default(), &mut set),
        }
        set.1
    }

    /// An input.
    pub fn input<S: StaticShape>(&self, name: &str) -> Tensor<S, f64> {
        let leaf = &self.inputs[name];
        assert_eq!(
            S::default().dims().as_slice(),
            leaf.dims,
            "{}: {name}",
            self.name
        );
        Tensor::from_slice(&leaf.value).unwrap()
    }

    /// Compares the gradient by an input.
    #[track_caller]
    pub fn gradient<S: StaticShape>(&self, name: &str, grad: &Tensor<S, f64>) {
        let what = format!("{}: gradient by the input `{name}`", self.name);
        same(&what, &grad.to_vec(), &self.inputs[name].grad);
    }

    /// Compares the gradients by all parameters.
    #[track_caller]
    pub fn gradients<M: Module + Clone>(&self, module: &M, grad: &M::Tangent) {
        struct Same<'a>(&'a Case, usize);
        impl VisitorWithGrad for Same<'_> {
            #[track_caller]
            fn param<T: Float, D: Backend>(
                &mut self,
                name: &Path,
                _: &mut Raw<T, D>,
                grad: &Raw<T, D>,
            ) {
                let what = format!("{}: gradient by `{name}`", self.0.name);
                let expected = &self.0.params[name.as_str()].grad;
                same(&what, numbers(&HostTensor::download(grad)), expected);
                self.1 += 1;
            }
        }
        let mut compare = Same(self, 0);
        module
            .clone()
            .visit_with_grad(grad, &mut Path::default(), &mut compare);
        assert_eq!(compare.1, self.params.len(), "{}: gradients", self.name);
    }

    /// Compares the buffers of a module, which this case begins with.
    #[allow(dead_code)] // in the tests of layers without any
    #[track_caller]
    pub fn same_buffers<M: Module>(&self, module: &M) {
        let state = differentiable::nn::state(module);
        for (name, buffer) in &self.buffers {
            same(name, numbers(&state[name]), numbers(buffer));
        }
    }
}

/// Tests of a layer against a case of the same name, in value, gradients by all parameters and inputs, and with forward
/// mode against reverse mode and differences. The first argument is the layer and how it is made. With `; cut` behind
/// the arguments the function stops a derivative, which differences would see.
macro_rules! parity {
    ($file:literal: $($test:ident($net:ident: $Net:ty = $make:expr $(, $x:ident [$($s:tt)*])* $(; $cut:ident)?) $body:block)*) => { $(
        #[test]
        fn $test() {
            #[differentiable]
            fn run($net: &$Net, $($x: &Tensor![f64; $($s)*]),*) -> Tensor![f64;] $body

            let case = crate::golden::Case::read($file, stringify!($test));
            let mut net: $Net = $make;
            case.set(&mut net);
            let args = (net, $(case.input(stringify!($x))),*);
            let ($net, $($x),*) = <run as DifferentiableFn<_>>::vjp(&args, Tensor::ones());
            case.gradients(&args.0, &$net);
            $(case.gradient(stringify!($x), &$x);)*
            if stringify!($($cut)?).is_empty() {
                check_grads::<run, _>(&args).unwrap();
            }
        }
    )* };
}
