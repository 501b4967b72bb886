//! Functions as CUDA graphs: what [`Captured`](crate::device::Captured) does on a card.

use super::optim::Job;
use super::*;
use crate::ad::{Tangent, map_tensors};
use crate::device::draws;
use crate::device::elem::Make;
use crate::tensor::raw::Raw;
use core::any::Any;
use differentiable_gpu::Graph;
use std::cell::Cell;
use std::rc::Rc;

/// What a captured function holds for.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Tensors of a type of elements and sizes.
    Tensor(Make, Dims),
    /// One number of the host.
    Number(u64),
}

/// Where a tensor of the state lies.
#[derive(Clone, Debug, PartialEq)]
struct Spot {
    address: u64,
    layout: Layout,
    kind: Kind,
}

/// A tensor that a captured function uses, whatever its elements are, or a number of the host.
pub trait Captive: Any + Send + Sync {
    fn kind(&self) -> Kind;
    /// Where it lies; `None` if that is not on this card. Numbers lie everywhere, at 0.
    fn address(&self, cuda: &Cuda) -> Option<u64>;
    fn layout(&self) -> Layout;
    fn place(&self) -> String;
    fn boxed(&self) -> Box<dyn Captive>;
    /// Whether nothing else has its buffer, whose copy on the host is then forgotten.
    fn is_sole(&mut self) -> bool;
    /// Takes a dense copy in its place.
    fn renew(&mut self);
    /// As one of many whose squares are summed up: the card, the module of the kernel, and where the elements are.
    fn squared(&self) -> Option<(Cuda, Key, Job)>;
    /// Writes the elements of a tensor of the same kind to where this one lies, whoever shares it.
    fn receive(&self, cuda: &Cuda, from: &mut dyn AnyStorage);
}

impl<T: Elem> Captive for Raw<T, Device> {
    fn kind(&self) -> Kind {
        Kind::Tensor(T::MAKE, *self.dims())
    }

    fn address(&self, cuda: &Cuda) -> Option<u64> {
        match self.view().buf {
            DeviceBuf::Cuda(buf) if buf.is_of(cuda) => Some(buf.memory().address()),
            _ => None,
        }
    }

    fn layout(&self) -> Layout {
        *Raw::layout(self)
    }

    fn place(&self) -> String {
        self.device().to_string()
    }

    fn boxed(&self) -> Box<dyn Captive> {
        Box::new(self.clone())
    }

    fn is_sole(&mut self) -> bool {
        match self.sole() {
            Some(DeviceBuf::Cuda(buf)) => {
                buf.forget_mirror();
                true
            }
            Some(_) => true,
            None => false,
        }
    }

    fn renew(&mut self) {
        *self = self.copied();
    }

    fn squared(&self) -> Option<(Cuda, Key, Job)> {
        let Device::Cuda(cuda) = self.device() else {
            return None;
        };
        let dense = self.clone().contiguous();
        let DeviceBuf::Cuda(buf) = dense.view().buf else {
            return None;
        };
        let layout = *Raw::layout(&dense);
        let job = Job::new(&[View { buf, layout }]);
        Some((cuda.clone(), Key::new::<T>("optim", Of::All), job))
    }

    fn receive(&self, cuda: &Cuda, from: &mut dyn AnyStorage) {
        let from: &dyn Any = from;
        let from: &Self = from.downcast_ref().expect("a tensor of the same kind");
        let DeviceBuf::Cuda(to) = self.view().buf else {
            unreachable!("what a graph uses is on its card")
        };
        match from.view().buf {
            DeviceBuf::Cuda(buf) if buf.is_of(cuda) => {
                let layout = *Raw::layout(from);
                elementwise::cast_to(cuda, View { buf, layout }, to, *Raw::layout(self));
            }
            // It is dense then.
            _ => from.read(|data| buffer::write(cuda, data, to)),
        }
    }
}

impl Captive for HostNumber {
    fn kind(&self) -> Kind {
        Kind::Number(self.0)
    }
    fn address(&self, _: &Cuda) -> Option<u64> {
        Some(0)
    }
    fn layout(&self) -> Layout {
        Layout::dense(Dims::SCALAR)
    }
    fn place(&self) -> String {
        "the host".into()
    }
    fn boxed(&self) -> Box<dyn Captive> {
        Box::new(HostNumber(self.0))
    }
    fn is_sole(&mut self) -> bool {
        true
    }
    fn renew(&mut self) {}
    fn squared(&self) -> Option<(Cuda, Key, Job)> {
        None
    }
    fn receive(&self, _: &Cuda, _: &mut dyn AnyStorage) {}
}

/// What a value is made of, in order.
fn kinds(of: &mut dyn ToDevice) -> Vec<Kind> {
    let mut all = Vec::new();
    of.each_storage(&mut |x| all.push(x.captive().kind()));
    all
}

/// What is left of a state if the function panics while it is captured.
struct Kept<'s, S: Clone>(&'s mut S, S);

impl<S: Clone> Drop for Kept<'_, S> {
    fn drop(&mut self) {
        self.0.clone_from(&self.1);
    }
}

/// That a state is on the card.
#[track_caller]
pub(crate) fn check_state(cuda: &Cuda, state: &mut dyn ToDevice) {
    state.each_storage(&mut |x| {
        let x = x.captive();
        assert!(
            x.address(cuda).is_some(),
            "the state of a function that is captured on {cuda} is on {}: bring it there with `.to(&device)`",
            x.place()
        );
    });
}

/// A graph, and where it reads and writes.
pub(crate) struct Taken {
    graph: Graph,
    /// Where the state lies that it was captured with.
    state: Vec<Spot>,
    /// Which of the state it writes.
    written: Vec<bool>,
    /// Where it reads the inputs.
    inputs: Vec<Box<dyn Captive>>,
    draws: Draws,
}

/// Why a state cannot be written back.
const SAME: &str = "a captured function changes how many tensors and numbers its state has";

/// The number that is added to seeds is the card's while a function is captured.
struct Drawing<'c>(&'c Cuda);

impl<'c> Drawing<'c> {
    fn new(cuda: &'c Cuda, shift: &Arc<Numbers<u64>>) -> Self {
        cuda.state().draws = Some(Draws {
            shift: Arc::clone(shift),
            used: false,
        });
        Drawing(cuda)
    }

    /// Whether something was drawn.
    fn used(&self) -> bool {
        let state = self.0.state();
        state.draws.as_ref().is_some_and(|draws| draws.used)
    }
}

impl Drop for Drawing<'_> {
    fn drop(&mut self) {
        self.0.state().draws = None;
    }
}

impl Taken {
    /// Captures a function. Nothing is computed, and the state stays as it is.
    #[track_caller]
    pub fn capture<S, I, V, G>(
        cuda: &Cuda,
        state: &mut S,
        inputs: &I,
        function: &dyn Fn(&mut S, &I) -> (V, G),
    ) -> Result<(Self, (V, G)), DeviceError>
    where
        S: ToDevice + Clone,
        I: ToDevice + Clone,
        V: ToDevice,
        G: Tangent,
    {
        cuda.fault()?;
        let device = Device::Cuda(cuda.clone());
        // Memory of the graph's own, from the usual pool.
        let mut own = inputs.to(&device);
        own.each_storage(&mut |x| x.captive().renew());
        let (mut spots, mut before) = (Vec::new(), Vec::new());
        state.each_storage(&mut |x| {
            let x = x.captive();
            spots.push(Spot {
                address: x.address(cuda).unwrap_or_default(),
                layout: x.layout(),
                kind: x.kind(),
            });
            before.push(x.boxed());
        });
        let shift = Arc::new(Numbers::new(&cuda.gpu, 0).map_err(|e| cuda.error(e))?);
        // What the first call has left is of no use for the graph, which has memory of its own.
        cuda.gpu.trim().map_err(|e| cuda.error(e))?;
        let kept = state.clone();
        let kept = Kept(state, kept);
        let mut written = Vec::new();
        let captured = cuda.gpu.capture(|| {
            // One function is captured at a time.
            let drawing = Drawing::new(cuda, &shift);
            let results = draws::captured(|| {
                device.scope(|| {
                    let (value, grad) = function(kept.0, &own);
                    // What is read of the old state is read before the new one takes its place.
                    // They share nothing, neither with each other nor with the state.
                    let results = each_result(value, grad, |x| {
                        if !x.is_sole() {
                            x.renew();
                        }
                    });
                    separate(cuda, &before, kept.0);
                    let mut at = before.iter();
                    kept.0.each_storage(&mut |x| {
                        let before = at.next().map(|x| &**x);
                        written.push(changed(cuda, before.expect(SAME), x));
                    });
                    assert!(at.next().is_none(), "{SAME}");
                    results
                })
            });
            (results, drawing.used())
        });
        drop(kept);
        let (graph, (results, used)) = captured.map_err(|e| {
            // What an operation says that the host waited for is said here.
            cuda.state().fault.take();
            cuda.error(e)
        })?;
        cuda.fault()?;
        let mut inputs = Vec::new();
        own.each_storage(&mut |x| inputs.push(x.captive().boxed()));
        let taken = Taken {
            graph,
            state: spots,
            written,
            inputs,
            draws: Draws { shift, used },
        };
        Ok((taken, results))
    }

    /// Whether these inputs have the sizes and the numbers of those that it was captured with.
    pub fn takes(&self, inputs: &mut dyn ToDevice) -> bool {
        kinds(inputs)
            .into_iter()
            .eq(self.inputs.iter().map(|x| x.kind()))
    }

    /// Whether the state lies where it lay, and nobody else has what the graph writes.
    pub fn fits<V: ToDevice, G: Tangent>(
        &self,
        cuda: &Cuda,
        state: &mut dyn ToDevice,
        value: V,
        grad: G,
    ) -> (bool, (V, G)) {
        let (mut at, mut fits) = (0, true);
        state.each_storage(&mut |x| {
            let x = x.captive();
            let same = self.state.get(at).is_some_and(|spot| {
                Some(spot.address) == x.address(cuda)
                    && spot.layout == x.layout()
                    && spot.kind == x.kind()
            });
            let written = self.written.get(at).is_some_and(|w| *w);
            at += 1;
            if written && !(x.is_sole() && x.layout().is_contiguous()) {
                x.renew();
                fits = false;
            }
            fits &= same;
        });
        fits &= at == self.state.len();
        let sole = Rc::new(Cell::new(true));
        let found = Rc::clone(&sole);
        let results = each_result(value, grad, move |x| found.set(found.get() & x.is_sole()));
        (fits && sole.get(), results)
    }

    /// Copies the inputs to where the graph reads them, and starts it.
    pub fn run(
        &self,
        cuda: &Cuda,
        shift: u64,
        inputs: &mut dyn ToDevice,
    ) -> Result<(), DeviceError> {
        cuda.fault()?;
        let mut own = self.inputs.iter();
        inputs.each_storage(&mut |x| {
            let own = own.next().expect("as many inputs as before");
            own.receive(cuda, x);
        });
        if self.draws.used {
            self.draws.shift.set(shift);
        }
        self.graph.replay();
        Ok(())
    }
}

/// Takes copies of the tensors of a new state that lie where the old state has other ones.
fn separate(cuda: &Cuda, before: &[Box<dyn Captive>], state: &mut dyn ToDevice) {
    let olds: Vec<u64> = before.iter().filter_map(|x| x.address(cuda)).collect();
    let mut at = before.iter();
    state.each_storage(&mut |x| {
        let (x, before) = (x.captive(), at.next());
        let stays = before.is_some_and(|before| lies_there(cuda, &**before, x));
        let place = x.address(cuda).filter(|place| *place != 0);
        if !stays && place.is_some_and(|place| olds.contains(&place)) {
            x.renew();
        }
    });
}

/// Whether a tensor lies where another one lies.
fn lies_there(cuda: &Cuda, a: &dyn Captive, b: &dyn Captive) -> bool {
    a.address(cuda) == b.address(cuda) && a.layout() == b.layout()
}

/// Writes a tensor that a function has put into its state to where the state lies, if it has put one there.
#[track_caller]
fn changed(cuda: &Cuda, before: &dyn Captive, after: &mut dyn AnyStorage) -> bool {
    let now = after.captive();
    let same = lies_there(cuda, before, now);
    let (old, new) = (before.kind(), now.kind());
    assert!(
        old == new,
        "a captured function changes its state from {old:?} to {new:?}: its graph holds for one size and one number"
    );
    if !same {
        before.receive(cuda, after);
    }
    !same
}

/// Lets `each` see and change the tensors of results.
fn each_result<V: ToDevice, G: Tangent>(
    mut value: V,
    grad: G,
    mut each: impl FnMut(&mut dyn Captive) + 'static,
) -> (V, G) {
    value.each_storage(&mut |x| each(x.captive()));
    let grad = map_tensors(grad, move |x| {
        if let Some(x) = captive(x) {
            each(x);
        }
    });
    (value, grad)
}

/// A tensor of a tangent.
fn captive(x: &mut dyn Any) -> Option<&mut dyn Captive> {
    macro_rules! find {
        ($($T:ty),*) => { $(
            if x.is::<Raw<$T, Device>>() {
                return x.downcast_mut::<Raw<$T, Device>>().map(|x| x as &mut dyn Captive);
            }
        )* };
    }
    use crate::ad::Mixed;
    use half::{bf16, f16};
    find!(f32, f64, Mixed<bf16>, Mixed<f16>, bf16, f16);
    None
}
