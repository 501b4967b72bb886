//! Loss and accuracy of every epoch.

use std::fmt;
use std::num::ParseFloatError;
use std::str::FromStr;

/// What the plot shows; kept in checkpoints, so that the plot of a resumed run is complete.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    pub epochs: Vec<EpochResult>,
}

/// Both are taken over the training part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochResult {
    pub loss: f64,
    pub accuracy: f64,
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, EpochResult { loss, accuracy }) in self.epochs.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{loss} {accuracy}")?;
        }
        Ok(())
    }
}

impl FromStr for History {
    type Err = ParseFloatError;
    fn from_str(text: &str) -> Result<Self, ParseFloatError> {
        let numbers = text
            .split_whitespace()
            .map(f64::from_str)
            .collect::<Result<Vec<_>, _>>()?;
        let pairs = numbers.as_chunks().0.iter();
        Ok(History {
            epochs: pairs
                .map(|&[loss, accuracy]| EpochResult { loss, accuracy })
                .collect(),
        })
    }
}
