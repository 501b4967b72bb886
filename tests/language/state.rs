//! State that has no derivative: constant fields that are written, and constants that are passed on.

use differentiable::ad::Tangent;
use differentiable::prelude::*;
use std::collections::HashMap;

/// A struct without a derive: constant fields may be of any type.
#[derive(Clone, Debug, PartialEq)]
struct Stats {
    mean: f64,
    rows: Vec<(f64, u8)>,
    best: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Norm {
    scale: f64,
    shift: f64,
    #[constant]
    mean: f64,
    #[constant]
    history: Vec<f64>,
    #[constant]
    stats: Stats,
    #[constant]
    name: String,
    #[constant]
    seen: u64,
    steps: usize,
}

fn norm() -> Norm {
    Norm {
        scale: 1.3,
        shift: 0.2,
        mean: 0.1,
        history: vec![0.5],
        stats: Stats {
            mean: 0.4,
            rows: Vec::new(),
            best: None,
        },
        name: "n".into(),
        seen: 3,
        steps: 0,
    }
}

#[differentiable]
impl Norm {
    /// With the statistics of the batch, which are kept.
    fn train(&mut self, x: &[f64]) -> Vec<f64> {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        self.mean = stop_gradient(0.9 * self.mean + 0.1 * mean);
        self.seen += 1;
        self.steps += 1;
        self.history.push(stop_gradient(mean));
        self.stats.mean = no_grad!(self.stats.mean.max(mean));
        self.stats.rows.push((self.mean, 1));
        self.stats.rows[0].0 *= 2.0;
        self.stats.best = Some(self.mean + 1.0);
        self.name = format!("{}{}", self.name, self.steps);
        self.name.push_str("!");
        x.iter()
            .map(|v| (v - mean) * self.scale + self.shift)
            .collect()
    }
    /// With what was kept.
    fn eval(&self, x: f64) -> f64 {
        let best = match &self.stats.best {
            Some(b) => *b,
            None => 0.0,
        };
        (x - self.mean) * self.scale * self.stats.mean + self.shift * self.stats.rows[0].0 * best
    }
    fn loss(&mut self, x: &[f64]) -> f64 {
        let mut total = 0.0;
        for k in 0..2 {
            let h = self.train(x);
            for v in &h {
                total += v * v.sin() * (k as f64 + 1.0);
            }
        }
        total + self.eval(total)
    }
}

/// Value and state as without derivatives, forward as reverse, and differences by `scale` and `shift`, which reach no
/// state.
#[test]
fn running_statistics() {
    let x = [0.3, -0.8, 1.9];
    let (mut plain, mut with) = (norm(), norm());
    let value = plain.loss(&x);
    let (found, (g, gx)) = with.loss_value_and_grad(&x);
    assert_eq!((value.to_bits(), &plain), (found.to_bits(), &with));
    assert_eq!(with.seen, 5);
    let at = |scale: f64, shift: f64| {
        let mut n = norm();
        n.scale += scale;
        n.shift += shift;
        n.loss(&x)
    };
    let h = 1e-5;
    let by_scale = (at(h, 0.0) - at(-h, 0.0)) / (2.0 * h);
    let by_shift = (at(0.0, h) - at(0.0, -h)) / (2.0 * h);
    assert!((by_scale - g.scale).abs() < 1e-7, "{by_scale} {}", g.scale);
    assert!((by_shift - g.shift).abs() < 1e-7, "{by_shift} {}", g.shift);
    let mut direction = norm().zero_tangent();
    (direction.scale, direction.shift) = (0.5, -0.7);
    let t_x = [1.0, 2.0, -0.5];
    let mut forward = norm();
    let (again, tangent) = forward.loss_jvp(&mut direction.clone(), (&x, &t_x));
    let slope = g.dot(&direction) + gx.dot(&t_x.to_vec());
    assert_eq!(again.to_bits(), value.to_bits());
    assert_eq!(forward, plain);
    assert!((tangent - slope).abs() < 1e-12, "{tangent} {slope}");
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Log {
    w: f64,
    #[constant]
    last: f64,
    #[constant]
    rows: Vec<f64>,
    #[constant]
    table: HashMap<String, f64>,
    #[constant]
    pair: (f64, u32),
}

#[differentiable]
fn every_kind_of_change(log: &mut Log, x: f64) -> f64 {
    let y = log.w * x;
    let old = std::mem::replace(&mut log.last, stop_gradient(y));
    log.rows.push(old);
    log.rows.insert(0, 2.0);
    log.rows.extend(vec![1.0, stop_gradient(x)]);
    log.rows[1] = no_grad!(y + 1.0);
    log.rows[1] += 0.5;
    log.rows[0] *= 2.0;
    log.rows.truncate(3);
    log.rows.swap(0, 2);
    log.rows.reverse();
    let rows = std::mem::take(&mut log.rows);
    log.rows = vec![rows[0], log.last * 0.5];
    log.pair.1 += 1;
    log.pair = (log.last - 1.0, log.pair.1);
    if log.pair.1 > 1 {
        log.rows.clear();
    } else {
        log.last -= 1.0;
    }
    no_grad! { log.table.insert("y".into(), y); }
    y * y + log.last * x + old + rows[1]
}

#[test]
fn constant_fields_change_in_every_way() {
    let log = Log {
        w: 1.5,
        last: 0.5,
        rows: Vec::new(),
        table: HashMap::new(),
        pair: (0.0, 0),
    };
    let (mut plain, mut with) = (log.clone(), log.clone());
    let value = every_kind_of_change(&mut plain, 2.0);
    let (found, (g, gx)) = every_kind_of_change::value_and_grad(&mut with, 2.0);
    assert_eq!((value, &plain), (found, &with));
    // `y` is 3, and what is left in `last` 2.
    assert_eq!((g.w, gx), (2.0 * 3.0 * 2.0, 2.0 * 3.0 * 1.5 + 2.0));
    let mut t = log.zero_tangent();
    t.w = 1.0;
    let forward = every_kind_of_change::jvp((&mut log.clone(), &mut t), (2.0, 0.5));
    assert_eq!(forward, (value, g.w + 0.5 * gx));
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Key {
    train: bool,
    seed: u64,
    words: [u64; 2],
}

#[differentiable]
fn next(key: &mut Key) -> f64 {
    key.seed = key
        .seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    key.seed ^= key.seed >> 33;
    key.words[0] |= 1 << (key.seed % 60);
    key.words[1] = key.words[1].rotate_left(7) ^ key.seed.pow(1).swap_bytes();
    let bits = key.seed.count_ones() + key.seed.leading_zeros();
    let small = key.seed.rem_euclid(11).saturating_sub(2) + key.seed.abs_diff(key.words[0]) % 3;
    let byte = key.seed.to_le_bytes()[3];
    let more = key.words[1].checked_add(1).unwrap_or(0) % 7;
    let even = key.words[0].is_power_of_two();
    (bits as f64 + small as f64 + byte as f64 + more as f64) / 100.0 + f64::from(u8::from(even))
}

#[differentiable]
fn noisy(x: f64, key: &mut Key) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        let k = if key.train { next(key) } else { 2.0 };
        y = (y * k).sin() + x;
    }
    y
}

#[test]
fn methods_of_integers() {
    for train in [true, false] {
        let key = Key {
            train,
            seed: 7,
            words: [0, 5],
        };
        let (mut plain, mut with) = (key.clone(), key.clone());
        let value = noisy(0.4, &mut plain);
        let (found, (g, _)) = noisy::value_and_grad(0.4, &mut with);
        assert_eq!((value, &plain), (found, &with));
        let at = |h: f64| noisy(0.4 + h, &mut key.clone());
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((difference - g).abs() < 1e-7, "{difference} {g}");
    }
}

#[derive(Clone, Differentiable)]
struct Layer {
    w: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Caches {
    one: Vec<f64>,
    all: Vec<Vec<f64>>,
    count: u32,
}

#[differentiable]
impl Layer {
    fn forward(&self, x: f64, #[constant] cache: &mut Vec<f64>) -> f64 {
        cache.push(stop_gradient(x));
        self.w * x * (cache.len() as f64 + cache[0])
    }
}

#[differentiable]
fn counted(x: f64, #[constant] caches: &mut Caches) -> f64 {
    no_grad! {
        caches.count += 1;
        caches.one[0] = 2.0;
    }
    x * x * caches.count as f64
}

#[differentiable]
fn passed_on(layers: &[Layer], x: f64, #[constant] caches: &mut Caches) -> f64 {
    let mut h = x;
    for (layer, cache) in layers.iter().zip(caches.all.iter_mut()) {
        h = layer.forward(h, cache).sin();
    }
    for (i, layer) in layers.iter().enumerate() {
        h += layer.forward(h, &mut caches.all[i]);
    }
    let one = &mut caches.one;
    h += layers[0].forward(h, one);
    h + counted(h, caches)
}

#[test]
fn constants_are_passed_on() {
    let layers = [Layer { w: 0.7 }, Layer { w: -0.4 }];
    let caches = Caches {
        one: vec![0.5],
        all: vec![vec![1.0], vec![2.0]],
        count: 0,
    };
    let (mut plain, mut with) = (caches.clone(), caches.clone());
    let value = passed_on(&layers, 0.3, &mut plain);
    let (found, (g, gx)) = passed_on::value_and_grad(&layers, 0.3, &mut with);
    assert_eq!((value, &plain), (found, &with));
    // The entries that are read were there before: nothing that was pushed reaches the value.
    let at = |w: f64, h: f64| {
        let layers = [Layer { w: 0.7 + w }, layers[1].clone()];
        passed_on(&layers, 0.3 + h, &mut caches.clone())
    };
    let by_w = (at(1e-5, 0.0) - at(-1e-5, 0.0)) / 2e-5;
    let by_x = (at(0.0, 1e-5) - at(0.0, -1e-5)) / 2e-5;
    assert!((by_w - g[0].w).abs() < 1e-6, "{by_w} {}", g[0].w);
    assert!((by_x - gx).abs() < 1e-6, "{by_x} {gx}");
}

#[derive(Clone, Debug, Differentiable)]
struct Held {
    x: f64,
    v: Vec<f64>,
    #[constant]
    p: f64,
    #[constant]
    state: Vec<f64>,
}

#[differentiable]
fn product(a: f64, p: f64, q: &f64) -> f64 {
    a * p * q
}

#[differentiable]
fn stored(a: f64, #[constant] state: &mut Vec<f64>, #[constant] p: f64) -> f64 {
    state.push(stop_gradient(a * p));
    a * a
}

/// What `no_grad!` changes is a constant from there on; constant fields are arguments of calls, also of those whose
/// parameters are constant.
#[differentiable]
fn detached(held: &mut Held, y: f64) -> f64 {
    no_grad! {
        let last = held.v.len() as f64;
        held.v[0] = 3.0;
        held.v.push(last);
    }
    let mut t = y * y;
    let a = t * held.x + held.v[1];
    no_grad! { t = t * 2.0; }
    let b = product(t * y, held.p, &held.p) + stored(y * held.x, &mut held.state, held.p);
    a + b + held.v[0]
}

#[test]
fn no_grad_statements() {
    let held = Held {
        x: 1.5,
        v: vec![1.0, 2.0],
        p: 0.5,
        state: Vec::new(),
    };
    let mut with = held.clone();
    let y = 1.25;
    let (value, (g, gy)) = detached::value_and_grad(&mut with, y);
    assert_eq!(value, detached(&mut held.clone(), y));
    assert_eq!(with.v, [3.0, 2.0, 2.0]);
    assert_eq!(with.state, [y * 1.5 * 0.5]);
    assert_eq!(g.v, [0.0, 0.0]);
    assert_eq!(g.x, y * y + 2.0 * y * y * 1.5);
    // By the product with `t` only through the other factor.
    let t = 2.0 * y * y;
    assert_eq!(gy, 2.0 * y * 1.5 + t * 0.25 + 2.0 * y * 1.5 * 1.5);
    let forward = detached::jvp((&mut held.clone(), &mut held.zero_tangent()), (y, 1.0));
    assert_eq!(forward, (value, gy));
}

fn sum(v: Vec<f64>) -> f64 {
    v.iter().sum()
}

#[differentiable]
fn used_again(x: f64) -> f64 {
    let v = vec![x, x * x];
    let product = v[1] * v[0];
    let s = no_grad!(sum(v));
    let w = vec![product, x];
    let t = w[0] * w[1];
    let held = stop_gradient(w);
    s * product + t * held[1]
}

#[test]
fn values_that_are_held_and_used() {
    let x = 2.0;
    // s is 6, and the last factor 2.
    let (value, g) = used_again::value_and_grad(x);
    assert_eq!(value, 6.0 * 8.0 + 16.0 * 2.0);
    assert_eq!(g, 6.0 * 12.0 + 4.0 * 8.0 * 2.0);
}
