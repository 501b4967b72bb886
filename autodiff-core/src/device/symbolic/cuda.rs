//! Formulas as CUDA C++.

use super::formula::{Block, End, Formula, NamedFormula, Operation, Order, Step};
use std::fmt::Write;

/// The functions that printed formulas call, in the namespace `dz`, for `float` and `double`. It goes before them.
///
/// [`dual`](super::dual) has them for numbers with tangents. NVRTC, nvcc and, with `__device__` and `__forceinline__` defined,
/// any compiler of C++14 compile it.
pub const PRELUDE: &str = include_str!("prelude.cuh");

/// A constant.
pub fn number(x: f64) -> String {
    match x {
        x if x.is_nan() => "T(NAN)".into(),
        x if x == f64::INFINITY => "T(INFINITY)".into(),
        x if x == f64::NEG_INFINITY => "T(-INFINITY)".into(),
        x => format!("T({x:?})"),
    }
}

impl NamedFormula {
    fn title(&self, at: usize) -> String {
        format!("{}_{at}", self.name)
    }
}

struct Printer<'a> {
    formula: &'a Formula,
    text: String,
}

impl Printer<'_> {
    fn step(&self, step: &Step) -> String {
        let list = |x: &[_]| {
            let x: Vec<String> = x.iter().map(ToString::to_string).collect();
            x.join(", ")
        };
        match step {
            Step::Number(narrow, wide) if narrow.to_bits() == wide.to_bits() => number(*narrow),
            Step::Number(narrow, wide) => {
                let double = |x| number(x).replacen("T(", "double(", 1);
                format!("dz::by_width<T>({}, {})", double(*narrow), double(*wide))
            }
            Step::Apply(operation, x) => match (operation, &x[..]) {
                (Operation::Add, [a, b]) => format!("{a} + {b}"),
                (Operation::Sub, [a, b]) => format!("{a} - {b}"),
                (Operation::Mul, [a, b]) => format!("{a} * {b}"),
                (Operation::Div, [a, b]) => format!("{a} / {b}"),
                (Operation::Neg, [a]) => format!("-{a}"),
                (Operation::Powi(n), [a]) => format!("dz::powi({a}, {n})"),
                (Operation::NormalCdf, [a]) => format!("dz::normal_cdf({a})"),
                (Operation::NormalDensity, [a]) => format!("dz::normal_density({a})"),
                (Operation::Method(name), x) => format!("dz::{name}({})", list(x)),
                (operation, x) => unreachable!("{operation:?} of {} numbers", x.len()),
            },
            Step::Call(function, x) => {
                let title = self.formula.functions[*function].title(*function);
                format!("{title}<T>({})", list(x))
            }
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        writeln!(self.text, "{:1$}{line}", "", 2 * depth).expect("a string takes all text");
    }

    fn block(&mut self, block: &Block, depth: usize, give: &dyn Fn(&[String]) -> String) {
        for (value, step) in &block.steps {
            let line = format!("const T {value} = {};", self.step(step));
            self.line(depth, &line);
        }
        match &block.end {
            End::Give(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                self.line(depth, &give(&values));
            }
            End::If {
                order,
                left,
                right,
                then,
                otherwise,
            } => {
                let holds = match order {
                    Order::Still => format!("dz::still({left}, {right})"),
                    order => format!("{left} {} {right}", order.sign()),
                };
                self.line(depth, &format!("if ({holds}) {{"));
                self.block(then, depth + 1, give);
                self.line(depth, "} else {");
                self.block(otherwise, depth + 1, give);
                self.line(depth, "}");
            }
        }
    }
}

impl Formula {
    /// The formula as CUDA C++: a function template `void name(const T *x, T *y)`, and those of the named formulas before
    /// it. [`PRELUDE`] goes before the first of all. Names of C++ are those of the formula.
    pub fn cuda(&self) -> String {
        let mut printer = Printer {
            formula: self,
            text: String::new(),
        };
        printer.line(0, &format!("namespace {}_of {{", self.name));
        for (at, function) in self.functions.iter().enumerate() {
            let inputs: Vec<String> = (0..function.inputs)
                .map(|k| format!("const T v{k}"))
                .collect();
            let (title, inputs) = (function.title(at), inputs.join(", "));
            if !function.parameters.is_empty() {
                let parameters: Vec<String> = function
                    .parameters
                    .iter()
                    .map(|p| format!("{p:?}"))
                    .collect();
                printer.line(
                    0,
                    &format!("// {}({})", function.name, parameters.join(", ")),
                );
            }
            printer.line(
                0,
                &format!("template <typename T> __device__ __forceinline__ T {title}({inputs}) {{"),
            );
            printer.block(&function.body, 1, &|values| {
                format!("return {};", values[0])
            });
            printer.line(0, "}");
        }
        let name = &self.name;
        printer.line(
            0,
            &format!(
                "template <typename T> __device__ __forceinline__ void {name}(const T *x, T *y) {{"
            ),
        );
        for k in 0..self.inputs {
            printer.line(1, &format!("const T v{k} = x[{k}];"));
        }
        let give = |values: &[String]| {
            let lines = values
                .iter()
                .enumerate()
                .map(|(k, v)| format!("y[{k}] = {v};"));
            lines.collect::<Vec<_>>().join(" ")
        };
        printer.block(&self.body, 1, &give);
        printer.line(0, "}");
        printer.line(0, &format!("}} // namespace {name}_of"));
        printer.text
    }
}
