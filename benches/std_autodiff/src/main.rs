//! The same functions differentiated by this crate and by `std::autodiff`, in one run: `./run`.
//!
//! Both get 1000 numbers and give the value and the gradient. `std::autodiff` adds to a buffer, which is set to zero
//! before each run; this crate makes the vector. A gradient is held against central differences first, and the
//! one that is wrong is named.

#[allow(dead_code, reason = "shared by benchmarks")]
#[path = "../../support/mod.rs"]
mod support;

use differentiable::prelude::*;

macro_rules! source {
    ($($d:ident($($activity:ident),*) pub fn $name:ident $rest:tt -> f64 $body:block)*) => {
        $(#[differentiable] pub fn $name $rest -> f64 $body)*

        const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            primal: $name,
            gradient: |x| $name::value_and_grad(x),
        }),*];
    };
}
include!("../functions.rs");

use std::hint::black_box;
use std::io::Write;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use support::{Effort, case, fastest};

/// A function and our gradient.
struct Function {
    name: &'static str,
    primal: fn(&[f64]) -> f64,
    gradient: fn(&[f64]) -> (f64, Vec<f64>),
}

/// The gradient of `std::autodiff` is added to the second argument; the third is the cotangent of the value.
type Theirs = fn(&[f64], &mut [f64], f64) -> f64;

/// How long a function may take on both sides together.
const LONGEST: Duration = Duration::from_secs(40);

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the library of `theirs`: see ./run");
    let asked = arguments.find(|a| !a.starts_with('-'));
    let Some(asked) = asked else {
        return one_by_one(&path);
    };
    // SAFETY: `./run` builds the library with the same compiler, so its `&str`, `&[f64]` and `fn` are those of this program,
    // and its initialisers are those of the standard library.
    let library = unsafe { libloading::Library::new(&path) }.expect("a library");
    // SAFETY: `theirs` exports this function with this signature.
    let find = unsafe { library.get::<fn(&str) -> Option<Theirs>>(b"gradient_of") }.expect("its table");
    for function in FUNCTIONS.iter().filter(|f| f.name == asked) {
        let theirs = find(function.name).expect("the same functions on both sides");
        function.measure(Effort::from_args(), theirs);
    }
}

/// Each function in a process of its own: a gradient that is wrong may write where it must not.
fn one_by_one(path: &str) {
    println!("{:<16}{:>12}{:>10}{:>12}{:>10}", "", "primal µs", "÷ primal", "theirs µs", "÷ theirs");
    let quick = std::env::args().filter(|a| a == "--quick");
    let quick: Vec<String> = quick.collect();
    for function in FUNCTIONS {
        let this = std::env::current_exe().expect("the path of this program");
        let mut child = Command::new(this)
            .arg(path)
            .arg(function.name)
            .args(&quick)
            .spawn()
            .expect("this program again");
        let start = Instant::now();
        let status = loop {
            match child.try_wait().expect("its state") {
                Some(status) => break status.to_string(),
                None if start.elapsed() < LONGEST => sleep(Duration::from_millis(50)),
                None => {
                    child.kill().expect("it still runs");
                    child.wait().expect("it was killed");
                    break format!("no end after {} s", LONGEST.as_secs());
                }
            }
        };
        if status != "exit status: 0" {
            println!("   {status}");
        }
    }
}

impl Function {
    fn measure(&self, effort: Effort, theirs: Theirs) {
        let size = match self.name {
            "lennard_jones" => 300, // a hundred particles
            "layers" => 1024,       // four layers of 16 by 16
            "alignment" => 961,     // two words of 31 letters
            _ => 1000,
        };
        let x: Vec<f64> = (0..size)
            .map(|i| 0.5 + 0.45 * (1.3 * i as f64).sin())
            .collect();
        let expected = self.differences(&x);
        let ours = (self.gradient)(&x).1;
        assert!(distance(&ours, &expected) < 1e-5, "{}: our gradient is wrong", self.name);
        let mut cases = vec![
            case("primal", || (self.primal)(black_box(&x))),
            case("ours", || (self.gradient)(black_box(&x))),
        ];
        let times = fastest(effort, &mut cases);
        print!("{:<16}{:>12.2}{:>10.2}", self.name, times[0] / 1e3, times[1] / times[0]);
        std::io::stdout().flush().expect("a terminal or a pipe");
        let mut buffer = vec![0.0; size];
        theirs(&x, &mut buffer, 1.0);
        let off = distance(&buffer, &expected);
        let mut cases = vec![
            case("ours", || (self.gradient)(black_box(&x))),
            case("theirs", || {
                buffer.fill(0.0);
                theirs(black_box(&x), &mut buffer, 1.0)
            }),
        ];
        let times = fastest(effort, &mut cases);
        match off < 1e-5 {
            true => println!("{:>12.2}{:>10.2}", times[1] / 1e3, times[0] / times[1]),
            false => println!("{:>12.2}   wrong: off by {off:.1e} of the largest entry", times[1] / 1e3),
        }
    }

    /// The gradient by central differences.
    fn differences(&self, x: &[f64]) -> Vec<f64> {
        let at = |i: usize, h: f64| {
            let mut moved = x.to_vec();
            moved[i] += h;
            (self.primal)(&moved)
        };
        (0..x.len())
            .map(|i| (at(i, 1e-5) - at(i, -1e-5)) / 2e-5)
            .collect()
    }
}

/// The largest difference, in parts of the largest entry expected.
fn distance(a: &[f64], expected: &[f64]) -> f64 {
    let largest = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let off = a.iter().zip(expected).map(|(a, b)| (a - b).abs());
    off.fold(0.0_f64, |m, v| if v.is_nan() { f64::INFINITY } else { m.max(v) }) / largest
}
