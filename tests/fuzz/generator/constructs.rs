//! Constructs that are easy to get wrong: indices with effects, attributes, functions that macros write, awkward
//! names, loops that run again.

use super::{Generator, Helper, Looping, Ty};

/// What a program may have beyond plain statements.
#[derive(Clone, Copy, Default)]
pub struct Constructs {
    pub effects: bool,
    pub attributes: bool,
    pub macros: bool,
    pub names: bool,
    pub checkpoints: bool,
    pub higher_order: bool,
}

impl Constructs {
    /// All of them; derivatives of higher order in every other program.
    pub fn all(seed: u64) -> Self {
        Constructs {
            effects: true,
            attributes: true,
            macros: true,
            names: true,
            checkpoints: true,
            higher_order: seed.is_multiple_of(2),
        }
    }
}

/// Names as emitted code has them.
const AWKWARD: &[&str] = &[
    "__value", "__ct", "d_a", "d_x", "w_x", "ad", "own_u", "tape1", "branch1", "t0", "__trip",
    "keep", "__modes",
];

impl Generator {
    /// The attribute of a function.
    pub(super) fn attribute(&self) -> &'static str {
        match self.constructs.higher_order {
            true => "#[differentiable(higher_order)]",
            false => "#[differentiable]",
        }
    }

    /// A name that emitted code may have too, if there is none of it yet.
    pub(super) fn awkward(&mut self) -> Option<String> {
        if !self.constructs.names || !self.random.one_in(3) {
            return None;
        }
        let name = self.random.pick(AWKWARD);
        let taken = self.used.iter().any(|n| n == name);
        self.used.push(name.to_string());
        (!taken).then(|| name.to_string())
    }

    /// `#[checkpoint]` before a loop that counts.
    pub(super) fn checkpoint(&mut self) {
        if self.constructs.checkpoints && self.random.one_in(2) {
            let schedule = self
                .random
                .pick(&["", "(every = 1)", "(every = 2)", "(snapshots = 2)"]);
            self.line(&format!("#[checkpoint{schedule}]"));
        }
    }

    /// One of the constructs in the place of a statement.
    pub(super) fn construct(&mut self) -> bool {
        let (effects, attributes) = (self.constructs.effects, self.constructs.attributes);
        if !(effects || attributes) || !self.random.one_in(3) {
            return false;
        }
        match self.random.below(2) {
            0 if effects => self.effects(),
            1 if attributes => self.attributes(),
            _ => return false,
        }
        true
    }

    /// A sequence of which entries are read.
    fn sequence(&mut self) -> String {
        match self.find(|v| matches!(v.ty, Ty::Array | Ty::Vector | Ty::Slice)) {
            Some(v) => v.name,
            None => "[0.4_f64, 0.7]".into(),
        }
    }

    /// An index below 3 that moves the cursor.
    fn moving(&mut self, c: &str) -> String {
        match self.random.below(5) {
            0 => format!("{{ {c} += 1; {c} % 3 }}"),
            1 => format!("({c} + next(&mut {c})) % 3"),
            2 => format!("std::mem::replace(&mut {c}, {}) % 3", self.random.below(3)),
            _ => format!("next(&mut {c})"),
        }
    }

    /// An entry that is read at the cursor, which may move.
    fn at(&mut self, c: &str) -> String {
        let s = self.sequence();
        match self.random.below(3) {
            0 => format!("{s}[next(&mut {c}) % {s}.len()]"),
            1 => format!("{{ {c} += 1; {s}[{c} % {s}.len()] }}"),
            _ => format!("{s}[{c} % {s}.len()]"),
        }
    }

    /// Assignments and operands whose order matters.
    fn effects(&mut self) {
        let (c, r) = (self.fresh("c"), self.fresh("r"));
        let start = self.random.below(3);
        self.line(&format!("let mut {c} = {start};"));
        let points = self.random.one_in(4);
        let (a, b) = (self.atom(), self.atom());
        self.line(&match points {
            true => format!("let mut {r} = [Point {{ x: {a}, y: {b} }}, Point {{ x: {b}, y: 0.4 }}, Point {{ x: 0.7, y: {a} }}];"),
            false => format!("let mut {r} = [{a}, {b}, 0.5_f64];"),
        });
        for _ in 0..1 + self.random.below(3) {
            let (i, u, w) = (self.moving(&c), self.at(&c), self.at(&c));
            let value = match self.random.below(4) {
                0 => format!("{u} * {w}"),
                1 => format!("0.5 * ({u} - {w})"),
                2 => format!("({u}).max({w})"),
                _ => u.clone(),
            };
            let method = self.random.pick(&["sin", "tanh", "cos"]);
            let value = format!("({value}).{method}()");
            let text = match (points, self.random.below(7)) {
                (true, 0) => format!("{r}[{i}] = Point {{ y: {value}, x: {w} }};"),
                (true, 1) => format!("{r}[{i}].y = {value};"),
                (true, 2) => format!("{r}[{i}].x -= 0.3 * {value};"),
                (true, _) => format!("{r}[{i}] += Point {{ x: {u}, y: {value} }};"),
                (_, 0 | 1) => format!("{r}[{i}] = {value};"),
                (_, 2) => format!("{r}[{i}] += 0.3 * {value};"),
                (_, 3) => format!("{r}[{i}] -= 0.3 * {value};"),
                (_, 4) => format!("{r}[{i}] *= 0.8 + 0.1 * {value};"),
                (_, 5) => format!("{r}.swap({i}, {c} % 3);"),
                _ => format!("({r}[{i}], {r}[{c} % 3]) = ({value}, {w});"),
            };
            self.line(&text);
        }
        let s = self.fresh("s");
        self.line(&match points {
            true => format!("let {s} = {r}[next(&mut {c})].x * {r}[{c} % 3].y;"),
            false => format!("let {s} = {r}[{c} % 3] - {r}[next(&mut {c})] * {r}[{c} % 3];"),
        });
        if !points {
            self.bind(&r, Ty::Array, true);
        }
        self.bind(&s, Ty::Scalar, false);
    }

    /// What an attribute takes away, and what it leaves.
    fn attributes(&mut self) {
        let gone = self.random.pick(&["#[cfg(any())]", "#[cfg(not(all()))]"]);
        let there = self.random.pick(&[
            "#[cfg(not(any()))]",
            "#[allow(unused)]",
            "#[cfg(not(any()))]",
        ]);
        let s = self.fresh("s");
        let (a, b) = (self.scalar(1), self.scalar(1));
        match self.random.below(5) {
            0 => {
                self.line(&format!("let mut {s} = {a};"));
                self.line(&format!("{gone} for _ in 0..3 {{ {s} *= 3.0; }}"));
                self.line(&format!(
                    "{there} for _ in 0..2 {{ {s} = 0.5 * {s} + {b}; }}"
                ));
            }
            1 => {
                self.line(&format!("let mut {s} = {a};"));
                self.line(&format!("{gone} if {s} < 9.0 {{ {s} += 2.0; }}"));
                self.line(&format!(
                    "{there} if {s} < 0.3 {{ {s} = {s} * 0.5 + 0.1; }}"
                ));
            }
            2 => {
                let (i, k) = (self.index(), self.index());
                self.line(&format!(
                    "let {s} = match {i} % 3 {{ {gone} 0 => 9.0, {there} 1 => {a}, _ => {b} * (0.1 * {k} as f64) }};"
                ));
            }
            3 => {
                self.line(&format!("{gone} let {s} = 7.0;"));
                self.line(&format!("{there} let {s} = {a} * 0.5;"));
            }
            _ => {
                self.line(&format!("let mut {s} = {a};"));
                self.line(&format!("{gone} {{ {s} = 4.0; }}"));
                self.line(&format!("{there} {{ {s} = 0.5 * ({s} - {b}); }}"));
            }
        }
        self.bind(&s, Ty::Scalar, false);
    }

    /// A function that a macro writes, with a local of the name that comes in, and an expression as one group.
    pub(super) fn written_by_macro(&mut self, name: &str) {
        self.vars.clear();
        self.used.clear();
        self.looping = Looping::No;
        let argument = self.random.pick(&["t", "__value", "d_t", "u"]);
        self.bind(argument, Ty::Scalar, false);
        let (k, value, attribute) = (self.literal(), self.scalar(1), self.attribute());
        let text = match self.random.below(3) {
            0 => "let t = $k * $x; ($e).sin() * 0.5 - t".to_string(),
            1 => {
                "let mut t = $x; for _ in 0..2 { t = t * $k - 0.3 * $e; } t.tanh() + $x".to_string()
            }
            _ => "let t = [$x, $k]; t[0] * $e - t[1] / (2.0 + $e * $e)".to_string(),
        };
        self.line(&format!("macro_rules! {name}_made {{ ($n:ident, $x:ident, $e:expr, $k:expr) => {{ {attribute} pub fn $n($x: f64) -> f64 {{ {text} }} }} }}"));
        self.line(&format!(
            "{name}_made!({name}, {argument}, {value}, {k} + 0.1);"
        ));
        self.helpers.push(Helper {
            name: name.into(),
            params: vec![Ty::Scalar],
            constants: vec![false],
            output: Ty::Scalar,
        });
    }
}
