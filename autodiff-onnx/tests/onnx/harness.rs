//! Programs that run twice: recorded as a model, and as they are for the numbers.

use differentiable::graph::Recording;
use differentiable::nn::Module;
use differentiable::onnx::proto::{GraphProto, ModelProto, TensorProto};
use differentiable::onnx::{self, OnnxError};
use differentiable::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a program gets its inputs from, and leaves its outputs.
pub struct Io<'r> {
    recording: Option<&'r Recording>,
    data: Vec<TensorProto>,
}

impl Io<'_> {
    /// An input: recorded, or the tensor.
    pub fn input<S: Shape, T: Elem>(&mut self, name: &str, x: &Tensor<S, T>) -> Tensor<S, T> {
        if let Some(recording) = self.recording {
            return recording.input(name, x.shape());
        }
        let data = TensorProto::new(&format!("in/{name}"), &x.dims(), &x.to_vec());
        self.data.push(data);
        x.clone()
    }

    /// A tensor that the model holds.
    pub fn variable<S: Shape, T: Elem>(&mut self, name: &str, x: &Tensor<S, T>) -> Tensor<S, T> {
        match self.recording {
            Some(recording) => recording.variable(name, x),
            None => x.clone(),
        }
    }

    /// A network that the model holds.
    pub fn module<M: Module + Clone>(&mut self, net: &M) -> M {
        match self.recording {
            Some(recording) => recording.module(net),
            None => net.clone(),
        }
    }

    pub fn output<S: Shape, T: Elem>(&mut self, name: &str, x: &Tensor<S, T>) {
        match self.recording {
            Some(recording) => recording.output(name, x),
            None => {
                let data = TensorProto::new(&format!("out/{name}"), &x.dims(), &x.to_vec());
                self.data.push(data);
            }
        }
    }
}

/// Models in a folder.
pub struct Cases {
    folder: PathBuf,
    errors: Vec<String>,
}

fn eager(program: &dyn Fn(&mut Io<'_>)) -> ModelProto {
    let mut io = Io {
        recording: None,
        data: Vec::new(),
    };
    program(&mut io);
    let graph = GraphProto {
        initializer: io.data,
        name: "data".into(),
        ..GraphProto::default()
    };
    ModelProto {
        ir_version: 8,
        graph: Some(graph),
        ..ModelProto::default()
    }
}

fn record(recording: &Recording, program: impl FnOnce(&mut Io<'_>)) {
    let mut io = Io {
        recording: Some(recording),
        data: Vec::new(),
    };
    recording.scope(|| program(&mut io));
}

impl Cases {
    pub fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("onnx-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Cases {
            folder,
            errors: Vec::new(),
        }
    }

    /// Saves a model, and the numbers of the program. What goes wrong is told at the end, with all the rest.
    fn add(
        &mut self,
        name: &str,
        model: impl FnOnce() -> Result<ModelProto, OnnxError>,
        data: &[(usize, &dyn Fn(&mut Io<'_>))],
    ) -> ModelProto {
        let model = match catch_unwind(AssertUnwindSafe(model)) {
            Ok(Ok(model)) => model,
            Ok(Err(error)) => {
                self.errors.push(format!("{name}: {error}"));
                return ModelProto::default();
            }
            Err(_) => {
                self.errors.push(format!("{name}: it panics"));
                return ModelProto::default();
            }
        };
        model
            .save(self.folder.join(format!("{name}.onnx")))
            .unwrap();
        for (batch, program) in data {
            let file = self.folder.join(format!("{name}.{batch}.data"));
            eager(program).save(file).unwrap();
        }
        model
    }

    /// A program of fixed sizes.
    pub fn run(&mut self, name: &str, program: impl Fn(&mut Io<'_>)) -> ModelProto {
        let recording = Recording::new();
        let model = || {
            record(&recording, &program);
            onnx::model(&recording)
        };
        self.add(name, model, &[(0, &program)])
    }

    /// A program that is written for every batch, and tried with three.
    pub fn batched(&mut self, name: &str, program: impl Fn(&mut Io<'_>, usize)) -> ModelProto {
        let of = |batch: usize| {
            let program = &program;
            move |io: &mut Io<'_>| program(io, batch)
        };
        let model = || onnx::export(|recording, batch| record(recording, of(batch)));
        let sizes = [1, 3, 8].map(|batch| (batch, of(batch)));
        let data = sizes
            .each_ref()
            .map(|(b, p)| (*b, p as &dyn Fn(&mut Io<'_>)));
        self.add(name, model, &data)
    }

    /// The operators of a model are as they should be.
    pub fn expect(
        &mut self,
        name: &str,
        model: &ModelProto,
        is_right: impl FnOnce(&[&str]) -> bool,
    ) {
        let all = operators(model);
        if !is_right(&all) {
            self.errors
                .push(format!("{name} has the operators {all:?}"));
        }
    }

    /// The same, where numbers agree to a part in 1000 only.
    pub fn loose(&mut self, name: &str) {
        std::fs::write(self.folder.join(format!("{name}.loose")), "").unwrap();
    }

    /// Has all models checked.
    pub fn check(mut self) {
        let python = std::env::var_os("DIFFERENTIABLE_PYTHON").unwrap_or_else(|| "python3".into());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check.py");
        let output = Command::new(&python).arg(script).arg(&self.folder).output();
        match output {
            Ok(output) if output.status.code() != Some(77) => {
                self.errors
                    .push(String::from_utf8_lossy(&output.stderr).into());
                println!("{}", String::from_utf8_lossy(&output.stdout));
            }
            _ => eprintln!(
                "skipped: {} has no packages `onnx` and `onnxruntime`; install them with pip, or name an interpreter that has \
                 them in DIFFERENTIABLE_PYTHON",
                python.display()
            ),
        }
        self.errors.retain(|e| !e.is_empty());
        assert!(self.errors.is_empty(), "{}", self.errors.join("\n"));
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

/// The operators of a model.
fn operators(model: &ModelProto) -> Vec<&str> {
    let nodes = model.graph.iter().flat_map(|g| &g.node);
    nodes.map(|n| n.op_type.as_str()).collect()
}

/// Numbers between −2 and 2 that repeat nowhere.
pub fn wave(i: usize) -> f32 {
    2.0 * ((i * 37 % 101) as f32 / 17.0 + 0.013 * i as f32).sin()
}

/// Values, and the cotangents of all inputs: `name (inputs; integers) -> sizes = value;`.
#[macro_export]
macro_rules! rules {
    ($cases:ident; $(
        $name:ident ($($x:ident: [$($d:tt)*]),* $(; $($i:ident: [$($e:tt)*] below $n:literal),*)?) -> [$($o:tt)*] = $body:expr;
    )*) => { $({
        #[differentiable]
        fn program($($x: &Tensor![$($d)*],)* $($(#[constant] $i: &Tensor![i64; $($e)*]),*)?) -> Tensor![$($o)*] {
            $body
        }
        $cases.run(stringify!($name), |io| {
            let mut _shift = 0;
            $(
                _shift += 11;
                let $x: Tensor![$($d)*] = Tensor::from_fn(|k| $crate::harness::wave(k + _shift));
                let $x = io.input(stringify!($x), &$x);
            )*
            $($(
                let $i: Tensor![i64; $($e)*] = Tensor::from_fn(|k| (k * 7 % $n) as i64);
                let $i = io.input(stringify!($i), &$i);
            )*)?
            let (y, pull) = program::vjp($(&$x,)* $($(&$i),*)?);
            io.output("value", &y);
            #[allow(unused_parens, reason = "of one input there is no tuple")]
            let ($($x),*) = pull(&y * 0.5 + 0.1);
            $(io.output(concat!("d_", stringify!($x)), &$x);)*
        });
    })* };
}

impl Io<'_> {
    /// The parameters of a module, each with its name.
    pub fn outputs<M: Module>(&mut self, net: &M) {
        use differentiable::device::{Backend, Float};
        use differentiable::nn::{Path, Visitor};
        use differentiable::tensor::Raw;
        use std::any::Any;
        struct Each<'i, 'r>(&'i mut Io<'r>);
        impl Visitor for Each<'_, '_> {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
                let value = (value as &dyn Any)
                    .downcast_ref::<Raw<f32, Device>>()
                    .unwrap();
                let name = format!("out.{name}");
                // The shape does not matter: a row of all elements.
                let flat = value.reshape([value.numel()]);
                self.0.output(
                    &name,
                    &Tensor::<shape![All], f32>::new((All(flat.numel()),), flat),
                );
            }
        }
        net.visit(&mut Path::default(), &mut Each(self));
    }
}

dim!(All);
