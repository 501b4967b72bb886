//! Optimisers around another one, in their field `optimizer`.

/// Methods of [`Optimizer`](crate::optim::Optimizer) that are those of the optimiser inside.
macro_rules! of_inner {
    (settings) => {
        fn learning_rate(&self) -> f64 {
            self.optimizer.learning_rate()
        }

        fn rate(&self) -> f64 {
            self.optimizer.rate()
        }

        fn set_learning_rate(&mut self, learning_rate: f64) {
            self.optimizer.set_learning_rate(learning_rate);
        }

        fn observe(&mut self, loss: f64) {
            self.optimizer.observe(loss);
        }
    };
    (state) => {
        fn state(&self) -> $crate::optim::OptimizerState {
            self.optimizer.state()
        }

        fn load_state<M: $crate::nn::Module>(
            &mut self,
            model: &M,
            state: $crate::optim::OptimizerState,
        ) -> Result<(), $crate::optim::OptimizerStateError> {
            self.optimizer.load_state(model, state)
        }
    };
    // What it remembers is on the devices of the one inside.
    (devices of $Outer:ident) => {
        impl<O: $crate::optim::Optimizer> $crate::device::ToDevice for $Outer<O> {
            fn each_storage(&mut self, each: &mut dyn FnMut(&mut dyn $crate::device::AnyStorage)) {
                self.optimizer.each_storage(each);
            }
        }
    };
}
pub(crate) use of_inner;
