//! Settings of some of the parameters.

use super::pattern::Pattern;
use super::{OptimizerError, check_decay, check_rate};
use std::collections::BTreeMap;

/// What differs for the parameters of a group; see [`Descent::group`](super::Descent::group).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Group {
    rate: Option<f64>,
    decay: Option<f64>,
    frozen: Option<bool>,
    by_element: Option<bool>,
}

impl Group {
    /// A factor on the learning rate.
    ///
    /// # Panics
    /// When it is negative or not finite.
    pub fn rate(mut self, factor: f64) -> Self {
        check_rate(factor);
        self.rate = Some(factor);
        self
    }

    /// The coefficient of weight decay, in place of that of the optimiser.
    ///
    /// # Panics
    /// When it is negative or not finite.
    pub fn decay(mut self, weight_decay: f64) -> Self {
        check_decay(weight_decay);
        self.decay = Some(weight_decay);
        self
    }

    /// Whether the parameters stay as they are: no update, no decay, nothing remembered of them.
    pub fn frozen(mut self, frozen: bool) -> Self {
        self.frozen = Some(frozen);
        self
    }

    /// That each entry is updated for itself also where it is one of a matrix, by a rule that tells them apart.
    pub(super) fn by_element(mut self) -> Self {
        self.by_element = Some(true);
        self
    }

    /// What is set here, and else what was set before.
    fn over(self, before: Group) -> Group {
        Group {
            rate: self.rate.or(before.rate),
            decay: self.decay.or(before.decay),
            frozen: self.frozen.or(before.frozen),
            by_element: self.by_element.or(before.by_element),
        }
    }
}

/// What the groups say of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Resolved {
    /// A factor on the learning rate.
    pub(super) rate: f64,
    pub(super) decay: Option<f64>,
    pub(super) frozen: bool,
    pub(super) by_element: bool,
}

/// The groups of an optimiser, in the order in which they were named.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    all: Vec<(Pattern, Group)>,
    /// Those that are known, so that each name is compared with each pattern once.
    known: BTreeMap<String, Resolved>,
    /// Whether each pattern was found to match something.
    checked: bool,
}

impl Groups {
    pub(super) fn add(&mut self, pattern: impl Into<String>, group: Group) {
        self.all.push((Pattern::new(pattern), group));
        self.known.clear();
        self.checked = false;
    }

    /// The settings of a parameter.
    pub(super) fn of(&mut self, name: &str) -> Resolved {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let matching = self.all.iter().filter(|(pattern, _)| pattern.matches(name));
        let group = matching.fold(Group::default(), |before, (_, group)| group.over(before));
        let resolved = Resolved {
            rate: group.rate.unwrap_or(1.0),
            decay: group.decay,
            frozen: group.frozen.unwrap_or(false),
            by_element: group.by_element.unwrap_or(false),
        };
        self.known.insert(name.to_string(), resolved);
        resolved
    }

    /// Looks once whether each pattern matches one of the names.
    pub(super) fn check(&mut self, names: &dyn Fn() -> Vec<String>) -> Result<(), OptimizerError> {
        if self.checked || self.all.is_empty() {
            return Ok(());
        }
        let names = names();
        for (pattern, _) in &self.all {
            if !names.iter().any(|name| pattern.matches(name)) {
                return Err(OptimizerError::NoMatch {
                    pattern: pattern.as_str().to_string(),
                    nearest: pattern.nearest(names.iter().map(String::as_str)),
                });
            }
        }
        self.checked = true;
        Ok(())
    }
}
