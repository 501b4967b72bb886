use differentiable::prelude::*;

dim!(Batch);

struct Mlp {
    hidden: Linear<784, 512>,
    out: Linear<256, 10>,
}

impl Mlp {
    fn forward(&self, x: &Tensor![Batch, 784]) -> Tensor![Batch, 10] {
        let h = self.hidden.forward(x).relu();
        self.out.forward(&h)
    }
}

fn main() {
    let _ = Mlp::forward;
}
