//! What is recorded: inputs, variables, outputs, assignments.

use crate::Graph;
use autodiff_core::device::record::{AnyBuffer, RecordedBuf, Recorder, Scope};
use autodiff_core::device::{Backend, Device, DeviceBuf, Dims, Elem, Float, Layout};
use autodiff_core::nn::{Module, Path, Visitor, VisitorMut};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use core::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

/// A program that is recorded.
#[derive(Debug)]
pub struct Recording {
    recorder: Recorder,
    device: Device,
    variables: RefCell<Vec<Variable>>,
}

/// An input with a value of its own, which assignments change.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub value: usize,
    /// Brings its first contents to a device.
    pub first: fn(&AnyBuffer, &Device) -> AnyBuffer,
    /// A buffer that is wherever the tensor was.
    pub contents: AnyBuffer,
}

/// Contents that go into variables when a session runs this: what
/// [`assign`](Recording::assign) returns.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "nothing is assigned until a session runs it"]
pub struct Assign {
    /// The variable and the value that it gets.
    pub(super) pairs: Vec<(Place, Place)>,
}

impl Assign {
    /// Both.
    pub fn and(mut self, other: Assign) -> Assign {
        self.pairs.extend(other.pairs);
        self
    }
}

/// A tensor on a device, whose buffer has its elements alone and in row-major order.
struct Held<T: Elem>(Raw<T, Device>);

fn first<T: Elem>(contents: &AnyBuffer, device: &Device) -> AnyBuffer {
    let held = contents.downcast_ref::<Held<T>>();
    held.expect("contents of the type of the variable")
        .0
        .to(device)
        .alone()
}

impl Default for Recording {
    fn default() -> Self {
        Recording::new()
    }
}

impl Recording {
    /// An empty one.
    pub fn new() -> Self {
        let recorder = Recorder::new();
        Recording {
            device: Device::Recorder(recorder.clone()),
            recorder,
            variables: RefCell::default(),
        }
    }

    /// The device whose operations are recorded.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Runs `f`, in which new tensors (`Tensor::zeros()`, `Linear::new(..)`) are recorded.
    pub fn scope<R>(&self, f: impl FnOnce() -> R) -> R {
        self.device.scope(f)
    }

    /// Runs `f`, and gives a name to what it records: `name/..` in texts and pictures. Annotated functions have the scopes
    /// that bear their names.
    pub fn named<R>(&self, name: &str, f: impl FnOnce() -> R) -> R {
        let _scope = Scope::enter(name.to_owned());
        self.scope(f)
    }

    /// A tensor whose elements each run is given.
    #[must_use]
    pub fn input<S: Shape, T: Elem>(&self, name: &str, shape: S) -> Tensor<S, T> {
        Tensor::new(shape, self.raw_input(name, shape.dims()))
    }

    fn raw_input<T: Elem>(&self, name: &str, dims: Dims) -> Raw<T, Device> {
        let buffer: RecordedBuf<T> = self.recorder.input(name, dims);
        let buffer = Arc::new(DeviceBuf::Recorded(buffer));
        Raw::from_shared(&self.device, buffer, Layout::dense(dims))
    }

    /// A tensor that stays from run to run: it begins as `first`, and [`assign`](Recording::assign) changes it.
    #[must_use]
    pub fn variable<S: Shape, T: Elem>(&self, name: &str, first: &Tensor<S, T>) -> Tensor<S, T> {
        Tensor::new(first.shape(), self.raw_variable(name, first.raw()))
    }

    fn raw_variable<T: Elem>(&self, name: &str, contents: &Raw<T, Device>) -> Raw<T, Device> {
        let raw = self.raw_input(name, *contents.dims());
        self.variables.borrow_mut().push(Variable {
            value: Place::of(&raw, name).value,
            first: first::<T>,
            contents: Arc::new(Held(contents.clone())),
        });
        raw
    }

    /// A module whose parameters and buffers are variables, with their names.
    #[must_use]
    pub fn module<M: Module + Clone>(&self, net: &M) -> M {
        struct Replace<'r>(&'r Recording);
        impl VisitorMut for Replace<'_> {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
                if let Some(raw) = (value as &mut dyn Any).downcast_mut::<Raw<T, Device>>() {
                    *raw = self.0.raw_variable(name.as_str(), raw);
                }
            }
        }
        let (mut net, mut replace) = (net.clone(), Replace(self));
        net.visit_mut(&mut Path::default(), &mut replace);
        net.visit_buffers_mut(false, &mut Path::default(), &mut replace);
        net
    }

    /// Names a tensor.
    ///
    /// # Panics
    /// If it is not recorded here.
    pub fn output<S: Shape, T: Elem>(&self, name: &str, x: &Tensor<S, T>) {
        let view = x.raw().view();
        match view.buf {
            DeviceBuf::Recorded(buf) => self.recorder.output(
                name,
                autodiff_core::device::View {
                    buf,
                    layout: view.layout,
                },
            ),
            _ => panic!("`{name}` is not recorded: it is on {}", x.device()),
        }
    }

    /// Gives a variable new contents when a session runs the result. All values are computed with the contents from
    /// before.
    ///
    /// # Panics
    /// If the first is no variable of this recording, or the second is recorded elsewhere or not at all.
    #[track_caller]
    pub fn assign<S: Shape, T: Elem>(
        &self,
        variable: &Tensor<S, T>,
        contents: &Tensor<S, T>,
    ) -> Assign {
        self.pair(variable.raw(), contents.raw(), "the variable")
    }

    #[track_caller]
    fn pair<T: Elem>(
        &self,
        variable: &Raw<T, Device>,
        contents: &Raw<T, Device>,
        name: &str,
    ) -> Assign {
        let place = Place::whole(variable, name);
        let value = place.within(&self.recorder, name);
        let is_variable = self.variables.borrow().iter().any(|v| v.value == value);
        assert!(is_variable, "{name} is no variable of this recording");
        assert_eq!(
            variable.dims().as_slice(),
            contents.dims().as_slice(),
            "{name} has the sizes on the left, and is assigned a tensor with those on the right"
        );
        let what = format!("what is assigned to {name}");
        Place::of(contents, &what).within(&self.recorder, &what);
        let contents = Raw::from_shared(
            &self.device,
            contents.alone(),
            Layout::dense(*contents.dims()),
        );
        Assign {
            pairs: vec![(place, Place::of(&contents, &what))],
        }
    }

    /// Gives the variables of a module from [`module`](Recording::module) the parameters and buffers of another one, such as
    /// that after the step of an optimiser.
    ///
    /// # Panics
    /// If the two do not have the same parameters.
    pub fn assign_all<M: Module>(&self, net: &M, after: &M) -> Assign {
        struct Collect(Vec<(String, Box<dyn Any>)>);
        impl Visitor for Collect {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
                self.0
                    .push((name.as_str().to_owned(), Box::new(value.clone())));
            }
        }
        struct Join<'r>(
            &'r Recording,
            std::vec::IntoIter<(String, Box<dyn Any>)>,
            Assign,
        );
        impl Visitor for Join<'_> {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
                let name = format!("`{name}`");
                let (_, contents) = self
                    .1
                    .next()
                    .unwrap_or_else(|| panic!("{name} is missing in the other module"));
                let of = |x: &dyn Any| x.downcast_ref::<Raw<T, Device>>().cloned();
                if let (Some(variable), Some(contents)) = (of(value), of(&*contents))
                    && Place::of(&variable, &name) != Place::of(&contents, &name)
                {
                    let pair = self.0.pair(&variable, &contents, &name);
                    self.2.pairs.extend(pair.pairs);
                }
            }
        }
        let mut all = Collect(Vec::new());
        after.visit(&mut Path::default(), &mut all);
        after.visit_buffers(false, &mut Path::default(), &mut all);
        let mut join = Join(self, all.0.into_iter(), Assign::default());
        net.visit(&mut Path::default(), &mut join);
        net.visit_buffers(false, &mut Path::default(), &mut join);
        assert!(
            join.1.next().is_none(),
            "the other module has more parameters"
        );
        join.2
    }

    /// What was recorded until now.
    pub fn graph(&self) -> Graph {
        Graph::new(self.recorder.graph())
    }

    /// The variables with their first contents, on the host.
    #[doc(hidden)]
    pub fn contents(&self) -> Vec<(usize, AnyBuffer)> {
        let variables = self.variables.borrow();
        let host = Device::cpu();
        let first = variables.iter().map(|v| (v.value, (v.first)(&v.contents, &host)));
        first.collect()
    }

    pub(super) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    pub(super) fn variables(&self) -> Vec<Variable> {
        self.variables.borrow().clone()
    }
}

/// A value of a recording, which knows whose it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub recorder: Recorder,
    pub value: usize,
}

impl Place {
    /// Where a recorded tensor is.
    ///
    /// # Panics
    /// If it is not recorded.
    #[track_caller]
    pub fn of<T: Elem>(x: &Raw<T, Device>, what: &str) -> Self {
        match (x.device(), x.view().buf) {
            (Device::Recorder(recorder), DeviceBuf::Recorded(buf)) => Place {
                recorder: recorder.clone(),
                value: buf.value(),
            },
            (device, _) => panic!("{what} is not recorded: it is on {device}"),
        }
    }

    /// Where a tensor is that is all of its value, in row-major order, as an input or a variable is: not a part of one, nor
    /// a transpose.
    ///
    /// # Panics
    /// If it is not.
    #[track_caller]
    pub fn whole<T: Elem>(x: &Raw<T, Device>, what: &str) -> Self {
        assert!(
            x.is_alone(),
            "{what} is a part or another view of a recorded tensor, expected the tensor itself"
        );
        Place::of(x, what)
    }

    /// Its number in the graph of `recorder`.
    ///
    /// # Panics
    /// If it is of another recording.
    #[track_caller]
    pub fn within(&self, recorder: &Recorder, what: &str) -> usize {
        assert!(
            self.recorder == *recorder,
            "{what} belongs to another recording"
        );
        self.value
    }
}
