#[differentiable(explain)]
impl Layer {
    fn forward(&self, x: &Tensor![Batch, 3]) -> Tensor![Batch, 2] {
        let h = x.matmul(&self.w) + &self.b;
        h.relu()
    }
    fn step(&mut self, rate: f32, gradient: &LayerTangent) {
        for i in 0..self.scales.len() {
            self.scales[i] -= rate * self.scales[i].exp();
        }
    }
}
