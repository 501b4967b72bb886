//! What a run is given.

use crate::recording::{Place, Recorded};
use autodiff_core::device::record::AnyBuffer;
use autodiff_core::device::{Device, Dims};
use autodiff_core::tensor::Tensor;
use core::fmt;

/// The elements of inputs for a run. A tensor of another shape than its input does not compile.
///
/// What is given for an input that the run does not need is not looked at, but its sizes.
#[derive(Default)]
pub struct Feeds {
    pub(super) given: Vec<Given>,
    pub(super) seed: Option<u64>,
}

/// The elements of an input.
pub(super) struct Given {
    pub place: Place,
    pub dims: Dims,
    /// Brings them to a device.
    pub bring: Box<dyn Fn(&Device) -> AnyBuffer>,
}

impl fmt::Debug for Feeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feeds")
            .field("inputs", &self.given.len())
            .field("seed", &self.seed)
            .finish()
    }
}

impl Feeds {
    /// None.
    pub fn new() -> Self {
        Feeds::default()
    }

    /// What the run draws (dropout, random tensors) depends on `seed`: the same numbers for the same seed. Without one, each
    /// run draws the numbers that eager code with the recorded seeds has.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The elements of an input; of a variable, for this run alone; or of what an operation makes, which is not computed
    /// then, nor what only it needs. Where sizes are known at run time only, the run compares them.
    ///
    /// ```
    /// use differentiable::graph::{Feeds, Recording, Session};
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![2] = recording.input("x", Default::default());
    /// let hidden = x.exp();
    /// let y = &hidden * 2.0;
    /// let mut session = Session::new(&recording, &Device::cpu());
    /// // `x` is not needed, and not given.
    /// let y = session.run(&y, &Feeds::new().with(&hidden, &tensor([1.0, 2.0])))?;
    /// assert_eq!(y.to_vec(), [2.0, 4.0]);
    /// # Ok::<(), differentiable::graph::GraphError>(())
    /// ```
    ///
    /// # Panics
    /// If `input` is not recorded, or only a view of what was.
    #[must_use]
    #[track_caller]
    pub fn with<I: Recorded>(
        mut self,
        input: &I,
        elements: &Tensor<I::Shape, I::Elem>,
    ) -> Self {
        let elements = elements.raw().clone();
        self.given.push(Given {
            place: Place::whole(input.tensor().raw(), "the input"),
            dims: *elements.dims(),
            bring: Box::new(move |device| elements.to(device).alone()),
        });
        self
    }
}
