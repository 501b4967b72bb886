#[differentiable]
fn add_column(y: &mut [f64], l: &[f64], c: f64, from: usize) {
    for i in 0..l.len() {
        y[from + i] += l[i] * c;
    }
}
