use crate::dist::Ranks;
use std::env;
use std::time::Duration;
use thiserror::Error;

/// Where a launcher has put this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of this process.
    pub rank: usize,
    /// The number of processes.
    pub size: usize,
    /// The number of this process among those of its machine: the GPU that it should take.
    pub local: usize,
    /// The launcher that says so.
    pub launcher: &'static str,
}

/// Why ranks could not begin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The launcher started several processes, but the program cannot speak to the others.
    #[error(
        "{launcher} started this program as rank {rank} of {size}, and it has no engine for several processes: build it with the feature `mpi`"
    )]
    NoEngine {
        /// The launcher.
        launcher: &'static str,
        /// This rank.
        rank: usize,
        /// The number of ranks.
        size: usize,
    },
    /// A variable of the launcher is no number that makes sense.
    #[error("the variable {name} is {found:?}, expected {expected}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// Its value.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A variable of the launcher is missing.
    #[error("{launcher} set {there}, but not {missing}")]
    Missing {
        /// The launcher.
        launcher: &'static str,
        /// What is there.
        there: &'static str,
        /// What is not.
        missing: &'static str,
    },
    /// The engine sees other ranks than the launcher started.
    #[error(
        "{launcher} started {expected} processes, but MPI sees {found}: start the program by the mpirun of the MPI that it was built with, or by srun --mpi=pmix"
    )]
    Size {
        /// The launcher.
        launcher: &'static str,
        /// What the launcher says.
        expected: usize,
        /// What the engine says.
        found: usize,
    },
    /// The engine was started before, or could not be.
    #[error("MPI cannot be started: {why}")]
    Engine {
        /// What it says.
        why: String,
    },
}

/// The variables of a launcher: its name, and those of rank, size and the number on the machine.
struct Launcher {
    name: &'static str,
    size: &'static str,
    rank: &'static str,
    local: &'static str,
}

/// The first whose variables are set counts. Slurm sets `SLURM_NTASKS` for the batch script too, which is one process, so its
/// steps are recognised by what only `srun` sets. Variables of `mpirun` come before, because it runs inside of Slurm.
const LAUNCHERS: [Launcher; 5] = [
    Launcher {
        name: "mpirun",
        size: "OMPI_COMM_WORLD_SIZE",
        rank: "OMPI_COMM_WORLD_RANK",
        local: "OMPI_COMM_WORLD_LOCAL_RANK",
    },
    Launcher {
        name: "mpiexec",
        size: "PMI_SIZE",
        rank: "PMI_RANK",
        local: "MPI_LOCALRANKID",
    },
    Launcher {
        name: "mpiexec",
        size: "MV2_COMM_WORLD_SIZE",
        rank: "MV2_COMM_WORLD_RANK",
        local: "MV2_COMM_WORLD_LOCAL_RANK",
    },
    Launcher {
        name: "srun",
        size: "SLURM_STEP_NUM_TASKS",
        rank: "SLURM_PROCID",
        local: "SLURM_LOCALID",
    },
    Launcher {
        name: "torchrun",
        size: "WORLD_SIZE",
        rank: "RANK",
        local: "LOCAL_RANK",
    },
];

impl Place {
    /// What the launcher has set, if there is one.
    ///
    /// # Errors
    /// If a variable is missing or no number, or the rank is not below the size.
    pub fn find() -> Result<Option<Place>, LaunchError> {
        Self::among(&|name| env::var(name).ok())
    }

    fn among(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Place>, LaunchError> {
        let number = |name: &'static str, least: usize, expected: &'static str| {
            let Some(text) = variable(name) else {
                return Ok(None);
            };
            match text.trim().parse::<usize>() {
                Ok(n) if n >= least => Ok(Some(n)),
                _ => Err(LaunchError::Variable {
                    name,
                    found: text,
                    expected,
                }),
            }
        };
        for launcher in &LAUNCHERS {
            let Some(size) = number(launcher.size, 1, "the number of processes")? else {
                continue;
            };
            let rank = number(launcher.rank, 0, "the number of a process, from 0")?;
            let rank = rank.ok_or(LaunchError::Missing {
                launcher: launcher.name,
                there: launcher.size,
                missing: launcher.rank,
            })?;
            if rank >= size {
                return Err(LaunchError::Variable {
                    name: launcher.rank,
                    found: rank.to_string(),
                    expected: "a number below that of processes",
                });
            }
            let local = number(launcher.local, 0, "the number of a process on its machine")?;
            return Ok(Some(Place {
                rank,
                size,
                local: local.unwrap_or(0),
                launcher: launcher.name,
            }));
        }
        Ok(None)
    }
}

/// The ranks that a launcher has started: `mpirun -n 4 program`, `srun -n 4 program`. Without a launcher, or with one process,
/// it is [`Ranks::alone`]. Later calls give the same ranks.
///
/// ```
/// use differentiable::dist;
///
/// let ranks = dist::init()?;
/// println!("{ranks:?}");
/// # Ok::<(), dist::LaunchError>(())
/// ```
///
/// # Errors
/// If there are several processes and the program was built without the feature `mpi`, if the variables of the launcher or that of
/// [`limit`] make no sense, or if MPI sees other processes than the launcher started.
pub fn init() -> Result<Ranks, LaunchError> {
    static RANKS: std::sync::Mutex<Option<Ranks>> = std::sync::Mutex::new(None);
    let mut ranks = RANKS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(ranks) = &*ranks {
        return Ok(ranks.clone());
    }
    limit()?; // before anybody waits
    let found = match Place::find()? {
        Some(place) if place.size > 1 => several(place)?,
        _ => Ranks::alone(),
    };
    Ok(ranks.insert(found).clone())
}

#[cfg(feature = "mpi")]
fn several(place: Place) -> Result<Ranks, LaunchError> {
    Ok(Ranks::new(crate::dist::Mpi::start(Some(place))?))
}

#[cfg(not(feature = "mpi"))]
fn several(place: Place) -> Result<Ranks, LaunchError> {
    let Place {
        rank,
        size,
        launcher,
        ..
    } = place;
    Err(LaunchError::NoEngine {
        launcher,
        rank,
        size,
    })
}

/// The variable of [`limit`].
const LIMIT: &str = "DIFFERENTIABLE_RANK_LIMIT";

/// How long a rank waits for others before it gives up: five minutes, or the variable `DIFFERENTIABLE_RANK_LIMIT` in seconds.
///
/// # Errors
/// If the variable is no number of seconds above 0.
pub fn limit() -> Result<Duration, LaunchError> {
    match env::var(LIMIT) {
        Ok(text) => seconds(text),
        Err(_) => Ok(Duration::from_secs(300)),
    }
}

fn seconds(text: String) -> Result<Duration, LaunchError> {
    let number = text.trim().parse().ok();
    let duration = number.and_then(|s| Duration::try_from_secs_f64(s).ok());
    duration
        .filter(|d| !d.is_zero())
        .ok_or(LaunchError::Variable {
            name: LIMIT,
            found: text,
            expected: "a number of seconds above 0",
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(variables: &[(&str, &str)]) -> Result<Option<Place>, LaunchError> {
        Place::among(&|name| {
            let found = variables.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| value.to_string())
        })
    }

    #[test]
    fn launchers_are_told_apart() {
        assert_eq!(place(&[]), Ok(None));
        // A batch script of Slurm is one process, whatever it will start.
        assert_eq!(
            place(&[("SLURM_NTASKS", "4"), ("SLURM_PROCID", "0")]),
            Ok(None)
        );
        for (variables, launcher, local) in [
            (
                vec![
                    ("OMPI_COMM_WORLD_SIZE", "4"),
                    ("OMPI_COMM_WORLD_RANK", "2"),
                    ("OMPI_COMM_WORLD_LOCAL_RANK", "1"),
                ],
                "mpirun",
                1,
            ),
            (vec![("PMI_SIZE", "4"), ("PMI_RANK", "2")], "mpiexec", 0),
            (
                vec![
                    ("SLURM_STEP_NUM_TASKS", "4"),
                    ("SLURM_PROCID", "2"),
                    ("SLURM_LOCALID", "2"),
                ],
                "srun",
                2,
            ),
            (
                vec![("WORLD_SIZE", "4"), ("RANK", "2"), ("LOCAL_RANK", "0")],
                "torchrun",
                0,
            ),
        ] {
            let expected = Place {
                rank: 2,
                size: 4,
                local,
                launcher,
            };
            assert_eq!(place(&variables), Ok(Some(expected)));
        }
    }

    #[test]
    fn variables_that_make_no_sense_are_named() {
        let error = |variables: &[(&str, &str)]| place(variables).unwrap_err().to_string();
        assert_eq!(
            error(&[("WORLD_SIZE", "four")]),
            "the variable WORLD_SIZE is \"four\", expected the number of processes"
        );
        assert_eq!(
            error(&[("WORLD_SIZE", "4")]),
            "torchrun set WORLD_SIZE, but not RANK"
        );
        assert_eq!(
            error(&[("WORLD_SIZE", "4"), ("RANK", "4")]),
            "the variable RANK is \"4\", expected a number below that of processes"
        );
        assert!(error(&[("PMI_SIZE", "0"), ("PMI_RANK", "0")]).contains("PMI_SIZE"));
        assert_eq!(seconds("0.5".to_string()), Ok(Duration::from_millis(500)));
        for found in ["ten", "0", "-1", "NaN", "1e30"] {
            let error = seconds(found.to_string()).unwrap_err().to_string();
            let expected = format!(
                "the variable DIFFERENTIABLE_RANK_LIMIT is {found:?}, expected a number of seconds above 0"
            );
            assert_eq!(error, expected);
        }
    }
}
