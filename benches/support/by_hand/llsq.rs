//! The gradient by coefficient j is −Σᵢ rᵢ tᵢʲ. The powers of one point are kept for its residual.

pub fn half_squares(x: &[f64], n: usize) -> (f64, Vec<f64>) {
    let mut gradient = vec![0.0; x.len()];
    let mut powers = vec![0.0; x.len()];
    let mut sum = 0.0;
    for i in 0..n {
        let t = -1.0 + 2.0 * i as f64 / (n - 1) as f64;
        let mut residual = if t == 0.0 { 0.0 } else { t.signum() };
        let mut power = 1.0;
        for (coefficient, kept) in x.iter().zip(&mut powers) {
            residual -= coefficient * power;
            *kept = power;
            power *= t;
        }
        sum += residual * residual;
        for (entry, power) in gradient.iter_mut().zip(&powers) {
            *entry -= residual * power;
        }
    }
    (0.5 * sum, gradient)
}
