//! A run by several ranks: each computes its rows of every batch, all take the same steps, and rank 0 logs and saves.

use super::TrainError;
use crate::ad::Tangent;
use crate::data::Share;
use crate::dist::{CommError, DataParallel, Ranks};
use crate::nn::Module;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(super) struct Team {
    data: DataParallel,
}

impl Team {
    pub(super) fn new(ranks: &Ranks) -> Self {
        Team {
            data: DataParallel::new(ranks),
        }
    }

    pub(super) fn ranks(&self) -> &Ranks {
        self.data.ranks()
    }

    pub(super) fn share(&self) -> Share {
        Share::of(self.ranks())
    }

    /// Whether this rank logs and saves.
    pub(super) fn is_first(&self) -> bool {
        self.ranks().is_first()
    }

    pub(super) fn is_alone(&self) -> bool {
        self.ranks().size() == 1
    }

    /// The seed of what this rank's rows draw; that of the run on rank 0.
    pub(super) fn seed(&self, seed: u64) -> u64 {
        // Far from the seeds of the steps of other ranks: a fraction of 2^64 that is no multiple of theirs.
        const APART: u64 = 0xd1b5_4a32_d192_ed03;
        seed.wrapping_add((self.ranks().rank() as u64).wrapping_mul(APART))
    }

    /// Gives the module of rank 0 to all.
    pub(super) fn begin<M: Module>(&self, net: &mut M, is_divided: bool) -> Result<(), CommError> {
        match self.is_alone() || is_divided {
            true => Ok(()),
            false => self.data.share(net),
        }
    }

    /// The loss of rows and its gradient, the mean of which over all ranks begins meanwhile.
    pub(super) fn overlapped<R, G: Tangent>(
        &mut self,
        rows: usize,
        compute: impl FnOnce() -> (R, G),
    ) -> Result<(R, G), CommError> {
        self.data.value_and_grad(rows, compute)
    }

    pub(super) fn mean<G: Tangent>(&self, grad: G, rows: u64) -> Result<G, CommError> {
        self.data.mean_by(grad, rows as usize)
    }

    /// The sums of the losses of rows and of the rows of all ranks. All have come so far when this returns.
    pub(super) fn sums(&self, loss: f64, rows: u64) -> Result<(f64, u64), CommError> {
        if self.is_alone() {
            return Ok((loss, rows));
        }
        let sums = self.ranks().sums(&[loss, rows as f64])?;
        Ok((sums[0], sums[1] as u64))
    }

    /// What rank 0 decides.
    pub(super) fn decide(&self, flow: ControlFlow<()>) -> Result<ControlFlow<()>, CommError> {
        if self.is_alone() {
            return Ok(flow);
        }
        let flow = self
            .ranks()
            .broadcast_all(&[u8::from(flow.is_break())], 0)?;
        Ok(match flow[0] {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        })
    }

    pub(super) fn mean_buffers<M: Module>(&self, net: &mut M) -> Result<(), CommError> {
        self.data.mean_buffers(net)
    }

    /// Whether rank 0 finds a file: other machines may have no such folder.
    pub(super) fn exists(&self, path: &Path) -> Result<bool, CommError> {
        if self.is_alone() {
            return Ok(path.exists());
        }
        let there = self.is_first() && path.exists();
        Ok(self.ranks().broadcast_all(&[u8::from(there)], 0)?[0] != 0)
    }

    /// Lets the others know of an error, and waits for theirs at the end of a run.
    pub(super) fn end(&self, error: Option<&TrainError>) -> Result<(), CommError> {
        match error {
            _ if self.is_alone() => Ok(()),
            // They failed first, or cannot be reached.
            Some(TrainError::Ranks(_)) => Ok(()),
            Some(error) => {
                self.ranks().abort(&error.to_string());
                Ok(())
            }
            None => self.ranks().barrier(),
        }
    }
}

/// The file of one rank's part, where states are not whole: `run.rank-1-of-4.safetensors`.
pub(super) fn of_rank(path: &Path, share: Share) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(format!(".rank-{}-of-{}", share.rank, share.size));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
