//! Connectionist temporal classification: the probability of a sequence of labels, summed over its alignments to frames.
//!
//! Graves et al. 2006, in logarithms. With the labels `l` spread to `l' = (blank, l₁, blank, l₂, …, blank)` of `L` entries,
//! a path goes through `l'` frame by frame: it stays, takes the next entry, or skips a blank between two different labels.
//! With `z` the logarithms of the probabilities of classes in a frame,
//!
//! `α_t(s) = z_t(l'_s) + ln Σ exp(α_{t−1}(s), α_{t−1}(s−1), α_{t−1}(s−2) if s may skip)`,
//! `β_t(s) = ln Σ exp(β_{t+1}(s') + z_{t+1}(l'_s'))` over the entries `s'` after `s`, 0 at the two ends of the last frame,
//!
//! the loss is `−ln p = −ln Σ exp(α_last)` over those ends, and its derivative by `z_t(c)` is minus the share of all
//! alignments that are at a label `c` in frame `t`: `−Σ_{s: l'_s = c} exp(α_t(s) + β_t(s) − ln p)`.

use super::par;
use crate::device::Float;

/// A batch of sequences: `x` are logarithms of probabilities, examples × frames × classes.
#[derive(Clone, Copy, Debug)]
pub struct Sequences<'a, T> {
    /// Frames and classes of an example.
    pub sizes: [usize; 2],
    /// The class that stands for no label.
    pub blank: usize,
    /// The logarithms.
    pub x: &'a [T],
    /// The labels, as many places for each example; none is the blank.
    pub labels: &'a [i64],
    /// The number of frames of each example, and then the number of labels of each.
    pub lengths: &'a [i64],
}

/// One of them.
struct Example<'a, T> {
    classes: usize,
    frames: usize,
    x: &'a [T],
    /// `l'`
    path: Vec<usize>,
}

impl<'a, T: Float> Sequences<'a, T> {
    fn count(&self) -> usize {
        self.lengths.len() / 2
    }

    fn example(&self, b: usize) -> Example<'a, T> {
        let count = self.count();
        let (frames, labels) = (self.lengths[b] as usize, self.lengths[count + b] as usize);
        let [all, classes] = self.sizes;
        let places = self.labels.len() / count;
        let mut path = vec![self.blank; 2 * labels + 1];
        for (i, &label) in self.labels[b * places..][..labels].iter().enumerate() {
            path[2 * i + 1] = label as usize;
        }
        Example {
            classes,
            frames,
            x: &self.x[b * all * classes..][..all * classes],
            path,
        }
    }
}

/// `ln Σ exp`; −∞ of nothing.
#[inline(always)]
fn log_sum<T: Float, const N: usize>(x: [T; N]) -> T {
    let mut largest = x[0];
    for &x in &x[1..] {
        if x > largest {
            largest = x;
        }
    }
    if largest == -T::INFINITY {
        // A NaN beside it stays: it is larger than nothing.
        return x[1..].iter().fold(x[0], |sum, &x| sum + x);
    }
    let sum = x.iter().fold(T::ZERO, |sum, &x| sum + (x - largest).exp());
    largest + sum.ln()
}

impl<T: Float> Example<'_, T> {
    /// The logarithm at an entry of the path.
    #[inline(always)]
    fn z(&self, t: usize, s: usize) -> T {
        self.x[t * self.classes + self.path[s]]
    }

    /// Whether the path may go from the entry two before to this one.
    #[inline(always)]
    fn skips(&self, s: usize) -> bool {
        s >= 2 && s % 2 == 1 && self.path[s] != self.path[s - 2]
    }

    /// `α` of one frame from that before it.
    fn step(&self, t: usize, before: &[T], now: &mut [T]) {
        let none = -T::INFINITY;
        for s in 0..self.path.len() {
            let one = if s >= 1 { before[s - 1] } else { none };
            let two = if self.skips(s) { before[s - 2] } else { none };
            now[s] = self.z(t, s) + log_sum([before[s], one, two]);
        }
    }

    /// `α` of the first frame.
    fn first(&self, now: &mut [T]) {
        now.fill(-T::INFINITY);
        for (s, a) in now.iter_mut().enumerate().take(2) {
            *a = self.z(0, s);
        }
    }

    /// `ln p` from `α` of the last frame.
    fn total(&self, last: &[T]) -> T {
        match *last {
            [.., a, b] => log_sum([a, b]),
            [a] => a,
            [] => unreachable!("a path has a blank"),
        }
    }

    /// `ln p`.
    fn log_likelihood(&self) -> T {
        let n = self.path.len();
        if self.frames == 0 {
            // Without frames there are no labels.
            return if n == 1 { T::ZERO } else { -T::INFINITY };
        }
        let (mut before, mut now) = (vec![T::ZERO; n], vec![T::ZERO; n]);
        self.first(&mut now);
        for t in 1..self.frames {
            core::mem::swap(&mut before, &mut now);
            self.step(t, &before, &mut now);
        }
        self.total(&now)
    }

    /// `out ← scale · ` the derivative of `ln p`: frames × classes.
    fn derivative(&self, scale: T, out: &mut [T]) {
        out.fill(T::ZERO);
        let (n, frames, classes) = (self.path.len(), self.frames, self.classes);
        if frames == 0 {
            return;
        }
        let mut alpha = vec![T::ZERO; frames * n];
        self.first(&mut alpha[..n]);
        for t in 1..frames {
            let (before, now) = alpha.split_at_mut(t * n);
            self.step(t, &before[(t - 1) * n..], &mut now[..n]);
        }
        let total = self.total(&alpha[(frames - 1) * n..]);
        if total == -T::INFINITY {
            // No alignment has any probability: the loss is not differentiable.
            out[..frames * classes].fill(T::NAN);
            return;
        }
        let none = -T::INFINITY;
        let (mut beta, mut after) = (vec![none; n], vec![none; n]);
        beta[n.saturating_sub(2)..].fill(T::ZERO);
        for t in (0..frames).rev() {
            for s in 0..n {
                let share = (alpha[t * n + s] + beta[s] - total).exp();
                let o = &mut out[t * classes + self.path[s]];
                *o = *o + scale * share;
            }
            if t == 0 {
                break;
            }
            for s in 0..n {
                after[s] = beta[s] + self.z(t, s);
            }
            for s in 0..n {
                let one = if s + 1 < n { after[s + 1] } else { none };
                let two = if s + 2 < n && self.skips(s + 2) {
                    after[s + 2]
                } else {
                    none
                };
                beta[s] = log_sum([after[s], one, two]);
            }
        }
    }
}

/// `−ln p` of each example.
pub fn losses<T: Float>(sequences: Sequences<'_, T>, out: &mut [T]) {
    let work = sequences.sizes[0] * (2 * sequences.labels.len() / out.len().max(1) + 1);
    par::rows(out, 1, 32 * work, |first, out| {
        for (i, o) in out.iter_mut().enumerate() {
            *o = -sequences.example(first + i).log_likelihood();
        }
    });
}

/// The cotangent of the logarithms, from that of each loss: examples × frames × classes.
pub fn pullback<T: Float>(sequences: Sequences<'_, T>, ct: &[T], out: &mut [T]) {
    let [frames, classes] = sequences.sizes;
    let width = frames * classes;
    par::rows(out, width, 64, |first, out| {
        for (i, o) in out.chunks_mut(width).enumerate() {
            sequences.example(first + i).derivative(-ct[first + i], o);
        }
    });
}
