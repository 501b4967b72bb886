//! Every layer that has a counterpart in PyTorch, compared with what PyTorch computes.

use super::*;
use differentiable::nn::torch::{Import, export};
use differentiable::nn::*;

/// What is exported is what was imported, bit for bit.
#[track_caller]
fn returns<M: Module>(net: &M, mut other: M, name: &str) {
    let folder = Folder::new(name);
    let path = folder.file("back.safetensors");
    export(net, &path).unwrap();
    assert!(state(net) != state(&other), "nothing to compare");
    loaded(import(&mut other, &path));
    assert!(state(net) == state(&other), "{name}");
}

#[test]
fn a_network_with_a_square_layer_in_each_precision() {
    let seeds = &mut Seeds::new(0);
    type Single = Case<Perceptron, Tensor![4, 6], Tensor![4, 3]>;
    type Double = Case<Perceptron<f64>, Tensor![f64; 4, 6], Tensor![f64; 4, 3]>;
    let case = Single::load(mlp(), "mlp.safetensors");
    assert_near(&case.net.forward(&case.io.x), &case.io.y, 1e-6);
    returns(&case.net, Perceptron::new(seeds), "mlp");
    // The outputs were computed in double precision from the rounded weights.
    for file in ["mlp_f16", "mlp_bf16", "mlp_f64"].map(|f| format!("{f}.safetensors")) {
        let case = Double::load(Perceptron::new(seeds), &file);
        assert_near(&case.net.forward(&case.io.x), &case.io.y, 1e-14);
        let case = Single::load(Perceptron::new(seeds), &file);
        assert_near(&case.net.forward(&case.io.x), &case.io.y, 1e-6);
    }
}

#[module]
struct Cnn {
    #[init(Sequential((Conv2d::without_bias(seeds), BatchNorm::new(seeds), Relu, MaxPool2d, ConvTranspose2d::new(seeds), PRelu::new(seeds))))]
    features: Sequential<(
        Conv2d<2, 4, 3, 1, 1, 1, f64>,
        BatchNorm<4, f64>,
        Relu,
        MaxPool2d<2>,
        ConvTranspose2d<4, 3, 2, 2, 0, 1, f64>,
        PRelu<f64>,
    )>,
    norm: GroupNorm<1, 3, f64>,
    classifier: Linear<48, 3, f64>,
}

#[differentiable]
impl Cnn {
    fn forward(&self, x: &Tensor![f64; 2, 2, 4, 4], ctx: &mut Ctx) -> Tensor![f64; 2, 3] {
        let h: Tensor![f64; 2, 3, 4, 4] = self.features.forward(x, ctx);
        self.classifier.forward(&self.norm.forward(&h).flatten())
    }
}

#[test]
fn images_with_running_statistics() {
    let seeds = &mut Seeds::new(0);
    let case: Case<Cnn, Tensor![f64; 2, 2, 4, 4], Tensor![f64; 2, 3]> =
        Case::load(Cnn::new(seeds), "cnn.safetensors");
    let y = case.net.forward(&case.io.x, &mut Ctx::eval());
    assert_near(&y, &case.io.y, 1e-13);
    assert!(case.net.features.0.1.running_mean.to_vec()[0] != 0.0);
    returns(&case.net, Cnn::new(seeds), "cnn");
    let (mut net, path) = (Cnn::new(seeds), data("cnn.safetensors"));
    let report = loaded(Import::new().ignore("io.*").load(&mut net, path));
    let skipped = ["features.1.num_batches_tracked", "io.x", "io.y"];
    assert_eq!(report.skipped, skipped);
    assert!(
        report
            .loaded
            .contains(&"features.0.1.running_var".to_string())
    );
}

#[module]
struct Words {
    table: Embedding<7, 4, f64>,
    #[init(EmbeddingBag::new(seeds, Bag::Mean))]
    bag: EmbeddingBag<7, 4, f64>,
    pair: Bilinear<4, 4, 3, f64>,
    rms: RmsNorm<4, f64>,
    conv1: Conv1d<4, 2, 3, 1, 1, 1, f64>,
    conv3: Conv3d<1, 2, 2, 1, 0, 1, f64>,
    io: WordsIo,
}

#[module]
struct WordsIo {
    #[init(Tensor::zeros())]
    pair: Tensor![f64; 2, 3],
    #[init(Tensor::zeros())]
    conv1: Tensor![f64; 2, 2, 3],
    #[init(Tensor::zeros())]
    conv3: Tensor![f64; 2, 2, 2, 3, 1],
}

#[test]
fn tables_forms_and_convolutions() {
    let seeds = &mut Seeds::new(0);
    let mut net = Words::new(seeds);
    let import = Import::new().ignore("io.ids");
    loaded(import.load(&mut net, data("words.safetensors")));
    let ids: Tensor![i64; 2, 3] = tensor([[1, 6, 0], [2, 2, 5]]);
    let x: Tensor![f64; 2, 3, 4] = net.rms.forward(&net.table.forward(&ids));
    let pair = net
        .pair
        .forward(&x.mean_axis::<1>(), &net.bag.forward(&ids));
    assert_near(&pair, &net.io.pair, 1e-13);
    let conv1: Tensor![f64; 2, 2, 3] = net.conv1.forward(&x.transpose::<1, 2>());
    assert_near(&conv1, &net.io.conv1, 1e-13);
    let volume = x.unsqueeze::<1>().unsqueeze::<4>().expand::<4, _>(Sz::<2>);
    let conv3: Tensor![f64; 2, 2, 2, 3, 1] = net.conv3.forward(&volume);
    assert_near(&conv3, &net.io.conv3, 1e-13);
    returns(&net, Words::new(seeds), "words");
}

/// The name that the layer has in the files.
#[module]
struct Named<R> {
    rnn: R,
}

type Sequence<R, const H: usize> = Case<Named<R>, Tensor![f64; 5, 2, 3], Tensor![f64; 5, 2, { H }]>;

#[test]
fn one_recurrent_layer_in_one_direction_and_in_both() {
    let seeds = &mut Seeds::new(0);
    let case = Sequence::<Lstm<3, 4, f64>, 4>::load(Named::new(seeds), "lstm.safetensors");
    let y = case.net.rnn.forward(&case.io.x, &mut LstmState::zeros());
    assert_near(&y, &case.io.y, 1e-13);
    returns(&case.net, Named::new(seeds), "lstm");

    let case: Case<Named<Lstm<3, 4>>, Tensor![5, 2, 3], Tensor![5, 2, 4]> =
        Case::load(Named::new(seeds), "lstm_f32.safetensors");
    let y = case.net.rnn.forward(&case.io.x, &mut LstmState::zeros());
    assert_near(&y, &case.io.y, 1e-6);

    let case = Sequence::<BiLstm<3, 4, f64>, 8>::load(Named::new(seeds), "lstm_both.safetensors");
    let y: Tensor![f64; 5, 2, 8] = case.net.rnn.forward(&case.io.x);
    assert_near(&y, &case.io.y, 1e-13);
    returns(&case.net, Named::new(seeds), "lstm-both");

    let case = Sequence::<BiRnn<3, 4, f64>, 8>::load(Named::new(seeds), "rnn_both.safetensors");
    let y: Tensor![f64; 5, 2, 8] = case.net.rnn.forward(&case.io.x);
    assert_near(&y, &case.io.y, 1e-13);
    returns(&case.net, Named::new(seeds), "rnn-both");
}

#[test]
fn recurrent_layers_on_top_of_each_other() {
    let seeds = &mut Seeds::new(0);
    let mut lstm = |depth| Named {
        rnn: LstmStack::<3, 4, f64>::new(seeds, depth, 0.0),
    };
    let case = Sequence::<LstmStack<3, 4, f64>, 4>::load(lstm(2), "lstm_2.safetensors");
    let mut states = case.net.rnn.zeros();
    let y = case
        .net
        .rnn
        .forward(&case.io.x, &mut states, &mut Ctx::eval());
    assert_near(&y, &case.io.y, 1e-13);
    returns(&case.net, lstm(2), "lstm-2");

    let mut gru = || Named {
        rnn: GruStack::<3, 3, f64>::new(seeds, 3, 0.0),
    };
    // All of its matrices are square but for the gates.
    let case = Sequence::<GruStack<3, 3, f64>, 3>::load(gru(), "gru_3.safetensors");
    let mut states = case.net.rnn.zeros();
    let y = case
        .net
        .rnn
        .forward(&case.io.x, &mut states, &mut Ctx::eval());
    assert_near(&y, &case.io.y, 1e-13);
    returns(&case.net, gru(), "gru-3");
}

#[module]
struct TwoBothWays {
    first: BiLstm<3, 4, f64>,
    second: BiLstm<8, 4, f64>,
    io: SequenceIo,
}

#[module]
struct SequenceIo {
    #[init(Tensor::zeros())]
    x: Tensor![f64; 5, 2, 3],
    #[init(Tensor::zeros())]
    y: Tensor![f64; 5, 2, 8],
}

#[test]
fn two_layers_in_both_directions_by_their_names() {
    let mut net = TwoBothWays::new(&mut Seeds::new(0));
    let import = Import::new()
        .rename("rnn.{p}_l0{way}", "first.{p}_l0{way}")
        .rename("rnn.{p}_l1{way}", "second.{p}_l0{way}");
    loaded(import.load(&mut net, data("lstm_2_both.safetensors")));
    let h: Tensor![f64; 5, 2, 8] = net.first.forward(&net.io.x);
    let y: Tensor![f64; 5, 2, 8] = net.second.forward(&h);
    assert_near(&y, &net.io.y, 1e-13);
}

#[test]
fn a_stack_in_both_directions_has_the_names_of_pytorch() {
    #[module]
    struct Stack {
        #[init(BiLstmStack::new(seeds, 2, 0.0))]
        rnn: BiLstmStack<3, 4, 8, f64>,
        io: SequenceIo,
    }
    let mut net = Stack::new(&mut Seeds::new(0));
    loaded(Import::new().load(&mut net, data("lstm_2_both.safetensors")));
    let y = net.rnn.forward(&net.io.x, &mut Ctx::eval());
    assert_near(&y, &net.io.y, 1e-13);
    returns(&net, Stack::new(&mut Seeds::new(1)), "stack");
}

#[test]
fn a_block_of_attention_with_both_orders_of_normalisation() {
    let seeds = &mut Seeds::new(0);
    type Block = EncoderLayer<8, 2, 4, 16, f64>;
    for (file, norm_first) in [("encoder_norm_first", true), ("encoder_norm_last", false)] {
        let mut block = || Block {
            norm_first,
            ..Block::new(seeds, 0.0)
        };
        let file = format!("{file}.safetensors");
        let case: Case<Block, Tensor![f64; 2, 4, 8], Tensor![f64; 2, 4, 8]> =
            Case::load(block(), &file);
        let y = case.net.forward(&case.io.x, &Keys::All, &mut Ctx::eval());
        assert_near(&y, &case.io.y, 1e-12);
        returns(&case.net, block(), "block");
    }
}

#[module(no_new)]
struct Translation {
    #[torch(flat())]
    net: Transformer<8, 2, 4, 16, f64>,
    io: TranslationIo,
}

#[module]
struct TranslationIo {
    #[init(Tensor::zeros())]
    source: Tensor![f64; 2, 5, 8],
    #[init(Tensor::zeros())]
    target: Tensor![f64; 2, 3, 8],
    #[init(Tensor::zeros())]
    y: Tensor![f64; 2, 3, 8],
}

#[test]
fn a_transformer_that_reads_and_writes() {
    let seeds = &mut Seeds::new(0);
    let mut fresh = || Translation {
        net: Transformer::new(seeds, 2, 0.0),
        io: TranslationIo::new(&mut Seeds::new(0)),
    };
    let mut all = fresh();
    loaded(import(&mut all, data("transformer.safetensors")));
    let io = &all.io;
    let y = all
        .net
        .forward(&io.source, &io.target, &Keys::All, &mut Ctx::eval());
    assert_near(&y, &io.y, 1e-12);
    returns(&all, fresh(), "transformer");
}
