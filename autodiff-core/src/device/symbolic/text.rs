//! A straight formula as text: what is used once stands where it is used.

use super::formula::Operation;
use super::straight::{Straight, StraightStep};
use core::fmt;

/// How tightly the text of a step binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binds {
    Choice,
    Sum,
    Product,
    Alone,
}

struct Text {
    texts: Vec<(String, Binds)>,
}

impl Text {
    /// An operand of something that binds as tightly as `least`.
    fn of(&self, step: usize, least: Binds) -> String {
        let (text, binds) = &self.texts[step];
        if *binds < least {
            format!("({text})")
        } else {
            text.clone()
        }
    }

    fn two(&self, x: &[usize], sign: &str, binds: Binds) -> (String, Binds) {
        // The right operand of a difference or quotient needs more than the left one.
        let right = if binds == Binds::Sum {
            Binds::Product
        } else {
            Binds::Alone
        };
        let text = format!("{} {sign} {}", self.of(x[0], binds), self.of(x[1], right));
        (text, binds)
    }

    fn step(&self, step: &StraightStep) -> (String, Binds) {
        match step {
            StraightStep::Input(k) => (format!("x{k}"), Binds::Alone),
            StraightStep::Number(narrow, wide) => {
                // The shorter of the two texts is what the program says.
                let (narrow, wide) = (format!("{:?}", *narrow as f32), format!("{wide:?}"));
                let text = if narrow.len() < wide.len() {
                    narrow
                } else {
                    wide
                };
                let binds = if text.starts_with('-') {
                    Binds::Sum
                } else {
                    Binds::Alone
                };
                (text, binds)
            }
            StraightStep::Apply(operation, x) => match operation {
                Operation::Add => self.two(x, "+", Binds::Sum),
                Operation::Sub => self.two(x, "-", Binds::Sum),
                Operation::Mul => self.two(x, "*", Binds::Product),
                Operation::Div => self.two(x, "/", Binds::Product),
                Operation::Neg => (format!("-{}", self.of(x[0], Binds::Product)), Binds::Sum),
                Operation::Powi(n) => (format!("powi({}, {n})", self.texts[x[0]].0), Binds::Alone),
                Operation::NormalCdf => {
                    (format!("normal_cdf({})", self.texts[x[0]].0), Binds::Alone)
                }
                Operation::NormalDensity => (
                    format!("normal_density({})", self.texts[x[0]].0),
                    Binds::Alone,
                ),
                Operation::Method(name) => {
                    let x: Vec<&str> = x.iter().map(|&k| self.texts[k].0.as_str()).collect();
                    (format!("{name}({})", x.join(", ")), Binds::Alone)
                }
            },
            StraightStep::Choose {
                order,
                compared: [a, b],
                between: [then, otherwise],
            } => {
                let text = format!(
                    "{} {} {} ? {} : {}",
                    self.of(*a, Binds::Sum),
                    order.sign(),
                    self.of(*b, Binds::Sum),
                    self.of(*then, Binds::Sum),
                    self.of(*otherwise, Binds::Choice),
                );
                (text, Binds::Choice)
            }
        }
    }
}

impl Straight {
    /// How often each step is used.
    fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.steps.len()];
        for step in &self.steps {
            match step {
                StraightStep::Input(_) | StraightStep::Number(..) => {}
                StraightStep::Apply(_, x) => x.iter().for_each(|&k| uses[k] += 1),
                StraightStep::Choose {
                    compared, between, ..
                } => compared.iter().chain(between).for_each(|&k| uses[k] += 1),
            }
        }
        self.outputs.iter().for_each(|&k| uses[k] += 1);
        uses
    }
}

/// The inputs are `x0`, `x1`, ..; what is used more than once is `t0`, `t1`, ..; the values stand last.
impl fmt::Display for Straight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (uses, mut text) = (self.uses(), Text { texts: Vec::new() });
        let mut named = 0;
        for (step, uses) in self.steps.iter().zip(uses) {
            let (mut it, mut binds) = text.step(step);
            let is_operation =
                matches!(step, StraightStep::Apply(..) | StraightStep::Choose { .. });
            if uses > 1 && is_operation {
                write!(f, "t{named} = {it}; ")?;
                (it, binds) = (format!("t{named}"), Binds::Alone);
                named += 1;
            }
            text.texts.push((it, binds));
        }
        let outputs: Vec<&str> = self
            .outputs
            .iter()
            .map(|&k| text.texts[k].0.as_str())
            .collect();
        f.write_str(&outputs.join("; "))
    }
}
