//! What a run gives.

use crate::any::{AnyTensor, map_tangent};
use crate::recording::{Assign, Place, Step, Train};
use autodiff_core::device::record::{Recorder, Run};
use autodiff_core::device::{Backend, Device, Elem, Float};
use autodiff_core::nn::{Module, Path, Visitor, VisitorMut};
use autodiff_core::optim::Optimizer;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::{Raw, Tensor};
use autodiff_tape::Var;
use core::any::Any;
use std::sync::Arc;

/// What a run gives: recorded tensors, an [`Assign`], a [`Train`], and tuples, arrays, slices and `Vec`s of these, also inside
/// of one another. [`Whole`] fetches all tensors of a module.
pub trait Fetch {
    /// What comes back.
    type Out;
    /// Says what it needs and assigns.
    #[doc(hidden)]
    #[track_caller]
    fn ask(&self, wanted: &mut Wanted<'_>);
    /// Takes it from a run.
    #[doc(hidden)]
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Self::Out;
}

/// The values that are fetched and assigned in a run.
#[doc(hidden)]
#[derive(Debug)]
pub struct Wanted<'s> {
    pub(crate) recorder: &'s Recorder,
    pub(crate) values: Vec<usize>,
    /// Variables, and the values that they get.
    pub(super) assigned: Vec<(usize, usize)>,
    pub(super) steps: Vec<Arc<dyn Step>>,
}

const WHAT: &str = "what is fetched";

impl<'s> Wanted<'s> {
    /// Nothing yet.
    pub(super) fn new(recorder: &'s Recorder) -> Self {
        Wanted {
            recorder,
            values: Vec::new(),
            assigned: Vec::new(),
            steps: Vec::new(),
        }
    }

    #[track_caller]
    fn tensor<T: Elem>(&mut self, x: &Raw<T, Device>) {
        self.values
            .push(Place::of(x, WHAT).within(self.recorder, WHAT));
    }
}

/// The tensor of a run in the place of a recorded one.
fn taken<T: Elem>(x: &Raw<T, Device>, run: &mut Run<'_>, device: &Device) -> Raw<T, Device> {
    let buffer = run.buffer::<T>(Place::of(x, WHAT).value);
    Raw::from_shared(device, buffer, *x.layout())
}

impl<S: Shape, T: Elem> Fetch for Tensor<S, T> {
    type Out = Tensor<S, T>;
    fn ask(&self, wanted: &mut Wanted<'_>) {
        wanted.tensor(self.raw());
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Tensor<S, T> {
        Tensor::new(self.shape(), taken(self.raw(), run, device))
    }
}

impl<S: Shape, T: Elem> Fetch for Var<Tensor<S, T>> {
    type Out = Tensor<S, T>;
    fn ask(&self, wanted: &mut Wanted<'_>) {
        self.value().ask(wanted);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Tensor<S, T> {
        self.value().take(run, device)
    }
}

impl Fetch for Assign {
    type Out = ();
    fn ask(&self, wanted: &mut Wanted<'_>) {
        for (variable, contents) in &self.pairs {
            let variable = variable.within(wanted.recorder, "what is assigned");
            wanted.values.push(contents.value);
            wanted.assigned.push((variable, contents.value));
        }
    }
    fn take(&self, _: &mut Run<'_>, _: &Device) {}
}

impl<M, O> Fetch for Train<M, O>
where
    M: Module + Clone + Send + Sync + 'static,
    M::Tangent: Send + Sync,
    O: Optimizer + Clone + Send + Sync + 'static,
{
    type Out = ();
    fn ask(&self, wanted: &mut Wanted<'_>) {
        assert!(
            self.recorder() == wanted.recorder,
            "what is trained belongs to another recording"
        );
        let step = self.step();
        wanted.values.extend(step.gradients());
        wanted.steps.push(step);
    }
    fn take(&self, _: &mut Run<'_>, _: &Device) {}
}

impl<F: Fetch + ?Sized> Fetch for &F {
    type Out = F::Out;
    fn ask(&self, wanted: &mut Wanted<'_>) {
        (**self).ask(wanted);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> F::Out {
        (**self).take(run, device)
    }
}

impl<F: Fetch> Fetch for [F] {
    type Out = Vec<F::Out>;
    fn ask(&self, wanted: &mut Wanted<'_>) {
        self.iter().for_each(|f| f.ask(wanted));
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Vec<F::Out> {
        self.iter().map(|f| f.take(run, device)).collect()
    }
}

impl<F: Fetch> Fetch for Vec<F> {
    type Out = Vec<F::Out>;
    fn ask(&self, wanted: &mut Wanted<'_>) {
        (**self).ask(wanted);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> Vec<F::Out> {
        (**self).take(run, device)
    }
}

impl<F: Fetch, const N: usize> Fetch for [F; N] {
    type Out = [F::Out; N];
    fn ask(&self, wanted: &mut Wanted<'_>) {
        self.iter().for_each(|f| f.ask(wanted));
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> [F::Out; N] {
        core::array::from_fn(|i| self[i].take(run, device))
    }
}

/// Fetches a module whole: with what its tensors are in the run.
///
/// ```
/// use differentiable::graph::{Feeds, Whole, Recording, Session};
/// use differentiable::prelude::*;
///
/// let recording = Recording::new();
/// let layer = recording.module(&Linear::<2, 3>::new(&mut Seeds::new(0)));
/// let mut session = Session::new(&recording, &Device::cpu());
/// let layer = session.run(Whole(&layer), &Feeds::new())?;
/// assert_eq!(layer.weight.dims().as_slice(), [2, 3]);
/// # Ok::<(), differentiable::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Whole<'m, M>(pub &'m M);

impl<M: Module + Clone> Fetch for Whole<'_, M> {
    type Out = M;
    fn ask(&self, wanted: &mut Wanted<'_>) {
        struct Ask<'w, 's>(&'w mut Wanted<'s>);
        impl Visitor for Ask<'_, '_> {
            fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
                if let Some(raw) = (value as &dyn Any).downcast_ref::<Raw<T, Device>>() {
                    self.0.tensor(raw);
                }
            }
        }
        let mut ask = Ask(wanted);
        self.0.visit(&mut Path::default(), &mut ask);
        self.0.visit_buffers(false, &mut Path::default(), &mut ask);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> M {
        struct Take<'t, 'r>(&'t mut Run<'r>, &'t Device);
        impl VisitorMut for Take<'_, '_> {
            fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &mut Raw<T, D>) {
                if let Some(raw) = (value as &mut dyn Any).downcast_mut::<Raw<T, Device>>() {
                    *raw = taken(raw, self.0, self.1);
                }
            }
        }
        let (mut net, mut take) = (self.0.clone(), Take(run, device));
        net.visit_mut(&mut Path::default(), &mut take);
        net.visit_buffers_mut(false, &mut Path::default(), &mut take);
        net
    }
}

macro_rules! tuples {
    ($(($($F:ident $i:tt),*))*) => { $(
        impl<$($F: Fetch),*> Fetch for ($($F,)*) {
            type Out = ($($F::Out,)*);
            #[allow(unused_variables, reason = "the empty tuple")]
            fn ask(&self, wanted: &mut Wanted<'_>) {
                $(self.$i.ask(wanted);)*
            }
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple")]
            fn take(&self, run: &mut Run<'_>, device: &Device) -> Self::Out {
                ($(self.$i.take(run, device),)*)
            }
        }
    )* };
}
tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}

/// Fetches a tangent whole, such as the gradient of a module: with what its tensors are in the run.
#[derive(Clone, Copy, Debug)]
pub struct Gradient<'m, A>(pub &'m A);

impl<A: autodiff_core::ad::Tangent> Fetch for Gradient<'_, A> {
    type Out = A;
    fn ask(&self, wanted: &mut Wanted<'_>) {
        let recorder = wanted.recorder.clone();
        let values = crate::any::each_tangent(self.0, move |x| match (x.device(), x.value()) {
            (Device::Recorder(r), Some(value)) if *r == recorder => value,
            (Device::Recorder(_), _) => panic!("{WHAT} belongs to another recording"),
            (device, _) => panic!("{WHAT} is not recorded: it is on {device}"),
        });
        wanted.values.extend(values);
    }
    fn take(&self, run: &mut Run<'_>, device: &Device) -> A {
        let values = crate::any::each_tangent(self.0, AnyTensor::value);
        let buffers = values.into_iter().flatten().map(|v| run.any_buffer(v));
        let mut buffers: std::collections::VecDeque<_> = buffers.collect();
        let device = device.clone();
        map_tangent(self.0.clone(), move |x| {
            let buffer = buffers.pop_front().expect("a buffer for each tensor");
            x.take(&device, buffer);
        })
    }
}

/// A module with the contents of variables.
///
/// # Panics
/// If a parameter is none.
#[track_caller]
pub(super) fn contents<M: Module + Clone>(
    net: &M,
    of: &dyn Fn(usize) -> Option<autodiff_core::device::record::AnyBuffer>,
    device: &Device,
) -> M {
    struct Take<'t>(
        &'t dyn Fn(usize) -> Option<autodiff_core::device::record::AnyBuffer>,
        &'t Device,
    );
    impl VisitorMut for Take<'_> {
        fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
            if let Some(raw) = (value as &mut dyn Any).downcast_mut::<Raw<T, Device>>() {
                let place = Place::whole(raw, &format!("`{name}`"));
                let buffer = (self.0)(place.value);
                let buffer =
                    buffer.unwrap_or_else(|| panic!("`{name}` is no variable of this recording"));
                *raw = Raw::from_shared(self.1, crate::any::typed(buffer), *raw.layout());
            }
        }
    }
    let (mut net, mut take) = (net.clone(), Take(of, device));
    net.visit_mut(&mut Path::default(), &mut take);
    net.visit_buffers_mut(false, &mut Path::default(), &mut take);
    net
}
