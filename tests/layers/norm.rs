use crate::golden::Case;
use differentiable::ad::{DifferentiableFn, check_grads};
use differentiable::nn::*;
use differentiable::prelude::*;

fn seeds() -> Seeds {
    Seeds::new(0)
}

parity! { "norm":
    layer_norm(net: LayerNorm<5, f64> = LayerNorm::new(&mut seeds()), x [2, 3, 5], w [2, 3, 5]) {
        (net.forward(x) * w).sum()
    }
    layer_norm_eps(net: LayerNorm<3, f64> = LayerNorm { eps: 0.1, ..LayerNorm::new(&mut seeds()) }, x [1, 3], w [1, 3]) {
        (net.forward(x) * w).sum()
    }
    rms_norm(net: RmsNorm<5, f64> = RmsNorm::new(&mut seeds()), x [2, 3, 5], w [2, 3, 5]) {
        (net.forward(x) * w).sum()
    }
    group_norm(net: GroupNorm<2, 4, f64> = GroupNorm::new(&mut seeds()), x [2, 4, 3, 5], w [2, 4, 3, 5]) {
        (net.forward(x) * w).sum()
    }
    group_norm_one_row(net: GroupNorm<3, 6, f64> = GroupNorm::new(&mut seeds()), x [1, 6], w [1, 6]) {
        (net.forward(x) * w).sum()
    }
    group_norm_sequence(net: GroupNorm<1, 3, f64> = GroupNorm { eps: 1e-3, ..GroupNorm::new(&mut seeds()) }, x [2, 3, 4], w [2, 3, 4]) {
        (net.forward(x) * w).sum()
    }
    instance_norm1d(net: InstanceNorm<3, f64> = InstanceNorm::new(&mut seeds()), x [2, 3, 5], w [2, 3, 5]) {
        (net.forward(x) * w).sum()
    }
    instance_norm2d(net: InstanceNorm<3, f64> = InstanceNorm::new(&mut seeds()), x [1, 3, 4, 3], w [1, 3, 4, 3]) {
        (net.forward(x) * w).sum()
    }
    instance_norm3d(net: InstanceNorm<2, f64> = InstanceNorm::new(&mut seeds()), x [2, 2, 2, 3, 2], w [2, 2, 2, 3, 2]) {
        (net.forward(x) * w).sum()
    }
}

/// Two steps of training, then inference. The running statistics are never set after the first.
macro_rules! batches {
    ($($test:ident $C:literal $momentum:literal $eps:literal [$($s:tt)*];)*) => { $(
        #[test]
        fn $test() {
            #[differentiable]
            fn run(net: &BatchNorm<$C, f64>, x: &Tensor![f64; $($s)*], w: &Tensor![f64; $($s)*], ctx: &mut Ctx) -> Tensor![f64;] {
                (net.forward(x, ctx) * w).sum()
            }
            let mut net = BatchNorm { momentum: $momentum, eps: $eps, ..BatchNorm::new(&mut seeds()) };
            for step in ["first", "second", "inference"] {
                let case = Case::read("norm", &format!("{}/{step}", stringify!($test)));
                match step {
                    "first" => case.set(&mut net),
                    _ => case.set_params(&mut net),
                }
                case.same_buffers(&net);
                let mut ctx = match step {
                    "inference" => Ctx::eval(),
                    _ => Ctx::train(&net, 0),
                };
                let args = (net.clone(), case.input("x"), case.input("w"));
                let (_, (of_net, of_x, of_w)) = run::value_and_grad(&net, &args.1, &args.2, &mut ctx);
                case.gradients(&net, &of_net);
                case.gradient("x", &of_x);
                case.gradient("w", &of_w);
                ctx.commit(&mut net);
            }
        }
    )* };
}
batches! {
    batch_norm_rows 3 0.1 1e-5 [5, 3];
    batch_norm_sequences 3 0.1 1e-5 [2, 3, 5];
    batch_norm_images 2 0.3 1e-3 [2, 2, 3, 5];
    batch_norm_one_image 2 0.1 1e-5 [1, 2, 3, 3];
    batch_norm_volumes 2 0.1 1e-5 [2, 2, 2, 3, 2];
}
