//! Ordinary differential equations `y' = f(t, y)`, and derivatives of their solutions.
//!
//! | | steps | gives |
//! |---|---|---|
//! | [`rk4`](fn@rk4) | of one size, order 4 | the state at the end |
//! | [`rk4_path`](fn@rk4_path) | the same | every state |
//! | [`dopri5`](fn@dopri5) | of order 5, chosen by their error | the state at the end |
//! | [`dopri5_at`](fn@dopri5_at) | the same | the states at given times |
//! | [`dopri5_until`](fn@dopri5_until) | the same | time and state of an event |
//!
//! They are called in annotated functions, with closures as right-hand sides: what a closure captures, numbers,
//! slices, structs, has a derivative. A closure that passes the state on writes its type,
//! `|t, y: &[f64; 2]| self.rate(t, y)`; one that reads its entries need not. [`rk4_vjp`] and [`dopri5_vjp`] take an annotated right-hand side by its
//! name, and give the solution with its pullback.
//!
//! # What is differentiated
//!
//! The derivative is the exact one of the steps that were taken: *discretise, then differentiate*. With the step
//! `y_{i+1} = Φ(y_i, h_i, θ)` the reverse pass is the recursion of the discrete adjoint (Hager, *Runge–Kutta
//! methods in optimal control and the transformed adjoint system*, 2000)
//!
//! ```text
//! λ_i = Φ_yᵀ λ_{i+1},        θ̄ += Φ_θᵀ λ_{i+1}
//! ```
//!
//! from the last step to the first, through the stages of each step, with one pullback of `f` a stage. So reverse
//! and forward mode agree to rounding, and a gradient is that of the loss that was computed, also where the
//! solution is not accurate. (An adjoint equation that is solved backwards on its own is neither.)
//!
//! Where steps are chosen by their error, their sizes are held: the derivative by them would be one of the
//! control. It is smaller than the tolerance, and differences of the solver see it.
//!
//! # Memory
//!
//! States are kept at all steps as long as they take less than 16 MiB. Beyond that they are kept at some steps only, and those
//! between are computed again ([`Checkpoints`]): of `n` steps at least about `√n` are kept unless said otherwise, and as many
//! more are there while the reverse pass runs. The price is one more forward run. Start and size of each step are always kept.
//!
//! # What does not work
//!
//! Methods are explicit: stiff equations take very many steps ([`OdeError::TooManySteps`]). States are `f64`.
//!
//! # Derivatives of higher order
//!
//! In a function with `higher_order` the same steps run on scalars with tangents, forwards and in reverse. The mesh is
//! the one of the values, which the control of the steps alone reads; the time of an event has the tangents that its
//! equation gives it.
//!
//! ```
//! use differentiable::{ode::rk4, prelude::*};
//!
//! /// Of `y' = k y`, by steps of Runge and Kutta.
//! #[differentiable(higher_order)]
//! fn grown(start: f64, k: f64) -> f64 {
//!     rk4(|_, y| k * y, &start, 0.0, 1.0, 100)
//! }
//!
//! let (_, (_, curvature)) = grown::hessian(2.0, 0.5); // by k twice: 2 exp(k)
//! assert!((curvature - 2.0 * 0.5f64.exp()).abs() < 1e-8);
//! ```

mod adaptive;
mod companions;
mod control;
mod event;
mod field;
mod fixed;
mod form;
mod options;
mod record;
mod solution;
mod standalone;
mod state;
mod step;
mod tableau;

pub use adaptive::{dopri5, dopri5_at};
pub(crate) use companions::{companions, over_any_scalar};
pub use event::dopri5_until;
pub use fixed::{rk4, rk4_path, rk4_with};
pub use options::{Crossing, OdeError, Options};
pub use record::Checkpoints;
pub use standalone::{Gradient, dopri5_vjp, rk4_vjp};
pub use state::State;
pub(crate) use state::{is_finite, is_zero, largest, zero};

crate::__setting!(Checkpoints);
crate::__setting!(Crossing);
crate::__setting!(Options);
