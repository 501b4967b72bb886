use differentiable::ad::{DifferentiableFn, check_grads};
use differentiable::nn::*;
use differentiable::prelude::*;

fn seeds() -> Seeds {
    Seeds::new(0)
}

parity! { "image":
    conv1d(net: Conv1d<3, 2, 3, 2, 1, 2, f64> = Conv1d::new(&mut seeds()), x [2, 3, 11], w [2, 2, 5]) {
        (net.forward(x) * w).sum()
    }
    conv1d_valid(net: Conv1d<2, 3, 2, 1, 0, 1, f64> = Conv1d::new(&mut seeds()), x [1, 2, 5], w [1, 3, 4]) {
        (net.forward(x) * w).sum()
    }
    conv2d(net: Conv2d<3, 2, 3, 2, 1, 1, f64> = Conv2d::new(&mut seeds()), x [2, 3, 5, 4], w [2, 2, 3, 2]) {
        (net.forward(x) * w).sum()
    }
    conv2d_dilated(net: Conv2d<2, 3, 3, 1, 2, 2, f64> = Conv2d::new(&mut seeds()), x [1, 2, 5, 6], w [1, 3, 5, 6]) {
        (net.forward(x) * w).sum()
    }
    conv2d_pointwise(net: Conv2d<3, 4, 1, 1, 0, 1, f64> = Conv2d::new(&mut seeds()), x [2, 3, 3, 2], w [2, 4, 3, 2]) {
        (net.forward(x) * w).sum()
    }
    conv2d_without_bias(net: Conv2d<2, 2, 3, 1, 1, 1, f64> = Conv2d::without_bias(&mut seeds()), x [2, 2, 3, 5], w [2, 2, 3, 5]) {
        (net.forward(x) * w).sum()
    }
    conv2d_grouped(net: GroupedConv2d<2, 6, 2, 3, 2, 1, 1, f64> = GroupedConv2d::new(&mut seeds()), x [1, 4, 3, 5], w [1, 6, 2, 3]) {
        (net.forward(x) * w).sum()
    }
    conv2d_depthwise(net: DepthwiseConv2d<3, 3, 1, 1, 1, f64> = DepthwiseConv2d::new(&mut seeds()), x [2, 3, 4, 5], w [2, 3, 4, 5]) {
        (net.forward(x) * w).sum()
    }
    conv1d_grouped(net: GroupedConv1d<2, 2, 2, 3, 1, 2, 2, f64> = GroupedConv1d::new(&mut seeds()), x [2, 4, 7], w [2, 2, 7]) {
        (net.forward(x) * w).sum()
    }
    conv3d(net: Conv3d<2, 2, 2, 2, 1, 1, f64> = Conv3d::new(&mut seeds()), x [1, 2, 3, 4, 3], w [1, 2, 2, 3, 2]) {
        (net.forward(x) * w).sum()
    }
    transposed1d(net: ConvTranspose1d<3, 2, 3, 2, 1, 2, f64> = ConvTranspose1d::new(&mut seeds()), x [2, 3, 5], w [2, 2, 11]) {
        (net.forward(x) * w).sum()
    }
    transposed2d(net: ConvTranspose2d<2, 3, 3, 2, 1, 1, f64> = ConvTranspose2d::new(&mut seeds()), x [2, 2, 3, 4], w [2, 3, 5, 7]) {
        (net.forward(x) * w).sum()
    }
    transposed2d_doubles(net: ConvTranspose2d<2, 2, 2, 2, 0, 1, f64> = ConvTranspose2d::without_bias(&mut seeds()), x [1, 2, 3, 2], w [1, 2, 6, 4]) {
        (net.forward(x) * w).sum()
    }
    transposed2d_output_padding(net: ConvTranspose2d<2, 3, 3, 2, 1, 1, f64> = ConvTranspose2d::new(&mut seeds()), x [2, 2, 3, 4], w [2, 3, 6, 8]) {
        (net.forward_output_padded::<1, _, _, _>(x) * w).sum()
    }
    transposed3d(net: ConvTranspose3d<2, 1, 2, 2, 1, 1, f64> = ConvTranspose3d::new(&mut seeds()), x [1, 2, 3, 2, 4], w [1, 1, 4, 2, 6]) {
        (net.forward(x) * w).sum()
    }
}

/// Pools are layers of rows: they have `apply`.
macro_rules! pools {
    ($($test:ident $Pool:ty: [$($x:tt)*] -> [$($w:tt)*];)*) => { parity! { "image": $(
        $test(net: $Pool = Default::default(), x [$($x)*], w [$($w)*]) {
            let mut ctx = no_grad!(Ctx::eval());
            (net.apply(x, &mut ctx) * w).sum()
        }
    )* } };
}
pools! {
    max_pool1d MaxPool1d<3, 2, 1>: [2, 2, 7] -> [2, 2, 4];
    max_pool2d MaxPool2d<2>: [2, 2, 5, 6] -> [2, 2, 2, 3];
    max_pool2d_padded MaxPool2d<3, 2, 1>: [1, 2, 6, 5] -> [1, 2, 3, 3];
    max_pool3d MaxPool3d<2, 1>: [1, 2, 3, 4, 3] -> [1, 2, 2, 3, 2];
    avg_pool1d AvgPool1d<3, 2, 1>: [2, 2, 7] -> [2, 2, 4];
    avg_pool2d AvgPool2d<2>: [2, 2, 5, 6] -> [2, 2, 2, 3];
    avg_pool2d_padded AvgPool2d<3, 2, 1>: [1, 2, 6, 5] -> [1, 2, 3, 3];
    avg_pool3d AvgPool3d<2, 1>: [1, 2, 3, 4, 3] -> [1, 2, 2, 3, 2];
    adaptive_avg_pool2d AdaptiveAvgPool2d<3, 2>: [2, 2, 5, 7] -> [2, 2, 3, 2];
    adaptive_max_pool2d AdaptiveMaxPool2d<3, 2>: [2, 2, 5, 7] -> [2, 2, 3, 2];
    adaptive_avg_pool1d AdaptiveAvgPool1d<3>: [2, 2, 7] -> [2, 2, 3];
    adaptive_max_pool1d AdaptiveMaxPool1d<3>: [2, 2, 7] -> [2, 2, 3];
    adaptive_avg_pool3d AdaptiveAvgPool3d<2, 3, 1>: [1, 2, 3, 4, 3] -> [1, 2, 2, 3, 1];
    adaptive_max_pool3d AdaptiveMaxPool3d<2, 3, 1>: [1, 2, 3, 4, 3] -> [1, 2, 2, 3, 1];
    adaptive_avg_pool2d_more AdaptiveAvgPool2d<4, 3>: [1, 2, 3, 2] -> [1, 2, 4, 3];
}
