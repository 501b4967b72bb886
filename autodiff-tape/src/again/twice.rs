//! Annotated functions with `higher_order`: by dual numbers.
//!
//! The cotangents of the arguments are `s(a, c) = Jᵀ(a) c`. With a cotangent `u` of these, that of `c` is `J u`, a tangent of the
//! function, and that of `a` is the derivative of `Jᵀ c` along `u`: the tangents of `Jᵀ c` at `a + u ε`. What these two are made
//! of has no derivative here, so that the third derivative is an error.

use super::linear::LinearMap;
use super::sum::{one, sum};
use super::{Cotangents, Vector};
use crate::arguments::{ArgumentPlaces, Inputs};
use crate::error::OrPanic;
use crate::lists::tuples;
use crate::operation::{Active, Called, Operation};
use crate::{Arguments, Tape, TapeError, Var};
use autodiff_core::ad::{
    Acc, Ct, Differentiable, DifferentiableFn, Dual, Extends, Lift, Over, Scalar,
};
use core::marker::PhantomData;

/// The function `F` over duals of `S`.
type Dualed<F, S> = <F as Over<Dual<S>>>::Item;
/// A value over duals of `S`.
type Lifted<T, S> = <T as Lift<S, Dual<S>>>::Lifted;

/// A function of the arguments `A` that has second derivatives by dual numbers over `S`.
#[doc(hidden)]
pub trait Second<S, A: Arguments>: DifferentiableFn<A, Output: Vector> + 'static {
    /// The derivative of the pullback for `ct` along `direction`.
    fn along(args: &A, direction: &A::Tangent, ct: &Self::Output) -> A::Tangent;
}

impl<F, S, A> Second<S, A> for F
where
    S: Scalar,
    F: DifferentiableFn<A, Output: Vector> + Over<Dual<S>> + 'static,
    A: Arguments + Lift<S, Dual<S>>,
    F::Output: Lift<S, Dual<S>>,
    Dualed<F, S>: DifferentiableFn<Lifted<A, S>>,
    <Dualed<F, S> as DifferentiableFn<Lifted<A, S>>>::Output:
        Differentiable<Tangent = Lifted<F::Output, S>>,
{
    fn along(args: &A, direction: &A::Tangent, ct: &F::Output) -> A::Tangent {
        let lifted = args.lift_along(direction, &mut |x, t| Dual::new(x, [t]));
        let ct = ct.lift(&mut <Dual<S> as Extends<S>>::constant);
        let gradient = <Dualed<F, S> as DifferentiableFn<_>>::vjp(&lifted, ct);
        <A as Lift<S, Dual<S>>>::part(&gradient, &|d| d.tangents[0])
    }
}

/// Arguments whose tangents are values of the tape.
#[doc(hidden)]
pub trait Packed: Arguments + Differentiable<Tangent: Vector> {
    /// The cotangents one by one.
    fn parts(&self, all: &Var<Self::Tangent>) -> Result<Vec<Cotangents>, TapeError>;
    /// All arguments as one value.
    fn pack(tape: &Tape, args: &Self::Vars) -> Result<Var<Self>, TapeError>;
}

macro_rules! of_tuple {
    ($n:literal: $($T:ident $i:tt),*) => {
        impl<$($T),*> Packed for ($($T,)*)
        where
            $($T: Differentiable<Tangent: Vector> + Clone + 'static,)*
        {
            fn parts(&self, all: &Var<Self::Tangent>) -> Result<Vec<Cotangents>, TapeError> {
                Ok(vec![$({
                    let zero = self.zero_tangent();
                    let map = LinearMap::<Self::Tangent, $T::Tangent>::new(
                        "part",
                        |all| all.$i.clone(),
                        move |part| {
                            let mut all = zero.clone();
                            all.$i = part.clone();
                            all
                        },
                    );
                    one(map.of(all)?)
                }),*])
            }
            fn pack(tape: &Tape, args: &Self::Vars) -> Result<Var<Self>, TapeError> {
                tape.apply(Pack, ($(&args.$i,)*))
            }
        }
    };
}
tuples!(of_tuple);

/// Several values as a tuple.
#[derive(Clone)]
struct Pack;

impl<A: Packed> Operation<A> for Pack {
    type Output = A;
    fn name(&self) -> &'static str {
        "pack"
    }
    fn run(&self, args: &A, _: Active) -> (A, impl FnOnce(&A, Ct<A>, &mut Ct<A>) + use<A>) {
        (args.clone(), |_: &A, ct: Ct<A>, sums: &mut Ct<A>| {
            sums.acc(ct);
        })
    }
    fn again(
        &self,
        _: &Tape,
        _: &A::Vars,
        y: &Var<A>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        match sum::<A::Tangent>(ct)? {
            Some(ct) => y.value().parts(&ct),
            None => Ok(Vec::new()),
        }
    }
}

/// A step of the derivatives of `F`.
#[allow(clippy::type_complexity)] // neither owns anything
struct Step<F, S, W>(PhantomData<(fn() -> F, fn() -> S, fn() -> W)>);

impl<F, S, W> Step<F, S, W> {
    const NEW: Self = Step(PhantomData);
}

impl<F, S, W> Clone for Step<F, S, W> {
    fn clone(&self) -> Self {
        Self::NEW
    }
}

fn name<F: DifferentiableFn<A, Output: Clone + 'static> + 'static, A: Arguments>() -> &'static str {
    Operation::<A>::name(&Called::<F>::NEW)
}

fn third<F: DifferentiableFn<A, Output: Clone + 'static> + 'static, A: Arguments>() -> TapeError {
    TapeError::NoSecondDerivative {
        operation: name::<F, A>(),
        instead: "by dual numbers it has two derivatives on a tape: write it with operations of `Var`, which have all",
    }
}

/// The function.
enum Value {}
/// Its pullback.
enum Slope {}
/// The derivative of that along a direction.
enum Along {}
/// Its tangent.
enum Pushed {}

impl<F, S, A> Operation<A> for Step<F, S, Value>
where
    S: Scalar,
    A: Packed,
    F: Second<S, A>,
{
    type Output = F::Output;
    fn name(&self) -> &'static str {
        name::<F, A>()
    }
    fn follows(&self, k: usize) -> bool {
        Operation::<A>::follows(&Called::<F>::NEW, k)
    }
    fn value(&self, args: &A) -> F::Output {
        Called::<F>::NEW.value(args)
    }
    fn run(
        &self,
        args: &A,
        active: Active,
    ) -> (
        F::Output,
        impl FnOnce(&A, Ct<F::Output>, &mut Ct<A>) + use<F, S, A>,
    ) {
        Called::<F>::NEW.run(args, active)
    }
    fn again(
        &self,
        tape: &Tape,
        args: &A::Vars,
        _: &Var<F::Output>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        let Some(ct) = sum::<F::Output>(ct)? else {
            return Ok(Vec::new());
        };
        let packed = A::pack(tape, args)?;
        let slope = tape.apply(Step::<F, S, Slope>::NEW, (&packed, &ct))?;
        packed.value().parts(&slope)
    }
}

impl<F, S, A> Operation<(A, F::Output)> for Step<F, S, Slope>
where
    S: Scalar,
    A: Packed,
    F: Second<S, A>,
{
    type Output = A::Tangent;
    fn name(&self) -> &'static str {
        name::<F, A>()
    }
    fn value(&self, (args, ct): &(A, F::Output)) -> A::Tangent {
        F::vjp(args, ct.clone())
    }
    fn run(
        &self,
        (args, ct): &(A, F::Output),
        active: Active,
    ) -> (
        A::Tangent,
        impl FnOnce(&(A, F::Output), Ct<A::Tangent>, &mut Ct<(A, F::Output)>) + use<F, S, A>,
    ) {
        let slope = F::vjp(args, ct.clone());
        let proto = slope.proto();
        let pull =
            move |(args, ct): &(A, F::Output), u: Ct<A::Tangent>, sums: &mut Ct<(A, F::Output)>| {
                let u = A::Tangent::finish(&proto, u);
                if active.has(0) {
                    sums.0.acc(A::start(F::along(args, &u, ct)));
                }
                if active.has(1) {
                    sums.1.acc(F::Output::start(F::jvp(args, &u).1));
                }
            };
        (slope, pull)
    }
    fn again(
        &self,
        tape: &Tape,
        (args, ct): &(Var<A>, Var<F::Output>),
        _: &Var<A::Tangent>,
        u: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        let mut all = vec![Vec::new(), Vec::new()];
        let Some(u) = sum::<A::Tangent>(u)? else {
            return Ok(all);
        };
        if args.requires_grad() {
            all[0] = one(tape.apply(Step::<F, S, Along>::NEW, (args, ct, &u))?);
        }
        if ct.requires_grad() {
            all[1] = one(tape.apply(Step::<F, S, Pushed>::NEW, (args, &u))?);
        }
        Ok(all)
    }
}

/// The steps that have no derivative.
macro_rules! last {
    ($($Step:ident: ($($x:ident: $X:ty),*) => $Out:ty, $value:expr;)*) => { $(
        impl<F, S, A> Operation<($($X,)*)> for Step<F, S, $Step>
        where
            S: Scalar,
            A: Packed,
            F: Second<S, A>,
        {
            type Output = $Out;
            fn name(&self) -> &'static str {
                name::<F, A>()
            }
            fn check(&self) -> Result<(), TapeError> {
                Err(third::<F, A>())
            }
            fn run(
                &self,
                ($($x,)*): &($($X,)*),
                _: Active,
            ) -> ($Out, impl FnOnce(&($($X,)*), Ct<$Out>, &mut Ct<($($X,)*)>) + use<F, S, A>) {
                let pull = |_: &($($X,)*), _: Ct<$Out>, _: &mut Ct<($($X,)*)>| panic!("{}", third::<F, A>());
                ($value, pull)
            }
            fn again(
                &self,
                _: &Tape,
                _: &<($($X,)*) as ArgumentPlaces>::Vars,
                _: &Var<$Out>,
                _: Cotangents,
            ) -> Result<Vec<Cotangents>, TapeError> {
                Err(third::<F, A>())
            }
        }
    )* };
}
last! {
    Along: (args: A, ct: F::Output, u: A::Tangent) => A::Tangent, F::along(args, u, ct);
    Pushed: (args: A, u: A::Tangent) => F::Output, F::jvp(args, u).1;
}

impl Tape {
    /// As [`call`](Self::call), of a function with `#[differentiable(higher_order)]` over the scalar `S`: its gradient by
    /// [`grad`](Self::grad) has a derivative, by dual numbers. The third one is an error.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// use differentiable::tape::Tape;
    ///
    /// #[differentiable(higher_order)]
    /// fn potential(x: f64, y: f64) -> f64 {
    ///     (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2)
    /// }
    ///
    /// let tape = Tape::new();
    /// let (x, y) = (tape.var(1.0), tape.var(1.0));
    /// let value = tape.call_twice::<potential, f64, _>((&x, &y));
    /// let (by_x, _) = tape.grad(&value, (&x, &y));
    /// assert_eq!(tape.gradient(&by_x, (&x, &y)), (802.0, -400.0));
    /// ```
    ///
    /// # Panics
    /// As [`call`](Self::call).
    #[track_caller]
    pub fn call_twice<F, S, I>(&self, inputs: I) -> Var<F::Output>
    where
        S: Scalar,
        I: Inputs<Values: Packed>,
        F: Second<S, I::Values>,
    {
        let y = self.apply(Step::<F, S, Value>::NEW, inputs);
        y.or_panic()
    }
}
