//! Recurrent layers: steps and products in turn, against numbers with tangents on the host.

#[path = "support/layers.rs"]
mod layers;
mod support;

use differentiable_gpu::{Arg, Buffer, Element, Gpu, Matrix, Product};
use layers::{Real, all_orders, close, run, wave};
use std::ops::{Add, Mul, Sub};
use std::sync::Arc;
use support::{get, gpu, put};

const CELLS: &str = differentiable_gpu::text::RECURRENT;
const SUMS: &str = differentiable_gpu::text::SUMS;

/// A number and its tangent.
#[derive(Clone, Copy, Default)]
struct Dual(f64, f64);

impl Add for Dual {
    type Output = Dual;
    fn add(self, y: Dual) -> Dual {
        Dual(self.0 + y.0, self.1 + y.1)
    }
}
impl Sub for Dual {
    type Output = Dual;
    fn sub(self, y: Dual) -> Dual {
        Dual(self.0 - y.0, self.1 - y.1)
    }
}
impl Mul for Dual {
    type Output = Dual;
    fn mul(self, y: Dual) -> Dual {
        Dual(self.0 * y.0, self.0 * y.1 + self.1 * y.0)
    }
}
impl Dual {
    fn tanh(self) -> Dual {
        let t = self.0.tanh();
        Dual(t, (1.0 - t * t) * self.1)
    }
    fn sigmoid(self) -> Dual {
        let s = 1.0 / (1.0 + (-self.0).exp());
        Dual(s, s * (1.0 - s) * self.1)
    }
}

const STEPS: usize = 3;
const BATCH: usize = 2;
const UNITS: usize = 3;
const STATE: usize = BATCH * UNITS;

/// Which cell, by its number in kernels.
#[derive(Clone, Copy)]
struct Cell(i32);

impl Cell {
    fn slots(self) -> usize {
        [1, 4, 4][self.0 as usize]
    }
    fn recurrent(self) -> usize {
        [1, 3, 4][self.0 as usize]
    }
}

/// The arguments of the slots, weights, bias, and the first states: of a layer, or tangents.
#[derive(Clone)]
struct Inputs<N> {
    z: Vec<N>,
    w: Vec<N>,
    b: Vec<N>,
    h: Vec<N>,
    c: Vec<N>,
}

/// `h` and `c` after each step.
fn reference(cell: Cell, x: &Inputs<Dual>) -> (Vec<Dual>, Vec<Dual>) {
    let (mut h, mut c) = (x.h.clone(), x.c.clone());
    let (mut all_h, mut all_c) = (Vec::new(), Vec::new());
    for t in 0..STEPS {
        let (before, memory) = (h.clone(), c.clone());
        for (i, (h, c)) in h.iter_mut().zip(&mut c).enumerate() {
            let (batch, j) = (i / UNITS, i % UNITS);
            let z = |s: usize| {
                x.z[((t * BATCH + batch) * cell.slots() + s) * UNITS + j] + x.b[s * UNITS + j]
            };
            let p = |s: usize| {
                let of =
                    |k| before[batch * UNITS + k] * x.w[(k * cell.recurrent() + s) * UNITS + j];
                (0..UNITS).map(of).fold(Dual::default(), |a, b| a + b)
            };
            match cell.0 {
                0 => *h = (z(0) + p(0)).tanh(),
                1 => {
                    let (r, u) = ((z(0) + p(0)).sigmoid(), (z(1) + p(1)).sigmoid());
                    let n = (z(3) + r * (z(2) + p(2))).tanh();
                    *h = n + u * (before[i] - n);
                }
                _ => {
                    let [input, forget, output] = [0, 1, 3].map(|s| (z(s) + p(s)).sigmoid());
                    *c = forget * memory[i] + input * (z(2) + p(2)).tanh();
                    *h = output * c.tanh();
                }
            }
        }
        all_h.extend(&h);
        all_c.extend(&c);
    }
    (all_h, all_c)
}

fn product<T: Real>(rows: usize, inner: usize, columns: usize) -> Product {
    let element = if size_of::<T>() == 8 {
        Element::F64
    } else {
        Element::F32
    };
    Product::new(element, rows, inner, columns)
}

/// What is kept of a layer that has run.
struct Ran {
    slots: Buffer,
    memory: Buffer,
    out: Buffer,
    h: Buffer,
    c: Buffer,
}

/// One step of a buffer whose steps have so many elements.
fn step<T>(x: &Buffer, t: usize, each: usize) -> Arg<'_> {
    x.at(t * each * size_of::<T>()).into()
}

fn before<'a, T>(all: &'a Buffer, first: &'a Buffer, t: usize) -> Arg<'a> {
    if t == 0 {
        first.into()
    } else {
        step::<T>(all, t - 1, STATE)
    }
}

fn sizes(cell: Cell) -> Vec<Arg<'static>> {
    vec![
        Arg::I32(cell.0),
        Arg::I64(BATCH as i64),
        Arg::I64(UNITS as i64),
    ]
}

fn forward<T: Real>(gpu: &Arc<Gpu>, cell: Cell, x: &Inputs<T>) -> Ran {
    let each = cell.slots() * STATE;
    let fresh = || put(gpu, &[T::new(9.0); STEPS * STATE]);
    let (w, b) = (put(gpu, &x.w), put(gpu, &x.b));
    let ran = Ran {
        slots: put(gpu, &x.z),
        memory: fresh(),
        out: fresh(),
        h: put(gpu, &x.h),
        c: put(gpu, &x.c),
    };
    let p = put(gpu, &vec![T::new(9.0); BATCH * cell.recurrent() * UNITS]);
    for t in 0..STEPS {
        let h = if t == 0 {
            ran.h.at(0)
        } else {
            ran.out.at((t - 1) * STATE * size_of::<T>())
        };
        gpu.product(
            &product::<T>(BATCH, UNITS, cell.recurrent() * UNITS),
            h,
            &w,
            &p,
        );
        let mut args = sizes(cell);
        args.extend([Arg::from(&p), (&b).into()]);
        args.extend([
            before::<T>(&ran.out, &ran.h, t),
            before::<T>(&ran.memory, &ran.c, t),
        ]);
        args.extend([
            step::<T>(&ran.slots, t, each),
            step::<T>(&ran.out, t, STATE),
        ]);
        args.push(step::<T>(&ran.memory, t, STATE));
        run::<T>(gpu, CELLS, "cell_forward", 1, &args);
    }
    ran
}

/// Cotangents of the slots' arguments, of the first `h` and `c`, and of the bias.
fn backward<T: Real>(
    gpu: &Arc<Gpu>,
    cell: Cell,
    x: &Inputs<T>,
    ran: &Ran,
    ct: [&[T]; 3],
) -> [Vec<T>; 4] {
    let (each, rows) = (cell.slots() * STATE, cell.recurrent() * UNITS);
    let [out, last_h, last_c] = ct.map(|ct| put(gpu, ct));
    let turned: Vec<T> = (0..rows * UNITS)
        .map(|i| x.w[i % UNITS * rows + i / UNITS])
        .collect();
    let (w, slots) = (put(gpu, &turned), put(gpu, &get::<T>(gpu, &ran.slots)));
    let [h0, c0] = [0, 1].map(|_| put(gpu, &[T::new(9.0); STATE]));
    for t in (0..STEPS).rev() {
        let last = t + 1 == STEPS;
        let mut args = sizes(cell);
        args.push(step::<T>(&out, t, STATE));
        args.push(if last { (&last_h).into() } else { (&h0).into() });
        args.push(if last { (&last_c).into() } else { (&c0).into() });
        args.extend([
            before::<T>(&ran.out, &ran.h, t),
            before::<T>(&ran.memory, &ran.c, t),
        ]);
        args.extend([step::<T>(&ran.memory, t, STATE), step::<T>(&slots, t, each)]);
        args.push(if cell.0 == 1 {
            (&h0).into()
        } else {
            (&c0).into()
        });
        run::<T>(gpu, CELLS, "cell_backward", 1, &args);
        let leading = cell.slots() * UNITS;
        let product = Product {
            a: Matrix {
                transposed: false,
                leading,
                stride: 0,
            },
            beta: if cell.0 == 1 { 1.0 } else { 0.0 },
            ..product::<T>(BATCH, rows, UNITS)
        };
        gpu.product(&product, slots.at(t * each * size_of::<T>()), &w, &h0);
    }
    let (m, parts) = (cell.slots() * UNITS, 2);
    let [sums, bias] = [parts * m, m].map(|n| put(gpu, &vec![T::new(9.0); n]));
    let of_parts = [
        (&slots).into(),
        Arg::I64((STEPS * BATCH) as i64),
        Arg::I64(m as i64),
        Arg::I64(parts as i64),
        (&sums).into(),
    ];
    run::<T>(gpu, CELLS, "column_parts", 1, &of_parts);
    let of_sums = [
        (&sums).into(),
        Arg::I64(parts as i64),
        Arg::I64(m as i64),
        (&bias).into(),
    ];
    run::<T>(gpu, SUMS, "columns", 1, &of_sums);
    [&slots, &h0, &c0, &bias].map(|x| get(gpu, x))
}

/// The tangents of `h` after each step, and of the last `c`. Those of weights and bias are in `z`.
fn tangent<T: Real>(gpu: &Arc<Gpu>, cell: Cell, w: &[T], ran: &Ran, t: &Inputs<T>) -> [Vec<T>; 2] {
    let each = cell.slots() * STATE;
    let (w, tz, th0, tc) = (put(gpu, w), put(gpu, &t.z), put(gpu, &t.h), put(gpu, &t.c));
    let out = put(gpu, &[T::new(9.0); STEPS * STATE]);
    let p = put(gpu, &vec![T::new(9.0); BATCH * cell.recurrent() * UNITS]);
    for t in 0..STEPS {
        let th = if t == 0 {
            th0.at(0)
        } else {
            out.at((t - 1) * STATE * size_of::<T>())
        };
        gpu.product(
            &product::<T>(BATCH, UNITS, cell.recurrent() * UNITS),
            th,
            &w,
            &p,
        );
        let mut args = sizes(cell);
        args.extend([
            step::<T>(&ran.slots, t, each),
            step::<T>(&tz, t, each),
            (&p).into(),
        ]);
        args.extend([
            before::<T>(&ran.out, &ran.h, t),
            before::<T>(&ran.memory, &ran.c, t),
        ]);
        args.extend([step::<T>(&ran.memory, t, STATE), before::<T>(&out, &th0, t)]);
        args.extend([Arg::from(&tc), step::<T>(&out, t, STATE), (&tc).into()]);
        run::<T>(gpu, CELLS, "cell_tangent", 1, &args);
    }
    [get(gpu, &out), get(gpu, &tc)]
}

fn inputs<T: Real>(cell: Cell, seed: f64) -> Inputs<T> {
    let n = STEPS * cell.slots() * STATE;
    let mut z: Vec<T> = wave(n, seed);
    // Far from 0: sigmoid and tanh reach their ends.
    (z[0], z[n - 1]) = (T::new(200.0), T::new(-200.0));
    Inputs {
        z,
        w: wave(UNITS * cell.recurrent() * UNITS, seed + 0.1),
        b: wave(cell.slots() * UNITS, seed + 0.2),
        h: wave(STATE, seed + 0.3),
        c: wave(STATE, seed + 0.4),
    }
}

fn duals<T: Real>(cell: Cell, x: &Inputs<T>, t: Option<&Inputs<T>>) -> Inputs<Dual> {
    let pair = |x: &[T], t: Option<&[T]>| -> Vec<Dual> {
        let of = |i: usize| Dual(x[i].value(), t.map_or(0.0, |t| t[i].value()));
        (0..x.len()).map(of).collect()
    };
    let mut all = Inputs {
        z: pair(&x.z, t.map(|t| &t.z[..])),
        w: pair(&x.w, None),
        b: pair(&x.b, None),
        h: pair(&x.h, t.map(|t| &t.h[..])),
        c: pair(&x.c, t.map(|t| &t.c[..])),
    };
    if cell.0 == 1 {
        // The third slot has no product of the input.
        for (i, z) in all.z.iter_mut().enumerate() {
            z.0 = if i / UNITS % 4 == 2 { 0.0 } else { z.0 };
        }
    }
    all
}

fn all<T: Real>() {
    let Some(gpu) = gpu() else { return };
    for cell in [0, 1, 2].map(Cell) {
        let (x, t) = (inputs::<T>(cell, 0.37), inputs::<T>(cell, 0.91));
        let (h, c) = reference(cell, &duals(cell, &x, Some(&t)));
        let values = |x: &[Dual]| x.iter().map(|x| x.0).collect::<Vec<_>>();
        let found = all_orders(|| get::<T>(&gpu, &forward(&gpu, cell, &x).out));
        close("h", &found, &values(&h));
        let ran = forward(&gpu, cell, &x);
        if cell.0 == 2 {
            close("c", &get::<T>(&gpu, &ran.memory), &values(&c));
        }

        let found = all_orders(|| tangent(&gpu, cell, &x.w, &ran, &t).concat());
        let last = if cell.0 == 2 {
            c[c.len() - STATE..].iter().map(|x| x.1).collect()
        } else {
            t.c.iter().map(|x| x.value()).collect::<Vec<_>>()
        };
        let tangents = h.iter().map(|x| x.1).chain(last).collect::<Vec<_>>();
        close("tangents", &found, &tangents);

        let ct: [Vec<T>; 3] =
            [(STEPS, 0.21), (1, 0.43), (1, 0.67)].map(|(n, seed)| wave(n * STATE, seed));
        let found =
            all_orders(|| backward(&gpu, cell, &x, &ran, ct.each_ref().map(|ct| &ct[..])).concat());
        let slope = |seed: &dyn Fn(&mut Inputs<Dual>)| {
            let mut x = duals(cell, &x, None);
            seed(&mut x);
            let (h, c) = reference(cell, &x);
            let last = h.len() - STATE;
            let of = |x: &[Dual], ct: &[T]| {
                x.iter()
                    .zip(ct)
                    .map(|(x, ct)| x.1 * ct.value())
                    .sum::<f64>()
            };
            let of_c = if cell.0 == 2 {
                of(&c[last..], &ct[2])
            } else {
                0.0
            };
            of(&h, &ct[0]) + of(&h[last..], &ct[1]) + of_c
        };
        let mut expected = Vec::new();
        expected.extend((0..x.z.len()).map(|i| slope(&|x| x.z[i].1 = 1.0)));
        expected.extend((0..STATE).map(|i| slope(&|x| x.h[i].1 = 1.0)));
        expected.extend((0..STATE).map(|i| {
            if cell.0 == 2 {
                slope(&|x| x.c[i].1 = 1.0)
            } else {
                9.0
            }
        }));
        expected.extend((0..x.b.len()).map(|i| slope(&|x| x.b[i].1 = 1.0)));
        close("cotangents", &found, &expected);
    }
}

#[test]
fn recurrent_layers_of_floats() {
    all::<f32>();
}

#[test]
fn recurrent_layers_of_doubles() {
    all::<f64>();
}
