//! Samples from the scores of classes, such as the next token of a language model.

use autodiff_nn::device::{Elem, Float};
use autodiff_nn::nn::Ctx;
use autodiff_nn::shape::{Axis, Shape};
use autodiff_nn::tensor::Tensor;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Draws classes from logits: the probability of a class is the softmax of its logits, the last axis.
///
/// ```
/// use differentiable::data::Categorical;
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// let logits: Tensor![Batch, 3] = Tensor::from_vec_with((Batch(2), Sz), vec![0., 9., 1., 4., 3., 4.])?;
/// let mut ctx = Ctx::eval_with_seed(7);
/// let classes: Tensor![i64; Batch] = Categorical::sample(&logits, &mut ctx);
/// assert!(classes.to_vec().iter().all(|&c| c < 3));
///
/// let careful = Categorical::new().temperature(0.7).top_k(40).top_p(0.9);
/// let classes: Tensor![i64; Batch] = careful.draw(&logits, &mut ctx);
/// let best = Categorical::new().temperature(0.0).draw(&logits, &mut ctx);
/// assert_eq!(best.to_vec(), [1, 0]);
/// # Ok::<(), ShapeError>(())
/// ```
///
/// The seed comes from [`Ctx::next_seed`]: the same context gives the same classes, and the next call others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Categorical {
    temperature: f64,
    top_k: Option<usize>,
    top_p: Option<f64>,
}

impl Default for Categorical {
    fn default() -> Self {
        Categorical::new()
    }
}

impl Categorical {
    /// Temperature 1, all classes.
    pub fn new() -> Self {
        Categorical {
            temperature: 1.0,
            top_k: None,
            top_p: None,
        }
    }

    /// Divides the logits by `temperature`: below 1 likely classes become likelier. 0 takes the class of the largest logit,
    /// the first of equal ones.
    ///
    /// # Panics
    /// If the temperature is negative or not finite.
    #[track_caller]
    pub fn temperature(self, temperature: f64) -> Self {
        assert!(
            temperature >= 0.0 && temperature.is_finite(),
            "expected a temperature of 0 or more, found {temperature}"
        );
        Categorical {
            temperature,
            ..self
        }
    }

    /// Draws from the `k` likeliest classes only (Fan et al. 2018). Of equal ones the first are kept.
    ///
    /// # Panics
    /// If `k` is 0.
    #[track_caller]
    pub fn top_k(self, k: usize) -> Self {
        assert!(k > 0, "expected at least 1 class to draw from, found 0");
        Categorical {
            top_k: Some(k),
            ..self
        }
    }

    /// Draws from the smallest set of likeliest classes whose probabilities add up to at least `p` (nucleus sampling, Holtzman et
    /// al. 2020). After [`top_k`](Categorical::top_k), of the probabilities among its classes.
    ///
    /// # Panics
    /// If `p` is not above 0 and at most 1.
    #[track_caller]
    pub fn top_p(self, p: f64) -> Self {
        assert!(
            p > 0.0 && p <= 1.0,
            "expected a probability above 0 and at most 1, found {p}"
        );
        Categorical {
            top_p: Some(p),
            ..self
        }
    }

    /// Draws with temperature 1 from all classes.
    ///
    /// # Panics
    /// As [`draw`](Categorical::draw).
    #[track_caller]
    pub fn sample<S: Axis<-1>, T: Float>(
        logits: &Tensor<S, T>,
        ctx: &mut Ctx,
    ) -> Tensor<S::Without, i64> {
        Categorical::new().draw(logits, ctx)
    }

    /// Draws a class for each row of logits: of `[Batch, Time, 96]` logits, `[Batch, Time]` classes.
    ///
    /// # Panics
    /// If there are no classes, a logit is NaN or `+∞`, or all logits of a row are `−∞`.
    #[track_caller]
    pub fn draw<S: Axis<-1>, T: Float>(
        &self,
        logits: &Tensor<S, T>,
        ctx: &mut Ctx,
    ) -> Tensor<S::Without, i64> {
        let mut rng = ChaCha8Rng::seed_from_u64(ctx.next_seed());
        let classes = logits.dims()[S::INDEX];
        let values = logits.to_vec();
        let shape = logits.shape().without();
        let rows = shape.dims().numel();
        assert!(
            classes > 0 || rows == 0,
            "expected at least 1 class, found 0"
        );
        Tensor::from_fn_with(shape, |row| {
            let row = &values[row * classes..][..classes];
            let row: Vec<f64> = row.iter().map(|x| Elem::to_f64(*x)).collect();
            self.class(&row, rng.random()) as i64
        })
    }

    /// The class of a row for a number from 0 to 1.
    #[track_caller]
    fn class(&self, logits: &[f64], uniform: f64) -> usize {
        let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let wrong = logits.iter().find(|x| x.is_nan() || **x == f64::INFINITY);
        if let Some(x) = wrong {
            panic!("expected logits below infinity, found {x}");
        }
        assert!(
            largest > f64::NEG_INFINITY,
            "expected a finite logit in each row, found a row of -inf"
        );
        if self.temperature == 0.0 {
            let best = logits.iter().position(|&x| x == largest);
            return best.expect("the largest is one of them");
        }
        let weight = |x: f64| ((x - largest) / self.temperature).exp();
        let mut kept: Vec<(usize, f64)> = logits.iter().map(|&x| weight(x)).enumerate().collect();
        if self.top_k.is_some() || self.top_p.is_some() {
            // A stable order: of equal classes the first comes first.
            kept.sort_by(|a, b| b.1.total_cmp(&a.1));
            kept.truncate(self.top_k.unwrap_or(usize::MAX));
        }
        if let Some(p) = self.top_p {
            let total: f64 = kept.iter().map(|k| k.1).sum();
            let mut sum = 0.0;
            let enough = kept.iter().position(|k| {
                sum += k.1;
                sum >= p * total
            });
            kept.truncate(enough.map_or(kept.len(), |n| n + 1));
        }
        let mut rest = uniform * kept.iter().map(|k| k.1).sum::<f64>();
        for &(class, weight) in &kept {
            rest -= weight;
            if rest < 0.0 {
                return class;
            }
        }
        // Rounding can leave a little: it belongs to the last class that can be drawn.
        let last = kept.iter().rev().find(|k| k.1 > 0.0);
        last.expect("the largest logit has the weight 1").0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autodiff_nn::prelude::*;

    autodiff_nn::dim!(Rows);

    /// How often each class is drawn in 20 000 rows.
    fn shares<const N: usize>(how: Categorical, logits: [f64; N]) -> [f64; N] {
        const ROWS: usize = 20_000;
        let row = Tensor::<(Rows, Sz<N>), f64>::from_fn_with((Rows(ROWS), Sz), |i| logits[i % N]);
        let mut shares = [0.0; N];
        for class in how.draw(&row, &mut Ctx::eval_with_seed(5)).to_vec() {
            shares[class as usize] += 1.0 / ROWS as f64;
        }
        shares
    }

    /// Of 20 000 draws a share is off by more than 0.015, four standard deviations, once in ten thousand tests.
    fn close<const N: usize>(found: [f64; N], expected: [f64; N]) {
        for (f, e) in found.iter().zip(expected) {
            let off = (f - e).abs();
            assert!(
                off < 0.015 && (e > 0.0 || *f == 0.0),
                "{found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn shares_are_the_softmax() {
        let logits = [1.0_f64, 2.0, 4.0, 3.0].map(f64::ln);
        close(shares(Categorical::new(), logits), [0.1, 0.2, 0.4, 0.3]);
        // The probabilities at temperature 1/2 are those of the squares.
        let cold = shares(Categorical::new().temperature(0.5), logits);
        close(cold, [1.0 / 30.0, 4.0 / 30.0, 16.0 / 30.0, 9.0 / 30.0]);
        let large = shares(Categorical::new(), logits.map(|x| x + 1e4));
        close(large, [0.1, 0.2, 0.4, 0.3]);
    }

    #[test]
    fn unlikely_classes_are_left_out() {
        let logits = [1.0_f64, 2.0, 4.0, 3.0].map(f64::ln);
        let two = shares(Categorical::new().top_k(2), logits);
        close(two, [0.0, 0.0, 4.0 / 7.0, 3.0 / 7.0]);
        let nucleus = shares(Categorical::new().top_p(0.75), logits);
        close(nucleus, [0.0, 2.0 / 9.0, 4.0 / 9.0, 3.0 / 9.0]);
        close(
            shares(Categorical::new().top_p(0.3), logits),
            [0.0, 0.0, 1.0, 0.0],
        );
        let both = shares(Categorical::new().top_k(3).top_p(0.75), logits);
        close(both, [0.0, 0.0, 4.0 / 7.0, 3.0 / 7.0]);
        let masked = [0.0, f64::NEG_INFINITY, 0.0];
        close(shares(Categorical::new(), masked), [0.5, 0.0, 0.5]);
        close(
            shares(Categorical::new().top_k(100).top_p(1.0), masked),
            [0.5, 0.0, 0.5],
        );
    }

    #[test]
    fn ends_of_the_interval_and_equal_logits() {
        let draw = |how: Categorical, logits: &[f64], u| how.class(logits, u);
        let new = Categorical::new();
        assert_eq!(draw(new, &[0.0, 0.0], 0.0), 0);
        assert_eq!(draw(new, &[0.0, f64::NEG_INFINITY], 1.0), 0);
        assert_eq!(draw(new.temperature(0.0), &[1.0, 3.0, 3.0], 0.9), 1);
        assert_eq!(draw(new.top_k(1), &[2.0, 2.0], 0.9), 0);
    }

    #[test]
    fn the_context_decides() {
        let logits: Tensor<(Rows, Sz<50>)> = Tensor::randn_with((Rows(40), Sz), 1);
        let draw = |ctx: &mut Ctx| Categorical::sample(&logits, ctx);
        let mut ctx = Ctx::eval_with_seed(3);
        let first = draw(&mut ctx);
        assert_eq!(first, draw(&mut Ctx::eval_with_seed(3)));
        assert_ne!(first, draw(&mut ctx));
    }

    #[test]
    #[should_panic(expected = "expected logits below infinity, found NaN")]
    fn a_logit_that_is_no_number_is_refused() {
        Categorical::sample(&tensor([0.0_f32, f32::NAN]), &mut Ctx::eval());
    }

    #[test]
    #[should_panic(expected = "expected a finite logit in each row, found a row of -inf")]
    fn a_row_without_a_class_is_refused() {
        Categorical::sample(&tensor([f32::NEG_INFINITY; 2]), &mut Ctx::eval());
    }
}
