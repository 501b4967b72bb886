//! A function and its arguments as a problem.

use super::Matrix;
use crate::ad::{Differentiable, DifferentiableFn, Scalar, Tangent, entries};
use argmin::argmin_error;
use argmin::core::{CostFunction, Error, Gradient, Hessian, Jacobian, Operator};
use core::fmt;
use core::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The arguments of a function: the first, which a solver changes, and data.
///
/// Implemented for tuples of one to six arguments.
pub trait WithData: Differentiable {
    /// The type of the first.
    type Param: Differentiable<Tangent = Self::Param> + Tangent;
    /// The first.
    fn param(&self) -> &Self::Param;
    /// The first, to be replaced.
    fn param_mut(&mut self) -> &mut Self::Param;
    /// What a gradient has for the first.
    fn gradient(tangent: Self::Tangent) -> Self::Param;
    /// A direction that only changes the first.
    fn direction(&self, first: Self::Param) -> Self::Tangent;
}

macro_rules! with_data {
    ($(($($D:ident $i:tt),*))*) => { $(
        impl<P: Differentiable<Tangent = P> + Tangent, $($D: Differentiable),*> WithData for (P, $($D,)*) {
            type Param = P;
            fn param(&self) -> &P {
                &self.0
            }
            fn param_mut(&mut self) -> &mut P {
                &mut self.0
            }
            fn gradient(tangent: Self::Tangent) -> P {
                tangent.0
            }
            fn direction(&self, first: P) -> Self::Tangent {
                (first, $(self.$i.zero_tangent(),)*)
            }
        }
    )* };
}
with_data! {
    ()
    (A 1)
    (A 1, B 2)
    (A 1, B 2, C 3)
    (A 1, B 2, C 3, D 4)
    (A 1, B 2, C 3, D 4, E 5)
}

/// A differentiable function `F` with its arguments, as argmin takes a problem.
///
/// `H` is the function that computes the Hessian, if there is one.
pub struct Problem<F, Args, H = ()> {
    /// One evaluation at a time: each puts its parameter among the data, which are not copied.
    args: Mutex<Args>,
    numbers: usize,
    hessian: H,
    function: PhantomData<fn() -> F>,
}

impl<F, Args: fmt::Debug, H> fmt::Debug for Problem<F, Args, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("args", &self.args)
            .finish_non_exhaustive()
    }
}

impl<F: DifferentiableFn<Args>, Args: WithData> Problem<F, Args> {
    /// The problem of `F` at these arguments: where the solver starts, then the data.
    ///
    /// Mark data `#[constant]` in the function, or their derivatives are computed and dropped.
    pub fn new(args: Args) -> Self {
        let numbers = entries(args.param());
        Problem {
            args: Mutex::new(args),
            numbers,
            hessian: (),
            function: PhantomData,
        }
    }

    /// The same problem with second derivatives: `hessian` gives the rows of the Hessian by the first argument.
    ///
    /// For `#[differentiable(higher_order)] fn f(x: &[f64], #[constant] data: &[f64]) -> f64` this is
    /// `.with_hessian(|(x, data)| f::hessian(x, data))`.
    pub fn with_hessian<T, H: Fn(&Args) -> Vec<Vec<T>>>(self, hessian: H) -> Problem<F, Args, H> {
        Problem {
            args: self.args,
            numbers: self.numbers,
            hessian,
            function: self.function,
        }
    }
}

impl<F: DifferentiableFn<Args>, Args: WithData, H> Problem<F, Args, H> {
    /// The first argument as it was given to [`new`](Problem::new).
    pub fn start(&self) -> Args::Param {
        self.lock().param().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Args> {
        // A panic in `F` leaves whole arguments behind, of which the first is replaced.
        self.args.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `then` with the arguments for this parameter.
    fn at<R>(&self, param: &Args::Param, then: impl FnOnce(&Args) -> R) -> Result<R, Error> {
        let found = entries(param);
        if found != self.numbers {
            let text = format!("the function takes {} numbers, found {found}", self.numbers);
            return Err(argmin_error!(InvalidParameter, text));
        }
        let mut args = self.lock();
        let start = core::mem::replace(args.param_mut(), param.clone());
        let result = then(&args);
        *args.param_mut() = start;
        Ok(result)
    }
}

/// The value, if no number in it is NaN: `⟨x, x⟩` is NaN then.
fn checked<T: Tangent>(value: T, what: &str) -> Result<T, Error> {
    match Tangent::dot(&value, &value).is_nan() {
        true => Err(argmin_error!(
            ConditionViolated,
            format!("the {what} is NaN")
        )),
        false => Ok(value),
    }
}

impl<F, Args: WithData, H, T: Scalar> CostFunction for Problem<F, Args, H>
where
    F: DifferentiableFn<Args, Output = T>,
{
    type Param = Args::Param;
    type Output = T;
    fn cost(&self, param: &Args::Param) -> Result<T, Error> {
        checked(self.at(param, F::call)?, "cost")
    }
}

impl<F, Args: WithData, H, T: Scalar> Gradient for Problem<F, Args, H>
where
    F: DifferentiableFn<Args, Output = T>,
{
    type Param = Args::Param;
    type Gradient = Args::Param;
    fn gradient(&self, param: &Args::Param) -> Result<Args::Param, Error> {
        let tangent = self.at(param, |args| F::vjp(args, T::ONE))?;
        checked(Args::gradient(tangent), "gradient")
    }
}

impl<F, Args: WithData, H, T: Scalar> Hessian for Problem<F, Args, H>
where
    F: DifferentiableFn<Args, Output = T>,
    H: Fn(&Args) -> Vec<Vec<T>>,
{
    type Param = Args::Param;
    type Hessian = Matrix<T>;
    fn hessian(&self, param: &Args::Param) -> Result<Matrix<T>, Error> {
        let rows = self.at(param, &self.hessian)?;
        let n = self.numbers;
        if rows.len() != n || rows.iter().any(|row| row.len() != n) {
            let text = format!("a Hessian of {n} rows of {n} numbers was expected");
            return Err(argmin_error!(InvalidParameter, text));
        }
        Ok(Matrix::new(checked(rows, "Hessian")?, n))
    }
}

impl<F, Args: WithData, H, T: Scalar> Operator for Problem<F, Args, H>
where
    F: DifferentiableFn<Args, Output = Vec<T>>,
{
    type Param = Args::Param;
    type Output = Vec<T>;
    fn apply(&self, param: &Args::Param) -> Result<Vec<T>, Error> {
        checked(self.at(param, F::call)?, "value")
    }
}

/// By the rows or by the columns, of which there are fewer: each is a run of the function.
impl<F, Args, H, T: Scalar> Jacobian for Problem<F, Args, H>
where
    F: DifferentiableFn<Args, Output = Vec<T>>,
    Args: WithData<Param = Vec<T>>,
{
    type Param = Vec<T>;
    type Jacobian = Matrix<T>;
    fn jacobian(&self, param: &Vec<T>) -> Result<Matrix<T>, Error> {
        let n = self.numbers;
        let rows = self.at(param, |args| {
            let unit = |n: usize, i| {
                (0..n)
                    .map(|j| if i == j { T::ONE } else { T::ZERO })
                    .collect()
            };
            let m = F::call(args).len();
            if m <= n {
                return (0..m)
                    .map(|i| Args::gradient(F::vjp(args, unit(m, i))))
                    .collect();
            }
            let columns = (0..n).map(|j| F::jvp(args, &args.direction(unit(n, j))).1);
            Matrix::new(columns.collect(), m).transposed().into_rows()
        })?;
        Ok(Matrix::new(checked(rows, "Jacobian")?, n))
    }
}
