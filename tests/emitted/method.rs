#[differentiable]
impl Line {
    fn at(&self, x: f64) -> f64 {
        self.slope * x + self.offset
    }
}
