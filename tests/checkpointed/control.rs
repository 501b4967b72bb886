use differentiable::prelude::*;

macro_rules! whiles { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, end: f64) -> f64 {
        let (mut s, mut t) = (x, 0.0);
        $($at)*
        while t < end {
            s -= 0.1 * s * s * x;
            t += 1.0;
        }
        s
    }
} }
same!(while_loop: whiles, n => (0.7, n as f64));

macro_rules! loops { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut s = x;
        let mut k = 0;
        $($at)*
        loop {
            if k >= n { break; }
            k += 1;
            if k % 3 == 1 { continue; }
            s = (s + 0.1 * k as f64).sin() * x;
            if s > 10.0 { return s * s; }
        }
        s
    }
} }
same!(loops_with_jumps: loops, n => (0.7, n));

macro_rules! left { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut s = x;
        $($at)*
        for i in 0..100 {
            s = s * 1.01 + x * 0.1;
            if i == n { return s.sin(); }
            if i % 5 == 3 { continue; }
            s += 0.01 * s.cos();
        }
        s * 3.0
    }
} }
same!(left_early: left, n => (0.7, n));

macro_rules! valued { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut s = x;
        let mut i = 0;
        let last;
        $($at)*
        loop {
            s = (s * x).exp().ln_1p();
            i += 1;
            if i > n { last = s * 2.0; break; }
        }
        last * s
    }
} }
same!(with_a_late_variable: valued, n => (0.7, n));

macro_rules! nested { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut s = x;
        let mut total = 0.0;
        $($at)*
        for i in 0..n {
            let mut w = s;
            $($at)*
            for j in 0..i % 4 + 1 {
                w = (w * x).sin() + 0.01 * (i + j) as f64;
            }
            $($at)*
            while w > 0.3 {
                w *= 0.9 * x;
            }
            total += w;
            s = 0.5 * (s + w);
        }
        total + s
    }
} }
same!(nested_loops: nested, n => (0.7, n));

macro_rules! inside { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut s = x;
        let mut scale = 1.0;
        for i in 0..3 {
            let before = s * scale;
            $($at)*
            for j in 0..n {
                s = (s * before + scale).sin() + 0.01 * (i * j) as f64;
                if s > 0.9 { s *= 0.5; } else { s += 0.1 * before; }
            }
            scale += s * 0.3;
            s = s + scale;
        }
        s * scale
    }
} }
same!(in_an_ordinary_loop: inside, n => (0.7, n));

macro_rules! several { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut a = x;
        let mut b = vec![x; 3];
        $($at)*
        for _ in 0..n { a = a.sin() + x; }
        if n % 2 == 0 {
            $($at)*
            for i in 0..n { b[i % 3] = b[(i + 1) % 3] * a; }
        }
        a = a * 0.5;
        $($at)*
        for i in 0..n { b[i % 3] += (a * b[(i + 2) % 3]).cos(); a += 0.1; }
        a + b[0] * b[1] * b[2]
    }
} }
same!(several_loops: several, n => (0.7, n));

macro_rules! lets { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut todo: Vec<usize> = (0..n).collect();
        let mut s = x;
        $($at)*
        while let Some(k) = todo.pop() {
            s = (s * x + 0.1 * k as f64).sin();
        }
        s
    }
} }
same!(while_let: lets, n => (0.7, n));

macro_rules! question { ($($at:tt)*) => {
    #[differentiable]
    pub fn g(x: f64, n: usize) -> Result<f64, String> {
        let mut s = x;
        $($at)*
        for i in 0..20 {
            s = (s * x + 0.1 * i as f64).sin();
            check(i, n)?;
        }
        Ok(s)
    }
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        match g(x, n) { Ok(v) => v, Err(_) => 2.0 * x }
    }
} }
pub fn check(i: usize, n: usize) -> Result<(), String> {
    if i > n { Err("no".into()) } else { Ok(()) }
}
same!(question_mark: question, n => (0.7, n));

macro_rules! labelled {
    ($($at:tt)*) => {
        #[differentiable]
        pub fn f(x: f64, n: usize) -> f64 {
            let mut s = x;
            $($at)*
            'outer: for i in 0..n {
                for j in 0..n {
                    s = (s * x + 0.1 * j as f64).sin();
                    if i + j == 5 {
                        continue 'outer;
                    }
                    if s > 0.95 && i > 6 {
                        break 'outer;
                    }
                }
                s *= 0.9;
            }
            s
        }
    };
}
same!(labels: labelled, n => (0.7, n));

macro_rules! passes_closures {
    ($($at:tt)*) => {
        #[differentiable]
        pub fn sum(f: impl Fn(f64) -> f64, a: f64, n: usize) -> f64 {
            let mut s = 0.0;
            for i in 0..n {
                s += f(a * i as f64);
            }
            s
        }
        #[differentiable]
        pub fn f(x: f64, n: usize) -> f64 {
            let mut s = x;
            $($at)*
            for _ in 0..n {
                let k = s * 0.5;
                s = sum(|t| (t * k).sin() * x, s, 3);
            }
            s
        }
    };
}
same!(closures_passed_on: passes_closures, n => (0.7, n));
