//! Rows that are changed at random, anew in each epoch.

use super::Dataset;
use crate::data::DataError;
use autodiff_nn::nn::Seeds;

/// Rows changed at random: [`Dataset::augment`].
#[derive(Clone, Debug)]
pub struct Augment<D, F> {
    pub(super) data: D,
    pub(super) seed: u64,
    pub(super) f: F,
}

/// Rows changed at random by a function that can fail: [`Dataset::try_augment`].
#[derive(Clone, Debug)]
pub struct TryAugment<D, F> {
    pub(super) data: D,
    pub(super) seed: u64,
    pub(super) f: F,
}

/// The seeds of a row in an epoch. Each number goes through SplitMix64 before the next is added, so that no two pairs of
/// epoch and row in practice begin at the same state, nor one shortly after another.
fn seeds(seed: u64, epoch: u64, row: usize) -> Seeds {
    let mixed = |state: u64, n: u64| Seeds::new(state.wrapping_add(n)).next_seed();
    Seeds::new(mixed(mixed(mixed(0, seed), epoch), row as u64))
}

impl<D: Dataset, U, F: Fn(D::Item, &mut Seeds) -> U> Dataset for Augment<D, F> {
    type Item = U;

    fn len(&self) -> usize {
        self.data.len()
    }

    /// The row of epoch 0.
    fn get(&self, index: usize) -> Result<U, DataError> {
        self.get_in(0, index)
    }

    fn get_in(&self, epoch: u64, index: usize) -> Result<U, DataError> {
        let row = self.data.get_in(epoch, index)?;
        Ok((self.f)(row, &mut seeds(self.seed, epoch, index)))
    }
}

impl<D: Dataset, U, F> Dataset for TryAugment<D, F>
where
    F: Fn(D::Item, &mut Seeds) -> Result<U, DataError>,
{
    type Item = U;

    fn len(&self) -> usize {
        self.data.len()
    }

    /// The row of epoch 0.
    fn get(&self, index: usize) -> Result<U, DataError> {
        self.get_in(0, index)
    }

    fn get_in(&self, epoch: u64, index: usize) -> Result<U, DataError> {
        let row = self.data.get_in(epoch, index)?;
        (self.f)(row, &mut seeds(self.seed, epoch, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_row_of_each_epoch_has_numbers_of_its_own() {
        let data = vec![(); 50].augment(3, |(), seeds| seeds.next_seed());
        let numbers: HashSet<u64> = (0..20)
            .flat_map(|epoch| (0..50).map(move |row| (epoch, row)))
            .map(|(epoch, row)| data.get_in(epoch, row).unwrap())
            .collect();
        assert_eq!(numbers.len(), 20 * 50);
        let other = vec![(); 50].augment(4, |(), seeds| seeds.next_seed());
        assert!(!numbers.contains(&other.get(0).unwrap()));
    }

    #[test]
    fn every_adapter_passes_the_epoch_on() {
        let draw = |(), seeds: &mut Seeds| seeds.next_seed();
        let data = || vec![(); 3].augment(1, draw);
        let expected = data().get_in(7, 2).unwrap();
        assert_ne!(expected, data().get(2).unwrap());
        assert_eq!(data().map(|x| x).get_in(7, 2).unwrap(), expected);
        assert_eq!(data().try_map(Ok).get_in(7, 2).unwrap(), expected);
        assert_eq!(data().subset([2]).unwrap().get_in(7, 0).unwrap(), expected);
        let (first, second) = (data().chain(data()), data().chain(data()));
        assert_eq!(first.get_in(7, 2).unwrap(), expected);
        assert_eq!(second.get_in(7, 5).unwrap(), expected);
        assert_eq!(Dataset::get_in(&&data(), 7, 2).unwrap(), expected);
        assert_eq!(Box::new(data()).get_in(7, 2).unwrap(), expected);
        assert_eq!(std::sync::Arc::new(data()).get_in(7, 2).unwrap(), expected);
        assert_eq!(data().augment(5, |x, _| x).get_in(7, 2).unwrap(), expected);
        let twice = data().try_augment(5, |x, _| Ok(x));
        assert_eq!(twice.get_in(7, 2).unwrap(), expected);
    }
}
