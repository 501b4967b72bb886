//! Functions of each element: the cotangent is multiplied by a slope, which is a formula of the operand and the value.
//!
//! The formula is that of the library's rule. It is run on symbols once, which makes a list of steps of it, and then on values
//! of the tape, step by step.

use super::bilinear::Trilinear;
use super::linear::LinearMap;
use super::sum::{one, plus, sum};
use super::{Cotangents, Vector};
use crate::{TapeError, Var};
use autodiff_core::device::Real;
use autodiff_core::device::symbolic::{Formula, Operation, Order, Straight, StraightStep, Sym};
use core::f64::consts::{FRAC_1_SQRT_2, PI};

/// Numbers, or tensors of them, with what formulas are made of.
pub(crate) trait Elementwise: Vector {
    /// A constant of the width of the numbers.
    fn width(narrow: f64, wide: f64) -> f64;
    /// As many of one number as `self` has.
    fn full(&self, x: f64) -> Self;
    /// The products.
    fn times(&self, other: &Self) -> Self;
    /// The products with slopes: 0 where `self` is, also if the slope is infinite.
    fn along(&self, slope: &Self) -> Self;
    /// Whether the comparison holds, of what is one number.
    fn decided(&self, order: Order, number: f64) -> Option<bool>;
    /// 1 where the comparison holds, else 0.
    fn holds(&self, order: Order, number: f64) -> Self;
    /// 1 where not a number, else 0.
    fn is_nan(&self) -> Self;
    /// The elements where `mask` is 1, else 0.
    fn kept(&self, mask: &Self) -> Self;
    fn negative(x: &Var<Self>) -> Var<Self>;
    fn scaled(x: &Var<Self>, factor: f64) -> Var<Self>;
    fn shifted(x: &Var<Self>, by: f64) -> Var<Self>;
    fn to_power(x: &Var<Self>, n: i32) -> Var<Self>;
    fn to_real_power(x: &Var<Self>, p: f64) -> Var<Self>;
    /// The function of the vocabulary with this name.
    fn function(name: &str, x: &Var<Self>) -> Option<Var<Self>>;
}

/// An operand of a step.
#[derive(Clone)]
enum Term<V> {
    Number(f64),
    Value(Var<V>),
}

/// The products, 0 where one of the two is. Of two ways of a choice both are run: on the one that is not taken a cotangent is
/// zero, and what it is multiplied by may be infinite.
fn guarded<V: Elementwise>(a: &V, b: &V) -> V {
    b.along(a).kept(&a.holds(Order::Ne, 0.0))
}

fn product<V: Elementwise>() -> Trilinear<V, V, V> {
    Trilinear::new("*", V::times, guarded, guarded)
}

/// `ct · slope`, where `ct` may be zero and the slope infinite.
pub(crate) fn along<V: Elementwise>(ct: &Var<V>, slope: &Var<V>) -> Result<Var<V>, TapeError> {
    let product = Trilinear::<V, V, V>::new("along", V::along, guarded, guarded);
    product.of(ct, slope)
}

/// `a · b` of one shape.
pub(crate) fn times<V: Elementwise>(a: &Var<V>, b: &Var<V>) -> Result<Var<V>, TapeError> {
    product().of(a, b)
}

struct Run {
    operation: &'static str,
}

impl Run {
    fn unknown(&self) -> TapeError {
        TapeError::NoSecondDerivative {
            operation: self.operation,
            instead: "it is made of functions that the tape does not have",
        }
    }

    fn function<V: Elementwise>(&self, name: &str, x: &Var<V>) -> Result<Term<V>, TapeError> {
        let name = if name == "ln_gamma" { "lgamma" } else { name };
        let y = V::function(name, x).ok_or_else(|| self.unknown())?;
        Ok(Term::Value(y))
    }

    fn apply<V: Elementwise>(
        &self,
        operation: Operation,
        x: &[Term<V>],
    ) -> Result<Term<V>, TapeError> {
        use Term::{Number, Value};
        Ok(match (operation, x) {
            (Operation::Add, [Number(a), Number(b)]) => Number(a + b),
            (Operation::Add, [Value(x), Number(c)] | [Number(c), Value(x)]) => {
                Value(V::shifted(x, *c))
            }
            (Operation::Add, [Value(a), Value(b)]) => Value(plus(a, b)?),
            (Operation::Sub, [Number(a), Number(b)]) => Number(a - b),
            (Operation::Sub, [Value(x), Number(c)]) => Value(V::shifted(x, -c)),
            (Operation::Sub, [Number(c), Value(x)]) => Value(V::shifted(&V::negative(x), *c)),
            (Operation::Sub, [Value(a), Value(b)]) => Value(plus(a, &V::negative(b))?),
            (Operation::Mul, [Number(a), Number(b)]) => Number(a * b),
            (Operation::Mul, [Value(x), Number(c)] | [Number(c), Value(x)]) if *c == 1.0 => {
                Value(x.clone())
            }
            (Operation::Mul, [Value(x), Number(c)] | [Number(c), Value(x)]) => {
                Value(V::scaled(x, *c))
            }
            (Operation::Mul, [Value(a), Value(b)]) => Value(times(a, b)?),
            (Operation::Div, [Number(a), Number(b)]) => Number(a / b),
            (Operation::Div, [Value(x), Number(c)]) => Value(V::scaled(x, 1.0 / c)),
            (Operation::Div, [a, Value(b)]) => {
                let inverse = self.function("recip", b)?;
                self.apply(Operation::Mul, &[a.clone(), inverse])?
            }
            (Operation::Neg, [Number(c)]) => Number(-c),
            (Operation::Neg, [Value(x)]) => Value(V::negative(x)),
            (Operation::Powi(n), [Number(c)]) => Number(c.powi(n)),
            (Operation::Powi(n), [Value(x)]) => Value(V::to_power(x, n)),
            (Operation::NormalCdf, [Value(x)]) => {
                let Value(tail) = self.function("erfc", &V::scaled(x, -FRAC_1_SQRT_2))? else {
                    return Err(self.unknown());
                };
                Value(V::scaled(&tail, 0.5))
            }
            (Operation::NormalDensity, [Value(x)]) => {
                let Value(bell) = self.function("exp", &V::scaled(&V::to_power(x, 2), -0.5))?
                else {
                    return Err(self.unknown());
                };
                Value(V::scaled(&bell, 1.0 / (2.0 * PI).sqrt()))
            }
            (Operation::Method("powf"), [Value(x), Number(p)]) => Value(V::to_real_power(x, *p)),
            (Operation::Method(name), [Value(x)]) => self.function(name, x)?,
            _ => return Err(self.unknown()),
        })
    }

    /// Of two terms, elementwise, the one that the comparison chooses.
    fn choose<V: Elementwise>(
        &self,
        order: Order,
        [a, b]: [&Term<V>; 2],
        same: bool,
        between: [&Term<V>; 2],
    ) -> Result<Term<V>, TapeError> {
        use Term::{Number, Value};
        let decided = match (a, b) {
            (Value(a), Number(b)) => a.value().decided(order, *b),
            (Number(a), Value(b)) => b.value().decided(turned(order), *a),
            _ => None,
        };
        if let Some(holds) = decided {
            return Ok(between[usize::from(!holds)].clone());
        }
        let mask = match (a, b) {
            (Number(a), Number(b)) => return Ok(between[usize::from(!order.holds(*a, *b))].clone()),
            (Value(a), Number(b)) => a.value().holds(order, *b),
            (Number(a), Value(b)) => b.value().holds(turned(order), *a),
            // `a != a` asks for NaN, which the difference of infinities is too.
            (Value(a), Value(_)) if same => match order {
                Order::Ne => a.value().is_nan(),
                Order::Eq | Order::Still => a.value().is_nan().holds(Order::Eq, 0.0),
                _ => return Err(self.unknown()),
            },
            (Value(a), Value(b)) => {
                let minus = b.value().clone().scale(-1.0);
                let difference = a.value().clone().add(minus);
                difference.holds(order, 0.0)
            }
        };
        let rest = mask.holds(Order::Eq, 0.0);
        let part = |mask: V, term: &Term<V>, of: &Var<V>| match term {
            Number(c) => {
                let all = mask.full(*c);
                Ok(of.tape().constant(all.kept(&mask)))
            }
            Value(x) => {
                let again = mask.clone();
                let map = LinearMap::<V, V>::new(
                    "where",
                    move |x| x.kept(&mask),
                    move |x| x.kept(&again),
                );
                map.of(x)
            }
        };
        let ((Value(of), _) | (_, Value(of))) = (a, b) else {
            return Err(self.unknown());
        };
        Ok(Value(plus(
            &part(mask, between[0], of)?,
            &part(rest, between[1], of)?,
        )?))
    }

    fn steps<V: Elementwise>(
        &self,
        formula: &Straight,
        inputs: &[&Var<V>],
    ) -> Result<Term<V>, TapeError> {
        // Only what the value needs, of both sides of a choice too.
        let mut needed = vec![false; formula.steps.len()];
        needed[formula.outputs[0]] = true;
        for (k, step) in formula.steps.iter().enumerate().rev() {
            if needed[k] {
                match step {
                    StraightStep::Apply(_, x) => x.iter().for_each(|&x| needed[x] = true),
                    StraightStep::Choose {
                        compared, between, ..
                    } => {
                        let all = compared.iter().chain(between);
                        all.for_each(|&x| needed[x] = true);
                    }
                    _ => {}
                }
            }
        }
        let mut made: Vec<Term<V>> = Vec::with_capacity(formula.steps.len());
        for (k, step) in formula.steps.iter().enumerate() {
            made.push(match step {
                _ if !needed[k] => Term::Number(f64::NAN),
                StraightStep::Input(k) => Term::Value(inputs[*k].clone()),
                StraightStep::Number(narrow, wide) => Term::Number(V::width(*narrow, *wide)),
                StraightStep::Apply(operation, x) => {
                    let x: Vec<Term<V>> = x.iter().map(|&k| made[k].clone()).collect();
                    self.apply(*operation, &x)?
                }
                StraightStep::Choose {
                    order,
                    compared: [a, b],
                    between: [c, d],
                } => self.choose(
                    *order,
                    [&made[*a], &made[*b]],
                    a == b,
                    [&made[*c], &made[*d]],
                )?,
            });
        }
        Ok(made.swap_remove(formula.outputs[0]))
    }
}

fn turned(order: Order) -> Order {
    match order {
        Order::Lt => Order::Gt,
        Order::Le => Order::Ge,
        Order::Gt => Order::Lt,
        Order::Ge => Order::Le,
        same => same,
    }
}

/// The cotangents of a function `y` of each element of `x`, whose rule takes the operand, the value and the cotangent.
pub(crate) fn of_elements<V: Elementwise>(
    operation: &'static str,
    (x,): &(Var<V>,),
    y: &Var<V>,
    ct: Cotangents,
    rule: impl Fn(Sym, Sym, Sym) -> Sym,
) -> Result<Vec<Cotangents>, TapeError> {
    let Some(ct) = sum::<V>(ct)? else {
        return Ok(vec![Vec::new()]);
    };
    // The rule is linear in the cotangent.
    let slope = Formula::record("slope", |[x, y]: [Sym; 2]| vec![rule(x, y, Sym::ONE)]);
    let run = Run { operation };
    Ok(vec![match run.steps(&slope.straight(), &[x, y])? {
        Term::Number(0.0) => Vec::new(),
        Term::Number(c) => one(V::scaled(&ct, c)),
        Term::Value(slope) => one(along(&ct, &slope)?),
    }])
}
