//! The coefficients of explicit Runge–Kutta methods.

use crate::ad::Scalar;

/// `k_i = f(t + c_i h, y + h Σ_j a_ij k_j)` and `y₁ = y + h Σ b_i k_i`.
pub(crate) trait Tableau {
    /// The rows `a_i`, each as long as it has to be.
    const A: &'static [&'static [f64]];
    /// The places `c_i` of the stages.
    const C: &'static [f64];
    /// The weights of the step. Stages beyond are for the interpolant.
    const B: &'static [f64];
}

/// The classical method of order 4 (Kutta 1901).
pub(crate) enum Classical {}

impl Tableau for Classical {
    const A: &'static [&'static [f64]] = &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]];
    const C: &'static [f64] = &[0.0, 0.5, 0.5, 1.0];
    const B: &'static [f64] = &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
}

/// The method of Dormand and Prince of order 5 (J. Comput. Appl. Math. 6, 1980), with the embedded one of
/// order 4. Its seventh stage is the first of the next step.
pub(crate) enum DormandPrince {}

impl Tableau for DormandPrince {
    const A: &'static [&'static [f64]] = &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[
            19372.0 / 6561.0,
            -25360.0 / 2187.0,
            64448.0 / 6561.0,
            -212.0 / 729.0,
        ],
        &[
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18656.0,
        ],
        Self::B,
    ];
    const C: &'static [f64] = &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
    const B: &'static [f64] = &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ];
}

impl DormandPrince {
    /// The step of order 5 less that of order 4.
    pub(crate) const ERROR: [f64; 7] = [
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ];

    /// Of the interpolant of order 4 (Shampine; Hairer, Nørsett, Wanner, II.6).
    const DENSE: [f64; 7] = [
        -12715105075.0 / 11282082432.0,
        0.0,
        87487479700.0 / 32700410799.0,
        -10690763975.0 / 1880347072.0,
        701980252875.0 / 199316789632.0,
        -1453857185.0 / 822651844.0,
        69997945.0 / 29380423.0,
    ];

    /// The weights `b_i(θ)` of `y(t + θ h) = y + h Σ b_i(θ) k_i`, and their derivatives by `θ`.
    pub(crate) fn dense<S: Scalar>(theta: S) -> ([S; 7], [S; 7]) {
        let n = S::lit;
        let (s, r) = (theta, S::ONE - theta);
        let (mut w, mut slope) = ([S::ZERO; 7], [S::ZERO; 7]);
        for i in 0..7 {
            let b = n(Self::B.get(i).copied().unwrap_or(0.0));
            let d = n(Self::DENSE[i]);
            w[i] = b * s * s * (n(3.0) - n(2.0) * s) + d * (s * r).powi(2);
            slope[i] = n(6.0) * b * s * r + d * n(2.0) * s * r * (r - s);
        }
        w[0] += s * r * r;
        slope[0] += r * (r - n(2.0) * s);
        w[6] -= s * s * r;
        slope[6] -= s * (n(2.0) * r - s);
        (w, slope)
    }
}
