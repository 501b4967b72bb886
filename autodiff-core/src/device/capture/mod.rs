//! Functions that a GPU runs again without the host: `device.capture(..)`.
//!
//! The first call runs the function as it is. The second one runs it once more while the device notes the kernels instead of
//! starting them, and from then on a call starts all of them at once, as one CUDA graph, with the same addresses:
//!
//! - **State** stays where it is. An optimiser updates parameters in place, so the graph reads the new ones. What the function
//!   itself puts into its state, such as the running statistics of a normalisation, the graph writes in place.
//! - **Inputs** are copied to where the graph reads them.
//! - **Results** lie in memory of the graph. If somebody keeps a clone of a gradient, or the state has come to lie elsewhere,
//!   the function is captured again: tensors are values, and a later call must not change them.
//!
//! Step counts and learning rates are not within: an optimiser's step comes after the call. Seeds are: see [`draws`].

pub(crate) mod draws;

use super::{Device, DeviceError, ToDevice};
use crate::ad::Tangent;
use core::fmt;
use core::marker::PhantomData;

/// A function that runs on a device again and again for arguments of the same sizes: what [`Device::capture`] gives.
pub struct Captured<F, S, I, V, G> {
    device: Device,
    function: F,
    /// The number of the next call.
    call: u64,
    /// The results of the last call that ran the function.
    results: Option<(V, G)>,
    /// A graph, and its results.
    #[cfg(feature = "cuda")]
    taken: Option<(super::cuda::Taken, (V, G))>,
    /// Kernels have been compiled, and what is set up once is.
    #[cfg(feature = "cuda")]
    is_warm: bool,
    of: PhantomData<fn(&mut S, &I)>,
}

impl<F, S, I, V, G> fmt::Debug for Captured<F, S, I, V, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Captured")
            .field("device", &self.device)
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

impl Device {
    /// A function that runs here many times for arguments of the same sizes, as a step of training does. On a GPU its kernels
    /// become a CUDA graph: a call starts all of them at once, which matters where each has little to do. On other devices it
    /// just runs.
    ///
    /// The function gets a state that stays where it is, such as a model, and inputs, such as a batch. It gives values, which a
    /// call copies out, and a gradient or another tangent; `()` stands for none. The step of an optimiser follows the call.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// use differentiable::optim::{Adam, Optimizer};
    ///
    /// #[differentiable]
    /// fn loss(w: &Tensor![3], #[constant] x: &Tensor![3]) -> Tensor![] {
    ///     (w * x).sum().square()
    /// }
    ///
    /// let device = Device::cpu(); // or `Device::cuda(0)?`, with the feature `cuda`
    /// let mut w: Tensor![3] = Tensor::ones_on(&device);
    /// let mut adam = Adam::new(0.1);
    /// let mut step = device.capture(|w: &mut Tensor![3], x: &Tensor![3]| loss::value_and_grad(w, x));
    /// for batch in [[1.0, 2.0, 3.0], [0.5, 1.0, 1.5]] {
    ///     let (value, grad) = step.run(&mut w, &tensor(batch))?;
    ///     adam.step(&mut w, grad);
    ///     println!("{value:?}");
    /// }
    /// # Ok::<(), differentiable::device::DeviceError>(())
    /// ```
    ///
    /// **What is fixed on a GPU**: numbers of the host that the closure has from outside, and which way branches went. The function
    /// cannot read a tensor, nor bring one from the host: both are errors of the second call. Inputs of other sizes, or with other
    /// numbers of the host, run without the graph; for a state with other ones it is captured again.
    ///
    /// **Random numbers** are others in each call, the same ones on every device: call `n`, from 0, shifts all seeds by `n`
    /// times the odd number next to 2⁶⁴/φ.
    pub fn capture<F, S, I, V, G>(&self, function: F) -> Captured<F, S, I, V, G>
    where
        F: Fn(&mut S, &I) -> (V, G),
        S: ToDevice + Clone,
        I: ToDevice + Clone,
        V: ToDevice + Clone,
        G: Tangent,
    {
        Captured {
            device: self.clone(),
            function,
            call: 0,
            results: None,
            #[cfg(feature = "cuda")]
            taken: None,
            #[cfg(feature = "cuda")]
            is_warm: false,
            of: PhantomData,
        }
    }
}

impl<F, S, I, V, G> Captured<F, S, I, V, G>
where
    F: Fn(&mut S, &I) -> (V, G),
    S: ToDevice + Clone,
    I: ToDevice + Clone,
    V: ToDevice + Clone,
    G: Tangent,
{
    /// What the function gives for this state and these inputs, which are brought to the device if they are elsewhere.
    ///
    /// # Errors
    /// On a GPU, from the second call on: the function reads a tensor or brings one from the host, or the device failed.
    ///
    /// # Panics
    /// If the state is on another device, or the function changes the sizes of its state.
    #[track_caller]
    pub fn run(&mut self, state: &mut S, inputs: &I) -> Result<(V, &G), DeviceError> {
        assert!(
            !draws::is_capturing(),
            "a function that is being captured calls another one: call what is in it"
        );
        let call = self.call;
        self.call += 1;
        #[cfg(feature = "cuda")]
        if let Device::Cuda(cuda) = &self.device.clone()
            && let Some(value) = self.run_graph(cuda, call, state, inputs)?
        {
            let (_, (_, grad)) = self.taken.as_ref().expect("the graph that ran");
            return Ok((value, grad));
        }
        let (function, inputs) = (&self.function, inputs.to(&self.device));
        let results = self
            .device
            .scope(|| draws::shifted(call, || function(state, &inputs)));
        let (value, grad) = self.results.insert(results);
        Ok((value.clone(), grad))
    }

    /// The number of the next call, from 0.
    pub fn call(&self) -> u64 {
        self.call
    }

    /// Goes on with the random numbers of this call: where training goes on that has been interrupted.
    pub fn set_call(&mut self, call: u64) {
        self.call = call;
    }
}

#[cfg(feature = "cuda")]
impl<F, S, I, V, G> Captured<F, S, I, V, G>
where
    F: Fn(&mut S, &I) -> (V, G),
    S: ToDevice + Clone,
    I: ToDevice + Clone,
    V: ToDevice + Clone,
    G: Tangent,
{
    /// Whether there is a graph.
    pub fn is_captured(&self) -> bool {
        self.taken.is_some()
    }

    /// A call by the graph, which is captured if there is none that fits. Nothing in the first call, and for inputs of other
    /// sizes.
    #[track_caller]
    fn run_graph(
        &mut self,
        cuda: &super::Cuda,
        call: u64,
        state: &mut S,
        inputs: &I,
    ) -> Result<Option<V>, DeviceError> {
        use super::cuda::{Taken, check_state};
        check_state(cuda, state);
        let mut given = inputs.clone();
        if !self.is_warm {
            self.is_warm = true;
            return Ok(None);
        }
        if let Some((taken, _)) = &self.taken
            && !taken.takes(&mut given)
        {
            return Ok(None);
        }
        // What the graph writes of the state is known when there is one: then the state may have to be copied, once.
        for _ in 0..2 {
            if let Some((taken, (value, grad))) = self.taken.take() {
                let (fits, results) = taken.fits(cuda, state, value, grad);
                if fits {
                    self.taken = Some((taken, results));
                    break;
                }
            }
            self.taken = Some(Taken::capture(cuda, state, inputs, &self.function)?);
        }
        let (taken, (value, _)) = self.taken.as_ref().expect("captured just now");
        taken.run(cuda, draws::shift(call), &mut given)?;
        let mut value = value.clone();
        value.each_storage(&mut |x| x.captive().renew());
        Ok(Some(value))
    }
}
