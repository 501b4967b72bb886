//! Speaks the protocol of the public suite GradBench, so that the suite's own evaluators can drive
//! this crate: one JSON object per line on standard input, one answer per line on standard output.
//!
//! `cargo run --release --example gradbench`, then for instance
//! `{"id":0,"kind":"evaluate","module":"hello","function":"double","input":3.0}`.

mod evals;
mod protocol;

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        writeln!(output, "{}", protocol::answer(&line))?;
        output.flush()?;
    }
    Ok(())
}
