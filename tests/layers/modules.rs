//! What every module has: names, counts, a table, other numbers, other devices.

use differentiable::nn::*;
use differentiable::prelude::*;

dim!(Batch);

/// Some of everything.
#[module]
struct Net<T: Float = f32> {
    conv: Conv2d<1, 4, 3, 1, 1, 1, T>,
    norm: BatchNorm<4, T>,
    table: Embedding<6, 8, T>,
    #[init(Encoder::new(seeds, 2, 0.1))]
    encoder: Encoder<8, 2, 4, 16, T>,
    lstm: Lstm<8, 5, T>,
    out: Linear<5, 2, T>,
}

fn seeds() -> Seeds {
    Seeds::new(0)
}

/// The numbers of parameters of PyTorch's layers of the same sizes, two of whose biases are one here.
#[test]
fn parameters_are_counted() {
    assert_eq!(Conv2d::<3, 8, 5>::new(&mut seeds()).num_params(), 608);
    assert_eq!(
        ConvTranspose2d::<3, 8, 5>::new(&mut seeds()).num_params(),
        608
    );
    assert_eq!(BatchNorm::<8>::new(&mut seeds()).num_params(), 16);
    assert_eq!(MultiHead::<8, 2, 4>::new(&mut seeds()).num_params(), 288);
    assert_eq!(
        EncoderLayer::<8, 2, 4, 16>::new(&mut seeds(), 0.1).num_params(),
        600
    );
    assert_eq!(
        DecoderLayer::<8, 2, 4, 16>::new(&mut seeds(), 0.1).num_params(),
        904
    );
    assert_eq!(Gru::<3, 4>::new(&mut seeds()).num_params(), 108);
    assert_eq!(Lstm::<3, 4>::new(&mut seeds()).num_params(), 144 - 16);
    assert_eq!(Dropout::new(0.1).num_params(), 0);
}

#[test]
fn summaries_show_layers_and_sizes() {
    let net = <Net>::new(&mut seeds());
    let summary = net.summary();
    assert_eq!(summary.params, net.num_params());
    assert_eq!(
        (summary.buffers, summary.bytes),
        (8, 4 * (summary.params + 8))
    );
    let text = summary.to_string();
    for part in [
        "conv",
        "Conv2d<1, 4, 3> ",
        "weight [4, 1, 3, 3], bias [4]",
        "8 + 8 saved",
        "encoder.layers.1.attention",
        "MultiHead<8, 2, 4>",
        "lstm",
        "weight_ih [4, 5, 8]",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn numbers_of_another_type() {
    let net = <Net>::new(&mut seeds());
    let wide = net.cast::<f64>();
    assert_eq!(wide.num_params(), net.num_params());
    assert_eq!(wide.norm.eps, net.norm.eps);
    assert_eq!(wide.encoder.layers.len(), 2);
    let x = Tensor::<(Batch, Sz<1>, Sz<4>, Sz<4>), f32>::randn_with((Batch(2), Sz, Sz, Sz), 1);
    let there = |y: Tensor![f64; Batch, 4, 4, 4]| y.to_vec();
    let (narrow, exact) = (
        there(
            net.norm
                .forward(&net.conv.forward(&x), &mut Ctx::eval())
                .cast(),
        ),
        there(
            wide.norm
                .forward(&wide.conv.forward(&x.cast()), &mut Ctx::eval()),
        ),
    );
    for (a, b) in narrow.iter().zip(exact) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    let back = wide.cast::<f32>();
    assert_eq!(
        differentiable::nn::state(&back),
        differentiable::nn::state(&net)
    );
}

/// Each layer makes its masks, zeros and tables where its input is.
#[test]
fn networks_move_to_a_device() {
    let far = Device::far();
    let net = <Net>::new(&mut seeds());
    let there = net.to(&far);
    let pixels = Tensor::<(Batch, Sz<1>, Sz<4>, Sz<4>), f32>::randn_with((Batch(2), Sz, Sz, Sz), 1);
    let ids = Tensor::<(Batch, Sz<3>), i64>::from_fn_with((Batch(2), Sz), |i| i as i64);
    let run = |net: &Net, device: &Device| {
        let (pixels, ids) = (pixels.to(device), ids.to(device));
        let mut ctx = Ctx::train(net, 3);
        let image = net.norm.forward(&net.conv.forward(&pixels), &mut ctx);
        let lengths = Keys::first(
            &Tensor::<(Batch,), i64>::from_fn_with((Batch(2),), |i| 2 + i as i64).to(device),
        );
        let read = net
            .encoder
            .forward(&net.table.forward(&ids), &lengths, &mut ctx);
        let read = read.transpose::<0, 1>();
        let y = net.lstm.forward(&read, &mut LstmState::zeros());
        let padded =
            net.lstm
                .forward_padded(&read, &Lengths::from([3, 1]), &mut LstmState::zeros());
        let turned = Rotary::<8>::new(&mut seeds()).forward(&read, 2);
        let channels = Dropout2d::new(0.5).forward(&image, &mut ctx);
        ctx.discard();
        assert_eq!(y.device(), device);
        [
            image.sum(),
            y.sum(),
            padded.sum(),
            turned.sum(),
            channels.sum(),
            net.out.forward(&y).sum(),
        ]
        .map(|s| s.item())
    };
    for (a, b) in run(&net, &Device::cpu()).iter().zip(run(&there, &far)) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}
