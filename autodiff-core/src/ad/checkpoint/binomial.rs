//! Where the next snapshot belongs, so that the fewest steps are run again.
//!
//! With `s` snapshots, that of the start among them, and no step run forward more than `r` times before
//! its own reversal, at most `C(s + r, s)` steps can be reversed. For `l` steps the least number of
//! repetitions is the least `r` for which that is enough, and the least number of steps run forward is
//!
//! ```text
//! t(l, s) = r l - C(s + r, s + 1)
//! ```
//!
//! (A. Griewank, A. Walther, *Algorithm 799: revolve*, ACM Transactions on Mathematical Software 26, 2000).

/// The binomial coefficient `C(n, k)`, at most `u128::MAX`.
fn choose(n: u128, k: u128) -> u128 {
    if k > n {
        return 0;
    }
    let k = k.min(n - k);
    let mut c: u128 = 1;
    for i in 1..=k {
        // Each quotient is a binomial coefficient itself.
        match c.checked_mul(n - k + i) {
            Some(product) => c = product / i,
            None => return u128::MAX,
        }
    }
    c
}

/// The least number of repetitions that reverse `steps` steps with `snapshots` snapshots.
fn repetitions(steps: u128, snapshots: u128) -> u128 {
    let enough = |r: u128| choose(snapshots + r, snapshots) >= steps;
    let (mut few, mut many) = (0, 1);
    while !enough(many) {
        (few, many) = (many, 2 * many);
    }
    // `many` is enough, and what is below `few` is not.
    while few < many {
        let middle = (few + many) / 2;
        match enough(middle) {
            true => many = middle,
            false => few = middle + 1,
        }
    }
    many
}

/// After how many of `steps` steps the next snapshot is taken, with `snapshots` of them: one is at the
/// start, and at least one more is free. There are at least two steps.
pub(super) fn split(steps: usize, snapshots: usize) -> usize {
    debug_assert!(steps > 1 && snapshots > 1);
    // More snapshots than steps are of no use.
    let (l, s) = (steps as u128, snapshots.min(steps) as u128);
    let r = repetitions(l, s);
    if r < 2 {
        // Every step gets one.
        return 1;
    }
    // The left part is run once more than the right part, which has one snapshot fewer. It takes as
    // many steps as it can in one repetition fewer, as long as the right part needs all of its own.
    let most = choose(s + r - 1, s).min(l - choose(s + r - 2, s - 1));
    usize::try_from(most).expect("fewer than all steps").max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps run forward to reverse `l` steps with `s` snapshots, by the formula.
    fn formula(l: usize, s: usize) -> usize {
        let (l, s) = (l as u128, s as u128);
        let r = repetitions(l, s);
        (r * l - choose(s + r, s + 1)) as usize
    }

    /// The same of the schedule.
    fn of_splits(l: usize, s: usize) -> usize {
        match (l, s) {
            (0 | 1, _) => 0,
            (l, 1) => l * (l - 1) / 2,
            (l, s) => {
                let m = split(l, s);
                assert!(m >= 1 && m < l, "{m} of {l}");
                m + of_splits(l - m, s - 1) + of_splits(m, s)
            }
        }
    }

    /// The least that is possible, by trying all splits.
    fn least(most: usize, snapshots: usize) -> Vec<Vec<usize>> {
        let mut t = vec![vec![0; most + 1]; snapshots + 1];
        for l in 2..=most {
            t[1][l] = l * (l - 1) / 2;
        }
        for s in 2..=snapshots {
            for l in 2..=most {
                let of = |m: usize| m + t[s - 1][l - m] + t[s][m];
                t[s][l] = (1..l).map(of).min().expect("a split");
            }
        }
        t
    }

    #[test]
    fn binomial_coefficients() {
        assert_eq!(choose(5, 2), 10);
        assert_eq!(choose(5, 0), 1);
        assert_eq!(choose(4, 4), 1);
        assert_eq!(choose(4, 5), 0);
        assert_eq!(choose(60, 30), 118_264_581_564_861_424);
        assert_eq!(choose(1000, 500), u128::MAX);
    }

    #[test]
    fn splits_are_the_best_possible() {
        let t = least(150, 12);
        for s in 1..=12 {
            for l in 1..=150 {
                assert_eq!(formula(l, s), t[s][l], "{l} steps, {s} snapshots");
                assert_eq!(of_splits(l, s), t[s][l], "{l} steps, {s} snapshots");
            }
        }
    }

    #[test]
    fn many_steps() {
        // From Griewank and Walther: 1000 steps, 10 snapshots.
        assert_eq!(repetitions(286, 10), 3);
        assert_eq!(repetitions(287, 10), 4);
        for (l, s) in [(100_000, 5), (100_000, 40), (3_000, 3_000), (5_000, 80)] {
            let mut left = vec![(l, s)];
            let mut all = 0;
            while let Some((l, s)) = left.pop() {
                if l > 1 && s > 1 {
                    let m = split(l, s);
                    all += m;
                    left.extend([(l - m, s - 1), (m, s)]);
                } else {
                    all += l * l.saturating_sub(1) / 2;
                }
            }
            assert_eq!(all, formula(l, s), "{l} steps, {s} snapshots");
        }
    }
}
