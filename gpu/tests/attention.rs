//! Attention and its derivatives, against sums over whole rows.

#[path = "support/layers.rs"]
mod layers;
mod support;

use differentiable_gpu::{Arg, Buffer, Gpu};
use layers::{Real, Sizes, all_orders, close, close_to, run, run_threads, wave};
use std::sync::Arc;
use support::{Number, get, gpu, put};

const SHARED: &str = differentiable_gpu::text::ATTENTION_SHARED;

fn text(file: &str) -> String {
    format!("#define DZ_VALUES 1\n#define DZ_WIDTHS 1\n{SHARED}{file}")
}

/// The kernels of attention by tensor cores, which round operands.
fn tensor_text(file: &str, width: usize, half: &str) -> String {
    let shared = differentiable_gpu::text::ATTENTION_TENSOR_SHARED;
    format!("#define DZ_WIDTH {width}\n{half}\n{SHARED}{shared}{file}")
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mask {
    None,
    Visible,
    Bias(usize),
    Lengths,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    batch: usize,
    /// Heads of an entry of the batch, and those of keys and values.
    heads: [usize; 2],
    queries: usize,
    keys: usize,
    width: usize,
    value_width: usize,
    causal: bool,
    mask: Mask,
    dropout: bool,
}

const SEED: u64 = 0x1234_5678_9abc;
const RATE: f64 = 0.3;

/// Word `element mod 4` of block `element / 4`.
fn word(element: u64) -> u32 {
    let block = element / 4;
    let mut c = [block as u32, (block >> 32) as u32, 0x6d61_736b, 0];
    let (mut k0, mut k1) = (SEED as u32, (SEED >> 32) as u32);
    for _ in 0..10 {
        let a = u64::from(c[0]) * 0xD251_1F53;
        let b = u64::from(c[2]) * 0xCD9E_8D57;
        c = [
            (b >> 32) as u32 ^ c[1] ^ k0,
            b as u32,
            (a >> 32) as u32 ^ c[3] ^ k1,
            a as u32,
        ];
        k0 = k0.wrapping_add(0x9E37_79B9);
        k1 = k1.wrapping_add(0xBB67_AE85);
    }
    c[element as usize % 4]
}

/// Operands stored as batch, rows, heads, columns: the matrices of heads have steps.
struct Matrices<T> {
    data: Vec<T>,
    sizes: [usize; 4],
}

impl<T: Real> Matrices<T> {
    fn new(batch: usize, heads: usize, rows: usize, columns: usize, seed: f64) -> Self {
        let data = wave(batch * rows * heads * columns, seed);
        Matrices {
            data,
            sizes: [batch, heads, rows, columns],
        }
    }
    fn place(&self, head: usize, i: usize, j: usize) -> usize {
        let [_, heads, rows, columns] = self.sizes;
        ((head / heads * rows + i) * heads + head % heads) * columns + j
    }
    fn at(&self, head: usize, i: usize, j: usize) -> f64 {
        self.data[self.place(head, i, j)].value()
    }
    fn push(&self, to: Sizes) -> Sizes {
        let [batch, heads, rows, columns] = self.sizes;
        let strides = [rows * heads * columns, columns, 0, 0];
        to.push(&[2, batch, heads, 0, 0])
            .push(&strides)
            .push(&[0, heads * columns, 1])
    }
    fn len(&self) -> usize {
        self.data.len()
    }
}

struct Operands<T> {
    case: Case,
    q: Matrices<T>,
    k: Matrices<T>,
    v: Matrices<T>,
    /// For each head, queries and keys.
    visible: Vec<u8>,
    bias: Matrices<T>,
    lengths: Vec<i64>,
}

impl Number for Flag {}
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
struct Flag(u8);

/// What a row of weights is made of, and what they are.
struct Rows {
    m: f64,
    r: f64,
    p: Vec<f64>,
    factors: Vec<f64>,
}

impl<T: Real> Operands<T> {
    fn new(case: Case) -> Self {
        let Case {
            batch,
            heads: [h, g],
            queries,
            keys,
            width,
            value_width,
            ..
        } = case;
        let biases = if let Mask::Bias(n) = case.mask { n } else { 1 };
        let mut lengths: Vec<i64> = (0..batch)
            .map(|b| (keys * (b + 1) / (batch + 1)) as i64)
            .collect();
        lengths[0] = 0;
        let mut visible: Vec<u8> = (0..batch * h * queries * keys)
            .map(|i| u8::from(i % 3 != 1))
            .collect();
        // A row that sees nothing.
        visible[keys..2 * keys].fill(0);
        Operands {
            case,
            q: Matrices::new(batch, h, queries, width, 0.37),
            k: Matrices::new(batch, g, keys, width, 0.73),
            v: Matrices::new(batch, g, keys, value_width, 0.59),
            visible,
            bias: Matrices::new(1, biases, queries, keys, 0.83),
            lengths,
        }
    }
    fn heads(&self) -> usize {
        self.case.batch * self.case.heads[0]
    }
    fn group(&self) -> usize {
        self.case.heads[0] / self.case.heads[1]
    }
    fn scale(&self) -> f64 {
        1.7 / (self.case.width as f64).sqrt()
    }
    fn rows(&self) -> usize {
        self.heads() * self.case.queries
    }
    /// Whether query `i` of a head sees key `j` by its position.
    fn sees(&self, head: usize, i: usize, j: usize) -> bool {
        let count = match self.case.mask {
            Mask::Lengths => self.lengths[head / self.case.heads[0]] as usize,
            _ => self.case.keys,
        };
        j < count && (!self.case.causal || j + self.case.queries < i + 1 + self.case.keys)
    }
    fn row(&self, head: usize, i: usize) -> Rows {
        let c = &self.case;
        let score = |j: usize| {
            let met = head / self.group();
            let product: f64 = (0..c.width)
                .map(|d| self.q.at(head, i, d) * self.k.at(met, j, d))
                .sum();
            let hidden = match c.mask {
                Mask::Visible => self.visible[(head * c.queries + i) * c.keys + j] == 0,
                _ => false,
            };
            if hidden || !self.sees(head, i, j) {
                return f64::NEG_INFINITY;
            }
            let bias = if let Mask::Bias(n) = c.mask {
                self.bias.at(head % n, i, j)
            } else {
                0.0
            };
            self.scale() * product + bias
        };
        let scores: Vec<f64> = (0..c.keys).map(score).collect();
        let m = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let m = if m == f64::NEG_INFINITY { 0.0 } else { m };
        let sum: f64 = scores.iter().map(|x| (x - m).exp()).sum();
        let r = if sum == 0.0 { 0.0 } else { 1.0 / sum };
        let factor = |j: usize| {
            let element = ((head * c.queries + i) * c.keys + j) as u64;
            let limit = (RATE * 4_294_967_296.0_f64).round() as u64;
            match c.dropout {
                true if u64::from(word(element)) < limit => 0.0,
                true => 1.0 / (1.0 - RATE),
                false => 1.0,
            }
        };
        Rows {
            m,
            r,
            p: scores.iter().map(|x| (x - m).exp() * r).collect(),
            factors: (0..c.keys).map(factor).collect(),
        }
    }
    fn sizes(&self) -> Sizes {
        let c = &self.case;
        let biases = if let Mask::Bias(n) = c.mask { n } else { 0 };
        let sizes = Sizes::default().push(&[
            self.heads(),
            self.group(),
            c.queries,
            c.keys,
            c.width,
            c.value_width,
            usize::from(c.causal),
            biases,
            c.batch,
            1,
            usize::from(c.dropout),
            (RATE * 4_294_967_296.0_f64).round() as usize,
            SEED as usize,
            0,
        ]);
        let sizes = sizes.real(self.scale()).real(1.0 / (1.0 - RATE));
        let sizes = self.v.push(self.k.push(self.q.push(sizes)));
        match c.mask {
            // The same for all that have one number: a step of 0 over the others.
            Mask::Bias(n) => sizes
                .push(&[3, c.batch, c.heads[0] / n, n, 0])
                .push(&[0, 0, c.keys, 0])
                .push(&[0, n * c.keys, 1]),
            _ => sizes
                .push(&[1, self.heads(), 0, 0, 0])
                .push(&[c.queries * c.keys, 0, 0, 0])
                .push(&[0, c.keys, 1]),
        }
    }
}

/// The operands on a device.
struct Placed {
    sizes: Sizes,
    q: Buffer,
    k: Buffer,
    v: Buffer,
    visible: Buffer,
    bias: Buffer,
    lengths: Buffer,
    mask: Mask,
}

impl Placed {
    fn new<T: Real>(gpu: &Arc<Gpu>, x: &Operands<T>) -> Self {
        let visible: Vec<Flag> = x.visible.iter().map(|b| Flag(*b)).collect();
        Placed {
            sizes: x.sizes(),
            q: put(gpu, &x.q.data),
            k: put(gpu, &x.k.data),
            v: put(gpu, &x.v.data),
            visible: put(gpu, &visible),
            bias: put(gpu, &x.bias.data),
            lengths: put(gpu, &x.lengths),
            mask: x.case.mask,
        }
    }
    fn args(&self) -> Vec<Arg<'_>> {
        let some = |x, is| if is { Arg::from(x) } else { Arg::Address(0) };
        vec![
            self.sizes.arg(),
            (&self.q).into(),
            (&self.k).into(),
            (&self.v).into(),
            some(&self.visible, self.mask == Mask::Visible),
            some(&self.bias, matches!(self.mask, Mask::Bias(_))),
            some(&self.lengths, self.mask == Mask::Lengths),
        ]
    }
}

fn case<T: Real>(gpu: &Arc<Gpu>, case: Case) {
    let x = Operands::<T>::new(case);
    let (n, u, keys) = (case.queries, case.value_width, case.keys);
    let mut stats = Vec::new();
    let mut y = vec![0.0; x.rows() * u];
    let ct = wave::<T>(y.len(), 0.31);
    let tangents = Operands::<T> {
        q: Matrices::new(case.batch, case.heads[0], n, case.width, 0.11),
        k: Matrices::new(case.batch, case.heads[1], keys, case.width, 0.23),
        v: Matrices::new(case.batch, case.heads[1], keys, u, 0.47),
        ..Operands::new(case)
    };
    let mut tangent = y.clone();
    let (met, w) = (case.batch * case.heads[1], case.width);
    let (mut dq, mut dk, mut dv) = (
        vec![0.0; x.q.len()],
        vec![0.0; x.k.len()],
        vec![0.0; x.v.len()],
    );
    let biases = if let Mask::Bias(b) = case.mask { b } else { 0 };
    let mut db = vec![0.0; biases * keys * n];
    for row in 0..x.rows() {
        let (head, i) = (row / n, row % n);
        let of = head / x.group();
        let Rows { m, r, p, factors } = x.row(head, i);
        stats.extend([m, r]);
        let ct = |c: usize| ct[row * u + c].value();
        for c in 0..u {
            y[row * u + c] = (0..keys)
                .map(|j| p[j] * factors[j] * x.v.at(of, j, c))
                .sum();
        }
        let delta: f64 = (0..u).map(|c| y[row * u + c] * ct(c)).sum();
        let mut sum = 0.0;
        let mut slopes = vec![0.0; keys];
        for j in 0..keys {
            let dp: f64 = (0..u).map(|c| ct(c) * x.v.at(of, j, c)).sum();
            let ds = p[j] * (factors[j] * dp - delta);
            for d in 0..w {
                dq[row * w + d] += x.scale() * ds * x.k.at(of, j, d);
                dk[(of * keys + j) * w + d] += x.scale() * ds * x.q.at(head, i, d);
                slopes[j] += x.scale()
                    * (tangents.q.at(head, i, d) * x.k.at(of, j, d)
                        + x.q.at(head, i, d) * tangents.k.at(of, j, d));
            }
            (0..u).for_each(|c| dv[(of * keys + j) * u + c] += p[j] * factors[j] * ct(c));
            if biases > 0 {
                db[(head % biases * keys + j) * n + i] += ds;
                slopes[j] += x.bias.at(head % biases, i, j);
            }
            slopes[j] *= p[j];
            sum += slopes[j];
        }
        for c in 0..u {
            let products = (0..keys).map(|j| {
                factors[j] * (slopes[j] * x.v.at(of, j, c) + p[j] * tangents.v.at(of, j, c))
            });
            tangent[row * u + c] = products.sum::<f64>() - sum * y[row * u + c];
        }
    }

    let placed = Placed::new(gpu, &x);
    let (out, saved) = (
        gpu.alloc(y.len() * size_of::<T>()),
        gpu.alloc(stats.len() * size_of::<T>()),
    );
    let (out, saved) = (out.unwrap(), saved.unwrap());
    let found = all_orders(|| {
        let args = [placed.args(), vec![(&out).into(), (&saved).into()]].concat();
        run::<T>(
            gpu,
            &text(differentiable_gpu::text::ATTENTION),
            "attention",
            3,
            &args,
        );
        [get::<T>(gpu, &out), get(gpu, &saved)].concat()
    });
    let what = format!("{case:?}");
    close(&what, &found, &[y.clone(), stats].concat());

    let pushforward = text(differentiable_gpu::text::ATTENTION_PUSHFORWARD);
    let moved = Placed::new(gpu, &tangents);
    let found = all_orders(|| {
        let sizes = tangents
            .v
            .push(tangents.k.push(tangents.q.push(Sizes::default())));
        let mask = x.sizes().0;
        let sizes = Sizes([sizes.0, mask[mask.len() - 96..].to_vec()].concat());
        let to = put(gpu, &ct);
        let mut args = placed.args();
        args.extend([(&out).into(), (&saved).into(), sizes.arg()]);
        args.extend([Arg::from(&moved.q), (&moved.k).into(), (&moved.v).into()]);
        args.push(if biases > 0 {
            (&moved.bias).into()
        } else {
            Arg::Address(0)
        });
        args.push((&to).into());
        run::<T>(gpu, &pushforward, "attention_pushforward", 3, &args);
        get::<T>(gpu, &to)
    });
    close(&format!("tangent, {what}"), &found, &tangent);

    let pullback = text(differentiable_gpu::text::ATTENTION_PULLBACK);
    let (ct, delta) = (put(gpu, &ct), put(gpu, &vec![T::new(9.0); x.rows()]));
    let args = [
        (&out).into(),
        (&ct).into(),
        Arg::I64(u as i64),
        Arg::I64(x.rows() as i64),
        (&delta).into(),
    ];
    run::<T>(gpu, &pullback, "attention_deltas", 2, &args);
    let call = |kernel: &str, lens: &[usize]| {
        all_orders(|| {
            let to: Vec<Buffer> = lens
                .iter()
                .map(|n| put(gpu, &vec![T::new(9.0); *n]))
                .collect();
            let mut args = placed.args();
            args.extend([Arg::from(&ct), (&saved).into(), (&delta).into()]);
            args.extend(to.iter().map(Arg::from));
            run::<T>(gpu, &pullback, kernel, 3, &args);
            to.iter().flat_map(|to| get::<T>(gpu, to)).collect()
        })
    };
    close(
        &format!("queries, {what}"),
        &call("attention_queries", &[dq.len()]),
        &dq,
    );
    assert_eq!((dk.len(), dv.len()), (met * keys * w, met * keys * u));
    let both = call("attention_keys", &[dk.len(), dv.len()]);
    close(&format!("keys, {what}"), &both, &[dk, dv].concat());
    if biases > 0 {
        close(
            &format!("bias, {what}"),
            &call("attention_bias", &[db.len()]),
            &db,
        );
    }
}

/// Kernels for tensor cores against those of `case`, whose operands are rounded as theirs.
fn by_tensor_cores(gpu: &Arc<Gpu>, case: Case, half: &str, error: f64) {
    let x = Operands::<f32>::new(case);
    let placed = Placed::new(gpu, &x);
    let (rows, w) = (x.rows(), case.width);
    let ct = put(gpu, &wave::<f32>(rows * w, 0.31));
    let (met, what) = (case.batch * case.heads[1], format!("{half} {case:?}"));
    use differentiable_gpu::text;
    let (plain, plain_pullback) = (text(text::ATTENTION), text(text::ATTENTION_PULLBACK));
    let forward = tensor_text(text::ATTENTION_TENSOR, w, half);
    let pullback = tensor_text(text::ATTENTION_TENSOR_PULLBACK, w, half);
    let numbers = |x: Vec<f32>| -> Vec<f64> { x.into_iter().map(f64::from).collect() };

    let attend = |text: &str, kernel: &str, threads: u32| {
        let [out, saved] = [rows * w, rows * 2].map(|n| put(gpu, &vec![9.0_f32; n]));
        let args = [placed.args(), vec![(&out).into(), (&saved).into()]].concat();
        run_threads::<f32>(gpu, text, kernel, [3, threads], &args);
        (out, saved)
    };
    let (out, saved) = attend(&plain, "attention", 256);
    let expected = [get::<f32>(gpu, &out), get(gpu, &saved)].concat();
    let found = all_orders(|| {
        let (out, saved) = attend(&forward, "attention_tensor", 128);
        [get::<f32>(gpu, &out), get(gpu, &saved)].concat()
    });
    close_to(&what, &found, &numbers(expected), error);

    let delta = put(gpu, &vec![9.0_f32; rows]);
    let args = [
        (&out).into(),
        (&ct).into(),
        Arg::I64(w as i64),
        Arg::I64(rows as i64),
        (&delta).into(),
    ];
    run::<f32>(gpu, &plain_pullback, "attention_deltas", 2, &args);
    for (plain, tensor, lens) in [
        (
            "attention_queries",
            "attention_tensor_queries",
            vec![rows * w],
        ),
        (
            "attention_keys",
            "attention_tensor_keys",
            vec![met * case.keys * w; 2],
        ),
    ] {
        let call = |text: &str, kernel: &str, threads: u32| {
            let to: Vec<Buffer> = lens.iter().map(|n| put(gpu, &vec![9.0_f32; *n])).collect();
            let mut args = placed.args();
            args.extend([Arg::from(&ct), (&saved).into(), (&delta).into()]);
            args.extend(to.iter().map(Arg::from));
            run_threads::<f32>(gpu, text, kernel, [3, threads], &args);
            to.iter().flat_map(|to| get::<f32>(gpu, to)).collect()
        };
        let expected = numbers(call(&plain_pullback, plain, 256));
        let found = all_orders(|| call(&pullback, tensor, 128));
        close_to(&format!("{tensor}, {what}"), &found, &expected, error);
    }
}

#[test]
fn attention_by_tensor_cores() {
    let Some(gpu) = gpu() else { return };
    let plain = Case {
        batch: 2,
        heads: [2, 1],
        queries: 5,
        keys: 7,
        width: 16,
        value_width: 16,
        causal: false,
        mask: Mask::None,
        dropout: false,
    };
    for (half, error) in [("", 3e-2), ("#define DZ_F16", 4e-3)] {
        for (width, queries, keys, causal, mask) in [
            (16, 5, 7, false, Mask::None),
            (32, 70, 133, true, Mask::None),
            (48, 65, 40, true, Mask::Lengths),
            (64, 130, 70, false, Mask::Lengths),
            (128, 33, 65, true, Mask::None),
        ] {
            let case = Case {
                width,
                value_width: width,
                queries,
                keys,
                causal,
                mask,
                ..plain
            };
            by_tensor_cores(&gpu, case, half, error);
        }
    }
}

fn all<T: Real>() {
    let Some(gpu) = gpu() else { return };
    let plain = Case {
        batch: 2,
        heads: [2, 1],
        queries: 5,
        keys: 7,
        width: 3,
        value_width: 4,
        causal: false,
        mask: Mask::None,
        dropout: false,
    };
    let long = Case {
        batch: 1,
        queries: 70,
        keys: 133,
        width: 19,
        value_width: 66,
        ..plain
    };
    for c in [
        plain,
        Case {
            causal: true,
            mask: Mask::Visible,
            ..plain
        },
        Case {
            mask: Mask::Lengths,
            dropout: true,
            ..plain
        },
        Case {
            mask: Mask::Bias(2),
            causal: true,
            ..plain
        },
        Case {
            queries: 9,
            keys: 4,
            causal: true,
            ..plain
        },
        Case {
            causal: true,
            dropout: true,
            ..long
        },
        Case {
            mask: Mask::Lengths,
            batch: 3,
            heads: [1, 1],
            queries: 3,
            ..long
        },
        Case {
            mask: Mask::Bias(1),
            width: 65,
            queries: 66,
            keys: 40,
            value_width: 5,
            ..long
        },
        Case {
            mask: Mask::Visible,
            queries: 33,
            keys: 65,
            value_width: 8,
            ..long
        },
    ] {
        case::<T>(&gpu, c);
    }
}

#[test]
fn attention_of_floats() {
    all::<f32>();
}

#[test]
fn attention_of_doubles() {
    all::<f64>();
}
