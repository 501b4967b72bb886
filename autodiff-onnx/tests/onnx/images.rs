//! Convolutions, pooling, resampling.

use crate::harness::{Cases, wave};
use crate::rules;
use differentiable::nn::*;
use differentiable::prelude::*;

pub fn cases(cases: &mut Cases) {
    rules! { cases;
        conv1d (x: [2, 3, 9], w: [4, 3, 3]) -> [2, 4, 5] = x.conv1d(w, Win::new().stride::<2>().pad::<1>());
        conv2d (x: [2, 3, 8, 7], w: [4, 3, 3, 2]) -> [2, 4, 6, 6] = x.conv2d(w, Win::new());
        conv2d_strided (x: [2, 3, 8, 7], w: [4, 3, 3, 3]) -> [2, 4, 4, 4] = x.conv2d(w, Win::new().stride::<2>().pad::<1>());
        conv2d_dilated (x: [2, 3, 8, 8], w: [4, 3, 3, 3]) -> [2, 4, 4, 4] = x.conv2d(w, Win::new().dilation::<2>());
        conv2d_grouped (x: [2, 4, 6, 6], w: [6, 2, 3, 3]) -> [2, 6, 4, 4] = x.conv2d_grouped(w, Win::new(), Groups::<2>);
        conv3d (x: [1, 2, 4, 5, 4], w: [3, 2, 2, 2, 2]) -> [1, 3, 3, 4, 3] = x.conv3d(w, Win::new());
        transposed (x: [2, 4, 3, 5], w: [4, 3, 3, 3]) -> [2, 3, 6, 10]
            = x.conv_transpose2d(w, Win::new().stride::<2>().pad::<1>().output_pad::<1>());
        max_pool (x: [2, 3, 6, 8]) -> [2, 3, 3, 4] = x.max_pool::<2, 2>();
        max_pool_over (x: [2, 3, 7, 7]) -> [2, 3, 4, 4] = x.max_pool2d::<3, 3, _>(Win::new().stride::<2>().pad::<1>());
        avg_pool (x: [2, 3, 6, 8]) -> [2, 3, 3, 4] = x.avg_pool::<2, 2>();
        avg_pool_padded (x: [2, 3, 7, 7]) -> [2, 3, 4, 4] = x.avg_pool2d::<3, 3, _>(Win::new().stride::<2>().pad::<1>());
        adaptive (x: [2, 3, 6, 8]) -> [2, 3, 2, 4] = x.adaptive_avg_pool2d::<2, 4>() + x.adaptive_max_pool2d::<2, 4>();
        global (x: [2, 3, 6, 8]) -> [2, 3, 1, 1] = x.adaptive_avg_pool2d::<1, 1>();
        unfold2d (x: [2, 3, 5, 6]) -> [2, 12, 20] = x.unfold2d::<2, 2, _>(Win::new());
        nearest (x: [2, 3, 4, 5]) -> [2, 3, 8, 15] = x.interpolate_nearest(Sz::<8>, Sz::<15>);
        nearest_any (x: [2, 3, 4, 11]) -> [2, 3, 17, 5] = x.interpolate_nearest(Sz::<17>, Sz::<5>);
        bilinear (x: [2, 3, 5, 7]) -> [2, 3, 9, 4] = x.interpolate_bilinear(Sz::<9>, Sz::<4>);
        aligned (x: [2, 3, 5, 7]) -> [2, 3, 9, 4] = x.interpolate_bilinear_aligned(Sz::<9>, Sz::<4>);
        line (x: [2, 3, 7]) -> [2, 3, 17] = x.interpolate_linear(Sz::<17>);
        channels (x: [2, 3, 4, 4], b: [3]) -> [2, 3, 4, 4] = x.add_channels(b).relu();
    }
    let model = cases.run("clean_conv", |io| {
        let x = io.input("x", &Tensor::<shape![2, 3, 8, 8]>::from_fn(wave));
        let w = io.variable("w", &Tensor::<shape![4, 3, 3, 3]>::from_fn(wave));
        io.output("y", &x.conv2d(&w, Win::new()).max_pool::<2, 2>());
    });
    cases.expect("conv", &model, |all| all == ["Conv", "MaxPool"]);
    cases.run("batch_norm", |io| {
        let norm = BatchNorm::<3>::new(&mut Seeds::new(1));
        let norm = io.module(&norm);
        let x = io.input("x", &Tensor::<shape![4, 3, 5, 5]>::from_fn(wave));
        io.output("y", &norm.forward(&x, &mut Ctx::eval()));
    });
}
