use crate::device::{Float, Random};
use crate::shape::{StaticShape, Sz};
use crate::tensor::Tensor;

/// How the weights of a layer are drawn at first.
///
/// Both families keep the variance of the signal the same from layer to layer; they differ in what
/// they assume of the activation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Init {
    /// Uniform with variance `2/(inputs + outputs)`, for `tanh` and `sigmoid` (Glorot & Bengio
    /// 2010).
    XavierUniform,
    /// Normal with variance `2/(inputs + outputs)`.
    XavierNormal,
    /// Uniform with variance `2/inputs`, for `relu` (He et al. 2015).
    KaimingUniform,
    /// Normal with variance `2/inputs`.
    KaimingNormal,
    /// Uniform on `(−1/√inputs, 1/√inputs)`, with variance `1/(3·inputs)`: what PyTorch's linear and convolutional layers
    /// begin with (LeCun et al. 1998).
    FanIn,
}

impl Init {
    /// The distribution for a layer with this many inputs and outputs.
    pub fn law(self, inputs: usize, outputs: usize) -> Random {
        let std = match self {
            Init::XavierUniform | Init::XavierNormal => 2.0 / (inputs + outputs) as f64,
            Init::KaimingUniform | Init::KaimingNormal => 2.0 / inputs as f64,
            Init::FanIn => 1.0 / (3.0 * inputs as f64),
        }
        .sqrt();
        match self {
            Init::XavierNormal | Init::KaimingNormal => Random::Normal { mean: 0.0, std },
            Init::XavierUniform | Init::KaimingUniform | Init::FanIn => {
                // A uniform distribution on (−a, a) has the variance a²/3.
                let bound = 3.0_f64.sqrt() * std;
                Random::Uniform {
                    low: -bound,
                    high: bound,
                }
            }
        }
    }

    /// Draws a weight matrix.
    pub fn weight<const I: usize, const O: usize, T: Float>(
        self,
        seeds: &mut Seeds,
    ) -> Tensor<(Sz<I>, Sz<O>), T> {
        self.tensor(I, O, seeds)
    }

    /// Draws a tensor of any shape, for units with this many inputs, and as many outputs to which each input goes.
    pub fn tensor<S: StaticShape, T: Float>(
        self,
        inputs: usize,
        outputs: usize,
        seeds: &mut Seeds,
    ) -> Tensor<S, T> {
        Tensor::random_with(S::default(), self.law(inputs, outputs), seeds.next_seed())
    }
}

/// A different seed for each tensor of a model, all from one.
///
/// Two layers drawn from the same seed would begin with the same weights; handing one `Seeds` from
/// layer to layer makes that impossible.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::nn::{Linear, Seeds};
///
/// let mut seeds = Seeds::new(42);
/// let first = Linear::<8, 8>::new(&mut seeds);
/// let second = Linear::<8, 8>::new(&mut seeds);
/// assert_ne!(first.weight, second.weight);
/// assert_eq!(first.weight, Linear::<8, 8>::new(&mut Seeds::new(42)).weight);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds {
    state: u64,
}

impl Seeds {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Seeds { state: seed }
    }

    /// The next seed: SplitMix64 (Steele, Lea & Flood 2014), whose outputs never repeat within a
    /// sequence.
    pub fn next_seed(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_follow_the_published_sequence() {
        // The first outputs of SplitMix64 from state 1234567, as in Rosetta Code's test.
        let mut seeds = Seeds::new(1_234_567);
        let found: Vec<u64> = (0..3).map(|_| seeds.next_seed()).collect();
        assert_eq!(
            found,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    fn check(init: Init, variance: f64, bound: Option<f64>) {
        let w: Tensor<(Sz<200>, Sz<100>), f64> = init.weight(&mut Seeds::new(3));
        let w = w.to_vec();
        let n = w.len() as f64;
        let mean = w.iter().sum::<f64>() / n;
        let found = w.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        assert!(
            mean.abs() < 4.0 * (variance / n).sqrt(),
            "{init:?}: mean {mean}"
        );
        assert!(
            (found / variance - 1.0).abs() < 0.05,
            "{init:?}: {found} for {variance}"
        );
        let largest = w.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        match bound {
            Some(bound) => assert!(largest < bound && largest > 0.99 * bound, "{init:?}"),
            None => assert!(largest > 3.0 * variance.sqrt(), "{init:?}: not normal"),
        }
    }

    #[test]
    fn weights_have_the_published_variance() {
        check(
            Init::XavierUniform,
            2.0 / 300.0,
            Some((6.0_f64 / 300.0).sqrt()),
        );
        check(Init::XavierNormal, 2.0 / 300.0, None);
        check(
            Init::KaimingUniform,
            2.0 / 200.0,
            Some((6.0_f64 / 200.0).sqrt()),
        );
        check(Init::KaimingNormal, 2.0 / 200.0, None);
        check(Init::FanIn, 1.0 / 600.0, Some((1.0_f64 / 200.0).sqrt()));
    }
}
