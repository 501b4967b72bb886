//! Variables: inputs with contents of their own.

use super::names::Bearer;
use super::{Place, Recording};
use autodiff_core::device::record::AnyBuffer;
use autodiff_core::device::{Backend, DType, Device, Dims, Elem, Float};
use autodiff_core::nn::{Module, Path, VisitorMut};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use core::any::Any;
use std::sync::Arc;

/// An input with a value of its own, which assignments change.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub value: usize,
    /// The type of its elements, and its sizes.
    pub kind: (DType, Dims),
    /// Brings its first contents to a device.
    pub first: fn(&AnyBuffer, &Device) -> AnyBuffer,
    /// A buffer that is wherever the tensor was.
    pub contents: AnyBuffer,
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

impl Recording {
    /// The variables with their first contents, on the host.
    #[doc(hidden)]
    pub fn contents(&self) -> Vec<(usize, AnyBuffer)> {
        let (noted, host) = (self.noted.lock(), Device::cpu());
        let variables = noted.variables.iter();
        let first = variables.map(|v| (v.value, (v.first)(&v.contents, &host)));
        first.collect()
    }

    /// A tensor that stays from run to run: it begins as `first`, and [`assign`](Recording::assign) and
    /// [`minimize`](Recording::minimize) change it.
    ///
    /// # Panics
    /// If the name is empty, or the name of something else.
    #[must_use]
    #[track_caller]
    pub fn variable<S: Shape, T: Elem>(&self, name: &str, first: &Tensor<S, T>) -> Tensor<S, T> {
        Tensor::new(first.shape(), self.raw_variable(name, first.raw()))
    }

    #[track_caller]
    fn raw_variable<T: Elem>(&self, name: &str, contents: &Raw<T, Device>) -> Raw<T, Device> {
        assert!(
            !matches!(contents.device(), Device::Recorder(_)) || contents.try_to_vec().is_ok(),
            "the first contents of `{name}` depend on an input of a recording, expected a tensor that is known"
        );
        let raw = self.raw_input(name, *contents.dims(), Bearer::Variable);
        self.noted.lock().variables.push(Variable {
            name: name.to_owned(),
            value: Place::of(&raw, name).value,
            kind: (T::DTYPE, *contents.dims()),
            first: first::<T>,
            contents: Arc::new(Held(contents.clone())),
        });
        raw
    }

    /// A module whose parameters and buffers are variables, with their names.
    ///
    /// # Panics
    /// If one of the names is that of something else: a second module gets names of its own from
    /// [`module_as`](Recording::module_as).
    #[must_use]
    #[track_caller]
    pub fn module<M: Module + Clone>(&self, net: &M) -> M {
        self.variables_of("", net)
    }

    /// As [`module`](Recording::module); the variables are named `name.PARAMETER`.
    ///
    /// # Panics
    /// As [`module`](Recording::module).
    #[must_use]
    #[track_caller]
    pub fn module_as<M: Module + Clone>(&self, name: &str, net: &M) -> M {
        self.noted.lock().names.check(name, Bearer::Variable);
        self.variables_of(name, net)
    }

    #[track_caller]
    fn variables_of<M: Module + Clone>(&self, prefix: &str, net: &M) -> M {
        struct Replace<'r>(&'r Recording, &'r str);
        impl VisitorMut for Replace<'_> {
            fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
                if let Some(raw) = (value as &mut dyn Any).downcast_mut::<Raw<T, Device>>() {
                    let name = match (self.1, name.as_str()) {
                        ("", name) => name.to_owned(),
                        (prefix, "") => prefix.to_owned(),
                        (prefix, name) => format!("{prefix}.{name}"),
                    };
                    *raw = self.0.raw_variable(&name, raw);
                }
            }
        }
        let (mut net, mut replace) = (net.clone(), Replace(self, prefix));
        net.visit_mut(&mut Path::default(), &mut replace);
        net.visit_buffers_mut(false, &mut Path::default(), &mut replace);
        net
    }
}
