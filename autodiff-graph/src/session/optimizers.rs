//! Optimisers that a session lets take their steps.

use super::Session;
use crate::recording::{Share, Step, Train};
use autodiff_core::device::record::{AnyBuffer, GraphError};
use autodiff_core::nn::Module;
use autodiff_core::optim::Optimizer;
use std::collections::HashMap;
use std::sync::Arc;

impl Session {
    /// Takes the steps of optimisers, all or none.
    pub(super) fn take_steps(
        &mut self,
        steps: &[Arc<dyn Step>],
        gradients: Vec<HashMap<usize, AnyBuffer>>,
    ) -> Result<(), GraphError> {
        // A single step leaves everything as it was if it fails; of several, the first may have to be undone.
        let keeps = steps.len() > 1;
        let mut done = Vec::new();
        #[cfg(feature = "dist")]
        let own = self.own();
        #[cfg(feature = "dist")]
        let share = own.as_ref().map(|own| own as &dyn Share);
        #[cfg(not(feature = "dist"))]
        let share: Option<&dyn Share> = None;
        for (step, gradient) in steps.iter().zip(gradients) {
            let before = keeps.then(|| {
                let own = step.variables().iter();
                let held = |v: &usize| Some((*v, Arc::clone(self.variables.get(v)?)));
                let contents: Vec<_> = own.filter_map(held).collect();
                (Arc::clone(step), contents, step.kept(&self.optimizers))
            });
            done.extend(before);
            let taken = step.step(
                &mut self.optimizers,
                &self.device,
                &mut self.variables,
                gradient,
                share,
            );
            if let Err(error) = taken {
                for (step, contents, kept) in done {
                    self.variables.extend(contents);
                    step.restore(&mut self.optimizers, kept);
                }
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// The optimiser of a [`Train`], as it is after the steps of this session.
    #[must_use]
    pub fn optimizer<'s, M, O>(&'s self, train: &'s Train<M, O>) -> &'s O
    where
        M: Module,
        O: Optimizer + 'static,
    {
        let own = self.optimizers.get(&train.id());
        own.map_or(train.first(), |own| {
            own.downcast_ref().expect("the optimiser of this step")
        })
    }

    /// The same, to change it: its learning rate, for example, or what its plateau observes.
    #[must_use]
    pub fn optimizer_mut<M, O>(&mut self, train: &Train<M, O>) -> &mut O
    where
        M: Module,
        O: Optimizer + Clone + Send + Sync + 'static,
    {
        let own = self.optimizers.entry(train.id());
        let own = own.or_insert_with(|| Box::new(train.first().clone()));
        own.downcast_mut().expect("the optimiser of this step")
    }
}
