//! Modules and gradients as the numbers that ranks exchange.

use crate::ad::{Mixed, Tangent, map_tensors};
use crate::device::{Backend, Cpu, Device, Float, Layout};
use crate::dist::{CommError, Kind, Number, Numbers, Pending};
use crate::nn::{Module, Path, Visitor, VisitorMut};
use crate::tensor::Raw;
use core::any::Any;
use half::{bf16, f16};
use std::cell::RefCell;
use std::rc::Rc;

/// A tensor or a number of a module or gradient.
pub(crate) trait Leaf {
    fn kind(&self) -> Kind;
    fn len(&self) -> usize;
    /// Which tensor it is: another one that is alive at the same time has another identity, and so has this one after a change.
    /// Numbers have none.
    fn identity(&self) -> Option<Identity>;
    fn numbers(&self) -> Result<Numbers, String>;
    /// Takes the numbers from the place `at` on, which are of its kind and enough.
    fn set(&mut self, x: &Numbers, at: usize);
    /// A clone, which shares the buffer.
    fn keep(&self) -> Box<dyn Any>;
}

/// A buffer, and what of it: several tensors may be parts of one.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Identity {
    storage: usize,
    layout: Layout,
}

/// An element type, and the numbers that go between ranks in its place.
pub trait Exchanged: Float {
    /// The type of the numbers that travel.
    type As: Number;
    /// As one that travels.
    fn out(self) -> Self::As;
    /// As an element again.
    fn back(x: Self::As) -> Self;
}

macro_rules! exchanged {
    ($($T:ty as $A:ty: |$x:ident| $out:expr, $back:expr;)*) => {
        $(impl Exchanged for $T {
            type As = $A;
            fn out(self) -> $A {
                let $x = self;
                $out
            }
            fn back($x: $A) -> Self {
                $back
            }
        })*

        /// The tensor or number behind a reference, if ranks can exchange it.
        pub(crate) fn leaf(x: &dyn Any) -> Option<&dyn Leaf> {
            $(
                if let Some(x) = x.downcast_ref::<Raw<$T, Device>>() {
                    return Some(x);
                }
                if let Some(x) = x.downcast_ref::<Raw<$T, Cpu>>() {
                    return Some(x);
                }
            )*
            match x.downcast_ref::<f32>() {
                Some(x) => Some(x),
                None => x.downcast_ref::<f64>().map(|x| x as &dyn Leaf),
            }
        }

        /// The same, to be written.
        pub(crate) fn leaf_mut(x: &mut dyn Any) -> Option<&mut dyn Leaf> {
            $(
                if x.is::<Raw<$T, Device>>() {
                    return x.downcast_mut::<Raw<$T, Device>>().map(|x| x as &mut dyn Leaf);
                }
                if x.is::<Raw<$T, Cpu>>() {
                    return x.downcast_mut::<Raw<$T, Cpu>>().map(|x| x as &mut dyn Leaf);
                }
            )*
            if x.is::<f32>() {
                return x.downcast_mut::<f32>().map(|x| x as &mut dyn Leaf);
            }
            x.downcast_mut::<f64>().map(|x| x as &mut dyn Leaf)
        }
    };
}
exchanged! {
    f32 as f32: |x| x, x;
    f64 as f64: |x| x, x;
    Mixed<bf16> as f32: |x| x.get(), Mixed::new(x);
    Mixed<f16> as f32: |x| x.get(), Mixed::new(x);
}

impl<T: Exchanged, D: Backend> Leaf for Raw<T, D> {
    fn kind(&self) -> Kind {
        T::As::KIND
    }
    fn len(&self) -> usize {
        self.numel()
    }
    fn identity(&self) -> Option<Identity> {
        Some(Identity {
            storage: self.storage_id(),
            layout: *self.layout(),
        })
    }
    fn numbers(&self) -> Result<Numbers, String> {
        let x = self.try_to_vec().map_err(|e| e.to_string())?;
        Ok(T::As::wrap(x.into_iter().map(T::out).collect()))
    }
    fn set(&mut self, x: &Numbers, at: usize) {
        let x = T::As::slice(x).expect("of its kind");
        let x = x[at..at + self.numel()].iter();
        let x: Vec<T> = x.map(|x| T::back(*x)).collect();
        *self = Raw::from_slice(self.device(), *self.dims(), &x);
    }
    fn keep(&self) -> Box<dyn Any> {
        Box::new(self.clone())
    }
}

macro_rules! number {
    ($($T:ident)*) => { $(
        impl Leaf for $T {
            fn kind(&self) -> Kind {
                <$T as Number>::KIND
            }
            fn len(&self) -> usize {
                1
            }
            fn identity(&self) -> Option<Identity> {
                None
            }
            fn numbers(&self) -> Result<Numbers, String> {
                Ok(Number::wrap(vec![*self]))
            }
            fn set(&mut self, x: &Numbers, at: usize) {
                *self = <$T as Number>::slice(x).expect("of its kind")[at];
            }
            fn keep(&self) -> Box<dyn Any> {
                Box::new(*self)
            }
        }
    )* };
}
number!(f32 f64);

/// The kinds that parameters and their gradients have.
pub(crate) const KINDS: [Kind; 2] = [Kind::F32, Kind::F64];

/// The numbers of a tensor that was [kept](Leaf::keep).
pub(crate) fn read_kept(kept: Option<&dyn Any>, index: usize) -> Result<Numbers, CommError> {
    let leaf = kept.and_then(leaf);
    leaf.map_or(Err(CommError::Elements { index }), |x| read(x, index))
}

/// Shows every tensor and number of a gradient to `each`, in order, to be changed.
pub(crate) fn map<G: Tangent, S: 'static>(
    grad: G,
    state: S,
    each: impl Fn(&mut S, usize, &mut dyn Leaf) -> Result<(), CommError> + 'static,
) -> Result<(G, S), CommError> {
    let shared = Rc::new(RefCell::new((state, 0, None)));
    let inside = Rc::clone(&shared);
    let grad = map_tensors(grad, move |x| {
        let (state, index, error) = &mut *inside.borrow_mut();
        if error.is_none() {
            *error = match leaf_mut(x) {
                Some(leaf) => each(state, *index, leaf).err(),
                None => Some(CommError::Elements { index: *index }),
            };
        }
        *index += 1;
    });
    let shared = Rc::try_unwrap(shared).unwrap_or_else(|_| unreachable!("the walk is over"));
    let (state, _, error) = shared.into_inner();
    error.map_or(Ok((grad, state)), Err)
}

/// The numbers of a tensor.
pub(crate) fn read(leaf: &dyn Leaf, index: usize) -> Result<Numbers, CommError> {
    leaf.numbers()
        .map_err(|why| CommError::Device { index, why })
}

/// Parameters or buffers of a module.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Which {
    Parameters,
    Buffers,
}

/// The numbers of each parameter of a module, or of each buffer.
pub(crate) fn numbers<M: Module>(model: &M, which: Which) -> Result<Vec<Numbers>, CommError> {
    struct Read(Result<Vec<Numbers>, CommError>);
    impl Visitor for Read {
        fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
            if let Ok(all) = &mut self.0 {
                let index = all.len();
                let numbers = match leaf(value) {
                    Some(leaf) => read(leaf, index),
                    None => Err(CommError::Elements { index }),
                };
                match numbers {
                    Ok(numbers) => all.push(numbers),
                    Err(error) => self.0 = Err(error),
                }
            }
        }
    }
    let mut all = Read(Ok(Vec::new()));
    match which {
        Which::Parameters => model.visit(&mut Path::default(), &mut all),
        Which::Buffers => model.visit_buffers(false, &mut Path::default(), &mut all),
    }
    all.0
}

/// Puts what comes of a call with each parameter, or with each buffer, in its place. The calls run side by side.
pub(crate) fn exchange<M: Module>(
    model: &mut M,
    which: Which,
    begin: impl FnMut(Numbers) -> Pending,
) -> Result<(), CommError> {
    let begun: Vec<Pending> = numbers(model, which)?.into_iter().map(begin).collect();
    let came: Result<Vec<Numbers>, CommError> = begun.into_iter().map(Pending::wait).collect();
    set_numbers(model, which, came?);
    Ok(())
}

/// Writes the numbers of each parameter of a module, or of each buffer.
pub(crate) fn set_numbers<M: Module>(model: &mut M, which: Which, all: Vec<Numbers>) {
    struct Write(std::vec::IntoIter<Numbers>);
    impl VisitorMut for Write {
        fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &mut Raw<T, D>) {
            let (x, leaf) = (self.0.next(), leaf_mut(value));
            if let (Some(x), Some(leaf)) = (x, leaf) {
                leaf.set(&x, 0);
            }
        }
    }
    let mut all = Write(all.into_iter());
    match which {
        Which::Parameters => model.visit_mut(&mut Path::default(), &mut all),
        Which::Buffers => model.visit_buffers_mut(false, &mut Path::default(), &mut all),
    }
}

/// The number of numbers of each parameter.
pub(crate) fn lens<M: Module>(model: &M) -> Vec<usize> {
    struct Lens(Vec<usize>);
    impl Visitor for Lens {
        fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &Raw<T, D>) {
            self.0.push(value.numel());
        }
    }
    let mut lens = Lens(Vec::new());
    model.visit(&mut Path::default(), &mut lens);
    lens.0
}

/// Puts one zero in the place of the numbers of each parameter, whose sizes stay.
pub(crate) fn collapse<M: Module>(model: &mut M) {
    struct Collapse;
    impl VisitorMut for Collapse {
        fn param<T: Float, D: Backend>(&mut self, _: &Path, value: &mut Raw<T, D>) {
            let one = vec![1; value.dims().rank()];
            *value = Raw::zeros(value.device(), one.as_slice()).expand(*value.dims());
        }
    }
    model.visit_mut(&mut Path::default(), &mut Collapse);
}
