//! The numbers that layers begin with, by the rules of PyTorch's `reset_parameters`.

use differentiable::nn::*;
use std::collections::BTreeMap;

fn seeds() -> Seeds {
    Seeds::new(1)
}

fn numbers<M: Module>(net: &M) -> BTreeMap<String, Vec<f64>> {
    let state = differentiable::nn::state(net);
    let each = state.iter().map(|(name, tensor)| match tensor.data() {
        HostData::F64(x) => (name.clone(), x.clone()),
        other => panic!("{name} is {other:?}"),
    });
    each.collect()
}

/// What a parameter is drawn from.
#[derive(Clone, Copy)]
enum Law {
    /// Uniform on `(−a, a)`.
    Uniform(f64),
    /// The sum of two such draws.
    Twice(f64),
    Normal,
    Always(f64),
}
use Law::*;

/// Panics unless mean, variance and bounds of each parameter are those of its law.
#[track_caller]
fn drawn<M: Module>(net: &M, laws: &[(&str, Law)]) {
    let found = numbers(net);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    let mut expected: Vec<&str> = laws.iter().map(|l| l.0).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    for (name, law) in laws {
        let x = &found[*name];
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        let var = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        let largest = x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        // Variance, and where the largest number lies.
        let (variance, range) = match *law {
            Uniform(a) => (a * a / 3.0, 0.9 * a..=a),
            Twice(a) => (2.0 * a * a / 3.0, 1.2 * a..=2.0 * a),
            Normal => (1.0, 2.0..=6.0),
            Always(value) => {
                assert!(x.iter().all(|x| *x == value), "{name}: {x:?}");
                continue;
            }
        };
        assert!(x.len() > 100, "{name}: {} numbers tell nothing", x.len());
        // The error of a variance is √(2/n) of it for a normal law, less for the others.
        let allowed = 4.0 * (2.0 / n).sqrt();
        assert!(
            (var / variance - 1.0).abs() < allowed,
            "{name}: variance {var} for {variance}"
        );
        assert!(
            mean.abs() < 4.0 * (variance / n).sqrt(),
            "{name}: mean {mean}"
        );
        assert!(
            range.contains(&largest),
            "{name}: {largest} is not in {range:?}"
        );
    }
    // Each parameter has numbers of its own.
    let random: Vec<&str> = laws
        .iter()
        .filter(|l| !matches!(l.1, Always(_)))
        .map(|l| l.0)
        .collect();
    for (i, a) in random.iter().enumerate() {
        for b in &random[..i] {
            assert_ne!(found[*a][..4], found[*b][..4], "{a} and {b}");
        }
    }
}

/// `1/√inputs`.
fn fan(inputs: usize) -> Law {
    Uniform(1.0 / (inputs as f64).sqrt())
}

#[test]
fn products_and_tables() {
    drawn(
        &Linear::<50, 120, f64>::new(&mut seeds()),
        &[("weight", fan(50)), ("bias", fan(50))],
    );
    drawn(
        &LinearNoBias::<50, 20, f64>::new(&mut seeds()),
        &[("weight", fan(50))],
    );
    drawn(
        &Bilinear::<7, 5, 120, f64>::new(&mut seeds()),
        &[("weight", fan(7)), ("bias", fan(7))],
    );
    drawn(
        &Embedding::<40, 8, f64>::new(&mut seeds()),
        &[("weight", Normal)],
    );
    drawn(
        &EmbeddingBag::<40, 8, f64>::new(&mut seeds(), Bag::Sum),
        &[("weight", Normal)],
    );
    let padded = Embedding::<40, 8, f64>::with_padding(3, &mut seeds())
        .weight
        .to_vec();
    for (i, row) in padded.chunks(8).enumerate() {
        assert_eq!(row.iter().all(|x| *x == 0.0), i == 3);
    }
    let up = [("up.weight", fan(120)), ("up.bias", fan(120))];
    let down = [("down.weight", fan(120)), ("down.bias", fan(120))];
    drawn(
        &Mlp::<120, 120, f64>::new(&mut seeds()),
        &[up, down].concat(),
    );
    drawn(
        &PRelu::<f64>::new(&mut seeds()),
        &[("weight", Always(0.25))],
    );
}

#[test]
fn convolutions() {
    drawn(
        &Conv1d::<6, 120, 5, 1, 1, 1, f64>::new(&mut seeds()),
        &[("weight", fan(30)), ("bias", fan(30))],
    );
    drawn(
        &Conv2d::<3, 120, 3, 1, 1, 1, f64>::new(&mut seeds()),
        &[("weight", fan(27)), ("bias", fan(27))],
    );
    drawn(
        &Conv3d::<2, 120, 2, 1, 1, 1, f64>::new(&mut seeds()),
        &[("weight", fan(16)), ("bias", fan(16))],
    );
    drawn(
        &Conv2d::<3, 20, 3, 1, 1, 1, f64>::without_bias(&mut seeds()),
        &[("weight", fan(27))],
    );
    drawn(
        &DepthwiseConv2d::<120, 3, 1, 1, 1, f64>::new(&mut seeds()),
        &[("weight", fan(9)), ("bias", fan(9))],
    );
    // The weights of a transposed convolution have their outputs as second axis, from which PyTorch counts.
    drawn(
        &ConvTranspose2d::<3, 120, 3, 1, 0, 1, f64>::new(&mut seeds()),
        &[("weight", fan(120 * 9)), ("bias", fan(120 * 9))],
    );
    drawn(
        &PatchEmbedding::<3, 4, 9, 120, f64>::new(&mut seeds()),
        &[("weight", fan(48)), ("bias", fan(48))],
    );
}

#[test]
fn normalisations() {
    let both = [("weight", Always(1.0)), ("bias", Always(0.0))];
    drawn(&LayerNorm::<5, f64>::new(&mut seeds()), &both);
    drawn(&GroupNorm::<2, 4, f64>::new(&mut seeds()), &both);
    drawn(&InstanceNorm::<4, f64>::new(&mut seeds()), &both);
    drawn(&RmsNorm::<5, f64>::new(&mut seeds()), &both[..1]);
    let running = [("running_mean", Always(0.0)), ("running_var", Always(1.0))];
    drawn(
        &BatchNorm::<5, f64>::new(&mut seeds()),
        &[both, running].concat(),
    );
}

#[test]
fn recurrent_layers() {
    let all = [("weight_ih", fan(36)), ("weight_hh", fan(36))];
    let twice = ("bias", Twice(1.0 / 6.0));
    drawn(
        &Lstm::<5, 36, f64>::new(&mut seeds()),
        &[all[0], all[1], twice],
    );
    drawn(
        &Gru::<5, 36, f64>::new(&mut seeds()),
        &[all[0], all[1], ("bias_ih", fan(36)), ("bias_hh", fan(36))],
    );
    let all = [("weight_ih", fan(144)), ("weight_hh", fan(144))];
    drawn(
        &Rnn::<5, 144, f64>::new(&mut seeds()),
        &[all[0], all[1], ("bias", Twice(1.0 / 12.0))],
    );
    let stack = LstmStack::<5, 36, f64>::new(&mut seeds(), 3, 0.0);
    assert_eq!(stack.zeros().len(), 3);
    assert_ne!(stack.rest[0].weight_ih, stack.rest[1].weight_ih);
}

#[test]
fn attention() {
    // One matrix of PyTorch makes queries, keys and values, and has 12 inputs and 36 outputs.
    let input = Uniform((6.0_f64 / 48.0).sqrt());
    let zeros = ["query_bias", "key_bias", "value_bias", "out_bias"].map(|n| (n, Always(0.0)));
    let weights = [
        ("query", input),
        ("key", input),
        ("value", input),
        ("out", fan(12)),
    ];
    drawn(
        &MultiHead::<12, 3, 4, f64>::new(&mut seeds()),
        &[weights, zeros].concat(),
    );
    drawn(
        &GroupedMultiHead::<12, 3, 2, 4, f64>::new(&mut seeds()),
        &[
            ("query", fan(12)),
            ("key", fan(12)),
            ("value", fan(12)),
            ("out", fan(24)),
        ],
    );
    let encoder = Encoder::<4, 2, 2, 8>::new(&mut seeds(), 3, 0.1);
    assert_eq!(encoder.layers.len(), 3);
    assert_ne!(
        encoder.layers[0].mlp.up.weight,
        encoder.layers[1].mlp.up.weight
    );
}
