#[differentiable(explain)]
impl Field {
    fn energy(&self, rate: f64) -> f64 {
        let mut sum = self.at(&self.u, 0);
        for i in 0..self.width {
            sum += rate * self.at(&self.u, i);
        }
        sum
    }
}
