//! A depth that is chosen at run time, a layer that may be absent, and a checkpoint.

use super::common::*;
use differentiable::io::Checkpoint;

#[module]
struct Block {
    up: Linear<64, 64>,
    down: Linear<64, 64>,
}

#[module(depth: usize, bottleneck: bool)]
struct Net {
    #[init(repeat(depth))]
    blocks: Vec<Block>,
    #[init(bottleneck.then(|| Linear::new(seeds)))]
    bottleneck: Option<Linear<64, 64>>,
    out: Linear<64, 10>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 10] {
        let mut h = x.clone();
        for b in &self.blocks {
            h = &h + b.down.forward(&b.up.forward(&h).relu());
        }
        if let Some(layer) = &self.bottleneck {
            h = layer.forward(&h).relu();
        }
        self.out.forward(&h)
    }

    fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch]) -> Tensor![] {
        self.forward(x).cross_entropy(y)
    }
}

#[test]
fn a_depth_is_chosen_at_run_time() {
    let data = digits();
    let (xt, yt) = data.test.all(Batch).unwrap();
    let path = std::env::temp_dir().join(format!("depth-{}.safetensors", std::process::id()));
    for depth in [1, 4, 12] {
        let mut net = Net::new(&mut Seeds::new(0), depth, depth == 4);
        let mut opt = Adam::new(1e-3);
        for epoch in 0..6 {
            for rows in &Batches::new(data.train.len(), 64).epoch(epoch) {
                let (x, y) = data.train.batch(rows, Batch).unwrap();
                let (_, grad) = net.loss_value_and_grad(&x, &y);
                opt.step(&mut net, &grad);
            }
        }
        let reached = accuracy(&net.forward(&xt), &yt);
        assert!(reached >= 0.92, "{reached}");
        let file = Checkpoint::new()
            .with_model(&net)
            .with_optimizer(&opt)
            .with("depth", depth);
        file.save(&path).unwrap();
        let file = Checkpoint::load(&path).unwrap();
        let mut again = Net::new(&mut Seeds::new(9), file.get("depth").unwrap(), depth == 4);
        file.restore_model(&mut again).unwrap();
        assert_eq!(again.forward(&xt), net.forward(&xt));
    }
    std::fs::remove_file(path).unwrap();
}
