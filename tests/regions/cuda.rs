//! The printed formulas, compiled by a C++ compiler that takes them for C++, and run.

use super::Case;
use differentiable::device::symbolic::PRELUDE;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What CUDA has and C++ has not.
const SHIM: &str = "#include <math.h>\n#include <stdio.h>\n#include <string.h>\n#define __device__\n#define __forceinline__ inline\n";

/// Reads the number of a formula, how many numbers it takes and gives, and their bits; writes the bits of the values.
const MAIN: &str = "
int main() {
  int which, inputs, outputs;
  while (scanf(\"%d %d %d\", &which, &inputs, &outputs) == 3) {
    double x[64], y[64];
    for (int k = 0; k < inputs; k++) {
      unsigned long long bits;
      if (scanf(\"%llu\", &bits) != 1) return 1;
      memcpy(&x[k], &bits, 8);
    }
    all[which](x, y);
    for (int k = 0; k < outputs; k++) {
      unsigned long long bits;
      memcpy(&bits, &y[k], 8);
      printf(\"%llu \", bits);
    }
  }
}
";

/// How far the values of a formula move where its constants and inputs move by their rounding: what the errors of two
/// libraries become in it.
fn spread(case: &Case, x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut spread = vec![0.0f64; y.len()];
    for k in 0..x.len() {
        for by in [1.0 - 4e-16, 1.0 + 4e-16] {
            let mut moved = x.to_vec();
            moved[k] *= by;
            for (s, (a, b)) in spread
                .iter_mut()
                .zip(case.formula.eval(&moved).iter().zip(y))
            {
                *s = s.max((a - b).abs());
            }
        }
    }
    spread
}

/// Whether two numbers are the same but for these errors.
fn close(found: f64, expected: f64, spread: f64) -> bool {
    if found.is_nan() || expected.is_nan() {
        return found.is_nan() && expected.is_nan();
    }
    let huge = |x: f64| x.abs() > 1e280;
    found == expected
        || huge(found) && huge(expected) && found.signum() == expected.signum()
        || (found - expected).abs() <= 1e-9 * (1.0 + expected.abs()) + 16.0 * spread
}

pub fn compare(cases: &[Case]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("regions");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut text, mut table, mut input) =
        (format!("{SHIM}{PRELUDE}"), String::new(), String::new());
    for (at, case) in cases.iter().enumerate() {
        let mut formula = case.formula.clone();
        formula.name = format!("{}{at}", formula.name);
        text += &formula.cuda();
        writeln!(table, "  {0}_of::{0}<double>,", formula.name).expect("a string takes all text");
        for (x, y) in &case.runs {
            let bits: Vec<String> = x.iter().map(|x| x.to_bits().to_string()).collect();
            writeln!(input, "{at} {} {} {}", x.len(), y.len(), bits.join(" "))
                .expect("a string takes all text");
        }
    }
    writeln!(
        text,
        "void (*all[])(const double *, double *) = {{\n{table}}};\n{MAIN}"
    )
    .expect("a string takes all text");
    let (source, program) = (folder.join("regions.cpp"), folder.join("regions"));
    std::fs::write(&source, text).expect("the source is written");
    let named = std::env::var("CXX").ok();
    let compiler = named.as_deref().unwrap_or("c++");
    let compiled = Command::new(compiler)
        .args(["-std=c++14", "-O0", "-w", "-ffp-contract=off", "-o"])
        .arg(&program)
        .arg(&source)
        .output();
    let compiled = match compiled {
        // Rust alone does not need one; `.ci/run` names it, and then there must be one.
        Err(e) if named.is_none() && e.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("not compared: there is no C++ compiler `c++`, and CXX names none");
            return;
        }
        compiled => compiled.unwrap_or_else(|e| panic!("the C++ compiler `{compiler}`: {e}")),
    };
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic").expect("the program reads");
    assert!(output.status.success());
    let output = String::from_utf8(output.stdout).expect("numbers");
    let mut found = output
        .split_whitespace()
        .map(|bits| f64::from_bits(bits.parse().expect("a number")));
    let (mut differ, mut compared) = (Vec::new(), 0);
    for case in cases {
        for (x, y) in &case.runs {
            for (k, &expected) in y.iter().enumerate() {
                let found = found.next().expect("a value for each");
                compared += 1;
                if !close(found, expected, 0.0) && !close(found, expected, spread(case, x, y)[k]) {
                    differ.push(format!(
                        "{} at {x:?}: {found:e}, on the CPU {expected:e}\n{}",
                        case.formula.name,
                        case.formula.cuda()
                    ));
                }
            }
        }
    }
    assert_eq!(found.next(), None);
    assert!(compared > 100_000, "{compared} values");
    assert!(
        differ.is_empty(),
        "{} of {compared} values differ, the first\n{}",
        differ.len(),
        differ
            .iter()
            .map(|d| d.lines().next().unwrap_or_default())
            .collect::<Vec<_>>()
            .join("\n")
    );
}
