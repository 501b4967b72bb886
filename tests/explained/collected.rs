#[differentiable(explain)]
fn energy(start: &[f64], springs: &[f64], steps: usize) -> f64 {
    let mut x = start.to_vec();
    let mut v = vec![0.0; x.len()];
    for _ in 0..steps {
        let f = forces(&x, springs);
        v = v.iter().zip(&f).map(|(v, f)| v + 0.01 * f).collect();
        x = x.iter().zip(&v).map(|(x, v)| x + 0.01 * v).collect();
    }
    let half: Vec<f64> = v.iter().map(|v| 0.5 * v).collect();
    half.iter().zip(&v).map(|(h, v)| h * v).sum()
}
