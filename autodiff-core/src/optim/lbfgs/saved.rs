//! What L-BFGS remembers, as a state.

use super::vector::Vector;
use super::{Last, Memory, NAME, Pair};
use crate::nn::{Kind, State, check, tagged};
use crate::optim::group::Groups;
use crate::optim::{OptimizerState, OptimizerStateError, none_left, take_number};
use std::collections::BTreeMap;

const PAIRS: &str = "pairs";
const SCALE: &str = "scale";
const LENGTH: &str = "length";
/// The vectors that are always there.
const LAST: [&str; 2] = ["direction", "gradient"];

/// The numbers of a state.
pub(super) struct Numbers {
    scale: f64,
    length: f64,
}

/// The names of the vectors, for so many pairs.
fn slots(pairs: usize) -> Vec<String> {
    let pairs = (0..pairs).flat_map(|i| [format!("gradient_change_{i}"), format!("change_{i}")]);
    LAST.map(String::from).into_iter().chain(pairs).collect()
}

impl Memory {
    pub(super) fn state(&self) -> OptimizerState {
        let (mut numbers, mut tensors) = (BTreeMap::new(), State::new());
        if let Some(last) = &self.last {
            let pairs = self.pairs.iter().flat_map(|pair| [&pair.y, &pair.s]);
            let vectors = [&last.direction, &last.grad].into_iter().chain(pairs);
            for (slot, vector) in slots(self.pairs.len()).iter().zip(vectors) {
                vector.save(slot, &self.names, &mut tensors);
            }
            numbers.insert(PAIRS.to_string(), self.pairs.len() as f64);
            numbers.insert(SCALE.to_string(), self.scale);
            numbers.insert(LENGTH.to_string(), last.t);
        }
        OptimizerState {
            algorithm: NAME.to_string(),
            steps: self.count,
            numbers,
            tensors,
        }
    }

    /// The vectors and the numbers of a state, if it fits a model with parameters of these kinds.
    pub(super) fn checked(
        groups: &mut Groups,
        kinds: &dyn Fn() -> BTreeMap<String, Kind>,
        state: &OptimizerState,
    ) -> Result<(Vec<String>, Numbers), OptimizerStateError> {
        if state.algorithm != NAME {
            return Err(OptimizerStateError::Algorithm {
                expected: NAME,
                found: state.algorithm.clone(),
            });
        }
        let mut numbers = state.numbers.clone();
        let mut expected = BTreeMap::new();
        let (mut names, mut found) = (Vec::new(), Numbers::new());
        if state.steps > 0 {
            let pairs = take_number(&mut numbers, PAIRS)?;
            found.scale = take_number(&mut numbers, SCALE)?;
            found.length = take_number(&mut numbers, LENGTH)?;
            // As many tensors as there are pairs must be there: a damaged number must not ask for more.
            if !(pairs >= 0.0 && pairs <= state.tensors.len() as f64) {
                return Err(OptimizerStateError::Number {
                    name: PAIRS.to_string(),
                    expected: "the number of changes that were saved",
                    found: pairs.to_string(),
                });
            }
            names = slots(pairs as usize);
            for (param, kind) in kinds() {
                if tagged(&param).is_none() && !groups.of(&param).frozen {
                    let of_param = names.iter().map(|slot| format!("{slot}.{param}"));
                    expected.extend(of_param.map(|name| (name, kind.clone())));
                }
            }
        }
        none_left(&numbers)?;
        check(&expected, &state.tensors)?;
        Ok((names, found))
    }

    /// The memory with these vectors, in the order in which [`state`](Memory::state) saves them.
    pub(super) fn loaded(
        count: u64,
        names: Vec<String>,
        vectors: Vec<Vector>,
        numbers: Numbers,
    ) -> Self {
        let mut vectors = vectors.into_iter();
        let last = vectors.next().zip(vectors.next());
        let mut memory = Memory::new();
        (memory.count, memory.names, memory.scale) = (count, names, numbers.scale);
        memory.last = last.map(|(direction, grad)| Last {
            direction,
            t: numbers.length,
            grad,
        });
        while let Some((y, s)) = vectors.next().zip(vectors.next()) {
            let product = y.dot(&s);
            memory.pairs.push_back(Pair { y, s, product });
        }
        memory
    }
}

impl Numbers {
    fn new() -> Self {
        Numbers {
            scale: 1.0,
            length: 0.0,
        }
    }
}
