#[differentiable]
fn early_return(x: &[f64], limit: f64) -> f64 {
    for i in 0..x.len() {
        if x[i] > limit {
            return x[i] * x[i];
        }
    }
    limit
}
