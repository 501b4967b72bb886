//! One step of a cell for one sequence. See the [module](super) for the formulas.
//!
//! Each slot is a slice of its own, and so is everything else that is written: the loops become vector code only where
//! no two slices can overlap.

#![allow(
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    reason = "many slices of one length are walked by one index"
)]

use crate::device::{Cell, Float};

/// What a step takes and gives. `p` is `h·Wᵀ`, `b` the bias; `h` and `c` are those before, `h2` and `c2` after.
pub struct Forward<'a, T> {
    /// `z`, and then what is kept.
    pub slots: &'a mut [T],
    pub p: &'a [T],
    pub b: &'a [T],
    pub h: &'a [T],
    pub c: &'a [T],
    pub h2: &'a mut [T],
    pub c2: &'a mut [T],
}

/// The same in reverse: the cotangent of `h'` is `ct + p`.
pub struct Backward<'a, T> {
    /// What was kept, and then `dz`, which is added to `db`.
    pub slots: &'a mut [T],
    pub db: &'a mut [T],
    /// What passes to the step before besides `dz·W`: `dc`, or `dh∘u`.
    pub carry: &'a mut [T],
    pub ct: &'a [T],
    pub p: &'a [T],
    pub h: &'a [T],
    pub c: &'a [T],
    pub c2: &'a [T],
}

/// Tangents: `tz` that of `z`, bias and weights of the state, `p` is `h˙·Wᵀ`; `th`, `tc` before, `th2` and `tc2` after.
pub struct Tangent<'a, T> {
    /// What was kept.
    pub slots: &'a [T],
    pub tz: &'a [T],
    pub p: &'a [T],
    pub h: &'a [T],
    pub c: &'a [T],
    pub c2: &'a [T],
    pub th: &'a [T],
    pub tc: &'a [T],
    pub th2: &'a mut [T],
    pub tc2: &'a mut [T],
}

/// A cell of some units.
pub trait Step {
    /// Which one.
    const CELL: Cell;
    /// See [`Cell::slots`].
    const SLOTS: usize = Self::CELL.slots();
    /// See [`Cell::recurrent`].
    const RECURRENT: usize = Self::CELL.recurrent();
    /// See [`Cell::has_memory`].
    const MEMORY: bool = Self::CELL.has_memory();

    /// One step.
    fn forward<T: Float>(step: Forward<'_, T>);
    /// Its cotangents.
    fn backward<T: Float>(step: Backward<'_, T>);
    /// Its tangents.
    fn tangent<T: Float>(step: Tangent<'_, T>);
}

/// `[T]` as slots.
#[inline(always)]
fn four<T>(x: &[T]) -> [&[T]; 4] {
    let n = x.len() / 4;
    [&x[..n], &x[n..2 * n], &x[2 * n..3 * n], &x[3 * n..4 * n]]
}

#[inline(always)]
fn four_mut<T>(x: &mut [T]) -> [&mut [T]; 4] {
    let n = x.len() / 4;
    let (a, x) = x.split_at_mut(n);
    let (b, x) = x.split_at_mut(n);
    let (c, d) = x.split_at_mut(n);
    [a, b, c, &mut d[..n]]
}

/// All slices cut to `n`, so that no index is checked.
macro_rules! cut {
    ($n:ident: $($x:ident)*; mut $($y:ident)*) => {
        $(let $x = &$x[..$n];)*
        $(let $y = &mut $y[..$n];)*
    };
}

/// The slope of `σ`, from its value.
#[inline(always)]
fn slope<T: Float>(s: T) -> T {
    s * (T::ONE - s)
}

/// `1 − t²`: the slope of `tanh`, from its value.
#[inline(always)]
fn bend<T: Float>(t: T) -> T {
    T::ONE - t * t
}

pub struct Rnn;

impl Step for Rnn {
    const CELL: Cell = Cell::Rnn;

    #[inline(always)]
    fn forward<T: Float>(
        Forward {
            slots: z, p, b, h2, ..
        }: Forward<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(n: usize, z: &mut [T], p: &[T], b: &[T], h2: &mut [T]) {
            cut!(n: p b; mut z h2);
            for j in 0..n {
                let h = (z[j] + p[j] + b[j]).tanh();
                (z[j], h2[j]) = (h, h);
            }
        }
        go(h2.len(), z, p, b, h2)
    }

    #[inline(always)]
    fn backward<T: Float>(
        Backward {
            slots: z,
            db,
            ct,
            p,
            ..
        }: Backward<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(n: usize, z: &mut [T], db: &mut [T], ct: &[T], p: &[T]) {
            cut!(n: ct p; mut z db);
            for j in 0..n {
                let dz = (ct[j] + p[j]) * bend(z[j]);
                z[j] = dz;
                db[j] = db[j] + dz;
            }
        }
        go(z.len(), z, db, ct, p)
    }

    #[inline(always)]
    fn tangent<T: Float>(
        Tangent {
            slots: z,
            tz,
            p,
            th2,
            ..
        }: Tangent<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(n: usize, z: &[T], tz: &[T], p: &[T], th2: &mut [T]) {
            cut!(n: z tz p; mut th2);
            for j in 0..n {
                th2[j] = (tz[j] + p[j]) * bend(z[j]);
            }
        }
        go(th2.len(), z, tz, p, th2)
    }
}

pub struct Gru;

impl Step for Gru {
    const CELL: Cell = Cell::Gru;

    #[inline(always)]
    fn forward<T: Float>(
        Forward {
            slots, p, b, h, h2, ..
        }: Forward<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(
            n: usize,
            r: &mut [T],
            u: &mut [T],
            q: &mut [T],
            m: &mut [T],
            h2: &mut [T],
            p: &[T],
            b: &[T],
            h: &[T],
        ) {
            let [b0, b1, b2, b3] = four(b);
            let (p0, p1, p2) = (&p[..n], &p[n..2 * n], &p[2 * n..3 * n]);
            cut!(n: b0 b1 b2 b3 h; mut r u q m h2);
            for j in 0..n {
                let reset = (r[j] + p0[j] + b0[j]).sigmoid();
                let update = (u[j] + p1[j] + b1[j]).sigmoid();
                let product = p2[j] + b2[j];
                let new = (m[j] + b3[j] + reset * product).tanh();
                h2[j] = new + update * (h[j] - new);
                (r[j], u[j], q[j], m[j]) = (reset, update, product, new);
            }
        }
        let [r, u, q, m] = four_mut(slots);
        go(h2.len(), r, u, q, m, h2, p, b, h)
    }

    #[inline(always)]
    fn backward<T: Float>(
        Backward {
            slots,
            db,
            carry,
            ct,
            p,
            h,
            ..
        }: Backward<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(
            n: usize,
            r: &mut [T],
            u: &mut [T],
            q: &mut [T],
            m: &mut [T],
            db0: &mut [T],
            db1: &mut [T],
            db2: &mut [T],
            db3: &mut [T],
            carry: &mut [T],
            ct: &[T],
            p: &[T],
            h: &[T],
        ) {
            cut!(n: ct p h; mut r u q m db0 db1 db2 db3 carry);
            for j in 0..n {
                let (reset, update, product, new) = (r[j], u[j], q[j], m[j]);
                let dh = ct[j] + p[j] + carry[j];
                let dn = dh * (T::ONE - update) * bend(new);
                let du = dh * (h[j] - new) * slope(update);
                let dq = dn * reset;
                let dr = dn * product * slope(reset);
                carry[j] = dh * update;
                (r[j], u[j], q[j], m[j]) = (dr, du, dq, dn);
                (db0[j], db1[j]) = (db0[j] + dr, db1[j] + du);
                (db2[j], db3[j]) = (db2[j] + dq, db3[j] + dn);
            }
        }
        let ([r, u, q, m], [a, b, c, d]) = (four_mut(slots), four_mut(db));
        go(carry.len(), r, u, q, m, a, b, c, d, carry, ct, p, h)
    }

    #[inline(always)]
    fn tangent<T: Float>(
        Tangent {
            slots,
            tz,
            p,
            h,
            th,
            th2,
            ..
        }: Tangent<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(
            n: usize,
            slots: &[T],
            tz: &[T],
            p: &[T],
            h: &[T],
            th: &[T],
            th2: &mut [T],
        ) {
            let ([r, u, q, m], [t0, t1, t2, t3]) = (four(slots), four(tz));
            let (p0, p1, p2) = (&p[..n], &p[n..2 * n], &p[2 * n..3 * n]);
            cut!(n: r u q m t0 t1 t2 t3 h th; mut th2);
            for j in 0..n {
                let t_reset = (t0[j] + p0[j]) * slope(r[j]);
                let t_update = (t1[j] + p1[j]) * slope(u[j]);
                let t_product = t2[j] + p2[j];
                let t_new = (t3[j] + t_reset * q[j] + r[j] * t_product) * bend(m[j]);
                th2[j] = t_new + t_update * (h[j] - m[j]) + u[j] * (th[j] - t_new);
            }
        }
        go(th2.len(), slots, tz, p, h, th, th2)
    }
}

pub struct Lstm;

impl Step for Lstm {
    const CELL: Cell = Cell::Lstm;

    #[inline(always)]
    fn forward<T: Float>(
        Forward {
            slots,
            p,
            b,
            c,
            h2,
            c2,
            ..
        }: Forward<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(
            n: usize,
            i: &mut [T],
            f: &mut [T],
            g: &mut [T],
            o: &mut [T],
            h2: &mut [T],
            c2: &mut [T],
            p: &[T],
            b: &[T],
            c: &[T],
        ) {
            let ([p0, p1, p2, p3], [b0, b1, b2, b3]) = (four(&p[..4 * n]), four(b));
            cut!(n: p0 p1 p2 p3 b0 b1 b2 b3 c; mut i f g o h2 c2);
            for j in 0..n {
                let input = (i[j] + p0[j] + b0[j]).sigmoid();
                let forget = (f[j] + p1[j] + b1[j]).sigmoid();
                let new = (g[j] + p2[j] + b2[j]).tanh();
                let output = (o[j] + p3[j] + b3[j]).sigmoid();
                let memory = forget * c[j] + input * new;
                (c2[j], h2[j]) = (memory, output * memory.tanh());
                (i[j], f[j], g[j], o[j]) = (input, forget, new, output);
            }
        }
        let [i, f, g, o] = four_mut(slots);
        go(h2.len(), i, f, g, o, h2, c2, p, b, c)
    }

    #[inline(always)]
    fn backward<T: Float>(
        Backward {
            slots,
            db,
            carry,
            ct,
            p,
            c,
            c2,
            ..
        }: Backward<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(
            n: usize,
            i: &mut [T],
            f: &mut [T],
            g: &mut [T],
            o: &mut [T],
            db0: &mut [T],
            db1: &mut [T],
            db2: &mut [T],
            db3: &mut [T],
            carry: &mut [T],
            ct: &[T],
            p: &[T],
            c: &[T],
            c2: &[T],
        ) {
            cut!(n: ct p c c2; mut i f g o db0 db1 db2 db3 carry);
            for j in 0..n {
                let (input, forget, new, output) = (i[j], f[j], g[j], o[j]);
                let (dh, t) = (ct[j] + p[j], c2[j].tanh());
                let dc = carry[j] + dh * output * bend(t);
                let d_output = dh * t * slope(output);
                let d_input = dc * new * slope(input);
                let d_forget = dc * c[j] * slope(forget);
                let d_new = dc * input * bend(new);
                carry[j] = dc * forget;
                (i[j], f[j], g[j], o[j]) = (d_input, d_forget, d_new, d_output);
                (db0[j], db1[j]) = (db0[j] + d_input, db1[j] + d_forget);
                (db2[j], db3[j]) = (db2[j] + d_new, db3[j] + d_output);
            }
        }
        let ([i, f, g, o], [da, db, dc, dd]) = (four_mut(slots), four_mut(db));
        go(carry.len(), i, f, g, o, da, db, dc, dd, carry, ct, p, c, c2)
    }

    #[inline(always)]
    fn tangent<T: Float>(
        Tangent {
            slots,
            tz,
            p,
            c,
            c2,
            tc,
            th2,
            tc2,
            ..
        }: Tangent<'_, T>,
    ) {
        #[inline(always)]
        fn go<T: Float>(
            n: usize,
            slots: &[T],
            tz: &[T],
            p: &[T],
            c: &[T],
            c2: &[T],
            tc: &[T],
            th2: &mut [T],
            tc2: &mut [T],
        ) {
            let ([i, f, g, o], [t0, t1, t2, t3]) = (four(slots), four(tz));
            let [p0, p1, p2, p3] = four(&p[..4 * n]);
            cut!(n: i f g o t0 t1 t2 t3 p0 p1 p2 p3 c c2 tc; mut th2 tc2);
            for j in 0..n {
                let t_input = (t0[j] + p0[j]) * slope(i[j]);
                let t_forget = (t1[j] + p1[j]) * slope(f[j]);
                let t_new = (t2[j] + p2[j]) * bend(g[j]);
                let t_output = (t3[j] + p3[j]) * slope(o[j]);
                let t_memory = t_forget * c[j] + f[j] * tc[j] + t_input * g[j] + i[j] * t_new;
                let t = c2[j].tanh();
                (tc2[j], th2[j]) = (t_memory, t_output * t + o[j] * bend(t) * t_memory);
            }
        }
        go(th2.len(), slots, tz, p, c, c2, tc, th2, tc2)
    }
}
