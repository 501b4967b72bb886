//! The ranks agree on a run.

use autodiff_core::device::record::GraphError;
use autodiff_dist::dist::{CommError, Numbers, Ranks};

/// Whether a rank can go on.
pub(super) enum State {
    Fine,
    Failed(GraphError),
    /// Because another rank could not.
    Waited,
}

/// All ranks tell each other what they run and whether they can. They all go on, or none does.
pub(super) fn agree(ranks: &Ranks, program: u64, own: State) -> Result<(), GraphError> {
    let status = match own {
        State::Fine => 0,
        State::Failed(_) => 1,
        State::Waited => 2,
    };
    let told = |error: CommError| GraphError::Ranks {
        error: error.to_string(),
    };
    let all = Numbers::I64(vec![program.cast_signed(), status]);
    let all: Vec<i64> = ranks.all_gather(all).wait_for().map_err(told)?;
    let failed = (0..ranks.size()).find(|rank| all[2 * rank + 1] == 1);
    let Some(rank) = failed else {
        return match (0..ranks.size()).find(|rank| all[2 * rank] != all[0]) {
            Some(rank) => Err(GraphError::Programs { rank }),
            None => Ok(()),
        };
    };
    let text = match &own {
        State::Failed(error) => error.to_string(),
        _ => String::new(),
    };
    let text = ranks.broadcast_all(text.as_bytes(), rank).map_err(told)?;
    Err(match own {
        State::Failed(error) => error,
        _ => GraphError::Rank {
            rank,
            error: String::from_utf8_lossy(&text).into_owned(),
        },
    })
}
