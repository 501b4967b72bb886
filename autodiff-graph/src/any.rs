//! Tensors and buffers whose type of elements the code that holds them does not know.

use autodiff_core::ad::{Mixed, Tangent, map_tensors};
use autodiff_core::device::record::{AnyBuffer, GraphError, Recorder};
use autodiff_core::device::{Backend, DType, Device, DeviceBuf, Dims, Elem, Float, Layout};
use autodiff_core::nn::{Module, Path, VisitorMut};
use autodiff_core::tensor::Raw;
use core::any::Any;
use half::{bf16, f16};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Runs code for the type of elements that a [`DType`] names; the second expression is for types that no tensor of a
/// recording has.
macro_rules! by_dtype {
    ($dtype:expr, $T:ident => $then:expr, else $other:expr) => {
        $crate::any::by_dtype! { $dtype, $T => $then, else $other;
            F32 f32, F64 f64, Bf16 half::bf16, F16 half::f16, I64 i64, U32 u32, U8 u8, Bool bool,
            MixedBf16 autodiff_core::ad::Mixed<half::bf16>, MixedF16 autodiff_core::ad::Mixed<half::f16>
        }
    };
    ($dtype:expr, $T:ident => $then:expr, else $other:expr; $($D:ident $t:ty),*) => {
        match $dtype {
            $(autodiff_core::device::DType::$D => {
                type $T = $t;
                $then
            })*
            _ => $other,
        }
    };
}
pub(crate) use by_dtype;

/// A [`Raw`] of some type of elements.
pub trait AnyTensor: Any {
    fn device(&self) -> &Device;
    fn dtype(&self) -> DType;
    fn layout(&self) -> &Layout;
    /// The number of its value, if it is recorded.
    fn value(&self) -> Option<usize>;
    /// Makes it all of a buffer, in row-major order.
    fn lie_alone(&mut self);
    /// Makes it a recorded value of the same type and sizes.
    fn point(&mut self, recorder: &Recorder, value: usize);
    /// Makes it a new input of the same type and sizes, whose number comes back.
    fn renew(&mut self, recorder: &Recorder, name: &str) -> usize;
    /// Its elements alone in a buffer of a device.
    fn brought(&self, device: &Device) -> AnyBuffer;
    /// Makes it a buffer with the same layout.
    fn take(&mut self, device: &Device, buffer: AnyBuffer);
}

impl<T: Elem> AnyTensor for Raw<T, Device> {
    fn device(&self) -> &Device {
        Raw::device(self)
    }
    fn dtype(&self) -> DType {
        T::DTYPE
    }
    fn layout(&self) -> &Layout {
        Raw::layout(self)
    }
    fn value(&self) -> Option<usize> {
        match self.view().buf {
            DeviceBuf::Recorded(buf) => Some(buf.value()),
            _ => None,
        }
    }
    fn lie_alone(&mut self) {
        if !self.is_alone() {
            let layout = Layout::dense(*self.dims());
            *self = Raw::from_shared(Raw::device(self), self.alone(), layout);
        }
    }
    fn point(&mut self, recorder: &Recorder, value: usize) {
        let buffer = Arc::new(DeviceBuf::Recorded(recorder.buffer::<T>(value)));
        let device = Device::Recorder(recorder.clone());
        *self = Raw::from_shared(&device, buffer, Layout::dense(*self.dims()));
    }
    fn renew(&mut self, recorder: &Recorder, name: &str) -> usize {
        let buffer = recorder.input::<T>(name, *self.dims());
        let value = buffer.value();
        let device = Device::Recorder(recorder.clone());
        let layout = Layout::dense(*self.dims());
        *self = Raw::from_shared(&device, Arc::new(DeviceBuf::Recorded(buffer)), layout);
        value
    }
    fn brought(&self, device: &Device) -> AnyBuffer {
        self.to(device).alone()
    }
    fn take(&mut self, device: &Device, buffer: AnyBuffer) {
        let buffer: Arc<DeviceBuf<T>> = typed(buffer);
        *self = Raw::from_shared(device, buffer, *Raw::layout(self));
    }
}

/// A type of elements and sizes, as text: `f32 [2, 3]`.
pub(crate) fn kind(dtype: DType, dims: &Dims) -> String {
    format!("{dtype} {:?}", dims.as_slice())
}

/// A buffer with the type of its elements.
pub(crate) fn typed<T: Elem>(buffer: AnyBuffer) -> Arc<DeviceBuf<T>> {
    buffer
        .downcast()
        .expect("a buffer of the type of its value")
}

/// A tensor of a tangent, which the hook of the core knows as `Any`.
fn any_tensor(x: &mut dyn Any) -> Option<&mut dyn AnyTensor> {
    macro_rules! find {
        ($($T:ty),*) => { $(
            if x.is::<Raw<$T, Device>>() {
                return x.downcast_mut::<Raw<$T, Device>>().map(|x| x as &mut dyn AnyTensor);
            }
        )* };
    }
    find!(f32, f64, Mixed<bf16>, Mixed<f16>, bf16, f16);
    None
}

/// Lets `each` change every tensor of a tangent, in order.
///
/// # Panics
/// At a tensor that is not on a device that is chosen at run time.
pub(crate) fn map_tangent<A: Tangent>(
    tangent: A,
    mut each: impl FnMut(&mut dyn AnyTensor) + 'static,
) -> A {
    map_tensors(tangent, move |x| {
        each(any_tensor(x).expect("a tensor on a `Device`, which recordings are made of"));
    })
}

/// The tensors of a tangent, with what `of` reads from each.
pub(crate) fn each_tangent<A: Tangent, R: 'static>(
    tangent: &A,
    of: impl Fn(&dyn AnyTensor) -> R + 'static,
) -> Vec<R> {
    let all = Rc::new(RefCell::new(Vec::new()));
    let found = Rc::clone(&all);
    let _same = map_tangent(tangent.clone(), move |x| found.borrow_mut().push(of(x)));
    all.take()
}

/// A module whose tensors `each` has changed, which is told their names: the parameters, then the buffers.
pub(crate) fn map_module<M: Module + Clone>(
    net: &M,
    each: &mut dyn FnMut(&Path, &mut dyn AnyTensor),
) -> M {
    struct Each<'e>(&'e mut dyn FnMut(&Path, &mut dyn AnyTensor));
    impl VisitorMut for Each<'_> {
        fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &mut Raw<T, D>) {
            if let Some(raw) = (value as &mut dyn Any).downcast_mut::<Raw<T, Device>>() {
                (self.0)(name, raw);
            }
        }
    }
    let (mut net, mut each) = (net.clone(), Each(each));
    net.visit_mut(&mut Path::default(), &mut each);
    net.visit_buffers_mut(false, &mut Path::default(), &mut each);
    net
}

/// The buffer of a value of these sizes, brought from one device to another.
pub(crate) fn bring(
    buffer: &AnyBuffer,
    (dtype, dims): (DType, Dims),
    from: &Device,
    to: &Device,
) -> Result<AnyBuffer, GraphError> {
    if from == to {
        return Ok(Arc::clone(buffer));
    }
    if let Some(stack) = buffer.downcast_ref::<Stack>() {
        return Ok(Arc::new(stack.brought(from, to)?));
    }
    let device = || from.to_string();
    by_dtype!(dtype, T => {
        let buffer = typed::<T>(Arc::clone(buffer));
        let raw = Raw::from_shared(from, buffer, Layout::dense(dims));
        let elements = raw.try_to_vec().map_err(|error| GraphError::Device {
            device: device(),
            error: error.to_string(),
        })?;
        Ok(Raw::from_slice(to, dims, &elements).alone())
    }, else Err(GraphError::Device {
        device: device(),
        error: format!("elements of the type {dtype} are not brought to {to}"),
    }))
}

/// What a loop keeps for its derivative: the buffers of its state before each trip.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    pub kinds: Vec<(DType, Dims)>,
    pub trips: Vec<Vec<AnyBuffer>>,
}

impl Stack {
    fn brought(&self, from: &Device, to: &Device) -> Result<Self, GraphError> {
        let trip = |trip: &Vec<AnyBuffer>| {
            let parts = trip.iter().zip(&self.kinds);
            parts.map(|(b, kind)| bring(b, *kind, from, to)).collect()
        };
        Ok(Stack {
            kinds: self.kinds.clone(),
            trips: self.trips.iter().map(trip).collect::<Result<_, _>>()?,
        })
    }
}
