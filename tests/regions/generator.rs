//! Writes random functions whose operations are one region.

use std::fmt::Write;

/// So many functions.
pub const FUNCTIONS: u64 = 200;

const METHODS: &[&str] = &[
    "exp()",
    "ln()",
    "sqrt()",
    "tanh()",
    "sigmoid()",
    "relu()",
    "gelu()",
    "silu()",
    "softplus()",
    "sin()",
    "cos()",
    "tan()",
    "abs()",
    "square()",
    "recip()",
    "rsqrt()",
    "cbrt()",
    "atan()",
    "asinh()",
    "exp_m1()",
    "ln_1p()",
    "erf()",
    "mish()",
    "hardswish()",
    "hardsigmoid()",
    "softsign()",
    "selu()",
    "log_sigmoid()",
    "gelu_tanh()",
    "sinh()",
    "cosh()",
    "powi(3)",
    "powi(-2)",
    "powf(1.5)",
    "clamp(-1.0, 1.5)",
    "leaky_relu(0.1)",
    "elu(0.7)",
];
const NUMBERS: &[&str] = &["0.5", "2.0", "-1.5", "0.1", "3.0"];

/// Numbers in an order that depends on a seed alone (Steele, Lea, Flood 2014).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn of(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.of(&["a", "b"]).to_owned();
        }
        match self.below(5) {
            0 | 1 => {
                let x = self.expression(depth - 1);
                format!("{x}.{}", self.of(METHODS))
            }
            2 => {
                let x = self.expression(depth - 1);
                format!(
                    "({x} {} {})",
                    self.of(&["+", "-", "*", "/"]),
                    self.of(NUMBERS)
                )
            }
            _ => {
                let (x, other) = (self.expression(depth - 1), self.below(depth));
                let y = self.expression(other);
                format!("({x} {} {y})", self.of(&["+", "-", "*", "/"]))
            }
        }
    }
}

/// The functions, and one that names the regions of all.
pub fn text() -> String {
    let mut out = String::from(
        "// Written by `tests/regions/generator.rs`: `BLESS=1 cargo test -p differentiable --test regions`.\n\n\
         use differentiable::__rt::RegionVisitor;\nuse differentiable::prelude::*;\n\n",
    );
    let mut all = String::new();
    for seed in 0..FUNCTIONS {
        let mut draw = Draw(seed);
        let depth = 2 + draw.below(4);
        let body = draw.expression(depth);
        // Two operations at least, and both operands.
        writeln!(out, "#[differentiable]\nfn r{seed}(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {{\n    {body} * 0.5 + a * b\n}}")
            .expect("a string takes all text");
        writeln!(all, "    r{seed}::__regions(visitor);").expect("a string takes all text");
    }
    out + "\npub fn visit(visitor: &mut impl RegionVisitor) {\n" + &all + "}\n"
}
