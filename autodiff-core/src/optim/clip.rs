//! Gradients of a bounded norm.

use super::part::Part;
use crate::ad::{Factor, SquareSum, Tangent};
use crate::device::{BinaryOp, CompareOp, Device, DeviceError, UnaryOp, together};
use crate::tensor::raw::Raw;
use core::fmt;
use std::sync::Arc;

/// Scales a gradient down to a norm (the root of the sum of squares over all parameters), if it is
/// larger. Returns the gradient and its norm before.
///
/// A gradient with an infinite or NaN norm is returned as it is: the caller decides what to do.
///
/// On a device whose memory the host does not see, nothing is read back: the norm is a number when
/// [`value`](GradNorm::value) asks for it.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::clip_grad_norm;
///
/// let (gradient, norm) = clip_grad_norm((3.0, [4.0_f64]), 1.0);
/// assert_eq!(norm, 5.0);
/// assert!((gradient.0 - 0.6_f64).abs() < 1e-12 && (gradient.1[0] - 0.8).abs() < 1e-12);
/// ```
pub fn clip_grad_norm<G: Tangent>(grad: G, max_norm: f64) -> (G, GradNorm) {
    let mut sum = SquareSum::default();
    grad.add_squares(&mut sum);
    let norm = Norm::of(sum);
    let clipped = match norm.limit(max_norm) {
        Limit::None => grad,
        Limit::Factor(factor) => grad.scale(factor),
        Limit::OnDevice(factor) => grad.scale_by(&Factor {
            host: &|| factor.item(),
            on_device: &factor,
        }),
    };
    (clipped, GradNorm(norm))
}

/// How a gradient is shortened.
pub(super) enum Limit {
    /// It is short enough.
    None,
    /// By a factor that the host knows.
    Factor(f64),
    /// By a factor that a device knows.
    OnDevice(Raw<f64, Device>),
}

/// The norm of a gradient, which a device may know before the host does.
///
/// The one that a step of an optimiser returns is computed when it is asked for, unless clipping needed it. Until it is
/// dropped it shares the memory of the gradient.
#[derive(Clone)]
pub struct GradNorm(Norm);

#[derive(Clone)]
enum Norm {
    Known(f64),
    OnDevice(Raw<f64, Device>),
    /// Of these tensors; nobody has asked for it yet.
    Of(Arc<[Box<dyn Part>]>),
}

impl Norm {
    /// The root of a sum of squares.
    fn of(sum: SquareSum) -> Self {
        let (many, others) = together::squares(sum.on_devices);
        let others = others.into_iter();
        let others = others.filter_map(|part| part.downcast::<Raw<f64, Device>>().ok());
        let mut parts = many.into_iter().chain(others.map(|part| *part));
        let Some(first) = parts.next() else {
            return Norm::Known(sum.host.sqrt());
        };
        let device = first.device().clone();
        let mut squares = parts.fold(first, |sum, part| {
            Raw::binary(BinaryOp::Add, sum, part.to(&device))
        });
        if sum.host != 0.0 {
            squares = squares.binary_scalar(BinaryOp::Add, sum.host);
        }
        Norm::OnDevice(squares.unary(UnaryOp::Sqrt))
    }

    /// How a gradient of this norm becomes one of at most `max_norm`. One that is not finite stays as it is.
    fn limit(&self, max_norm: f64) -> Limit {
        match self {
            Norm::Known(norm) if norm.is_finite() && *norm > max_norm => {
                Limit::Factor(max_norm / norm)
            }
            Norm::Known(_) => Limit::None,
            Norm::OnDevice(norm) => Limit::OnDevice(factor(norm, max_norm)),
            Norm::Of(parts) => Norm::sum(parts).limit(max_norm),
        }
    }

    fn sum(parts: &[Box<dyn Part>]) -> Self {
        let mut sum = SquareSum::default();
        parts.iter().for_each(|part| (**part).add_squares(&mut sum));
        Norm::of(sum)
    }
}

/// The smaller of 1 and `max_norm / norm`; 1 where the norm is not finite.
fn factor(norm: &Raw<f64, Device>, max_norm: f64) -> Raw<f64, Device> {
    if let Some(factor) = together::clip_factor(norm, max_norm) {
        return factor;
    }
    let number = |x| Raw::scalar(norm.device(), x);
    let ratio = Raw::binary(BinaryOp::Div, number(max_norm), norm.clone());
    let smaller = Raw::binary(BinaryOp::Min, ratio, number(1.0));
    let finite = Raw::compare(CompareOp::Lt, norm, &number(f64::INFINITY));
    Raw::select(&finite, &smaller, &number(1.0))
}

impl GradNorm {
    /// That of a gradient with these tensors, which it computes when it is asked for.
    pub(super) fn of(parts: Vec<Box<dyn Part>>) -> Self {
        GradNorm(Norm::Of(parts.into()))
    }

    /// A norm that is known.
    pub(super) fn known(norm: f64) -> Self {
        GradNorm(Norm::Known(norm))
    }

    /// The same, computed now: on the device, if the host does not see the gradient.
    pub(super) fn computed(self) -> Self {
        match self.0 {
            Norm::Of(parts) => GradNorm(Norm::sum(&parts)),
            norm => GradNorm(norm),
        }
    }

    /// How the gradient becomes one of at most `max_norm`.
    pub(super) fn limit(&self, max_norm: f64) -> Limit {
        self.0.limit(max_norm)
    }

    /// The number. The host waits for the device that has it.
    ///
    /// # Panics
    /// If an operation of the device before could not be done, with the error of [`try_value`](GradNorm::try_value).
    #[track_caller]
    pub fn value(&self) -> f64 {
        self.try_value().unwrap_or_else(|e| panic!("{e}"))
    }

    /// The number, or what went wrong on the device before.
    #[track_caller]
    pub fn try_value(&self) -> Result<f64, DeviceError> {
        match &self.0 {
            Norm::Known(norm) => Ok(*norm),
            Norm::OnDevice(norm) => Ok(norm.try_to_vec()?[0]),
            Norm::Of(parts) => GradNorm(Norm::sum(parts)).try_value(),
        }
    }
}

impl From<GradNorm> for f64 {
    fn from(norm: GradNorm) -> f64 {
        norm.value()
    }
}

impl PartialEq<f64> for GradNorm {
    fn eq(&self, other: &f64) -> bool {
        self.value() == *other
    }
}

impl fmt::Debug for GradNorm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.value(), f)
    }
}

/// As the number.
impl fmt::Display for GradNorm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}
