//! Annotated functions as problems of [argmin](https://docs.rs/argmin).
//!
//! [`Problem`] takes a differentiable function as a type, as [`check_grads`](crate::ad::check_grads) does, with all of
//! its arguments. The first is what the solver changes, and its value the start; the others are data. A function
//! with a scalar value is a `CostFunction` with its `Gradient`, and with [`with_hessian`](Problem::with_hessian) its
//! `Hessian`; one whose value is a `Vec` is an `Operator` with its `Jacobian`.
//!
//! ```
//! use argmin::core::Executor;
//! use argmin::solver::linesearch::MoreThuenteLineSearch;
//! use argmin::solver::quasinewton::LBFGS;
//! use differentiable::interop::argmin::Problem;
//! use differentiable::prelude::*;
//!
//! /// The mean squared distance of `p[0] + p[1] · x` from `y`.
//! #[differentiable]
//! fn misfit(p: &[f64], #[constant] x: &[f64], #[constant] y: &[f64]) -> f64 {
//!     let squares: f64 = x.iter().zip(y).map(|(x, y)| (p[0] + p[1] * x - y).powi(2)).sum();
//!     squares / x.len() as f64
//! }
//!
//! let (x, y) = (vec![0.0, 1.0, 2.0], vec![1.0, 3.0, 5.0]);
//! let problem = Problem::<misfit, _>::new((vec![0.0, 0.0], x, y));
//! let start = problem.start();
//! let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5);
//! let run = Executor::new(problem, solver).configure(|s| s.param(start).max_iters(50));
//! let best = run.run()?.state.take_best_param().unwrap();
//! assert!((best[0] - 1.0).abs() < 1e-6 && (best[1] - 2.0).abs() < 1e-6);
//! # Ok::<(), argmin::core::Error>(())
//! ```
//!
//! Parameters are a `Vec`, a number, or another type whose gradient is of the type itself. Solvers ask for arithmetic
//! of argmin's own on them, which argmin-math 0.5 has for `Vec` (the feature `argmin` turns that on) and for
//! nalgebra up to 0.34 and ndarray up to 0.16.
//!
//! A parameter of another length than the start, and a NaN in a value or a derivative, is an
//! [`ArgminError`](argmin::core::ArgminError), with which the solver stops.

mod matrix;
mod problem;

pub use matrix::Matrix;
pub use problem::{Problem, WithData};
