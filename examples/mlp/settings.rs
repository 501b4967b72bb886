//! What a run does: the command line, completed by the checkpoint it resumes and by defaults.

use crate::cli::{Algorithm, Args, BATCH_SIZES, RATES, Width, choices, is_rate};
use anyhow::{Result, bail};
use clap::ValueEnum;
use differentiable::data::Source;
use differentiable::io::Checkpoint;
use differentiable::optim::{Adam, AdamW, AnyOptimizer, Optimizer, Sgd};
use differentiable::prelude::Differentiable;
use differentiable::train::{Fit, Objective};
use std::fmt::Display;
use std::str::FromStr;

#[derive(Clone, Debug)]
pub struct Settings {
    pub epochs: u64,
    pub batch_size: u64,
    pub lr: f64,
    pub optimizer: Algorithm,
    pub hidden: Width,
    pub seed: u64,
}

impl Settings {
    pub fn new(args: &Args, resumed: Option<&Checkpoint>) -> Result<Self> {
        let fixed = Resumed {
            args,
            checkpoint: resumed,
        };
        let optimizer = fixed
            .same("optimizer", args.optimizer, Allowed::choices())?
            .unwrap_or(Algorithm::Adam);
        let default_lr = if optimizer == Algorithm::Sgd {
            0.1
        } else {
            0.001
        };
        let (smallest, largest) = (BATCH_SIZES.start(), BATCH_SIZES.end());
        let batch_size = fixed.same(
            "batch-size",
            args.batch_size,
            Allowed {
                words: format!("a whole number from {smallest} to {largest}"),
                holds: |size| BATCH_SIZES.contains(size),
            },
        )?;
        let lr = fixed.or_saved(
            "lr",
            args.lr,
            Allowed {
                words: RATES.to_string(),
                holds: is_rate,
            },
        )?;
        let seed = fixed.same(
            "seed",
            args.seed,
            Allowed {
                words: "a whole number of at least 0".to_string(),
                holds: |_| true,
            },
        )?;
        let hidden = fixed.same("hidden", args.hidden, Allowed::choices())?;
        Ok(Settings {
            epochs: args.epochs.unwrap_or(30),
            batch_size: batch_size.unwrap_or(32),
            lr: lr.unwrap_or(default_lr),
            optimizer,
            hidden: hidden.unwrap_or(Width::W128),
            seed: seed.unwrap_or(0),
        })
    }

    pub fn optimizer(&self) -> AnyOptimizer {
        match self.optimizer {
            Algorithm::Sgd => Sgd::new(self.lr).momentum(0.9).into(),
            Algorithm::Adam => Adam::new(self.lr).into(),
            Algorithm::Adamw => AdamW::new(self.lr).into(),
        }
    }

    /// Lets a run save what a resumed one has to know.
    pub fn keep<'a, M, O, S>(&self, run: Fit<'a, M, O, S>) -> Fit<'a, M, O, S>
    where
        S: Source,
        S::Batch: Differentiable,
        M: Objective<S::Batch>,
        O: Optimizer,
    {
        run.setting("batch-size", self.batch_size)
            .setting("optimizer", self.optimizer)
            .setting("hidden", self.hidden)
            .setting("seed", self.seed)
            .note("lr", self.lr)
    }
}

/// What a saved setting may be: a checkpoint may have been edited, and must not get by what the command
/// line refuses.
struct Allowed<T> {
    words: String,
    holds: fn(&T) -> bool,
}

impl<T: ValueEnum> Allowed<T> {
    fn choices() -> Self {
        Allowed {
            words: choices::<T>(),
            holds: |_| true,
        }
    }
}

/// The settings of the run that wrote the checkpoint.
struct Resumed<'a> {
    args: &'a Args,
    checkpoint: Option<&'a Checkpoint>,
}

impl Resumed<'_> {
    fn saved<T: FromStr>(&self, flag: &str, allowed: Allowed<T>) -> Result<Option<T>> {
        match self.checkpoint {
            Some(c) => Ok(Some(c.get_valid(flag, &allowed.words, allowed.holds)?)),
            None => Ok(None),
        }
    }

    /// A setting that may change when a run is resumed.
    fn or_saved<T: FromStr>(
        &self,
        flag: &str,
        given: Option<T>,
        allowed: Allowed<T>,
    ) -> Result<Option<T>> {
        Ok(given.or(self.saved(flag, allowed)?))
    }

    /// A setting that the saved weights, or what follows in the same epochs, depend on.
    fn same<T>(&self, flag: &str, given: Option<T>, allowed: Allowed<T>) -> Result<Option<T>>
    where
        T: FromStr + Display + PartialEq,
    {
        let saved = self.saved(flag, allowed)?;
        if let (Some(given), Some(saved), Some(path)) = (&given, &saved, &self.args.resume)
            && given != saved
        {
            let path = path.display();
            bail!(
                "{path}: the checkpoint was made with --{flag} {saved}, expected --{flag} {given}"
            );
        }
        Ok(given.or(saved))
    }
}
