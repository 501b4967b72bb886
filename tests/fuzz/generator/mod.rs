//! Writes random programs that are well typed, bounded in value and almost everywhere smooth.

mod constructs;
mod expressions;
mod files;
mod random;
mod statements;

pub use constructs::Constructs;
pub use files::files;
use random::Random;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Ty {
    Scalar,
    /// `&f64`, the item of a chain.
    Reference,
    /// `[f64; 3]`
    Array,
    /// `Vec<f64>`, never empty.
    Vector,
    /// `&[f64]`, never empty.
    Slice,
    Pair,
    Point,
    Maybe,
    Choice,
    /// `usize`, below 10.
    Index,
    /// A local closure from `f64` to `f64`.
    Closure,
    /// Borrowed for now.
    Hidden,
}

#[derive(Clone)]
struct Var {
    name: String,
    ty: Ty,
    mutable: bool,
}

/// A function that the later ones of the program call.
#[derive(Clone)]
struct Helper {
    name: String,
    params: Vec<Ty>,
    constants: Vec<bool>,
    output: Ty,
}

#[derive(Clone, Copy, PartialEq)]
enum Looping {
    No,
    /// Inside a loop with this label, if it has one.
    In(Option<usize>),
}

struct Generator {
    random: Random,
    out: String,
    indent: usize,
    vars: Vec<Var>,
    helpers: Vec<Helper>,
    names: usize,
    /// Statements that may still be written in this function.
    budget: usize,
    /// How deep in blocks.
    depth: usize,
    looping: Looping,
    output: Ty,
    constructs: Constructs,
    /// The awkward names of this function.
    used: Vec<String>,
}

/// The program of a seed: a module with helpers and the function `f`.
pub fn program(seed: u64, constructs: Constructs) -> String {
    let mut g = Generator {
        random: Random::new(seed.wrapping_mul(0xd129_0f5e_54a1_7ce3) ^ 0x5eed),
        out: String::new(),
        indent: 1,
        vars: Vec::new(),
        helpers: Vec::new(),
        names: 0,
        budget: 0,
        depth: 0,
        looping: Looping::No,
        output: Ty::Scalar,
        constructs,
        used: Vec::new(),
    };
    writeln!(g.out, "pub mod p{seed:03} {{").unwrap();
    g.line("use crate::{Choice, Point};");
    g.line("use differentiable::prelude::*;");
    if constructs.effects {
        g.line("fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }");
    }
    if constructs.macros && g.random.one_in(2) {
        g.written_by_macro("m0");
    }
    for k in 0..g.random.below(3) {
        g.helper(k);
    }
    let params = [Ty::Scalar, Ty::Scalar, Ty::Slice, Ty::Index];
    g.function("f", &params, &[false; 4], Ty::Scalar);
    g.out.push_str("}\n");
    g.out
}

impl Generator {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
        self.depth += 1;
    }

    fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.depth -= 1;
        self.line(text);
    }

    fn fresh(&mut self, base: &str) -> String {
        if let Some(name) = self.awkward() {
            return name;
        }
        self.names += 1;
        format!("{base}_{}", self.names)
    }

    fn bind(&mut self, name: &str, ty: Ty, mutable: bool) {
        let name = name.to_string();
        self.vars.push(Var { name, ty, mutable });
    }

    /// A variable of a type that is not shadowed.
    fn find(&mut self, accept: impl Fn(&Var) -> bool) -> Option<Var> {
        let visible: Vec<Var> = (0..self.vars.len())
            .filter(|i| {
                let name = &self.vars[*i].name;
                !self.vars[i + 1..].iter().any(|v| v.name == *name)
            })
            .map(|i| self.vars[i].clone())
            .filter(accept)
            .collect();
        // What was computed last is used most, so that little is computed in vain.
        let n = visible.len();
        (n > 0).then(|| visible[self.random.below(n).max(self.random.below(n))].clone())
    }

    fn of(&mut self, ty: Ty) -> Option<Var> {
        self.find(|v| v.ty == ty)
    }

    /// Runs `inner` in a scope of its own.
    fn scope<R>(&mut self, inner: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.vars.len();
        let result = inner(self);
        self.vars.truncate(mark);
        result
    }

    /// Runs `inner` with a variable that may not change, such as a sequence that is iterated.
    fn frozen<R>(&mut self, name: &str, inner: impl FnOnce(&mut Self) -> R) -> R {
        let saved: Vec<bool> = self.vars.iter().map(|v| v.mutable).collect();
        for v in &mut self.vars {
            v.mutable &= v.name != name;
        }
        let result = inner(self);
        for (v, mutable) in self.vars.iter_mut().zip(saved) {
            v.mutable = mutable;
        }
        result
    }

    fn type_of(ty: Ty) -> &'static str {
        match ty {
            Ty::Scalar => "f64",
            Ty::Reference => "&f64",
            Ty::Array => "[f64; 3]",
            Ty::Vector => "Vec<f64>",
            Ty::Slice => "&[f64]",
            Ty::Pair => "(f64, f64)",
            Ty::Point => "Point",
            Ty::Maybe => "Option<f64>",
            Ty::Choice => "Choice",
            Ty::Index => "usize",
            Ty::Closure | Ty::Hidden => unreachable!("not passed"),
        }
    }

    fn helper(&mut self, k: usize) {
        let all = [
            Ty::Scalar,
            Ty::Scalar,
            Ty::Array,
            Ty::Slice,
            Ty::Pair,
            Ty::Point,
            Ty::Maybe,
            Ty::Choice,
            Ty::Index,
        ];
        let mut params = vec![Ty::Scalar];
        for _ in 0..self.random.below(3) {
            let ty = self.random.pick(&all);
            let kept = ty != Ty::Choice || !self.constructs.higher_order;
            params.push(if kept { ty } else { Ty::Scalar });
        }
        let constants: Vec<bool> = (0..params.len())
            .map(|i| i > 0 && params[i] == Ty::Scalar && self.random.one_in(4))
            .collect();
        let outputs = [
            Ty::Scalar,
            Ty::Scalar,
            Ty::Scalar,
            Ty::Pair,
            Ty::Point,
            Ty::Vector,
            Ty::Array,
            Ty::Maybe,
        ];
        let output = self.random.pick(&outputs);
        let name = format!("h{k}");
        self.function(&name, &params, &constants, output);
        self.helpers.push(Helper {
            name,
            params,
            constants,
            output,
        });
    }

    fn function(&mut self, name: &str, params: &[Ty], constants: &[bool], output: Ty) {
        let names = ["a", "b", "c", "d"];
        self.vars.clear();
        self.used.clear();
        let mut decls = Vec::new();
        let entry = name == "f";
        for (i, ty) in params.iter().enumerate() {
            let param = match (entry, ty) {
                (true, Ty::Slice) => "x",
                (true, Ty::Index) => "n",
                _ => names[i],
            };
            let mutable = *ty == Ty::Scalar && !constants[i] && self.random.one_in(4);
            let constant = if constants[i] { "#[constant] " } else { "" };
            let binding = if mutable { "mut " } else { "" };
            decls.push(format!(
                "{constant}{binding}{param}: {}",
                Self::type_of(*ty)
            ));
            self.bind(param, *ty, mutable);
        }
        self.output = output;
        self.looping = Looping::No;
        // Long runs have small programs, and many.
        self.budget = match (entry, self.constructs.effects) {
            (true, false) => 9,
            (false, false) => 4,
            (true, true) => 3,
            (false, true) => 1,
        };
        self.line(self.attribute());
        let header = format!(
            "pub fn {name}({}) -> {} {{",
            decls.join(", "),
            Self::type_of(output)
        );
        self.open(&header);
        while self.budget > 0 {
            self.statement();
        }
        let value = if entry {
            self.summary()
        } else {
            self.value(output)
        };
        self.line(&value);
        self.close("}");
    }

    /// Everything that is alive counts, so that no derivative is lost unseen.
    fn summary(&mut self) -> String {
        let mut terms = vec![self.scalar(2)];
        let vars = self.vars.clone();
        for (i, v) in vars.iter().enumerate() {
            if vars[i + 1..].iter().any(|w| w.name == v.name) {
                continue;
            }
            let (n, weight) = (&v.name, 0.3 + 0.1 * self.random.below(9) as f64);
            terms.push(match v.ty {
                Ty::Scalar => format!("{weight:.1} * {n}"),
                Ty::Pair => format!("{n}.0 * {weight:.1} - {n}.1"),
                Ty::Point => format!("{n}.x * {weight:.1} - {n}.y"),
                Ty::Array | Ty::Vector => format!("{n}.iter().sum::<f64>() * {weight:.1}"),
                Ty::Maybe => format!("{n}.unwrap_or({weight:.1})"),
                _ => continue,
            });
        }
        terms.join(" + ")
    }
}
