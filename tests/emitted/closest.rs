#[differentiable]
fn closest(centres: &[f64], w: &[f64], along: f64) -> f64 {
    let mut closest = 50.0;
    let mut colour = 0.1;
    for i in 0..centres.len() {
        let mut t = along;
        for j in 0..w.len() {
            t = (t * w[j]).sin() + centres[i];
        }
        if t < closest {
            closest = t;
            colour = t * w[i];
        }
    }
    colour * closest
}
