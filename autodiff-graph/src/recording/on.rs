//! Where nodes run.

use super::Recording;
use autodiff_core::device::Device;

impl Recording {
    /// Runs `f`, and places what it records on a device: a session runs these nodes there, and the others on its own. What
    /// flows between devices is sent. The bits are those of a run on one device, as far as both devices have the same
    /// kernels.
    ///
    /// Unlike [`scope`](Recording::scope), where a tensor is recorded does not depend on `device`: all is recorded here.
    ///
    /// ```
    /// use differentiable::graph::{Feeds, Recording, Session};
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![2] = recording.input("x", Default::default());
    /// let y = recording.on(&Device::cpu(), || x.exp());
    /// let mut session = Session::new(&recording, &Device::cpu());
    /// for part in session.parts(&y)? {
    ///     println!("{part}");
    /// }
    /// # Ok::<(), differentiable::graph::GraphError>(())
    /// ```
    pub fn on<R>(&self, device: &Device, f: impl FnOnce() -> R) -> R {
        let first = self.recorder.next_value();
        let result = self.scope(f);
        let made = first..self.recorder.next_value();
        self.noted.lock().placed.values.push((made, device.clone()));
        result
    }

    /// Places the nodes of a scope on a device: those that an annotated function of this name or
    /// [`named`](Recording::named) recorded or will record, unless [`on`](Recording::on) places them. Of several scopes that
    /// hold a node, the one that was placed last counts.
    ///
    /// The scope of a method is `Type::method`. Those of derivatives, such as `f.pullback`, go with that of the function; by
    /// their own names they can be placed alone. A scope that has no nodes when a session runs is an error of the run.
    pub fn place(&self, scope: &str, device: &Device) {
        let placed = &mut self.noted.lock().placed;
        placed.scopes.push((scope.to_owned(), device.clone()));
    }
}
