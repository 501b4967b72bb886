//! Runs a formula on numbers.

use super::formula::{Block, End, Formula, Operation, Step, Value};
use crate::device::float::Normal;
use crate::device::{Float, Real};

/// The method of [`Real`] of one or two numbers that has the name.
macro_rules! methods {
    ($($f:ident($($arg:ident)?);)*) => {
        fn method<T: Float>(name: &str, x: &[T]) -> T {
            match name {
                $( stringify!($f) => {
                    let [x $(, $arg)?] = *x else { panic!("`{name}` of {} numbers", x.len()) };
                    Real::$f(x $(, $arg)?)
                } )*
                _ => unreachable!("symbols record methods of `Real`"),
            }
        }
    };
}

crate::device::float::real_methods!(methods);

/// What an operation makes of numbers.
pub fn apply<T: Float>(operation: Operation, x: &[T]) -> T {
    match (operation, x) {
        (Operation::Add, &[a, b]) => a + b,
        (Operation::Sub, &[a, b]) => a - b,
        (Operation::Mul, &[a, b]) => a * b,
        (Operation::Div, &[a, b]) => a / b,
        (Operation::Neg, &[a]) => -a,
        (Operation::Powi(n), &[a]) => Real::powi(a, n),
        (Operation::NormalCdf, &[a]) => Normal::normal(a).0,
        (Operation::NormalDensity, &[a]) => Normal::normal(a).1,
        (Operation::Method(name), x) => method(name, x),
        (operation, x) => unreachable!("{operation:?} of {} numbers", x.len()),
    }
}

impl Formula {
    /// The values of the formula, by the functions that the CPU has.
    ///
    /// # Panics
    ///
    /// Where `x` has not as many numbers as the formula has inputs.
    pub fn eval<T: Float>(&self, x: &[T]) -> Vec<T> {
        assert_eq!(
            x.len(),
            self.inputs,
            "numbers for the inputs of `{}`",
            self.name
        );
        self.run(&self.body, x.to_vec())
    }

    fn run<T: Float>(&self, block: &Block, mut made: Vec<T>) -> Vec<T> {
        let get = |made: &[T], v: &Value| match v.constant() {
            Some(c) => <T as Real>::lit(c),
            None => made[v.position().expect("it is no constant")],
        };
        let all = |made: &[T], v: &[Value]| -> Vec<T> { v.iter().map(|v| get(made, v)).collect() };
        for (value, step) in &block.steps {
            let x = match step {
                Step::Number(narrow, wide) => T::by_width(*narrow, *wide),
                Step::Apply(operation, x) => apply(*operation, &all(&made, x)),
                Step::Call(function, x) => {
                    self.run(&self.functions[*function].body, all(&made, x))[0]
                }
            };
            assert_eq!(value.position(), Some(made.len()), "steps are in order");
            made.push(x);
        }
        match &block.end {
            End::Give(values) => all(&made, values),
            End::If {
                order,
                left,
                right,
                then,
                otherwise,
            } => {
                let holds = order.holds(get(&made, left), get(&made, right));
                self.run(if holds { then } else { otherwise }, made)
            }
        }
    }
}
