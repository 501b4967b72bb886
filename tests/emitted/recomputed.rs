#[differentiable(checkpoint)]
fn recomputed(x: f64, w: Vec<f64>, out: &mut [f64]) -> f64 {
    out[0] *= w[0] * x.sin();
    out[0] * out[1]
}
