//! The device that records.

use super::attr::{Attr, Attribute, Number, Owned, Plain, Seed, region};
use super::graph::{
    Again, Argument, Constant, Graph, Node, NodeOperand, NodeResult, Origin, Output, Value,
};
use super::operand::{Keep, Kept, Ready};
use super::run::{GraphError, Run};
use crate::device::backend::{implement_backend, methods_of_backend};
#[cfg(feature = "fft")]
use crate::device::fourier::methods_of_fourier;
use crate::device::images::methods_of_images;
#[cfg(feature = "linalg")]
use crate::device::linalg::methods_of_linalg;
use crate::device::*;
use core::fmt;
use core::panic::Location;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// A device that computes nothing, and records a [`Graph`]; each has one of its own.
#[derive(Clone)]
pub struct Recorder {
    graph: Arc<Mutex<Graph>>,
}

impl PartialEq for Recorder {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.graph, &other.graph)
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

impl fmt::Display for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the recorder")
    }
}

impl Recorder {
    /// A recorder with an empty graph.
    #[allow(clippy::new_without_default, reason = "each has another graph")]
    pub fn new() -> Self {
        Recorder {
            graph: Arc::default(),
        }
    }

    /// The one of this thread: what one test records is not in the graph of another.
    pub(in crate::device) fn of_thread() -> Self {
        thread_local! {
            static OWN: Recorder = Recorder::new();
        }
        OWN.with(Recorder::clone)
    }

    fn lock(&self) -> MutexGuard<'_, Graph> {
        // What was recorded before a panic is still a graph.
        self.graph.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// What was recorded until now.
    pub fn graph(&self) -> Graph {
        self.lock().clone()
    }

    /// The number of values until now: that of the next one.
    pub fn next_value(&self) -> usize {
        self.lock().values.len()
    }

    /// The buffer of a new input: `dims.numel()` elements in row-major order.
    pub fn input<T: Elem>(&self, name: &str, dims: Dims) -> RecordedBuf<T> {
        self.value(dims.numel(), dims, Origin::Input(name.into()))
    }

    /// Names elements of a buffer.
    ///
    /// # Panics
    /// If the buffer is of another recorder.
    pub fn output<T: Elem>(&self, name: &str, x: View<'_, T, Self>) {
        assert!(
            x.buf.is_of(self),
            "`{name}` was recorded by another recorder"
        );
        self.lock().outputs.push(Output {
            name: name.into(),
            value: x.buf.value,
            layout: x.layout,
        });
    }

    fn value<T: Elem>(&self, len: usize, dims: Dims, origin: Origin) -> RecordedBuf<T> {
        let mut graph = self.lock();
        graph.values.push(Value {
            dtype: T::DTYPE,
            len,
            size: size_of::<T>(),
            dims,
            origin,
        });
        let value = graph.values.len() - 1;
        self.buffer_of(value, len)
    }

    fn buffer_of<T: Elem>(&self, value: usize, len: usize) -> RecordedBuf<T> {
        RecordedBuf {
            recorder: self.clone(),
            value,
            len,
            mirror: OnceLock::new(),
        }
    }

    /// The buffer of a value that [`record`](Recorder::record) made.
    ///
    /// # Panics
    /// If there is no such value, or it has elements of another type.
    pub fn buffer<T: Elem>(&self, value: usize) -> RecordedBuf<T> {
        let (dtype, len) = {
            let graph = self.lock();
            (graph.values[value].dtype, graph.values[value].len)
        };
        assert!(
            dtype == T::DTYPE,
            "value {value} has elements of the type {dtype}"
        );
        self.buffer_of(value, len)
    }

    /// Records an operation that is no method of [`Backend`], such as control flow. It makes new values of the given types and
    /// sizes, whose numbers come back, and `again` is told: it reads its operands from a run, and gives the run these
    /// values.
    #[track_caller]
    pub fn record(
        &self,
        operation: &'static str,
        attributes: Vec<Attr>,
        operands: Vec<NodeOperand>,
        results: &[(&'static str, DType, Dims)],
        again: impl Fn(&mut Run<'_>, &[usize]) -> Result<(), GraphError> + Send + Sync + 'static,
    ) -> Vec<usize> {
        let mut call = Call::new(self, operation);
        call.attributes = attributes;
        call.operands = operands;
        let written: Vec<usize> = results
            .iter()
            .map(|&(name, dtype, dims)| {
                call.graph.values.push(Value {
                    dtype,
                    len: dims.numel(),
                    size: dtype.bytes().unwrap_or(0),
                    dims,
                    origin: Origin::Unwritten,
                });
                let base = call.graph.values.len() - 1;
                call.writes(name, base, Layout::dense(dims))
            })
            .collect();
        let made = written.clone();
        call.finish::<()>(Arc::new(move |run: &mut Run<'_>| again(run, &made)));
        written
    }

    /// What `f` records as a graph of its own, whose values have the numbers that they have here, beside what `f` returns.
    ///
    /// Values from before `f` that the graph reads are inputs of it, unless they are constants. What `f` recorded is not
    /// in the graph of this recorder.
    ///
    /// `operation` is what the body belongs to, for the error of those who use its values elsewhere.
    #[track_caller]
    pub fn body<R>(&self, operation: &'static str, f: impl FnOnce() -> R) -> (R, Graph) {
        /// Takes what was recorded since then out of the graph, also when `f` panics.
        struct Forget<'r> {
            recorder: &'r Recorder,
            nodes: usize,
            values: usize,
            operation: &'static str,
            location: &'static Location<'static>,
        }
        impl Drop for Forget<'_> {
            fn drop(&mut self) {
                let graph = &mut *self.recorder.lock();
                graph.nodes.truncate(self.nodes);
                let name: Arc<str> = format!("a value inside of `{}`", self.operation).into();
                for value in &mut graph.values[self.values..] {
                    if let Origin::Node(_) = value.origin {
                        value.origin = Origin::Input(Arc::clone(&name));
                    }
                }
                let own = self.values..graph.values.len();
                graph.bodies.push((own, self.operation, self.location));
            }
        }
        let (nodes, values) = {
            let graph = self.lock();
            (graph.nodes.len(), graph.values.len())
        };
        let forget = Forget {
            recorder: self,
            nodes,
            values,
            operation,
            location: Location::caller(),
        };
        let result = f();
        let mut inside = Graph::default();
        {
            let graph = &mut *self.lock();
            inside.nodes = graph.nodes.split_off(nodes);
            inside.values = graph.values.clone();
        }
        for (number, value) in inside.values.iter_mut().enumerate() {
            if let Origin::Node(node) = value.origin {
                value.origin = match node.checked_sub(nodes) {
                    Some(node) => Origin::Node(node),
                    None => Origin::Input(format!("outer {number}").into()),
                };
            }
        }
        drop(forget);
        (result, inside)
    }

    /// The elements of a value that depends on constants alone. It is a constant from now on.
    fn known<T: Elem>(&self, value: usize) -> Result<Constant, DeviceError> {
        let mut graph = self.lock();
        if let Origin::Constant(constant) = &graph.values[value].origin {
            return Ok(constant.clone());
        }
        let inputs = graph.inputs_of(value);
        if !inputs.is_empty() {
            let names = inputs.iter().map(|&v| match &graph.values[v].origin {
                Origin::Input(name) => format!("`{name}`"),
                _ => unreachable!("an input"),
            });
            return Err(DeviceError::Recording {
                inputs: names.collect::<Vec<_>>().join(", "),
            });
        }
        let plan = graph.plan(&[value]);
        let mut run = Run::new(&graph, &plan, &Device::Cpu);
        if let Err(error) = run.run() {
            let error = error.to_string();
            return Err(DeviceError::Folding { error });
        }
        let DeviceBuf::Cpu(buffer) = &*run.buffer::<T>(value) else {
            unreachable!("a buffer of the cpu")
        };
        let constant = Constant::new(buffer.to_vec());
        graph.values[value].origin = Origin::Constant(constant.clone());
        Ok(constant)
    }
}

/// A buffer of a [`Recorder`]: the number of a value.
#[derive(Debug)]
pub struct RecordedBuf<T: Elem> {
    recorder: Recorder,
    value: usize,
    len: usize,
    /// The elements, if they are known and one of them was asked for.
    mirror: OnceLock<Vec<T>>,
}

impl<T: Elem> RecordedBuf<T> {
    /// The number of the value in the graph.
    pub fn value(&self) -> usize {
        self.value
    }

    pub(super) fn becomes(&mut self, value: usize) {
        self.value = value;
        self.mirror.take();
    }

    /// Whether it belongs to a recorder.
    pub(in crate::device) fn is_of(&self, recorder: &Recorder) -> bool {
        self.recorder == *recorder
    }
}

/// A node that is recorded.
pub(super) struct Call<'r> {
    graph: MutexGuard<'r, Graph>,
    operation: &'static str,
    attributes: Vec<Attr>,
    operands: Vec<NodeOperand>,
    results: Vec<NodeResult>,
    arguments: Vec<Argument>,
    accumulates: bool,
    location: &'static Location<'static>,
}

impl<'r> Call<'r> {
    #[track_caller]
    fn new(recorder: &'r Recorder, operation: &'static str) -> Self {
        Call {
            graph: recorder.lock(),
            operation,
            attributes: Vec::new(),
            operands: Vec::new(),
            results: Vec::new(),
            arguments: Vec::new(),
            accumulates: false,
            location: Location::caller(),
        }
    }

    pub(super) fn attribute(&mut self, name: &'static str, value: Arc<dyn Attribute>) {
        self.attributes.push(Attr::new(name, value));
    }

    pub(super) fn number(&mut self, name: &'static str, x: f64) {
        self.attribute(name, Arc::new(x));
        self.argument(Argument::Number(x));
    }

    pub(super) fn argument(&mut self, argument: Argument) {
        self.arguments.push(argument);
    }

    pub(super) fn reads(&mut self, name: &'static str, value: usize, layout: Layout) {
        self.argument(Argument::Read(self.operands.len()));
        self.operands.push(NodeOperand {
            name,
            value,
            layout,
        });
    }

    pub(super) fn writes(&mut self, name: &'static str, base: usize, layout: Layout) -> usize {
        let value = self.graph.values.len();
        let before = &self.graph.values[base];
        let (dtype, len, size) = (before.dtype, before.len, before.size);
        let dims = if layout.numel() == len {
            *layout.dims()
        } else {
            before.dims
        };
        let origin = Origin::Node(self.graph.nodes.len());
        self.graph.values.push(Value {
            dtype,
            len,
            size,
            dims,
            origin,
        });
        self.argument(Argument::Written(self.results.len()));
        self.results.push(NodeResult {
            name,
            value,
            base,
            layout,
        });
        value
    }

    pub(super) fn accumulates(&mut self) {
        self.accumulates = true;
    }

    fn finish<A: Answer>(mut self, again: Again) -> A {
        let node = Node {
            operation: self.operation,
            attributes: self.attributes,
            operands: self.operands,
            results: self.results,
            arguments: self.arguments,
            accumulates: self.accumulates,
            location: self.location,
            scope: super::scope::path(),
            again,
        };
        self.graph.nodes.push(node);
        A::UNKNOWN
    }
}

/// What an operation answers.
trait Answer {
    /// As the recorder gives it, which knows of no error.
    const UNKNOWN: Self;
    /// The error, when it runs.
    fn check(self, operation: &'static str, location: &Location<'_>) -> Result<(), GraphError>;
}

impl Answer for () {
    const UNKNOWN: Self = ();
    fn check(self, _: &'static str, _: &Location<'_>) -> Result<(), GraphError> {
        Ok(())
    }
}

impl Answer for Result<(), IndexError> {
    const UNKNOWN: Self = Ok(());
    fn check(self, operation: &'static str, location: &Location<'_>) -> Result<(), GraphError> {
        self.map_err(|error| GraphError::Index {
            operation,
            location: location.to_string(),
            error,
        })
    }
}

/// The number of a matrix that could not be factorised.
impl Answer for Option<usize> {
    const UNKNOWN: Self = None;
    fn check(self, operation: &'static str, location: &Location<'_>) -> Result<(), GraphError> {
        self.map_or(Ok(()), |matrix| {
            Err(GraphError::Factorise {
                operation,
                location: location.to_string(),
                matrix,
            })
        })
    }
}

/// A parameter as a node keeps it. Those whose types are parameters of the method are told apart by their names.
macro_rules! own {
    (value $x:ident) => {
        Number($x)
    };
    (alpha $x:ident) => {
        Number($x)
    };
    (beta $x:ident) => {
        Number($x)
    };
    (region $x:ident) => {
        region($x)
    };
    (seed $x:ident) => {
        Seed($x)
    };
    ($name:ident $x:ident) => {
        Plain::own($x)
    };
}

/// Records a call, and how it is made again.
macro_rules! recorded {
    ($this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {{
        let mut call = Call::new($this, stringify!($name));
        let location = call.location;
        $(
            let $p = own!($p $p);
            call.attribute(stringify!($p), $p.attribute());
        )*
        $(let $x = Keep::keep($x, &mut call, stringify!($x));)*
        call.finish(Arc::new(move |run: &mut Run<'_>| {
            $(let mut $x = Kept::ready(&$x, run);)*
            let answer = run.device().$name($(Owned::lend(&$p, run),)* $(Ready::lend(&mut $x)),*);
            $(Ready::settle($x, run);)*
            answer.check(stringify!($name), location)
        }))
    }};
}

methods_of_backend!(implement_backend [Backend for Recorder: recorded {
    type Buf<T: Elem> = RecordedBuf<T>;

    fn current() -> Self {
        Recorder::of_thread()
    }
    fn alloc<T: Elem>(&self, len: usize) -> RecordedBuf<T> {
        self.value(len, Dims::new(&[len]), Origin::Unwritten)
    }
    fn len<T: Elem>(buf: &RecordedBuf<T>) -> usize {
        buf.len
    }
    fn upload<T: Elem>(&self, data: &[T]) -> RecordedBuf<T> {
        let constant = Constant::new(data.to_vec());
        self.value(data.len(), Dims::new(&[data.len()]), Origin::Constant(constant))
    }
    fn download<T: Elem>(&self, x: View<'_, T, Self>) -> Result<Vec<T>, DeviceError> {
        let constant = self.known::<T>(x.buf.value)?;
        let data = Cpu.upload(constant.get::<T>().expect("elements of the type of the buffer"));
        Cpu.download(View { buf: &data, layout: x.layout })
    }
    fn mirror<'b, T: Elem>(&self, buf: &'b RecordedBuf<T>) -> Option<Result<&'b [T], DeviceError>> {
        if buf.mirror.get().is_none() {
            let constant = match self.known::<T>(buf.value) {
                Ok(constant) => constant,
                Err(error) => return Some(Err(error)),
            };
            let data = constant.get::<T>().expect("elements of the type of the buffer");
            return Some(Ok(buf.mirror.get_or_init(|| data.to_vec())));
        }
        buf.mirror.get().map(|data| Ok(data.as_slice()))
    }
}]);
methods_of_images!(implement_backend[Images for Recorder: recorded {}]);
#[cfg(feature = "linalg")]
methods_of_linalg!(implement_backend[Linalg for Recorder: recorded {}]);
#[cfg(feature = "fft")]
methods_of_fourier!(implement_backend[Fourier for Recorder: recorded {}]);

// A type parameter of structs of tensors.
crate::__discrete!([] Recorder);
