//! Where recorded tensors are.

use crate::any::AnyTensor;
use autodiff_core::device::record::Recorder;
use autodiff_core::device::{Device, Elem};
use autodiff_core::tensor::Raw;

/// A value of a recording, which knows whose it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub recorder: Recorder,
    pub value: usize,
}

impl Place {
    /// Where a recorded tensor is.
    ///
    /// # Panics
    /// If it is not recorded.
    #[track_caller]
    pub fn of(x: &dyn AnyTensor, what: &str) -> Self {
        match (x.device(), x.value()) {
            (Device::Recorder(recorder), Some(value)) => Place {
                recorder: recorder.clone(),
                value,
            },
            (device, _) => panic!("{what} is not recorded: it is on {device}"),
        }
    }

    /// Where a tensor is that is all of its value, in row-major order, as an input or a variable is: not a part of one, nor
    /// a transpose.
    ///
    /// # Panics
    /// If it is not.
    #[track_caller]
    pub fn whole<T: Elem>(x: &Raw<T, Device>, what: &str) -> Self {
        assert!(
            x.is_alone(),
            "{what} is a part or another view of a recorded tensor, expected the tensor itself"
        );
        Place::of(x, what)
    }

    /// Its number in the graph of `recorder`.
    ///
    /// # Panics
    /// If it is of another recording.
    #[track_caller]
    pub fn within(&self, recorder: &Recorder, what: &str) -> usize {
        assert!(
            self.recorder == *recorder,
            "{what} belongs to another recording"
        );
        self.value
    }
}
