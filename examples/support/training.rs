//! The loop around the steps of training: progress, checkpoints, exact resume.

use crate::Common;
use anyhow::{Context, Result, bail, ensure};
use differentiable::data::Share;
use differentiable::device::catch_index_errors;
use differentiable::dist::{DistributedOptimizer, Ranks};
use differentiable::io::Checkpoint;
use differentiable::optim::Optimizer;
use differentiable::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::Instant;

dim!(Done);

/// How often a run is saved, and a line printed where there is no terminal.
pub(crate) const PARTS: u64 = 10;

/// What a run is.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The name of the program, which its checkpoints carry.
    pub program: &'static str,
    /// What is counted: "epoch" or "step".
    pub unit: &'static str,
    /// What a step returns: "loss", mostly.
    pub measure: &'static str,
    /// How many steps or epochs there are.
    pub length: u64,
}

/// One step of training, or one epoch.
#[derive(Debug)]
pub struct Step {
    /// Its number, from 0.
    pub index: u64,
    /// Random numbers of this step alone. They depend on the seed of the run and on the step's number, so that a run
    /// that was interrupted draws the same ones as a run that was not.
    pub seeds: Seeds,
    ranks: Ranks,
}

impl Step {
    /// A random number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        below(&mut self.seeds, n)
    }

    /// The part of a batch that this rank computes. A batch of fewer rows than there are ranks is computed by each.
    pub fn share<'a, T>(&self, rows: &'a [T]) -> &'a [T] {
        match rows.len() < self.ranks.size() {
            true => rows,
            false => &rows[Share::of(&self.ranks).range(rows.len())],
        }
    }
}

/// A random number below `n`.
pub fn below(seeds: &mut Seeds, n: usize) -> usize {
    // The product of a fraction of 2^64 with n, rounded down (Lemire 2019).
    ((u128::from(seeds.next_seed()) * n as u128) >> 64) as usize
}

impl Common {
    /// Trains, by as many ranks as a launcher has started: calls `step` for each step that is left and saves the run now and then.
    /// The optimiser that it is given takes the mean of the gradients of all ranks. `step` returns the loss, or
    /// what else is worth watching. Returns these numbers of all steps, those of a resumed run included.
    ///
    /// # Errors
    /// If the checkpoint cannot be read or written or is of another run, if a number is not finite, or if `step` fails.
    pub fn train<M: Module, O: Optimizer>(
        &self,
        plan: &Plan,
        net: &mut M,
        opt: &mut O,
        step: impl FnMut(&mut M, &mut DistributedOptimizer<&mut O>, &mut Step) -> Result<f64>,
    ) -> Result<Vec<f64>> {
        let ranks = &crate::ranks::of_launcher()?;
        let curve = self.train_by(ranks, plan, net, opt, step);
        // The others should not wait for a rank that failed.
        curve.inspect_err(|e| ranks.abort(&format!("{e:#}")))
    }

    fn train_by<M: Module, O: Optimizer>(
        &self,
        ranks: &Ranks,
        plan: &Plan,
        net: &mut M,
        opt: &mut O,
        mut step: impl FnMut(&mut M, &mut DistributedOptimizer<&mut O>, &mut Step) -> Result<f64>,
    ) -> Result<Vec<f64>> {
        let mut curve = match &self.checkpoint {
            Some(path) if self.resume => self.restore(ranks, plan, path, net, opt)?,
            _ => Vec::new(),
        };
        let opt = &mut DistributedOptimizer::new(opt, ranks);
        opt.share(net)?;
        let Plan {
            unit,
            measure,
            length,
            ..
        } = *plan;
        let first = curve.len() as u64;
        if first >= length {
            eprintln!("nothing is left to train: the checkpoint is at {unit} {first} of {length}");
        }
        let bar = match ranks.is_first() {
            true => progress_bar(length),
            false => ProgressBar::hidden(),
        };
        bar.inc(first);
        let start = Instant::now();
        for index in first..length {
            let own = (ranks.rank() as u64).rotate_left(48);
            let mut at = Step {
                index,
                seeds: Seeds::new(Seeds::new(self.seed ^ index.rotate_left(32) ^ own).next_seed()),
                ranks: ranks.clone(),
            };
            // A label that is no class ends the run, and what follows from it is not saved.
            let value = catch_index_errors(|| step(net, opt, &mut at))
                .with_context(|| format!("{unit} {}", index + 1))??;
            let value = match ranks.size() {
                1 => value,
                n => ranks.sum(value)? / n as f64,
            };
            ensure!(
                value.is_finite(),
                "{unit} {}: {measure} is {value}, expected a finite number",
                index + 1
            );
            curve.push(value);
            bar.set_message(format!("{measure} {value:.4}"));
            bar.inc(1);
            let done = index + 1;
            if done % length.div_ceil(PARTS) == 0 || done == length {
                if bar.is_hidden() && ranks.is_first() {
                    eprintln!("{unit} {done} of {length}  {measure} {value:.4}");
                }
                if let Some(path) = self.checkpoint.as_ref().filter(|_| ranks.is_first()) {
                    self.save(plan, path, net, opt, &curve)?;
                }
            }
        }
        bar.finish_and_clear();
        ranks.barrier()?;
        if !ranks.is_first() {
            return Ok(curve);
        }
        report_time(length.saturating_sub(first), unit, start);
        Ok(curve)
    }

    fn save<M: Module, O: Optimizer>(
        &self,
        plan: &Plan,
        path: &Path,
        net: &M,
        opt: &O,
        curve: &[f64],
    ) -> Result<()> {
        let curve = Tensor::from_fn_with((Done(curve.len()),), |i| curve[i]);
        let file = Checkpoint::new()
            .with_model(net)
            .with_optimizer(opt)
            .with_tensor("curve", &curve)
            .with("program", plan.program)
            .with("seed", self.seed)
            .with("done", curve.len());
        Ok(file.save(path)?)
    }

    fn restore<M: Module, O: Optimizer>(
        &self,
        ranks: &Ranks,
        plan: &Plan,
        path: &Path,
        net: &mut M,
        opt: &mut O,
    ) -> Result<Vec<f64>> {
        let file = Checkpoint::load_by(path, |path| ranks.read_file(path))?;
        let (program, seed): (String, u64) = (file.get("program")?, file.get("seed")?);
        if (program.as_str(), seed) != (plan.program, self.seed) {
            bail!(
                "{}: a checkpoint of `{program} --seed {seed}`, expected one of `{} --seed {}`",
                path.display(),
                plan.program,
                self.seed
            );
        }
        file.check_finite()?;
        file.restore_model(net)?;
        file.restore_optimizer(net, opt)?;
        let done = Done(file.get("done")?);
        Ok(file.tensor::<_, f64>("curve", (done,))?.to_vec())
    }
}

/// How long training took, from its start until now: `30 epochs in 64.2 s`.
pub(crate) fn report_time(count: u64, unit: &str, start: Instant) {
    if count > 0 {
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("{count} {unit}s in {seconds:.3} s");
    }
}

/// Drawn on standard error, if that is a terminal.
fn progress_bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {percent:>3}%  {elapsed}  {msg}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use differentiable::optim::Adam;

    #[derive(Parser)]
    struct Args {
        #[command(flatten)]
        common: Common,
    }

    #[derive(Clone, Debug, Differentiable, Module, PartialEq)]
    struct Slope {
        weight: Tensor![3],
    }

    #[differentiable]
    impl Slope {
        fn loss(&self, #[constant] x: &Tensor![3]) -> Tensor![] {
            (&self.weight - x).square().sum()
        }
    }

    /// Follows random targets.
    fn trained(length: u64, options: &[&str]) -> Result<(Slope, Vec<f64>)> {
        let args = Args::try_parse_from([&["test"], options].concat())?;
        let (mut net, mut opt) = (
            Slope {
                weight: Tensor::zeros(),
            },
            Adam::new(0.1),
        );
        let plan = Plan {
            program: "slope",
            unit: "step",
            measure: "loss",
            length,
        };
        let curve = args
            .common
            .train(&plan, &mut net, &mut opt, |net, opt, step| {
                let x = Tensor::randn(step.seeds.next_seed());
                let (loss, grad) = net.loss_value_and_grad(&x);
                opt.step(net, &grad);
                Ok(f64::from(loss.item()))
            })?;
        Ok((net, curve))
    }

    #[test]
    fn a_run_that_was_interrupted_ends_like_one_that_was_not() {
        let path = std::env::temp_dir().join(format!("slope-{}.safetensors", std::process::id()));
        let file = path.to_str().unwrap();
        let whole = trained(10, &[]).unwrap();
        trained(4, &["--checkpoint", file]).unwrap();
        let resumed = trained(10, &["--checkpoint", file, "--resume"]).unwrap();
        assert_eq!(resumed, whole);
        assert_ne!(trained(10, &["--seed", "1"]).unwrap(), whole);

        let other = trained(10, &["--checkpoint", file, "--resume", "--seed", "1"]);
        let message = other.unwrap_err().to_string();
        assert!(
            message.contains("`slope --seed 0`, expected one of `slope --seed 1`"),
            "{message}"
        );
        std::fs::remove_file(path).unwrap();
    }
}
