use super::{DONE, GRADIENT, READ, TO_SERVER, TO_WORKER, receive, send};
use crate::dist::flat::{self, Which, map, read};
use crate::dist::{CommError, Numbers, Ranks};
use crate::nn::Module;

/// A rank that computes gradients for a [server](crate::dist::Serve), which is rank 0.
pub struct Worker {
    ranks: Ranks,
    version: i64,
    done: bool,
}

impl Worker {
    /// Begins, with the parameters of the server.
    ///
    /// # Errors
    /// If the server ended, did not come in time, or has another model.
    pub fn new<M: Module>(ranks: &Ranks, model: &mut M) -> Result<Self, CommError> {
        let mut worker = Worker {
            ranks: ranks.clone(),
            version: 0,
            done: false,
        };
        worker.header(READ, 0);
        worker.answer(model)?;
        Ok(worker)
    }

    /// The number of steps that the server had taken when it sent the parameters.
    pub fn version(&self) -> u64 {
        self.version as u64
    }

    /// Sends the gradient of so many rows, and waits for the parameters of now. They may lack this gradient: a server with
    /// [backup workers](crate::dist::Serve::synchronous) drops the last ones.
    ///
    /// # Errors
    /// As [`new`](Worker::new).
    pub fn step<M: Module>(
        &mut self,
        model: &mut M,
        grad: M::Tangent,
        rows: usize,
    ) -> Result<(), CommError> {
        let (_, all) = map(grad, Vec::new(), |all: &mut Vec<Numbers>, index, leaf| {
            all.push(read(leaf, index)?);
            Ok(())
        })?;
        self.header(GRADIENT, rows as i64);
        send(&self.ranks, 0, &all);
        self.answer(model)
    }

    fn header(&self, what: i64, rows: i64) {
        let header = vec![self.ranks.rank() as i64, what, self.version, rows];
        drop(self.ranks.send(Numbers::I64(header), 0, TO_SERVER));
    }

    fn answer<M: Module>(&mut self, model: &mut M) -> Result<(), CommError> {
        let version: Vec<i64> = self.ranks.receive(0, TO_WORKER).wait_for()?;
        let own = flat::numbers(model, Which::Parameters)?;
        let like: Vec<_> = own.iter().map(|x| (x.kind(), x.len())).collect();
        let all = receive(&self.ranks, 0, &like)?;
        flat::set_numbers(model, Which::Parameters, all);
        self.version = version.first().copied().unwrap_or(0);
        Ok(())
    }

    /// Tells the server that this worker computes no more. Dropping a worker does so too.
    pub fn finish(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if !std::mem::replace(&mut self.done, true) {
            self.header(DONE, 0);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}
