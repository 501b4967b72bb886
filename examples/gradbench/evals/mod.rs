//! The programs: plain functions, annotated, and what turns JSON into their arguments.

pub mod ba;
pub mod descent;
pub mod gmm;
pub mod hello;
pub mod input;
pub mod kmeans;
pub mod llsq;
pub mod lse;
pub mod lstm;
pub mod particle;
pub mod saddle;

pub use input::EvalError;
use input::Fields;
use serde_json::Value;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The names of the programs.
pub const MODULES: [&str; 9] = [
    "hello", "gmm", "ba", "lstm", "kmeans", "lse", "llsq", "particle", "saddle",
];

/// The output of a function, and how long each of its runs took.
pub struct Evaluation {
    pub output: Value,
    pub nanoseconds: Vec<u64>,
}

/// Runs a function of a program.
pub fn evaluate(module: &str, function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    match module {
        "hello" => hello::evaluate(function, input),
        "gmm" => gmm::evaluate(function, input),
        "ba" => ba::evaluate(function, input),
        "lstm" => lstm::evaluate(function, input),
        "kmeans" => kmeans::evaluate(function, input),
        "lse" => lse::evaluate(function, input),
        "llsq" => llsq::evaluate(function, input),
        "particle" => particle::evaluate(function, input),
        "saddle" => saddle::evaluate(function, input),
        _ => Err(EvalError::UnknownModule(module.into())),
    }
}

/// How often a function is run at least, and for how long.
#[derive(Clone, Copy)]
pub struct Repeats {
    runs: usize,
    time: Duration,
}

impl Repeats {
    fn of(fields: &Fields) -> Result<Self, EvalError> {
        let runs = fields.optional("min_runs", 1, Fields::integer)?;
        let seconds = fields.optional("min_seconds", 1.0, Fields::number)?;
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| EvalError::Value {
            field: "min_seconds".into(),
            expected: "a duration in seconds".into(),
            found: seconds.to_string(),
        })?;
        Ok(Repeats { runs, time })
    }

    const ONCE: Repeats = Repeats {
        runs: 1,
        time: Duration::ZERO,
    };

    /// Runs `f` as often as asked, at least once, and describes its last result.
    fn run<R>(self, mut f: impl FnMut() -> R, describe: impl FnOnce(R) -> Value) -> Evaluation {
        let mut nanoseconds = Vec::new();
        let mut total = Duration::ZERO;
        loop {
            let start = Instant::now();
            let result = black_box(f());
            let elapsed = start.elapsed();
            total += elapsed;
            nanoseconds.push(u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX));
            if nanoseconds.len() >= self.runs && total >= self.time {
                let output = describe(result);
                return Evaluation {
                    output,
                    nanoseconds,
                };
            }
        }
    }
}
