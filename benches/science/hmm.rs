//! A hidden Markov model: the gradients of its log partition function are expected statistics.
use crate::Report;
use differentiable::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Debug, Differentiable)]
struct Hmm {
    log_pi: Vec<f64>,
    log_a: Vec<Vec<f64>>,
    log_b: Vec<Vec<f64>>,
}

#[differentiable]
fn logsumexp(xs: &[f64]) -> f64 {
    let max = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    max + xs.iter().map(|x| (x - max).exp()).sum::<f64>().ln()
}

#[differentiable]
impl Hmm {
    fn log_partition(
        &self,
        #[constant] text: &str,
        #[constant] codes: &HashMap<char, usize>,
    ) -> f64 {
        let k = self.log_pi.len();
        let mut alpha = self.log_pi.clone();
        for c in text.chars() {
            let y = codes.get(&c).copied().unwrap_or(codes.len());
            alpha = (0..k)
                .map(|j| {
                    let terms: Vec<f64> = alpha
                        .iter()
                        .zip(&self.log_a)
                        .map(|(a, row)| a + row[j])
                        .collect();
                    logsumexp(&terms) + self.log_b[j][y]
                })
                .collect();
        }
        logsumexp(&alpha)
    }

    fn total(&self, #[constant] lines: &[String], #[constant] codes: &HashMap<char, usize>) -> f64 {
        lines
            .iter()
            .filter(|l| l.len() > 2)
            .map(|l| self.log_partition(l, codes))
            .sum()
    }
}

pub fn measure(report: &mut Report) {
    let letters: Vec<char> = ('a'..='z').chain([' ']).collect();
    let codes: HashMap<char, usize> = letters.iter().enumerate().map(|(i, c)| (*c, i)).collect();
    let text: String = (0..1000).map(|t| letters[(t * 7 + t / 3) % 27]).collect();
    let k = 20;
    let hmm = Hmm {
        log_pi: (0..k).map(|i| (0.3 * i as f64).sin()).collect(),
        log_a: (0..k)
            .map(|i| (0..k).map(|j| (i as f64 + 0.7 * j as f64).sin()).collect())
            .collect(),
        log_b: (0..k)
            .map(|i| {
                (0..28)
                    .map(|j| (1.1 * i as f64 + 0.4 * j as f64).cos() - 3.0)
                    .collect()
            })
            .collect(),
    };
    let lines = [text];
    report.case(
        "hidden Markov model, 20 states, 1000 letters",
        hmm.total(&lines, &codes),
        || hmm.total(&lines, &codes),
        || hmm.total_value_and_grad(&lines, &codes),
    );
}
