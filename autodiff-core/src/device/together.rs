//! What optimisers do with many tensors: a GPU starts it for all of them at once.
//!
//! Elsewhere each tensor is on its own, and these functions say so by `None`.

use super::{Backend, Device, Float};
use crate::tensor::raw::Raw;
use core::any::Any;

#[cfg(feature = "cuda")]
use super::cuda::{self, Captive};

/// Takes the steps of an optimiser for many tensors: those of one kind share launches. Gradients are multiplied by `factor`
/// where they are read, if the device [`takes_factor`].
pub(crate) fn steps<R>(factor: Option<&Raw<f64, Device>>, f: impl FnOnce() -> R) -> R {
    #[cfg(feature = "cuda")]
    return cuda::together(factor, f);
    #[cfg(not(feature = "cuda"))]
    {
        let _ = factor;
        f()
    }
}

/// Whether the steps of Adam and of gradient descent multiply gradients on this device by the factor.
pub(crate) fn takes_factor(factor: &Raw<f64, Device>, device: &dyn Any) -> bool {
    #[cfg(feature = "cuda")]
    return matches!(device.downcast_ref(), Some(Device::Cuda(cuda)) if *factor.device() == Device::Cuda(cuda.clone()));
    #[cfg(not(feature = "cuda"))]
    {
        let _ = (factor, device);
        false
    }
}

/// A tensor whose squares are summed up with those of others, later; `None` where it is on its own.
pub(crate) fn of_many<T: Float, D: Backend>(x: &Raw<T, D>) -> Option<Box<dyn Any>> {
    #[cfg(feature = "cuda")]
    return {
        let x: &dyn Any = x;
        let x = x.downcast_ref::<Raw<T, Device>>().and_then(cuda::of_many);
        x.map(|x| -> Box<dyn Any> { Box::new(x) })
    };
    #[cfg(not(feature = "cuda"))]
    {
        let _ = x;
        None
    }
}

/// Tensors whose types of elements the code that holds them does not know.
type Parts = Vec<Box<dyn Any>>;

/// The sums of the squares of what [`of_many`] gave; the others come back.
pub(crate) fn squares(parts: Parts) -> (Vec<Raw<f64, Device>>, Parts) {
    #[cfg(feature = "cuda")]
    {
        let (mut many, mut others) = (Vec::new(), Vec::new());
        for part in parts {
            match part.downcast::<Box<dyn Captive>>() {
                Ok(part) => many.push(*part),
                Err(part) => others.push(part),
            }
        }
        (cuda::squares(&many), others)
    }
    #[cfg(not(feature = "cuda"))]
    (Vec::new(), parts)
}

/// What a gradient of this norm is multiplied by for a norm of at most `most`: 1 where the norm is not finite.
pub(crate) fn clip_factor(norm: &Raw<f64, Device>, most: f64) -> Option<Raw<f64, Device>> {
    #[cfg(feature = "cuda")]
    return cuda::clip_factor(norm, most);
    #[cfg(not(feature = "cuda"))]
    {
        let _ = (norm, most);
        None
    }
}
