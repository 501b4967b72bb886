//! Programs that several ranks run together.

use anyhow::{Result, anyhow};
use differentiable::dist::{self, Place, Ranks, threads};

/// The ranks that a launcher has started; one without a launcher.
pub(crate) fn of_launcher() -> Result<Ranks> {
    Ok(dist::init()?)
}

/// Whether this rank prints and writes files.
pub fn is_first() -> bool {
    dist::init().map_or(true, |ranks| ranks.is_first())
}

/// The device of a rank: with `cuda`, each process of a machine takes a card of its own.
pub(crate) fn device_of_rank(name: &str) -> Result<String> {
    Ok(match (name, Place::find()?) {
        ("cuda", Some(place)) => format!("cuda:{}", place.local),
        _ => name.to_string(),
    })
}

/// Runs a program by the ranks that a launcher has started, or else by so many threads, and returns what rank 0 gives.
///
/// # Errors
/// That of the first rank with one.
pub fn by_ranks<R: Send>(
    or_threads: usize,
    program: impl Fn(&Ranks) -> Result<R> + Sync,
) -> Result<R> {
    let ranks = dist::init()?;
    if ranks.size() > 1 {
        return program(&ranks).inspect_err(|e| ranks.abort(&format!("{e:#}")));
    }
    let device = differentiable::prelude::Device::current();
    let results = threads(or_threads, |ranks| {
        let result = device.scope(|| program(&ranks));
        result.inspect_err(|e| ranks.abort(&format!("{e:#}")))
    });
    let mut first = None;
    for result in results {
        let value = result?;
        first.get_or_insert(value);
    }
    first.ok_or_else(|| anyhow!("no rank ran the program"))
}
