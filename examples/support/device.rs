//! Devices by their names.

use differentiable::prelude::Device;

/// A device that the program was not built with.
#[derive(Debug, thiserror::Error)]
#[error("there is no device `{found}` in this build, expected one of: cpu")]
pub struct UnknownDevice {
    found: String,
}

/// The device of a name.
///
/// # Errors
/// If this build has no device of that name; the message lists those that it has.
pub fn device(name: &str) -> Result<Device, UnknownDevice> {
    match name {
        "cpu" => Ok(Device::cpu()),
        other => Err(UnknownDevice {
            found: other.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_has_a_name() {
        assert_eq!(device("cpu").unwrap(), Device::cpu());
        let message = device("cuda:0").unwrap_err().to_string();
        assert_eq!(
            message,
            "there is no device `cuda:0` in this build, expected one of: cpu"
        );
    }
}
