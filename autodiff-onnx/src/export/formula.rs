//! Formulas of single numbers, element by element: regions, functions of the table, and what operations are made of.

use super::build::{Tensor, joint};
use super::ir::{Attr, Ir};
use crate::proto::ElementType;
use autodiff_core::device::symbolic::{Block, End, Formula, Operation, Order, Step, Value};
use core::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, LN_2, LN_10, PI};

/// What ONNX has no operator for.
pub type Lacks = &'static str;

/// Functions of one number that ONNX has, by their names in the table.
const FUNCTIONS: [(&str, &str); 24] = [
    ("exp", "Exp"),
    ("sqrt", "Sqrt"),
    ("tanh", "Tanh"),
    ("recip", "Reciprocal"),
    ("ln", "Log"),
    ("sinh", "Sinh"),
    ("cosh", "Cosh"),
    ("asin", "Asin"),
    ("acos", "Acos"),
    ("atan", "Atan"),
    ("asinh", "Asinh"),
    ("acosh", "Acosh"),
    ("atanh", "Atanh"),
    ("abs", "Abs"),
    ("sin", "Sin"),
    ("cos", "Cos"),
    ("tan", "Tan"),
    ("floor", "Floor"),
    ("ceil", "Ceil"),
    ("sigmoid", "Sigmoid"),
    ("erf", "Erf"),
    ("relu", "Relu"),
    ("softplus", "Softplus"),
    ("sign", "Sign"),
];

/// Those that onnxruntime has for `f32` alone, with the names of their attributes: of these the parameters of the formula are
/// the values.
const ACTIVATIONS: [(&str, &str, &[&str]); 4] = [
    ("softsign", "Softsign", &[]),
    ("hardswish", "HardSwish", &[]),
    ("elu", "Elu", &["alpha"]),
    ("leaky_relu", "LeakyRelu", &["alpha"]),
];

impl Ir {
    /// The values of a formula of these numbers.
    ///
    /// # Errors
    /// The name of a function that ONNX lacks.
    pub fn formula(&mut self, formula: &Formula, x: &[Tensor]) -> Result<Vec<Tensor>, Lacks> {
        let element = x.first().map_or(ElementType::F32, |x| self.element(x));
        self.formula_of(formula, element, x)
    }

    /// The same, with the type of the numbers.
    pub fn formula_of(
        &mut self,
        formula: &Formula,
        element: ElementType,
        x: &[Tensor],
    ) -> Result<Vec<Tensor>, Lacks> {
        let mut run = Run {
            ir: self,
            formula,
            element,
        };
        run.block(&formula.body, x.to_vec())
    }

    /// A named function of one number.
    pub fn function(&mut self, name: &'static str, x: &Tensor) -> Result<Tensor, Lacks> {
        if let Some((_, operator)) = FUNCTIONS.iter().find(|f| f.0 == name) {
            return Ok(self.unary(operator, x));
        }
        let number = |ir: &mut Ir, n| ir.scalar(ir.element(x), n);
        Ok(match name {
            "exp2" => {
                let two = number(self, 2.0);
                self.binary("Pow", &two, x)
            }
            // Near 0 by the hyperbolic tangent, which loses no digits there: e^x − 1 = 2t/(1 − t), t = tanh(x/2).
            "exp_m1" => {
                let half = self.scaled(x, 0.5);
                let t = self.unary("Tanh", &half);
                let (minus, twice) = (self.unary("Neg", &t), self.add(&t, &t));
                let rest = self.plus(&minus, 1.0);
                let near = self.div(&twice, &rest);
                let power = self.unary("Exp", x);
                let far = self.plus(&power, -1.0);
                let (size, one) = (self.unary("Abs", x), number(self, 1.0));
                let is_near = self.compare("Less", &size, &one);
                self.choose(&is_near, &near, &far)
            }
            // Kahan's: the error of 1 + x is taken back.
            "ln_1p" => {
                let u = self.plus(x, 1.0);
                let log = self.unary("Log", &u);
                let rest = self.plus(&u, -1.0);
                let (scaled, one) = (self.mul(&log, x), number(self, 1.0));
                let near = self.div(&scaled, &rest);
                let (same, large) = (
                    self.compare("Equal", &u, &one),
                    self.compare("Greater", x, &one),
                );
                let near = self.choose(&same, x, &near);
                self.choose(&large, &log, &near)
            }
            "cbrt" => {
                let (sign, size) = (self.unary("Sign", x), self.unary("Abs", x));
                let third = number(self, 1.0 / 3.0);
                let root = self.binary("Pow", &size, &third);
                self.mul(&sign, &root)
            }
            "log2" | "log10" => {
                let log = self.unary("Log", x);
                self.scaled(&log, 1.0 / if name == "log2" { LN_2 } else { LN_10 })
            }
            "trunc" => {
                let zero = number(self, 0.0);
                let (down, up) = (self.unary("Floor", x), self.unary("Ceil", x));
                let below = self.compare("Less", x, &zero);
                self.choose(&below, &up, &down)
            }
            "fract" => {
                let whole = self.function("trunc", x)?;
                self.sub(x, &whole)
            }
            // `Round` of ONNX goes to the even number half way between two.
            "round" => {
                let whole = self.function("trunc", x)?;
                let rest = self.sub(x, &whole);
                let (rest, half) = (self.unary("Abs", &rest), number(self, 0.5));
                let up = self.compare("GreaterOrEqual", &rest, &half);
                let sign = self.unary("Sign", x);
                let next = self.add(&whole, &sign);
                self.choose(&up, &next, &whole)
            }
            "signum" => {
                let [minus, zero, one] = [-1.0, 0.0, 1.0].map(|n| number(self, n));
                // The reciprocal tells −0 from 0.
                let inverse = self.unary("Reciprocal", x);
                let [a, b] = [x, &inverse].map(|x| self.compare("Less", x, &zero));
                let below = self.binary("Or", &a, &b);
                let number = self.compare("Equal", x, x);
                let sign = self.choose(&below, &minus, &one);
                self.choose(&number, &sign, x)
            }
            "erfc" => {
                let erf = self.unary("Erf", x);
                let minus = self.unary("Neg", &erf);
                self.plus(&minus, 1.0)
            }
            "ln_gamma" => return Err("the logarithm of the gamma function"),
            "digamma" | "trigamma" => return Err("the digamma function"),
            _ => return Err(name),
        })
    }

    /// A named function of two numbers.
    pub fn function2(
        &mut self,
        name: &'static str,
        a: &Tensor,
        b: &Tensor,
    ) -> Result<Tensor, Lacks> {
        let number = |ir: &mut Ir, n| ir.scalar(ir.element(a), n);
        Ok(match name {
            "powf" => self.binary("Pow", a, b),
            "maximum" => self.binary("Max", a, b),
            "minimum" => self.binary("Min", a, b),
            "remainder" => self.remainder(a, b),
            "hypot" => {
                let [x, y] = [a, b].map(|x| self.unary("Abs", x));
                let (large, small) = (self.binary("Max", &x, &y), self.binary("Min", &x, &y));
                let ratio = self.div(&small, &large);
                let square = self.mul(&ratio, &ratio);
                let square = self.plus(&square, 1.0);
                let root = self.unary("Sqrt", &square);
                let (norm, zero) = (self.mul(&large, &root), number(self, 0.0));
                let some = self.compare("Greater", &small, &zero);
                self.choose(&some, &norm, &large)
            }
            "atan2" => {
                let [zero, quarter, half] = [0.0, FRAC_PI_2, PI].map(|n| number(self, n));
                let ratio = self.div(a, b);
                let angle = self.unary("Atan", &ratio);
                let (over, under) = (self.add(&angle, &half), self.sub(&angle, &half));
                let [up, down] = ["GreaterOrEqual", "Less"].map(|o| self.compare(o, a, &zero));
                let left = self.choose(&up, &over, &under);
                let (minus, above) = (
                    self.unary("Neg", &quarter),
                    self.compare("Greater", a, &zero),
                );
                let on = self.choose(&down, &minus, &zero);
                let on = self.choose(&above, &quarter, &on);
                let [right, is_left] = ["Greater", "Less"].map(|o| self.compare(o, b, &zero));
                let other = self.choose(&is_left, &left, &on);
                self.choose(&right, &angle, &other)
            }
            _ => return Err(name),
        })
    }
}

struct Run<'r> {
    ir: &'r mut Ir,
    formula: &'r Formula,
    element: ElementType,
}

impl Run<'_> {
    fn block(&mut self, block: &Block, mut made: Vec<Tensor>) -> Result<Vec<Tensor>, Lacks> {
        for (_, step) in &block.steps {
            let x = match step {
                Step::Number(narrow, wide) => {
                    let wide = matches!(self.element, ElementType::F64).then_some(*wide);
                    self.number(wide.unwrap_or(*narrow))
                }
                Step::Apply(operation, x) => {
                    let x = self.all(&made, x);
                    self.apply(*operation, &x)?
                }
                Step::Call(function, x) => {
                    let x = self.all(&made, x);
                    self.call(*function, x)?
                }
            };
            made.push(x);
        }
        match &block.end {
            End::Give(values) => Ok(self.all(&made, values)),
            End::If {
                order,
                left,
                right,
                then,
                otherwise,
            } => {
                let [left, right] = [left, right].map(|v| self.get(&made, v));
                if let (Some(a), Some(b)) = (self.ir.uniform(&left), self.ir.uniform(&right)) {
                    return self.block(if order.holds(a, b) { then } else { otherwise }, made);
                }
                let mask = self.order(*order, &left, &right);
                let then = self.block(then, made.clone())?;
                let otherwise = self.block(otherwise, made)?;
                let both = then.iter().zip(&otherwise);
                Ok(both.map(|(a, b)| self.ir.choose(&mask, a, b)).collect())
            }
        }
    }

    fn order(&mut self, order: Order, a: &Tensor, b: &Tensor) -> Tensor {
        let operator = match order {
            Order::Eq | Order::Still => "Equal",
            Order::Ne => {
                let equal = self.ir.compare("Equal", a, b);
                return self.ir.not(&equal);
            }
            Order::Lt => "Less",
            Order::Le => "LessOrEqual",
            Order::Gt => "Greater",
            Order::Ge => "GreaterOrEqual",
        };
        self.ir.compare(operator, a, b)
    }

    fn number(&mut self, x: f64) -> Tensor {
        self.ir.scalar(self.element, x)
    }

    fn get(&mut self, made: &[Tensor], value: &Value) -> Tensor {
        match (value.constant(), value.position()) {
            (Some(x), _) => self.number(x),
            (None, at) => made[at.expect("it is no constant")].clone(),
        }
    }

    fn all(&mut self, made: &[Tensor], values: &[Value]) -> Vec<Tensor> {
        values.iter().map(|v| self.get(made, v)).collect()
    }

    fn apply(&mut self, operation: Operation, x: &[Tensor]) -> Result<Tensor, Lacks> {
        Ok(match (operation, x) {
            (Operation::Add, [a, b]) => self.ir.add(a, b),
            (Operation::Sub, [a, b]) => self.ir.sub(a, b),
            (Operation::Mul, [a, b]) => self.ir.mul(a, b),
            (Operation::Div, [a, b]) => self.ir.div(a, b),
            (Operation::Neg, [a]) => self.ir.unary("Neg", a),
            (Operation::Powi(n), [a]) => self.ir.power(a, f64::from(n)),
            // Φ(x) = (1 + erf(x/√2))/2.
            (Operation::NormalCdf, [a]) => {
                let x = self.ir.scaled(a, FRAC_1_SQRT_2);
                let erf = self.ir.unary("Erf", &x);
                let sum = self.ir.plus(&erf, 1.0);
                self.ir.scaled(&sum, 0.5)
            }
            (Operation::NormalDensity, [a]) => {
                let square = self.ir.mul(a, a);
                let half = self.ir.scaled(&square, -0.5);
                let power = self.ir.unary("Exp", &half);
                self.ir.scaled(&power, 1.0 / (2.0 * PI).sqrt())
            }
            (Operation::Method(name), [a]) => self.ir.function(name, a)?,
            (Operation::Method(name), [a, b]) => self.ir.function2(name, a, b)?,
            (operation, x) => unreachable!("{operation:?} of {} numbers", x.len()),
        })
    }

    fn call(&mut self, function: usize, x: Vec<Tensor>) -> Result<Tensor, Lacks> {
        let function = &self.formula.functions[function];
        if let Some(made) = self.ir.named(function.name, &function.parameters, &x) {
            return Ok(made);
        }
        Ok(self.block(&function.body, x)?.remove(0))
    }
}

impl Ir {
    /// `x^n`.
    pub fn power(&mut self, x: &Tensor, n: f64) -> Tensor {
        let sizes = joint(&x.dims, &[]);
        match n {
            0.0 => {
                let one = self.scalar(self.element(x), 1.0);
                self.repeated(&one, &sizes)
            }
            1.0 => x.clone(),
            2.0 => self.mul(x, x),
            -1.0 => self.unary("Reciprocal", x),
            _ => {
                let n = self.scalar(self.element(x), n);
                self.binary("Pow", x, &n)
            }
        }
    }

    /// A formula by its name, where ONNX has an operator for it.
    fn named(&mut self, name: &'static str, parameters: &[f64], x: &[Tensor]) -> Option<Tensor> {
        let [x] = x else { return None };
        if FUNCTIONS.iter().any(|f| f.0 == name) {
            return self.function(name, x).ok();
        }
        let single = self.element(x) == ElementType::F32;
        if let Some((_, operator, names)) = ACTIVATIONS.iter().find(|f| f.0 == name && single) {
            let values = parameters.iter().map(|&p| Attr::Float(p as f32));
            let attributes: Vec<_> = names.iter().copied().zip(values).collect();
            return Some(self.unary_with(operator, x, &attributes));
        }
        Some(match (name, parameters) {
            ("powi" | "powf", &[n]) => self.power(x, n),
            ("clamp", &[low, high]) => {
                let [low, high] = [low, high].map(|n| self.scalar(self.element(x), n));
                let (element, own) = (self.element(x), self.dims(x.id).to_vec());
                let id = self.make("Clip", &[x.id, low.id, high.id], &[], element, &own);
                Tensor {
                    id,
                    dims: x.dims.clone(),
                }
            }
            ("hardsigmoid", _) if single => {
                let attributes = [
                    ("alpha", Attr::Float(1.0 / 6.0)),
                    ("beta", Attr::Float(0.5)),
                ];
                self.unary_with("HardSigmoid", x, &attributes)
            }
            ("selu", _) if single => {
                let (gamma, alpha) = (1.050_701, 1.673_263_2);
                let attributes = [("alpha", Attr::Float(alpha)), ("gamma", Attr::Float(gamma))];
                self.unary_with("Selu", x, &attributes)
            }
            ("log_sigmoid", _) => {
                let minus = self.unary("Neg", x);
                let plus = self.unary("Softplus", &minus);
                self.unary("Neg", &plus)
            }
            ("mish", _) => {
                let plus = self.unary("Softplus", x);
                let tanh = self.unary("Tanh", &plus);
                self.mul(x, &tanh)
            }
            _ => return None,
        })
    }
}
