//! A mixture of experts of which two run for each row.

use super::common::*;

#[module]
struct Net {
    first: Linear<64, 32>,
    mixture: MixtureOfExperts<32, 64, 8, 2>,
    out: Linear<32, 10>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 64]) -> (Tensor![Batch, 10], Tensor![]) {
        let h = self.first.forward(x).relu();
        let (mixed, balance) = self.mixture.forward(&h);
        (self.out.forward(&(h + mixed)), balance)
    }

    fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch]) -> Tensor![] {
        let (logits, balance) = self.forward(x);
        logits.cross_entropy(y) + balance * 0.01
    }
}

#[test]
fn the_digits_are_read_by_experts() {
    let data = digits();
    let mut net = Net::new(&mut Seeds::new(0));
    let mut opt = Adam::new(2e-3);
    for epoch in 0..10 {
        for rows in &Batches::new(data.train.len(), 64).epoch(epoch) {
            let (x, y) = data.train.batch(rows, Batch).unwrap();
            let (_, grad) = net.loss_value_and_grad(&x, &y);
            opt.step(&mut net, &grad);
        }
    }
    let (x, y) = data.test.all(Batch).unwrap();
    let (logits, balance) = net.forward(&x);
    let reached = accuracy(&logits, &y);
    assert!(
        reached >= 0.94 && balance.item() < 1.5,
        "{reached} {balance:?}"
    );
}
