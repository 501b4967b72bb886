//! Numbers with tangents as CUDA C++: the struct `Dual<V, K>`, and its functions.
//!
//! What the functions multiply tangents by is recorded from the same formulas that the CPU has, so there is one list of
//! derivatives. A module puts this text in front of kernels, which then compute with `Dual`s as with plain numbers.

use super::{Formula, PRELUDE, Sym};
use crate::ad::rules::formulas::of_elements as formulas;
use crate::device::Real;
use crate::kernel::fused::rules;
use std::fmt::Write;
use std::sync::OnceLock;

const STRUCT: &str = include_str!("dual.cuh");

/// Functions of `Dual`s that `dual.cuh` writes out, for those that call them before.
const WRITTEN_OUT: [&str; 11] = [
    "ln_gamma",
    "digamma",
    "trigamma",
    "fract",
    "normal_cdf",
    "normal_density",
    "remainder",
    "maximum",
    "minimum",
    "powi",
    "tetragamma",
];

macro_rules! line {
    ($to:expr, $($text:tt)*) => {
        writeln!($to, $($text)*).expect("a string takes all text")
    };
}

/// A function of one number: `slope` takes what its derivative reads, which is its value or the number.
fn of_one(text: &mut [String; 2], name: &str, reads_value: bool, slope: fn(Sym) -> Sym) {
    declare(&mut text[0], name, 1);
    let recorded = Formula::record(&format!("{name}_slope"), |[v]: [Sym; 1]| vec![slope(v)]);
    let read = if reads_value { "y" } else { "x.value" };
    line!(text[1], "{}", recorded.cuda());
    line!(
        text[1],
        "namespace dz {{ DZ_INLINE Dual<V, K> {name}(Dual<V, K> x) {{
  const V y = dz::{name}(x.value), v[] = {{{read}}};
  V slope;
  {name}_slope_of::{name}_slope<V>(v, &slope);
  return chain(x, y, slope);
}} }}"
    );
}

/// A function of two numbers: `slopes` takes both and the value.
fn of_two(text: &mut [String; 2], name: &str, slopes: fn(Sym, Sym, Sym) -> [Sym; 2]) {
    declare(&mut text[0], name, 2);
    let recorded = Formula::record(&format!("{name}_slope"), |[a, b, y]: [Sym; 3]| {
        slopes(a, b, y).to_vec()
    });
    line!(text[1], "{}", recorded.cuda());
    line!(
        text[1],
        "namespace dz {{ DZ_INLINE Dual<V, K> {name}(Dual<V, K> a, Dual<V, K> b) {{
  const V y = dz::{name}(a.value, b.value), v[] = {{a.value, b.value, y}};
  V slope[2];
  {name}_slope_of::{name}_slope<V>(v, slope);
  return chain2(a, b, y, slope[0], slope[1]);
}} }}"
    );
}

fn declare(text: &mut String, name: &str, arguments: usize) {
    let arguments = vec!["Dual<V, K>"; arguments].join(", ");
    line!(text, "DZ_INLINE Dual<V, K> {name}({arguments});");
}

/// Those of the table: its rows with derivatives, and the flat ones.
fn of_table(text: &mut [String; 2]) {
    macro_rules! reads_value {
        (output) => {
            true
        };
        ($reads:ident) => {
            false
        };
    }
    macro_rules! all {
        ({}
            [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]
            [$($(#[$doc0:meta])* $flat:ident $Op0:tt $Rule0:tt $reads0:ident $costs0:tt $domain0:tt;)*]
        ) => {
            $( of_one(text, stringify!($name), reads_value!($reads), |v| formulas::$name(Sym::ONE, v)); )*
            $(
                declare(&mut text[0], stringify!($flat), 1);
                let name = stringify!($flat);
                line!(text[1], "namespace dz {{ DZ_INLINE Dual<V, K> {name}(Dual<V, K> x) {{ return dz::{name}(x.value); }} }}");
            )*
        };
    }
    autodiff_vocabulary::functions!(short all, {} [numbers turns] [flat]);
}

/// The text that follows [`PRELUDE`](super::PRELUDE) in modules of numbers with tangents. The prelude is in front of it.
pub fn dual() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut text = [String::new(), String::new()];
        of_table(&mut text);
        of_one(&mut text, "sigmoid", true, |y| {
            rules::sigmoid::pull(y, y, Sym::ONE)
        });
        of_one(&mut text, "erf", false, |x| {
            rules::erf::pull(x, x, Sym::ONE)
        });
        of_one(&mut text, "erfc", false, |x| {
            rules::erfc::pull(x, x, Sym::ONE)
        });
        of_two(&mut text, "powf", |a, b, y| {
            [
                formulas::powf_base(Sym::ONE, a, b),
                formulas::powf_exponent(Sym::ONE, a, b, y),
            ]
        });
        of_two(&mut text, "atan2", |a, b, _| {
            [
                formulas::atan2_left(Sym::ONE, a, b),
                formulas::atan2_right(Sym::ONE, a, b),
            ]
        });
        of_two(&mut text, "hypot", |a, b, y| {
            [formulas::direction(a, y), formulas::direction(b, y)]
        });
        let [mut declared, defined] = text;
        for name in WRITTEN_OUT {
            match name {
                "powi" => line!(declared, "DZ_INLINE Dual<V, K> powi(Dual<V, K>, int);"),
                "tetragamma" => line!(
                    declared,
                    "template <typename T> __device__ inline T tetragamma(T x);"
                ),
                "remainder" | "maximum" | "minimum" => declare(&mut declared, name, 2),
                name => declare(&mut declared, name, 1),
            }
        }
        let (before, behind) = STRUCT
            .split_once("//// declarations\n")
            .expect("a place for the declarations");
        format!(
            "{PRELUDE}\n{before}{declared}}} // namespace dz\n{defined}\nnamespace dz {{{behind}"
        )
    })
}
