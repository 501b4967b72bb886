use super::message::Message;
use crate::dist::{CommError, Ranks};
use std::collections::VecDeque;
use std::sync::OnceLock;

/// In which order a stage computes the parts of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// All forward, then all backward (Huang et al. 2019, "GPipe"). A stage keeps what all parts need for the reverse pass.
    GPipe,
    /// As soon as a part has come back, its reverse pass (Narayanan et al. 2019, "PipeDream"; the variant that waits for all parts
    /// before the step). As long as GPipe, but stage `s` of `n` keeps what `n − s` parts need.
    #[default]
    OneForwardOneBack,
}

/// What the stages before this one have sent, one input for each part of the batch. Pullbacks may borrow from it, so it outlives them.
pub struct Inputs<X>(Vec<OnceLock<X>>);

impl<X> Inputs<X> {
    /// Room for so many parts.
    pub fn new(parts: usize) -> Self {
        Inputs((0..parts).map(|_| OnceLock::new()).collect())
    }
}

/// A network in stages, one on each rank, in the order of ranks.
///
/// A batch is cut into parts, and while one stage computes one part, the others compute other parts. With `m` parts and `n` stages, a
/// step takes `(m + n − 1) / m` times as long as if all stages were busy all the time.
///
/// ```
/// use differentiable::ad::Tangent;
/// use differentiable::dist::{Inputs, Pipeline, threads};
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// #[differentiable]
/// fn first(layer: &Linear<2, 8>, #[constant] x: &Tensor![Batch, 2]) -> Tensor![Batch, 8] {
///     layer.forward(x).tanh()
/// }
/// #[differentiable]
/// fn last(layer: &Linear<8, 1>, h: &Tensor![Batch, 8]) -> Tensor![] {
///     layer.forward(h).square().mean()
/// }
///
/// threads(2, |ranks| {
///     let parts = 4;
///     let pipeline = Pipeline::new(&ranks, parts);
///     let seeds = &mut Seeds::new(1);
///     let (one, two): (Linear<2, 8>, Linear<8, 1>) = (Linear::new(seeds), Linear::new(seeds));
///     let x = |part: usize| -> Tensor![Batch, 2] { Tensor::randn_with((Batch(3), Sz), part as u64) };
///     if ranks.is_first() {
///         let data: Vec<_> = (0..parts).map(x).collect();
///         let mut gradient = one.zero_tangent();
///         pipeline
///             .first(|part| first::vjp(&one, &data[part]), |pullback, ct| gradient = gradient.clone().add(pullback(ct)))
///             .unwrap();
///         assert!(gradient.weight.norm().item() > 0.0);
///     } else {
///         let inputs = Inputs::new(parts);
///         let (mut loss, mut gradient) = (0.0, two.zero_tangent());
///         pipeline
///             .last(
///                 &inputs,
///                 |_, h| last::vjp(&two, h),
///                 |value, pullback| {
///                     loss += value.item() / parts as f32;
///                     let (of_layer, of_h) = pullback(Tensor::full(1.0 / parts as f32));
///                     gradient = gradient.clone().add(of_layer);
///                     of_h
///                 },
///             )
///             .unwrap();
///         assert!(loss > 0.0);
///     }
/// });
/// ```
#[derive(Clone)]
pub struct Pipeline {
    ranks: Ranks,
    parts: usize,
    schedule: Schedule,
}

const FORWARD: u16 = 16;
const BACKWARD: u16 = 17;

impl Pipeline {
    /// Batches of so many parts, by [`Schedule::OneForwardOneBack`].
    ///
    /// # Panics
    /// If there are no parts.
    pub fn new(ranks: &Ranks, parts: usize) -> Self {
        assert!(parts > 0, "a batch has at least one part");
        Pipeline {
            ranks: ranks.clone(),
            parts,
            schedule: Schedule::default(),
        }
    }

    /// In another order.
    pub fn schedule(mut self, schedule: Schedule) -> Self {
        self.schedule = schedule;
        self
    }

    /// The number of this stage, from 0.
    pub fn stage(&self) -> usize {
        self.ranks.rank()
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.ranks.size()
    }

    /// A step of the first stage: `forward` computes a part, `backward` pulls its cotangent back.
    ///
    /// # Errors
    /// If a rank ended, did not come in time, or sent something else.
    pub fn first<Y: Message, P>(
        &self,
        mut forward: impl FnMut(usize) -> (Y, P),
        backward: impl FnMut(P, Y),
    ) -> Result<(), CommError> {
        let inputs = Inputs::new(self.parts);
        self.middle(&inputs, |part, ()| forward(part), backward)
    }

    /// A step of a stage between others: `forward` computes a part from what the stage before has sent, `backward` pulls its cotangent
    /// back and returns that of the input.
    ///
    /// # Errors
    /// As [`first`](Pipeline::first).
    pub fn middle<'a, X: Message, Y: Message, P>(
        &self,
        inputs: &'a Inputs<X>,
        mut forward: impl FnMut(usize, &'a X) -> (Y, P),
        mut backward: impl FnMut(P, Y) -> X,
    ) -> Result<(), CommError> {
        let (me, next) = (self.stage(), self.stage() + 1);
        let ranks = &self.ranks;
        let kept = &mut VecDeque::new();
        self.run(
            &mut |part, kept: &mut VecDeque<P>| {
                let x = self.input(inputs, part)?;
                let (y, pullback) = forward(part, x);
                kept.push_back(pullback);
                y.send(ranks, next, FORWARD)
            },
            &mut |_, kept| {
                let ct = Y::receive(ranks, next, BACKWARD)?;
                let pullback = kept.pop_front().expect("forward comes before backward");
                let of_x = backward(pullback, ct);
                match me {
                    0 => Ok(()),
                    _ => of_x.send(ranks, me - 1, BACKWARD),
                }
            },
            kept,
        )
    }

    /// A step of the last stage: `forward` computes the loss of a part, and `backward` is given it with its pullback, and returns the
    /// cotangent of the input.
    ///
    /// # Errors
    /// As [`first`](Pipeline::first).
    pub fn last<'a, X: Message, L, P>(
        &self,
        inputs: &'a Inputs<X>,
        mut forward: impl FnMut(usize, &'a X) -> (L, P),
        mut backward: impl FnMut(L, P) -> X,
    ) -> Result<(), CommError> {
        let me = self.stage();
        let ranks = &self.ranks;
        let kept = &mut VecDeque::new();
        self.run(
            &mut |part, kept: &mut VecDeque<(L, P)>| {
                let x = self.input(inputs, part)?;
                kept.push_back(forward(part, x));
                Ok(())
            },
            &mut |_, kept| {
                let (loss, pullback) = kept.pop_front().expect("forward comes before backward");
                let of_x = backward(loss, pullback);
                match me {
                    0 => Ok(()),
                    _ => of_x.send(ranks, me - 1, BACKWARD),
                }
            },
            kept,
        )
    }

    fn input<'a, X: Message>(
        &self,
        inputs: &'a Inputs<X>,
        part: usize,
    ) -> Result<&'a X, CommError> {
        let x = match self.stage() {
            0 => X::receive(&Ranks::alone(), 0, FORWARD).map_err(|_| {
                // Nothing comes before the first stage.
                CommError::Unexpected {
                    rank: 0,
                    expected: "input of the first stage, which is (): see Pipeline::first",
                }
            })?,
            me => X::receive(&self.ranks, me - 1, FORWARD)?,
        };
        let place = inputs.0.get(part).ok_or(CommError::Unexpected {
            rank: self.stage(),
            expected: "room for the inputs of all parts: Inputs::new(parts)",
        })?;
        if place.set(x).is_err() {
            return Err(CommError::Unexpected {
                rank: self.stage(),
                expected: "empty room for inputs: each step has its own",
            });
        }
        Ok(place.get().expect("set above"))
    }

    fn run<K>(
        &self,
        forward: &mut dyn FnMut(usize, &mut K) -> Result<(), CommError>,
        backward: &mut dyn FnMut(usize, &mut K) -> Result<(), CommError>,
        kept: &mut K,
    ) -> Result<(), CommError> {
        // The parts that are ahead of their reverse pass.
        let ahead = match self.schedule {
            Schedule::GPipe => self.parts,
            Schedule::OneForwardOneBack => (self.stages() - self.stage()).min(self.parts),
        };
        for part in 0..ahead {
            forward(part, kept)?;
        }
        for part in 0..self.parts {
            backward(part, kept)?;
            if part + ahead < self.parts {
                forward(part + ahead, kept)?;
            }
        }
        Ok(())
    }
}
