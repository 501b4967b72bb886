//! Devices by their names.

use super::Device;
use core::str::FromStr;

/// Why there is no device of a name.
///
/// `cpu` names the processor, and, with the feature `cuda`, `cuda:1` the NVIDIA GPU of that number; `cuda` is the first one.
///
/// ```
/// use differentiable::prelude::*;
///
/// let device: Device = "cpu".parse()?;
/// assert_eq!(device, Device::cpu());
/// # Ok::<(), differentiable::device::DeviceNameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceNameError {
    /// The program was not built with a device of that name.
    #[error("there is no device `{found}` in this build, expected {}", expected())]
    Unknown {
        /// The name.
        found: String,
    },
    /// The GPU cannot be used.
    #[cfg(feature = "cuda")]
    #[error("{name}: {error}")]
    Gpu {
        /// The name.
        name: String,
        /// Why.
        error: Box<differentiable_gpu::GpuError>,
    },
}

fn expected() -> &'static str {
    if cfg!(feature = "cuda") {
        "`cpu`, `cuda`, or `cuda:` and the number of a GPU"
    } else {
        "`cpu`; GPUs come with the feature `cuda`"
    }
}

impl FromStr for Device {
    type Err = DeviceNameError;

    fn from_str(name: &str) -> Result<Self, DeviceNameError> {
        if name == "cpu" {
            return Ok(Device::cpu());
        }
        #[cfg(feature = "cuda")]
        if let Some(number) = name.strip_prefix("cuda")
            && let Some(number) = match number {
                "" => Some(0),
                number => number.strip_prefix(':').and_then(|n| n.parse().ok()),
            }
        {
            return Device::cuda(number).map_err(|error| DeviceNameError::Gpu {
                name: name.to_string(),
                error: Box::new(error),
            });
        }
        Err(DeviceNameError::Unknown {
            found: name.to_string(),
        })
    }
}
