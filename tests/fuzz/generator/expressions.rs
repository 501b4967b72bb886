//! Random expressions. A scalar is made of scalars of size about one, and is of size about one.

use super::{Generator, Ty};

impl Generator {
    pub fn literal(&mut self) -> String {
        let digits = self.random.below(14) + 2;
        format!("{:.1}", digits as f64 / 10.0)
    }

    /// The value of a scalar variable, a part of a larger one or a call: always of a known type.
    fn leaf(&mut self) -> String {
        for _ in 0..8 {
            let choice = self.random.below(12);
            let text = match choice {
                0..=3 => self.of(Ty::Scalar).map(|v| v.name),
                4 => self.of(Ty::Reference).map(|v| format!("(*{})", v.name)),
                5 | 6 => self.element(),
                7 => {
                    let field = self.random.below(2);
                    self.of(Ty::Pair).map(|v| format!("{}.{field}", v.name))
                }
                8 => {
                    let field = self.random.pick(&["x", "y"]);
                    self.of(Ty::Point).map(|v| format!("{}.{field}", v.name))
                }
                9 => self
                    .of(Ty::Index)
                    .map(|v| format!("(0.1 * {} as f64)", v.name)),
                10 => self.called(Ty::Scalar),
                _ => self.of(Ty::Closure).map(|v| {
                    let argument = self.atom();
                    format!("{}({argument})", v.name)
                }),
            };
            if let Some(text) = text {
                return text;
            }
        }
        self.literal_f64()
    }

    fn literal_f64(&mut self) -> String {
        format!("{}_f64", self.literal())
    }

    /// A scalar variable or a literal: no calls.
    pub fn atom(&mut self) -> String {
        match self.of(Ty::Scalar) {
            Some(v) => v.name,
            None => self.literal_f64(),
        }
    }

    fn element(&mut self) -> Option<String> {
        let v = self.find(|v| matches!(v.ty, Ty::Array | Ty::Vector | Ty::Slice))?;
        let at = self.position(&v.name, v.ty);
        Some(format!("{}[{at}]", v.name))
    }

    /// An index inside a sequence.
    pub fn position(&mut self, name: &str, ty: Ty) -> String {
        let index = self.index();
        match ty {
            Ty::Array if self.random.one_in(2) => self.random.below(3).to_string(),
            Ty::Array => format!("{index} % 3"),
            _ => format!("{index} % {name}.len()"),
        }
    }

    /// A `usize` as an operand.
    pub fn index(&mut self) -> String {
        match self.of(Ty::Index) {
            Some(v) if self.random.one_in(3) => format!("({} + {})", v.name, self.random.below(3)),
            Some(v) => v.name,
            None => self.random.below(4).to_string(),
        }
    }

    pub fn condition(&mut self) -> String {
        let simple = match self.random.below(4) {
            0 => format!("{} % 2 == {}", self.index(), self.random.below(2)),
            1 => format!("{} > {}", self.index(), self.random.below(3)),
            _ => {
                let (leaf, literal) = (self.leaf(), self.literal());
                let op = self.random.pick(&["<", ">", "<=", ">="]);
                let sign = self.random.pick(&["", "-"]);
                format!("{leaf} {op} {sign}{literal}")
            }
        };
        match self.random.below(8) {
            0 => format!("!({simple})"),
            1 => format!("{simple} && {} < 9", self.index()),
            2 => format!("{simple} || {} == 7", self.index()),
            _ => simple,
        }
    }

    /// An expression of type `f64`.
    pub fn scalar(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let a = self.scalar(depth - 1);
        match self.random.below(26) {
            0..=2 => format!("{a} * {} * 0.5", self.scalar(depth - 1)),
            3 | 4 => format!("0.5 * ({a} + {})", self.scalar(depth - 1)),
            5 | 6 => format!("({a} - {}) * 0.5", self.scalar(depth - 1)),
            7 | 8 => format!("{a} / (1.5 + {})", self.square()),
            9 => format!("{} * ({a})", self.literal()),
            10 => format!("({a}).sin()"),
            11 => format!("({a}).cos()"),
            12 => format!("({a}).tanh()"),
            13 => format!("(0.3 * ({a})).exp()"),
            14 => format!("(1.5 + {}).ln() + 0.1 * ({a})", self.square()),
            15 => format!("(1.0 + {}).sqrt() - ({a})", self.square()),
            16 => format!("({a}).powi({}) * 0.2", 2 + self.random.below(2)),
            17 => format!("(1.2 + {}).powf(0.5 * {})", self.square(), self.leaf()),
            18 => {
                let method = self.random.pick(&["max", "min"]);
                let leaf = self.leaf();
                format!("({a}).{method}({leaf})")
            }
            19 => format!("({a}).clamp(-0.7, 0.9)"),
            20 => format!("({a}).abs()"),
            21 => format!("({a}).atan2(1.5 + {})", self.square()),
            22 => format!("-({a})"),
            23 => {
                let (condition, other) = (self.condition(), self.scalar(depth - 1));
                format!("if {condition} {{ {a} }} else {{ {other} }}").into_value()
            }
            24 => match self.chain() {
                Some(chain) => format!("0.3 * {chain}"),
                None => a,
            },
            _ => a,
        }
    }

    fn square(&mut self) -> String {
        let leaf = self.leaf();
        format!("{leaf} * {leaf}")
    }

    /// An iterator chain with a scalar value.
    fn chain(&mut self) -> Option<String> {
        let v = self.find(|v| matches!(v.ty, Ty::Array | Ty::Vector | Ty::Slice))?;
        let w = self.find(|w| matches!(w.ty, Ty::Array | Ty::Vector | Ty::Slice))?;
        let (n, m) = (&v.name, &w.name);
        let k = self.literal();
        // Two names in a closure: no calls, whose arguments could be anything.
        let outer = self.atom();
        Some(match self.random.below(10) {
            0 => format!("{n}.iter().sum::<f64>()"),
            1 => format!("{n}.iter().map(|u| u * u * {k}).sum::<f64>()"),
            2 => format!("{n}.iter().zip({m}.iter()).map(|(u, w)| u * w).sum::<f64>()"),
            3 => {
                format!(
                    "{n}.iter().enumerate().map(|(i, u)| (u * {outer}).sin() * i as f64).sum::<f64>()"
                )
            }
            4 => format!("{n}.iter().fold({k}, |s, u| 0.5 * s + u * {outer})"),
            5 => format!("{n}.iter().filter(|u| **u > {k}).map(|u| u.cos()).sum::<f64>()"),
            6 => format!("{n}.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>()"),
            7 => format!("{n}.iter().rev().skip(1).copied().map(|u| u * {outer}).sum::<f64>()"),
            8 => format!("(0..3).map(|i| {outer}.sin() * i as f64).sum::<f64>()"),
            _ => format!("{n}.iter().map(|u| u.tanh()).product::<f64>()"),
        })
    }

    /// A call of a helper with this result.
    pub fn called(&mut self, output: Ty) -> Option<String> {
        let fitting: Vec<_> = self
            .helpers
            .iter()
            .filter(|h| h.output == output)
            .cloned()
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let h = self.random.pick(&fitting);
        let args: Vec<String> = (0..h.params.len())
            .map(|i| {
                if h.constants[i] {
                    return self.literal();
                }
                match h.params[i] {
                    Ty::Slice => {
                        match self.find(|v| matches!(v.ty, Ty::Slice | Ty::Vector | Ty::Array)) {
                            Some(v) if v.ty == Ty::Slice => v.name,
                            Some(v) => format!("&{}", v.name),
                            None => {
                                let (a, b) = (self.atom(), self.atom());
                                format!("&[{a}, {b}]")
                            }
                        }
                    }
                    ty => self.simple(ty),
                }
            })
            .collect();
        Some(format!("{}({})", h.name, args.join(", ")))
    }

    /// A value without calls: arguments are not nested without end.
    fn simple(&mut self, ty: Ty) -> String {
        if ty != Ty::Scalar
            && self.random.one_in(2)
            && let Some(v) = self.of(ty)
            && !matches!(ty, Ty::Vector)
        {
            return v.name;
        }
        match ty {
            Ty::Index => self.index(),
            Ty::Scalar if self.random.one_in(2) => format!("{} * 0.7", self.atom()),
            Ty::Scalar => self.atom(),
            Ty::Array => format!("[{}, {}, {}]", self.atom(), self.atom(), self.literal()),
            Ty::Vector => format!("vec![{}, {}]", self.atom(), self.atom()),
            Ty::Pair => format!("({}, {})", self.atom(), self.atom()),
            Ty::Point => format!("Point {{ x: {}, y: {} }}", self.atom(), self.atom()),
            Ty::Maybe => format!("Some({})", self.atom()),
            Ty::Choice if self.random.one_in(2) => {
                format!("Choice::Plane({}, {})", self.atom(), self.atom())
            }
            Ty::Choice => format!("Choice::Line {{ at: {} }}", self.atom()),
            Ty::Slice | Ty::Reference | Ty::Closure | Ty::Hidden => {
                unreachable!("not made of scalars")
            }
        }
    }

    /// A new value of a type.
    pub fn value(&mut self, ty: Ty) -> String {
        if self.random.one_in(3)
            && let Some(call) = self.called(ty)
        {
            return call;
        }
        match ty {
            Ty::Index => self.index(),
            Ty::Scalar => self.scalar(2),
            Ty::Array if self.random.one_in(3) => format!("[{}; 3]", self.scalar(1)),
            Ty::Array => format!(
                "[{}, {}, {}]",
                self.scalar(1),
                self.scalar(1),
                self.scalar(1)
            ),
            Ty::Vector => self.vector(),
            Ty::Pair => format!("({}, {})", self.scalar(1), self.scalar(2)),
            Ty::Point => format!("Point {{ x: {}, y: {} }}", self.scalar(1), self.scalar(1)),
            Ty::Maybe if self.random.one_in(3) => {
                let (condition, value) = (self.condition(), self.scalar(1));
                format!("if {condition} {{ Some({value}) }} else {{ None }}")
            }
            Ty::Maybe => format!("Some({})", self.scalar(2)),
            Ty::Choice => match self.random.below(3) {
                0 => format!("Choice::Line {{ at: {} }}", self.scalar(1)),
                1 => format!("Choice::Plane({}, {})", self.scalar(1), self.scalar(1)),
                _ => "Choice::Nothing".into(),
            },
            Ty::Slice | Ty::Reference | Ty::Closure | Ty::Hidden => unreachable!("not a new value"),
        }
    }

    fn vector(&mut self) -> String {
        let source = self.find(|v| matches!(v.ty, Ty::Array | Ty::Vector | Ty::Slice));
        match (self.random.below(5), source) {
            (0, Some(v)) => format!("{}.to_vec()", v.name),
            (1, Some(v)) => {
                let k = self.literal();
                format!("{}.iter().map(|u| u * {k}).collect::<Vec<f64>>()", v.name)
            }
            (2, Some(v)) => {
                let a = self.atom();
                format!(
                    "{}.iter().enumerate().map(|(i, u)| u.sin() * {a} + 0.1 * i as f64).collect()",
                    v.name
                )
            }
            (3, _) => format!("vec![{}; 4]", self.scalar(1)),
            _ => format!("vec![{}, {}]", self.scalar(1), self.scalar(1)),
        }
    }
}

trait IntoValue {
    fn into_value(self) -> String;
}

impl IntoValue for String {
    /// In parentheses: an `if` that starts a statement would end it.
    fn into_value(self) -> String {
        format!("({self})")
    }
}
