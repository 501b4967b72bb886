#[differentiable(explain)]
fn attracted(x: &mut [f64], steps: usize, h: f64) -> f64 {
    let mut v = vec![0.0; x.len()];
    for _ in 0..steps {
        for i in 0..x.len() {
            for j in 0..x.len() {
                if i == j {
                    continue;
                }
                let d = x[j] - x[i];
                v[i] += d / (d * d + 0.01);
            }
        }
        for i in 0..x.len() {
            x[i] += h * v[i];
        }
    }
    x[0]
}
