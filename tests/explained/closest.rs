#[differentiable(explain)]
fn closest(centres: &[f64], w: &[f64], along: f64, rays: usize) -> f64 {
    let mut sum = 0.0;
    for r in 0..rays {
        let mut closest = 50.0;
        for i in 0..centres.len() {
            let mut t = along;
            for j in 0..w.len() {
                t = (t * w[j]).sin() + centres[i];
            }
            if t < closest {
                closest = t;
            }
        }
        sum += closest * w[r];
    }
    sum
}
