//! Runs at every level of vector instructions.

use differentiable::kernel::simd::{Level, at_level};

/// The result at each level that this processor has, the lowest first; says which it lacks.
pub fn at_each_level<R>(f: impl Fn() -> R) -> Vec<(Level, R)> {
    let run = |level: Level| {
        let found = at_level(level, &f);
        if found.is_none() {
            println!(
                "not tested, since this processor lacks it: {}",
                level.name()
            );
        }
        Some((level, found?))
    };
    Level::ALL.into_iter().filter_map(run).collect()
}
