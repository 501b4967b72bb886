use crate::dist::flat::{Exchanged, Leaf};
use crate::dist::{CommError, Number, Numbers, Ranks};
use crate::prelude::*;
use crate::shape::Shape;
use crate::tensor::Raw;

/// What one rank sends to another: tensors of `f32`, `f64` and `Mixed`, numbers, tuples and `Vec`s of them. `()` is nothing.
pub trait Message: Sized {
    /// Sends this value. Messages to one rank under one tag arrive in their order.
    ///
    /// # Errors
    /// If the other rank ended, or a tensor cannot be read.
    fn send(&self, ranks: &Ranks, to: usize, tag: u16) -> Result<(), CommError>;

    /// Receives a value of this type.
    ///
    /// # Errors
    /// If the other rank ended, did not come in time, or sent a value of another type.
    fn receive(ranks: &Ranks, from: usize, tag: u16) -> Result<Self, CommError>;
}

impl Message for () {
    fn send(&self, _: &Ranks, _: usize, _: u16) -> Result<(), CommError> {
        Ok(())
    }
    fn receive(_: &Ranks, _: usize, _: u16) -> Result<Self, CommError> {
        Ok(())
    }
}

/// The sizes that are known at run time only, then the elements.
impl<S: Shape, T: Exchanged> Message for Tensor<S, T> {
    fn send(&self, ranks: &Ranks, to: usize, tag: u16) -> Result<(), CommError> {
        let mut sizes = Vec::new();
        self.shape().put(&mut sizes);
        let sizes = sizes.into_iter().map(|n| n as i64).collect();
        let x = self
            .raw()
            .numbers()
            .map_err(|why| CommError::Device { index: 0, why })?;
        // Nobody need wait for what is under way: the engine keeps it.
        drop(ranks.send(Numbers::I64(sizes), to, tag));
        drop(ranks.send(x, to, tag));
        Ok(())
    }

    fn receive(ranks: &Ranks, from: usize, tag: u16) -> Result<Self, CommError> {
        let (sizes, x) = (ranks.receive(from, tag), ranks.receive(from, tag));
        let sizes: Vec<i64> = sizes.wait_for()?;
        let x: Vec<T::As> = x.wait_for()?;
        if sizes.len() != S::STATIC.iter().filter(|n| n.is_none()).count() {
            return Err(CommError::Unexpected {
                rank: from,
                expected: "tensor of the shape that this rank expects",
            });
        }
        let shape = S::take(&mut sizes.into_iter().map(|n| n as usize));
        let (found_len, expected_len) = (x.len(), shape.dims().numel());
        if found_len != expected_len {
            return Err(CommError::Received {
                expected: T::As::KIND,
                expected_len,
                found: T::As::KIND,
                found_len,
            });
        }
        let x: Vec<T> = x.into_iter().map(T::back).collect();
        let device = crate::device::Device::current();
        Ok(Tensor::new(
            shape,
            Raw::from_slice(&device, shape.dims(), &x),
        ))
    }
}

macro_rules! number {
    ($($T:ident)*) => { $(
        impl Message for $T {
            fn send(&self, ranks: &Ranks, to: usize, tag: u16) -> Result<(), CommError> {
                drop(ranks.send(<$T as Number>::wrap(vec![*self]), to, tag));
                Ok(())
            }
            fn receive(ranks: &Ranks, from: usize, tag: u16) -> Result<Self, CommError> {
                let x: Vec<$T> = ranks.receive(from, tag).wait_for()?;
                x.first().copied().ok_or(CommError::Unexpected {
                    rank: from,
                    expected: "number",
                })
            }
        }
    )* };
}
number!(f32 f64 i64);

macro_rules! tuple {
    ($($A:ident $i:tt),*) => {
        impl<$($A: Message),*> Message for ($($A,)*) {
            fn send(&self, ranks: &Ranks, to: usize, tag: u16) -> Result<(), CommError> {
                $(self.$i.send(ranks, to, tag)?;)*
                Ok(())
            }
            fn receive(ranks: &Ranks, from: usize, tag: u16) -> Result<Self, CommError> {
                Ok(($($A::receive(ranks, from, tag)?,)*))
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, E 3);

impl<A: Message> Message for Vec<A> {
    fn send(&self, ranks: &Ranks, to: usize, tag: u16) -> Result<(), CommError> {
        (self.len() as i64).send(ranks, to, tag)?;
        self.iter().try_for_each(|x| x.send(ranks, to, tag))
    }
    fn receive(ranks: &Ranks, from: usize, tag: u16) -> Result<Self, CommError> {
        let len = i64::receive(ranks, from, tag)?;
        (0..len).map(|_| A::receive(ranks, from, tag)).collect()
    }
}
