//! Resampling of the last two axes: how an image gets another size.

/// How an entry of the new size is made of the old ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The entry at `⌊i·n/m⌋`.
    Nearest,
    /// Of the two neighbours of `(i + ½)·n/m − ½`: entries are areas, and the edges of the first and the
    /// last stay where they are.
    Linear,
    /// Of the two neighbours of `i·(n − 1)/(m − 1)`: entries are points, and the first and the last stay
    /// where they are.
    LinearAligned,
}

impl Interpolation {
    /// The neighbours that make entry `i` of `m`, out of `n`: the entries `at` and `at + 1`, with the
    /// weight of the second, which is 0 where there is none.
    pub fn neighbours(self, i: usize, n: usize, m: usize) -> (usize, f64) {
        // Positions are fractions of whole numbers, exact until the last division.
        let (above, below) = match self {
            Interpolation::Nearest => return (i * n / m, 0.0),
            Interpolation::Linear => (((2 * i + 1) * n).saturating_sub(m), 2 * m),
            Interpolation::LinearAligned => (i * (n - 1), (m - 1).max(1)),
        };
        match above / below {
            at if at + 1 < n => (at, (above % below) as f64 / below as f64),
            _ => (n - 1, 0.0),
        }
    }
}

/// Resampling of `images` images, each with one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resample {
    /// How.
    pub by: Interpolation,
    /// The number of images times their channels.
    pub images: usize,
    /// Height and width.
    pub input: [usize; 2],
    /// Height and width of the result.
    pub output: [usize; 2],
}
