//! Batches read by the thread that asks for them.

use super::{Fetch, Job};
use crate::data::collate::Collator;
use crate::data::{DataError, Dataset};

/// Reads a batch when it is asked for, in the thread of the caller: what a [`Loader`](super::Loader) begins with.
#[derive(Clone, Copy, Debug, Default)]
pub struct InPlace;

impl<D: Dataset, C: Collator<D::Item>> Fetch<D, C> for InPlace {
    fn fetch(
        &self,
        job: Job<D, C>,
    ) -> impl Iterator<Item = Result<C::Batch, DataError>> + use<D, C> {
        (0..job.plan.len()).filter_map(move |number| job.batch(number, || true))
    }
}
