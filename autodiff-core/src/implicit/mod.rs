//! Derivatives of what an equation defines: roots and fixed points, whoever found them.
//!
//! Let `F(x, θ) = 0` at `x = x*(θ)`. Differentiating the equation gives `F_x dx + F_θ dθ = 0`, so
//!
//! ```text
//! dx = −F_x⁻¹ F_θ dθ,        θ̄ = −F_θᵀ λ   with   F_xᵀ λ = x̄
//! ```
//!
//! (the implicit function theorem; Blondel et al., *Efficient and modular implicit differentiation*, 2022). How
//! the root was found plays no part, so the solver need not be differentiated, and nothing of it is kept.
//! [`root`](fn@root) forms `F_x` by as many pullbacks (or pushforwards) of `F` as there are unknowns and solves by
//! Gaussian elimination; then one pullback of `F` gives `θ̄`, whatever `θ` is: everything that `F` captures.
//!
//! For a fixed point `x* = G(x*, θ)` it is `λ = x̄ + G_xᵀ λ` and `θ̄ = G_θᵀ λ`. Where `G` contracts, iterating that
//! equation converges as the iteration of `G` does (Christianson, *Reverse accumulation and attractive fixed
//! points*, 1994), one pullback a step and no matrix. [`fixed_point`](fn@fixed_point) does that, and solves where it
//! does not converge.
//!
//! ```
//! use differentiable::implicit::{ImplicitError, root};
//! use differentiable::prelude::*;
//!
//! /// Of Kepler's equation E − e sin E = M, by any means.
//! fn solve(mean: f64, e: f64) -> f64 {
//!     (0..100).fold(mean, |x, _| x - (x - e * x.sin() - mean) / (1.0 - e * x.cos()))
//! }
//!
//! #[differentiable]
//! fn anomaly(mean: f64, e: f64) -> Result<f64, ImplicitError> {
//!     let found = no_grad!(solve(mean, e));
//!     root(|x| x - e * x.sin() - mean, &found, 1e-12)
//! }
//!
//! let (x, pullback) = anomaly::vjp(1.0, 0.3);
//! let (by_mean, by_e) = pullback(Some(1.0));
//! let slope = 1.0 / (1.0 - 0.3 * x.clone()?.cos());
//! assert!((by_mean - slope).abs() < 1e-14 && (by_e - x?.sin() * slope).abs() < 1e-14);
//! # Ok::<(), ImplicitError>(())
//! ```
//!
//! In a function with `higher_order` all of that runs on scalars with tangents. The solution gets its own first, by
//! Newton's method from its value, `x ← x − F_x⁻¹ F(x, θ)` with the Jacobian held: what the Jacobian leaves out is
//! nilpotent, so that each step makes the tangents of one more order right.
//!
//! Where `F_x` is singular there is no derivative: the pullback panics and says so. The result does not depend
//! on where a solver started: nothing flows back through the value that is passed in, nor through the starting
//! point of [`newton`](fn@newton).

mod function;
mod lu;
mod rules;
mod search;

pub use rules::{fixed_point, root};
pub use search::{NewtonOptions, newton};

/// Why there is no root, or none that has a derivative.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImplicitError {
    /// The value that was given does not satisfy the equation.
    #[error(
        "the value given is no solution: the equation is off by {residual:e}, with a tolerance of {tolerance:e}"
    )]
    NotARoot {
        /// The largest number of the residual; NaN if there is one.
        residual: f64,
        /// What was allowed.
        tolerance: f64,
    },
    /// Newton's method came to a point where the Jacobian has no inverse.
    #[error("the Jacobian of the equation is singular or not finite after {iterations} iterations")]
    Singular {
        /// How many steps were made.
        iterations: usize,
    },
    /// Newton's method found no root.
    #[error(
        "Newton's method did not converge: after {iterations} iterations the equation is off by {residual:e}"
    )]
    NoConvergence {
        /// How many steps were made.
        iterations: usize,
        /// The largest number of the residual there.
        residual: f64,
    },
}
