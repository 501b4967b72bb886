#[differentiable(explain)]
fn trajectory(start: f64, rates: &[f64], #[constant] limit: f64) -> f64 {
    let mut x = start;
    let steps = rates.len();
    let scale = 2.0 * limit;
    let unused = x * x;
    for i in 0..steps {
        x = rates[i] * x * (1.0 - x);
        if x > limit {
            let over = x - limit;
            x -= 0.5 * over * over / scale;
        }
    }
    x
}
