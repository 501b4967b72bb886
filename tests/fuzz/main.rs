//! Random programs: value bitwise, forward against reverse, both against differences.
//!
//! The programs are in `corpus/`; `tests/fuzz_corpus.rs` writes them.
#![allow(missing_docs)]

#[rustfmt::skip]
mod corpus;
#[path = "generator/random.rs"]
mod random;

use differentiable::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(higher_order)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// Where the operator is a call, the place of `+=` is evaluated first.
#[differentiable(higher_order)]
impl std::ops::AddAssign for Point {
    fn add_assign(&mut self, other: Point) {
        self.x = 0.5 * (self.x + other.x * other.y);
        self.y = 0.4 * (self.y - other.y);
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(higher_order)]
pub enum Choice {
    Line { at: f64 },
    Plane(f64, f64),
    Nothing,
}

/// What the macro makes of the function `f` of a program.
pub struct Program {
    name: &'static str,
    call: fn(&Input) -> f64,
    reverse: fn(&Input) -> (f64, Input),
    forward: fn(&Input, &Input) -> (f64, f64),
    /// The product of the Hessian with a direction, of programs with derivatives of higher order.
    second: Option<fn(&Input, &Input) -> Input>,
}

/// The arguments of a program, or a direction in their space.
#[derive(Clone, Debug)]
pub struct Input {
    a: f64,
    b: f64,
    x: Vec<f64>,
    n: usize,
}

impl Input {
    fn moved(&self, by: f64, along: &Input) -> Input {
        Input {
            a: self.a + by * along.a,
            b: self.b + by * along.b,
            x: self
                .x
                .iter()
                .zip(&along.x)
                .map(|(x, d)| x + by * d)
                .collect(),
            n: self.n,
        }
    }

    fn dot(&self, other: &Input) -> f64 {
        let x = self.x.iter().zip(&other.x).map(|(x, y)| x * y);
        self.a * other.a + self.b * other.b + x.sum::<f64>()
    }

    /// The sum of the sizes of the products in `dot`.
    fn size(&self) -> f64 {
        self.a.abs() + self.b.abs() + self.x.iter().map(|x| x.abs()).sum::<f64>()
    }

    fn random(random: &mut random::Random) -> Input {
        let mut number = || (random.next() >> 11) as f64 / (1u64 << 53) as f64 * 3.0 - 1.5;
        Input {
            a: number(),
            b: number(),
            x: (0..4).map(|_| number()).collect(),
            n: 0,
        }
    }
}

#[macro_export]
macro_rules! programs {
    (@second $part:ident $name:ident) => { None };
    (@second $part:ident $name:ident second) => {
        Some(|i, d| {
            let (a, b, x) = $part::$name::f::hvp((i.a, d.a), (i.b, d.b), (&i.x, &d.x), i.n);
            $crate::Input { a, b, x, n: 0 }
        })
    };
    ($($part:ident::$name:ident $(($second:ident))?)*) => {
        &[$($crate::Program {
            name: stringify!($name),
            call: |i| $part::$name::f(i.a, i.b, &i.x, i.n),
            reverse: |i| {
                let (value, (a, b, x)) = $part::$name::f::value_and_grad(i.a, i.b, &i.x, i.n);
                (value, $crate::Input { a, b, x, n: 0 })
            },
            forward: |i, d| $part::$name::f::jvp((i.a, d.a), (i.b, d.b), (&i.x, &d.x), i.n),
            second: $crate::programs!(@second $part $name $($second)?),
        }),*]
    };
}

/// The outcome of one comparison.
enum Checked {
    Agrees,
    /// The point is at a kink, where differences tell nothing.
    Kink,
}

/// Compares both modes at `input` with each other and with differences along `direction`.
fn check(p: &Program, input: &Input, direction: &Input) -> Result<Checked, String> {
    let value = (p.call)(input);
    if !value.is_finite() {
        return Err(format!("the value is {value}: a fault of the generator"));
    }
    let (reverse_value, gradient) = (p.reverse)(input);
    let (forward_value, tangent) = (p.forward)(input, direction);
    if reverse_value.to_bits() != value.to_bits() || forward_value.to_bits() != value.to_bits() {
        return Err(format!(
            "value {value}, reverse {reverse_value}, forward {forward_value}"
        ));
    }
    let slope = gradient.dot(direction);
    let scale = 1.0 + gradient.size();
    let modes_agree = (tangent - slope).abs() <= 1e-10 * scale;
    let difference = |h: f64| {
        ((p.call)(&input.moved(h, direction)) - (p.call)(&input.moved(-h, direction))) / (2.0 * h)
    };
    let (coarse, fine) = (difference(2e-5), difference(1e-5));
    // Where the slope jumps between the points, the two differences are not alike.
    let smooth = (coarse - fine).abs() <= 1e-6 * scale;
    let extrapolated = fine + (fine - coarse) / 3.0;
    let right = !smooth || (extrapolated - slope).abs() <= 1e-6 * scale;
    let second = smooth
        .then(|| second_order(p, input, direction, scale))
        .transpose()?;
    match (modes_agree && right, smooth && second != Some(false)) {
        (false, _) => Err(format!(
            "reverse {slope}, forward {tangent}, differences {coarse} and {fine}"
        )),
        (true, true) => Ok(Checked::Agrees),
        (true, false) => Ok(Checked::Kink),
    }
}

/// Compares the product with the Hessian with differences of gradients: whether these tell anything.
fn second_order(p: &Program, input: &Input, direction: &Input, scale: f64) -> Result<bool, String> {
    let Some(second) = p.second else {
        return Ok(true);
    };
    let product = second(input, direction).dot(direction);
    let slope = |h: f64| (p.reverse)(&input.moved(h, direction)).1.dot(direction);
    let difference = |h: f64| (slope(h) - slope(-h)) / (2.0 * h);
    let (coarse, fine) = (difference(2e-5), difference(1e-5));
    let scale = scale + fine.abs();
    if (coarse - fine).abs() > 1e-6 * scale {
        return Ok(false);
    }
    match (fine - product).abs() <= 1e-5 * scale {
        true => Ok(true),
        false => Err(format!(
            "second derivative {product}, differences {coarse} and {fine}"
        )),
    }
}

#[test]
fn random_programs() {
    let mut failures = Vec::new();
    let (mut agreed, mut kinks) = (0, 0);
    for p in corpus::programs() {
        let mut random = random::Random::new(0xf);
        for round in 0..12 {
            let input = Input {
                n: round % 6,
                ..Input::random(&mut random)
            };
            let direction = Input::random(&mut random);
            let checked = std::panic::catch_unwind(|| check(p, &input, &direction));
            match checked.unwrap_or_else(|_| Err("it panics".into())) {
                Ok(Checked::Agrees) => agreed += 1,
                Ok(Checked::Kink) => kinks += 1,
                Err(e) => {
                    failures.push(format!("{} at {input:?} along {direction:?}: {e}", p.name));
                    break;
                }
            }
        }
    }
    println!("{agreed} points agree, {kinks} are at kinks");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        kinks * 50 < agreed,
        "{kinks} kinks: the programs are not smooth enough for differences"
    );
}
