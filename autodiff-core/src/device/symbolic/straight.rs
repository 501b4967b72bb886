//! A formula as one list of steps: calls are written out, and of two ways both run.

use super::eval::apply;
use super::formula::{Block, End, Formula, Operation, Order, Step, Value};
use crate::device::{Float, Real};
use std::collections::HashMap;

/// A step of a [`Straight`] formula; operands are positions of earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum StraightStep {
    /// The input of this position.
    Input(usize),
    /// A constant in single and in double precision.
    Number(f64, f64),
    /// An operation.
    Apply(Operation, Vec<usize>),
    /// One of two numbers, by a comparison of two others.
    Choose {
        /// How `compared` are compared.
        order: Order,
        /// The two numbers that are compared.
        compared: [usize; 2],
        /// What is taken where the comparison holds, and where it does not.
        between: [usize; 2],
    },
}

/// A formula without branches and calls: what a graph can hold, and a machine without branches can run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Straight {
    /// In the order in which they run; equal ones are one.
    pub steps: Vec<StraightStep>,
    /// The positions of the values.
    pub outputs: Vec<usize>,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Input(usize),
    Number(u64, u64),
    Apply(Operation, Vec<usize>),
    Choose(Order, [usize; 2], [usize; 2]),
}

#[derive(Default)]
struct Builder {
    steps: Vec<StraightStep>,
    made: HashMap<Key, usize>,
}

impl Builder {
    fn add(&mut self, step: StraightStep) -> usize {
        let key = match &step {
            StraightStep::Input(k) => Key::Input(*k),
            StraightStep::Number(a, b) => Key::Number(a.to_bits(), b.to_bits()),
            StraightStep::Apply(o, x) => Key::Apply(*o, x.clone()),
            StraightStep::Choose {
                order,
                compared,
                between,
            } => Key::Choose(*order, *compared, *between),
        };
        *self.made.entry(key).or_insert_with(|| {
            self.steps.push(step);
            self.steps.len() - 1
        })
    }

    fn value(&mut self, made: &[usize], v: Value) -> usize {
        match v.constant() {
            Some(c) => self.add(StraightStep::Number(c, c)),
            None => made[v.position().expect("it is no constant")],
        }
    }

    fn values(&mut self, made: &[usize], v: &[Value]) -> Vec<usize> {
        v.iter().map(|v| self.value(made, *v)).collect()
    }

    fn block(&mut self, formula: &Formula, block: &Block, mut made: Vec<usize>) -> Vec<usize> {
        for (_, step) in &block.steps {
            let at = match step {
                Step::Number(narrow, wide) => self.add(StraightStep::Number(*narrow, *wide)),
                Step::Apply(operation, x) => {
                    let x = self.values(&made, x);
                    self.add(StraightStep::Apply(*operation, x))
                }
                Step::Call(function, x) => {
                    let x = self.values(&made, x);
                    self.block(formula, &formula.functions[*function].body, x)[0]
                }
            };
            made.push(at);
        }
        match &block.end {
            End::Give(values) => self.values(&made, values),
            End::If {
                order,
                left,
                right,
                then,
                otherwise,
            } => {
                let compared = [self.value(&made, *left), self.value(&made, *right)];
                let then = self.block(formula, then, made.clone());
                let otherwise = self.block(formula, otherwise, made);
                let both = then.into_iter().zip(otherwise);
                both.map(|(a, b)| match a == b {
                    true => a,
                    false => self.add(StraightStep::Choose {
                        order: *order,
                        compared,
                        between: [a, b],
                    }),
                })
                .collect()
            }
        }
    }
}

impl Formula {
    /// The formula without branches and calls.
    pub fn straight(&self) -> Straight {
        let mut builder = Builder::default();
        let inputs = (0..self.inputs)
            .map(|k| builder.add(StraightStep::Input(k)))
            .collect();
        let outputs = builder.block(self, &self.body, inputs);
        Straight {
            steps: builder.steps,
            outputs,
        }
    }
}

impl Straight {
    /// The values, as [`Formula::eval`].
    ///
    /// # Panics
    ///
    /// Where `x` has fewer numbers than the formula has inputs.
    pub fn eval<T: Float>(&self, x: &[T]) -> Vec<T> {
        let mut made: Vec<T> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            made.push(match step {
                StraightStep::Input(k) => x[*k],
                StraightStep::Number(narrow, wide) => T::by_width(*narrow, *wide),
                StraightStep::Apply(operation, x) => {
                    let x: Vec<T> = x.iter().map(|&k| made[k]).collect();
                    apply(*operation, &x)
                }
                StraightStep::Choose {
                    order,
                    compared: [a, b],
                    between,
                } => made[between[usize::from(!order.holds(made[*a], made[*b]))]],
            });
        }
        self.outputs.iter().map(|&k| made[k]).collect()
    }
}
