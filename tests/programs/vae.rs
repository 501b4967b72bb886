//! A variational autoencoder, with an auxiliary value beside the loss.

use super::common::*;

#[module]
struct Vae {
    enc: Linear<64, 128>,
    mean: Linear<128, 8>,
    log_var: Linear<128, 8>,
    up: Linear<8, 128>,
    out: Linear<128, 64>,
}

#[differentiable]
impl Vae {
    /// The first is differentiated.
    fn loss(&self, x: &Tensor![Batch, 64], ctx: &mut Ctx) -> (Tensor![], Tensor![]) {
        let h = self.enc.forward(x).relu();
        let (mean, log_var) = (self.mean.forward(&h), self.log_var.forward(&h));
        let z = &mean + (&log_var * 0.5).exp() * no_grad!(ctx.randn_like(&mean));
        let seen = self
            .out
            .forward(&self.up.forward(&z).relu())
            .bce_with_logits(x)
            * 64.0;
        let kl = kl_normal(&mean, &log_var);
        (&seen + &kl, kl)
    }
}

#[test]
fn the_digits_are_encoded_in_eight_numbers() {
    let data = digits();
    let mut net = Vae::new(&mut Seeds::new(0));
    let mut opt = Adam::new(1e-3);
    let mut ctx = Ctx::train(&net, 0);
    let mut last = 0.0;
    for epoch in 0..20 {
        let mut sum = 0.0;
        for rows in &Batches::new(data.train.len(), 64).epoch(epoch) {
            let (x, _) = data.train.batch(rows, Batch).unwrap();
            let ((loss, kl), grad) = net.loss_value_and_grad(&x, &mut ctx);
            opt.step(&mut net, &grad);
            assert!(kl.item() > 0.0);
            sum += loss.item() * rows.len() as f32;
        }
        last = sum / data.train.len() as f32;
    }
    assert!(last <= 25.5, "{last}");
}
