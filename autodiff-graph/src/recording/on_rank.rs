//! On which rank nodes run.

use super::Recording;

impl Recording {
    /// Runs `f`, and places what it records on a rank: a session [over](crate::Session::over) ranks runs these nodes there.
    ///
    /// Where nothing is placed, the ranks have stretches of about equal cost, in the order of the graph. Once something is, a
    /// node that is not placed runs where the last of the values was made that it reads, or on rank 0.
    ///
    /// ```
    /// use differentiable::dist::threads;
    /// use differentiable::graph::{Feeds, Recording, Session};
    /// use differentiable::prelude::*;
    ///
    /// threads(2, |ranks| {
    ///     let recording = Recording::new();
    ///     let x: Tensor![2] = recording.input("x", Default::default());
    ///     let hidden = recording.on_rank(0, || x.exp());
    ///     let y = recording.on_rank(1, || &hidden * 2.0);
    ///     let mut session = Session::new(&recording, &Device::cpu()).over(&ranks);
    ///     let y = session.run(&y, &Feeds::new().with(&x, &Tensor::zeros()))?;
    ///     assert_eq!(y.to_vec(), [2.0, 2.0]);
    ///     Ok::<(), differentiable::graph::GraphError>(())
    /// });
    /// ```
    pub fn on_rank<R>(&self, rank: usize, f: impl FnOnce() -> R) -> R {
        let first = self.recorder.next_value();
        let result = self.scope(f);
        let made = first..self.recorder.next_value();
        self.noted.lock().ranked.values.push((made, rank));
        result
    }

    /// Places the nodes of a scope on a rank, with those of its derivatives, as [`place`](Recording::place) places them on a
    /// device.
    pub fn place_on_rank(&self, scope: &str, rank: usize) {
        let ranked = &mut self.noted.lock().ranked;
        ranked.scopes.push((scope.to_owned(), rank));
    }
}
