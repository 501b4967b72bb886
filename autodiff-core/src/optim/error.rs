use crate::device::DeviceError;
use crate::nn::Kind;
use thiserror::Error;

/// Why an optimiser could not do a step. The parameters are as they were before.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OptimizerError {
    /// The pattern of a group fits no parameter of the model.
    #[error("the pattern `{pattern}` matches no parameter{}", listed(nearest))]
    NoMatch {
        /// The pattern.
        pattern: String,
        /// Names of parameters that differ from it in few characters.
        nearest: Vec<String>,
    },
    /// The schedule gives what is no factor.
    #[error(
        "the schedule gives the factor {found} in step {step}, expected a finite number of at least 0"
    )]
    Factor {
        /// The step, from 0.
        step: u64,
        /// What it gives.
        found: f64,
    },
    /// A parameter has another element type, device or other sizes than in the steps before.
    #[error("parameter `{name}` is now {found} and was {expected}: an optimiser serves one model")]
    Changed {
        /// The parameter.
        name: String,
        /// What it was.
        expected: Kind,
        /// What it is.
        found: Kind,
    },
    /// An enum of the model is of another variant than in the steps before.
    #[error(
        "`{name}` is now of the variant `{found}` and was `{expected}`: an optimiser serves one model"
    )]
    Variant {
        /// The enum: the fields that lead to it, or nothing for the model itself.
        name: String,
        /// What it was.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The model has other parameters than in the steps before.
    #[error(
        "the model had and has not the same parameters, such as `{name}`: an optimiser serves one model"
    )]
    Parameters {
        /// A parameter that is new or gone.
        name: String,
    },
    /// The update of an entry depends on other entries of its parameter, so a share of them is not enough.
    #[error(
        "{algorithm} needs whole parameters, and ranks would each have a part of them: use an optimiser that updates each entry for itself, such as AdamW, or share no state"
    )]
    Whole {
        /// The optimiser.
        algorithm: &'static str,
    },
    /// The optimiser takes steps with all parameters only.
    #[error(
        "this optimiser takes steps with all parameters, and this rank has some of them: use one of this library as it is"
    )]
    Some,
    /// Other ranks, which have parts of the parameters, could not take part.
    #[error("the ranks cannot take the step together: {why}")]
    Ranks {
        /// The error of the call.
        why: String,
    },
    /// A step within a function of [`Device::capture`](crate::device::Device::capture).
    #[error(
        "an optimiser takes a step within a captured function, which would repeat its learning rate and step count: take it \
         after the call, with the gradient that the call gives"
    )]
    Captured,
    /// The norm of the gradient was asked of a device on which an operation before had failed.
    #[error(transparent)]
    OnDevice(#[from] DeviceError),
}

fn listed(nearest: &[String]) -> String {
    match nearest {
        [] => ": the model has none".to_string(),
        names => format!("; the nearest are `{}`", names.join("`, `")),
    }
}
