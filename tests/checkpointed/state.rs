use crate::LENGTHS;
use differentiable::prelude::*;

macro_rules! arrays { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(y0: [f64; 3], rates: &[f64], n: usize) -> f64 {
        let mut y = y0;
        let h = 0.05;
        $($at)*
        for i in 0..n {
            let r = rates[i % rates.len()];
            let k = [y[1] * r, -y[0] * y[2], y[0] * y[1] - r];
            for j in 0..3 {
                y[j] += h * k[j];
            }
        }
        y[0] * y[1] + y[2]
    }
} }
same!(array_state: arrays, n => ([0.3, 0.8, -0.4], &[1.0, 0.5, 1.5], n));

macro_rules! vectors { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(u0: &[f64], c: f64, n: usize) -> f64 {
        let mut u = u0.to_vec();
        let m = u.len();
        $($at)*
        for _ in 0..n {
            let mut next = u.clone();
            for j in 1..m - 1 {
                next[j] = u[j] + c * (u[j + 1] - 2.0 * u[j] + u[j - 1]) * u[j];
            }
            u = next;
        }
        let mut s = 0.0;
        for j in 0..m {
            s += u[j] * u[j];
        }
        s
    }
} }
same!(vector_state: vectors, n => (&[0.1, 0.5, 0.9, 0.4, 0.2], 0.1, n));

macro_rules! growing { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut all = vec![x];
        $($at)*
        for i in 0..n {
            let next = all[i] * x + (all[i / 2]).sin();
            all.push(next);
        }
        let mut s = 0.0;
        for k in 0..all.len() {
            s += all[k];
        }
        s
    }
} }
same!(growing_state: growing, n => (0.7, n));

#[derive(Clone, Debug, Differentiable, differentiable::ad::HeapSize)]
pub struct Body {
    pub position: [f64; 2],
    pub speed: [f64; 2],
    pub mass: f64,
}

macro_rules! structs { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(start: &Body, g: f64, n: usize) -> f64 {
        let mut b = start.clone();
        $($at)*
        for _ in 0..n {
            let r2 = b.position[0] * b.position[0] + b.position[1] * b.position[1];
            let f = g / (r2 * r2.sqrt());
            b.speed[0] -= 0.01 * f * b.position[0];
            b.speed[1] -= 0.01 * f * b.position[1];
            b = Body { position: [b.position[0] + 0.01 * b.speed[0], b.position[1] + 0.01 * b.speed[1]], ..b };
        }
        b.position[0] * b.mass
    }
} }
#[test]
fn struct_state() {
    mod plain {
        use super::*;
        structs!();
    }
    mod kept {
        use super::*;
        structs!(#[checkpoint(snapshots = 3)]);
    }
    mod memory {
        use super::*;
        structs!(#[checkpoint(memory = 200)]);
    }
    let b = Body {
        position: [1.0, 0.1],
        speed: [0.0, 1.0],
        mass: 2.0,
    };
    for n in LENGTHS {
        let (v, (d, g)) = plain::f::value_and_grad(&b, 1.2, n);
        let (v2, (d2, g2)) = kept::f::value_and_grad(&b, 1.2, n);
        assert_eq!(
            (v, g, d.position, d.speed, d.mass),
            (v2, g2, d2.position, d2.speed, d2.mass)
        );
        let (v2, (d2, g2)) = memory::f::value_and_grad(&b, 1.2, n);
        assert_eq!(
            (v, g, d.position, d.speed, d.mass),
            (v2, g2, d2.position, d2.speed, d2.mass)
        );
    }
}

macro_rules! lent { ($($at:tt)*) => {
    #[differentiable]
    pub fn step(u: &mut [f64], c: f64) -> f64 {
        let mut s = 0.0;
        for j in 1..u.len() { u[j] += c * u[j - 1] * u[j]; s += u[j]; }
        s
    }
    #[differentiable]
    pub fn run(u: &mut [f64], all: &mut Vec<f64>, kept: &mut f64, c: f64, n: usize) -> f64 {
        let mut s = 0.0;
        let first = u[0];
        $($at)*
        for i in 0..n {
            s += step(u, c * *kept);
            all.push(s * u[1]);
            if i % 3 == 2 { all.pop(); }
            u[0] = (u[0] + first + s).sin();
        }
        s *= *kept;
        *kept = s;
        u[1] = 2.0 * u[0];
        s
    }
    #[differentiable]
    pub fn f(u0: &[f64], c: f64, n: usize) -> f64 {
        let mut u = u0.to_vec();
        let mut all = vec![c];
        let mut kept = c * 2.0;
        let s = run(&mut u, &mut all, &mut kept, c, n);
        let mut t = s + kept;
        for k in 0..all.len() { t += all[k] * all[k]; }
        for k in 0..u.len() { t += u[k] * u[k]; }
        t
    }
} }
same!(mutable_parameters: lent, n => (&[0.3, 0.6, 0.9], 0.2, n));

macro_rules! methods { ($($at:tt)*) => {
    #[derive(Clone, Debug, Differentiable)]
    pub struct Sim { pub x: f64, pub v: f64, pub path: Vec<f64> }

    impl differentiable::ad::HeapSize for Sim {
        fn heap_size(&self) -> usize {
            self.path.heap_size()
        }
    }

    #[differentiable]
    impl Sim {
        pub fn kick(&mut self, h: f64) {
            self.v -= h * self.x.sin(); self.x += h * self.v;
        }
        pub fn energy(&self) -> f64 { self.x * self.x + self.v * self.v }
        pub fn go(&mut self, h: f64, n: usize) -> f64 {
            let mut e = 0.0;
            $($at)*
            for i in 0..n {
                self.kick(h);
                e += self.energy();
                self.path.push(self.x);
                if i % 2 == 1 { self.path.pop(); }
            }
            e
        }
        pub fn total(&self, n: usize) -> f64 {
            let mut s = self.x;
            $($at)*
            for _ in 0..n { s = s * self.v + self.energy().sin() * 0.1; }
            s
        }
    }
    #[differentiable]
    pub fn f(x: f64, h: f64, n: usize) -> f64 {
        let mut s = Sim { x, v: 0.5 * x, path: vec![x] };
        let e = s.go(h, n);
        let mut t = e + s.total(n);
        for k in 0..s.path.len() { t += s.path[k]; }
        t * s.x
    }
} }
same!(state_of_self: methods, n => (0.3, 0.2, n));

macro_rules! references { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: &[f64], #[constant] table: &[f64], n: usize) -> f64 {
        let row = &x[1..3];
        let weights = vec![0.5, 0.25];
        let scale = |k: usize| weights[k % 2] * 2.0;
        let shift = |v: f64| v + row[0];
        let mut s = 1.0;
        $($at)*
        for i in 0..n {
            s = shift(s * row[i % 2]).sin() * scale(i) * table[i % table.len()];
            debug_assert!(s.is_finite(), "{}", weights.len());
        }
        s
    }
} }
same!(references_and_closures: references, n => (&[0.3, 0.6, 0.9], &[1.0, 0.7, 1.3], n));

/// A generator of random numbers: what it does next is a part of the state.
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl differentiable::ad::HeapSize for Rng {
    fn heap_size(&self) -> usize {
        0
    }
}

macro_rules! random { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut rng = Rng(7);
        let mut s = x;
        let mut count = 0;
        $($at)*
        for _ in 0..n {
            let r = rng.next();
            s = s * x + r;
            if r > 0.5 { count += 1; }
            let z = rng.next();
            s += 0.01 * z * count as f64;
        }
        s * rng.next()
    }
} }
same!(random_numbers: random, n => (0.7, n));

macro_rules! random_while { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut rng = Rng(n as u64);
        let mut s = x;
        $($at)*
        while rng.next() < 0.95 {
            s = (s * x + 0.1).sin();
        }
        s
    }
} }
same!(random_condition: random_while, n => (0.7, n));

macro_rules! buffers {
    ($($at:tt)*) => {
        #[differentiable]
        pub fn f(x: f64, n: usize) -> f64 {
            let (mut a, mut b) = (vec![x, 0.3, 0.1], vec![0.0; 3]);
            $($at)*
            for _ in 0..n {
                for i in 0..3 {
                    b[i] = (a[i] * a[(i + 1) % 3]).cos();
                }
                std::mem::swap(&mut a, &mut b);
            }
            a[0] + a[1] * a[2]
        }
    };
}
same!(two_buffers: buffers, n => (0.7, n));

#[derive(Clone, Debug, Differentiable)]
pub enum Shape {
    Circle(f64),
    Rect { w: f64, h: f64 },
}

impl differentiable::ad::HeapSize for Shape {
    fn heap_size(&self) -> usize {
        0
    }
}

macro_rules! enums {
    ($($at:tt)*) => {
        #[differentiable]
        pub fn f(x: f64, n: usize) -> f64 {
            let (mut s, mut t) = (Shape::Circle(x), 0.0);
            $($at)*
            for i in 0..n {
                s = match s {
                    Shape::Circle(r) => Shape::Rect { w: r * x, h: r + 0.1 },
                    Shape::Rect { w, h } => Shape::Circle((w * h).sin()),
                };
                if let Shape::Circle(r) = &s {
                    t += r * i as f64;
                }
            }
            match s {
                Shape::Circle(r) => r * t,
                Shape::Rect { w, h } => w * h + t,
            }
        }
    };
}
same!(an_enum: enums, n => (0.7, n));

/// Central differences, for each kind of state.
#[test]
fn central_differences() {
    mod array {
        use super::*;
        arrays!(#[checkpoint(snapshots = 2)]);
    }
    mod vector {
        use super::*;
        vectors!(#[checkpoint]);
    }
    mod grows {
        use super::*;
        growing!(#[checkpoint(every = 4)]);
    }
    mod mutable {
        use super::*;
        lent!(#[checkpoint(snapshots = 3)]);
    }
    mod method {
        use super::*;
        methods!(#[checkpoint]);
    }
    use differentiable::ad::check_grads;
    let n = 9;
    check_grads::<array::f, _>(&([0.3, 0.8, -0.4], vec![1.0, 0.5, 1.5], n)).expect("of an array");
    check_grads::<vector::f, _>(&(vec![0.1, 0.5, 0.9, 0.4], 0.1, n)).expect("of a vector");
    check_grads::<grows::f, _>(&(0.7, n)).expect("of a vector that grows");
    check_grads::<mutable::f, _>(&(vec![0.3, 0.6, 0.9], 0.2, n)).expect("of parameters");
    check_grads::<method::f, _>(&(0.3, 0.2, n)).expect("of `self`");
}
