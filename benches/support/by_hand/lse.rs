//! The gradient is the softmax.

pub fn log_sum_exp(x: &[f64]) -> (f64, Vec<f64>) {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut gradient = Vec::with_capacity(x.len());
    let mut sum = 0.0;
    for value in x {
        let exponential = (value - largest).exp();
        sum += exponential;
        gradient.push(exponential);
    }
    let scale = 1.0 / sum;
    for entry in &mut gradient {
        *entry *= scale;
    }
    (largest + sum.ln(), gradient)
}
