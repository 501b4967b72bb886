//! Loss and accuracy of every epoch.

use anyhow::Result;
use differentiable::io::Checkpoint;
use std::fmt;
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

impl History {
    /// That of a checkpoint. Its entry `epoch` says the same to a human reader, and has to agree.
    pub fn saved(checkpoint: &Checkpoint) -> Result<Self> {
        let expected = "a loss of at least 0 and an accuracy from 0 to 1 for each epoch";
        let history: History = checkpoint.get_valid("history", expected, |_| true)?;
        let epochs = history.epochs.len() as u64;
        let expected = format!("{epochs}, the number of epochs in the entry `history`");
        checkpoint.get_valid("epoch", &expected, |&saved: &u64| saved == epochs)?;
        Ok(history)
    }
}

impl EpochResult {
    /// What an epoch can end with: the loss is a mean of numbers in single precision.
    fn is_possible(&self) -> bool {
        (0.0..=f64::from(f32::MAX)).contains(&self.loss) && (0.0..=1.0).contains(&self.accuracy)
    }
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
    /// Whoever asks knows what was expected; there is nothing to add.
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let numbers = text.split_whitespace().map(f64::from_str);
        let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().map_err(|_| ())?;
        let (pairs, rest) = numbers.as_chunks();
        let epochs = pairs
            .iter()
            .map(|&[loss, accuracy]| EpochResult { loss, accuracy });
        let epochs: Vec<EpochResult> = epochs.collect();
        let possible = rest.is_empty() && epochs.iter().all(EpochResult::is_possible);
        possible.then_some(History { epochs }).ok_or(())
    }
}
