use super::{DONE, GRADIENT, READ, TO_SERVER, TO_WORKER, receive, send};
use crate::dist::flat::{self, Which, map};
use crate::dist::{CommError, Numbers, Ranks, Reduce};
use crate::nn::Module;
use crate::optim::{Optimizer, OptimizerError};

/// Rank 0 as a parameter server; all other ranks are [`Worker`](crate::dist::Worker)s.
///
/// ```
/// use differentiable::dist::{Serve, Worker, threads};
/// use differentiable::optim::Sgd;
///
/// threads(3, |ranks| {
///     let mut x = 8.0_f64;
///     if ranks.is_first() {
///         let served = Serve::asynchronous(&ranks).run(&mut x, &mut Sgd::new(0.1)).unwrap();
///         assert_eq!(served.steps, 100);
///         assert!(x.abs() < 1e-2);
///     } else {
///         let mut worker = Worker::new(&ranks, &mut x).unwrap();
///         for _ in 0..50 {
///             let gradient = 2.0 * x;
///             worker.step(&mut x, gradient, 1).unwrap();
///         }
///     }
/// });
/// ```
pub struct Serve {
    ranks: Ranks,
    how: How,
}

enum How {
    /// A step for each gradient.
    Each,
    /// A step for the mean of so many gradients of the same parameters.
    Mean(usize),
}

/// What a server has done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Served {
    /// Steps of the optimiser.
    pub steps: u64,
    /// Gradients that came too late and were dropped.
    pub dropped: u64,
    /// How many steps the server had taken between sending the parameters and receiving their gradient, for each gradient that was
    /// used.
    pub staleness: Vec<u64>,
}

impl Served {
    /// The mean staleness; 0 if no gradient was used.
    pub fn mean_staleness(&self) -> f64 {
        let n = self.staleness.len().max(1) as f64;
        self.staleness.iter().map(|s| *s as f64).sum::<f64>() / n
    }

    /// The largest staleness.
    pub fn max_staleness(&self) -> u64 {
        self.staleness.iter().copied().max().unwrap_or(0)
    }
}

/// A gradient that has come.
struct Came {
    worker: usize,
    rows: f64,
    numbers: Vec<Numbers>,
}

impl Serve {
    /// Takes a step with each gradient as it comes, whatever parameters it was computed with (Dean et al. 2012, "Large Scale
    /// Distributed Deep Networks"). Nobody waits; how old gradients are is in [`Served::staleness`].
    pub fn asynchronous(ranks: &Ranks) -> Self {
        Serve {
            ranks: ranks.clone(),
            how: How::Each,
        }
    }

    /// Takes a step with the mean of the gradients of all workers but the `backup` slowest, whose gradients are dropped (Chen et al.
    /// 2016, "Revisiting Distributed Synchronous SGD"). With 0 it waits for all of those that still work.
    ///
    /// # Panics
    /// If no worker would be left.
    pub fn synchronous(ranks: &Ranks, backup: usize) -> Self {
        let workers = ranks.size().saturating_sub(1);
        assert!(
            backup < workers.max(1),
            "{backup} of {workers} workers are backups, expected at least one that is none"
        );
        Serve {
            ranks: ranks.clone(),
            how: How::Mean(workers - backup.min(workers)),
        }
    }

    /// Serves until all workers are done.
    ///
    /// # Errors
    /// If a worker ended without being done, did not come in time, or has another model; and those of the optimiser.
    pub fn run<M: Module, O: Optimizer>(
        &self,
        model: &mut M,
        optimizer: &mut O,
    ) -> Result<Served, OptimizerError> {
        let failed = |e: CommError| OptimizerError::Ranks { why: e.to_string() };
        let zero = model.zero_tangent();
        let (zero, like) = map(zero, Vec::new(), |like: &mut Vec<_>, _, leaf| {
            like.push((leaf.kind(), leaf.len()));
            Ok(())
        })
        .map_err(failed)?;
        let mut served = Served::default();
        let mut working = self.ranks.size() - 1;
        let mut waiting: Vec<Came> = Vec::new();
        while working > 0 {
            let header: Vec<i64> = self
                .ranks
                .receive_any(TO_SERVER)
                .wait_for()
                .map_err(failed)?;
            let &[worker, what, version, rows] = header.as_slice() else {
                return Err(failed(CommError::Unexpected {
                    rank: 0,
                    expected: "header of a worker",
                }));
            };
            let worker = worker as usize;
            let age = served.steps.saturating_sub(version as u64);
            match what {
                READ => self.answer(worker, &served, model).map_err(failed)?,
                DONE => working -= 1,
                GRADIENT => {
                    let numbers = receive(&self.ranks, worker, &like).map_err(failed)?;
                    match self.how {
                        How::Mean(_) if age > 0 => {
                            served.dropped += 1;
                            self.answer(worker, &served, model).map_err(failed)?;
                        }
                        _ => {
                            served.staleness.push(age);
                            let rows = rows as f64;
                            waiting.push(Came {
                                worker,
                                rows,
                                numbers,
                            });
                        }
                    }
                }
                _ => {
                    return Err(failed(CommError::Unexpected {
                        rank: worker,
                        expected: "header of a worker",
                    }));
                }
            }
            let needed = match self.how {
                How::Each => 1,
                // Those that are done bring nothing more.
                How::Mean(n) => n.min(working).max(1),
            };
            if waiting.len() >= needed {
                let came = std::mem::take(&mut waiting);
                let mean = mean(&came);
                let (grad, _) = map(zero.clone(), mean, |mean, index, leaf| {
                    leaf.set(&mean[index], 0);
                    Ok(())
                })
                .map_err(failed)?;
                optimizer.try_step(model, &grad)?;
                served.steps += 1;
                for came in came {
                    self.answer(came.worker, &served, model).map_err(failed)?;
                }
            }
        }
        Ok(served)
    }

    fn answer<M: Module>(
        &self,
        worker: usize,
        served: &Served,
        model: &M,
    ) -> Result<(), CommError> {
        let all = flat::numbers(model, Which::Parameters)?;
        drop(
            self.ranks
                .send(Numbers::I64(vec![served.steps as i64]), worker, TO_WORKER),
        );
        send(&self.ranks, worker, &all);
        Ok(())
    }
}

/// The mean of gradients, weighted by their rows.
fn mean(came: &[Came]) -> Vec<Numbers> {
    let total: f64 = came.iter().map(|c| c.rows).sum();
    let mut sum: Option<Vec<Numbers>> = None;
    for one in came {
        let mut numbers = one.numbers.clone();
        let weight = if total > 0.0 { one.rows / total } else { 0.0 };
        numbers.iter_mut().for_each(|x| x.scale(weight));
        match &mut sum {
            None => sum = Some(numbers),
            Some(sum) => sum.iter_mut().zip(&numbers).for_each(|(sum, x)| {
                sum.reduce(Reduce::Sum, x);
            }),
        }
    }
    sum.unwrap_or_default()
}
