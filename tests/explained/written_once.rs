#[differentiable(explain)]
fn solve(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..i {
            x[i] -= l[i * n + j] * x[j];
        }
        x[i] /= l[i * n + i];
    }
}
