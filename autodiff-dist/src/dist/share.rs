use crate::dist::Ranks;

/// The part that one of several ranks takes of what is divided, such as the rows of a batch. Every row belongs to exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of the rank, below `size`.
    pub rank: usize,
    /// The number of ranks.
    pub size: usize,
}

impl Share {
    /// Everything.
    pub const WHOLE: Share = Share { rank: 0, size: 1 };

    /// That of this rank.
    pub fn of(ranks: &Ranks) -> Self {
        let (rank, size) = (ranks.rank(), ranks.size());
        Share { rank, size }
    }

    /// Where the part of `n` rows begins and ends. Parts differ by one row at most, and some are empty if there are fewer rows than
    /// ranks.
    ///
    /// # Panics
    /// If there are no ranks.
    pub fn range(self, n: usize) -> std::ops::Range<usize> {
        n * self.rank / self.size..n * (self.rank + 1) / self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_belongs_to_one_rank() {
        for n in 0..20 {
            for size in 1..6 {
                let ranges = (0..size).map(|rank| Share { rank, size }.range(n));
                let rows: Vec<usize> = ranges.clone().flatten().collect();
                assert_eq!(rows, (0..n).collect::<Vec<_>>());
                let lens: Vec<usize> = ranges.map(|r| r.len()).collect();
                assert!(lens.iter().max().unwrap() - lens.iter().min().unwrap() <= 1);
            }
        }
    }
}
