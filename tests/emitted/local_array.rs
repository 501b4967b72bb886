#[differentiable]
fn local_array(x: &[f64]) -> f64 {
    let mut a = vec![0.0; x.len()];
    for i in 0..x.len() {
        a[i] = x[i] * x[i];
    }
    norm(&a)
}
